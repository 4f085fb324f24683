// What the tasks ask, against their definitions.
#include "core/experiment/tasks.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace posiscope::experiment::tasks_test {
namespace {

constexpr std::size_t kCount = 400, kLength = 32;

Sequences drawn(std::string_view kind, std::int64_t k = 3) {
    Random random(1, 2);
    return draw(*find_task(kind), k, kCount, kLength, random);
}

template <class Check>
void for_each_target(const Sequences& sequences, const Check& check) {
    for (std::size_t s = 0; s < sequences.count; ++s)
        for (std::size_t i = 0; i < sequences.length; ++i)
            check(sequences.letters.data() + s * sequences.length, i,
                  sequences.targets[s * sequences.length + i], s * sequences.length + i);
}

TEST(ExperimentTasks, BackAsksForTheLetterSomePlacesBefore) {
    for_each_target(drawn("back", 5), [](const std::int32_t* x, std::size_t i, std::int32_t y, std::size_t) {
        EXPECT_EQ(y, i < 5 ? kNothingAsked : x[i - 5]);
    });
}

TEST(ExperimentTasks, FirstAsksForTheFirstLetter) {
    for_each_target(drawn("first"), [](const std::int32_t* x, std::size_t i, std::int32_t y, std::size_t) {
        EXPECT_EQ(y, i < 1 ? kNothingAsked : x[0]);
    });
}

TEST(ExperimentTasks, OrderAsksWhichCameFirst) {
    int a_first = 0;
    for_each_target(drawn("order"), [&](const std::int32_t* x, std::size_t i, std::int32_t y, std::size_t) {
        const auto a = std::find(x, x + kLength, 8) - x, b = std::find(x, x + kLength, 9) - x;
        ASSERT_LT(std::max(a, b), static_cast<std::ptrdiff_t>(kLength));
        EXPECT_EQ(y, static_cast<std::ptrdiff_t>(i) <= std::max(a, b) ? kNothingAsked : a < b ? 0 : 1);
        a_first += i == 0 && a < b;
    });
    EXPECT_NEAR(a_first, kCount / 2.0, 4.0 * std::sqrt(kCount) / 2.0);
}

TEST(ExperimentTasks, NeedleAsksForTheLetterAfterTheMark) {
    const Sequences sequences = drawn("needle");
    for_each_target(sequences, [&](const std::int32_t* x, std::size_t i, std::int32_t y, std::size_t at) {
        const auto mark = static_cast<std::size_t>(std::find(x, x + kLength, 16) - x);
        ASSERT_LT(mark, kLength - 1);
        EXPECT_EQ(std::count(x, x + kLength, 16), 1);
        EXPECT_EQ(y, x[i] == 17 ? x[mark + 1] : kNothingAsked);
        if (x[i] != 17) return;
        EXPECT_GE(i, mark + 2);
        EXPECT_EQ(sequences.distance[at], static_cast<std::int32_t>(i - mark - 1));
    });
}

TEST(ExperimentTasks, LanguageAsksForTheNextLetterOfItsChain) {
    const Language& language = Language::of_the_task();
    const Sequences sequences = drawn("language");
    double sum = 0.0;
    for_each_target(sequences, [&](const std::int32_t* x, std::size_t i, std::int32_t y, std::size_t at) {
        ASSERT_EQ(y, i < 1 || i + 2 > kLength ? kNothingAsked : x[i + 1]);
        if (y < 0) return;
        const double p = language.probability(static_cast<std::size_t>(x[i - 1]),
                                              static_cast<std::size_t>(x[i]), static_cast<std::size_t>(y));
        EXPECT_DOUBLE_EQ(sequences.optimum[at], -std::log(p));
        sum += sequences.optimum[at];
    });
    EXPECT_NEAR(sum / static_cast<double>(sequences.asked()), language.entropy(), 0.03);
    EXPECT_NEAR(language.entropy(), 1.004, 5e-4);
}

// A class stays in range, so that a model has an output for it; the same random numbers give the same sequences.
TEST(ExperimentTasks, StayInRangeAndRepeat) {
    for (const Task* task : tasks()) {
        const Sequences sequences = drawn(task->kind);
        EXPECT_EQ(drawn(task->kind).letters, sequences.letters);
        for (std::size_t at = 0; at < sequences.letters.size(); ++at) {
            EXPECT_GE(sequences.letters[at], 0);
            EXPECT_LT(sequences.letters[at], static_cast<std::int32_t>(task->letters));
            EXPECT_LT(sequences.targets[at], static_cast<std::int32_t>(task->classes));
        }
        EXPECT_GT(sequences.asked(), kCount);
    }
}

}  // namespace
}  // namespace posiscope::experiment::tasks_test
