// benches.hpp — the benches: groups of figures, and how each divides its space.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace posiscope::workbench {

// Either one figure, or two parts side by side (across) or one over the other.
struct Part {
    std::string_view figure;
    bool across = false;
    float ratio = 0.5F;  // of the first
    const Part* first = nullptr;
    const Part* second = nullptr;
};

struct Bench {
    std::string_view id;  // also "bench.ID.name" in the string tables
    const Part* layout;
    std::string_view hint{};  // the figure whose hand the hint of the first seconds points at; empty: none
};

std::span<const Bench> benches();
const Bench* find_bench(std::string_view id);
// From top left to bottom right: the keys 1, 2, … show these alone.
std::vector<std::string_view> figures_of(const Bench& bench);
// The same bench where the dump is q or k before and after rotation.
const Bench& bench_of_rotation();
const Bench& bench_of(std::string_view id);  // the first one when unknown

}  // namespace posiscope::workbench
