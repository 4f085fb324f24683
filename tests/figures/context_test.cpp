// Spectrum, Turns and the config check: their statements and drawings on training.
#include "core/models/presets.hpp"
#include "core/scaling/trained.hpp"
#include "tests/figures/hand.hpp"

#include <numbers>

namespace posiscope::test::context_test {
namespace {

Scene preset(std::string_view id) {
    for (const Preset& one : presets())
        if (one.id == id) return with_preset(Scene(), one)->scene;
    ADD_FAILURE() << "no preset " << id;
    return {};
}

Scene in_mode(Scene scene, std::string_view figure, std::string_view mode) {
    figures::set_view_value(scene, figure, "mode", std::string(mode));
    return scene;
}

Scene llama31(std::int64_t length) {
    Scene scene = preset("yarn_for_llama3");
    scene.encoding = trained_scene(scene).encoding;
    scene.length = length;
    return scene;
}

TEST(SpectrumFigure, SaysWhoIsSlowedDownAndByHowMuch) {
    EXPECT_EQ(Hand("spectrum", llama31(131072)).headline,
              "Llama 3 keeps 29 pairs, blends 6, divides 29 by 8.");
    EXPECT_EQ(Hand("spectrum", preset("yarn_for_llama3")).headline,
              "45 of 64 pairs differ by more than 1% from their trained frequency: YaRN replaces Llama 3.");
    EXPECT_EQ(Hand("spectrum", scene_of({{"length", 512}})).headline,
              "No pair is slowed down: 133 of 256 wavelengths are longer than the 512 positions.");
    const auto scaled = [](const Json& scaling) {
        return Hand("spectrum",
                    scene_of({{"encoding", {{"kind", "rope"}, {"rope_scaling", scaling}}}, {"d_model", 128}}))
            .headline;
    };
    EXPECT_EQ(scaled({{"rope_type", "linear"}, {"factor", 4}}), "Linear (PI) divides every frequency by 4.");
    EXPECT_EQ(scaled({{"rope_type", "ntk"}, {"alpha", 4}}),
              "NTK-aware slows 63 of 64 pairs, by a factor of up to 4.");
    EXPECT_EQ(scaled({{"rope_type", "proportional"}, {"partial_rotary_factor", 0.25}}),
              "Proportional (p-RoPE) rotates 16 pairs and stops 48.");
}

TEST(SpectrumFigure, ALineThatIsDraggedIsALength) {
    for (const char* handle : {"length", "trained"}) {
        SCOPED_TRACE(handle);
        Hand hand("spectrum", preset("twice_as_far"));
        const auto length = [&] {
            return std::string_view(handle) == "length" ? hand.scene.length : *hand.scene.trained.length;
        };
        const std::int64_t before = length();
        const Point at = hand.handle(handle);
        hand.drag(at, at + Point{0.0F, 40.0F});
        EXPECT_LT(length(), before) << "down is shorter";
        // The line stands where the length says: dragging back to where it began gives it back.
        const std::int64_t shorter = length();
        hand.drag(hand.handle(handle), at);
        EXPECT_GT(length(), shorter);
        EXPECT_NEAR(static_cast<double>(length()), static_cast<double>(before),
                    0.02 * static_cast<double>(before));
    }
}

TEST(SpectrumFigure, HoverGivesTheFormulaWithItsNumbersAndLinksThePair) {
    Hand hand("spectrum", llama31(131072));
    hand.move({340.0F, 200.0F});
    ASSERT_TRUE(hand.hovered.frequency);
    const Spectrum spectrum = *spectrum_of(hand.scene);
    const LinkedPair pair = linked_pair(*hand.hovered.frequency, spectrum);
    EXPECT_TRUE(pair.exact);
    EXPECT_NE(hand.tip_formula.find(fmt::format("\\lambda_{{{}}}", pair.pair)), std::string::npos)
        << hand.tip_formula;
    ui::Scratch scratch;
    const double wavelength = 2.0 * std::numbers::pi / spectrum.frequency[pair.pair];
    EXPECT_NE(hand.tip_value.find(ui::significant(scratch, wavelength, 6)), std::string::npos)
        << hand.tip_value;
    hand.press();
    hand.release();
    EXPECT_EQ(static_cast<std::size_t>(hand.scene.pair), pair.pair) << "a click keeps it";
}

TEST(SpectrumFigure, LayersThatDifferAreToldApart) {
    Scene smol = scene_of({{"encoding", {{"kind", "rope"}, {"no_rope_layer_interval", 4}}},
                           {"d_model", 128},
                           {"trained", {{"length", 4096}}}});
    EXPECT_TRUE(Hand("spectrum", smol).canvas.says("layer 0: RoPE"));
    smol.encoding.parameters["layer"] = 3;
    Hand still("spectrum", smol);
    EXPECT_TRUE(still.canvas.says("layer 3: no rotary encoding"));
    EXPECT_EQ(still.headline, "Layer 3 rotates no pair: its queries and keys carry no position.");
    EXPECT_FALSE(training_of(smol)->deviation->changed) << "in that layer the weights did not turn either";

    const Scene gemma =
        scene_of({{"encoding",
                   {{"kind", "rope"},
                    {"rope_scaling",
                     {{"full_attention", {{"rope_type", "linear"}, {"factor", 8}, {"rope_theta", 1e6}}},
                      {"sliding_attention", {{"rope_theta", 1e4}}}}}}},
                  {"d_model", 256}});
    Hand types("spectrum", gemma);
    EXPECT_TRUE(types.canvas.says("full_attention"));
    types.move({54.0F + 100.0F, 480.0F - 26.0F});  // the second cell of the strip
    types.press();
    types.release();
    EXPECT_EQ(types.scene.encoding.parameters["layer_type"], "sliding_attention");
    EXPECT_EQ(spectrum_of(types.scene)->frequency[127], geometric_spectrum(1e4, 128, 128).frequency[127]);
}

TEST(SpectrumFigure, ModelsOverOneAnotherNameTheExtremes) {
    Hand hand("spectrum", in_mode(Scene(), "spectrum", "models"));
    EXPECT_NE(hand.headline.find("The slowest rotating pair takes from"), std::string::npos) << hand.headline;
    EXPECT_GT(hand.canvas.lines, 20U) << "a line for each spectrum";
}

TEST(TurnsFigure, NamesThePairsThatMeetNewAngles) {
    EXPECT_EQ(Hand("turns", preset("twice_as_far")).headline,
              "18 pairs meet angles unseen in training: 46 … 63.");
    EXPECT_EQ(Hand("turns", preset("yarn_for_llama3")).headline,
              "No pair leaves its trained arc, yet 22 are off by more than a quarter turn at 65 536.");
    EXPECT_EQ(Hand("turns", llama31(131072)).headline,
              "No pair meets an angle unseen in training, up to 131 072 positions.");
    const Scene notes = preset("short_to_long");
    const Training made = *training_of(notes);
    EXPECT_EQ(Hand("turns", notes).headline, fmt::format("{} pairs meet angles unseen in training: {} … 31.",
                                                         made.new_angles.count, 32 - made.new_angles.count));
    EXPECT_EQ(made.new_angles.count, 26U);
    EXPECT_NE(Hand("turns", Scene()).headline.find("172 of 256 pairs"), std::string::npos)
        << "without training only what is open can be said";
}

TEST(TurnsFigure, AnEndThatIsDraggedIsALength) {
    Scene scene = preset("twice_as_far");
    scene.pair = 50;
    Hand hand("turns", scene);
    const Point now = hand.handle("length"), seen = hand.handle("trained");
    EXPECT_LT(now.y, seen.y) << "8192 positions turn further than 4096";
    hand.drag(now, {now.x, seen.y});
    EXPECT_NEAR(static_cast<double>(hand.scene.length), 4096.0, 60.0) << "the same turns, the same length";
}

TEST(TurnsFigure, ArcsSayWhenTheyAreSampled) {
    EXPECT_TRUE(Hand("turns", in_mode(preset("twice_as_far"), "turns", "arcs")).canvas.says("all 64 pairs"));
    const Scene wide = in_mode(scene_of({{"d_model", 65536}}), "turns", "arcs");
    EXPECT_TRUE(Hand("turns", wide).canvas.says("of 32768 pairs"));
}

TEST(TurnsFigure, WithAGridThereIsNoOneLength) {
    Hand hand("turns", scene_of({{"encoding", {{"kind", "rope_2d"}, {"grid_width", 16}}}, {"d_model", 64}}));
    EXPECT_TRUE(hand.canvas.says("grid"));
    EXPECT_TRUE(hand.headline.empty());
}

TEST(CheckFigure, SaysWhatIsWrongFirstAndWithItsNumbers) {
    Hand hand("check", preset("yarn_for_llama3"), {0.0F, 0.0F, 900.0F, 700.0F});
    EXPECT_EQ(hand.headline, "4 of 6 checks fail.");
    std::string all;
    for (const std::string& text : hand.canvas.texts) all += text + " ";
    for (const char* said : {"Llama 3 → YaRN: 45 of 64", "22 angles are off", "by 20.6 turns",
                             "4 × 8192 = 32\u2009768", "by 1.296", "No setting is ignored"})
        EXPECT_NE(all.find(said), std::string::npos) << "missing: " << said << "\nin: " << all;
    EXPECT_LT(all.find("replaces the trained one"), all.find("No setting is ignored"));

    EXPECT_EQ(Hand("check", scene_of({{"encoding", "rope"},
                                      {"d_model", 128},
                                      {"length", 4096},
                                      {"trained", {{"length", 4096}, {"scene", {{"encoding", "rope"}}}}}}))
                  .headline,
              "All 5 checks pass.");
    EXPECT_EQ(Hand("check", llama31(131072)).headline, "All 6 checks pass.");
    EXPECT_TRUE(Hand("check", scene_of({{"encoding", "alibi"}})).canvas.says("no frequencies"));
}

TEST(ContextFigures, TwoSidesAreSetAgainstEachOther) {
    const Scene yarn = preset("yarn_for_llama3"), llama = llama31(65536);
    figures::Derived of_b;
    const auto both = [&](std::string_view figure, const Scene& b, bool difference) {
        Hand hand(figure, llama);
        hand.b.emplace(figures::Other{b, of_b, difference});
        hand.move({300.0F, 100.0F});
        return hand;
    };
    for (const bool difference : {false, true}) {
        EXPECT_EQ(both("spectrum", yarn, difference).headline,
                  "A and B differ by more than 1% in 45 of 64 frequencies.");
        EXPECT_NE(both("turns", yarn, difference).headline.find("22 of 64 angles of B"), std::string::npos);
    }
    EXPECT_TRUE(both("spectrum", yarn, false).canvas.says("B · YaRN"));
    EXPECT_TRUE(both("turns", yarn, true).canvas.says("a quarter turn"));
    const Scene narrow = scene_of({{"encoding", "rope"}, {"d_model", 64}});
    EXPECT_TRUE(both("turns", narrow, true).canvas.says("64 pairs and B 32"));
}

TEST(ContextFigures, AllPairsOfTheWidestSceneTakeAsManyLinesAsTheyHavePixels) {
    for (const char* figure : {"spectrum", "turns"}) {
        Hand hand(figure, scene_of({{"d_model", 65536}, {"trained", {{"length", 64}}}}));
        EXPECT_LT(hand.canvas.lines, 1000U) << figure;
    }
}

}  // namespace
}  // namespace posiscope::test::context_test
