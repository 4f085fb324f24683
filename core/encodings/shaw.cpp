// shaw.cpp — Shaw et al.'s relative positions: a learned vector per clipped distance, added to keys and values.
// r = clip(j − i, −k, k) + k;  e_ij = q_i·(k_j + aK_r)/√head_dim;  z_i = Σ_j a_ij (v_j + aV_r)
// Shapes   tables [2k + 1, head_dim], k = max_relative_position, shared by the heads.
// Values   seeded with mean 0 and standard deviation initializer_range.
// Source   arXiv 1803.02155; tensor2tensor _relative_attention_inner.
#include "core/cost.hpp"
#include "core/encodings/definition.hpp"
#include "core/encodings/encodings.hpp"
#include "core/encodings/relative.hpp"
#include "core/experiment/learnable.hpp"
#include "core/jobs/shared_cache.hpp"
#include "core/scene/content.hpp"

#include <algorithm>
#include <memory>

namespace posiscope {
namespace shaw {
namespace {

using Row = std::shared_ptr<const std::vector<double>>;
using Rows = jobs::SharedCache<std::int64_t, Row>;
constexpr double kMostNumbers = 1 << 22;  // of rows that are kept

Result<Action> action(const ActionInput& scene) {
    const Json& parameters = scene.encoding.parameters;
    const auto seed = parameters.at("seed").get<std::uint64_t>();
    const auto reach = parameters.at("max_relative_position").get<std::int64_t>();
    const auto size = parameters.at("initializer_range").get<double>();
    const std::int64_t width = head_dim(scene);
    const auto table = [&](Tensor tensor) -> ShawTable {
        const auto rows = std::make_shared<Rows>(
            kMostNumbers, [](const Row& row) { return static_cast<double>(row->size()); });
        return [=](std::int64_t row) -> std::span<const double> {
            return *rows->recent(row, [&]() -> Row {
                spend(3.0 * static_cast<double>(width));
                std::vector<double> values(static_cast<std::size_t>(width));
                seeded_values(seed, tensor, row, values);
                for (double& value : values) value *= size;
                return std::make_shared<const std::vector<double>>(std::move(values));
            });
        };
    };
    return shaw_action(table(Tensor::relative_key), table(Tensor::relative_value), reach, width);
}

void define(DefinitionPen& pen, int) {
    const auto reach = pen.at.scene.encoding.parameters.at("max_relative_position").get<std::int64_t>();
    pen.add("\\text{logit} = ").query().add(" \\cdot (").key().add(" + a_{");
    pen.put("−k", Digits::integer(std::clamp(-pen.at.offset, -reach, reach))).add("})").root();
    pen.equals_logit();
}

// Two tables, one for keys and one for values, shared by the heads.
std::int64_t learned(const ActionInput& scene) {
    const auto reach = scene.encoding.parameters.at("max_relative_position").get<std::int64_t>();
    return 2 * (2 * reach + 1) * head_dim(scene);
}

}  // namespace
}  // namespace shaw

std::int64_t shaw_index(std::int64_t key_minus_query, std::int64_t max_relative_position) {
    return std::clamp(key_minus_query, -max_relative_position, max_relative_position) + max_relative_position;
}

Action shaw_action(ShawTable key_table, ShawTable value_table, std::int64_t max_relative_position,
                   std::int64_t head_dim) {
    Action result = plain_action(head_dim);
    result.cost = 4.0 * static_cast<double>(head_dim);
    result.content = [max_relative_position, table = std::move(key_table)](const Meeting& at) {
        const auto row = table(shaw_index(at.key - at.query, max_relative_position));
        double sum = 0.0;
        for (std::size_t f = 0; f < row.size(); ++f) sum += at.q[f] * row[f];
        return sum;
    };
    result.value = [max_relative_position, table = std::move(value_table)](std::int64_t, std::int64_t query,
                                                                           std::int64_t key, double share,
                                                                           std::span<double> output) {
        const auto row = table(shaw_index(key - query, max_relative_position));
        for (std::size_t f = 0; f < row.size(); ++f) output[f] += share * row[f];
    };
    return result;
}

const Encoding& shaw_encoding() {
    using namespace shaw;
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"max_relative_position", Kind::integer, 16, 1, 4096},
        {"initializer_range", Kind::number, 0.2, 0.0, 1e3},
        {"seed", Kind::integer, 0, 0, 4294967295.0},
    };
    static const Encoding encoding{
        .kind = "shaw",
        .family = Family::classic,
        .acts = Acts::logits,
        .per_head = true,
        .parameters = parameters,
        .action = action,
        .logits = {.stepped = true},
        .learns = {.count = learned, .by = &experiment::kShaw},
        .shown = {.colour = "brown", .definition = define},
        .slots = {.not_formulas = "own.not_table"},
    };
    return encoding;
}

}  // namespace posiscope
