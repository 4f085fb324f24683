#include "core/models/presets.hpp"

#include "core/scores/fit.hpp"

#include <array>

namespace posiscope {
namespace {

constexpr double kDecay = 200.0;  // positions, of the fitted score

}  // namespace

std::span<const Preset> presets() {
    static constexpr std::array list = {
        // Eight heads of 64 at four times the trained length: no error, but most slow pairs meet new angles.
        Preset{"short_to_long", R"({"encoding": "rope", "base": 10000, "d_model": 512, "num_heads": 8,
            "head_dim": null, "length": 128, "trained": {"length": 32, "scene": {"encoding": "rope", "base": 10000}}})"},
        // The usual 128 features and base 10 000 at twice the trained 4096: 18 of 64 pairs never finished a turn.
        Preset{"twice_as_far", R"({"encoding": "rope", "base": 10000, "d_model": 4096, "num_heads": 32,
            "head_dim": null, "length": 8192, "trained": {"length": 4096, "scene": {"encoding": "rope", "base": 10000}}})"},
        // The best fit for the same pairs: a score that decays on the trained distances, and its values beyond. B interpolates
        // the positions, so that it stays within the fitted range of A.
        Preset{"fitted_score", R"({"encoding": "rope", "base": 10000, "d_model": 4096, "num_heads": 32,
            "head_dim": null, "layout": "interleaved", "length": 4096,
            "trained": {"length": 2048, "scene": {"encoding": "rope", "base": 10000}},
            "compare": {"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "linear", "factor": 2.0}}}})",
               true},
        // Weights trained with llama3's spectrum, run with another.
        Preset{"yarn_for_llama3",
               R"({"encoding": {"kind": "rope", "max_position_embeddings": 131072, "rope_scaling":
            {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8192}}, "base": 500000,
            "layout": "half", "d_model": 4096, "num_heads": 32, "head_dim": null, "length": 65536, "pair": 35,
            "trained": {"length": 131072, "scene": {"base": 500000, "encoding": {"kind": "rope",
            "max_position_embeddings": 131072, "rope_scaling": {"rope_type": "llama3", "factor": 8.0,
            "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}}}}})"},
    };
    return list;
}

Result<Overlaid> with_preset(const Scene& scene, const Preset& preset) {
    const auto json = parse_json(preset.scene);
    if (!json) return tl::unexpected(json.error());
    auto laid = overlay(scene, *json);
    if (!laid || !preset.fitted) return laid;
    Scene& made = laid->scene;
    const auto spectrum = spectrum_of(trained_scene(made));
    if (!spectrum) return tl::unexpected(spectrum.error());
    Fit fit = fit_decay(*spectrum, encoding_of(made).layout(made), kDecay, *made.trained.length);
    made.content = {"vectors", {{"query", std::move(fit.query)}, {"key", std::move(fit.key)}}};
    made.view["scores"] = {{"mode", "dot"}, {"range", {0.0, static_cast<double>(made.length)}}};
    made.view.erase("compare");
    return laid;
}

}  // namespace posiscope
