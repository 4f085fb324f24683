// linear.cpp — no scaling, and linear scaling (position interpolation).
// default  ω'_i = ω_i
// linear   ω'_i = ω_i / s: maps every position into the trained range.  Range  s ≥ 1.
// Source   arXiv 2306.15595; matches Hugging Face's rope_type "linear".
#include "core/scaling/scaling.hpp"

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

}  // namespace posiscope
