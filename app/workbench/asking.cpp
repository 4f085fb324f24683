// asking.cpp — what the workbench asks about files, which it does not know itself.
#include "app/workbench/workbench.hpp"

#include <filesystem>

namespace posiscope::workbench {

using For = panels::PathDialog::For;

void Workbench::ask_path(For purpose, std::string_view suggested) {
    path_dialog_ = {};
    path_dialog_.purpose = purpose;
    path_dialog_.fresh = true;
    refused_target_.clear();
    suggested.copy(path_dialog_.text.data(), path_dialog_.text.size() - 1);
}

void Workbench::path_answered(const Result<void>& done) {
    if (done) {
        path_dialog_ = {};
        return;
    }
    path_dialog_.problem = done.error();
    refused_target_ = done.error().cause == Cause::taken ? path_dialog_.text.data() : "";
}

// Entered a second time, a name that is taken is meant.
void Workbench::serve_path_dialog(const ui::Look& look) {
    const For purpose = path_dialog_.purpose;
    auto entered = panels::path_dialog(look, path_dialog_);
    if (!entered) return;
    requests_.typed = true;
    if (purpose == For::opening) requests_.open_files = {std::move(*entered)};
    else requests_.save_scene = Requests::Target{*entered, *entered == refused_target_};
}

// Whether they are still there is asked when the menu opens, and not in every frame.
void Workbench::look_for_recent() {
    recent_.clear();
    for (const std::string& path : preferences_.recent) {
        std::error_code error;
        recent_.push_back({path, std::filesystem::exists(path, error)});
    }
}

}  // namespace posiscope::workbench
