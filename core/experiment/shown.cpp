#include "core/experiment/shown.hpp"

#include "core/encodings/encodings.hpp"

#include <algorithm>
#include <array>

namespace posiscope::experiment {
namespace {

constexpr std::string_view kPath = "view.experiment";
constexpr std::array kSwitches = {Scaling::linear, Scaling::ntk, Scaling::yarn};

std::span<const Parameter> parameters() {
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> list = [] {
        const auto settings = settings_parameters();
        std::vector<Parameter> all(settings.begin(), settings.end());
        all.push_back({"scalings", Kind::list, Json::array({"linear", "yarn"})});
        all.push_back({"interpolated", Kind::boolean, false});
        all.push_back({"step", Kind::integer, nullptr, 0, 20000});
        all.push_back({"learner", Kind::text, nullptr});
        all.push_back({"layer", Kind::integer, nullptr, 0, 3});
        all.push_back({"head", Kind::integer, nullptr, 0, 7});
        return all;
    }();
    return list;
}

Result<std::vector<Scaling>> scalings_from(const Json& names) {
    std::vector<Scaling> made;
    for (const Scaling scaling : kSwitches)
        if (std::find(names.begin(), names.end(), scaling_name(scaling)) != names.end())
            made.push_back(scaling);
    for (const Json& name : names)
        if (!name.is_string() || std::none_of(kSwitches.begin(), kSwitches.end(), [&](Scaling scaling) {
                return scaling_name(scaling) == name.get<std::string>();
            }))
            return refuse("value.choice", {{"path", join_path(kPath, "scalings")},
                                           {"value", shown(name)},
                                           {"choices", "linear, ntk, yarn"}});
    return made;
}

}  // namespace

bool Shown::draws(std::string_view encoding, Scaling scaling) const {
    if (scaling == Scaling::none) return true;
    return takes_scalings(encoding) ? is_on(scaling) : interpolated;
}

bool Shown::is_on(Scaling scaling) const {
    return std::find(scalings.begin(), scalings.end(), scaling) != scalings.end();
}

Result<Shown> shown_in(const Json& view) {
    const auto found = view.find("experiment");
    const Json given = found == view.end() || found->is_null() ? Json::object() : *found;
    if (!given.is_object())
        return refuse("value.kind",
                      {{"path", std::string(kPath)}, {"kind", "dictionary"}, {"value", shown(given)}});
    const auto values = checked_all(parameters(), given, kPath);
    if (!values) return tl::unexpected(values.error());
    Json settings = Json::object();
    for (const Parameter& parameter : settings_parameters())
        if (const auto value = given.find(parameter.key); value != given.end())
            settings[std::string(parameter.key)] = *value;
    auto of = settings_from(settings, kPath);
    if (!of) return tl::unexpected(of.error());
    auto scalings = scalings_from(values->at("scalings"));
    if (!scalings) return tl::unexpected(scalings.error());

    Shown made{.settings = std::move(*of),
               .scalings = std::move(*scalings),
               .interpolated = values->at("interpolated").get<bool>(),
               .step = {},
               .learner = {},
               .layer = {},
               .head = {}};
    const auto& encodings = made.settings.encodings;
    if (const Json step = values->value("step", Json()); step.is_number_integer())
        made.step = std::min(step.get<std::int64_t>(), made.settings.steps);
    if (made.step == made.settings.steps) made.step.reset();
    const auto known = [&](const std::string& encoding) {
        return std::find(encodings.begin(), encodings.end(), encoding) != encodings.end();
    };
    if (const Json learner = values->value("learner", Json()); learner.is_string())
        for (const std::string& entry : encodings)
            if (label_of(encodings, entry) == learner.get_ref<const std::string&>()) made.learner = entry;
    if (!known(made.learner)) {
        const auto scaled = std::ranges::find_if(encodings, [](const auto& e) { return takes_scalings(e); });
        made.learner = scaled != encodings.end() ? *scaled : encodings.front();
    }
    if (const Json layer = values->value("layer", Json()); layer.is_number_integer())
        made.layer = std::min(layer.get<std::int64_t>(), made.settings.layers - 1);
    if (const Json head = values->value("head", Json()); head.is_number_integer())
        made.head = std::min(head.get<std::int64_t>(), made.settings.heads - 1);
    return made;
}

Json scene_of(const Settings& settings) {
    return {{"bench", "experiment"}, {"view", {{"experiment", view_of(settings)}}}};
}

Json view_of(const Settings& settings) {
    Json given = to_json(settings);
    const Json usual = to_json(*settings_from({{"task", settings.task}}));
    for (const auto& [key, value] : usual.items())
        if (key != "task" && given.at(key) == value) given.erase(key);
    if (settings.task == Settings().task) given.erase("task");
    return given;
}

}  // namespace posiscope::experiment
