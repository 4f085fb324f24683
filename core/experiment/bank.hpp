// bank.hpp — finished runs by settings, seed and set of instructions, wherever they come from, and those under way.
// A value that is shared and never changed: a window shows one while the next is put together.
#pragma once

#include "core/experiment/results.hpp"

#include <memory>

namespace posiscope::experiment {

// shipped: comes with the program. own: trained here. file: out of a file that somebody opened.
enum class Origin { shipped, own, file };

struct Known {
    std::shared_ptr<const Run> run;
    std::int64_t step = 0;  // steps done; settings.steps once it is finished
    Origin origin = Origin::own;
    std::string instructions, compiler;

    bool finished() const { return !run->scores.empty(); }
};

struct Bank {
    Settings settings;  // those of the runs; which encodings and how many seeds, the runs say
    std::vector<Known> runs;

    const Known* find(std::string_view encoding, std::uint64_t seed) const;
    // Puts a run in its place: a finished one over one under way, and ours over those from elsewhere.
    void add(Known known);
    std::size_t finished() const;
};

// Everything but which encodings and how many seeds: runs with equal settings in this sense belong together.
bool same_training(const Settings& a, const Settings& b);
// A short name for these settings and a set of instructions, fit for a file.
std::string name_of(const Settings& settings, std::string_view instructions);

Bank bank_of(Results results, Origin origin);
// The finished runs as results. Runs under several sets of instructions name all of them: "AVX2, AVX3".
Results results_of(const Bank& bank);

}  // namespace posiscope::experiment
