// shaw.cpp — Shaw et al.'s relative positions: a learned vector per clipped distance, added to keys and values.
// r = clip(j − i, −k, k) + k;  e_ij = q_i·(k_j + aK_r)/√head_dim;  z_i = Σ_j a_ij (v_j + aV_r)
// Shapes   tables [2k + 1, head_dim], k = max_relative_position, shared by the heads.
// Values   seeded with mean 0 and standard deviation initializer_range.
// Source   arXiv 1803.02155; tensor2tensor _relative_attention_inner.
#include "core/encodings/encodings.hpp"
#include "core/encodings/relative.hpp"
#include "core/scene/content.hpp"

#include <algorithm>

namespace posiscope {
namespace {

Result<Action> action(const Scene& scene) {
    const Json& parameters = scene.encoding.parameters;
    const auto seed = parameters.at("seed").get<std::uint64_t>();
    const auto reach = parameters.at("max_relative_position").get<std::int64_t>();
    const auto size = parameters.at("initializer_range").get<double>();
    const std::int64_t width = head_dim(scene);
    const auto table = [&](Tensor tensor) {
        std::vector<double> values;
        values.reserve(static_cast<std::size_t>((2 * reach + 1) * width));
        for (std::int64_t r = 0; r <= 2 * reach; ++r)
            for (std::int64_t f = 0; f < width; ++f)
                values.push_back(size * seeded_value(seed, tensor, r, f));
        return values;
    };
    return shaw_action(table(Tensor::relative_key), table(Tensor::relative_value), reach, width);
}

}  // namespace

std::int64_t shaw_index(std::int64_t key_minus_query, std::int64_t max_relative_position) {
    return std::clamp(key_minus_query, -max_relative_position, max_relative_position) + max_relative_position;
}

Action shaw_action(std::vector<double> key_table, std::vector<double> value_table,
                   std::int64_t max_relative_position, std::int64_t head_dim) {
    const auto width = static_cast<std::size_t>(head_dim);
    const auto row = [max_relative_position, width](std::int64_t key_minus_query) {
        return static_cast<std::size_t>(shaw_index(key_minus_query, max_relative_position)) * width;
    };
    Action result = plain_action(head_dim);
    result.content = [row, width, table = std::move(key_table)](const Meeting& at) {
        const std::size_t first = row(at.key - at.query);
        double sum = 0.0;
        for (std::size_t f = 0; f < width; ++f) sum += at.q[f] * table[first + f];
        return sum;
    };
    result.value = [row, width, table = std::move(value_table)](std::int64_t, std::int64_t query,
                                                                std::int64_t key, double share,
                                                                std::span<double> output) {
        const std::size_t first = row(key - query);
        for (std::size_t f = 0; f < width; ++f) output[f] += share * table[first + f];
    };
    return result;
}

const Encoding& shaw_encoding() {
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"max_relative_position", Kind::integer, 16, 1, 4096},
        {"initializer_range", Kind::number, 0.2, 0.0, 1e3},
        {"seed", Kind::integer, 0, 0, 4294967295.0},
    };
    static const Encoding encoding{"shaw",   Family::classic, Acts::logits, true,    parameters,
                                   no_pairs, no_spectrum,     no_order,     nullptr, action};
    return encoding;
}

}  // namespace posiscope
