#include "app/platform/file_dialog.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace posiscope::platform {

std::vector<std::string> dialog_command(bool kde, FileDialog::Kind kind, const std::string& title,
                                        const std::string& suggested) {
    const bool save = kind != FileDialog::Kind::open;
    const std::string start = suggested.empty() ? "." : suggested;
    if (kde) {
        if (save) return {"kdialog", "--title", title, "--getsavefilename", start};
        return {"kdialog", "--title", title, "--multiple", "--separate-output", "--getopenfilename", start};
    }
    std::vector<std::string> command{"zenity", "--file-selection", "--title=" + title};
    if (!suggested.empty()) command.push_back("--filename=" + suggested);
    if (save) {
        command.insert(command.end(), {"--save", "--confirm-overwrite"});
    } else {
        command.insert(command.end(), {"--multiple", "--separator=\n"});
    }
    return command;
}

bool FileDialog::ask(Kind kind, const std::string& title, const std::string& suggested) {
    if (program_.running()) return true;
    const char* desktop = std::getenv("XDG_CURRENT_DESKTOP");
    const bool kde = desktop != nullptr && std::string_view(desktop).find("KDE") != std::string_view::npos;
    kind_ = kind;
    return program_.start(dialog_command(kde, kind, title, suggested), Process::Hear::output) == 0 ||
           program_.start(dialog_command(!kde, kind, title, suggested), Process::Hear::output) == 0;
}

std::optional<FileDialog::Chosen> FileDialog::take() {
    const auto ended = program_.take();
    if (!ended) return std::nullopt;
    Chosen chosen{kind_, {}};
    std::string_view rest = ended->said;
    while (!rest.empty()) {  // one path per line
        const auto end = std::min(rest.find('\n'), rest.size());
        if (end > 0) chosen.paths.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return chosen;
}

}  // namespace posiscope::platform
