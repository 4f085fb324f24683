// scene_json.cpp — writes a Scene as JSON: whole, or only the differences from the defaults.
#include "core/scene/scene.hpp"

namespace posiscope {
namespace {

Json optional_json(const std::optional<std::int64_t>& value) { return value ? Json(*value) : Json(nullptr); }

}  // namespace

Json to_json(const Scene& scene) {
    const auto choice = [](const Choice& c) {
        Json json = c.parameters;
        json["kind"] = c.kind;
        return json;
    };
    return {
        {"version", kSceneVersion},
        {"encoding", choice(scene.encoding)},
        {"base", scene.base},
        {"layout", scene.layout == PairLayout::halves ? "half" : "interleaved"},
        {"d_model", scene.d_model},
        {"num_heads", scene.num_heads},
        {"head_dim", optional_json(scene.head_dim)},
        {"length", scene.length},
        {"position", scene.position},
        {"offset", scene.offset},
        {"pair", scene.pair},
        {"shift", scene.shift},
        {"causal", scene.causal},
        {"content", choice(scene.content)},
        {"trained", {{"length", optional_json(scene.trained.length)}, {"scene", scene.trained.scene}}},
        {"compare", scene.compare},
        {"bench", scene.bench},
        {"view", scene.view},
    };
}

Json to_partial_json(const Scene& scene) {
    static const Json defaults = to_json(Scene());
    const Json whole = to_json(scene);  // items() only refers to it
    Json partial = Json::object();
    for (const auto& [key, value] : whole.items())
        if (value != defaults[key]) partial[key] = value;
    return partial;
}

}  // namespace posiscope
