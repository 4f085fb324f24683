// frame_cases.hpp — the cases of frame_bench.
#pragma once

#include "tests/bench/frame_stage.hpp"

namespace posiscope::bench {

// Cases with a name that contains `only`. They share the layers, as tiles of one bench do.
std::vector<Case> cases(canvas::Layers& layers, std::string_view only);

// Those that leave work to threads of their own, which would slow the others down while both exist.
std::vector<Case> cases_with_workers(canvas::Layers& layers, std::string_view only);

// From the click on Run to the first curve in the bench, every time of a new experiment.
Case first_curve(canvas::Layers& layers);

// operator new in the last of a few frames: nothing happens, and the mouse moves over the figures.
struct Allocations {
    std::string name;
    std::uint64_t unchanged, mouse_moved;
};
std::vector<Allocations> allocations(canvas::Layers& layers);

}  // namespace posiscope::bench
