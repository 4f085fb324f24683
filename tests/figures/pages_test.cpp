// Rows of files, a page at a time: Attention and Terms show the rows of p + k and the keys of p, with the numbers of
// `posiscope data`.
#include "app/figures/parts/sentence.hpp"
#include "core/formats/arrays.hpp"
#include "core/formats/file.hpp"
#include "core/formats/table.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"
#include "tests/figures/hand.hpp"
#include "tests/folder.hpp"

#include <cmath>
#include <filesystem>
#include <unistd.h>

namespace posiscope::test::pages_test {
namespace {

constexpr std::int64_t kRows = 100, kHeads = 2, kWidth = 8;  // three pages of 34, 34 and 32

class Pages : public testing::Test {
protected:
    Pages()
        : folder_(std::filesystem::temp_directory_path() /
                  ("posiscope-pages-" + std::to_string(static_cast<long>(::getpid())))) {
        std::filesystem::create_directories(folder_);
        for (const Tensor side : {Tensor::query, Tensor::key}) {
            Array array{{"a", {kRows, kHeads, kWidth}}, {}};
            for (std::int64_t row = 0; row < kRows * kHeads; ++row)
                for (std::int64_t f = 0; f < kWidth; ++f)
                    array.values.push_back(seeded_value(7, side, row, f));
            std::string bytes;
            EXPECT_TRUE(write_npy(std::span(&array, 1), [&](std::string_view piece) { bytes += piece; }));
            EXPECT_TRUE(write_file(path(side), bytes));
            allow_table(path(side));
        }
    }
    ~Pages() override {
        for (const Tensor side : {Tensor::query, Tensor::key}) forget_stored(path(side));
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    std::string path(Tensor side) const {
        return (folder_ / (side == Tensor::query ? "q.npy" : "k.npy")).string();
    }
    Scene scene(std::int64_t position, std::int64_t offset, Json partial = Json::object()) const {
        Json given{
            {"encoding", "rope"},
            {"d_model", kHeads * kWidth},
            {"num_heads", kHeads},
            {"pair", 0},
            {"length", 2048},
            {"position", position},
            {"offset", offset},
            {"content",
             {{"kind", "tensors"}, {"query", path(Tensor::query)}, {"key", path(Tensor::key)}, {"head", 1}}}};
        given.merge_patch(partial);
        return scene_of(given);
    }

private:
    std::filesystem::path folder_;
};

Array quantity(const Scene& scene, std::string_view name, std::string_view array = {}) {
    auto made = evaluate(*find_quantity(name), scene, std::uint64_t{1} << 30, array);
    EXPECT_TRUE(made) << to_string(made.error());
    return made ? std::move(made->front()) : Array{};
}

std::string said(double value, int digits) {
    auto scratch = std::make_unique<ui::Scratch>();
    return "= " + std::string(ui::significant(*scratch, value, digits));
}

TEST_F(Pages, TheMarkedPairIsInViewAndEveryNumberIsThatOfTheCommand) {
    const Scene s = scene(40, 33);  // query 73 of the third page, key 40 of the second
    Hand hand("attention", s, {0.0F, 0.0F, 900.0F, 760.0F});
    EXPECT_TRUE(hand.canvas.says("rows 68 … 99 of 100, keys 34 … 67")) << hand.headline;
    EXPECT_NE(hand.headline.find("rows 68 to 99"), std::string::npos) << hand.headline;
    const Array weights = quantity(s, "attention");
    ASSERT_EQ(weights.values.size(), static_cast<std::size_t>(kHeads * kRows * kRows));
    const auto weight = [&](std::int64_t i, std::int64_t j) {
        return weights.values[static_cast<std::size_t>((kRows + i) * kRows + j)];
    };
    std::size_t cells = 0, bars = 0;
    for (float y = 60.0F; y < 700.0F; y += 17.0F)
        for (float x = 4.0F; x < 900.0F; x += 13.0F) {
            hand.move({x, y});
            if (!hand.hovered.position || hand.tip_value.empty()) continue;
            const std::int64_t i = *hand.hovered.position;
            if (hand.hovered.distance) {
                EXPECT_EQ(hand.tip_value, said(weight(i, i - *hand.hovered.distance), 4)) << i;
                ++cells;
                continue;
            }
            double before = 0.0, behind = 0.0;
            for (std::int64_t j = 0; j < 34; ++j) before += weight(i, j);
            for (std::int64_t j = 68; j < kRows; ++j) behind += weight(i, j);
            const bool first = hand.tip_detail.find("keys 0 … 33") != std::string::npos;
            EXPECT_TRUE(first || hand.tip_detail.find("keys 68 … 99") != std::string::npos)
                << hand.tip_detail;
            EXPECT_EQ(hand.tip_value, said(first ? before : behind, 4)) << i;
            ++bars;
        }
    EXPECT_GT(cells, 300U);
    EXPECT_GT(bars, 40U);
}

TEST_F(Pages, AClickTurnsNoPageAndTheButtonsDo) {
    Hand hand("attention", scene(40, 33), {0.0F, 0.0F, 900.0F, 760.0F});
    const Point cell = hand.handle("cell");
    for (const float by : {-150.0F, 0.0F, 120.0F}) {
        hand.drag(cell, cell + Point{by, -by});
        EXPECT_TRUE(hand.canvas.says("rows 68 … 99 of 100, keys 34 … 67")) << hand.scene.position;
    }
    const std::int64_t query = hand.scene.position + hand.scene.offset, offset = hand.scene.offset;
    EXPECT_GE(query, 68);
    const auto click = [&](std::string_view name) {
        hand.move(hand.handle(name));
        hand.press();
        hand.release();
    };
    click("page_less");
    EXPECT_EQ(hand.scene.position + hand.scene.offset, query - 34);
    EXPECT_EQ(hand.scene.offset, offset);
    EXPECT_TRUE(hand.canvas.says("rows 34 … 67 of 100"));
    click("page_more");
    click("page_more");  // behind the last page comes the first
    EXPECT_TRUE(hand.canvas.says("rows 0 … 33 of 100"));
}

TEST_F(Pages, TermsShowTheSamePage) {
    const Scene s = scene(40, 33);
    Hand hand("terms", s, {0.0F, 0.0F, 900.0F, 760.0F});
    EXPECT_TRUE(hand.canvas.says("rows 68 … 99 of 100, keys 34 … 67"));
    const Array content = quantity(s, "expansion", "content_content");
    std::size_t cells = 0;
    for (float y = 60.0F; y < 700.0F; y += 37.0F)
        for (float x = 4.0F; x < 900.0F; x += 29.0F) {
            hand.move({x, y});
            if (!hand.hovered.position || !hand.hovered.distance || hand.tip_value.empty()) continue;
            const std::int64_t i = *hand.hovered.position, j = i - *hand.hovered.distance;
            EXPECT_GE(i, 68);
            EXPECT_LT(j, 68);
            const double logit = content.values[static_cast<std::size_t>((kRows + i) * kRows + j)];
            EXPECT_TRUE(hand.tip_value == said(logit, 5) || hand.tip_value == "= 0") << hand.tip_value;
            ++cells;
        }
    EXPECT_GT(cells, 100U);
}

// Real q and k by the ids of a padded row: as they are computed here from the files' numbers.
TEST_F(Pages, RowsAreTheTokensOfTheirIds) {
    const Scene s = scene(40, 33, {{"view", {{"ids", {{"kind", "left_padding"}, {"pads", 36}}}}}});
    const auto rotated = [](Tensor side, std::int64_t row) {
        std::vector<double> x;
        for (std::int64_t f = 0; f < kWidth; ++f) x.push_back(seeded_value(7, side, row * kHeads + 1, f));
        for (std::size_t i = 0; i < x.size() / 2; ++i) {
            const double angle =
                static_cast<double>(row < 36 ? 1 : row - 36) *
                std::pow(10000.0, -2.0 * static_cast<double>(i) / static_cast<double>(kWidth));
            const double a = x[2 * i], b = x[2 * i + 1];
            x[2 * i] = a * std::cos(angle) - b * std::sin(angle);
            x[2 * i + 1] = a * std::sin(angle) + b * std::cos(angle);
        }
        return x;
    };
    const auto weights_of = [&](std::int64_t t) {
        const auto q = rotated(Tensor::query, t);
        std::vector<double> weights(static_cast<std::size_t>(kRows), 0.0);
        double sum = 0.0;
        for (std::int64_t i = 36; i <= t; ++i) {
            const auto k = rotated(Tensor::key, i);
            double score = 0.0;
            for (std::size_t f = 0; f < q.size(); ++f) score += q[f] * k[f];
            sum += weights[static_cast<std::size_t>(i)] =
                std::exp(score / std::sqrt(static_cast<double>(kWidth)));
        }
        for (double& weight : weights) weight /= sum;
        return weights;
    };
    const Array all = quantity(s, "attention");
    for (const std::int64_t t : {36, 40, 73, 99}) {
        const auto weights = weights_of(t);
        for (std::int64_t i = 0; i < kRows; ++i)
            EXPECT_NEAR(all.values[static_cast<std::size_t>((kRows + t) * kRows + i)],
                        weights[static_cast<std::size_t>(i)], 1e-12)
                << t << ' ' << i;
    }
    Hand hand("attention", s, {0.0F, 0.0F, 900.0F, 760.0F});
    EXPECT_TRUE(hand.canvas.says("ids: Left padding"));
    std::size_t seen = 0, pads = 0;
    for (float y = 60.0F; y < 700.0F; y += 19.0F)
        for (float x = 4.0F; x < 900.0F; x += 9.0F) {
            hand.move({x, y});
            if (!hand.hovered.position || !hand.hovered.distance || hand.tip_value.empty()) continue;
            const std::int64_t t = *hand.hovered.position, i = t - *hand.hovered.distance;
            if (i < 36) {
                EXPECT_NE(hand.tip_value.find("pad"), std::string::npos) << hand.tip_value;
                ++pads;
            } else {
                EXPECT_EQ(hand.tip_value, said(weights_of(t)[static_cast<std::size_t>(i)], 4))
                    << t << ' ' << i;
                ++seen;
            }
        }
    EXPECT_GT(seen, 300U);
    EXPECT_GT(pads, 10U);
}

TEST_F(Pages, TokensOfASeededRowHaveTheirIdsToo) {
    for (const char* figure : {"attention", "terms"})
        for (const Json& ids : {Json{{"kind", "packed"}, {"lengths", {10, 60}}}, Json{{"kind", "sinks"}}}) {
            const Scene s = scene_of({{"encoding", "alibi"},
                                      {"d_model", 16},
                                      {"num_heads", 2},
                                      {"pair", 0},
                                      {"length", 80},
                                      {"position", 45},
                                      {"offset", 3},
                                      {"content", "seeded"},
                                      {"view", {{"ids", ids}}}});
            Hand hand(figure, s, {0.0F, 0.0F, 900.0F, 760.0F});
            EXPECT_TRUE(hand.canvas.says("rows 40 … 79 of 80, keys 40 … 79")) << figure;
            const bool weights = std::string_view(figure) == "attention";
            const Array all = quantity(s, weights ? "attention" : "expansion", weights ? "attention" : "sum"),
                        logits = quantity(s, "logits");
            std::size_t told = 0;
            for (float y = 60.0F; y < 700.0F; y += 23.0F)
                for (float x = 4.0F; x < 900.0F; x += 23.0F) {
                    hand.move({x, y});
                    if (!hand.hovered.position || !hand.hovered.distance || hand.tip_value.empty()) continue;
                    const std::int64_t t = *hand.hovered.position, i = t - *hand.hovered.distance;
                    const auto at = static_cast<std::size_t>(t * 80 + i);
                    if (!std::isfinite(logits.values[at])) continue;
                    if (weights) {
                        EXPECT_EQ(hand.tip_value, said(all.values[at], 4)) << t << ' ' << i;
                    } else {
                        EXPECT_TRUE(hand.tip_detail.ends_with(said(all.values[at], 4).substr(1)))
                            << hand.tip_detail;
                    }
                    ++told;
                }
            EXPECT_GT(told, 50U) << figure << ids.dump();
        }
    const Scene images =
        scene_of({{"encoding", "rope"}, {"content", "seeded"}, {"view", {{"ids", "images"}}}});
    for (const char* figure : {"attention", "terms"})
        EXPECT_TRUE(Hand(figure, images, {0.0F, 0.0F, 900.0F, 760.0F}).canvas.says("three axes")) << figure;
}

TEST_F(Pages, FewRowsAreOnePage) {
    const Scene s = scene(3, 2, {{"length", 30}});
    Hand hand("attention", s, {0.0F, 0.0F, 900.0F, 760.0F});
    EXPECT_FALSE(hand.canvas.says("of 30"));
    EXPECT_NE(hand.headline.find("rows 0 to 29"), std::string::npos) << hand.headline;
}

TEST_F(Pages, EveryHeadIsDrawnInTheOrderOfTheRankingAndAClickOpensIt) {
    Hand hand("attention", scene(40, 33, {{"view", {{"attention", {{"mode", "all_heads"}}}}}}),
              {0.0F, 0.0F, 900.0F, 520.0F});
    const Array distances = quantity(hand.scene, "locality", "distance");
    ASSERT_EQ(distances.values.size(), static_cast<std::size_t>(kHeads));
    const bool swapped = distances.values[1] < distances.values[0];
    EXPECT_TRUE(hand.canvas.says("2 of 2 heads over all rows"));
    hand.move(hand.handle("head"));
    EXPECT_EQ(hand.tip_value, swapped ? "head 1" : "head 0") << "the most local one is first";
    EXPECT_NE(hand.tip_detail.find(said(distances.values[swapped ? 1 : 0], 3).substr(2)), std::string::npos)
        << hand.tip_detail;
    // The other one, to the right of it.
    const Point first = hand.handle("head");
    Point other = first;
    for (float x = first.x; x < 900.0F && hand.tip_value != (swapped ? "head 0" : "head 1"); x += 5.0F)
        hand.move(other = {x, first.y});
    ASSERT_LT(other.x, 895.0F);
    hand.press();
    hand.release();
    EXPECT_EQ(figures::shown_head(hand.scene), swapped ? 0 : 1);
    EXPECT_EQ(figures::mode(*figures::find_figure("attention"), hand.scene), "weights");
}

}  // namespace
}  // namespace posiscope::test::pages_test
