// config_parts.hpp — a config with several parts, and its text as Python writes it.
#pragma once

#include "core/models/config.hpp"

namespace posiscope {

// The language model, or the vision tower.
enum class Part { language, vision };

// Refused: config.no_vision, without a tower; config.vision_unknown, one whose family is not in the table.
Result<ModelScene> read_config(const Json& config, Part part);
Result<ModelScene> read_config_text(std::string_view text, Part part);

// A .yaml or .yml is not read: MaxText and NeMo name each key in their own way, a YAML library would have to be built for the
// page and for Windows too, and weights converted for transformers have a config.json.
std::optional<Problem> refused_yaml(std::string_view path);

// The text with Python's Infinity and NaN, which JSON does not have, as marked strings.
std::string without_infinities(std::string_view text);
// Undoes it.
std::string with_infinities(std::string text);

}  // namespace posiscope
