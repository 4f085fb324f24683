// core_cases.hpp — what core_bench measures: a kernel, the floor beside it, and how far it is from the truth.
// The judge is the exact phase (phase.hpp), its sine and cosine in long double; of sums, long double.
#pragma once

#include "core/kernels/workers.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace posiscope {

struct CoreCase {
    std::function<void(Workers&)> kernel;
    std::function<void(Workers&)> floor;
    std::function<double()> error;  // of what the kernel made last
    double largest_error = 0.0;     // what its header promises
};

struct CoreBench {
    std::string name;
    std::function<CoreCase()> make;  // with its arrays, every page of them touched
};

std::vector<CoreBench> core_benches();

}  // namespace posiscope
