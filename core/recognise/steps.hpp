// steps.hpp — rotated keys of two steps of a cache: which row of the one is which row of the other, and by how many positions its
// pairs were rotated in between.
//   after_i = before_i e^{iδω_i}: rows are found by |before_i|, which a rotation leaves, and δ by the angles of all pairs
// Shapes   [..., n, head_dim]; the first matrix of each is compared, and rows may have left or come between them.
// Range    |δ| ≤ 2^17, whole. A row is named only if it is within the rounding of the coarser type of the two.
// Cost     some 10^8 comparisons at most: rows past them are not found.
#pragma once

#include "core/recognise/recognise.hpp"

namespace posiscope {

struct StepsFound {
    std::vector<Problem> answers;  // keys.NAME, with rows, and the spectrum where something is rotated
    bool known = false;            // most rows are explained
};

// `config`: the config's spectra, empty without one; `models`: known ones. Refused where the shapes do not fit.
Result<StepsFound> compare_steps(const StoredTensor& before, const StoredTensor& after,
                                 std::span<const Known> config, std::span<const Known> models);

}  // namespace posiscope
