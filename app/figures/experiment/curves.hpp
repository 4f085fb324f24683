// curves.hpp — a bank of runs as the curves that are drawn: what is made once, when results or settings change.
#pragma once

#include "app/figures/experiment/experiment.hpp"

namespace posiscope::figures::learning {

struct CurvesKey {
    Kept<ex::Bank> bank;
    Kept<Result<ex::Shown>> shown;
    bool operator==(const CurvesKey&) const = default;
};
Curves curves_of(const CurvesKey& key);

}  // namespace posiscope::figures::learning
