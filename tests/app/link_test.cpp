// Links in the program: short for everything that is shipped, copied, pasted.
#include "core/scene/link.hpp"

#include "app/ui/known.hpp"
#include "app/workbench/teach/guide.hpp"
#include "core/formats/file.hpp"
#include "tests/app/desk.hpp"
#include "tests/places.hpp"

#include <filesystem>

namespace posiscope::test::link_test {
namespace {

constexpr std::size_t kLongest = 2000;  // bytes: every browser, server, mail and chat takes that
constexpr std::size_t kNumbers = 4000;  // with the numbers of a fitted q and k, 256 of them

void expect_short(const Scene& scene, const std::string& name, std::size_t& seen) {
    const std::string link = link_of(scene);
    EXPECT_LT(link.size(), scene.content.kind == "vectors" ? kNumbers : kLongest) << name << " " << link;
    ++seen;
}

TEST(Links, AreShortForEveryExampleClaimLessonAndPictureOfTheGallery) {
    std::size_t seen = 0;
    for (const ui::Example& example : ui::known_examples()) expect_short(example.scene, example.id, seen);
    for (const Claim& claim : ui::known_claims()) {
        const auto scene = scene_of(claim);
        ASSERT_TRUE(scene) << claim.id;
        expect_short(*scene, claim.id, seen);
    }
    for (const lessons::Lesson& lesson : ui::known_lessons())
        for (const lessons::Step& step : lesson.steps) {
            const auto scene = lessons::step_scene(lesson, step);
            ASSERT_TRUE(scene) << lesson.id << " " << step.id;
            expect_short(*scene, lesson.id + "/" + step.id, seen);
        }
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(kTree) / "assets/gallery")) {
        if (entry.path().extension() != ".json") continue;
        const auto text = read_file(entry.path().string());
        ASSERT_TRUE(text);
        const auto scene = overlay(Scene(), *parse_json(*text));
        ASSERT_TRUE(scene) << entry.path();
        expect_short(scene->scene, entry.path().string(), seen);
    }
    EXPECT_GT(seen, 100U);
}

void paste(Desk& desk, const std::string& text) {
    ImGui::SetClipboardText(text.c_str());
    desk.key(ImGuiKey_V, true);
    desk.frame(2);
}

std::string copied(Desk& desk) {
    panels::find_action(desk.bench.actions().list(), "copy_link").perform();
    return ImGui::GetClipboardText();
}

// Whoever wrote a link wrote the page that it opens: others' pages are not what one's own links lead to.
TEST(Links, APastedOneIsOpenedAndItsPageIsOnesOwnOnlyIfOneSaysSo) {
    Desk desk(Scene{});
    desk.bench.stage.seen.with_controls = true;
    Scene shown;
    shown.position = 40;
    const std::string page = "https://example.org/posiscope/";
    paste(desk, page + link_of(shown));
    EXPECT_EQ(desk.bench.session.scene(), shown);
    desk.bench.session.undo();
    desk.frame(2);
    EXPECT_EQ(desk.bench.session.scene(), Scene()) << "it is one step of undo";
    paste(desk, page + link_of(shown));
    EXPECT_EQ(copied(desk), link_of(shown)) << "nobody said that it is theirs";
    EXPECT_EQ(desk.bench.preferences.page, "");
    desk.click(desk.control("question_no").centre());
    EXPECT_EQ(copied(desk), link_of(shown));
    paste(desk, page + link_of(shown));
    desk.click(desk.control("question_yes").centre());
    EXPECT_EQ(desk.bench.preferences.page, page);
    EXPECT_EQ(copied(desk), page + link_of(shown));
    for (const char* other : {"https://evil.example/", "javascript:", "file:///tmp/a.html", ""}) {
        paste(desk, other + link_of(shown));
        EXPECT_EQ(copied(desk), page + link_of(shown)) << other;
    }
}

TEST(Links, WithoutAPageOnlyTheEndIsCopied) {
    Desk desk(Scene{});
    panels::find_action(desk.bench.actions().list(), "copy_link").perform();
    EXPECT_EQ(std::string(ImGui::GetClipboardText()), link_of(Scene()));
}

TEST(Links, ADamagedOneIsRefusedWithASentence) {
    Desk desk(Scene{});
    paste(desk, "https://example.org/#scene=%7B%22position%22:4");
    EXPECT_EQ(desk.bench.session.scene(), Scene());
    EXPECT_FALSE(desk.bench.notices.empty());
    EXPECT_EQ(desk.bench.preferences.page, "") << "nothing is remembered of it";
}

TEST(Links, OfALessonNameItAndItsStep) {
    using workbench::lesson_link_in;
    const auto third = lesson_link_in("https://example.org/page/?lang=en#lesson=look-around/3");
    ASSERT_TRUE(third);
    EXPECT_EQ(third->lesson, "look-around");
    EXPECT_EQ(third->step, 3U);
    EXPECT_EQ(lesson_link_in("#lesson=rope")->step, 0U);
    for (const char* none :
         {"", "#lesson=", "#lesson=/2", "#lesson=rope/", "#lesson=rope/0", "#lesson=rope/-1",
          "#lesson=rope/2x", "#lesson=a b", "#lesson=rope/99999999999999999999", "#scene=%7B%7D"})
        EXPECT_FALSE(lesson_link_in(none)) << none;

    Desk desk(Scene{});
    auto scene = desk.bench.teaching.begin(*third);
    ASSERT_TRUE(scene);
    EXPECT_EQ(workbench::lesson_link(desk.bench.teaching.guide()), "#lesson=look-around/3");
    EXPECT_TRUE(desk.bench.teaching.begin(workbench::LessonLink{"look-around", 99}));
    EXPECT_FALSE(desk.bench.teaching.begin(workbench::LessonLink{"nonsense", 1}));
}

// Another window has done something meanwhile: it is taken over, and what this one did stays.
TEST(Links, ProgressOfAnotherWindowIsTakenOver) {
    Desk desk(Scene{});
    workbench::Teaching& teaching = desk.bench.teaching;
    teaching.take_progress(
        Json::parse(R"({"version": 1, "lessons": {"clocks": {"which": {"done": true, "answer": 0}}}})"));
    ASSERT_TRUE(teaching.begin(workbench::LessonLink{"clocks", 3}));
    EXPECT_TRUE(teaching.guide().progress().done);
    ASSERT_TRUE(teaching.begin(workbench::LessonLink{"clocks", 2}));
    teaching.take_progress(
        Json::parse(R"({"version": 1, "lessons": {"clocks": {"which": {"done": true, "answer": 1}}}})"));
    ASSERT_TRUE(teaching.begin(workbench::LessonLink{"clocks", 3}));
    EXPECT_EQ(teaching.guide().progress().answer, 1U);
}

}  // namespace
}  // namespace posiscope::test::link_test
