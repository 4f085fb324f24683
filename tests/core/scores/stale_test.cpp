// Scores in a cache whose frequencies change, against NumPy's numbers and against a loop over the formulas.
#include "core/scores/stale.hpp"

#include "core/quantities/quantities.hpp"
#include "core/scores/score.hpp"
#include "tests/core/scenes.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace posiscope::stale_test {
namespace {

constexpr std::string_view kDynamic =
    R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "dynamic", "factor": 4}, "max_position_embeddings": 2048},
        "d_model": 64, "pair": 0, "length": 4096, "position": 4095, "offset": -2095})";

// 2·cos(m·w′ − n·w).sum() in float64, w = 1e4 ** (−arange(0, 64, 2)/64), w′ of base 1e4 (4 L/2048 − 3)^(64/62), m = L − 1.
TEST(StaleKeys, ADynamicSpectrumAtItsEndAndOneTokenPastTraining) {
    struct Case {
        std::int64_t length;
        double stale, anew;
    };
    for (const Case& one : {Case{4096, 18.6283648793916, 20.48742817449699},
                            Case{2049, 29.769927602318652, 29.051225817959314}}) {
        auto scores = StaleScores::of(scene(kDynamic), one.length - 1, 0);
        ASSERT_TRUE(scores) << to_string(scores.error());
        const auto score = *scores->at(2000);
        EXPECT_NEAR(score.stale, one.stale, 1e-9) << one.length;
        EXPECT_NEAR(score.anew, one.anew, 1e-9) << one.length;
    }
    // A key that comes past training has a spectrum of its own; in a prompt that is as long, that of its end.
    auto scores = StaleScores::of(scene(kDynamic), 4095, 0),
         prompted = StaleScores::of(scene(kDynamic), 4095, 4096);
    EXPECT_GT(std::abs(scores->at(3000)->stale - scores->at(3000)->anew), 0.01);
    EXPECT_NEAR(prompted->at(2000)->stale, prompted->at(2000)->anew, 1e-12);
}

// Phi-3's rule: two lists, of which the second holds past the trained length; cos and sin times √(1 + ln F/ln L).
TEST(StaleKeys, LongRopeSwitchesOnce) {
    const Scene phi = scene(
        R"({"encoding": {"kind": "rope", "max_position_embeddings": 64, "rope_scaling": {"rope_type": "longrope",
            "short_factor": [1, 1.5, 2, 3], "long_factor": [2, 4, 8, 16], "original_max_position_embeddings": 16}},
            "d_model": 8, "pair": 0})");
    const std::vector<double> shorter = {1, 1.5, 2, 3}, longer = {2, 4, 8, 16};
    const double squared = 1.0 + std::log(4.0) / std::log(16.0);
    for (const std::int64_t m : {9, 15, 16, 40})
        for (const std::int64_t n : {0, 9, 15, 16, 33}) {
            if (n > m) continue;
            double stale = 0.0, anew = 0.0;  // each pair has two components
            for (std::size_t i = 0; i < 4; ++i) {
                const double w = std::pow(10000.0, -static_cast<double>(i) / 4.0);
                const auto at = [&](std::int64_t p) { return w / (p + 1 > 16 ? longer : shorter)[i]; };
                const auto query = static_cast<double>(m), key = static_cast<double>(n);
                stale += 2.0 * squared * std::cos(query * at(m) - key * at(n));
                anew += 2.0 * squared * std::cos((query - key) * at(m));
            }
            const auto score = *StaleScores::of(phi, m, 0)->at(n);
            EXPECT_NEAR(score.stale, stale, 1e-12) << m << ' ' << n;
            EXPECT_NEAR(score.anew, anew, 1e-12) << m << ' ' << n;
        }
}

// Rotated anew, a key scores as in `distance`: features that nothing turns count too, and xPos's factors.
TEST(StaleKeys, AnewIsTheDotProductOfEqualContent) {
    for (const std::string_view partial :
         {kDynamic,
          std::string_view(
              R"({"encoding": {"kind": "rope", "partial_rotary_factor": 0.5}, "d_model": 16, "pair": 0})"),
          std::string_view(R"({"encoding": "xpos", "d_model": 16, "pair": 0})"),
          std::string_view(R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "yarn", "factor": 4,
              "original_max_position_embeddings": 64}}, "d_model": 16, "pair": 0})")}) {
        Scene at = scene(partial);
        at.length = 4096;
        const Spectrum now = *spectrum_of(at);
        auto scores = StaleScores::of(at, 4095, 0);
        ASSERT_TRUE(scores);
        EXPECT_NEAR(scores->at(2000)->anew, score_at(score_form(at, now, ScoreKind::dot), now, 2095), 1e-11)
            << partial;
        EXPECT_EQ(*scores->changed(), partial == kDynamic) << partial;
    }
}

TEST(StaleKeys, AreAQuantity) {
    const auto arrays = evaluate(*find_quantity("stale_keys"), scene(kDynamic), 1 << 20);
    ASSERT_TRUE(arrays) << to_string(arrays.error());
    EXPECT_TRUE(std::isnan((*arrays)[0].values[1999]));
    EXPECT_NEAR((*arrays)[0].values[4095], 18.6284, 5e-5);
    EXPECT_NEAR((*arrays)[1].values[4095], 20.4874, 5e-5);
    EXPECT_NEAR((*arrays)[0].values[2048], 29.7699, 5e-5);
    EXPECT_EQ((*arrays)[0].values[2047], (*arrays)[1].values[2047]);  // nothing is scaled yet
    EXPECT_FALSE(evaluate(*find_quantity("stale_keys"),
                          scene(R"({"encoding": "rope", "length": 2147483647})"), 1 << 20));
    EXPECT_FALSE(evaluate(*find_quantity("stale_keys"), scene(R"({"encoding": "alibi"})"), 1 << 20));
}

}  // namespace
}  // namespace posiscope::stale_test
