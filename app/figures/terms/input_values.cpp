#include "app/figures/terms/input_values.hpp"

#include "core/attention/attention.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"

#include <cmath>

namespace posiscope::figures::terms {
namespace {

constexpr std::size_t kMostCells = 4096;  // of a strip: more than a screen has pixels

Strip strip_of(const std::vector<double>& values) {
    Strip made;
    double squares = 0.0;
    for (const double value : values) squares += value * value;
    made.length = std::sqrt(squares);
    made.dimensions = values.size();
    made.each = (values.size() + kMostCells - 1) / kMostCells;
    for (std::size_t first = 0; first < values.size(); first += made.each) {
        const std::size_t end = std::min(first + made.each, values.size());
        double sum = 0.0;
        for (std::size_t c = first; c < end; ++c) sum += values[c];
        made.values.push_back(static_cast<float>(sum / static_cast<double>(end - first)));
    }
    return made;
}

struct InputKey {
    Kept<ActionInput> encoding;
    Kept<Sentence> sentence;  // or, of a seeded content, that:
    Kept<AttentionInput> seeded;
    Kept<TokenInput> ids;  // null where rows are positions
    std::int64_t word, position, other;
    bool concatenate;
    Norm norm;
    bool operator==(const InputKey&) const = default;
};

std::vector<double> normed(std::vector<double> values, Norm norm, double& scale) {
    const auto n = static_cast<double>(values.size());
    double mean = 0.0, squares = 0.0;
    for (const double value : values) mean += value / n;
    if (norm == Norm::layer)
        for (double& value : values) value -= mean;
    for (const double value : values) squares += value * value / n;
    scale = 1.0 / std::sqrt(squares + 1e-5);
    for (double& value : values) value *= scale;
    return values;
}

Placed placed_at(const InputKey& key, const std::vector<double>& x, std::int64_t position,
                 std::vector<double>& end) {
    Placed made;
    const Result<std::int64_t> id = key.ids != nullptr ? table_row(*key.ids, position) : position;
    made.row = id.value_or(position);
    const auto row = id.and_then([&](std::int64_t at) { return input_table(*key.encoding, at, 1); });
    if (!row) {
        made.problem = row.error();
        return made;
    }
    made.position = strip_of(*row);
    std::vector<double> joined = x;
    if (key.concatenate) joined.insert(joined.end(), row->begin(), row->end());
    else
        for (std::size_t c = 0; c < joined.size(); ++c) joined[c] += (*row)[c];
    made.joined = strip_of(joined);
    end = key.norm == Norm::none ? std::move(joined) : normed(std::move(joined), key.norm, made.scale);
    made.normed = strip_of(end);
    return made;
}

Input input_of(const InputKey& key) {
    Input made;
    const Choice& content = key.sentence != nullptr ? key.sentence->scene.content : key.seeded->content;
    if (key.sentence != nullptr) made.word = key.sentence->words[static_cast<std::size_t>(key.word)];
    // Words as typed: the row of a position is that of its word.
    const std::int64_t place =
        key.sentence != nullptr ? key.sentence->place[static_cast<std::size_t>(key.word)] : key.word;
    std::vector<double> x(static_cast<std::size_t>(key.encoding->d_model));
    content_values(content, Tensor::input, input_row(content, place), x);
    made.embedding = strip_of(x);
    std::vector<double> ends[2];
    made.at[0] = placed_at(key, x, key.position, ends[0]);
    made.at[1] = placed_at(key, x, key.other, ends[1]);
    double squares = 0.0;
    for (std::size_t c = 0; c < std::min(ends[0].size(), ends[1].size()); ++c)
        squares += (ends[1][c] - ends[0][c]) * (ends[1][c] - ends[0][c]);
    made.apart = std::sqrt(squares);
    for (const Strip* strip : {&made.embedding, &made.at[0].joined, &made.at[1].joined})
        for (const float value : strip->values)
            made.range = std::max(made.range, std::abs(static_cast<double>(value)));
    return made;
}

}  // namespace

Norm norm_of(const Scene& scene) {
    const Json* norm = view_value(scene, "terms", "norm");
    return norm == nullptr || !norm->is_string() ? Norm::none
           : *norm == "layer"                    ? Norm::layer
           : *norm == "rms"                      ? Norm::rms
                                                 : Norm::none;
}
bool concatenates(const Scene& scene) {
    const Json* join = view_value(scene, "terms", "join");
    return join != nullptr && join->is_string() && *join == "concatenated";
}

std::optional<Made> input(const Frame& f, const Scene& scene, Derived& derived) {
    const bool own_rows = scene.content.kind == "seeded";
    Made made{nullptr, own_rows ? nullptr : sentence(f, scene, derived)};
    if (made.sentence != nullptr && made.sentence->size() == 0) return std::nullopt;
    const std::int64_t words = own_rows ? scene.length : static_cast<std::int64_t>(made.sentence->size());
    const Json* chosen = view_value(scene, "terms", "word");
    const std::int64_t word = std::clamp<std::int64_t>(
        chosen != nullptr && chosen->is_number_integer() ? chosen->get<std::int64_t>() : 0, 0, words - 1);
    const InputKey key{derived.input<ActionInput>(scene),
                       made.sentence,
                       own_rows ? derived.input<AttentionInput>(scene) : nullptr,
                       token_ids(scene.view).is_null() ? nullptr : token_input(scene, derived),
                       word,
                       scene.position,
                       scene.position + scene.offset,
                       concatenates(scene),
                       norm_of(scene)};
    made.input =
        derived.part<Memo<InputKey, Input>>().get(key, [](const InputKey& of) { return input_of(of); });
    return made;
}

}  // namespace posiscope::figures::terms
