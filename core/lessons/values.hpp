// values.hpp — the numbers that a lesson may show or ask about, by name: Scene → number.
// A lesson never holds a typed number; it names one of these, and what is shown is what core computes.
// To add one: a row in one of values/. `posiscope list values` prints them.
// Cost     values marked slow need more than a frame (a rank, a whole n × n table): a text may show them for its own step
//          ({@name}), never live.
// Bounds   a value whose arrays would exceed kLargestTable numbers is refused, never computed.
#pragma once

#include "core/scene/scene.hpp"

#include <span>
#include <string_view>

namespace posiscope::lessons {

inline constexpr std::int64_t kLargestTable = 1 << 22;

struct Value {
    std::string_view name;  // also the string tables': "value.NAME"
    bool slow = false;
    Result<double> (*of)(const Scene&) = nullptr;
};

std::span<const Value> values();
const Value* find_value(std::string_view name);  // null when unknown
// Says so, with the names that begin as it does up to the first dot, or where none does with those beginnings.
Problem unknown_value(std::string_view name);

}  // namespace posiscope::lessons
