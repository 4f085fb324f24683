// What is said of every kind of encoding: counts against what training would find, and relativity as measured.
#include "core/attention/kinds.hpp"

#include "core/claims/claims.hpp"
#include "core/experiment/learnable.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace posiscope::kinds_test {
namespace {

const KindNumbers& of(const std::vector<KindNumbers>& all, std::string_view kind) {
    for (const KindNumbers& one : all)
        if (one.encoding->kind == kind) return one;
    ADD_FAILURE() << kind;
    return all.front();
}

TEST(Kinds, WhatTrainingFindsIsCounted) {
    const Scene scene = *scene_of(Json{{"d_model", 64}, {"num_heads", 4}});
    const auto all = kind_numbers(scene, 3);
    ASSERT_EQ(all.size(), encodings_to_compare(scene).size());
    for (const KindNumbers& one : all) {
        ASSERT_TRUE(one.fits) << one.encoding->kind;
        EXPECT_EQ(one.parameters > 0, (one.encoding->learns.by != nullptr)) << one.encoding->kind;
    }
    EXPECT_EQ(of(all, "learned").parameters, 1024 * 64);
    EXPECT_EQ(of(all, "learned").positions, 1024);
    EXPECT_EQ(of(all, "shaw").parameters, 2 * 33 * 16);
    EXPECT_EQ(of(all, "transformer_xl").parameters, 64 * 64 + 2 * 64);
    EXPECT_EQ(of(all, "t5").parameters, 32 * 4);
    EXPECT_EQ(of(all, "kerple").parameters, 8);
    EXPECT_EQ(of(all, "fire").parameters, 2 + 64 + 4 * 33);
    // The groups of those whose sizes do not depend on the experiment's own settings.
    const experiment::Place place{.shape = {.heads = 4}};
    for (const std::string_view kind : {"kerple", "fire"}) {
        std::size_t numbers = 0;
        for (const experiment::Group& group : find_encoding(kind)->learns.by->groups(place))
            numbers += group.rows * group.columns;
        EXPECT_EQ(static_cast<std::size_t>(of(all, kind).parameters), numbers) << kind;
    }
}

TEST(Kinds, RelativeOnesDoNotMoveAlongTheSequence) {
    for (const char* kind : {"sinusoidal", "rope"})
        for (const std::int64_t offset : {-3, 0, 3, 17}) {
            const auto all = kind_numbers(*scene_of(Json{{"d_model", 64}, {"encoding", kind}}), offset);
            for (const KindNumbers& one : all) {
                const bool absolute = one.encoding->family == Family::absolute;
                EXPECT_EQ(one.relative(), !absolute) << one.encoding->kind << " " << one.moved;
                if (absolute) {
                    EXPECT_GT(one.moved, 0.01) << one.encoding->kind;
                }
            }
            EXPECT_EQ(of(all, "none").moved, 0.0);
        }
    // FIRE divides by the query's position from its threshold on; ALiBi's other sign of a row's constant changes nothing.
    const auto far = kind_numbers(*scene_of(Json{{"d_model", 64}, {"length", 4096}}), 3);
    EXPECT_GT(of(far, "fire").moved, 1e-4);
    EXPECT_TRUE(
        of(kind_numbers(
               *scene_of(Json{{"d_model", 64}, {"encoding", {{"kind", "alibi"}, {"variant", "bloom"}}}}), 3),
           "alibi")
            .relative());
    // A grid's rows are no distances.
    EXPECT_FALSE(
        of(kind_numbers(
               *scene_of(Json{{"d_model", 64}, {"encoding", {{"kind", "rope_2d"}, {"grid_width", 8}}}}), 3),
           "rope_2d")
            .relative());
}

TEST(Kinds, DistancesAreToldAsFarAsScoresFall) {
    const auto all = kind_numbers(*scene_of(Json{{"d_model", 64}}), 3);
    EXPECT_EQ(of(all, "alibi").falls, 127.0);
    EXPECT_EQ(of(all, "alibi").steps, 127.0);
    EXPECT_EQ(of(all, "none").falls, 0.0);
    // p · p′ of the sinusoidal table: the steps that do not fall are those that claim A10 counts.
    const auto rises = measure(*find_measure("A10"), *scene_of(Json{{"d_model", 64}}));
    ASSERT_TRUE(rises);
    EXPECT_EQ(of(all, "sinusoidal").falls, 127.0 - rises->value);
}

TEST(Kinds, AtTwiceTheLength) {
    const auto all = kind_numbers(*scene_of(Json{{"d_model", 64}}), 3);
    EXPECT_NEAR(of(all, "alibi").beyond, 128.0 / 256.0, 1e-12) << "the slope of one head is 2⁻⁸";
    EXPECT_EQ(of(all, "t5").beyond, 0.0) << "the last bucket";
    EXPECT_EQ(of(all, "shaw").beyond, 0.0) << "the last row";
    EXPECT_EQ(of(all, "none").beyond, 0.0);
    // As claim B29 has it.
    Scene longer = *scene_of(Json{{"d_model", 64}, {"length", 256}, {"trained", {{"length", 128}}}});
    const auto unseen = measure(*find_measure("B29"), longer);
    ASSERT_TRUE(unseen);
    EXPECT_EQ(of(all, "sinusoidal").unseen, unseen->value);
    EXPECT_EQ(of(all, "sinusoidal").pairs, 32.0);
    EXPECT_EQ(of(all, "rope").unseen, unseen->value) << "one head: the same spectrum";
}

TEST(Kinds, AWidthThatDoesNotFitSaysSo) {
    const auto all = kind_numbers(*scene_of(Json{{"d_model", 6}, {"pair", 0}}), 1);
    EXPECT_FALSE(of(all, "rope_2d").fits);
    EXPECT_TRUE(of(all, "rope").fits);
    // A table of one row has nothing to move along.
    const auto short_table =
        kind_numbers(*scene_of(Json{{"d_model", 8},
                                    {"pair", 0},
                                    {"encoding", {{"kind", "learned"}, {"max_position_embeddings", 2}}}}),
                     5);
    EXPECT_TRUE(std::isnan(of(short_table, "learned").moved));
}

}  // namespace
}  // namespace posiscope::kinds_test
