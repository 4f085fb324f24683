// two.hpp — two dumps that say more together than each alone: cos and sin of one cache, q before and after rotation, or the same
// thing from two programs.
// Precision   numbers are the same within the rounding of the coarser of the two types and of float32 angles, p 2^-23.
#pragma once

#include "core/recognise/recognise.hpp"

namespace posiscope {

// cos and sin [n, h] as one cache [2, n, h], where a² + b² is one number at nine places of ten; nothing where it is not.
std::optional<StoredTensor> joined_cache(const StoredTensor& a, const StoredTensor& b);

// cos and sin of the angles by which pairs were rotated, [n, pairs, 2]. Columns at the end that are the same in both are not
// rotated.
struct RotationFound {
    StoredTensor turns;
    PairLayout layout = PairLayout::halves;
};
// Of q or k [n, d], [heads, n, d] or [n, heads, d] before and after rotation, where nine pairs of ten keep their lengths and all
// heads agree; nothing where they do not, or where rows were not rotated by their positions.
std::optional<RotationFound> rotation_between(const StoredTensor& before, const StoredTensor& after);

// The same thing, dumped by two programs.
struct DumpsCompared {
    bool same = false;               // every number
    std::vector<Problem> answers;    // dumps.NAME: where they part, how much of them
    std::optional<Problem> between;  // dumps.NAME: the change that makes the one the other
};
// Refused (dumps.shapes) where neither the shapes nor those of a known change fit.
Result<DumpsCompared> compare_dumps(const StoredTensor& a, const StoredTensor& b);

}  // namespace posiscope
