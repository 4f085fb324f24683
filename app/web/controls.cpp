#include "app/web/controls.hpp"

#include "core/encodings/encodings.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace posiscope::web {
namespace {

struct Bounds {
    double minimum, maximum;
};

// The bounds of the sidebar's sliders, and for widths those that people look at.
Bounds bounds_of(const Scene& scene, const Parameter& parameter) {
    const auto last = static_cast<double>(scene.length - 1);
    const auto position = static_cast<double>(scene.position);
    if (parameter.key == "position" || parameter.key == "shift") return {0.0, std::max(last, 1.0)};
    if (parameter.key == "offset") return {-std::min(position, last), std::max(last - position, 1.0)};
    if (parameter.key == "pair")
        return {0.0, std::max(static_cast<double>(encoding_of(scene).pairs(scene) - 1), 1.0)};
    return {parameter.minimum, std::min(parameter.maximum, 4096.0)};
}

const Parameter* find(std::string_view key) {
    for (const Parameter& parameter : scene_parameters())
        if (parameter.key == key && parameter.kind == Parameter::Kind::integer) return &parameter;
    return nullptr;
}

}  // namespace

std::string controls_text(const Scene& scene, const Strings& strings, std::string_view keys) {
    const Json values = to_json(scene);
    Json controls = Json::array();
    while (!keys.empty()) {
        const std::string_view key = keys.substr(0, keys.find(','));
        keys.remove_prefix(std::min(key.size() + 1, keys.size()));
        const Parameter* parameter = find(key);
        if (parameter == nullptr || !values.contains(key) || !values.at(std::string(key)).is_number())
            continue;
        const Bounds bounds = bounds_of(scene, *parameter);
        controls.push_back({{"key", key},
                            {"name", strings.text(fmt::format("parameter.{}.name", key))},
                            {"value", values.at(std::string(key))},
                            {"minimum", bounds.minimum},
                            {"maximum", bounds.maximum}});
    }
    return controls.dump();
}

Result<Scene> with_control(const Scene& scene, std::string_view key, double value) {
    auto laid = overlay(scene, {{std::string(key), std::llround(value)}});
    if (!laid) return tl::unexpected(laid.error());
    return std::move(laid->scene);
}

}  // namespace posiscope::web
