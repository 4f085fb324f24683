// columns.hpp — frequency, amplitude, phase and residual of the columns of a table, measured without knowing what they should be.
// A sampled sinusoid obeys x[r+s] + x[r−s] = 2 cos(sω) x[r]: least squares over the rows gives cos(sω), doubling s from 1 to a
// quarter of the rows unfolds it, and Gauss and Newton on a cos + b sin give ω. Pairs of cosine and sine turn by a straight line.
// Error    relative 1e-8 … 1e-5 where rows · ω is over 1; below it `measured_at`, with known positions, still gives a bound.
#pragma once

#include "core/measure/rows.hpp"

namespace posiscope::measuring {

struct Wave {
    double rate = 0.0, uncertainty = 0.0;  // radians a row; infinite: rows cannot tell it
    double amplitude = 0.0, phase = 0.0;   // at row 0
    double residual = 0.0;                 // root mean square
};

// Rows `from` … `to` − 1 of a slice.
struct Block {
    std::int64_t slice = 0, from = 0, to = 0;
};
// The longest run of rows of a slice in which every fast column goes on evenly.
Block even_block(const Table& table, const Form& form);

// The wave of each pair over a block; of eight rows at least.
std::vector<Wave> measured(const Table& table, const Form& form, const Block& block);

// The wave of each pair at known positions with a known amplitude, near `start` (NaN: not known).
std::vector<Wave> measured_at(const Table& table, const Form& form, const Positions& positions,
                              double amplitude, std::span<const double> start, double rounding);

}  // namespace posiscope::measuring
