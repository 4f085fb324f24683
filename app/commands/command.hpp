// command.hpp — a command: it declares its options and returns the function to run.
// To add one: a file beside this that fills in a Command, and its line in commands.cpp. Its help is the string
// "command.NAME.help". Options that every command takes are declared for it (options.hpp).
#pragma once

#include "app/commands/options.hpp"
#include "app/ui/strings.hpp"
#include "core/problem.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace posiscope::commands {

// How a Problem ends the program: what could not be done, a missing display, else a wrong word or value.
Exit exit_of(const Problem& problem);

using Run = std::function<Result<void>(const Terminal&)>;

struct Command {
    std::string_view name;  // empty: the default command
    Run (*add)(CLI::App& app, const SharedOptions& shared, const Strings& strings);
};

std::span<const Command* const> commands();

// The whole program: parses the arguments, runs one command, reports an error in one sentence.
int run(int argc, const char* const* argv);

}  // namespace posiscope::commands

// Usage errors as Problems that name the nearest valid word.
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

// "posiscope 0.3.0 (1a2b3c4d)", then a line of the libraries as they run; without a commit where it is not known.
std::string version();

}  // namespace posiscope::commands
