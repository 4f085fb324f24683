// learned.cpp — a learned table: one vector per position, none past its end.
// x_p += E[p + position_offset],  E [rows, d_model]
// position_offset is 2 in OPT, and in RoBERTa (its first real position is padding_idx + 1 = 2); 0 in GPT-2 and BERT.
// table    the path of a .npy file with E in it (formats/table.hpp); its rows and columns are the file's.
// Values   without one, seeded with mean 0 and standard deviation initializer_range: a replacement for trained values,
//          without their structure; max_position_embeddings + position_offset rows.
// Range    0 ≤ p < rows − position_offset; a position past the end is refused, as the models do.
// Source   arXiv 1810.04805; Hugging Face's GPT-2, BERT, OPT.
#include "core/encodings/learned.hpp"

#include "core/encodings/axes.hpp"
#include "core/encodings/definition.hpp"
#include "core/encodings/encodings.hpp"
#include "core/experiment/learnable.hpp"
#include "core/formats/table.hpp"
#include "core/jobs/of_this_thread.hpp"
#include "core/scene/content.hpp"

#include <cmath>
#include <numbers>

namespace posiscope {
namespace learned_table {
namespace {

std::int64_t position_offset(const SpectrumInput& scene) {
    return scene.encoding.parameters.at("position_offset").get<std::int64_t>();
}

const std::string* table_path(const SpectrumInput& scene) {
    const auto found = scene.encoding.parameters.find("table");
    return found == scene.encoding.parameters.end() ? nullptr : &found->get_ref<const std::string&>();
}

Action seeded(const SpectrumInput& scene) {
    const Json& parameters = scene.encoding.parameters;
    Action result = plain_action(head_dim(scene));
    result.cost = 2.0 * static_cast<double>(scene.d_model);
    result.positions = parameters.at("max_position_embeddings").get<std::int64_t>();
    result.add = [seed = parameters.at("seed").get<std::uint64_t>(),
                  size = parameters.at("initializer_range").get<double>(),
                  offset = position_offset(scene)](std::int64_t position, std::span<double> x) {
        auto& values = of_this_thread<std::vector<double>, struct OfSeeded>();
        values.resize(x.size());
        seeded_values(seed, Tensor::position_table, position + offset, values);
        for (std::size_t column = 0; column < x.size(); ++column) x[column] += size * values[column];
    };
    return result;
}

Result<Action> from_file(const SpectrumInput& scene, const std::string& path) {
    const auto table = table_of_rows(path);
    if (!table) return tl::unexpected(table.error());
    const std::int64_t rows = (*table)->rows(), columns = (*table)->columns(),
                       offset = position_offset(scene);
    if (columns != scene.d_model)
        return refuse(
            "learned.width",
            {{"columns", std::to_string(columns)}, {"d_model", std::to_string(scene.d_model)}, {"in", path}});
    if (offset >= rows)
        return refuse("learned.offset",
                      {{"rows", std::to_string(rows)}, {"offset", std::to_string(offset)}, {"in", path}});
    Action result = plain_action(head_dim(scene));
    result.cost = 4.0 * static_cast<double>(scene.d_model);
    result.positions = rows - offset;
    result.add = [table = *table, offset](std::int64_t position, std::span<double> x) {
        table->add(position + offset, 0, 1.0, x);
    };
    return result;
}

Result<Action> action(const ActionInput& scene) {
    const std::string* path = table_path(scene);
    return path == nullptr ? seeded(scene) : from_file(scene, *path);
}

std::vector<Problem> remarks(const ActionInput& scene) {
    const auto made = action(scene);
    if (!made) return {made.error()};
    if (scene.length <= made->positions) return {};
    return {past_table(scene.length - 1, made->positions)};
}

// Its values and its size come from the file.
bool ignores(const SpectrumInput& scene, std::string_view key) {
    return table_path(scene) != nullptr && key != "table" && key != "position_offset";
}

void define(DefinitionPen& pen, int) {
    const std::int64_t column = std::min(2 * pen.at.pair, pen.at.scene.d_model - 1);
    const auto entry = [&](std::string_view name, std::string_view end) {
        pen.add(name).position().add(", ");
        pen.put(DefinitionHandle::pair, "j", Digits::integer(column)).add(end);
    };
    entry("PE(", ") = ");
    entry("W_{", "}");
    if (const auto value = pen.added(column)) pen.equals(*value);
}

std::int64_t learned(const ActionInput& scene) {
    const auto made = action(scene);
    return made ? made->positions * scene.d_model : 0;
}

}  // namespace
}  // namespace learned_table

Action plain_action(std::int64_t head_dim) {
    Action action;
    action.scale = 1.0 / std::sqrt(static_cast<double>(head_dim));
    return action;
}

Problem past_table(std::int64_t position, std::int64_t end) {
    return {"position.past_table",
            {{"position", std::to_string(position)}, {"last", std::to_string(end - 1)}}};
}

Problem past_end(const SpectrumInput& scene, std::int64_t position, std::int64_t end) {
    Problem problem = past_table(position, end);
    if (pair_axes(scene).parted) problem.key = "position.past_grid";
    else if (const Encoding& kind = encoding_of(scene); !kind.rows && kind.slots.typed == nullptr)
        problem.key = "position.past_last";
    return problem;
}

Result<LearnedNumbers> learned_numbers(const SpectrumInput& scene) {
    using namespace learned_table;
    if (const std::string* path = table_path(scene))
        return table_of_rows(*path).map([&](const std::shared_ptr<const Table>& table) {
            return LearnedNumbers{*path,          table->rows(), table->columns(),
                                  table->least(), table->most(), table->deviation()};
        });
    const Json& parameters = scene.encoding.parameters;
    const auto deviation = parameters.at("initializer_range").get<double>();
    return LearnedNumbers{{},
                          parameters.at("max_position_embeddings").get<std::int64_t>() +
                              position_offset(scene),
                          scene.d_model,
                          -std::numbers::sqrt3 * deviation,
                          std::numbers::sqrt3 * deviation,
                          deviation};
}

const Encoding& learned_encoding() {
    using namespace learned_table;
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"table", Kind::text},
        {"max_position_embeddings", Kind::integer, 1024, 1, static_cast<double>(kLastPosition)},
        {"position_offset", Kind::integer, 0, 0, 1024},
        {"initializer_range", Kind::number, 0.02, 0.0, 1e3},
        {"seed", Kind::integer, 0, 0, 4294967295.0},
    };
    static const Encoding encoding{
        .kind = "learned",
        .family = Family::absolute,
        .acts = Acts::input,
        .per_head = false,
        .parameters = parameters,
        .action = action,
        .remarks = remarks,
        .ignores = ignores,
        .rows = true,
        .file = "table",
        .learns = {.count = learned, .by = &experiment::kLearned},
        .shown = {.colour = "offset", .definition = define},
        .slots = {.not_formulas = "own.not_table"},
    };
    return encoding;
}

}  // namespace posiscope
