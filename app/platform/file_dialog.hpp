// file_dialog.hpp — the desktop's file dialog, through the program for it: kdialog on KDE, else zenity.
// Debian packages no library for this, and a toolkit would be larger than the rest of the program.
#pragma once

#include "app/platform/process.hpp"

namespace posiscope::platform {

class FileDialog {
public:
    enum class Kind { open, save, lesson, target };  // save: a scene; lesson: a new one; target: an export
    struct Chosen {
        Kind kind;
        std::vector<std::string> paths;  // none: it was closed
    };

    // `wake` is called from another thread when the dialog has ended.
    explicit FileDialog(std::function<void()> wake) : program_(std::move(wake)) {}

    // False without such a program. Does nothing while a dialog is open.
    bool ask(Kind kind, const std::string& title, const std::string& suggested);

    // The outcome, once.
    std::optional<Chosen> take();

private:
    Process program_;
    Kind kind_ = Kind::open;
};

// The command for a dialog, as its program wants it; for tests too.
std::vector<std::string> dialog_command(bool kde, FileDialog::Kind kind, const std::string& title,
                                        const std::string& suggested);

}  // namespace posiscope::platform
