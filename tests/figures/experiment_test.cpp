// The experiment's figures: what their sentences say of the results, and what they do not.
#include "app/figures/experiment/experiment.hpp"
#include "app/figures/parts/headline.hpp"
#include "core/experiment/results.hpp"
#include "tests/figures/hand.hpp"

#include "app/ui/known.hpp"

#include <gtest/gtest.h>

namespace posiscope::test::experiment_test {
namespace {

namespace ex = experiment;

struct Drawn {
    Recorder canvas;
    std::string headline;
};

Drawn draw(std::string_view id, const Json& experiment, std::shared_ptr<const ex::Bank> bank = nullptr,
           bool old = false, std::string_view mode = {}, Rect area = {0.0F, 0.0F, 940.0F, 330.0F}) {
    Drawn drawn;
    Stage stage;
    stage.area = area;
    stage.derived.part<figures::learning::ExperimentResults>() = {std::move(bank), old};
    Scene scene = scene_of({{"bench", "experiment"}, {"view", {{"experiment", experiment}}}});
    if (!mode.empty()) figures::set_view_value(scene, id, "mode", std::string(mode));
    stage.draw(drawn.canvas, *figures::find_figure(id), scene);
    drawn.headline = stage.headline;
    return drawn;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

TEST(ExperimentFigures, TheHeadlineSaysWhatWasMeasuredWithChanceAndSpread) {
    const std::string said = draw("test", Json::object()).headline;
    EXPECT_TRUE(contains(said, "Positions 96–127: RoPE 0.07 ± 0.0")) << said;
    EXPECT_TRUE(contains(said, "RoPE + YaRN 0.99 ± 0.0")) << said;
    EXPECT_TRUE(contains(said, "chance 1/16")) << said;
    EXPECT_TRUE(contains(said, "In this model, on this task; 5 seeds, shipped.")) << said;
    EXPECT_TRUE(contains(draw("test", {{"task", "language"}}).headline,
                         "Nats above the optimum at 96–127: RoPE 1.57"));
    EXPECT_TRUE(contains(draw("test", {{"learner", "learned"}}).headline, "Learned has no row from 32 on"));
}

TEST(ExperimentFigures, NothingUnderThreeSeedsIsCalledAMean) {
    for (const int seeds : {1, 2}) {
        const Drawn drawn = draw("test", {{"seeds", seeds}});
        EXPECT_FALSE(contains(drawn.headline, "±")) << drawn.headline;
        for (const std::string& text : drawn.canvas.texts) EXPECT_FALSE(contains(text, "mean")) << text;
    }
    EXPECT_TRUE(draw("test", {{"seeds", 3}}).canvas.says("mean of 96–127"));
}

// At the end of the training there is no step to keep: not even where the view held nothing else.
TEST(ExperimentFigures, TheStepIsDraggedAndLeftAtTheEnd) {
    Hand hand("loss", scene_of({{"bench", "experiment"}}));
    const Point end = hand.handle("step");
    hand.drag(end, end + Point{60.0F, 0.0F});
    EXPECT_TRUE(hand.scene.view.empty());
    hand.drag(end, end - Point{200.0F, 0.0F});
    const Json* step = figures::view_value(hand.scene, "experiment", "step");
    ASSERT_NE(step, nullptr);
    EXPECT_LT(step->get<std::int64_t>(), ex::Settings().steps);
    hand.drag(hand.handle("step"), end + Point{60.0F, 0.0F});
    EXPECT_EQ(figures::view_value(hand.scene, "experiment", "step"), nullptr);
}

TEST(ExperimentFigures, TheStatesOfResultsAreTold) {
    const auto shipped = ui::shipped_results(ex::Settings());
    EXPECT_TRUE(contains(draw("test", {{"k", 4}}, shipped, true).headline, "old: other settings"));
    EXPECT_TRUE(contains(draw("test", {{"seeds", 7}}).headline, "5 of 7 seeds"));
    EXPECT_TRUE(contains(draw("test", {{"step", 100}}).headline, "seed 1 at step 100"));
    std::string all;
    for (const std::string& line : draw("test", {{"k", 4}}).canvas.texts) all += line + " ";
    EXPECT_TRUE(contains(all, "There are no results for these settings")) << all;
}

TEST(ExperimentFigures, TheHeadThatLooksThreeBackIsFound) {
    const std::string said = draw("heads", Json::object()).headline;
    EXPECT_TRUE(contains(said, "looks most at the token 3 back")) << said;
    EXPECT_TRUE(contains(said, "After 500 steps")) << said;
    EXPECT_TRUE(contains(draw("heads", {{"step", 60}}).headline, "After 50 steps"));
    EXPECT_TRUE(
        contains(draw("heads", {{"task", "first"}, {"learner", "t5"}, {"layer", 0}, {"head", 1}}).headline,
                 "head 1 of layer 0 in T5"));
}

TEST(ExperimentFigures, TheLossNamesItsEnds) {
    EXPECT_TRUE(contains(draw("loss", Json::object()).headline, "No encoding the highest"));
    EXPECT_TRUE(contains(draw("loss", {{"encodings", {"rope"}}}).headline, "RoPE has a loss of "));
}

// As in a bench that is presented.
TEST(ExperimentFigures, LowTilesKeepTheirCurvesAndTheLearnersNames) {
    const Drawn test = draw("test", Json::object(), nullptr, false, {}, {0.0F, 0.0F, 740.0F, 118.0F});
    EXPECT_TRUE(test.canvas.says("RoPE"));
    EXPECT_TRUE(test.canvas.says("RoPE + YaRN"));
    EXPECT_TRUE(test.canvas.says("RoPE + PI"));
    const Drawn loss = draw("loss", Json::object(), nullptr, false, {}, {0.0F, 0.0F, 350.0F, 62.0F});
    EXPECT_GT(loss.canvas.lines, 8U);
    EXPECT_TRUE(loss.canvas.says("RoPE"));
    for (const float height : {50.0F, 62.0F, 80.0F, 100.0F, 117.0F, 118.0F, 151.0F}) {
        const Drawn heads = draw("heads", Json::object(), nullptr, false, {}, {0.0F, 0.0F, 360.0F, height});
        EXPECT_EQ(heads.canvas.heatmaps.size(), height < 60.0F ? 0U : 1U) << height;
        EXPECT_TRUE(heads.canvas.says("positions back") || height < 98.0F) << height;
    }
}

TEST(ExperimentFigures, BandsOfOneColourHaveEdges) {
    const auto lines = [](const Json& experiment) { return draw("test", experiment).canvas.lines; };
    const Json alone{{"encodings", {"rope"}}, {"scalings", Json::array()}},
        two{{"encodings", {"rope", "t5"}}, {"scalings", Json::array()}},
        scaled{{"encodings", {"rope"}}, {"scalings", {"ntk"}}};
    EXPECT_GE(lines(scaled), lines(two) + 4) << "a least and a most of each";
    EXPECT_GT(lines(two), lines(alone));
}

TEST(ExperimentFigures, EverySeedHasItsLine) {
    const Drawn five =
        draw("test", {{"encodings", {"rope"}}, {"scalings", Json::array()}}, nullptr, false, "seeds");
    const Drawn two = draw("test", {{"encodings", {"rope"}}, {"scalings", Json::array()}, {"seeds", 2}},
                           nullptr, false, "seeds");
    EXPECT_EQ(five.canvas.lines, two.canvas.lines + 3);
}

}  // namespace
}  // namespace posiscope::test::experiment_test
