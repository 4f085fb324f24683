// command.hpp — a command: it declares its options and returns the function to run.
// To add one: a file beside this that fills in a Command, and its line in commands.cpp. Its help is the string
// "command.NAME.help". Options that every command takes are declared for it (options.hpp).
#pragma once

#include "app/commands/options.hpp"
#include "app/ui/strings.hpp"
#include "core/problem.hpp"

#include <functional>
#include <span>

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
