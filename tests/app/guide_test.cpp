// The guide on its own: no window, no workbench.
#include "app/ui/known.hpp"
#include "app/workbench/teach/guide.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace posiscope::workbench::guide_test {
namespace {

void judge(Guide& guide, const Scene& now) {
    guide.judge(now, {lessons::named_by(*guide.step()->task), lessons::ValueInput(now), lessons::kTextWork});
}

TEST(Guide, WalksALessonAndGoesOnWithTheFollowingOne) {
    Guide guide(ui::known_lessons());
    EXPECT_FALSE(guide.begin("nothing"));
    auto scene = guide.begin("clocks");
    ASSERT_TRUE(scene);
    EXPECT_TRUE(guide.open());
    EXPECT_EQ(scene->position, 0);
    EXPECT_FALSE(guide.back()) << "there is nothing before the first step";
    const std::size_t steps = guide.lesson()->steps.size();
    for (std::size_t i = 1; i < steps; ++i) {
        ASSERT_TRUE(guide.next()) << i;
        EXPECT_EQ(guide.index(), i);
    }
    ASSERT_NE(guide.following(), nullptr);
    EXPECT_TRUE(guide.next());
    EXPECT_EQ(guide.lesson()->id, "entry");
    EXPECT_EQ(guide.index(), 0U);
    guide.begin("table");
    EXPECT_EQ(guide.following(), nullptr);
    while (guide.lesson() != nullptr) guide.next();
    EXPECT_FALSE(guide.step()) << "after the last lesson comes the list";
}

TEST(Guide, AStepIsTheSameHoweverItIsReached) {
    Guide guide(ui::known_lessons());
    guide.begin("clocks");
    const auto forward = guide.go_to(3);
    guide.go_to(6);
    const auto backward = guide.back();
    EXPECT_EQ(backward, guide.go_to(5));
    EXPECT_EQ(guide.go_to(3), forward);
}

TEST(Guide, AnAnswerRevealsAndIsKept) {
    Guide guide(ui::known_lessons());
    guide.begin("clocks");
    guide.go_to(2);
    const Scene before = guide.own_scene();
    EXPECT_FALSE(guide.answer(9));
    EXPECT_FALSE(guide.answer(1)) << "a wrong choice shows nothing";
    EXPECT_TRUE(guide.asks());
    EXPECT_EQ(guide.progress().answer, 1U);
    EXPECT_EQ(guide.done_of(*guide.lesson()).done, 0U);
    EXPECT_EQ(guide.own_scene(), before);
    {
        Guide shown = guide;
        EXPECT_TRUE(shown.solution()) << "Show me";
        EXPECT_TRUE(shown.answered());
    }
    const auto revealed = guide.answer(0);
    ASSERT_TRUE(revealed);
    EXPECT_EQ(revealed->pair, 0);
    EXPECT_NE(*revealed, before);
    guide.next();
    EXPECT_EQ(*guide.back(), *revealed);
    EXPECT_EQ(guide.progress().answer, 0U);
    EXPECT_EQ(guide.done_of(*guide.lesson()).done, 1U);

    Guide later(ui::known_lessons());
    later.take_progress(guide.progress_json());
    later.begin("clocks");
    later.go_to(2);
    EXPECT_EQ(later.progress().answer, 0U);
}

TEST(Guide, ALessonGoesOnWhereItWasLeft) {
    Guide guide(ui::known_lessons());
    guide.begin("clocks");
    const auto left = guide.go_to(3);
    guide.leave();
    guide.begin("entry");
    EXPECT_EQ(guide.begin("clocks"), left);
    Guide later(ui::known_lessons());
    later.take_progress(guide.progress_json());
    EXPECT_EQ(later.begin("clocks"), left) << "in the next session too";
    while (later.lesson() != nullptr) later.next();
    later.begin("clocks");
    EXPECT_EQ(later.index(), 0U) << "after its end it begins anew";
    Guide damaged(ui::known_lessons());
    damaged.take_progress(
        *parse_json(R"({"lessons": {}, "places": {"clocks": 3, "entry": "no such step"}})"));
    damaged.begin("clocks");
    EXPECT_EQ(damaged.index(), 0U);
}

TEST(Guide, ATaskIsJudgedByItsSceneAndSlipsAreSaid) {
    Guide guide(ui::known_lessons());
    guide.begin_at("clocks/find");
    ASSERT_TRUE(guide.step()->task);
    Scene now = guide.own_scene();
    judge(guide, now);
    EXPECT_EQ(guide.progress().tries, 0) << "nothing was tried yet";
    now.pair = 154;
    judge(guide, now);
    EXPECT_NE(guide.slip(), nullptr);
    EXPECT_FALSE(guide.wants_hint());
    for (const std::int64_t pair : {40, 50}) {
        now.pair = pair;
        judge(guide, now);
    }
    EXPECT_EQ(guide.slip(), nullptr);
    EXPECT_TRUE(guide.wants_hint());
    EXPECT_TRUE(guide.astray(now));
    EXPECT_FALSE(guide.astray(*guide.again()));
    now = *guide.solution();
    judge(guide, now);
    EXPECT_TRUE(guide.progress().done);
    EXPECT_FALSE(guide.wants_hint());
}

// What is said of a success is said of the Scene that had it, and asked again once that is gone.
TEST(Guide, ATaskThatIsUndoneIsOpenAgain) {
    Guide guide(ui::known_lessons());
    guide.begin_at("clocks/find");
    const Scene solved = *guide.solution();
    judge(guide, solved);
    EXPECT_EQ(guide.met(), solved);
    Scene later = solved;
    later.pair = 154;
    judge(guide, later);
    EXPECT_FALSE(guide.met());
    EXPECT_NE(guide.slip(), nullptr);
    judge(guide, solved);
    EXPECT_EQ(guide.met(), solved);
    ASSERT_TRUE(guide.again());
    EXPECT_FALSE(guide.met());
    EXPECT_TRUE(guide.progress().done) << "that it was done once is kept";
    judge(guide, solved);
    guide.next();
    guide.back();
    EXPECT_FALSE(guide.met()) << "a step begins with its task open";
}

TEST(Guide, ARecalledQuestionIsAskedInItsOwnScene) {
    Guide guide(ui::known_lessons());
    const auto scene = guide.begin("entry");
    ASSERT_TRUE(scene);
    EXPECT_EQ(guide.source().lesson->id, "clocks");
    EXPECT_EQ(guide.source().step->id, "which");
    const auto revealed = guide.answer(0);
    ASSERT_TRUE(revealed);
    EXPECT_EQ(revealed->position, 40);
    guide.begin("clocks");
    guide.go_to(2);
    EXPECT_FALSE(guide.progress().answer) << "recalling is not the first answer";
}

TEST(Guide, DamagedProgressIsLeftOut) {
    Guide guide(ui::known_lessons());
    for (const char* text :
         {"[]", "{}", R"({"lessons": 3})", R"({"lessons": {"clocks": 3}})",
          R"({"lessons": {"clocks": {"which": 3}}})",
          R"({"lessons": {"clocks": {"which": {"answer": 99, "done": "yes", "tries": -1}}}})"})
        guide.take_progress(*parse_json(text));
    guide.begin("clocks");
    guide.go_to(2);
    EXPECT_EQ(guide.progress(), StepProgress{});
}

TEST(Guide, TakesALecturersOwn) {
    Guide guide(ui::known_lessons());
    auto own = lessons::parse_lesson(
        R"({"lesson": 1, "steps": [{"scene": {"position": 3}}, {"text": {"en": "x"}}]})");
    ASSERT_TRUE(own);
    EXPECT_EQ(guide.begin(std::make_shared<const lessons::Lesson>(std::move(*own)))->position, 3);
    EXPECT_EQ(guide.next()->position, Scene().position);
    EXPECT_TRUE(guide.progress_json()["lessons"].empty()) << "its file may be another one at the next start";
}

// A lecturer's copy of a known lesson keeps its id, and may have steps that the known one lacks.
TEST(Guide, ALessonOfOnesOwnIsItsOwnWhateverItsIdIs) {
    const lessons::Lesson& known = *ui::find_lesson("clocks");
    Guide guide(ui::known_lessons());
    guide.begin(known.id);
    guide.go_to(1);
    const Json before = guide.progress_json();
    lessons::Lesson copied = known;
    const auto asking = std::ranges::find_if(
        known.steps, [](const lessons::Step& step) { return step.question.has_value(); });
    ASSERT_NE(asking, known.steps.end());
    copied.steps.push_back(*asking);
    for (const std::size_t index :
         {copied.steps.size() - 1, static_cast<std::size_t>(asking - known.steps.begin())}) {
        guide.begin(std::make_shared<const lessons::Lesson>(copied));
        ASSERT_TRUE(guide.go_to(index));
        EXPECT_FALSE(guide.progress().answer);
        ASSERT_TRUE(guide.answer(0));
        EXPECT_EQ(guide.progress().answer, 0U);
        EXPECT_EQ(guide.done_of(*guide.lesson()).done, 1U);
        EXPECT_EQ(guide.done_of(known).done, 0U) << "the learner's own progress is another";
        EXPECT_EQ(guide.progress_json(), before);
    }
    while (guide.lesson() != nullptr) guide.next();
    EXPECT_EQ(guide.progress_json(), before);
    guide.begin(known.id);
    EXPECT_EQ(guide.index(), 1U);
    guide.go_to(static_cast<std::size_t>(asking - known.steps.begin()));
    EXPECT_FALSE(guide.progress().answer);
}

// Ten questions with numbers of their own, counted by their first answers; those that were missed come again with others.
TEST(Guide, ATestDrawsCountsAndAsksAgain) {
    Guide guide(ui::known_lessons());
    guide.set_chance(7);
    ASSERT_TRUE(guide.begin("test"));
    const std::size_t last = guide.lesson()->steps.size() - 1;
    const auto right_of = [&] {
        const auto& choices = guide.step()->question->choices;
        return static_cast<std::size_t>(std::ranges::find(choices, true, &lessons::Choice::right) -
                                        choices.begin());
    };
    std::vector<lessons::Step> asked;
    for (std::size_t i = 0; i < last; ++i) {
        ASSERT_TRUE(guide.asks()) << i;
        asked.push_back(*guide.step());
        if (i == 2 || i == 5) guide.answer(right_of() == 0 ? 1 : 0);
        EXPECT_EQ(guide.answer_of(i), i == 2 || i == 5 ? Guide::Answer::wrong : Guide::Answer::none);
        guide.answer(right_of());
        EXPECT_EQ(guide.answer_of(i), i == 2 || i == 5 ? Guide::Answer::wrong : Guide::Answer::right);
        guide.next();
    }
    EXPECT_TRUE(guide.step()->results);
    EXPECT_EQ(guide.answer_of("dot/sign"), Guide::Answer::none) << "that lesson was not asked";

    Guide later(ui::known_lessons());
    later.take_progress(guide.progress_json());
    ASSERT_TRUE(later.begin("test"));
    EXPECT_TRUE(later.step()->results) << "it goes on where it was left";
    later.go_to(3);
    EXPECT_EQ(*later.step(), asked[3]) << "with the numbers that were answered";

    ASSERT_TRUE(later.redraw_all(false));
    EXPECT_EQ(later.index(), 2U) << "the first that was missed";
    EXPECT_TRUE(later.asks());
    EXPECT_NE(*later.step(), asked[2]);
    later.go_to(3);
    EXPECT_FALSE(later.asks()) << "what was right stays";
    ASSERT_TRUE(later.redraw_all(true));
    EXPECT_EQ(later.index(), 0U);
    for (std::size_t i = 0; i < last; ++i) EXPECT_EQ(later.answer_of(i), Guide::Answer::none);
}

TEST(Guide, ATaskIsSetAgainWithOtherNumbers) {
    Guide guide(ui::known_lessons());
    guide.begin_at("shift/undo");
    EXPECT_FALSE(guide.can_redraw()) << "nothing was tried";
    judge(guide, *guide.solution());
    ASSERT_TRUE(guide.met());
    ASSERT_TRUE(guide.can_redraw());
    const lessons::Step before = *guide.step();
    std::set<std::int64_t> offsets;
    for (int n = 0; n < 12; ++n) {
        const auto scene = guide.redraw();
        ASSERT_TRUE(scene);
        offsets.insert(scene->offset);
        EXPECT_FALSE(guide.met());
        judge(guide, *guide.solution());
        EXPECT_TRUE(guide.met()) << scene->offset;
    }
    EXPECT_GE(offsets.size(), 3U);
}

}  // namespace
}  // namespace posiscope::workbench::guide_test
