// tasks.hpp — what the model learns: random sequences of letters, and what is asked at which positions.
// back      16 letters, uniform; y_i = x_{i−k}, i ≥ k                                          chance 1/16
// first     16 letters, uniform; y_i = x_0, i ≥ 1                                              chance 1/16
// language  a Markov chain of order 2 over 8 letters (language.hpp); y_i = x_{i+1}, 1 ≤ i ≤ n − 2
// order     8 letters, and A and B once each at different places; which came first, after both  chance 1/2
// needle    16 letters; MARK at p, uniform in 0 … n − 2; from p + 2 on each letter is ASK with probability 1/4;
//           at ASK: the letter after MARK                                                     chance 1/16
#pragma once

#include "core/random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace posiscope::experiment {

inline constexpr std::int32_t kNothingAsked = -1;

// Sequences of one length, each drawn anew.
struct Sequences {
    std::size_t count = 0, length = 0;
    std::vector<std::int32_t> letters, targets;  // [count, length]
    std::vector<std::int32_t> distance;          // needle: from the letter that is asked for; else empty
    std::vector<double> optimum;                 // language: −ln of the chain's own probability; else empty

    std::size_t asked() const;  // how many targets there are
};

struct Task {
    std::string_view kind;  // also the string tables': "experiment.task.KIND.name"
    std::size_t letters, classes;
    double chance;       // of a right answer; 0: scored in nats above the optimum
    std::int64_t steps;  // that it takes
    void (*draw)(std::int64_t k, Random& random, Sequences& into);

    bool scored_in_nats() const { return chance == 0.0; }
};

std::span<const Task* const> tasks();
const Task* find_task(std::string_view kind);  // null when unknown

// `count` sequences of `length` letters, from what `random` gives next.
Sequences draw(const Task& task, std::int64_t k, std::size_t count, std::size_t length, Random& random);

// The Markov chain of the task "language": the next letter depends on the last two.
// 64 rows of exp(2 · N(0, 1)), each divided by its sum; the same rows for all runs.
class Language {
public:
    static constexpr std::size_t kLetters = 8;

    explicit Language(std::uint64_t seed);
    static const Language& of_the_task();

    // p(next | before, last)
    double probability(std::size_t before, std::size_t last, std::size_t next) const {
        return rows_[before * kLetters + last][next];
    }
    std::size_t next(std::size_t before, std::size_t last, Random& random) const;

    // The entropy of the next letter, in nats, given the last two, when the chain has run for long.
    double entropy() const;

private:
    std::array<double, kLetters * kLetters> stationary() const;  // of pairs

    std::array<std::array<double, kLetters>, kLetters * kLetters> rows_{};
};

}  // namespace posiscope::experiment
