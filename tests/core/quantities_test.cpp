// The numbers that `posiscope data` writes: names, shapes, pinned values, and what is refused.
#include "core/quantities/quantities.hpp"
#include "core/score.hpp"
#include "tests/core/scenes.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

namespace posiscope {
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
            ASSERT_TRUE(arrays);
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

TEST(Quantities, WhatAnEncodingDoesNotHaveIsSaid) {
    EXPECT_EQ(refusal("table", R"({"encoding": "rope"})"), "quantity.absent (quantity=table, encoding=rope)");
    EXPECT_EQ(refusal("gram", R"({"encoding": "rope"})"), "quantity.absent (quantity=gram, encoding=rope)");
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
}  // namespace posiscope
