// sinusoidal.hpp — the padding row of fairseq's table.
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

// padding_idx, a row of zeros; empty in other variants.
std::optional<std::int64_t> padding_row(const SpectrumInput& scene);

// The Problem, if p or p + k is that row: it has no angles, so there are no clocks and no shift.
std::optional<Problem> at_padding(const Scene& scene);

}  // namespace posiscope
