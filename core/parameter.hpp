// parameter.hpp — the declaration of a setting: its JSON, --set key, check, slider and tests follow from it.
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
    std::vector<std::string_view> choices = {};  // for Kind::choice, in menu order
    bool shown_when_set = false;                 // set by model configs: no control while it has its default
};

// The value if it is valid at `path`; an integer written as 3.0 is returned as 3.
Result<Json> checked(const Parameter& parameter, const Json& value, std::string_view path);

// `values` with every default filled in; refuses unknown keys by their path.
Result<Json> checked_all(std::span<const Parameter> parameters, const Json& values, std::string_view path);

// Numbers as people write them: "65536", "0.5", "1e18".
std::string to_text(double value);

// A value for a sentence: JSON, cut after 40 bytes at a character boundary.
std::string shown(const Json& value);

// The kind of a value, as named in Kind: "integer", "text", "dictionary", …; "null".
std::string_view kind_of(const Json& value);

}  // namespace posiscope
