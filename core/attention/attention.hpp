// attention.hpp — attention, written once for every encoding in terms of its Action (encodings/action.hpp).
// logits(h, i, j) = weight · scale · (q_i·k_j + content) + bias;  weight a_ij = softmax over the keys j that i sees
// out(h, i) = Σ_j a_ij v_j (+ what the encoding adds to values)
// Symbols  n length, H heads, D head_dim. Row-major. A key that a query does not see (sight.hpp) has logit −∞ and weight 0.
// Error    dot products summed in order in float64: ≤ D · 2^-53 · Σ|q k|.  Source  arXiv 1706.03762.
#pragma once

#include "core/attention/sight.hpp"
#include "core/encodings/encodings.hpp"
#include "core/scores/score.hpp"

namespace posiscope {

struct AttentionShape {
    std::int64_t heads = 1;
    std::int64_t head_dim = 1;
    std::int64_t queries = 1;
    std::int64_t keys = 1;  // queries are the last of them: query row i is at position keys − queries + i
    Sight sight;
};

struct Attention {
    AttentionShape shape;
    std::vector<double> logits;   // [heads, queries, keys], −∞ where a query does not see
    std::vector<double> weights;  // [heads, queries, keys], rows sum to 1
    std::vector<double> output;   // [heads, queries, head_dim]
};

// q [heads, queries, head_dim], k and v [heads, keys, head_dim], before the encoding rotates anything.
Attention attend(const Action& action, const AttentionShape& shape, std::vector<double> q,
                 std::vector<double> k, std::span<const double> v);

// Only the logits, [heads, queries, keys].
std::vector<double> attention_logits(const Action& action, const AttentionShape& shape, std::vector<double> q,
                                     std::vector<double> k);

// The Action of one head, as head 0 of one.
Action action_of_head(Action action, std::int64_t head);

// --- From a Scene ----------------------------------------------------------------------------------------

// The Scene with the length that attention uses: the number of words, if words are the content. Below, and in
// expansion.hpp and identities.hpp, n is that length. Refused without words: content.no_words.
AttentionInput attended(AttentionInput scene);

// Refused without words, and if heads do not divide d_model and head_dim is not given.
Result<AttentionShape> attention_shape(const AttentionInput& attended);

// The projections of a Scene's content: x [n, d_model], W [H·D, d_model], seeded (variance 1/d_model) or the
// identity; where H·D is not d_model the identity repeats: feature f takes x[f mod d_model].
struct Projected {
    AttentionShape shape;
    std::vector<double> q, k, v;  // [heads, n, head_dim], what the encoding adds to the input included
};

enum class Added { sum, content_only, position_only };  // the part of x_i + p_i that is projected

// With `order`, position i holds the content of token order[i]; positions do not move.
Result<Projected> project(const AttentionInput& scene, Added added = Added::sum,
                          std::span<const std::int64_t> order = {});
Result<Attention> attention(const AttentionInput& scene);

// The encoding's addition to the input at positions first … first + count − 1: [count, d_model]; refused for an
// encoding that adds nothing there and for positions past a table's end.
Result<std::vector<double>> input_table(const ActionInput& scene, std::int64_t first, std::int64_t count);

// One head's logit at any distance, for fixed content (row 0 of query and key, as in score.hpp): of every query, or of
// the query at one position for encodings whose logits depend on more than the distance. Vectors that an encoding adds
// to the input are added to both contents, projected by the identity. at() does not allocate. A logit that is a sum of
// waves of the distance (Action::waves) is computed as that sum.
class DistanceLogit {
public:
    // Refused without a query if the logits are not a function of the distance, and for a query past a table's end.
    static Result<DistanceLogit> of(const ScoreInput& scene, std::int64_t head,
                                    std::optional<std::int64_t> query = std::nullopt);
    double at(std::int64_t distance);  // NaN if there is no key at that distance
    // The same at distances first, first + stride, …, for a fraction of the cost.
    void along(std::int64_t first, std::int64_t stride, std::span<double> logits);

private:
    bool seen(std::int64_t distance) const;
    double with_beside(double logit, std::int64_t query, std::int64_t key) const;  // weighted, biased
    void place(const std::vector<double>& content, Side side, std::int64_t position,
               std::vector<double>& placed);

    Action action_;
    std::int64_t head_ = 0, begin_ = 0;
    std::optional<std::int64_t> query_;
    std::vector<double> query_content_, key_content_, whole_, q_, k_;
    bool placed_ = false;  // both sides are what they are at every distance
    std::optional<ScoreForm> waves_;
    Spectrum spectrum_;  // theirs
};

// Logits at distances first, first + stride, …, without any n × n array.
Result<std::vector<double>> logits_by_distance(const ScoreInput& scene, std::int64_t head, std::int64_t first,
                                               std::int64_t stride, std::int64_t count);

// The same for the query at one position; keys are at query − distance (NaN where there is no such position).
Result<std::vector<double>> logits_of_query(const ScoreInput& scene, std::int64_t head, std::int64_t query,
                                            std::int64_t first, std::int64_t stride, std::int64_t count);

// Outputs of more doubles than this are refused before they are allocated.
inline constexpr double kLargestOutput = 0x1p28;  // 2 GiB
std::optional<Problem> too_large(double values);
// An input that a typed formula gives no value, or one whose products would have none.
std::optional<Problem> no_number(std::span<const double> input, std::int64_t position);

}  // namespace posiscope
