#include "core/lessons/lesson.hpp"

#include "core/models/presets.hpp"
#include "core/random.hpp"
#include "core/scene/words.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <utility>

namespace posiscope::lessons {
namespace {

// Reads one object of the file; a problem names the place in it.
class Reader {
public:
    Reader(const Json& json, std::string path) : json_(json), path_(std::move(path)) {
        if (!json.is_object()) fail("lesson.object", "");
    }

    const std::optional<Problem>& problem() const { return problem_; }
    const std::string& path() const { return path_; }
    std::string at(std::string_view key) const { return join_path(path_, key); }
    void take(Problem problem) {
        if (!problem_) problem_ = std::move(problem);
    }
    void fail(std::string key, std::string_view where) {
        take(Problem{std::move(key), {{"path", where.empty() ? path_ : at(where)}}});
    }

    const Json* find(std::string_view key) {
        seen_.insert(std::string(key));
        if (!json_.is_object()) return nullptr;
        const auto found = json_.find(std::string(key));
        return found != json_.end() && !found->is_null() ? &*found : nullptr;
    }
    std::string word(std::string_view key) {
        const Json* found = find(key);
        if (found == nullptr) return {};
        if (!found->is_string() || found->get_ref<const std::string&>().size() > 200) {
            fail("lesson.word", key);
            return {};
        }
        return found->get<std::string>();
    }
    double number(std::string_view key, double unless_given) {
        const Json* found = find(key);
        if (found == nullptr) return unless_given;
        if (!found->is_number()) fail("lesson.number", key);
        return found->is_number() ? found->get<double>() : unless_given;
    }
    int integer(std::string_view key, int least, int most) {
        const Json* found = find(key);
        if (found == nullptr) return 0;
        if (!found->is_number_integer() || *found < least || *found > most) {
            fail("lesson.integer", key);
            return 0;
        }
        return found->get<int>();
    }
    bool yes(std::string_view key, bool unless_given) {
        const Json* found = find(key);
        if (found == nullptr) return unless_given;
        if (!found->is_boolean()) fail("lesson.boolean", key);
        return found->is_boolean() && found->get<bool>();
    }
    std::vector<std::string> words(std::string_view key, std::size_t most) {
        std::vector<std::string> list;
        const Json* found = find(key);
        if (found == nullptr) return list;
        if (!found->is_array() || found->size() > most) {
            fail("lesson.words", key);
            return list;
        }
        for (const Json& word : *found) {
            if (!word.is_string()) {
                fail("lesson.words", key);
                return list;
            }
            list.push_back(word.get<std::string>());
        }
        return list;
    }
    Json partial(std::string_view key) {
        const Json* found = find(key);
        if (found == nullptr) return Json::object();
        if (found->is_object()) return *found;
        fail("lesson.object", key);
        return Json::object();
    }
    Text text(std::string_view key) {
        const Json* found = find(key);
        return found != nullptr ? read_text(*found, key) : Text{};
    }
    // An unread key is a mistake: a misspelt one would otherwise be silent.
    void finish() {
        if (!json_.is_object()) return;
        for (const auto& item : json_.items())
            if (!seen_.contains(item.key()))
                take(Problem{
                    "lesson.unknown",
                    {{"path", at(item.key())}, {"known", fmt::format("{}", fmt::join(seen_, ", "))}}});
    }

private:
    Text read_text(const Json& json, std::string_view key) {
        Text text;
        const auto sentence = [&](const Json& given) {
            Sentence made;
            if (!given.is_string() || given.get_ref<const std::string&>().size() > kLongestText) {
                fail("lesson.text", key);
                return made;
            }
            auto read = parse_sentence(given.get_ref<const std::string&>());
            if (!read) {
                read.error().values.emplace_back("path", at(key));
                take(std::move(read.error()));
                return made;
            }
            return std::move(*read);
        };
        if (!json.is_object() || json.empty()) {
            fail("lesson.text", key);
            return text;
        }
        for (const auto& [language, words] : json.items()) {
            if (language == "en") text.en = sentence(words);
            else if (language == "zh") text.zh = sentence(words);
            else fail("lesson.text", key);
        }
        return text;
    }

    const Json& json_;
    std::string path_;
    std::set<std::string> seen_;
    std::optional<Problem> problem_;
};

template <class Made>
Result<Made> made_or_problem(Reader& reader, Made made) {
    reader.finish();
    if (reader.problem()) return tl::unexpected(*reader.problem());
    return made;
}

// A list of objects under `key`, each read by `read`.
template <class Made, class Read>
std::vector<Made> list_of(Reader& reader, std::string_view key, std::size_t most, Read read) {
    std::vector<Made> made;
    const Json* found = reader.find(key);
    if (found == nullptr) return made;
    if (!found->is_array() || found->empty() || found->size() > most) {
        reader.take(Problem{"lesson.list", {{"path", reader.at(key)}, {"most", std::to_string(most)}}});
        return made;
    }
    for (std::size_t i = 0; i < found->size(); ++i) {
        auto one = read((*found)[i], fmt::format("{}[{}]", reader.at(key), i));
        if (!one) {
            reader.take(one.error());
            return made;
        }
        made.push_back(std::move(*one));
    }
    return made;
}

std::optional<Condition> condition(Reader& reader, std::string_view key) {
    const Json* found = reader.find(key);
    if (found == nullptr) return std::nullopt;
    auto read = read_condition(*found, reader.at(key));
    if (read) return std::move(*read);
    reader.take(read.error());
    return std::nullopt;
}

Result<Choice> read_choice(const Json& json, std::string path) {
    Reader reader(json, std::move(path));
    Choice choice;
    choice.text = reader.text("text");
    choice.says = reader.text("says");
    choice.right = reader.yes("right", false);
    choice.verify = condition(reader, "verify");
    if (choice.text.empty()) reader.fail("lesson.missing", "text");
    return made_or_problem(reader, std::move(choice));
}

Result<Guess> read_guess(const Json& json, std::string path) {
    Reader reader(json, std::move(path));
    Guess guess;
    const std::string name = reader.word("answer");
    guess.answer = find_value(name);
    guess.from = reader.number("from", guess.from);
    guess.to = reader.number("to", guess.to);
    guess.step = reader.number("step", guess.step);
    guess.near = reader.number("near", guess.near);
    guess.axis = reader.yes("axis", false);
    guess.key = reader.word("key");
    guess.low = reader.text("low");
    guess.high = reader.text("high");
    if (guess.answer == nullptr) reader.take(unknown_value(name));
    else if (guess.answer->slow) reader.take(Problem{"lesson.slow_value", {{"name", name}}});
    if (!(guess.from < guess.to && guess.step > 0.0 && guess.near >= 0.0)) reader.fail("lesson.number", "to");
    return made_or_problem(reader, std::move(guess));
}

Result<Sketch> read_sketch(const Json& json, std::string path) {
    Reader reader(json, std::move(path));
    Sketch sketch;
    sketch.from = reader.number("from", sketch.from);
    sketch.to = reader.number("to", sketch.to);
    constexpr double kFarthest = 0x1p31;  // positions
    if (!(-kFarthest <= sketch.from && sketch.from < sketch.to && sketch.to <= kFarthest))
        reader.fail("lesson.number", "to");
    return made_or_problem(reader, sketch);
}

Result<Cards> read_cards(const Json& json, std::string path) {
    Reader reader(json, std::move(path));
    Cards cards;
    cards.list = list_of<Text>(reader, "cards", kMostCards, [](const Json& card, std::string at) {
        // One text, which is read as a text of an object that has nothing else.
        const Json holder = {{"card", card}};
        Reader inner(holder, std::move(at));
        Text text = inner.text("card");
        return made_or_problem(inner, std::move(text));
    });
    cards.says = reader.text("says");
    if (cards.list.size() < 2) reader.fail("lesson.missing", "cards");
    return made_or_problem(reader, std::move(cards));
}

// An optional part of an object.
template <class Made, class Read>
std::optional<Made> part_of(Reader& reader, std::string_view key, Read read) {
    const Json* found = reader.find(key);
    if (found == nullptr) return std::nullopt;
    auto made = read(*found, reader.at(key));
    if (made) return std::move(*made);
    reader.take(made.error());
    return std::nullopt;
}

Result<Question> read_question(const Json& json, std::string path) {
    Reader reader(json, std::move(path));
    Question question;
    question.text = reader.text("text");
    question.choices = list_of<Choice>(reader, "choices", kMostChoices, read_choice);
    if (const Json* then = reader.find("then")) {
        Reader inner(*then, reader.at("then"));
        question.then = inner.text("text");
        question.then_scene = inner.partial("scene");
        inner.finish();
        if (inner.problem()) reader.take(*inner.problem());
    }
    if (question.text.empty()) reader.fail("lesson.missing", "text");
    question.guess = part_of<Guess>(reader, "guess", read_guess);
    question.sketch = part_of<Sketch>(reader, "sketch", read_sketch);
    question.cards = part_of<Cards>(reader, "order", read_cards);
    const int other_ways = (question.guess ? 1 : 0) + (question.sketch ? 1 : 0) + (question.cards ? 1 : 0);
    if (other_ways > 1 || (other_ways == 1 && !question.choices.empty()) ||
        (other_ways == 0 && std::ranges::count(question.choices, true, &Choice::right) != 1))
        reader.fail("lesson.one_right", "choices");
    return made_or_problem(reader, std::move(question));
}

Result<Task> read_task(const Json& json, std::string path) {
    Reader reader(json, std::move(path));
    Task task;
    task.goal = reader.text("goal");
    task.well = reader.text("well");
    task.hint = reader.text("hint");
    task.solution = reader.partial("solution");
    task.keep = reader.words("keep", 16);
    const auto done = condition(reader, "done");
    if (done) task.done = *done;
    else reader.fail("lesson.missing", "done");
    task.slips = list_of<Slip>(reader, "slips", 8, [&](const Json& slip, std::string at) -> Result<Slip> {
        Reader inner(slip, std::move(at));
        Slip made;
        const auto when = condition(inner, "when");
        if (when) made.when = *when;
        else inner.fail("lesson.missing", "when");
        made.says = inner.text("says");
        task.slip_scenes.push_back(inner.partial("scene"));
        return made_or_problem(inner, std::move(made));
    });
    if (task.goal.empty()) reader.fail("lesson.missing", "goal");
    return made_or_problem(reader, std::move(task));
}

Result<Step> read_fixed_step(const Json& json, std::string path) {
    Reader reader(json, std::move(path));
    Step step;
    step.id = reader.word("id");
    step.figure = reader.word("figure");
    step.preset = reader.word("preset");
    step.scene = reader.partial("scene");
    step.controls = reader.words("controls", kMostControls);
    step.point = reader.words("point", 8);
    step.line = reader.text("line");
    step.text = reader.text("text");
    step.formula = reader.word("formula");
    step.notes = reader.text("notes");
    step.minutes = reader.number("minutes", 0.0);
    if (!(step.minutes >= 0.0 && step.minutes <= 600.0)) reader.fail("lesson.number", "minutes");
    step.recall = reader.word("recall");
    step.paper = reader.yes("paper", true);
    step.idea = reader.text("idea");
    step.taught = reader.word("taught");
    step.results = reader.yes("results", false);
    (void)reader.find("draw");  // its numbers are in their places already
    step.question = part_of<Question>(reader, "ask", read_question);
    step.task = part_of<Task>(reader, "task", read_task);
    return made_or_problem(reader, std::move(step));
}

bool choices_differ(const Step& step) {
    if (!step.question) return true;
    const auto same = [](const Sentence& one, const Sentence& other) { return !one.empty() && one == other; };
    const std::vector<Choice>& choices = step.question->choices;
    for (std::size_t i = 0; i < choices.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (same(choices[i].text.en, choices[j].text.en) || same(choices[i].text.zh, choices[j].text.zh))
                return false;
    return true;
}

constexpr std::uint64_t kDraws = 32;

// A draw in which two choices are the same number is drawn again.
Result<Step> read_step(const Lesson& lesson, const Json& json, const std::string& path, std::uint32_t seed,
                       double& units) {
    if (!json.is_object() || !json.contains("draw")) return read_fixed_step(json, path);
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
        const auto made = with_numbers(lesson, json, path, seed + (draw << 32U), units);
        if (!made) return tl::unexpected(made.error());
        auto step = read_fixed_step(*made, path);
        if (step && !choices_differ(*step)) continue;
        if (step) step->written = json;
        return step;
    }
    return refuse("lesson.draw_same", {{"path", path + ".ask.choices"}});
}

// Names the step of a mistake as its author does: by its id, or its number.
Problem in_its_step(Problem problem, const Json& json) {
    const std::string* path = value_of(problem, "path");
    constexpr std::string_view kSteps = "steps[";
    if (path == nullptr || !path->starts_with(kSteps) || value_of(problem, "step") != nullptr) return problem;
    const auto index = static_cast<std::size_t>(std::strtoull(path->c_str() + kSteps.size(), nullptr, 10));
    std::string name = std::to_string(index + 1);
    if (const Json& steps = json["steps"]; steps.is_array() && index < steps.size()) {
        const Json& step = steps[index];
        if (step.is_object() && step.contains("id") && step["id"].is_string())
            name += " " + std::string(whole_characters(
                              std::string_view(step["id"].get_ref<const std::string&>()).substr(0, 40)));
    }
    problem.values.emplace_back("step", std::move(name));
    return problem;
}

// Every Scene of a lesson must lay over.
std::optional<Problem> check_scenes(const Lesson& lesson) {
    std::set<std::string> ids;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const Step& step = lesson.steps[i];
        const auto in_step = [&](Problem problem) {
            problem.values.emplace_back("step", step.id.empty() ? std::to_string(i + 1)
                                                                : fmt::format("{} {}", i + 1, step.id));
            return problem;
        };
        if (!step.id.empty() && !ids.insert(step.id).second)
            return in_step(Problem{"lesson.twice", {{"path", fmt::format("steps[{}].id", i)}}});
        for (const bool revealed : {false, true}) {
            const auto scene = step_scene(lesson, step, revealed);
            if (!scene) return in_step(scene.error());
        }
        if (step.question && step.question->guess && !step.question->guess->key.empty())
            for (const double end : {step.question->guess->from, step.question->guess->to})
                if (const auto scene = said_scene(lesson, step, end); !scene) return in_step(scene.error());
        if (!step.task) continue;
        if (const auto solved = step_scene_with(lesson, step, step.task->solution); !solved)
            return in_step(solved.error());
        for (const Json& slip : step.task->slip_scenes)
            if (const auto slipped = step_scene_with(lesson, step, slip); !slipped)
                return in_step(slipped.error());
    }
    return std::nullopt;
}

// Dependent values are limited as in the window, such as pair 10 in a narrower table.
Result<Scene> lay(const Scene& scene, const Json& partial) {
    auto laid = overlay(scene, partial);
    if (!laid) return tl::unexpected(laid.error());
    return std::move(laid->scene);
}

Result<Scene> lay_preset(const Scene& scene, const std::string& id) {
    const auto found = std::ranges::find(presets(), std::string_view(id), &Preset::id);
    if (found == presets().end()) return refuse("lesson.unknown_preset", {{"name", id}});
    auto laid = with_preset(scene, *found);
    if (!laid) return tl::unexpected(laid.error());
    return std::move(laid->scene);
}

}  // namespace

std::vector<std::size_t> Cards::laid_out(std::uint32_t seed) const {
    std::vector<std::size_t> places(list.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::uint64_t chance = seed + 1;
    for (std::size_t left = places.size(); left > 1; --left) {
        chance = scattered(chance);
        std::swap(places[left - 1], places[chance % left]);
    }
    if (std::ranges::is_sorted(places)) std::swap(places.front(), places.back());
    return places;
}

double planned_minutes(const Lesson& lesson, std::size_t step) {
    if (lesson.steps[step].minutes > 0.0) return lesson.steps[step].minutes;
    double left = lesson.minutes;
    std::size_t sharing = 0;
    for (const Step& one : lesson.steps) {
        left -= one.minutes;
        sharing += one.minutes > 0.0 ? 0 : 1;
    }
    return std::max(left, 0.0) / static_cast<double>(sharing);
}

Result<Lesson> read_known_lesson(std::string_view text) {
    if (text.size() > kLargestLesson)
        return refuse("lesson.large",
                      {{"size", std::to_string(text.size())}, {"most", std::to_string(kLargestLesson)}});
    const auto json = parse_json(text);
    if (!json) return tl::unexpected(json.error());
    Reader reader(*json, "");
    Lesson lesson;
    if (const Json* version = reader.find("lesson"); version == nullptr || !version->is_number_integer())
        reader.take(Problem{"lesson.none", {}});
    else if (*version > kLessonVersion) reader.take(Problem{"lesson.newer", {{"version", version->dump()}}});
    lesson.number = reader.integer("number", 0, 999);
    lesson.id = reader.word("id");
    lesson.minutes = reader.integer("minutes", 0, 600);
    lesson.title = reader.text("title");
    lesson.claims = reader.words("claims", 80);
    lesson.words = reader.text("words");
    lesson.scene = reader.partial("scene");
    if (reader.find("steps") == nullptr) reader.fail("lesson.missing", "steps");
    double units = kDrawWork;
    lesson.steps = list_of<Step>(reader, "steps", kMostSteps, [&](const Json& step, const std::string& path) {
        return read_step(lesson, step, path, 0, units);
    });
    auto made = made_or_problem(reader, std::move(lesson));
    if (!made) return tl::unexpected(in_its_step(std::move(made.error()), *json));
    return made;
}

Result<Lesson> parse_lesson(std::string_view text) {
    auto read = read_known_lesson(text);
    if (!read) return read;
    if (auto problem = check_scenes(*read)) return tl::unexpected(std::move(*problem));
    return read;
}

Result<Step> drawn(const Lesson& lesson, const Step& step, std::uint32_t seed, double& units) {
    auto made = read_step(lesson, step.written, "step", seed, units);
    if (!made) return made;
    Lesson alone;
    alone.scene = lesson.scene;
    alone.steps.push_back(*made);
    if (auto problem = check_scenes(alone)) return tl::unexpected(std::move(*problem));
    return made;
}

Result<Scene> step_scene(const Lesson& lesson, const Step& step, bool revealed) {
    auto scene = lay(Scene(), lesson.scene);
    if (scene && !step.preset.empty()) scene = lay_preset(*scene, step.preset);
    if (scene) scene = lay(*scene, step.scene);
    if (scene && revealed && step.question) scene = lay(*scene, step.question->then_scene);
    return scene;
}

Scene in_language(const Lesson& lesson, Scene scene, bool chinese) {
    if (scene.content.kind != "tokens" || lesson.words.empty()) return scene;
    const auto tokens = [](const Sentence& sentence) {
        return sentence.empty() ? Json() : Json(split_words(sentence.front().words));
    };
    Json& text = scene.content.parameters["text"];
    if (text == tokens(lesson.words.in(!chinese))) text = tokens(lesson.words.in(chinese));
    return scene;
}

Result<Scene> step_scene_with(const Lesson& lesson, const Step& step, const Json& partial) {
    const auto scene = step_scene(lesson, step);
    return scene ? lay(*scene, partial) : scene;
}

Result<Scene> said_scene(const Lesson& lesson, const Step& step, double said) {
    const std::string& key = step.question->guess->key;
    if (key.empty()) return step_scene(lesson, step);
    const bool whole = said == std::round(said) && std::abs(said) < 0x1p53;
    return step_scene_with(lesson, step, {{key, whole ? Json(static_cast<std::int64_t>(said)) : Json(said)}});
}

Named named_by(const Task& task) {
    Named named;
    named.add(task.done);
    for (const Slip& slip : task.slips) named.add(slip.when);
    return named;
}

Verdict judge(const Task& task, const Scene& step, const Scene& now, const Numbers& numbers) {
    const Json was = to_json(step), is = to_json(now);
    const bool kept = std::ranges::all_of(
        task.keep, [&](const std::string& key) { return scene_value(is, key) == scene_value(was, key); });
    if (kept && holds(task.done, is, numbers)) return {.done = true};
    const auto slip =
        std::ranges::find_if(task.slips, [&](const Slip& one) { return holds(one.when, is, numbers); });
    return {.slip = slip != task.slips.end() ? &*slip : nullptr};
}

}  // namespace posiscope::lessons
