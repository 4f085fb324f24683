// streams.hpp — names that replace a file: "-" for standard input, "-" or "-.csv" for standard output, a link for a scene.
#pragma once

#include "core/formats/file.hpp"
#include "core/scene/link.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace posiscope::commands {

// The bytes of a file, or for "-" of standard input. Refuses what read_file refuses.
Result<std::string> read_input(const std::string& path, std::uint64_t limit = kLargestTextFile);

// The link that a word is, unless a file has that name; it points into the word.
std::optional<Link> link_of_word(const std::string& word);

// True if -o names standard output: "-", "-.csv", or nothing. A file of such a name is "./-.csv".
bool is_standard_output(std::string_view output);
// ".csv" of "a.csv" and "-.csv"; `usual` for standard output that names none.
std::string output_ending(const std::string& output, std::string_view usual);
// The file of -o, or standard output.
Result<FileWriter> open_output(const std::string& output);

// Text from a file or a command line, fit for a terminal.
// Control characters (C0, DEL, C1), the marks that change the direction of writing, and bytes that are not UTF-8 become
// escapes such as \x1b and \u202e, so that a name can neither steer a terminal nor make a line read as another.
std::string printable(std::string_view text);

}  // namespace posiscope::commands
