// partners.hpp — q or k before and after rotation: partner, sign and frequency of each column, and the position of each row in
// every head and batch entry.
//   q′_i = s (q_i cos pω − q_j sin pω),  q′_j = s (q_j cos pω + q_i sin pω)
// Shapes   [n, d], [n, h d], [h, n, d], [n, h, d], [b, h, n, d], [b, n, h, d].
// right    every number of every head is within the rounding of its type at its row's position; s is the attention factor, or it
//          over √d.
#pragma once

#include "core/measure/measure.hpp"

namespace posiscope::measuring {

// Nothing where the one is no rotation of the other.
std::optional<Measured> measure_rotation(const StoredTensor& before, const StoredTensor& after,
                                         const Wanted& wanted);

}  // namespace posiscope::measuring
