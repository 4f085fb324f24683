#include "core/scaling/scaling.hpp"

#include "core/json_members.hpp"

#include <array>
#include <fmt/format.h>

namespace posiscope {

const Scaling& default_scaling();
const Scaling& linear_scaling();
const Scaling& ntk_scaling();
const Scaling& ntk_by_parts_scaling();
const Scaling& dynamic_scaling();
const Scaling& yarn_scaling();
const Scaling& llama3_scaling();
const Scaling& longrope_scaling();
const Scaling& proportional_scaling();
const Scaling& fope_scaling();
const Scaling& theta_scale_scaling();

namespace {

// Other names of a method, and the settings that such a name implies.
struct Alias {
    std::string_view type, method;
    const char* implied = nullptr;
};
constexpr Alias kAliases[] = {
    {"su", "longrope"},         // Phi-3
    {"mrope", "default"},       // Qwen2-VL: sections beside it
    {"xdrope", "dynamic"},      // HunYuan-VL: alpha, and sections beside it
    {"deepseek_yarn", "yarn"},  // vLLM's name
    {"telechat3-yarn", "yarn", R"({"mscale_coefficient": 0.07})"},  // vLLM telechat3_scaling_rope.py
    {"yarn_linear", "yarn",
     R"({"attention_factor": 1.0})"},  // SGLang grok.py: cos and sin are not multiplied
    {"yarn_log", "yarn", R"({"attention_factor": 1.0, "blend": "log"})"},
    {"original", "default"},
};

const Scaling* find_scaling(std::string_view type) {
    for (const Alias& alias : kAliases)
        if (alias.type == type) type = alias.method;
    for (const Scaling* scaling : scalings())
        if (scaling->rope_type == type) return scaling;
    return nullptr;
}

bool declares(std::span<const Parameter> parameters, std::string_view key) {
    for (const Parameter& parameter : parameters)
        if (parameter.key == key) return true;
    return false;
}

// Many configs give an L to a method that does not read it; this is a note, not an error.
std::optional<Problem> unused_length(const ChosenScaling& chosen) {
    if (!chosen.shared.contains("original_max_position_embeddings")) return std::nullopt;
    return Problem{
        "scaling.unused",
        {{"key", "original_max_position_embeddings"}, {"rope_type", std::string(chosen.scaling->rope_type)}}};
}

}  // namespace

std::span<const Scaling* const> scalings() {
    static const std::array list = {
        &default_scaling(),      &linear_scaling(),      &ntk_scaling(),    &ntk_by_parts_scaling(),
        &dynamic_scaling(),      &yarn_scaling(),        &llama3_scaling(), &longrope_scaling(),
        &proportional_scaling(), &theta_scale_scaling(), &fope_scaling(),
    };
    return list;
}

std::string_view method_named(const Json& dictionary) {
    for (const char* spelling : {"rope_type", "type"})
        if (const Scaling* found = find_scaling(text_at(dictionary, spelling))) return found->rope_type;
    return {};
}

std::span<const Parameter> shared_rope_parameters() {
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"rope_theta", Kind::number, nullptr, 1.0, 1e18, true},
        {"partial_rotary_factor", Kind::number, nullptr, 0.0, 1.0, true},
        {"mrope_section", Kind::list, nullptr},
        {"mrope_interleaved", Kind::boolean, nullptr},
        {"xdrope_section", Kind::list, nullptr},
        {"sliding_window", Kind::integer, nullptr, 1, 2147483647},
        {"attention_chunk_size", Kind::integer, nullptr, 1, 2147483647},
        {"llama_4_scaling_beta", Kind::number, nullptr, 0.0, 1e6},
        {"nope", Kind::boolean, nullptr},
        {"head_dim", Kind::integer, nullptr, 2, 65536},
        {"shared_object", Kind::boolean, nullptr},
        {"original_max_position_embeddings", Kind::integer, nullptr, 1, 2147483647},
    };
    return parameters;
}

Result<ChosenScaling> choose_scaling(const Json& dictionary, std::string_view path) {
    Json rest = dictionary.is_null() ? Json::object() : dictionary;
    if (!rest.is_object())
        return refuse("value.kind",
                      {{"path", std::string(path)}, {"kind", "dictionary"}, {"value", shown(rest)}});
    std::string type = "default";
    for (const char* spelling : {"type", "rope_type"}) {  // the newer one wins, as in Hugging Face's reader
        const auto given = rest.find(spelling);
        if (given == rest.end()) continue;
        if (!given->is_string())
            return refuse("value.kind",
                          {{"path", join_path(path, spelling)}, {"kind", "text"}, {"value", shown(*given)}});
        type = given->get<std::string>();
        rest.erase(given);
    }
    for (const Alias& alias : kAliases)
        if (alias.type == type && alias.implied != nullptr) {
            Json implied = Json::parse(alias.implied);
            implied.update(rest);
            rest = std::move(implied);
        }
    ChosenScaling chosen;
    chosen.scaling = find_scaling(type);
    if (chosen.scaling == nullptr) {
        std::vector<std::string_view> known;
        for (const Scaling* scaling : scalings()) known.push_back(scaling->rope_type);
        return refuse("value.choice",
                      {{"path", join_path(path, "rope_type")},
                       {"value", Json(type).dump(-1, ' ', false, Json::error_handler_t::replace)},
                       {"choices", fmt::format("{}", fmt::join(known, ", "))}});
    }
    Json shared = Json::object();
    for (const Parameter& parameter : shared_rope_parameters()) {
        const auto given = rest.find(std::string(parameter.key));
        if (given == rest.end() || declares(chosen.scaling->parameters, parameter.key)) continue;
        shared[given.key()] = *given;
        rest.erase(given);
    }
    auto common = checked_all(shared_rope_parameters(), shared, path);
    if (!common) return tl::unexpected(common.error());
    chosen.shared = std::move(*common);
    auto complete = checked_all(chosen.scaling->parameters, rest, path);
    if (!complete) return tl::unexpected(complete.error());
    chosen.settings = std::move(*complete);
    return chosen;
}

Result<Spectrum> scaled_spectrum(const RopeContext& context, const ChosenScaling& chosen) {
    return chosen.scaling->spectrum(context, chosen.settings);
}

std::vector<Problem> scaling_remarks(const RopeContext& context, const ChosenScaling& chosen) {
    std::vector<Problem> remarks;
    const std::string type(chosen.scaling->rope_type);
    if (auto unused = unused_length(chosen)) remarks.push_back(std::move(*unused));
    const auto scaled = scaled_spectrum(context, chosen);
    if (!scaled || type == "default") return remarks;
    if (scaled->frequency == unscaled_spectrum(context).frequency)
        remarks.push_back({scaled->attention_factor == 1.0 ? "scaling.no_effect" : "scaling.factor_only",
                           {{"rope_type", type},
                            {"length", std::to_string(context.length)},
                            {"attention_factor", to_text(scaled->attention_factor)}}});
    return remarks;
}

Spectrum unscaled_spectrum(const RopeContext& context) {
    const auto half = static_cast<std::size_t>(context.rotary_dim / 2);
    return geometric_spectrum(context.base, half, half);
}

Spectrum scaled_from(const RopeContext& context, std::vector<double> frequency, double attention_factor) {
    Spectrum unscaled = unscaled_spectrum(context);
    if (frequency != unscaled.frequency) return spectrum_from(std::move(frequency), attention_factor);
    unscaled.attention_factor = attention_factor;
    return unscaled;
}

Result<double> original_length(const RopeContext& context, const Json& settings) {
    if (const auto given = number_at(settings, "original_max_position_embeddings")) return *given;
    if (context.max_position_embeddings) return static_cast<double>(*context.max_position_embeddings);
    return refuse("scaling.length_missing");
}

Result<double> factor_or_ratio(const RopeContext& context, const Json& settings, double original) {
    if (const auto given = number_at(settings, "factor")) return *given;
    if (context.max_position_embeddings)
        return static_cast<double>(*context.max_position_embeddings) / original;
    return refuse("scaling.factor_missing");
}

std::optional<Problem> out_of_order(const Json& settings, const char* smaller, const char* larger) {
    const double low = settings.at(smaller).get<double>();
    const double high = settings.at(larger).get<double>();
    if (low <= high) return std::nullopt;
    return Problem{
        "scaling.order",
        {{"smaller", smaller}, {"value", to_text(low)}, {"larger", larger}, {"bound", to_text(high)}}};
}

}  // namespace posiscope
