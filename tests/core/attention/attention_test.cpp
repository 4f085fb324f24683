// Attention for every encoding, including those added later.
#include "core/attention/attention.hpp"
#include "core/attention/expansion.hpp"
#include "core/attention/joined.hpp"
#include "core/attention/rows.hpp"
#include "core/scene/content.hpp"
#include "tests/core/scenes.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace posiscope::attention_test {
namespace {

Scene small(std::string_view kind, bool causal, std::string_view content = "seeded") {
    return scene(fmt::format(
        R"({{"encoding": "{}", "d_model": 24, "num_heads": 3, "length": 7, "pair": 1, "causal": {}, "content": "{}"}})",
        kind, causal, content));
}

TEST(Attention, EveryEncodingAndNone) {
    for (const std::string_view kind : encoding_kinds())
        for (const bool causal : {false, true}) {
            const auto made = attention(small(kind, causal));
            ASSERT_TRUE(made) << kind;
            ASSERT_EQ(made->output.size(), 3U * 7U * 8U);
            for (std::size_t row = 0; row < 21; ++row) {
                double sum = 0.0;
                for (std::size_t j = 0; j < 7; ++j) {
                    const double share = made->weights[row * 7 + j];
                    const bool seen = !causal || j <= row % 7;
                    EXPECT_EQ(std::isfinite(made->logits[row * 7 + j]), seen) << kind;
                    EXPECT_TRUE(seen ? share > 0.0 : share == 0.0) << kind;
                    sum += share;
                }
                EXPECT_NEAR(sum, 1.0, 1e-15) << kind;
            }
        }
}

// Hugging Face's masks: j ≤ i, |i − j| < sliding_window, ⌊i / chunk⌋ = ⌊j / chunk⌋, each where the layer has it.
TEST(Attention, TheLayersWindowAndChunksAreItsMask) {
    const auto layers = [](std::int64_t layer) {
        return Json{{"kind", "rope"},
                    {"rope_scaling",
                     {{"full_attention", {{"rope_theta", 1e6}}},
                      {"sliding_attention", {{"rope_theta", 1e4}, {"sliding_window", 3}}}}},
                    {"layer_types", {"full_attention", "sliding_attention"}},
                    {"layer", layer}};
    };
    struct Layer {
        Json encoding;
        std::int64_t window, chunk;
    };
    const Layer all[] = {{{{"kind", "rope"}, {"sliding_window", 3}}, 3, 99},
                         {{{"kind", "rope"}, {"sliding_window", 1}}, 1, 99},
                         {{{"kind", "rope"}, {"attention_chunk_size", 4}}, 99, 4},
                         {{{"kind", "rope"}, {"sliding_window", 3}, {"attention_chunk_size", 4}}, 3, 4},
                         {layers(0), 99, 99},
                         {layers(1), 3, 99},
                         {{{"kind", "none"}}, 99, 99}};
    constexpr std::int64_t n = 9;
    for (const auto& [encoding, window, chunk] : all)
        for (const bool causal : {true, false}) {
            Scene s = small("rope", causal);
            s = overlay(s, {{"encoding", encoding}, {"length", n}})->scene;
            const auto made = attention(s);
            ASSERT_TRUE(made) << encoding;
            for (std::int64_t h = 0; h < 3; ++h)
                for (std::int64_t i = 0; i < n; ++i) {
                    const auto at = [&](std::int64_t j) {
                        return static_cast<std::size_t>((h * n + i) * n + j);
                    };
                    double sum = 0.0, weighed = 0.0;
                    for (std::int64_t j = 0; j < n; ++j) {
                        const bool seen =
                            (!causal || j <= i) && std::abs(i - j) < window && i / chunk == j / chunk;
                        ASSERT_EQ(std::isfinite(made->logits[at(j)]), seen)
                            << encoding << " query " << i << " key " << j;
                        ASSERT_EQ(made->weights[at(j)] > 0.0, seen)
                            << encoding << " query " << i << " key " << j;
                        ASSERT_EQ(made->shape.sight.unseen(i, j) == Sight::Cause::none, seen);
                        if (seen) sum += std::exp(made->logits[at(j)]);
                    }
                    for (std::int64_t j = 0; j < n; ++j)
                        if (made->weights[at(j)] > 0.0) {
                            EXPECT_NEAR(made->weights[at(j)], std::exp(made->logits[at(j)]) / sum, 1e-14);
                            weighed += made->weights[at(j)];
                        }
                    EXPECT_NEAR(weighed, 1.0, 1e-14);
                }
        }
}

// The heads side by side, handed on unchanged by the identity; W_o keeps their size, and a row of it is a sum.
TEST(Attention, HeadsAreJoinedAndHandedOn) {
    Scene given = small("rope", true);
    given.content.parameters["weights"] = "identity";
    const auto made = *attention(given);
    const Joined joined = *joined_heads(given);
    ASSERT_EQ(joined.concat.size(), 7U * 24U);
    for (std::size_t i = 0; i < 7; ++i)
        for (std::size_t c = 0; c < 24; ++c)
            EXPECT_EQ(joined.concat[i * 24 + c], made.output[(c / 8 * 7 + i) * 8 + c % 8]);
    EXPECT_EQ(joined.output, joined.concat);

    given.content.parameters["weights"] = "seeded";
    const Joined seeded = *joined_heads(given);
    std::vector<double> weight(24);
    content_values(given.content, Tensor::output_weight, 5, weight);
    double sum = 0.0;
    for (std::size_t c = 0; c < 24; ++c) sum += weight[c] / std::sqrt(24.0) * seeded.concat[3 * 24 + c];
    EXPECT_NEAR(seeded.output[3 * 24 + 5], sum, 1e-14);
    double squares = 0.0, mean = 0.0;
    for (std::size_t f = 0; f < 24; ++f) mean += seeded.output[3 * 24 + f] / 24.0;
    for (std::size_t f = 0; f < 24; ++f) squares += std::pow(seeded.output[3 * 24 + f] - mean, 2) / 24.0;
    EXPECT_NEAR(seeded.spread[3], std::sqrt(squares), 1e-14);
    EXPECT_NEAR(seeded.all, 1.0, 0.6);
}

TEST(Attention, TheSameLogitsUnderAMask) {
    for (const std::string_view kind : encoding_kinds()) {
        const auto all = *attention(small(kind, false)), causal = *attention(small(kind, true));
        for (std::size_t i = 0; i < all.logits.size(); ++i)
            if (std::isfinite(causal.logits[i])) {
                EXPECT_EQ(all.logits[i], causal.logits[i]) << kind;
            }
    }
}

TEST(Attention, FourTermsSumToTheLogit) {
    for (const std::string_view kind : encoding_kinds()) {
        const auto made = *expansion(small(kind, false));
        const auto logits = attention(small(kind, false))->logits;
        EXPECT_LT(made.residual, 1e-14) << kind;
        for (std::size_t i = 0; i < logits.size(); ++i)
            EXPECT_NEAR(made.content_content[i] + made.content_position[i] + made.position_content[i] +
                            made.position_position[i],
                        logits[i], 1e-13)
                << kind;
    }
}

TEST(Attention, TermsAreWhereTheyBelong) {
    const auto zero = [](const std::vector<double>& term) {
        return std::all_of(term.begin(), term.end(), [](double x) { return x == 0.0; });
    };
    const auto none = *expansion(small("none", false)), rope = *expansion(small("rope", false)),
               alibi = *expansion(small("alibi", false));
    EXPECT_TRUE(zero(none.content_position) && zero(none.position_content) && zero(none.position_position));
    EXPECT_TRUE(zero(rope.content_position) && zero(rope.position_content) && zero(rope.position_position));
    EXPECT_TRUE(zero(alibi.content_position) && zero(alibi.position_content));
    EXPECT_EQ(alibi.position_position[7], -std::exp2(-4.0));  // head 0, query 1, key 0
    const auto shaw = *expansion(small("shaw", false));
    EXPECT_TRUE(zero(shaw.position_content) && zero(shaw.position_position) && !zero(shaw.content_position));
    const auto xl = *expansion(small("transformer_xl", false));
    EXPECT_FALSE(zero(xl.content_position) || zero(xl.position_content) || zero(xl.position_position));
}

// Equal content, identity projections: the four terms of a sinusoidal encoding from its vectors.
TEST(Attention, SinusoidalTermsByHand) {
    const Scene s = small("sinusoidal", false, "equal");
    const auto made = *expansion(s);
    const auto table = *input_table(s, 0, 7);
    for (std::size_t h = 0; h < 3; ++h)
        for (std::size_t i = 0; i < 7; ++i)
            for (std::size_t j = 0; j < 7; ++j) {
                double cp = 0.0, pp = 0.0;
                for (std::size_t f = h * 8; f < h * 8 + 8; ++f) {
                    cp += table[j * 24 + f];
                    pp += table[i * 24 + f] * table[j * 24 + f];
                }
                const std::size_t at = (h * 7 + i) * 7 + j;
                EXPECT_NEAR(made.content_content[at], 8.0 / std::sqrt(8.0), 1e-14);
                EXPECT_NEAR(made.content_position[at], cp / std::sqrt(8.0), 1e-14);
                EXPECT_NEAR(made.position_position[at], pp / std::sqrt(8.0), 1e-14);
            }
}

TEST(Attention, ConcatenatingHasNoCrossTerms) {
    const Scene s = small("sinusoidal", false, "equal");
    const auto made = *concatenated(s);
    const auto terms = *expansion(s);
    EXPECT_EQ(made.width, 48);
    for (std::size_t i = 0; i < made.content.size(); ++i) {
        EXPECT_NEAR(made.content[i], terms.content_content[i] / std::sqrt(2.0), 1e-14);
        EXPECT_NEAR(made.position[i], terms.position_position[i] / std::sqrt(2.0), 1e-14);
    }
}

// q and k that are given are those of every position and head, as in scores by distance; values stay 1.
TEST(Attention, GivenVectorsAreItsQueriesAndKeys) {
    Scene s = scene(
        R"({"encoding": "rope", "d_model": 4, "length": 3, "pair": 0, "causal": false,
            "content": {"kind": "vectors", "query": [0.3, -1.2, 0.7, 2], "key": [1.1, 0.2, -0.8, 0.5]}})");
    // By hand: 0.33 − 0.24 − 0.56 + 1 = 0.53, over √4.
    EXPECT_NEAR(attention(s)->logits[8], 0.265, 1e-15);
    for (const std::string_view kind : encoding_kinds())
        for (const char* given : {"[1, -2, 0.5, 3, 0.25]", "[2, -1, 0.5, 1, -3, 0.75, 1.5, -0.5]"}) {
            SCOPED_TRACE(fmt::format("{} {}", kind, given));
            const Scene typed = scene(fmt::format(
                R"({{"encoding": "{}", "d_model": 24, "num_heads": 3, "length": 7, "pair": 1, "causal": false,
                     "content": {{"kind": "vectors", "query": {}, "key": [0.5, 1, -1]}}}})",
                kind, given));
            const auto made = attention(typed);
            ASSERT_TRUE(made) << to_string(made.error());
            const auto terms = expansion(typed);
            ASSERT_TRUE(terms) << to_string(terms.error());
            for (std::int64_t h = 0; h < 3; ++h) {
                const auto rows = attention_rows(typed, {h, {0, 7}, {0, 7}});
                ASSERT_TRUE(rows);
                for (std::int64_t i = 0; i < 7; ++i)
                    for (std::int64_t j = 0; j < 7; ++j) {
                        const auto at = static_cast<std::size_t>((h * 7 + i) * 7 + j);
                        const double want = DistanceLogit::of(typed, h, i)->at(i - j);
                        EXPECT_NEAR(made->logits[at], want, 1e-12 * std::max(1.0, std::abs(want)));
                        EXPECT_NEAR(rows->logits[static_cast<std::size_t>(i * 7 + j)], want,
                                    1e-12 * std::max(1.0, std::abs(want)));
                        EXPECT_NEAR(terms->content_content[at] + terms->content_position[at] +
                                        terms->position_content[at] + terms->position_position[at],
                                    want, 1e-11 * std::max(1.0, std::abs(want)));
                    }
            }
        }
    s.encoding = scene(R"({"encoding": "none"})").encoding;
    EXPECT_EQ(attention(s)->output, std::vector<double>(12, 1.0));
}

TEST(Attention, ATableIsRefusedWhereNothingIsAddedToTheInput) {
    EXPECT_EQ(input_table(small("rope", true), 0, 1).error().key, "encoding.no_table");
}

TEST(Attention, LogitsByDistanceAreTheMatrixsDiagonals) {
    for (const std::string_view kind : encoding_kinds()) {
        const Scene s = small(kind, false, "equal");
        const auto logits = logits_by_distance(s, 1, -6, 1, 13);
        if (!logits) {
            EXPECT_TRUE(kind == "sinusoidal" || kind == "learned" || kind == "fire") << kind;
            continue;
        }
        const auto whole = *attention(s);
        for (std::int64_t i = 0; i < 7; ++i)
            for (std::int64_t j = 0; j < 7; ++j)
                EXPECT_NEAR(whole.logits[static_cast<std::size_t>((7 + i) * 7 + j)],
                            (*logits)[static_cast<std::size_t>(i - j + 6)], 1e-13)
                    << kind;
    }
}

TEST(Attention, RefusesWhatDoesNotFitBeforeMakingIt) {
    for (const char* kind : {"rope", "alibi", "sinusoidal"}) {
        const Scene s = scene(fmt::format(R"({{"encoding": "{}", "length": 2147483647}})", kind));
        EXPECT_EQ(attention(s).error().key, "output.too_large") << kind;
        EXPECT_EQ(expansion(s).error().key, "output.too_large") << kind;
        EXPECT_EQ(concatenated(s).error().key, "output.too_large") << kind;
    }
    EXPECT_EQ(to_string(attention(scene(R"({"num_heads": 3, "length": 2})")).error()),
              "attention.heads (heads=3, d_model=512)");
}

}  // namespace
}  // namespace posiscope::attention_test
