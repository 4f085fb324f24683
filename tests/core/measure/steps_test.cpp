// Rotated keys of two steps: what is found is what was done to them, in the formats that caches have.
#include "core/measure/steps.hpp"

#include "core/formats/tensor.hpp"
#include "core/precision/precision.hpp"
#include "tests/core/scenes.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace posiscope::measuring::steps_test {
namespace {

struct Made {
    std::int64_t columns = 64, pairs = 32;
    double base = 10000.0;
    bool halves = true;
    posiscope::Precision format = posiscope::Precision::float32;
};

using Row = std::vector<double>;

Row content(const Made& made, std::mt19937_64& random) {
    std::normal_distribution<double> number;
    Row row;
    for (std::int64_t i = 0; i < made.columns; ++i) row.push_back(number(random));
    return row;
}

// A key at a position, as code computes and stores it.
Row rotated(const Made& made, const Row& row, std::int64_t position) {
    Row turned = row;
    for (std::int64_t i = 0; i < made.pairs; ++i) {
        const auto first = static_cast<std::size_t>(made.halves ? i : 2 * i),
                   second = static_cast<std::size_t>(made.halves ? i + made.pairs : 2 * i + 1);
        const double angle = static_cast<double>(position) *
                             std::pow(made.base, -static_cast<double>(i) / static_cast<double>(made.pairs));
        turned[first] = row[first] * std::cos(angle) - row[second] * std::sin(angle);
        turned[second] = row[first] * std::sin(angle) + row[second] * std::cos(angle);
    }
    for (double& value : turned) value = rounded_to(made.format, value);
    return turned;
}

StoredTensor tensor_of(const std::vector<Row>& rows) {
    StoredTensor made;
    made.name = "k";
    made.dtype = "float32";
    made.shape = {1, static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size())};
    for (const Row& row : rows) made.values.insert(made.values.end(), row.begin(), row.end());
    return made;
}

std::string value(const Problem& problem, std::string_view name) {
    for (const auto& [key, value] : problem.values)
        if (key == name) return value;
    return {};
}

// The parts, without the spectrum: "keys.shifted 4-9 −6".
std::vector<std::string> parts(const StepsFound& found) {
    std::vector<std::string> said;
    for (const Problem& answer : found.answers)
        if (const std::string first = value(answer, "first"); !first.empty())
            said.push_back(answer.key + " " + first + "-" + value(answer, "last") + " " +
                           value(answer, "by"));
    return said;
}

StepsFound found(const std::vector<Row>& before, const std::vector<Row>& after,
                 std::span<const Reference> config = {}) {
    const auto compared = compare_steps(tensor_of(before), tensor_of(after), config, {});
    EXPECT_TRUE(compared) << to_string(compared.error());
    return *compared;
}

using Said = std::vector<std::string>;

// llama.cpp: of 16 rows the first 4 stay, 6 leave, and the others move up.
TEST(KeySteps, AContextShiftIsNamedInEveryFormatAndLayout) {
    for (const bool halves : {true, false})
        for (const posiscope::Precision format :
             {posiscope::Precision::float32, posiscope::Precision::float16, posiscope::Precision::bfloat16})
            for (const double base : {10000.0, 500000.0}) {
                const Made made{.base = base, .halves = halves, .format = format};
                std::mt19937_64 random(7);
                std::vector<Row> before, right, unrotated;
                std::vector<Row> keys;
                for (int i = 0; i < 16; ++i) keys.push_back(content(made, random));
                for (int i = 0; i < 16; ++i)
                    before.push_back(rotated(made, keys[static_cast<std::size_t>(i)], i));
                for (int i = 0; i < 10; ++i) {
                    const auto from = static_cast<std::size_t>(i < 4 ? i : i + 6);
                    right.push_back(rotated(made, keys[from], i));
                    unrotated.push_back(before[from]);
                }
                EXPECT_EQ(parts(found(before, right)), (Said{"keys.same 0-3 0", "keys.shifted 4-9 -6"}));
                EXPECT_EQ(parts(found(before, unrotated)), (Said{"keys.same 0-3 0", "keys.moved 4-9 0"}));
                const StepsFound steps = found(before, right);
                EXPECT_TRUE(steps.known);
                EXPECT_EQ(steps.answers[0].key, halves ? "keys.halves" : "keys.interleaved");
                EXPECT_NE(value(steps.answers[0], "spectrum").find(base == 10000.0 ? "10000" : "500000"),
                          std::string::npos);
            }
}

// Rows out of order are found by their lengths, among many others.
TEST(KeySteps, RowsInAnyOrderOfManyAreFound) {
    const Made made{.columns = 16, .pairs = 8};
    std::mt19937_64 random(9);
    std::vector<Row> before, after;
    for (int i = 0; i < 4000; ++i) before.push_back(content(made, random));
    for (std::size_t i = 0; i < 400; ++i) after.push_back(before[(i * 7 + 3901) % 4000]);
    const StepsFound steps = found(before, after);
    EXPECT_TRUE(steps.known);
    EXPECT_EQ(value(steps.answers[0], "from"), "3901");
}

TEST(KeySteps, AChunkThatIsUsedElsewhereAndRopeItself) {
    const Made made;
    std::mt19937_64 random(8);
    std::vector<Row> plain, before, after, other;
    for (int i = 0; i < 12; ++i) {
        plain.push_back(content(made, random));
        before.push_back(rotated(made, plain.back(), i));
        after.push_back(rotated(made, plain.back(), i + 4321));
        other.push_back(content(made, random));
    }
    EXPECT_EQ(parts(found(before, after)), (Said{"keys.turned 0-11 +4321"}));
    EXPECT_EQ(parts(found(before, before)), (Said{"keys.same 0-11 0"}));
    EXPECT_EQ(parts(found(plain, after)), (Said{"keys.applied 0-11 +4321"}));
    EXPECT_FALSE(found(before, other).known);
    after[5] = other[5];
    EXPECT_EQ(parts(found(before, after)),
              (Said{"keys.turned 0-4 +4321", "keys.other 5-5 ", "keys.turned 6-11 +4321"}));
}

// [n, heads, head_dim], as frameworks have them before attention: each head is rows of its own.
TEST(KeySteps, HeadsBehindTheRowsAreFoundWithoutAConfig) {
    const Made made;
    std::mt19937_64 random(11);
    StoredTensor before{"k", "float32", {24, 3, 64}, {}, false}, after = before;
    for (int row = 0; row < 24; ++row)
        for (int head = 0; head < 3; ++head) {
            const Row key = content(made, random), turned = rotated(made, key, row + 5);
            before.values.insert(before.values.end(), key.begin(), key.end());
            after.values.insert(after.values.end(), turned.begin(), turned.end());
        }
    for (const std::string_view axes : {"", "nhd"}) {
        const auto steps = compare_steps(before, after, {}, {}, axes);
        ASSERT_TRUE(steps && steps->known) << axes;
        EXPECT_EQ(parts(*steps), (Said{"keys.applied 0-23 +5"}));
    }
    before.shape = after.shape = {1, 24, 3, 64};
    for (const std::string_view axes : {"", "bnhd", "nhd"}) {
        const auto steps = compare_steps(before, after, {}, {}, axes);
        ASSERT_TRUE(steps && steps->known) << axes;
        EXPECT_EQ(parts(*steps), (Said{"keys.applied 0-23 +5"}));
    }
}

// A base that nobody uses, and columns that are not rotated: the config has them.
TEST(KeySteps, AConfigNamesTheSpectrum) {
    const Made made{.columns = 64, .pairs = 8, .base = 777.0};
    std::mt19937_64 random(9);
    std::vector<Row> before, after;
    for (int i = 0; i < 6; ++i) {
        const Row key = content(made, random);
        before.push_back(rotated(made, key, i));
        after.push_back(rotated(made, key, i - 3));
    }
    const auto known = reference_of(
        scene(R"({"encoding": {"kind": "rope", "partial_rotary_factor": 0.25}, "layout": "half", "base": 777,
                  "d_model": 64, "pair": 0})"),
        "mine");
    ASSERT_TRUE(known);
    const StepsFound steps = found(before, after, std::span(&*known, 1));
    EXPECT_EQ(parts(steps), (Said{"keys.turned 0-5 -3"}));
    EXPECT_EQ(value(steps.answers[0], "spectrum").substr(0, 4), "mine");
}

// Any cut, any shift: each row's own move is found.
TEST(KeySteps, RandomCachesAreExplained) {
    std::mt19937_64 random(10);
    for (int trial = 0; trial < 40; ++trial) {
        const Made made{.halves = trial % 2 == 0,
                        .format = trial % 3 == 0   ? posiscope::Precision::float16
                                  : trial % 3 == 1 ? posiscope::Precision::bfloat16
                                                   : posiscope::Precision::float32};
        const int rows = 8 + static_cast<int>(random() % 20), keep = static_cast<int>(random() % 4),
                  drop = 1 + static_cast<int>(random() % 3);
        const auto by = static_cast<std::int64_t>(random() % 2000) - 1000;
        std::vector<Row> before, after;
        for (int i = 0; i < rows; ++i) {
            const Row key = content(made, random);
            before.push_back(rotated(made, key, i));
            if (i < keep) after.push_back(before.back());
            else if (i >= keep + drop) after.push_back(rotated(made, key, i + by));
        }
        const StepsFound steps = found(before, after);
        EXPECT_TRUE(steps.known) << trial;
        const Problem& last = steps.answers.back();
        EXPECT_EQ(value(last, "by"), by > 0 ? "+" + std::to_string(by) : std::to_string(by)) << trial;
        EXPECT_EQ(value(last, "moved"), std::to_string(-drop)) << trial;
        EXPECT_EQ(last.key, by == -drop ? "keys.shifted" : by == 0 ? "keys.moved" : "keys.moved_turned");
    }
}

TEST(KeySteps, WhatDoesNotFitIsRefused) {
    const std::vector<Row> keys(3, Row(8, 1.0));
    EXPECT_FALSE(compare_steps(tensor_of(keys), tensor_of({Row(6, 1.0)}), {}, {}));
    EXPECT_FALSE(compare_steps(tensor_of({Row(7, 1.0)}), tensor_of({Row(7, 1.0)}), {}, {}));
    EXPECT_FALSE(compare_steps(tensor_of({Row(8, NAN)}), tensor_of(keys), {}, {}));
    StoredTensor flat = tensor_of(keys);
    flat.shape = {24};
    EXPECT_FALSE(compare_steps(flat, tensor_of(keys), {}, {}));
    EXPECT_TRUE(compare_steps(tensor_of({Row(8, 0.0)}), tensor_of(keys), {}, {}));
    EXPECT_TRUE(compare_steps(tensor_of({Row(8, 1e300)}), tensor_of({Row(8, -1e300)}), {}, {}));
}

}  // namespace
}  // namespace posiscope::measuring::steps_test
