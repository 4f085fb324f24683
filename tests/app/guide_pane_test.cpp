// Lessons in the sidebar's place, as people use them: by mouse, one event per frame.
#include "tests/app/allocations.hpp"
#include "tests/app/desk.hpp"
#include "tests/figures/finished.hpp"
#include "tests/figures/recorder.hpp"

#include "app/ui/known.hpp"
#include "app/workbench/teach/decks.hpp"
#include "core/cost.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <imgui_internal.h>
#include <set>
#include <thread>

namespace posiscope::test::guide_pane_test {
namespace {

struct Lesson : Desk {
    explicit Lesson(std::string_view id) {
        key(ImGuiKey_G);
        press(id);
    }
    using Desk::press;
    void press(std::string_view control) {
        click(this->control(control).centre());
        frame(2);
    }
    const workbench::Guide& guide() const { return bench.teaching.guide(); }
};

TEST(GuidePane, TakesTheSidebarsPlaceAndGivesItBack) {
    Desk desk;
    const Rect tile = desk.tile("matrix");
    desk.key(ImGuiKey_G);
    desk.control("clocks");
    EXPECT_EQ(desk.tile("matrix"), tile) << "no tile moves";
    desk.click(desk.control("guide:close").centre());
    desk.frame(2);
    desk.control("d_model");
}

// The card of the first start: no control lies below it, in any language and at any size that has a sidebar.
TEST(GuidePane, TheFirstOfferCoversNoControl) {
    for (const auto& [width, height] : {std::pair(1280, 800), {1000, 760}, {1920, 1080}})
        for (const char* language : {"en", "zh"})
            for (const char* encoding : {"sinusoidal", "rope"}) {
                SCOPED_TRACE(fmt::format("{} {} {} {}", width, height, language, encoding));
                Desk desk(overlay(Scene(), {{"encoding", encoding}, {"content", "seeded"}})->scene, width,
                          height);
                desk.bench.preferences.language = language;
                desk.bench.preferences.lessons_offered = false;
                desk.frame(3);
                const Rect lesson = desk.control("offer:lesson"), no = desk.control("offer:no");
                const Rect card{lesson.x0 - 14.0F, no.y0 - 4.0F, no.x1 + 4.0F, lesson.y1 + 12.0F};
                const ImGuiWindow* panel = nullptr;
                for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
                    if (std::string_view(window->Name).find("##panel") != std::string_view::npos)
                        panel = window;
                ASSERT_NE(panel, nullptr);
                EXPECT_LE(panel->OuterRectClipped.Max.y, card.y0);
                // What lies farther down is reached by the wheel.
                for (int turns = 0; turns < 12; ++turns) desk.wheel({100.0F, 300.0F}, -3.0F);
                float lowest = 0.0F;
                for (const panels::ControlMark& mark : desk.bench.stage.seen.controls)
                    if (!mark.key.starts_with("offer:") && mark.key != "play" && mark.area.x1 < 290.0F)
                        lowest = std::max(lowest, mark.area.y1);
                EXPECT_LE(lowest, card.y0);
                desk.click(desk.control("offer:no").centre());
                desk.frame(2);
                EXPECT_GT(panel->OuterRectClipped.Max.y, card.y1);
            }
}

TEST(GuidePane, AQuestionIsAnsweredAndItsSceneIsOneStep) {
    Lesson desk("clocks");
    EXPECT_EQ(desk.scene().position, 0);
    desk.press("guide:next");
    desk.press("guide:next");
    ASSERT_EQ(desk.guide().index(), 2U);
    desk.press("guide:choice1");
    EXPECT_EQ(desk.guide().progress().answer, 1U);
    EXPECT_TRUE(desk.guide().asks()) << "a wrong choice does not end the thinking";
    EXPECT_EQ(desk.scene().position, 10);
    desk.press("guide:choice0");
    EXPECT_FALSE(desk.guide().asks());
    EXPECT_EQ(desk.scene().pair, 0);
    EXPECT_EQ(desk.scene().position, 40);
    desk.press("guide:choice1");
    EXPECT_EQ(desk.guide().progress().answer, 0U) << "the right answer stays";
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.scene().position, 10) << "one undo step brings back the question's scene";
    EXPECT_EQ(desk.guide().progress().answer, 0U) << "and takes no progress";
    desk.press("guide:again");
    EXPECT_EQ(desk.scene().position, 40);
    const auto progress = desk.bench.teaching.take_changed();
    ASSERT_TRUE(progress);
    EXPECT_EQ(progress->at("now"), desk.guide().progress_json());
    EXPECT_TRUE(progress->at("found").at("lessons").empty()) << "another window may have written since";
    EXPECT_FALSE(desk.bench.teaching.take_changed());
}

// A lesson that was opened by mistake goes with its Scene: no text stays beside another's numbers.
TEST(GuidePane, UndoLeavesALessonThatWasOpened) {
    Desk desk;
    desk.bench.preferences.lessons_offered = false;
    desk.frame(2);
    const Scene before = desk.scene();
    const workbench::Guide& guide = desk.bench.teaching.guide();
    desk.click(desk.control("offer:lesson").centre());
    desk.frame(2);
    ASSERT_NE(guide.lesson(), nullptr);
    const Scene first = desk.scene();
    desk.click(desk.control("guide:next").centre());
    desk.frame(2);
    ASSERT_EQ(guide.index(), 1U);
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.scene(), first);
    EXPECT_EQ(guide.index(), 0U) << "the step before, and its text";
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.scene(), before);
    EXPECT_EQ(guide.lesson(), nullptr);
    EXPECT_FALSE(guide.open()) << "as it was";
    EXPECT_FALSE(desk.bench.session.can_undo());
    desk.key(ImGuiKey_Y, true);
    EXPECT_EQ(desk.scene(), first);
    ASSERT_NE(guide.lesson(), nullptr);
    EXPECT_TRUE(guide.open());
}

TEST(GuidePane, ALessonThatIsClosedOffersWhatWasThereBefore) {
    Lesson desk("clocks");
    const Scene before = overlay(Scene(), Json::object())->scene;
    ASSERT_NE(desk.scene(), before);
    desk.press("guide:leave");
    EXPECT_EQ(desk.guide().lesson(), nullptr);
    desk.press("question_yes");
    EXPECT_EQ(desk.scene(), before);
    desk.key(ImGuiKey_Z, true);
    EXPECT_NE(desk.scene(), before);
    EXPECT_EQ(desk.guide().lesson(), nullptr) << "back to where it was asked";
    desk.key(ImGuiKey_Z, true);
    EXPECT_NE(desk.guide().lesson(), nullptr);
    // Whoever goes on elsewhere is not asked any more.
    desk.press("guide:leave");
    (void)desk.control("question_yes");
    desk.key(ImGuiKey_RightArrow);
    desk.frame(40);
    for (const panels::ControlMark& mark : desk.bench.stage.seen.controls)
        EXPECT_NE(mark.key, "question_yes");
}

TEST(GuidePane, AFigureThatWasAloneIsSoAgainAfterALesson) {
    for (const bool undo : {false, true}) {
        Desk desk;
        desk.bench.layout.show_alone("scores");
        desk.frame(2);
        desk.key(ImGuiKey_G);
        desk.click(desk.control("why").centre());
        desk.frame(2);
        ASSERT_EQ(desk.bench.layout.alone(), "attention");
        if (undo) {
            desk.key(ImGuiKey_Z, true);
        } else {
            desk.click(desk.control("guide:leave").centre());
            desk.frame(2);
            EXPECT_EQ(desk.bench.layout.alone(), "") << "the lesson’s bench is another";
            desk.click(desk.control("question_yes").centre());
        }
        desk.frame(2);
        EXPECT_EQ(desk.bench.layout.alone(), "scores");
    }
}

TEST(GuidePane, TheWordsOfALessonAreThoseOfTheWindow) {
    const Json english{"dog", "bites", "man"}, chinese{"狗", "咬", "人"};
    Lesson desk("why");
    const auto words = [&] { return desk.scene().content.parameters.at("text"); };
    EXPECT_EQ(words(), english);
    desk.bench.preferences.language = "zh";
    desk.frame(3);
    EXPECT_EQ(words(), chinese);
    EXPECT_FALSE(desk.guide().astray(desk.scene()));
    desk.press("guide:step3");
    EXPECT_EQ(words(), chinese);
    desk.bench.preferences.language = "en";
    desk.frame(3);
    EXPECT_EQ(words(), english);
}

// While presenting too, the step and its beat go with the Scene.
TEST(GuidePane, UndoInALectureGoesBackToItsStep) {
    Lesson desk("clocks");
    desk.key(ImGuiKey_F5);
    desk.frame(2);
    const Scene first = desk.scene();
    for (int turns = 0; turns < 6 && desk.guide().index() == 0; ++turns) desk.key(ImGuiKey_PageDown);
    ASSERT_EQ(desk.guide().index(), 1U);
    ASSERT_NE(desk.scene(), first);
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.scene(), first);
    EXPECT_EQ(desk.guide().index(), 0U);
    EXPECT_TRUE(desk.bench.lecture.on());
}

TEST(GuidePane, AfterAWrongChoiceTheAnswerCanBeShown) {
    Lesson desk("clocks");
    desk.press("guide:step2");
    desk.press("guide:choice1");
    desk.press("guide:solution");
    EXPECT_FALSE(desk.guide().asks());
    EXPECT_EQ(desk.scene().position, 40);
}

TEST(GuidePane, ItsMapNamesTheSteps) {
    Lesson desk("clocks");
    desk.press("guide:map");
    desk.press("guide:name6");
    EXPECT_EQ(desk.guide().index(), 6U);
    for (const panels::ControlMark& mark : desk.bench.stage.seen.controls)
        EXPECT_FALSE(mark.key.starts_with("guide:name")) << "it closes";
}

// "The outputs change places" answers the question before it.
TEST(GuidePane, ItsMapNamesNoAnswer) {
    Lesson desk("why");
    desk.press("guide:map");
    desk.control("guide:name1");
    desk.control("guide:name2:hidden");
    desk.press("guide:name1");
    desk.press("guide:choice2");
    desk.press("guide:map");
    desk.control("guide:name2");
    desk.control("guide:name5:hidden");
}

TEST(GuidePane, ATestEndsInItsResults) {
    for (const char* language : {"en", "zh"}) {
        SCOPED_TRACE(language);
        Lesson desk("test");
        desk.bench.preferences.language = language;
        desk.frame(2);
        std::vector<Scene> asked;
        for (std::size_t i = 0; i < 10; ++i) {
            const auto& choices = desk.guide().step()->question->choices;
            const auto right = std::ranges::find(choices, true, &lessons::Choice::right) - choices.begin();
            if (i == 4) desk.press(fmt::format("guide:choice{}", right == 0 ? 1 : 0));
            desk.press(fmt::format("guide:choice{}", right));
            asked.push_back(desk.guide().own_scene());
            desk.press("guide:next");
        }
        EXPECT_TRUE(desk.guide().step()->results);
        desk.press("guide:copy");
        EXPECT_TRUE(std::string(ImGui::GetClipboardText()).ends_with(",9,10,1,1,1,1,0,1,1,1,1,1\n"));
        desk.press("guide:result4");
        EXPECT_EQ(desk.guide().index(), 4U) << "its question";
        desk.press("guide:step10");
        desk.press("guide:taught4");
        EXPECT_EQ(desk.guide().lesson()->id, "dot");
        EXPECT_EQ(desk.guide().step()->id, "sign");
        desk.press("guide:leave");
        EXPECT_TRUE(desk.guide().step()->results) << "back at the results";
        desk.press("guide:retry");
        EXPECT_EQ(desk.guide().index(), 4U);
        EXPECT_TRUE(desk.guide().asks());
        EXPECT_NE(desk.guide().told_scene(), asked[4]) << "with another number";
        desk.press("guide:step10");
        desk.press("guide:anew");
        EXPECT_EQ(desk.guide().index(), 0U);
        EXPECT_TRUE(desk.guide().asks());
        EXPECT_EQ(desk.guide().done_of(*desk.guide().lesson()).done, 0U);
    }
}

TEST(GuidePane, AfterItsTaskAStepHasOtherNumbers) {
    Lesson desk("shift");
    desk.press("guide:step6");
    ASSERT_EQ(desk.guide().step()->id, "undo");
    for (const panels::ControlMark& mark : desk.bench.stage.seen.controls)
        EXPECT_NE(mark.key, "guide:redraw");
    std::set<std::int64_t> offsets;
    for (int n = 0; n < 6; ++n) {
        Scene solved = desk.scene();
        solved.view["shift"]["second"] = -solved.offset;
        desk.bench.session.step(solved);
        desk.frame(3);
        EXPECT_TRUE(desk.guide().met());
        offsets.insert(solved.offset);
        desk.press("guide:redraw");
        EXPECT_FALSE(desk.guide().met());
    }
    EXPECT_GE(offsets.size(), 2U);
}

// Of a lesson, the step of that id.
std::string dot_of(const Lesson& desk, std::string_view id) {
    const auto& steps = desk.guide().lesson()->steps;
    return fmt::format("guide:step{}", std::ranges::find(steps, id, &lessons::Step::id) - steps.begin());
}
bool has_control(const Desk& desk, std::string_view key) {
    return std::ranges::any_of(desk.bench.stage.seen.controls,
                               [&](const panels::ControlMark& mark) { return mark.key == key; });
}
// A number is said before it is seen; what was said stays beside what is true.
TEST(GuidePane, ANumberIsGuessedByMouseAndByKeys) {
    Lesson desk("clocks");
    desk.press(dot_of(desk, "slowest"));
    ASSERT_TRUE(desk.guide().step()->question->guess);
    const auto has = [&](std::string_view key) {
        return std::ranges::any_of(desk.bench.stage.seen.controls,
                                   [&](const panels::ControlMark& mark) { return mark.key == key; });
    };
    EXPECT_FALSE(has("guide:guess")) << "nothing was said yet";
    const Scene before = desk.scene();
    const Rect track = desk.control("guess");
    desk.click({track.x0 + 0.4F * track.width(), track.centre().y});
    desk.frame(2);
    EXPECT_EQ(desk.scene(), before) << "a guess is no setting";
    desk.key(ImGuiKey_RightArrow);
    desk.frame(2);
    desk.press("guide:guess");
    EXPECT_TRUE(desk.guide().asks()) << "47 117 is more than 5000 away";
    ASSERT_EQ(desk.guide().progress().said_before.size(), 1U);
    EXPECT_NEAR(desk.guide().progress().said_before[0].said, 40000.0, 1500.0);
    EXPECT_EQ(desk.guide().progress().tries, 1);
    desk.press("guide:solution");
    EXPECT_FALSE(desk.guide().asks());
    EXPECT_EQ(desk.scene().pair, 31);
    EXPECT_FALSE(has("guess"));
    workbench::Guide later(ui::known_lessons());
    later.take_progress(desk.guide().progress_json());
    later.begin_at("clocks/slowest");
    EXPECT_EQ(later.progress(), desk.guide().progress());
    desk.press("guide:redraw");
    EXPECT_TRUE(desk.guide().asks());
    EXPECT_FALSE(has("guide:guess")) << "the next one is not said before";
}

// Points of all lines that the figure of the step draws, as a picture: with a curve they are more than a frame's.
std::size_t points_drawn(Desk& desk) {
    Recorder canvas;
    workbench::Shown shown{.figure = "scores", .plain = true};
    shown.on = &canvas;
    desk.frame_of(shown);
    EXPECT_TRUE(canvas.finite());
    return canvas.line_points;
}
// Answers the question of the step that is on, by mouse.
void answer_rightly(Lesson& desk) {
    const lessons::Question& question = *desk.guide().source().step->question;
    if (question.cards) {
        const auto laid_out = question.cards->laid_out(desk.guide().progress().seed);
        for (std::size_t card = 0; card < laid_out.size(); ++card)
            desk.press(fmt::format("guide:card{}", std::ranges::find(laid_out, card) - laid_out.begin()));
    } else if (question.sketch) {
        const Point middle = desk.handle("scores", "prediction");
        desk.drag(middle - Point{250.0F, 60.0F}, middle + Point{250.0F, 40.0F}, 40);
        desk.press("guide:guess");
    } else if (question.guess) {  // whatever is said; then the answer is asked for
        desk.click(question.guess->axis ? desk.handle("scores", "prediction")
                                        : desk.control("guess").centre());
        desk.frame(2);
        desk.press("guide:guess");
        if (desk.guide().asks()) desk.press("guide:solution");
    } else {
        desk.press(
            fmt::format("guide:choice{}", std::ranges::find(question.choices, true, &lessons::Choice::right) -
                                              question.choices.begin()));
    }
}

// Puts the pin at that place of the step's axis, which goes from `from` to `to` over the plot.
void put_pin(Lesson& desk, double at) {
    const auto said = [&] { return **desk.bench.teaching.prediction("scores", true, false)->pin; };
    desk.click(desk.handle("scores", "prediction"));
    desk.frame(2);
    const auto drag_by = [&](float pixels) {
        const Point pin = desk.handle("scores", "prediction");
        desk.drag(pin, pin + Point{pixels, 0.0F});
        desk.frame(2);
    };
    const double before = said();
    drag_by(120.0F);
    const double pixels = 120.0 / (said() - before);
    drag_by(static_cast<float>(pixels * (at - said())));
    ASSERT_EQ(said(), at);
}

// A place on the axis is said by a pin before any curve is drawn. A wrong one is answered by its own numbers and turns hollow; the
// curve is seen as far as one step past it, and the next try follows.
TEST(GuidePane, APinIsPutOnTheAxisBeforeTheCurveIsSeen) {
    Lesson desk("dot");
    desk.press(dot_of(desk, "monotone"));
    ASSERT_TRUE(desk.guide().asks());
    const std::size_t without = points_drawn(desk);
    desk.frame(2);
    EXPECT_FALSE(has_control(desk, "guide:guess")) << "no pin was put yet";
    const Scene before = desk.scene();
    put_pin(desk, 20.0);
    EXPECT_EQ(desk.scene(), before) << "a pin is no setting";
    desk.press("guide:guess");
    desk.frame(2);
    ASSERT_TRUE(desk.guide().asks()) << "a wrong one leaves the question open";
    EXPECT_FALSE(has_control(desk, "guide:guess")) << "the next try is said anew";
    EXPECT_TRUE(has_control(desk, "guide:solution")) << "and the answer can be shown";
    const auto said = [&] {
        return desk.bench.teaching.view(desk.scene(), desk.bench.appearance.strings())->words->said;
    };
    EXPECT_EQ(said(), "You said 20. From 20 to one more the score still falls: 157.57 to 155.64.");
    const figures::Prediction* asked = desk.bench.teaching.prediction("scores", true, false);
    ASSERT_EQ(asked->tried.size(), 1U);
    EXPECT_EQ(asked->tried[0], 20.0);
    EXPECT_EQ(asked->seen, 21.0);
    const std::size_t partly = points_drawn(desk);
    EXPECT_GT(partly, without + 20) << "the curve as far as it";
    put_pin(desk, 50.0);
    desk.press("guide:guess");
    desk.frame(2);
    EXPECT_EQ(said(), "You said 50. It has risen before 50 already; the first time is asked for.");
    workbench::Guide later(ui::known_lessons());
    later.take_progress(desk.guide().progress_json());
    later.begin_at("dot/monotone");
    ASSERT_EQ(later.progress().said_before.size(), 2U);
    EXPECT_EQ(later.progress().said_before, desk.guide().progress().said_before);
    EXPECT_GT(later.progress().said_before[0].at, 1'700'000'000) << "when it was said";

    put_pin(desk, 43.0);
    desk.press("guide:guess");
    desk.frame(2);
    EXPECT_FALSE(desk.guide().asks());
    EXPECT_EQ(desk.guide().progress().said, 43.0);
    EXPECT_EQ(said(), "You said 43, and that is right.");
    EXPECT_EQ(desk.bench.teaching.guide().answer_of("dot/monotone"), workbench::Guide::Answer::wrong)
        << "not at the first try";
    EXPECT_EQ(desk.scene().offset, 43);
    EXPECT_GT(points_drawn(desk), without + 64) << "the curve is there";
}

// A lesson that was changed asks afresh: what was said of other numbers would be answered by the wrong ones.
TEST(GuidePane, TriesOfAnotherSceneAreNotThoseOfThisOne) {
    workbench::Guide guide(ui::known_lessons());
    guide.begin_at("dot/monotone");
    (void)guide.guess(20.0, 1'800'000'000);
    Json kept = guide.progress_json();
    ASSERT_EQ(kept["lessons"]["dot"]["monotone"]["said_before"].size(), 1U);
    kept["lessons"]["dot"]["monotone"]["said_before"].push_back({{"said", 30}, {"at", 1}, {"scene", 12345}});
    kept["lessons"]["dot"]["monotone"]["said_before"].push_back({{"said", "x"}, {"at", -1}});
    workbench::Guide later(ui::known_lessons());
    later.take_progress(kept);
    later.begin_at("dot/monotone");
    ASSERT_EQ(later.progress().said_before.size(), 1U);
    EXPECT_EQ(later.progress().said_before[0].said, 20.0);
}

TEST(GuidePane, ACurveIsSketchedThenSeenBesideTheTrueOne) {
    Lesson desk("dot");
    desk.press(dot_of(desk, "shape"));
    const std::size_t without = points_drawn(desk);
    desk.frame(2);
    const Point middle = desk.handle("scores", "prediction");
    desk.drag(middle, middle + Point{40.0F, 0.0F}, 10);
    desk.frame(2);
    EXPECT_FALSE(has_control(desk, "guide:guess")) << "too little of it is drawn";
    desk.press("guide:erase");
    EXPECT_FALSE(has_control(desk, "guide:erase"));
    answer_rightly(desk);
    EXPECT_FALSE(desk.guide().asks());
    const figures::Sketch drawn = desk.guide().progress().sketch;
    EXPECT_GT(drawn.size(), figures::kSketchPlaces / 2);
    EXPECT_TRUE(std::ranges::is_sorted(drawn));
    EXPECT_GT(drawn.front().second, drawn.back().second) << "as the hand went: downwards";
    EXPECT_GT(points_drawn(desk), without + 64) << "the curve is there";
    workbench::Guide later(ui::known_lessons());
    later.take_progress(desk.guide().progress_json());
    later.begin_at("dot/shape");
    EXPECT_EQ(later.progress().sketch, drawn);
}

// What is kept between starts may have been written by anything.
TEST(GuidePane, AWildSketchOrPinStaysInThePlot) {
    for (const char* kept :
         {R"({"shape": {"done": true, "sketch": [[0, 1e300], [1e300, -1e300], [-5, 3], [64, 9]]}})",
          R"({"shape": {"done": true, "sketch": [[1], "x", [3, null], {}]}})",
          R"({"monotone": {"done": true, "said": 1e300}})",
          R"({"monotone": {"done": true, "said": -1e300}})"}) {
        Lesson desk("dot");
        desk.bench.teaching.guide().take_progress({{"lessons", {{"dot", Json::parse(kept)}}}});
        for (const char* id : {"shape", "monotone"}) {
            desk.press(dot_of(desk, id));
            EXPECT_GT(points_drawn(desk), 0U);
            desk.frame(2);
        }
    }
}

TEST(GuidePane, CardsArePutInOrder) {
    for (const auto& [lesson, step] : {std::pair("clocks", "order"), {"kinds", "when"}}) {
        Lesson desk(lesson);
        desk.press(dot_of(desk, step));
        for (const char* card : {"guide:card0", "guide:card1", "guide:card2"}) desk.press(card);
        EXPECT_TRUE(desk.guide().asks()) << "never laid out in the right order";
        EXPECT_EQ(desk.guide().progress().tries, 1);
        desk.press("guide:card0");
        desk.press("guide:card0");  // taken back
        answer_rightly(desk);
        EXPECT_FALSE(desk.guide().asks());
        EXPECT_EQ(desk.guide().progress().tries, 1);
    }
}

TEST(GuidePane, AStepHasItsFigureAloneUntilTheBenchIsAskedFor) {
    Lesson desk("clocks");
    EXPECT_EQ(desk.bench.layout.alone(), "rotations");
    desk.press("guide:step3");
    EXPECT_EQ(desk.bench.layout.alone(), "matrix");
    desk.key(ImGuiKey_0);
    desk.frame(2);
    EXPECT_EQ(desk.bench.layout.alone(), "") << "the whole bench";
    desk.press("guide:next");
    EXPECT_EQ(desk.bench.layout.alone(), "waves");
    desk.press("guide:leave");
    EXPECT_EQ(desk.bench.layout.alone(), "");
}

TEST(GuidePane, AStepThatSpeaksOfTwoFiguresShowsThoseTwo) {
    Lesson desk("unique");
    std::size_t at = 0;
    while (desk.guide().lesson()->steps[at].id != "one") ++at;
    desk.press(fmt::format("guide:step{}", at));
    desk.frame(2);
    ASSERT_EQ(desk.guide().step()->id, "one");
    const auto tiles = desk.bench.layout.tiles();
    ASSERT_EQ(tiles.size(), 2U);
    EXPECT_EQ(tiles[0].figure, "scores");
    EXPECT_EQ(tiles[1].figure, "rotations");
    EXPECT_NEAR(tiles[0].area.width(), tiles[1].area.width(), 1.0F);
    EXPECT_NEAR(tiles[0].area.height(), tiles[1].area.height(), 1.0F);
    EXPECT_TRUE(tiles[0].area.x1 < tiles[1].area.x0 || tiles[0].area.y1 < tiles[1].area.y0);
    desk.key(ImGuiKey_0);
    desk.frame(2);
    EXPECT_EQ(desk.bench.layout.tiles().size(), 4U) << "the whole bench";
    desk.press("guide:next");
    EXPECT_EQ(desk.bench.layout.beside(), desk.guide().step()->id == "many" ? "rotations" : "");
}

TEST(GuidePane, ATaskIsJudgedWhenADragEnds) {
    Lesson desk("clocks");
    desk.press("guide:step7");
    const Rect track = desk.control("pair");
    const auto at = [&](double pair) {
        return Point{track.x0 + static_cast<float>(pair / 255.0) * track.width(), track.centre().y};
    };
    desk.drag(at(10), at(200), 12);  // past the answer
    EXPECT_FALSE(desk.guide().progress().done);
    EXPECT_EQ(desk.guide().progress().tries, 1);
    desk.drag(at(200), at(77), 12);
    for (int i = 0; i < 8 && desk.scene().pair != 77; ++i)
        desk.key(desk.scene().pair < 77 ? ImGuiKey_DownArrow : ImGuiKey_UpArrow);
    ASSERT_EQ(desk.scene().pair, 77);
    EXPECT_TRUE(desk.guide().progress().done);
}

TEST(GuidePane, ASuccessIsNotSaidOfALaterScene) {
    Lesson desk("dot");
    desk.press(dot_of(desk, "rise"));
    ASSERT_TRUE(desk.guide().step()->task);
    auto& teaching = desk.bench.teaching;
    const Strings strings(Language::english);
    const auto well = [&] { return teaching.view(desk.scene(), strings)->words->well; };
    desk.bench.session.step(*teaching.guide().solution());
    desk.frame(2);
    const std::string said = well();
    EXPECT_NE(said, "");
    const Rect track = desk.control("offset");
    desk.begin_drag({track.x0 + 130.0F, track.centre().y}, {track.x0 + 200.0F, track.centre().y});
    EXPECT_EQ(well(), said) << "not while a drag is on";
    desk.release();
    EXPECT_EQ(well(), "");
    desk.press("guide:again");
    EXPECT_EQ(well(), "");
    EXPECT_EQ(desk.scene(), desk.guide().own_scene());
}

TEST(GuidePane, PageDownGoesOnWithTheNextLesson) {
    Lesson desk("clocks");
    const std::size_t steps = desk.guide().lesson()->steps.size();
    for (std::size_t i = 0; i < steps; ++i) desk.key(ImGuiKey_PageDown);
    ASSERT_NE(desk.guide().lesson(), nullptr);
    EXPECT_EQ(desk.guide().lesson()->id, "entry");
    desk.press("guide:leave");
    desk.control("clocks");
}

TEST(GuidePane, TheAnswerToATaskMovesNoControl) {
    Lesson desk("clocks");
    desk.press("guide:step7");
    const Rect track = desk.control("pair");
    desk.drag(track.min(), {track.x0 + 154.0F / 255.0F * track.width(), track.centre().y}, 12);
    ASSERT_EQ(desk.guide().progress().tries, 1);
    desk.frame(2);
    EXPECT_EQ(desk.control("pair"), track);
}

// Tab takes the keyboard through the pane, Enter presses, arrows step a slider, PgDn and PgUp go from step to step.
struct Keyboard : Desk {
    bool reach(std::string_view control) {
        for (int i = 0; i < 60; ++i) {
            const ImGuiWindow* const window = ImGui::GetCurrentContext()->NavWindow;
            if (window != nullptr && ImGui::GetCurrentContext()->NavIdIsAlive && shows(control)) {
                const ImRect at =
                    ImGui::WindowRectRelToAbs(const_cast<ImGuiWindow*>(window), window->NavRectRel[0]);
                const Point centre = this->control(control).centre();
                if (at.Contains(ImVec2(centre.x, centre.y))) return true;
            }
            key(ImGuiKey_Tab);
            frame();
        }
        return false;
    }
    bool shows(std::string_view control) const {
        return std::any_of(bench.stage.seen.controls.begin(), bench.stage.seen.controls.end(),
                           [&](const panels::ControlMark& mark) { return mark.key == control; });
    }
    void enter(std::string_view control) {
        ASSERT_TRUE(reach(control)) << control;
        key(ImGuiKey_Enter);
        frame(2);
    }
    const workbench::Guide& guide() const { return bench.teaching.guide(); }
};

TEST(GuidePane, KeysAloneLeadThroughALesson) {
    Keyboard desk;
    desk.key(ImGuiKey_G);
    desk.enter("clocks");
    ASSERT_NE(desk.guide().lesson(), nullptr);
    desk.frame(4);
    desk.key(ImGuiKey_Enter);
    desk.frame(4);
    EXPECT_EQ(desk.guide().index(), 1U) << "Next has the keyboard then";
    desk.key(ImGuiKey_PageDown);
    ASSERT_EQ(desk.guide().index(), 2U);
    desk.enter("guide:choice0");
    EXPECT_EQ(desk.guide().progress().answer, 0U);
    for (int i = 0; i < 5; ++i) desk.key(ImGuiKey_PageDown);
    ASSERT_EQ(desk.guide().index(), 7U);
    ASSERT_TRUE(desk.reach("pair"));
    const auto before = desk.scene().pair;
    desk.key(ImGuiKey_RightArrow);
    EXPECT_EQ(desk.scene().pair, before + 1) << "an arrow steps the slider";
    desk.key(ImGuiKey_RightArrow);
    EXPECT_EQ(desk.scene().pair, before + 2) << "and stays on it";
    while (desk.scene().pair < 77 && desk.scene().pair > before) desk.key(ImGuiKey_RightArrow);
    EXPECT_TRUE(desk.guide().progress().done);
    desk.enter("guide:next");
    EXPECT_EQ(desk.guide().index(), 8U);
    desk.enter("guide:leave");
    EXPECT_EQ(desk.guide().lesson(), nullptr);
}

TEST(GuidePane, AllControlsUnfoldAndTheLanguageMayChange) {
    Lesson desk("clocks");
    desk.press("guide:controls");
    desk.control("d_model");
    desk.key(ImGuiKey_L);
    desk.press("guide:controls");
    desk.press("guide:leave");
    desk.control("why");
}

// A learner who has only a mouse: presses what a control is, and turns the wheel over it.
struct MouseOnly : Lesson {
    using Lesson::Lesson;
    bool done() const { return guide().met().has_value(); }

    // Each line of the list that a control opens, from above, until the task is done.
    void choose(std::string_view key) {
        for (float y = 12.0F; !done(); y += 22.0F) {
            click(control(key).centre());
            frame(2);
            const ImGuiContext& context = *ImGui::GetCurrentContext();
            if (context.OpenPopupStack.empty()) return;
            const ImRect list = context.OpenPopupStack.back().Window->Rect();
            if (list.Min.y + y > std::min(list.Max.y, 800.0F)) return click({640.0F, 2.0F});
            click({list.Min.x + 30.0F, list.Min.y + y});
            frame(2);
            if (!context.OpenPopupStack.empty()) click({640.0F, 2.0F});  // a heading
        }
    }
    // By the track as near as a point leads, then by notches of the wheel.
    void slide(std::string_view key, double wanted) {
        const auto now = [&] {
            const Json value = lessons::scene_value(to_json(scene()), key);
            return value.is_number() ? value.get<double>() : 0.0;
        };
        const Rect track = control(key);
        float from = 0.0F, to = track.width();
        while (to - from > 1.0F && !done()) {
            const float middle = std::floor(0.5F * (from + to));
            drag({track.x0 + middle + 0.5F, track.centre().y}, {track.x0 + middle + 0.5F, track.centre().y},
                 1);
            (now() < wanted ? from : to) = middle;
        }
        for (int notch = 0; notch < 40 && !done(); ++notch) {
            wheel(track.centre(), now() < wanted ? 1.0F : -1.0F);
            frame(45);  // a run of the wheel ends with a pause
        }
    }
};

TEST(GuidePane, EveryTaskIsSolvedByMouseWithTheControlsOfItsStep) {
    for (const bool chinese : {false, true}) {
        MouseOnly desk("clocks");
        if (chinese) desk.key(ImGuiKey_L);
        int tasks = 0;
        for (const lessons::Lesson& lesson : desk.guide().known())
            for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
                const auto& task = lesson.steps[i].task;
                if (!task) continue;
                SCOPED_TRACE(fmt::format("{} {} {}", lesson.id, i + 1, chinese ? "zh" : "en"));
                ++tasks;
                (void)desk.bench.teaching.begin(lesson.id);
                desk.bench.session.open(*desk.bench.teaching.guide().go_to(i));
                desk.frame(3);
                ASSERT_FALSE(desk.done());
                for (const std::string& key : lesson.steps[i].controls) {
                    if (desk.done()) break;
                    const Scene solved = *lessons::step_scene_with(lesson, lesson.steps[i], task->solution);
                    const Json wanted = lessons::scene_value(to_json(solved), key);
                    if (wanted.is_number()) desk.slide(key, wanted.get<double>());
                    else if (key == "causal") desk.click(desk.control(key).centre());
                    else desk.choose(key);
                }
                EXPECT_TRUE(desk.done());
            }
        EXPECT_GE(tasks, 12);
    }
}

// What has no room beside a lesson is scrolled to; nothing is drawn over the way back.
TEST(GuidePane, AllControlsLeaveTheWayBackFree) {
    for (const bool chinese : {false, true}) {
        Lesson desk("stretch");
        if (chinese) desk.key(ImGuiKey_L);
        const std::size_t steps = desk.guide().lesson()->steps.size();
        for (std::size_t i = 0; i < steps; ++i) {
            desk.press(fmt::format("guide:step{}", i));
            SCOPED_TRACE(i);
            desk.press("guide:controls");
            const float foot = desk.control("guide:controls").y0;
            for (int turns = 0; turns < 30; ++turns) desk.wheel({14.0F, 400.0F}, -3.0F);
            EXPECT_LE(desk.control("pair").y1, foot) << "the last one is reached";
            desk.press("guide:controls");
            EXPECT_TRUE(ImGui::GetCurrentContext()->OpenPopupStack.empty());
            for (const panels::ControlMark& mark : desk.bench.stage.seen.controls)
                EXPECT_NE(mark.key, "d_model") << "the step is back";
        }
    }
}

// Every step of every lesson fits the pane of the smallest usual window, in both languages: what is pressed stays above the
// foot.
TEST(GuidePane, EveryStepFits) {
    for (const bool chinese : {false, true}) {
        Lesson desk("clocks");
        if (chinese) desk.key(ImGuiKey_L);
        desk.frame(2);
        const Rect next = desk.control("guide:next");
        desk.press("guide:leave");
        std::vector<std::string> ids;
        for (const lessons::Lesson& lesson : desk.guide().known()) ids.push_back(lesson.id);
        for (const std::string& id : ids) {
            (void)desk.bench.teaching.begin(id);
            desk.frame(2);
            const std::size_t steps = desk.guide().lesson()->steps.size();
            for (std::size_t i = 0; i < steps; ++i) {
                if (desk.guide().asks()) answer_rightly(desk);
                const float foot = desk.control("guide:controls").y0;
                EXPECT_EQ(desk.control("guide:next"), next) << id << " " << i << ": Next has moved";
                const std::vector<std::string>& own = desk.guide().step()->controls;
                for (const panels::ControlMark& mark : desk.bench.stage.seen.controls) {
                    const bool in_step = mark.key.starts_with("guide:choice") ||
                                         mark.key.starts_with("guide:card") ||
                                         std::find(own.begin(), own.end(), mark.key) != own.end();
                    // The timeline has a position of its own.
                    if (!in_step || mark.area.x0 > panels::kLessonColumn || mark.area.y0 > 740.0F) continue;
                    EXPECT_LE(mark.area.y1, foot) << id << " " << i << ": " << mark.key;
                }
                if (i + 1 < steps) desk.press("guide:next");
            }
            desk.press("guide:leave");
        }
    }
}

// A step points at the handle of k in Scores; where k is out of that picture's view, at the picture.
TEST(GuidePane, APointOutOfViewIsNotRingedThere) {
    Desk desk;
    desk.key(ImGuiKey_G);
    auto& teaching = desk.bench.teaching;
    (void)teaching.begin("look-around");
    const auto& steps = teaching.guide().lesson()->steps;
    const auto step = std::ranges::find_if(steps, [](const auto& one) {
        return std::ranges::find(one.point, "scores:offset") != one.point.end();
    });
    ASSERT_NE(step, steps.end());
    (void)teaching.guide().go_to(static_cast<std::size_t>(step - steps.begin()));
    desk.bench.session.open(overlay(Scene(), Json::parse(R"({"length": 2147483647, "offset": 41564190,
        "view": {"scores": {"range": [93, 221]}}})"))
                                ->scene);
    desk.frame(3);
    for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists)
        for (const ImDrawVert& corner : list->VtxBuffer) ASSERT_LT(std::abs(corner.pos.x), 1e5F);
}

// The claims of some notes take half a second to measure.
TEST(GuidePane, ADeckOfANoteComesWithoutAFrameThatIsLong) {
    Desk desk;
    figures::Background background([] {});
    desk.bench.work_in(background);
    desk.key(ImGuiKey_G);
    auto& teaching = desk.bench.teaching;
    for (const lessons::Lesson& deck : workbench::known_decks()) {
        teaching.guide().leave();
        background.begin_frame();
        double before = work_done();
        if (auto scene = teaching.begin(deck.id)) desk.bench.session.step(std::move(*scene));
        EXPECT_LE(work_done() - before, 2.0 * figures::kFrameWork) << deck.id;
        for (int frames = 0; frames < 3; ++frames) {
            while (background.working()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            background.begin_frame();
            before = work_done();
            desk.frame();
            EXPECT_LE(work_done() - before, 2.0 * figures::kFrameWork) << deck.id;
        }
        ASSERT_NE(teaching.guide().lesson(), nullptr) << deck.id;
        EXPECT_EQ(teaching.guide().lesson()->id, deck.id);
        EXPECT_FALSE(teaching.guide().lesson()->steps.empty());
    }
}

// A lesson may come by mail: whatever its texts and tasks name, no frame computes it, and a text or a judgement ends.
TEST(GuidePane, AnyLessonFitsInAFrame) {
    const auto wide = [](std::string_view scene, std::string_view step) {
        return fmt::format(R"({{"lesson": 1, "scene": {}, "steps": [{{{}}}, {{{}}}]}})", scene, step, step);
    };
    std::string places;
    for (int i = 0; i < 100; ++i) places += "{unseen.count} ";
    std::string ranks;
    for (int i = 0; i < 8; ++i) ranks += R"({"value": "rank", "at_least": 0}, )";
    const std::string text = R"("text": {"en": "{score.first_rise} is far"})";
    for (const std::string& json :
         {wide(R"({"d_model": 65536, "length": 128})", text),
          wide(R"({"encoding": "rope", "d_model": 65536, "num_heads": 1, "length": 2147483647,
                   "trained": {"length": 4096}})",
               fmt::format(R"("text": {{"en": "{}"}})", places)),
          wide(R"({"d_model": 2048, "length": 2048})", R"("text": {"en": "{@rank:3} {position}"})"),
          wide("{}", R"("text": {"en": "$$$_$ $^{$ $M_{{pair}}$ $a_{b_c} $$ _{"})"),
          wide(R"({"d_model": 1024, "length": 1024})",
               fmt::format(R"("text": {{"en": "x"}}, "task": {{"goal": {{"en": "do"}}, "done":
                   {{"all": [{} {{"value": "position", "is": 99}}]}}}})",
                           ranks))}) {
        SCOPED_TRACE(json.substr(0, 120));
        auto read = lessons::parse_lesson(json);
        ASSERT_TRUE(read) << to_string(read.error());
        Desk desk;
        figures::Background background([] {});
        desk.bench.work_in(background);
        desk.key(ImGuiKey_G);
        const auto frames = [&](int count) {
            for (int i = 0; i < count; ++i) {
                background.begin_frame();
                const double before = work_done();
                desk.frame();
                EXPECT_LE(work_done() - before, 2.0 * figures::kFrameWork);
            }
        };
        auto& teaching = desk.bench.teaching;
        desk.bench.session.step(
            *teaching.begin(std::make_shared<const lessons::Lesson>(std::move(*read)), "x"));
        frames(3);
        ImGui::GetIO().AddKeyEvent(ImGuiKey_PageDown, true);
        frames(1);
        ImGui::GetIO().AddKeyEvent(ImGuiKey_PageDown, false);
        frames(3);
        ASSERT_EQ(teaching.guide().index(), 1U);
        // A task is judged: not true, once that is known.
        Scene moved = desk.scene();
        moved.position = 11;
        desk.bench.session.edit(std::move(moved));
        frames(3);
        for (int rounds = 0; rounds < 4; ++rounds) {
            ASSERT_TRUE(finished(background));
            frames(2);
        }
        EXPECT_EQ(teaching.guide().progress().tries, teaching.guide().step()->task ? 1 : 0);
        EXPECT_FALSE(teaching.guide().progress().done);
        const panels::GuideView* view = teaching.view(desk.scene(), desk.bench.appearance.strings());
        EXPECT_EQ(view->words->text.find("…"), std::string::npos) << view->words->text;
    }
}

// "every point is drawn": a tile, a handle in it, or a control of the pane.
TEST(GuidePane, EveryPointIsThere) {
    Desk desk;
    desk.key(ImGuiKey_G);
    for (const lessons::Lesson& lesson : desk.bench.teaching.guide().known())
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            if (lesson.steps[i].point.empty()) continue;
            (void)desk.bench.teaching.begin(lesson.id);
            desk.bench.session.open(*desk.bench.teaching.guide().go_to(i));
            desk.frame(2);
            std::size_t controls = 0;
            for (const std::string& point : lesson.steps[i].point) {
                const auto colon = point.find(':');
                const std::string figure = point.substr(0, colon);
                if (figure == "sidebar") {
                    ++controls;
                    continue;
                }
                const auto tiles = desk.bench.layout.tiles();
                EXPECT_TRUE(std::ranges::any_of(tiles, [&](const auto& t) { return t.figure == figure; }))
                    << lesson.id << " " << i << ": " << point;
                const auto& handles = desk.bench.stage.seen.handles;
                EXPECT_TRUE(colon == std::string::npos ||
                            std::ranges::any_of(handles,
                                                [&](const figures::HandleMark& mark) {
                                                    return mark.figure == figure &&
                                                           mark.handle == point.substr(colon + 1);
                                                }))
                    << lesson.id << " " << i << ": " << point;
            }
            EXPECT_EQ(desk.bench.stage.seen.pointed.size(), controls) << lesson.id << " " << i;
        }
}

TEST(GuidePane, AFrameThatChangesNothingAllocatesNothing) {
    Lesson desk("clocks");
    desk.press("guide:step2");
    desk.bench.stage.seen.with_controls = false;
    desk.frame(4);
    const std::size_t before = allocations();
    desk.frame(3);
    EXPECT_EQ(allocations() - before, 0U);
}

}  // namespace
}  // namespace posiscope::test::guide_pane_test
