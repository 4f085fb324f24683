// path_prompts.hpp — the dialogs that ask for a path: to open or save a scene, and to export. After "already exists", entering the
// same path again replaces the file.
#pragma once

#include "app/panels/export_dialog.hpp"
#include "app/panels/question.hpp"

#include <filesystem>

namespace posiscope::workbench {

// A file to write.
struct Target {
    std::string path;
    bool replace = false;  // an existing file may be replaced
};

class AskPath {
public:
    using For = panels::PathDialog::For;

    void open(For purpose, std::string_view suggested = {});
    // The result for the entered path: the dialog closes, or shows why it was refused.
    void answered(const Result<void>& done);

    Target target(std::string_view entered) const { return {std::string(entered), entered == refused_}; }
    panels::PathDialog& dialog() { return dialog_; }

private:
    panels::PathDialog dialog_;
    std::string refused_;  // this path already exists
};

class AskExport {
public:
    // The default folder.
    void set_folder(std::filesystem::path folder) { folder_ = std::move(folder); }

    // For a figure, or the whole bench if the name is empty; `seen` is its present size.
    // `steps` of a training that a film may go over; 0: none.
    void open(std::string_view figure, const Scene& scene, std::array<int, 2> seen, int steps = 0);
    // Another figure was chosen: updates the size, and the name unless the user typed one.
    void suggest(std::string_view figure, const Scene& scene, std::array<int, 2> seen);
    // Another kind of file was chosen: a name that was free for the last one is looked for anew, unless the user typed one.
    void follow_ending(const Scene& scene);
    void set_path(std::string_view path);
    void answered(const Result<void>& done);

    Target target() const;
    panels::ExportDialog& dialog() { return dialog_; }
    const panels::ExportDialog& dialog() const { return dialog_; }

private:
    void suggest_name(const Scene& scene);

    panels::ExportDialog dialog_;
    std::string suggested_;    // without its ending
    std::string_view ending_;  // for which it was free
    std::string refused_;
    std::filesystem::path folder_;
};

struct Asking {
    AskPath path;
    AskExport target;                   // of an export
    std::vector<std::string> declined;  // files that a scene names, not to be read for now
    std::string page;                   // of a pasted link, until somebody says whether their own begin so
};

// The name of a file with a picture of a figure, or of the bench where that is empty: posiscope-rotations-p10-k3.
std::string file_stem(std::string_view figure, const Scene& scene);

// A path in `folder` that nothing has yet: stem.ending, stem-2.ending, …
std::filesystem::path free_path(const std::filesystem::path& folder, std::string_view stem,
                                std::string_view ending);

// The whole command line, quoted for a shell.
std::string shell_line(std::span<const std::string> words, const Scene& scene);

}  // namespace posiscope::workbench
