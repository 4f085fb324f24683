// The table as a basis (modes of Matrix) and the input (mode of Terms): their numbers are core's, their handles move.
#include "core/attention/attention.hpp"
#include "core/attention/identities.hpp"
#include "core/basis/columns.hpp"
#include "core/basis/independence.hpp"
#include "core/encodings/encodings.hpp"
#include "core/scene/content.hpp"
#include "tests/figures/hand.hpp"

namespace posiscope::test::basis_test {
namespace {

const Rect kTile{0.0F, 0.0F, 640.0F, 480.0F};

Scene in_mode(std::string_view figure, std::string_view mode, Json partial) {
    partial["view"][std::string(figure)]["mode"] = std::string(mode);
    return scene_of(partial);
}

std::string said(double value, int digits) {
    const auto scratch = std::make_unique<ui::Scratch>();
    return std::string(ui::significant(*scratch, value, digits));
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Basis, ProductsOfColumnsAreCores) {
    for (const char* variant : {"paper", "fairseq", "two_pi"}) {
        const Json encoding{{"kind", "sinusoidal"}, {"variant", variant}};
        Hand hand("matrix",
                  in_mode("matrix", "columns",
                          {{"encoding", encoding}, {"d_model", 64}, {"pair", 0}, {"length", 512}}),
                  kTile);
        const Spectrum spectrum = *spectrum_of(hand.scene);
        const auto gram = column_gram(spectrum, encoding_of(hand.scene).layout(hand.scene), 512);
        double worst = 0.0;
        for (std::size_t a = 0; a < 64; ++a)
            for (std::size_t b = 0; b < 64; ++b)
                if (a != b) worst = std::max(worst, std::abs(gram[64 * a + b]));
        EXPECT_TRUE(holds(hand.headline, "by up to " + said(worst, 3))) << hand.headline;
        ASSERT_EQ(hand.canvas.heatmaps.size(), 1U);
        EXPECT_EQ(hand.canvas.heatmaps[0].width % 64, 0);
        hand.move({320.0F, 240.0F});
        EXPECT_FALSE(hand.tip_value.empty());
    }
    // The largest of the three kinds that identities gives.
    const Scene scene = in_mode("matrix", "columns", {{"d_model", 64}, {"pair", 0}, {"length", 4096}});
    const Orthogonality of = orthogonality(*spectrum_of(scene), 4096);
    EXPECT_TRUE(holds(Hand("matrix", scene, kTile).headline,
                      said(std::max({of.sin_sin, of.cos_cos, of.sin_cos}), 3)));
}

TEST(Basis, TheSpectrumOfAColumnLeaksAsCoreSays) {
    const Hand hand("matrix", in_mode("matrix", "dft", {{"d_model", 64}, {"pair", 5}, {"length", 512}}),
                    kTile);
    const Leakage of = leakage(column_power(spectrum_of(hand.scene)->step[5], false, 512));
    EXPECT_TRUE(holds(hand.headline, said(100.0 * of.fraction, 3) + "%")) << hand.headline;
    EXPECT_EQ(of.above, 257);
    EXPECT_TRUE(holds(hand.headline, "into all 257")) << hand.headline;
}

TEST(Basis, APairIsChosenAlongTheStrongestBins) {
    Hand hand("matrix", in_mode("matrix", "dft", {{"d_model", 64}, {"pair", 5}, {"length", 512}}), kTile);
    const Point at = hand.handle("pair");
    hand.drag(at, at + Point{200.0F, 0.0F});
    EXPECT_GT(hand.scene.pair, 10);
    EXPECT_TRUE(holds(hand.headline, "pair " + std::to_string(hand.scene.pair))) << hand.headline;
}

TEST(Basis, TheSpectrumOfNumbersIsThatOfTheClosedForm) {
    // A table of numbers, fairseq's with a padding row past the end, against the closed form without one.
    const Json closed{{"kind", "sinusoidal"}, {"variant", "fairseq"}},
        numbers{{"kind", "sinusoidal"}, {"variant", "fairseq"}, {"padding_idx", 5000}};
    const Json rest{{"d_model", 16}, {"pair", 0}, {"length", 100}};
    const auto headline = [&](const Json& encoding, std::string_view mode) {
        Json partial = rest;
        partial["encoding"] = encoding;
        return Hand("matrix", in_mode("matrix", mode, partial), kTile).headline;
    };
    EXPECT_EQ(headline(closed, "dft"), headline(numbers, "dft"));
    EXPECT_EQ(headline(closed, "gap"), headline(numbers, "gap"));
}

// Frequencies that are learned beside those that are given: B's bins stand where A has as many turns.
TEST(Basis, ALearnedTablesSpectrumIsBesideTheFixedOne) {
    const Json given{{"d_model", 64}, {"pair", 5}, {"length", 512}};
    Json both = given;
    both["compare"]["encoding"] = {{"kind", "learned"}, {"max_position_embeddings", 512}};
    Hand hand("matrix", in_mode("matrix", "dft", both), kTile);
    const Hand alone("matrix", in_mode("matrix", "dft", given), kTile);
    EXPECT_FALSE(alone.canvas.says("B"));
    const auto b = compared_scene(hand.scene);
    ASSERT_TRUE(b);
    figures::Derived derived;
    hand.b.emplace(figures::Other{*b, derived});
    hand.move({1.0F, 1.0F});
    EXPECT_EQ(hand.headline, alone.headline);

    const auto table = *input_table(*b, 0, 512);
    std::vector<double> column;
    for (std::size_t p = 0; p < 512; ++p) column.push_back(table[64 * p + 10]);
    const Leakage of = leakage(column_power(column));
    EXPECT_TRUE(hand.canvas.says("In B the first column has " + said(100.0 * of.fraction, 3) + "% in bin " +
                                 std::to_string(of.bin) + ", over 512 positions"));
    EXPECT_TRUE(hand.canvas.says("B: first column"));
}

TEST(Basis, TheRankEndsAtTheWidth) {
    for (const auto& [length, rank] : {std::pair(5, 4), std::pair(3, 3), std::pair(40, 4)}) {
        const Hand hand(
            "matrix",
            in_mode("matrix", "rank",
                    {{"d_model", 4}, {"pair", 0}, {"length", length}, {"position", 1}, {"offset", 1}}),
            kTile);
        EXPECT_TRUE(holds(hand.headline, "rank " + std::to_string(rank))) << hand.headline;
    }
    // As real numbers independent, in double precision far from it.
    const Hand hand("matrix", in_mode("matrix", "rank", {{"d_model", 64}, {"pair", 0}, {"length", 64}}),
                    kTile);
    const auto table = *table_rank(*spectrum_of(hand.scene), 64);
    EXPECT_TRUE(holds(hand.headline, "rank 64; in double precision " + std::to_string(table.rank)))
        << hand.headline;
    // 2π: one column of sines is 0.
    const Hand two_pi("matrix",
                      in_mode("matrix", "rank",
                              {{"encoding", {{"kind", "sinusoidal"}, {"variant", "two_pi"}}},
                               {"d_model", 64},
                               {"pair", 0},
                               {"length", 128}}),
                      kTile);
    EXPECT_TRUE(holds(two_pi.headline, "rank " + std::to_string(exact_rank(*spectrum_of(two_pi.scene), 128))))
        << two_pi.headline;
}

TEST(Basis, TheLeastGapIsCores) {
    const Hand hand("matrix", in_mode("matrix", "gap", {{"d_model", 64}, {"pair", 0}, {"length", 1000}}),
                    kTile);
    const Gap least = least_gap(*spectrum_of(hand.scene), 1000);
    EXPECT_TRUE(
        holds(hand.headline, said(least.length, 4) + " apart, at distance " + std::to_string(least.distance)))
        << hand.headline;
    const Hand period("matrix",
                      in_mode("matrix", "gap",
                              {{"encoding", {{"kind", "sinusoidal"}, {"variant", "two_pi"}}},
                               {"d_model", 8},
                               {"pair", 0},
                               {"length", 2000}}),
                      kTile);
    EXPECT_TRUE(holds(period.headline, "Positions 1000 apart have the same vector")) << period.headline;
}

TEST(Basis, ALearnedTableHasOneToo) {
    const Json encoding{{"kind", "learned"}, {"max_position_embeddings", 64}};
    for (const char* mode : {"columns", "dft", "rank", "gap"}) {
        const Hand hand("matrix",
                        in_mode("matrix", mode, {{"encoding", encoding}, {"d_model", 16}, {"length", 100}}),
                        kTile);
        EXPECT_FALSE(hand.headline.empty()) << mode;
        EXPECT_GT(hand.canvas.lines + hand.canvas.heatmaps.size(), 4U) << mode;
    }
    const Hand hand("matrix",
                    in_mode("matrix", "rank", {{"encoding", encoding}, {"d_model", 16}, {"length", 100}}),
                    kTile);
    EXPECT_TRUE(holds(hand.headline, "64 rows of 16 numbers have rank 16")) << hand.headline;
}

TEST(Basis, TheLengthIsDragged) {
    for (const char* mode : {"columns", "dft", "rank", "gap"}) {
        Hand hand("matrix", in_mode("matrix", mode, {{"d_model", 16}, {"pair", 0}}), kTile);
        const Point knob = hand.handle("length");
        hand.drag(knob, knob + Point{60.0F, 0.0F});
        EXPECT_GT(hand.scene.length, 300) << mode;
        hand.drag(hand.handle("length"), knob);
        EXPECT_NEAR(static_cast<double>(hand.scene.length), 128.0, 12.0) << mode;
    }
}

// ---- the input -------------------------------------------------------------------------------------------------

double distance_of(const Scene& scene, bool norm) {
    std::vector<double> x(static_cast<std::size_t>(scene.d_model));
    content_values(scene.content, Tensor::input, input_row(scene.content, 0), x);
    std::vector<double> ends[2];
    for (int i = 0; i < 2; ++i) {
        ends[i] = *input_table(scene, scene.position + i * scene.offset, 1);
        double mean = 0.0, squares = 0.0;
        for (std::size_t c = 0; c < x.size(); ++c) ends[i][c] += x[c];
        if (!norm) continue;
        for (const double value : ends[i]) mean += value / static_cast<double>(x.size());
        for (double& value : ends[i]) value -= mean;
        for (const double value : ends[i]) squares += value * value / static_cast<double>(x.size());
        for (double& value : ends[i]) value /= std::sqrt(squares + 1e-5);
    }
    double sum = 0.0;
    for (std::size_t c = 0; c < x.size(); ++c) sum += (ends[1][c] - ends[0][c]) * (ends[1][c] - ends[0][c]);
    return std::sqrt(sum);
}

TEST(Input, AWordAtTwoPositions) {
    const Json words{{"kind", "tokens"}, {"text", {"dog", "bites", "man"}}};
    Hand hand("terms", in_mode("terms", "input", {{"d_model", 64}, {"pair", 0}, {"content", words}}), kTile);
    EXPECT_EQ(hand.canvas.heatmaps.size(), 5U);  // x; of each position PE and the input
    EXPECT_TRUE(holds(hand.headline, "the inputs are " + said(distance_of(hand.scene, false), 3)))
        << hand.headline;
    EXPECT_TRUE(holds(hand.headline, "the position " + said(std::sqrt(32.0), 3))) << hand.headline;
    const auto press = [&](std::string_view handle) {
        hand.move(hand.handle(handle));
        hand.press();
        hand.release();
    };
    press("norm_layer");
    EXPECT_EQ(hand.canvas.heatmaps.size(), 7U);
    EXPECT_TRUE(holds(hand.headline, "the inputs are " + said(distance_of(hand.scene, true), 3)))
        << hand.headline;
    press("norm_rms");
    EXPECT_EQ(hand.scene.view["terms"]["norm"], "rms");
    press("norm_none");
    press("join_concatenated");
    EXPECT_EQ(hand.canvas.heatmaps[2].width % 128, 0);
    EXPECT_TRUE(holds(hand.headline, "have 128 numbers")) << hand.headline;
    press("word_2");
    EXPECT_EQ(hand.scene.view["terms"]["word"], 2);
}

// Rows of a table are read by the ids of the tokens.
TEST(Input, IdsSayWhichRowsOfTheTable) {
    const auto with = [](const Json& ids) {
        Scene scene = in_mode(
            "terms", "input",
            {{"encoding", "sinusoidal"}, {"d_model", 64}, {"pair", 0}, {"position", 10}, {"offset", -8}});
        scene.view["ids"] = ids;
        return Hand("terms", scene, kTile);
    };
    const Hand padded = with({{"kind", "left_padding"}, {"pads", 3}});
    EXPECT_TRUE(holds(padded.headline, "in rows 10 and 2, with ids 7 and 1")) << padded.headline;
    Scene plain = padded.scene;
    plain.view.erase("ids");
    plain.position = 7, plain.offset = -6;
    EXPECT_TRUE(holds(padded.headline, "the inputs are " + said(distance_of(plain, false), 3)));
    EXPECT_TRUE(holds(with({{"kind", "left_padding"}, {"pads", 3}, {"slip", "arange"}}).headline,
                      "with ids 10 and 2"));
    const Hand images = with({{"kind", "images"}});  // of three axes: no row of a table
    EXPECT_TRUE(images.canvas.heatmaps.empty());
    EXPECT_FALSE(images.canvas.texts.empty());
}

TEST(Input, BothPositionsAreDragged) {
    Hand hand("terms", in_mode("terms", "input", {{"d_model", 64}, {"pair", 0}}), kTile);
    const Point at = hand.handle("number_position");
    hand.drag(at, at + Point{40.0F, 0.0F});
    EXPECT_GT(hand.scene.position, 12);
    const Point other = hand.handle("number_offset");
    hand.drag(other, other + Point{40.0F, 0.0F});
    EXPECT_GT(hand.scene.offset, 6);
}

TEST(Input, ARowPastALearnedTableIsSaid) {
    const Json encoding{{"kind", "learned"}, {"max_position_embeddings", 12}};
    const Hand hand(
        "terms",
        in_mode("terms", "input", {{"encoding", encoding}, {"d_model", 16}, {"position", 10}, {"offset", 3}}),
        kTile);
    EXPECT_TRUE(hand.canvas.heatmaps.empty());
    EXPECT_FALSE(hand.canvas.texts.empty());
}

}  // namespace
}  // namespace posiscope::test::basis_test
