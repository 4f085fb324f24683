// What leaves and enters as a lesson: decks of the notes, a lecturer's file, handouts, and numbers that must not be seen yet.
#include "app/panels/guide_parts.hpp"
#include "app/ui/known.hpp"
#include "app/workbench/document/lesson_file.hpp"
#include "app/workbench/document/opening.hpp"
#include "app/workbench/teach/decks.hpp"
#include "app/workbench/teach/guide_text.hpp"
#include "app/workbench/teach/handout.hpp"
#include "core/cost.hpp"
#include "core/formats/file.hpp"
#include "core/lessons/lesson.hpp"
#include "tests/app/desk.hpp"
#include "tests/figures/recorder.hpp"
#include "tests/folder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <imgui_internal.h>
#include <set>

namespace posiscope::test::lesson_out_test {
namespace {

using lessons::Lesson;
using lessons::Step;

std::string said(const lessons::Sentence& sentence, const Scene& scene) {
    return ui::sentence(sentence, scene, scene);
}

// ---- decks -------------------------------------------------------------------------------------------------------

TEST(Decks, EveryShownSectionIsAStepWithASentenceInBothLanguages) {
    std::size_t steps = 0;
    for (const Lesson& known : workbench::known_decks()) {
        const auto deck = workbench::make_deck(known.id);
        ASSERT_TRUE(deck) << known.id;
        for (const Step& step : deck->steps) {
            ++steps;
            EXPECT_TRUE(lessons::step_scene(*deck, step)) << step.id;
            EXPECT_NE(figures::find_figure(step.figure), nullptr) << step.id;
            EXPECT_NE(said(step.line.en, Scene()), said(step.line.zh, Scene())) << step.id;
            EXPECT_EQ(said(step.text.en, Scene()).find("{value"), std::string::npos) << step.id;
            EXPECT_FALSE(step.question || step.task);
        }
    }
    const auto shown =
        std::ranges::count_if(ui::known_sections(), [](const Section& s) { return !s.figure.empty(); });
    EXPECT_EQ(steps, static_cast<std::size_t>(shown));
    EXPECT_EQ(workbench::known_decks().size(), 5U) << "five notes";
    EXPECT_FALSE(workbench::make_deck("why"));
}

TEST(Decks, AWrongSentenceOfANoteComesWithItsVerdict) {
    for (const Section& section : ui::known_sections()) {
        if (section.figure.empty()) continue;
        const auto wrong = std::ranges::any_of(section.claims, [](const std::string& id) {
            const Claim* claim = ui::find_claim(id);
            return claim != nullptr && claim->verdict == Verdict::wrong;
        });
        if (!wrong) continue;
        const auto deck = workbench::make_deck("note-" + section.note);
        const auto step = std::ranges::find(deck->steps, section.id, &Step::id);
        ASSERT_NE(step, deck->steps.end());
        EXPECT_NE(said(step->text.en, Scene()).find("False:"), std::string::npos) << section.id;
        EXPECT_NE(said(step->text.zh, Scene()).find("有误"), std::string::npos) << section.id;
    }
}

// ---- a lecturer's own --------------------------------------------------------------------------------------------

constexpr std::string_view kOwn =
    R"({"lesson": 1, "title": {"zh": "我的课"}, "scene": {"d_model": 64},
        "steps": [{"scene": {"position": 3}, "text": {"zh": "位置三"}},
                  {"id": "two", "scene": {"position": 5}, "text": {"zh": "位置五"}}]})";

class OwnLesson : public InFolder {};

TEST_F(OwnLesson, IsOpenedLikeAnyFileAndGoesOnWhereItWasWhenItIsReadAgain) {
    const auto path = (folder_ / "mine.json").string();
    ASSERT_TRUE(write_file(path, kOwn));
    Desk desk;
    auto opened = workbench::open_file(path, Scene());
    ASSERT_TRUE(opened) << to_string(opened.error());
    desk.bench.show(*opened);
    desk.frame(2);
    const workbench::Guide& guide = desk.bench.teaching.guide();
    ASSERT_NE(guide.lesson(), nullptr);
    EXPECT_EQ(desk.scene().position, 3);
    EXPECT_EQ(desk.scene().d_model, 64);
    desk.key(ImGuiKey_PageDown);
    EXPECT_EQ(desk.scene().position, 5);
    std::string changed(kOwn);
    changed.replace(changed.find("\"position\": 5"), 13, "\"position\": 6");
    ASSERT_TRUE(write_file(path, changed));
    desk.bench.show(*workbench::open_file(path, Scene()));
    desk.frame(2);
    EXPECT_EQ(guide.index(), 1U);
    EXPECT_EQ(desk.scene().position, 6);
}

TEST_F(OwnLesson, TakesThePresentSceneAsAStep) {
    Scene now;
    now.position = 77;
    now.offset = 1;
    const auto first = workbench::with_step({}, {now, "matrix", "From {10} to 13.", Language::english});
    ASSERT_TRUE(first) << to_string(first.error());
    const auto second = workbench::with_step(kOwn, {now, "", "", Language::chinese});
    ASSERT_TRUE(second) << to_string(second.error());
    for (const std::string& text : {*first, *second}) {
        const auto lesson = lessons::parse_lesson(text);
        ASSERT_TRUE(lesson) << text;
        EXPECT_EQ(*lessons::step_scene(*lesson, lesson->steps.back()), now) << text;
    }
    EXPECT_LT(second->find("title"), second->find("steps")) << "the order of the file";
    EXPECT_NE(second->find("位置五"), std::string::npos);
}

// Done once, it is the task: it is open at the step's own Scene, and its solution does it.
TEST_F(OwnLesson, ATaskIsRecordedByDoingIt) {
    const auto known = lessons::parse_lesson(kOwn);
    ASSERT_TRUE(known);
    const std::size_t last = known->steps.size() - 1;
    const Scene start = *lessons::step_scene(*known, known->steps[last]);
    EXPECT_EQ(workbench::with_task(kOwn, last, start, Language::english, "Do it.").error().key,
              "lesson.nothing_done");
    for (const char* change :
         {R"({"position": 33})", R"({"encoding": {"kind": "alibi"}, "num_heads": 4, "length": 64})",
          R"({"view": {"scores": {"mode": "norm"}}})",
          R"({"encoding": {"kind": "rope", "partial_rotary_factor": 0.5}})"}) {
        SCOPED_TRACE(change);
        const auto changed = overlay(start, Json::parse(change));
        ASSERT_TRUE(changed) << to_string(changed.error());
        const Scene& done = changed->scene;
        const auto text = workbench::with_task(kOwn, last, done, Language::english, "Do it.");
        ASSERT_TRUE(text) << to_string(text.error());
        const auto lesson = lessons::parse_lesson(*text);
        ASSERT_TRUE(lesson) << *text;
        EXPECT_TRUE(lessons::findings(*lesson).empty()) << to_string(lessons::findings(*lesson).front());
        const lessons::Step& step = lesson->steps[last];
        EXPECT_EQ(*lessons::step_scene_with(*lesson, step, step.task->solution), done);
        // Once more, it keeps its words.
        const auto again =
            workbench::with_task(*text, last, overlay(done, Json::parse(R"({"pair": 3})"))->scene,
                                 Language::english, "Other words.");
        ASSERT_TRUE(again);
        EXPECT_NE(again->find("Do it."), std::string::npos);
    }
}

// Text, question and choices are typed in the window; the other language, the scene and what verifies a choice stay.
TEST_F(OwnLesson, ItsTextIsEditedInOneLanguage) {
    constexpr std::string_view kAsking =
        R"({"lesson": 1, "steps": [{"scene": {"position": 3}, "text": {"en": "At {position}.", "zh": "在 {position}。"},
            "ask": {"text": {"en": "Which?"}, "choices": [
              {"text": {"en": "one"}, "right": true, "verify": {"value": "position", "is": 3}},
              {"text": {"en": "two"}, "says": {"en": "No.", "zh": "不。"}}]}}]})";
    auto words = workbench::step_text(kAsking, 0, Language::english);
    ASSERT_TRUE(words);
    EXPECT_EQ(words->text, "At {position}.") << "as the file has it";
    EXPECT_EQ(words->question, "Which?");
    ASSERT_EQ(words->choices.size(), 2U);
    EXPECT_TRUE(words->choices[0].right);
    words->text = "Here {position}\nstands.";
    words->choices[1].text = "three";
    words->choices.push_back({"four", "Nor this.", false});
    const auto text = workbench::with_text(kAsking, 0, *words, Language::english);
    ASSERT_TRUE(text) << to_string(text.error());
    const auto lesson = lessons::parse_lesson(*text);
    ASSERT_TRUE(lesson);
    const Json step = Json::parse(*text)["steps"][0];
    EXPECT_EQ(step["text"], (Json{{"en", "Here {position} stands."}, {"zh", "在 {position}。"}}));
    EXPECT_EQ(step["scene"]["position"], 3);
    EXPECT_EQ(step["ask"]["choices"][0]["verify"]["is"], 3);
    EXPECT_EQ(step["ask"]["choices"][1]["says"]["zh"], "不。");
    EXPECT_EQ(step["ask"]["choices"][2]["text"]["en"], "four");
    EXPECT_TRUE(lessons::findings(*lesson).empty());

    words->choices[0].right = false;
    EXPECT_EQ(workbench::with_text(kAsking, 0, *words, Language::english).error().key, "lesson.one_right");
    EXPECT_FALSE(words->task);
    words->choices.clear();
    words->question.clear();
    const auto without = workbench::with_text(kAsking, 0, *words, Language::english);
    ASSERT_TRUE(without);
    EXPECT_FALSE(Json::parse(*without)["steps"][0].contains("ask"));
    words->text = "A brace { alone";
    EXPECT_FALSE(workbench::with_text(kAsking, 0, *words, Language::english));
    EXPECT_EQ(panels::parts::in_one_line("位置\n编码 and\nmore\n"), "位置编码 and more");
}

TEST_F(OwnLesson, ItsStepsAreFoundMovedAndTakenOutAndItHasATitle) {
    const auto ids = [](const Result<std::string>& text) {
        std::vector<int> positions;
        if (!text) return positions;
        const Json file = Json::parse(*text);
        for (const Json& step : file["steps"]) positions.push_back(step["scene"]["position"]);
        return positions;
    };
    EXPECT_EQ(ids(workbench::with_step_moved(kOwn, 0, 1)), (std::vector{5, 3}));
    EXPECT_EQ(ids(workbench::with_step_moved(kOwn, 1, -1)), (std::vector{5, 3}));
    EXPECT_EQ(workbench::with_step_moved(kOwn, 1, 1).error().key, "lesson.no_step");
    EXPECT_EQ(workbench::with_step_moved(kOwn, 0, -1).error().key, "lesson.no_step");
    const auto alone = workbench::without_step(kOwn, 0);
    EXPECT_EQ(ids(alone), (std::vector{5}));
    EXPECT_EQ(workbench::without_step(*alone, 0).error().key, "lesson.last_step");

    const auto twice = workbench::with_step_twice(kOwn, 0);
    EXPECT_EQ(ids(twice), (std::vector{3, 3, 5}));
    EXPECT_EQ(workbench::with_step_twice(kOwn, 2).error().key, "lesson.no_step");

    // Somebody else has put a step first, changed one, and taken one out.
    std::string longer(kOwn);
    longer.insert(longer.find(R"({"scene": {"position": 3})"), R"({"id": "new"}, )");
    EXPECT_EQ(workbench::same_step(longer, kOwn, 0), 1U) << "without an id, by all of it";
    EXPECT_EQ(workbench::same_step(longer, kOwn, 1), 2U);
    std::string changed = longer;
    changed.replace(changed.find("位置五"), std::string_view("位置五").size(), "五");
    EXPECT_EQ(workbench::same_step(changed, kOwn, 1).error().key, "lesson.changed");
    EXPECT_EQ(workbench::same_step(changed, kOwn, 0), 1U);
    EXPECT_EQ(workbench::same_step(*alone, kOwn, 0).error().key, "lesson.gone");

    auto words = workbench::step_text(kOwn, 1, Language::chinese);
    ASSERT_TRUE(words);
    EXPECT_EQ(words->title, "我的课");
    words->title = "课";
    const auto titled = workbench::with_text(kOwn, 1, *words, Language::chinese);
    ASSERT_TRUE(titled);
    EXPECT_EQ(Json::parse(*titled)["title"], (Json{{"zh", "课"}}));
}

TEST_F(OwnLesson, ItsLineNotesAndGoalAreEditedToo) {
    constexpr std::string_view kDoing =
        R"({"lesson": 1, "steps": [{"line": {"en": "Look."}, "text": {"en": "a"}, "task": {"goal": {"en": "To 5."},
            "done": {"value": "position", "is": 5}, "solution": {"position": 5}, "well": {"zh": "好。"}}}]})";
    auto words = workbench::step_text(kDoing, 0, Language::english);
    ASSERT_TRUE(words);
    ASSERT_TRUE(words->task);
    EXPECT_EQ(words->line, "Look.");
    EXPECT_EQ(words->task->goal, "To 5.");
    words->line.clear();
    words->notes = "Wait for them.";
    words->task->goal = "Go to five.";
    words->task->well = "There.";
    const auto text = workbench::with_text(kDoing, 0, *words, Language::english);
    ASSERT_TRUE(text) << to_string(text.error());
    const Json step = Json::parse(*text)["steps"][0];
    EXPECT_FALSE(step.contains("line"));
    EXPECT_EQ(step["notes"]["en"], "Wait for them.");
    EXPECT_EQ(step["task"]["goal"]["en"], "Go to five.");
    EXPECT_EQ(step["task"]["well"], (Json{{"zh", "好。"}, {"en", "There."}}));
    EXPECT_EQ(step["task"]["done"]["is"], 5);
    words->task->goal.clear();
    EXPECT_FALSE(workbench::with_text(kDoing, 0, *words, Language::english)) << "a task without a goal";
}

TEST_F(OwnLesson, EachMistakeIsOneSentenceWithFileStepAndMend) {
    const Strings strings(Language::english, Strings::Missing::throws);
    const auto step = [](std::string_view body) {
        return fmt::format(R"({{"lesson": 1, "steps": [{{"text": {{"en": "a"}}}}, {{"id": "bad", {}}}]}})",
                           body);
    };
    const std::pair<std::string, std::string_view> broken[] = {
        {std::string(kOwn.substr(0, kOwn.size() / 2)), "line"},
        {step(R"("text": {"en": "{no.such}"})"), "bad"},
        {step(R"("text": {"fr": "non"})"), "bad"},
        {step(R"("scene": {"nonsense": 1})"), "bad"},
        {step(R"("scene": {"position": -4})"), "bad"},
        {step(R"("task": {"goal": {"en": "g"}, "done": {"value": "pair", "is": "x"}})"), "bad"},
        {step(R"("ask": {"text": {"en": "?"}, "choices": [{"text": {"en": "a"}}]})"), "bad"},
        {step(R"("figure": "matrx")"), "matrx"},
        {step(R"("point": ["sums:offset"])"), "sums"},
        {step(R"("point": ["sidebar:pairs"])"), "pairs"},
        {step(R"("controls": ["paire"])"), "paire"},
        {step(R"("recall": "clocks/whihc")"), "clocks/whihc"},
        {R"({"lesson": 1, "steps": []})", "steps"},
        {R"({"lesson": 9, "steps": [{}]})", "9"},
        {fmt::format(R"({{"lesson": 1, "steps": [{{"text": {{"en": "{}"}}}}]}})", std::string(10 << 20, 'x')),
         "bytes"},
    };
    for (const auto& [text, names] : broken) {
        const auto path = (folder_ / "mine.json").string();
        ASSERT_TRUE(write_file(path, text));
        const auto opened = workbench::open_file(path, Scene());
        ASSERT_FALSE(opened) << text.substr(0, 200);
        const std::string sentence = strings.sentence(opened.error());
        EXPECT_NE(sentence.find("mine.json"), std::string::npos) << sentence;
        EXPECT_NE(sentence.find(names), std::string::npos) << sentence;
        EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
        EXPECT_LT(sentence.size(), 500U) << sentence;
    }
}

// ---- on paper ----------------------------------------------------------------------------------------------------

TEST(Handout, HasEveryStepAndItsAnswersOnTheLastPage) {
    for (const char* language : {"en", "zh"}) {
        workbench::Preferences preferences;
        preferences.theme = "print";
        preferences.language = language;
        const std::string pdf = workbench::handout(*ui::find_lesson("clocks"), preferences, {});
        EXPECT_TRUE(pdf.starts_with("%PDF"));
        // Nine steps with room to write, and the answers.
        const std::string_view pages = std::string_view(language) == "en" ? "/Count 8\n" : "/Count 7\n";
        EXPECT_NE(pdf.find(pages), std::string::npos) << language;
    }
}

TEST(Handout, LeavesOutAStepThatOnlyInvitesToTry) {
    const auto pages = [](std::string_view last) {
        const auto lesson = lessons::parse_lesson(fmt::format(
            R"({{"lesson": 1, "steps": [{{"figure": "waves"}}, {{"figure": "sum"}}, {{"figure": "sum"{}}}]}})",
            last));
        EXPECT_TRUE(lesson);
        const std::string pdf = workbench::handout(*lesson, {}, {});
        return std::string_view(pdf).substr(pdf.find("/Count "), 8).back();
    };
    EXPECT_EQ(pages(""), '2');
    EXPECT_EQ(pages(R"(, "paper": false)"), '1');
    for (const Lesson& lesson : ui::known_lessons())
        for (const Step& step : lesson.steps)
            EXPECT_EQ(step.paper, step.id != "free" && !step.results) << lesson.id << "/" << step.id;
}

// A handout of 64 steps that each name the costliest numbers there are ends, and says what it leaves out.
TEST(Handout, ItsNumbersShareOneAllowance) {
    const auto lesson = lessons::parse_lesson(
        R"({"lesson": 1, "scene": {"d_model": 1024, "length": 1024}, "steps": [
            {"text": {"en": "{position} of {@rank}"}}, {"text": {"en": "{@rank:3}"}}, {"text": {"en": "{@gap.least}"}}]})");
    ASSERT_TRUE(lesson) << to_string(lesson.error());
    const Strings strings(Language::english, Strings::Missing::throws);
    workbench::Guide guide;
    (void)guide.begin(std::make_shared<const Lesson>(*lesson));
    constexpr double kUnits = 5e7;
    workbench::GuideWords words(kUnits);
    const double before = work_done();
    for (std::size_t i = 0; i < lesson->steps.size(); ++i) {
        (void)guide.go_to(i);
        const std::string& text = words.of(guide, guide.own_scene(), strings)->text;
        EXPECT_NE(text.find("–"), std::string::npos) << text;
        EXPECT_NE(text.find(strings.text("guide.too_much")), std::string::npos) << text;
        EXPECT_EQ(text.starts_with("10 of –"), i == 0) << "cheap numbers are there: " << text;
    }
    EXPECT_LE(work_done() - before, kUnits);
}

// ---- nothing gives an answer away --------------------------------------------------------------------------------

// What only the reveal says, and what tells the right choice from the others, as a reader sees it: numbers of three digits or
// more, of a choice four; and the words of the right choice, where they are a phrase.
std::set<std::string> secrets(const Lesson& lesson, const Step& step, bool chinese) {
    const Scene before = *lessons::step_scene(lesson, step), after = *lessons::step_scene(lesson, step, true);
    // What the step says itself is given, not asked.
    const std::string asked =
        said(step.text.in(chinese), before) + said(step.question->text.in(chinese), before);
    std::string right, wrong;
    for (const lessons::Choice& choice : step.question->choices)
        (choice.right ? right : wrong) += said(choice.text.in(chinese), before);
    std::set<std::string> all;
    const auto add = [&](const lessons::Sentence& sentence, const std::string& open, int least) {
        for (const lessons::Piece& piece : sentence) {
            using Kind = lessons::Piece::Kind;
            if (piece.kind == Kind::words || (piece.kind == Kind::number && least < 4)) continue;
            const std::string number = said({piece}, after);
            const auto digits = std::ranges::count_if(number, [](char c) { return c >= '0' && c <= '9'; });
            if (digits >= least && open.find(number) == std::string::npos) all.insert(number);
        }
    };
    add(step.question->then.in(chinese), asked + right + wrong, 3);
    for (const lessons::Choice& choice : step.question->choices)
        if (choice.right) add(choice.text.in(chinese), asked + wrong, 4);
    if (right.size() >= 16 && asked.find(right) == std::string::npos) all.insert(right);
    return all;
}

// The numbers of a text with three digits or more: "−10.81", "12 000".
std::vector<double> numbers_in(std::string_view text) {
    std::vector<double> found;
    std::string one;
    const auto end = [&] {
        const auto digits = std::ranges::count_if(one, [](char c) { return c >= '0' && c <= '9'; });
        if (digits >= 3) found.push_back(std::strtod(one.c_str(), nullptr));
        one.clear();
    };
    constexpr std::string_view kMinus = "−", kThin = "\u2009";
    while (!text.empty()) {
        std::size_t taken = 1;
        if (text.starts_with(kMinus)) {
            end();
            one = "-";
            taken = kMinus.size();
        } else if (text.starts_with(kThin)) {
            taken = kThin.size();
        } else if ((text[0] >= '0' && text[0] <= '9') || (text[0] == '.' && !one.empty())) {
            one += text[0];
        } else {
            end();
        }
        text.remove_prefix(taken);
    }
    end();
    return found;
}

// Whether a text has the secret, or a number that is the same to three digits.
bool gives_away(std::string_view text, const std::string& secret) {
    if (text.find(secret) != std::string_view::npos) return true;
    const std::vector<double> wanted = numbers_in(secret);
    if (wanted.size() != 1 || wanted[0] == std::round(wanted[0])) return false;
    return std::ranges::any_of(numbers_in(text), [&](double one) {
        return one != std::round(one) && std::abs(one - wanted[0]) <= 1e-3 * std::abs(wanted[0]);
    });
}

struct Seen : Desk {
    // All text of a step's frame: its figure, title line, headline and caption, and what the pane says but for the choices.
    std::pair<Recorder, std::string> of(const Lesson& lesson, std::size_t index) {
        auto& teaching = bench.teaching;
        (void)teaching.begin(std::make_shared<const Lesson>(lesson), "test");
        auto scene = teaching.guide().go_to(index);
        bench.session.open(*scene);
        frame(2);
        const panels::GuideView* view = teaching.view(this->scene(), bench.appearance.strings());
        std::string pane = view->words->title + "\n" + view->words->line + "\n" + view->words->text + "\n" +
                           view->words->goal + "\n" + bench.lecture.headline();
        workbench::GuideWords words;
        for (const std::string& name : words.names(teaching.guide(), bench.appearance.strings()))
            pane += "\n" + name;
        std::pair<Recorder, std::string> seen;
        seen.second = std::move(pane);
        workbench::Shown shown{.controls = false, .figure = lesson.steps[index].figure};
        shown.on = &seen.first;
        frame_of(shown);
        return seen;
    }
};

TEST(LessonReveals, NothingOfAnAnswerIsSeenBeforeIt) {
    for (const bool chinese : {false, true}) {
        Seen desk;
        if (chinese) desk.key(ImGuiKey_L);
        for (const Lesson& lesson : ui::known_lessons())
            for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
                const Step& step = lesson.steps[i];
                if (!step.question) continue;
                const auto hidden = secrets(lesson, step, chinese);
                // The step before leads there: what it says is still in mind.
                for (std::size_t at = i > 0 && !lesson.steps[i - 1].question ? i - 1 : i; at <= i; ++at) {
                    const auto [figure, pane] = desk.of(lesson, at);
                    for (const std::string& secret : hidden) {
                        for (const std::string& drawn : figure.texts)
                            EXPECT_FALSE(gives_away(drawn, secret))
                                << lesson.id << "/" << lesson.steps[at].id << " draws " << drawn << ", but "
                                << step.id << " asks for " << secret;
                        EXPECT_FALSE(gives_away(pane, secret))
                            << lesson.id << "/" << lesson.steps[at].id << " says " << pane << ", but "
                            << step.id << " asks for " << secret;
                    }
                }
            }
    }
}

// Nor is it in the figure's menu, whose numbers would be the answer; once it is given they can be copied.
TEST(LessonReveals, AMenuCopiesNoNumberWhileAQuestionIsOpen) {
    for (const auto& [id, step] : {std::pair("dot", "slide"), {"dot", "monotone"}, {"unique", "repeat"}}) {
        Seen desk;
        desk.key(ImGuiKey_G);
        const Lesson& lesson = *ui::find_lesson(id);
        const auto asked = std::ranges::find(lesson.steps, step, &Step::id);
        (void)desk.of(lesson, static_cast<std::size_t>(asked - lesson.steps.begin()));
        desk.frame(2);
        ASSERT_TRUE(desk.bench.lecture.holds_back());
        const auto menu_height = [&] {
            desk.move(desk.tile(asked->figure).centre());
            ImGui::GetIO().AddMouseButtonEvent(1, true);
            desk.frame();
            ImGui::GetIO().AddMouseButtonEvent(1, false);
            desk.frame(3);
            float height = 0.0F;
            for (const ImGuiWindow* window : GImGui->Windows)
                if (window->Active && (window->Flags & ImGuiWindowFlags_Popup) != 0) height = window->Size.y;
            desk.key(ImGuiKey_Escape);
            desk.frame(2);
            return height;
        };
        const float open = menu_height();
        ASSERT_GT(open, 0.0F) << id << "/" << step;
        auto answered = desk.bench.teaching.guide().solution();
        ASSERT_TRUE(answered);
        desk.bench.session.step(std::move(*answered));
        desk.frame(2);
        EXPECT_GT(menu_height(), open + 15.0F) << id << "/" << step << ": its numbers, and the value there";
    }
}

// "no p in it" beside the curves answers how many entries of M_k change with p.
TEST(LessonReveals, AFigureKeepsItsRemarksWhileAQuestionIsOpen) {
    Seen desk;
    const Lesson& lesson = *ui::find_lesson("shift");
    const auto asked = std::ranges::find(lesson.steps, "change", &Step::id);
    const auto remark = [&] {
        Recorder recorder;
        workbench::Shown shown{.controls = false, .figure = "shift"};
        shown.on = &recorder;
        desk.frame_of(shown);
        return recorder.says("no p in it");
    };
    (void)desk.of(lesson, static_cast<std::size_t>(asked - lesson.steps.begin()));
    EXPECT_FALSE(remark());
    ASSERT_TRUE(desk.bench.teaching.guide().solution());
    EXPECT_TRUE(remark());
}

}  // namespace
}  // namespace posiscope::test::lesson_out_test
