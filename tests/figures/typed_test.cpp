// Encodings that somebody typed, one for each way to act, in every figure; and what their definitions say.
#include "app/figures/figure.hpp"
#include "app/figures/parts/background.hpp"
#include "app/figures/parts/definition.hpp"
#include "core/cost.hpp"
#include "tests/figures/recorder.hpp"
#include "tests/figures/stage.hpp"
#include "tests/sanitized.hpp"

#include <gtest/gtest.h>

namespace posiscope::test::typed_test {
namespace {

struct Typed {
    const char* name;
    Json slots;
};

const std::vector<Typed>& examples() {
    static const std::vector<Typed> list = {
        {"rotation_and_bias",
         {{"frequency", "b^(-2i/d)(1 + a cos i)"}, {"bias", "-log(1 + |D|)"}, {"values", {{"a", 0.1}}}}},
        {"resonance", {{"frequency", "2pi/round(2pi*b^(2i/d))"}}},
        {"clipped_distance", {{"frequency", "b^(-2i/d)"}, {"distance", "min(|D|, 20)*sign(D)"}}},
        {"grouped_distance",
         {{"frequency", "b^(-2i/d)"}, {"distance", "D <= 8 ? D : floor(q/4) - floor(k/4) + 6"}}},
        {"log_n", {{"frequency", "b^(-2i/d)"}, {"scale", "log(q + 2)/log(L)"}}},
        {"growing", {{"frequency", "b^(-2i/d)"}, {"amplitude", "((2i + 0.4d)/(1.4d))^(D/512)"}}},
        {"bent_position", {{"frequency", "b^(-2i/d)"}, {"position", "log(1 + p)"}}},
        {"slopes", {{"bias", "-2^(-8(h + 1)/H)*|D|"}}},
        {"buckets", {{"bias", "c[min(|D|, 3)] - q/n"}, {"values", {{"c", {0.5, 0.25, -1.0, -2.0}}}}}},
        {"added", {{"add", "mod(j, 2) == 0 ? sin(p*b^(-j/d)) : cos(p*b^(-(j - 1)/d))"}}},
        {"added_and_biased", {{"add", "sin(p*b^(-j/d))"}, {"bias", "-|D|"}, {"scale", "2"}}},
        {"everything",
         {{"position", "p/2"},
          {"frequency", "b^(-2i/d)"},
          {"distance", "D"},
          {"amplitude", "1"},
          {"bias", "-|D|/n"},
          {"scale", "1"},
          {"add", "0.1"}}},
        {"nothing", Json::object()},
        {"axes", {{"frequency", "b^(-2i/d)"}, {"axis", "mod(i, 3)"}, {"grid", {2, 8, 8}}}},
        {"no_number_there", {{"frequency", "b^(-2i/d)"}, {"bias", "1/(D - 3)"}, {"scale", "1 - 1/(q - 15)"}}},
    };
    return list;
}

Scene scene_of(const Typed& one, const Json& more = Json::object()) {
    Json partial = {{"d_model", 64}, {"num_heads", 4}, {"length", 128}, {"encoding", one.slots}};
    partial["encoding"]["kind"] = "own";
    partial.update(more);
    const auto laid = overlay(Scene(), partial);
    EXPECT_TRUE(laid) << one.name << " " << to_string(laid.error());
    return laid ? laid->scene : Scene();
}

// Nothing may throw, leave a word out, or draw at infinity: every mode, theme and language, alone and beside RoPE.
TEST(TypedEncodings, EveryFigureDrawsThem) {
    std::size_t drawn = 0, turn = 0;
    for (const Typed& one : examples())
        for (const bool compared : {false, true}) {
            const Scene whole =
                scene_of(one, compared ? Json{{"compare", {{"encoding", "rope"}}}} : Json::object());
            for (const figures::Figure* figure : figures::figures()) {
                const auto modes =
                    figure->modes != nullptr ? figure->modes(whole) : std::span<const std::string_view>();
                for (std::size_t m = 0; m < std::max<std::size_t>(modes.size(), 1); ++m, ++turn) {
                    Scene scene = whole;
                    if (!modes.empty())
                        figures::set_view_value(scene, figure->id, "mode", std::string(modes[m]));
                    const auto b = compared_scene(scene);
                    Stage stage;
                    figures::Derived derived_b;
                    stage.area = {10.0F, 20.0F, 480.0F, 400.0F};
                    stage.point({200.0F, 200.0F});
                    if (b) stage.other.emplace(figures::Other{.scene = *b, .derived = derived_b});
                    stage.language = turn % 2 == 0 ? Language::english : Language::chinese;
                    stage.theme = ui::themes()[turn / 2 % ui::themes().size()].name;
                    SCOPED_TRACE(fmt::format("{} {} {}", one.name, figure->id,
                                             modes.empty() ? std::string_view() : modes[m]));
                    Recorder canvas;
                    stage.draw(canvas, *figure, scene);
                    EXPECT_TRUE(canvas.balanced());
                    EXPECT_TRUE(canvas.finite());
                    EXPECT_FALSE(canvas.texts.empty());
                    EXPECT_EQ(stage.headline.find('{'), std::string::npos) << stage.headline;
                    ++drawn;
                }
            }
        }
    EXPECT_GT(drawn, 500U);
}

// What the window's thread may spend on one figure at the bounds of a Scene, as in frame_law_test.cpp, while a name is dragged.
TEST(TypedEncodings, AFrameAtTheBoundsIsShort) {
    constexpr double kMostUnits = 6e7;
    std::size_t n = 0;
    for (const Typed& one : examples()) {
        const Scene whole = scene_of(
            one,
            {{"d_model", 65536}, {"num_heads", 1}, {"length", 2147483647}, {"trained", {{"length", 4096}}}});
        for (const figures::Figure* figure : figures::figures()) {
            const auto modes =
                figure->modes != nullptr ? figure->modes(whole) : std::span<const std::string_view>();
            for (std::size_t m = 0; m < std::max<std::size_t>(modes.size(), 1); ++m) {
                if (n++ % (kSanitized ? 29 : 3) != 0) continue;
                Scene scene = whole;
                if (!modes.empty()) figures::set_view_value(scene, figure->id, "mode", std::string(modes[m]));
                SCOPED_TRACE(fmt::format("{} {} {}", one.name, figure->id,
                                         modes.empty() ? std::string_view() : modes[m]));
                Stage stage;
                figures::Background background([] {});
                stage.area = {0.0F, 0.0F, 1280.0F, 800.0F};
                stage.derived.work_in(&background);
                Recorder canvas;
                const double before = work_done();
                stage.draw(canvas, *figure, scene);
                EXPECT_LE(work_done() - before, kMostUnits);
            }
        }
    }
}

std::string defined(const Typed& one, bool letters, int which = 0) {
    Stage stage;
    Recorder canvas;
    const Scene scene = scene_of(one, {{"pair", 3}, {"num_heads", 1}, {"position", 10}, {"offset", 7}});
    figures::Frame frame = stage.frame(canvas, *figures::find_figure("rotations"), scene);
    auto terms = figures::definition::terms(frame);
    terms.letters = letters;
    const auto line =
        which == 1 ? figures::definition::frequency(terms) : figures::definition::define(terms, which);
    return std::string(line.text());
}

TEST(TypedEncodings, TheirDefinitionIsWhatWasTypedWithLiveNumbers) {
    const Typed& one = examples()[0];
    EXPECT_EQ(defined(one, true), "\\phi_{i} = p \\cdot b^{−2 i/d} \\, (1 + a \\, \\cos i)");
    EXPECT_EQ(defined(one, true, 2), "\\text{bias} = −\\text{ln}(1 + |\\Delta|)");
    EXPECT_EQ(defined(one, true, 3), "");
    const std::string numbers = defined(one, false);
    EXPECT_NE(numbers.find("(1 + 0.1 \\cdot \\cos 3)"), std::string::npos) << numbers;
    EXPECT_EQ(defined(one, false, 2), "\\text{bias} = −\\text{ln}(1 + |7|) = −2.079");
    const std::string frequency = defined(one, false, 1);
    EXPECT_NE(frequency.find("^{−2 \\cdot 3/64}"), std::string::npos) << frequency;
    EXPECT_NE(frequency.find(") = 0.3799"), std::string::npos) << frequency;
    EXPECT_EQ(defined(examples()[8], true), "\\text{bias} = c_{\\text{min}(|\\Delta|, 3)} − \\frac{q}{n}");
}

}  // namespace
}  // namespace posiscope::test::typed_test
