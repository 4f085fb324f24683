// learned.hpp — size and statistics of a learned encoding's table.
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

struct LearnedNumbers {
    std::string path;  // of its file; empty: seeded
    std::int64_t rows = 0, columns = 0;
    double least = 0.0, most = 0.0, deviation = 0.0;  // of all values; seeded: of their distribution
};

// The Scene must have a learned encoding. Refused if its file cannot be read.
Result<LearnedNumbers> learned_numbers(const SpectrumInput& scene);

}  // namespace posiscope
