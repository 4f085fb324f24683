#include "app/figures/parts/extra_scenes.hpp"

#include "app/plot/plot.hpp"
#include "core/scene/settings.hpp"

#include <algorithm>
#include <array>

namespace posiscope::figures {
namespace {

struct KeptBeside {
    std::unique_ptr<Scene> of;
    std::vector<std::unique_ptr<ExtraScene>> made;
};

}  // namespace

Result<NamedCurve> curve_of(const Json& listed) {
    if (listed.is_string()) return NamedCurve{listed.get<std::string>(), {listed.get<std::string>()}};
    const auto refused = [&] { return refuse("curve.form", {{"value", shown(listed)}}); };
    if (!listed.is_object() || !listed.contains("label") || !listed.at("label").is_string()) return refused();
    NamedCurve curve{listed.at("label").get<std::string>(), {}};
    for (const auto& [key, value] : listed.items()) {
        if (key == "label") continue;
        if (key != "set" || !(value.is_string() || value.is_array())) return refused();
        for (const Json& one : value.is_string() ? Json::array({value}) : value) {
            if (!one.is_string()) return refused();
            curve.settings.push_back(one.get<std::string>());
        }
    }
    return curve;
}

Result<Scene> scene_of(const NamedCurve& curve, const Scene& scene) {
    for (const std::string& setting : curve.settings)
        if (setting.starts_with("view") || setting.starts_with("compare"))
            return refuse("curve.view", {{"label", curve.label}, {"value", setting}});
    return partial_from_settings(scene, curve.settings)
        .and_then([&](const Json& partial) { return overlay(scene, partial); })
        .map([](Overlaid made) { return std::move(made.scene); });
}

std::span<const std::unique_ptr<ExtraScene>> extra_scenes(Frame& f) {
    const Json* list = view_value(f.scene, f.figure, "beside");
    if (list == nullptr || !list->is_array() || list->empty()) return {};
    KeptBeside& kept = f.derived.part<KeptBeside>();
    if (kept.of == nullptr || !(*kept.of == f.scene)) {
        kept.of = std::make_unique<Scene>(f.scene);
        std::size_t count = 0;
        for (const Json& one : *list) {
            const auto curve = curve_of(one);
            if (count == kMostExtraScenes || !curve) continue;
            if (count == kept.made.size()) kept.made.push_back(std::make_unique<ExtraScene>());
            ExtraScene& made = *kept.made[count++];
            auto scene = scene_of(*curve, f.scene);
            made.label = curve->label;
            made.scene = scene ? std::make_unique<Scene>(std::move(*scene)) : nullptr;
        }
        kept.made.resize(count);
    }
    constexpr std::array<float, 4> kDashes = {0.0F, 6.0F, 3.0F, 10.0F};
    const auto last = static_cast<double>(std::max<std::size_t>(kept.made.size(), 2) - 1);
    for (std::size_t i = 0; i < kept.made.size(); ++i) {
        kept.made[i]->derived.work_in(f.derived.background());
        kept.made[i]->stroke = {
            ui::curve_colour(f.theme, i, ui::pair_colour(f.theme, static_cast<double>(i) / last)), 2.0F,
            ui::curve_dash(f.theme, i, kDashes[i % kDashes.size()])};
    }
    return kept.made;
}

void name_extra_scenes(Frame& f, Rect& area) {
    std::array<plot::Key, kMostExtraScenes> names;
    std::size_t count = 0;
    for (const auto& one : extra_scenes(f)) {
        if (one->scene != nullptr) names[count++] = {one->label, one->stroke};
        else names[count++] = {f.format("beside.refused", fmt::arg("setting", one->label)), {0, 0.0F}};
    }
    plot::draw_legend_rows(f, area, std::span(names).first(count));
}

}  // namespace posiscope::figures
