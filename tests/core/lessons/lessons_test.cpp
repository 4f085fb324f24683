// Every lesson that ships is right: its scenes, numbers, questions, tasks and slips, in both languages.
#include "core/cost.hpp"
#include "core/lessons/lesson.hpp"
#include "core/scene/keys.hpp"
#include "tests/places.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>

namespace posiscope::lessons::lessons_test {
namespace {

namespace fs = std::filesystem;

bool holds(const Condition& condition, const Scene& scene) {
    Named named;
    named.add(condition);
    return lessons::holds(condition, to_json(scene), Numbers(named, ValueInput(scene), kTextWork));
}

Verdict judge(const Task& task, const Scene& step, const Scene& now) {
    return lessons::judge(task, step, now, Numbers(named_by(task), ValueInput(now), kTextWork));
}

std::string contents(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

const std::map<std::string, Lesson>& shipped() {
    static const std::map<std::string, Lesson> lessons = [] {
        std::map<std::string, Lesson> read;
        for (const auto& entry : fs::directory_iterator(fs::path(test::kTree) / "assets/lessons")) {
            auto lesson = parse_lesson(contents(entry.path()));
            EXPECT_TRUE(lesson) << entry.path() << ": " << to_string(lesson.error());
            if (lesson) read.emplace(lesson->id, std::move(*lesson));
        }
        return read;
    }();
    return lessons;
}

// Every text of a step, with a name for messages.
template <class Visit>
void texts_of(const Step& step, Visit visit) {
    visit("line", step.line);
    visit("text", step.text);
    if (step.question) {
        visit("ask", step.question->text);
        visit("then", step.question->then);
        for (const Choice& choice : step.question->choices) {
            visit("choice", choice.text);
            if (!choice.says.empty()) visit("says", choice.says);
        }
    }
    if (!step.task) return;
    visit("goal", step.task->goal);
    visit("well", step.task->well);
    visit("hint", step.task->hint);
    for (const Slip& slip : step.task->slips) visit("slip", slip.says);
}

template <class Visit>
void steps(Visit visit) {
    for (const auto& [id, lesson] : shipped())
        for (const Step& step : lesson.steps) {
            SCOPED_TRACE(id + "/" + step.id);
            visit(lesson, step);
        }
}

std::multiset<std::string> places(const Sentence& sentence) {
    std::multiset<std::string> found;
    for (const Piece& piece : sentence)
        if (piece.kind != Piece::Kind::words)
            found.insert(piece.value != nullptr ? std::string(piece.value->name)
                                                : fmt::format("{}", piece.number));
    return found;
}

// Each value is counted by what it takes, and there is an end to all of them: a lesson may come by mail.
TEST(LessonDraws, TakeAsMuchWorkAsTheirValues) {
    const auto lesson = [](std::string_view value, int count, std::string_view scene) {
        std::string draws;
        for (int n = 0; n < count; ++n)
            draws += fmt::format(R"({}{{"a{}": {{"value": "{}"}}}})", n == 0 ? "" : ", ", n, value);
        return fmt::format(
            R"({{"lesson": 1, "steps": [{{"draw": [{}], "scene": {}, "text": {{"en": "{{$a0}}"}}}}]}})",
            draws, scene);
    };
    EXPECT_TRUE(parse_lesson(lesson("score.dot", 16, "{}")));
    const double before = work_done();
    const auto wide = parse_lesson(
        lesson("score.first_rise", 16,
               R"({"encoding": "rope", "d_model": 65536, "num_heads": 1, "content": "seeded"})"));
    EXPECT_LE(work_done() - before, 2.0 * kDrawWork) << (wide ? "" : to_string(wide.error()));
    EXPECT_EQ(to_string(parse_lesson(lesson("rank", 1, "{}")).error()),
              "lesson.slow_value (name=rank, path=steps[0].draw, step=1)");
}

// With any numbers a question has one right answer and a task can be done with the controls of its step.
TEST(Lessons, StandWithWhateverNumbersAreDrawn) {
    int with_draws = 0;
    for (const auto& [id, lesson] : shipped())
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            if (lesson.steps[i].written.is_null()) continue;
            ++with_draws;
            std::set<std::string> questions;
            double units = std::numeric_limits<double>::infinity();
            for (std::uint32_t seed = 0; seed < 200; ++seed) {
                SCOPED_TRACE(fmt::format("{}/{} seed {}", id, lesson.steps[i].id, seed));
                Lesson one = lesson;
                one.steps.clear();
                const auto step = drawn(lesson, lesson.steps[i], seed, units);
                ASSERT_TRUE(step) << to_string(step.error());
                EXPECT_EQ(*step, drawn(lesson, lesson.steps[i], seed, units).value());
                if (seed == 0) {
                    EXPECT_EQ(*step, lesson.steps[i]);
                }
                one.steps.push_back(*step);
                for (const Problem& problem : findings(one)) ADD_FAILURE() << to_string(problem);
                const Json solution = step->task ? step->task->solution : Json();
                questions.insert(to_json(step_scene(one, *step, true).value()).dump() + solution.dump());
            }
            EXPECT_GE(questions.size(), 3U) << id << "/" << lesson.steps[i].id;
        }
    EXPECT_GE(with_draws, 10);
}

TEST(Lessons, AllAreThereInOrder) {
    std::set<int> numbers;
    for (const auto& [id, lesson] : shipped()) numbers.insert(lesson.number);
    EXPECT_EQ(numbers.size(), shipped().size());
    EXPECT_EQ(static_cast<std::size_t>(*numbers.rbegin() - *numbers.begin() + 1), numbers.size())
        << "one is missing";
}

// A digit that belongs to a name (T5) is no number.
bool has_number(std::string_view words) {
    for (std::size_t i = 0; i < words.size(); ++i)
        if (std::isdigit(static_cast<unsigned char>(words[i])) != 0 &&
            (i == 0 || std::isalpha(static_cast<unsigned char>(words[i - 1])) == 0))
            return true;
    return false;
}

TEST(Lessons, BothLanguagesSayTheSameNumbersAndNoDigitIsTyped) {
    steps([](const Lesson&, const Step& step) {
        texts_of(step, [](const char* what, const Text& text) {
            SCOPED_TRACE(what);
            EXPECT_FALSE(text.en.empty());
            EXPECT_FALSE(text.zh.empty());
            EXPECT_EQ(places(text.en), places(text.zh));
            for (const Sentence* sentence : {&text.en, &text.zh})
                for (const Piece& piece : *sentence) EXPECT_FALSE(has_number(piece.words)) << piece.words;
        });
    });
}

// What a reader sees of a text, numbers taken as six characters.
std::size_t characters(const Sentence& sentence) {
    std::size_t count = 0;
    for (const Piece& piece : sentence)
        count += piece.kind != Piece::Kind::words
                     ? 6
                     : static_cast<std::size_t>(std::ranges::count_if(piece.words, [](char c) {
                           return c != '$' && (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
                       }));
    return count;
}

TEST(Lessons, TextsFitThePaneAndLinesTheBand) {
    steps([](const Lesson&, const Step& step) {
        EXPECT_LE(characters(step.text.en), 320U);
        EXPECT_LE(characters(step.text.zh), 130U);
        EXPECT_LE(characters(step.line.en), 64U);
        EXPECT_LE(characters(step.line.zh), 26U);
        EXPECT_FALSE(step.figure.empty());
    });
}

// Numbers resolve, the right choice is right, tasks are done by their solutions with the controls of the step, slips slip.
TEST(Lessons, DoWhatTheySay) {
    std::size_t verified = 0, tasks = 0;
    for (const auto& [id, lesson] : shipped()) {
        for (const Problem& problem : findings(lesson)) ADD_FAILURE() << id << ": " << to_string(problem);
        for (const Step& step : lesson.steps) {
            tasks += step.task.has_value();
            if (!step.question) continue;
            for (const Choice& choice : step.question->choices) verified += choice.verify.has_value();
        }
    }
    EXPECT_GE(verified, 30U);
    EXPECT_EQ(tasks, 16U);
}

TEST(Lessons, RecalledQuestionsAreEarlierOnes) {
    steps([](const Lesson& lesson, const Step& step) {
        if (step.recall.empty()) return;
        const auto slash = step.recall.find('/');
        ASSERT_NE(slash, std::string::npos);
        const auto found = shipped().find(step.recall.substr(0, slash));
        ASSERT_NE(found, shipped().end());
        EXPECT_LT(found->second.number, lesson.number);
        const auto asked = std::ranges::find(found->second.steps, step.recall.substr(slash + 1), &Step::id);
        ASSERT_NE(asked, found->second.steps.end());
        EXPECT_TRUE(asked->question);
        EXPECT_EQ(step.figure, asked->figure) << "the question is about that picture";
    });
}

TEST(Lessons, ControlsAreKeysOfTheScene) {
    const Json json = to_json(Scene());
    steps([&](const Lesson&, const Step& step) {
        for (const std::string& key : step.controls)
            // The menu of scalings stands for a part of the encoding.
            EXPECT_TRUE(key == "scaling" || json.contains(key.substr(0, key.find('.')))) << key;
    });
}

// --- The reader -------------------------------------------------------------------------------------------------

std::string refusal(std::string_view text) {
    const auto lesson = parse_lesson(text);
    EXPECT_FALSE(lesson);
    return lesson ? std::string() : to_string(lesson.error());
}

TEST(LessonReader, TakesALecturersShortOne) {
    const auto lesson = parse_lesson(
        R"({"lesson": 1, "steps": [{"scene": {"position": 3}, "text": {"zh": "看 {position}"}}]})");
    ASSERT_TRUE(lesson) << to_string(lesson.error());
    EXPECT_EQ(step_scene(*lesson, lesson->steps[0])->position, 3);
    EXPECT_EQ(lesson->steps[0].text.in(false), lesson->steps[0].text.zh) << "the other language is shown";
}

TEST(LessonReader, AQuestionIsAnsweredInOneWay) {
    const auto asks = [](std::string_view inside) {
        return fmt::format(R"({{"lesson": 1, "steps": [{{"ask": {{"text": {{"en": "?"}}, {}}}}}]}})", inside);
    };
    constexpr std::string_view cards =
        R"("order": {"cards": [{"en": "a"}, {"en": "b"}], "says": {"en": "no"}})";
    const auto lesson = parse_lesson(asks(cards));
    ASSERT_TRUE(lesson) << to_string(lesson.error());
    const Cards& read = *lesson->steps[0].question->cards;
    for (std::uint32_t seed = 0; seed < 20; ++seed)
        EXPECT_FALSE(std::ranges::is_sorted(read.laid_out(seed))) << "that would be the answer";
    ASSERT_TRUE(parse_lesson(asks(R"("sketch": {"from": 0, "to": 64})")));
    for (const std::string& both :
         {fmt::format(R"({}, "sketch": {{"from": 0, "to": 64}})", cards),
          fmt::format(R"({}, "choices": [{{"text": {{"en": "a"}}, "right": true}}])", cards)})
        EXPECT_EQ(refusal(asks(both)), "lesson.one_right (path=steps[0].ask.choices, step=1)");
    EXPECT_EQ(refusal(asks(R"("order": {"cards": [{"en": "a"}]})")),
              "lesson.missing (path=steps[0].ask.order.cards, step=1)");
    for (const char* axis :
         {R"("from": 0, "to": 1e300)", R"("from": 2, "to": 1)", R"("from": -1e10, "to": 1)"})
        EXPECT_EQ(refusal(asks(fmt::format(R"("sketch": {{{}}})", axis))),
                  "lesson.number (path=steps[0].ask.sketch.to, step=1)");
}

TEST(LessonReader, RefusesEachKindOfMistakeByItsPlace) {
    const auto step = [](std::string_view inside) {
        return fmt::format(R"({{"lesson": 1, "steps": [{{{}}}]}})", inside);
    };
    EXPECT_EQ(refusal("{}"), "lesson.none");
    EXPECT_EQ(refusal(R"({"lesson": 2, "steps": [{}]})"), "lesson.newer (version=2)");
    EXPECT_EQ(refusal(R"({"lesson": 1})"), "lesson.missing (path=steps)");
    EXPECT_EQ(refusal(R"({"lesson": 1, "steps": []})"), "lesson.list (path=steps, most=64)");
    EXPECT_EQ(
        refusal(step(R"("txt": {"en": "x"})")),
        "lesson.unknown (path=steps[0].txt, known=ask, controls, draw, figure, formula, id, idea, line, "
        "minutes, notes, paper, "
        "point, preset, recall, results, scene, task, taught, text, step=1)");
    EXPECT_EQ(refusal(step(R"("text": "x")")), "lesson.text (path=steps[0].text, step=1)");
    EXPECT_EQ(refusal(step(R"("text": {"en": "{nothing}"})")),
              "lesson.unknown_value (name=nothing, known=" + unknown_value("nothing").values[1].second +
                  ", path=steps[0].text, step=1)");
    EXPECT_EQ(refusal(step(R"("text": {"en": "{rank}"})")),
              "lesson.slow_value (name=rank, path=steps[0].text, step=1)");
    EXPECT_EQ(refusal(step(R"("text": {"en": "{position"})")),
              "lesson.place (place={position, path=steps[0].text, step=1)");
    EXPECT_EQ(refusal(step(R"("text": {"en": "{position:0}"})")),
              "lesson.place (place=position:0, path=steps[0].text, step=1)");
    EXPECT_EQ(refusal(step(R"("preset": "none")")), "lesson.unknown_preset (name=none, step=1)");
    EXPECT_EQ(refusal(step(R"("id": "a", "scene": {"d_model": 511})")).substr(0, 7), "d_model");
    EXPECT_EQ(refusal(step(R"("ask": {"text": {"en": "?"}, "choices": [{"text": {"en": "a"}}]})")),
              "lesson.one_right (path=steps[0].ask.choices, step=1)");
    EXPECT_EQ(refusal(step(R"("task": {"goal": {"en": "x"}, "done": {"value": "position"}})")),
              "lesson.condition (path=steps[0].task.done, step=1)");
    EXPECT_EQ(refusal(step(R"("task": {"goal": {"en": "x"}, "done": {"key": "nothing", "is": 1}})")),
              "lesson.unknown_key (path=steps[0].task.done, key=nothing, known=" + known_keys() +
                  ", step=1)");
    EXPECT_EQ(
        refusal(step(
            R"("task": {"goal": {"en": "x"}, "done": {"value": "position", "at_least": 2, "at_most": 1}})")),
        "lesson.condition (path=steps[0].task.done, step=1)");
    EXPECT_EQ(refusal(R"({"lesson": 1, "steps": [{"id": "a"}, {"id": "a"}]})"),
              "lesson.twice (path=steps[1].id, step=2 a)");
    EXPECT_EQ(refusal(std::string(kLargestLesson + 1, ' ')).substr(0, 12), "lesson.large");
}

// A lesson cut off anywhere is refused, never read in part.
TEST(LessonReader, RefusesALessonCutAnywhere) {
    const std::string whole = contents(fs::path(test::kTree) / "assets/lessons/02-clocks.json");
    for (std::size_t size = 0; size + 2 < whole.size(); size += 97)
        EXPECT_FALSE(parse_lesson(std::string_view(whole).substr(0, size))) << size;
}

TEST(LessonConditions, CompareValuesAndKeys) {
    const auto condition = [](std::string_view json) { return *read_condition(*parse_json(json), ""); };
    Scene scene;
    scene.position = 10;
    EXPECT_TRUE(holds(condition(R"({"value": "position", "is": 10})"), scene));
    EXPECT_FALSE(holds(condition(R"({"value": "position", "at_least": 11})"), scene));
    EXPECT_TRUE(holds(condition(R"({"not": {"value": "position", "at_least": 11}})"), scene));
    EXPECT_TRUE(holds(condition(R"({"key": "encoding.kind", "is": "sinusoidal"})"), scene));
    EXPECT_FALSE(holds(condition(R"({"key": "encoding.nothing", "is": "sinusoidal"})"), scene));
    EXPECT_FALSE(holds(condition(R"({"value": "trained.length", "at_least": 0})"), scene)) << "there is none";
    EXPECT_TRUE(
        holds(condition(R"({"any": [{"value": "pair", "is": 3}, {"value": "pair", "is": 10}]})"), scene));
    EXPECT_FALSE(
        holds(condition(R"({"all": [{"value": "pair", "is": 3}, {"value": "pair", "is": 10}]})"), scene));
}

TEST(LessonConditions, ATaskKeepsWhatItSays) {
    Task task;
    task.done = *read_condition(*parse_json(R"({"value": "position", "is": 4})"), "");
    task.keep = {"length"};
    Scene start, now;
    now.position = 4;
    EXPECT_TRUE(judge(task, start, now).done);
    now.length = 64;
    EXPECT_FALSE(judge(task, start, now).done);
}

// A number that takes long keeps no other one from being computed, and no text computes one twice.
TEST(LessonNumbers, AreLeftOutWhereTheyTakeTooLong) {
    const Scene wide = overlay(Scene(), {{"d_model", 1024}, {"length", 1024}})->scene;
    Named named;
    for (int times = 0; times < 3; ++times)
        for (const char* name : {"rank", "position", "score.dot"}) named.add(*find_value(name));
    ASSERT_EQ(named.values().size(), 3U);
    const double before = work_done();
    const Numbers numbers(named, ValueInput(wide), 2e7);
    EXPECT_LE(work_done() - before, 2e7);
    EXPECT_EQ(numbers.of(*find_value("rank")), nullptr);
    EXPECT_FALSE(numbers.whole());
    ASSERT_NE(numbers.of(*find_value("position")), nullptr);
    EXPECT_EQ(**numbers.of(*find_value("position")), 10.0);
    EXPECT_NE(numbers.of(*find_value("score.dot")), nullptr);
    // Where somebody else's allowance ends, nothing is taken for too costly.
    const Allowance outer(1e7);
    EXPECT_THROW(Numbers(named, ValueInput(wide), 2e9), Interrupted);
}

// Values read what ValueInput holds and nothing else of a Scene.
TEST(LessonNumbers, AreThoseOfTheSceneItself) {
    const Scene scene = overlay(Scene(), {{"position", 7},
                                          {"offset", -2},
                                          {"pair", 4},
                                          {"shift", 3},
                                          {"trained", {{"length", 64}}},
                                          {"view", {{"shift", {{"second", 9}}}}}})
                            ->scene;
    EXPECT_TRUE(ValueInput(scene) == scene);
    EXPECT_FALSE(ValueInput(Scene()) == scene);
    for (const Value& value : values()) {
        const auto whole = value.of(scene), part = value.of(ValueInput(scene).scene());
        ASSERT_EQ(whole.has_value(), part.has_value()) << value.name;
        if (!whole) continue;
        EXPECT_EQ(*whole, *part) << value.name;
    }
}

// Every value is computed or refused for every encoding, and never stands for nothing.
TEST(LessonValues, AreNumbersOrRefusalsForEveryEncoding) {
    for (const std::string_view kind : {"none", "sinusoidal", "learned", "shaw", "transformer_xl", "t5",
                                        "rope", "xpos", "alibi", "kerple", "fire", "sandwich"}) {
        auto laid = overlay(
            Scene(), {{"encoding", std::string(kind)}, {"d_model", 64}, {"num_heads", 4}, {"length", 48}});
        ASSERT_TRUE(laid) << kind;
        for (const Value& value : values()) {
            const auto number = value.of(laid->scene);
            EXPECT_FALSE(number && std::isnan(*number)) << kind << " " << value.name;
        }
    }
}

}  // namespace
}  // namespace posiscope::lessons::lessons_test
