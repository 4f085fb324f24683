// kinds.hpp — the kinds of encodings beside one another, as numbers: how many each has to learn, where it ends, and how much
// a score depends on the positions themselves.
// Settings  the Scene's own kind keeps its parameters, every other has its defaults; widths, heads, base and length are the
//           Scene's. Content is seeded and stays.
// Score     of head 0: the logit at a distance less the same query's at distance 0, which a constant of its row does not move.
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

struct KindNumbers {
    const Encoding* encoding = nullptr;
    bool fits = false;  // else it needs other widths, and there are no numbers
    std::int64_t parameters =
        0;  // numbers that training finds: of one layer, or of the one table for all layers
    std::int64_t positions = 0;  // 0 … positions − 1 can be encoded
    // The range of the score for up to 17 queries along the sequence, k ≥ 1 positions after their key. 0 up to rounding for
    // an encoding that is relative. NaN: too costly, or the table is too short.
    double moved = 0.0;
    // The number of the first `steps` distances, at most 4096, at which the score of equal vectors falls (of tables, p · p′).
    double falls = 0.0, steps = 0.0;
    // Pairs that rotate, and those of them that meet new angles between n and 2n positions. 0 of 0 where nothing rotates.
    double pairs = 0.0, unseen = 0.0;
    // How far a bias leaves, at distances n … 2n − 1, the range that it has below n.
    double beyond = 0.0;

    bool relative() const;  // moved by no more than rounding
};

// One for each of encodings_to_compare(scene), in their order. `offset` is k, of either sign; 0 is taken as 1.
std::vector<KindNumbers> kind_numbers(const ActionInput& scene, std::int64_t offset);

}  // namespace posiscope
