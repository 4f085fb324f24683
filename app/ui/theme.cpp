#include "app/ui/theme.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::ui {
namespace {

constexpr std::array<Theme, 3> kThemes = {{
    {
        .name = "dark",
        .ground = rgb(0x121417),
        .rail = rgb(0x191C21),
        .tile = rgb(0x191C21),
        .border = rgb(0x2A2E35),
        .control = rgb(0x262B33),
        .pressed = rgb(0x323843),
        .track = rgb(0x2B3038),
        .slider = rgb(0x9AA5B1),
        .popup = rgb(0x0D0F12),
        .ink = rgb(0xECEAE4),
        .ink_soft = rgb(0x9BA3AD),
        .ink_faint = rgb(0x6F7782),
        .grid = rgb(0x2B2F36),
        .neutral = rgb(0x1A1C20),
        .sine = rgb(0xE69F00),
        .cosine = rgb(0x56B4E9),
        .plus = rgb(0x9FB04C),
        .minus = rgb(0xA79AE6),
        .offset = rgb(0xCC79A7),
        .seen = rgb(0x009E73),
        .beyond = rgb(0xD55E00),
        .pair_first = 0.40F,
        .pair_last = 1.0F,
        .dark = true,
    },
    {
        .name = "light",
        .ground = rgb(0xF3F2EE),
        .rail = rgb(0xFBFAF7),
        .tile = rgb(0xFFFFFF),
        .border = rgb(0xDFDDD6),
        .control = rgb(0xEEECE6),
        .pressed = rgb(0xE0DDD4),
        .track = rgb(0xE2E0D9),
        .slider = rgb(0x63686F),
        .popup = rgb(0xFFFFFF),
        .ink = rgb(0x1D1F22),
        .ink_soft = rgb(0x5F656C),
        .ink_faint = rgb(0x8C9298),
        .grid = rgb(0xE3E2DD),
        .neutral = rgb(0xFFFFFF),
        .sine = rgb(0xB97800),
        .cosine = rgb(0x1F87C4),
        .plus = rgb(0x6F7F00),
        .minus = rgb(0x7D63E0),
        .offset = rgb(0xC0659A),
        .seen = rgb(0x008F68),
        .beyond = rgb(0xD55E00),
        .pair_first = 0.0F,
        .pair_last = 0.55F,
        .dark = false,
    },
    {
        .name = "print",
        .ground = rgb(0xFFFFFF),
        .rail = rgb(0xFFFFFF),
        .tile = rgb(0xFFFFFF),
        .border = rgb(0xC4C4C4),
        .control = rgb(0xF2F2F2),
        .pressed = rgb(0xE2E2E2),
        .track = rgb(0xDADADA),
        .slider = rgb(0x404040),
        .popup = rgb(0xFFFFFF),
        .ink = rgb(0x000000),
        .ink_soft = rgb(0x404040),
        .ink_faint = rgb(0x808080),
        .grid = rgb(0xDCDCDC),
        .neutral = rgb(0xFFFFFF),
        .sine = rgb(0xB97800),
        .cosine = rgb(0x1F87C4),
        .plus = rgb(0x6F7F00),
        .minus = rgb(0x7D63E0),
        .offset = rgb(0xC0659A),
        .seen = rgb(0x008F68),
        .beyond = rgb(0xD55E00),
        .pair_first = 0.0F,
        .pair_last = 0.55F,
        .dark = false,
    },
}};

// Nine points of viridis (van der Walt and Smith 2015), linear between them.
constexpr std::array<Colour, 9> kViridis = {rgb(0x440154), rgb(0x472D7B), rgb(0x3B528B),
                                            rgb(0x2C728E), rgb(0x21918C), rgb(0x28AE80),
                                            rgb(0x5EC962), rgb(0xADDC30), rgb(0xFDE725)};

float channel(Colour colour, int shift) { return static_cast<float>((colour >> shift) & 0xffU) / 255.0F; }

float luminance(Colour colour) {
    const auto linear = [](float v) {
        return v <= 0.04045F ? v / 12.92F : std::pow((v + 0.055F) / 1.055F, 2.4F);
    };
    return 0.2126F * linear(channel(colour, 0)) + 0.7152F * linear(channel(colour, 8)) +
           0.0722F * linear(channel(colour, 16));
}

}  // namespace

Colour mixed(Colour a, Colour b, float t) {
    Colour result = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        const float value = channel(a, shift) + (channel(b, shift) - channel(a, shift)) * t;
        result |= static_cast<Colour>(std::clamp(value, 0.0F, 1.0F) * 255.0F + 0.5F) << shift;
    }
    return result;
}

float contrast(Colour a, Colour b) {
    const float la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05F) / (std::min(la, lb) + 0.05F);
}

std::span<const Theme> themes() { return kThemes; }

const Theme& theme(std::string_view name) {
    for (const Theme& one : kThemes)
        if (one.name == name) return one;
    return kThemes[0];
}

Colour curve_colour(const Theme& theme, std::size_t curve, Colour usual) {
    const Theme::Cycle& own = theme.curves;
    return own.colour_count == 0 ? usual : own.colours[curve % own.colour_count];
}

float curve_dash(const Theme& theme, std::size_t curve, float usual) {
    const Theme::Cycle& own = theme.curves;
    return own.dash_count == 0 ? usual : own.dashes[curve % own.dash_count];
}

Colour pair_colour(const Theme& theme, double fraction) {
    const double at =
        theme.pair_first + (theme.pair_last - theme.pair_first) * std::clamp(fraction, 0.0, 1.0);
    const double place = at * (kViridis.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), kViridis.size() - 2);
    return mixed(kViridis[below], kViridis[below + 1],
                 static_cast<float>(place - static_cast<double>(below)));
}

}  // namespace posiscope::ui
