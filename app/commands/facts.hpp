// facts.hpp — what is said in sentences, as JSON: {"name", "sentence", "values"}.
#pragma once

#include "app/ui/strings.hpp"
#include "core/json.hpp"

#include <span>

namespace posiscope::commands {

Json facts(const Problem& problem, const Strings& strings);
Json facts(std::span<const Problem> problems, const Strings& strings);
// One line, whatever bytes are in it.
std::string line_of(const Json& json);

}  // namespace posiscope::commands
