#include "app/commands/command.hpp"
#include "core/formats/file.hpp"
#include "core/nearest.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>

namespace posiscope::commands {
namespace {

std::string command_line(const CLI::App& command) {
    return command.get_parent() == nullptr ? "posiscope" : "posiscope " + command.get_name();
}

// The problem, without a nearest name where none is near.
Problem near_or_far(std::string key, std::vector<std::pair<std::string, std::string>> values) {
    const auto nearest = std::ranges::find(values, "nearest", [](const auto& one) { return one.first; });
    if (nearest->second.empty()) {
        values.erase(nearest);
        key += "_far";
    }
    return {std::move(key), std::move(values)};
}

}  // namespace

bool is_number(const std::string& text) {
    char* end = nullptr;
    const bool defined = !std::isnan(std::strtod(text.c_str(), &end));
    const bool digits = text.find_first_of("0123456789") != std::string::npos;  // there are none in "inf"
    return defined && digits && end == text.c_str() + text.size();
}

std::string joined(std::span<const std::string_view> names) {
    return fmt::format("{}", fmt::join(names, ", "));
}

Problem not_one_of(std::string_view place, std::string_view typed, std::span<const std::string_view> names) {
    if (typed.empty()) return {"usage.missing", {{"place", std::string(place)}, {"choices", joined(names)}}};
    return near_or_far("usage.choice", {{"place", std::string(place)},
                                        {"value", std::string(typed)},
                                        {"nearest", nearest(typed, names)},
                                        {"choices", joined(names)}});
}

Problem unknown_command(std::string_view typed) {
    std::vector<std::string_view> names;
    for (const Command* command : commands())
        if (!command->name.empty()) names.push_back(command->name);
    if (typed.empty()) return {"usage.no_command", {{"choices", joined(names)}}};
    return near_or_far(
        "usage.command",
        {{"value", std::string(typed)}, {"nearest", nearest(typed, names)}, {"choices", joined(names)}});
}

Problem left_over(const CLI::App& command, const std::string& argument) {
    if (!argument.starts_with('-')) {
        if (command.get_parent() == nullptr) return unknown_command(argument);
        return {"usage.extra", {{"value", argument}, {"command", command_line(command)}}};
    }
    std::vector<std::string> owned;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) owned.push_back("--" + name);
        for (const std::string& name : option->get_snames()) owned.push_back("-" + name);
    }
    const std::vector<std::string_view> names(owned.begin(), owned.end());
    const std::string typed = argument.substr(0, argument.find('='));
    return near_or_far(
        "usage.option",
        {{"value", typed}, {"nearest", nearest(typed, names)}, {"command", command_line(command)}});
}

Problem parser_problem(const CLI::App& command, const CLI::ParseError& error) {
    // "Could not convert: --scale = abc", and "--scale:  = nan" of our own checks; the other messages begin with the
    // option's name.
    constexpr std::string_view unread = "Could not convert: ";
    std::string text = error.what();
    if (text.starts_with(unread)) text.erase(0, unread.size());
    const std::string option = text.substr(0, text.find_first_of(": "));
    const std::string line = command_line(command);
    const bool read = dynamic_cast<const CLI::ConversionError*>(&error) != nullptr ||
                      dynamic_cast<const CLI::ValidationError*>(&error) != nullptr;
    if (const std::size_t at = text.find(" = "); read && at != std::string::npos) {
        const std::string value = text.substr(at + 3);
        if (value.empty()) return {"usage.needs_value", {{"option", option}, {"command", line}}};
        // A number that was not taken is a fraction, or too large, where whole ones are counted.
        return {is_number(value) ? "usage.whole" : "usage.number",
                {{"option", option}, {"value", value}, {"command", line}}};
    }
    if (read) return {"usage.value", {{"option", option}, {"command", line}, {"detail", text}}};
    return {"usage.needs_value", {{"option", option}, {"command", line}}};
}

// Posiscope help [COMMAND]: the same as posiscope COMMAND --help.

namespace help_command {
namespace {

Result<void> run(const std::string& typed, const CLI::App& root) {
    const auto named = root.get_subcommands([&](const CLI::App* one) { return one->get_name() == typed; });
    if (!typed.empty() && named.empty()) return tl::unexpected(unknown_command(typed));
    FileWriter out = FileWriter::standard_output();
    // App::help would give that of this command, which was typed.
    if (typed.empty())
        out.write(root.get_formatter()->make_help(&root, root.get_name(), CLI::AppFormatMode::Normal));
    else out.write(named.front()->help(root.get_name()));
    return out.commit();
}

Run add(CLI::App& app, const SharedOptions&, const Strings& strings) {
    auto typed = std::make_shared<std::string>();
    add_option(app, "COMMAND", *typed, strings.text("option.command.help"), "");
    return [typed, &app](const Terminal&) { return run(*typed, *app.get_parent()); };
}

}  // namespace
}  // namespace help_command

extern const Command kHelp{"help", help_command::add};

}  // namespace posiscope::commands
