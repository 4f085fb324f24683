// learned.cpp — a learned table: one vector for each position, and nothing past its end.
// x_p += E[p + position_offset],  E [max_position_embeddings + position_offset, d_model]
// position_offset is 2 in OPT, and in RoBERTa (its first real position is padding_idx + 1 = 2); 0 in GPT-2 and BERT.
// Values   seeded with mean 0 and standard deviation initializer_range: a stand-in for training, without its order.
// Range    0 ≤ p < max_position_embeddings; a position past the end is refused, as the models do.
// Source   arXiv 1810.04805; Hugging Face's GPT-2, BERT, OPT.
#include "core/content.hpp"
#include "core/encodings/encodings.hpp"

#include <cmath>

namespace posiscope {
namespace {

Result<Action> action(const Scene& scene) {
    const Json& parameters = scene.encoding.parameters;
    Action result = plain_action(head_dim(scene));
    result.positions = parameters.at("max_position_embeddings").get<std::int64_t>();
    result.add = [seed = parameters.at("seed").get<std::uint64_t>(),
                  size = parameters.at("initializer_range").get<double>(),
                  offset = parameters.at("position_offset").get<std::int64_t>()](std::int64_t position,
                                                                                 std::span<double> x) {
        for (std::size_t column = 0; column < x.size(); ++column)
            x[column] += size * seeded_value(seed, Tensor::position_table, position + offset,
                                             static_cast<std::int64_t>(column));
    };
    return result;
}

std::vector<Problem> remarks(const Scene& scene) {
    const auto end = scene.encoding.parameters.at("max_position_embeddings").get<std::int64_t>();
    if (scene.length <= end) return {};
    return {past_table(scene.length - 1, end)};
}

}  // namespace

Action plain_action(std::int64_t head_dim) {
    Action action;
    action.scale = 1.0 / std::sqrt(static_cast<double>(head_dim));
    return action;
}

Problem past_table(std::int64_t position, std::int64_t end) {
    return {"position.past_table",
            {{"position", std::to_string(position)}, {"last", std::to_string(end - 1)}}};
}

const Encoding& learned_encoding() {
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"max_position_embeddings", Kind::integer, 1024, 1, static_cast<double>(kLastPosition)},
        {"position_offset", Kind::integer, 0, 0, 1024},
        {"initializer_range", Kind::number, 0.02, 0.0, 1e3},
        {"seed", Kind::integer, 0, 0, 4294967295.0},
    };
    static const Encoding encoding{"learned",   Family::absolute, Acts::input, false,  parameters, no_pairs,
                                   no_spectrum, no_order,         nullptr,     action, remarks};
    return encoding;
}

}  // namespace posiscope
