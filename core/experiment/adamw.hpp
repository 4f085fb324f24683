// adamw.hpp — AdamW over a Plan's numbers: β 0.9 and 0.98, ε 1e-8, decay 0.01 on matrices; the gradient's norm at most 1.
// Source   arXiv 1711.05101.
#pragma once

#include "core/experiment/plan.hpp"

namespace posiscope::experiment {

// The rate at a step, counted from 0: 50 steps of warm-up, then a cosine to the last one, never under 2 %.
double rate_at(double rate, std::int64_t step, std::int64_t steps);

template <class Real>
class AdamW {
public:
    explicit AdamW(const Plan& plan) : first_(plan.size), second_(plan.size) {}

    // Changes `numbers` by one step; `gradient` is clipped in place.
    void step(const Plan& plan, double rate, Buffer<Real>& gradient, Buffer<Real>& numbers);

private:
    Buffer<Real> first_, second_;
    std::int64_t steps_ = 0;
};

}  // namespace posiscope::experiment
