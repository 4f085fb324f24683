// The definition of each encoding: its numbers are core's, and every one of them can be dragged. The complex plane.
#include "core/attention/attention.hpp"
#include "core/attention/identities.hpp"
#include "core/encodings/encodings.hpp"
#include "core/scene/content.hpp"
#include "tests/figures/hand.hpp"

#include <numbers>

namespace posiscope::test::definition_test {
namespace {

const Rect kTile{0.0F, 0.0F, 900.0F, 640.0F};

Scene in_mode(Json partial, std::string_view mode) {
    partial["view"]["rotations"]["mode"] = std::string(mode);
    return scene_of(partial);
}

std::string said(double value, int digits) {
    const auto scratch = std::make_unique<ui::Scratch>();
    return std::string(ui::significant(*scratch, value, digits));
}

// All that is written, run after run.
std::string written(const Hand& hand) {
    std::string all;
    for (const std::string& text : hand.canvas.texts) all += text;
    return all;
}

TEST(Definition, ValuesOfTheTableAreCores) {
    for (const char* variant : {"paper", "halves", "tensor2tensor", "fairseq", "two_pi", "double_exponent"}) {
        const Json partial{
            {"encoding", {{"kind", "sinusoidal"}, {"variant", variant}}}, {"d_model", 64}, {"pair", 5}};
        const Hand hand("rotations", in_mode(partial, "definition"), kTile);
        const Spectrum spectrum = *spectrum_of(hand.scene);
        const PairLayout order = encoding_of(hand.scene).layout(hand.scene);
        for (const int component : {0, 1}) {
            const std::int64_t column = dimension(order, 32, {5, component});
            const double value = table_value(spectrum, order, 10, column);
            EXPECT_NE(written(hand).find(said(value, 4)), std::string::npos)
                << variant << ": " << written(hand);
            EXPECT_NE(written(hand).find("PE(10," + std::to_string(column) + ")"), std::string::npos)
                << variant;
        }
        EXPECT_NE(written(hand).find(said(spectrum.frequency[5], 4)), std::string::npos) << variant;
    }
}

TEST(Definition, AScaledFrequencyIsSaidAsItIs) {
    const Json scaling{{"rope_type", "linear"}, {"factor", 8.0}};
    const Hand hand(
        "rotations",
        in_mode({{"encoding", {{"kind", "rope"}, {"rope_scaling", scaling}}}, {"d_model", 64}, {"pair", 5}},
                "definition"),
        kTile);
    const double omega = spectrum_of(hand.scene)->frequency[5];
    EXPECT_TRUE(hand.canvas.says("0.1250")) << written(hand);  // ω′/ω
    EXPECT_TRUE(hand.canvas.says(said(10.0 * omega, 4))) << written(hand);
    EXPECT_TRUE(hand.canvas.says(said(omega, 4))) << written(hand);
}

TEST(Definition, BiasesAreCores) {
    for (const char* kind : {"alibi", "t5", "kerple", "fire", "sandwich"})
        for (const std::int64_t head : {0, 5}) {
            const Json partial{{"encoding", kind}, {"num_heads", 12},
                               {"d_model", 96},    {"position", 20},
                               {"offset", 7},      {"view", {{"attention", {{"head", head}}}}}};
            const Hand hand("rotations", in_mode(partial, "definition"), kTile);
            const double bias = action_of(hand.scene)->bias(head, 27, 20);
            EXPECT_NE(written(hand).find("=" + said(bias, 4)), std::string::npos)
                << kind << ": " << written(hand);
        }
}

TEST(Definition, ALearnedNumberIsTheTables) {
    const Hand hand("rotations",
                    in_mode({{"encoding", {{"kind", "learned"}, {"max_position_embeddings", 32}}},
                             {"d_model", 16},
                             {"pair", 3}},
                            "definition"),
                    kTile);
    EXPECT_TRUE(hand.canvas.says(said((*input_table(hand.scene, 10, 1))[6], 4))) << written(hand);
}

// p, i, d and b are handles.
TEST(Definition, EveryNumberCanBeDragged) {
    const Scene begin = in_mode(Json::object(), "definition");
    const auto dragged = [&](std::string_view handle, float by) {
        Hand hand("rotations", begin, kTile);
        const Point at = hand.handle(handle);
        hand.drag(at, at + Point{by, 0.0F});
        settle(hand.scene);
        return hand.scene;
    };
    EXPECT_GT(dragged("number_position", 60.0F).position, 12);
    EXPECT_LT(dragged("number_position", -30.0F).position, 8);
    EXPECT_EQ(dragged("number_position", -900.0F).position, 0);
    EXPECT_GT(dragged("number_pair", 60.0F).pair, 12);
    EXPECT_EQ(dragged("number_pair", 3000.0F).pair, 255);
    EXPECT_EQ(dragged("number_width", 60.0F).d_model, 1024);
    EXPECT_EQ(dragged("number_width", -60.0F).d_model, 256);
    EXPECT_EQ(dragged("number_width", -3000.0F).d_model, 4);
    EXPECT_NEAR(dragged("number_base", 120.0F).base, 100000.0, 1.0);
    EXPECT_EQ(dragged("number_base", -3000.0F).base, 2.0);
}

// A number under the hand stops where its value cannot be had: no Scene on the way is refused.
TEST(Definition, ADraggedNumberIsNeverRefused) {
    std::vector<Json> all;
    for (const Encoding* encoding : encodings()) all.push_back(std::string(encoding->kind));
    for (const char* one :
         {R"j({"kind": "sinusoidal", "variant": "fairseq", "padding_idx": 1})j",
          R"j({"kind": "rope", "partial_rotary_factor": 0.5})j", R"j({"kind": "rope", "rotary_dim": 4})j",
          R"j({"kind": "kerple", "variant": "power", "bias_a": 1, "bias_p": 1})j"})
        all.push_back(Json::parse(one));
    std::size_t dragged = 0;
    for (const Json& encoding : all)
        for (const auto& [d_model, heads] : {std::pair(32, 2), std::pair(12, 3), std::pair(4, 1)}) {
            const auto laid = overlay(
                Scene(), {{"encoding", encoding}, {"d_model", d_model}, {"num_heads", heads}, {"pair", 0}});
            if (!laid) continue;
            Scene begin = laid->scene;
            figures::set_view_value(begin, "rotations", "mode", "definition");
            const Hand first("rotations", begin, kTile);
            for (const char* handle : {"number_position", "number_offset", "number_pair", "number_width",
                                       "number_base", "number_head"}) {
                if (!first.has(handle)) continue;
                for (const float by : {-3000.0F, -400.0F, -60.0F, -13.0F, 13.0F, 60.0F, 400.0F, 3000.0F}) {
                    Hand hand("rotations", begin, kTile);
                    const Point at = hand.handle(handle);
                    hand.begin_drag(at, at + Point{by, 0.0F}, 1);
                    const auto settled = overlay(hand.scene, Json::object());
                    EXPECT_TRUE(settled) << encoding.dump() << " " << d_model << " " << heads << " " << handle
                                         << " " << by << ": " << to_string(settled.error());
                    ++dragged;
                }
            }
        }
    EXPECT_GT(dragged, 400U);
}

TEST(Definition, HeadsAndOffsetsOfABiasAreHandlesToo) {
    Hand hand("rotations", scene_of({{"encoding", "alibi"}, {"num_heads", 8}}), kTile);
    const Point head = hand.handle("number_head");
    hand.drag(head, head + Point{26.0F, 0.0F});
    EXPECT_EQ(hand.scene.view["attention"]["head"], 2);
    EXPECT_TRUE(hand.canvas.says(said(-3.0 / 8.0, 4)));
    const Point offset = hand.handle("number_offset");
    hand.drag(offset, offset + Point{-20.0F, 0.0F});
    EXPECT_LT(hand.scene.offset, 3);
}

TEST(Definition, ANumberUnderTheMouseLightsUpElsewhere) {
    Hand hand("rotations", in_mode(Json::object(), "definition"), kTile);
    hand.move(hand.handle("number_pair"));
    ASSERT_TRUE(hand.hovered.frequency);
    EXPECT_EQ(*hand.hovered.frequency, spectrum_of(Scene())->frequency[10]);
    hand.move(hand.handle("number_position"));
    EXPECT_EQ(hand.hovered.position, 10);
    // And what another figure lights up is written here.
    hand.link.frequency = spectrum_of(Scene())->frequency[40];
    hand.link.position = 77;
    hand.move({1.0F, 1.0F});
    EXPECT_NE(written(hand).find("PE(77,80)"), std::string::npos) << written(hand);
    hand.link.sine = false;
    hand.move({2.0F, 1.0F});
    EXPECT_NE(written(hand).find("PE(77,81)"), std::string::npos) << written(hand);
}

// ---- the complex plane -----------------------------------------------------------------------------------------

TEST(Plane, BothSignsAndTheChordAreCores) {
    const Hand hand("rotations", in_mode({{"d_model", 64}, {"pair", 5}}, "plane"), kTile);
    const Step step = spectrum_of(hand.scene)->step[5];
    const Turn angle = phase(step, 10);
    auto scratch = std::make_unique<ui::Scratch>();
    EXPECT_TRUE(hand.canvas.says(ui::fixed(*scratch, cos(angle), 3).substr(0, 6)));
    EXPECT_NE(hand.headline.find(ui::residual(*scratch, power_residual(*spectrum_of(hand.scene), 10), 10.0)),
              std::string::npos)
        << hand.headline;
    Hand over("rotations", hand.scene, kTile);
    const Point hint{450.0F, 560.0F};  // over the plot of chords
    over.move(hint);
    ASSERT_FALSE(over.tip_value.empty());
    ASSERT_TRUE(over.hovered.frequency);
    const auto pair = linked_pair(*over.hovered.frequency, *spectrum_of(hand.scene)).pair;
    EXPECT_EQ(over.tip_value, "= " + said(chord(spectrum_of(hand.scene)->step[pair], 3), 6));
}

TEST(Plane, HandsOfBothSignsMoveThePositions) {
    for (const char* sign : {"minus", "plus"}) {
        Hand hand("rotations", in_mode({{"d_model", 64}, {"pair", 5}}, "plane"), kTile);
        const Point from = hand.handle(std::string("position_") + sign);
        const Point centre{sign == std::string_view("minus") ? 225.0F : 675.0F, 0.0F};
        const std::int64_t before = hand.scene.position;
        hand.drag(from, {centre.x, from.y});
        EXPECT_NE(hand.scene.position, before) << sign;
    }
}

TEST(Plane, TheProductStaysWhileBothSlide) {
    const Json partial{
        {"encoding", "rope"}, {"d_model", 64}, {"pair", 5}, {"content", {{"kind", "seeded"}, {"seed", 4}}}};
    Hand hand("rotations", in_mode(partial, "plane"), kTile);
    const Spectrum spectrum = *spectrum_of(hand.scene);
    const auto real = [&] {
        return said(
            score_share(score_form(hand.scene, spectrum, ScoreKind::dot), spectrum, 5, hand.scene.offset), 4);
    };
    EXPECT_NE(hand.headline.find(real()), std::string::npos) << hand.headline;
    // The note's cosine term, and its "other terms".
    ScoreForm cosines = score_form(hand.scene, spectrum, ScoreKind::dot), sines = cosines;
    std::ranges::fill(cosines.odd, 0.0), std::ranges::fill(sines.even, 0.0);
    for (const ScoreForm& part : {cosines, sines})
        EXPECT_TRUE(hand.canvas.says(said(std::abs(score_share(part, spectrum, 5, hand.scene.offset)), 3)));
    const Point knob = hand.handle("shift");
    hand.drag(knob, knob + Point{150.0F, 0.0F});
    EXPECT_GT(hand.scene.shift, 100);
    EXPECT_NE(hand.headline.find(real()), std::string::npos) << hand.headline;
}

TEST(Plane, QueryAndKeyAreDraggedInTwoDimensions) {
    const Json content{{"kind", "vectors"}, {"query", {1.0, 0.2}}, {"key", {0.3, 0.4}}};
    const Json partial{{"encoding", "rope"}, {"d_model", 16}, {"pair", 2}, {"content", content}};
    for (const char* handle : {"query_features", "key_features"}) {
        Hand hand("rotations", in_mode(partial, "plane"), kTile);
        const Scene before = hand.scene;
        const Point from = hand.handle(handle);
        hand.begin_drag(from, from + Point{17.0F, -23.0F});
        hand.move(from + Point{17.0F, -23.0F});
        const Point to = hand.handle(handle);  // it follows the mouse, rotated as it is
        EXPECT_NEAR(to.x, from.x + 17.0F, 1.5F) << handle;
        EXPECT_NEAR(to.y, from.y - 23.0F, 1.5F) << handle;
        hand.release();
        ASSERT_EQ(hand.scene.content.kind, "vectors");
        const bool query = handle[0] == 'q';
        // Only that pair of that side has changed.
        for (std::int64_t feature = 0; feature < 16; ++feature)
            for (const Tensor tensor : {Tensor::query, Tensor::key}) {
                const bool own = (tensor == Tensor::query) == query && (feature == 4 || feature == 5);
                const double was = content_value(before.content, tensor, 0, feature),
                             is = content_value(hand.scene.content, tensor, 0, feature);
                EXPECT_EQ(was != is, own) << handle << " " << feature;
            }
    }
}

TEST(Plane, TheFourStepsAreChosen) {
    Hand hand("rotations", in_mode({{"encoding", "rope"}, {"d_model", 64}}, "plane"), kTile);
    EXPECT_TRUE(hand.canvas.says("Multiply by the conjugate"));
    const auto press = [&](std::string_view handle) {
        hand.move(hand.handle(handle));
        hand.press();
        hand.release();
    };
    press("step_1");
    EXPECT_EQ(hand.scene.view["rotations"]["step"], 1);
    EXPECT_TRUE(hand.canvas.says("A feature pair is a complex number"));
    press("step_2");
    EXPECT_TRUE(hand.canvas.says("Rotate the query"));
    press("step_3");
    EXPECT_TRUE(hand.canvas.says("Rotate the key"));
    press("step_4");
    EXPECT_FALSE(hand.scene.view["rotations"].contains("step"));
}

}  // namespace
}  // namespace posiscope::test::definition_test
