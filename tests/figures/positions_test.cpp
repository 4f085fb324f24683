// The figures of a row of tokens: what they say is core's, and what can be dragged moves the step and the key.
#include "core/attention/attention.hpp"
#include "core/attention/locality.hpp"
#include "core/positions/positions.hpp"
#include "tests/figures/hand.hpp"

#include <cstdio>
#include <cstdlib>
#include <random>

namespace posiscope::test::positions_test {
namespace {

// The row of the note on eviction: 24 tokens are read, 14 rows kept, and the query takes 14 for its id.
Scene evicted(std::string_view slip = "kept_rows") {
    return scene_of({{"encoding", "rope"},
                     {"d_model", 64},
                     {"pair", 0},
                     {"length", 27},
                     {"position", 24},
                     {"offset", -1},
                     {"view", {{"ids", {{"kind", "eviction"}, {"slip", std::string(slip)}}}}}});
}

TEST(PositionsFigure, NamesTheSlipAndShowsBothDistances) {
    const Hand hand("positions", evicted(), {0.0F, 0.0F, 1200.0F, 360.0F});
    EXPECT_EQ(hand.headline,
              "10 of 24 rows are evicted, and the query takes id 14 for 24: 14 of 15 distances "
              "are off, by −10; 8 of them negative.");
    EXPECT_TRUE(hand.canvas.says("24"));
    EXPECT_TRUE(hand.canvas.says("−9"));  // to its neighbour, and 1 is meant
    const Hand right("positions", evicted("right"), {0.0F, 0.0F, 1200.0F, 360.0F});
    EXPECT_FALSE(right.canvas.says("−9"));
    EXPECT_EQ(right.headline,
              "10 of 24 rows are evicted; the others keep their ids, and the query has id 24.");
}

// Words are whole while there is room for them, however many tokens are still to come.
TEST(PositionsFigure, WordsAreNotCutWhereThereIsRoom) {
    const auto cut = [](const Hand& hand) {
        return std::ranges::count_if(hand.canvas.texts, [](std::string_view text) {
            return text.find("…") != std::string_view::npos;
        });
    };
    const Hand hand("positions", Scene(), {0.0F, 0.0F, 950.0F, 330.0F});  // of 128 tokens 14 are read
    EXPECT_EQ(cut(hand), 0);
    EXPECT_TRUE(hand.canvas.says("noon"));
    EXPECT_EQ(cut(Hand("positions", evicted(), {0.0F, 0.0F, 940.0F, 330.0F})), 0);
}

TEST(PositionsFigure, SaysWhatLeftAndHowFarTheQuerySeemsToHaveMoved) {
    const Hand hand("positions", evicted(), {0.0F, 0.0F, 1200.0F, 360.0F});
    EXPECT_TRUE(hand.canvas.says("10 short"));
    EXPECT_TRUE(hand.canvas.says("3 evicted"));
    EXPECT_FALSE(Hand("positions", evicted("right"), {0.0F, 0.0F, 1200.0F, 360.0F}).canvas.says("short"));
}

// Slots begin anew, so at some steps the slip moves the query as far as its keys.
TEST(PositionsFigure, WhereNoDistanceIsOffNoneIsCounted) {
    const Hand hand("positions", scene_of({{"position", 15},
                                           {"offset", -3},
                                           {"length", 18},
                                           {"view", {{"ids", {{"kind", "rolling"}, {"slip", "slot"}}}}}}));
    EXPECT_EQ(hand.headline, "Token 15 has id 7 for 15; every distance is right at this step.");
}

// Llama 4: three layers with chunks, and one that rotates nothing and sees all keys.
TEST(PositionsFigure, TheLayerDecidesTheMask) {
    const auto layer = [](const char* encoding) {
        return Hand("positions", scene_of({{"encoding", parse_json(encoding).value()},
                                           {"d_model", 8},
                                           {"pair", 0},
                                           {"length", 12},
                                           {"position", 10},
                                           {"offset", -1}}));
    };
    EXPECT_EQ(layer(R"({"kind": "rope", "sliding_window": 4})").headline,
              "This layer has a window: of 11 keys the query at 10 sees 4.");
    EXPECT_EQ(layer(R"({"kind": "rope", "attention_chunk_size": 8})").headline,
              "This layer attends within chunks: of 11 keys the query at 10 sees 3.");
    EXPECT_EQ(
        layer(R"({"kind": "rope", "no_rope_layers": [1, 1, 1, 0], "layer": 3})").headline,
        "This layer rotates nothing (NoPE): ids do not matter here, and the query at 10 sees 11 of 11 keys.");
}

TEST(PositionsFigure, AButtonTakesTheSlipAway) {
    Hand hand("positions", evicted(), {0.0F, 0.0F, 1200.0F, 360.0F});
    hand.move(hand.handle("right"));
    hand.press();
    hand.release();
    EXPECT_EQ(hand.scene.view.at("ids").at("slip"), "right");
    hand.move(hand.handle("kept_rows"));
    hand.press();
    hand.release();
    EXPECT_EQ(hand.scene, evicted());
}

TEST(PositionsFigure, TheQueryAndTheKeyAreDragged) {
    for (const std::int64_t offset : {-1, 3}) {
        Scene scene = evicted();
        scene.position = offset < 0 ? 24 : 20;
        scene.offset = offset;
        Hand hand("positions", scene, {0.0F, 0.0F, 1200.0F, 360.0F});
        const Point query = hand.handle("step"), key = hand.handle("key");
        const float column = (query.x - key.x) / static_cast<float>(std::abs(offset));
        hand.drag(query, query + Point{-2.0F * column, 0.0F});
        EXPECT_EQ(std::max(hand.scene.position, hand.scene.position + hand.scene.offset),
                  std::max(scene.position, scene.position + scene.offset) - 2);
        EXPECT_EQ(hand.scene.offset, offset);
        const Point marked = hand.handle("key");
        hand.move(marked + Point{-4.0F * column, 0.0F});
        hand.press();
        hand.release();
        EXPECT_EQ(std::abs(hand.scene.offset), std::abs(offset) + 4);
    }
}

TEST(PositionsFigure, ADefaultSceneIsPlain) {
    const Hand hand("positions", Scene());
    EXPECT_EQ(hand.headline, "Each token’s id is its row: token 13 has id 13.");
    EXPECT_EQ(Hand("verdict", Scene()).headline, "With these ids every kind of encoding is right.");
}

// A pad asks for nothing: means are over the others, and its row of weights is empty.
TEST(PositionsFigure, AttentionLeavesPadsOut) {
    const Scene padded = scene_of({{"encoding", "rope"},
                                   {"d_model", 64},
                                   {"length", 12},
                                   {"position", 9},
                                   {"offset", -3},
                                   {"view", {{"ids", {{"kind", "left_padding"}}}}}});
    const auto local = locality(padded, 1e9);
    ASSERT_TRUE(local);
    ui::Scratch scratch;
    EXPECT_NE(Hand("attention", padded).headline.find(ui::significant(scratch, local->distance[0], 3)),
              std::string::npos)
        << Hand("attention", padded).headline;
    Scene matrix = padded;
    figures::set_view_value(matrix, "matrix", "mode", "attention");
    EXPECT_NE(Hand("matrix", matrix).headline.find("empty for a pad"), std::string::npos);
}

// Past the row's bound a sentence says so, and nothing is counted.
TEST(PositionsFigure, RowsHaveAnEnd) {
    Scene scene = evicted();
    scene.length = scene.position = kMostTokens + 5;
    for (const char* figure : {"positions", "distances", "verdict"}) {
        const Hand hand(figure, scene);
        EXPECT_TRUE(hand.canvas.says("rows of up to")) << figure;
    }
}

TEST(DistancesFigure, ErrorsAreWholeNumbersInTheirCells) {
    Hand hand("distances", evicted(), {0.0F, 0.0F, 900.0F, 500.0F});
    EXPECT_EQ(hand.headline, "Of query 24, 14 of 15 distances are off, by −10.");
    // Three queries after the prompt meet the 14 rows that were kept; what is stored later is right among itself.
    EXPECT_EQ(std::ranges::count(hand.canvas.texts, "−10"), 3 * 14);
    const Hand right("distances", evicted("right"), {0.0F, 0.0F, 900.0F, 500.0F});
    EXPECT_EQ(std::ranges::count(right.canvas.texts, "−10"), 0);
    const Hand leaks("distances",
                     scene_of({{"position", 7},
                               {"offset", -1},
                               {"length", 9},
                               {"view", {{"ids", {{"kind", "packed"}, {"slip", "unmasked"}}}}}}));
    EXPECT_EQ(leaks.headline, "Query 7 sees 7 keys too many.");
    EXPECT_TRUE(leaks.canvas.says("×"));
}

// The scores are attention's own at both distances; of a table they are those of both rows.
TEST(KeyScoresFigure, ScoresAreThoseOfBothDistances) {
    const Scene scene = evicted();
    auto logit = *DistanceLogit::of(scene, 0);
    const auto said = [](double value) {
        ui::Scratch scratch;
        return std::string(ui::significant(scratch, value, 4));
    };
    const Hand hand("key_scores", scene);
    EXPECT_EQ(hand.headline,
              fmt::format("Key 23 scores {}, and should score {}.", said(logit.at(-9)), said(logit.at(1))));
    Scene table = scene_of({{"encoding", {{"kind", "learned"}, {"max_position_embeddings", 64}}},
                            {"d_model", 16},
                            {"pair", 0},
                            {"length", 12},
                            {"position", 9},
                            {"offset", -2},
                            {"view", {{"ids", {{"kind", "left_padding"}, {"slip", "arange"}}}}}});
    auto should = *DistanceLogit::of(table, 0, 6), used = *DistanceLogit::of(table, 0, 9);
    EXPECT_EQ(Hand("key_scores", table).headline,
              fmt::format("Key 7 scores {}, and should score {}.", said(used.at(2)), said(should.at(2))));
    table.encoding.parameters["max_position_embeddings"] = 8;  // row 9 is past its end
    EXPECT_TRUE(Hand("key_scores", table).canvas.says("7"));
}

// NumPy's numbers (tests/core/scores/stale_test.cpp), in the picture.
TEST(KeyScoresFigure, AKeyOfAnEarlierSpectrumIsStale) {
    const auto at = [](std::int64_t position) {
        return Hand("key_scores", scene_of({{"encoding",
                                             {{"kind", "rope"},
                                              {"max_position_embeddings", 2048},
                                              {"rope_scaling", {{"rope_type", "dynamic"}, {"factor", 4.0}}}}},
                                            {"d_model", 64},
                                            {"pair", 0},
                                            {"length", 4096},
                                            {"position", position},
                                            {"offset", 2000 - position},
                                            {"view", {{"key_scores", {{"mode", "stale"}}}}}}));
    };
    EXPECT_EQ(at(4095).headline,
              "Key 2000, rotated by the spectrum of its time, scores 18.628; rotated anew it scores 20.487.");
    EXPECT_EQ(at(2047).headline, "The spectrum has not changed since the first key was stored.");
}

// Ids alone say nothing of a spectrum that has changed.
TEST(KeyScoresFigure, ByIdsAScoreIsRightByItsIdAlone) {
    const auto at = [](std::int64_t position) {
        return Hand("key_scores", scene_of({{"encoding",
                                             {{"kind", "rope"},
                                              {"max_position_embeddings", 2048},
                                              {"rope_scaling", {{"rope_type", "dynamic"}, {"factor", 4.0}}}}},
                                            {"d_model", 64},
                                            {"pair", 0},
                                            {"length", 4096},
                                            {"position", position},
                                            {"offset", 0},
                                            {"view", {{"ids", "plain"}}}}))
            .headline;
    };
    EXPECT_NE(at(4095).find("but the spectrum has changed since the first key was stored"), std::string::npos)
        << at(4095);
    EXPECT_EQ(at(2047).find("changed"), std::string::npos) << at(2047);
    EXPECT_NE(at(2047).find("By its id key 2047 scores"), std::string::npos) << at(2047);
}

TEST(KeyScoresFigure, AThousandShiftsInThreeFormats) {
    Scene scene = evicted();
    scene.view["key_scores"] = Json{{"mode", "shifts"}};
    const Hand hand("key_scores", scene);
    EXPECT_NE(hand.headline.find("is off by 0.340 in float16"), std::string::npos) << hand.headline;
    for (const char* format : {"float32", "float16", "bfloat16"}) EXPECT_TRUE(hand.canvas.says(format));
    // What stores no rotated keys has no such mode: back to ids.
    const Scene bias = scene_of({{"encoding", "alibi"}, {"view", scene.view}});
    EXPECT_FALSE(Hand("key_scores", bias).canvas.says("float16"));
}

// Any description is refused or drawn. POSISCOPE_ANY=100000 tries as many.
TEST(PositionsFigure, AnyDescriptionIsRefusedOrDrawn) {
    const char* const asked = std::getenv("POSISCOPE_ANY");
    const int count = asked != nullptr ? std::atoi(asked) : 300;
    std::mt19937_64 random(28);
    const auto any = [&](const Parameter& parameter) -> Json {
        switch (random() % 12) {
            case 0: return parameter.minimum;
            case 1: return parameter.maximum;
            case 2: return -1;
            case 3: return 2147483647;
            case 4: return 1.5;
            case 5: return "right";
            case 6: return nullptr;
            case 7: return Json::array({1, 2147483647, random() % 9});
            case 8: return random() % 2 == 0;
            case 9:
                if (!parameter.choices.empty())
                    return std::string(parameter.choices[random() % parameter.choices.size()]);
                return random() % 40;
            default: return random() % 40;
        }
    };
    constexpr std::array<std::int64_t, 8> steps = {0, 1, 13, 60, 700, 4095, 70000, kLastPosition - 1};
    constexpr std::array figures = {"positions", "distances", "key_scores", "verdict"};
    int drawn = 0;
    for (int n = 0; n < count; ++n) {
        const std::string kind(policy_kinds()[random() % policy_kinds().size()]);
        Json ids{{"kind", kind}};
        for (const Parameter& parameter : policy_parameters(kind))
            if (random() % 3 != 0) ids[parameter.key] = any(parameter);
        const std::int64_t step = steps[random() % steps.size()];
        const auto laid = overlay(Scene(), {{"encoding", random() % 2 == 0 ? "rope" : "alibi"},
                                            {"d_model", 16},
                                            {"pair", 0},
                                            {"length", std::max<std::int64_t>(step, 1)},
                                            {"position", step},
                                            {"offset", -static_cast<std::int64_t>(random() % 9)},
                                            {"view", {{"ids", ids}}}});
        if (!laid) continue;
        ++drawn;
        const float width = 80.0F + static_cast<float>(random() % 1200),
                    height = 40.0F + static_cast<float>(random() % 500);
        for (const char* figure : figures) {
            SCOPED_TRACE(ids.dump());
            Hand hand(figure, laid->scene, {0.0F, 0.0F, width, height});
            hand.move({0.6F * width, 0.6F * height});
        }
    }
    EXPECT_GT(drawn, count / 8);
    std::printf("%d of %d descriptions were drawn, the others refused\n", drawn, count);
}

TEST(VerdictFigure, SaysWhatTheSlipDoesToEachKindAndTheFix) {
    const Hand hand("verdict", evicted(), {0.0F, 0.0F, 420.0F, 420.0F});
    EXPECT_EQ(hand.headline,
              "4 of 5 kinds of encoding go wrong silently: none raises an error before a table ends.");
    for (const char* text : {"−10", "14/15", "5", "Fix"}) EXPECT_TRUE(hand.canvas.says(text)) << text;
    // A rotation that is missing is RoPE's alone.
    const Scene shifted = scene_of({{"position", 16},
                                    {"offset", -1},
                                    {"length", 20},
                                    {"view", {{"ids", {{"kind", "context_shift"}, {"slip", "unrotated"}}}}}});
    EXPECT_EQ(Hand("verdict", shifted).headline,
              "One of 5 kinds of encoding goes wrong silently: it raises no error before a table ends.");
}

// A table of 8 rows has none for token 8, whatever the ids are.
TEST(VerdictFigure, KnowsTheEndOfATable) {
    const auto at = [](int step, Json ids) {
        return Hand("verdict",
                    scene_of({{"encoding", {{"kind", "learned"}, {"max_position_embeddings", 8}}},
                              {"position", step},
                              {"offset", -1},
                              {"length", 8},
                              {"view", {{"ids", std::move(ids)}}}}),
                    {0.0F, 0.0F, 560.0F, 480.0F});
    };
    EXPECT_EQ(at(7, "plain").headline, "With these ids every kind of encoding is right.");
    const Hand past = at(8, "plain");
    EXPECT_EQ(past.headline,
              "One of 5 kinds of encoding goes wrong: reading past the end of the table raises an error.");
    EXPECT_TRUE(past.canvas.says("rows 0 to 8 are read, of a table from 0 to 7: an error"));
    EXPECT_EQ(at(12, {{"kind", "eviction"}, {"kept", 4}, {"recent", 4}, {"slip", "kept_rows"}})
                  .headline.find("crash"),
              std::string::npos);
}

// A layer without positions has no rotation that ids could make wrong.
TEST(VerdictFigure, SpeaksOfTheLayer) {
    const auto in_layer = [](int layer) {
        Scene scene = evicted();
        scene.encoding =
            overlay(Scene(),
                    {{"encoding", {{"kind", "rope"}, {"no_rope_layers", {1, 1, 1, 0}}, {"layer", layer}}}})
                ->scene.encoding;
        return Hand("verdict", scene, {0.0F, 0.0F, 560.0F, 480.0F});
    };
    EXPECT_EQ(in_layer(2).headline,
              "4 of 5 kinds of encoding go wrong silently: none raises an error before a table ends.");
    const Hand nope = in_layer(3);
    EXPECT_EQ(nope.headline,
              "3 of 5 kinds of encoding go wrong silently: none raises an error before a table ends.");
    EXPECT_TRUE(nope.canvas.says("this layer rotates nothing (NoPE): no id matters to it"));
}

}  // namespace
}  // namespace posiscope::test::positions_test
