#include "app/web/page.hpp"

#include "app/figures/figure.hpp"
#include "app/figures/parts/sentence.hpp"
#include "core/encodings/encodings.hpp"
#include "core/scene/tensors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace posiscope::web {
namespace {

constexpr std::array<std::string_view, 10> kKeys = {"position", "offset",    "shift", "length", "pair",
                                                    "d_model",  "num_heads", "base",  "head",   "encoding"};
constexpr double kWidest = 4096.0, kMostHeads = 128.0, kLargestBase = 1e7;  // those that people look at

Json slider(double value, double minimum, double maximum, double step = 1.0) {
    return {{"value", value},
            {"minimum", minimum},
            {"maximum", std::max(maximum, minimum + step)},
            {"step", step}};
}

Json choice(const Json& value, std::string_view name) { return {{"value", value}, {"name", name}}; }

// A number of heads that gives each whole pairs.
Json heads(const Scene& scene) {
    Json choices = Json::array();
    const std::int64_t unit = encoding_of(scene).rotating.width_multiple;
    for (std::int64_t heads = 1; heads <= static_cast<std::int64_t>(kMostHeads); ++heads)
        if (scene.d_model % (unit * heads) == 0 || heads == scene.num_heads)
            choices.push_back(choice(heads, std::to_string(heads)));
    return {{"value", scene.num_heads}, {"choices", std::move(choices)}};
}

Json kinds(const Scene& scene, const Strings& strings) {
    Json choices = Json::array();
    for (const Encoding* encoding : encodings_to_compare(scene))
        choices.push_back(
            choice(encoding->kind, strings.text(fmt::format("option.encoding.{}.name", encoding->kind))));
    return {{"value", scene.encoding.kind}, {"choices", std::move(choices)}};
}

// The bounds of the sidebar's sliders.
Json control(const Scene& scene, const Strings& strings, std::string_view key) {
    const auto last = static_cast<double>(scene.length - 1), position = static_cast<double>(scene.position);
    const Encoding& encoding = encoding_of(scene);
    if (key == "position") return slider(position, 0.0, last);
    if (key == "shift") return slider(static_cast<double>(scene.shift), 0.0, last);
    if (key == "offset")
        return slider(static_cast<double>(scene.offset), -std::min(position, last), last - position);
    if (key == "length") return slider(static_cast<double>(scene.length), 1.0, kWidest);
    if (key == "pair")
        return slider(static_cast<double>(scene.pair), 0.0, static_cast<double>(encoding.pairs(scene) - 1));
    if (key == "d_model") {
        const auto unit = static_cast<double>(
            encoding.per_head && !scene.head_dim ? encoding.rotating.width_multiple * scene.num_heads : 2);
        return slider(static_cast<double>(scene.d_model), unit, std::floor(kWidest / unit) * unit, unit);
    }
    if (key == "num_heads") return heads(scene);
    if (key == "head")
        return slider(static_cast<double>(figures::shown_head(scene)), 0.0,
                      static_cast<double>(scene.num_heads - 1));
    if (key == "base") {
        Json base = slider(scene.base, 2.0, kLargestBase);
        base["logarithmic"] = true;
        return base;
    }
    return kinds(scene, strings);
}

}  // namespace

std::string controls_text(const Scene& scene, const Strings& strings, std::string_view keys) {
    Json controls = Json::array();
    while (!keys.empty()) {
        const std::string_view key = keys.substr(0, keys.find(','));
        keys.remove_prefix(std::min(key.size() + 1, keys.size()));
        if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
            controls.push_back(
                {{"key", key},
                 {"unknown", strings.format("controls.unknown", fmt::arg("name", key),
                                            fmt::arg("names", fmt::to_string(fmt::join(kKeys, ", "))))}});
            continue;
        }
        Json one = control(scene, strings, key);
        one["key"] = key;
        one["name"] = strings.text(fmt::format("parameter.{}.name", key));
        controls.push_back(std::move(one));
    }
    return controls.dump();
}

Result<Scene> with_control(const Scene& scene, std::string_view key, std::string_view value) {
    const auto read = key == "encoding" ? Result<Json>(Json(value)) : parse_json(value);
    if (!read) return tl::unexpected(read.error());
    if (key == "head") {
        Scene next = scene;
        if (is_stored(scene.content)) next.content.parameters["head"] = *read;
        else figures::set_view_value(next, "attention", "head", *read);
        return next;
    }
    auto laid = overlay(scene, {{std::string(key), *read}});
    if (!laid) return tl::unexpected(laid.error());
    return std::move(laid->scene);
}

}  // namespace posiscope::web
