// What every head adds to its logits: all of them are core's, the slopes are named, a cell chooses its head.
#include "app/figures/scores/scores.hpp"
#include "core/encodings/encodings.hpp"
#include "tests/figures/hand.hpp"

namespace posiscope::test::biases_test {
namespace {

using figures::scores::Curves;

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

// Sandwich's cosines have their least between the distances that a sampled curve would take, far out and near.
TEST(Biases, ManyDistancesAreBandsOfThemAll) {
    for (const std::int64_t length : {50000, 8000}) {
        const Scene scene = biased("sandwich", 4, {{"length", length}, {"causal", true}});
        figures::Derived derived;
        const auto made = figures::scores::biases(scene, derived);
        ASSERT_NE(made, nullptr);
        const Curves& curves = made->curves;
        ASSERT_GT(curves.stride, 1);
        EXPECT_EQ(curves.every, 1);
        ASSERT_EQ(curves.curves.size(), 4U);
        const Action action = *action_of(scene);
        for (std::int64_t head = 0; head < 4; ++head) {
            const auto& curve = curves.curves[static_cast<std::size_t>(head)];
            double least = 0.0, sampled = 0.0;
            std::vector<double> all;
            for (std::int64_t d = 0; d < length; ++d) all.push_back(action.bias(head, d, 0));
            for (const double value : curve.values) sampled = std::min(sampled, value);
            least = *std::ranges::min_element(all);
            EXPECT_GT(sampled - least, 1e-6 * std::abs(least)) << "a needle between the samples";
            EXPECT_DOUBLE_EQ(curve.least, least);
            for (std::size_t i = 0; i < curves.at.size(); i += 37) {
                const auto begin = all.begin() + static_cast<std::ptrdiff_t>(curves.at[i]),
                           end = std::min(all.end(), begin + curves.stride);
                EXPECT_EQ(curve.band[2 * i], *std::min_element(begin, end)) << i;
                EXPECT_EQ(curve.band[2 * i + 1], *std::max_element(begin, end)) << i;
            }
        }
    }
}

TEST(Biases, BMinusAOfManyDistancesIsABandToo) {
    const Scene a = biased("sandwich", 4, {{"length", 20000}, {"causal", true}}),
                b = biased("sandwich", 4, {{"length", 20000}, {"causal", true}, {"base", 5000.0}});
    figures::Derived derived_a, derived_b;
    const auto less = figures::scores::bias_difference(derived_a, figures::scores::biases(a, derived_a),
                                                       figures::scores::biases(b, derived_b));
    const Action of_a = *action_of(a), of_b = *action_of(b);
    double most = -1e300, least = 1e300;
    for (std::int64_t d = 0; d < 20000; ++d) {
        const double value = of_b.bias(2, d, 0) - of_a.bias(2, d, 0);
        most = std::max(most, value), least = std::min(least, value);
    }
    EXPECT_DOUBLE_EQ(less->curves.curves[2].most, most);
    EXPECT_DOUBLE_EQ(less->curves.curves[2].least, least);
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
}  // namespace posiscope::test::biases_test
