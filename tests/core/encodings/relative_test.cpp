// Encodings that add to the logits, and the learned table.
#include "core/attention/attention.hpp"
#include "core/encodings/relative.hpp"
#include "tests/core/scenes.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace posiscope::relative_test {
namespace {

std::string refused(std::string_view partial) {
    const auto laid = overlay(Scene(), *parse_json(partial));
    return laid ? "" : to_string(laid.error());
}

TEST(Alibi, SlopesAreGeometricForPowersOfTwo) {
    for (const std::int64_t heads : {1, 2, 4, 8, 16, 32, 64, 128}) {
        const auto slopes = alibi_slopes(heads);
        const double ratio = std::exp2(-8.0 / static_cast<double>(heads));
        EXPECT_EQ(slopes.back(), 1.0 / 256.0);
        for (std::size_t h = 0; h < slopes.size(); ++h)
            EXPECT_NEAR(slopes[h] / std::pow(ratio, static_cast<double>(h + 1)), 1.0, 1e-13);
    }
}

TEST(Alibi, MptHasTheSameSlopesAtEight) {
    for (std::int64_t heads = 1; heads <= 128; ++heads) {
        const auto ours = alibi_slopes(heads), mpt = mpt_slopes(heads, 8.0);
        ASSERT_EQ(ours.size(), static_cast<std::size_t>(heads));
        ASSERT_EQ(ours, mpt) << heads;
    }
    EXPECT_NE(alibi_slopes(12), mpt_slopes(12, 16.0));
}

TEST(Alibi, DistanceZeroCostsNothingAndHasNoSign) {
    const Action action = *action_of(scene(R"({"encoding": "alibi", "num_heads": 4})"));
    EXPECT_EQ(action.bias(0, 5, 5), 0.0);
    EXPECT_FALSE(std::signbit(action.bias(0, 5, 5))) << "-0 would be written as such";
    EXPECT_EQ(action.bias(0, 5, 8), action.bias(0, 8, 5)) << "−m |i − j|";
}

TEST(Alibi, BloomsFormDiffersByAConstantOfTheRow) {
    const auto ours = attention(
        scene(R"({"encoding": "alibi", "d_model": 24, "num_heads": 3, "length": 9, "content": "seeded"})"));
    const auto bloom = attention(scene(
        R"({"encoding": {"kind": "alibi", "variant": "bloom"}, "d_model": 24, "num_heads": 3, "length": 9, "content": "seeded"})"));
    EXPECT_NE(ours->logits, bloom->logits);
    for (std::size_t i = 0; i < ours->weights.size(); ++i)
        EXPECT_NEAR(ours->weights[i], bloom->weights[i], 1e-15);
}

RC_GTEST_PROP(T5, BucketsGrowWithDistance, ()) {
    T5Buckets buckets{*rc::gen::inRange<std::int64_t>(4, 200), 0, *rc::gen::arbitrary<bool>()};
    const std::int64_t exact = buckets.num_buckets / (buckets.bidirectional ? 4 : 2);
    buckets.max_distance = exact + *rc::gen::inRange<std::int64_t>(1, 3000);
    const std::int64_t count = buckets.bidirectional ? buckets.num_buckets / 2 : buckets.num_buckets;
    for (std::int64_t r = 0; r < 4000; ++r) {
        const std::int64_t bucket = t5_bucket(buckets, -r);
        RC_ASSERT(bucket <= t5_bucket(buckets, -r - 1));
        RC_ASSERT(bucket < count);
        if (r < exact) RC_ASSERT(bucket == r);
        if (r >= buckets.max_distance) RC_ASSERT(bucket == count - 1);
        RC_ASSERT(t5_bucket(buckets, r) == (buckets.bidirectional ? (r > 0 ? bucket + count : bucket) : 0));
    }
    RC_ASSERT(t5_bucket(buckets, -kLastPosition) == count - 1);
}

TEST(T5, HasNoScaleAndTwoDirections) {
    const Scene s = scene(R"({"encoding": "t5", "d_model": 64, "length": 4})");
    EXPECT_EQ(action_of(s)->scale, 1.0);
    EXPECT_EQ(action_of(scene(R"({"encoding": "alibi", "d_model": 64})"))->scale, 0.125);
    EXPECT_EQ(refused(R"({"encoding": {"kind": "t5", "num_buckets": 32, "max_distance": 8}})"),
              "t5.max_distance (path=encoding.max_distance, value=8, minimum=9)");
    EXPECT_EQ(refused(R"({"encoding": {"kind": "t5", "num_buckets": 2}})"),
              "t5.buckets (path=encoding.num_buckets, value=2, minimum=4)");
}

TEST(Kernels, AreZeroAtDistanceZeroAndFall) {
    for (const char* kind :
         {R"("alibi")", R"("kerple")", R"({"kind": "kerple", "variant": "power"})", R"("sandwich")"}) {
        const auto bias =
            action_of(scene(std::string(R"({"d_model": 32, "num_heads": 4, "encoding": )") + kind + "}"))
                ->bias;
        for (std::int64_t head = 0; head < 4; ++head) {
            EXPECT_EQ(bias(head, 7, 7), 0.0) << kind;
            EXPECT_LT(bias(head, 7, 6), 0.0) << kind;
            EXPECT_EQ(bias(head, 9, 4), bias(head, 4, 9)) << kind;
            if (std::string_view(kind) == R"("sandwich")") continue;  // a sum of cosines comes back
            for (std::int64_t d = 1; d < 100; ++d)
                EXPECT_LT(bias(head, 200, 200 - d - 1), bias(head, 200, 200 - d)) << kind;
        }
    }
}

TEST(Kernels, KerplesWeightMultipliesTheLogit) {
    const Scene s = scene(
        R"({"encoding": {"kind": "kerple", "variant": "power", "weighted": true}, "d_model": 8, "length": 3, "pair": 0})");
    const auto action = *action_of(s);
    const auto made = *attention(s);
    EXPECT_NEAR(made.logits[3], action.weight(0, 1, 0) * 8.0 / std::sqrt(8.0) + action.bias(0, 1, 0), 1e-14);
    EXPECT_LT(action.weight(0, 1, 0), 1.0);
    EXPECT_EQ(refused(R"({"encoding": {"kind": "kerple", "variant": "power", "bias_p": 3}})"),
              "value.range (path=encoding.bias_p, value=3, minimum=0.01, maximum=2)");
}

TEST(Fire, DividesByTheLargerOfPositionAndThreshold) {
    const Fire fire{0.1, 512.0, 1e-6, {1.0}, {0.0}, {1.0}, {0.0}};
    const auto psi = [](double x) { return std::log1p(0.1 * x); };
    EXPECT_NEAR(fire.bias(0, 100, 0), psi(100) / (psi(512) + 1e-6), 1e-15);
    EXPECT_NEAR(fire.bias(0, 1000, 0), psi(1000) / (psi(1000) + 1e-6), 1e-15);
}

TEST(Shaw, ClipsAtTheTablesEnds) {
    EXPECT_EQ(shaw_index(-9, 3), 0);
    EXPECT_EQ(shaw_index(0, 3), 3);
    EXPECT_EQ(shaw_index(2, 3), 5);
    EXPECT_EQ(shaw_index(kLastPosition, 3), 6);
}

TEST(Learned, EndsWhereItsTableEnds) {
    const Scene s = scene(
        R"({"encoding": {"kind": "learned", "max_position_embeddings": 100}, "d_model": 8, "pair": 0})");
    EXPECT_EQ(to_string(attention(s).error()), "position.past_table (position=127, last=99)");
    EXPECT_EQ(to_string(input_table(s, 99, 2).error()), "position.past_table (position=100, last=99)");
    EXPECT_EQ(remarks_on(s).front().key, "position.past_table");
    const auto table = *input_table(s, 0, 100);
    EXPECT_EQ(table.size(), 800U);
    // Another offset reads the same table from another row.
    const auto later = *input_table(
        scene(R"({"encoding": {"kind": "learned", "position_offset": 2}, "d_model": 8, "pair": 0})"), 0, 98);
    EXPECT_TRUE(std::equal(later.begin(), later.end(), table.begin() + 16));
}

}  // namespace
}  // namespace posiscope::relative_test
