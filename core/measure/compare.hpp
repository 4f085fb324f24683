// compare.hpp — the same thing, dumped by two programs: where the two part, and the change that makes the one the other.
// Precision   numbers are the same within the rounding of the coarser of the two types and of float32 angles, p 2^-23.
#pragma once

#include "core/formats/tensor.hpp"

#include <optional>

namespace posiscope::measuring {

struct DumpsCompared {
    bool same = false;               // every number
    std::vector<Problem> answers;    // dumps.NAME: where they part, how much of them
    std::optional<Problem> between;  // dumps.NAME: the change that makes the one the other
};
// Refused (dumps.shapes) where neither the shapes nor those of a known change fit.
Result<DumpsCompared> compare_dumps(const StoredTensor& a, const StoredTensor& b);

}  // namespace posiscope::measuring
