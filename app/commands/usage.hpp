// usage.hpp — what was typed wrongly, as Problems that name the nearest right thing.
#pragma once

#include "core/problem.hpp"

#include <CLI/CLI.hpp>
#include <span>

namespace posiscope::commands {

// The name that differs from `typed` in the fewest letters.
std::string nearest(std::string_view typed, std::span<const std::string_view> names);

// "a, b, c"
std::string joined(std::span<const std::string_view> names);

// `typed` is none of the names that may stand there: value.choice with the nearest, or, where nothing was typed,
// what is missing.
Problem not_one_of(std::string_view place, std::string_view typed, std::span<const std::string_view> names);

Problem unknown_command(std::string_view typed);

// What is left over after parsing, or what the parser threw.
Problem left_over(const CLI::App& command, const std::string& argument);
Problem parser_problem(const CLI::App& command, const CLI::ParseError& error);

}  // namespace posiscope::commands
