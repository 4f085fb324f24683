// manual_page.cpp — posiscope(1), for man.
#include "app/commands/manual.hpp"

#include <fmt/format.h>

namespace posiscope::commands {
namespace {

// As text of a page: a dash stays a dash, a backslash a backslash, and no line begins with a request.
std::string plain(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\') out += "\\(rs";
        else if (c == '-') out += "\\-";
        else out += c;
    }
    if (!out.empty() && (out[0] == '.' || out[0] == '\'')) out.insert(0, "\\&");
    return out;
}

void heading(std::string& page, std::string_view text) { page += fmt::format(".SH {}\n", text); }

void option(std::string& page, const DescribedOption& one) {
    page += ".TP\n";
    for (std::size_t i = 0; i < one.names.size(); ++i)
        page += fmt::format("{}{}{}\\fR", i == 0 ? "" : ", ", one.argument ? "\\fI" : "\\fB",
                            plain(one.names[i]));
    if (!one.value.empty()) page += fmt::format(" \\fI{}\\fR", plain(one.value));
    page += fmt::format("\n{}\n", plain(one.help));
}

// A term with what it means, for each of some keys of the string tables.
void terms(std::string& page, const Strings& strings,
           std::initializer_list<std::pair<std::string_view, std::string_view>> rows) {
    for (const auto& [term, key] : rows)
        page += fmt::format(".TP\n\\fB{}\\fR\n{}\n", plain(term), plain(strings.text(key)));
}

}  // namespace

std::string manual_page(std::span<const DescribedCommand> commands, const Strings& strings) {
    const auto text = [&](std::string_view key) { return strings.text(key); };
    std::string page =
        ".\\\" Written by: posiscope manual page\n.TH POSISCOPE 1 \"\" \"Posiscope " POSISCOPE_VERSION "\"\n";
    heading(page, text("manual.name"));
    page += fmt::format("posiscope \\- {}\n", plain(text("manual.what")));
    heading(page, text("manual.synopsis"));
    page +=
        fmt::format(".B posiscope\n[\\fI{0}\\fR] [\\fI{1}\\fR...]\n", plain(text("help.Options")), "FILE");
    for (const DescribedCommand& command : commands.subspan(1)) {
        page += fmt::format(".br\n.B posiscope {}\n[\\fI{}\\fR]", command.name, plain(text("help.Options")));
        for (const DescribedOption& one : command.options)
            if (one.argument) page += fmt::format(" [\\fI{}\\fR]", plain(one.names[0]));
        page += '\n';
    }
    heading(page, text("manual.description"));
    page += plain(text("manual.about"));
    page += '\n';
    heading(page, text("manual.options"));
    for (const DescribedOption& one : commands[0].options) option(page, one);
    heading(page, text("manual.commands"));
    for (const DescribedCommand& command : commands.subspan(1)) {
        page += fmt::format(".SS \"posiscope {}\"\n{}\n", command.name, plain(command.help));
        for (const DescribedOption& one : command.options) option(page, one);
    }
    heading(page, text("manual.exit"));
    terms(page, strings,
          {{"0", "manual.exit.0"},
           {"1", "manual.exit.1"},
           {"2", "manual.exit.2"},
           {"3", "manual.exit.3"},
           {"4", "manual.exit.4"},
           {"5", "manual.exit.5"},
           {"130", "manual.exit.130"}});
    heading(page, text("manual.files"));
    terms(page, strings,
          {{"$XDG_STATE_HOME/posiscope (~/.local/state/posiscope)", "manual.files.state"},
           {"$XDG_CONFIG_HOME/posiscope (~/.config/posiscope)", "manual.files.config"}});
    heading(page, text("manual.environment"));
    terms(page, strings,
          {{"LC_ALL, LC_MESSAGES, LANG", "manual.environment.language"},
           {"DISPLAY, WAYLAND_DISPLAY", "manual.environment.display"},
           {"NO_COLOR", "manual.environment.no_color"}});
    return page;
}

}  // namespace posiscope::commands
