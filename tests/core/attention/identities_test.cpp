// Claims about positional encodings, with the residuals of float64.
#include "core/attention/expansion.hpp"
#include "core/attention/identities.hpp"
#include "tests/core/scenes.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace posiscope::identities_test {
namespace {

Spectrum sinusoidal(std::int64_t width) { return spectrum(fmt::format(R"({{"d_model": {}}})", width)); }

RC_GTEST_PROP(Identities, HoldAtEveryPosition, ()) {
    const Spectrum made = sinusoidal(2 * *rc::gen::inRange(1, 100));
    const Encoding& encoding = *find_encoding(*rc::gen::arbitrary<bool>() ? "sinusoidal" : "rope");
    const auto position = [] { return *rc::gen::inRange<std::int64_t>(0, kLastPosition / 4); };
    const std::int64_t i = position(), j = position(), k = position();
    const double bound = 4e-15 * static_cast<double>(made.pairs());
    RC_ASSERT(shift_residual(encoding, made, i, k) < 5e-16);
    RC_ASSERT(composition_residual(encoding, made, i, k) < 1e-15);
    const double dot = dot_of_distance(made, i - j), squared = squared_distance(made, i, j);
    RC_ASSERT(std::abs(dot_product(made, i, j) - dot) < bound);
    RC_ASSERT(std::abs(squared - 2.0 * (static_cast<double>(made.pairs()) - dot)) < bound);
    RC_ASSERT(std::abs(std::sqrt(squared) - length_of_distance(made, i - j)) < 1e-13);
    const auto moved = *rc::gen::inRange<std::int64_t>(0, j + 1);
    RC_ASSERT(std::abs(dot_product(made, i + moved, j) - dot_product(made, i, j - moved)) < bound);
    RC_ASSERT(conjugate_residual(made, i) < 5e-16);
}

TEST(Identities, TheComplexFormNeedsItsConjugate) {
    const Spectrum made = sinusoidal(64);
    EXPECT_NEAR(literal_residual(made, 0), std::sqrt(2.0), 1e-15);  // i against 1
    double most = 0.0;
    for (std::int64_t p = 0; p < 1000; ++p) most = std::max(most, literal_residual(made, p));
    EXPECT_NEAR(most, 2.0, 1e-4);
    EXPECT_LT(power_residual(made, 1000), 1e-12);
}

TEST(Identities, LengthsByDistance) {
    const Spectrum made = sinusoidal(512);
    EXPECT_NEAR(length_of_distance(made, 1), 3.7143, 5e-5);
    EXPECT_NEAR(length_of_distance(made, 2), 6.9665, 5e-5);
    EXPECT_NEAR(length_of_distance(made, 10), 12.823, 5e-4);
    EXPECT_NEAR(length_of_distance(made, 100), 16.973, 6e-4);
    const double want[] = {256.0, 249.1, 231.7, 173.8, 112.0};
    const std::int64_t at[] = {0, 1, 2, 10, 100};
    for (int n = 0; n < 5; ++n) EXPECT_NEAR(dot_of_distance(made, at[n]), want[n], 0.05);
}

TEST(Identities, ColumnsAreOrthogonalOnlyInTheLimit) {
    const Spectrum narrow = sinusoidal(64);
    const double want[][4] = {{64, 1.13, 2.00, 1.41},
                              {512, 1.11, 2.00, 1.44},
                              {4096, 1.14, 1.75, 1.36},
                              {65536, 0.21, 0.20, 0.73},
                              {1e6, 0.011, 0.010, 0.033}};
    for (const auto& [n, sines, cosines, mixed] : want) {
        const auto made = orthogonality(narrow, static_cast<std::int64_t>(n));
        EXPECT_NEAR(made.sin_sin, sines, 0.005) << n;
        EXPECT_NEAR(made.cos_cos, cosines, 0.006) << n;
        EXPECT_NEAR(made.sin_cos, mixed, 0.005) << n;
    }
    EXPECT_NEAR(orthogonality(sinusoidal(512), 512).least_sin * 256.0, 0.479, 5e-4);
}

// The closed form against the sums themselves.
TEST(Identities, OrthogonalitySumsByHand) {
    const Spectrum made = sinusoidal(8);
    double sines = 0.0;
    for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = 0; b < 4; ++b) {
            double sum = 0.0;
            for (std::int64_t i = 0; i < 100; ++i)
                sum += sin(phase(made.step[a], i)) * sin(phase(made.step[b], i));
            if (a != b) sines = std::max(sines, std::abs(sum) / 50.0);
        }
    EXPECT_NEAR(orthogonality(made, 100).sin_sin, sines, 1e-13);
}

TEST(Identities, RankIsFarFromTheWidth) {
    EXPECT_EQ(table_rank(sinusoidal(16), 16)->rank, 12);
    EXPECT_EQ(table_rank(sinusoidal(64), 64)->rank, 26);
    EXPECT_EQ(table_rank(sinusoidal(128), 128)->rank, 42);
    EXPECT_LE(table_rank(sinusoidal(4), 5)->rank, 4);
    EXPECT_EQ(table_rank(sinusoidal(512), kLastPosition).error().key, "output.too_large");
}

TEST(Identities, LeastGaps) {
    const Gap one = least_gap(sinusoidal(2), 100000);
    EXPECT_NEAR(one.length, 6.0e-5, 5e-7);
    EXPECT_EQ(one.distance, 710);
    EXPECT_NEAR(least_gap(sinusoidal(8), 100000).length, 0.0386, 5e-5);
    EXPECT_NEAR(least_gap(sinusoidal(64), 10000).length, 1.472, 5e-4);
    EXPECT_EQ(least_gap(sinusoidal(64), 10000).distance, 1);
}

TEST(Identities, AttentionIsEquivariantOnlyWithoutOrder) {
    const std::vector<std::int64_t> order{3, 0, 5, 1, 2, 4};
    const auto made = [&](std::string_view kind, bool causal) {
        return *equivariance(
            scene(fmt::format(
                R"({{"encoding": "{}", "d_model": 16, "num_heads": 2, "length": 6, "pair": 1, "content": "seeded", "causal": {}}})",
                kind, causal)),
            order);
    };
    const Equivariance free = made("none", false);
    EXPECT_GT(free.moved, 0.1);
    EXPECT_LT(free.residual, 1e-14);
    EXPECT_LT(free.pooled, 1e-14);
    EXPECT_GT(made("none", true).residual, 0.1);  // the mask alone tells positions apart
    for (const std::string_view kind : encoding_kinds())
        if (kind != "none" && kind != "own") {  // nothing is typed
            EXPECT_GT(made(kind, false).residual, 1e-4) << kind;
        }
}

TEST(Identities, ScoresUnderACommonShift) {
    const Scene s = scene(R"({"encoding": "rope", "d_model": 128, "content": "seeded"})");
    const Spectrum made = *spectrum_of(s);
    const ScoreForm form = score_form(s, made, ScoreKind::dot);
    for (const std::int64_t shift : {0, 100, 4000, 2000000000})
        EXPECT_NEAR(score_between(form, made, 8 + shift, 5 + shift), score_at(form, made, 3), 1e-12);
}

// A position too far says where it ends: a table, a grid, or all positions.
TEST(Identities, APositionPastTheEndSaysWhichEnd) {
    const auto refused = [](std::string_view partial, std::int64_t query) {
        const auto along = mixed_along(scene(partial), query, 0, 4);
        return along ? std::string() : to_string(along.error());
    };
    EXPECT_EQ(
        refused(
            R"({"encoding": {"kind": "rope", "grid": [1, 4, 4], "rope_scaling": {"mrope_section": [2, 3, 3]}},
                         "d_model": 16})",
            14),
        "position.past_grid (position=17, last=15)");
    EXPECT_EQ(refused(R"({"encoding": "rope", "d_model": 16})", kLastPosition),
              "position.past_last (position=2147483650, last=2147483647)");
}

}  // namespace
}  // namespace posiscope::identities_test
