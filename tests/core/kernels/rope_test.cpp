// Rotated features against rotation.hpp's float64, on every target.
#include "core/kernels/rope.hpp"

#include "core/encodings/rotation.hpp"
#include "tests/core/kernels/targets.hpp"

#include <cmath>
#include <rapidcheck/gtest.h>

namespace posiscope {
namespace {

constexpr double kBound = 1.1e-7;  // of a pair's length
constexpr std::int64_t kPositions = std::int64_t{1} << 31;

std::vector<float> features(std::size_t count) {
    std::vector<float> x(count);
    for (std::size_t i = 0; i < count; ++i)
        x[i] = static_cast<float>(std::sin(1.7 * static_cast<double>(i * i + 1)));
    return x;
}

// The largest error, relative to the length of the pair; infinity where a feature that should pass did not.
double error_of(const Spectrum& spectrum, const RopeShape& shape, std::span<const float> x,
                std::span<const float> out) {
    const auto pairs = static_cast<std::int64_t>(spectrum.pairs());
    const auto width = static_cast<std::size_t>(shape.head_dim);
    double worst = 0.0;
    for (std::int64_t row = 0; row<shape.heads * shape.rows; row += shape.rows> 500 ? 13 : 1) {
        const auto before = x.subspan(static_cast<std::size_t>(row) * width, width);
        const auto after = out.subspan(static_cast<std::size_t>(row) * width, width);
        std::vector<double> exact(before.begin(), before.end());
        turn_features(exact, spectrum, shape.layout, shape.first + row % shape.rows);
        for (std::int64_t i = 0; i < pairs; ++i) {
            const auto a = static_cast<std::size_t>(dimension(shape.layout, pairs, {i, 0}));
            const auto b = static_cast<std::size_t>(dimension(shape.layout, pairs, {i, 1}));
            const double error = std::max(std::abs(after[a] - exact[a]), std::abs(after[b] - exact[b]));
            const double relative = error / std::hypot(exact[a], exact[b]);
            if (!(relative <= worst)) worst = relative;
        }
        for (std::size_t f = 2 * spectrum.pairs(); f < width; ++f)
            if (after[f] != before[f]) return INFINITY;
    }
    return worst;
}

void check(const Spectrum& spectrum, const RopeShape& shape, std::size_t shift, int threads) {
    Workers workers(threads);
    const std::vector<float> x =
        features(static_cast<std::size_t>(shape.heads * shape.rows * shape.head_dim) + shift);
    std::vector<float> out(x.size(), 7.0F), same = x;
    const auto from = std::span(x).subspan(shift);
    rope(spectrum, shape, from, std::span(out).subspan(shift), workers);
    for (std::size_t i = 0; i < shift; ++i) EXPECT_EQ(out[i], 7.0F) << "written before its beginning";
    EXPECT_LE(error_of(spectrum, shape, from, std::span(out).subspan(shift)), kBound)
        << shape.heads << " heads, " << shape.rows << " rows of " << shape.head_dim << ", "
        << spectrum.pairs() << " pairs, " << threads << " threads";
    rope(spectrum, shape, std::span(same).subspan(shift), std::span(same).subspan(shift), workers);
    for (std::size_t i = shift; i < out.size(); ++i)
        ASSERT_EQ(same[i], out[i]) << "in place differs at " << i;
}

TEST(Rope, IsRightForEverySmallShape) {
    for_each_target([] {
        for (const PairLayout layout : {PairLayout::interleaved, PairLayout::halves})
            for (const std::int64_t head_dim : {2, 3, 6, 16, 34, 64, 100, 128})
                for (const std::int64_t rows : {1, 2, 3, 65}) {
                    const std::int64_t pairs = head_dim / 2;
                    const Spectrum spectrum = geometric_spectrum(10000.0, static_cast<std::size_t>(pairs),
                                                                 static_cast<std::uint64_t>(pairs));
                    const int threads = static_cast<int>(1 + rows % 3);
                    check(spectrum, {layout, 5, rows, head_dim, 11}, static_cast<std::size_t>(rows % 5),
                          threads);
                }
    });
}

TEST(Rope, TurnsSomeFeaturesAtTheLastPositionsAndScales) {
    for_each_target([] {
        Spectrum spectrum = geometric_spectrum(500000.0, 16, 16);
        spectrum.attention_factor = 1.190238;
        for (const PairLayout layout : {PairLayout::interleaved, PairLayout::halves})
            check(spectrum, {layout, 2, 600, 48, kPositions - 600}, 0, 2);
    });
}

// Past the caches, and past one table of angles.
TEST(Rope, IsRightForManyRows) {
    for_each_target([] {
        const Spectrum spectrum = geometric_spectrum(10000.0, 32, 32);
        for (const PairLayout layout : {PairLayout::interleaved, PairLayout::halves})
            for (const std::size_t shift : {0U, 3U}) {
                check(spectrum, {layout, 4, 8300, 64, 0}, shift, 3);
                check(spectrum, {layout, 17, 4500, 64, 0}, shift, 2);  // shared out by heads
            }
    });
}

TEST(Rope, OfNothingIsNothing) {
    Workers workers;
    const Spectrum spectrum = geometric_spectrum(10000.0, 4, 4);
    rope(spectrum, {PairLayout::halves, 2, 0, 8, 0}, {}, {}, workers);
    rope(spectrum, {PairLayout::halves, 0, 3, 8, 0}, {}, {}, workers);
    std::vector<float> x(6), out(6);
    rope(Spectrum{}, {PairLayout::halves, 1, 2, 3, 0}, features(6), out, workers);
    EXPECT_EQ(out, features(6)) << "with no pair that turns, everything passes";
    EXPECT_THROW(rope(spectrum, {PairLayout::halves, 1, 1, 6, 0}, x, x, workers), std::logic_error);
}

RC_GTEST_PROP(Rope, KeepsLengthsAndScoresOfEqualShifts, ()) {
    const auto pairs = *rc::gen::inRange<std::size_t>(1, 40);
    const Spectrum spectrum = geometric_spectrum(10000.0, pairs, pairs);
    const PairLayout layout = *rc::gen::element(PairLayout::interleaved, PairLayout::halves);
    const auto head_dim = static_cast<std::int64_t>(2 * pairs) + *rc::gen::inRange(0, 9);
    const auto key = *rc::gen::inRange<std::int64_t>(0, 1000000),
               offset = *rc::gen::inRange<std::int64_t>(0, 5000);
    const auto shift = *rc::gen::inRange<std::int64_t>(0, 2000000000);
    const std::vector<float> x = features(static_cast<std::size_t>(head_dim));
    Workers workers;
    const auto at = [&](std::int64_t position) {
        std::vector<float> out(x.size());
        rope(spectrum, {layout, 1, 1, head_dim, position}, x, out, workers);
        return out;
    };
    const auto dot = [](const std::vector<float>& a, const std::vector<float>& b) {
        double sum = 0.0;
        for (std::size_t f = 0; f < a.size(); ++f)
            sum += static_cast<double>(a[f]) * static_cast<double>(b[f]);
        return sum;
    };
    for_each_target([&] {
        const double squared = dot(x, x), slack = 4.0 * kBound * squared;
        RC_ASSERT(std::abs(dot(at(key), at(key)) - squared) <= slack);
        const double here = dot(at(key + offset), at(key)),
                     there = dot(at(key + offset + shift), at(key + shift));
        RC_ASSERT(std::abs(here - there) <= slack);
    });
}

}  // namespace
}  // namespace posiscope
