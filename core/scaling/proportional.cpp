// proportional.cpp — proportional RoPE (p-RoPE): the fast pairs of full RoPE; the slow ones are not rotated.
// k = floor(partial_rotary_factor · head_dim / 2) pairs have base^(−2i/head_dim)/s, the others 0; all of head_dim
// is paired. Unlike partial rotary the frequencies are those of full RoPE: the exponent's denominator is head_dim.
// Source   arXiv 2410.06205; Hugging Face's rope_type "proportional" (Gemma 4's global layers).
#include "core/scaling/scaling.hpp"

#include <cmath>

namespace posiscope {
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

}  // namespace posiscope
