#include "app/ui/known.hpp"

#include "app/ui/assets.hpp"
#include "core/encodings/encodings.hpp"

#include <array>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <stdexcept>

namespace posiscope::ui {
namespace {

// The colours that an encoding can name (core/encodings/encodings.hpp): those of the interface, and others that are told
// from these and from each other.
struct Named {
    std::string_view name;
    Colour (*of)(const Theme&);
};
constexpr std::array kColours = {
    Named{"ink", [](const Theme& t) { return t.ink; }},
    Named{"ink_faint", [](const Theme& t) { return t.ink_faint; }},
    Named{"sine", [](const Theme& t) { return t.sine; }},
    Named{"cosine", [](const Theme& t) { return t.cosine; }},
    Named{"offset", [](const Theme& t) { return t.offset; }},
    Named{"blue", [](const Theme& t) { return t.dark ? rgb(0x7FA8FF) : rgb(0x0B5FA5); }},
    Named{"olive", [](const Theme& t) { return t.dark ? rgb(0xE6DC4E) : rgb(0x7A7400); }},
    Named{"brown", [](const Theme& t) { return t.dark ? rgb(0xC98B5A) : rgb(0x8A4B1F); }},
    Named{"violet", [](const Theme& t) { return t.dark ? rgb(0xA995FF) : rgb(0x6C4BD8); }},
    Named{"red", [](const Theme& t) { return t.dark ? rgb(0xFF7F73) : rgb(0xB3261E); }},
    Named{"teal", [](const Theme& t) { return t.dark ? rgb(0x4FC3CF) : rgb(0x007A87); }},
    Named{"navy", [](const Theme& t) { return t.dark ? rgb(0xB9C9F2) : rgb(0x2F3E7A); }},
    Named{"green", [](const Theme& t) { return t.dark ? rgb(0xA6C84B) : rgb(0x5B7A00); }},
};

}  // namespace

std::shared_ptr<const experiment::Bank> shipped_results(const experiment::Settings& settings) {
    for (const experiment::Preset& preset : experiment::presets()) {
        if (!experiment::same_training(preset.settings, settings)) continue;
        static std::mutex reading;
        static std::map<std::string_view, std::shared_ptr<const experiment::Bank>> known;
        const std::lock_guard lock(reading);
        auto& bank = known[preset.name];
        if (!bank) {
            const std::string file = fmt::format("experiments/{}.json", preset.name);
            if (assets::need(file) == assets::Late::coming) return nullptr;
            auto read = experiment::results_from(assets::file(file));
            if (!read) throw std::logic_error(to_string(read.error()));  // our own file
            bank = std::make_shared<const experiment::Bank>(
                experiment::bank_of(std::move(*read), experiment::Origin::shipped));
        }
        return bank;
    }
    return nullptr;
}

Colour encoding_colour(const Theme& theme, std::string_view encoding) {
    const Encoding* found = find_encoding(encoding);
    if (found == nullptr) return theme.ink_faint;
    for (const Named& named : kColours)
        if (named.name == found->shown.colour) return named.of(theme);
    throw std::logic_error(fmt::format("{}: no colour is called {}", encoding, found->shown.colour));
}

}  // namespace posiscope::ui
