// problem.hpp — what a person did that cannot be done, as a value.
// A Problem is a key into the string tables and the values its sentence needs; the sentence itself (what,
// where, the bound, the mend) is written once per language in assets/strings. Errors that only we can cause throw.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace posiscope {

struct Problem {
    std::string key;                                          // "value.above"
    std::vector<std::pair<std::string, std::string>> values;  // {{"path", "d_model"}, {"maximum", "65536"}}

    bool operator==(const Problem&) const = default;
};

// A Problem's value of that name, or null.
const std::string* value_of(const Problem& problem, std::string_view name);

// The same Problem, found in that file.
Problem in_file(Problem problem, std::string path);

// For logs and tests: "value.above (path=d_model, maximum=65536)".
std::string to_string(const Problem& problem);

template <class T>
using Result = tl::expected<T, Problem>;

inline tl::unexpected<Problem> refuse(std::string key,
                                      std::vector<std::pair<std::string, std::string>> values = {}) {
    return tl::unexpected<Problem>(Problem{std::move(key), std::move(values)});
}

}  // namespace posiscope
