// sentence.hpp — the words that Attention and Terms are about, and what attention makes of them in one head.
// The Scene's content where it is `tokens`; where it says nothing of words an example stands in, in the reader's
// language and reordered, with the content's seed and W: what a figure changes of it becomes the Scene's.
#pragma once

#include "app/figures/figure.hpp"

#include "core/attention/attention.hpp"

namespace posiscope::figures {

// Query, key and value as attention meets them: position added, and turned. [n, head_dim] each.
struct Sides {
    std::vector<double> q, k, v;
};

struct Sentence {
    AttentionInput scene;                // as attention sees it: content `tokens`, length the number of words
    std::vector<std::string> words;      // as typed
    std::string text;                    // the same as one text
    std::vector<std::int64_t> order;     // position → word
    std::vector<std::int64_t> place;     // word → position
    std::vector<std::int64_t> as_typed;  // 0, 1, 2, …
    std::int64_t head = 0, width = 0;    // the head, and head_dim
    bool stored = false;        // rows of files, with their tokens: they keep their order and have no values
    std::int64_t all_rows = 0;  // more than there are words: only the first are shown
    std::optional<Problem> problem;  // why there are no numbers; the words are there all the same

    // Words as typed (row = word), and as they stand (row = position). One head: [n, n] and [n, head_dim]. The
    // weight of a key that is not seen is no number.
    Attention typed, now;              // with the Scene's encoding and mask
    Attention plain_typed, plain_now;  // with neither
    Sides sides_typed, sides_now;      // of the Scene's encoding
    std::vector<double> changes;       // by word: max |output as it stands − output as typed|
    std::size_t most_changed = 0;      // the word
    double plain_residual = 0.0;       // the largest change without position and mask
    double largest_output = 0.0, largest_logit = 0.0, largest_weight = 1.0;  // what colours run over

    std::size_t size() const { return words.size(); }
    bool plain() const { return encodes_nothing(scene) && !scene.causal; }
    bool reordered() const;
    bool reversed() const;
    // Whether a word's output changed by more than rounding.
    bool changed(std::size_t word) const { return changes[word] > 1e-9 * largest_output; }
    const std::string& at(std::int64_t position) const {
        return words[static_cast<std::size_t>(order[static_cast<std::size_t>(position)])];
    }
};

// Computed when the part of the Scene that it depends on changes.
const Kept<Sentence>& sentence(const Frame& f, const Scene& scene, Derived& derived);

// The content of a Scene in words: its own, or the example that stands in.
Choice content_in_words(const Frame& f, const Scene& scene);

// The head that Attention and Terms show: the view's, within what there is.
std::int64_t shown_head(const Scene& scene);

// A choice of head, from `left` on, where there are several; the width it takes.
float head_choice(Frame& f, Point left);

// What takes longer than people wait for a picture is refused first: d_model × width × words.
std::optional<Problem> too_slow(const AttentionInput& scene);
// The same for one head's W alone, whatever is projected.
std::optional<Problem> too_wide(const AttentionInput& scene);

}  // namespace posiscope::figures
