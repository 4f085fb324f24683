// softmax.hpp — softmax in double. The experiment fuses its own with the products before it.
// Range    any logits; one that is not finite (a masked key) counts as weight 0. Where none is finite all weights are 0.
// Error    ≤ (count + 4) · 1.2e-16 of each weight.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace posiscope {

// The largest finite logit, subtracted before exp to avoid overflow.
inline double largest_logit(std::span<const double> logits) {
    double largest = -std::numeric_limits<double>::infinity();
    for (const double x : logits)
        if (std::isfinite(x) && x > largest) largest = x;
    return largest;
}

// ln Σ e^x; at least one is finite.
inline double log_sum(std::span<const double> logits) {
    const double largest = largest_logit(logits);
    double sum = 0.0;
    for (const double x : logits)
        if (std::isfinite(x)) sum += std::exp(x - largest);
    return largest + std::log(sum);
}

// Weights in place of logits; x_j stands for count(j) equal logits, each of which gets the weight written to x_j.
template <class Count>
void softmax(std::span<double> x, Count count) {
    const double largest = largest_logit(x);
    double sum = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) {
        x[j] = std::isfinite(x[j]) ? std::exp(x[j] - largest) : 0.0;
        sum += x[j] * static_cast<double>(count(j));
    }
    if (sum > 0.0)
        for (double& share : x) share /= sum;
}

inline void softmax(std::span<double> x) {
    softmax(x, [](std::size_t) { return 1.0; });
}

}  // namespace posiscope
