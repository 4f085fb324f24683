// What a dumped table is: every row and column is judged, slips of different stages are named together, and nothing is said of
// noise.
#include "core/recognise/recognise.hpp"

#include "core/recognise/slips.hpp"

#include <cmath>
#include <ctime>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace posiscope::recognise_test {
namespace {

using recognition::Slip;
using recognition::Stage;

const Json kRope = {{"encoding", "rope"}, {"layout", "half"}, {"d_model", 1024}, {"num_heads", 16}};

Scene config(double base = 10000.0) {
    Json partial = kRope;
    partial["base"] = base;
    return overlay(Scene(), partial)->scene;
}

StoredTensor table(std::int64_t rows, std::int64_t columns,
                   const std::function<double(std::int64_t, std::int64_t)>& value) {
    StoredTensor made{"table", "float64", {rows, columns}, {}, false};
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column) made.values.push_back(value(row, column));
    return made;
}

// cos | sin of 32 pairs.
double number(double position, std::int64_t column, double base = 10000.0, double first = 0.0) {
    const double angle = position * std::pow(base, -(static_cast<double>(column % 32) + first) / 32.0);
    return column < 32 ? std::cos(angle) : std::sin(angle);
}

std::vector<std::string> slips_of(const StoredTensor& dump, const std::vector<Scene>& scenes) {
    const Recognition found = recognise(dump, scenes, {});
    if (found.fits.empty()) return {"none"};
    std::vector<std::string> keys;
    for (const Problem& slip : found.fits.front().slips) keys.push_back(slip.key);
    return keys;
}

using Keys = std::vector<std::string>;

TEST(Recognise, SaysHowCloselyARightTableAgrees) {
    const auto exact =
        table(300, 64, [](std::int64_t p, std::int64_t c) { return number(static_cast<double>(p), c); });
    const Recognition found = recognise(exact, std::vector{config()}, {});
    ASSERT_EQ(found.fits.size(), 1U);
    EXPECT_TRUE(found.fits[0].slips.empty());
    EXPECT_TRUE(found.fits[0].given && found.fits[0].exact);
    StoredTensor single = exact;
    for (double& value : single.values) value = static_cast<float>(value);
    EXPECT_TRUE(recognise(single, std::vector{config()}, {}).fits.at(0).bits);
    single.values[64] = std::nextafter(static_cast<float>(single.values[64]), 2.0F);
    const Recognition near = recognise(single, std::vector{config()}, {});
    EXPECT_FALSE(near.fits.at(0).bits) << "one number is one bit off";
    EXPECT_TRUE(near.fits.at(0).slips.empty());
}

TEST(Recognise, JudgesEveryRowAndColumn) {
    // Of 4000 rows, more than are compared at first.
    const auto repeated = table(4000, 64, [](std::int64_t p, std::int64_t c) {
        return number(static_cast<double>(p == 2777 ? 2778 : p), c);
    });
    const Recognition found = recognise(repeated, std::vector{config()}, {});
    ASSERT_EQ(found.fits.size(), 1U);
    ASSERT_EQ(found.fits[0].slips.size(), 1U);
    EXPECT_EQ(to_string(found.fits[0].slips[0]),
              "slip.rows (count=1, rows=2777, matching=0–2776, 2778–3999)");
    ASSERT_EQ(found.fits[0].details.size(), 1U);
    EXPECT_EQ(to_string(found.fits[0].details[0]),
              "recognised.row_holds (row=2777, position=2778, wanted=2777)");

    const auto column = table(200, 64, [](std::int64_t p, std::int64_t c) {
        return number(static_cast<double>(p), c == 5 ? 6 : c);
    });
    const Recognition other = recognise(column, std::vector{config()}, {});
    ASSERT_EQ(other.fits.size(), 1U);
    EXPECT_EQ(to_string(other.fits[0].slips.at(0)), "slip.columns (count=1, columns=5, matching=0–4, 6–63)");
    EXPECT_EQ(to_string(other.fits[0].details.at(0)), "recognised.column_same (column=5, other=6)");
}

TEST(Recognise, NamesTheOrderOfPositions) {
    const auto of = [](const std::function<std::int64_t(std::int64_t)>& position) {
        return slips_of(table(256, 64,
                              [&](std::int64_t p, std::int64_t c) {
                                  return number(static_cast<double>(position(p)), c);
                              }),
                        {config()});
    };
    EXPECT_EQ(of([](std::int64_t p) { return 255 - p; }), Keys{"slip.positions_reversed"});
    EXPECT_EQ(of([](std::int64_t p) { return std::max<std::int64_t>(0, p - 40); }),
              Keys{"slip.left_padding"});
    EXPECT_EQ(of([](std::int64_t p) { return std::min<std::int64_t>(p, 99); }), Keys{"slip.positions_stuck"});
    EXPECT_EQ(of([](std::int64_t) { return 17; }), Keys{"slip.positions_stuck"});
    EXPECT_EQ(of([](std::int64_t p) { return p + 1; }), Keys{"slip.offset_one"});
}

TEST(Recognise, NamesTwoSlipsOfDifferentStages) {
    const auto both = table(256, 64, [](std::int64_t p, std::int64_t c) {
        return number(static_cast<double>(p + 1), c, 10000.0, 1.0);
    });
    EXPECT_EQ(slips_of(both, {config()}), (Keys{"slip.frequencies_from_one", "slip.offset_one"}));
    const auto row = table(256, 64, [](std::int64_t p, std::int64_t c) {
        return p == 100 ? 0.0 : number(static_cast<double>(p), c, 10000.0, 1.0);
    });
    EXPECT_EQ(slips_of(row, {config()}), (Keys{"slip.frequencies_from_one", "slip.rows"}));
}

TEST(Recognise, InverseFrequenciesInBfloat16AreASlipUnlessTheFileHasThatType) {
    StoredTensor list{"inv_freq", "float32", {32}, {}, false};
    for (int i = 0; i < 32; ++i)
        list.values.push_back(
            recognition::rounded_position(std::pow(10000.0, -i / 32.0), recognition::Rounding::bfloat16));
    EXPECT_EQ(slips_of(list, {config()}), Keys{"slip.inv_freq_bfloat16"});
    list.dtype = "bfloat16";
    EXPECT_EQ(slips_of(list, {config()}), Keys{});
}

// A base is printed as it was found, and explained by what makes it.
TEST(Recognise, AWrongDenominatorIsNoOtherBase) {
    const auto more = table(256, 64, [](std::int64_t p, std::int64_t c) {
        return number(static_cast<double>(p), c, std::pow(10000.0, 32.0 / 33.0));
    });
    EXPECT_EQ(slips_of(more, {config()}), Keys{"slip.denominator_two_more"});
    EXPECT_EQ(slips_of(more, {}), Keys{"slip.denominator_two_more"});
    const auto other = table(
        256, 64, [](std::int64_t p, std::int64_t c) { return number(static_cast<double>(p), c, 500000.0); });
    EXPECT_EQ(slips_of(other, {config()}), Keys{"slip.other_base"});
}

RC_GTEST_PROP(Recognise, NothingIsSaidOfNoise, ()) {
    const auto rows = *rc::gen::inRange<std::int64_t>(2, 40),
               columns = *rc::gen::inRange<std::int64_t>(2, 40);
    const auto noise = table(rows, columns, [](std::int64_t, std::int64_t) {
        return *rc::gen::inRange(-1000000, 1000001) * 1e-6;
    });
    if (rows * columns < 64) return;
    RC_ASSERT(recognise(noise, std::vector{config()}, {}).fits.empty());
    RC_ASSERT(recognise(noise, {}, {}).fits.empty());
}

StoredTensor list(std::vector<double> values, std::string dtype) {
    const auto size = static_cast<std::int64_t>(values.size());
    return {"list", std::move(dtype), {size}, std::move(values), false};
}

// Another model's spectrum is no config: whoever names one is told of another base all the same.
TEST(Recognise, AModelIsNoConfig) {
    const auto model = known_spectrum(config(500000.0), "a model");
    ASSERT_TRUE(model);
    EXPECT_FALSE(model->given);
    const StoredTensor dump = table(
        300, 64, [](auto row, auto column) { return number(static_cast<double>(row), column, 500000.0); });
    const Scene wanted = config();
    const Recognition found = recognise(dump, std::span(&wanted, 1), std::span(&*model, 1));
    ASSERT_EQ(found.fits.size(), 1U);
    ASSERT_EQ(found.fits[0].slips.size(), 1U);
    EXPECT_EQ(found.fits[0].slips[0].key, "slip.other_base");
}

// Alternate columns are alike where each is written twice, and where two pairs have one frequency: the config tells.
TEST(Recognise, RepeatedFrequenciesAreNoColumnsWrittenTwice) {
    StoredTensor both{"rope", "float64", {2, 200, 32}, {}, false};
    for (const bool sine : {false, true})
        for (int row = 0; row < 200; ++row)
            for (int pair = 0; pair < 32; ++pair) {
                const double angle = row * std::pow(10000.0, -2.0 * std::floor(pair / 2.0) / 32.0);
                both.values.push_back(sine ? std::sin(angle) : std::cos(angle));
            }
    EXPECT_EQ(slips_of(both, {config()}), Keys{"slip.frequencies_repeated"});
    EXPECT_EQ(slips_of(both, {}), Keys{});
}

// Plain RoPE of the config's base is no other base: the scaling is missing.
TEST(Recognise, APlainTableOfAScaledConfigLacksTheScaling) {
    const auto scaled = overlay(
        config(),
        {{"encoding", {{"kind", "rope"}, {"rope_scaling", {{"rope_type", "linear"}, {"factor", 4.0}}}}}});
    ASSERT_TRUE(scaled) << scaled.error().key;
    const auto plain = [](double denominator) {
        return table(200, 64, [denominator](auto row, auto column) {
            const double angle =
                static_cast<double>(row) * std::pow(10000.0, -static_cast<double>(column % 32) / denominator);
            return column < 32 ? std::cos(angle) : std::sin(angle);
        });
    };
    EXPECT_EQ(slips_of(plain(32.0), {scaled->scene}), Keys{"slip.unscaled"});
    EXPECT_EQ(slips_of(plain(33.0), {scaled->scene}), (Keys{"slip.unscaled", "slip.denominator_two_more"}));
}

// Of short texts LongRoPE rotates by another list than of long ones.
TEST(Recognise, ATableOfLongRopeIsOfEitherList) {
    const Json settings = Json::parse(R"({"rope_type": "longrope", "factor": 4.0,
        "original_max_position_embeddings": 1024, "short_factor": [1.0, 1.1, 1.2, 1.3, 1.5, 1.7, 2.0, 2.5],
        "long_factor": [1.0, 1.4, 2.0, 3.0, 5.0, 9.0, 17.0, 40.0]})");
    const auto scene = overlay(Scene(), {{"encoding", {{"kind", "rope"}, {"rope_scaling", settings}}},
                                         {"base", 10000},
                                         {"layout", "half"},
                                         {"head_dim", 16},
                                         {"d_model", 16},
                                         {"num_heads", 1},
                                         {"length", 4096}});
    ASSERT_TRUE(scene) << scene.error().key;
    const double factor = std::sqrt(1.0 + std::log(4.0) / std::log(1024.0));
    for (const char* list : {"short_factor", "long_factor"}) {
        StoredTensor table{"cos", "float64", {60, 8}, {}, false};
        for (int p = 0; p < 60; ++p)
            for (std::size_t i = 0; i < 8; ++i)
                table.values.push_back(factor *
                                       std::cos(p * std::pow(10000.0, -static_cast<double>(i) / 8.0) /
                                                settings.at(list)[i].get<double>()));
        const Recognition found = recognise(table, std::span(&scene->scene, 1), {});
        ASSERT_EQ(found.fits.size(), 1U) << list;
        EXPECT_FALSE(found.slipped());
        EXPECT_NE(value_of(found.fits[0].what, "spectrum")->find(list), std::string::npos);
    }
}

// Two numbers of a fit explain three digits, and nobody means Fibonacci's numbers by them.
TEST(Recognise, FewDigitsNameNothing) {
    for (const StoredTensor& few :
         {list({1, 2, 3, 4}, "decimal(0)"), list({1, 1, 2, 3, 5, 8, 13, 21}, "decimal(0)"),
          list({1, 0, 0, 0, 0}, "decimal(0)"), list({0.9, 0.8, 0.7, 0.6}, "decimal(1)")}) {
        const Recognition found = recognise(few, {}, {});
        EXPECT_TRUE(found.fits.empty()) << few.values[1];
        EXPECT_EQ(found.notes.back().key, "recognised.few") << few.values[1];
    }
    const Recognition usual = recognise(list({1, 0.1, 0.01, 0.001}, "decimal(3)"), {}, {});
    ASSERT_EQ(usual.fits.size(), 1U);
    EXPECT_FALSE(usual.slipped());
    EXPECT_FALSE(recognise(list({1, 0.01}, "float32"), {}, {}).fits.empty());
}

TEST(Recognise, ATableOfOneNumberIsNoCache) {
    EXPECT_TRUE(recognise(table(6, 6, [](std::int64_t, std::int64_t) { return 1.0; }), {}, {}).fits.empty());
    const auto unknown = table(64, 64, [](std::int64_t, std::int64_t) { return std::nan(""); });
    const Recognition found = recognise(unknown, {}, {});
    EXPECT_TRUE(found.fits.empty()) << "NaN is no zero";
    EXPECT_EQ(to_string(found.notes.back()), "recognised.not_finite (count=4096)");
    const auto zero = table(64, 64, [](std::int64_t, std::int64_t) { return 0.0; });
    EXPECT_EQ(slips_of(zero, {}), Keys{"slip.all_zero"});
}

// The integers nearest to cos, of which every other table is as near.
TEST(Recognise, HalvesOfTheRangeExplainNoColumn) {
    auto rounded = table(8, 4, [](std::int64_t p, std::int64_t c) {
        return std::round(
            std::cos(static_cast<double>(p) * std::pow(10000.0, -static_cast<double>(c) / 4.0)));
    });
    rounded.dtype = "decimal(0)";
    EXPECT_EQ(slips_of(rounded, {}), Keys{"none"});
}

// More numbers than any model has pairs; two lines through them took a minute.
TEST(Recognise, ALongListIsJudgedAtOnce) {
    std::vector<double> lines;
    for (int k = 0; k < 8192; ++k) lines.push_back(3.0 * std::exp(-1e-4 * k));
    for (int k = 0; k < 8192; ++k) lines.push_back(std::exp(-1.3e-4 * k));
    const auto before = std::clock();
    EXPECT_TRUE(recognise(list(lines, "float64"), {}, {}).fits.empty());
    lines.resize(1 << 20, 0.5);
    EXPECT_TRUE(recognise(list(lines, "float64"), {}, {}).fits.empty());
    EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 10.0);
}

}  // namespace
}  // namespace posiscope::recognise_test
