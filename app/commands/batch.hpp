// batch.hpp — one command over many scenes, or over several values of a key: the program starts itself once for each, one per
// core at a time, so that a scene that fails or a driver that crashes affects no other scene.
#pragma once

#include "app/commands/options.hpp"

namespace posiscope::commands {

// The options of a batch: scene files, and how many run at a time.
struct Batch {
    std::vector<std::string> scenes;
    std::string over;  // "d_model=64,128,256"; empty: as the scenes have it
    int jobs = 0;      // 0: one per core

    void add_to(CLI::App& app, const Strings& strings);

    // More than one scene file is a batch, and so are the values of a key.
    bool many() const { return scenes.size() > 1 || !over.empty(); }
    Result<void> checked() const;  // refused: --jobs out of its range
    // The Scene of one file, with the common options applied.
    Result<Scene> scene(const SharedOptions& shared, const Terminal& terminal) const;
};

// "d_model=64,128,256" as three settings; commas in brackets and quotes belong to their value.
std::vector<std::string> settings_of(const std::string& over);

// "a=1 b=[2, 3]" as two settings: each begins with a key behind a blank that is in no bracket or quote.
std::vector<std::string> settings_in(std::string_view words);

// "LABEL: a=1 b=2" as its label and its settings, which begin behind the last colon that one follows; {"d_model=64", "d_model=64"} of
// settings alone, {"RoPE", ""} of a label alone.
std::pair<std::string, std::string> label_and_settings(const std::string& words);

// Runs `app`'s command with its other options for each scene and value; %s in `output` is the name of the scene's file without
// extension, the value, or with several of both "NAME-VALUE". Prints one line per finished scene and continues after a failure. Ctrl C ends all.
Result<void> run_batch(const CLI::App& app, const Batch& batch, const std::string& output,
                       const Terminal& terminal);

}  // namespace posiscope::commands
