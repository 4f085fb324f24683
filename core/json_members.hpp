// json_members.hpp — a member of an object where it is there and of that kind; where it is not: "", nothing, null.
#pragma once

#include "core/json.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace posiscope {

const std::string& text_at(const Json& object, const char* key);
std::optional<double> number_at(const Json& object, const char* key);
std::optional<std::int64_t> integer_at(const Json& object, const char* key);
const Json* object_at(const Json& object, const char* key);

}  // namespace posiscope
