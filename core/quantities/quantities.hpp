// quantities.hpp — the numbers behind the pictures, by name: what `posiscope data` writes.
// A quantity says how large it is before it is computed, so that what does not fit is refused before any of it is
// allocated. To add one: an entry in the group's file beside this, and its line in quantities.cpp.
// Positions run over 0 … length − 1; pairs, columns and layout are the Scene's encoding's.
#pragma once

#include "core/encodings/encodings.hpp"
#include "core/formats/arrays.hpp"

namespace posiscope {

struct Quantity {
    std::string_view name;
    // The names and sizes of its arrays; refused where the Scene's encoding does not have it.
    Result<std::vector<Shape>> (*shapes)(const Scene&);
    // Fills the arrays, which have these shapes.
    Result<void> (*fill)(const Scene&, std::span<Array>);
    // Numbers held beside the arrays while they are filled; null: none worth counting.
    double (*workspace)(const Scene&) = nullptr;
};

std::span<const Quantity* const> quantities();
const Quantity* find_quantity(std::string_view name);  // null when unknown

// The arrays of a quantity, or of one of them by its name. Refuses more than `memory` bytes,
// and of what core/attention computes whole, more than it makes at once.
Result<std::vector<Array>> evaluate(const Quantity& quantity, const Scene& scene, std::uint64_t memory,
                                    std::string_view array = {});

// Bytes that this process may still take without pushing others out: the system's estimate and the limits of
// its control group and its own, the least of them. 2^63 − 1 where the system does not say.
std::uint64_t available_memory();

// For the groups: how many pairs turn, or that the encoding does not have this quantity.
Result<std::int64_t> turning_pairs(const Scene& scene, std::string_view quantity);
Problem absent(const Scene& scene, std::string_view quantity);

}  // namespace posiscope
