// theta_scale.cpp — a larger base, so that the wavelength that was L becomes s L.
// b' = b^(ln(sL/2π)/ln(L/2π)),  ω'_i = b'^(−2i/r).  Range  s ≥ 1, L > 2π.
// Source   SGLang's grok.py, extra_method "theta_scale".
#include "core/scaling/scaling.hpp"

#include <cmath>
#include <numbers>

namespace posiscope {
namespace {

Result<Spectrum> theta_scale(const RopeContext& context, const Json& settings) {
    const auto original = original_length(context, settings);
    if (!original) return tl::unexpected(original.error());
    const double turns = *original / (2.0 * std::numbers::pi);
    if (turns <= 1.0)
        return refuse("value.range", {{"path", "original_max_position_embeddings"},
                                      {"value", to_text(*original)},
                                      {"minimum", "7"},
                                      {"maximum", "2147483647"}});
    const double factor = settings.at("factor").get<double>();
    if (factor == 1.0) return unscaled_spectrum(context);
    RopeContext larger = context;
    larger.base = std::pow(context.base, std::log(factor * turns) / std::log(turns));
    return scaled_from(context, unscaled_spectrum(larger).frequency);
}

}  // namespace

const Scaling& theta_scale_scaling() {
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"factor", Kind::number, 1.0, 1.0, 1e6},
        {"original_max_position_embeddings", Kind::integer, nullptr, 1, 2147483647},
    };
    static const Scaling scaling{"theta_scale", parameters, theta_scale};
    return scaling;
}

}  // namespace posiscope
