// The session alone: when edits are made, what is one step, what is said of it, and B beside A.
#include "app/workbench/document/session.hpp"

#include <gtest/gtest.h>

namespace posiscope::workbench {
namespace {

Scene at(const Scene& scene, std::int64_t position) {
    Scene next = scene;
    next.position = position;
    return next;
}

TEST(Session, AnEditWaitsUntilEverythingIsDrawn) {
    Session session{Scene()};
    session.begin();
    session.edit(at(session.shown(), 40));
    EXPECT_EQ(session.scene().position, 10) << "the next tile of this frame draws what the first one drew";
    const auto applied = session.apply(false, false);
    EXPECT_EQ(session.scene().position, 40);
    EXPECT_TRUE(applied.stepped);
    EXPECT_FALSE(session.apply(false, false).stepped) << "once";
}

TEST(Session, EditsOfOneFrameDoNotUndoEachOther) {
    Session session{Scene()};
    session.begin();
    session.edit(at(session.shown(), 40));
    Scene wider = session.shown();
    wider.d_model = 64;
    session.edit(wider);
    session.apply(false, false);
    EXPECT_EQ(session.scene().position, 40);
    EXPECT_EQ(session.scene().d_model, 64);
}

TEST(Session, ADragIsOneStepAndUndoTakesItBack) {
    Session session{Scene()};
    for (const std::int64_t position : {20, 30, 40}) {
        session.begin();
        session.edit(at(session.shown(), position));
        EXPECT_FALSE(session.apply(true, true).stepped);
    }
    EXPECT_EQ(session.settled().position, 10) << "a drag edits the scene it began with";
    EXPECT_TRUE(session.apply(false, false).stepped);
    session.begin();
    session.undo();
    EXPECT_TRUE(session.apply(false, false).stepped);
    EXPECT_EQ(session.scene().position, 10);
    session.redo();
    session.apply(false, false);
    EXPECT_EQ(session.scene().position, 40);
    EXPECT_FALSE(session.can_redo());
}

// Opening, stepping and leaving a lesson are entries of the same history, and each Scene keeps its step.
TEST(Session, AStepOfALessonGoesWithItsScene) {
    const lessons::Lesson lesson;
    const auto in = [&](std::size_t step) { return LessonPlace{&lesson, step, nullptr, true}; };
    Session session{Scene()};
    session.begin();
    session.step(at(session.scene(), 20));
    session.apply(false, false, in(0));
    session.edit(at(session.shown(), 25));
    session.apply(false, false, in(0));
    session.step(at(session.scene(), 30));
    session.apply(false, false, in(1));
    EXPECT_TRUE(session.apply(false, false, {}).stepped) << "it was left, and the Scene stays";
    ASSERT_NE(session.before_lesson(), nullptr);
    EXPECT_EQ(session.before_lesson()->position, 10);
    LessonPlace now;
    const auto undone = [&](void (Session::*how)() = &Session::undo) {
        (session.*how)();
        const auto applied = session.apply(false, false, now);
        EXPECT_TRUE(applied.place);
        now = applied.place.value_or(LessonPlace());
        return session.scene().position;
    };
    EXPECT_EQ(undone(), 30);
    EXPECT_EQ(now, in(1));
    EXPECT_EQ(undone(), 25);
    EXPECT_EQ(now, in(0));
    EXPECT_EQ(undone(), 20);
    EXPECT_EQ(undone(), 10);
    EXPECT_EQ(now, LessonPlace());
    EXPECT_FALSE(session.can_undo());
    EXPECT_EQ(undone(&Session::redo), 20);
    EXPECT_EQ(now, in(0));
}

// Playing, a held key: what is under way is what undo takes back, not the step before it.
TEST(Session, UndoTakesBackWhatIsUnderWay) {
    Session session{Scene()};
    session.begin();
    session.edit(at(session.shown(), 20));
    session.apply(false, false);
    for (const std::int64_t position : {21, 22, 23}) {
        session.begin();
        session.edit(at(session.shown(), position));
        session.apply(false, true);
    }
    EXPECT_TRUE(session.can_undo());
    session.begin();
    session.edit(at(session.shown(), 24));  // it moves in the same frame
    session.undo();
    EXPECT_TRUE(session.apply(false, false).stepped);
    EXPECT_EQ(session.scene().position, 20);
    session.redo();
    session.apply(false, false);
    EXPECT_EQ(session.scene().position, 24);
    session.undo();
    session.undo();
    session.apply(false, false);
    EXPECT_EQ(session.scene().position, 10);
}

TEST(Session, PlayingIsSaidAtOnceButIsOneStep) {
    Session session{Scene()};
    session.begin();
    session.edit(at(session.shown(), 11), {{"pair.reach", {}}});
    const auto applied = session.apply(false, true);
    EXPECT_FALSE(applied.stepped);
    EXPECT_EQ(applied.said.size(), 1U);
}

TEST(Session, OfADragOnlyItsLastEditIsSaidWhenItEnds) {
    Session session{Scene()};
    for (const char* key : {"first", "second"}) {
        session.begin();
        session.edit(session.shown(), {{key, {}}});
        EXPECT_TRUE(session.apply(true, true).said.empty());
    }
    EXPECT_TRUE(session.apply(true, true).said.empty()) << "held still";
    EXPECT_EQ(session.apply(false, false).said, (std::vector<Problem>{{"second", {}}}));
}

// 0.47 of a head of 130 features is 61: an odd number cannot be rotated in pairs.
TEST(Session, AnEditThatTheEncodingRefusesIsNotMadeButSaid) {
    Session session{overlay(Scene(), {{"encoding", {{"kind", "rope"}, {"partial_rotary_factor", 0.47}}},
                                      {"d_model", 4096},
                                      {"num_heads", 32}})
                        ->scene};
    session.begin();
    Scene next = session.shown();
    next.d_model = 4160;
    session.edit(next);
    const auto applied = session.apply(false, false);
    EXPECT_EQ(session.scene().d_model, 4096);
    EXPECT_FALSE(applied.stepped);
    ASSERT_EQ(applied.said.size(), 1U);
    EXPECT_EQ(applied.said[0].key, "rotary_dim.odd");
}

TEST(Session, ValuesThatDependMoveAlongAndAreSaid) {
    Session session{Scene()};
    session.begin();
    Scene next = session.shown();
    next.pair = 255;
    session.edit(next);
    session.apply(false, false);
    next.d_model = 64;
    session.begin();
    session.edit(next);
    const auto applied = session.apply(false, false);
    EXPECT_EQ(session.scene().pair, 31);
    EXPECT_FALSE(applied.said.empty());
}

TEST(Session, WhatIsOpenedIsAStepOfItsOwn) {
    Session session{Scene()};
    session.open(at(Scene(), 77));
    EXPECT_EQ(session.scene().position, 77) << "between two frames, at once";
    EXPECT_TRUE(session.apply(false, false).stepped);
    session.begin();
    session.step(at(Scene(), 5));
    session.edit(at(session.shown(), 77));
    session.apply(true, true);
    EXPECT_EQ(session.scene().position, 5) << "an edit that changed nothing takes nothing back";
    session.undo();
    session.apply(false, false);
    EXPECT_EQ(session.scene().position, 77);
}

TEST(Session, AnEditOfBGoesWhereItBelongs) {
    Scene compared;
    keep_as_b(compared);
    compared.base = 500.0;
    Session session{compared};
    session.begin(true);
    ASSERT_TRUE(session.shows_b());
    EXPECT_EQ(session.shown().base, 10000.0);
    Scene next = session.shown();
    next.base = 2000.0;
    next.position = 3;
    session.edit(next);
    session.apply(false, false);
    EXPECT_EQ(session.scene().base, 500.0);
    EXPECT_EQ(session.scene().compare.at("base"), 2000.0);
    EXPECT_EQ(session.scene().position, 3) << "the position is common to both";
    EXPECT_EQ(session.b()->base, 2000.0) << "and B has followed";
    session.begin(false);
    EXPECT_EQ(session.sides(), Sides::overlay);
}

TEST(Session, TypedWordsAreTakenBack) {
    Session session{overlay(Scene(), {{"encoding", "rope"}})->scene};
    const Choice before = session.scene().content;
    session.begin();
    session.edit(overlay(session.scene(), {{"content", {{"kind", "tokens"}, {"text", {"a", "b"}}}}})->scene);
    session.apply(true, true);
    EXPECT_NE(session.scene().content, before);
    session.retake_words();
    EXPECT_FALSE(session.apply(false, false).stepped);
    EXPECT_EQ(session.scene().content, before);
}

TEST(Session, LookingAtAnotherBenchIsNoStep) {
    Session session{Scene()};
    const auto turn_to = [&](const char* bench) {
        session.begin();
        Scene next = session.scene();
        next.bench = bench;
        session.edit_a(std::move(next));
        session.apply(false, false);
    };
    turn_to("attention");
    EXPECT_FALSE(session.can_undo());
    session.begin();
    session.edit(at(session.shown(), 40));
    session.apply(false, false);
    turn_to("shift");
    session.undo();
    session.apply(false, false);
    EXPECT_EQ(session.scene().position, 10);
    EXPECT_EQ(session.scene().bench, "attention") << "where it was changed";
    EXPECT_FALSE(session.can_undo());
    // A step that changes more goes back to where it came from.
    Scene other = at(session.scene(), 70);
    other.bench = "context";
    session.step(other);
    session.apply(false, false);
    session.undo();
    session.apply(false, false);
    EXPECT_EQ(session.scene().bench, "attention");
}

}  // namespace
}  // namespace posiscope::workbench
