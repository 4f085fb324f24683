// experiment.hpp — every encoding of the settings trained from every seed, and what came of it.
// Runs go in the order in which people want to see them: seed 1 of every encoding first. They share nothing, so how
// many go side by side changes no bit.
#pragma once

#include "core/experiment/training.hpp"

#include <functional>

namespace posiscope::experiment {

inline constexpr std::int64_t kLossBlock = 10;  // steps; a run keeps the mean loss of each block

// One encoding from one seed.
struct Run {
    std::string encoding;
    std::uint64_t seed = 1;
    std::vector<double> loss;    // of each block of steps, nats
    std::vector<Scores> scores;  // unscaled first

    bool operator==(const Run&) const = default;
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
