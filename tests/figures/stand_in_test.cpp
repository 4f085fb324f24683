// No tile of a bench is only a sentence, whatever the encoding; and controls that move nothing are those that are hidden.
#include "app/workbench/stand_in.hpp"
#include "tests/figures/hand.hpp"

namespace posiscope::test {
namespace {

bool draws(const Hand& hand) {
    return hand.canvas.lines > 0 || !hand.canvas.heatmaps.empty() || !hand.canvas.clocks_drawn.empty() ||
           hand.canvas.texts.size() > 3;
}

TEST(StandIn, EveryTileOfEveryBenchHasAPicture) {
    std::vector<double> ratios;
    for (const Encoding* encoding : encodings())
        for (const workbench::Bench& bench : workbench::benches()) {
            if (bench.id == "experiment") continue;  // shows runs, of whatever encodings they are
            Scene scene = scene_of({{"encoding", std::string(encoding->kind)}, {"d_model", 64}});
            scene.bench = bench.id;
            workbench::Layout layout;
            ratios.clear();
            layout.divide(bench, {0.0F, 0.0F, 1000.0F, 700.0F}, ratios);
            workbench::stand_in(layout, scene);
            for (const workbench::Tile& tile : layout.tiles()) {
                EXPECT_TRUE(draws(Hand(tile.figure, scene)))
                    << bench.id << " " << encoding->kind << " " << tile.figure;
                EXPECT_EQ(std::ranges::count(layout.tiles(), tile.figure, &workbench::Tile::figure), 1)
                    << tile.figure << " stands twice";
            }
        }
}

// q and k of a file that is not there: a figure says so, unless it shows the same for any q and k.
TEST(StandIn, WithoutItsFilesNoFigureShowsOtherQAndK) {
    const auto with = [](const Json& content) {
        return scene_of({{"encoding", "rope"}, {"d_model", 64}, {"length", 32}, {"content", content}});
    };
    const Scene missing = with({{"kind", "tensors"}, {"query", "q-none.npy"}, {"key", "k-none.npy"}}),
                equal = with("equal"), seeded = with("seeded");
    for (const figures::Figure* figure : figures::figures()) {
        std::vector<std::string> modes = {""};
        if (figure->modes != nullptr)
            modes.assign(figure->modes(missing).begin(), figure->modes(missing).end());
        for (const std::string& mode : modes) {
            const auto in_mode = [&](Scene scene) {
                if (!mode.empty()) figures::set_view_value(scene, figure->id, "mode", mode);
                return scene;
            };
            const Hand of_missing(figure->id, in_mode(missing)), of_equal(figure->id, in_mode(equal)),
                of_seeded(figure->id, in_mode(seeded));
            const bool same = of_equal.headline == of_seeded.headline &&
                              of_equal.canvas.texts.size() == of_seeded.canvas.texts.size() &&
                              std::ranges::equal(of_equal.canvas.texts, of_seeded.canvas.texts);
            EXPECT_TRUE(same || of_missing.canvas.says("none.npy")) << figure->id << " " << mode;
        }
    }
}

TEST(StandIn, WhatIsHiddenMovesNothing) {
    for (const figures::Figure* figure : figures::figures())
        for (const Encoding* encoding : encodings()) {
            const Scene scene = scene_of({{"encoding", std::string(encoding->kind)}, {"d_model", 64}});
            const workbench::Moves moves =
                workbench::moves_in(workbench::bench_of(scene.bench), figure->id, scene);
            const auto texts = [&](const Scene& of) { return Hand(figure->id, of).canvas.texts; };
            Scene moved = scene;
            moved.position = 20;
            if (!moves.position) {
                EXPECT_EQ(texts(scene), texts(moved)) << figure->id << " " << encoding->kind;
            }
            moved = scene;
            moved.offset = 5;
            if (!moves.offset) {
                EXPECT_EQ(texts(scene), texts(moved)) << figure->id << " " << encoding->kind;
            }
        }
}

// One head for Attention, Scores and Matrix, wherever it is chosen.
TEST(Heads, ScoresAndMatrixShowTheHeadThatAttentionShows) {
    Scene scene = scene_of({{"encoding", "alibi"}, {"num_heads", 8}});
    const std::string first = Hand("scores", scene).headline;
    figures::set_view_value(scene, "attention", "head", 2);
    const std::string third = Hand("scores", scene).headline;
    EXPECT_NE(first.find("Head 0"), std::string::npos) << first;
    EXPECT_NE(third.find("Head 2"), std::string::npos) << third;
    EXPECT_NE(first.substr(6), third.substr(6)) << "its own logit";
    EXPECT_NE(Hand("matrix", scene).headline.find("Head 2"), std::string::npos);
}

}  // namespace
}  // namespace posiscope::test
