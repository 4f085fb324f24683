// settings.hpp — a value of one key, given by a control or typed as --set KEY=VALUE, as a partial Scene.
#pragma once

#include "core/scene/scene.hpp"

#include <span>

namespace posiscope {

// All of them together, a later one of a key over an earlier one: {"a": {"b": v}} for a.b=v is merged into the current value of
// a. v is JSON, or else a string. Nothing is judged here but their form, so that their order does not matter.
Result<Json> partial_from_settings(const Scene& scene, std::span<const std::string> settings);

// Of one key: a text stays a text, whatever it looks like.
Json partial_from_value(const Scene& scene, std::string_view key, Json value);

}  // namespace posiscope
