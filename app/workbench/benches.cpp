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

constexpr Part kAttention{.figure = "attention"};
constexpr Part kTerms{.figure = "terms"};
constexpr Part kTermsOverScores{
    .figure = {}, .across = false, .ratio = 0.56F, .first = &kTerms, .second = &kScores};
constexpr Part kAttentionBench{
    .figure = {}, .across = true, .ratio = 0.56F, .first = &kAttention, .second = &kTermsOverScores};

constexpr std::array<Bench, 2> kBenches = {{{"overview", &kOverview}, {"attention", &kAttentionBench}}};

void add_figures(const Part& part, std::vector<std::string_view>& ids) {
    if (part.first == nullptr) return ids.push_back(part.figure);
    add_figures(*part.first, ids);
    add_figures(*part.second, ids);
}

}  // namespace

std::span<const Bench> benches() { return kBenches; }

std::vector<std::string_view> figures_of(const Bench& bench) {
    std::vector<std::string_view> ids;
    add_figures(*bench.layout, ids);
    return ids;
}

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
