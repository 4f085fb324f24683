#include "app/ui/known.hpp"

#include "app/ui/assets.hpp"
#include "app/ui/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace posiscope::ui {
namespace {

std::string_view number(Scratch& scratch, double value, bool tiny) {
    if (std::isnan(value)) return "–";
    if (std::isinf(value)) return value < 0.0 ? "−∞" : "∞";
    if (value == std::round(value) && std::abs(value) < kLargestWhole)
        return integer(scratch, static_cast<std::int64_t>(value));
    return std::abs(value) < kRounding && !tiny ? residual(scratch, value) : significant(scratch, value);
}

std::string_view number_of(Scratch& scratch, const Residual& residual, std::string_view name) {
    const auto found = std::ranges::find(residual.numbers, name, [](const auto& one) { return one.first; });
    if (found == residual.numbers.end()) return "–";
    // A residual of rounding is said as in the number's box, 0 too.
    const bool rounding = residual.least == 0.0 && residual.most > 0.0 && std::abs(found->second) < kRounding;
    return name == "value" && rounding
               ? posiscope::ui::residual(scratch, found->second, residual_scale(residual))
               : number(scratch, found->second, residual.tiny);
}

}  // namespace

const std::vector<Claim>& known_claims() {
    static const std::vector<Claim> known = [] {
        std::vector<Claim> all;
        for (const std::string_view name : assets::names("claims/")) {
            auto group = read_claims(assets::file(name));
            if (!group) throw std::logic_error(to_string(group.error()));  // our own file
            std::ranges::move(*group, std::back_inserter(all));
        }
        return all;
    }();
    return known;
}

const Claim* find_claim(std::string_view id) {
    const auto found = std::ranges::find(known_claims(), id, &Claim::id);
    return found == known_claims().end() ? nullptr : &*found;
}

const std::vector<Section>& known_sections() {
    static const std::vector<Section> known = [] {
        auto all = read_sections(assets::file("sections.json"));
        if (!all) throw std::logic_error(to_string(all.error()));  // our own file
        return std::move(*all);
    }();
    return known;
}

const Section* find_section(std::string_view id) {
    const auto found = std::ranges::find(known_sections(), id, &Section::id);
    return found == known_sections().end() ? nullptr : &*found;
}

std::string_view words(const Words& words, Language language) {
    const auto found = words.find(code(language));
    return found == words.end() ? std::string_view() : std::string_view(found->second);
}

std::string_view note_name(Scratch& scratch, std::string_view note, const Strings& strings) {
    return strings.text(scratch.format("note.{}.name", note));
}

std::string_view section_name(Scratch& scratch, std::string_view heading, const Strings& strings) {
    const auto end = std::min(heading.find(' '), heading.size());
    const std::string_view key = scratch.format("section.{}", heading.substr(0, end));
    return strings.contains(key) ? scratch.format("{}{}", strings.text(key), heading.substr(end)) : heading;
}

double residual_scale(const Residual& residual) {
    return residual.most > 0.0 && residual.most < kRounding ? 1e12 * residual.most : 1.0;
}

std::string_view with_numbers(Scratch& scratch, std::string_view text, const Residual& residual) {
    std::string_view said;
    while (!text.empty()) {
        const auto brace = text.find_first_of("{}");
        said = scratch.format("{}{}", said, text.substr(0, brace));
        if (brace == std::string_view::npos) break;
        const auto close = text.find('}', brace);
        if (text.substr(brace, 2) == "{{" || text.substr(brace, 2) == "}}" ||
            close == std::string_view::npos) {
            said = scratch.format("{}{}", said, text[brace]);
            text.remove_prefix(std::min(brace + 2, text.size()));
            continue;
        }
        said = scratch.format("{}{}", said,
                              number_of(scratch, residual, text.substr(brace + 1, close - brace - 1)));
        text.remove_prefix(close + 1);
    }
    return said;
}

std::string_view mend(Scratch& scratch, const Claim& claim, const Residual& residual, Language language) {
    const Words* found = posiscope::mend(claim, residual);
    return found == nullptr ? std::string_view() : with_numbers(scratch, words(*found, language), residual);
}

}  // namespace posiscope::ui
