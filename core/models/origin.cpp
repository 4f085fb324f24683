#include "core/models/origin.hpp"

#include "core/json_members.hpp"
#include "core/models/reader.hpp"
#include "core/scene/words.hpp"

namespace posiscope {
namespace {

// The part of a config's oddities that a Scene keeps: a config may have any number of them, of any length.
constexpr std::size_t kMostNamed = 64, kLongestNamed = 128;

}  // namespace

void remember_origin(ModelScene& model, std::string_view from) {
    Json origin{{"from", std::string(from)}, {"ignored", Json::array()}, {"overruled", Json::array()}};
    if (const auto trained = model.scene.find("trained"); trained != model.scene.end())
        origin["length"] = (*trained)["length"];
    for (const char* key : {"config", "shortened"})
        if (const Json& kept = at_path(model.scene, std::string("view.model.") + key); !kept.is_null())
            origin[key] = kept;
    const auto shortened = [](const Problem& note, std::string_view name) {
        return std::string(
            whole_characters(std::string_view(*value_of(note, name)).substr(0, kLongestNamed)));
    };
    for (const Problem& note : model.notes)
        if (origin["ignored"].size() + origin["overruled"].size() == kMostNamed) break;
        else if (note.key == "config.ignored") origin["ignored"].push_back(shortened(note, "key"));
        else if (note.key == "config.overruled")
            origin["overruled"].push_back({shortened(note, "counts"), shortened(note, "loses")});
    for (const Problem& note : model.notes)
        if (note.key == "config.qk_norm") origin["qk_norm"] = shortened(note, "key");
    object_in(model.scene, "view")["model"] = std::move(origin);
}

namespace {

// The view's "model" while the trained length is the one it set, else null.
const Json* origin_in(const Scene& scene) {
    const Json* found = object_at(scene.view, "model");
    if (found == nullptr) return nullptr;
    const auto length = found->find("length");
    const bool given = length != found->end() && !length->is_null();
    if (scene.trained.length ? !given || *length != *scene.trained.length : given) return nullptr;
    return found;
}

}  // namespace

std::string_view origin_name(const Scene& scene) {
    const Json* origin = origin_in(scene);
    return origin == nullptr ? std::string_view() : std::string_view(text_at(*origin, "name"));
}

Origin origin_of(const Scene& scene) {
    Origin origin;
    const Json* found = origin_in(scene);
    if (found == nullptr) return origin;
    const auto text = [](const Json& value) { return value.is_string() ? value.get<std::string>() : ""; };
    const auto list = [&](const char* key) -> const Json& {
        static const Json none = Json::array();
        const auto given = found->find(key);
        return given != found->end() && given->is_array() ? *given : none;
    };
    origin.assumed = text_at(*found, "from") == "config";
    origin.unverified = text_at(*found, "from") == "unverified";
    for (const Json& key : list("ignored")) origin.notes.push_back({"config.ignored", {{"key", text(key)}}});
    for (const Json& two : list("overruled"))
        if (two.is_array() && two.size() == 2)
            origin.notes.push_back({"config.overruled", {{"counts", text(two[0])}, {"loses", text(two[1])}}});
    if (const std::string& key = text_at(*found, "qk_norm"); !key.empty())
        origin.notes.push_back({"config.qk_norm", {{"key", key}}});
    return origin;
}

}  // namespace posiscope
