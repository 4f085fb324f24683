// help.cpp — posiscope help [COMMAND]: the same as posiscope COMMAND --help.
#include "app/commands/command.hpp"
#include "app/commands/usage.hpp"
#include "core/formats/file.hpp"

#include <CLI/CLI.hpp>
#include <memory>

namespace posiscope::commands {
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
