#include "app/commands/command.hpp"
#include "app/platform/paths.hpp"
#include "app/workbench/document/store.hpp"
#include "core/formats/file.hpp"
#include "core/scene/link.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <new>

namespace posiscope::commands {

extern const Command kCheck, kCode, kData, kDiff, kExperiment, kHelp, kLesson, kList, kManual, kRender,
    kServe, kWindow;

std::span<const Command* const> commands() {
    static constexpr std::array list = {&kWindow,     &kRender, &kData, &kCheck,  &kDiff,  &kCode,
                                        &kExperiment, &kLesson, &kList, &kManual, &kServe, &kHelp};
    return list;
}

Exit exit_of(const Problem& problem) {
    switch (problem.cause) {
        case Cause::failure:
        case Cause::taken: return Exit::failed;
        case Cause::display: return Exit::no_display;
        case Cause::input: break;
    }
    return Exit::usage;
}

namespace {

struct Registered {
    CLI::App* app;
    Run run;
};

void use_words(CLI::App& app, const Strings& strings) {
    auto formatter = std::make_shared<CLI::Formatter>();
    for (const char* label : {"Usage", "Options", "OPTIONS", "Positionals", "POSITIONALS", "Subcommands",
                              "SUBCOMMAND", "SUBCOMMANDS", "REQUIRED"})
        formatter->label(label, std::string(strings.text(std::string("help.") + label)));
    app.formatter(formatter);
    app.option_defaults()->group(std::string(strings.text("help.Options")));
    app.group(std::string(strings.text("help.Subcommands")));
    app.allow_extras();  // we report leftover words ourselves
}

// A word that is neither a file nor a link is taken for a mistyped command.
bool is_a_file(const std::string& word) {
    std::error_code ignored;
    return link_in(word) || word.find_first_of("./") != std::string::npos ||
           std::filesystem::exists(word, ignored);
}

// The first of the words that no option took, or of files where none is allowed.
std::optional<Problem> first_wrong_word(std::span<const char* const> typed, const CLI::App& root,
                                        const CLI::App& parsed) {
    const auto place = [&](const std::string& word) {
        return std::find(typed.begin(), typed.end(), word) - typed.begin();
    };
    std::optional<Problem> first;
    std::ptrdiff_t first_place = 0;
    const auto offer = [&](const CLI::App& app, const std::string& word) {
        if (word == "--") return;  // ends the options; the parser leaves it over
        if (first && place(word) >= first_place) return;
        first = left_over(app, word);
        first_place = place(word);
    };
    for (const CLI::App* app : {&root, &parsed})
        for (const std::string& word : app->remaining()) offer(*app, word);
    if (const CLI::Option* file = root.get_option_no_throw("FILE"); file != nullptr && file->count() > 0)
        for (const std::string& word : file->results())
            if (&parsed != &root || !is_a_file(word)) offer(parsed, word);
    return first;
}

// How often a file is named as one to be read.
std::ptrdiff_t times_read(const CLI::App& root, const CLI::App& parsed, std::string_view path) {
    std::ptrdiff_t times = 0;
    const auto count = [&](const CLI::App& app) {
        for (const CLI::Option* option : app.get_options())
            if (option->get_name() != "--output") times += std::ranges::count(option->results(), path);
    };
    count(root);
    if (&parsed != &root) count(parsed);
    return times;
}

Result<void> print(std::string_view text) {
    FileWriter out = FileWriter::standard_output();
    out.write(text);
    return out.commit();
}

// "0  Done.", a line for each exit code.
std::string exit_codes(const Strings& strings) {
    std::string lines = std::string(strings.text("help.exit")) + "\n";
    for (const Exit code :
         {Exit::done, Exit::failed, Exit::usage, Exit::no_display, Exit::slip, Exit::interrupted})
        lines += fmt::format("  {:<4}{}\n", static_cast<int>(code),
                             strings.text(fmt::format("manual.exit.{}", static_cast<int>(code))));
    return lines;
}

Result<void> parse_and_run(int argc, const char* const* argv, Terminal& terminal) {
    const Strings& strings = terminal.strings;
    SharedOptions shared;
    CLI::App root(std::string(strings.text("program.help")), "posiscope");
    use_words(root, strings);
    root.footer(exit_codes(strings));
    root.require_subcommand(0, 1);  // "lesson check" is one command, not two
    shared.add_to(root, strings);
    root.set_version_flag("--version", version(), std::string(strings.text("option.version.help")));

    std::vector<Registered> registered;
    for (const Command* command : commands()) {
        CLI::App* app = &root;
        if (!command->name.empty()) {
            const std::string name(command->name);
            app = root.add_subcommand(name, std::string(strings.text("command." + name + ".help")));
            use_words(*app, strings);
            app->footer("");  // the exit codes are stated once
            shared.add_to(*app, strings);
        }
        registered.push_back({app, command->add(*app, shared, strings)});
    }
    const auto parsed = [&] {
        return root.get_subcommands().empty() ? &root : root.get_subcommands().front();
    };

    try {
        root.parse(argc, argv);
    } catch (const CLI::CallForVersion& version) {
        return print(std::string(version.what()) + "\n");
    } catch (const CLI::CallForHelp&) {
        return print(root.help());  // of the selected command
    } catch (const CLI::ParseError& error) {
        return tl::unexpected(parser_problem(*parsed(), error));
    }
    if (auto wrong = first_wrong_word({argv, static_cast<std::size_t>(argc)}, root, *parsed()))
        return tl::unexpected(std::move(*wrong));
    if (times_read(root, *parsed(), "-") > 1) return refuse("usage.input_once");
    if (constexpr std::array<std::string_view, 2> languages = {"en", "zh"};
        !shared.language.empty() &&
        std::find(languages.begin(), languages.end(), shared.language) == languages.end())
        return tl::unexpected(not_one_of("--lang", shared.language, languages));
    terminal.quiet = shared.quiet;
    for (const Registered& command : registered)
        if (command.app == parsed()) return command.run(terminal);
    return tl::unexpected(unknown_command(""));
}

// The driver's message on a shader and its source are for developers: they go into a file, which the sentence names.
Problem with_its_log_kept(Problem problem) {
    for (auto& [name, value] : problem.values)
        if (name == "log") {
            const auto path = workbench::keep_log(platform::user_folders().state, "shader.log", value);
            value = path ? path->string() : "shader.log";
        }
    return problem;
}

}  // namespace

int run(int argc, const char* const* argv) {
    const Strings strings(language_of_arguments(argc, argv));
    Exit exit = Exit::done;
    Terminal terminal{strings, &exit};
    Result<void> outcome;
    try {
        outcome = parse_and_run(argc, argv, terminal);
    } catch (const std::bad_alloc&) {
        outcome = failure("memory.exhausted");
    } catch (const std::exception& error) {  // a bug
        outcome = failure("program.failed", {{"detail", error.what()}});
    }
    if (outcome) return static_cast<int>(exit);
    terminal.say_error(with_its_log_kept(outcome.error()));
    return static_cast<int>(exit == Exit::interrupted ? exit : exit_of(outcome.error()));
}

}  // namespace posiscope::commands
