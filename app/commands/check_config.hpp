// check_config.hpp — posiscope check config.json: what its settings do to the weights' rotation (core/models/check.hpp), and the
// same settings as programs take them (core/code).
#pragma once

#include "app/commands/outcome.hpp"
#include "core/models/config_parts.hpp"

namespace posiscope::commands {

// Whether this is a file with a model's config, and not a table or ids.
bool is_config(const std::string& path);
// A slip where the settings cannot be right.
Result<Outcome> check_config(const std::string& path, Part part, const Terminal& terminal);

}  // namespace posiscope::commands
