// llama3.cpp — Llama 3.1's scaling: NTK-by-parts in rotations, with its own bounds.
// λ < L/high: ω;  λ > L/low: ω/s;  between: (1 − t) ω/s + t ω, t = (L/λ − low)/(high − low).
// The comparison comes before the division: Llama 4 Scout has low = high = 1.  Range  s ≥ 1, 0 < low ≤ high.
// Source   Hugging Face's rope_type "llama3"; meta-llama/llama-models apply_scaling.
#include "core/scaling/frequency_laws.hpp"
#include "core/scaling/scaling.hpp"

namespace posiscope {
namespace {

Result<Spectrum> llama3(const RopeContext& context, const Json& settings) {
    if (auto problem = out_of_order(settings, "low_freq_factor", "high_freq_factor"))
        return tl::unexpected(std::move(*problem));
    const double factor = settings.at("factor").get<double>();
    const double low = settings.at("low_freq_factor").get<double>();
    const double high = settings.at("high_freq_factor").get<double>();
    const double original = settings.at("original_max_position_embeddings").get<double>();
    std::vector<double> frequency = unscaled_spectrum(context).frequency;
    for (double& omega : frequency) {
        const double kept = kept_by_rotations(omega, original, low, high);
        if (factor != 1.0 && kept != 1.0) omega = (1.0 - kept) * omega / factor + kept * omega;
    }
    return scaled_from(context, std::move(frequency));
}

}  // namespace

const Scaling& llama3_scaling() {
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"factor", Kind::number, 8.0, 1.0, 1e6},
        {"low_freq_factor", Kind::number, 1.0, 0.0, 1e6, true},
        {"high_freq_factor", Kind::number, 4.0, 0.0, 1e6, true},
        {"original_max_position_embeddings", Kind::integer, 8192, 1, 2147483647},
    };
    static const Scaling scaling{"llama3", parameters, llama3};
    return scaling;
}

}  // namespace posiscope
