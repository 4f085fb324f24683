// Attention at an image's resolution against the whole array of attention.hpp: cell by cell, as means, in part, sampled.
#include "core/attention/means.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

namespace posiscope::means_test {
namespace {

constexpr double kNoLimit = 1e18;

Scene scene_with(const Json& partial) {
    const auto laid = overlay(Scene(), partial);
    EXPECT_TRUE(laid) << partial.dump();
    return laid ? laid->scene : Scene();
}

Scene of_kind(std::string_view kind, std::int64_t length, bool causal) {
    return scene_with({{"encoding", std::string(kind)},
                       {"length", length},
                       {"d_model", 16},
                       {"num_heads", 2},
                       {"causal", causal},
                       {"content", {{"kind", "seeded"}, {"seed", 3}}}});
}

// RoPE in a layer with a window of 5 or chunks of 7.
Scene local(std::int64_t length, bool causal, bool chunks) {
    return overlay(
               of_kind("rope", length, causal),
               {{"encoding",
                 {{"kind", "rope"}, {chunks ? "attention_chunk_size" : "sliding_window", chunks ? 7 : 5}}}})
        ->scene;
}

AttentionView whole(std::int64_t length, std::int64_t head, int pixels) {
    const Range all{0, 0.0, static_cast<double>(length)};
    return {head, all, all, pixels, pixels};
}

// The mean over the cells of a pixel, straight from the array.
double brute(const std::vector<double>& shares, std::int64_t n, const AttentionView& view, int x, int y) {
    const auto bounds = [](const Range& range, int pixels, int at) {
        return static_cast<double>(range.origin) + range.first + range.length() * at / pixels;
    };
    const auto part = [](double low, double high, std::int64_t cell) {
        return std::max(0.0, std::min(high, static_cast<double>(cell) + 1.0) -
                                 std::max(low, static_cast<double>(cell)));
    };
    const double y0 = bounds(view.rows, view.height, y), y1 = bounds(view.rows, view.height, y + 1),
                 x0 = bounds(view.columns, view.width, x), x1 = bounds(view.columns, view.width, x + 1);
    double sum = 0.0;
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j)
            sum += part(y0, y1, i) * part(x0, x1, j) *
                   shares[static_cast<std::size_t>((view.head * n + i) * n + j)];
    return sum / ((y1 - y0) * (x1 - x0));
}

TEST(AttentionMeans, APixelForEachCellIsAttentionItself) {
    for (const Encoding* encoding : encodings())
        for (const bool causal : {true, false}) {
            const Scene scene = of_kind(encoding->kind, 24, causal);
            const auto wanted = attention(scene);
            const auto made = attention_means(scene, whole(24, 1, 24), kNoLimit);
            ASSERT_EQ(wanted.has_value(), made.has_value()) << encoding->kind;
            if (!wanted) continue;
            EXPECT_FALSE(made->sampled());
            for (std::size_t i = 0; i < made->values.size(); ++i) {
                const double share = wanted->weights[24 * 24 + i];
                ASSERT_NEAR(static_cast<double>(made->values[i]), share, 1e-7 * share + 1e-9)
                    << encoding->kind << " query " << i / 24 << " key " << i % 24;
            }
        }
}

RC_GTEST_PROP(AttentionMeans, EveryPixelIsTheMeanOfWhatItCovers, ()) {
    const auto n = *rc::gen::inRange<std::int64_t>(1, 40);
    Scene scene = of_kind(*rc::gen::element("rope", "sinusoidal", "alibi"), n, *rc::gen::arbitrary<bool>());
    const auto layer = *rc::gen::inRange(0, 3);
    if (layer > 0) scene = local(n, scene.causal, layer == 2);
    const auto range = [&] {
        const double a = 0.01 * *rc::gen::inRange(0, static_cast<int>(90 * n)),
                     length = std::max(0.2, 0.01 * *rc::gen::inRange(10, static_cast<int>(100 * n)));
        const double first = a - std::floor(a), most = static_cast<double>(n) - std::floor(a);
        return Range{static_cast<std::int64_t>(std::floor(a)), first, std::min(first + length, most)};
    };
    const AttentionView view{1, range(), range(), *rc::gen::inRange(1, 30), *rc::gen::inRange(1, 30)};
    const auto shares = attention(scene);
    const auto made = attention_means(scene, view, kNoLimit);
    RC_ASSERT(shares && made);
    for (int y = 0; y < view.height; ++y)
        for (int x = 0; x < view.width; ++x) {
            const double wanted = brute(shares->weights, n, view, x, y);
            const auto value =
                static_cast<double>(made->values[static_cast<std::size_t>(y * view.width + x)]);
            RC_ASSERT(std::abs(value - wanted) < 1e-6 * wanted + 1e-9);
        }
}

TEST(AttentionMeans, ThinnedRowsStillSumToOneAndSayThatTheyAreThinned) {
    for (const std::int64_t n : {512, 4096}) {
        const Scene scene = of_kind("rope", n, false);
        const auto made = attention_means(scene, whole(n, 0, 16), 2e6);
        ASSERT_TRUE(made) << to_string(made.error());
        EXPECT_GT(made->every, 1) << n << " positions for two milliseconds were not thinned";
        for (std::size_t y = 0; y < 16; ++y) {
            const double sum =
                std::accumulate(made->values.begin() + static_cast<std::ptrdiff_t>(16 * y),
                                made->values.begin() + static_cast<std::ptrdiff_t>(16 * y + 16), 0.0);
            // What the last position taken stands for may be cut short.
            EXPECT_NEAR(sum * static_cast<double>(n) / 16.0, 1.0, 0.02) << "row " << y << " of " << n;
        }
    }
}

// A window narrower than the stride still has its weights.
TEST(AttentionMeans, ThinnedRowsOfAWindowSumToOne) {
    for (const bool chunks : {false, true}) {
        const auto made = attention_means(local(4096, true, chunks), whole(4096, 0, 16), 2e6);
        ASSERT_TRUE(made) << to_string(made.error());
        EXPECT_GT(made->every, 1);
        for (std::size_t y = 0; y < 16; ++y)
            for (std::size_t x = 0; x < 16; ++x) {
                const double mean = 4096.0 / 16.0 * static_cast<double>(made->values[16 * y + x]);
                if (x == y) EXPECT_NEAR(mean, 1.0, 0.1) << "row " << y;
                else EXPECT_LT(mean, 0.1) << "row " << y << ", column " << x;
            }
    }
}

TEST(AttentionMeans, AZoomedViewIsExactThoughTheLengthIsNot) {
    const Scene scene = of_kind("rope", 1 << 20, true);
    const AttentionView view{0, {900000, 0.25, 30.0}, {899990, 0.0, 20.0}, 40, 40};
    const auto made = attention_means(scene, view, 3e7);
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_EQ(made->every, 1) << "thirty positions in view were thinned";
    EXPECT_GT(made->every_beyond, 1) << "a million keys were all taken";
    EXPECT_GT(made->largest, 0.0);
}

TEST(AttentionMeans, TheLongestLengthIsSampledAndFinite) {
    const Scene scene = of_kind("alibi", kLastPosition, true);
    const auto made = attention_means(scene, whole(kLastPosition, 0, 32), 1e7);
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_TRUE(made->sampled());
    for (const float value : made->values) ASSERT_TRUE(std::isfinite(value));
}

// Of what attention refuses whatever the size is, the means refuse the same with the same words.
TEST(AttentionMeans, IsRefusedAsAttentionIs) {
    const Json past_the_table = {{"encoding", {{"kind", "learned"}, {"max_position_embeddings", 64}}},
                                 {"length", 65}};
    const Json no_such_table = {{"encoding", {{"kind", "learned"}, {"table", "/no/such/table.npy"}}},
                                {"length", 65}};
    for (const Json& partial : {past_the_table, no_such_table}) {
        const Scene scene = scene_with(partial);
        const auto made = attention_means(scene, whole(65, 0, 8), kNoLimit);
        const auto wanted = attention(scene);
        ASSERT_FALSE(wanted) << partial << " is attended to";
        ASSERT_FALSE(made) << partial << " has means";
        EXPECT_EQ(made.error(), wanted.error());
    }
    const Scene within =
        scene_with({{"encoding", {{"kind", "learned"}, {"max_position_embeddings", 64}}}, {"length", 64}});
    EXPECT_TRUE(attention(within));
    EXPECT_TRUE(attention_means(within, whole(64, 0, 8), kNoLimit));
}

}  // namespace
}  // namespace posiscope::means_test
