// The Waves figure: a row of the matrix is a cut through it, with the matrix's own numbers.
#include "tests/figures/hand.hpp"
#include "tests/shown.hpp"

#include <numbers>

namespace posiscope::test::waves_test {
namespace {

TEST(Waves, TheCutHasTheMatrixsValues) {
    const Scene scene = Scene();
    const Hand hand("waves", scene, {0.0F, 0.0F, 900.0F, 560.0F});
    EXPECT_EQ(hand.headline, "Cut every wave at 10: row 10 of the matrix. Pair 10: sin 0.640, cos 0.768.");
    const Spectrum spectrum = *spectrum_of(scene);
    for (const std::int64_t pair : {0, 10, 255})  // the fastest, the Scene's, the slowest
        for (const std::int64_t position : {10, 13})
            for (const int component : {0, 1}) {
                const double value =
                    table_value(spectrum, PairLayout::interleaved, position, 2 * pair + component);
                EXPECT_TRUE(hand.canvas.says(shown(value, 3)))
                    << "PE(" << position << ", " << 2 * pair + component << ")";
            }
    for (const std::int64_t pair : {0, 10, 255})
        EXPECT_TRUE(hand.canvas.says("Pair " + std::to_string(pair)));
    EXPECT_FALSE(hand.canvas.says("faster than")) << "128 positions have room for every wave";
}

// Halfway between two positions the hands are halfway; the numbers are those of the whole position.
TEST(Waves, HandsMoveBetweenPositionsWhilePlaying) {
    for (const char* figure : {"rotations", "waves"}) {
        Hand hand(figure, scene_of({{"d_model", 16}}));
        const auto texts = hand.canvas.texts;
        const auto clocks = hand.canvas.clocks_drawn;
        hand.fractional_position = 0.5;
        hand.move({1.0F, 1.0F});
        EXPECT_EQ(hand.canvas.texts, texts) << figure;
        if (clocks.empty()) continue;
        const Spectrum spectrum = *spectrum_of(hand.scene);
        ASSERT_EQ(clocks.size(), spectrum.pairs());
        for (std::size_t i = 0; i < clocks.size(); ++i) {
            const double turned = 0.5 * spectrum.frequency[i] / (2.0 * std::numbers::pi);
            double gap =
                static_cast<double>(hand.canvas.clocks_drawn[i].angle_p - clocks[i].angle_p) + turned;
            gap -= std::round(gap);
            EXPECT_NEAR(gap, 0.0, 1e-5) << "clockwise, by ω/2";
        }
    }
}

TEST(Waves, AFourierSeriesOvershootsAndItsErrorFalls) {
    Scene scene = scene_of({{"d_model", 64}});
    figures::set_view_value(scene, "waves", "mode", "fourier");
    Hand hand("waves", scene, {0.0F, 0.0F, 900.0F, 560.0F});
    EXPECT_EQ(hand.headline,
              "8 harmonics overshoot by 9.01% of the jump (limit 8.95%, not 0); RMS error 0.16 (limit 0).");
    const Point knob = hand.handle("terms");
    hand.drag(knob, knob + Point{120.0F, 0.0F});
    ASSERT_NE(figures::view_value(hand.scene, "waves", "terms"), nullptr);
    EXPECT_GT(figures::view_value(hand.scene, "waves", "terms")->get<int>(), 8);
    EXPECT_NE(hand.headline.find("limit 8.95%"), std::string::npos) << hand.headline;
}

TEST(Waves, SixAtMostAndTheScenesAmongThem) {
    for (const std::int64_t d_model : {2, 4, 12, 14, 1024})
        for (const std::int64_t pair : {std::int64_t{0}, d_model / 4, d_model / 2 - 1}) {
            const Hand hand("waves", scene_of({{"d_model", d_model}, {"pair", pair}}));
            const auto named =
                std::count_if(hand.canvas.texts.begin(), hand.canvas.texts.end(),
                              [](const std::string& text) { return text.starts_with("Pair "); });
            EXPECT_EQ(named, std::min<std::int64_t>(6, d_model / 2)) << "d_model " << d_model;
            EXPECT_TRUE(hand.canvas.says("Pair " + std::to_string(pair)));
        }
}

TEST(Waves, WhatIsFasterThanThePixelsIsABandAndSaysSo) {
    // 4 096 positions in some 400 pixels: pair 0 turns every 6.28 positions, 0.6 pixels.
    EXPECT_TRUE(Hand("waves", scene_of({{"length", 4096}})).canvas.says("faster than 8 pixels per turn"));
}

TEST(Waves, CutsAreHandlesAndTheWheelZooms) {
    Hand hand("waves", scene_of({{"offset", 30}}));
    const Point p = hand.handle("position"), q = hand.handle("offset");
    hand.drag(q, q + Point{60.0F, 80.0F});
    EXPECT_GT(hand.scene.offset, 35);
    EXPECT_EQ(hand.scene.position, 10);
    hand.drag(p, p + Point{40.0F, 80.0F});
    EXPECT_GT(hand.scene.position, 12);
    const std::int64_t kept = hand.scene.offset;
    hand.wheel({300.0F, 200.0F}, 4.0F);
    ASSERT_TRUE(hand.scene.view.contains("waves"));
    const Json before = hand.scene.view["waves"]["range"];
    EXPECT_LT(before[1].get<double>() - before[0].get<double>(), 127.0);
    hand.drag({420.0F, 300.0F}, {370.0F, 300.0F});
    EXPECT_GT(hand.scene.view["waves"]["range"][0].get<double>(), before[0].get<double>())
        << "empty space pans: to the left shows what is further on";
    EXPECT_EQ(hand.scene.offset, kept);
}

TEST(Waves, TheMouseFindsPairAndPosition) {
    Hand hand("waves", Scene(), {0.0F, 0.0F, 700.0F, 480.0F});
    std::size_t seen = 0;
    const Spectrum spectrum = *spectrum_of(hand.scene);
    for (float y = 60.0F; y < 420.0F; y += 41.0F)
        for (float x = 140.0F; x < 520.0F; x += 53.0F) {
            hand.move({x, y});
            if (!hand.hovered.frequency || !hand.hovered.position) continue;
            ++seen;
            const auto pair = linked_pair(*hand.hovered.frequency, spectrum).pair;
            const Turn turn = phase(spectrum.step[pair], *hand.hovered.position);
            EXPECT_EQ(hand.tip_value, fmt::format("= {}, {}", shown(sin(turn), 6), shown(cos(turn), 6)));
        }
    EXPECT_GT(seen, 40U);
}

}  // namespace
}  // namespace posiscope::test::waves_test
