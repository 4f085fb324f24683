// A against B: the keys of B, the common keys, and edits of B.
#include "core/scene/comparison.hpp"
#include "tests/core/scenes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace posiscope::comparison_test {
namespace {

Scene rope_against_sinusoidal() {
    return scene(R"({"encoding": "sinusoidal", "position": 40,
                     "compare": {"encoding": "rope", "base": 500000}})");
}

TEST(Comparison, WithoutBOnlyAIsSeen) {
    Scene s;
    show_sides(s, Sides::difference);
    EXPECT_EQ(sides(s), Sides::a);
    EXPECT_EQ(ComparedScene().of(s), nullptr);
}

TEST(Comparison, BothAreSeenUntilSomethingElseIsChosen) {
    Scene s = rope_against_sinusoidal();
    EXPECT_EQ(sides(s), Sides::overlay);
    for (const Sides one : {Sides::a, Sides::b, Sides::difference, Sides::overlay}) {
        show_sides(s, one);
        EXPECT_EQ(sides(s), one);
        EXPECT_EQ(sides(scene(to_json(s).dump())), one) << "what is seen is kept with the scene";
    }
    s.view["compare"] = "sideways";
    EXPECT_EQ(sides(s), Sides::overlay);
}

TEST(Comparison, BIsTheSettingsAtTheTimeAndThePositionOfNow) {
    Scene s = scene(R"({"encoding": "rope", "base": 500000, "d_model": 64, "position": 5, "pair": 3})");
    keep_as_b(s);
    s = overlay(s, *parse_json(R"({"encoding": "sinusoidal", "base": 100, "position": 7, "length": 999})"))
            ->scene;
    const Scene b = *compared_scene(s);
    EXPECT_EQ(b.encoding.kind, "rope");
    EXPECT_EQ(b.base, 500000);
    EXPECT_EQ(b.d_model, 64);
    EXPECT_EQ(b.position, 7);
    EXPECT_EQ(b.length, 999);
}

TEST(Comparison, AnEditOfBGoesWhereItsValueComesFrom) {
    const Scene a = rope_against_sinusoidal();
    const Scene b = *compared_scene(a);
    Scene next = b;
    next.base = 77.0;    // B names it
    next.position = 41;  // common to both
    next.layout = PairLayout::halves;
    const Scene after = edited_through_b(a, b, next);
    EXPECT_EQ(after.base, a.base) << "A's own base is not B's";
    EXPECT_EQ(after.compare.at("base"), 77.0);
    EXPECT_EQ(after.position, 41);
    EXPECT_EQ(after.layout, PairLayout::halves);
    EXPECT_EQ(compared_scene(after)->base, 77.0);
    EXPECT_EQ(edited_through_b(a, b, b), a) << "no edit, no change";
}

RC_GTEST_PROP(Comparison, ExchangingTwiceIsNoExchange, ()) {
    const auto base = *rc::gen::inRange(2, 1000000);
    const auto width = 2 * *rc::gen::inRange(1, 300);
    const auto kind = *rc::gen::elementOf(std::vector<std::string>{"rope", "alibi", "sinusoidal", "learned"});
    Scene s = rope_against_sinusoidal();
    s = overlay(s, Json{{"compare", {{"encoding", kind}, {"base", base}, {"d_model", width}}}, {"pair", 0}})
            ->scene;
    Scene swapped = s;
    swap_sides(swapped);
    RC_ASSERT(swapped.encoding.kind == kind);
    RC_ASSERT(swapped.d_model == width);
    RC_ASSERT(compared_scene(swapped)->encoding == s.encoding);
    swap_sides(swapped);
    // B may be spelled out more fully than it was written, but it is the same B, and A is the same A.
    RC_ASSERT(*compared_scene(swapped) == *compared_scene(s));
    swapped.compare = s.compare;
    RC_ASSERT(swapped == s);
}

}  // namespace
}  // namespace posiscope::comparison_test
