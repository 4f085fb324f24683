#include "core/models/config_parts.hpp"

#include "core/json_members.hpp"
#include "core/scene/scene.hpp"

#include <algorithm>

namespace posiscope {
namespace {

using Form = LayerRule::Form;

constexpr std::int64_t kMostCounted = 4096;

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// The kind of layer l by a number n, where the rule has one.
bool is_other(Form form, std::int64_t layer, std::int64_t n) {
    switch (form) {
        case Form::last: return n > 0 && (layer + 1) % n == 0;
        case Form::first: return n > 0 && layer % n == 0;
        case Form::from: return layer >= n;
        default: return false;
    }
}

// One name per layer, or an empty array where the config does not say how many there are.
Json types_by_rule(Reader& read, const LayerRule& rule) {
    Json types = Json::array();
    const std::string& key = rule.key;
    const std::string first = key.substr(0, key.find('.'));
    const Json given = key.empty() ? Json() : at_path(Json{{first, read.raw({first.c_str()})}}, key);
    if (rule.form == Form::listed) {
        const Json& names = rule.map;
        if (given.is_array())
            for (const Json& item : given)
                if (const auto name =
                        names.find(item.is_string() ? item.get_ref<const std::string&>() : shown(item));
                    name != names.end())
                    types.push_back(*name);
        if (!given.is_array() || types.size() != given.size()) return Json::array();
        // DeepSeek-V4 also lists the layer that predicts a second token.
        if (const auto count = read.integer(kLayers, 1, static_cast<double>(kMostCounted));
            count && types.size() > static_cast<std::size_t>(*count))
            types.erase(types.begin() + static_cast<std::ptrdiff_t>(*count), types.end());
        return types;
    }
    if (rule.form == Form::rope && given.is_array() && !given.empty()) {
        (void)read.given(
            "no_rope_layer_interval");  // the list counts: as in the official code, it has no say
        for (const Json& uses : given) types.push_back(uses == 1 ? rule.most : rule.other);
        return types;
    }
    const auto count = read.integer(kLayers, 1, static_cast<double>(kMostCounted));
    if (!count) return types;
    std::int64_t n = rule.n;
    if (rule.form == Form::rope) n = read.integer({"no_rope_layer_interval"}, 1, kLast).value_or(n);
    else if (given.is_number_integer()) n = given.get<std::int64_t>();
    const std::string letters = given.is_string() ? given.get<std::string>() : "";  // EXAONE's "LLLG"
    for (std::int64_t l = 0; l < *count; ++l) {
        bool other = is_other(rule.form == Form::rope ? Form::last : rule.form, l, n);
        if (rule.form == Form::full && given.is_array())
            other = std::find(given.begin(), given.end(), l + 1) != given.end();
        if (!letters.empty())
            other = letters[static_cast<std::size_t>(l) % letters.size()] == 'G' || l + 1 == *count;
        types.push_back(other ? rule.other : rule.most);
    }
    return types;
}

// Kinds of a family that the table does not know, by the usual names of layer types.
Json usual_kinds(const Json& types) {
    Json kinds = Json::object();
    for (const Json& type : types) {
        if (!type.is_string()) return nullptr;
        const std::string& name = type.get_ref<const std::string&>();
        Json kind{{"scaling", true}};
        if (contains(name, "sliding") || contains(name, "local")) kind["sliding_window"] = "$sliding_window";
        if (contains(name, "chunked")) kind["attention_chunk_size"] = "$attention_chunk_size";
        if (contains(name, "linear") || contains(name, "mamba") || contains(name, "conv") ||
            contains(name, "recurrent"))
            kind = {{"nope", true}};
        kinds[name] = std::move(kind);
    }
    const bool differ =
        std::any_of(kinds.begin(), kinds.end(), [&](const Json& k) { return k != *kinds.begin(); });
    return differ ? kinds : Json(nullptr);
}

// "$key": the config's value; of a list with one value per layer, that of the kind's layers.
Json value_for(Reader& read, const std::string& key, const std::string& kind, const Json& types) {
    const Json value = key == "rope_theta"              ? read.raw(kBase)
                       : key == "rope_local_base_freq"  ? read.raw(kLocalBase)
                       : key == "partial_rotary_factor" ? read.raw(kPart)
                       : key == "sliding_window"        ? read.raw({"sliding_window", "sliding_window_size"})
                                                        : read.raw({key.c_str()});
    if (!value.is_array()) return value;
    Json found;
    for (std::size_t l = 0; l < std::min(types.size(), value.size()); ++l) {
        if (types[l] != kind) continue;
        if (found.is_null()) found = value[l];
        else if (found != value[l]) read.refuse({"config.list_mixed", {{"key", key}, {"kind", kind}}});
    }
    return found;
}

// The settings of one kind: its own object in the config, or the flat one, with what the family adds.
Json settings_of(Reader& read, const std::string& kind, const Json& pattern, const Json& dictionary,
                 const Json& types) {
    Json made = Json::object();
    if (nested(dictionary)) {
        if (const auto own = dictionary.find(kind); own != dictionary.end()) made = *own;
    } else if (dictionary.is_object() && pattern.value("scaling", false)) {
        const Json only = read.raw({"yarn_only_types"});  // Step-3.5
        if (!only.is_array() || std::find(only.begin(), only.end(), kind) != only.end()) made = dictionary;
        if (made.contains("truncate")) made["shared_object"] = true;
    }
    for (const auto& [key, value] : pattern.items()) {
        if (key == "scaling" || key == "heads" || key == "key_heads" || made.contains(key)) continue;
        const bool named = value.is_string() && value.get_ref<const std::string&>().starts_with('$');
        Json set = named ? value_for(read, value.get<std::string>().substr(1), kind, types) : value;
        if (key == "head_dim" && set == read.raw({"head_dim"})) continue;  // as in every other layer
        if (!set.is_null()) made[key] = std::move(set);
    }
    return made;
}

// DeepSeek-V4's two objects are those of three kinds.
Json by_kind(Json dictionary) {
    if (!nested(dictionary) || !dictionary.contains("main") || !dictionary.contains("compress"))
        return dictionary;
    return {{"sliding_attention", dictionary["main"]},
            {"compressed_sparse_attention", dictionary["compress"]},
            {"heavily_compressed_attention", dictionary["compress"]}};
}

// A window that holds for every layer.
void read_window(Reader& read, Json& encoding) {
    const bool unused = read.says_no("use_sliding_window");
    if (const auto window = read.integer({"sliding_window"}, 1, kLast); window && !unused)
        encoding["sliding_window"] = *window;
    if (const auto chunk = read.integer({"attention_chunk_size"}, 1, kLast))
        encoding["attention_chunk_size"] = *chunk;
}

// The kind on screen first: full attention, or the first that rotates.
std::string first_shown(const Json& kinds) {
    const auto rotates = [](const Json& kind) { return kind.value("nope", Json(false)) != true; };
    if (const auto full = kinds.find("full_attention"); full != kinds.end() && rotates(*full))
        return full.key();
    for (const auto& [name, kind] : kinds.items())
        if (rotates(kind)) return name;
    return kinds.begin().key();
}

}  // namespace

KindHeads heads_of(const Json& config, std::string_view kind) {
    std::string ignored;
    const Json whole = language_part(config, ignored);
    const ModelFamily* family = family_of(text_at(whole, "model_type"), whole);
    const Json patterns = family != nullptr ? family->kinds : Json();
    const Json& pattern = at_path(patterns, kind);
    const auto number = [&](const char* key, Names usual) -> std::optional<std::int64_t> {
        if (pattern.is_object() && pattern.contains(key))
            if (const Json& given = at_path(whole, std::string_view(text_at(pattern, key)).substr(1));
                given.is_number_integer())
                return given.get<std::int64_t>();
        for (const char* name : usual)
            if (const auto given = integer_at(whole, name)) return given;
        return std::nullopt;
    };
    return {number("heads", kHeads), number("key_heads", kKeyHeads)};
}

void read_kinds(Reader& read, Json dictionary, Json& encoding) {
    dictionary = by_kind(std::move(dictionary));
    (void)read.given("sliding_window_size");  // the same number under an older name
    const ModelFamily* family = read.family();
    if (const auto local = read.integer({"local_attention"}, 1, kLast))  // ModernBERT: to both sides together
        read.set("sliding_window", *local / 2 + 1);
    Json types = read.raw({"layer_types"});
    if (!types.is_null() && !types.is_array()) {
        read.refuse(checked({"", Parameter::Kind::list, nullptr}, types, "layer_types").error());
        return;
    }
    const bool flat_windows = read.says_no("use_sliding_window");
    Json pattern = nullptr;
    if (family != nullptr && !family->kinds.is_null() &&
        (!flat_windows || family->layers.form == Form::rope)) {
        pattern = family->kinds;
        if (types.is_null() || family->layers.form == Form::rope) types = types_by_rule(read, family->layers);
    } else if (types.is_array() && !flat_windows) {
        pattern = usual_kinds(types);
    }
    if (read.has(kLocalBase) && pattern.is_null())  // Gemma 3's keys in a config without its model_type
        pattern = {{"full_attention", {{"scaling", true}, {"rope_theta", "$rope_theta"}}},
                   {"sliding_attention", {{"rope_theta", "$rope_local_base_freq"}}}};
    Json kinds = Json::object();
    if (pattern.is_object())
        for (const auto& [kind, settings] : pattern.items()) {
            const bool occurs = !types.is_array() || types.empty() ||
                                std::find(types.begin(), types.end(), kind) != types.end();
            if (occurs) kinds[kind] = settings_of(read, kind, settings, dictionary, types);
        }
    if (nested(dictionary))
        for (const auto& [kind, settings] : dictionary.items())
            if (!kinds.contains(kind)) kinds[kind] = settings;
    if (kinds.empty()) {
        read_window(read, encoding);
        if (dictionary.is_object() && !dictionary.empty()) encoding["rope_scaling"] = std::move(dictionary);
        if (const Json& uses = read.raw({"no_rope_layers"}); uses.is_array() && !uses.empty())
            encoding["no_rope_layers"] = uses;
        else if (const auto interval = read.integer({"no_rope_layer_interval"}, 1, 100000))
            encoding["no_rope_layer_interval"] = *interval;
        if (types.is_array()) encoding["layer_types"] = std::move(types);
        return;
    }
    const std::string shown = first_shown(kinds);
    const bool listed =
        types.is_array() && !types.empty() && std::all_of(types.begin(), types.end(), [&](const Json& type) {
            return type.is_string() && kinds.contains(type.get_ref<const std::string&>());
        });
    const auto first = listed ? std::find(types.begin(), types.end(), shown) : types.end();
    if (listed && first != types.end()) encoding["layer"] = first - types.begin();
    else encoding["layer_type"] = shown;
    if (types.is_array() && !types.empty()) encoding["layer_types"] = std::move(types);
    encoding["rope_scaling"] = std::move(kinds);
}

}  // namespace posiscope
