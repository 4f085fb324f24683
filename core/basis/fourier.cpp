#include "core/basis/fourier.hpp"

#include "core/cost.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posiscope {
namespace {

constexpr double kPi = std::numbers::pi;

// S_m at t = turns · T. sin((2j + 1)x) = 2 cos(2x) sin((2j − 1)x) − sin((2j − 3)x) drifts, so that it begins anew.
double partial_sum(std::int64_t terms, double turns) {
    constexpr std::int64_t kAnchorEvery = 256;
    const double x = 2.0 * kPi * turns, twice = 2.0 * std::cos(2.0 * x);
    double before = 0.0, now = 0.0, sum = 0.0;
    for (std::int64_t j = 0; j < terms; ++j) {
        const auto odd = static_cast<double>(2 * j + 1);
        if (j % kAnchorEvery == 0) {
            spend(20.0 + 2.0 * static_cast<double>(std::min(kAnchorEvery, terms - j)));
            now = std::sin(odd * x);
            before = std::sin((odd - 2.0) * x);
        }
        sum += now / odd;
        const double next = twice * now - before;
        before = now;
        now = next;
    }
    return 4.0 / kPi * sum;
}

}  // namespace

double square_coefficient(std::int64_t harmonic) {
    return harmonic % 2 == 0 ? 0.0 : 2.0 / (kPi * static_cast<double>(std::abs(harmonic)));
}

SquareSum square_sum(std::int64_t terms) {
    // Parseval: the mean square of the terms left out, summed from its small end.
    spend(2.0 * static_cast<double>(terms));
    double kept = 0.0;
    for (std::int64_t j = terms; j >= 1; --j) {
        const auto odd = static_cast<double>(2 * j - 1);
        kept += 1.0 / (odd * odd);
    }
    // The first maximum after the jump, which is the largest, is at T / 4m.
    const double peak = partial_sum(terms, 0.25 / static_cast<double>(terms));
    return {0.5 * (peak - 1.0), std::sqrt(std::max(0.0, 1.0 - 8.0 / (kPi * kPi) * kept))};
}

void square_curve(std::int64_t terms, std::span<double> values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = partial_sum(terms, static_cast<double>(i) / static_cast<double>(values.size()));
}

}  // namespace posiscope
