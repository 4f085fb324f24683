
#include "core/encodings/rope_settings.hpp"
#include "core/json_members.hpp"
#include "core/models/config_parts.hpp"
#include "core/scaling/scaling.hpp"

#include <algorithm>

namespace posiscope {
namespace {

using Kind = Parameter::Kind;

constexpr std::size_t kMostIgnored = 16;  // keys that are named one by one

void overruled(std::vector<Problem>& notes, std::string counts, std::string loses) {
    notes.push_back({"config.overruled", {{"counts", std::move(counts)}, {"loses", std::move(loses)}}});
}

std::string said(std::string_view path, const Json& value) {
    return std::string(path) + " = " + shown(value);
}

void drop_unknown(Json& dictionary, std::vector<Problem>& notes) {
    std::vector<std::string> dropped;
    dictionary = known_rope_keys(dictionary, dropped);
    for (std::size_t i = 0; i < std::min(dropped.size(), kMostIgnored); ++i)
        notes.push_back({"config.ignored", {{"key", dropped[i]}}});
    if (dropped.size() > kMostIgnored)
        notes.push_back({"config.ignored_more", {{"count", std::to_string(dropped.size() - kMostIgnored)}}});
    // Two names of one setting; Qwen2-VL writes the older mrope next to default, which is the same.
    const auto older = dictionary.find("type"), newer = dictionary.find("rope_type");
    if (older == dictionary.end() || newer == dictionary.end()) return;
    const auto first = choose_scaling({{"rope_type", *older}}, ""),
               second = choose_scaling({{"rope_type", *newer}}, "");
    if (!second || (first && first->scaling == second->scaling)) return;
    overruled(notes, said("rope_type", *newer), said("type", *older));
}

std::string_view method_of(const Json& dictionary) {
    const std::string_view named = method_named(dictionary);
    return named.empty() ? "default" : named;
}

// Settings that a method needs and the object does not give are said, with the values that stand in for them.
void note_assumed(Reader& read, const Json& dictionary) {
    const std::string_view method = method_of(dictionary);
    const auto assumed = [&](const char* key, const std::string& value) {
        read.notes.push_back({"config.scaling_assumed", {{"key", key}, {"value", value}}});
    };
    const auto missing = [&](const char* key) {
        const auto given = dictionary.find(key);
        return given == dictionary.end() || given->is_null();
    };
    if (method == "ntk")
        return read.notes.push_back(
            {"config.scaling_name", {{"name", "ntk"}, {"key", missing("alpha") ? "factor" : "alpha"}}});
    if (method == "llama3" || method == "linear" || (method == "dynamic" && missing("alpha"))) {
        for (const Parameter& parameter : choose_scaling({{"rope_type", method}}, "")->scaling->parameters)
            if (const std::string key(parameter.key); !parameter.fallback.is_null() && missing(key.c_str()) &&
                                                      (method == "llama3" || key == "factor"))
                assumed(key.c_str(), shown(parameter.fallback));
        return;
    }
    if (method != "yarn" && method != "ntk_by_parts" && method != "longrope") return;
    const auto most = read.integer(kLength, 1, kLast);
    if (!most) return;  // then the Scene refuses what is missing
    if (missing("original_max_position_embeddings"))
        assumed("original_max_position_embeddings", "max_position_embeddings = " + std::to_string(*most));
    // A value of another kind is refused later, with the Scene.
    const Json& given = at_path(dictionary, "original_max_position_embeddings");
    const double original = given.is_number() ? given.get<double>() : static_cast<double>(*most);
    if (method != "longrope" && missing("factor"))
        assumed("factor", "max_position_embeddings / original_max_position_embeddings = " +
                              to_text(static_cast<double>(*most) / original));
}

// The changes that a family's code makes to a scaling object after reading it.
void as_family_does(const Reader& read, Json& dictionary) {
    for (const char* key : {"fope_init_factor", "fope_sep_head", "num_inv_freq"})
        if (dictionary.contains(key) && method_of(dictionary) == "default") {
            dictionary.erase("type");
            dictionary["rope_type"] = "fope";
        }
    const ModelFamily* family = read.family();
    if (family == nullptr) return;
    if (family->text_axis) dictionary.erase("mrope_section");
    const auto method = choose_scaling({{"rope_type", method_of(dictionary)}}, "");
    for (const auto& [key, value] : family->scaling.items())
        if (std::ranges::find(method->scaling->parameters, key, &Parameter::key) !=
                method->scaling->parameters.end() &&
            !dictionary.contains(key))
            dictionary[key] = value;
    if (method_of(dictionary) != "yarn") return;
    const Json all_dim = dictionary.value("mscale_all_dim", Json(nullptr));
    if (!family->softmax_mscale && all_dim.is_number() && all_dim != 0)
        dictionary["mscale_in_softmax"] = false;
}

// A scaling object made of keys outside of any, such as Grok's.
Json gathered(Reader& read) {
    const ModelFamily* family = read.family();
    if (family == nullptr || family->gathered.is_null()) return nullptr;
    Json made = Json::object();
    for (const auto& [key, source] : family->gathered.items()) {
        const std::string path = source.is_string() ? source.get<std::string>() : "";
        if (!path.starts_with('$')) {
            made[key] = source;
            continue;
        }
        const std::string first = path.substr(1, path.find('.') - 1);
        const Json& outer = read.raw({first.c_str()});
        const Json& value = path.find('.') == std::string::npos
                                ? outer
                                : at_path(outer, std::string_view(path).substr(path.find('.') + 1));
        if (!value.is_null()) made[key] = value;
    }
    return made.contains("rope_type") && made.contains("factor") ? made : Json(nullptr);
}

// The scaling object, completed with keys from elsewhere in the config.
Json scaling_dictionary(Reader& read) {
    const Json &newer = read.raw({"rope_parameters"}), &older = read.raw({"rope_scaling"});
    const char* path = newer.is_null() ? "rope_scaling" : "rope_parameters";
    Json dictionary = newer.is_null() ? older : newer;
    if (!newer.is_null() && !older.is_null() && newer != older)
        read.refuse({"settings.both", {{"first", "rope_parameters"}, {"second", "rope_scaling"}}});
    if (dictionary.is_null()) dictionary = gathered(read);
    if (const auto ratio = read.real({"rope_condense_ratio"}, 1.0, 1e6, false);
        ratio && *ratio != 1.0 && dictionary.is_null())  // LongChat divides positions
        dictionary = {{"rope_type", "linear"}, {"factor", *ratio}};
    if (dictionary.is_null()) return dictionary;
    if (!dictionary.is_object()) {
        read.refuse(checked({"", Kind::dictionary, nullptr}, dictionary, path).error());
        return nullptr;
    }
    if (nested(dictionary)) {
        if (auto problem = too_many_types(dictionary, path)) {
            read.refuse(std::move(*problem));
            return nullptr;
        }
        for (auto& [type, inner] : dictionary.items()) {
            as_family_does(read, inner);
            drop_unknown(inner, read.notes);
            note_assumed(read, inner);
        }
        return dictionary;
    }
    // Phi-3 writes the original length next to the object.
    const Json& original = read.raw({"original_max_position_embeddings"});
    if (!original.is_null() && !dictionary.contains("original_max_position_embeddings"))
        dictionary["original_max_position_embeddings"] = original;
    as_family_does(read, dictionary);
    drop_unknown(dictionary, read.notes);
    note_assumed(read, dictionary);
    return dictionary;
}

// The base outside of any layer kind: a number, or the one that a flat scaling object has.
std::optional<double> base_of(Reader& read, Json& dictionary) {
    // None is missing beside the objects if every one has its own.
    const auto has_own = [](const Json& one) {
        return one.contains("rope_theta") || one.value("nope", Json(false)) == true;
    };
    const bool own = dictionary.is_object() &&
                     (nested(dictionary) ? std::all_of(dictionary.begin(), dictionary.end(), has_own)
                                         : has_own(dictionary));
    const bool asked = !own || !read.assumed(kBase);
    if (asked && read.raw(kBase).is_array()) return std::nullopt;  // one per layer
    auto base = asked ? read.real(kBase, 1.0, kLargestBase) : std::nullopt;
    if (dictionary.is_object() && !nested(dictionary))
        if (const auto inner = dictionary.find("rope_theta"); inner != dictionary.end()) {
            const auto good = checked({"", Kind::number, nullptr, 1.0, kLargestBase, true}, *inner,
                                      "rope_parameters.rope_theta");
            if (!good) {
                read.refuse(good.error());
                return std::nullopt;
            }
            const double counts = good->get<double>();
            if (base && *base != counts && !read.assumed(kBase))
                overruled(read.notes, said("rope_parameters.rope_theta", *inner),
                          said("rope_theta", read.raw(kBase)));
            base = counts;
            dictionary.erase(inner);
        }
    if (const auto ratio = read.real({"rope_ratio"}, 0.0, 1e12)) {
        if (!base) {
            base = 10000.0;
            read.notes.push_back({"config.assumed", {{"key", "rope_theta"}, {"value", "10000"}}});
        }
        *base *= *ratio;
        if (!(*base > 1.0 && *base <= kLargestBase))
            read.refuse({"value.above_range",
                         {{"path", "rope_ratio"},
                          {"value", to_text(*ratio)},
                          {"minimum", "0"},
                          {"maximum", "1e14"}}});
    }
    return base;
}

void read_queries(Reader& read, Json& encoding) {
    if (read.flag({"attn_temperature_tuning"})) encoding["attn_temperature_tuning"] = true;
    if (const auto scale = read.real({"floor_scale"}, 1.0, kLast, false)) encoding["floor_scale"] = *scale;
    if (const auto scale = read.real({"attn_scale"}, 0.0, 1e6, false)) encoding["attn_scale"] = *scale;
}

void read_chunks(Reader& read, Json& encoding) {
    const Json& chunks = read.raw({"dual_chunk_attention_config"});
    if (!chunks.is_object()) return;
    Json kept = Json::object();
    for (const char* key : {"chunk_size", "local_size", "original_max_position_embeddings"})
        if (chunks.contains(key)) kept[key] = chunks[key];
    encoding["dual_chunk_attention_config"] = std::move(kept);
}

// The base of the Scene: that of the kind on screen, if every kind that rotates has its own.
std::optional<double> base_shown(const Json& encoding) {
    const auto kinds = encoding.find("rope_scaling");
    if (kinds == encoding.end() || !nested(*kinds)) return std::nullopt;
    std::optional<double> found;
    for (const auto& [name, kind] : kinds->items()) {
        if (kind.value("nope", Json(false)) == true) continue;
        const Json base = kind.value("rope_theta", Json(nullptr));
        if (!base.is_number() || !(base.get<double>() > 1.0 && base.get<double>() <= kLargestBase))
            return std::nullopt;
        if (name == shown_kind(encoding)) found = base.get<double>();
    }
    return found;
}

}  // namespace

const char* layout_of(Reader& read) {
    if (const Json& flag = read.raw({"rope_interleave"}); flag.is_boolean())
        return flag.get<bool>() ? "interleaved" : "half";
    if (read.flag({"use_hf_rope"})) return "half";  // ExecuTorch's params.json
    return read.family() != nullptr && read.family()->layout == "interleaved" ? "interleaved" : "half";
}

std::string shown_kind(const Json& encoding) {
    if (const std::string& type = text_at(encoding, "layer_type"); !type.empty()) return type;
    const auto types = encoding.find("layer_types");
    const auto layer = encoding.value("layer", std::size_t{0});
    if (types == encoding.end() || !types->is_array() || layer >= types->size()) return {};
    const Json& named = (*types)[layer];
    return named.is_string() ? named.get<std::string>() : std::string();
}

std::optional<std::int64_t> trained_length(Reader& read) {
    const auto length = read.integer(kLength, 1, kLast);
    const Json& original =
        at_path(read.raw({"dual_chunk_attention_config"}), "original_max_position_embeddings");
    if (original.is_number_integer() && original >= 1 && original <= kLastPosition)
        return original.get<std::int64_t>();
    return length;
}

void read_rope(Reader& read, ModelScene& model) {
    Json encoding{{"kind", "rope"}};
    Json dictionary = scaling_dictionary(read);
    auto base = base_of(read, dictionary);
    if (read.problem) return;
    read_kinds(read, std::move(dictionary), encoding);
    if (const auto own = base_shown(encoding)) base = own;
    if (!base) read.notes.push_back({"config.assumed", {{"key", "rope_theta"}, {"value", "10000"}}});
    model.scene["base"] = base.value_or(10000.0);
    if (!read.raw(kPart).is_array())
        if (const auto factor = read.real(kPart, 0.0, 1.0)) encoding["partial_rotary_factor"] = *factor;
    const Names width_names = {"qk_rope_head_dim", "rotary_dim"};
    if (const auto width = read.says_no("use_mla") ? std::nullopt : read.integer(width_names, 2, kWidest))
        encoding["rotary_dim"] = *width;
    if (const auto length = read.integer(kLength, 1, kLast)) encoding["max_position_embeddings"] = *length;
    read_queries(read, encoding);
    read_chunks(read, encoding);
    model.scene["encoding"] = std::move(encoding);
    model.scene["layout"] = layout_of(read);
}

}  // namespace posiscope
