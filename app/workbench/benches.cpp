#include "app/workbench/benches.hpp"

#include <array>

namespace posiscope::workbench {
namespace {

constexpr Part kRotations{.figure = "rotations"};
constexpr Part kMatrix{.figure = "matrix"};
constexpr Part kScores{.figure = "scores"};
constexpr Part kMatrixOverScores{
    .figure = {}, .across = false, .ratio = 0.56F, .first = &kMatrix, .second = &kScores};
constexpr Part kOverview{
    .figure = {}, .across = true, .ratio = 0.47F, .first = &kRotations, .second = &kMatrixOverScores};

constexpr std::array<Bench, 1> kBenches = {{{"overview", &kOverview}}};

}  // namespace

std::span<const Bench> benches() { return kBenches; }

const Bench* find_bench(std::string_view id) {
    for (const Bench& bench : kBenches)
        if (bench.id == id) return &bench;
    return nullptr;
}

const Bench& bench_of(std::string_view id) {
    const Bench* bench = find_bench(id);
    return bench != nullptr ? *bench : kBenches.front();
}

}  // namespace posiscope::workbench
