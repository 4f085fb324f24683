// text.hpp — the one style of the text of axes, legends and notes.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures {

inline canvas::TextStyle small(const Frame& f, canvas::Align align = canvas::Align::left, float zoom = 1.0F) {
    return {f.theme.ink_soft, zoom * ui::kSmallSize, ui::Face::text, align};
}
// The same style in ink: values and names that are read first.
inline canvas::TextStyle small_ink(const Frame& f, canvas::Align align = canvas::Align::left) {
    return {f.theme.ink, ui::kSmallSize, ui::Face::text, align};
}
inline float small_width(const Frame& f, std::string_view words, float zoom = 1.0F) {
    return f.canvas.text_width(words, ui::Face::text, zoom * ui::kSmallSize);
}

// "Sinusoidal": an encoding by its kind, in words.
inline std::string_view encoding_name(const Frame& f, std::string_view kind) {
    return f.text(f.scratch.format("option.encoding.{}.name", kind));
}

// Words that the tips of several figures say alike.
inline std::string_view words_of_pair(const Frame& f, std::size_t pair, double omega, int digits = 4) {
    return f.format(
        "tip.pair", fmt::arg("pair", pair), fmt::arg("frequency", ui::significant(f.scratch, omega, digits)),
        fmt::arg("wavelength", ui::significant(f.scratch, 2.0 * std::numbers::pi / omega, digits)));
}
inline std::string_view words_of_angle(const Frame& f, double radians) {
    return f.format("tip.angle_turns", fmt::arg("angle", ui::significant(f.scratch, radians, 5)),
                    fmt::arg("turns", ui::significant(f.scratch, radians / (2.0 * std::numbers::pi), 4)));
}
// "1.139 · " before a formula; nothing where the factor is 1.
inline std::string_view times(ui::Scratch& s, double factor) {
    return factor == 1.0 ? std::string_view() : s.format("{} \\cdot ", ui::significant(s, factor, 5));
}
inline std::string_view words_of_distance(const Frame& f, std::int64_t distance) {
    return f.format("tip.distance", fmt::arg("distance", ui::signed_integer(f.scratch, distance)));
}

// Letters and rows of a list grow with its tile: at 1 it takes a tile of `usual`, so that a large one is read from afar.
inline float zoom_in(Rect area, Point usual) {
    return std::clamp(std::min(area.width() / usual.x, area.height() / usual.y), 1.0F, 4.0F);
}

// Words over data: a patch of the tile's colour keeps curves and bars off them.
inline void text_on_patch(Frame& f, Point at, std::string_view words, canvas::TextStyle style) {
    const float width = f.canvas.text_width(words, style.face, style.size);
    const float left = style.align == canvas::Align::left    ? at.x
                       : style.align == canvas::Align::right ? at.x - width
                                                             : at.x - 0.5F * width;
    f.canvas.fill({left - 3.0F, at.y - style.size + 2.0F, left + width + 3.0F, at.y + 4.0F},
                  ui::faded(f.theme.tile, 0.85F), 3.0F);
    f.canvas.text(at, words, style);
}

}  // namespace posiscope::figures
