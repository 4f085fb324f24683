// Frequencies and attention factors of RoPE's scalings.
#include "core/encodings/encodings.hpp"
#include "core/models/config.hpp"
#include "core/scaling/frequency_laws.hpp"
#include "core/scaling/scaling.hpp"
#include "tests/reference/reference.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace posiscope::reference {
namespace {

Spectrum spectrum(const RopeContext& context, const Json& settings) {
    const auto chosen = choose_scaling(settings, "rope_scaling");
    if (!chosen) throw std::runtime_error(to_string(chosen.error()));
    auto made = scaled_spectrum(context, *chosen);
    if (!made) throw std::runtime_error(to_string(made.error()));
    return std::move(*made);
}

RopeContext context_of(const Json& inputs, const char* base = "base") {
    RopeContext context;
    context.base = inputs.at(base).get<double>();
    context.head_dim = context.rotary_dim = inputs.at("dim").get<std::int64_t>();
    if (inputs.contains("max_position_embeddings"))
        context.max_position_embeddings = inputs["max_position_embeddings"].get<std::int64_t>();
    if (inputs.contains("seq_len")) context.length = inputs["seq_len"].get<std::int64_t>();
    return context;
}

// The inputs are a config.json but for seq_len: read as one.
void hugging_face(Case& c) {
    Json config = c.inputs();
    const Json length = config.at("seq_len");
    config.erase("seq_len");
    auto model = read_config(config);
    ASSERT_TRUE(model) << to_string(model.error());
    model->scene["length"] = length.is_null() ? Json(1) : length;
    const auto made = overlay(Scene(), model->scene);
    ASSERT_TRUE(made) << to_string(made.error());
    const auto spectrum = spectrum_of(made->scene);
    ASSERT_TRUE(spectrum) << to_string(spectrum.error());
    c.expect("inv_freq_f64", spectrum->frequency);
    c.expect("inv_freq_f32", spectrum->frequency);
    c.expect("attention_factor", std::vector{spectrum->attention_factor});
}

void yarn_repository(Case& c) {
    const Json& inputs = c.inputs();
    Json settings = Json::object();
    const auto take = [&](const char* from, const char* to) {
        if (inputs.contains(from)) settings[to] = inputs[from];
    };
    if (inputs.contains("ntk_alpha")) settings["rope_type"] = "dynamic";
    else if (inputs.contains("alpha")) settings["rope_type"] = "ntk";
    else if (inputs.contains("ntk_factor")) settings = {{"rope_type", "ntk_by_parts"}, {"variant", "repo"}};
    else settings["rope_type"] = "yarn";
    take("ntk_alpha", "factor");
    take("alpha", "alpha");
    take("scale", "factor");
    for (const char* key : {"original_max_position_embeddings", "beta_fast", "beta_slow",
                            "extrapolation_factor", "attn_factor", "ntk_factor"})
        take(key, key);
    const Spectrum made = spectrum(context_of(inputs), settings);
    c.expect("inv_freq", made.frequency);
    c.expect("mscale", std::vector{made.attention_factor});
}

void longrope_repository(Case& c) {
    const Json& inputs = c.inputs();
    RopeContext context = context_of(inputs);
    context.length = inputs.at("original_max_position_embeddings").get<std::int64_t>() + 1;
    const Spectrum made = spectrum(
        context, {{"rope_type", "longrope"},
                  {"short_factor", inputs.at("rescale_factors")},
                  {"long_factor", inputs.at("rescale_factors")},
                  {"original_max_position_embeddings", inputs.at("original_max_position_embeddings")},
                  {"magnitude_scaling_policy", inputs.at("magnitude_scaling_policy")}});
    c.expect("inv_freq", made.frequency);
    c.expect("mscale", std::vector{made.attention_factor});
}

void llama3_meta(Case& c) {
    const Json& inputs = c.inputs();
    const Spectrum made =
        spectrum(context_of(inputs, "theta"), {{"rope_type", "llama3"},
                                               {"factor", inputs.value("scale_factor", 8.0)},
                                               {"low_freq_factor", inputs.value("low_freq_factor", 1.0)},
                                               {"high_freq_factor", inputs.value("high_freq_factor", 4.0)},
                                               {"original_max_position_embeddings", 8192}});
    c.expect("inv_freq", made.frequency);
}

// Scaled only past the original length; cos and sin carry no factor, the softmax scale does.
void deepseek(Case& c) {
    const Json& inputs = c.inputs();
    RopeContext context;
    context.base = inputs.at("rope_theta").get<double>();
    context.head_dim = context.rotary_dim = inputs.at("qk_rope_head_dim").get<std::int64_t>();
    const bool longer = inputs.at("max_seq_len").get<double>() > inputs.at("original_seq_len").get<double>();
    const Json settings = longer ? Json{{"rope_type", "yarn"},
                                        {"factor", inputs.at("rope_factor")},
                                        {"original_max_position_embeddings", inputs.at("original_seq_len")},
                                        {"beta_fast", inputs.at("beta_fast")},
                                        {"beta_slow", inputs.at("beta_slow")},
                                        {"mscale", inputs.value("mscale", 1.0)},
                                        {"mscale_all_dim", inputs.value("mscale", 1.0)}}
                                 : Json();
    const Spectrum made = spectrum(context, settings);
    EXPECT_EQ(made.attention_factor, 1.0);
    std::vector<double> cosines, sines;
    double furthest = 0.0;
    for (const std::int64_t position : whole(inputs.at("positions"))) {
        furthest = std::max(furthest, static_cast<double>(position));
        for (const Step& step : made.step) {
            cosines.push_back(cos(phase(step, position)));
            sines.push_back(sin(phase(step, position)));
        }
    }
    c.expect("cos", cosines, furthest);
    c.expect("sin", sines, furthest);
    c.expect("softmax_scale_multiplier", std::vector{made.logit_factor});
}

}  // namespace

Handlers scaling_handlers() {
    return {
        {"hf_rope_init", {"ROPE_INIT_FUNCTIONS[rope_type]", hugging_face}},
        {"yarn_repo", {"class", yarn_repository}},
        {"longrope_repo", {"LongRoPEScaledRotaryEmbedding", longrope_repository}},
        {"llama3_meta", {"apply_scaling", llama3_meta}},
        {"deepseek_v3_freqs", {"precompute_freqs_cis", deepseek}},
    };
}

}  // namespace posiscope::reference
