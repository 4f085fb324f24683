// The Sum figure: its arrows sum to the score, its headline says how far they reach, its handles move the offset.
#include "app/figures/parts/chain.hpp"
#include "tests/figures/hand.hpp"

#include <numbers>

namespace posiscope::test::sum_test {
namespace {

using figures::Chain;
using figures::make_chain;

TEST(Sum, ArrowsEndAtTheScoreAndKeepTheirLengths) {
    for (const char* kind : {"sinusoidal", "rope", "xpos"})
        for (const char* content : {"equal", "seeded"})
            for (const ScoreKind score : {ScoreKind::dot, ScoreKind::logit})
                for (const std::int64_t distance : {0, 3, -50, 1234567}) {
                    if (std::string_view(kind) == "xpos" && distance > 1000) continue;
                    const Scene scene =
                        scene_of({{"encoding", kind}, {"d_model", 128}, {"content", {{"kind", content}}}});
                    const Spectrum spectrum = *spectrum_of(scene);
                    const ScoreForm form = score_form(scene, spectrum, score);
                    const Chain chain = make_chain(form, spectrum, distance);
                    ASSERT_EQ(chain.arrows(), spectrum.pairs());
                    EXPECT_NEAR(chain.score(), score_at(form, spectrum, distance), 1e-11)
                        << kind << " " << content << " at " << distance;
                    if (std::string_view(kind) == "xpos") continue;  // its arrows grow and shrink
                    for (std::size_t i = 0; i < chain.arrows(); ++i) {
                        EXPECT_NEAR(chain.share(i), score_share(form, spectrum, i, distance), 1e-12);
                        EXPECT_NEAR(std::hypot(chain.share(i), chain.y[i + 1] - chain.y[i]),
                                    form.scale * std::hypot(form.even[i], form.odd[i]), 1e-12);
                    }
                }
}

TEST(Sum, FeaturesThatDoNotTurnComeFirst) {
    const Scene scene = scene_of({{"encoding", {{"kind", "rope"}, {"partial_rotary_factor", 0.25}}},
                                  {"d_model", 512},
                                  {"num_heads", 4}});
    const Spectrum spectrum = *spectrum_of(scene);
    const Chain chain = make_chain(score_form(scene, spectrum, ScoreKind::dot), spectrum, 500);
    EXPECT_EQ(chain.x.front(), 96.0) << "of 128 features 32 turn; equal content adds 1 for each other";
    EXPECT_EQ(chain.arrows(), 16U);
}

TEST(Sum, HeadlineSaysHowFarTheyGet) {
    EXPECT_EQ(Hand("sum", Scene()).headline,
              "At distance 3, the 256 arrows add up to 211.75; in a straight line it would be 256.");
    // Σ cos 50ω, from the table of claims' function itself.
    const Scene far = scene_of({{"offset", 50}});
    const Spectrum spectrum = *spectrum_of(far);
    EXPECT_NEAR(score_at(score_form(far, spectrum, ScoreKind::dot), spectrum, 50), 131.09, 0.005);
    EXPECT_NE(Hand("sum", far).headline.find("131.09"), std::string::npos);
    EXPECT_NE(Hand("sum", scene_of({{"offset", 0}})).headline.find("all 256 arrows point the same way"),
              std::string::npos);
}

TEST(Sum, LaidStraightArrowsKeepTheLengthsTheyHaveAtThatDistance) {
    // xPos: pair i has shrunk to ζ_i^(300/512), and 2 of each are q₁k₁ + q₂k₂ of equal content.
    const Scene scene = scene_of({{"encoding", "xpos"}, {"d_model", 64}, {"offset", 300}, {"length", 1000}});
    double most = 0.0;
    for (int i = 0; i < 32; ++i) most += 2.0 * std::pow((2.0 * i + 0.4 * 64.0) / (1.4 * 64.0), 300.0 / 512.0);
    EXPECT_NEAR(most, 48.23, 0.005);
    const std::string headline = Hand("sum", scene).headline;
    EXPECT_NE(headline.find("in a straight line it would be 48.227"), std::string::npos) << headline;
}

TEST(Sum, ThePairsNameIsNotWrittenOverTheScore) {
    int named = 0;
    for (const std::int64_t offset : {-9, -3, 1, 3, 5, 12, 40})
        for (const std::int64_t pair : {0, 4, 11, 31}) {
            const Hand hand("sum",
                            scene_of({{"encoding", "rope"},
                                      {"d_model", 64},
                                      {"offset", offset},
                                      {"pair", pair},
                                      {"content", {{"kind", "seeded"}}}}),
                            {0.0F, 0.0F, 680.0F, 300.0F});
            const auto& texts = hand.canvas.texts;
            const auto name = std::find(texts.begin(), texts.end(), "pair " + std::to_string(pair));
            if (name == texts.end()) continue;  // it has no room on either side
            ++named;
            const Rect own = hand.canvas.boxes[static_cast<std::size_t>(name - texts.begin())];
            for (std::size_t i = 0; i < texts.size(); ++i) {
                const Rect& other = hand.canvas.boxes[i];
                if (texts[i] == *name) continue;
                EXPECT_FALSE(own.x0 < other.x1 && other.x0 < own.x1 && own.y0 < other.y1 && other.y0 < own.y1)
                    << offset << ", " << *name << ": " << texts[i];
            }
        }
    EXPECT_GT(named, 20) << "of 28";
}

// Where there is room, and in the first picture that everybody sees.
TEST(Sum, ThePairsNameHidesNoArrow) {
    canvas::Typefaces faces;
    int named = 0, hiding = 0;
    for (const Rect area : {Rect{0.0F, 0.0F, 430.0F, 480.0F}, Rect{0.0F, 0.0F, 572.0F, 644.0F}})
        for (const std::int64_t width : {64, 512})
            for (const std::int64_t offset : {1, 3, 8, 20, 60})
                for (const std::int64_t pair : {0, 3, 10, 31}) {
                    Stage stage;
                    stage.area = area;
                    Recorder canvas;
                    canvas.faces = &faces;
                    stage.draw(canvas, *figures::find_figure("sum"),
                               scene_of({{"d_model", width}, {"offset", offset}, {"pair", pair}}));
                    const auto name = std::ranges::find(canvas.texts, "pair " + std::to_string(pair));
                    if (name == canvas.texts.end()) continue;
                    ++named;
                    const Rect own = canvas.boxes[static_cast<std::size_t>(name - canvas.texts.begin())];
                    const bool hides = std::ranges::any_of(canvas.curves, [&](const Recorder::Curve& curve) {
                        return !curve.rule && std::ranges::any_of(curve.points, [&](Point point) {
                            return own.grown(-0.5F).contains(point);
                        });
                    });
                    hiding += hides ? 1 : 0;
                    EXPECT_FALSE(hides && width == 512 && offset == 3) << "pair " << pair;
                }
    EXPECT_GT(named, 60) << "of 80";
    EXPECT_LE(hiding, named / 10) << "of " << named;
}

TEST(Sum, PairsPastTheirTrainedArcAreCounted) {
    const Scene scene = scene_of({{"offset", 50}, {"length", 512}, {"trained", {{"length", 32}}}});
    // Past: less than a turn in 32 positions, and 50 > 32.
    std::size_t past = 0;
    const Spectrum spectrum = *spectrum_of(scene);
    for (const double omega : spectrum.frequency)
        if (omega * 32.0 < 2.0 * std::numbers::pi) ++past;
    const Hand hand("sum", scene);
    EXPECT_NE(hand.headline.find(std::to_string(past) + " of them are at angles training never reached"),
              std::string::npos)
        << hand.headline;
    EXPECT_EQ(Hand("sum", scene_of({{"offset", 20}, {"length", 512}, {"trained", {{"length", 32}}}}))
                  .headline.find("training"),
              std::string::npos)
        << "within the trained length nothing is new";
}

TEST(Sum, DraggingThePlaneOrAnArrowMovesTheOffset) {
    Hand hand("sum", scene_of({{"d_model", 16}, {"pair", 3}}), {0.0F, 0.0F, 640.0F, 480.0F});
    hand.drag({400.0F, 30.0F}, {500.0F, 30.0F});
    EXPECT_GT(hand.scene.offset, 3) << "to the right is further away";
    EXPECT_EQ(hand.scene.position, 10);

    hand.scene.offset = 0;
    hand.move({1.0F, 1.0F});
    // A quarter turn of pair 3's arrow, counter-clockwise about its tail: λ/4 further.
    const double omega = spectrum_of(hand.scene)->frequency[3];
    const Point tip = hand.handle("arrow");
    hand.move(tip);
    ASSERT_TRUE(hand.hovered.frequency);
    const auto under = linked_pair(*hand.hovered.frequency, *spectrum_of(hand.scene)).pair;
    hand.drag(tip, tip + Point{0.0F, -25.0F}, 12);
    EXPECT_GT(hand.scene.offset, 0) << "upwards turns the arrow counter-clockwise, as a larger distance does";
    EXPECT_EQ(hand.scene.pair, static_cast<std::int64_t>(under)) << "the arrow that is dragged is the pair";
    EXPECT_LT(static_cast<double>(hand.scene.offset) * omega, std::numbers::pi / 2.0);
}

TEST(Sum, WheelZoomsAtTheCursorAndDoubleClickComesBack) {
    Hand hand("sum", Scene());
    hand.wheel({300.0F, 100.0F}, 3.0F);
    ASSERT_TRUE(hand.scene.view.contains("sum"));
    const Point before = hand.handle("offset");
    hand.wheel({300.0F, 100.0F}, -30.0F);
    EXPECT_FALSE(hand.scene.view.contains("sum"));
    EXPECT_NE(hand.handle("offset"), before);
}

TEST(Sum, BIsSetBesideAAndTakenOff) {
    const Scene a = scene_of({{"encoding", "rope"}, {"d_model", 64}, {"offset", 40}});
    const Scene b = scene_of({{"encoding", "rope"}, {"d_model", 64}, {"offset", 40}, {"base", 500000.0}});
    figures::Derived derived_b;
    Hand hand("sum", a);
    for (const bool difference : {false, true}) {
        hand.b.emplace(figures::Other{b, derived_b, difference});
        hand.move({5.0F, 5.0F});
        const Spectrum of_a = *spectrum_of(a), of_b = *spectrum_of(b);
        const double less = score_at(score_form(b, of_b, ScoreKind::dot), of_b, 40) -
                            score_at(score_form(a, of_a, ScoreKind::dot), of_a, 40);
        auto scratch = std::make_unique<ui::Scratch>();
        const std::string said(ui::significant(*scratch, less, 5));
        EXPECT_NE(hand.headline.find(said), std::string::npos) << hand.headline << " without " << said;
        EXPECT_EQ(hand.canvas.says(said), difference) << "the difference is drawn where it is asked for";
    }
}

// On 84 mm of paper, where there is little room beside it.
TEST(Sum, NoLineCrossesTheNumberOfB) {
    canvas::Typefaces faces;
    for (const double base : {300.0, 500.0, 3e3, 3e4, 1e5, 1e6, 1e8})
        for (const std::int64_t offset : {1, 3, 20}) {
            const Scene a = scene_of({{"offset", offset}}),
                        b = scene_of({{"offset", offset}, {"base", base}});
            figures::Derived derived;
            Stage stage;
            stage.area = {0.0F, 0.0F, 300.0F, 130.0F};
            stage.other.emplace(figures::Other{b, derived});
            Recorder drawn;
            drawn.faces = &faces;
            stage.draw(drawn, *figures::find_figure("sum"), a);
            const auto number = std::ranges::find_if(
                drawn.texts, [](const std::string& text) { return text.starts_with("B  "); });
            ASSERT_NE(number, drawn.texts.end());
            const Rect box = drawn.boxes[static_cast<std::size_t>(number - drawn.texts.begin())];
            std::size_t covered = 0;  // the shape that hides what was drawn there before it
            for (const Recorder::Placed& fill : drawn.fills)
                if (fill.area.x0 <= box.x0 && fill.area.x1 >= box.x1) covered = fill.shape;
            for (const Recorder::Curve& curve : drawn.curves) {
                if (curve.points.size() != 2 || curve.points[0].x != curve.points[1].x) continue;
                const Point p = curve.points[0];
                const bool crosses = p.x > box.x0 && p.x < box.x1 &&
                                     std::min(p.y, curve.points[1].y) < box.y0 &&
                                     std::max(p.y, curve.points[1].y) > box.y0;
                EXPECT_FALSE(crosses && curve.shape > covered) << base << " " << offset << " " << *number;
            }
        }
}

TEST(Sum, OthersSayWhy) {
    EXPECT_TRUE(
        Hand("sum", scene_of({{"encoding", "alibi"}, {"num_heads", 8}})).canvas.says("not a sum of arrows"));
}

}  // namespace
}  // namespace posiscope::test::sum_test
