// longrope.cpp — LongRoPE: one searched divisor per pair, with a list for short and a list for long sequences.
// ω'_i = ω_i / e_i, e = long_factor where the sequence is longer than L, else short_factor (r/2 numbers each).
// attention_factor = as given, or √(1 + ln F / ln L), F = factor or M/L, 1 where F ≤ 1. It is applied at every
// length, short ones too: 1.190238 for Phi-3 128k. magnitude_scaling_policy "yarn" takes 0.1 ln F + 1 instead.
// long_mscale, short_mscale (Phi-3.5-MoE, Phi-3-small) replace it for a sequence above L and up to L.
// Depends on the current length, so one table per model would be wrong.
// Source   arXiv 2402.13753; Hugging Face's rope_type "longrope"; microsoft/LongRoPE (the policy);
//          Hugging Face's modular_phimoe (the two mscales).
#include "core/json_members.hpp"
#include "core/scaling/frequency_laws.hpp"
#include "core/scaling/scaling.hpp"

#include <cmath>

namespace posiscope {
namespace {

Result<std::vector<double>> factors(const Json& settings, const char* key, std::size_t needed) {
    const auto list = settings.find(key);
    if (list == settings.end() || list->is_null())
        return refuse("scaling.factors_missing", {{"key", key}, {"needed", std::to_string(needed)}});
    if (list->size() != needed)
        return refuse(
            "scaling.factors_count",
            {{"key", key}, {"value", std::to_string(list->size())}, {"needed", std::to_string(needed)}});
    std::vector<double> result;
    result.reserve(needed);
    for (const Json& item : *list) {
        if (!item.is_number() || !(item.get<double>() >= 1e-6 && item.get<double>() <= 1e9))
            return refuse("scaling.factors_item", {{"key", key}, {"index", std::to_string(result.size())}});
        result.push_back(item.get<double>());
    }
    return result;
}

Result<double> attention_factor(const RopeContext& context, const Json& settings, double original) {
    const bool is_long = static_cast<double>(context.length) > original;
    if (const auto given = number_at(settings, is_long ? "long_mscale" : "short_mscale")) return *given;
    if (const auto given = number_at(settings, "attention_factor")) return *given;
    const auto factor = factor_or_ratio(context, settings, original);
    if (!factor) return tl::unexpected(factor.error());
    if (*factor <= 1.0) return 1.0;
    if (settings.at("magnitude_scaling_policy") == "yarn") return yarn_mscale(*factor, 1.0);
    if (original <= 1.0)
        return refuse("value.above_range", {{"path", "original_max_position_embeddings"},
                                            {"value", to_text(original)},
                                            {"minimum", "1"},
                                            {"maximum", "2147483647"}});
    return std::sqrt(1.0 + std::log(*factor) / std::log(original));
}

Result<Spectrum> longrope(const RopeContext& context, const Json& settings) {
    const auto original = original_length(context, settings);
    if (!original) return tl::unexpected(original.error());
    std::vector<double> frequency = unscaled_spectrum(context).frequency;
    const auto short_factors = factors(settings, "short_factor", frequency.size());
    if (!short_factors) return tl::unexpected(short_factors.error());
    const auto long_factors = factors(settings, "long_factor", frequency.size());
    if (!long_factors) return tl::unexpected(long_factors.error());
    const auto attention = attention_factor(context, settings, *original);
    if (!attention) return tl::unexpected(attention.error());
    const auto& divisors = static_cast<double>(context.length) > *original ? *long_factors : *short_factors;
    for (std::size_t i = 0; i < frequency.size(); ++i) frequency[i] /= divisors[i];
    return scaled_from(context, std::move(frequency), *attention);
}

}  // namespace

const Scaling& longrope_scaling() {
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"short_factor", Kind::list, nullptr},
        {"long_factor", Kind::list, nullptr},
        {"factor", Kind::number, nullptr, 1.0, 1e6},
        {"original_max_position_embeddings", Kind::integer, nullptr, 1, 2147483647},
        {"attention_factor", Kind::number, nullptr, 0.0, 1e6, true},
        {"short_mscale", Kind::number, nullptr, 0.0, 1e6, true},
        {"long_mscale", Kind::number, nullptr, 0.0, 1e6, true},
        {"magnitude_scaling_policy", Kind::choice, "su", 0, 0, false, {"su", "yarn"}},
    };
    static const Scaling scaling{"longrope", parameters, longrope};
    return scaling;
}

}  // namespace posiscope
