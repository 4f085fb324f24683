#include "core/models/origin.hpp"

#include "core/encodings/encodings.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/scaling/scaling.hpp"

#include <algorithm>
#include <array>

namespace posiscope {
namespace {

using Kind = Parameter::Kind;
using Names = std::initializer_list<const char*>;

bool one_of(std::string_view text, std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

// Reads keys under any of their names and keeps the first refusal.
class Reader {
public:
    explicit Reader(const Json& config) : config_(config) {
        if (const auto type = text({"model_type"})) type_ = *type;
    }

    const std::string& type() const { return type_; }
    std::optional<Problem> problem;

    const Json& raw(Names names) const {
        static const Json null;
        for (const char* name : names)
            if (const auto found = config_.find(name); found != config_.end() && !found->is_null())
                return *found;
        return null;
    }

    bool has(Names names) const { return !raw(names).is_null(); }

    std::optional<Json> value(Names names, Parameter parameter) {
        for (const char* name : names) {
            const auto found = config_.find(name);
            if (found == config_.end() || found->is_null()) continue;
            auto good = checked(parameter, *found, name);
            if (good) return std::move(*good);
            if (!problem) problem = good.error();
            return std::nullopt;
        }
        return std::nullopt;
    }

    std::optional<std::int64_t> integer(Names names, double least, double most) {
        const auto found = value(names, {"", Kind::integer, nullptr, least, most});
        return found ? std::optional(found->get<std::int64_t>()) : std::nullopt;
    }

    std::optional<double> real(Names names, double least, double most, bool above = true) {
        const auto found = value(names, {"", Kind::number, nullptr, least, most, above});
        return found ? std::optional(found->get<double>()) : std::nullopt;
    }

    std::optional<std::string> text(Names names) {
        const auto found = value(names, {"", Kind::text, nullptr});
        return found ? std::optional(found->get<std::string>()) : std::nullopt;
    }

    // true, or a number other than 0: Llama 4 writes 4 for true.
    bool flag(Names names) const {
        const Json& found = raw(names);
        return found.is_boolean() ? found.get<bool>() : found.is_number() && found.get<double>() != 0.0;
    }

private:
    const Json& config_;
    std::string type_;
};

constexpr std::size_t kMostIgnored = 16;  // keys that are named one by one
constexpr double kWidest = static_cast<double>(kLargestWidth);
constexpr double kLast = static_cast<double>(kLastPosition);

constexpr Names kBaseNames = {"rope_theta", "rotary_emb_base", "global_rope_theta"};

std::optional<std::int64_t> longest(Reader& read) {
    return read.integer({"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx",
                         "max_target_positions"},
                        1, kLast);
}

// --- Which encoding ----------------------------------------------------------------------------------------

bool rotary_by_key(const Reader& read) {
    return read.has({"rope_theta", "rope_parameters", "rope_scaling", "rotary_pct", "rotary_percent",
                     "rotary_dim", "rotary_emb_base", "global_rope_theta", "partial_rotary_factor",
                     "qk_rope_head_dim"});
}

bool rotary_by_type(std::string_view type) {
    constexpr std::array<std::string_view, 15> families = {
        "llama", "mistral",  "mixtral", "qwen", "gemma",    "phi",      "falcon", "gpt_neox",
        "gptj",  "stablelm", "cohere",  "olmo", "deepseek", "roformer", "glm"};
    return std::any_of(families.begin(), families.end(),
                       [&](std::string_view name) { return type.find(name) != std::string_view::npos; });
}

Json learned(Reader& read, std::int64_t fallback, std::int64_t offset, std::int64_t padding = 0) {
    // RoBERTa counts its padding rows in max_position_embeddings; OPT does not.
    const std::int64_t rows = longest(read).value_or(fallback + padding);
    return {{"kind", "learned"},
            {"max_position_embeddings", std::max<std::int64_t>(rows - padding, 1)},
            {"position_offset", offset}};
}

Json t5(Reader& read) {
    Json encoding{{"kind", "t5"}};
    if (const auto buckets = read.integer({"relative_attention_num_buckets"}, 2, 65536))
        encoding["num_buckets"] = *buckets;
    if (const auto distance = read.integer({"relative_attention_max_distance"}, 2, kLast))
        encoding["max_distance"] = *distance;
    return encoding;
}

// null where the encoding is rotary or unknown.
Json other_encoding(Reader& read) {
    const std::string& type = read.type();
    const Json& attention = read.raw({"attn_config"});
    if (read.has({"relative_attention_num_buckets"}) || one_of(type, {"t5", "mt5", "umt5", "longt5"}))
        return t5(read);
    if (type == "bloom") return {{"kind", "alibi"}, {"variant", "bloom"}};
    if (attention.is_object() && attention.value("alibi", Json(false)) == Json(true)) {
        Json encoding{{"kind", "alibi"}, {"variant", "mpt"}};
        if (const Json most = attention.value("alibi_bias_max", Json(nullptr)); most.is_number())
            encoding["alibi_bias_max"] = most;
        return encoding;
    }
    if (read.flag({"alibi", "use_alibi"})) return {{"kind", "alibi"}};
    if (read.type() == "transfo-xl") return {{"kind", "transformer_xl"}};
    if (type == "marian") return {{"kind", "sinusoidal"}, {"variant", "halves"}};
    if (one_of(type, {"m2m_100", "fsmt", "nllb"})) return {{"kind", "sinusoidal"}, {"variant", "fairseq"}};
    if (read.flag({"sinusoidal_embeddings", "sinusoidal_pos_embds"}))
        return {{"kind", "sinusoidal"}, {"variant", "paper"}};
    if (one_of(type, {"roberta", "camembert", "xlm-roberta"})) return learned(read, 512, 2, 2);
    if (type == "opt") return learned(read, 2048, 2);
    if (one_of(type, {"gpt2", "gpt_neo", "gpt_bigcode"})) return learned(read, 1024, 0);
    if (one_of(type, {"bert", "distilbert", "electra", "albert", "bart", "vit"}))
        return learned(read, 512, 0);
    if (!rotary_by_key(read) && read.raw({"position_embedding_type"}) == "absolute")
        return learned(read, 512, 0);
    return nullptr;
}

// --- Rotary ------------------------------------------------------------------------------------------------

const char* layout_of(const Reader& read) {
    if (const Json& flag = read.raw({"rope_interleave"}); flag.is_boolean())
        return flag.get<bool>() ? "interleaved" : "half";
    const bool interleaved =
        one_of(read.type(), {"gptj", "codegen", "roformer", "cohere", "cohere2", "glm", "glm4", "chatglm",
                             "llama4", "llama4_text", "deepseek_v2", "deepseek_v3", "ernie4_5"});
    return interleaved ? "interleaved" : "half";
}

bool nested(const Json& dictionary) {
    return dictionary.is_object() && !dictionary.empty() &&
           std::all_of(dictionary.begin(), dictionary.end(),
                       [](const Json& inner) { return inner.is_object(); });
}

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

// The scaling object, completed with keys from elsewhere in the config.
Json scaling_dictionary(Reader& read, ModelScene& model) {
    const Json &newer = read.raw({"rope_parameters"}), &older = read.raw({"rope_scaling"});
    Json dictionary = newer.is_null() ? older : newer;
    if (!newer.is_null() && !older.is_null() && newer != older)
        read.problem = Problem{"settings.both", {{"first", "rope_parameters"}, {"second", "rope_scaling"}}};
    if (!dictionary.is_null() && !dictionary.is_object()) {
        const auto refused = checked({"", Kind::dictionary, nullptr}, dictionary,
                                     newer.is_null() ? "rope_scaling" : "rope_parameters");
        if (!read.problem) read.problem = refused.error();
        return nullptr;
    }
    if (nested(dictionary)) {
        if (auto problem = too_many_types(dictionary, newer.is_null() ? "rope_scaling" : "rope_parameters")) {
            if (!read.problem) read.problem = std::move(*problem);
            return nullptr;
        }
        for (auto& [type, inner] : dictionary.items()) drop_unknown(inner, model.notes);
        return dictionary;
    }
    if (!dictionary.is_null()) {
        // Phi-3 writes the original length next to the object.
        const Json& original = read.raw({"original_max_position_embeddings"});
        if (!original.is_null() && !dictionary.contains("original_max_position_embeddings"))
            dictionary["original_max_position_embeddings"] = original;
        drop_unknown(dictionary, model.notes);
    }
    const auto local = read.real({"rope_local_base_freq", "local_rope_theta"}, 1.0, kLargestBase);
    if (!local) return dictionary;
    Json full = dictionary.is_null() ? Json::object() : dictionary;
    if (const auto base = read.real({"rope_theta", "global_rope_theta"}, 1.0, kLargestBase))
        full["rope_theta"] = *base;
    return {{"full_attention", full},
            {"sliding_attention", {{"rope_type", "default"}, {"rope_theta", *local}}}};
}

void read_layers(Reader& read, Json& encoding) {
    if (const Json& layers = read.raw({"no_rope_layers"}); layers.is_array() && !layers.empty())
        encoding["no_rope_layers"] = layers;
    else if (const auto interval = read.integer({"no_rope_layer_interval"}, 1, 100000))
        encoding["no_rope_layer_interval"] = *interval;
    else if (one_of(read.type(), {"llama4", "llama4_text", "smollm3"}))
        encoding["no_rope_layer_interval"] = 4;
    if (const Json& types = read.raw({"layer_types"}); types.is_array()) encoding["layer_types"] = types;
    if (read.flag({"attn_temperature_tuning"})) encoding["attn_temperature_tuning"] = true;
    if (const auto scale = read.real({"floor_scale"}, 1.0, kLast, false)) encoding["floor_scale"] = *scale;
    if (const auto scale = read.real({"attn_scale"}, 0.0, 1e6, false)) encoding["attn_scale"] = *scale;
}

// The layer type in use if none is selected: full_attention, whatever the type of layer 0.
void choose_layer_type(const Json& dictionary, Json& encoding) {
    if (nested(dictionary) && dictionary.contains("full_attention"))
        encoding["layer_type"] = "full_attention";
}

void rotary(Reader& read, ModelScene& model) {
    Json encoding{{"kind", "rope"}};
    Json dictionary = scaling_dictionary(read, model);
    auto base = read.real(kBaseNames, 1.0, kLargestBase);
    if (dictionary.is_object() && !nested(dictionary)) {
        if (const auto inner = dictionary.find("rope_theta"); inner != dictionary.end()) {
            const auto good = checked({"", Kind::number, nullptr, 1.0, kLargestBase, true}, *inner,
                                      "rope_parameters.rope_theta");
            if (good) {
                const double counts = good->get<double>();
                if (base && *base != counts)
                    overruled(model.notes, said("rope_parameters.rope_theta", *inner),
                              said("rope_theta", read.raw(kBaseNames)));
                base = counts;
            } else if (!read.problem) read.problem = good.error();
            dictionary.erase(inner);
        }
    }
    if (nested(dictionary) && dictionary.contains("full_attention") &&
        dictionary["full_attention"].contains("rope_theta") && !base) {
        const Json& inner = dictionary["full_attention"]["rope_theta"];
        if (inner.is_number() && inner.get<double>() > 1.0 && inner.get<double>() <= kLargestBase)
            base = inner.get<double>();
    }
    if (!base) model.notes.push_back({"config.assumed", {{"key", "rope_theta"}, {"value", "10000"}}});
    model.scene["base"] = base.value_or(10000.0);
    choose_layer_type(dictionary, encoding);
    if (dictionary.is_object() && !dictionary.empty()) encoding["rope_scaling"] = std::move(dictionary);
    if (const auto factor = read.real({"partial_rotary_factor", "rotary_pct", "rotary_percent"}, 0.0, 1.0))
        encoding["partial_rotary_factor"] = *factor;
    if (const auto width = read.integer({"qk_rope_head_dim", "rotary_dim"}, 2, kWidest))
        encoding["rotary_dim"] = *width;
    if (const auto length = longest(read)) encoding["max_position_embeddings"] = *length;
    read_layers(read, encoding);
    model.scene["encoding"] = std::move(encoding);
    model.scene["layout"] = layout_of(read);
}

// --- The shape ---------------------------------------------------------------------------------------------

void shape(Reader& read, ModelScene& model) {
    const auto heads = read.integer({"num_attention_heads", "n_head", "num_heads", "n_heads",
                                     "decoder_attention_heads", "encoder_attention_heads"},
                                    1, kWidest / 2);
    const auto width = read.integer({"hidden_size", "n_embd", "d_model", "dim"}, 1, kWidest);
    auto head = read.integer({"head_dim", "d_kv", "kv_channels", "attention_head_size"}, 2, kWidest);
    const auto turned = read.integer({"qk_rope_head_dim"}, 2, kWidest),
               still = read.integer({"qk_nope_head_dim"}, 0, kWidest);
    if (turned && still) head = *turned + *still;
    const auto global = read.integer({"global_head_dim"}, 2, kWidest);
    if (read.problem) return;
    const Json& encoding = model.scene["encoding"];
    if (global && encoding.value("layer_type", "") == "full_attention") {
        model.notes.push_back(
            {"model.global_head_dim",
             {{"global", std::to_string(*global)}, {"local", std::to_string(head.value_or(0))}}});
        head = global;
    }
    if (heads) model.scene["num_heads"] = *heads;
    else model.notes.push_back({"config.missing", {{"key", "num_attention_heads"}}});
    if (width) model.scene["d_model"] = *width;
    else if (heads && head) {
        model.scene["d_model"] = *heads * *head;
        model.notes.push_back({"model.width_made",
                               {{"num_heads", std::to_string(*heads)},
                                {"head_dim", std::to_string(*head)},
                                {"d_model", std::to_string(*heads * *head)}}});
    } else model.notes.push_back({"config.missing", {{"key", "hidden_size"}}});
    if (head && !(width && heads && *head * *heads == *width && *width % (2 * *heads) == 0))
        model.scene["head_dim"] = *head;
}

// The refusal of a Scene, with the config's path: "encoding.rope_scaling.factor" is its "rope_scaling.factor".
Problem in_config(Problem problem) {
    constexpr std::string_view prefix = "encoding.";
    for (auto& [name, value] : problem.values)
        if (name == "path" && value.starts_with(prefix)) value.erase(0, prefix.size());
    return problem;
}

}  // namespace

void remember_training(Json& scene, std::optional<std::int64_t> length) {
    const auto encoding = scene.find("encoding");
    if (!length && (encoding == scene.end() || encoding->value("kind", "") != "rope")) return;
    Json own = Json::object();
    for (const char* key : {"encoding", "base"})
        if (const auto given = scene.find(key); given != scene.end()) own[key] = *given;
    scene["trained"] = {{"length", length ? Json(*length) : Json(nullptr)}, {"scene", std::move(own)}};
}

Json known_rope_keys(const Json& dictionary, std::vector<std::string>& dropped) {
    Json kept = dictionary;
    std::string type = "default";
    for (const char* spelling : {"type", "rope_type"})
        if (const auto given = dictionary.find(spelling); given != dictionary.end() && given->is_string())
            type = given->get<std::string>();
    const auto method = choose_scaling({{"rope_type", type}}, "");
    if (!method) return kept;  // an unknown method is refused elsewhere, not for its keys
    const auto knows = [](std::span<const Parameter> parameters, const std::string& key) {
        return std::any_of(parameters.begin(), parameters.end(),
                           [&](const Parameter& p) { return p.key == key; });
    };
    for (const auto& [key, value] : dictionary.items()) {
        if (key == "type" || key == "rope_type" || knows(shared_rope_parameters(), key) ||
            knows(method->scaling->parameters, key))
            continue;
        kept.erase(key);
        dropped.push_back(key);
    }
    return kept;
}

bool looks_like_config(const Json& json) {
    if (!json.is_object() || json.contains("encoding")) return false;
    for (const char* key : {"model_type", "architectures", "hidden_size", "num_attention_heads", "rope_theta",
                            "rope_scaling", "rope_parameters", "n_head", "n_embd", "text_config"})
        if (json.contains(key)) return true;
    return false;
}

Result<ModelScene> read_config(const Json& config) {
    if (!config.is_object()) return refuse("config.object", {{"kind", std::string(kind_of(config))}});
    ModelScene model;
    Json whole = config;
    for (const char* part : {"text_config", "llm_config", "language_config"}) {
        const auto inner = config.find(part);
        if (inner == config.end() || !inner->is_object()) continue;
        whole.update(*inner);
        model.notes.push_back({"config.part", {{"key", part}}});
        break;
    }
    Reader read(whole);
    Json encoding = other_encoding(read);
    if (!encoding.is_null()) model.scene["encoding"] = std::move(encoding);
    else if (rotary_by_key(read) || rotary_by_type(read.type())) rotary(read, model);
    else if (!read.problem)
        return refuse("config.no_encoding", {{"model_type", read.type().empty() ? "?" : read.type()}});
    if (!read.problem) shape(read, model);
    if (!read.problem) remember_training(model.scene, longest(read));
    if (read.problem) return tl::unexpected(std::move(*read.problem));
    const auto laid = overlay(Scene(), model.scene);
    if (!laid) return tl::unexpected(in_config(laid.error()));
    const auto remarks = remarks_on(laid->scene);
    model.notes.insert(model.notes.end(), remarks.begin(), remarks.end());
    remember_origin(model, "config");
    return model;
}

Result<ModelScene> read_config_text(std::string_view text) {
    if (text.size() > kLargestConfig)
        return refuse("config.too_large",
                      {{"bytes", std::to_string(text.size())}, {"maximum", std::to_string(kLargestConfig)}});
    const auto json = parse_json(text);
    if (!json) return tl::unexpected(json.error());
    return read_config(*json);
}

}  // namespace posiscope
