// ntk.cpp — NTK-aware scaling with a fixed alpha: a larger base, which hardly slows the fast pairs.
// ω'_i = ω_i · alpha^(−2i/(r−2)).  Range  alpha ≥ 1; `factor` replaces a missing alpha.
// variant  "fixed" slows the fastest pair too, ω'_i = ω_i · alpha^(−2(i+1)/r); the slowest is divided by alpha in both.
// Source   the YaRN repository's LlamaNTKScaledRotaryEmbedding; "fixed": vLLM's ntk_scaling_rope.py, which gte-new uses.
#include "core/scaling/frequency_laws.hpp"

#include "core/json_members.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

Result<Spectrum> ntk(const RopeContext& context, const Json& settings) {
    const auto alpha = number_at(settings, "alpha");
    const auto factor = number_at(settings, "factor");
    if (alpha && factor && *alpha != *factor)
        return refuse("settings.both", {{"first", "alpha"}, {"second", "factor"}});
    const double by = alpha.value_or(factor.value_or(1.0));
    std::vector<double> frequency = unscaled_spectrum(context).frequency;
    if (settings.at("variant") != "fixed") return scaled_from(context, ntk_frequency(frequency, by));
    const auto pairs = static_cast<double>(frequency.size());
    for (std::size_t i = 0; i < frequency.size(); ++i)
        frequency[i] /= std::pow(by, static_cast<double>(i + 1) / pairs);
    return scaled_from(context, std::move(frequency));
}

}  // namespace

std::vector<double> ntk_frequency(const std::vector<double>& frequency, double alpha) {
    std::vector<double> scaled = frequency;
    const std::size_t last = frequency.size() - 1;
    for (std::size_t i = 1; i <= last; ++i)
        scaled[i] *= std::pow(alpha, -static_cast<double>(i) / static_cast<double>(last));
    return scaled;
}

const Scaling& ntk_scaling() {
    static const std::vector<Parameter> parameters = {
        {"alpha", Parameter::Kind::number, nullptr, 1.0, 1e6},
        {"factor", Parameter::Kind::number, nullptr, 1.0, 1e6},
        {"variant", Parameter::Kind::choice, "aware", 0, 0, false, {"aware", "fixed"}},
    };
    static const Scaling scaling{"ntk", parameters, ntk};
    return scaling;
}

// Dynamic NTK: NTK-aware scaling whose alpha grows with the sequence.
// alpha = s l/M − (s − 1),  l = max(length, M): up to M it is plain RoPE, then every frequency is computed anew
// each time the sequence grows, so one table per model would be wrong.
// M is max_position_embeddings, as in Hugging Face, not original_max_position_embeddings.  Range  s ≥ 1.
// `alpha`  HunYuan's: alpha is fixed, whatever the length, as in "ntk".
// Source   Hugging Face's rope_type "dynamic"; its hunyuan_v1_dense; vLLM's DynamicNTKAlphaRotaryEmbedding; the YaRN repository's LlamaDynamicScaledRotaryEmbedding.

namespace {

Result<Spectrum> dynamic(const RopeContext& context, const Json& settings) {
    if (const auto alpha = number_at(settings, "alpha"))
        return scaled_from(context, ntk_frequency(unscaled_spectrum(context).frequency, *alpha));
    if (!context.max_position_embeddings) return refuse("scaling.length_missing");
    const auto trained = static_cast<double>(*context.max_position_embeddings);
    const double length = std::max(static_cast<double>(context.length), trained);
    const double factor = settings.at("factor").get<double>();
    return scaled_from(context, ntk_frequency(unscaled_spectrum(context).frequency,
                                              factor * length / trained - (factor - 1.0)));
}

}  // namespace

const Scaling& dynamic_scaling() {
    static const std::vector<Parameter> parameters = {{"factor", Parameter::Kind::number, 1.0, 1.0, 1e6},
                                                      {"alpha", Parameter::Kind::number, nullptr, 1.0, 1e6}};
    static const Scaling scaling{"dynamic", parameters, dynamic};
    return scaling;
}

}  // namespace posiscope
