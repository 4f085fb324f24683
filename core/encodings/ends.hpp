// ends.hpp — why a position is past the end: of a table or a file, of a grid, or of all positions.
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

// `end` is one past the last position of the Scene's Action.
Problem past_end(const SpectrumInput& scene, std::int64_t position, std::int64_t end);

}  // namespace posiscope
