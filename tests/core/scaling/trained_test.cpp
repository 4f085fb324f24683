// The angles of training against those of a Scene: pinned models, and properties of all of them.
#include "core/scaling/trained.hpp"
#include "tests/core/scenes.hpp"

#include <gtest/gtest.h>
#include <numbers>
#include <rapidcheck/gtest.h>

namespace posiscope::trained_test {
namespace {

// Llama 3.1 8B as it was trained; `now` replaces the encoding.
Scene llama(std::string_view now, std::int64_t length) {
    constexpr std::string_view trained = R"({"kind": "rope", "rope_scaling": {"rope_type": "llama3",
        "factor": 8.0, "original_max_position_embeddings": 8192}, "max_position_embeddings": 131072})";
    return scene(fmt::format(R"({{"encoding": {}, "base": 500000, "d_model": 4096, "num_heads": 32,
        "length": {}, "trained": {{"length": 131072, "scene": {{"encoding": {}}}}}}})",
                             now.empty() ? trained : now, length, trained));
}

TEST(Training, Llama3KeepsBlendsAndDivides) {
    const auto made = training_of(llama("", 131072));
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_EQ(made->slowing.kept, 29U);
    EXPECT_EQ(made->slowing.blended, 6U);
    EXPECT_EQ(made->slowing.divided, 29U);
    EXPECT_EQ(made->slowing.stopped, 0U);
    EXPECT_EQ(made->slowing.factor, 8.0);
    EXPECT_EQ(made->method, "llama3");
    EXPECT_EQ(*made->deviation, Deviation{}) << "nothing differs from how it was trained";
    EXPECT_EQ(made->new_angles.count, 0U);
}

TEST(Training, Llama3RunAsYarnDiffersInFortyFivePairs) {
    const auto made =
        training_of(llama(R"({"kind": "rope", "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
        "original_max_position_embeddings": 8192}})",
                          65536));
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_EQ(made->deviation->changed, 45U);
    EXPECT_EQ(made->deviation->off, 22U);
    EXPECT_NEAR(made->deviation->worst, 20.6, 0.05);
    EXPECT_EQ(made->new_angles.count, 0U) << "no pair leaves its trained arc";
    EXPECT_EQ(made->trained_method, "llama3");
    EXPECT_NEAR(made->trained_turns[35], 131072 / 65750.0, 2e-3);
}

TEST(Training, ProportionalStopsWhatLinearDivides) {
    const auto with = [](std::string_view scaling) {
        return training_of(
                   scene(fmt::format(
                       R"({{"encoding": {{"kind": "rope", "rope_scaling": {}}}, "d_model": 128}})", scaling)))
            ->slowing;
    };
    const Slowing linear = with(R"({"rope_type": "linear", "factor": 4})");
    EXPECT_EQ(linear.divided, 64U);
    EXPECT_EQ(linear.factor, 4.0);
    const Slowing part = with(R"({"rope_type": "proportional", "partial_rotary_factor": 0.25})");
    EXPECT_EQ(part.kept, 16U);
    EXPECT_EQ(part.stopped, 48U);
    const Slowing ntk = with(R"({"rope_type": "ntk", "alpha": 4})");
    EXPECT_EQ(ntk.kept, 1U) << "the fastest pair stays";
    EXPECT_EQ(ntk.divided, 1U) << "only the last one is divided by all of alpha";
    EXPECT_NEAR(ntk.factor, 4.0, 1e-12);
    EXPECT_FALSE(with("null").changes());
}

RC_GTEST_PROP(Training, EveryPairIsCountedOnceAndTheUnseenOnesAreTheSlowOnes, ()) {
    const auto trained = *rc::gen::inRange(1, 100000), length = *rc::gen::inRange(1, 100000);
    const auto factor = *rc::gen::inRange(1, 64);
    const auto type = *rc::gen::element<std::string>("linear", "yarn", "dynamic", "ntk_by_parts");
    const auto made = training_of(scene(fmt::format(
        R"({{"encoding": {{"kind": "rope", "max_position_embeddings": {0}, "rope_scaling": {{"rope_type": "{3}",
            "factor": {2}}}}}, "d_model": 64, "length": {1},
            "trained": {{"length": {0}, "scene": {{"encoding": "rope"}}}}}})",
        trained, length, factor, type)));
    RC_ASSERT(made.has_value());
    const Slowing& s = made->slowing;
    RC_ASSERT(s.kept + s.divided + s.blended + s.stopped == made->now.pairs());
    std::size_t unseen = 0;
    for (std::size_t i = 0; i < made->now.pairs(); ++i) {
        if (!made->unseen[i]) continue;
        ++unseen;
        RC_ASSERT(made->trained->frequency[i] * trained < 2.0 * std::numbers::pi * (1.0 + 1e-12));
    }
    RC_ASSERT(unseen == made->new_angles.count);
    // A plain scaling never speeds a pair up, so within the trained length nothing is new.
    if (length <= trained) RC_ASSERT(unseen == 0U);
}

TEST(Training, WithoutTrainingNothingIsSaidOfIt) {
    const auto made = training_of(Scene());
    ASSERT_TRUE(made);
    EXPECT_FALSE(made->trained);
    EXPECT_TRUE(made->trained_turns.empty());
    EXPECT_FALSE(made->deviation);
    EXPECT_EQ(training_of(scene(R"({"encoding": "alibi"})")).error().key, "encoding.no_spectrum");
}

}  // namespace
}  // namespace posiscope::trained_test
