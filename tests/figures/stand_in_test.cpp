// A bench keeps its figures, whatever the encoding; and controls that move nothing are those that are hidden.
#include "app/workbench/tiles.hpp"
#include "core/formats/file.hpp"
#include "core/formats/table.hpp"
#include "tests/figures/hand.hpp"
#include "tests/folder.hpp"

namespace posiscope::test::stand_in_test {
namespace {

bool draws(const Hand& hand) {
    return hand.canvas.lines > 0 || !hand.canvas.heatmaps.empty() || !hand.canvas.clocks_drawn.empty() ||
           hand.canvas.texts.size() > 3;
}

// Whatever the encoding, a bench has its own figures in their places; one that draws nothing says why, and leaves the others
// most of the room.
TEST(StandIn, ABenchKeepsItsFigures) {
    std::vector<double> ratios;
    for (const Encoding* encoding : encodings())
        for (const workbench::Bench& bench : workbench::benches()) {
            if (bench.id == "experiment") continue;  // shows runs, of whatever encodings they are
            Scene scene = scene_of({{"encoding", std::string(encoding->kind)}, {"d_model", 64}});
            scene.bench = bench.id;
            const auto applies = [&](std::string_view figure) {
                return figures::applies(*figures::find_figure(figure), scene);
            };
            workbench::Layout layout;
            ratios.clear();
            layout.divide(bench, {0.0F, 0.0F, 1000.0F, 700.0F}, ratios, applies);
            const auto ids = workbench::figures_of(bench);
            ASSERT_EQ(layout.tiles().size(), ids.size());
            bool any = false;
            float drawn = 0.0F;
            for (std::size_t i = 0; i < ids.size(); ++i) {
                const workbench::Tile& tile = layout.tiles()[i];
                EXPECT_EQ(tile.figure, ids[i]) << bench.id << " " << encoding->kind;
                const Hand hand(tile.figure, scene);
                if (bench.id == "measured") {  // there is no dump
                    any = false;
                } else if (applies(tile.figure)) {
                    EXPECT_TRUE(draws(hand)) << bench.id << " " << encoding->kind << " " << tile.figure;
                    any = true;
                    drawn += tile.area.width() * tile.area.height();
                } else {
                    EXPECT_FALSE(hand.canvas.texts.empty())
                        << "why: " << tile.figure << " " << encoding->kind;
                }
            }
            if (any) {
                EXPECT_GT(drawn, 0.45F * 1000.0F * 700.0F) << bench.id << " " << encoding->kind;
            }
        }
}

// q and k of a file that is not there: a figure says so, unless it shows the same for any q and k.
TEST(StandIn, WithoutItsFilesNoFigureShowsOtherQAndK) {
    const auto with = [](const Json& content) {
        return scene_of({{"encoding", "rope"}, {"d_model", 64}, {"length", 32}, {"content", content}});
    };
    const Scene tensors = with({{"kind", "tensors"}, {"query", "q-none.npy"}, {"key", "k-none.npy"}}),
                checkpoint = with({{"kind", "checkpoint"}, {"file", "w-none.npy"}, {"head_dim", 64}}),
                equal = with("equal"), seeded = with("seeded");
    std::vector<std::pair<const figures::Figure*, Scene>> all;
    for (const figures::Figure* figure : figures::figures())
        all.insert(all.end(), {{figure, tensors}, {figure, checkpoint}});
    for (const auto& [figure, missing] : all) {
        std::vector<std::string> modes = {""};
        if (figure->modes != nullptr)
            modes.assign(figure->modes(missing).begin(), figure->modes(missing).end());
        for (const std::string& mode : modes) {
            const auto in_mode = [&mode, id = figure->id](Scene scene) {
                if (!mode.empty()) figures::set_view_value(scene, id, "mode", mode);
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

class Checkpoint : public InFolder {};

// q and k by the weights of a checkpoint: Scores names the layer, the head and what is applied after W.
TEST_F(Checkpoint, IsNamedWhereItsScoresAre) {
    const std::string at = "model.layers.2.self_attn.";
    Json header;
    std::size_t end = 0;
    for (const auto& [name, shape] : {std::pair{"q_proj.weight", Json{8, 3}},
                                      {"k_proj.weight", Json{4, 3}},
                                      {"q_proj.bias", Json{8}},
                                      {"q_norm.weight", Json{4}}}) {
        std::size_t bytes = 2;
        for (const Json& size : shape) bytes *= size.get<std::size_t>();
        header[at + name] = {{"dtype", "F16"}, {"shape", shape}, {"data_offsets", {end, end + bytes}}};
        end += bytes;
    }
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(header.dump().size() % 256);
    bytes[1] = static_cast<char>(header.dump().size() / 256);
    bytes += header.dump();
    for (std::size_t i = 0; i < end; i += 2) bytes += std::string("\0\x3c", 2);  // ones
    const std::string path = (folder_ / "model.safetensors").string();
    ASSERT_TRUE(write_file(path, bytes));
    allow_table(path);
    const Scene scene = scene_of(
        {{"encoding", "rope"},
         {"num_heads", 2},
         {"head_dim", 4},
         {"d_model", 8},
         {"length", 16},
         {"content", {{"kind", "checkpoint"}, {"file", path}, {"layer", 2}, {"head", 1}, {"head_dim", 4}}}});
    const Hand scores("scores", scene);
    EXPECT_TRUE(scores.canvas.says("layer 2, head 1; q: row 0; k: row 0; + bias; qk-norm"));
    EXPECT_TRUE(draws(Hand("attention", scene)));
    EXPECT_TRUE(draws(Hand("terms", scene)));
    EXPECT_TRUE(draws(Hand("sum", scene)));
}

TEST(StandIn, WhatIsHiddenMovesNothing) {
    for (const figures::Figure* figure : figures::figures())
        for (const Encoding* encoding : encodings()) {
            const Scene scene = scene_of({{"encoding", std::string(encoding->kind)}, {"d_model", 64}});
            const figures::Moves moves = figure->moves;
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
}  // namespace posiscope::test::stand_in_test
