// problem.hpp — an error that people can cause, as a value.
// A Problem is a key into the string tables and the values its sentence needs. The sentence (what is wrong, where, the
// limit, the fix) is in assets/strings, once per language. Errors that only we can cause throw.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace posiscope {

// The kind of error, for code that acts on it: a command's exit code, a dialog that asks again. The key only names the
// sentence.
enum class Cause {
    input,    // a word, a value or a file's content is invalid
    failure,  // the request is valid but could not be carried out
    display,  // no display, or no usable OpenGL
    taken,    // the target exists; asking again replaces it
};

struct Problem {
    std::string key;                                          // "value.above"
    std::vector<std::pair<std::string, std::string>> values;  // {{"path", "d_model"}, {"maximum", "65536"}}
    Cause cause = Cause::input;

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

using ProblemValues = std::vector<std::pair<std::string, std::string>>;

// One for each cause.
inline tl::unexpected<Problem> refuse(std::string key, ProblemValues values = {}) {
    return tl::unexpected<Problem>(Problem{std::move(key), std::move(values), Cause::input});
}
inline tl::unexpected<Problem> failure(std::string key, ProblemValues values = {}) {
    return tl::unexpected<Problem>(Problem{std::move(key), std::move(values), Cause::failure});
}
inline tl::unexpected<Problem> no_display(std::string key, ProblemValues values = {}) {
    return tl::unexpected<Problem>(Problem{std::move(key), std::move(values), Cause::display});
}
inline tl::unexpected<Problem> taken(std::string key, ProblemValues values = {}) {
    return tl::unexpected<Problem>(Problem{std::move(key), std::move(values), Cause::taken});
}

}  // namespace posiscope
