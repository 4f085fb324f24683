#include "core/models/gguf_config.hpp"

#include "core/formats/tensor.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <string_view>

namespace posiscope {
namespace {

struct Architecture {
    std::string_view name, model_type;
    bool interleaved = false;
};
constexpr Architecture kArchitectures[] = {
    {"llama", "llama", true},  {"qwen2", "qwen2"}, {"qwen2moe", "qwen2_moe"}, {"qwen3", "qwen3"},
    {"qwen3moe", "qwen3_moe"}, {"gemma", "gemma"}, {"gptneox", "gpt_neox"},   {"falcon", "falcon"},
};

constexpr const char* kDivisors = "rope_freqs.weight";

}  // namespace

Result<Json> config_of_gguf(const Gguf& file, std::span<const double> divisors) {
    const auto setting = [&](const std::string& key) -> Json {
        const auto found = file.settings.find(key);
        return found == file.settings.end() ? Json() : *found;
    };
    const Json name = setting("general.architecture");
    const std::string text = name.is_string() ? name.get<std::string>() : "?";
    const auto* const arch = std::ranges::find(kArchitectures, std::string_view(text), &Architecture::name);
    if (arch == std::end(kArchitectures)) {
        std::string known;
        for (const Architecture& one : kArchitectures)
            known += (known.empty() ? "" : ", ") + std::string(one.name);
        return refuse("gguf.architecture", {{"value", text}, {"choices", known}});
    }
    const auto own = [&](std::string_view key) { return setting(fmt::format("{}.{}", text, key)); };
    Json made{{"model_type", arch->model_type}, {"rope_interleave", arch->interleaved}};
    const auto take = [&](const char* key, const Json& value) {
        if (!value.is_null()) made[key] = value;
    };
    take("max_position_embeddings", own("context_length"));
    take("hidden_size", own("embedding_length"));
    take("num_attention_heads", own("attention.head_count"));
    take("num_key_value_heads", own("attention.head_count_kv"));
    take("head_dim", own("attention.key_length"));
    made["rope_theta"] = own("rope.freq_base").is_null() ? Json(10000.0) : own("rope.freq_base");
    const auto whole = [](const Json& value) {
        return value.is_number_integer() ? value.get<std::int64_t>() : 0;
    };
    const std::int64_t heads = whole(own("attention.head_count")), width = whole(own("attention.key_length")),
                       part = whole(own("rope.dimension_count")),
                       head = width > 0   ? width
                              : heads > 0 ? whole(own("embedding_length")) / heads
                                          : 0;
    if (part > 0 && head > part)
        made["partial_rotary_factor"] = static_cast<double>(part) / static_cast<double>(head);
    const Json type = own("rope.scaling.type"), factor = own("rope.scaling.factor"),
               linear = own("rope.scale_linear");
    // As llama.cpp reads a file that has a factor alone.
    const std::string method = type.is_string() ? type.get<std::string>() : "linear";
    if (method != "none" && method != "linear" && method != "yarn")
        return refuse("gguf.scaling", {{"value", method}});
    Json scaling;
    if (method != "none" && !factor.is_null()) scaling = {{"rope_type", method}, {"factor", factor}};
    else if (linear.is_number() && linear != 1) scaling = {{"rope_type", "linear"}, {"factor", linear}};
    if (const Json original = own("rope.scaling.original_context_length");
        method == "yarn" && !original.is_null())
        scaling["original_max_position_embeddings"] = original;
    if (!divisors.empty()) {
        if (!scaling.is_null()) return refuse("gguf.scaling", {{"value", method + ", " + kDivisors}});
        Json list = Json::array();
        for (const double one : divisors) list.push_back(one);
        scaling = {{"rope_type", "longrope"},
                   {"short_factor", list},
                   {"long_factor", list},
                   {"attention_factor", 1.0},
                   {"original_max_position_embeddings", own("context_length")}};
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
    std::vector<double> divisors;
    if (std::ranges::find(file->tensors, kDivisors, &GgufTensor::name) != file->tensors.end()) {
        auto tensor = read_tensor(path, kDivisors);
        if (!tensor) return tl::unexpected(tensor.error());
        divisors = std::move(tensor->values);
    }
    auto made = config_of_gguf(*file, divisors);
    if (!made) return tl::unexpected(in_file(made.error(), path));
    return made;
}

}  // namespace posiscope
