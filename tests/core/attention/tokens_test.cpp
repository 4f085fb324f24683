// Attention by the ids of a row of tokens, against the same computed here from the ids: rotated by them, looked up by them,
// biased by their differences, and hidden by their mask.
#include "core/attention/tokens.hpp"

#include "core/attention/attention.hpp"
#include "core/attention/expansion.hpp"
#include "core/attention/locality.hpp"
#include "core/attention/means.hpp"
#include "core/quantities/quantities.hpp"
#include "core/scene/content.hpp"

#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

namespace posiscope::tokens_test {
namespace {

constexpr std::int64_t kTokens = 20, kWidth = 8;
constexpr std::uint64_t kMemory = std::uint64_t{1} << 30;
constexpr double kHidden = -std::numeric_limits<double>::infinity();

Scene scene_of(Json partial) {
    Json given{{"d_model", kWidth},
               {"num_heads", 1},
               {"length", kTokens},
               {"pair", 0},
               {"content", {{"kind", "seeded"}, {"weights", "identity"}}}};
    given.merge_patch(partial);
    auto laid = overlay(Scene(), given);
    EXPECT_TRUE(laid) << to_string(laid.error());
    return laid ? laid->scene : Scene();
}

std::vector<double> values(const Scene& scene, std::string_view name, std::string_view array = {}) {
    const auto made = evaluate(*find_quantity(name), scene, kMemory, array);
    EXPECT_TRUE(made) << name << ' ' << to_string(made.error());
    return made ? made->front().values : std::vector<double>();
}

// The content of token i, which W leaves as it is.
std::vector<double> token(const Scene& scene, std::int64_t i) {
    std::vector<double> x(static_cast<std::size_t>(kWidth));
    content_values(scene.content, Tensor::input, i, x);
    return x;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t f = 0; f < a.size(); ++f) sum += a[f] * b[f];
    return sum;
}

// Pairs (2i, 2i + 1) by id · 10000^(−2i/8).
std::vector<double> rotated(std::vector<double> x, const AxisIds& id,
                            const std::vector<std::size_t>& axis = {}) {
    for (std::size_t i = 0; i < x.size() / 2; ++i) {
        const double angle = static_cast<double>(id[axis.empty() ? 0 : axis[i]]) *
                             std::pow(10000.0, -2.0 * static_cast<double>(i) / static_cast<double>(kWidth));
        const double a = x[2 * i], b = x[2 * i + 1];
        x[2 * i] = a * std::cos(angle) - b * std::sin(angle);
        x[2 * i + 1] = a * std::sin(angle) + b * std::cos(angle);
    }
    return x;
}

using Logit = std::function<double(std::int64_t t, std::int64_t i)>;
using Sees = std::function<bool(std::int64_t t, std::int64_t i)>;

void expect_attention(const Scene& scene, const Sees& sees, const Logit& logit, const std::string& what) {
    const auto logits = values(scene, "logits"), weights = values(scene, "attention");
    ASSERT_EQ(logits.size(), static_cast<std::size_t>(kTokens * kTokens)) << what;
    for (std::int64_t t = 0; t < kTokens; ++t) {
        double sum = 0.0;
        for (std::int64_t i = 0; i < kTokens; ++i)
            if (sees(t, i)) sum += std::exp(logit(t, i));
        for (std::int64_t i = 0; i < kTokens; ++i) {
            const auto at = static_cast<std::size_t>(t * kTokens + i);
            if (!sees(t, i)) {
                EXPECT_EQ(logits[at], kHidden) << what << ' ' << t << ' ' << i;
                EXPECT_EQ(weights[at], 0.0) << what << ' ' << t << ' ' << i;
                continue;
            }
            EXPECT_NEAR(logits[at], logit(t, i), 1e-10) << what << ' ' << t << ' ' << i;
            EXPECT_NEAR(weights[at], std::exp(logit(t, i)) / sum, 1e-10) << what << ' ' << t << ' ' << i;
        }
    }
}

const double kScale = 1.0 / std::sqrt(static_cast<double>(kWidth));

// Ids and masks written out: three pads, or documents of 3, 4 and 2 tokens and what follows.
struct Written {
    Json ids;
    std::vector<std::int64_t> id;
    Sees sees;
};

std::vector<Written> written() {
    std::vector<std::int64_t> padded, restarted, numbers;
    std::vector<int> document;
    for (std::int64_t i = 0; i < kTokens; ++i) {
        padded.push_back(i < 3 ? 1 : i - 3);
        restarted.push_back(i < 3 ? i : i < 7 ? i - 3 : i - 7);
        document.push_back(i < 3 ? 0 : i < 7 ? 1 : 2);
        numbers.push_back(i);
    }
    const Sees no_pad = [](std::int64_t t, std::int64_t i) { return i <= t && i >= 3; };
    const Sees own = [document](std::int64_t t, std::int64_t i) {
        return i <= t && document[static_cast<std::size_t>(t)] == document[static_cast<std::size_t>(i)];
    };
    const Sees all = [](std::int64_t t, std::int64_t i) { return i <= t; };
    const Json packed{{"kind", "packed"}, {"lengths", {3, 4, 2}}};
    const auto with = [](Json ids, std::string_view slip) {
        ids["slip"] = slip;
        return ids;
    };
    const Json left{{"kind", "left_padding"}, {"pads", 3}};
    // The last document goes on.
    return {{left, padded, no_pad},
            {with(left, "arange"), numbers, no_pad},
            {packed, restarted, own},
            {with(packed, "run_on"), numbers, own},
            {with(packed, "unmasked"), restarted, all}};
}

TEST(TokenAttention, RopeRotatesByTheIds) {
    for (const Written& one : written()) {
        const Scene scene = scene_of({{"encoding", "rope"}, {"view", {{"ids", one.ids}}}});
        expect_attention(
            scene, one.sees,
            [&](std::int64_t t, std::int64_t i) {
                const auto id = [&](std::int64_t at) {
                    return on_all_axes(one.id[static_cast<std::size_t>(at)]);
                };
                return kScale * dot(rotated(token(scene, t), id(t)), rotated(token(scene, i), id(i)));
            },
            "rope " + one.ids.dump());
    }
}

TEST(TokenAttention, AlibiTakesTheDifferenceOfTheIds) {
    for (const Written& one : written()) {
        const Scene scene = scene_of({{"encoding", "alibi"}, {"view", {{"ids", one.ids}}}});
        expect_attention(
            scene, one.sees,
            [&](std::int64_t t, std::int64_t i) {
                const auto id = [&](std::int64_t at) {
                    return static_cast<double>(one.id[static_cast<std::size_t>(at)]);
                };
                // The slope of the only head is 2^−8.
                return kScale * dot(token(scene, t), token(scene, i)) -
                       std::ldexp(std::abs(id(t) - id(i)), -8);
            },
            "alibi " + one.ids.dump());
    }
}

TEST(TokenAttention, TablesAreReadAtTheIds) {
    for (const std::string_view kind : {"learned", "sinusoidal"})
        for (const Written& one : written()) {
            const Scene scene = scene_of({{"encoding", std::string(kind)}, {"view", {{"ids", one.ids}}}});
            const auto table = input_table(scene, 0, kTokens);
            ASSERT_TRUE(table);
            const auto x = [&](std::int64_t i) {
                auto sum = token(scene, i);
                for (std::size_t f = 0; f < sum.size(); ++f)
                    sum[f] +=
                        (*table)[static_cast<std::size_t>(one.id[static_cast<std::size_t>(i)] * kWidth) + f];
                return sum;
            };
            expect_attention(
                scene, one.sees, [&](std::int64_t t, std::int64_t i) { return kScale * dot(x(t), x(i)); },
                std::string(kind) + " " + one.ids.dump());
        }
}

// Every policy, right and with each of its slips: the distance that Positions names is the one that is rotated.
TEST(TokenAttention, EveryPolicysDistancesAreTheRotations) {
    for (const Policy& policy : policies()) {
        if (policy.kind == "images") continue;
        std::vector<std::string_view> slips{kNoSlip};
        for (const Parameter& parameter : policy.parameters)
            if (parameter.key == "slip") slips.assign(parameter.choices.begin(), parameter.choices.end());
        for (const std::string_view slip : slips) {
            Json ids{{"kind", std::string(policy.kind)}};
            if (slip != kNoSlip) ids["slip"] = slip;
            if (policy.kind == "eviction") ids.update({{"prompt", 10}, {"kept", 6}, {"recent", 2}});
            if (policy.kind == "context_shift") ids.update({{"n_ctx", 12}, {"n_keep", 2}});
            const Scene scene = scene_of({{"encoding", "rope"}, {"view", {{"ids", ids}}}});
            const Row row = Row::in(scene.view);
            expect_attention(
                scene, [&](std::int64_t t, std::int64_t i) { return row.pair(t, i).seen; },
                [&](std::int64_t t, std::int64_t i) {
                    return kScale * dot(rotated(token(scene, t), row.pair(t, i).used), token(scene, i));
                },
                ids.dump());
        }
    }
}

TEST(TokenAttention, ImagesRotateEachPairByItsAxis) {
    const Json ids{{"kind", "images"}, {"before", 3}, {"frames", 1}, {"rows", 2}, {"columns", 3}};
    const Scene scene = scene_of({{"encoding", {{"kind", "rope"}, {"mrope_section", {2, 1, 1}}}},
                                  {"layout", "interleaved"},
                                  {"view", {{"ids", ids}}}});
    // 3 texts, 1 × 2 × 3 patches, then text goes on at 6.
    const auto id = [](std::int64_t i) -> AxisIds {
        if (i < 3) return on_all_axes(i);
        if (i >= 9) return on_all_axes(i - 3);
        return {3, 3 + (i - 3) / 3, 3 + (i - 3) % 3};
    };
    const std::vector<std::size_t> axis = {0, 0, 1, 2};
    expect_attention(
        scene, [](std::int64_t t, std::int64_t i) { return i <= t; },
        [&](std::int64_t t, std::int64_t i) {
            return kScale * dot(rotated(token(scene, t), id(t), axis), rotated(token(scene, i), id(i), axis));
        },
        "images");
    const Scene one_axis = scene_of({{"encoding", "rope"}, {"view", {{"ids", ids}}}});
    EXPECT_EQ(evaluate(*find_quantity("attention"), one_axis, kMemory).error().key, "ids.axes");
}

TEST(TokenAttention, SaysWhereIdsDoNotApply) {
    const auto key = [](Json partial) {
        const auto made = evaluate(*find_quantity("logits"), scene_of(std::move(partial)), kMemory);
        return made ? std::string() : made.error().key;
    };
    EXPECT_EQ(key({{"encoding", "rope"}, {"causal", false}, {"view", {{"ids", "sinks"}}}}), "ids.causal");
    EXPECT_EQ(key({{"encoding", "rope"}, {"causal", false}, {"view", {{"ids", "packed"}}}}), "");
    // Ids that begin at 2 are past a table that ends where the rows do.
    EXPECT_EQ(key({{"encoding", {{"kind", "learned"}, {"max_position_embeddings", kTokens}}},
                   {"view", {{"ids", {{"kind", "offset_table"}, {"pads", 0}}}}}}),
              key({{"encoding", {{"kind", "learned"}, {"max_position_embeddings", kTokens - 1}}}}));
}

TEST(TokenAttention, EveryPictureOfItHasTheSameNumbers) {
    for (const std::string_view kind : {"rope", "learned", "alibi", "t5", "shaw", "transformer_xl"})
        for (const Json& ids : {Json{{"kind", "left_padding"}}, Json{{"kind", "packed"}},
                                Json{{"kind", "sinks"}, {"slip", "rotated"}}}) {
            const Scene scene = scene_of({{"encoding", std::string(kind)}, {"view", {{"ids", ids}}}});
            const auto weights = values(scene, "attention"), logits = values(scene, "logits"),
                       sum = values(scene, "expansion", "sum");
            const auto n = static_cast<int>(kTokens);
            const auto means = attention_means(scene, {0, {0, 0.0, 20.0}, {0, 0.0, 20.0}, n, n}, 1e9);
            ASSERT_TRUE(means);
            for (std::size_t at = 0; at < weights.size(); ++at) {
                EXPECT_NEAR(means->values[at], weights[at], 1e-6) << kind << ids.dump() << at;
                if (std::isfinite(logits[at])) {
                    EXPECT_NEAR(sum[at], logits[at], 1e-10) << kind << ids.dump() << at;
                }
            }
            const auto local = locality(scene, 1e9);
            ASSERT_TRUE(local);
            double all = 0.0;
            for (const double weight : local->weights) all += weight;
            EXPECT_NEAR(all, 1.0, 1e-12) << kind << ids.dump();
        }
}

TEST(TokenAttention, OfManyHeadsFewerQueriesAreTaken) {
    const Scene scene = scene_of({{"encoding", "t5"}, {"d_model", 512}, {"num_heads", 256}, {"length", 128}});
    const auto few = locality(scene, 2e5), all = locality(scene, 1e12);
    ASSERT_TRUE(few && all);
    EXPECT_EQ(all->every, 1);
    EXPECT_GT(few->every, 128 / 16)
        << "64 queries of each head would be a hundred times the work that was asked for";
}

TEST(Slices, AreTheHeadAndTheRows) {
    const Scene scene =
        scene_of({{"encoding", "alibi"}, {"d_model", 16}, {"num_heads", 2}, {"content", "seeded"}});
    for (const char* name : {"attention", "logits", "bias", "expansion"}) {
        const Quantity& quantity = *find_quantity(name);
        const auto whole = evaluate(quantity, scene, kMemory);
        const auto slice = evaluate(quantity, scene, *read_slice("1", "4:9"), kMemory),
                   rows = evaluate(quantity, scene, *read_slice("", ":2"), kMemory);
        ASSERT_TRUE(whole && slice && rows) << name;
        EXPECT_EQ(slice->front().shape.sizes, (std::vector<std::int64_t>{5, kTokens})) << name;
        EXPECT_EQ(rows->front().shape.sizes, (std::vector<std::int64_t>{2, 2, kTokens})) << name;
        for (std::int64_t i = 0; i < 5; ++i)
            for (std::int64_t j = 0; j < kTokens; ++j) {
                const double a = slice->front().values[static_cast<std::size_t>(i * kTokens + j)],
                             b = whole->front()
                                     .values[static_cast<std::size_t>((kTokens + 4 + i) * kTokens + j)];
                EXPECT_TRUE(a == b || std::abs(a - b) <= 1e-12) << name << ' ' << a << ' ' << b;
            }
    }
    EXPECT_EQ(evaluate(*find_quantity("frequencies"), scene, *read_slice("1", ""), kMemory).error().key,
              "slice.none");
    EXPECT_EQ(evaluate(*find_quantity("attention"), scene, *read_slice("2", ""), kMemory).error().key,
              "attention.no_head");
    EXPECT_EQ(evaluate(*find_quantity("attention"), scene, *read_slice("", "20:21"), kMemory).error().key,
              "slice.rows");
    for (const char* rows : {"3", "5:5", "a:b", "-1:4", "7:3", ":0"})
        EXPECT_EQ(read_slice("", rows).error().key, "slice.form") << rows;
    EXPECT_EQ(read_slice("x", "").error().key, "slice.head");
}

}  // namespace
}  // namespace posiscope::tokens_test
