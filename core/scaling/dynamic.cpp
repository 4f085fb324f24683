// dynamic.cpp — dynamic NTK: NTK-aware scaling whose alpha grows with the sequence.
// alpha = s l/M − (s − 1),  l = max(length, M): up to M it is plain RoPE, then every frequency is computed anew
// each time the sequence grows, so one table per model would be wrong.
// M is max_position_embeddings, as in Hugging Face, not original_max_position_embeddings.  Range  s ≥ 1.
// `alpha`  HunYuan's: alpha is fixed, whatever the length, as in "ntk".
// Source   Hugging Face's rope_type "dynamic"; its hunyuan_v1_dense; vLLM's DynamicNTKAlphaRotaryEmbedding; the YaRN repository's LlamaDynamicScaledRotaryEmbedding.
#include "core/json_members.hpp"
#include "core/scaling/ntk.hpp"

#include <algorithm>

namespace posiscope {
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
