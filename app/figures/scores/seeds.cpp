// seeds.cpp — mean and spread of a head's logits over seeds of random content.
#include "app/figures/scores/making.hpp"

#include "core/cost.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::figures::scores {
namespace {

constexpr std::size_t kSeeds = 64, kFewestSeeds = 8;  // as many as kExactWork is enough for

struct Moments {
    std::vector<double> mean, deviation;
};

// Over seeds of random content; `seeds`: how many.
Result<Moments> moments(const CurvesKey& key, std::size_t seeds, std::int64_t first, std::int64_t stride,
                        std::int64_t count, std::optional<std::int64_t>& query) {
    std::vector<double> sum(static_cast<std::size_t>(count)), squares(sum.size());
    ScoreInput one = *key.input;
    one.content = {"seeded", {{"seed", 0}, {"weights", "seeded"}}};
    for (std::size_t seed = 0; seed < seeds; ++seed) {
        one.content.parameters["seed"] = seed;
        const auto values = logits(one, key.head, first, stride, count, query);
        if (!values) return tl::unexpected(values.error());
        for (std::size_t i = 0; i < sum.size(); ++i) {
            sum[i] += (*values)[i];
            squares[i] += (*values)[i] * (*values)[i];
        }
    }
    const auto n = static_cast<double>(seeds);
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] /= n;
        squares[i] = std::sqrt(std::max(0.0, squares[i] / n - sum[i] * sum[i]) * n / (n - 1.0));
    }
    return Moments{std::move(sum), std::move(squares)};
}

}  // namespace

void make_seeds(Curves& curves, const CurvesKey& key) {
    const Samples s = samples_of(key);
    const double before = work_done();
    if (const auto one = moments(key, 1, s.first, s.stride, s.count, curves.query); !one) {
        curves.problem = one.error();
        return;
    }
    curves.seeds =
        static_cast<std::size_t>(std::clamp(key.exact_work / (work_done() - before + 1.0),
                                            static_cast<double>(kFewestSeeds), static_cast<double>(kSeeds)));
    // The mean, and where the band about it begins and ends.
    curves.problem =
        fill(curves, s, band_work(key), [&](std::int64_t first, std::int64_t stride, std::int64_t count) {
            return moments(key, curves.seeds, first, stride, count, curves.query).map([](Moments&& of) {
                std::vector<std::vector<double>> rows(3, std::move(of.mean));
                for (std::size_t i = 0; i < of.deviation.size(); ++i) {
                    rows[1][i] -= of.deviation[i];
                    rows[2][i] += of.deviation[i];
                }
                return rows;
            });
        });
    if (curves.problem) return;
    const Curve &mean = curves.curves[0], &above = curves.curves[2];
    for (std::size_t i = 0; i < mean.values.size(); ++i)
        curves.deviation.push_back(above.values[i] - mean.values[i]);
    for (std::size_t i = 0; i < mean.band.size(); i += 2) {
        curves.around.push_back(curves.curves[1].band[i]);
        curves.around.push_back(above.band[i + 1]);
    }
    curves.curves.resize(1);
}

}  // namespace posiscope::figures::scores
