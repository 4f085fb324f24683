// steps.hpp — rotated keys of two steps of a cache: which row of the one is which row of the other, and by how many positions its
// pairs were rotated in between.
//   after_i = before_i e^{iδω_i}: rows are found by |before_i|, which a rotation leaves, and δ by the angles of all pairs
// Shapes   [..., n, head_dim] or [..., n, heads, head_dim]; rows may have left or come between them, the same of every matrix.
// Range    |δ| ≤ 2^17, whole. A row is named only if it is within the rounding of the coarser type of the two.
// Cost     some 10^8 comparisons at most: rows past them are not found.
#pragma once

#include "core/measure/reference.hpp"

namespace posiscope::measuring {

struct StepsFound {
    std::vector<Problem> answers;  // keys.NAME, with rows, and the spectrum where something is rotated
    bool known = false;            // most rows are explained
    bool turned = false;           // some by a rotation
    bool given = false;            // which is the config's
};

// `config`: the config's spectra, empty without one; `models`: known ones; `axes`: as tables_of takes them, found out if empty.
// Refused where the shapes do not fit.
Result<StepsFound> compare_steps(const StoredTensor& before, const StoredTensor& after,
                                 std::span<const Reference> config, std::span<const Reference> models,
                                 std::string_view axes = {});

}  // namespace posiscope::measuring
