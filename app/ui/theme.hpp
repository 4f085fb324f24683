// theme.hpp — colours with one meaning each, in three themes (dark, light, print).
// Marks keep 3:1 and text 4.5:1 against their background (a test computes it); text is ink, colour stands in a
// mark beside it. Sine, cosine, offset, seen and beyond after Okabe and Ito; pairs along viridis.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace posiscope::ui {

// 0xAABBGGRR: red in the lowest byte, as ImGui and OpenGL read it.
using Colour = std::uint32_t;

constexpr Colour rgb(std::uint32_t hex) {
    return 0xff000000U | ((hex & 0xffU) << 16) | (hex & 0xff00U) | ((hex >> 16) & 0xffU);
}
constexpr Colour faded(Colour colour, float alpha) {
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): lround is no constant expression, and alpha is not negative
    return (colour & 0x00ffffffU) | (static_cast<Colour>(alpha * 255.0F + 0.5F) << 24);
}
Colour mixed(Colour a, Colour b, float t);
float contrast(Colour a, Colour b);  // after WCAG 2.1, 1 … 21

struct Theme {
    std::string_view name;
    Colour ground;  // between the tiles
    Colour rail;    // toolbar, sidebar and timeline
    Colour tile;
    Colour border;
    Colour control;  // buttons
    Colour pressed;
    Colour track;  // a slider's empty part
    Colour slider;
    Colour popup;
    Colour ink;        // text, position p
    Colour ink_soft;   // units, labels
    Colour ink_faint;  // axes, circles
    Colour grid;
    Colour neutral;  // zero in a heatmap
    Colour sine;
    Colour cosine;
    Colour plus;  // signs of numbers
    Colour minus;
    Colour offset;  // p + k
    Colour seen;
    Colour beyond;
    float pair_first, pair_last;  // the range of viridis for pairs
    bool dark;
    // A person's own (app/ui/style.hpp): of the curves of a picture, one after another; none: as the figure has them.
    struct Cycle {
        std::array<Colour, 8> colours{};
        std::array<float, 8> dashes{};
        std::uint8_t colour_count = 0, dash_count = 0;
    } curves = {};
};

Colour curve_colour(const Theme& theme, std::size_t curve, Colour usual);
float curve_dash(const Theme& theme, std::size_t curve, float usual);

std::span<const Theme> themes();
const Theme& theme(std::string_view name);  // the first one when unknown

// Pair i's colour, at i / (pairs − 1) along the theme's part of viridis.
Colour pair_colour(const Theme& theme, double fraction);

}  // namespace posiscope::ui
