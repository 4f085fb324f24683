// fope.cpp — Fourier position embedding (FoPE): pairs whose wavelength exceeds the trained length are not rotated.
// Kept are the first num_inv_freq pairs, or those with ω_i > 2π/M where it is absent; the others have frequency 0.
// The full method also mixes the kept cosines and sines by learned matrices, one per key head with fope_sep_head and
// initialised with fope_init_factor. They are weights, which no config holds: here they are the identity.
// Source   arXiv 2412.17739; vLLM's FourierRotaryEmbedding (Intern-S1-Pro).
#include "core/json_members.hpp"
#include "core/scaling/scaling.hpp"

#include <numbers>

namespace posiscope {
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
