// entry.hpp — an encoding in the list of an experiment: a kind, or one that somebody typed (core/encodings/own.hpp).
// In JSON  "rope", or {"kind": "own", "bias": "-s*log(1+abs(D))", "values": {"s": 1}, "learned": ["s"]}.
// Here     a text: the kind, or that object in one form: what no formula uses is left out, and every number is a double.
//          So equal formulas have one name, and runs are told apart by it.
#pragma once

#include "core/scene/scene.hpp"

#include <span>
#include <string>

namespace posiscope::experiment {

inline constexpr std::size_t kMostTyped = 4;  // of one list

bool is_typed(std::string_view entry);
std::string_view kind_in(std::string_view entry);

// Refuses what is neither text nor a typed encoding, and formulas that cannot be read.
Result<std::string> entry_from(const Json& value, std::string_view path);
// The entry of a Scene's encoding; nothing where it is not typed, or its formulas are refused.
std::optional<std::string> entry_of(const Choice& encoding);
Json json_of(std::string_view entry);

// "rope"; "own", and of a list's second typed one "own_2".
std::string label_of(std::span<const std::string> list, std::string_view entry);
// 0 of the first typed one of a list, and of what is not typed.
std::size_t typed_before(std::span<const std::string> list, std::string_view entry);

}  // namespace posiscope::experiment
