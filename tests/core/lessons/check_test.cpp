// What `posiscope lesson check` finds: each kind of mistake in a lesson that reads well.
#include "core/lessons/lesson.hpp"

#include <gtest/gtest.h>

namespace posiscope::lessons::check_test {
namespace {

// What is found of a lesson of one step with that body.
std::vector<std::string> found(std::string_view body) {
    const auto lesson = parse_lesson(R"({"lesson": 1, "steps": [{"id": "one", )" + std::string(body) + "}]}");
    EXPECT_TRUE(lesson) << to_string(lesson.error());
    std::vector<std::string> keys;
    if (lesson)
        for (const Problem& problem : findings(*lesson)) {
            keys.push_back(problem.key.substr(problem.key.rfind('.') + 1) + " " + *value_of(problem, "path"));
            EXPECT_EQ(*value_of(problem, "step"), "1 one");
        }
    return keys;
}

using Keys = std::vector<std::string>;

constexpr std::string_view kTask = R"("scene": {"pair": 3}, "controls": ["pair"], "task": {
    "goal": {"en": "Find pair {!7}."}, "done": {"value": "pair", "is": 7}, "solution": {"pair": 7},
    "slips": [{"when": {"value": "pair", "is": 14}, "scene": {"pair": 14}, "says": {"en": "its dimension"}}]})";

std::string with(std::string text, std::string_view what, std::string_view by) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), by);
}

TEST(LessonCheck, FindsNothingInWhatHolds) {
    EXPECT_EQ(found(kTask), Keys());
    EXPECT_EQ(found(R"("text": {"en": "{score.dot:4} of {@rank}"})"), Keys());
}

TEST(LessonCheck, DoesTheTask) {
    const std::string task(kTask);
    EXPECT_EQ(found(with(task, R"("solution": {"pair": 7})", R"("solution": {"pair": 8})")),
              Keys{"not_solved task.solution"});
    EXPECT_EQ(found(with(task, R"("scene": {"pair": 3})", R"("scene": {"pair": 7})")),
              Keys{"done_already task.done"});
    EXPECT_EQ(found(with(task, R"("scene": {"pair": 3})", R"("scene": {"pair": 14})")),
              Keys{"slipped_already task.slips"});
    EXPECT_EQ(found(with(task, R"("scene": {"pair": 14})", R"("scene": {"pair": 15})")),
              Keys{"no_slip task.slips[0]"});
    EXPECT_EQ(found(with(task, R"("scene": {"pair": 14})", R"("scene": {"pair": 7})")),
              Keys{"slip_done task.slips[0]"});
    EXPECT_EQ(found(with(task, R"("controls": ["pair"])", R"("controls": ["base"])")),
              Keys{"no_control task.solution"});
}

TEST(LessonCheck, AsksForANumberThatCanBeSaid) {
    const std::string ask =
        R"("ask": {"text": {"en": "?"}, "guess": {"answer": "position", "from": 0, "to": 20},
        "then": {"scene": {"position": 10}}})";
    EXPECT_EQ(found(ask), Keys());
    EXPECT_EQ(found(with(ask, R"("to": 20)", R"("to": 9)")), Keys{"no_guess ask.guess"});
    EXPECT_EQ(found(with(ask, R"("position", "from")", R"("trained.length", "from")")),
              Keys{"no_guess ask.guess"});
}

TEST(LessonCheck, AnswersTheQuestion) {
    const std::string ask = R"("ask": {"text": {"en": "?"}, "choices": [
        {"text": {"en": "ten"}, "right": true, "verify": {"value": "position", "is": 10}},
        {"text": {"en": "nine"}, "says": {"en": "one less"}}], "then": {"scene": {"position": 10}}})";
    EXPECT_EQ(found(ask), Keys());
    EXPECT_EQ(found(with(ask, R"({"position": 10})", R"({"position": 11})")),
              Keys{"not_right ask.choices[0]"});
    EXPECT_EQ(found(with(ask, R"(, "says": {"en": "one less"})", "")), Keys{"no_reason ask.choices[1]"});
    EXPECT_EQ(found(with(ask, R"("says": {"en": "one less"})",
                         R"("says": {"en": "a"}, "verify": {"value": "position", "is": 9})")),
              Keys{"verify_wrong ask.choices[1]"});
}

TEST(LessonCheck, ReadsEveryNumber) {
    EXPECT_EQ(found(R"("text": {"en": "{trained.length}"})"), Keys{"no_value text"});
    EXPECT_EQ(
        found(R"("scene": {"d_model": 4096, "length": 1000000}, "line": {"zh": "{@gap.least}"})").size(), 1U);
}

}  // namespace
}  // namespace posiscope::lessons::check_test
