#include "app/window/file_dialog.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace posiscope::window {

std::vector<std::string> dialog_command(bool kde, FileDialog::Kind kind, const std::string& title,
                                        const std::string& suggested) {
    const bool save = kind == FileDialog::Kind::save;
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

FileDialog::~FileDialog() {
    if (child_ != 0) ::kill(child_, SIGTERM);
    finish();
}

void FileDialog::finish() {
    if (reader_.joinable()) reader_.join();
    if (output_ >= 0) ::close(std::exchange(output_, -1));
    if (child_ != 0) ::waitpid(std::exchange(child_, 0), nullptr, 0);
}

bool FileDialog::start(const std::vector<std::string>& command) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const int error = ::posix_spawnp(&child_, words[0], &actions, nullptr, words.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (error != 0) {
        ::close(ends[0]);
        child_ = 0;
        return false;
    }
    output_ = ends[0];
    return true;
}

bool FileDialog::ask(Kind kind, const std::string& title, const std::string& suggested) {
    if (child_ != 0) return true;
    const char* desktop = std::getenv("XDG_CURRENT_DESKTOP");
    const bool kde = desktop != nullptr && std::string_view(desktop).find("KDE") != std::string_view::npos;
    if (!start(dialog_command(kde, kind, title, suggested)) &&
        !start(dialog_command(!kde, kind, title, suggested)))
        return false;
    kind_ = kind;
    said_.clear();
    ended_ = false;
    reader_ = std::thread([this] {
        char piece[4096];
        for (;;) {
            const ::ssize_t count = ::read(output_, piece, sizeof(piece));
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) break;
            said_.append(piece, static_cast<std::size_t>(count));
        }
        ended_ = true;
        wake_();
    });
    return true;
}

std::optional<FileDialog::Chosen> FileDialog::take() {
    if (child_ == 0 || !ended_) return std::nullopt;
    finish();
    Chosen chosen{kind_, {}};
    std::string_view rest = said_;
    while (!rest.empty()) {  // one path a line
        const auto end = std::min(rest.find('\n'), rest.size());
        if (end > 0) chosen.paths.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return chosen;
}

}  // namespace posiscope::window
