// sinusoidal_table.hpp — rows of sinusoidal tables as their sources compute them, odd widths and padding included.
// paper          base^(−2i/d), interleaved; odd d: the last column is a sine (XLM; the annotated transformer raises)
// halves         the same frequencies, [sin | cos]; odd d: the sine part takes ⌈d/2⌉ columns (Marian)
// tensor2tensor  min · (base/min)^(−k/max(h−1, 1)), h = ⌊d/2⌋, halves; odd d: a zero column. base is max_timescale;
//                min_timescale multiplies the frequency, where a timescale should divide it: the source's quirk
// fairseq        base^(−k/(h−1)), halves; odd d: a zero column; row padding_idx is 0; d = 2 and 3 are refused,
//                since the source divides by zero there
// two_pi, double_exponent: even d only.
// Error    ≤ 2e-16 where the frequency is base^(−a/b) itself.  Source  see sinusoidal.cpp.
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

struct SinusoidalForm {
    std::string_view variant = "paper";
    std::int64_t width = 512;
    double base = 10000.0;
    double min_timescale = 1.0;
    std::optional<std::int64_t> padding_idx = std::nullopt;
};

struct SinusoidalColumns {
    Spectrum spectrum;
    std::vector<int> pair;        // of each column; −1: a column of zeros
    std::vector<bool> is_cosine;  // of each column
};

Result<SinusoidalColumns> sinusoidal_columns(const SinusoidalForm& form);

// [positions, width], row-major.
Result<std::vector<double>> sinusoidal_rows(const SinusoidalForm& form,
                                            std::span<const std::int64_t> positions);

}  // namespace posiscope
