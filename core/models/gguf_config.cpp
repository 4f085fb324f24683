#include "core/models/gguf_config.hpp"

#include "core/formats/tensor.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <string_view>

namespace posiscope {
namespace {

// Names of Hugging Face for those of llama.cpp, where the family's code says more than the file's keys. Any other
// architecture is read by its keys alone.
struct Architecture {
    std::string_view name, model_type;
};
constexpr Architecture kArchitectures[] = {
    {"gptneox", "gpt_neox"},
    {"qwen2moe", "qwen2_moe"},
    {"qwen2vl", "qwen2_vl"},
    {"qwen3moe", "qwen3_moe"},
    {"qwen3vl", "qwen3_vl_text"},
    {"qwen3vlmoe", "qwen3_vl_moe_text"},
    {"qwen3next", "qwen3_next"},
    {"qwen35", "qwen3_5_text"},
    {"qwen35moe", "qwen3_5_moe_text"},
    {"gemma3", "gemma3_text"},
    {"gemma3n", "gemma3n_text"},
    {"gpt-oss", "gpt_oss"},
    {"llama4", "llama4_text"},
    {"deepseek2", "deepseek_v3"},
    {"command-r", "cohere"},
    {"phi2", "phi"},
    {"glm4moe", "glm4_moe"},
    {"ernie4_5-moe", "ernie4_5_moe"},
    {"mistral3", "ministral3"},
    {"glm-dsa", "glm_moe_dsa"},
    {"minimax-m2", "minimax_m2"},
    {"hunyuan-moe", "hunyuan_v1_moe"},
    {"hunyuan-dense", "hunyuan_v1_dense"},
    {"lfm2moe", "lfm2_moe"},
    {"modern-bert", "modernbert"},
};

// Architectures that rotate nothing: tables of positions, and biases.
constexpr Architecture kStill[] = {
    {"bert", "bert"}, {"gpt2", "gpt2"}, {"starcoder", "gpt_bigcode"}, {"bloom", "bloom"}, {"t5", "t5"}};

// Architectures that rotate neighbours; all others rotate halves. llama_model_rope_type() of llama.cpp's src/llama-model.cpp.
constexpr std::string_view kNeighbours[] = {
    "llama",         "deci",       "baichuan",   "starcoder", "plamo",   "orion",   "internlm2",
    "minicpm",       "xverse",     "command-r",  "cohere2",   "olmo",    "arctic",  "deepseek",
    "deepseek2",     "deepseek32", "deepseek4",  "plm",       "chatglm", "granite", "granitemoe",
    "granitehybrid", "chameleon",  "bailingmoe", "neo-bert",  "smollm3", "arcee",   "ernie4_5",
    "ernie4_5-moe",  "mistral3",   "mistral4",   "llama4",    "llada",   "glm-dsa", "glm4",
    "llama-embed",   "maincoder",  "nanbeige"};

// Their sections of M-RoPE alternate.
constexpr std::string_view kAlternate[] = {"qwen3vl", "qwen3vlmoe", "qwen35", "qwen35moe"};

bool among(std::span<const std::string_view> list, std::string_view name) {
    return std::ranges::find(list, name) != list.end();
}

constexpr const char* kDivisors = "rope_freqs.weight";
constexpr const char* kWithin = "rope_factors_short.weight";
constexpr const char* kBeyond = "rope_factors_long.weight";

// LongRoPE's object: rope_freqs.weight at every length, else two lists, of which a text past the original length has the second.
Json divided(const GgufDivisors& by, const Json& length, Json original, Json attention) {
    const bool one_list = !by.at_any_length.empty();
    if (one_list || original.is_null()) original = length;
    if (one_list || attention.is_null()) attention = 1.0;
    return {{"rope_type", "longrope"},
            {"short_factor", one_list ? by.at_any_length : by.within},
            {"long_factor", one_list ? by.at_any_length : by.beyond},
            {"attention_factor", std::move(attention)},
            {"original_max_position_embeddings", std::move(original)}};
}

}  // namespace

Result<Json> config_of_gguf(const Gguf& file, const GgufDivisors& divisors) {
    const auto setting = [&](const std::string& key) -> Json {
        const auto found = file.settings.find(key);
        return found == file.settings.end() ? Json() : *found;
    };
    const Json name = setting("general.architecture");
    const std::string text = name.is_string() ? name.get<std::string>() : "?";
    const auto own = [&](std::string_view key) { return setting(fmt::format("{}.{}", text, key)); };
    const auto* const still = std::ranges::find(kStill, std::string_view(text), &Architecture::name);
    const bool rotates = still == std::end(kStill);
    if (rotates && own("rope.freq_base").is_null() && own("rope.dimension_count").is_null())
        return refuse("gguf.architecture", {{"value", text}});
    const auto* const arch = std::ranges::find(kArchitectures, std::string_view(text), &Architecture::name);
    Json made{{"model_type", !rotates                           ? std::string(still->model_type)
                             : arch != std::end(kArchitectures) ? std::string(arch->model_type)
                                                                : text}};
    const auto take = [&](const char* key, const Json& value) {
        if (!value.is_null()) made[key] = value;
    };
    take("max_position_embeddings", own("context_length"));
    take("hidden_size", own("embedding_length"));
    take("num_attention_heads", own("attention.head_count"));
    take("num_key_value_heads", own("attention.head_count_kv"));
    take("num_hidden_layers", own("block_count"));
    take("sliding_window", own("attention.sliding_window"));
    if (!rotates) {
        take("relative_attention_num_buckets", own("attention.relative_buckets_count"));
        return made;
    }
    made["rope_interleave"] = among(kNeighbours, text);
    // One flag for each layer, or every n-th layer sees all.
    if (const Json pattern = own("attention.sliding_window_pattern"); pattern.is_array())
        for (const Json& slides : pattern)
            made["layer_types"].push_back(slides == true || slides == 1 ? "sliding_attention"
                                                                        : "full_attention");
    else take("sliding_window_pattern", pattern);
    take("full_attention_interval", own("full_attention_interval"));
    take("rope_local_base_freq", own("rope.freq_base_swa"));
    // Latent attention keeps a rotated part beside the one that is not.
    const Json latent = own("attention.key_length_mla");
    const Json key_length = latent.is_null() ? own("attention.key_length") : latent;
    take("head_dim", key_length);
    made["rope_theta"] = own("rope.freq_base").is_null() ? Json(10000.0) : own("rope.freq_base");
    const auto whole = [](const Json& value) {
        return value.is_number_integer() ? value.get<std::int64_t>() : 0;
    };
    const std::int64_t heads = whole(own("attention.head_count")), width = whole(key_length),
                       part = whole(own("rope.dimension_count")),
                       head = width > 0   ? width
                              : heads > 0 ? whole(own("embedding_length")) / heads
                                          : 0;
    if ((text == "deepseek2" || !own("attention.kv_lora_rank").is_null()) && part > 0 && head > part) {
        made["qk_rope_head_dim"] = part;
        made["qk_nope_head_dim"] = head - part;
    } else if (part > 0 && head > part) {
        made["partial_rotary_factor"] = static_cast<double>(part) / static_cast<double>(head);
    }
    const Json type = own("rope.scaling.type"), factor = own("rope.scaling.factor"),
               linear = own("rope.scale_linear");
    // Follows llama.cpp's reading of a file that has a factor alone.
    const std::string method = type.is_string() ? type.get<std::string>() : "linear";
    const bool lists = !divisors.within.empty() && !divisors.beyond.empty();
    if (method != "none" && method != "linear" && method != "yarn" && !(method == "longrope" && lists))
        return refuse("gguf.scaling", {{"value", method}});
    Json scaling;
    if (method != "none" && !factor.is_null()) scaling = {{"rope_type", method}, {"factor", factor}};
    else if (linear.is_number() && linear != 1) scaling = {{"rope_type", "linear"}, {"factor", linear}};
    if (const Json original = own("rope.scaling.original_context_length");
        method == "yarn" && !original.is_null())
        scaling["original_max_position_embeddings"] = original;
    constexpr std::pair<const char*, std::string_view> kOfYarn[] = {
        {"beta_fast", "yarn_beta_fast"},
        {"beta_slow", "yarn_beta_slow"},
        {"extrapolation_factor", "yarn_ext_factor"},
        {"attn_factor", "attn_factor"}};
    if (method == "yarn" && !scaling.is_null())
        for (const auto& [key, written] : kOfYarn)
            if (const Json value = own(fmt::format("rope.scaling.{}", written));
                value.is_number() && value > 0.0)
                scaling[key] = value;
    if (const Json beta = own("attention.temperature_scale");
        method == "yarn" && beta.is_number() && !scaling.is_null())
        scaling["llama_4_scaling_beta"] = beta;
    // The converter writes a tenth of mscale_all_dim.
    if (const Json tenth = own("rope.scaling.yarn_log_multiplier"); method == "yarn" && tenth.is_number())
        scaling["mscale"] = scaling["mscale_all_dim"] = 10.0 * tenth.get<double>();
    if (!divisors.at_any_length.empty() || lists) {
        if (!scaling.is_null() && method != "longrope")
            return refuse("gguf.scaling",
                          {{"value", fmt::format("{}, {}", method, lists ? kBeyond : kDivisors)}});
        scaling = divided(divisors, own("context_length"), own("rope.scaling.original_context_length"),
                          own("rope.scaling.attn_factor"));
    }
    if (const Json sections = own("rope.dimension_sections"); sections.is_array() && sections.size() >= 3) {
        if (scaling.is_null()) scaling = {{"rope_type", "default"}};
        scaling["mrope_section"] = Json(sections.begin(), sections.begin() + 3);
        if (among(kAlternate, text)) scaling["mrope_interleaved"] = true;
    }
    take("rope_scaling", scaling);
    return made;
}

Result<Json> config_of_gguf(const std::string& path) {
    std::ifstream stream(path, std::ios::binary | std::ios::ate);
    if (!stream) return failure("file.missing", {{"path", path}});
    const auto size = static_cast<std::uint64_t>(stream.tellg());
    const auto file = read_gguf(size, [&](std::uint64_t from, std::span<char> into) {
        stream.clear();
        stream.seekg(static_cast<std::streamoff>(from));
        stream.read(into.data(), static_cast<std::streamsize>(into.size()));
        return static_cast<std::size_t>(stream.gcount()) == into.size();
    });
    if (!file) return tl::unexpected(in_file(file.error(), path));
    GgufDivisors divisors;
    const std::pair<const char*, std::vector<double>*> tensors[] = {
        {kDivisors, &divisors.at_any_length}, {kWithin, &divisors.within}, {kBeyond, &divisors.beyond}};
    for (const auto& [name, values] : tensors) {
        if (std::ranges::find(file->tensors, name, &GgufTensor::name) == file->tensors.end()) continue;
        auto tensor = read_tensor(path, name);
        if (!tensor) return tl::unexpected(tensor.error());
        *values = std::move(tensor->values);
    }
    auto made = config_of_gguf(*file, divisors);
    if (!made) return tl::unexpected(in_file(made.error(), path));
    return made;
}

}  // namespace posiscope
