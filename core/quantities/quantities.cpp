#include "core/quantities/quantities.hpp"

#include "core/attention/attention.hpp"
#include "core/encodings/encodings.hpp"
#include "core/scene/tensors.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace posiscope {

extern const Quantity kFrequencies, kPhase, kCache, kTable, kGram, kRotation, kShift, kDistance, kScores,
    kBias, kLogits, kAttention, kExpansion, kMixed, kTurns, kRank, kDft, kColumns, kIndependence, kGap,
    kChord, kFourier, kPrecision, kTrace, kClaims, kLocality, kOutputs, kKinds, kTokenIds, kUsedDistances,
    kKeyShifts, kStaleKeys;

std::span<const Quantity* const> quantities() {
    static constexpr std::array list = {
        &kFrequencies, &kPhase,         &kCache,     &kTable,     &kGram,         &kRotation,  &kShift,
        &kDistance,    &kScores,        &kBias,      &kLogits,    &kAttention,    &kExpansion, &kMixed,
        &kTurns,       &kRank,          &kDft,       &kColumns,   &kIndependence, &kGap,       &kChord,
        &kFourier,     &kPrecision,     &kTrace,     &kClaims,    &kLocality,     &kOutputs,   &kKinds,
        &kTokenIds,    &kUsedDistances, &kKeyShifts, &kStaleKeys,
    };
    return list;
}

const Quantity* find_quantity(std::string_view name) {
    for (const Quantity* quantity : quantities())
        if (quantity->name == name) return quantity;
    return nullptr;
}

Problem absent(const Scene& scene, std::string_view quantity) {
    return {"quantity.absent",
            {{"quantity", std::string(quantity)}, {"encoding", scene.encoding.kind}},
            Cause::failure};
}

Result<std::int64_t> turning_pairs(const Scene& scene, std::string_view quantity) {
    const std::int64_t pairs = encoding_of(scene).pairs(scene);
    if (pairs == 0) return tl::unexpected(absent(scene, quantity));
    return pairs;
}

namespace {

// Those that keep one q and one k fixed. Of files that cannot be read there are none, and nothing stands in for them.
constexpr std::string_view kOfOneQuery[] = {"gram",  "distance",  "scores", "mixed",
                                            "trace", "precision", "claims"};

std::optional<Problem> no_query(const Quantity& quantity, const Scene& scene) {
    const bool reads =
        std::find(std::begin(kOfOneQuery), std::end(kOfOneQuery), quantity.name) != std::end(kOfOneQuery);
    if (!reads || !is_stored(scene.content) || encoding_of(scene).acts != Acts::query_key)
        return std::nullopt;
    if (auto problem = stored_problem(scene)) return problem;
    for (const Tensor side : {Tensor::query, Tensor::key})
        if (const auto vector = stored_vector(scene.content, side); !vector) return vector.error();
    return std::nullopt;
}

}  // namespace

Result<std::vector<Array>> evaluate(const Quantity& quantity, const Scene& scene, std::uint64_t memory,
                                    std::string_view array) {
    const auto shapes = quantity.shapes(scene);
    if (!shapes) return tl::unexpected(shapes.error());
    if (auto problem = no_query(quantity, scene)) return tl::unexpected(std::move(*problem));
    if (!array.empty() &&
        std::none_of(shapes->begin(), shapes->end(), [&](const Shape& s) { return s.name == array; })) {
        std::string names;
        for (const Shape& shape : *shapes) names += (names.empty() ? "" : ", ") + std::string(shape.name);
        return refuse("value.choice",
                      {{"path", "--array"}, {"value", std::string(array)}, {"choices", names}});
    }

    Uint128 needed = 0;
    for (const Shape& shape : *shapes)
        needed += Uint128{static_cast<std::uint64_t>(count(shape))} * sizeof(double);
    const double beside = quantity.workspace == nullptr ? 0.0 : quantity.workspace(scene);
    const double values = static_cast<double>(needed) / sizeof(double) + beside;
    needed += static_cast<Uint128>(beside) * sizeof(double);
    if (needed > memory)
        return failure("memory.needed", {{"quantity", std::string(quantity.name)},
                                         {"needed", fmt::format("{}", needed)},
                                         {"available", std::to_string(memory)}});
    if (quantity.workspace != nullptr)
        if (auto problem = too_large(values)) return tl::unexpected(std::move(*problem));

    std::vector<Array> arrays;
    for (const Shape& shape : *shapes)
        arrays.push_back({shape, std::vector<double>(static_cast<std::size_t>(count(shape)))});
    if (const auto filled = quantity.fill(scene, arrays); !filled) return tl::unexpected(filled.error());
    if (!array.empty()) std::erase_if(arrays, [&](const Array& a) { return a.shape.name != array; });
    return arrays;
}

}  // namespace posiscope
