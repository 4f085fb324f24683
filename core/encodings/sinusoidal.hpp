// sinusoidal.hpp — the row of fairseq's table that stands for no token.
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

// padding_idx: a row of zeros, and so no point of any circle; nothing in other variants.
std::optional<std::int64_t> padding_row(const Scene& scene);

// Where the position, or the one it is shifted to, is that row: there are no clocks and no shift there.
std::optional<Problem> at_padding(const Scene& scene);

}  // namespace posiscope
