// Precision, Layout and Trace: what they say and copy is core's, and their handles move the Scene.
#include "core/attention/expansion.hpp"
#include "core/precision/trace.hpp"
#include "tests/figures/hand.hpp"

#include "app/figures/trace/trace.hpp"

#include <set>

namespace posiscope::test::debug_test {
namespace {

std::string shown(double value, int digits) {
    auto scratch = std::make_unique<ui::Scratch>();
    return std::string(ui::significant(*scratch, value, digits));
}

Scene in_mode(Scene scene, std::string_view figure, std::string_view mode) {
    figures::set_view_value(scene, figure, "mode", std::string(mode));
    return scene;
}

TEST(Debug, PrecisionsCellsTellCoresErrors) {
    const Rect area{0.0F, 0.0F, 520.0F, 480.0F};
    for (const Precision format : precisions()) {
        SCOPED_TRACE(precision_name(format));
        const Scene scene =
            in_mode(scene_of({{"d_model", 64}, {"pair", 0}}), "precision", precision_name(format));
        const Spectrum spectrum = *spectrum_of(scene);
        Hand hand("precision", scene, area);
        std::size_t seen = 0;
        for (float y = 70.0F; y < 430.0F; y += 41.0F)
            for (float x = 70.0F; x < 500.0F; x += 53.0F) {
                hand.move({x, y});
                if (!hand.hovered.position || !hand.hovered.frequency) continue;
                ++seen;
                const PhaseError error = phase_error(*hand.hovered.frequency, *hand.hovered.position, format);
                EXPECT_EQ(hand.tip_value, "= " + shown(error.total(), 2) + " rad");
                EXPECT_EQ(hand.tip_detail, "of it " + shown(error.inverse_frequency, 2) + " from ω, " +
                                               shown(error.position, 2) + " from p");
            }
        EXPECT_GT(seen, 40U);
    }
}

TEST(Debug, PrecisionsHeadlineIsTheFirstPairAndScoreThatAreOff) {
    std::size_t found = 0;
    for (const auto& [mode, precision] :
         {std::pair("float32", Precision::float32), std::pair("bfloat16", Precision::bfloat16)}) {
        const Scene scene = in_mode(
            scene_of(
                {{"encoding", "rope"}, {"d_model", 128}, {"content", {{"kind", "seeded"}, {"seed", 0}}}}),
            "precision", mode);
        const Spectrum spectrum = *spectrum_of(scene);
        const ScoreOff score = first_score_off(score_form(scene, spectrum, ScoreKind::logit), spectrum,
                                               scene.offset, precision, 0.01, kSearchedAtOnce);
        const auto pair = first_pair_off(spectrum, precision, 0.01);
        ASSERT_TRUE(pair);
        found += score.first ? 1 : 0;
        auto scratch = std::make_unique<ui::Scratch>();
        const std::string of_score =
            score.first
                ? fmt::format("the score is first off by more than 0.01 at {}.",
                              ui::integer(*scratch, *score.first))
                : fmt::format("the score holds to 0.01 up to {}.", ui::integer(*scratch, score.searched));
        EXPECT_EQ(Hand("precision", scene).headline,
                  fmt::format("Rounding spoils pair {} first, by more than 0.01 rad at {}; {}", pair->pair,
                              ui::integer(*scratch, pair->position), of_score));
    }
    EXPECT_EQ(found, 1U) << "both sentences are seen";
    EXPECT_EQ(Hand("precision", in_mode(scene_of({{"encoding", "alibi"}}), "precision", "bfloat16")).headline,
              "Positions up to 256 are exact; beyond, neighbours become one number.");
}

TEST(Debug, PrecisionsLineMovesThePosition) {
    Hand hand("precision", scene_of({{"position", 1000}}));
    const Point from = hand.handle("position");
    hand.drag(from, from + Point{0.0F, -60.0F});
    EXPECT_GT(hand.scene.position, 10000);
    hand.drag(hand.handle("position"), {from.x, 1000.0F});
    EXPECT_EQ(hand.scene.position, 1) << "the axis ends there";
}

TEST(Debug, AStageIsChosenByItsButton) {
    Hand hand("precision", Scene());
    hand.move(hand.handle("of_product"));
    hand.press();
    hand.release();
    ASSERT_NE(figures::view_value(hand.scene, "precision", "stage"), nullptr);
    EXPECT_EQ(*figures::view_value(hand.scene, "precision", "stage"), "product");
    EXPECT_TRUE(hand.canvas.says("from p · ω alone, rad"));
}

TEST(Debug, LayoutsDriftWhereMixed) {
    const Scene scene = scene_of({{"encoding", "rope"},
                                  {"d_model", 8},
                                  {"pair", 0},
                                  {"position", 5},
                                  {"content", {{"kind", "seeded"}, {"seed", 0}}}});
    const auto along = mixed_along(scene, 3, 0, 128);
    ASSERT_TRUE(along);
    const auto [least, most] = std::ranges::minmax_element(along->mixed);
    Hand hand("layout", scene);
    EXPECT_EQ(hand.headline,
              fmt::format("Mixed layouts: the same distance, yet the score runs from {} to {}.",
                          shown(*least, 3), shown(*most, 3)));
    hand.move(hand.handle("position") + Point{80.0F, -40.0F});
    ASSERT_TRUE(hand.hovered.position);
    const auto p = static_cast<std::size_t>(*hand.hovered.position);
    EXPECT_EQ(hand.tip_value, "= " + shown(along->mixed[p], 5) + " mixed");
    EXPECT_EQ(hand.tip_detail, "both neighbours " + shown(along->interleaved[p], 5) + ", both halves " +
                                   shown(along->half[p], 5));
    hand.drag(hand.handle("position"), hand.handle("position") + Point{100.0F, 0.0F});
    EXPECT_GT(hand.scene.position, 10);
}

TEST(Debug, AWrongSignScoresTheOppositeDistance) {
    const Scene scene = in_mode(scene_of({{"encoding", "rope"},
                                          {"d_model", 64},
                                          {"pair", 0},
                                          {"position", 50},
                                          {"content", {{"kind", "seeded"}, {"seed", 0}}}}),
                                "layout", "sign");
    const Spectrum spectrum = *spectrum_of(scene);
    const ScoreForm form = score_form(scene, spectrum, ScoreKind::dot);
    Hand hand("layout", scene);
    EXPECT_EQ(hand.headline,
              fmt::format("A minus before rotate_half turns backwards: at +3 it scores {}, not {}.",
                          shown(score_at(form, spectrum, -3), 4), shown(score_at(form, spectrum, 3), 4)));
    hand.move({400.0F, 200.0F});
    ASSERT_TRUE(hand.hovered.distance);
    const std::int64_t distance = *hand.hovered.distance;
    EXPECT_EQ(hand.tip_value, "= " + shown(score_at(form, spectrum, distance), 5) + " with plus");
    EXPECT_TRUE(hand.tip_detail.starts_with(shown(score_at(form, spectrum, -distance), 5) + " with minus"));
    hand.drag(hand.handle("offset"), hand.handle("offset") + Point{90.0F, 0.0F});
    EXPECT_GT(hand.scene.offset, 10);
}

TEST(Debug, ALayoutsFeaturesNameTheirPairsAndRows) {
    Hand hand("layout", scene_of({{"encoding", "rope"}, {"d_model", 64}, {"pair", 0}}));
    std::set<std::string> pairs, rows;
    for (float y = 0.0F; y < 200.0F; y += 6.0F)
        for (float x = 60.0F; x < 640.0F; x += 9.0F) {
            hand.move({x, y});
            if (!hand.tip_formula.starts_with("x_")) continue;
            pairs.insert(hand.tip_formula + " " + hand.tip_value);
            if (!hand.tip_detail.empty()) rows.insert(hand.tip_formula + " " + hand.tip_detail);
        }
    // Feature 1 is in pair 0 among neighbours and in pair 1 of the halves.
    EXPECT_TRUE(pairs.contains("x_{1} in pair 0"));
    EXPECT_TRUE(pairs.contains("x_{1} in pair 1"));
    EXPECT_TRUE(pairs.contains("x_{6} in pair 3"));
    EXPECT_TRUE(pairs.contains("x_{6} in pair 2"));
    EXPECT_EQ(rows.size(), 8U);
    EXPECT_TRUE(rows.contains("x_{4} takes row 1 of W_q and W_k made for neighbours"));
}

TEST(Debug, TraceShowsAndCopiesCoresSteps) {
    for (const Precision format : precisions())
        for (const bool sine : {true, false}) {
            Scene scene = in_mode(scene_of({{"encoding", "rope"},
                                            {"d_model", 64},
                                            {"pair", 3},
                                            {"position", 1234},
                                            {"content", {{"kind", "seeded"}, {"seed", 0}}}}),
                                  "trace", precision_name(format));
            if (!sine) figures::set_view_value(scene, "trace", "component", "cos");
            const Spectrum spectrum = *spectrum_of(scene);
            const ScoreForm form = score_form(scene, spectrum, ScoreKind::logit);
            const TraceOf of{3, sine, 1234, scene.offset};
            const TraceSteps exact = exact_trace(of, spectrum, &form),
                             held = rounded_trace(of, spectrum, &form, format);
            Hand hand("trace", scene);
            std::set<std::string> tips;
            for (float y = 20.0F; y < 480.0F; y += 5.0F)
                for (const float x : {150.0F, 420.0F}) {
                    hand.move({x, y});
                    if (!hand.tip_value.empty()) tips.insert(hand.tip_value);
                }
            auto scratch = std::make_unique<ui::Scratch>();
            for (const TraceSteps& side : {exact, held})
                for (const double value : {side.frequency, side.position, side.angle, side.turns,
                                           side.reduced, side.value, side.stored, side.share, side.score})
                    EXPECT_TRUE(tips.contains("= " + std::string(ui::shortest(*scratch, value))))
                        << precision_name(format) << " " << value;
        }
}

TEST(Debug, TraceNamesItsNumberAndItsError) {
    const std::string headline = Hand("trace", scene_of({{"position", 13}})).headline;
    const Spectrum spectrum = *spectrum_of(Scene());
    const TraceSteps exact = exact_trace({10, true, 13, 3}, spectrum, nullptr),
                     held = rounded_trace({10, true, 13, 3}, spectrum, nullptr, Precision::float32);
    EXPECT_EQ(headline, "PE(13, 20) = 0.345696; float32 is off by " +
                            shown(std::abs(held.stored - exact.stored), 2) + ".");
    EXPECT_EQ(Hand("trace", in_mode(scene_of({{"position", 70000}}), "trace", "float16")).headline.find("∞"),
              std::string::npos);
}

TEST(Debug, ANumberUnderTheMouseIsTheOneThatIsTraced) {
    Hand matrix("matrix", scene_of({{"d_model", 8}, {"length", 16}, {"pair", 1}}),
                {0.0F, 0.0F, 600.0F, 420.0F});
    for (const Point at : {Point{100.0F, 60.0F}, Point{150.0F, 300.0F}, Point{420.0F, 200.0F}}) {
        matrix.move(at);
        ASSERT_TRUE(matrix.hovered.sine);
        const std::string value = matrix.tip_value;
        const Scene traced = figures::traced(matrix.scene, matrix.hovered);
        EXPECT_EQ(traced.position, *matrix.hovered.position);
        const std::string headline = Hand("trace", traced).headline;
        const std::string name = matrix.tip_formula.substr(0, matrix.tip_formula.find(" ="));
        EXPECT_EQ(headline.substr(0, headline.find(" =")), name);
    }
    // In a matrix of scores the row is the query.
    figures::Link link;
    link.distance = -100;
    EXPECT_EQ(figures::traced(matrix.scene, link).offset, -10) << "no position below 0";
    link = {.frequency = {}, .position = 9, .distance = -3, .sine = {}};
    const Scene scored = figures::traced(matrix.scene, link);
    EXPECT_EQ(scored.position, 12);
    EXPECT_EQ(scored.offset, -3);
}

// Every encoding has a number to trace, and where it has angles B's steps stand beside A's.
TEST(Debug, EveryEncodingHasSteps) {
    for (const std::string_view kind : encoding_kinds()) {
        const Scene scene = scene_of({{"encoding", std::string(kind)}, {"d_model", 64}, {"pair", 2}});
        Hand hand("trace", scene);
        EXPECT_TRUE(hand.canvas.says("exact")) << kind;
        EXPECT_FALSE(hand.headline.empty()) << kind;
        EXPECT_FALSE(Hand("precision", scene).headline.empty()) << kind;
        EXPECT_FALSE(Hand("layout", scene).headline.empty()) << kind;
    }
    const Scene of_b = scene_of({{"base", 500000.0}});
    figures::Derived derived;
    Hand both("trace", Scene());
    both.b.emplace(figures::Other{of_b, derived, false});
    both.move({1.0F, 1.0F});
    EXPECT_TRUE(both.canvas.says("B"));
}

}  // namespace
}  // namespace posiscope::test::debug_test
