// results.hpp — results as files and as numbers.
// JSON     {"experiment": 1, "settings": {…}, "instructions": …, "compiler": …, "loss_block": 10, "runs": [{"encoding",
//          "seed", "loss": […], "scores": [{"scaling", "trained": {"sum": […], "asked": […]}, "tested": …}]}]}
//          sum/asked is the score at each position: accuracy, or nats above the optimum. One run a line. Seed 1 has
//          "moments": [{"step", "tested": [score or null], "heads": weights as in moment.hpp}] besides;
//          a run of a typed encoding (frame.hpp) has "learned": {"s": [0.43]}, what its parameters came to.
#pragma once

#include "core/experiment/experiment.hpp"
#include "core/formats/arrays.hpp"

namespace posiscope::experiment {

// Sums and scores of nats are rounded to 1e-4 and losses to 1e-5, in the file and in what comes back; all else is exact.
std::string to_text(const Results& results);

// True if a JSON object is meant as results, to tell them from a Scene.
bool looks_like_results(const Json& json);

// Refuses what is no results file, breaks off, or contradicts its own settings.
Result<Results> results_from(std::string_view text);

// Adds the runs of `more`, with the encodings and seeds of both, in the order of the queue. A run that both have stands once.
// Refused: experiment.other_training  key          they were not trained alike
//          experiment.two_runs  encoding, seed     both have that run, with different numbers
Result<void> merge(Results& into, const Results& more);

// A score over some positions: its mean over the seeds, the least and the most of them.
struct Spread {
    double mean = 0.0, deviation = 0.0, least = 0.0, most = 0.0;
    std::size_t seeds = 0;  // 0: nothing there
};

// The columns in which results are told: the trained length, then what follows it in steps of that length.
// Column 0 is of fresh sequences of the trained length, with a scaling of the second half of it in the test.
std::size_t column_count(const Settings& settings);
Spread spread(const Results& results, std::string_view encoding, Scaling scaling, std::size_t column);

Spread spread_of(std::span<const double> values);  // all finite
// A number that a typed encoding learned, over the seeds; 0 seeds where it is not learned, or is a list.
Spread learned_spread(const Results& results, std::string_view encoding, std::string_view name);

// One array for each curve: "rope", "rope_yarn" and "rope_trained" [positions, seeds], "rope_loss" [blocks, seeds]; and what a
// typed encoding learned: "own.s" [1, seeds].
std::vector<Array> arrays_of(const Results& results, std::vector<std::string>& names);

// All of it as .json, .csv or .npy. NPY holds `arrays_of`. CSV is tidy: after lines of comment, one observation a line,
//   encoding,scaling,seed,curve,at,value,count
// curve  trained, tested: at a position, the score, of so many answers; distance: at a distance; loss: at a step, the mean
//        of so many steps up to it. Where nothing was asked there is no line.
Result<void> write_results(const Results& results, std::string_view ending, const Sink& sink);

}  // namespace posiscope::experiment
