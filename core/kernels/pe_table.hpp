// pe_table.hpp — a sinusoidal table in float32, at the speed of memory.
// out(j, dimension) = amplitude · sin((first + j) ω_i), or cos, in the given column order (table_value).
// Shape    out [rows, 2·pairs], row-major; any alignment.  Range  0 ≤ first, first + rows ≤ 2^31.
// Error    fast ≤ 1.6e-7 · amplitude: float32 products of an anchor and a small rotation; measured ≤ 1.33e-7,
//          and ≤ 1.25e-7 with fused products and sums. exact ≤ 3e-8 for amplitude 1: the same in float64, rounded once.
// Anchors restart from exact phases every 1024 rows and advance in float64. The last bit depends on the processor: one
// source is compiled for several, and the best is selected at run time. A table larger than the caches bypasses them.
#pragma once

#include "core/encodings/encodings.hpp"
#include "core/kernels/workers.hpp"

#include <span>

namespace posiscope {

enum class Precision { fast, exact };

struct PeTable {
    PairLayout layout = PairLayout::interleaved;
    std::int64_t first = 0;
    std::int64_t rows = 0;
    Precision precision = Precision::fast;
    double amplitude = 1.0;
};

void pe_table(const Spectrum& spectrum, const PeTable& table, std::span<float> out, Workers& workers);

}  // namespace posiscope
