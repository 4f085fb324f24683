#include "app/workbench/document/lesson_file.hpp"

#include "app/figures/figure.hpp"
#include "app/panels/guide_parts.hpp"
#include "app/ui/known.hpp"
#include "core/scene/keys.hpp"

#include <nlohmann/json.hpp>

namespace posiscope::workbench {
namespace {

using Ordered = nlohmann::ordered_json;

// The keys in which a Scene differs from the one that a step begins with; null puts a key back to its default.
Json difference(const Scene& from, const Scene& to) {
    const Json before = posiscope::to_json(from), after = posiscope::to_json(to);
    Json changed = Json::object();
    for (const auto& [key, value] : after.items())
        if (!before.contains(key) || before[key] != value) changed[key] = value;
    for (const auto& item : before.items())
        if (!after.contains(item.key())) changed[item.key()] = nullptr;
    changed.erase("version");
    return changed;
}

std::string figure_names() {
    std::string names;
    for (const figures::Figure* figure : figures::figures())
        names += fmt::format("{}{}", names.empty() ? "" : ", ", figure->id);
    return names;
}

bool is_question(std::string_view recalled) {
    const auto slash = recalled.find('/');
    if (slash == std::string_view::npos) return false;
    for (const lessons::Lesson& lesson : ui::known_lessons())
        for (const lessons::Step& step : lesson.steps)
            if (lesson.id == recalled.substr(0, slash) && step.id == recalled.substr(slash + 1))
                return step.question.has_value();
    return false;
}

// The names in a step that core cannot know: of figures, controls and earlier questions.
std::optional<Problem> unknown_name(const lessons::Step& step, std::string_view path) {
    const auto figure = [&](std::string_view name, std::string_view key) -> std::optional<Problem> {
        if (figures::find_figure(name) != nullptr) return std::nullopt;
        return Problem{"lesson.unknown_figure",
                       {{"path", fmt::format("{}.{}", path, key)},
                        {"name", std::string(name)},
                        {"known", figure_names()}}};
    };
    const auto control = [&](std::string_view name, std::string_view key) -> std::optional<Problem> {
        static const Json keys = posiscope::to_json(Scene());
        if (name == "scaling" || keys.contains(std::string(name.substr(0, name.find('.')))))
            return std::nullopt;
        return Problem{"lesson.unknown_control",
                       {{"path", fmt::format("{}.{}", path, key)},
                        {"name", std::string(name)},
                        {"known", known_keys()}}};
    };
    std::optional<Problem> problem;
    if (!step.figure.empty()) problem = figure(step.figure, "figure");
    for (const std::string& name : step.controls)
        if (!problem) problem = control(name, "controls");
    constexpr std::string_view kSidebar = "sidebar:";
    for (const std::string& name : step.point)
        if (!problem)
            problem = name.starts_with(kSidebar)
                          ? control(std::string_view(name).substr(kSidebar.size()), "point")
                          : figure(std::string_view(name).substr(0, name.find(':')), "point");
    if (!problem && !step.recall.empty() && !is_question(step.recall))
        problem = Problem{"lesson.unknown_question",
                          {{"path", fmt::format("{}.recall", path)}, {"name", step.recall}}};
    return problem;
}

std::optional<Problem> unknown_name(const lessons::Lesson& lesson) {
    for (std::size_t i = 0; i < lesson.steps.size(); ++i)
        if (auto problem = unknown_name(lesson.steps[i], fmt::format("steps[{}]", i))) {
            const std::string& id = lesson.steps[i].id;
            problem->values.emplace_back("step", id.empty() ? std::to_string(i + 1)
                                                            : fmt::format("{} {}", i + 1, id));
            return problem;
        }
    return std::nullopt;
}

// A condition for each value that differs, by its path in the Scene.
void add_conditions(const Json& before, const Json& now, const std::string& path, Ordered& conditions) {
    for (const auto& [key, value] : now.items()) {
        const std::string at = path.empty() ? key : path + "." + key;
        const bool known = before.is_object() && before.contains(key);
        if (known && before[key] == value) continue;
        if (value.is_object()) add_conditions(known ? before[key] : Json(), value, at, conditions);
        else conditions.push_back(Ordered{{"key", at}, {"is", Ordered::parse(value.dump())}});
    }
    if (!before.is_object()) return;
    for (const auto& item : before.items())
        if (!now.contains(item.key()))
            conditions.push_back(
                Ordered{{"key", path.empty() ? item.key() : path + "." + item.key()}, {"is", nullptr}});
}

}  // namespace

bool looks_like_lesson(const Json& json) {
    return json.is_object() && json.contains("lesson") && json.contains("steps");
}

Result<std::shared_ptr<const lessons::Lesson>> read_lesson(const std::string& path, std::string_view text) {
    auto lesson = lessons::parse_lesson(text);
    if (lesson)
        if (auto unknown = unknown_name(*lesson)) lesson = tl::unexpected(std::move(*unknown));
    if (lesson) return std::make_shared<const lessons::Lesson>(std::move(*lesson));
    Problem& problem = lesson.error();
    const std::string* step = value_of(problem, "step");
    return tl::unexpected(
        in_file(problem, step != nullptr ? fmt::format("{}{}{}", path, kStepOfFile, *step) : path));
}

Result<std::string> with_step(std::string_view text, const NewStep& step) {
    Ordered file = Ordered{{"lesson", lessons::kLessonVersion}, {"steps", Ordered::array()}};
    Scene base;
    if (!text.empty()) {
        auto known = lessons::parse_lesson(text);
        if (!known) return tl::unexpected(known.error());
        lessons::Step empty;
        auto scene = lessons::step_scene(*known, empty);
        if (!scene) return tl::unexpected(scene.error());
        base = std::move(*scene);
        file = Ordered::parse(text);
    }
    Ordered made = Ordered::object();
    if (!step.figure.empty()) made["figure"] = step.figure;
    made["scene"] = Ordered::parse(difference(base, step.scene).dump());
    const std::string language(code(step.language));
    // Braces are places of numbers in a lesson's text.
    std::string words(step.words);
    std::erase_if(words, [](char c) { return c == '{' || c == '}'; });
    made["text"] = {{language, words}};
    file["steps"].push_back(std::move(made));
    const std::string written = file.dump(2) + "\n";
    if (auto again = lessons::parse_lesson(written); !again) return tl::unexpected(again.error());
    return written;
}

Result<std::string> with_task(std::string_view text, std::size_t step, const Scene& done, Language language,
                              std::string_view goal) {
    const auto lesson = lessons::parse_lesson(text);
    if (!lesson) return tl::unexpected(lesson.error());
    if (step >= lesson->steps.size()) return refuse("lesson.no_step", {{"step", std::to_string(step + 1)}});
    auto start = lessons::step_scene(*lesson, lesson->steps[step]);
    if (!start) return tl::unexpected(start.error());
    start->bench = done.bench;  // looking around is no task
    const Json solution = difference(*start, done);
    if (solution.empty()) return refuse("lesson.nothing_done", {{"step", std::to_string(step + 1)}});
    Ordered conditions = Ordered::array();
    add_conditions(posiscope::to_json(*start), posiscope::to_json(done), {}, conditions);

    Ordered file = Ordered::parse(text);
    Ordered& written = file["steps"][step];
    Ordered& task = written["task"];
    if (!task.contains("goal")) task["goal"] = {{std::string(code(language)), goal}};
    task["done"] = {{"all", std::move(conditions)}};
    task["solution"] = Ordered::parse(solution.dump());
    task.erase("slips");  // they were of another end
    if (!written.contains("controls")) {
        Ordered controls = Ordered::array();
        for (const auto& item : solution.items())
            if (controls.size() < lessons::kMostControls && item.key() != "view")
                controls.push_back(item.key());
        if (!controls.empty()) written["controls"] = std::move(controls);
    }
    std::string made = file.dump(2) + "\n";
    if (const auto again = lessons::parse_lesson(made); !again) return tl::unexpected(again.error());
    return made;
}

namespace {

// The step of a file that is a lesson, to be read or changed.
Result<Ordered> file_with_step(std::string_view text, std::size_t step) {
    const auto lesson = lessons::parse_lesson(text);
    if (!lesson) return tl::unexpected(lesson.error());
    if (step >= lesson->steps.size()) return refuse("lesson.no_step", {{"step", std::to_string(step + 1)}});
    return Ordered::parse(text);
}

// The changed file as text, if it is still a lesson.
Result<std::string> as_lesson_text(const Ordered& file) {
    std::string made = file.dump(2) + "\n";
    if (const auto again = lessons::parse_lesson(made); !again) return tl::unexpected(again.error());
    return made;
}

bool answered_otherwise(const Ordered& ask) {
    return ask.contains("guess") || ask.contains("sketch") || ask.contains("order");
}

}  // namespace

Result<std::size_t> same_step(std::string_view text, std::string_view read, std::size_t step) {
    const auto then = file_with_step(read, step), now = file_with_step(text, 0);
    if (!then) return tl::unexpected(then.error());
    if (!now) return tl::unexpected(now.error());
    const Ordered& steps = (*now)["steps"];
    const Ordered& wanted = (*then)["steps"][step];
    if (step < steps.size() && steps[step] == wanted) return step;
    const std::string id = wanted.value("id", std::string());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i] == wanted) return i;
        if (!id.empty() && steps[i].value("id", std::string()) == id)
            return refuse("lesson.changed", {{"step", std::to_string(i + 1)}});
    }
    return refuse("lesson.gone", {{"step", std::to_string(step + 1)}});
}

Result<std::string> with_step_moved(std::string_view text, std::size_t step, int by) {
    auto file = file_with_step(text, step);
    if (!file) return tl::unexpected(file.error());
    Ordered& steps = (*file)["steps"];
    const std::size_t to = by > 0 ? step + 1 : step - 1;  // past the end before the first
    if (to >= steps.size()) return refuse("lesson.no_step", {{"step", std::to_string(by > 0 ? to + 1 : 0)}});
    std::swap(steps[step], steps[to]);
    return as_lesson_text(*file);
}

Result<std::string> without_step(std::string_view text, std::size_t step) {
    auto file = file_with_step(text, step);
    if (!file) return tl::unexpected(file.error());
    if ((*file)["steps"].size() == 1) return refuse("lesson.last_step");
    (*file)["steps"].erase(step);
    return as_lesson_text(*file);
}

Result<std::string> with_step_twice(std::string_view text, std::size_t step) {
    auto file = file_with_step(text, step);
    if (!file) return tl::unexpected(file.error());
    Ordered& steps = (*file)["steps"];
    Ordered copy = steps[step];
    copy.erase("id");  // a step's own
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(step) + 1, std::move(copy));
    return as_lesson_text(*file);
}

Result<panels::StepEdit> step_text(std::string_view text, std::size_t step, Language language) {
    const auto file = file_with_step(text, step);
    if (!file) return tl::unexpected(file.error());
    const std::string in(code(language));
    const auto words = [&](const Ordered& from, const char* key) {
        return from.contains(key) ? from[key].value(in, std::string()) : std::string();
    };
    const Ordered& written = (*file)["steps"][step];
    panels::StepEdit made;
    made.title = words(*file, "title");
    made.text = words(written, "text");
    made.line = words(written, "line");
    made.notes = words(written, "notes");
    if (written.contains("task")) {
        const Ordered& task = written["task"];
        made.task = {words(task, "goal"), words(task, "hint"), words(task, "well")};
    }
    if (!written.contains("ask")) return made;
    const Ordered& ask = written["ask"];
    made.question = words(ask, "text");
    made.chooses = !answered_otherwise(ask);
    if (ask.contains("choices"))
        for (const Ordered& choice : ask["choices"])
            made.choices.push_back(
                {words(choice, "text"), words(choice, "says"), choice.value("right", false)});
    return made;
}

Result<std::string> with_text(std::string_view text, std::size_t step, const panels::StepEdit& words,
                              Language language) {
    auto file = file_with_step(text, step);
    if (!file) return tl::unexpected(file.error());
    const std::string in(code(language));
    const auto put = [&](Ordered& into, const char* key, std::string_view typed) {
        const std::string line = panels::parts::in_one_line(typed);
        if (!line.empty()) into[key][in] = line;
        else if (into.contains(key)) into[key].erase(in);
        if (into.contains(key) && into[key].empty()) into.erase(key);
    };
    put(*file, "title", words.title);
    Ordered& written = (*file)["steps"][step];
    put(written, "text", words.text);
    put(written, "line", words.line);
    put(written, "notes", words.notes);
    if (words.task && written.contains("task")) {
        put(written["task"], "goal", words.task->goal);
        put(written["task"], "hint", words.task->hint);
        put(written["task"], "well", words.task->well);
    }
    if (panels::parts::in_one_line(words.question).empty() && words.choices.empty()) {
        written.erase("ask");
    } else {
        Ordered& ask = written["ask"];
        put(ask, "text", words.question);
        const Ordered before = ask.contains("choices") ? ask["choices"] : Ordered::array();
        if (words.chooses) ask["choices"] = Ordered::array();
        for (std::size_t i = 0; words.chooses && i < words.choices.size(); ++i) {
            Ordered choice = i < before.size() ? before[i] : Ordered::object();
            put(choice, "text", words.choices[i].text);
            put(choice, "says", words.choices[i].right ? std::string() : words.choices[i].says);
            choice.erase("right");
            if (words.choices[i].right) choice["right"] = true;
            else choice.erase("verify");
            if (choice.contains("text"))
                ask["choices"].push_back(std::move(choice));  // an empty one is left out
        }
    }
    return as_lesson_text(*file);
}

}  // namespace posiscope::workbench
