#include "app/workbench/document/lesson_file.hpp"

#include "app/figures/figure.hpp"
#include "app/ui/lessons.hpp"

#include <algorithm>
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
                       {{"path", fmt::format("{}.{}", path, key)}, {"name", std::string(name)}}};
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

}  // namespace posiscope::workbench
