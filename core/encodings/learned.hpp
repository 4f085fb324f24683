// learned.hpp — the table behind a learned encoding, in numbers.
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

struct LearnedNumbers {
    std::string_view path;  // the Scene's own; empty: seeded
    std::int64_t rows = 0, columns = 0;
    double least = 0.0, most = 0.0, deviation = 0.0;  // of all its numbers; seeded: what they are drawn from
};

// Of a learned encoding; refused where its file cannot be had.
Result<LearnedNumbers> learned_numbers(const Scene& scene);

}  // namespace posiscope
