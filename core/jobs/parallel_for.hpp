// parallel_for.hpp — independent parts of one value, computed by several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace posiscope::jobs {

// Calls part(0) … part(count − 1), by at most so many threads, this one among them, and by no more than there are processors.
// Under an Allowance that ends (core/cost.hpp) this one does all: for what must be short, threads are no gain. What the others
// spend is spent here. What a part throws is thrown here, when the others have ended.
void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& part);

}  // namespace posiscope::jobs
