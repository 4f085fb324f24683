// frequencies.hpp — the spectrum: the angle that each pair of dimensions rotates by per position.
// Units    frequency ω in radians per position, wavelength 2π/ω in positions, Step in turns.
#pragma once

#include "core/phase/phase.hpp"
#include "core/problem.hpp"

#include <cstddef>
#include <vector>

namespace posiscope {

struct Spectrum {
    std::vector<double> frequency;  // ω_i, within 1 ulp
    std::vector<Step> step;         // the same, exact to 2^-97 turns, whole turns dropped
    double attention_factor = 1.0;  // multiplies cos and sin, so logits by its square
    double logit_factor = 1.0;      // multiplies the softmax scale (YaRN models with mscale_all_dim)
    std::vector<double> growth;     // xPos: ln of the factor on a pair's contribution per position of
                                    // distance; empty where lengths are unchanged

    std::size_t pairs() const { return frequency.size(); }
    bool operator==(const Spectrum&) const = default;
};

// ω_i = base^(−i·multiple/n), i = 0 … pairs − 1, as real numbers (not as doubles): 1 < base ≤ 1e18, 1 ≤ n ≤ 2^20.
// With `cycles`, ω_i counts turns per position (2π ω_i radians): the mistake of the variant two_pi.
Spectrum geometric_spectrum(double base, std::size_t pairs, std::uint64_t n, unsigned multiple = 1,
                            bool cycles = false);

// A scaled spectrum: the doubles are its definition and are taken as exact.
Spectrum spectrum_from(std::vector<double> frequency, double attention_factor = 1.0);

// Links figures with different spectra by frequency: the pair of `other` whose ω is nearest on a logarithmic scale,
// and whether it is the same ω (to 1e-12).
struct LinkedPair {
    std::size_t pair = 0;
    bool exact = false;
};
LinkedPair linked_pair(double frequency, const Spectrum& other);

}  // namespace posiscope
