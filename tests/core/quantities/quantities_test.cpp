// The data that `posiscope data` writes: names, shapes, pinned values, and refusals.
#include "core/quantities/quantities.hpp"

#include "core/cost.hpp"
#include "core/encodings/encodings.hpp"
#include "core/scores/score.hpp"
#include "tests/core/scenes.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

namespace posiscope::quantities_test {
namespace {

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30;

std::map<std::string_view, Array> data(std::string_view quantity, std::string_view partial) {
    auto arrays = evaluate(*find_quantity(quantity), scene(partial), kPlenty);
    if (!arrays) throw std::logic_error(to_string(arrays.error()));
    std::map<std::string_view, Array> named;
    for (Array& array : *arrays) named.emplace(array.shape.name, std::move(array));
    return named;
}

std::string refusal(std::string_view quantity, std::string_view partial, std::uint64_t memory = kPlenty,
                    std::string_view array = {}) {
    const auto arrays = evaluate(*find_quantity(quantity), scene(partial), memory, array);
    return arrays ? "accepted" : to_string(arrays.error());
}

using Sizes = std::vector<std::int64_t>;

// cos and sin, and the angle, are those by which attention rotates the pairs, on grids too.
TEST(Quantities, TheCacheIsWhatAttentionRotatesBy) {
    for (
        const char* encoding :
        {R"({"kind": "rope"})", R"({"kind": "rope", "mrope_section": [6, 5, 5], "grid": [2, 3, 4]})",
         R"({"kind": "rope", "mrope_section": [6, 5, 5], "mrope_interleaved": true, "grid": [2, 3, 4]})",
         R"({"kind": "rope", "grid": [2, 3, 4], "rope_scaling": {"rope_type": "default", "xdrope_section": [4, 4, 4, 4]}})",
         R"({"kind": "rope_2d", "grid_width": 5})",
         R"({"kind": "rope_2d", "grid_width": 5, "axis_order": "yx"})", R"({"kind": "rope_2d"})"}) {
        SCOPED_TRACE(encoding);
        const std::string partial =
            fmt::format(R"({{"d_model": 32, "length": 24, "pair": 0, "encoding": {}}})", encoding);
        const Scene s = scene(partial);
        auto cache = data("cache", partial);
        const auto angle = data("phase", partial)["angle"].values;
        const Action action = *action_of(s);
        for (std::int64_t p = 0; p < 24; ++p) {
            std::vector<double> x(32, 0.0);
            for (std::int64_t i = 0; i < 16; ++i)
                x[static_cast<std::size_t>(dimension(s.layout, 16, {i, 0}))] = 1.0;
            action.turn(Side::key, p, x);
            for (std::int64_t i = 0; i < 16; ++i) {
                const auto at = static_cast<std::size_t>(16 * p + i);
                const double cosine = x[static_cast<std::size_t>(dimension(s.layout, 16, {i, 0}))],
                             sine = x[static_cast<std::size_t>(dimension(s.layout, 16, {i, 1}))];
                ASSERT_NEAR(cache["cos"].values[at], cosine, 1e-15) << "token " << p << ", pair " << i;
                ASSERT_NEAR(cache["sin"].values[at], sine, 1e-15) << "token " << p << ", pair " << i;
                ASSERT_NEAR(std::cos(angle[at]), cosine, 1e-14) << "token " << p << ", pair " << i;
            }
        }
    }
}

TEST(Quantities, HaveTheirShapes) {
    const char* s = R"({"d_model": 64, "length": 5, "pair": 0})";
    const char* r =
        R"({"d_model": 64, "num_heads": 2, "length": 5, "pair": 0, "encoding": {"kind": "rope", "partial_rotary_factor": 0.5}})";
    EXPECT_EQ(data("frequencies", r)["inv_freq"].shape.sizes, Sizes{8});
    EXPECT_EQ(data("frequencies", r)["wavelength"].shape.sizes, Sizes{8});
    EXPECT_EQ(data("frequencies", r)["attention_factor"].shape.sizes, Sizes{});
    EXPECT_EQ(data("phase", r)["angle"].shape.sizes, (Sizes{5, 8}));
    EXPECT_EQ(data("cache", s)["cos"].shape.sizes, (Sizes{5, 32}));
    EXPECT_EQ(data("cache", s)["sin"].shape.sizes, (Sizes{5, 32}));
    EXPECT_EQ(data("table", s)["table"].shape.sizes, (Sizes{5, 64}));
    EXPECT_EQ(data("gram", s)["gram"].shape.sizes, (Sizes{5, 5}));
    EXPECT_EQ(data("rotation", s)["rotation"].shape.sizes, (Sizes{32, 2, 2}));
    EXPECT_EQ(data("shift", s)["actual"].shape.sizes, Sizes{64});
    EXPECT_EQ(data("shift", r)["computed"].shape.sizes, Sizes{16});
    EXPECT_EQ(data("distance", s)["norm"].shape.sizes, Sizes{9});
    EXPECT_EQ(data("scores", r)["logit"].shape.sizes, Sizes{9});
    EXPECT_EQ(data("scores", r)["share"].shape.sizes, Sizes{8});
    for (const char* name : {"logits", "attention"})
        EXPECT_EQ(data(name, r)[name].shape.sizes, (Sizes{2, 5, 5}));
    for (const char* name :
         {"content_content", "content_position", "position_content", "position_position", "sum"})
        EXPECT_EQ(data("expansion", s)[name].shape.sizes, (Sizes{1, 5, 5}));
    for (const char* name : {"mixed", "interleaved", "half"})
        EXPECT_EQ(data("mixed", r)[name].shape.sizes, (Sizes{5, 5}));
    for (const char* name : {"turns_trained", "turns", "unseen"})
        EXPECT_EQ(data("turns", r)[name].shape.sizes, Sizes{8});
    EXPECT_EQ(data("rank", s)["rank"].shape.sizes, Sizes{});
    EXPECT_EQ(data("rank", s)["singular_values"].shape.sizes, Sizes{5});
    EXPECT_EQ(data("rank", r)["least_gap"].shape.sizes, Sizes{});
    EXPECT_EQ(data("table", R"({"encoding": "learned", "d_model": 6, "length": 5, "pair": 0})")["table"]
                  .shape.sizes,
              (Sizes{5, 6}));
}

TEST(Quantities, HoldTheirShapesForEveryEncoding) {
    for (const std::string_view kind : encoding_kinds()) {
        Scene s;
        s.encoding =
            overlay(s, {{"encoding", std::string(kind)}, {"length", 3}, {"d_model", 16}, {"pair", 0}})
                ->scene.encoding;
        s.length = 3;
        for (const Quantity* quantity : quantities()) {
            const auto shapes = quantity->shapes(s);
            if (!shapes) {
                EXPECT_EQ(shapes.error().key, "quantity.absent");
                continue;
            }
            const auto arrays = evaluate(*quantity, s, kPlenty);
            ASSERT_TRUE(arrays) << kind << " " << quantity->name << ": " << to_string(arrays.error());
            for (std::size_t i = 0; i < arrays->size(); ++i) {
                EXPECT_EQ((*arrays)[i].shape, (*shapes)[i]);
                EXPECT_EQ((*arrays)[i].values.size(), static_cast<std::size_t>(count((*shapes)[i])))
                    << quantity->name;
            }
        }
    }
}

TEST(Quantities, Frequencies) {
    auto f = data("frequencies", "{}");
    EXPECT_EQ(f["inv_freq"].values[0], 1.0);
    EXPECT_NEAR(f["wavelength"].values[0], 2 * std::numbers::pi, 1e-15);
    EXPECT_NEAR(f["wavelength"].values[255], 60611, 1);
    EXPECT_EQ(f["attention_factor"].values, std::vector<double>{1.0});
}

// arXiv 2405.14591: a base of 27000 is enough for 4000 positions of 128 features.
TEST(Quantities, TheBaseThatALengthAsksFor) {
    auto at = data("base",
                   R"({"encoding": "rope", "d_model": 128, "num_heads": 1, "base": 27000, "length": 4000})");
    EXPECT_EQ(at["below_zero"].values[0], 4079);
    EXPECT_GT(at["least_base"].values[0], 20000.0);
    EXPECT_LT(at["least_base"].values[0], 27000.0);
    // A key 2 positions away is below 0 with one pair, whatever the base.
    at = data("base", R"({"encoding": "rope", "d_model": 2, "num_heads": 1, "pair": 0, "length": 10})");
    EXPECT_EQ(at["below_zero"].values[0], 2);
    EXPECT_TRUE(std::isnan(at["least_base"].values[0]));
}

TEST(Quantities, PhaseCacheAndTableAgree) {
    const char* s = R"({"d_model": 8, "length": 20, "pair": 0})";
    auto angle = data("phase", s)["angle"].values;
    auto cache = data("cache", s);
    auto table = data("table", s)["table"].values;
    for (std::size_t i = 0; i < angle.size(); ++i) {
        EXPECT_NEAR(cache["sin"].values[i], std::sin(angle[i]), 1e-15);
        EXPECT_EQ(cache["sin"].values[i], table[2 * i]);
        EXPECT_EQ(cache["cos"].values[i], table[2 * i + 1]);
    }
    EXPECT_NEAR(data("table", R"({"length": 14})")["table"].values[13 * 512 + 20], 0.345696, 5e-7);
}

TEST(Quantities, GramIsTheProductOfTheTableWithItself) {
    const char* s = R"({"d_model": 64, "length": 40})";
    const auto table = data("table", s)["table"].values, gram = data("gram", s)["gram"].values;
    for (std::size_t m = 0; m < 40; ++m)
        for (std::size_t n = 0; n < 40; ++n) {
            const auto row = [&](std::size_t p) {
                return table.begin() + static_cast<std::ptrdiff_t>(64 * p);
            };
            EXPECT_NEAR(gram[40 * m + n], std::inner_product(row(m), row(m + 1), row(n), 0.0), 1e-13);
        }
}

// RoPE's gram is the score of the query at the row and the key at the column, as the Matrix shows it.
TEST(Quantities, TheGramOfRopeIsItsScores) {
    const char* scene =
        R"({"encoding": "rope", "d_model": 4, "length": 6, "content": {"kind": "vectors", "query": [1, 2, 3, 4], "key": [2, 0, 1, -1]}})";
    const auto gram = data("gram", scene)["gram"].values;
    const std::vector<double> q = {1, 2, 3, 4}, k = {2, 0, 1, -1};
    for (int m = 0; m < 6; ++m)
        for (int n = 0; n < 6; ++n) {
            double wanted = 0.0;
            for (int i = 0; i < 2; ++i) {
                const auto a = static_cast<std::size_t>(2 * i), b = a + 1;
                const double angle = std::pow(10000.0, -0.5 * i) * (m - n);
                wanted += (q[a] * k[a] + q[b] * k[b]) * std::cos(angle) +
                          (q[a] * k[b] - q[b] * k[a]) * std::sin(angle);
            }
            EXPECT_NEAR(gram[static_cast<std::size_t>(6 * m + n)], wanted, 1e-13) << m << ", " << n;
        }
}

TEST(Quantities, RotationAndShift) {
    const auto blocks = data("rotation", "{}")["rotation"].values;
    EXPECT_NEAR(blocks[0], std::cos(3.0), 1e-15);
    EXPECT_NEAR(blocks[1], std::sin(3.0), 1e-15);
    EXPECT_NEAR(blocks[2], -std::sin(3.0), 1e-15);
    auto shift = data("shift", "{}");
    EXPECT_NEAR(shift["actual"].values[20], 0.345696, 5e-7);
    EXPECT_NEAR(shift["actual"].values[21], -0.938347, 5e-7);
    EXPECT_LE(shift["max_abs_error"].values[0], 4e-16);
    EXPECT_GT(shift["max_abs_error"].values[0], 0.0);
    auto far = data("shift", R"({"position": 2147483647, "offset": -2147483647})");
    EXPECT_LE(far["max_abs_error"].values[0], 4e-16);
}

TEST(Quantities, DistanceCoversBothSigns) {
    auto d = data("distance", "{}");
    EXPECT_EQ(d["delta"].values.front(), -127);
    EXPECT_EQ(d["delta"].values[127], 0);
    EXPECT_EQ(d["delta"].values.back(), 127);
    EXPECT_NEAR(d["dot"].values[128], 249.1, 0.05);
    EXPECT_NEAR(d["dot"].values[126], 249.1, 0.05);
    EXPECT_NEAR(d["norm"].values[137], 12.823, 5e-4);
}

TEST(Quantities, SharesSumToTheLogit) {
    const char* r =
        R"({"d_model": 64, "encoding": "rope", "content": {"kind": "seeded", "seed": 4}, "offset": -5, "length": 32})";
    auto s = data("scores", r);
    const auto& share = s["share"].values;
    EXPECT_NEAR(std::accumulate(share.begin(), share.end(), 0.0), s["logit"].values[31 - 5], 1e-13);
    EXPECT_EQ(s["distance"].values[31 - 5], -5.0);
    // The bound at Δ = 0 is the mean of 1 … 32, and no |Σ| is above it.
    EXPECT_NEAR(s["envelope"].values[31], 16.5, 1e-13);
    for (const double bound : s["envelope"].values) EXPECT_LE(bound, 16.5 + 1e-12);
    EXPECT_EQ(s["envelope"].values[30], s["envelope"].values[32]);
}

// Slopes 2^-1 … 2^-8; with equal content the softmax is that of the bias alone.
TEST(Quantities, AlibiBiasLogitsAndAttention) {
    const char* s = R"({"encoding": "alibi", "num_heads": 8, "length": 128})";
    const auto bias = data("bias", s)["bias"].values, logits = data("logits", s)["logits"].values,
               attention = data("attention", s)["attention"].values;
    const auto at = [](std::size_t head, std::size_t i, std::size_t j) { return (head * 128 + i) * 128 + j; };
    EXPECT_EQ(bias[at(0, 1, 0)], -0.5);
    EXPECT_EQ(bias[at(7, 127, 0)], -127.0 / 256.0);
    EXPECT_EQ(bias[at(0, 0, 1)], 0.0);
    EXPECT_EQ(logits[at(0, 0, 1)], -std::numeric_limits<double>::infinity());
    for (std::size_t head = 0; head < 8; ++head)
        for (const std::size_t i : {0U, 1U, 2U, 127U}) {
            double sum = 0.0;
            for (std::size_t d = 0; d <= i; ++d)
                sum += std::exp(-std::exp2(-1.0 - static_cast<double>(head)) * static_cast<double>(d));
            EXPECT_NEAR(attention[at(head, i, i)], 1.0 / sum, 1e-14);
            EXPECT_EQ(logits[at(head, i, 0)] - logits[at(head, i, i)], bias[at(head, i, 0)]);
        }
    EXPECT_EQ(attention[at(3, 5, 6)], 0.0);
}

// d = 512: p_i · p_j is 256, 249.1, 231.7, 173.8, 112.0 at distance 0, 1, 2, 10, 100; the logit has 1/√512.
TEST(Quantities, ExpansionOfTheSinusoidalEncoding) {
    auto e = data("expansion", "{}");
    const std::map<std::size_t, double> products = {
        {0, 256}, {1, 249.1}, {2, 231.7}, {10, 173.8}, {100, 112.0}};
    for (const auto& [distance, product] : products)
        EXPECT_NEAR(e["position_position"].values[20 * 128 + 20 + distance] * std::sqrt(512.0), product,
                    0.05);
    EXPECT_NEAR(e["content_content"].values[77], std::sqrt(512.0), 1e-12);
    const auto logits = data("logits", R"({"causal": false})")["logits"].values;
    double largest = 0.0;
    for (std::size_t i = 0; i < logits.size(); ++i)
        largest = std::max(largest, std::abs(e["sum"].values[i] - logits[i]));
    EXPECT_LT(largest, 1e-12);
    EXPECT_EQ(e["residual"].values, std::vector<double>{largest}) << "the residual is that of this very sum";
}

// Ones as content, head_dim 4, ω = 1, 0.01: a pair (1, 1) turned by φ is (cos φ − sin φ, sin φ + cos φ).
TEST(Quantities, MixedLayoutsDependOnMoreThanTheDistance) {
    auto m = data("mixed", R"({"encoding": "rope", "d_model": 4, "length": 9, "pair": 0})");
    const auto x = [](double p, double w) { return std::cos(p * w) - std::sin(p * w); };
    const auto y = [](double p, double w) { return std::sin(p * w) + std::cos(p * w); };
    for (std::size_t i = 0; i < 9; ++i)
        for (std::size_t j = 0; j < 9; ++j) {
            const auto p = static_cast<double>(i), q = static_cast<double>(j);
            // q interleaved: pair 0 in features 0, 1; k half: pair 0 in features 0, 2
            const double mixed =
                x(p, 1) * x(q, 1) + y(p, 1) * x(q, 0.01) + x(p, 0.01) * y(q, 1) + y(p, 0.01) * y(q, 0.01);
            const double same = 2 * std::cos(p - q) + 2 * std::cos((p - q) * 0.01);
            EXPECT_NEAR(m["mixed"].values[9 * i + j], mixed, 1e-13);
            EXPECT_NEAR(m["interleaved"].values[9 * i + j], same, 1e-13);
            EXPECT_NEAR(m["half"].values[9 * i + j], same, 1e-13);
        }
    EXPECT_GT(std::abs(m["mixed"].values[10] - m["mixed"].values[0]), 0.1);
}

TEST(Quantities, RankAndLeastGap) {
    const auto rank = [](int d, int n) {
        return data("rank", fmt::format(R"({{"d_model": {}, "length": {}, "pair": 0}})", d, n));
    };
    EXPECT_EQ(rank(16, 16)["rank"].values[0], 12);
    EXPECT_EQ(rank(64, 64)["rank"].values[0], 26);
    EXPECT_EQ(rank(128, 128)["rank"].values[0], 42);
    EXPECT_NEAR(rank(512, 128)["least_gap"].values[0], 3.714, 5e-4);
    EXPECT_NEAR(rank(64, 1000)["least_gap"].values[0], 1.472, 5e-4);
    const auto values = rank(8, 1000)["singular_values"].values;  // their squares sum to n · d/2
    EXPECT_NEAR(std::inner_product(values.begin(), values.end(), values.begin(), 0.0), 4000.0, 1e-9);
    EXPECT_TRUE(std::isinf(rank(8, 1)["least_gap"].values[0]));
}

// head_dim 128: 18 of 64 pairs never finish a turn in 4096 tokens; 14, 29, 30 in 8192 at base 1e4, 5e5, 1e6.
TEST(Quantities, TurnsSayWhichPairsMeetNewAngles) {
    const auto turns = [](const char* base, int trained, int length, const char* scaling = "null") {
        return data("turns",
                    fmt::format(R"({{"encoding": {{"kind": "rope", "rope_scaling": {}}}, "d_model": 128,
            "base": {}, "length": {}, "trained": {{"length": {}, "scene": {{"encoding": "rope"}}}}}})",
                                scaling, base, length, trained));
    };
    const auto total = [](const Array& array) {
        return std::accumulate(array.values.begin(), array.values.end(), 0.0);
    };
    EXPECT_EQ(total(turns("1e4", 4096, 8192)["unseen"]), 18);
    EXPECT_EQ(total(turns("1e4", 8192, 8193)["unseen"]), 14);
    EXPECT_EQ(total(turns("5e5", 8192, 16384)["unseen"]), 29);
    EXPECT_EQ(total(turns("1e6", 8192, 16384)["unseen"]), 30);
    EXPECT_EQ(total(turns("1e4", 4096, 4096)["unseen"]), 0);
    EXPECT_EQ(total(turns("1e4", 4096, 8192, R"({"rope_type": "linear", "factor": 2})")["unseen"]), 0);
    auto slowest = turns("1e4", 4096, 8192);
    EXPECT_NEAR(slowest["turns_trained"].values[63] * 2 * std::numbers::pi, 0.473, 5e-4);
    EXPECT_NEAR(slowest["turns"].values[63] * 2 * std::numbers::pi, 0.946, 5e-4);
    auto untold = data("turns", "{}");
    EXPECT_TRUE(std::isnan(untold["turns_trained"].values[0]) && std::isnan(untold["unseen"].values[0]));
    EXPECT_NEAR(untold["turns"].values[0], 128 / (2 * std::numbers::pi), 1e-13);
    EXPECT_EQ(refusal("turns", R"({"trained": {"length": 64, "scene": {"d_model": 256}}})"),
              "trained.pairs (pairs=256, trained=128)");
}

TEST(Quantities, TheBasisInNumbers) {
    auto basis = data("independence", R"({"d_model": 4, "length": 5, "pair": 0})");
    EXPECT_EQ(basis["exact_rank"].values[0], 4);
    EXPECT_NEAR(basis["null_vector"].values[2], 0.6724, 5e-5);
    EXPECT_LT(basis["null_residual"].values[0], 1e-15);
    auto gap = data("gap", R"({"d_model": 64, "length": 1000})");
    EXPECT_NEAR(gap["least"].values[0], 1.472, 5e-4);
    EXPECT_EQ(gap["least_distance"].values[0], 1);
    EXPECT_EQ(gap["gap"].values[0], gap["least"].values[0]);
    auto chord = data("chord", R"({"offset": 10})");
    EXPECT_NEAR(chord["whole"].values[0], 12.823, 5e-4);
    EXPECT_NEAR(chord["whole_linear"].values[0], 37.95, 5e-3);
    EXPECT_NEAR(data("chord", R"({"offset": 1})")["chord"].values[0], 0.9589, 5e-5);
    EXPECT_LT(data("chord", R"({"offset": 1})")["cycles"].values[0], 1e-15);
    auto dft = data("dft", R"({"d_model": 64, "length": 512})");
    EXPECT_EQ(dft["power"].shape.sizes, (Sizes{64, 257}));
    EXPECT_NEAR(dft["strongest"].values[2], 0.9628, 5e-5);
    EXPECT_NEAR(data("columns", R"({"d_model": 8, "length": 100})")["column_gram"].values[0], 1.0, 0.01);
    auto precision = data("precision", R"({"position": 100000})");
    EXPECT_NEAR(precision["table_error"].values[0], 5.3e-3, 5e-5);
    EXPECT_EQ(precision["position"].values[31], static_cast<double>(kLastPosition));
    auto scores = data("scores", R"({"encoding": "rope", "d_model": 16, "content": "seeded"})");
    for (std::size_t i = 0; i < 8; ++i)
        EXPECT_NEAR(scores["cosine_part"].values[i] + scores["sine_part"].values[i],
                    scores["share"].values[i], 1e-15);
}

// They are asked for in every frame of the export dialog.
TEST(Quantities, SizesTakeNoWork) {
    for (const Encoding* encoding : encodings())
        for (const char* length : {"128", "1000000"}) {
            const Scene asked =
                scene(fmt::format(R"({{"encoding": "{}", "length": {}}})", encoding->kind, length));
            const double before = work_done();
            for (const Quantity* quantity : quantities()) (void)quantity->shapes(asked);
            EXPECT_LT(work_done() - before, 1e6) << encoding->kind << " " << length;
        }
    const double before = work_done();
    (void)data("dft", "{}"), (void)data("columns", "{}"), (void)data("gap", "{}");
    EXPECT_GT(work_done() - before, 1e6) << "but the numbers do";
}

// At least half of the work of wide seeded weights, and never more than it is.
TEST(Quantities, WhatTakesLongIsAnnounced) {
    for (const char* name : {"logits", "attention", "expansion", "outputs", "locality"}) {
        const Progress progress;
        (void)data(name, R"({"encoding": "rope", "d_model": 512, "num_heads": 2, "length": 16,
                             "content": {"kind": "seeded", "weights": "seeded"}})");
        EXPECT_GT(progress.announced(), 0.5 * progress.spent()) << name;
        EXPECT_LE(progress.announced(), 1.001 * progress.spent()) << name;
    }
    const Progress progress;
    (void)data("attention", R"({"encoding": "rope", "content": {"kind": "seeded", "weights": "identity"}})");
    EXPECT_EQ(progress.announced(), 0.0);
    const Scene relative = scene(R"({"encoding": "transformer_xl", "d_model": 512, "num_heads": 2})");
    const std::vector<double> ones(256, 1.0);
    (void)action_of(relative)->waves({0, 0, ones, ones});
    EXPECT_GT(progress.announced(), 0.5 * progress.spent());
    EXPECT_LE(progress.announced(), 1.001 * progress.spent());
    const double announced = progress.announced();
    announce(2.0 * announced);
    announce(announced);
    EXPECT_EQ(progress.announced(), 2.0 * announced) << "a part of it";
}

TEST(Quantities, WhatTakesTooLongIsRefused) {
    for (const char* name : {"dft", "columns", "independence"})
        EXPECT_EQ(refusal(name, R"({"d_model": 65536, "length": 4096})").substr(0, 13), "cost.too_high")
            << name;
    EXPECT_EQ(refusal("gap", R"({"length": 2147483647})").substr(0, 13), "cost.too_high");
    EXPECT_EQ(
        refusal("dft",
                R"({"encoding": {"kind": "learned", "max_position_embeddings": 65536}, "length": 65536})")
            .substr(0, 13),
        "cost.too_high");
    EXPECT_EQ(refusal("dft", R"({"encoding": "alibi", "d_model": 8})"),
              "quantity.absent (quantity=dft, encoding=alibi)");
}

// By the definition, from the table itself.
TEST(Quantities, TheSpectrumOfALearnedTableIsThatOfItsNumbers) {
    for (const int n : {1, 2, 7, 32}) {
        const std::string s = fmt::format(
            R"({{"encoding": {{"kind": "learned", "max_position_embeddings": 40}}, "d_model": 6, "length": {}}})",
            n);
        const auto table = data("table", s.c_str())["table"].values;
        auto dft = data("dft", s.c_str());
        const auto bins = static_cast<std::size_t>(n / 2 + 1);
        ASSERT_EQ(dft["power"].shape.sizes, (Sizes{6, n / 2 + 1}));
        for (std::size_t column = 0; column < 6; ++column) {
            std::vector<double> power(bins);
            double total = 0.0;
            for (int q = 0; q < n; ++q) {
                std::complex<double> sum = 0.0;
                for (int p = 0; p < n; ++p)
                    sum += table[6 * static_cast<std::size_t>(p) + column] *
                           std::polar(1.0, -2.0 * std::numbers::pi * q * p / n);
                power[static_cast<std::size_t>(std::min(q, n - q))] += std::norm(sum);
                total += std::norm(sum);
            }
            for (std::size_t q = 0; q < bins; ++q)
                EXPECT_NEAR(dft["power"].values[column * bins + q], power[q] / total, 1e-13);
            EXPECT_NEAR(dft["strongest"].values[column],
                        *std::max_element(power.begin(), power.end()) / total, 1e-13);
        }
    }
}

TEST(Quantities, ALearnedTableEnds) {
    const char* s =
        R"({"encoding": {"kind": "learned", "max_position_embeddings": 4}, "d_model": 8, "length": 4})";
    const auto table = data("table", s)["table"].values;
    EXPECT_GT(*std::max_element(table.begin(), table.end()), 0.0);
    EXPECT_EQ(
        refusal("table", R"({"encoding": {"kind": "learned", "max_position_embeddings": 4}, "length": 5})"),
        "position.past_table (position=4, last=3)");
    EXPECT_EQ(refusal("gram", s), "quantity.absent (quantity=gram, encoding=learned)");
    EXPECT_EQ(refusal("rank", s), "quantity.absent (quantity=rank, encoding=learned)");
}

TEST(Quantities, WhatAnEncodingDoesNotHaveIsSaid) {
    EXPECT_EQ(refusal("bias", R"({"encoding": "rope"})"), "quantity.absent (quantity=bias, encoding=rope)");
    EXPECT_EQ(refusal("mixed", "{}"), "quantity.absent (quantity=mixed, encoding=sinusoidal)");
    EXPECT_EQ(refusal("turns", R"({"encoding": "alibi"})"),
              "quantity.absent (quantity=turns, encoding=alibi)");
    EXPECT_EQ(refusal("table", R"({"encoding": "rope"})"), "quantity.absent (quantity=table, encoding=rope)");
    EXPECT_EQ(refusal("gram", R"({"encoding": "alibi"})"), "quantity.absent (quantity=gram, encoding=alibi)");
    EXPECT_EQ(refusal("scores", "{}"), "quantity.absent (quantity=scores, encoding=sinusoidal)");
    EXPECT_EQ(find_quantity("tables"), nullptr);
}

TEST(Quantities, WhatDoesNotFitIsRefusedBeforeItIsAllocated) {
    EXPECT_EQ(refusal("table", R"({"length": 1000})", 4096000), "accepted");
    EXPECT_EQ(refusal("table", R"({"length": 1000})", 4095999),
              "memory.needed (quantity=table, needed=4096000, available=4095999)");
    EXPECT_EQ(refusal("table", R"({"length": 2147483647, "d_model": 65536})"),
              "memory.needed (quantity=table, needed=1125899906318336, available=1073741824)");
    EXPECT_EQ(refusal("gram", R"({"length": 2147483647})"),
              "memory.needed (quantity=gram, needed=36893488113059364872, available=1073741824)");
    // What is held beside the arrays counts: the bias is made whole and then handed over.
    EXPECT_EQ(refusal("bias", R"({"encoding": "alibi", "length": 100})", 2 * 80000), "accepted");
    EXPECT_EQ(refusal("bias", R"({"encoding": "alibi", "length": 100})", 2 * 80000 - 1),
              "memory.needed (quantity=bias, needed=160000, available=159999)");
    for (const char* name : {"logits", "attention", "expansion", "rank"})
        EXPECT_EQ(refusal(name, R"({"length": 2147483647})").substr(0, 13), "memory.needed") << name;
    EXPECT_EQ(refusal("attention", R"({"length": 20000})", std::uint64_t{1} << 40).substr(0, 16),
              "output.too_large");
    EXPECT_EQ(refusal("mixed", R"({"encoding": "rope", "length": 2147483647})").substr(0, 13),
              "memory.needed");
    EXPECT_GT(available_memory(), 0U);
}

TEST(Quantities, OneArrayCanBeTaken) {
    const auto one = evaluate(*find_quantity("cache"), Scene(), kPlenty, "sin");
    ASSERT_TRUE(one);
    ASSERT_EQ(one->size(), 1U);
    EXPECT_EQ(one->front().shape.name, "sin");
    EXPECT_EQ(refusal("cache", "{}", kPlenty, "tan"),
              "value.choice (path=--array, value=tan, choices=cos, sin)");
}

}  // namespace
}  // namespace posiscope::quantities_test
