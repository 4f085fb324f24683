// buckets.hpp — T5's buckets of distances, and a bias that depends on nothing else.
// Shapes   [n, m] of whole numbers; [heads, n, m] of a bias; rows are queries, columns keys.
#pragma once

#include "core/measure/measure.hpp"

namespace posiscope::measuring {

// Nothing for any other array.
std::optional<Measured> measure_buckets(const StoredTensor& dump);

}  // namespace posiscope::measuring
