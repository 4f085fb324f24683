// logits.cpp — a head's logits by distance, and the weights that the last query gives them.
#include "app/figures/scores/making.hpp"

#include "core/attention/attention.hpp"

#include <cmath>

namespace posiscope::figures::scores {

std::int64_t keys_of_last(const ScoreInput& scene) {
    return causal_sight_of(scene).seen(scene.length - 1, scene.length).size();
}

namespace {

// Whatever the query: which one it is has been said with the curve.
Evaluate row_of_logits(const CurvesKey& key) {
    return [input = key.input, head = key.head](std::int64_t first, std::int64_t stride, std::int64_t count) {
        std::optional<std::int64_t> query;
        return logits_of(*input, head, query)(first, stride, count);
    };
}

// None past the first key.
Evaluate row_of_weights(const CurvesKey& key, double log_sum) {
    return [logits = row_of_logits(key), length = keys_of_last(*key.input),
            log_sum](std::int64_t first, std::int64_t stride,
                     std::int64_t count) -> Result<std::vector<std::vector<double>>> {
        const std::int64_t keys = std::clamp<std::int64_t>((length - first + stride - 1) / stride, 0, count);
        auto rows = keys > 0 ? logits(first, stride, keys) : std::vector<std::vector<double>>(1);
        if (!rows) return rows;
        for (double& value : rows->front())
            value = std::isfinite(value) ? std::exp(value - log_sum) : std::nan("");
        rows->front().resize(static_cast<std::size_t>(count), std::nan(""));
        return rows;
    };
}

}  // namespace

Result<std::vector<double>> logits(const ScoreInput& scene, std::int64_t head, std::int64_t first,
                                   std::int64_t stride, std::int64_t count,
                                   std::optional<std::int64_t>& query) {
    auto values = logits_by_distance(scene, head, first, stride, count);
    if (values || values.error().key != "encoding.not_by_distance") return values;
    query = scene.length - 1;
    return logits_of_query(scene, head, *query, first, stride, count);
}

Evaluate logits_of(const ScoreInput& input, std::int64_t head, std::optional<std::int64_t>& query) {
    return [&input, head, &query](std::int64_t first, std::int64_t stride, std::int64_t count) {
        return logits(input, head, first, stride, count, query).map([](std::vector<double>&& row) {
            return std::vector<std::vector<double>>{std::move(row)};
        });
    };
}

void make_logits(Curves& curves, const CurvesKey& key) {
    curves.problem =
        fill(curves, samples_of(key), band_work(key), logits_of(*key.input, key.head, curves.query));
    curves.row = row_of_logits(key);
}

// Each sampled distance stands for its neighbours, so that the weights still sum to one.
void make_weight(Curves& curves, const CurvesKey& key) {
    const ScoreInput& scene = *key.input;
    const Samples s = samples(0.0, static_cast<double>(keys_of_last(scene) - 1), key.most);
    double largest = -std::numeric_limits<double>::infinity(), sum = 0.0;
    std::int64_t taken = 0, of_largest = 0;
    curves.problem = fill(curves, s, band_work(key), logits_of(scene, key.head, curves.query),
                          [&](std::span<const double> values) {
                              for (const double value : values) {
                                  if (value > largest) {
                                      sum *= std::exp(largest - value);
                                      largest = value;
                                      of_largest = taken;
                                  }
                                  if (std::isfinite(value)) sum += std::exp(value - largest);
                                  ++taken;
                              }
                          });
    if (curves.problem) return;
    curves.query = scene.length - 1;
    curves.largest_at = static_cast<double>(s.first + of_largest * curves.every);
    curves.log_sum = largest + std::log(sum) + std::log(static_cast<double>(curves.every));
    for (std::vector<double>* values : {&curves.curves.front().values, &curves.curves.front().band})
        for (double& value : *values)
            value = std::isfinite(value) ? std::exp(value - curves.log_sum) : std::nan("");
    curves.row = row_of_weights(key, curves.log_sum);
}

}  // namespace posiscope::figures::scores
