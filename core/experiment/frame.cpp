#include "core/experiment/frame.hpp"

#include "core/encodings/encodings.hpp"

#include <array>
#include <cmath>

namespace posiscope::experiment {
namespace {

constexpr std::size_t kWidth = 32;
constexpr std::array kNone = {Scaling::none};
constexpr std::array kInterpolated = {Scaling::none, Scaling::linear};
constexpr std::array kRope = {Scaling::none, Scaling::linear, Scaling::ntk, Scaling::yarn};

Result<Scene> scene_of(const Place& place, std::string_view encoding, Scaling scaling, double factor) {
    Json chosen = is_typed(encoding) ? json_of(encoding) : Json{{"kind", encoding}};
    const auto n = static_cast<std::int64_t>(place.trained);
    if (const auto fitted = find_encoding(kind_in(encoding))->learns.fitted; fitted != nullptr)
        chosen.update(fitted(n));
    if (takes_scalings(encoding) && scaling != Scaling::none) {
        chosen["rope_scaling"] = {{"rope_type", scaling_name(scaling)}, {"factor", factor}};
        if (scaling == Scaling::yarn) chosen["rope_scaling"]["original_max_position_embeddings"] = n;
    }
    return overlay(Scene(), {{"encoding", chosen},
                             {"d_model", place.shape.width},
                             {"num_heads", place.shape.heads},
                             {"length", n},
                             {"base", place.base},
                             {"layout", "interleaved"},
                             {"causal", place.shape.causal}})
        .map([](Overlaid made) { return std::move(made.scene); });
}

// The sinusoids read at p/s: every frequency divided by s.
Tables interpolated_sinusoid(const Place& place, std::string_view encoding, std::size_t positions,
                             double factor) {
    const Scene scene = *scene_of(place, encoding, Scaling::none, 1.0);
    std::vector<double> frequency = spectrum_of(scene)->frequency;
    for (double& omega : frequency) omega /= factor;
    const Spectrum spectrum = spectrum_from(std::move(frequency));
    const PairLayout layout = encoding_of(scene).layout(scene);
    Tables tables;
    tables.positions = positions;
    for (std::size_t p = 0; p < positions; ++p)
        for (std::size_t c = 0; c < place.shape.width; ++c)
            tables.input.push_back(
                table_value(spectrum, layout, static_cast<std::int64_t>(p), static_cast<std::int64_t>(c)));
    return tables;
}

// A learned table between its rows; past the last one, that.
Tables interpolated_rows(const Place& place, Numbers rows, std::size_t positions, double factor) {
    const std::size_t width = place.shape.width;
    Tables tables;
    tables.positions = positions;
    for (std::size_t p = 0; p < positions; ++p) {
        const double at = std::min(static_cast<double>(p) / factor, static_cast<double>(place.trained - 1));
        const auto below = static_cast<std::size_t>(at);
        const std::size_t above = std::min(below + 1, place.trained - 1);
        const double share = at - static_cast<double>(below);
        for (std::size_t c = 0; c < width; ++c)
            tables.input.push_back((1.0 - share) * rows[below * width + c] + share * rows[above * width + c]);
    }
    return tables;
}

Problem no_gradient(std::string_view encoding) {
    return {"experiment.no_gradient", {{"encoding", std::string(encoding)}}};
}

Result<Tables> from_action(const Place& place, std::string_view encoding, std::size_t positions,
                           Scaling scaling, double factor) {
    const auto scene = scene_of(place, encoding, scaling, factor);
    if (!scene) return tl::unexpected(scene.error());
    const auto action = action_of(*scene);
    if (!action) return tl::unexpected(action.error());
    auto tables = tables_of(*action, place.shape, positions);
    if (!tables) return tl::unexpected(no_gradient(encoding));
    return std::move(*tables);
}

bool is_seeded(const Encoding& encoding) {
    return std::any_of(encoding.parameters.begin(), encoding.parameters.end(),
                       [](const Parameter& parameter) { return parameter.key == "seed"; });
}

}  // namespace

std::string_view scaling_name(Scaling scaling) {
    constexpr std::array<std::string_view, 4> names = {"none", "linear", "ntk", "yarn"};
    return names[static_cast<std::size_t>(scaling)];
}

std::span<const Scaling> scalings_of(std::string_view encoding) {
    const Encoding* found = find_encoding(encoding);
    if (found == nullptr) return kNone;
    if (found->rotating.scalings) return kRope;
    const bool sinusoids = found->acts == Acts::input && found->pairs != no_pairs;
    return found->rows || sinusoids ? std::span<const Scaling>(kInterpolated) : kNone;
}

std::optional<Problem> not_trained(std::string_view kind) {
    const Encoding* encoding = find_encoding(kind);
    if (encoding == nullptr) {
        std::string known;
        for (const std::string_view name : encoding_kinds())
            if (!not_trained(name)) known += (known.empty() ? "" : ", ") + std::string(name);
        return Problem{"value.choice",
                       {{"path", "experiment.encodings"}, {"value", shown(Json(kind))}, {"choices", known}}};
    }
    if (!encoding->learns.untrained.empty()) return Problem{std::string(encoding->learns.untrained), {}};
    if (encoding->learns.by != nullptr) return std::nullopt;
    if (is_seeded(*encoding)) return no_gradient(kind);
    const auto tables = from_action(Place(), kind, 4, Scaling::none, 1.0);
    return tables ? std::nullopt : std::optional(tables.error());
}

Result<Frame> Frame::of(const Settings& settings, const std::string& encoding,
                        const std::optional<ModelShape>& shape) {
    if (auto problem = is_typed(encoding) ? std::nullopt : not_trained(encoding))
        return tl::unexpected(std::move(*problem));
    const Task& task = task_of(settings);
    Place place;
    place.shape.layers = static_cast<std::size_t>(settings.layers);
    place.shape.heads = static_cast<std::size_t>(settings.heads);
    place.shape.width = kWidth;
    place.shape.letters = task.letters;
    place.shape.classes = task.classes;
    place.shape.causal = settings.causal;
    if (shape) place.shape = *shape;
    place.trained = static_cast<std::size_t>(settings.length);
    place.base = settings.base;
    if (is_typed(encoding)) {
        auto formulas = scene_of(place, encoding, Scaling::none, 1.0).and_then(formulas_of);
        if (!formulas) return tl::unexpected(formulas.error());
        place.formulas = std::move(*formulas);
    }
    Frame frame(place, static_cast<double>(settings.tested) / static_cast<double>(settings.length));
    frame.encoding_ = encoding;
    frame.learnable_ = is_typed(encoding) ? &kOwn : find_encoding(encoding)->learns.by;
    if (auto problem = frame.refused()) return tl::unexpected(std::move(*problem));
    if (frame.learnable_ != nullptr) return frame;
    // So that whatever core refuses is refused now.
    for (const Scaling scaling : scalings_of(encoding))
        if (auto made = from_action(place, encoding, 4, scaling, frame.factor_); !made)
            return tl::unexpected(made.error());
    return frame;
}

// Why the numbers cannot be trained from these starting values.
std::optional<Problem> Frame::refused() const {
    if (learnable_ == nullptr || learnable_->check == nullptr) return std::nullopt;
    std::size_t count = 0;
    for (const Group& group : groups()) count += group.rows * group.columns;
    std::vector<double> numbers(count);
    Random random(1, 0);
    start(random, numbers);
    return learnable_->check(place_, numbers);
}

std::vector<Group> Frame::groups() const {
    return learnable_ == nullptr ? std::vector<Group>() : learnable_->groups(place_);
}

void Frame::start(Random& random, std::span<double> numbers) const {
    if (learnable_ != nullptr && learnable_->start != nullptr) learnable_->start(place_, random, numbers);
}

void Frame::settle(std::span<double> numbers, Numbers before) const {
    if (learnable_ != nullptr && learnable_->settle != nullptr) learnable_->settle(place_, numbers, before);
}

Tables Frame::tables(Numbers numbers, std::size_t positions, Scaling scaling) const {
    if (scaling != Scaling::none) return scaled(numbers, positions, scaling);
    if (learnable_ == nullptr) return *from_action(place_, encoding_, positions, scaling, factor_);
    Tables tables;
    tables.positions = positions;
    learnable_->tables(place_, numbers, tables);
    return tables;
}

Tables Frame::scaled(Numbers numbers, std::size_t positions, Scaling scaling) const {
    if (takes_scalings(encoding_)) return *from_action(place_, encoding_, positions, scaling, factor_);
    if (find_encoding(encoding_)->rows) return interpolated_rows(place_, numbers, positions, factor_);
    return interpolated_sinusoid(place_, encoding_, positions, factor_);
}

void Frame::gradient(Numbers numbers, const Tables& gradient, std::span<double> out) const {
    if (learnable_ != nullptr) learnable_->gradient(place_, numbers, gradient, out);
}

std::size_t Frame::end(Numbers numbers, std::size_t positions, Scaling scaling) const {
    return learnable_ != nullptr && learnable_->end != nullptr && scaling == Scaling::none
               ? learnable_->end(place_, numbers, positions)
               : positions;
}

}  // namespace posiscope::experiment
