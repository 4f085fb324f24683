// fit.hpp — the spectra that a config is mistaken for: those of a known mistake, and those whose parameter is fitted to measured
// frequencies. Base, exponent and constant factors come from a straight line through the logarithms, the ends of a ramp from one
// through the kept part of its pairs; an explanation counts only if every measured frequency is within its uncertainty.
#pragma once

#include "core/measure/reference.hpp"

namespace posiscope::measuring {

// A frequency of a pair as it was measured.
struct Rate {
    double value = 0.0, off = 0.0;  // off: how far it may be wrong
    bool folds = false;             // read from rows, which show ω and 2π − ω alike
};

struct Explanation {
    std::vector<double> frequency;
    std::vector<Problem> why;  // empty: as the reference says
    bool of_pairs = false;     // some pairs differ from others: a scaling, a rounding, damage
};

// The explanations that every rate agrees with, the simplest first; without rates those that need none.
std::vector<Explanation> explanations(const Reference& reference, std::span<const Rate> rates);

// ω_i = factor · b^(−i/pairs), through all rates by least squares; nothing where they are not so.
struct Geometric {
    double base = 0.0, factor = 1.0;
};
std::optional<Geometric> geometric(std::span<const Rate> rates);

bool agree(std::span<const double> frequency, std::span<const Rate> rates);

// The value with one digit, with two and so on: of numbers that somebody chose the first that fits is the likeliest.
std::vector<double> rounder_than(double value);

}  // namespace posiscope::measuring
