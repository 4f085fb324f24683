// A against B in one figure: the drawn and stated B − A is core's; if there is none, the figure says why.
#include "core/attention/attention.hpp"
#include "core/models/presets.hpp"
#include "tests/figures/hand.hpp"

namespace posiscope::test::comparison_test {
namespace {

Scene in_mode(Scene scene, std::string_view figure, std::string_view mode) {
    figures::set_view_value(scene, figure, "mode", std::string(mode));
    return scene;
}

// A figure with B − A, or with both, over a mouse.
struct Both {
    Scene of_b;
    figures::Derived derived;
    Hand hand;

    Both(std::string_view figure, const Scene& a, Scene b, bool difference = true,
         Rect area = {0.0F, 0.0F, 640.0F, 480.0F})
        : of_b(std::move(b)), hand(figure, a, area) {
        hand.b.emplace(figures::Other{of_b, derived, difference});
        hand.move({-5.0F, -5.0F});
    }
};

Scene rope(double base, std::string_view mode = {}) {
    Scene s = scene_of({{"encoding", "rope"}, {"d_model", 32}, {"length", 64}, {"base", base}});
    return mode.empty() ? s : in_mode(std::move(s), "matrix", mode);
}

TEST(Comparison, TheMatrixTipIsTheDifferenceOfItsCell) {
    for (const char* mode : {"cache", "phase", "gram", "shift"}) {
        SCOPED_TRACE(mode);
        Both both("matrix", rope(10000.0, mode), rope(500000.0));
        both.hand.move(both.hand.handle("pan") + Point{-40.0F, 30.0F});
        ASSERT_TRUE(both.hand.hovered.position || both.hand.hovered.frequency);
        const Spectrum a = *spectrum_of(rope(10000.0)), b = *spectrum_of(rope(500000.0));
        const std::string& value = both.hand.tip_value;
        double wanted = 0.0;
        if (std::string_view(mode) == "gram") {
            const auto score = [&](const Scene& scene, const Spectrum& spectrum) {
                return score_at(score_form(scene, spectrum, ScoreKind::dot), spectrum,
                                *both.hand.hovered.distance);
            };
            wanted = score(rope(500000.0), b) - score(rope(10000.0), a);
        } else if (std::string_view(mode) == "shift") {
            EXPECT_TRUE(value.starts_with("= ")) << value;
            continue;
        } else {
            const auto pair = static_cast<std::size_t>(linked_pair(*both.hand.hovered.frequency, a).pair);
            const std::int64_t p = *both.hand.hovered.position;
            if (std::string_view(mode) == "phase") {
                wanted = static_cast<double>(p) * (b.frequency[pair] - a.frequency[pair]);
            } else {
                const Turn at_a = phase(a.step[pair], p), at_b = phase(b.step[pair], p);
                const bool sine = both.hand.tip_formula.find("sin") != std::string::npos;
                wanted = sine ? sin(at_b) - sin(at_a) : cos(at_b) - cos(at_a);
            }
        }
        auto scratch = std::make_unique<ui::Scratch>();
        EXPECT_EQ(value, "= " + std::string(ui::significant(*scratch, wanted, 6)));
    }
}

TEST(Comparison, WhereThereIsNoDifferenceTheMatrixSaysWhy) {
    const auto says = [](const Scene& a, const Scene& b, std::string_view words) {
        Both both("matrix", a, b);
        EXPECT_TRUE(both.hand.canvas.says(std::string(words))) << words;
        EXPECT_TRUE(both.hand.headline.empty()) << both.hand.headline;
    };
    says(rope(1e4, "residual"), rope(5e5), "rounding");
    says(rope(1e4), scene_of({{"encoding", "alibi"}}), "no cells of this kind");
    says(rope(1e4), scene_of({{"encoding", "rope"}, {"d_model", 64}}), "16 pairs and B 32");
    says(rope(1e4), scene_of({{"encoding", "rope"}, {"d_model", 32}, {"layout", "half"}}), "same layout");
    says(scene_of({{"encoding", "learned"}, {"d_model", 32}}),
         scene_of({{"encoding", "learned"}, {"d_model", 64}}), "32 columns and B 64");
}

TEST(Comparison, TheSameEncodingTwiceDiffersNowhere) {
    for (const char* kind : {"sinusoidal", "rope", "alibi", "learned"}) {
        const Scene s = scene_of({{"encoding", kind}, {"d_model", 32}});
        Both both("matrix", s, s);
        both.hand.move(both.hand.handle("pan") + Point{-40.0F, 30.0F});
        EXPECT_EQ(both.hand.tip_value, "= 0") << kind;
    }
}

TEST(Comparison, AttentionNamesTheWeightThatDiffersMost) {
    const auto words = [](const Json& encoding, const Json& order) {
        return scene_of({{"encoding", encoding},
                         {"d_model", 32},
                         {"num_heads", 2},
                         {"pair", 0},
                         {"causal", false},
                         {"content", {{"kind", "tokens"}, {"text", "dog bites man"}, {"order", order}}}});
    };
    // B has the words in another order: word by word it is the same sentence.
    const Json order_b = {1, 2, 0};
    const Scene a = words("rope", nullptr), b = words("alibi", order_b);
    const Attention of_a = *attention(a), of_b = *attention(b);
    double most = 0.0, value_a = 0.0;
    std::size_t query = 0, key = 0;
    const auto place = [&](std::size_t word) {
        return static_cast<std::size_t>(std::find(order_b.begin(), order_b.end(), word) - order_b.begin());
    };
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            const double less = of_b.weights[place(i) * 3 + place(j)] - of_a.weights[i * 3 + j];
            if (std::abs(less) > std::abs(most))
                most = less, query = i, key = j, value_a = of_a.weights[i * 3 + j];
        }
    const std::string names[] = {"dog", "bites", "man"};
    auto scratch = std::make_unique<ui::Scratch>();
    const std::string wanted =
        fmt::format("the weight from {} to {} differs most, by {}: {} in A", names[query], names[key],
                    ui::significant(*scratch, most, 3), ui::significant(*scratch, value_a, 3));
    Both both("attention", a, b);
    EXPECT_NE(both.hand.headline.find(wanted), std::string::npos) << both.hand.headline << "\n" << wanted;

    Scene others = b;
    others.content = scene_of({{"content", {{"kind", "tokens"}, {"text", "man bites dog"}}}}).content;
    EXPECT_TRUE(Both("attention", a, others).hand.canvas.says("no weights in common"));
}

TEST(Comparison, WhatAFigureCannotShowOfBothIsSaidInBothLanguages) {
    for (const Language language : {Language::english, Language::chinese}) {
        const Strings strings(language, Strings::Missing::throws);
        for (const figures::Figure* figure : figures::figures()) {
            if (!figure->overlays) {
                EXPECT_FALSE(strings.text(fmt::format("figure.{}.no_overlay", figure->id)).empty());
            }
            if (!figure->subtracts) {
                EXPECT_FALSE(strings.text(fmt::format("figure.{}.no_difference", figure->id)).empty());
            }
        }
    }
}

// Pictures that would hide one another: a curtain parts A from B, is dragged, and each side tells its own numbers.
TEST(Comparison, ACurtainPartsTermsInputAndPrecision) {
    const auto typed = [](double base, const char* mode) {
        Scene scene = scene_of({{"d_model", 32},
                                {"num_heads", 1},
                                {"base", base},
                                {"content", {{"kind", "tokens"}, {"text", "dog bites man"}}}});
        figures::set_view_value(scene, "terms", "mode", mode);
        return scene;
    };
    struct Case {
        const char *figure, *handle;
        Scene a, b;
    };
    const std::array cases = {Case{"terms", "curtain", typed(1e4, "input"), typed(100.0, "input")},
                              Case{"precision", "curtain", scene_of({{"d_model", 32}}),
                                   scene_of({{"d_model", 32}, {"base", 500.0}})}};
    for (const Case& one : cases) {
        SCOPED_TRACE(one.handle);
        Both both(one.figure, one.a, one.b, false);
        Hand& hand = both.hand;
        const Point edge = hand.handle(one.handle);
        hand.move(edge + Point{-12.0F, -9.0F});
        const std::string left = hand.tip_value;
        hand.move(edge + Point{12.0F, -9.0F});
        EXPECT_FALSE(left.empty());
        EXPECT_NE(hand.tip_value, left);
        hand.drag(edge + Point{0.0F, -1.0F}, edge + Point{-20.0F, -1.0F});
        EXPECT_NEAR(hand.handle(one.handle).x, edge.x - 20.0F, 2.0F);
    }
    const Scene words = typed(1e4, "added");
    Scene others = words;
    others.content = scene_of({{"content", {{"kind", "tokens"}, {"text", "a b c"}}}}).content;
    EXPECT_TRUE(Both("terms", words, others, false).hand.canvas.says("other words"));
    EXPECT_TRUE(
        Both("terms", typed(1e4, "concatenated"), scene_of({{"encoding", "rope"}, {"d_model", 32}}), false)
            .hand.canvas.says("no cells of this kind"));
}

// Where cells hold their numbers the curtain hangs between two of them, at rest and while it is dragged.
TEST(Comparison, ACurtainCutsNoCell) {
    const auto scene = [](double base, const char* kind) {
        return scene_of({{"d_model", 8},
                         {"num_heads", 1},
                         {"base", base},
                         {"encoding", kind},
                         {"content", {{"kind", "tokens"}, {"text", "dog bites man"}}}});
    };
    struct Case {
        const char *figure, *handle;
        int columns;
    };
    for (const Case& one : {Case{"terms", "curtain_5", 3}, Case{"attention", "curtain", 3},
                            Case{"attention", "curtain_typed", 3}, Case{"shift", "curtain", 8}}) {
        SCOPED_TRACE(one.handle);
        Both both(one.figure, scene(1e4, "sinusoidal"), scene(100.0, "sinusoidal"), false,
                  {0.0F, 0.0F, 900.0F, 640.0F});
        Hand& hand = both.hand;
        const auto cut_numbers = [&] {
            const float edge = hand.handle(one.handle).x, bottom = hand.handle(one.handle).y;
            return std::ranges::count_if(hand.canvas.boxes, [&](const Rect& box) {
                return box.x0 < edge - 1.0F && box.x1 > edge + 1.0F && box.y1 < bottom &&
                       box.y0 > bottom - static_cast<float>(one.columns) * 30.0F;
            });
        };
        const Point edge = hand.handle(one.handle);
        EXPECT_EQ(cut_numbers(), 0);
        if (one.columns == 3) {  // each side tells its own numbers
            hand.move(edge + Point{-12.0F, -9.0F});
            const std::string left = hand.tip_value;
            hand.move(edge + Point{12.0F, -9.0F});
            EXPECT_FALSE(left.empty());
            EXPECT_NE(hand.tip_value, left);
        }
        hand.begin_drag(edge + Point{0.0F, -1.0F}, edge + Point{-48.0F, -1.0F}, 24);
        EXPECT_EQ(cut_numbers(), 0);
        const float cell = edge.x - hand.handle(one.handle).x;
        hand.release();
        EXPECT_GE(cell, 30.0F) << "a whole cell";
        EXPECT_EQ(cut_numbers(), 0);
    }
}

TEST(Comparison, AFigureThatCannotPlaceBSaysWhy) {
    const Scene a = rope(1e4), alibi = scene_of({{"encoding", "alibi"}}),
                wide = scene_of({{"encoding", "rope"}, {"d_model", 128}});
    for (const char* figure : {"rotations", "shift", "waves", "spectrum", "turns", "sum"}) {
        figures::Derived derived;
        Hand hand(figure, a);
        hand.b.emplace(figures::Other{alibi, derived, false});
        hand.move({-5.0F, -5.0F});
        EXPECT_TRUE(hand.canvas.says("B is not drawn here: no pair of ALiBi")) << figure;
    }
    for (const char* figure : {"spectrum", "turns", "sum"})
        EXPECT_TRUE(Both(figure, a, wide).hand.canvas.says("16 pairs and B 64") ||
                    Both(figure, a, wide).hand.canvas.says("number of pairs differs"))
            << figure;
    const Scene typed = scene_of({{"content", {{"kind", "tokens"}, {"text", "a b c"}}}}),
                other =
                    scene_of({{"content", {{"kind", "tokens"}, {"text", "a b c"}, {"order", {1, 0, 2}}}}});
    EXPECT_TRUE(Both("terms", typed, other).hand.canvas.says("different words"));
}

TEST(Comparison, SeveralPositionsAreNamedWhereOneIsFollowed) {
    const Scene grid =
        scene_of({{"d_model", 128},
                  {"encoding", {{"kind", "rope"}, {"mrope_section", {16, 24, 24}}, {"grid", {4, 4, 4}}}}});
    for (const char* figure : {"shift", "waves"})
        EXPECT_TRUE(Hand(figure, grid).canvas.says("t 0–15")) << figure;
    EXPECT_TRUE(Hand("spectrum", grid).canvas.says("t 0–15, h 16–39, w 40–63"));
    const Scene text =
        scene_of({{"d_model", 128}, {"encoding", {{"kind", "rope"}, {"mrope_section", {16, 24, 24}}}}});
    EXPECT_TRUE(Hand("rotations", text).canvas.says("64 pairs · t 0–15, h 16–39, w 40–63"));
    EXPECT_TRUE(Hand("shift", scene_of({{"encoding", "rope_2d"}})).canvas.says("x 0–127, y 128–255"));
}

// head_dim 128, base 10 000: e^(−Δ/200) is fitted on 2048 distances to rounding, and the next 2048 have never heard of
// it. Positions halved, the same weights stay where they were fitted.
TEST(Comparison, AScoreFittedInTrainingBreaksOutBeyond) {
    const auto preset =
        std::find_if(presets().begin(), presets().end(), [](const Preset& p) { return p.fitted; });
    ASSERT_NE(preset, presets().end());
    const Scene a = with_preset(Scene(), *preset)->scene, b = *compared_scene(a);
    const auto score = [](const Scene& scene, std::int64_t distance) {
        const Spectrum spectrum = *spectrum_of(scene);
        return score_at(score_form(scene, spectrum, ScoreKind::dot), spectrum, distance);
    };
    double error = 0.0, beyond = 0.0, interpolated = 0.0;
    for (std::int64_t d = 0; d < 4096; d += 3) {
        if (d < 2048)
            error = std::max(error, std::abs(score(a, d) - std::exp(-static_cast<double>(d) / 200.0)));
        else beyond = std::max(beyond, std::abs(score(a, d)));
        interpolated = std::max(interpolated, std::abs(score(b, d)));
    }
    EXPECT_LT(error, 1e-9);
    EXPECT_NEAR(beyond, 28.9, 1.0);
    EXPECT_LT(interpolated, 1.01);
    Hand hand("scores", a);
    EXPECT_NE(hand.headline.find("At trained distances, up to 2047, the score stays within ±1.00"),
              std::string::npos)
        << hand.headline;
}

}  // namespace
}  // namespace posiscope::test::comparison_test
