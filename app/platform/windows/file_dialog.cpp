// Windows' own dialog, in a program beside this one (dialog/main.cpp): the window goes on, and what others have hooked into the
// dialog cannot take it along.
#include "app/platform/file_dialog.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace posiscope::platform {

std::vector<std::string> dialog_command(bool, FileDialog::Kind kind, const std::string& title,
                                        const std::string& suggested) {
    const std::filesystem::path program =
        std::filesystem::path(own_program()).parent_path() / "posiscope-dialog.exe";
    return {program.string(), kind == FileDialog::Kind::open ? "open" : "save", title, suggested};
}

bool FileDialog::ask(Kind kind, const std::string& title, const std::string& suggested) {
    if (program_.running()) return true;
    kind_ = kind;
    return program_.start(dialog_command(false, kind, title, suggested), Process::Hear::output) == 0;
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
