// Lessons as people read them: every sentence with its numbers, and words for every value.
#include "app/ui/known.hpp"
#include "app/ui/numbers.hpp"
#include "app/ui/strings.hpp"
#include "core/mathematics.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace posiscope::test::lessons_test {
namespace {

TEST(LessonWords, EveryValueHasANameInBothLanguages) {
    for (const Language language : {Language::english, Language::chinese})
        for (const lessons::Value& value : lessons::values())
            EXPECT_TRUE(Strings(language).contains(fmt::format("value.{}", value.name))) << value.name;
}

TEST(LessonWords, NumbersAreThoseOfTheSceneTheyAreAskedOf) {
    Scene now, own;
    now.position = 12000;
    own.position = 7;
    const auto said = [&](std::string_view text) {
        return ui::sentence(*lessons::parse_sentence(text), now, own);
    };
    EXPECT_EQ(said("at {position}, from {@position}"), "at 12\u2009000, from 7");
    EXPECT_EQ(said("{pair.frequency:3}"), "0.698");
    EXPECT_EQ(said("{!0.25} {!-10.81} {!2}"), "0.25 −10.81 2");
    EXPECT_EQ(said("{trained.length}"), "–");
    std::string longest = "a";
    for (int i = 0; i < 5000; ++i) longest += "字";
    EXPECT_EQ(said(longest), longest);
}

TEST(LessonWords, MathematicsHoldsPlaces) {
    const Scene scene;
    const auto said = [&](std::string_view text) {
        return mathematics::plain(ui::sentence(*lessons::parse_sentence(text), scene, scene));
    };
    EXPECT_EQ(said("$e^{ix}$, $ω_{{!3}}$, $b^{−{!2}i/d}$, $p = {!7}$"), "e^(ix), ω_3, b^(−2i/d), p = 7");
    EXPECT_EQ(said("file_{!3}, $p$_{!4}"), "file_3, p_4") << "outside of mathematics";
    EXPECT_EQ(ui::title({*lessons::parse_sentence("$M_k$"), {}}, Language::chinese), "M_k");
}

TEST(LessonWords, ABoundIsThePowerOfTenAbove) {
    ui::Scratch scratch;
    EXPECT_EQ(ui::bound(scratch, 2.2e-16), "10⁻¹⁵");
    EXPECT_EQ(ui::bound(scratch, -3e5), "10⁶");
    EXPECT_EQ(ui::bound(scratch, 0.02), "0.1");
    EXPECT_EQ(ui::bound(scratch, 0.0), "0");
}

TEST(LessonWords, EveryTitleIsSaidInBothLanguages) {
    for (const lessons::Lesson& lesson : ui::known_lessons()) {
        EXPECT_NE(lesson.title.in(false), lesson.title.in(true)) << lesson.id;
        EXPECT_EQ(ui::find_lesson(lesson.id), &lesson);
    }
    EXPECT_EQ(ui::find_lesson("nothing"), nullptr);
}

}  // namespace
}  // namespace posiscope::test::lessons_test
