#include "core/models/document.hpp"

#include "core/encodings/rope_layers.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/json_members.hpp"
#include "core/models/config_parts.hpp"
#include "core/models/models.hpp"

#include <algorithm>

namespace posiscope {
namespace {

constexpr std::string_view kOwn[] = {"nope",           "shared_object",        "mscale_in_softmax",
                                     "sliding_window", "attention_chunk_size", "head_dim"};

bool own(std::string_view key) { return std::find(std::begin(kOwn), std::end(kOwn), key) != std::end(kOwn); }

const Json& member(const Json& object, const char* key) {
    static const Json none;
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() ? *found : none;
}

// The object of scaling under either spelling.
const Json& scaling_of(const Json& encoding) {
    const Json& newer = member(encoding, "rope_parameters");
    return newer.is_null() ? member(encoding, "rope_scaling") : newer;
}

// A document from its outermost object to the one with the language model's keys, which counts first.
class Levels {
public:
    Levels(Document& whole, std::string_view path) {
        levels_.push_back(&whole);
        while (!path.empty()) {
            const std::size_t dot = std::min(path.find('.'), path.size());
            levels_.push_back(&(*levels_.back())[std::string(path.substr(0, dot))]);
            path.remove_prefix(std::min(dot + 1, path.size()));
        }
    }

    Document& innermost() const { return *levels_.back(); }
    // Null where no level has it.
    Document* find(std::string_view key) const {
        for (auto level = levels_.rbegin(); level != levels_.rend(); ++level)
            if (const auto found = (*level)->find(std::string(key));
                found != (*level)->end() && !found->is_null())
                return &*found;
        return nullptr;
    }
    Document* find(Names names) const {
        for (const char* name : names)
            if (Document* found = find(name)) return found;
        return nullptr;
    }
    // The key's own place, else a new one beside the language model's keys.
    Document& place(std::string_view key) const {
        Document* found = find(key);
        return found != nullptr ? *found : innermost()[std::string(key)];
    }

private:
    std::vector<Document*> levels_;
};

struct Edit {
    const Levels& levels;
    const ModelFamily* family;
    Document* object;  // rope_parameters or rope_scaling; null: none yet

    Document& scaling() {
        if (object == nullptr) {
            object = &levels.innermost()["rope_scaling"];
            if (!object->is_object()) *object = Document::object();
        }
        return *object;
    }
    // The family's own name of a usual key, or the spelling that the config has.
    Document& place(Names names) const {
        if (Document* found = levels.find(names)) return *found;
        return levels.place(*names.begin());
    }
    Document& base_place() {
        if (family != nullptr && !family->names.is_null()) {
            if (const std::string& path = text_at(family->names, "rope_theta");
                !path.empty() && path.find('.') == std::string::npos)
                return levels.place(path);
        }
        if (object != nullptr && object->contains("rope_theta")) return (*object)["rope_theta"];
        if (Document* found = levels.find(kBase)) return *found;
        const bool newer = levels.find("rope_parameters") != nullptr;
        return newer ? scaling()["rope_theta"] : levels.place("rope_theta");
    }
};

// The members of one object that differ, under the spelling of its method that it has.
void set_members(Document& object, const Json& was, const Json& now) {
    if (!object.is_object()) object = Document::object();
    const std::string_view before = method_named(was), after = method_named(now);
    const char* spelled = object.contains("type") && !object.contains("rope_type") ? "type" : "rope_type";
    if (before != after) object[spelled] = after.empty() ? "default" : std::string(after);
    const auto counts = [](std::string_view key) { return key != "type" && key != "rope_type" && !own(key); };
    for (const auto& [key, value] : now.items())
        if (counts(key) && (!was.contains(key) || was[key] != value)) object[key] = Document(value);
    for (const auto& [key, value] : was.items())
        if (counts(key) && !now.contains(key)) object.erase(key);
}

// The config's name of the object of a kind: DeepSeek-V4 has one for three kinds.
std::string object_of(const Document& object, const std::string& layers) {
    if (object.contains("main") && object.contains("compress"))
        return layers == "sliding_attention" ? "main" : "compress";
    return layers;
}

void set_kind(Edit& edit, const std::string& kind, const Json& was, const Json& now) {
    const Json pattern = edit.family != nullptr && !edit.family->kinds.is_null()
                             ? member(edit.family->kinds, kind.c_str())
                             : Json();
    // Keys that stand beside the objects: the base of sliding layers, windows.
    Json inside = now, before = was;
    for (const auto& [key, named] : pattern.items()) {
        if (!named.is_string() || !named.get_ref<const std::string&>().starts_with('$')) continue;
        const bool nested_here =
            edit.object != nullptr && edit.object->contains(object_of(*edit.object, kind));
        if (nested_here && (*edit.object)[object_of(*edit.object, kind)].contains(key)) continue;
        const std::string name = named.get<std::string>().substr(1);
        if (member(now, key.c_str()) != member(was, key.c_str())) {
            Document& place = name == "rope_theta"             ? edit.base_place()
                              : name == "rope_local_base_freq" ? edit.place(kLocalBase)
                                                               : edit.levels.place(name);
            place = Document(member(now, key.c_str()));
        }
        inside.erase(key);
        before.erase(key);
    }
    if (inside == before) return;
    Document& object = edit.scaling();
    const std::string name = object_of(object, kind);
    set_members(object.contains(name) ? object[name] : object, before, inside);
}

void set_scaling(Edit& edit, const Json& was, const Json& now) {
    if (was == now) return;
    if (nested(now) && nested(was)) {
        for (const auto& [kind, settings] : now.items())
            if (const Json& before = member(was, kind.c_str()); before != settings)
                set_kind(edit, kind, before.is_object() ? before : Json::object(), settings);
        return;
    }
    const bool newer = edit.levels.find("rope_parameters") != nullptr;
    if (now.is_null() && !newer) {
        if (edit.object != nullptr) *edit.object = nullptr;
        return;
    }
    set_members(edit.scaling(), was.is_object() ? was : Json::object(),
                now.is_object() ? now : Json::object());
}

// Numbers and lists beside the object.
void set_beside(Edit& edit, const Json& was, const Json& now) {
    struct Beside {
        const char* key;
        Names names;
    };
    static constexpr Beside kBeside[] = {{"partial_rotary_factor", kPart},
                                         {"max_position_embeddings", kLength},
                                         {"rotary_dim", {"rotary_dim"}},
                                         {"sliding_window", {"sliding_window"}},
                                         {"attention_chunk_size", {"attention_chunk_size"}},
                                         {"dual_chunk_attention_config", {"dual_chunk_attention_config"}},
                                         {"no_rope_layers", {"no_rope_layers"}},
                                         {"no_rope_layer_interval", {"no_rope_layer_interval"}},
                                         {"attn_temperature_tuning", {"attn_temperature_tuning"}},
                                         {"floor_scale", {"floor_scale"}},
                                         {"attn_scale", {"attn_scale"}}};
    for (const auto& [key, names] : kBeside)
        if (const Json& value = member(now, key); value != member(was, key)) {
            if (std::string_view(key) == "partial_rotary_factor" && edit.object != nullptr &&
                edit.object->contains(key))
                (*edit.object)[key] = Document(value);
            else edit.place(names) = Document(value);
        }
}

// Equal rotations in every kind of layer, in the shape of the first.
bool same_rotation(const Scene& a, Scene b) {
    b.d_model = a.d_model;
    b.num_heads = a.num_heads;
    b.head_dim = a.head_dim;
    b.length = a.length;
    if (a.encoding.kind != b.encoding.kind || a.layout != b.layout) return false;
    const RopeLayers of_a = rope_layers(a), of_b = rope_layers(b);
    if (of_a.kinds.size() != of_b.kinds.size()) return false;
    const auto alike = [](const Scene& one, const Scene& other) {
        const auto x = spectrum_of(one), y = spectrum_of(other);
        const auto p = rope_settings(one), q = rope_settings(other);
        return x.has_value() == y.has_value() && (!x || *x == *y) && p && q && p->window == q->window &&
               p->chunk == q->chunk && p->query_beta == q->query_beta && p->sections == q->sections;
    };
    if (of_a.kinds.empty()) return alike(a, b);
    for (std::size_t kind = 0; kind < of_a.kinds.size(); ++kind) {
        const auto one = overlay(a, {{"encoding", with_kind(a, of_a, kind)}}),
                   other = overlay(b, {{"encoding", with_kind(b, of_b, kind)}});
        if (!one || !other || !alike(one->scene, other->scene)) return false;
    }
    return true;
}

Result<Scene> opened(std::string_view text) {
    const auto model = read_config_text(text);
    if (!model) return tl::unexpected(model.error());
    return with_model(Scene(), *model).map([](Overlaid laid) { return std::move(laid.scene); });
}

struct Edited {
    Document document;
    std::string path;  // of the language model's keys
    const ModelFamily* family = nullptr;
    bool changed = false;
};

Result<Edited> edit(const Scene& scene) {
    const std::string_view text = document_of(scene);
    const auto was =
        text.empty() ? Result<Scene>(tl::unexpected(Problem{"document.none", {}})) : opened(text);
    if (!was) return tl::unexpected(was.error());
    const std::string plain = without_infinities(text);
    Edited made{Document::parse(plain), {}, nullptr, false};
    const Json whole = language_part(Json::parse(plain), made.path);
    made.family = family_of(text_at(whole, "model_type"), whole);
    if (!takes_scalings(scene) || !takes_scalings(*was))
        return scene.encoding == was->encoding ? Result<Edited>(std::move(made))
                                               : failure("document.other", {{"kind", scene.encoding.kind}});
    if (same_rotation(scene, *was) && member(scene.encoding.parameters, "max_position_embeddings") ==
                                          member(was->encoding.parameters, "max_position_embeddings"))
        return made;
    made.changed = true;
    const Levels levels(made.document, made.path);
    Edit edit{levels, made.family, levels.find({"rope_parameters", "rope_scaling"})};
    const Json &before = was->encoding.parameters, &now = scene.encoding.parameters;
    // Settings that stand in keys of their own, or in code, have no place for another scaling.
    if (made.family != nullptr && !made.family->gathered.is_null() && scaling_of(before) != scaling_of(now))
        return failure("document.no_place");
    if (scene.base != was->base) edit.base_place() = scene.base;
    set_scaling(edit, scaling_of(before), scaling_of(now));
    set_beside(edit, before, now);
    const auto read = opened(made.document.dump());
    if (!read || !same_rotation(scene, *read)) return failure("document.no_place");
    return made;
}

// The rotary keys of a level and of those below; `names` are the family's own of them, paths with dots.
Document rotary_keys(const Document& level, std::string_view path, std::span<const std::string> names) {
    constexpr std::string_view kRotary[] = {"rope_parameters",
                                            "rope_scaling",
                                            "rope_theta",
                                            "rotary_emb_base",
                                            "rotary_embedding_base",
                                            "global_rope_theta",
                                            "local_rope_theta",
                                            "rope_local_base_freq",
                                            "partial_rotary_factor",
                                            "rotary_pct",
                                            "rotary_percent",
                                            "rotary_dim",
                                            "original_max_position_embeddings",
                                            "compress_rope_theta",
                                            "swa_rope_theta",
                                            "rope_ratio",
                                            "rope_condense_ratio",
                                            "dual_chunk_attention_config"};
    Document kept = Document::object();
    const std::string inner(path.substr(0, path.find('.')));
    for (const auto& [key, value] : level.items())
        if (!inner.empty() && key == inner) {
            Document below = rotary_keys(
                value, inner.size() < path.size() ? path.substr(inner.size() + 1) : std::string_view(),
                names);
            if (!below.empty()) kept[key] = std::move(below);
        } else if (std::find(std::begin(kRotary), std::end(kRotary), key) != std::end(kRotary)) {
            kept[key] = value;
        } else {
            for (const std::string& name : names)
                if (name == key) kept[key] = value;
                else if (name.starts_with(key + ".") && value.is_object())
                    if (const auto found = value.find(name.substr(key.size() + 1)); found != value.end())
                        kept[key][found.key()] = *found;
        }
    return kept;
}

// The family's own names of the base and of the rotated part.
std::vector<std::string> own_names(const ModelFamily* family) {
    std::vector<std::string> made;
    if (family == nullptr || family->names.is_null()) return made;
    for (const char* usual : {"rope_theta", "partial_rotary_factor"})
        if (const std::string& name = text_at(family->names, usual); !name.empty()) made.push_back(name);
    return made;
}

// Puts a whole rope_parameters in the place of a level's keys, unless it has one for each kind of layer, or a list of bases.
void replace_keys(Document& level, const Json& parameters) {
    const auto is_object = [](const Document& member) { return member.is_object(); };
    for (const char* name : {"rope_parameters", "rope_scaling"})
        if (const auto found = level.find(name);
            found != level.end() && std::any_of(found->begin(), found->end(), is_object))
            return;
    if (level.contains("rope_theta") && level["rope_theta"].is_array()) return;
    std::size_t replaced = 0;
    for (const Names& names : {Names{"rope_parameters", "rope_scaling", "original_max_position_embeddings"},
                               kBase, kLocalBase, kPart})
        for (const char* name : names) replaced += level.erase(name);
    if (replaced > 0 || level.empty()) level["rope_parameters"] = Document(parameters);
}

}  // namespace

std::string_view document_of(const Scene& scene) {
    const Json* model = object_at(scene.view, "model");
    return model == nullptr ? std::string_view() : std::string_view(text_at(*model, "config"));
}

Result<std::string> edited_document(const Scene& scene) {
    if (const Json* model = object_at(scene.view, "model"); model != nullptr && model->contains("shortened"))
        return failure("document.none");
    auto made = edit(scene);
    if (!made) return tl::unexpected(made.error());
    return made->changed ? with_infinities(made->document.dump(2) + "\n") : std::string(document_of(scene));
}

Result<Document> rotary_part(const Scene& scene) {
    const auto made = edit(scene);
    if (!made) return tl::unexpected(made.error());
    // transformers and vLLM do not read these keys: the settings are given in theirs.
    if (made->family != nullptr && !made->family->gathered.is_null()) return Document::object();
    return rotary_keys(made->document, made->path, own_names(made->family));
}

Result<Document> launch_part(const Scene& scene, const Json& parameters) {
    auto part = rotary_part(scene);
    const auto made = edit(scene);
    if (!part || !made) return part;
    Document* level = &*part;
    for (std::string path = made->path; !path.empty();
         path.erase(0, std::min(path.find('.'), path.size() - 1) + 1))
        level = &(*level)[path.substr(0, path.find('.'))];
    if (level->is_null()) *level = Document::object();
    replace_keys(*level, parameters);
    // Code with a key of its own for the base, such as ChatGLM's, does not look at rope_parameters.
    std::vector<std::string> own = own_names(made->family);
    own.insert(own.end(), {"rope_ratio", "rope_condense_ratio"});
    for (const std::string& name : own)
        if (level->contains(name) && level->contains("rope_parameters"))
            return failure("code.not_at_launch", {{"name", name}});
    return part;
}

}  // namespace posiscope
