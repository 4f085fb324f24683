// file_dialog.hpp — the desktop's own dialog for files, through the program that desktops have for it: kdialog on KDE, else
// zenity. No shell is between, and the window goes on while it is open.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <thread>
#include <utility>
#include <vector>

namespace posiscope::window {

class FileDialog {
public:
    enum class Kind { open, save };
    struct Chosen {
        Kind kind;
        std::vector<std::string> paths;  // none: it was closed
    };

    // `wake` is called from another thread when the dialog has ended.
    explicit FileDialog(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~FileDialog();
    FileDialog(const FileDialog&) = delete;
    FileDialog& operator=(const FileDialog&) = delete;

    // False where there is no such program. Nothing happens while one is open already.
    bool ask(Kind kind, const std::string& title, const std::string& suggested);

    // What came of it, once.
    std::optional<Chosen> take();

private:
    bool start(const std::vector<std::string>& command);
    void finish();

    std::function<void()> wake_;
    Kind kind_ = Kind::open;
    ::pid_t child_ = 0;  // 0: none is open
    int output_ = -1;
    std::string said_;
    std::atomic<bool> ended_ = false;
    std::thread reader_;
};

// The command for a dialog, as its program wants it; for tests too.
std::vector<std::string> dialog_command(bool kde, FileDialog::Kind kind, const std::string& title,
                                        const std::string& suggested);

}  // namespace posiscope::window
