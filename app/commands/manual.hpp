// manual.hpp — every command, option and choice as data, from the same tables as --help; the manual page and the shells'
// completions are written from it.
#pragma once

#include "app/ui/strings.hpp"
#include "core/problem.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace posiscope::commands {

// An option, or without names an argument.
struct DescribedOption {
    std::vector<std::string> names;  // "-s", "--scene"; an argument's own name
    std::string value;               // the word for what it takes, "" for a flag
    std::string help;
    std::vector<std::string> choices;  // what it takes is one of these; none: a file, or anything
    bool argument = false;
    bool path = false;  // takes a file
};

struct DescribedCommand {
    std::string name, help;                // the program's own: ""
    std::vector<DescribedOption> options;  // without those of every command, but for the program's own
};

// The program itself first.
std::vector<DescribedCommand> describe(const CLI::App& root);

std::string manual_page(std::span<const DescribedCommand> commands, const Strings& strings);
std::string bash_completion(std::span<const DescribedCommand> commands);
std::string zsh_completion(std::span<const DescribedCommand> commands);
std::string fish_completion(std::span<const DescribedCommand> commands);

// Every lesson, claim and definition in both languages with its numbers put in, and the Scene of each, as JSON: the book is
// made from it (app/web/book.py).
Result<std::string> book_texts();

// The kinds that `posiscope list` lists.
std::vector<std::string_view> list_kinds();
// Each key of a Scene as --set takes it, "d_model=", and of those that take one of a list "layout=half" for each.
std::vector<std::string> setting_words();

}  // namespace posiscope::commands
