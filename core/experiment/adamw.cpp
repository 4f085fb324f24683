#include "core/experiment/training.hpp"

#include <cmath>
#include <numbers>

namespace posiscope::experiment {
namespace {

constexpr double kBeta1 = 0.9, kBeta2 = 0.98, kEpsilon = 1e-8, kDecay = 0.01, kLargestNorm = 1.0;
constexpr double kWarmUp = 50.0, kLeastShare = 0.02;

// Four sums side by side, in a fixed order.
template <class Real>
double norm_of(const Buffer<Real>& gradient) {
    double sums[4] = {};
    for (std::size_t at = 0; at + 3 < gradient.size(); at += 4)
        for (std::size_t k = 0; k < 4; ++k) {
            const auto number = static_cast<double>(gradient[at + k]);
            sums[k] += number * number;
        }
    return std::sqrt((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

}  // namespace

double rate_at(double rate, std::int64_t step, std::int64_t steps) {
    const auto at = static_cast<double>(step);
    // The cosine begins where the warm-up ends: begun with it, one layer learns Back 8 to .76 instead of .98.
    const double after = std::max(at - kWarmUp, 0.0) / std::max(static_cast<double>(steps) - kWarmUp, 1.0);
    const double cosine = 0.5 + 0.5 * std::cos(std::numbers::pi * std::min(after, 1.0));
    return rate * std::min(1.0, (at + 1.0) / kWarmUp) * std::max(cosine, kLeastShare);
}

template <class Real>
void AdamW<Real>::step(const Plan& plan, double rate, Buffer<Real>& gradient, Buffer<Real>& numbers) {
    ++steps_;
    const double norm = norm_of(gradient);
    const auto clip = static_cast<Real>(norm > kLargestNorm ? kLargestNorm / norm : 1.0);
    const auto time = static_cast<double>(steps_);
    const auto first_share = static_cast<Real>(1.0 / (1.0 - std::pow(kBeta1, time)));
    const auto second_share = static_cast<Real>(1.0 / (1.0 - std::pow(kBeta2, time)));
    for (const Group& group : plan.groups) {
        const auto own = static_cast<Real>(rate * group.rate);
        const auto decay = static_cast<Real>(group.decays ? rate * group.rate * kDecay : 0.0);
        Real *const g = gradient.data() + group.offset, *const w = numbers.data() + group.offset;
        Real *const m = first_.data() + group.offset, *const v = second_.data() + group.offset;
        for (std::size_t at = 0; at < group.size(); ++at) {
            const Real slope = g[at] *= clip;
            m[at] = static_cast<Real>(kBeta1) * m[at] + static_cast<Real>(1.0 - kBeta1) * slope;
            v[at] = static_cast<Real>(kBeta2) * v[at] + static_cast<Real>(1.0 - kBeta2) * slope * slope;
            const Real size = std::sqrt(v[at] * second_share) + static_cast<Real>(kEpsilon);
            w[at] -= decay * w[at] + own * (m[at] * first_share) / size;
        }
    }
}

template class AdamW<float>;
template class AdamW<double>;

}  // namespace posiscope::experiment
