// language.hpp — the Markov chain of the task "language": the next letter depends on the last two.
// 64 rows of exp(2 · N(0, 1)), each divided by its sum; the same rows for all runs.
#pragma once

#include "core/random.hpp"

#include <array>
#include <cstddef>

namespace posiscope::experiment {

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
