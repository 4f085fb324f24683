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

}  // namespace posiscope::figures
