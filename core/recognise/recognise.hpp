// recognise.hpp — what a dumped table is: a cos/sin cache, a table of positions, inverse frequencies, a rotated query or a
// bias; or which known slips make it differ from what it should be. A slip is never guessed: each candidate is a table
// computed in full, and it is named only if every number of every row is within the rounding of its type, or within noise
// that no other candidate comes near, or if most rows or columns are and the others are named. What needs the fewest slips is
// the answer; several with as few are all reported.
// Shapes   inv_freq [r/2]; cache [n, r/2], [n, r], [n, r/2, 2], [2, n, r/2]; table [n, d]; rotated q [n, head_dim] of one
//          query at n positions; bias [heads], [n, n], [heads, n, n], [heads, 1, n]; dimensions of size 1 and equal slices
//          of a batch are dropped. Rows may begin at any position up to 2^18.
// Error    `largest` is the difference of the candidate from every compared number, in the dump's own units.
#pragma once

#include "core/formats/tensor.hpp"
#include "core/scene/scene.hpp"

#include <optional>
#include <span>

namespace posiscope {

struct Likeness {
    std::string key;                   // the candidate as "KIND/LAYOUT/SPECTRUM/SLIP": equal keys
                                       // are one answer
    Problem what;                      // what it is
    std::vector<Problem> slips;        // what is wrong with it, each with its mend; empty: nothing
    double largest = 0.0;              // largest difference
    std::int64_t row = 0, column = 0;  // where
    std::int64_t start = 0;            // the position of the first row of a table that was cut
    bool noisy = false;                // beyond rounding: the dump carries noise of this size
    std::vector<Problem> details;      // what single rows and columns hold instead
    bool given = false;                // it is the config's
    bool unscaled = false;             // its spectrum is plain RoPE's
    bool bits = false,
         exact = false;  // each number is the exact one rounded to its type; within that rounding

    bool slipped() const { return !slips.empty(); }
};

// That a table begins within a longer one; nothing where it does not.
std::optional<Problem> start_of(const Likeness& like);

// A spectrum to compare with, in words: a model's, a config's, or plain RoPE of a base.
struct Known {
    std::string words;
    std::vector<double> frequency, unscaled;
    double factor = 1.0;
    PairLayout layout = PairLayout::halves;
    bool given = false;       // from the user's config
    bool typed = false;       // a base near the fitted one: the first that fits is the answer
    std::int64_t cut_of = 0;  // it is the first of so many pairs
    bool plain = false;       // unscaled, with a base that people use: slips are looked for
    bool usual = false;       // one of the bases that most models use: two slips are looked for
    int odd = 0;              // by how much a slip of a usual base is the likelier answer (slips count 4)
    std::int64_t model_width = 0,
                 head_width = 0;  // from a config: d_model and head_dim, where they are not these columns
};

struct Recognition {
    std::string precision;          // the narrowest type that holds every value
    std::vector<Likeness> fits;     // best first; several: all of them fit
    std::vector<Likeness> nearest;  // three, where nothing fits
    std::vector<Problem> notes;     // precision, cropping

    // Whether every answer has a slip.
    bool slipped() const;
};

// `config`: the Scenes of the config's layer kinds, empty without one.
// `models`: known spectra to compare with.
Recognition recognise(const StoredTensor& dump, std::span<const Scene> config, std::span<const Known> models);

// The spectrum of a rope Scene, for `models`.
std::optional<Known> known_spectrum(const Scene& scene, std::string words);

}  // namespace posiscope
