// text.hpp — the one style of the text of axes, legends and notes.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures {

inline canvas::TextStyle small(const Frame& f, canvas::Align align = canvas::Align::left) {
    return {f.theme.ink_soft, ui::kSmallSize, ui::Face::text, align};
}
// The same style in ink: values and names that are read first.
inline canvas::TextStyle small_ink(const Frame& f, canvas::Align align = canvas::Align::left) {
    return {f.theme.ink, ui::kSmallSize, ui::Face::text, align};
}
inline float small_width(const Frame& f, std::string_view words) {
    return f.canvas.text_width(words, ui::Face::text, ui::kSmallSize);
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
