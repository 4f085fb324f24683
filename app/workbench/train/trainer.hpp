// trainer.hpp — trains the experiment of the Scene beside the window, on two threads that yield to it. Finished runs are
// kept by settings, seed and set of instructions; a setting that changes leaves them, marked old, until there are new ones.
#pragma once

#include "app/figures/parts/memo.hpp"
#include "core/experiment/bank.hpp"
#include "core/experiment/shown.hpp"

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace posiscope::workbench {

class Trainer {
public:
    using Bank = figures::Kept<experiment::Bank>;

    // A run under way.
    struct Under {
        std::string encoding;
        std::uint64_t seed = 1;
        std::int64_t step = 0;
    };
    // What is to be kept in a file of that name (experiment::name_of).
    struct Unsaved {
        std::string name;
        experiment::Results results;
    };

    Trainer();
    ~Trainer();  // ends the runs under way
    Trainer(const Trainer&) = delete;
    Trainer& operator=(const Trainer&) = delete;

    // Called from other threads when there is something to show. Set before anything runs.
    void set_wake(std::function<void()> wake);
    // Finds what was kept under a name; without it nothing was.
    void set_memory(std::function<std::optional<experiment::Results>(const std::string& name)> memory);
    // Shows results from elsewhere: at once, marked old, where the Scene has other settings.
    void adopt(experiment::Bank bank);

    // Call once a frame: the settings to show, and what the threads have done since.
    void follow(const Json& view);
    const Bank& bank() const { return bank_; }  // null: no results, not even old ones
    bool old() const { return old_; }
    const std::optional<experiment::Shown>& shown() const { return shown_; }

    void run();      // the runs that are missing, seed 1 of every encoding first; or goes on after a pause
    void pause();    // within a step
    void stop();     // finished runs stay
    void restart();  // all of them anew
    bool running() const { return total_ > 0; }
    bool paused() const;
    std::size_t total() const { return total_; }  // runs of this queue
    std::size_t done() const { return done_; }
    std::span<const Under> under_way() const { return under_; }

    // Finished runs that no file has yet; asked for when there is time to write.
    std::optional<Unsaved> take_unsaved();
    bool has_unsaved() const { return !unsaved_.empty(); }

private:
    struct Job {
        std::string encoding;
        std::uint64_t seed;
    };
    struct Shared;

    void choose(const experiment::Shown& shown);
    void begin(bool anew);
    void queue(bool all);
    void take_news();

    std::unique_ptr<Shared> shared_;
    std::function<std::optional<experiment::Results>(const std::string&)> memory_;
    figures::Same<Json> view_;
    figures::Kept<Json> followed_;
    std::optional<experiment::Shown> shown_;
    std::map<std::string, Bank> known_;  // of settings that were shown, by name
    Bank bank_, before_;                 // before_: what there was when the queue began
    bool old_ = false;
    std::set<std::string> unsaved_;  // names
    std::size_t total_ = 0, done_ = 0;
    std::vector<Under> under_;
};

}  // namespace posiscope::workbench
