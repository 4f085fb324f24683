// file_dialog.hpp — the desktop's own dialog for files, through the program that desktops have for it: kdialog on KDE, else
// zenity.
#pragma once

#include "app/platform/process.hpp"

namespace posiscope::platform {

class FileDialog {
public:
    enum class Kind { open, save, target };  // a scene's place, and that of something exported
    struct Chosen {
        Kind kind;
        std::vector<std::string> paths;  // none: it was closed
    };

    // `wake` is called from another thread when the dialog has ended.
    explicit FileDialog(std::function<void()> wake) : program_(std::move(wake)) {}

    // False where there is no such program. Nothing happens while one is open already.
    bool ask(Kind kind, const std::string& title, const std::string& suggested);

    // What came of it, once.
    std::optional<Chosen> take();

private:
    Process program_;
    Kind kind_ = Kind::open;
};

// The command for a dialog, as its program wants it; for tests too.
std::vector<std::string> dialog_command(bool kde, FileDialog::Kind kind, const std::string& title,
                                        const std::string& suggested);

}  // namespace posiscope::platform
