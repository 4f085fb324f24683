#include "core/experiment/tasks.hpp"

#include <cmath>

namespace posiscope::experiment {
namespace {

constexpr std::uint64_t kSeed = 2107;  // an entropy of 1.004 nats, about half of ln 8

}  // namespace

Language::Language(std::uint64_t seed) {
    Random random(seed, 0);
    for (auto& row : rows_) {
        double sum = 0.0;
        for (double& share : row) sum += share = std::exp(2.0 * random.normal());
        for (double& share : row) share /= sum;
    }
}

const Language& Language::of_the_task() {
    static const Language language(kSeed);
    return language;
}

std::size_t Language::next(std::size_t before, std::size_t last, Random& random) const {
    double left = random.uniform();
    for (std::size_t letter = 0; letter + 1 < kLetters; ++letter) {
        left -= probability(before, last, letter);
        if (left < 0.0) return letter;
    }
    return kLetters - 1;
}

std::array<double, Language::kLetters * Language::kLetters> Language::stationary() const {
    std::array<double, kLetters * kLetters> pairs{};
    pairs.fill(1.0 / static_cast<double>(pairs.size()));
    for (int turn = 0; turn < 1000; ++turn) {
        std::array<double, kLetters * kLetters> later{};
        for (std::size_t before = 0; before < kLetters; ++before)
            for (std::size_t last = 0; last < kLetters; ++last)
                for (std::size_t letter = 0; letter < kLetters; ++letter)
                    later[last * kLetters + letter] +=
                        pairs[before * kLetters + last] * probability(before, last, letter);
        pairs = later;
    }
    return pairs;
}

double Language::entropy() const {
    const auto pairs = stationary();
    double sum = 0.0;
    for (std::size_t pair = 0; pair < pairs.size(); ++pair)
        for (const double share : rows_[pair]) sum -= pairs[pair] * share * std::log(share);
    return sum;
}

}  // namespace posiscope::experiment
