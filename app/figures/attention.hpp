// attention.hpp — the parts of the Attention figure: what they share, and the words (chips, text, details), which
// have a file of their own.
#pragma once

#include "app/figures/sentence.hpp"

namespace posiscope::figures::attention {

struct View {
    Frame& frame;
    const Sentence& sentence;
    std::optional<std::int64_t> lit;  // the word under the mouse, here or by its position elsewhere

    const Scene& scene() const { return frame.scene; }
    // A word's own colour, by where it was typed.
    look::Colour colour(std::int64_t word) const {
        const auto last = static_cast<double>(std::max<std::size_t>(sentence.size(), 2) - 1);
        return look::pair_colour(frame.theme, static_cast<double>(word) / last);
    }
};

// The text, the words as chips to drag, head and mask; each takes its room from the top of the area.
void draw_words(View& v, Rect& area);
// q, k, v and output of one word; takes its room from the bottom.
void draw_details(View& v, Rect& area);

}  // namespace posiscope::figures::attention
