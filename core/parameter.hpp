// parameter.hpp — what a setting may be: declared once, and from it come its JSON, its --set key, its check,
// its slider and its tests.
#pragma once

#include "core/json.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace posiscope {

struct Parameter {
    enum class Kind { integer, number, boolean, choice, text, dictionary, list };

    std::string_view key;  // also the string tables': "parameter.KEY.name", ".help"
    Kind kind = Kind::number;
    Json fallback = nullptr;  // the default; null = may be absent
    double minimum = 0.0;
    double maximum = 0.0;
    bool above_minimum = false;                  // the minimum itself is refused
    std::vector<std::string_view> choices = {};  // for Kind::choice, in the order in which people see them
    bool shown_when_set = false;  // comes from a model's config: no control while it has its default
};

// The value if it may stand at `path`; integers written as 3.0 come back as 3.
Result<Json> checked(const Parameter& parameter, const Json& value, std::string_view path);

// `values` with every default filled in; refuses unknown keys by their path.
Result<Json> checked_all(std::span<const Parameter> parameters, const Json& values, std::string_view path);

// Numbers as people write them: "65536", "0.5", "1e18".
std::string to_text(double value);

// A value as a sentence shows it: JSON, cut after 40 bytes at a whole character.
std::string shown(const Json& value);

// What a value is, in the words of Kind: "integer", "text", "dictionary", …; "null".
std::string_view kind_of(const Json& value);

}  // namespace posiscope
