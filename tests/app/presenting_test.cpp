// Presenting and enlarging, as a lecturer works: keys, one event per frame.
#include "tests/app/allocations.hpp"
#include "tests/app/desk.hpp"
#include "tests/figures/recorder.hpp"

#include "app/workbench/teach/decks.hpp"
#include "app/workbench/window/scale.hpp"

#include <map>
#include <tuple>
#include <utility>

namespace posiscope::test::presenting_test {
namespace {

using workbench::Beat;
using workbench::Fold;

struct Lecture : Desk {
    explicit Lecture(std::string_view id = {}, int width = 800, int height = 500) : Desk({}, width, height) {
        if (!id.empty()) {
            key(ImGuiKey_G);
            auto scene = bench.teaching.guide().begin(id);
            bench.session.step(std::move(*scene));
            frame(2);
        }
        key(ImGuiKey_F5);
        frame(2);
    }
    const workbench::Presenting& lecture() const { return bench.lecture.presenting; }
    const workbench::Guide& guide() const {
        const workbench::Teaching& teaching = bench.teaching;
        return teaching.guide();
    }
    void next() { key(ImGuiKey_PageDown); }
    void back() { key(ImGuiKey_PageUp); }
};

TEST(Presenting, LeavesThePictureALineAndABar) {
    Lecture desk({}, 1200, 675);
    ASSERT_TRUE(desk.lecture().on());
    desk.control("band");
    desk.control("timeline");
    for (const panels::ControlMark& mark : desk.bench.stage.seen.controls)
        EXPECT_NE(mark.key, "d_model") << "no sidebar";
    EXPECT_EQ(desk.bench.lecture.headline(), std::string(desk.bench.stage.seen.headlines.front()));
    desk.key(ImGuiKey_Escape);
    desk.frame(2);
    EXPECT_FALSE(desk.lecture().on());
    desk.control("d_model");
}

TEST(Presenting, GoesBeatByBeatThereAndBack) {
    Lecture desk("clocks");
    EXPECT_EQ(desk.bench.layout.alone(), "rotations") << "the step's figure, alone";
    desk.next();
    desk.next();  // "which": its line repeats the question
    ASSERT_EQ(desk.guide().index(), 2U);
    EXPECT_EQ(desk.lecture().beat(), Beat::question);
    EXPECT_EQ(desk.scene().position, 10);
    desk.next();
    EXPECT_EQ(desk.lecture().beat(), Beat::reveal);
    EXPECT_EQ(desk.scene().position, 40);
    EXPECT_FALSE(desk.guide().progress().answer) << "a lecture is nobody's progress";
    desk.back();
    EXPECT_EQ(desk.lecture().beat(), Beat::question);
    EXPECT_EQ(desk.scene().position, 10);
    desk.next();
    desk.next();
    EXPECT_EQ(desk.guide().index(), 3U);
    EXPECT_EQ(desk.bench.layout.alone(), "matrix");
    desk.back();
    EXPECT_EQ(desk.lecture().beat(), Beat::reveal) << "back from the next step is the last beat";
    const workbench::Guide::Places places = desk.guide().places();
    for (int i = 0; i < 40 && desk.guide().lesson()->id == "clocks"; ++i) desk.next();
    EXPECT_EQ(desk.guide().lesson()->id, "entry") << "the next lesson, by the same key";
    EXPECT_EQ(desk.guide().index(), 0U);
    const panels::Band band = desk.bench.lecture.band(desk.bench.appearance.strings());
    EXPECT_EQ(band.planned, 60.0 * (7 + 6)) << "planned after the one before";
    desk.back();
    EXPECT_EQ(desk.guide().lesson()->id, "clocks");
    EXPECT_EQ(desk.guide().index() + 1, desk.guide().lesson()->steps.size()) << "and back to its end";
    EXPECT_EQ(desk.guide().places(), places) << "a lecture moves nobody's place";
    desk.key(ImGuiKey_F5);
    EXPECT_FALSE(desk.lecture().on());
    EXPECT_NE(desk.guide().lesson(), nullptr) << "and the lesson goes on in its pane";
}

TEST(Presenting, EveryBeatOfEveryLessonFitsTheBand) {
    for (const bool chinese : {false, true}) {
        Lecture desk("clocks");
        if (chinese) desk.key(ImGuiKey_L);
        std::vector<std::string> ids;
        for (const lessons::Lesson& lesson : desk.guide().known()) ids.push_back(lesson.id);
        for (const std::string& id : ids) {
            desk.key(ImGuiKey_F5);
            desk.bench.session.step(*desk.bench.teaching.begin(id));
            desk.frame(2);
            desk.key(ImGuiKey_F5);
            desk.frame(2);
            for (int beat = 0; beat < 40; ++beat) {
                const Rect band = desk.control("band");
                EXPECT_LE(band.height(), 80.5F) << id << " " << desk.guide().index();
                EXPECT_LE(band.y1, 98.0F);
                const auto before = std::pair(desk.guide().index(), desk.lecture().beat());
                desk.next();
                if (desk.guide().lesson()->id != id ||
                    before == std::pair(desk.guide().index(), desk.lecture().beat()))
                    break;
            }
        }
    }
}

TEST(Presenting, HoldsBackWhatWouldAnswer) {
    Lecture desk("clocks");
    desk.next();
    desk.next();
    ASSERT_EQ(desk.lecture().beat(), Beat::question);
    const auto says_headline = [&] {
        Recorder recorder;
        workbench::Shown shown{.controls = false, .figure = "rotations"};
        shown.on = &recorder;
        desk.frame_of(shown);
        return recorder.says("every hand rotates");
    };
    EXPECT_FALSE(says_headline());
    desk.next();
    EXPECT_EQ(desk.lecture().beat(), Beat::reveal);
    EXPECT_TRUE(says_headline());
}

TEST(Presenting, RemotesKeysBlankAndEndAndNothingElse) {
    Lecture desk("clocks");
    const Scene before = desk.scene();
    for (const ImGuiKey key : {ImGuiKey_B, ImGuiKey_Period}) {
        desk.key(key);
        EXPECT_TRUE(desk.lecture().blank());
        desk.key(key);
        EXPECT_FALSE(desk.lecture().blank());
    }
    desk.key(ImGuiKey_B);
    desk.next();
    EXPECT_FALSE(desk.lecture().blank()) << "paging shows the picture again";
    EXPECT_EQ(desk.guide().index(), 0U) << "where it was";
    EXPECT_EQ(desk.scene(), before);
    desk.key(ImGuiKey_B);
    desk.key(ImGuiKey_Escape);
    desk.frame(2);
    EXPECT_FALSE(desk.lecture().on());
    desk.key(ImGuiKey_B);
    desk.key(ImGuiKey_Period);
    EXPECT_FALSE(desk.lecture().blank()) << "outside of a lecture they do nothing";
}

// The bar comes with the lecture, which tells its keys, and with the mouse.
TEST(Presenting, TheBarComesWithTheMouseAndTurnsPages) {
    Lecture desk("clocks", 1200, 675);
    const auto bar = [&] {
        return std::ranges::find(desk.bench.stage.seen.controls, "slide_bar", &panels::ControlMark::key) !=
               desk.bench.stage.seen.controls.end();
    };
    EXPECT_TRUE(bar());
    desk.frame(400);
    EXPECT_FALSE(bar());
    desk.move({600.0F, 300.0F});
    desk.move({610.0F, 300.0F});
    desk.frame();
    EXPECT_TRUE(bar());
    desk.click(desk.control("slide:next_card").centre());
    EXPECT_EQ(desk.guide().index(), 1U);
    desk.click(desk.control("slide:previous_card").centre());
    EXPECT_EQ(desk.guide().index(), 0U);
    desk.click(desk.control("slide:notes").centre());
    EXPECT_TRUE(desk.bench.lecture.notes_shown());
    desk.click(desk.control("slide:laser").centre());
    EXPECT_TRUE(desk.bench.lecture.laser()) << "and stays";
    desk.click(desk.control("slide:laser").centre());
    EXPECT_FALSE(desk.bench.lecture.laser());
    desk.click(desk.control("slide:draw").centre());
    EXPECT_TRUE(desk.lecture().drawing.on);
    desk.click(desk.control("slide:leave").centre());
    EXPECT_FALSE(desk.lecture().on());
}

TEST(Presenting, ArrowsTurnPagesUnlessAControlHasTheKeyboard) {
    Lecture desk("clocks", 1200, 675);
    const std::int64_t position = desk.scene().position;
    desk.key(ImGuiKey_RightArrow);
    EXPECT_EQ(desk.guide().index(), 1U);
    desk.key(ImGuiKey_LeftArrow);
    EXPECT_EQ(desk.guide().index(), 0U);
    EXPECT_EQ(desk.scene().position, position);
    desk.key(ImGuiKey_Tab);
    desk.key(ImGuiKey_RightArrow);
    EXPECT_EQ(desk.guide().index(), 0U);
    Lecture bench;  // one page: they move the position
    const std::int64_t before = bench.scene().position;
    bench.key(ImGuiKey_RightArrow);
    EXPECT_EQ(bench.scene().position, before + 1);
}

// Each step of a deck has a picture and notes of its own.
TEST(Presenting, DecksShowAndSaySomethingNewAtEachStep) {
    for (const lessons::Lesson& known : workbench::known_decks()) {
        const auto deck = workbench::make_deck(known.id);
        ASSERT_TRUE(deck);
        std::string before;
        for (const lessons::Step& step : deck->steps) {
            EXPECT_FALSE(step.notes.en.empty()) << known.id << " " << step.id;
            EXPECT_FALSE(step.notes.zh.empty()) << known.id << " " << step.id;
            const std::string picture = step.figure + step.scene.dump();
            EXPECT_NE(picture, std::exchange(before, picture)) << known.id << " " << step.id;
        }
    }
}

TEST(Presenting, FiguresByNumberAndHandlesStayLive) {
    Lecture desk;
    desk.key(ImGuiKey_2);
    EXPECT_EQ(desk.bench.sizing.alone(), "matrix");
    desk.key(ImGuiKey_0);
    EXPECT_TRUE(desk.bench.sizing.alone().empty());
    desk.key(ImGuiKey_1);
    desk.frame(2);
    const Point hand = desk.handle("rotations", "position");
    desk.drag(hand, hand + Point{-30.0F, 150.0F});
    EXPECT_NE(desk.scene().position, 10);
}

TEST(Presenting, AStepByItsNumber) {
    Lecture desk("clocks");
    desk.key(ImGuiKey_7);
    EXPECT_EQ(desk.guide().index(), 0U) << "not before Enter";
    desk.key(ImGuiKey_Enter);
    EXPECT_EQ(desk.guide().index(), 6U);
    EXPECT_EQ(desk.lecture().beat(), Beat::line);
    EXPECT_EQ(desk.bench.layout.alone(), desk.guide().step()->figure);
    desk.key(ImGuiKey_1);
    desk.key(ImGuiKey_0);
    desk.key(ImGuiKey_KeypadEnter);
    EXPECT_EQ(desk.guide().index(), 9U);
    desk.key(ImGuiKey_9);
    desk.key(ImGuiKey_9);
    desk.key(ImGuiKey_Enter);
    EXPECT_EQ(desk.guide().index(), 9U) << "there is none";
    desk.key(ImGuiKey_2);
    desk.frame(300);  // five seconds
    desk.key(ImGuiKey_Enter);
    EXPECT_EQ(desk.guide().index(), 9U) << "forgotten by then";
    desk.key(ImGuiKey_0);
    EXPECT_TRUE(desk.bench.layout.alone().empty()) << "0 alone is the whole bench";
}

TEST(Presenting, AStepByItsNameAndAgain) {
    Lecture desk("clocks", 1280, 720);
    desk.key(ImGuiKey_M);
    desk.frame(2);
    desk.control("notes");
    desk.click(desk.control("notes:step3").centre());
    EXPECT_EQ(desk.guide().index(), 3U);
    EXPECT_EQ(desk.bench.layout.alone(), "matrix");
    desk.key(ImGuiKey_M);
    desk.frame(2);
    desk.back();
    EXPECT_EQ(desk.lecture().beat(), Beat::reveal);
    const Scene revealed = desk.scene();
    desk.key(ImGuiKey_R);
    desk.frame(2);
    EXPECT_EQ(desk.guide().index(), 2U);
    EXPECT_EQ(desk.lecture().beat(), Beat::question) << "its first beat";
    EXPECT_NE(desk.scene(), revealed);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, true);
    desk.key(ImGuiKey_R);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, false);
    desk.frame(2);
    EXPECT_EQ(desk.guide().index(), 0U);
}

// What a class says stays beside what is true, and is gone for the next class; what the lecturer once said alone is not seen.
TEST(Presenting, TheClassPutsPinsByNumbers) {
    Lecture desk("dot", 1280, 720);
    const auto& steps = desk.guide().lesson()->steps;
    const auto step =
        static_cast<std::size_t>(std::ranges::find(steps, "monotone", &lessons::Step::id) - steps.begin());
    desk.key(static_cast<ImGuiKey>(ImGuiKey_0 + static_cast<int>(step + 1)));
    desk.key(ImGuiKey_Enter);
    ASSERT_EQ(desk.guide().index(), step);
    while (desk.lecture().beat() != Beat::question) desk.next();
    for (const auto& [tens, ones] : {std::pair(ImGuiKey_4, ImGuiKey_0), {ImGuiKey_2, ImGuiKey_1}}) {
        desk.key(tens);
        desk.key(ones);
        desk.key(ImGuiKey_KeypadEnter);
    }
    EXPECT_EQ(desk.bench.layout.alone(), "scores") << "0 is a digit there, not the whole bench";
    const auto pins = [&] { return desk.bench.lecture.prediction("scores")->tried; };
    ASSERT_EQ(pins().size(), 2U);
    EXPECT_EQ(pins()[0], 40.0);
    EXPECT_EQ(pins()[1], 21.0);
    EXPECT_FALSE(desk.bench.lecture.prediction("scores")->seen) << "and nothing of the curve";
    desk.next();
    EXPECT_EQ(desk.lecture().beat(), Beat::reveal);
    EXPECT_EQ(pins().size(), 2U);
    EXPECT_TRUE(desk.guide().progress().said_before.empty()) << "a lecture is nobody's progress";
    desk.key(ImGuiKey_R);
    EXPECT_TRUE(pins().empty());
}

TEST(Presenting, NotesStandBesideThePicture) {
    for (const bool chinese : {false, true}) {
        Lecture desk("clocks", 1280, 720);
        if (chinese) desk.key(ImGuiKey_L);
        const float before = desk.tile("rotations").x0;
        desk.key(ImGuiKey_N);
        desk.frame(2);
        const Rect notes = desk.control("notes");
        EXPECT_GT(desk.tile("rotations").x0, before);
        EXPECT_GE(desk.tile("rotations").x0, notes.x1 - 1.0F) << "beside it, not over it";
        for (int i = 0; i < 60; ++i) {  // every step has room for its notes
            ASSERT_FALSE(desk.control("notes").empty());
            desk.next();
        }
    }
}

TEST(Presenting, DrawsOverThePictureAndDragsNothing) {
    Lecture desk;
    const Scene before = desk.scene();
    desk.key(ImGuiKey_D);
    const Point hand = desk.handle("rotations", "position");
    desk.drag(hand, hand + Point{-40.0F, 60.0F});
    EXPECT_EQ(desk.scene(), before) << "not in the Scene";
    ASSERT_EQ(desk.lecture().drawing.strokes.size(), 1U);
    EXPECT_GT(desk.lecture().drawing.strokes.front().size(), 3U);
    desk.key(ImGuiKey_E);
    EXPECT_TRUE(desk.lecture().drawing.empty());
    desk.key(ImGuiKey_D);
    desk.drag(hand, hand + Point{-40.0F, 60.0F});
    EXPECT_NE(desk.scene(), before) << "the mouse drags again";
}

TEST(Presenting, WhatIsDrawnStaysWithItsStep) {
    Lecture desk("clocks");
    desk.key(ImGuiKey_D);
    desk.drag({200.0F, 200.0F}, {260.0F, 240.0F});
    ASSERT_EQ(desk.lecture().drawing.strokes.size(), 1U);
    const auto drawn = desk.lecture().drawing.strokes;
    desk.next();
    EXPECT_TRUE(desk.lecture().drawing.empty()) << "a new page";
    EXPECT_TRUE(desk.lecture().drawing.on) << "the pen stays in the hand";
    desk.back();
    EXPECT_EQ(desk.lecture().drawing.strokes, drawn);
    desk.key(ImGuiKey_E);
    desk.next();
    desk.back();
    EXPECT_TRUE(desk.lecture().drawing.empty()) << "cleared for good";
}

TEST(Presenting, TheClockGoesByStepAndLessonAndBeginsAgain) {
    Lecture desk("clocks");
    const auto band = [&] { return desk.bench.lecture.band(desk.bench.appearance.strings()); };
    EXPECT_FALSE(band().clock);
    desk.frame(400);  // the bar goes
    EXPECT_FALSE(desk.last.ticking);
    const auto press_clock = [&] {
        ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, true);
        desk.key(ImGuiKey_N);
        ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, false);
        desk.frame(2);
    };
    press_clock();
    EXPECT_TRUE(band().clock);
    EXPECT_TRUE(desk.last.ticking) << "a frame a while, or it stands still";
    EXPECT_EQ(band().planned, 420.0);
    EXPECT_NEAR(band().planned_step, 42.0, 1e-9) << "ten steps share it alike";
    EXPECT_NEAR(band().planned_until, 42.0, 1e-9);
    desk.frame(60);
    EXPECT_GT(band().on_step, 1.0);
    EXPECT_GE(band().on_lesson, band().on_step);
    desk.next();
    desk.frame(2);
    EXPECT_LT(band().on_step, 0.5) << "of the new step";
    EXPECT_GT(band().on_lesson, 1.0);
    desk.key(ImGuiKey_Home);
    desk.frame(2);
    EXPECT_EQ(desk.guide().index(), 0U);
    EXPECT_EQ(desk.bench.layout.alone(), "rotations");
    EXPECT_EQ(desk.scene().position, 0);
    EXPECT_LT(band().on_lesson, 0.5);
    EXPECT_TRUE(band().clock) << "for the next class too";
    press_clock();
    EXPECT_FALSE(band().clock);
}

TEST(Presenting, LaserAndLensAreHeldKeys) {
    Lecture desk;
    desk.move({300.0F, 200.0F});
    ImGui::GetIO().AddKeyEvent(ImGuiKey_A, true);
    desk.frame(3);
    EXPECT_TRUE(desk.bench.lecture.laser());
    ImGui::GetIO().AddKeyEvent(ImGuiKey_A, false);
    desk.frame(2);
    EXPECT_FALSE(desk.bench.lecture.laser());
}

TEST(Presenting, AFrameThatChangesNothingAllocatesNothing) {
    Lecture desk("clocks");
    desk.bench.stage.seen.with_controls = false;
    desk.frame(4);
    const std::size_t before = allocations();
    desk.frame(3);
    EXPECT_EQ(allocations() - before, 0U);
}

// ---- enlarging ---------------------------------------------------------------------------------------------------

TEST(Enlarging, FoldsTheSidebarThenShowsOneFigure) {
    const workbench::Space space{.width = 1280, .height = 800};
    EXPECT_EQ(workbench::fit(space, 1.0), (workbench::Fitted{1.0F, Fold::none}));
    const auto folded = workbench::fit(space, workbench::next_scale(space, 1.0, 1));
    EXPECT_EQ(folded.fold, Fold::sidebar);
    EXPECT_GT(folded.scale, 1.1F);
    const double twice = workbench::next_scale(space, workbench::next_scale(space, 1.0, 1), 1);
    EXPECT_EQ(workbench::fit(space, twice).fold, Fold::bench);
    EXPECT_GT(workbench::fit(space, twice).scale, 1.3F);
    EXPECT_EQ(workbench::next_scale(space, twice, 1), twice) << "a limit";
    EXPECT_LT(workbench::next_scale(space, twice, -1), twice);
}

TEST(Enlarging, EveryStepShowsAndTheWayBackIsTheSame) {
    for (const auto& [width, height] :
         {std::pair(640, 400), {1024, 768}, {1280, 800}, {1366, 768}, {1920, 1080}, {2560, 1600}}) {
        const workbench::Space space{.width = width, .height = height};
        double user = 1.0;
        for (int i = 0; i < 40; ++i) {
            const double next = workbench::next_scale(space, user, 1);
            if (next == user) break;
            EXPECT_GE(workbench::fit(space, next).scale, workbench::fit(space, user).scale)
                << width << " " << next;
            EXPECT_GE(static_cast<int>(workbench::fit(space, next).fold),
                      static_cast<int>(workbench::fit(space, user).fold));
            user = next;
        }
        EXPECT_EQ(workbench::fit(space, user).fold, Fold::bench) << width;
    }
    const workbench::Space narrow{.width = 480, .height = 700, .presenting = true};
    EXPECT_EQ(workbench::fit(narrow, 1.0).fold, Fold::bench) << "a bench of 9-pixel words";
    EXPECT_GT(workbench::fit(narrow, 1.0).scale, 0.8F);
}

TEST(Enlarging, KeysChooseTheFigureOfAFoldedBench) {
    for (const bool presenting : {false, true}) {
        Desk desk({}, 480, 700);
        if (presenting) desk.key(ImGuiKey_F5);
        desk.bench.sizing.fit(480, 700, 1.0F);
        desk.frame(2);
        EXPECT_EQ(desk.bench.sizing.alone(), "rotations");
        desk.key(ImGuiKey_2);
        EXPECT_EQ(desk.bench.sizing.alone(), "matrix");
        desk.key(ImGuiKey_4);
        EXPECT_EQ(desk.bench.sizing.alone(), "scores");
    }
}

// By itself a window folds sooner than that its words shrink below 85 in 100.
TEST(Enlarging, AWindowFoldsInsteadOfShrinking) {
    for (const auto& [width, height, fold] : {std::tuple(1240, 740, Fold::none),
                                              {1100, 700, Fold::none},
                                              {1050, 740, Fold::sidebar},
                                              {1024, 768, Fold::sidebar},
                                              {960, 600, Fold::sidebar},
                                              {800, 600, Fold::beside},
                                              {760, 440, Fold::bench},
                                              {844, 390, Fold::bench},
                                              {640, 400, Fold::bench}})
        EXPECT_EQ(workbench::fit({.width = width, .height = height}, 1.0).fold, fold) << width;
    for (int width = 320; width < 2600; width += 13)
        for (int height = 400; height < 1700; height += 17)
            for (const bool sidebar : {false, true}) {
                const workbench::Space space{.width = width, .height = height, .sidebar = sidebar};
                const auto fitted = workbench::fit(space, 1.0);
                EXPECT_LE(fitted.scale, 1.0F) << width << " " << height;
                const bool room = sidebar ? width >= 663 && height >= 476 : width >= 646;
                EXPECT_TRUE(fitted.scale >= 0.85F || (!room && height < width) || width < 360 || height < 420)
                    << width << " " << height << " " << sidebar << " " << fitted.scale;
            }
}

// A telephone in the hand: words as large as on a desktop, one figure, and what else is asked for below it.
TEST(Enlarging, ANarrowWindowStacksWhatItHas) {
    for (const auto& [width, height, monitor] :
         {std::tuple(390, 844, 1.0F), {1170, 2532, 3.0F}, {360, 640, 1.0F}, {499, 900, 1.0F}}) {
        const auto fitted = workbench::fit({.width = width, .height = height, .monitor = monitor}, 1.0);
        EXPECT_EQ(fitted, (workbench::Fitted{monitor, Fold::bench, true})) << width;
    }
    EXPECT_LT(workbench::fit({.width = 320, .height = 568}, 1.0).scale, 1.0F) << "it must have room";
    EXPECT_FALSE(workbench::fit({.width = 844, .height = 390}, 1.0).upright) << "held across";
    for (const int width : {499, 500, 501, 768})
        EXPECT_TRUE(workbench::fit({.width = width, .height = 1024}, 1.0).upright)
            << "half a window, a tablet";
    EXPECT_FALSE(workbench::fit({.width = 390, .height = 844, .presenting = true}, 1.0).upright);
    const workbench::Space space{.width = 390, .height = 844};
    EXPECT_EQ(workbench::next_scale(space, 1.0, 1), 1.1) << "to the edge of its room";

    Desk desk({}, 390, 844);
    desk.bench.sizing.fit(390, 844, 1.0F);
    desk.frame(2);
    ASSERT_EQ(desk.bench.layout.tiles().size(), 1U);
    const Rect whole = desk.bench.layout.tiles()[0].area;
    EXPECT_GT(whole.width(), 350.0F);
    EXPECT_GT(whole.height(), 700.0F);
    desk.key(ImGuiKey_S);
    desk.bench.sizing.fit(390, 844, 1.0F);
    desk.frame(2);
    const Rect above = desk.bench.layout.tiles()[0].area;
    EXPECT_EQ(above.width(), whole.width()) << "the sidebar is below";
    EXPECT_LT(above.height(), 0.6F * whole.height());
    EXPECT_GT(above.height(), 320.0F);
}

// Two fingers take hold of the picture, whatever lies under them.
TEST(Panning, MovesThePictureAndNothingElse) {
    Scene scene;
    scene.position = 40;  // its line is under the fingers
    scene.view["matrix"] = {{"rows", {20.0, 60.0}}};
    Desk desk(scene);
    Rect tile;
    for (const workbench::Tile& one : desk.bench.layout.tiles())
        if (one.figure == "matrix") tile = one.area;
    ASSERT_FALSE(tile.empty());
    desk.bench.tiles.panning = true;
    desk.drag(tile.centre(), tile.centre() + Point{0.0F, -40.0F});
    desk.bench.tiles.panning = false;
    EXPECT_EQ(desk.bench.session.scene().position, scene.position);
    const Json rows = desk.bench.session.scene().view.at("matrix").at("rows");
    EXPECT_GT(rows[0].get<double>(), 20.5);
    EXPECT_NEAR(rows[1].get<double>() - rows[0].get<double>(), 40.0, 1e-9);
}

// In pixels, whatever the words do: what gives way makes room for every figure that stays.
TEST(Enlarging, NoFigureGetsLessOfTheWindow) {
    for (const auto& [width, height] : {std::pair(1280, 800), {1366, 768}, {1024, 768}, {640, 400}}) {
        const workbench::Space space{.width = width, .height = height};
        std::map<std::string_view, float> before;
        for (double user = 1.0, last = 0.0; user != last;
             last = user, user = workbench::next_scale(space, user, 1)) {
            const auto fitted = workbench::fit(space, user);
            Desk desk({}, static_cast<int>(static_cast<float>(width) / fitted.scale),
                      static_cast<int>(static_cast<float>(height) / fitted.scale));
            desk.bench.preferences.scale = user;
            desk.bench.sizing.fit(width, height, 1.0F);
            for (int key = ImGuiKey_1; key <= ImGuiKey_4; ++key) {
                if (fitted.fold == Fold::bench) desk.key(static_cast<ImGuiKey>(key));
                desk.frame(2);
                for (const workbench::Tile& tile : desk.bench.layout.tiles()) {
                    const float area = tile.area.width() * tile.area.height() * fitted.scale * fitted.scale;
                    float& kept = before[tile.figure];
                    EXPECT_GE(area, 0.97F * kept) << tile.figure << " at " << user << " of " << width;
                    kept = std::max(kept, area);
                }
            }
        }
    }
}

TEST(Enlarging, PresentingIsLargeEnoughToRead) {
    // 12 points from ascent to descent are the smallest that figures draw.
    for (const bool alone : {false, true}) {
        const auto fitted =
            workbench::fit({.width = 1280, .height = 800, .presenting = true, .alone = alone}, 1.0);
        EXPECT_GE(fitted.scale * 12.0F, 18.0F) << alone;
        EXPECT_TRUE(!alone || fitted.scale == 1.6F) << fitted.scale;
    }
}

TEST(Enlarging, ALimitIsSaidAndNothingIsKeptOfIt) {
    Desk desk;
    desk.bench.sizing.fit(1280, 800, 1.0F);
    for (int i = 0; i < 8; ++i) {
        desk.key(ImGuiKey_Equal, true);
        desk.bench.sizing.fit(1280, 800, 1.0F);
    }
    EXPECT_FALSE(desk.bench.notices.empty());
    EXPECT_LT(desk.bench.preferences.scale, 1.5);
    EXPECT_EQ(desk.bench.sizing.alone(), "rotations");
    desk.key(ImGuiKey_S);
    desk.bench.sizing.fit(1280, 800, 1.0F);
    desk.frame(2);
    desk.control("d_model");
}

}  // namespace
}  // namespace posiscope::test::presenting_test
