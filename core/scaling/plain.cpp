// plain.cpp — scalings that take each pair by itself: none, linear (position interpolation), proportional and FoPE.
// default  ω'_i = ω_i
// linear   ω'_i = ω_i / s: maps every position into the trained range.  Range  s ≥ 1.
// Source   arXiv 2306.15595; matches Hugging Face's rope_type "linear".
#include "core/json_members.hpp"
#include "core/scaling/scaling.hpp"

#include <cmath>
#include <numbers>

namespace posiscope {
namespace {

Result<Spectrum> plain(const RopeContext& context, const Json&) { return unscaled_spectrum(context); }

Result<Spectrum> linear(const RopeContext& context, const Json& settings) {
    std::vector<double> frequency = unscaled_spectrum(context).frequency;
    for (double& omega : frequency) omega /= settings.at("factor").get<double>();
    return scaled_from(context, std::move(frequency));
}

}  // namespace

const Scaling& default_scaling() {
    static const Scaling scaling{"default", {}, plain};
    return scaling;
}

const Scaling& linear_scaling() {
    static const std::vector<Parameter> parameters = {{"factor", Parameter::Kind::number, 1.0, 1.0, 1e6}};
    static const Scaling scaling{"linear", parameters, linear};
    return scaling;
}

// Proportional RoPE (p-RoPE): the fast pairs of full RoPE; the slow ones are not rotated.
// k = floor(partial_rotary_factor · head_dim / 2) pairs have base^(−2i/head_dim)/s, the others 0; all of head_dim
// is paired. Unlike partial rotary the frequencies are those of full RoPE: the exponent's denominator is head_dim.
// Source   arXiv 2410.06205; Hugging Face's rope_type "proportional" (Gemma 4's global layers).

namespace {

Result<Spectrum> proportional(const RopeContext& context, const Json& settings) {
    const double half = context.partial_rotary_factor * static_cast<double>(context.head_dim) / 2.0;
    const auto turning = static_cast<std::size_t>(std::floor(half));
    std::vector<double> frequency = unscaled_spectrum(context).frequency;
    for (std::size_t i = 0; i < frequency.size(); ++i)
        frequency[i] = i < turning ? frequency[i] / settings.at("factor").get<double>() : 0.0;
    return scaled_from(context, std::move(frequency));
}

}  // namespace

const Scaling& proportional_scaling() {
    static const std::vector<Parameter> parameters = {{"factor", Parameter::Kind::number, 1.0, 1.0, 1e6}};
    static const Scaling scaling{"proportional", parameters, proportional, true};
    return scaling;
}

// Fourier position embedding (FoPE): pairs whose wavelength exceeds the trained length are not rotated.
// Kept are the first num_inv_freq pairs, or those with ω_i > 2π/M where it is absent; the others have frequency 0.
// The full method also mixes the kept cosines and sines by learned matrices, one per key head with fope_sep_head and
// initialised with fope_init_factor. They are weights, which no config holds: here they are the identity.
// Source   arXiv 2412.17739; vLLM's FourierRotaryEmbedding (Intern-S1-Pro).

namespace {

Result<Spectrum> fope(const RopeContext& context, const Json& settings) {
    const auto kept = number_at(settings, "num_inv_freq");
    const auto original = kept ? Result<double>(0.0) : original_length(context, settings);
    if (!original) return tl::unexpected(original.error());
    std::vector<double> frequency = unscaled_spectrum(context).frequency;
    for (std::size_t i = 0; i < frequency.size(); ++i)
        if (kept ? static_cast<double>(i) >= *kept : frequency[i] <= 2.0 * std::numbers::pi / *original)
            frequency[i] = 0.0;
    return scaled_from(context, std::move(frequency));
}

}  // namespace

const Scaling& fope_scaling() {
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"num_inv_freq", Kind::integer, nullptr, 1, 65536},
        {"fope_sep_head", Kind::boolean, nullptr},
        {"fope_init_factor", Kind::number, nullptr, 0.0, 1e6},
    };
    static const Scaling scaling{"fope", parameters, fope};
    return scaling;
}

}  // namespace posiscope
