// experiment.hpp — every encoding of the settings trained from every seed, and what came of it.
// Runs go in the order in which people want to see them: seed 1 of every encoding first. They share nothing, so how
// many go side by side changes no bit.
#pragma once

#include "core/experiment/moment.hpp"

#include <functional>
#include <memory>

namespace posiscope::experiment {

inline constexpr std::int64_t kLossBlock = 10;  // steps; a run keeps the mean loss of each block

// One encoding from one seed.
struct Run {
    std::string encoding;
    std::uint64_t seed = 1;
    std::vector<double> loss;     // of each block of steps, nats
    std::vector<Scores> scores;   // unscaled first; empty until it is finished
    std::vector<Moment> moments;  // of seed 1 alone: how it came about; the last is the finished model

    bool operator==(const Run&) const = default;
};

// Called after every step of a run with what there is of it; where it gives false the run ends there.
using RunWatch = std::function<bool(const Run& sofar, std::int64_t step)>;

// Trains one encoding from one seed; nothing where `watch` ended it. Settings and encoding must fit (settings_from).
std::optional<Run> train(const Settings& settings, const std::string& encoding, std::uint64_t seed,
                         const RunWatch& watch);

// The same run bit by bit, for a program without threads. Settings and encoding must fit.
class RunInSteps {
public:
    RunInSteps(const Settings& settings, const std::string& encoding, std::uint64_t seed);
    RunInSteps(const RunInSteps&) = delete;
    RunInSteps& operator=(const RunInSteps&) = delete;
    RunInSteps(RunInSteps&&) noexcept;
    RunInSteps& operator=(RunInSteps&&) = delete;
    ~RunInSteps();

    // One step of training; after the last one, the scores under one scaling. False once nothing is left to do.
    bool advance();
    const Run& run() const;
    std::int64_t step() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

struct Results {
    Settings settings;
    std::string instructions;  // "AVX3"
    std::string compiler;      // "GCC 12.2.0"
    std::vector<Run> runs;     // in the order of the queue

    const Run* run(std::string_view encoding, std::uint64_t seed) const;
    bool operator==(const Results&) const = default;
};

struct RunProgress {
    std::string_view encoding;
    std::uint64_t seed;
    std::int64_t step;     // of settings.steps
    std::size_t finished;  // runs
};

// `watch` is called now and then, by one thread at a time; where it gives false everything ends, and what was finished
// by then is what comes back.
using Watch = std::function<bool(const RunProgress&)>;

std::string compiler();
Results run_all(const Settings& settings, int jobs, const Watch& watch);

}  // namespace posiscope::experiment
