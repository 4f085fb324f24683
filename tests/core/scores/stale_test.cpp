// Scores in a cache whose frequencies change, against NumPy's numbers and against a loop over the formulas.
#include "core/scores/stale.hpp"

#include "core/quantities/quantities.hpp"
#include "tests/core/scenes.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace posiscope::stale_test {
namespace {

constexpr std::string_view kDynamic =
    R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "dynamic", "factor": 4}, "max_position_embeddings": 2048},
        "d_model": 64, "pair": 0, "length": 4096, "position": 4095, "offset": -2095})";

// cos(m·w′ − n·w).sum() in float64, w = 1e4 ** (−arange(0, 64, 2)/64), w′ of base 1e4 (4 L/2048 − 3)^(64/62), m = L − 1.
TEST(StaleKeys, ADynamicSpectrumAtItsEndAndOneTokenPastTraining) {
    struct Case {
        std::int64_t length;
        double stale, anew;
    };
    for (const Case& one : {Case{4096, 9.3141824396958, 10.243714087248495},
                            Case{2049, 14.884963801159326, 14.525612908979657}}) {
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
            double stale = 0.0, anew = 0.0;
            for (std::size_t i = 0; i < 4; ++i) {
                const double w = std::pow(10000.0, -static_cast<double>(i) / 4.0);
                const auto at = [&](std::int64_t p) { return w / (p + 1 > 16 ? longer : shorter)[i]; };
                const auto query = static_cast<double>(m), key = static_cast<double>(n);
                stale += squared * std::cos(query * at(m) - key * at(n));
                anew += squared * std::cos((query - key) * at(m));
            }
            const auto score = *StaleScores::of(phi, m, 0)->at(n);
            EXPECT_NEAR(score.stale, stale, 1e-12) << m << ' ' << n;
            EXPECT_NEAR(score.anew, anew, 1e-12) << m << ' ' << n;
        }
}

TEST(StaleKeys, AreAQuantity) {
    const auto arrays = evaluate(*find_quantity("stale_keys"), scene(kDynamic), 1 << 20);
    ASSERT_TRUE(arrays) << to_string(arrays.error());
    EXPECT_TRUE(std::isnan((*arrays)[0].values[1999]));
    EXPECT_NEAR((*arrays)[0].values[4095], 9.3142, 5e-5);
    EXPECT_NEAR((*arrays)[1].values[4095], 10.2437, 5e-5);
    EXPECT_NEAR((*arrays)[0].values[2048], 14.8850, 5e-5);
    EXPECT_EQ((*arrays)[0].values[2047], (*arrays)[1].values[2047]);  // nothing is scaled yet
    EXPECT_FALSE(evaluate(*find_quantity("stale_keys"),
                          scene(R"({"encoding": "rope", "length": 2147483647})"), 1 << 20));
    EXPECT_FALSE(evaluate(*find_quantity("stale_keys"), scene(R"({"encoding": "alibi"})"), 1 << 20));
}

}  // namespace
}  // namespace posiscope::stale_test
