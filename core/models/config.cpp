#include "core/models/config.hpp"

#include "core/encodings/encodings.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/json_members.hpp"
#include "core/models/config_parts.hpp"
#include "core/models/document.hpp"
#include "core/models/origin.hpp"
#include "core/models/rescale.hpp"
#include "core/scaling/scaling.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace posiscope {
namespace {

constexpr const char* kParts[] = {"thinker_config",  "text_config",           "llm_config",
                                  "language_config", "language_model_config", "text_model_config"};

bool one_of(std::string_view text, std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

// --- Which encoding ----------------------------------------------------------------------------------------

bool rotary_by_key(Reader& read) {
    bool found = false;
    for (const char* key :
         {"rope_theta", "rope_parameters", "rope_scaling", "rotary_pct", "rotary_percent", "rotary_dim",
          "rotary_emb_base", "global_rope_theta", "partial_rotary_factor", "qk_rope_head_dim"})
        found = read.given(key) || found;
    return found;
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
    const std::int64_t rows = read.integer(kLength, 1, kLast).value_or(fallback + padding);
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

bool declares(const Encoding& encoding, std::string_view key) {
    return std::ranges::find(encoding.parameters, key, &Parameter::key) != encoding.parameters.end();
}

// One row for each patch of a square image, and for the tokens beside them.
Json patches(Reader& read, Json encoding, std::int64_t beside) {
    const auto image = read.integer({"image_size"}, 1, 65536), patch = read.integer({"patch_size"}, 1, 65536);
    if (!image || !patch) return encoding;  // refused, or a list of two sides
    const std::int64_t side = *image / *patch;
    encoding["max_position_embeddings"] = std::max<std::int64_t>(side * side + beside, 1);
    return encoding;
}

// The encoding that the table of families names.
Json family_encoding(Reader& read) {
    Json encoding = read.family()->encoding;
    const Encoding& kind = *find_encoding(encoding["kind"].get_ref<const std::string&>());
    if (declares(kind, "num_buckets")) encoding.update(t5(read));
    if (kind.rows) {
        const std::int64_t padding = encoding.value("padding_rows", std::int64_t{0});
        encoding.erase("padding_rows");
        if (const Json tokens = encoding.value("beside_patches", Json(nullptr)); !tokens.is_null()) {
            encoding.erase("beside_patches");
            return patches(read, encoding, tokens.get<std::int64_t>());
        }
        Json table = learned(read, 512, encoding["position_offset"].get<std::int64_t>(), padding);
        table.update(encoding);
        encoding = std::move(table);
    }
    return encoding;
}

// null where the encoding is rotary or unknown.
Json other_encoding(Reader& read) {
    const std::string& type = read.type();
    const Json position = read.raw({"position_embedding_type"});
    if (read.flag({"mla_use_nope"}) || position == "nope") return {{"kind", "none"}};
    if (read.raw({"qk_rope_head_dim"}) == 0 && !read.says_no("use_mla")) return {{"kind", "none"}};
    if (position == "rotary") return nullptr;  // ESM, Jina's XLM-R
    if (position.is_string() && position.get_ref<const std::string&>().starts_with("relative_key")) {
        read.refuse({"config.not_shown", {{"key", "position_embedding_type"}, {"value", shown(position)}}});
        return nullptr;
    }
    if (read.family() != nullptr && !read.family()->encoding.is_null()) return family_encoding(read);
    if (read.has({"relative_attention_num_buckets"}) || one_of(type, {"t5", "mt5", "umt5", "longt5"}))
        return t5(read);
    if (const Json& attention = read.raw({"attn_config"});
        attention.is_object() && attention.value("alibi", Json(false)) == Json(true)) {
        Json encoding{{"kind", "alibi"}, {"variant", "mpt"}};
        if (const Json most = attention.value("alibi_bias_max", Json(nullptr)); most.is_number())
            encoding["alibi_bias_max"] = most;
        return encoding;
    }
    if (position == "alibi" || read.flag({"alibi", "use_alibi"})) return {{"kind", "alibi"}};
    if (type == "transfo-xl") return {{"kind", "transformer_xl"}};
    if (type == "marian") return {{"kind", "sinusoidal"}, {"variant", "halves"}};
    if (one_of(type, {"m2m_100", "fsmt", "nllb"})) return {{"kind", "sinusoidal"}, {"variant", "fairseq"}};
    if (read.flag({"sinusoidal_embeddings", "sinusoidal_pos_embds"}))
        return {{"kind", "sinusoidal"}, {"variant", "paper"}};
    if (one_of(type, {"roberta", "camembert", "xlm-roberta"})) return learned(read, 512, 2, 2);
    if (one_of(type, {"gpt2", "gpt_neo", "gpt_bigcode"})) return learned(read, 1024, 0);
    if (one_of(type, {"bert", "distilbert", "electra", "albert"})) return learned(read, 512, 0);
    if (!rotary_by_key(read) && position == "absolute") return learned(read, 512, 0);
    return nullptr;
}

bool has_rows(const Json& encoding) {
    const Encoding* kind = find_encoding(text_at(encoding, "kind"));
    return kind != nullptr && kind->rows;
}

// --- The shape ---------------------------------------------------------------------------------------------

void shape(Reader& read, ModelScene& model) {
    const auto heads = read.integer(kHeads, 1, kWidest / 2);
    auto width = read.integer(kWidth, 1, kWidest);
    auto head = read.integer(kHead, 2, kWidest);
    const auto turned = read.integer({"qk_rope_head_dim"}, 0, kWidest),
               still = read.integer({"qk_nope_head_dim"}, 0, kWidest);
    if (turned && still && !read.says_no("use_mla")) head = *turned + *still;
    else if (read.family() != nullptr && read.family()->head_times != 1 && !read.has({"head_dim"}) && width &&
             heads)
        head = read.family()->head_times * *width / *heads;
    // ELECTRA and ALBERT add positions at a width of their own, and project to hidden_size after that.
    if (const auto narrow = read.integer({"embedding_size"}, 1, kWidest);
        narrow && width && *narrow != *width && has_rows(model.scene["encoding"])) {
        model.notes.push_back({"config.embedding_size",
                               {{"embedding", std::to_string(*narrow)}, {"hidden", std::to_string(*width)}}});
        if (heads && !head && *width % (2 * *heads) == 0) head = *width / *heads;
        width = narrow;
    }
    if (read.problem) return;
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
    // The features that rotate come last: in DeepSeek's heads after those that do not.
    Json& encoding = model.scene["encoding"];
    if (head && turned && *turned > 0 && *head > *turned && takes_scalings(encoding.value("kind", "")))
        encoding["rotary_offset"] = *head - *turned;
}

// Qwen documents YaRN as a setting for longer texts, without any training: its weights are those without the scaling.
void as_documented(const Reader& read, Json& scene) {
    if (!read.type().starts_with("qwen") || !takes_scalings(scene["encoding"].value("kind", ""))) return;
    const auto laid = overlay(Scene(), scene);
    if (!laid || scaling_method(laid->scene) != "yarn") return;
    const auto settings = rope_settings(laid->scene);
    const auto original =
        settings ? number_at(settings->chosen.settings, "original_max_position_embeddings") : std::nullopt;
    Json& trained = object_in(scene, "trained");
    object_in(trained, "scene")["encoding"] = unscaled_encoding(laid->scene);
    if (original) trained["length"] = static_cast<std::int64_t>(*original);
}

// A config that names a family and gives no size at all: only the current Scene could fill it.
bool silent(const Json& scene) {
    return !scene.contains("d_model") && !scene.contains("num_heads") && !scene.contains("head_dim");
}

// q and k that are normalized before the product: no setting of positions, but of every score.
void qk_norm_note(Reader& read, ModelScene& model) {
    constexpr const char* kKeys[] = {"use_qk_norm", "qk_layernorm", "use_qk_layernorm", "qk_norm"};
    const auto note = [&](std::string_view key) {
        model.notes.push_back({"config.qk_norm", {{"key", std::string(key)}}});
    };
    for (const char* key : kKeys) {
        if (read.says_no(key)) return;
        if (read.flag({key})) return note(key);
    }
    if (read.family() != nullptr && read.family()->qk_norm)
        note(read.family()->source.empty() ? read.family()->type : read.family()->source);
}

// Notes on the row that was used, or on the lack of one.
void family_notes(const Reader& read, ModelScene& model) {
    const ModelFamily* family = read.family();
    const std::string& type = read.type();
    if (family == nullptr) {
        if (!takes_scalings(model.scene["encoding"].value("kind", ""))) return;
        if (type.empty()) model.notes.push_back({"config.no_type", {}});
        else model.notes.push_back({"config.unknown_family", {{"model_type", type.substr(0, 80)}}});
        return;
    }
    for (Problem& remark : remarks_on(*family, type)) model.notes.push_back(std::move(remark));
}

// The refusal of a Scene, with the config's path: "encoding.rope_scaling.factor" is its "rope_scaling.factor".
Problem in_config(Problem problem) {
    constexpr std::string_view prefix = "encoding.";
    for (auto& [name, value] : problem.values)
        if (name == "path" && value.starts_with(prefix)) value.erase(0, prefix.size());
    return problem;
}

}  // namespace

Json language_part(const Json& config, std::string& path) {
    Json whole = config;
    for (int depth = 0; depth < 4; ++depth) {
        const auto inner = std::find_if(std::begin(kParts), std::end(kParts), [&](const char* part) {
            const auto found = whole.find(part);
            return found != whole.end() && found->is_object();
        });
        if (inner == std::end(kParts)) break;
        const Json part = whole[*inner];
        whole.erase(*inner);
        whole.update(part);
        path = path.empty() ? *inner : fmt::format("{}.{}", path, *inner);
    }
    if (!whole.contains("model_type") && whole.contains("dim") && whole.contains("n_heads")) {
        const bool meta = whole.contains("multiple_of") || whole.contains("use_scaled_rope");
        whole["model_type"] = meta && whole.contains("nope_layer_interval") ? "meta_params_llama4"
                              : meta                                        ? "meta_params"
                              : whole.contains("qk_rope_head_dim")          ? "mistral_params_latent"
                                                                            : "mistral_params";
    }
    return whole;
}

Json vision_part(const Json& config, std::string& path) {
    Json whole = config;
    for (const char* key : {"thinker_config", "vision_config", "backbone_config"})
        if (const Json* part = object_at(whole, key)) {
            const std::string outer = text_at(whole, "model_type");
            Json inner = *part;
            path = path.empty() ? key : fmt::format("{}.{}", path, key);
            std::string type = text_at(inner, "model_type");
            if (type.empty()) type = outer;
            if (family_of(type + "_vision", inner) != nullptr) type += "_vision";
            inner["model_type"] = std::move(type);
            whole = std::move(inner);
        }
    if (path == "thinker_config") path.clear();
    return whole;
}

void remember_training(Json& scene, std::optional<std::int64_t> length) {
    const auto encoding = scene.find("encoding");
    if (!length && (encoding == scene.end() || !takes_scalings(encoding->value("kind", "")))) return;
    Json own = Json::object();
    for (const char* key : {"encoding", "base"})
        if (const auto given = scene.find(key); given != scene.end()) own[key] = *given;
    scene["trained"] = {{"length", length ? Json(*length) : Json(nullptr)}, {"scene", std::move(own)}};
}

Json known_rope_keys(const Json& dictionary, std::vector<std::string>& dropped) {
    Json kept = dictionary;
    std::string type = "default";
    for (const char* spelling : {"type", "rope_type"})
        if (const std::string& given = text_at(dictionary, spelling); !given.empty()) type = given;
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
                            "rope_scaling", "rope_parameters", "n_head", "n_heads", "n_embd", "text_config"})
        if (json.contains(key)) return true;
    return false;
}

namespace {

constexpr std::string_view kMark = "\uE000";  // no config has it
constexpr std::string_view kInfinities[] = {"-Infinity", "Infinity", "NaN"};

}  // namespace

std::optional<Problem> refused_yaml(std::string_view path) {
    if (!path.ends_with(".yaml") && !path.ends_with(".yml")) return std::nullopt;
    return Problem{"config.yaml", {{"path", std::string(path)}}, Cause::failure};
}

std::string without_infinities(std::string_view text) {
    std::string made;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size();) {
        const auto word =
            quoted ? std::end(kInfinities) : std::ranges::find_if(kInfinities, [&](std::string_view one) {
                return text.substr(i, one.size()) == one;
            });
        if (word != std::end(kInfinities)) {
            made += fmt::format("\"{}{}\"", kMark, *word);
            i += word->size();
            continue;
        }
        if (quoted && text[i] == '\\' && i + 1 < text.size()) made += text[i++];
        else if (text[i] == '"') quoted = !quoted;
        made += text[i++];
    }
    return made;
}

std::string with_infinities(std::string text) {
    for (const std::string_view word : kInfinities) {
        const std::string marked = fmt::format("\"{}{}\"", kMark, word);
        for (std::size_t at = text.find(marked); at != std::string::npos; at = text.find(marked, at))
            text.replace(at, marked.size(), word);
    }
    return text;
}

Result<ModelScene> read_config(const Json& config, Part asked) {
    if (!config.is_object()) return refuse("config.object", {{"kind", std::string(kind_of(config))}});
    if (config.contains("axes_dims_rope") || config.contains("axes_dim")) return refuse("config.axes_dims");
    ModelScene model;
    std::string part;
    const Json whole = asked == Part::vision ? vision_part(config, part) : language_part(config, part);
    if (asked == Part::vision && part.empty()) return refuse("config.no_vision");
    if (!part.empty()) model.notes.push_back({"config.part", {{"key", part}}});
    const std::string& type = text_at(whole, "model_type");
    const ModelFamily* family = type.empty() ? nullptr : family_of(type, whole);
    if (family != nullptr && family->encoding == "refused")
        return refuse(fmt::format("family.{}", family->note), {});
    // A tower's keys alone do not say which pairs belong to rows and which to columns.
    if (family == nullptr && asked == Part::vision)
        return refuse("config.vision_unknown", {{"model_type", type.empty() ? "?" : type}});
    Reader read(whole, family);
    Json encoding = other_encoding(read);
    const bool by_key = rotary_by_key(read);
    if (!encoding.is_null()) {
        model.scene["encoding"] = std::move(encoding);
        if (const auto base = read.real(kBase, 1.0, kLargestBase)) {  // on two axes
            model.scene["base"] = *base;
            model.scene["layout"] = layout_of(read);
        }
    } else if (read.problem) return tl::unexpected(std::move(*read.problem));
    else if (by_key || family != nullptr || rotary_by_type(read.type())) read_rope(read, model);
    else return refuse("config.no_encoding", {{"model_type", read.type().empty() ? "?" : read.type()}});
    if (!read.problem) shape(read, model);
    if (!read.problem && !by_key && silent(model.scene))
        return refuse("config.silent", {{"model_type", read.type().empty() ? "?" : read.type()}});
    // RoBERTa counts its padding rows in max_position_embeddings: no text is as long.
    const auto rows = has_rows(model.scene["encoding"])
                          ? integer_at(model.scene["encoding"], "max_position_embeddings")
                          : std::nullopt;
    if (!read.problem) remember_training(model.scene, rows ? rows : trained_length(read));
    if (!read.problem) as_documented(read, model.scene);
    if (read.problem) return tl::unexpected(std::move(*read.problem));
    const auto laid = overlay(Scene(), model.scene);
    if (!laid) return tl::unexpected(in_config(laid.error()));
    const auto remarks = remarks_on(laid->scene);
    read.name_unread();
    family_notes(read, model);
    qk_norm_note(read, model);
    model.notes.insert(model.notes.end(), read.notes.begin(), read.notes.end());
    model.notes.insert(model.notes.end(), remarks.begin(), remarks.end());
    remember_origin(model, "config");
    return model;
}

namespace {

// A document that keeps its order compares each key of an object with all before it.
constexpr std::size_t kMostMembers = 4096;

bool is_wide(const Json& json) {
    return (json.is_object() && json.size() > kMostMembers) ||
           (json.is_structured() && std::any_of(json.begin(), json.end(), is_wide));
}

// A long text without its long members, such as the list of layers that are not quantized: none of them is about positions.
std::string without_long_members(std::string_view text) {
    Document document = Document::parse(without_infinities(text));
    for (auto member = document.begin(); member != document.end();) {
        const bool part = std::any_of(std::begin(kParts), std::end(kParts),
                                      [&](std::string_view name) { return name == member.key(); });
        const bool is_long = !part && member->dump().size() > kMostKept / 8;
        member = is_long ? document.erase(member) : std::next(member);
    }
    return with_infinities(document.dump());
}

}  // namespace

Result<ModelScene> read_config_text(std::string_view text, Part part) {
    if (text.size() > kLargestConfig)
        return refuse("config.too_large",
                      {{"bytes", std::to_string(text.size())}, {"maximum", std::to_string(kLargestConfig)}});
    const auto json = parse_json(without_infinities(text));
    if (!json) return tl::unexpected(json.error());
    auto model = read_config(*json, part);
    if (!model || part != Part::language) return model;
    Json& kept = object_in(object_in(model->scene, "view"), "model");
    if (text.size() <= kMostKept) kept["config"] = std::string(text);
    else if (!is_wide(*json))
        if (std::string rest = without_long_members(text); rest.size() <= kMostKept)
            kept.update({{"config", std::move(rest)}, {"shortened", true}});
    return model;
}

Result<ModelScene> read_config(const Json& config) { return read_config(config, Part::language); }

Result<ModelScene> read_config_text(std::string_view text) { return read_config_text(text, Part::language); }

}  // namespace posiscope
