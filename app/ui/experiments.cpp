#include "app/ui/experiments.hpp"

#include "app/ui/assets.hpp"

#include <array>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <stdexcept>

namespace posiscope::ui {
namespace {

struct Named {
    std::string_view encoding;
    Colour light, dark;
};
// Those that the interface has a colour for keep it; the others stand apart from these and from each other.
constexpr std::array kOwn = {
    Named{"alibi", rgb(0x0B5FA5), rgb(0x7FA8FF)},    Named{"kerple", rgb(0x7A7400), rgb(0xE6DC4E)},
    Named{"shaw", rgb(0x8A4B1F), rgb(0xC98B5A)},     Named{"xpos", rgb(0x6C4BD8), rgb(0xA995FF)},
    Named{"fire", rgb(0xB3261E), rgb(0xFF7F73)},     Named{"transformer_xl", rgb(0x007A87), rgb(0x4FC3CF)},
    Named{"sandwich", rgb(0x5B7A00), rgb(0xA6C84B)},
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

const experiment::Preset* preset_with(const experiment::Settings& settings) {
    for (const experiment::Preset& preset : experiment::presets())
        if (preset.settings == settings) return &preset;
    return nullptr;
}

Colour encoding_colour(const Theme& theme, std::string_view encoding) {
    if (encoding == "rope") return theme.ink;
    if (encoding == "sinusoidal") return theme.sine;
    if (encoding == "learned") return theme.offset;
    if (encoding == "t5") return theme.cosine;
    for (const Named& named : kOwn)
        if (named.encoding == encoding) return theme.dark ? named.dark : named.light;
    return theme.ink_faint;
}

}  // namespace posiscope::ui
