#include "core/scene/keys.hpp"
#include "tests/core/any_scene.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace posiscope::changes_test {
namespace {

// Every field is carried: to_json names them all, so one that is forgotten shows.
RC_GTEST_PROP(Changes, WhereNothingElseChangedTheResultIsTheEdit, ()) {
    const Scene before = any_scene(), after = any_scene();
    RC_ASSERT(with_changes(before, before, after) == after);
}

RC_GTEST_PROP(Changes, WhatAnEditDoesNotTouchStays, ()) {
    const Scene onto = any_scene(), scene = any_scene();
    RC_ASSERT(with_changes(onto, scene, scene) == onto);
}

TEST(Changes, TwoEditsOfOneSceneAreBothKept) {
    const Scene before;
    Scene moved = before, wider = before;
    moved.position = 40;
    moved.view["matrix"] = {{"mode", "phase"}};
    wider.d_model = 64;
    wider.view["scores"] = {{"mode", "all"}};
    const Scene both = with_changes(with_changes(before, before, moved), before, wider);
    EXPECT_EQ(both.position, 40);
    EXPECT_EQ(both.d_model, 64);
    EXPECT_EQ(both.view, (Json{{"matrix", {{"mode", "phase"}}}, {"scores", {{"mode", "all"}}}}));
}

TEST(Changes, WhatAnEditTakesAwayIsGone) {
    Scene before;
    before.view = {{"matrix", {{"rows", {0, 8}}}}, {"compare", "b"}};
    Scene after = before;
    after.view.erase("compare");
    EXPECT_EQ(with_changes(before, before, after).view, (Json{{"matrix", {{"rows", {0, 8}}}}}));
}

}  // namespace
}  // namespace posiscope::changes_test
