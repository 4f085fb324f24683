// Heatmaps as people look at them: sines and cosines apart, numbers in cells, M_k by blocks, A and B with a curtain, and
// tables beside one another.
#include "core/encodings/learned.hpp"
#include "core/phase/shift.hpp"
#include "tests/figures/hand.hpp"

namespace posiscope::test::matrix_view_test {
namespace {

std::string shown(double value, int digits) {
    auto scratch = std::make_unique<ui::Scratch>();
    return std::string(ui::significant(*scratch, value, digits));
}
std::string fixed(double value, int decimals) {
    auto scratch = std::make_unique<ui::Scratch>();
    return std::string(ui::fixed(*scratch, value, decimals));
}

Scene in_mode(Scene scene, std::string_view mode) {
    figures::set_view_value(scene, "matrix", "mode", std::string(mode));
    return scene;
}

constexpr Rect kArea{0.0F, 0.0F, 640.0F, 480.0F};

TEST(MatrixView, SinesAndCosinesStandApartFrom33DimensionsOn) {
    EXPECT_FALSE(Hand("matrix", scene_of({{"d_model", 32}})).canvas.heatmaps[0].blocks);
    Hand hand("matrix", scene_of({{"d_model", 64}}));
    EXPECT_TRUE(hand.canvas.heatmaps[0].blocks);
    hand.move(hand.handle("apart"));
    hand.press();
    hand.release();
    EXPECT_FALSE(hand.canvas.heatmaps[0].blocks) << "together at a click";
    hand.press();
    hand.release();
    EXPECT_TRUE(hand.canvas.heatmaps[0].blocks);
    EXPECT_EQ(figures::view_value(hand.scene, "matrix", "apart"), nullptr);
}

// W = M_{−k}: cell (i, j) is M_{−k} PE(i) · PE(j), from the vectors themselves, and the largest of its row stands k back.
TEST(MatrixView, AWThatLooksBackIsLargestThere) {
    for (const std::int64_t k : {3, -2, 0}) {
        const Scene scene =
            in_mode(scene_of({{"d_model", 8}, {"length", 9}, {"pair", 0}, {"offset", k}}), "back");
        const Spectrum spectrum = *spectrum_of(scene);
        Hand hand("matrix", scene, {0.0F, 0.0F, 760.0F, 640.0F});
        for (std::int64_t i = 0; i < 9; ++i) {
            std::vector<double> query(8), row;
            for (std::int64_t pair = 0; pair < 4; ++pair) {
                const auto step = spectrum.step[static_cast<std::size_t>(pair)];
                const Block w = shift_block(encoding_of(scene), phase(step, -k));
                const double sine = sin(phase(step, i)), cosine = cos(phase(step, i));
                query[static_cast<std::size_t>(2 * pair)] = w.a * sine + w.b * cosine;
                query[static_cast<std::size_t>(2 * pair + 1)] = w.c * sine + w.d * cosine;
            }
            for (std::int64_t j = 0; j < 9; ++j) {
                double product = 0.0;
                for (std::int64_t c = 0; c < 8; ++c)
                    product += query[static_cast<std::size_t>(c)] *
                               table_value(spectrum, PairLayout::interleaved, j, c);
                row.push_back(product);
                EXPECT_TRUE(hand.canvas.says(fixed(product, 4))) << k << ": " << i << ", " << j;
            }
            const std::int64_t most = std::ranges::max_element(row) - row.begin();
            if (i - k >= 0 && i - k < 9) {
                EXPECT_EQ(most, i - k);
            }
        }
        const std::string_view where = k > 0   ? "largest 3 back: 4"
                                       : k < 0 ? "largest 2 ahead: 4"
                                               : "at itself, 4";
        EXPECT_NE(hand.headline.find(where), std::string::npos) << hand.headline;
    }
}

TEST(MatrixView, LargeCellsHoldTheirNumbers) {
    const Scene scene = scene_of({{"d_model", 8}, {"length", 6}, {"pair", 0}});
    const Spectrum spectrum = *spectrum_of(scene);
    const Hand values("matrix", scene);
    for (std::int64_t row = 0; row < 6; ++row)
        for (std::int64_t column = 0; column < 8; ++column)
            EXPECT_TRUE(
                values.canvas.says(fixed(table_value(spectrum, PairLayout::interleaved, row, column), 4)))
                << row << " " << column;
    const Hand angles("matrix", in_mode(scene, "phase"));
    EXPECT_TRUE(angles.canvas.says(fixed(phase(spectrum.step[1], 5).turns() * 6.283185307179586, 4)));
    const Hand grams("matrix", in_mode(scene, "gram"));
    EXPECT_TRUE(
        grams.canvas.says(fixed(score_at(score_form(scene, spectrum, ScoreKind::dot), spectrum, 2), 4)));
    const Scene learned = scene_of({{"encoding", {{"kind", "learned"}, {"max_position_embeddings", 5}}},
                                    {"d_model", 8},
                                    {"length", 6},
                                    {"pair", 0}});
    std::vector<double> row(8);
    action_of(learned)->add(4, row);
    EXPECT_TRUE(Hand("matrix", learned).canvas.says(shown(row[7], 4)));
    EXPECT_FALSE(
        Hand("matrix", scene_of({{"d_model", 64}, {"length", 6}})).canvas.says(fixed(std::sin(1.0), 3)))
        << "too narrow";
}

// Built once, rebuilt by every longer call, and failing where the positions are on another device.
TEST(MatrixView, ACacheThatIsOutgrownShowsItsThreeStates) {
    const auto drawn = [](int length) {
        return Hand("matrix", in_mode(scene_of({{"encoding", "rope"},
                                                {"d_model", 64},
                                                {"pair", 0},
                                                {"length", length},
                                                {"trained", {{"length", 2048}}}}),
                                      "cache"));
    };
    const Hand longer = drawn(4096), within = drawn(2048);
    EXPECT_TRUE(longer.canvas.says("max_seq_len = 2048"));
    EXPECT_TRUE(longer.canvas.says("all 4096 rows"));
    EXPECT_TRUE(longer.canvas.says("torch.outer raises"));
    EXPECT_FALSE(within.canvas.says("max_seq_len"));
    // Half the rows are built once: that bar ends where the other begins.
    EXPECT_GT(longer.canvas.lines, within.canvas.lines + 20);
}

TEST(MatrixView, TheShiftMatrixOpensOnItsBlock) {
    const Scene scene = in_mode(scene_of({{"pair", 100}, {"offset", 7}}), "shift");
    Hand hand("matrix", scene);
    const canvas::HeatmapView& view = hand.canvas.heatmaps[0];
    EXPECT_EQ(view.rows.length(), 16.0);
    EXPECT_LE(view.rows.origin, 200);
    EXPECT_GE(view.rows.origin + 16, 202);
    const Turn turn = phase(spectrum_of(scene)->step[100], 7);
    EXPECT_FALSE(hand.canvas.says(fixed(cos(turn), 3))) << "cells of 25 points have no room";
    hand.wheel(hand.handle("pan"), 6.0F);
    EXPECT_LT(hand.canvas.heatmaps[0].rows.length(), 8.0);
    hand.wheel(hand.handle("pan"), -60.0F);
    EXPECT_EQ(hand.canvas.heatmaps[0].rows.length(), 512.0) << "all of it can be seen too";
    EXPECT_EQ(Hand("matrix", in_mode(scene_of({{"d_model", 8}, {"pair", 0}}), "shift"))
                  .canvas.heatmaps[0]
                  .rows.length(),
              8.0);
    const Scene small = in_mode(scene_of({{"d_model", 8}, {"pair", 0}, {"offset", 7}}), "shift");
    EXPECT_TRUE(Hand("matrix", small).canvas.says(fixed(cos(phase(spectrum_of(small)->step[1], 7)), 2)));
}

TEST(MatrixView, ASmallShiftMatrixFillsItsTile) {
    const Scene scene = scene_of({{"d_model", 4}, {"pair", 0}});
    const Hand hand("shift", scene, {0.0F, 0.0F, 456.0F, 600.0F});
    EXPECT_TRUE(hand.canvas.says(fixed(std::cos(3.0), 2)));
    float left = 456.0F, right = 0.0F;  // of the entries' numbers
    for (std::size_t i = 0; i < hand.canvas.texts.size(); ++i)
        if (hand.canvas.texts[i] == fixed(std::cos(3.0), 2)) {
            left = std::min(left, hand.canvas.boxes[i].x0);
            right = std::max(right, hand.canvas.boxes[i].x1);
        }
    EXPECT_GT(right - left, 70.0F) << "a cell is more than 60 points wide";
}

struct Curtained {
    Scene of_b;
    figures::Derived derived;
    Hand hand;

    Curtained(const Scene& a, Scene b) : of_b(std::move(b)), hand("matrix", a, kArea) {
        hand.b.emplace(figures::Other{of_b, derived, false});
        hand.move({-5.0F, -5.0F});
    }
};

TEST(MatrixView, ACurtainPartsAFromB) {
    const Scene a = scene_of({{"d_model", 16}, {"length", 32}, {"pair", 0}});
    const Scene b = scene_of({{"d_model", 16}, {"length", 32}, {"pair", 0}, {"base", 100.0}});
    Curtained both(a, b);
    Hand& hand = both.hand;
    ASSERT_EQ(hand.canvas.heatmaps.size(), 2U);
    EXPECT_TRUE(hand.canvas.says("A"));
    const Point edge = hand.handle("curtain");
    const auto value = [&](const Scene& scene) {
        const std::string& formula = hand.tip_formula;
        const auto comma = formula.find(", ");
        return "= " + fixed(table_value(*spectrum_of(scene), PairLayout::interleaved, *hand.hovered.position,
                                        std::stoll(formula.substr(comma + 2))),
                            6);
    };
    // Column 12 or so: where the bases differ.
    hand.move({edge.x + 150.0F, edge.y - 100.0F});
    ASSERT_TRUE(hand.hovered.position);
    EXPECT_EQ(hand.tip_value, value(b));
    EXPECT_NE(hand.tip_value, value(a));
    hand.drag({edge.x, edge.y - 200.0F}, {edge.x + 200.0F, edge.y - 200.0F});
    EXPECT_GT(hand.handle("curtain").x, edge.x + 150.0F);
    hand.move({edge.x + 150.0F, edge.y - 100.0F});
    EXPECT_EQ(hand.tip_value, value(a)) << "now under A's side";
}

TEST(MatrixView, WithoutCommonCellsThereIsNoCurtain) {
    Curtained other(scene_of({{"d_model", 16}, {"pair", 0}}), scene_of({{"d_model", 32}}));
    EXPECT_EQ(other.hand.canvas.heatmaps.size(), 1U);
    EXPECT_TRUE(other.hand.canvas.says("B has other rows or columns"));
    Curtained kind(scene_of({{"d_model", 16}, {"pair", 0}}),
                   scene_of({{"d_model", 16}, {"pair", 0}, {"encoding", "rope"}}));
    EXPECT_EQ(kind.hand.canvas.heatmaps.size(), 1U);
    EXPECT_TRUE(kind.hand.canvas.says("no cells of this kind"));
}

double cosine(const Action& action, std::int64_t d_model, std::int64_t rows) {
    const auto row_of = [&](std::int64_t p) {
        std::vector<double> row(static_cast<std::size_t>(d_model));
        action.add(p, row);
        return row;
    };
    double sum = 0.0;
    const std::int64_t last = rows - 1, count = std::min<std::int64_t>(last, 48);
    for (std::int64_t n = 0; n < count; ++n) {
        const auto a = row_of(n * last / count), b = row_of(n * last / count + 1);
        double dot = 0.0, aa = 0.0, bb = 0.0;
        for (std::size_t i = 0; i < a.size(); ++i) dot += a[i] * b[i], aa += a[i] * a[i], bb += b[i] * b[i];
        sum += dot / std::sqrt(aa * bb) / static_cast<double>(count);
    }
    return sum;
}

TEST(MatrixView, TablesBesideOneAnother) {
    const Scene scene =
        in_mode(scene_of({{"encoding", {{"kind", "learned"}, {"max_position_embeddings", 96}}},
                          {"d_model", 64},
                          {"pair", 0}}),
                "beside");
    const Scene sinusoidal = scene_of({{"d_model", 64}, {"pair", 0}});
    Hand hand("matrix", scene);
    EXPECT_EQ(hand.headline, fmt::format("Neighbouring rows have cosine {} in the sinusoidal table and {} in "
                                         "the learned one, which ends at 95.",
                                         fixed(cosine(*action_of(sinusoidal), 64, 129), 2),
                                         fixed(cosine(*action_of(scene), 64, 96), 2)));
    EXPECT_EQ(hand.canvas.heatmaps.size(), 4U) << "two tables and their dot products";
    EXPECT_TRUE(hand.canvas.says("learned, seeded"));
    std::size_t numbers = 0, dots = 0;
    for (float y = 30.0F; y < 470.0F; y += 17.0F)
        for (float x = 60.0F; x < 630.0F; x += 23.0F) {
            hand.move({x, y});
            if (hand.tip_value.empty() || !hand.hovered.position) continue;
            const std::int64_t p = *hand.hovered.position;
            const auto row_of = [&](const Scene& of, std::int64_t at) {
                std::vector<double> row(64);
                action_of(of)->add(at, row);
                return row;
            };
            if (!hand.hovered.distance) {
                const auto column = std::stoll(hand.tip_formula.substr(hand.tip_formula.find(", ") + 2));
                EXPECT_EQ(hand.tip_value,
                          "= " + shown(row_of(scene, p)[static_cast<std::size_t>(column)], 6));
                ++numbers;
                continue;
            }
            const Scene& of = x < 330.0F ? sinusoidal : scene;
            const auto a = row_of(of, p), b = row_of(of, p - *hand.hovered.distance);
            double dot = 0.0;
            for (std::size_t i = 0; i < 64; ++i) dot += a[i] * b[i];
            EXPECT_EQ(hand.tip_value, "= " + shown(static_cast<double>(static_cast<float>(dot)), 5));
            ++dots;
        }
    EXPECT_GT(numbers, 40U);
    EXPECT_GT(dots, 40U);
    EXPECT_EQ(Hand("matrix", in_mode(sinusoidal, "beside")).canvas.heatmaps.size(), 4U);
}

}  // namespace
}  // namespace posiscope::test::matrix_view_test
