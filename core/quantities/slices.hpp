// slices.hpp — a part of a quantity that has a matrix for each head: one head, some queries.
#pragma once

#include "core/attention/sight.hpp"
#include "core/quantities/quantities.hpp"

namespace posiscope {

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
