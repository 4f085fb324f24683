// attention.hpp — attention, written once for every encoding over what it does (encodings/action.hpp).
// logits(h, i, j) = weight · scale · (q_i·k_j + content) + bias;  share a_ij = softmax over the keys j that i sees
// out(h, i) = Σ_j a_ij v_j (+ what the encoding adds to values)
// Symbols  n length, H heads, D head_dim. Row-major. A key that a causal query does not see has logit −∞ and share 0.
// Error    dot products summed in order in float64: ≤ D · 2^-53 · Σ|q k|.  Source  arXiv 1706.03762.
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

struct AttentionShape {
    std::int64_t heads = 1;
    std::int64_t head_dim = 1;
    std::int64_t queries = 1;
    std::int64_t keys = 1;  // queries are the last of them: query row i stands at position keys − queries + i
    bool causal = true;
};

struct Attention {
    AttentionShape shape;
    std::vector<double> logits;   // [heads, queries, keys], −∞ where a query does not see
    std::vector<double> weights;  // [heads, queries, keys], rows sum to 1
    std::vector<double> output;   // [heads, queries, head_dim]
};

// q [heads, queries, head_dim], k and v [heads, keys, head_dim], before the encoding turns anything.
Attention attend(const Action& action, const AttentionShape& shape, std::vector<double> q,
                 std::vector<double> k, std::span<const double> v);

// The logits alone, [heads, queries, keys].
std::vector<double> attention_logits(const Action& action, const AttentionShape& shape, std::vector<double> q,
                                     std::vector<double> k);

// The same for one head alone, as head 0 of one.
Action action_of_head(Action action, std::int64_t head);

// --- From a Scene ----------------------------------------------------------------------------------------

// The Scene as attention sees it: with words as content its length is their number. Below, and in expansion.hpp and
// identities.hpp, n is that length. Without words there is no attention: content.no_words.
Scene attended(Scene scene);

// Refused without words, and where heads do not divide d_model and head_dim is not given.
Result<AttentionShape> attention_shape(const Scene& attended);

// The projections of a Scene's content: x [n, d_model], W [H·D, d_model], seeded (variance 1/d_model) or the
// identity; where H·D is not d_model the identity repeats: feature f takes x[f mod d_model].
struct Projected {
    AttentionShape shape;
    std::vector<double> q, k, v;  // [heads, n, head_dim], what the encoding adds to the input included
};

enum class Added { sum, content_only, position_only };  // which part of x_i + p_i is projected

// With `order`, position i holds the content of token order[i]; its positions stay where they are.
Result<Projected> project(const Scene& scene, Added added = Added::sum,
                          std::span<const std::int64_t> order = {});
Result<Attention> attention(const Scene& scene);

// What the encoding adds to the input at positions first … first + count − 1: [count, d_model]; refused for an
// encoding that adds nothing there and for positions past a table's end.
Result<std::vector<double>> input_table(const Scene& scene, std::int64_t first, std::int64_t count);

// The bias [heads, n, n] an encoding adds to the logits; 0 above the diagonal with `causal`, as the sources have it.
Result<std::vector<double>> bias_matrix(const Scene& scene);

// One head's logit at any distance, for content that stays (row 0 of query and key, as score.hpp has it): of every query,
// or of the one at a position, for encodings whose logits know more than the distance. What an encoding adds to the input
// is added to both contents, projected by the identity. From one to the next nothing is allocated here.
class DistanceLogit {
public:
    // Refused without a query for an encoding whose logits are no function of the distance, and for a query past a table.
    static Result<DistanceLogit> of(const Scene& scene, std::int64_t head,
                                    std::optional<std::int64_t> query = std::nullopt);
    double at(std::int64_t distance);  // NaN where the query sees no such position

private:
    void place(const std::vector<double>& content, Side side, std::int64_t position,
               std::vector<double>& placed);

    Action action_;
    std::int64_t head_ = 0, begin_ = 0;
    std::optional<std::int64_t> query_;
    std::vector<double> query_content_, key_content_, whole_, q_, k_;
};

// Those at distances first, first + stride, …, without any n × n array.
Result<std::vector<double>> logits_by_distance(const Scene& scene, std::int64_t head, std::int64_t first,
                                               std::int64_t stride, std::int64_t count);

// The same for the query at one position; keys stand at query − distance (NaN where there is no such position).
Result<std::vector<double>> logits_of_query(const Scene& scene, std::int64_t head, std::int64_t query,
                                            std::int64_t first, std::int64_t stride, std::int64_t count);

// An output of `values` doubles is refused before it is made when it is larger than this.
inline constexpr double kLargestOutput = 0x1p28;  // 2 GiB
std::optional<Problem> too_large(double values);

}  // namespace posiscope
