#include "core/quantities/quantities.hpp"

#include "core/attention/attention.hpp"
#include "core/encodings/turning.hpp"
#include "core/scene/tensors.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace posiscope {

extern const Quantity kFrequencies, kPhase, kCache, kTable, kGram, kRotation, kShift, kDistance, kScores,
    kBias, kLogits, kAttention, kExpansion, kMixed, kTurns, kRank, kDft, kColumns, kIndependence, kGap,
    kChord, kFourier, kPrecision, kTrace, kClaims, kLocality, kOutputs, kKinds, kTokenIds, kUsedDistances,
    kKeyShifts, kStaleKeys, kBaseForLength;

std::span<const Quantity* const> quantities() {
    static constexpr std::array list = {
        &kFrequencies, &kPhase,         &kCache,     &kTable,     &kGram,          &kRotation,  &kShift,
        &kDistance,    &kScores,        &kBias,      &kLogits,    &kAttention,     &kExpansion, &kMixed,
        &kTurns,       &kRank,          &kDft,       &kColumns,   &kIndependence,  &kGap,       &kChord,
        &kFourier,     &kPrecision,     &kTrace,     &kClaims,    &kLocality,      &kOutputs,   &kKinds,
        &kTokenIds,    &kUsedDistances, &kKeyShifts, &kStaleKeys, &kBaseForLength,
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

Result<std::int64_t> steady_pairs(const Scene& scene, std::string_view quantity) {
    if (auto problem = unsteady(scene)) return tl::unexpected(std::move(*problem));
    return turning_pairs(scene, quantity);
}

namespace {

// Quantities that keep one q and one k fixed. Empty for files that cannot be read.
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

// Computes the whole or a slice.
template <class Fill>
Result<std::vector<Array>> evaluated(const Quantity& quantity, const Scene& scene,
                                     const Result<std::vector<Shape>>& shapes, const Fill& fill,
                                     std::optional<double> beside, std::uint64_t memory,
                                     std::string_view array) {
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
    const double values = static_cast<double>(needed) / sizeof(double) + beside.value_or(0.0);
    needed += static_cast<Uint128>(beside.value_or(0.0)) * sizeof(double);
    if (needed > memory)
        return failure("memory.needed", {{"quantity", std::string(quantity.name)},
                                         {"needed", fmt::format("{}", needed)},
                                         {"available", std::to_string(memory)}});
    if (beside)
        if (auto problem = too_large(values)) return tl::unexpected(std::move(*problem));

    std::vector<Array> arrays;
    for (const Shape& shape : *shapes)
        arrays.push_back({shape, std::vector<double>(static_cast<std::size_t>(count(shape)))});
    if (const auto filled = fill(arrays); !filled) return tl::unexpected(filled.error());
    if (!array.empty()) std::erase_if(arrays, [&](const Array& a) { return a.shape.name != array; });
    return arrays;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

Result<std::vector<Array>> evaluate(const Quantity& quantity, const Scene& scene, std::uint64_t memory,
                                    std::string_view array) {
    return evaluated(
        quantity, scene, quantity.shapes(scene),
        [&](std::vector<Array>& arrays) { return quantity.fill(scene, arrays); },
        quantity.workspace == nullptr ? std::nullopt : std::optional(quantity.workspace(scene)), memory,
        array);
}

Result<Slice> read_slice(std::string_view head, std::string_view rows) {
    Slice made;
    if (!head.empty() && !(made.head = whole_number(head)))
        return refuse("slice.head", {{"value", std::string(head)}});
    if (rows.empty()) return made;
    const auto colon = rows.find(':');
    const std::string_view from = rows.substr(0, colon),
                           to = colon == std::string_view::npos ? from : rows.substr(colon + 1);
    const auto first = from.empty() ? std::optional<std::int64_t>(0) : whole_number(from),
               end = to.empty() ? std::optional<std::int64_t>(kLastPosition + 1) : whole_number(to);
    if (colon == std::string_view::npos || !first || !end || *first < 0 || *end <= *first)
        return refuse("slice.form", {{"value", std::string(rows)}});
    made.rows = {*first, *end};
    return made;
}

Result<std::vector<Array>> evaluate(const Quantity& quantity, const Scene& scene, const Slice& slice,
                                    std::uint64_t memory, std::string_view array) {
    if (slice.whole()) return evaluate(quantity, scene, memory, array);
    const auto all = sliced_quantities();
    const auto found = std::ranges::find(all, &quantity, &Sliced::of);
    if (found == all.end()) {
        std::string names;
        for (const Sliced& one : all) names += (names.empty() ? "" : ", ") + std::string(one.of->name);
        return refuse("slice.none", {{"quantity", std::string(quantity.name)}, {"quantities", names}});
    }
    return evaluated(
        quantity, scene, found->shapes(scene, slice),
        [&](std::vector<Array>& arrays) { return found->fill(scene, slice, arrays); },
        found->workspace(scene, slice), memory, array);
}

}  // namespace posiscope
