// ntk_by_parts.cpp — NTK-by-parts, in two versions.
// paper   YaRN's frequencies without its attention factor; its ramp is linear in rotations (`ramp` can say "code").
// repo    the older class LlamaPartNTKScaledRotaryEmbedding: linear and NTK frequencies blended over
//         c(1.25) … c(0.75), then that and the unscaled ones over c(16) … c(2), with weights ntk_factor and
//         extrapolation_factor. Its constants were found by trial for LLaMA.
// Source  arXiv 2309.00071 §3.2; the YaRN repository.
#include "core/scaling/frequency_laws.hpp"

namespace posiscope {
namespace {

constexpr double kNtkFast = 1.25, kNtkSlow = 0.75;   // beta_0, beta_1
constexpr double kKeptFast = 16.0, kKeptSlow = 2.0;  // gamma_0, gamma_1

std::vector<double> repository_frequency(const RopeContext& context, double factor, double original,
                                         const Json& settings) {
    const std::vector<double> plain = unscaled_spectrum(context).frequency;
    const std::vector<double> ntk = ntk_frequency(plain, factor);
    const auto range = [&](double fast, double slow) {
        return correction_range(fast, slow, context.rotary_dim, context.base, original, true);
    };
    const PairRange ntk_range = range(kNtkFast, kNtkSlow), kept_range = range(kKeptFast, kKeptSlow);
    std::vector<double> frequency = plain;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const auto pair = static_cast<double>(i);
        const double by_ntk = kept_by_pair(ntk_range, pair) * settings.at("ntk_factor").get<double>();
        const double kept =
            kept_by_pair(kept_range, pair) * settings.at("extrapolation_factor").get<double>();
        const double blended = plain[i] / factor * (1.0 - by_ntk) + ntk[i] * by_ntk;
        frequency[i] = blended * (1.0 - kept) + plain[i] * kept;
    }
    return frequency;
}

Result<Spectrum> ntk_by_parts(const RopeContext& context, const Json& settings) {
    const auto original = original_length(context, settings);
    if (!original) return tl::unexpected(original.error());
    const auto factor = factor_or_ratio(context, settings, *original);
    if (!factor) return tl::unexpected(factor.error());
    if (settings.at("variant") == "repo")
        return scaled_from(context, repository_frequency(context, *factor, *original, settings));
    if (auto problem = out_of_order(settings, "beta_slow", "beta_fast"))
        return tl::unexpected(std::move(*problem));
    YarnRamp ramp;
    ramp.fast = settings.at("beta_fast").get<double>();
    ramp.slow = settings.at("beta_slow").get<double>();
    ramp.by_rotations = settings.at("ramp") == "paper";
    ramp.extrapolation = settings.at("extrapolation_factor").get<double>();
    return scaled_from(context, yarn_frequency(context, *factor, *original, ramp));
}

}  // namespace

const Scaling& ntk_by_parts_scaling() {
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"factor", Kind::number, nullptr, 1.0, 1e6},
        {"original_max_position_embeddings", Kind::integer, nullptr, 1, 2147483647},
        {"variant", Kind::choice, "paper", 0, 0, false, {"paper", "repo"}},
        {"ramp", Kind::choice, "paper", 0, 0, false, {"paper", "code"}},
        {"beta_fast", Kind::number, 32.0, 0.0, 1e6, true},
        {"beta_slow", Kind::number, 1.0, 0.0, 1e6, true},
        {"ntk_factor", Kind::number, 1.0, 0.0, 1.0},
        {"extrapolation_factor", Kind::number, 1.0, 0.0, 1.0},
    };
    static const Scaling scaling{"ntk_by_parts", parameters, ntk_by_parts};
    return scaling;
}

}  // namespace posiscope
