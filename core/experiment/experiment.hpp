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
    std::string encoding;  // as in frame.hpp
    std::uint64_t seed = 1;
    std::vector<double> loss;     // of each block of steps, nats
    std::vector<Scores> scores;   // unscaled first; empty until it is finished
    std::vector<Moment> moments;  // of seed 1 alone: how it came about; the last is the finished model
    std::vector<LearnedNumber>
        learned;  // of a typed encoding, once it is trained: what its parameters came to

    bool operator==(const Run&) const = default;
};

// A run piece by piece, each some milliseconds long. Settings and encoding must fit (settings_from).
class RunInPieces {
public:
    RunInPieces(const Settings& settings, const std::string& encoding, std::uint64_t seed);
    RunInPieces(const RunInPieces&) = delete;
    RunInPieces& operator=(const RunInPieces&) = delete;
    RunInPieces(RunInPieces&&) noexcept;
    RunInPieces& operator=(RunInPieces&&) = delete;
    ~RunInPieces();

    // A piece of a step, of a look or of the scores. False once nothing is left to do.
    bool advance();
    // Curves and scores so far. Some scores are not all of them: a run that has scores counts as finished.
    const Run& run() const;
    bool scoring() const { return !run().scores.empty(); }
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

struct Watch {
    // Called now and then and after each run, by one thread at a time.
    std::function<void(const RunProgress&)> told{};
    // Asked some fifty times a second by the thread that called run_all: true ends what is under way, and what was finished
    // by then is what comes back.
    std::function<bool()> ended{};
    // By that thread too, where runs have ended since: all that are finished, in the order of the queue.
    std::function<void(const Results&)> finished{};
};

// Shard `index` of `count`: every count-th run in the order of the queue, from index − 1 on.
struct Share {
    std::size_t index = 1, count = 1;

    bool has(std::size_t place) const { return place % count == index - 1; }
};

std::string compiler();
// Adds a set of instructions, or a compiler, to a list of those that made the runs.
void join_once(std::string& list, const std::string& name);
// `before`: runs of the same training that are finished and are not made again. Runs under other instructions or of another
// compiler name both: "AVX2, AVX3".
Results run_all(const Settings& settings, int jobs, const Watch& watch = {}, const Results& before = {},
                Share share = {});

}  // namespace posiscope::experiment
