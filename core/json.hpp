// json.hpp — JSON as Posiscope reads it: strict, bounded, and with errors that name their place.
// We read through our own SAX handler: the library accepts repeated keys and overflows the stack on deep nesting.
#pragma once

#include "core/problem.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

namespace posiscope {

using Json = nlohmann::json;

// Refuses a syntax error and a number past double's range (with line and column), nesting deeper than 64, and a key that
// appears twice in one object (with its path): signs of a damaged or hostile file. The library itself overflows the stack
// on two million brackets.
Result<Json> parse_json(std::string_view text);

bool is_utf8(std::string_view text);

// {}. As a member's default it costs a source less to read than Json::object(), which instantiates half of the library.
Json empty_object();

// The object at a key, an empty one where there is none. operator[] makes one of a null, but leaves it broken where memory ends.
Json& object_in(Json& object, std::string_view key);

// "encoding.rope_scaling" from "encoding" and "rope_scaling"
std::string join_path(std::string_view path, std::string_view key);

}  // namespace posiscope
