// Two dumps together: cos and sin of one cache, q before and after rotation, the same from two programs.
#include "core/measure/compare.hpp"

#include "core/measure/partners.hpp"
#include "core/measure/report.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace posiscope::measuring::compare_test {
namespace {

constexpr std::int64_t kRows = 40, kPairs = 16;

double angle(std::int64_t row, std::int64_t pair) {
    return static_cast<double>(row) *
           std::pow(10000.0, -static_cast<double>(pair) / static_cast<double>(kPairs));
}

template <class Value>
StoredTensor made(std::vector<std::int64_t> shape, Value value) {
    StoredTensor tensor{"t", "float32", std::move(shape), {}, false};
    const std::int64_t columns = tensor.shape.back(), rows = tensor.shape[tensor.shape.size() - 2];
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
            tensor.values.push_back(static_cast<double>(static_cast<float>(value(row, column))));
    return tensor;
}

StoredTensor cosines() {
    return made({kRows, kPairs}, [](auto r, auto c) { return std::cos(angle(r, c)); });
}
StoredTensor sines() {
    return made({kRows, kPairs}, [](auto r, auto c) { return std::sin(angle(r, c)); });
}
StoredTensor halves() {
    return made({kRows, 2 * kPairs}, [](auto r, auto c) {
        return c < kPairs ? std::cos(angle(r, c)) : std::sin(angle(r, c - kPairs));
    });
}
StoredTensor interleaved() {
    return made({kRows, 2 * kPairs}, [](auto r, auto c) {
        return c % 2 == 0 ? std::cos(angle(r, c / 2)) : std::sin(angle(r, c / 2));
    });
}

Report together(const StoredTensor& a, const StoredTensor& b) {
    const std::vector<Reference> known = {plain_reference(10000.0, kPairs, kPairs, true)};
    Wanted wanted;
    wanted.known = known;
    return report_on_both(a, b, wanted, Together::either).value_or(Report{});
}

TEST(TwoDumps, CosAndSinAreOneCache) {
    EXPECT_EQ(together(cosines(), sines()).measured.verdict, Verdict::right);
    EXPECT_FALSE(joined(cosines(), cosines()));
    StoredTensor damaged = sines();
    damaged.values[37] = 0.9;
    const Measured found = together(cosines(), damaged).measured;
    EXPECT_NE(found.verdict, Verdict::right);
}

// As transformers writes them.
TEST(TwoDumps, CosAndSinWrittenTwiceAreOneCacheToo) {
    for (const bool half : {true, false}) {
        const auto twice = [&](bool sine) {
            return made({kRows, 2 * kPairs}, [&](auto r, auto c) {
                const double turned = angle(r, half ? c % kPairs : c / 2);
                return sine ? std::sin(turned) : std::cos(turned);
            });
        };
        StoredTensor cosine = twice(false);
        EXPECT_EQ(together(cosine, twice(true)).measured.verdict, Verdict::right);
        for (std::int64_t i = 0; i < kPairs; ++i)
            cosine.values[static_cast<std::size_t>(7 * 2 * kPairs + (half ? i : 2 * i))] = 0.0;
        EXPECT_EQ(together(cosine, twice(true)).measured.verdict, Verdict::wrong) << "a row of one copy";
    }
}

TEST(TwoDumps, TheRotationBetweenQBeforeAndAfterIsACache) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    for (const PairLayout layout : {PairLayout::halves, PairLayout::interleaved})
        for (const bool rows_first : {false, true}) {
            const std::int64_t heads = 3, d = 2 * kPairs + 4;  // the last four are not rotated
            StoredTensor before{"q", "float32", {heads, kRows, d}, {}, false};
            if (rows_first) before.shape = {kRows, heads, d};
            before.values.resize(static_cast<std::size_t>(heads * kRows * d));
            for (double& value : before.values)
                value = static_cast<double>(static_cast<float>(normal(random)));
            StoredTensor after = before;
            for (std::int64_t head = 0; head < heads; ++head)
                for (std::int64_t row = 0; row < kRows; ++row)
                    for (std::int64_t i = 0; i < kPairs; ++i) {
                        const std::int64_t first = (rows_first ? row * heads + head : head * kRows + row) * d;
                        const bool half = layout == PairLayout::halves;
                        const auto x = static_cast<std::size_t>(first + (half ? i : 2 * i)),
                                   y = static_cast<std::size_t>(first + (half ? i + kPairs : 2 * i + 1));
                        const double c = std::cos(angle(row, i)), s = std::sin(angle(row, i));
                        after.values[x] = static_cast<double>(
                            static_cast<float>(c * before.values[x] - s * before.values[y]));
                        after.values[y] = static_cast<double>(
                            static_cast<float>(s * before.values[x] + c * before.values[y]));
                    }
            Reference own = plain_reference(10000.0, kPairs, kPairs, true);
            own.layout = layout;
            own.known = false;
            own.heads = heads;
            own.head_width = d;
            Wanted wanted;
            wanted.references = std::span(&own, 1);
            const auto right = measure_rotation(before, after, wanted);
            ASSERT_TRUE(right);
            EXPECT_EQ(right->verdict, Verdict::right);
            EXPECT_FALSE(measure_rotation(before, before, wanted));
            // One number of one head.
            after.values[static_cast<std::size_t>(d + 3)] += 0.5;
            const auto damaged = measure_rotation(before, after, wanted);
            EXPECT_TRUE(!damaged || damaged->verdict == Verdict::wrong);
        }
}

// q of four heads, and the same turned by a base, from a position on, with noise.
struct Turned {
    StoredTensor before, after;
};
Turned turned(double base, double begin, double noise, std::int64_t rows = kRows) {
    constexpr std::int64_t kHeads = 4, d = 2 * kPairs;
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    const auto single = [](double x) { return static_cast<double>(static_cast<float>(x)); };
    Turned made{{"q", "float32", {kHeads, rows, d}, {}, false}, {}};
    for (std::int64_t n = 0; n < kHeads * rows * d; ++n) made.before.values.push_back(single(normal(random)));
    made.after = made.before;
    for (std::int64_t n = 0; n < kHeads * rows; ++n)
        for (std::int64_t i = 0; i < kPairs; ++i) {
            const auto x = static_cast<std::size_t>(n * d + i), y = x + static_cast<std::size_t>(kPairs);
            const double a = (begin + static_cast<double>(n % rows)) *
                             std::pow(base, -static_cast<double>(i) / static_cast<double>(kPairs));
            const double p = made.before.values[x], q = made.before.values[y];
            made.after.values[x] = single(p * std::cos(a) - q * std::sin(a) + noise * normal(random));
            made.after.values[y] = single(q * std::cos(a) + p * std::sin(a) + noise * normal(random));
        }
    return made;
}
Measured rotation_beside(const Turned& q, double tolerance = 0.0) {
    Reference own = plain_reference(10000.0, kPairs, kPairs, true);
    own.known = false;
    own.heads = 4;
    own.head_width = 2 * kPairs;
    Wanted wanted;
    wanted.references = std::span(&own, 1);
    wanted.tolerance = tolerance;
    return measure_rotation(q.before, q.after, wanted).value_or(Measured{});
}

TEST(TwoDumps, QTurnedByAnotherBaseIsWrongByItsName) {
    for (const double begin : {0.0, 300.0}) {
        const Measured found = rotation_beside(turned(500000.0, begin, 0.0));
        EXPECT_EQ(found.verdict, Verdict::wrong);
        ASSERT_FALSE(found.findings.empty());
        EXPECT_EQ(found.findings[0].said.key, "measured.base");
        EXPECT_EQ(found.pairs.size(), static_cast<std::size_t>(kPairs));
    }
}

TEST(TwoDumps, MoreNoiseOnQNeverTurnsUnknownIntoRight) {
    int least = 0;  // right, noisy, unknown
    for (const double noise : {0.0, 1e-5, 1e-4, 1e-3, 1e-2, 0.05, 0.3, 1.0, 10.0}) {
        const Verdict verdict = rotation_beside(turned(10000.0, 0.0, noise)).verdict;
        const int rank = verdict == Verdict::right ? 0 : verdict == Verdict::noisy ? 1 : 2;
        EXPECT_GE(rank, least) << noise;
        EXPECT_NE(verdict, Verdict::wrong) << noise;
        if (noise == 1e-3) {
            EXPECT_EQ(verdict, Verdict::noisy);
        }
        least = std::max(least, rank);
    }
    EXPECT_EQ(least, 2);
    EXPECT_EQ(rotation_beside(turned(10000.0, 0.0, 1e-3), 1e-2).verdict, Verdict::right) << "tolerated";
    EXPECT_EQ(rotation_beside(turned(10000.0, 0.0, 1e-3), 1e-4).verdict, Verdict::noisy);
}

TEST(TwoDumps, AStepOfSeveralHeadsIsOneRow) {
    const Measured found = rotation_beside(turned(10000.0, 77.0, 0.0, 1));
    EXPECT_EQ(found.verdict, Verdict::right);
    EXPECT_EQ(found.rows, 1);
}

TEST(TwoDumps, TheFirstNumberThatDiffersIsNamed) {
    const StoredTensor a = halves();
    EXPECT_TRUE(compare_dumps(a, a)->same);
    StoredTensor near = a;
    for (double& value : near.values) value += 3e-8;
    EXPECT_TRUE(compare_dumps(a, near)->same) << "rounding";
    StoredTensor b = a;
    b.values[7 * 32 + 5] += 0.1;
    b.values[9 * 32 + 2] -= 0.3;
    const auto found = compare_dumps(a, b);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->same);
    EXPECT_FALSE(found->between);
    ASSERT_EQ(found->answers.size(), 2U);
    EXPECT_EQ(found->answers[0].key, "dumps.first");
    EXPECT_EQ(*value_of(found->answers[0], "row"), "7");
    EXPECT_EQ(*value_of(found->answers[0], "column"), "5");
    EXPECT_EQ(*value_of(found->answers[1], "count"), "2");
    EXPECT_EQ(*value_of(found->answers[1], "row"), "9");
    StoredTensor other = a;
    other.shape = {kRows / 2, 4 * kPairs};
    EXPECT_EQ(compare_dumps(a, other).error().key, "dumps.shapes");
}

TEST(TwoDumps, TheChangeBetweenThemIsNamed) {
    const auto between = [](const StoredTensor& a, const StoredTensor& b) {
        const auto found = compare_dumps(a, b);
        return found && found->between ? found->between->key : std::string("nothing");
    };
    EXPECT_EQ(between(interleaved(), halves()), "dumps.to_halves");
    EXPECT_EQ(between(halves(), interleaved()), "dumps.to_pairs");
    const StoredTensor a = halves();
    const auto at = [&](std::int64_t row, std::int64_t column) {
        return a.values[static_cast<std::size_t>(row * 2 * kPairs + column)];
    };
    const auto changed = [&](auto value) { return made({kRows, 2 * kPairs}, value); };
    EXPECT_EQ(between(a, changed([&](auto r, auto c) { return at(r, (c + kPairs) % (2 * kPairs)); })),
              "dumps.halves_swapped");
    EXPECT_EQ(between(a, changed([&](auto r, auto c) { return c < kPairs ? at(r, c) : -at(r, c); })),
              "dumps.half_negated");
    EXPECT_EQ(between(a, changed([&](auto r, auto c) { return -at(r, c); })), "dumps.negated");
    EXPECT_EQ(between(a, changed([&](auto r, auto c) { return 1.25 * at(r, c); })), "dumps.times");
    EXPECT_EQ(between(a, changed([&](auto r, auto c) { return at(kRows - 1 - r, c); })),
              "dumps.rows_reversed");
    EXPECT_EQ(between(cosines(), made({kRows, 2 * kPairs},
                                      [](auto r, auto c) { return std::cos(angle(r, c % kPairs)); })),
              "dumps.twice_halves");
    EXPECT_EQ(between(cosines(), halves()), "dumps.is_first_half");
    EXPECT_EQ(between(halves(), cosines()), "dumps.first_half");
    const auto from = [](std::int64_t first) {
        return made({kRows, kPairs}, [=](auto r, auto c) { return std::cos(angle(r + first, c)); });
    };
    EXPECT_EQ(between(from(0), from(1)), "dumps.rows_earlier");
    EXPECT_EQ(between(from(2), from(0)), "dumps.rows_later");
    EXPECT_EQ(between(halves(), made({2 * kPairs, kRows}, [&](auto r, auto c) { return at(c, r); })),
              "dumps.transposed");
}

}  // namespace
}  // namespace posiscope::measuring::compare_test
