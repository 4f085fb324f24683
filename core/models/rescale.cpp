#include "core/models/rescale.hpp"

#include "core/encodings/rope_layers.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/json_members.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

constexpr double kUsualPart = 0.25;  // of the pairs are rotated by p-RoPE, as in Gemma 4

bool declares(const Scaling& scaling, std::string_view key) {
    return std::any_of(scaling.parameters.begin(), scaling.parameters.end(),
                       [&](const Parameter& p) { return p.key == key; });
}

const Scaling* find(std::string_view rope_type) {
    for (const Scaling* scaling : scalings())
        if (scaling->rope_type == rope_type) return scaling;
    return nullptr;
}

// The keys of an encoding's settings that lead to the object of its layer: "rope_scaling", then its type.
std::vector<std::string> steps(const SpectrumInput& scene) {
    const Json& parameters = scene.encoding.parameters;
    const bool newer = !parameters.value("rope_parameters", Json(nullptr)).is_null();
    std::vector<std::string> made = {newer ? "rope_parameters" : "rope_scaling"};
    const RopeLayers layers = rope_layers(scene);
    if (layers.present >= 0) made.push_back(layers.types[static_cast<std::size_t>(layers.present)]);
    return made;
}

Json dictionary(const SpectrumInput& scene) {
    Json found = scene.encoding.parameters;
    for (const std::string& step : steps(scene)) {
        Json next = found.is_object() ? found.value(step, Json(nullptr)) : Json(nullptr);
        found = std::move(next);
    }
    return found.is_object() ? found : Json::object();
}

// The length of the weights before any scaling.
double original_length_of(const Scene& scene, const Scene& trained) {
    for (const Scene* one : {&trained, &scene})
        if (const auto given = number_at(dictionary(*one), "original_max_position_embeddings")) return *given;
    if (scene.trained.length) return static_cast<double>(*scene.trained.length);
    return number_at(scene.encoding.parameters, "max_position_embeddings")
        .value_or(static_cast<double>(scene.length));
}

// Keys that any method may have are kept: the base, the sections.
Json shared_part(const Json& present, const Scaling& scaling) {
    Json kept = Json::object();
    for (const Parameter& parameter : shared_rope_parameters()) {
        const std::string key(parameter.key);
        if (key == "original_max_position_embeddings" || declares(scaling, key)) continue;
        if (key == "partial_rotary_factor" && scaling.spans_head) continue;
        if (present.contains(key)) kept[key] = present[key];
    }
    return kept;
}

Json made_for(const Scene& scene, const Scene& trained, const Scaling& scaling) {
    const Json present = dictionary(scene), before = dictionary(trained);
    Json made = shared_part(present, scaling);
    if (scaling.rope_type != "default") made["rope_type"] = std::string(scaling.rope_type);
    const double original = original_length_of(scene, trained);
    const double factor =
        std::max(1.0, std::ceil(100.0 * static_cast<double>(scene.length) / original) / 100.0);
    if (declares(scaling, "alpha")) made["alpha"] = factor;
    else if (declares(scaling, "factor") && !scaling.spans_head) made["factor"] = factor;
    if (declares(scaling, "original_max_position_embeddings"))
        made["original_max_position_embeddings"] = static_cast<std::int64_t>(original);
    if (scaling.spans_head) made["partial_rotary_factor"] = kUsualPart;
    for (const char* key : {"short_factor", "long_factor"})
        for (const Json* known : {&before, &present})
            if (declares(scaling, key) && known->contains(key)) made[key] = known->at(key);
    return made;
}

}  // namespace

std::string_view scaling_method(const SpectrumInput& scene) {
    if (!takes_scalings(scene)) return {};
    const auto settings = rope_settings(scene);
    return settings ? settings->chosen.scaling->rope_type : std::string_view();
}

std::string scaling_path(const SpectrumInput& scene) {
    std::string path = "encoding";
    for (const std::string& step : steps(scene)) path += "." + step;
    return path;
}

std::optional<std::int64_t> scaled_length(const SpectrumInput& scene) {
    if (scaling_method(scene) != "yarn") return std::nullopt;
    const auto rope = rope_settings(scene);
    const auto factor = number_at(rope->chosen.settings, "factor"),
               original = number_at(rope->chosen.settings, "original_max_position_embeddings");
    if (!factor || !original || !(*factor * *original <= static_cast<double>(kLastPosition)))
        return std::nullopt;
    return static_cast<std::int64_t>(*factor * *original);
}

Json unscaled_encoding(const SpectrumInput& scene) {
    Json encoding = scene.encoding.parameters;
    encoding["kind"] = scene.encoding.kind;
    for (const char* spelling : {"rope_scaling", "rope_parameters"}) {
        const auto found = encoding.find(spelling);
        if (found == encoding.end() || !found->is_object()) continue;
        Json& objects = *found;
        const bool several = !objects.empty() && objects.begin()->is_object();
        if (several)
            for (auto& [type, inner] : objects.items()) inner = shared_part(inner, *find("default"));
        else objects = shared_part(objects, *find("default"));
        if (!several && objects.empty()) encoding.erase(found);
    }
    return encoding;
}

Json rescaled_encoding(const Scene& scene, std::string_view rope_type) {
    Json encoding = scene.encoding.parameters;
    encoding["kind"] = scene.encoding.kind;
    const Scaling* scaling = find(rope_type);
    if (scaling == nullptr) return encoding;
    const Scene trained = trained_scene(scene);
    Json made = takes_scalings(trained) && scaling_method(trained) == rope_type
                    ? dictionary(trained)
                    : made_for(scene, trained, *scaling);
    const std::vector<std::string> way = steps(scene);
    if (made.empty() && way.size() == 1) made = nullptr;
    Json* place = &encoding;
    for (const std::string& step : way) place = &(*place)[step];
    *place = std::move(made);
    return encoding;
}

}  // namespace posiscope
