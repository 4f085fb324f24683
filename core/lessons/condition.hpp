// condition.hpp — what must be true of a Scene for a task to be done: numbers and keys, no expressions.
//   {"value": NAME, "near": x, "within": e}   {"value": NAME, "at_least": x}   {"value": NAME, "at_most": x}
//   {"value": NAME, "is": x}                  {"key": "encoding.kind", "is": JSON}
//   {"all": [...]}   {"any": [...]}   {"not": {...}}
// A value that the Scene does not have makes its comparison false.
#pragma once

#include "core/lessons/values.hpp"

#include <vector>

namespace posiscope::lessons {

struct Condition {
    enum class Kind { value, key, all, any, negation };
    Kind kind = Kind::all;  // of nothing: always true
    const Value* value = nullptr;
    std::string key;    // a path into the Scene's JSON
    Json is = nullptr;  // what stands there
    double least = 0.0, most = 0.0;
    std::vector<Condition> parts;

    bool operator==(const Condition&) const = default;
};

// `path` is where it stands in the file, for the sentence.
Result<Condition> read_condition(const Json& json, const std::string& path);

class Numbers;

// `scene`: the Scene's JSON; `numbers`: those of its values that the condition names. A number that took too long to
// compute makes its comparison false, as one that the Scene does not have.
bool holds(const Condition& condition, const Json& scene, const Numbers& numbers);

// A value of a Scene's JSON by its path, "content.weights"; null where there is none.
const Json& scene_value(const Json& scene, std::string_view path);

}  // namespace posiscope::lessons
