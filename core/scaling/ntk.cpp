// ntk.cpp — NTK-aware scaling with a fixed alpha: a larger base, which hardly slows the fast pairs.
// ω'_i = ω_i · alpha^(−2i/(r−2)).  Range  alpha ≥ 1; `factor` replaces a missing alpha.
// Source   the YaRN repository's LlamaNTKScaledRotaryEmbedding; Hugging Face has no such rope_type.
#include "core/scaling/ntk.hpp"

#include "core/json_members.hpp"

#include <cmath>

namespace posiscope {
namespace {

Result<Spectrum> ntk(const RopeContext& context, const Json& settings) {
    const auto alpha = number_at(settings, "alpha");
    const auto factor = number_at(settings, "factor");
    if (alpha && factor && *alpha != *factor)
        return refuse("settings.both", {{"first", "alpha"}, {"second", "factor"}});
    return scaled_from(
        context, ntk_frequency(unscaled_spectrum(context).frequency, alpha.value_or(factor.value_or(1.0))));
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
    };
    static const Scaling scaling{"ntk", parameters, ntk};
    return scaling;
}

}  // namespace posiscope
