#include "app/workbench/lesson_file.hpp"

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

}  // namespace

bool looks_like_lesson(const Json& json) {
    return json.is_object() && json.contains("lesson") && json.contains("steps");
}

Result<std::shared_ptr<const lessons::Lesson>> read_lesson(const std::string& path, std::string_view text) {
    auto lesson = lessons::parse_lesson(text);
    if (lesson) return std::make_shared<const lessons::Lesson>(std::move(*lesson));
    Problem& problem = lesson.error();
    const std::string* step = value_of(problem, "step");
    return tl::unexpected(in_file(problem, step != nullptr ? fmt::format("{} › {}", path, *step) : path));
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
