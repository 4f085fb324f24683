#include "app/workbench/document/store.hpp"

#include "app/platform/paths.hpp"
#include "core/experiment/bank.hpp"
#include "core/formats/atomic_file.hpp"
#include "core/formats/file.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::workbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kThemes[] = {"dark", "light", "print"};
constexpr std::string_view kLanguages[] = {"en", "zh"};
constexpr std::size_t kMostDividers = 16;

Result<void> put(const fs::path& folder, const std::string& name, std::string_view text) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        return failure("file.create",
                       {{"path", (folder / name).string()}, {"reason", reason_of(error.value())}});
    return write_file(folder / name, text, true);
}

Result<void> save(const fs::path& folder, const std::string& name, const Json& json) {
    if (folder.empty()) return refuse("store.no_folder", {{"name", name}});
    return put(folder, name, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

// Moves a damaged file to a name that nothing has yet.
Problem set_aside(const fs::path& file, std::string_view group) {
    const std::string key(group);
    for (int n = 1; n < 1000; ++n) {
        const fs::path aside = file.parent_path() / (file.stem().string() + "-damaged-" + std::to_string(n) +
                                                     file.extension().string());
        std::error_code error;
        if (fs::exists(fs::symlink_status(aside, error))) continue;
        fs::rename(file, aside, error);
        if (!error) return {key + ".damaged", {{"path", file.string()}, {"aside", aside.string()}}};
        break;
    }
    return {key + ".unreadable", {{"path", file.string()}}};
}

// The JSON of a file; nothing where there is no file.
Result<std::optional<Json>> read(const fs::path& file) {
    std::error_code error;
    if (file.parent_path().empty() || !fs::exists(fs::symlink_status(file, error))) return std::nullopt;
    const auto text = read_file(file);
    if (!text) return tl::unexpected(text.error());
    auto json = parse_json(*text);
    if (!json) return tl::unexpected(json.error());
    return std::optional(std::move(*json));
}

// The merge patch from one value to the other: null takes a key away.
Json changes(const Json& before, const Json& now) {
    if (!before.is_object() || !now.is_object()) return now;
    Json made = Json::object();
    for (const auto& [key, value] : now.items()) {
        const auto known = before.find(key);
        if (known == before.end()) made[key] = value;
        else if (*known != value) made[key] = changes(*known, value);
    }
    for (const auto& [key, value] : before.items())
        if (!now.contains(key)) made[key] = nullptr;
    return made;
}

const std::string& path_of(const std::string& path) { return path; }
const std::string& path_of(const panels::OwnLesson& lesson) { return lesson.path; }

// Files that were opened here since `before`, then those of the file.
template <class T>
std::vector<T> recent_of(const std::vector<T>& before, const std::vector<T>& now,
                         const std::vector<T>& file) {
    std::vector<T> made;
    for (const T& one : now) {
        if (!before.empty() && one == before.front()) break;
        made.push_back(one);
    }
    for (const T& one : file)
        if (made.size() < kMostRecent &&
            std::ranges::none_of(made, [&](const T& had) { return path_of(had) == path_of(one); }))
            made.push_back(one);
    return made;
}

Json lessons_json(const std::vector<panels::OwnLesson>& lessons) {
    Json made = Json::array();
    for (const panels::OwnLesson& one : lessons) made.push_back({{"path", one.path}, {"title", one.title}});
    return made;
}

// True if the system kept a file from being read, and not its content.
bool unreachable(const Problem& problem) {
    return problem.key == "file.read" || problem.key == "file.missing" || problem.key == "file.folder";
}

// Writes what leads from `before` to `now` over what is in the file by now; `lists(merged, there)` joins what a patch cannot.
template <class Lists>
Result<void> save_changes(const fs::path& folder, const std::string& group, const Json& before,
                          const Json& now, const Lists& lists) {
    const FolderLock lock(folder);
    const fs::path file = folder / (group + ".json");
    auto there = read(file);
    const bool damaged = there ? *there && !(*there)->is_object() : !unreachable(there.error());
    if (damaged) (void)set_aside(file, group);
    if (!there || !*there || damaged) return save(folder, group + ".json", now);
    Json merged = **there;
    merged.merge_patch(changes(before, now));
    lists(merged, **there);
    return save(folder, group + ".json", merged);
}

void take(const Json& json, const char* key, bool& value) {
    if (const auto found = json.find(key); found != json.end() && found->is_boolean())
        value = found->get<bool>();
}

void take(const Json& json, const char* key, double minimum, double maximum, double& value) {
    if (const auto found = json.find(key); found != json.end() && found->is_number())
        value = std::clamp(found->get<double>(), minimum, maximum);
}

void take(const Json& json, const char* key, int minimum, int maximum, int& value) {
    double number = value;
    take(json, key, static_cast<double>(minimum), static_cast<double>(maximum), number);
    value = static_cast<int>(std::lround(number));
}

void take(const Json& json, const char* key, std::span<const std::string_view> choices, std::string& value) {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_string()) return;
    const auto& given = found->get_ref<const std::string&>();
    if (std::find(choices.begin(), choices.end(), given) != choices.end()) value = given;
}

}  // namespace

Scene opening_scene() {
    Scene scene;
    scene.d_model = 16;
    scene.length = 64;
    scene.position = 18;
    scene.pair = 1;
    return scene;
}

Loaded<Scene> load_session(const fs::path& state) {
    const fs::path file = state / "session.json";
    const auto json = read(file);
    if (!json && unreachable(json.error())) return {Scene(), json.error()};
    if (json && !*json) return {opening_scene(), std::nullopt};
    if (json) {
        auto laid = overlay(Scene(), **json);
        if (laid) return {std::move(laid->scene), std::nullopt};
    }
    return {Scene(), set_aside(file, "session")};
}

Loaded<Scene> set_session_aside(const fs::path& state) {
    const fs::path file = state / "session.json";
    std::error_code error;
    if (!fs::exists(fs::symlink_status(file, error))) return {Scene(), std::nullopt};
    return {Scene(), set_aside(file, "session_undrawn")};
}

Result<void> save_session(const fs::path& state, const Scene& scene) {
    return save(state, "session.json", posiscope::to_json(scene));
}

Loaded<Json> load_progress(const fs::path& state) {
    const fs::path file = state / "lessons.json";
    auto json = read(file);
    if (!json && unreachable(json.error())) return {Json::object(), json.error()};
    if (json && !*json) return {Json::object(), std::nullopt};
    if (json && (*json)->is_object()) return {std::move(**json), std::nullopt};
    return {Json::object(), set_aside(file, "lessons")};
}

Result<void> save_progress(const fs::path& state, const Json& before, const Json& now) {
    return save_changes(state, "lessons", before, now, [](Json&, const Json&) {});
}

Loaded<std::optional<experiment::Results>> load_results(const fs::path& state, const std::string& name) {
    const fs::path file = state / "experiments" / (name + ".json");
    std::error_code error;
    if (state.empty() || !fs::exists(fs::symlink_status(file, error))) return {};
    const auto text = read_file(file);
    if (!text) return {std::nullopt, text.error()};
    auto results = experiment::results_from(*text);
    if (results) return {std::move(*results), std::nullopt};
    return {std::nullopt, set_aside(file, "results")};
}

Result<void> save_results(const fs::path& state, const std::string& name,
                          const experiment::Results& results) {
    if (state.empty()) return refuse("store.no_folder", {{"name", name + ".json"}});
    const fs::path folder = state / "experiments";
    std::error_code error;
    fs::create_directories(folder, error);  // put() says why it cannot
    const FolderLock lock(folder);
    auto [there, problem] = load_results(state, name);
    if (problem && unreachable(*problem)) return tl::unexpected(*problem);
    if (!there) return put(folder, name + ".json", experiment::to_text(results));
    experiment::Bank all = experiment::bank_of(std::move(*there), experiment::Origin::own);
    for (experiment::Known& own : experiment::bank_of(results, experiment::Origin::own).runs)
        all.add(std::move(own));
    return put(folder, name + ".json", experiment::to_text(experiment::results_of(all)));
}

Loaded<Preferences> load_preferences(const fs::path& config) {
    const fs::path file = config / "preferences.json";
    const auto json = read(file);
    if (!json && unreachable(json.error())) return {Preferences(), json.error()};
    if (json && !*json) return {Preferences(), std::nullopt};
    if (json && (*json)->is_object()) return {preferences_from(**json), std::nullopt};
    return {Preferences(), set_aside(file, "preferences")};
}

Result<void> save_preferences(const fs::path& config, const Preferences& before, const Preferences& now) {
    return save_changes(
        config, "preferences", to_json(before), to_json(now), [&](Json& merged, const Json& there) {
            const Preferences other = preferences_from(there);
            if (before.recent != now.recent)
                merged["recent"] = recent_of(before.recent, now.recent, other.recent);
            if (before.lessons != now.lessons)
                merged["lessons"] = lessons_json(recent_of(before.lessons, now.lessons, other.lessons));
        });
}

Result<fs::path> keep_log(const fs::path& state, const std::string& name, std::string_view text) {
    const auto folder = state.empty() ? platform::private_folder() : Result<fs::path>(state);
    if (!folder) return folder;
    if (auto written = put(*folder, name, text); !written) return tl::unexpected(written.error());
    return *folder / name;
}

Json to_json(const Preferences& p) {
    return {
        {"theme", p.theme},
        {"presenting_theme", p.presenting_theme},
        {"lessons_offered", p.lessons_offered},
        {"language", p.language},
        {"scale", p.scale},
        {"window",
         {{"width", p.width}, {"height", p.height}, {"x", p.x}, {"y", p.y}, {"maximised", p.maximised}}},
        {"speed", p.speed},
        {"loop", p.loop},
        {"smooth", p.smooth},
        {"picture_scale", p.picture_scale},
        {"drag_hint_seen", p.drag_hint_seen},
        {"train_elsewhere", p.train_elsewhere},
        {"page", p.page},
        {"splits", p.splits},
        {"recent", p.recent},
        {"lessons", lessons_json(p.lessons)},
    };
}

Preferences preferences_from(const Json& json) {
    Preferences p;
    if (!json.is_object()) return p;
    take(json, "theme", kThemes, p.theme);
    take(json, "presenting_theme", kThemes, p.presenting_theme);
    take(json, "lessons_offered", p.lessons_offered);
    take(json, "language", kLanguages, p.language);
    take(json, "scale", 0.5, 3.0, p.scale);
    take(json, "speed", 1.0 / 64.0, 4096.0, p.speed);
    take(json, "loop", p.loop);
    take(json, "smooth", p.smooth);
    take(json, "picture_scale", 1, 4, p.picture_scale);
    take(json, "drag_hint_seen", p.drag_hint_seen);
    take(json, "train_elsewhere", p.train_elsewhere);
    if (const auto window = json.find("window"); window != json.end() && window->is_object()) {
        take(*window, "width", 320, 16384, p.width);
        take(*window, "height", 240, 16384, p.height);
        take(*window, "x", -32768, 32767, p.x);
        take(*window, "y", -32768, 32767, p.y);
        take(*window, "maximised", p.maximised);
    }
    if (const auto page = json.find("page"); page != json.end() && page->is_string())
        if (const auto& address = page->get_ref<const std::string&>(); address.size() < kLongestPage)
            p.page = address;
    if (const auto recent = json.find("recent"); recent != json.end() && recent->is_array())
        for (const Json& path : *recent)
            if (path.is_string() && p.recent.size() < kMostRecent)
                p.recent.push_back(path.get<std::string>());
    if (const auto lessons = json.find("lessons"); lessons != json.end() && lessons->is_array())
        for (const Json& one : *lessons)
            if (one.is_object() && one.contains("path") && one["path"].is_string() && one.contains("title") &&
                one["title"].is_string() && p.lessons.size() < kMostRecent)
                p.lessons.push_back({one["path"].get<std::string>(), one["title"].get<std::string>()});
    if (const auto splits = json.find("splits"); splits != json.end() && splits->is_object())
        for (const auto& [bench, ratios] : splits->items()) {
            const auto number = [](const Json& ratio) { return ratio.is_number(); };
            if (!ratios.is_array() || ratios.size() > kMostDividers ||
                !std::all_of(ratios.begin(), ratios.end(), number))
                continue;
            std::vector<double>& own = p.splits[bench];
            for (const Json& ratio : ratios) own.push_back(std::clamp(ratio.get<double>(), 0.1, 0.9));
        }
    return p;
}

}  // namespace posiscope::workbench
