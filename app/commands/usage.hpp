// usage.hpp — usage errors as Problems that name the nearest valid word.
#pragma once

#include "core/problem.hpp"

#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace posiscope::commands {

// Text that is a number, however large; nan and inf are not.
bool is_number(const std::string& text);

// "a, b, c"
std::string joined(std::span<const std::string_view> names);

// For a `typed` word that is not among the names: value.choice with the nearest name; for an empty one, what is missing.
Problem not_one_of(std::string_view place, std::string_view typed, std::span<const std::string_view> names);

Problem unknown_command(std::string_view typed);

// For leftover words, or the parser's exception.
Problem left_over(const CLI::App& command, const std::string& argument);
Problem parser_problem(const CLI::App& command, const CLI::ParseError& error);

}  // namespace posiscope::commands
