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

// What kind of thing went wrong, for code that acts on it: a command's exit code, a dialog that asks again. The key only
// names the sentence.
enum class Cause {
    input,    // a word, a value or a file's contents is not what it should be
    failure,  // what was asked for is right and could not be done
    display,  // there is no display or no OpenGL to draw with
    taken,    // something is already there; asked for again, it is replaced
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
