// sentence.hpp — the words that Attention and Terms are about, and what attention makes of them in one head.
// The Scene's content where it is `tokens`; where it says nothing of words an example stands in, in the reader's
// language and reordered, with the content's seed and W: what a figure changes of it becomes the Scene's.
// Rows of files stand in their own order; where they are many, only a page of queries and a page of keys is there, those of
// the marked query and key.
#pragma once

#include "app/figures/figure.hpp"

#include "core/attention/tokens.hpp"

#include "core/attention/attention.hpp"

namespace posiscope::figures {

// Query, key and value as attention meets them: position added, and turned. [n, head_dim] each.
struct Sides {
    std::vector<double> q, k, v;
};

// Some of `all` rows. All pages but the last have `size`; the one that a position is on stays while it moves within it.
struct Page {
    std::int64_t first = 0, count = 0, size = 0, all = 0;

    static Page of(std::int64_t position, std::int64_t all, std::int64_t most = kMostRows);
    static constexpr std::int64_t kMostRows = 48;

    std::int64_t end() const { return first + count; }
    bool whole() const { return count == all; }
    bool operator==(const Page&) const = default;
};

struct Sentence {
    TokenInput scene;                    // as attention sees it: content `tokens`, length the number of words
    std::vector<std::string> words;      // as typed
    std::string text;                    // the same as one text
    std::vector<std::int64_t> order;     // position → word
    std::vector<std::int64_t> place;     // word → position
    std::vector<std::int64_t> as_typed;  // 0, 1, 2, …
    std::int64_t head = 0, width = 0;    // the head, and head_dim
    bool alone =
        false;  // rows of files or of ids, which are no words: they keep their order and have no values
    std::optional<TokenRow> ids;  // what they hide is no number
    Page queries, keys;           // the rows that `words` and `key_words` are of; of words all of them
    std::vector<std::string> key_words;
    bool has_text = true;  // else words are the numbers of rows
    std::vector<double> before,
        behind;                      // of stored rows: the weights of keys before and behind these, together
    std::vector<double> distance;    // and Σ_j a_ij |i − j| over all keys
    std::optional<Problem> problem;  // why there are no numbers; the words are there all the same

    // Words as typed (row = word), and as they stand (row = position). One head: [n, n] and [n, head_dim]; of stored rows
    // only `now`, [queries, keys], without outputs. The weight of a key that is not seen is −∞, of one that ids hide no number.
    Attention typed, now;              // with the Scene's encoding and mask
    Attention plain_typed, plain_now;  // with neither
    Sides sides_typed, sides_now;      // of the Scene's encoding
    std::vector<double> changes;       // by word: max |output as it stands − output as typed|
    std::size_t most_changed = 0;      // the word
    double plain_residual = 0.0;       // the largest change without position and mask
    double largest_output = 0.0, largest_logit = 0.0, largest_weight = 1.0;  // what colours run over

    std::size_t size() const { return words.size(); }
    bool paged() const { return !queries.whole(); }
    // The row of a position, if it is there.
    std::optional<std::size_t> row_of(std::int64_t position) const {
        if (position < queries.first || position >= queries.end()) return std::nullopt;
        return static_cast<std::size_t>(position - queries.first);
    }
    bool plain() const { return encodes_nothing(scene) && !scene.causal; }
    bool reordered() const;
    bool reversed() const;
    // True if a word's output changed by more than rounding.
    bool changed(std::size_t word) const { return changes[word] > 1e-9 * largest_output; }
    const std::string& at(std::int64_t position) const {
        return words[static_cast<std::size_t>(order[static_cast<std::size_t>(position)])];
    }
};

// Computed when the part of the Scene that it depends on changes.
const Kept<Sentence>& sentence(const Frame& f, const Scene& scene, Derived& derived);

// The content of a Scene in words: its own, or the example that stands in.
Choice content_in_words(const Frame& f, const Scene& scene);

// The part of a Scene that attention is of, with its ids, for use in keys.
const Kept<TokenInput>& token_input(const Scene& scene, Derived& derived);

// True if a Scene's rows are no words: rows of files, and tokens with ids that are none.
bool rows_alone(const Scene& scene);

// The head that Attention and Terms show: the view's, within what there is.
std::int64_t shown_head(const Scene& scene);

// A choice of head, from `left` on, where there are several; the width it takes.
float head_choice(Frame& f, Point left);
// A choice of page, likewise, where there is so much room: the marked query and key move with it.
float page_choice(Frame& f, Point left, float room, const Page& queries);

// Refuses a picture that people would not wait for: d_model × width × words.
std::optional<Problem> too_slow(const AttentionInput& scene);
// The same for one head's W alone, whatever is projected.
std::optional<Problem> too_wide(const AttentionInput& scene);

}  // namespace posiscope::figures
