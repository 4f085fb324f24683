// autosave.hpp — writes what is kept between starts whenever it has changed: the session, progress in lessons, results and
// preferences. A folder that cannot be written is reported once, and the program continues.
#pragma once

#include "app/platform/paths.hpp"
#include "app/workbench/document/store.hpp"
#include "app/workbench/workbench.hpp"

namespace posiscope::workbench {

class Keeper {
public:
    explicit Keeper(platform::Folders folders) : folders_(std::move(folders)) {}

    // After each frame in which nothing is held. `now`: the preferences, with the place of the window.
    void keep(Workbench& bench, Preferences now, bool scene_changed);
    // What was trained: soon after it is finished, and all of it at the end.
    void keep_results(Workbench& bench, bool all = false);

private:
    void tell(Workbench& bench, const Result<void>& saved);

    platform::Folders folders_;
    std::optional<Preferences> kept_;
    double results_kept_ = -1e9;
    bool told_ = false;
};

// Gives a window that begins what was kept: progress and results. Scene and preferences it has already.
void recall(Workbench& bench, const platform::Folders& folders);

}  // namespace posiscope::workbench
