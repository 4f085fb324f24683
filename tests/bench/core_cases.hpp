// core_cases.hpp — the cases of core_bench: a kernel, its floor, and its error.
// The reference is the exact phase (phase.hpp) with sine and cosine in long double; for sums, long double.
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
