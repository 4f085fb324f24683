// quantities.hpp — the data behind the figures, by name; `posiscope data` writes it.
// A quantity states its size before it is computed, so that one that does not fit is refused before any allocation. To add one: an entry in the group's file beside this, and its line in quantities.cpp.
// Positions run over 0 … length − 1; pairs, columns and layout are the Scene's encoding's.
#pragma once

#include "core/attention/sight.hpp"
#include "core/encodings/turning.hpp"
#include "core/formats/arrays.hpp"

namespace posiscope {

struct Quantity {
    std::string_view name;
    // The names and sizes of its arrays; refused if the Scene's encoding does not have it.
    Result<std::vector<Shape>> (*shapes)(const Scene&);
    // Fills the arrays, which have these shapes.
    Result<void> (*fill)(const Scene&, std::span<Array>);
    // Numbers held in addition while the arrays are filled; null: negligible.
    double (*workspace)(const Scene&) = nullptr;
};

std::span<const Quantity* const> quantities();
const Quantity* find_quantity(std::string_view name);  // null when unknown

// The arrays of a quantity, or the one named `array`. Refuses more than `memory` bytes, and outputs of core/attention
// past kLargestOutput.
Result<std::vector<Array>> evaluate(const Quantity& quantity, const Scene& scene, std::uint64_t memory,
                                    std::string_view array = {});

// Bytes that this process may still allocate without swapping: the least of the system's estimate, the limit of its
// control group and its own limit. 2^63 − 1 if the system reports none.
std::uint64_t available_memory();

// For the groups: the number of rotating pairs, or the Problem that the encoding does not have this quantity.
Result<std::int64_t> turning_pairs(const Scene& scene, std::string_view quantity);
// The same for what multiplies frequencies by positions: also refused where that is not how tokens rotate (turning.hpp).
Result<std::int64_t> steady_pairs(const Scene& scene, std::string_view quantity);
Problem absent(const Scene& scene, std::string_view quantity);

// A part of a quantity that has a matrix for each head: one head, some queries.
struct Slice {
    std::optional<std::int64_t> head;  // its arrays have no axis of heads then
    std::optional<Sight::Run> rows;

    bool whole() const { return !head && !rows; }
};

// "3" as a head, "a:b", "a:" and ":b" as rows a … b − 1, as Python has them; empty texts: all of them.
Result<Slice> read_slice(std::string_view head, std::string_view rows);

// Evaluates a slice of the whole. Refused for quantities without heads, and for heads and rows that are not there.
Result<std::vector<Array>> evaluate(const Quantity& quantity, const Scene& scene, const Slice& slice,
                                    std::uint64_t memory, std::string_view array = {});

// For the groups: a quantity that has slices. `whole` is of all heads and rows.
struct Sliced {
    const Quantity* of;
    Result<std::vector<Shape>> (*shapes)(const Scene&, const Slice&);
    Result<void> (*fill)(const Scene&, const Slice&, std::span<Array>);
    double (*workspace)(const Scene&, const Slice&);
};
std::span<const Sliced> sliced_quantities();

}  // namespace posiscope
