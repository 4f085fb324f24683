// exports.hpp — runs an export as a separate process: this program with the equivalent command line. The window stays
// responsive, and an export that is stopped or crashes harms nothing else.
#pragma once

#include "app/panels/outside.hpp"
#include "app/platform/process.hpp"
#include "core/scene/scene.hpp"

#include <filesystem>
#include <functional>

namespace posiscope::workbench {

class Exports {
public:
    struct Order {
        std::vector<std::string> words;  // of a command line; `path` replaces the word after "-o"
        Scene scene;
        std::string path;
        bool replace = false;   // an existing file may be replaced
        std::string results{};  // of an experiment, as their file; empty: none
    };
    struct Ended {
        enum class How { done, stopped, failed };
        How how = How::done;
        std::string path;
        std::string reason;  // for a failure: a sentence in the window's language, or empty
    };

    // Calls `wake` from another thread when there is progress.
    explicit Exports(std::function<void()> wake = [] {}) : process_(std::move(wake)) {}
    // For tests, whose own program is not posiscope.
    void use_program(std::string program) { program_ = std::move(program); }

    Exports(const Exports&) = delete;
    Exports& operator=(const Exports&) = delete;
    ~Exports() { forget_results(); }

    // One at a time. Refused with Cause::taken if the file exists and may not be replaced.
    Result<void> start(const Order& order);
    void stop();
    // Call once a frame: updates running() and returns the result once.
    std::optional<Ended> follow();
    const std::optional<panels::Running>& running() const { return running_; }

private:
    void forget_results();

    platform::Process process_;
    std::string program_ = platform::own_program(), path_;
    std::filesystem::path handed_over_;  // a folder of ours while it runs, with the results
    std::optional<panels::Running> running_;
    bool stopped_ = false;
};

}  // namespace posiscope::workbench
