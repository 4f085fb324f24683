// trainer.hpp — trains the experiment of the Scene beside the window, on two threads that yield to it (without threads, some
// milliseconds a frame). Finished runs are kept by settings, seed and set of instructions; a setting that changes leaves them,
// marked old, until there are new ones.
// Threads, since processes could not hand over a curve every 0.15 s without a second format.
#pragma once

#include "app/figures/parts/memo.hpp"
#include "app/platform/host.hpp"
#include "core/experiment/bank.hpp"
#include "core/experiment/shown.hpp"
#include "core/jobs/inbox.hpp"
#include "core/jobs/pool.hpp"

#include <functional>
#include <map>
#include <set>
#include <utility>

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
    // Results to be kept in a file of that name (experiment::name_of).
    struct Unsaved {
        std::string name;
        experiment::Results results;
    };

    // Without `threads`, follow() trains. Ends the runs under way when it goes.
    explicit Trainer(bool threads = platform::has_threads());

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
    void pause();    // within milliseconds
    void stop();     // at once; finished runs stay
    void restart();  // all of them anew
    bool running() const { return total_ > 0; }
    bool paused() const { return pool_.paused(); }
    std::size_t total() const { return total_; }  // runs of this queue
    std::size_t done() const { return total_ - ordered_.size(); }
    std::span<const Under> under_way() const { return under_; }
    // True if follow() has to be called for it to go on.
    bool runs_inline() const { return pool_.runs_inline(); }
    // Once: why a run failed. Then it has stopped.
    std::optional<Problem> take_problem() { return std::exchange(problem_, std::nullopt); }

    // Finished runs that no file has yet; asked for when there is time to write.
    std::optional<Unsaved> take_unsaved();

private:
    using RunId = std::pair<std::string, std::uint64_t>;  // encoding, seed

    void choose(const experiment::Shown& shown);
    void begin(bool anew);
    void queue(bool all);
    void forget();
    void take(std::vector<experiment::Known> news);

    std::function<void()> wake_ = [] {};
    std::function<std::optional<experiment::Results>(const std::string&)> memory_;
    figures::Same<Json> view_;
    figures::Kept<Json> followed_;
    std::optional<experiment::Shown> shown_;
    std::map<std::string, Bank> known_;  // of settings that were shown, by name
    Bank bank_, before_;                 // before_: what there was when the queue began
    bool old_ = false;
    std::set<std::string> unsaved_;  // names
    std::size_t total_ = 0;
    std::map<RunId, jobs::Pool::Id> ordered_;  // of this queue, and not finished
    std::vector<Under> under_;
    std::optional<Problem> problem_;
    jobs::Inbox<experiment::Known> inbox_;
    jobs::Pool pool_;  // the last member: its threads end first
};

}  // namespace posiscope::workbench
