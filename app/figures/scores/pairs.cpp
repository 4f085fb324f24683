// pairs.cpp — scores that core has in closed form, pair by pair: their curve, what runs of pairs share, RoFormer's bound.
#include "app/figures/scores/making.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::figures::scores {
namespace {

constexpr std::size_t kRuns = 8;
constexpr std::int64_t kBounds = 800;  // columns of a bound
constexpr double kBoundWork = 1e7;

std::vector<double> scores_of(const ScoreForm& form, const Spectrum& spectrum, std::int64_t first,
                              std::int64_t stride, std::int64_t count) {
    std::vector<double> row(static_cast<std::size_t>(count));
    score_curve(form, spectrum, first, stride, row);
    return row;
}

}  // namespace

void make_scores(Curves& curves, const CurvesKey& key) {
    curves.row = [scoring = key.scoring](std::int64_t first, std::int64_t stride, std::int64_t count) {
        return std::vector<std::vector<double>>{
            scores_of(scoring->form, scoring->spectrum(), first, stride, count)};
    };
    curves.problem = fill(curves, samples_of(key), band_work(key), curves.row);
}

void make_shares(Curves& curves, const CurvesKey& key) {
    const Spectrum& spectrum = key.scoring->spectrum();
    const ScoreForm& form = key.scoring->form;
    const std::size_t runs = std::min(kRuns, spectrum.pairs());
    std::vector<ScoreForm> parts(runs);
    std::vector<Spectrum> some(runs);
    for (std::size_t run = 0; run < runs; ++run) {
        const std::size_t begin = run * spectrum.pairs() / runs, end = (run + 1) * spectrum.pairs() / runs;
        parts[run].kind = ScoreKind::dot;
        parts[run].scale = form.scale;
        for (std::size_t i = begin; i < end; ++i) {
            parts[run].even.push_back(form.even[i]);
            parts[run].odd.push_back(form.odd[i]);
            some[run].frequency.push_back(spectrum.frequency[i]);
            some[run].step.push_back(spectrum.step[i]);
        }
        curves.curves.push_back({.first_pair = begin, .last_pair = end - 1});
    }
    curves.problem = fill(curves, samples_of(key), band_work(key),
                          [&](std::int64_t first, std::int64_t stride, std::int64_t count) {
                              std::vector<std::vector<double>> rows;
                              for (std::size_t run = 0; run < runs; ++run)
                                  rows.push_back(scores_of(parts[run], some[run], first, stride, count));
                              return rows;
                          });
}

// Along log₁₀ Δ: a column holds all distances up to the next one.
void make_envelope(Curves& curves, const CurvesKey& key) {
    const std::int64_t columns = std::min(kBounds, key.most);
    for (std::int64_t i = 0; i <= columns; ++i) {
        const double power =
            key.from + (key.to - key.from) * static_cast<double>(i) / static_cast<double>(columns);
        const auto distance = std::clamp<std::int64_t>(std::llround(std::pow(10.0, power)), 1, kLastPosition);
        if (curves.at.empty() || static_cast<double>(distance) > curves.at.back())
            curves.at.push_back(static_cast<double>(distance));
    }
    // A window draws it at once: a column of many distances has no more of them taken than that allows.
    const double units = 50.0 * static_cast<double>(key.scoring->spectrum().pairs() * curves.at.size());
    curves.in_column = static_cast<std::int64_t>(std::max(1.0, std::min(band_work(key), kBoundWork) / units));
    curves.row = [scoring = key.scoring](std::int64_t first, std::int64_t stride, std::int64_t count) {
        std::vector<std::vector<double>> rows(1);
        for (std::int64_t i = 0; i < count; ++i)
            rows[0].push_back(envelope(scoring->spectrum(), first + i * stride));
        return rows;
    };
    curves.problem = fill_columns(curves, curves.row);
}

}  // namespace posiscope::figures::scores
