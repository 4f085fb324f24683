// dumps.hpp — the change that makes one dump another: columns, rows or heads in another order, angles times a number.
// Shapes   equal, whatever they are; every entry of a batch and every head counts.
// right    nothing: `compare_dumps` (compare.hpp) says where dumps part.
#pragma once

#include "core/formats/tensor.hpp"

#include <optional>

namespace posiscope::measuring {

// dumps.NAME; nothing where no such change gives every number, within the rounding of the coarser type.
std::optional<Problem> change_of(const StoredTensor& first, const StoredTensor& second);

}  // namespace posiscope::measuring
