// attention.hpp — the shared parts of the Attention figure. words.cpp has the words (chips, text, details), difference.cpp
// the difference of two encodings, heads.cpp how far every head looks, all_heads.cpp every head small, joined.cpp what all heads
// hand on.
#pragma once

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/sentence.hpp"
#include "core/attention/locality.hpp"

namespace posiscope::figures::attention {

struct View {
    Frame& frame;
    const Sentence& sentence;
    std::optional<std::int64_t> lit;  // the word under the mouse, here or by its position elsewhere
    const Sentence* of_a = nullptr;   // of a difference: `sentence` is B − A
    const Sentence* of_b = nullptr;   // right of the curtain

    const Scene& scene() const { return frame.scene; }
    // A word's own colour, by where it was typed.
    ui::Colour colour(std::int64_t word) const {
        const auto last = static_cast<double>(std::max<std::size_t>(sentence.size(), 2) - 1);
        return ui::pair_colour(frame.theme, static_cast<double>(word) / last);
    }
};

std::string_view headline(Frame& f);

cells::Colours colours_of(const View& v);
// The range of the colours, which both sides of a curtain share.
double range_of(const View& v);
// B's cells right of the curtain over `shown`; true where the mouse is over them. `now`: of the words in their current order.
bool draw_right(View& v, const cells::Cells& shown, const Attention& of_b, bool now);

std::string_view stored_headline(Frame& f, const Sentence& s);

// Why there is no B − A of two sentences, if there is none.
std::optional<Problem> no_difference(const Sentence& a, const Sentence& b);
// B − A, with the words as A has them; its problem says why there is none.
const Sentence& difference(const Frame& f);
std::string_view difference_headline(Frame& f);

// The text, the words as chips to drag, head and mask; each cuts its space from the top of the area.
void draw_words(View& v, Rect& area);
// q, k, v and output of one word; cuts its space from the bottom.
void draw_details(View& v, Rect& area);

// The heads of stored q and k, the most local one first.
struct LocalHeads {
    std::optional<Problem> problem;
    Locality heads;
};
Kept<LocalHeads> local_heads(const Scene& scene, Derived& derived);

// Every head's weights by distance.
std::string_view heads_headline(Frame& f);
void draw_heads(Frame& f, Rect area);

// Every head over all rows, small; a click opens one.
void draw_all_heads(Frame& f, Rect area);

// The mode of words with every head's output side by side, times W_o.
std::string_view joined_headline(Frame& f);
void draw_joined(Frame& f, const Sentence& s, Rect area);

}  // namespace posiscope::figures::attention
