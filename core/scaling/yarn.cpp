// yarn.cpp — YaRN: fast pairs are kept, slow ones interpolated, with a ramp between, and the logits are sharpened.
// ω'_i = (ω_i/s)(1 − g_i) + ω_i g_i, g_i the kept fraction (frequency_laws.hpp) times extrapolation_factor.
// attention_factor = as given, or m(s, mscale)/m(s, mscale_all_dim) if both are given and not 0, or m(s, 1);
// m(s, x) = 1 for s ≤ 1, else 0.1 x ln s + 1. It is multiplied by attn_factor, and multiplies cos and sin.
// s        factor, or M/L where factor is absent.  A beta of 0 counts as absent, as in Python's `or`.
// ramp     "code" is linear in the pair, as every implementation is; "paper" is linear in the rotations L/λ.
// logits   a model with mscale_all_dim also multiplies its softmax scale by m(s, mscale_all_dim)², unless
//          mscale_in_softmax is false: the attention of DeepSeek-V3 and Mistral 4 does, Ministral-3's does not.
// blend    "log" blends the logarithms: ω'_i = (ω_i/s)^(1 − g_i) ω_i^(g_i) (Grok's yarn_log).
// c        mscale_coefficient replaces 0.1 in m (0.07 in TeleChat3).
// Source   arXiv 2309.00071; Hugging Face's rope_type "yarn"; the YaRN repository (extrapolation_factor,
//          attn_factor); DeepSeek-V3 (the softmax factor, 1.8739 at s = 40);
//          vLLM's telechat3_scaling_rope; SGLang's grok.
#include "core/json_members.hpp"
#include "core/scaling/frequency_laws.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posiscope {
namespace {

double or_default(std::optional<double> value, double fallback) {
    return value && *value != 0.0 ? *value : fallback;
}

double attention_factor(const Json& settings, double factor) {
    if (const auto given = number_at(settings, "attention_factor")) return *given;
    const double mscale = number_at(settings, "mscale").value_or(0.0);
    const double all_dim = number_at(settings, "mscale_all_dim").value_or(0.0);
    const double tenth = 0.1 / settings.at("mscale_coefficient").get<double>();
    const auto m = [&](double scale) { return yarn_mscale(factor, scale / tenth); };
    return mscale != 0.0 && all_dim != 0.0 ? m(mscale) / m(all_dim) : m(1.0);
}

Result<Spectrum> yarn(const RopeContext& context, const Json& settings) {
    const auto original = original_length(context, settings);
    if (!original) return tl::unexpected(original.error());
    const auto factor = factor_or_ratio(context, settings, *original);
    if (!factor) return tl::unexpected(factor.error());
    YarnRamp ramp;
    ramp.fast = or_default(number_at(settings, "beta_fast"), ramp.fast);
    ramp.slow = or_default(number_at(settings, "beta_slow"), ramp.slow);
    if (ramp.slow > ramp.fast)
        return refuse("scaling.order", {{"smaller", "beta_slow"},
                                        {"value", to_text(ramp.slow)},
                                        {"larger", "beta_fast"},
                                        {"bound", to_text(ramp.fast)}});
    ramp.truncate = settings.at("truncate").get<bool>();
    ramp.logarithmic = settings.at("blend") == "log";
    ramp.by_rotations = settings.at("ramp") == "paper";
    ramp.extrapolation = settings.at("extrapolation_factor").get<double>();
    Spectrum spectrum =
        scaled_from(context, yarn_frequency(context, *factor, *original, ramp),
                    attention_factor(settings, *factor) * settings.at("attn_factor").get<double>());
    if (const double all_dim = number_at(settings, "mscale_all_dim").value_or(0.0);
        all_dim != 0.0 && settings.at("mscale_in_softmax").get<bool>())
        spectrum.logit_factor = std::pow(yarn_mscale(*factor, all_dim), 2);
    return spectrum;
}

}  // namespace

double yarn_mscale(double factor, double mscale) {
    return factor <= 1.0 ? 1.0 : 0.1 * mscale * std::log(factor) + 1.0;
}

std::vector<double> yarn_frequency(const RopeContext& context, double factor, double original,
                                   const YarnRamp& ramp) {
    std::vector<double> frequency = unscaled_spectrum(context).frequency;
    const PairRange range =
        correction_range(ramp.fast, ramp.slow, context.rotary_dim, context.base, original, ramp.truncate);
    for (std::size_t i = 0; i < frequency.size(); ++i) {
        const double omega = frequency[i];
        const double share = ramp.by_rotations ? kept_by_rotations(omega, original, ramp.slow, ramp.fast)
                                               : kept_by_pair(range, static_cast<double>(i));
        const double kept = share * ramp.extrapolation;
        if (factor == 1.0 || kept == 1.0) continue;  // so that kept frequencies stay equal to the last bit
        frequency[i] = ramp.logarithmic ? omega * std::pow(factor, kept - 1.0)
                                        : (omega / factor) * (1.0 - kept) + omega * kept;
    }
    return frequency;
}

const Scaling& yarn_scaling() {
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"factor", Kind::number, nullptr, 1.0, 1e6},
        {"original_max_position_embeddings", Kind::integer, nullptr, 1, 2147483647},
        {"beta_fast", Kind::number, 32.0, 0.0, 1e6},
        {"beta_slow", Kind::number, 1.0, 0.0, 1e6},
        {"attention_factor", Kind::number, nullptr, 0.0, 1e6, true},
        {"mscale", Kind::number, nullptr, 0.0, 1e6},
        {"mscale_all_dim", Kind::number, nullptr, 0.0, 1e6},
        {"truncate", Kind::boolean, true},
        {"extrapolation_factor", Kind::number, 1.0, 0.0, 1.0},
        {"attn_factor", Kind::number, 1.0, 0.0, 1e6, true},
        {"mscale_coefficient", Kind::number, 0.1, 0.0, 1e6, true},
        {"mscale_in_softmax", Kind::boolean, true},
        {"blend", Kind::choice, "linear", 0, 0, false, {"linear", "log"}},
        {"ramp", Kind::choice, "code", 0, 0, false, {"code", "paper"}},
    };
    static const Scaling scaling{"yarn", parameters, yarn};
    return scaling;
}

PairRange correction_range(double fast, double slow, std::int64_t rotary_dim, double base, double original,
                           bool truncate) {
    const auto width = static_cast<double>(rotary_dim);
    const auto pair_with = [&](double turns) {
        return width * std::log(original / (turns * 2.0 * std::numbers::pi)) / (2.0 * std::log(base));
    };
    PairRange range{pair_with(fast), pair_with(slow)};
    if (truncate) range = {std::floor(range.low), std::ceil(range.high)};
    return {std::max(range.low, 0.0), std::min(range.high, width - 1.0)};
}

double kept_by_pair(const PairRange& range, double pair) {
    const double width = range.low == range.high ? 0.001 : range.high - range.low;
    return 1.0 - std::clamp((pair - range.low) / width, 0.0, 1.0);
}

double kept_by_rotations(double frequency, double original, double slow, double fast) {
    const double rotations = original * frequency / (2.0 * std::numbers::pi);
    if (rotations < slow) return 0.0;
    if (rotations >= fast) return 1.0;
    return (rotations - slow) / (fast - slow);
}

}  // namespace posiscope
