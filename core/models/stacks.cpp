#include "core/models/stacks.hpp"

#include "core/json_members.hpp"
#include "core/models/config_rope.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace posiscope {

// A row of a stack: what it does with one rope_type.
struct StackRule {
    std::string_view type;        // as the config spells it
    std::string_view needs = {};  // keys without which it ends with a KeyError; a|b: one of both
    Loading does = Loading::loads;
    std::string_view says = {};      // "stack.KEY"
    std::string_view families = {};  // the model_types it holds for; of others the class was not read
};

// One scaling object of a config, with what surrounds it.
struct Scaled {
    const Json& config;  // the language model's part
    Json object;         // never null
    std::string type;    // its rope_type, as spelled
    std::string family;  // model_type
    std::string layers;  // of which layers, where there are several objects
    std::optional<double> maximum, original;

    bool has(std::string_view key) const {
        const auto found = object.find(std::string(key));
        return found != object.end() && !found->is_null();
    }
    bool is(std::string_view key, const Json& usual) const {
        return !has(key) || object.at(std::string(key)) == usual;
    }
};

namespace {

// The words of a list such as "a b|c".
template <class Use>
void each_word(std::string_view list, char between, const Use& use) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(between), list.size());
        if (end > 0) use(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
}

bool lists(std::string_view list, std::string_view word) {
    bool found = false;
    each_word(list, ' ', [&](std::string_view one) { found = found || one == word; });
    return found;
}

std::string missing_of(const Scaled& one, std::string_view needs) {
    std::string missing;
    each_word(needs, ' ', [&](std::string_view choice) {
        bool found = false;
        each_word(choice, '|', [&](std::string_view key) { found = found || one.has(key); });
        if (!found) missing += (missing.empty() ? "" : ", ") + std::string(choice);
    });
    return missing;
}

// Those of the keys that the object gives another value than the usual one.
struct Usual {
    std::string_view key;
    Json value;
};
std::string given_of(const Scaled& one, std::initializer_list<Usual> keys) {
    std::string given;
    for (const Usual& key : keys)
        if (!one.is(key.key, key.value)) given += (given.empty() ? "" : ", ") + std::string(key.key);
    return given;
}

std::string shown_number(const std::optional<double>& number) { return number ? to_text(*number) : "?"; }

void add(const Scaled& one, StackAnswer& answer, Loading does, std::string_view says,
         ProblemValues more = {}) {
    answer.does = std::max(answer.does, does);
    Problem why{"stack." + std::string(says),
                {{"type", one.type},
                 {"family", one.family.empty() ? "?" : one.family},
                 {"original", shown_number(one.original)},
                 {"maximum", shown_number(one.maximum)}}};
    for (auto& value : more) why.values.push_back(std::move(value));
    if (std::ranges::find(answer.why, why) == answer.why.end()) answer.why.push_back(std::move(why));
}

// --- transformers --------------------------------------------------------------------------------------------

constexpr std::string_view kTransformersRead =
    "huggingface/transformers: src/transformers/modeling_rope_utils.py at ef46806 (4.x); "
    "models/qwen3/modeling_qwen3.py at 000c33f, models/phi3/configuration_phi3.py and "
    "models/gemma4/configuration_gemma4.py at 008e574 (5.x); pull requests 39847, 42513";
constexpr StackRule kTransformers[] = {
    {.type = "default"},
    {.type = "linear", .needs = "factor"},
    {.type = "dynamic", .needs = "factor", .says = "transformers_dynamic"},
    {.type = "yarn", .needs = "factor"},
    {.type = "longrope", .needs = "short_factor long_factor", .says = "transformers_longrope"},
    {.type = "llama3", .needs = "factor low_freq_factor high_freq_factor"},
    {.type = "proportional", .says = "transformers_five"},
    {.type = "su",
     .needs = "short_factor long_factor",
     .does = Loading::loads,
     .says = "transformers_renames",
     .families = "phi3"},
    {.type = "mrope", .does = Loading::unread, .says = "class_unread"},
};

constexpr StackRule kTransformersElse{.type = "", .does = Loading::refuses, .says = "transformers_unknown"};

void transformers_details(const Scaled& one, StackAnswer& answer) {
    if (one.type == "yarn" && one.family == "phi3")
        return add(one, answer, Loading::differs, "transformers_renames");
    if (one.type == "dynamic" && one.original) add(one, answer, Loading::loads, "transformers_unread");
    if ((one.type == "yarn" || one.type == "llama3") && !one.original)
        add(one, answer, Loading::loads,
            one.type == "yarn" ? "transformers_original" : "transformers_original_key");
    else if (one.type == "yarn" && one.maximum && one.original != one.maximum)
        add(one, answer, Loading::loads, "transformers_ramp");
}

// --- vLLM ----------------------------------------------------------------------------------------------------

constexpr std::string_view kVllmRead =
    "vllm-project/vllm: model_executor/layers/rotary_embedding/__init__.py at 0cd5784 and 926c71f (older), "
    "yarn_scaling_rope.py at 0cd5784, dynamic_ntk_scaling_rope.py at 50feac9, phi3_long_rope_scaled_rope.py "
    "at 17d618b; transformers_utils/config.py "
    "at 0036026; pull request 28006";
constexpr StackRule kVllm[] = {
    {.type = "default"},
    {.type = "linear", .needs = "factor"},
    {.type = "ntk", .needs = "factor"},
    {.type = "dynamic", .needs = "factor|alpha", .does = Loading::differs, .says = "vllm_dynamic"},
    {.type = "yarn", .needs = "factor"},
    {.type = "deepseek_yarn", .needs = "factor"},
    {.type = "telechat3-yarn", .needs = "factor"},
    {.type = "longrope",
     .needs = "short_factor long_factor",
     .does = Loading::differs,
     .says = "vllm_longrope"},
    {.type = "su", .needs = "short_factor long_factor", .does = Loading::differs, .says = "vllm_longrope"},
    {.type = "llama3", .needs = "factor low_freq_factor high_freq_factor"},
    {.type = "proportional"},
    {.type = "mrope", .needs = "mrope_section"},
};

constexpr StackRule kVllmElse{.type = "", .does = Loading::refuses, .says = "vllm_unknown"};

void vllm_details(const Scaled& one, StackAnswer& answer) {
    const auto chunks = one.config.find("dual_chunk_attention_config");
    if (chunks != one.config.end() && chunks->is_object() && one.type != "default") {
        answer = {};
        return add(one, answer, Loading::ignores, "vllm_chunks");
    }
    const auto older = one.object.find("type");
    if (older != one.object.end() && older->is_string() && one.has("rope_type")) {
        const auto other = older->get<std::string>();
        const bool known =
            (other == "su" && one.type == "longrope") || (other == "mrope" && one.type == "default");
        if (other != one.type && !known)
            add(one, answer, Loading::refuses, "vllm_conflict", {{"older", other}});
    }
    std::string unread;
    if (one.type == "yarn") unread = given_of(one, {{"extrapolation_factor", 1}, {"attn_factor", 1}});
    if (one.type == "proportional") unread = given_of(one, {{"factor", 1}});
    if (one.type == "longrope" || one.type == "su") unread = given_of(one, {{"attention_factor", nullptr}});
    if (!unread.empty()) add(one, answer, Loading::differs, "vllm_unread", {{"keys", unread}});
    if (one.type == "yarn")
        if (const std::string later =
                given_of(one, {{"attention_factor", nullptr}, {"mscale", 1}, {"mscale_all_dim", 0}});
            !later.empty())
            add(one, answer, Loading::loads, "vllm_later", {{"keys", later}});
}

// --- llama.cpp -----------------------------------------------------------------------------------------------

constexpr std::string_view kLlamaCppRead = "ggml-org/llama.cpp: conversion/base.py at 00bd27a, "
                                           "conversion/llama.py at 0274f0f, conversion/phi.py at 051139f, "
                                           "tools/server/README.md at 00dc805; issue 24823";
constexpr StackRule kLlamaCpp[] = {
    {.type = "default"},
    {.type = "linear", .says = "llama_cpp_written"},
    {.type = "yarn", .says = "llama_cpp_written"},
    {.type = "longrope", .does = Loading::differs, .says = "llama_cpp_longrope", .families = "phi3 phimoe"},
    {.type = "su", .does = Loading::differs, .says = "llama_cpp_longrope", .families = "phi3 phimoe"},
    {.type = "llama3", .says = "llama_cpp_divisors", .families = "llama mistral mixtral"},
};

constexpr StackRule kLlamaCppElse{.type = "", .does = Loading::ignores, .says = "llama_cpp_unknown"};

void llama_cpp_details(const Scaled& one, StackAnswer& answer) {
    if (one.layers == "sliding_attention") {  // its object is not read, but for the base
        answer = {};
        if (one.type != "default") add(one, answer, Loading::ignores, "llama_cpp_sliding");
        return;
    }
    const bool written = one.type == "linear" || one.type == "yarn";
    if (written && !one.has("factor")) {
        answer = {};
        return add(one, answer, Loading::ignores, "llama_cpp_factor");
    }
    if (one.type == "yarn" && !one.has("original_max_position_embeddings"))
        add(one, answer, Loading::unread, "llama_cpp_original");
    if (one.type == "yarn")
        if (const std::string own = given_of(one, {{"truncate", true}, {"mscale", 1}, {"mscale_all_dim", 0}});
            !own.empty())
            add(one, answer, Loading::unread, "llama_cpp_unwritten", {{"keys", own}});
    if (one.type == "llama3" && answer.does == Loading::loads) {
        const auto beside = one.config.find("original_max_position_embeddings");
        const Json taken = beside != one.config.end() && beside->is_number() ? *beside : Json(8192);
        if (!one.is("original_max_position_embeddings", taken))
            add(one, answer, Loading::differs, "llama_cpp_8192", {{"taken", shown(taken)}});
    }
    if ((one.type == "longrope" || one.type == "su") && !one.has("long_factor")) {
        answer = {};
        return add(one, answer, Loading::ignores, "llama_cpp_lists");
    }
    // Two families convert such objects in their own classes.
    if ((one.type == "dynamic" && one.family.starts_with("hunyuan")) ||
        (one.type == "proportional" && one.family.starts_with("gemma4"))) {
        answer = {};
        add(one, answer, Loading::unread, "class_unread");
    }
}

// --- All -----------------------------------------------------------------------------------------------------

constexpr Stack kStacks[] = {
    {.name = "transformers",
     .code = "rope_parameters",
     .read = kTransformersRead,
     .rules = kTransformers,
     .otherwise = &kTransformersElse,
     .details = transformers_details},
    {.name = "vLLM",
     .code = "vllm",
     .read = kVllmRead,
     .rules = kVllm,
     .otherwise = &kVllmElse,
     .details = vllm_details},
    {.name = "llama.cpp",
     .code = "llama_cpp",
     .read = kLlamaCppRead,
     .rules = kLlamaCpp,
     .otherwise = &kLlamaCppElse,
     .details = llama_cpp_details},
};

constexpr std::size_t kLongestName = 80;  // of what a config calls its method or family

Scaled scaled_of(const Json& config, const Json& object, std::string layers) {
    Scaled one{config,
               object.is_object() ? object : Json::object(),
               {},
               text_at(config, "model_type").substr(0, kLongestName),
               std::move(layers),
               number_at(config, "max_position_embeddings"),
               {}};
    one.type = text_at(one.object, "rope_type");
    if (one.type.empty()) one.type = text_at(one.object, "type");
    one.type = one.type.empty() ? "default" : one.type.substr(0, kLongestName);
    one.original = number_at(one.object, "original_max_position_embeddings");
    if (!one.original) one.original = number_at(config, "original_max_position_embeddings");
    return one;
}

void answer_one(const Stack& stack, const Scaled& one, StackAnswer& all) {
    const auto found = std::ranges::find(stack.rules, std::string_view(one.type), &StackRule::type);
    const StackRule rule = found == stack.rules.end() ? *stack.otherwise : *found;
    StackAnswer answer;
    const std::string missing = missing_of(one, rule.needs);
    if (!rule.families.empty() && !lists(rule.families, one.family))
        add(one, answer, Loading::unread, "class_unread");
    else if (!missing.empty()) add(one, answer, Loading::refuses, "missing", {{"keys", missing}});
    else if (!rule.says.empty()) add(one, answer, rule.does, rule.says);
    if (answer.does != Loading::refuses && answer.does != Loading::unread) stack.details(one, answer);
    all.does = std::max(all.does, answer.does);
    for (Problem& why : answer.why)
        if (std::ranges::find(all.why, why) == all.why.end()) all.why.push_back(std::move(why));
}

}  // namespace

std::string_view name_of(Loading does) {
    constexpr std::string_view kNames[] = {"loads", "differs", "ignores", "unread", "refuses"};
    return kNames[static_cast<std::size_t>(does)];
}

std::span<const Stack> stacks() { return kStacks; }

StackAnswer answer_of(const Stack& stack, const Json& config) {
    StackAnswer answer;
    std::string part;
    const Json whole = config.is_object() ? language_part(config, part) : Json::object();
    Json object = whole.value("rope_parameters", Json(nullptr));
    if (!object.is_object()) object = whole.value("rope_scaling", Json(nullptr));
    if (!object.is_object() || !nested(object)) {
        answer_one(stack, scaled_of(whole, object, {}), answer);
        return answer;
    }
    for (const auto& [layers, inner] : object.items())
        answer_one(stack, scaled_of(whole, inner, layers), answer);
    return answer;
}

}  // namespace posiscope
