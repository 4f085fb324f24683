#include "core/experiment/settings.hpp"

#include "core/cost.hpp"
#include "core/experiment/frame.hpp"

#include <algorithm>
#include <array>

namespace posiscope::experiment {
namespace {

constexpr std::array<std::string_view, 9> kUsual = {"none", "sinusoidal", "learned", "t5",    "alibi",
                                                    "rope", "xpos",       "shaw",    "kerple"};

std::vector<std::string_view> task_kinds() {
    std::vector<std::string_view> kinds;
    for (const Task* task : tasks()) kinds.push_back(task->kind);
    return kinds;
}

Problem past(std::string path, std::int64_t value, std::int64_t minimum, std::int64_t maximum) {
    return {"value.range",
            {{"path", std::move(path)},
             {"value", std::to_string(value)},
             {"minimum", std::to_string(minimum)},
             {"maximum", std::to_string(maximum)}}};
}

constexpr double kMostUnits = 5e6;  // of a typed encoding's formulas at all places of a training sequence

std::optional<Problem> typed_refused(const Settings& settings, const std::string& entry) {
    const auto made = try_within_budget(kMostUnits, [&]() -> std::optional<Problem> {
        const auto frame = Frame::of(settings, entry);
        return frame ? std::nullopt : std::optional(frame.error());
    });
    return made ? *made : Problem{"experiment.typed_slow", {{"length", std::to_string(settings.length)}}};
}

// The other settings are there.
Result<std::vector<std::string>> encodings_from(const Json& list, const std::string& path,
                                                const Settings& settings) {
    std::vector<std::string> entries;
    for (const Json& one : list) {
        auto read = entry_from(one, path);
        if (!read) return tl::unexpected(read.error());
        auto problem = is_typed(*read) ? typed_refused(settings, *read) : not_trained(*read);
        if (problem) return tl::unexpected(std::move(*problem));
        if (std::find(entries.begin(), entries.end(), *read) != entries.end())
            return refuse("experiment.repeated", {{"encoding", label_of(entries, *read)}});
        entries.push_back(std::move(*read));
        if (std::count_if(entries.begin(), entries.end(), is_typed) > static_cast<std::ptrdiff_t>(kMostTyped))
            return refuse("experiment.typed_many", {{"most", std::to_string(kMostTyped)}});
    }
    if (entries.empty()) return refuse("experiment.no_encodings");
    return entries;
}

Settings of_task(std::string task) {
    Settings settings;
    settings.steps = find_task(task)->steps;
    settings.task = std::move(task);
    settings.encodings.assign(kUsual.begin(), kUsual.end());
    return settings;
}

Settings order(bool causal) {
    Settings settings = of_task("order");
    settings.causal = causal;
    settings.encodings = {"none", "rope"};
    return settings;
}

}  // namespace

std::span<const Parameter> settings_parameters() {
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"task", Kind::choice, "back", 0, 0, false, task_kinds()},
        {"k", Kind::integer, 3, 1, 255},
        {"length", Kind::integer, 32, 4, 256},
        {"tested", Kind::integer, 128, 4, 1024},
        {"layers", Kind::integer, 2, 1, 4},
        {"heads", Kind::integer, 4, 1, 8},
        {"causal", Kind::boolean, true},
        {"base", Kind::number, 10000.0, 1.0, 1e18, true},
        {"steps", Kind::integer, nullptr, 1, 20000},
        {"rate", Kind::number, 3e-3, 0.0, 1.0, true},
        {"seeds", Kind::integer, 5, 1, 100},
        {"encodings", Kind::list, Json(kUsual)},
    };
    return parameters;
}

Result<Settings> settings_from(const Json& json, std::string_view path) {
    const auto checked = checked_all(settings_parameters(), json, path);
    if (!checked) return tl::unexpected(checked.error());
    const Json& values = *checked;
    Settings settings;
    settings.task = values.at("task").get<std::string>();
    settings.k = values.at("k").get<std::int64_t>();
    settings.length = values.at("length").get<std::int64_t>();
    settings.tested = values.at("tested").get<std::int64_t>();
    settings.layers = values.at("layers").get<std::int64_t>();
    settings.heads = values.at("heads").get<std::int64_t>();
    settings.causal = values.at("causal").get<bool>();
    settings.base = values.at("base").get<double>();
    settings.steps = values.value("steps", find_task(settings.task)->steps);
    settings.rate = values.at("rate").get<double>();
    settings.seeds = values.at("seeds").get<std::int64_t>();
    if (settings.tested < settings.length)
        return tl::unexpected(past(join_path(path, "tested"), settings.tested, settings.length, 1024));
    if (settings.task == "back" && settings.k >= settings.length)
        return tl::unexpected(past(join_path(path, "k"), settings.k, 1, settings.length - 1));
    if (settings.heads != 1 && settings.heads != 2 && settings.heads != 4 && settings.heads != 8)
        return refuse("value.choice", {{"path", join_path(path, "heads")},
                                       {"value", std::to_string(settings.heads)},
                                       {"choices", "1, 2, 4, 8"}});
    auto encodings = encodings_from(values.at("encodings"), join_path(path, "encodings"), settings);
    if (!encodings) return tl::unexpected(encodings.error());
    settings.encodings = std::move(*encodings);
    return settings;
}

Json to_json(const Settings& settings) {
    Json encodings = Json::array();
    for (const std::string& entry : settings.encodings) encodings.push_back(json_of(entry));
    return {{"task", settings.task},     {"k", settings.k},           {"length", settings.length},
            {"tested", settings.tested}, {"layers", settings.layers}, {"heads", settings.heads},
            {"causal", settings.causal}, {"base", settings.base},     {"steps", settings.steps},
            {"rate", settings.rate},     {"seeds", settings.seeds},   {"encodings", std::move(encodings)}};
}

std::span<const Preset> presets() {
    static const std::vector<Preset> list = {
        {"back", of_task("back")},     {"first", of_task("first")}, {"language", of_task("language")},
        {"needle", of_task("needle")}, {"order", order(true)},      {"order_unmasked", order(false)}};
    return list;
}

const Preset* find_preset(std::string_view name) {
    for (const Preset& preset : presets())
        if (preset.name == name) return &preset;
    return nullptr;
}

const Task& task_of(const Settings& settings) { return *find_task(settings.task); }

}  // namespace posiscope::experiment
