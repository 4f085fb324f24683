// What every head adds to its logits: all of them are core's, the slopes are named, a cell chooses its head.
#include "core/encodings/encodings.hpp"
#include "tests/figures/hand.hpp"

namespace posiscope::test {
namespace {

const Rect kTile{0.0F, 0.0F, 900.0F, 500.0F};

Scene biased(std::string_view kind, std::int64_t heads, const Json& more = Json::object()) {
    Json partial{{"encoding", std::string(kind)}, {"d_model", 96}, {"num_heads", heads}};
    partial["view"]["scores"]["mode"] = "biases";
    for (const auto& [key, value] : more.items()) partial[key] = value;
    return scene_of(partial);
}

std::string said(double value, int digits) {
    const auto scratch = std::make_unique<ui::Scratch>();
    return std::string(ui::significant(*scratch, value, digits));
}

TEST(Biases, TheHeadlineIsCoresRangeOverTheHeads) {
    for (const char* kind : {"alibi", "t5", "kerple", "fire", "sandwich"})
        for (const std::int64_t heads : {8, 12}) {
            const Hand hand("scores", biased(kind, heads), kTile);
            const Action action = *action_of(hand.scene);
            // FIRE knows more than the distance: of the last query.
            const std::int64_t query = action.by_distance ? 3 : hand.scene.length - 1;
            double least = 1e9, most = -1e9;
            for (std::int64_t h = 0; h < heads; ++h) {
                least = std::min(least, action.bias(h, query, query - 3));
                most = std::max(most, action.bias(h, query, query - 3));
            }
            EXPECT_NE(hand.headline.find("from " + said(least, 4) + " to " + said(most, 4)),
                      std::string::npos)
                << kind << ": " << hand.headline;
        }
}

TEST(Biases, SlopesAreNamed) {
    const Hand eight("scores", biased("alibi", 8), kTile);
    for (const char* slope : {"m 1/2", "m 1/4", "m 1/8", "m 1/256"})
        EXPECT_TRUE(eight.canvas.says(slope)) << slope;
    const Hand twelve("scores", biased("alibi", 12), kTile);
    EXPECT_TRUE(twelve.canvas.says("m " + said(std::exp2(-0.5), 3)));
    EXPECT_TRUE(Hand("scores", biased("sandwich", 8), kTile).canvas.says("× 1/8"));
    EXPECT_TRUE(
        Hand("scores",
             biased("kerple", 8, {{"encoding", {{"kind", "kerple"}, {"bias_a", 0.5}, {"bias_p", 2.0}}}}),
             kTile)
            .canvas.says("a 0.50, r 2.0"));
}

TEST(Biases, TheTipIsCoresValue) {
    Hand hand("scores", biased("alibi", 8), kTile);
    int seen = 0;
    for (float x = 70.0F; x < 420.0F; x += 30.0F) {
        hand.move({x, 300.0F});
        if (hand.tip_value.empty() || !hand.hovered.distance) continue;
        ++seen;
        const auto head = std::stoll(hand.tip_formula.substr(5));
        const std::int64_t distance = *hand.hovered.distance;
        EXPECT_EQ(hand.tip_value, "= " + said(action_of(hand.scene)->bias(head, distance, 0), 6));
    }
    EXPECT_GT(seen, 8);
}

TEST(Biases, ACellChoosesItsHeadAndTheOffsetIsDragged) {
    Hand hand("scores", biased("alibi", 8), kTile);
    hand.move(hand.handle("head_2"));
    hand.press();
    hand.release();
    EXPECT_EQ(hand.scene.view["attention"]["head"], 2);
    const Point knob = hand.handle("offset");
    hand.drag(knob, knob + Point{90.0F, 0.0F});
    EXPECT_GT(hand.scene.offset, 20);
}

TEST(Biases, BOverAAndBMinusA) {
    const Scene scene = biased(
        "alibi", 8,
        {{"compare", {{"encoding", {{"kind", "alibi"}, {"variant", "mpt"}, {"alibi_bias_max", 4.0}}}}}});
    Hand hand("scores", scene, kTile);
    const std::size_t alone = hand.canvas.lines;
    const auto b = compared_scene(scene);
    figures::Derived derived;
    hand.b.emplace(figures::Other{*b, derived});
    hand.move({1.0F, 1.0F});
    EXPECT_GE(hand.canvas.lines, alone + 6);  // the chosen head in the overlay, and every cell; fewer ticks
    hand.b.emplace(figures::Other{*b, derived, true});
    hand.move({1.0F, 1.0F});
    EXPECT_LT(hand.canvas.lines, alone + 6);
    EXPECT_TRUE(hand.canvas.says("head 7"));
}

}  // namespace
}  // namespace posiscope::test
