// Some rows of one head are the same rows of the whole matrix, whatever lies outside of them.
#include "core/attention/rows.hpp"

#include "core/attention/expansion.hpp"
#include "core/numeric/softmax.hpp"
#include "tests/core/scenes.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace posiscope::rows_test {
namespace {

Scene scene_of(const Json& partial) {
    auto laid = overlay(Scene(), partial);
    EXPECT_TRUE(laid) << to_string(laid.error());
    return laid ? laid->scene : Scene();
}

Scene rows_scene(std::string_view kind, bool causal) {
    return scene_of({{"encoding", std::string(kind)},
                     {"d_model", 32},
                     {"num_heads", 2},
                     {"length", 150},
                     {"pair", 0},
                     {"causal", causal},
                     {"content", "seeded"}});
}

// Rows 70 … 129 and keys 40 … 99, more than a block of queries.
constexpr Sight::Run kQueries{70, 130}, kKeys{40, 100};

void expect_page(const Scene& scene, std::int64_t h) {
    const auto whole = attention(scene);
    const auto page = attention_rows(scene, {h, kQueries, kKeys});
    ASSERT_TRUE(whole && page);
    const std::int64_t n = scene.length;
    for (std::int64_t i = kQueries.first; i < kQueries.end; ++i) {
        const auto row = static_cast<std::size_t>(i - kQueries.first);
        double before = 0.0, behind = 0.0, distance = 0.0, sum = page->before[row] + page->behind[row];
        for (std::int64_t j = 0; j < n; ++j) {
            const auto at = static_cast<std::size_t>((h * n + i) * n + j);
            const double weight = whole->weights[at];
            distance += weight * std::abs(static_cast<double>(i - j));
            if (j < kKeys.first) before += weight;
            else if (j >= kKeys.end) behind += weight;
            else {
                const std::size_t here =
                    row * static_cast<std::size_t>(kKeys.size()) + static_cast<std::size_t>(j - kKeys.first);
                sum += page->weights[here];
                ASSERT_NEAR(page->weights[here], weight, 1e-12) << scene.encoding.kind << i << ' ' << j;
                const double logit = whole->logits[at];
                if (std::isfinite(logit)) {
                    ASSERT_NEAR(page->logits[here], logit, 1e-11) << scene.encoding.kind << i << ' ' << j;
                } else {
                    ASSERT_EQ(page->logits[here], logit) << scene.encoding.kind << i << ' ' << j;
                }
            }
        }
        EXPECT_NEAR(page->before[row], before, 1e-12) << scene.encoding.kind;
        EXPECT_NEAR(page->behind[row], behind, 1e-12) << scene.encoding.kind;
        EXPECT_NEAR(page->distance[row], distance, 1e-9) << scene.encoding.kind;
        EXPECT_NEAR(sum, 1.0, 1e-12) << scene.encoding.kind;
    }
}

TEST(AttentionRows, AreTheWholeMatrixsRows) {
    for (const Encoding* encoding : encodings())
        for (const bool causal : {true, false}) expect_page(rows_scene(encoding->kind, causal), 1);
}

TEST(AttentionRows, OfALayerWithAWindowOrChunksToo) {
    for (const char* key : {"sliding_window", "attention_chunk_size"})
        for (const bool causal : {true, false}) {
            Scene scene = rows_scene("rope", causal);
            scene.encoding.parameters[key] = 37;
            expect_page(scene, 0);
        }
}

TEST(AttentionRows, TermsOfAPageAreThoseOfTheWhole) {
    for (const Encoding* encoding : encodings()) {
        const Scene scene = rows_scene(encoding->kind, true);
        const auto whole = expansion(scene), page = expansion(scene, {1, kQueries, kKeys});
        const auto apart = concatenated(scene), apart_page = concatenated(scene, {1, kQueries, kKeys});
        ASSERT_TRUE(whole && page && apart && apart_page);
        const auto expect_part = [&](const std::vector<double>& all, const std::vector<double>& part) {
            const std::int64_t n = scene.length;
            for (std::int64_t i = kQueries.first; i < kQueries.end; ++i)
                for (std::int64_t j = kKeys.first; j < kKeys.end; ++j)
                    ASSERT_NEAR(
                        part[static_cast<std::size_t>((i - kQueries.first) * kKeys.size() + j - kKeys.first)],
                        all[static_cast<std::size_t>((n + i) * n + j)], 1e-11)
                        << encoding->kind << ' ' << i << ' ' << j;
        };
        expect_part(whole->content_content, page->content_content);
        expect_part(whole->content_position, page->content_position);
        expect_part(whole->position_content, page->position_content);
        expect_part(whole->position_position, page->position_position);
        expect_part(apart->content, apart_page->content);
        expect_part(apart->position, apart_page->position);
    }
}

TEST(AttentionRows, EndWhereTheRowsDoAndAreRefusedBeyondWhatIsComputed) {
    Scene scene = rows_scene("rope", true);
    const auto last = attention_rows(scene, {0, {148, 400}, {0, 400}});
    ASSERT_TRUE(last);
    EXPECT_EQ(last->weights.size(), 2U * 150U);
    scene.length = kLastPosition;
    EXPECT_EQ(attention_rows(scene, {0, {0, 48}, {0, 48}}).error().key, "attention.long");
}

TEST(Softmax, OfNothingIsNothing) {
    std::vector<double> none(3, -std::numeric_limits<double>::infinity());
    softmax(none);
    EXPECT_EQ(none, std::vector<double>(3, 0.0));
}

}  // namespace
}  // namespace posiscope::rows_test
