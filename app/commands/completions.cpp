// completions.cpp — what a shell offers while a command line is typed: commands, options, and the words that options take.
#include "app/commands/manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace posiscope::commands {
namespace {

// In single quotes, as all three shells read them; a quote ends them, and begins them again.
std::string in_quotes(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'') out += "'\\''";
        else out += c;
    }
    return out + "'";
}

// Every command takes the program's own options too, but for the version.
std::vector<const DescribedOption*> options_of(std::span<const DescribedCommand> all,
                                               const DescribedCommand& command) {
    std::vector<const DescribedOption*> options;
    if (!command.name.empty())
        for (const DescribedOption& one : all[0].options)
            if (!one.argument && one.names.back() != "--version") options.push_back(&one);
    for (const DescribedOption& one : command.options) options.push_back(&one);
    return options;
}

std::string names_of_commands(std::span<const DescribedCommand> all) {
    std::string names;
    for (const DescribedCommand& command : all.subspan(1)) names += (names.empty() ? "" : " ") + command.name;
    return names;
}

}  // namespace

std::string bash_completion(std::span<const DescribedCommand> all) {
    std::string out =
        "# Completion of posiscope for bash; written by: posiscope manual bash\n"
        "_posiscope() {\n"
        "    local now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= word typed=\n"
        // Bash takes "=" for a word: of "layout=ha" only "ha" is completed.
        "    local at=$COMP_CWORD\n"
        "    [[ $now == = ]] && now= || at=$((at - 1))\n"
        "    if [[ ${COMP_WORDS[at]} == = ]]; then\n"
        "        typed=${COMP_WORDS[at-1]}= before=${COMP_WORDS[at-2]}\n"
        "        [[ $typed == --* ]] && before=${typed%=} typed=\n"
        "    fi\n"
        "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
        "        case $word in\n";
    out += fmt::format("            {}) command=$word; break ;;\n",
                       fmt::join(
                           [&] {
                               std::vector<std::string> names;
                               for (const DescribedCommand& command : all.subspan(1))
                                   names.push_back(command.name);
                               return names;
                           }(),
                           "|"));
    out += "        esac\n    done\n    COMPREPLY=()\n    case $command:$before in\n";
    for (const DescribedCommand& command : all) {
        for (const DescribedOption* one : options_of(all, command)) {
            if (one->argument || one->value.empty()) continue;
            std::vector<std::string> patterns;
            for (const std::string& name : one->names) patterns.push_back(command.name + ":" + name);
            out += fmt::format("        {})\n", fmt::join(patterns, "|"));
            if (!one->choices.empty())
                out += fmt::format("            COMPREPLY=($(compgen -W {} -- \"$typed$now\"))\n",
                                   in_quotes(fmt::format("{}", fmt::join(one->choices, " "))));
            if (one->names.back() == "--set")
                out += "            COMPREPLY=(\"${COMPREPLY[@]#\"$typed\"}\")\n"
                       "            [[ ${COMPREPLY[*]} == *= ]] && compopt -o nospace 2>/dev/null\n";
            if (one->path) out += "            COMPREPLY+=($(compgen -f -- \"$now\"))\n";
            out += "            return ;;\n";
        }
    }
    out += "    esac\n    case $command in\n";
    for (const DescribedCommand& command : all) {
        std::string words;
        bool path = false;
        for (const DescribedOption* one : options_of(all, command)) {
            if (one->argument) {
                path = path || one->path;
                for (const std::string& choice : one->choices) words += choice + " ";
                continue;
            }
            for (const std::string& name : one->names) words += name + " ";
        }
        if (command.name.empty()) words += names_of_commands(all);
        while (words.ends_with(' ')) words.pop_back();
        out += fmt::format("        {})\n            COMPREPLY=($(compgen -W {} -- \"$now\"))\n",
                           command.name.empty() ? "''" : command.name, in_quotes(words));
        if (path) out += "            COMPREPLY+=($(compgen -f -- \"$now\"))\n";
        out += "            ;;\n";
    }
    return out + "    esac\n}\ncomplete -o filenames -F _posiscope posiscope\n";
}

std::string zsh_completion(std::span<const DescribedCommand> all) {
    // In a specification a colon ends a part and brackets hold the description.
    const auto escaped = [](std::string_view text) {
        std::string out;
        for (const char c : text) {
            if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
            out += c;
        }
        return out;
    };
    const auto action = [&](const DescribedOption& one) -> std::string {
        if (one.choices.empty()) return one.path ? "_files" : " ";
        if (one.names.back() == "--set")
            return fmt::format("{{compadd -S \"\" -- {}}}", fmt::join(one.choices, " "));
        if (one.path) return "_posiscope_or_file " + fmt::format("{}", fmt::join(one.choices, " "));
        return fmt::format("({})", fmt::join(one.choices, " "));
    };
    std::string out =
        "#compdef posiscope\n"
        "# Completion of posiscope for zsh; written by: posiscope manual zsh\n"
        "_posiscope_or_file() { compadd -- \"$@\"; _files }\n"
        "_posiscope() {\n    local -a common commands\n    local curcontext=$curcontext state line\n";
    const auto specify = [&](const DescribedOption& one) {
        std::string lines;
        for (const std::string& name : one.names)
            lines += fmt::format(
                "        {}\n",
                in_quotes(fmt::format(
                    "*{}[{}]{}", name, escaped(one.help),
                    one.value.empty() ? "" : fmt::format(":{}:{}", escaped(one.value), action(one)))));
        return lines;
    };
    out += "    common=(\n";
    for (const DescribedOption& one : all[0].options)
        if (!one.argument) out += specify(one);
    out += "    )\n    commands=(\n";
    for (const DescribedCommand& command : all.subspan(1))
        out += fmt::format("        {}\n", in_quotes(command.name + ":" + escaped(command.help)));
    out += "    )\n    case ${words[(r)";
    std::vector<std::string> names;
    for (const DescribedCommand& command : all.subspan(1)) names.push_back(command.name);
    out += fmt::format("({})]}} in\n", fmt::join(names, "|"));
    for (const DescribedCommand& command : all.subspan(1)) {
        out += fmt::format("    {})\n        _arguments $common \\\n            '1: :({})'", command.name,
                           command.name);
        bool argument = false;
        for (const DescribedOption& one : command.options) {
            if (one.argument) {
                argument = true;
                out += fmt::format(" \\\n            {}",
                                   in_quotes(fmt::format("*:{}:{}", escaped(one.names[0]), action(one))));
                continue;
            }
            for (const std::string& name : one.names)
                out += fmt::format(
                    " \\\n            {}",
                    in_quotes(fmt::format(
                        "*{}[{}]{}", name, escaped(one.help),
                        one.value.empty() ? "" : fmt::format(":{}:{}", escaped(one.value), action(one)))));
        }
        out += argument ? " ;;\n" : " ;;\n";
    }
    return out + "    *)\n        _arguments $common '*:: :->start'\n"
                 "        [[ $state == start ]] && { _describe command commands; _files } ;;\n"
                 "    esac\n}\n_posiscope \"$@\"\n";
}

std::string fish_completion(std::span<const DescribedCommand> all) {
    std::string out = "# Completion of posiscope for fish; written by: posiscope manual fish\n";
    const std::string names = names_of_commands(all);
    for (const DescribedCommand& command : all.subspan(1))
        out += fmt::format("complete -c posiscope -n 'not __fish_seen_subcommand_from {}' -a {} -d {}\n",
                           names, command.name, in_quotes(command.help));
    for (const DescribedCommand& command : all) {
        const std::string where =
            command.name.empty() ? "" : fmt::format(" -n '__fish_seen_subcommand_from {}'", command.name);
        for (const DescribedOption& one : command.options) {
            const std::string choices =
                one.choices.empty() ? "" : " -a " + in_quotes(fmt::format("{}", fmt::join(one.choices, " ")));
            if (one.argument) {
                if (!one.choices.empty())
                    out += fmt::format("complete -c posiscope{} -f{}\n", where, choices);
                continue;
            }
            out += fmt::format("complete -c posiscope{}", where);
            for (const std::string& name : one.names)
                out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (!one.value.empty()) out += one.path ? " -r" : " -x";
            out += fmt::format("{} -d {}\n", choices, in_quotes(one.help));
        }
    }
    return out;
}

}  // namespace posiscope::commands
