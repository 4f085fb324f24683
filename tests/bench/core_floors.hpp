// core_floors.hpp — lower bounds of time at the moment: memory written or copied, products added up.
// Shapes   every array is divided evenly among the workers, in pieces of whole vectors.  Alignment  64 bytes.
#pragma once

#include "core/kernels/workers.hpp"

#include <span>

namespace posiscope::floors {

void write(std::span<float> out, Workers& workers);       // left in the caches as far as they reach
void write_past(std::span<float> out, Workers& workers);  // past the caches
void copy_past(std::span<const float> x, std::span<float> out, Workers& workers);
void rewrite(std::span<float> x, Workers& workers);  // read, changed and written back

// `count` products added to as many sums as registers hold.
void multiply_add_float(double count, Workers& workers);
void multiply_add_double(double count, Workers& workers);

}  // namespace posiscope::floors
