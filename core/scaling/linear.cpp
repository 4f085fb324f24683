// linear.cpp — no scaling, and linear scaling (position interpolation).
// default  ω'_i = ω_i
// linear   ω'_i = ω_i / factor: every position is squeezed into the trained range.  Source  arXiv 2306.15595
#include "core/scaling/scaling.hpp"

namespace posiscope {
namespace {

Result<Spectrum> plain(const Scene& scene, std::int64_t rotary_dim, const Json&) {
    return unscaled_spectrum(scene, rotary_dim);
}

Result<Spectrum> linear(const Scene& scene, std::int64_t rotary_dim, const Json& settings) {
    std::vector<double> frequency = unscaled_spectrum(scene, rotary_dim).frequency;
    for (double& omega : frequency) omega /= settings.at("factor").get<double>();
    return spectrum_from(std::move(frequency));
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
