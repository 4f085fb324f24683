// All encodings on one axis: which are shown, which stands out, and their legend.
#include "app/figures/scores/scores.hpp"
#include "tests/figures/hand.hpp"

namespace posiscope::test::scores_all_test {
namespace {

using figures::scores::Curves;
using figures::scores::curves_of;
using figures::scores::Mode;

Scene in_mode(Scene scene, const char* mode) {
    figures::set_view_value(scene, "scores", "mode", mode);
    return scene;
}

TEST(Scores, AllEncodingsStartAtZero) {
    const Scene scene = in_mode(scene_of({{"num_heads", 8}}), "all");
    figures::Derived derived;
    const Curves& curves = *curves_of(scene, derived, Mode::all, 0.0, 1.0);
    EXPECT_GE(curves.curves.size(), 10U);
    for (const auto& curve : curves.curves) EXPECT_EQ(curve.values.front(), 0.0) << curve.name;
    const Hand hand("scores", scene, {0.0F, 0.0F, 900.0F, 560.0F});
    for (const char* name : {"ALiBi", "RoPE", "T5", "KERPLE", "FIRE", "Sandwich", "Shaw"})
        EXPECT_TRUE(hand.canvas.says(name)) << name;
}

TEST(Scores, FourAreShownAndTheLegendHasThemAll) {
    const Rect area{0.0F, 0.0F, 900.0F, 560.0F};
    const auto shown = [](const Scene& scene) {
        figures::Derived derived;
        const Curves& curves = *curves_of(scene, derived, Mode::all, 0.0, 1.0);
        std::vector<std::string> names;
        const std::uint32_t bits = figures::scores::shown_of_all(scene, curves);
        for (std::size_t i = 0; i < curves.curves.size(); ++i)
            if ((bits >> i & 1U) != 0) names.emplace_back(curves.curves[i].name);
        return names;
    };
    Hand hand("scores", in_mode(scene_of({{"encoding", "kerple"}, {"num_heads", 8}}), "all"), area);
    EXPECT_EQ(shown(hand.scene), (std::vector<std::string>{"sinusoidal", "rope", "alibi", "kerple"}));
    EXPECT_TRUE(hand.headline.starts_with("4 encodings")) << hand.headline;

    // A click on a name hides it, a second one shows it again; what is shown travels with the Scene.
    const auto name = std::ranges::find(hand.canvas.texts, "ALiBi") - hand.canvas.texts.begin();
    const Point at = hand.canvas.boxes[static_cast<std::size_t>(name)].centre();
    for (const std::size_t left : {3U, 4U}) {
        hand.move(at);
        hand.press();
        hand.release();
        EXPECT_EQ(shown(hand.scene).size(), left);
    }
    EXPECT_TRUE(figures::view_value(hand.scene, "scores", "encodings") != nullptr);
    EXPECT_TRUE(overlay(Scene(), to_json(hand.scene)));
}

// In a low or narrow tile the legend has no room for those that are hidden: the count over the plot shows them all.
TEST(Scores, AHiddenEncodingComesBackInASmallTile) {
    for (const Rect area : {Rect{0.0F, 0.0F, 424.0F, 190.0F}, Rect{0.0F, 0.0F, 310.0F, 230.0F}}) {
        SCOPED_TRACE(area.width());
        Hand hand("scores", in_mode(scene_of({{"num_heads", 8}, {"length", 64}}), "all"), area);
        const auto press = [&](Point at) {
            hand.move(at);
            hand.press();
            hand.release();
        };
        const std::string all = std::to_string(encodings_to_compare(Scene()).size());
        hand.move({-9.0F, -9.0F});
        const bool by_name = area.width() > 330.0F;
        if (by_name) {
            const auto name = std::ranges::find(hand.canvas.texts, "ALiBi") - hand.canvas.texts.begin();
            press(hand.canvas.boxes[static_cast<std::size_t>(name)].centre());
            hand.move({-9.0F, -9.0F});
            EXPECT_FALSE(hand.canvas.says("ALiBi"));
            EXPECT_TRUE(hand.canvas.says("3 of " + all));
        } else {
            EXPECT_TRUE(hand.canvas.says("4 of " + all));
        }
        press(hand.handle("shown"));
        EXPECT_TRUE(hand.headline.starts_with(all + " encodings")) << hand.headline;
        EXPECT_TRUE(hand.canvas.says(all + " of " + all));
        EXPECT_TRUE(overlay(Scene(), to_json(hand.scene)));
        // The names that are listed stay within the tile.
        for (const Rect& box : hand.canvas.boxes) EXPECT_LE(box.y1, area.y1);
        press(hand.handle("shown"));
        EXPECT_TRUE(hand.headline.starts_with("4 encodings")) << hand.headline;
    }
}

// Under the mouse one curve stands out, from its name and from the plot; a click keeps it so, the next one lets go.
TEST(Scores, OneOfAllEncodingsStandsOut) {
    const auto faded = [](const Hand& hand) {
        return std::ranges::count_if(
            hand.canvas.strokes, [](const canvas::Stroke& stroke) { return (stroke.colour >> 24U) < 0x60U; });
    };
    Hand hand("scores", in_mode(scene_of({{"num_heads", 8}, {"length", 512}}), "all"),
              {0.0F, 0.0F, 900.0F, 560.0F});
    EXPECT_EQ(faded(hand), 0);
    const auto name = std::ranges::find(hand.canvas.texts, "RoPE") - hand.canvas.texts.begin();
    hand.move(hand.canvas.boxes[static_cast<std::size_t>(name)].centre());
    EXPECT_GT(faded(hand), 2) << "all but RoPE";
    hand.move({2.0F, 2.0F});
    EXPECT_EQ(faded(hand), 0);
    // In the plot: somewhere in this column of points it is nearest.
    Point on{300.0F, 30.0F};
    for (; on.y < 500.0F && hand.tip_formula.find("RoPE") == std::string::npos; on.y += 2.0F) hand.move(on);
    ASSERT_NE(hand.tip_formula.find("RoPE"), std::string::npos);
    EXPECT_GT(faded(hand), 2);
    hand.press();
    hand.release();
    ASSERT_NE(figures::view_value(hand.scene, "scores", "lone"), nullptr);
    EXPECT_EQ(*figures::view_value(hand.scene, "scores", "lone"), "rope");
    const Point there = on - Point{0.0F, 2.0F};
    hand.move({2.0F, 2.0F});
    EXPECT_GT(faded(hand), 2) << "it stays";
    hand.move(there);
    hand.press();
    hand.release();
    EXPECT_EQ(figures::view_value(hand.scene, "scores", "lone"), nullptr);
    hand.move({2.0F, 2.0F});
    EXPECT_EQ(faded(hand), 0);
}

TEST(Scores, ColoursOfEncodingsCanBeToldApart) {
    for (const ui::Theme& theme : ui::themes())
        for (const std::string_view kind : encoding_kinds()) {
            const auto mark = figures::scores::mark_of(theme, kind);
            EXPECT_GE(ui::contrast(mark.colour, theme.tile), 3.0F) << theme.name << " " << kind;
            for (const std::string_view other : encoding_kinds()) {
                const auto second = figures::scores::mark_of(theme, other);
                EXPECT_TRUE(kind == other || mark.colour != second.colour || mark.dash != second.dash)
                    << kind << " " << other;
            }
        }
}

// Among many curves the value at the offset stands where none runs, below its patch either, or not at all.
TEST(Scores, TheValueHidesNoneOfAllEncodings) {
    canvas::Typefaces faces;
    std::size_t shown = 0;
    for (const std::int64_t offset : {1, 3, 8, 20, 60, 120})
        for (const char* kind : {"alibi", "t5", "rope"}) {
            Stage stage;
            stage.area = {0.0F, 0.0F, 520.0F, 400.0F};
            Recorder canvas;
            canvas.faces = &faces;
            stage.draw(canvas, *figures::find_figure("scores"),
                       in_mode(scene_of({{"num_heads", 8}, {"encoding", kind}, {"offset", offset}}), "all"));
            ASSERT_FALSE(canvas.patches.empty());
            for (const Recorder::Placed& patch : canvas.fills) {
                if (!patch.patch || patch.area.height() > 18.0F || patch.area.height() < 16.0F) continue;
                ++shown;
                for (const Recorder::Curve& curve : canvas.curves) {
                    if (curve.rule || !curve.area.meets(patch.area) || curve.shape > patch.shape) continue;
                    for (const Point point : curve.points)
                        EXPECT_FALSE(patch.area.grown(-0.5F).contains(point)) << kind << " " << offset;
                }
            }
        }
    EXPECT_GT(shown, 6U);
}

// The tree with a row of facts for each kind: a click uses that encoding, and the table stays.
TEST(Scores, KindsAreATreeToChooseFrom) {
    Hand hand("scores", in_mode(scene_of({{"num_heads", 8}, {"d_model", 64}, {"pair", 3}}), "kinds"),
              {0.0F, 0.0F, 1000.0F, 560.0F});
    for (const char* word : {"Absolute", "Relative", "Classic", "Rotary", "Biases", "to train", "moved"})
        EXPECT_TRUE(hand.canvas.says(word)) << word;
    EXPECT_TRUE(hand.canvas.says("65\u2009536")) << "1024 rows of 64";
    EXPECT_TRUE(hand.canvas.says("ends at 1024"));
    EXPECT_TRUE(hand.headline.starts_with("Sinusoidal learns 0 numbers for position")) << hand.headline;
    const auto name = std::ranges::find(hand.canvas.texts, "RoPE") - hand.canvas.texts.begin();
    hand.move(hand.canvas.boxes[static_cast<std::size_t>(name)].centre());
    EXPECT_NE(hand.tip_formula.find("RoPE"), std::string::npos);
    hand.press();
    hand.release();
    EXPECT_EQ(hand.scene.encoding.kind, "rope");
    EXPECT_TRUE(hand.headline.starts_with("RoPE learns 0 numbers for position")) << hand.headline;
    EXPECT_NE(hand.headline.find("≤ 10"), std::string::npos) << hand.headline;
}

}  // namespace
}  // namespace posiscope::test::scores_all_test
