#include "app/workbench/window/benches.hpp"

#include <array>

namespace posiscope::workbench {
namespace {

constexpr Part figure(std::string_view id) { return {.figure = id}; }
constexpr Part beside(const Part& left, const Part& right, float ratio) {
    return {.figure = {}, .across = true, .ratio = ratio, .first = &left, .second = &right};
}
constexpr Part above(const Part& top, const Part& bottom, float ratio) {
    return {.figure = {}, .across = false, .ratio = ratio, .first = &top, .second = &bottom};
}

constexpr Part kRotations = figure("rotations"), kMatrix = figure("matrix"), kSum = figure("sum"),
               kShift = figure("shift"), kWaves = figure("waves"), kScores = figure("scores"),
               kAttention = figure("attention"), kTerms = figure("terms"), kSpectrum = figure("spectrum"),
               kTurns = figure("turns"), kCheck = figure("check"), kPositions = figure("positions"),
               kDistances = figure("distances"), kKeyScores = figure("key_scores"),
               kVerdict = figure("verdict"), kPrecision = figure("precision"), kLayout = figure("layout"),
               kTrace = figure("trace"), kTest = figure("test"), kLoss = figure("loss"),
               kHeads = figure("heads"), kMeasured = figure("measured"), kResidual = figure("residual"),
               kRows = figure("rows"), kFindings = figure("findings"), kPartners = figure("partners");

constexpr Part kSumAndScores = beside(kSum, kScores, 0.41F);
constexpr Part kMatrixAndSum = above(kMatrix, kSumAndScores, 0.52F);
constexpr Part kOverview = beside(kRotations, kMatrixAndSum, 0.5F);

constexpr Part kShiftBench = beside(kShift, kWaves, 0.5F);

constexpr Part kTermsAndScores = above(kTerms, kScores, 0.58F);
constexpr Part kAttentionBench = beside(kAttention, kTermsAndScores, 0.56F);

constexpr Part kSeen = beside(kSpectrum, kTurns, 0.5F);
constexpr Part kAsked = beside(kScores, kCheck, 0.56F);
constexpr Part kContext = above(kSeen, kAsked, 0.6F);

constexpr Part kDistancesAndScores = beside(kDistances, kKeyScores, 0.54F);
constexpr Part kEffects = beside(kDistancesAndScores, kVerdict, 0.7F);
constexpr Part kPositionsBench = above(kPositions, kEffects, 0.5F);

constexpr Part kLayoutAndTrace = above(kLayout, kTrace, 0.5F);
constexpr Part kDebug = beside(kPrecision, kLayoutAndTrace, 0.52F);

constexpr Part kPairsAndNumbers = beside(kMeasured, kResidual, 0.57F);
constexpr Part kRowsAndFindings = beside(kRows, kFindings, 0.41F);
constexpr Part kMeasuredBench = above(kPairsAndNumbers, kRowsAndFindings, 0.56F);

constexpr Part kHeadsAndPartners = beside(kRows, kPartners, 0.6F);
constexpr Part kRotationBench = above(kHeadsAndPartners, kFindings, 0.62F);

constexpr Part kLossAndHeads = beside(kLoss, kHeads, 0.5F);
constexpr Part kExperiment = above(kTest, kLossAndHeads, 0.56F);

constexpr std::array kBenches = {
    Bench{.id = "overview", .layout = &kOverview, .hint = "rotations"},
    Bench{.id = "shift", .layout = &kShiftBench},
    Bench{.id = "attention", .layout = &kAttentionBench},
    Bench{.id = "context", .layout = &kContext},
    Bench{.id = "positions", .layout = &kPositionsBench},
    Bench{.id = "debug", .layout = &kDebug},
    Bench{.id = "measured", .layout = &kMeasuredBench},
    Bench{.id = "experiment", .layout = &kExperiment},
};

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

const Bench& bench_of_rotation() {
    static constexpr Bench bench{.id = "measured", .layout = &kRotationBench};
    return bench;
}

const Bench& bench_of(std::string_view id) {
    const Bench* bench = find_bench(id);
    return bench != nullptr ? *bench : kBenches.front();
}

}  // namespace posiscope::workbench
