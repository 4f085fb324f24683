// batch.hpp — one command over many scenes: the program starts itself once for each, as many at a time as there are
// cores, so that a scene that fails, or a driver that crashes, takes nothing else with it.
#pragma once

#include "app/commands/options.hpp"

namespace posiscope::commands {

// What a command takes to become a batch: scene files, and how many are worked on at a time.
struct Batch {
    std::vector<std::string> scenes;
    int jobs = 0;  // 0: as many as there are cores

    void add_to(CLI::App& app, const Strings& strings);

    // More than one scene file is a batch.
    bool many() const { return scenes.size() > 1; }
    // The Scene of one: its file, and what every command takes laid over that.
    Result<Scene> scene(const SharedOptions& shared, const Terminal& terminal) const;
};

// Runs `app`'s command with its other options for each scene; `output` has %s, the name of the scene's file without its
// ending. A line for each that is done; after a failure the others go on. Ctrl C ends them all.
Result<void> run_batch(const CLI::App& app, const Batch& batch, const std::string& output,
                       const Terminal& terminal);

}  // namespace posiscope::commands
