#include "core/attention/joined.hpp"

#include "core/attention/placed.hpp"
#include "core/cost.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

double deviation(std::span<const double> values) {
    const auto count = static_cast<double>(values.size());
    double mean = 0.0, squares = 0.0;
    for (const double value : values) mean += value / count;
    for (const double value : values) squares += (value - mean) * (value - mean) / count;
    return std::sqrt(squares);
}

// W_o [d_model, H·D] row by row, all rows of the input at once.
std::vector<double> handed_on(const AttentionInput& scene, std::span<const double> concat, std::size_t n) {
    const auto d = static_cast<std::size_t>(scene.d_model), inner = concat.size() / n;
    std::vector<double> output(n * d), weight(inner, 0.0);
    const bool seeded = seeded_weights(scene.content);
    const double size = 1.0 / std::sqrt(static_cast<double>(inner));
    for (std::size_t feature = 0; feature < d; ++feature) {
        spend((seeded ? 3.0 + static_cast<double>(n) : 2.0) * static_cast<double>(inner));
        if (seeded)
            content_values(scene.content, Tensor::output_weight, static_cast<std::int64_t>(feature), weight);
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0.0;
            if (seeded)
                for (std::size_t c = 0; c < inner; ++c) sum += size * weight[c] * concat[i * inner + c];
            else sum = concat[i * inner + feature % inner];
            output[i * d + feature] = sum;
        }
    }
    return output;
}

}  // namespace

Result<Joined> joined_heads(const TokenInput& whole) {
    const TokenInput scene = attended_tokens(whole);
    if (is_stored(scene.content)) return refuse("content.stored_values");
    const auto made = token_attention(scene);
    if (!made) return tl::unexpected(made.error());
    const AttentionShape& shape = made->shape;
    Joined joined{.heads = shape.heads,
                  .head_dim = shape.head_dim,
                  .rows = shape.queries,
                  .d_model = scene.d_model,
                  .concat = std::vector<double>(made->output.size()),
                  .output = {},
                  .spread = {}};
    const auto n = static_cast<std::size_t>(shape.queries), width = static_cast<std::size_t>(shape.head_dim),
               heads = static_cast<std::size_t>(shape.heads);
    for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t i = 0; i < n; ++i)
            std::copy_n(&made->output[(h * n + i) * width], width, &joined.concat[(i * heads + h) * width]);
    joined.output = handed_on(scene, joined.concat, n);
    const auto d = static_cast<std::size_t>(scene.d_model);
    for (std::size_t i = 0; i < n; ++i)
        joined.spread.push_back(deviation(std::span(joined.output).subspan(i * d, d)));
    joined.all = deviation(joined.output);
    return joined;
}

}  // namespace posiscope
