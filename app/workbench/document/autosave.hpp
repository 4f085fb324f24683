// autosave.hpp — writes what is kept between starts a little after it has changed: the session, progress in lessons, results
// and preferences. A folder that cannot be written is reported, and the program continues.
#pragma once

#include "app/platform/paths.hpp"
#include "app/workbench/document/late_writes.hpp"
#include "app/workbench/document/store.hpp"
#include "app/workbench/workbench.hpp"

namespace posiscope::workbench {

class Autosave {
public:
    // `loaded`: the preferences as they were read. `wake`: from another thread, when there is a failure to report.
    Autosave(platform::Folders folders, Preferences loaded, std::function<void()> wake);

    // After each frame.
    void keep(Workbench& bench, bool scene_changed);
    // At the end: everything is written, or these are the reasons why not.
    std::vector<Problem> finish(Workbench& bench);
    std::size_t written() const { return writes_.written(); }  // files so far, in a page

private:
    void put(Workbench& bench, bool scene_changed);

    platform::Folders folders_;
    std::optional<Preferences> kept_;       // handed over last
    std::shared_ptr<Preferences> written_;  // its last state in the file; only the writes touch it
    std::shared_ptr<Json> done_;            // the same of progress in lessons
    LateWrites writes_;
};

// Gives a window that begins what was kept, progress and results, and a chance of its own for the numbers of its lessons. Scene and
// preferences it has already.
void recall(Workbench& bench, const platform::Folders& folders);

}  // namespace posiscope::workbench
