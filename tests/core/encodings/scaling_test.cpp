// RoPE's scalings: public values pinned with their source, and what holds for all settings.
#include "core/encodings/rope_settings.hpp"
#include "core/scaling/frequency_laws.hpp"
#include "tests/core/scenes.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <rapidcheck/gtest.h>

namespace posiscope::scaling_test {
namespace {

RopeContext context(std::int64_t rotary_dim, double base = 10000.0) {
    RopeContext made;
    made.base = base;
    made.head_dim = made.rotary_dim = rotary_dim;
    return made;
}

Result<Spectrum> scaled(const RopeContext& where, const Json& settings) {
    const auto chosen = choose_scaling(settings, "rope_scaling");
    return chosen ? scaled_spectrum(where, *chosen) : tl::unexpected(chosen.error());
}

std::string refused(const RopeContext& where, const Json& settings) {
    const auto made = scaled(where, settings);
    return made ? "" : made.error().key;
}

std::string refused(std::string_view partial) {
    const auto laid = overlay(Scene(), *parse_json(partial));
    return laid ? "" : to_string(laid.error());
}

std::vector<std::string> remarks(std::string_view partial) {
    std::vector<std::string> keys;
    for (const Problem& remark : remarks_on(scene(partial))) keys.push_back(remark.key);
    return keys;
}

Json phi3(double first = 1.0) {
    Json short_factors = Json::array(), long_factors = Json::array();
    for (int i = 0; i < 48; ++i) {
        short_factors.push_back(first);
        long_factors.push_back(2.0 + i);
    }
    return {{"rope_type", "longrope"},
            {"short_factor", short_factors},
            {"long_factor", long_factors},
            {"original_max_position_embeddings", 4096}};
}

// --- Pinned ------------------------------------------------------------------------------------------------

// meta-llama/llama-models, Hugging Face: Llama 3.1 8B has 64 pairs, of which 29 stay and 29 are divided by 8.
TEST(ScalingPins, Llama31KeepsBlendsAndDivides) {
    const RopeContext llama = context(128, 500000.0);
    const auto plain = unscaled_spectrum(llama).frequency,
               made = scaled(llama, {{"rope_type", "llama3"}})->frequency;
    int kept = 0, divided = 0;
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (made[i] == plain[i]) ++kept;
        else if (made[i] == plain[i] / 8.0) ++divided;
    }
    EXPECT_EQ(kept, 29);
    EXPECT_EQ(divided, 29);
    EXPECT_EQ(made.size(), 64U);
}

// Hugging Face: sqrt(1 + ln 32 / ln 4096), applied to short sequences too.
TEST(ScalingPins, Phi3AttentionFactor) {
    RopeContext phi = context(96);
    phi.max_position_embeddings = 131072;
    for (const std::int64_t length : {1, 4096, 4097, 131072}) {
        phi.length = length;
        EXPECT_NEAR(scaled(phi, phi3())->attention_factor, 1.190238, 5e-7) << length;
    }
}

// DeepSeek-V3 inference/model.py: (0.1 ln 40 + 1)^2; cos and sin stay as they are.
TEST(ScalingPins, DeepSeekSoftmaxFactor) {
    const auto made = scaled(context(64), {{"rope_type", "yarn"},
                                           {"factor", 40},
                                           {"original_max_position_embeddings", 4096},
                                           {"mscale", 1.0},
                                           {"mscale_all_dim", 1.0}});
    EXPECT_NEAR(made->logit_factor, 1.8739, 5e-5);
    EXPECT_EQ(made->attention_factor, 1.0);
}

TEST(ScalingPins, FairseqEndsAtOneTenThousandth) {
    for (const std::int64_t width : {4, 64, 512, 1024})
        EXPECT_EQ(
            spectrum(fmt::format(
                         R"({{"encoding": {{"kind": "sinusoidal", "variant": "fairseq"}}, "d_model": {}}})",
                         width))
                .frequency.back(),
            1e-4)
            << width;
}

// jquesnelle/yarn issue 60: the code's ramp is linear in the pair, the paper's in the rotations.
TEST(ScalingPins, YarnCodeAgainstPaper) {
    Json settings{{"rope_type", "yarn"}, {"factor", 16}, {"original_max_position_embeddings", 4096}};
    const auto code = scaled(context(128), settings)->frequency;
    settings["ramp"] = "paper";
    const auto paper = scaled(context(128), settings)->frequency;
    int different = 0;
    std::size_t worst = 0;
    const auto ratio = [&](std::size_t i) { return std::max(code[i] / paper[i], paper[i] / code[i]); };
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (ratio(i) > 1.01) ++different;
        if (ratio(i) > ratio(worst)) worst = i;
    }
    EXPECT_EQ(different, 25);
    EXPECT_EQ(worst, 38U);
    EXPECT_NEAR(ratio(38), 3.04, 0.005);
}

// --- For all settings --------------------------------------------------------------------------------------

RopeContext any_context() {
    RopeContext made = context(2 * *rc::gen::inRange(1, 200), std::exp(*rc::gen::inRange(1, 400) * 0.1));
    made.max_position_embeddings = *rc::gen::inRange(2, 1 << 20);
    made.length = *rc::gen::inRange(1, 1 << 22);
    return made;
}

RC_GTEST_PROP(Scaling, NoMethodMakesAPairFaster, ()) {
    const RopeContext where = any_context();
    const double factor = 1.0 + *rc::gen::inRange(0, 6400) * 0.01;
    const auto plain = unscaled_spectrum(where).frequency;
    for (const char* type : {"linear", "ntk", "ntk_by_parts", "dynamic", "yarn", "llama3", "proportional"}) {
        const auto made = scaled(where, {{"rope_type", type}, {"factor", factor}});
        RC_ASSERT(made.has_value());
        RC_ASSERT(made->pairs() == plain.size());
        for (std::size_t i = 0; i < plain.size(); ++i) {
            RC_ASSERT(made->frequency[i] <= plain[i] * (1.0 + 1e-14));
            RC_ASSERT(made->frequency[i] >= 0.0);
            if (std::string_view(type) != "dynamic")
                RC_ASSERT(made->frequency[i] >= plain[i] / factor * (1.0 - 1e-14));
        }
    }
}

RC_GTEST_PROP(Scaling, AFactorOfOneIsPlainRopeToTheLastBit, ()) {
    const RopeContext where = any_context();
    for (const char* type : {"linear", "ntk", "ntk_by_parts", "yarn", "llama3",
                             "proportional"}) {  // dynamic grows past M even so
        const auto made = scaled(where, {{"rope_type", type}, {"factor", 1.0}});
        RC_ASSERT(made.has_value());
        RC_ASSERT(*made == unscaled_spectrum(where));
    }
}

RC_GTEST_PROP(Scaling, NtkLeavesTheFirstPairAndDividesTheLast, ()) {
    const RopeContext where = any_context();
    const double alpha = 1.0 + *rc::gen::inRange(0, 6400) * 0.01;
    const auto plain = unscaled_spectrum(where).frequency;
    const auto made = scaled(where, {{"rope_type", "ntk"}, {"alpha", alpha}})->frequency;
    RC_ASSERT(made.front() == plain.front());
    if (plain.size() > 1) RC_ASSERT(std::abs(made.back() * alpha / plain.back() - 1.0) < 1e-14);
}

RC_GTEST_PROP(Scaling, Llama3IsThePapersNtkByParts, ()) {
    const RopeContext where = any_context();
    const int low = *rc::gen::inRange(1, 10), high = low + *rc::gen::inRange(0, 30),
              original = *rc::gen::inRange(1, 1 << 20);
    const double factor = 1.0 + *rc::gen::inRange(0, 100);
    const auto llama = scaled(where, {{"rope_type", "llama3"},
                                      {"factor", factor},
                                      {"low_freq_factor", low},
                                      {"high_freq_factor", high},
                                      {"original_max_position_embeddings", original}});
    const auto parts = scaled(where, {{"rope_type", "ntk_by_parts"},
                                      {"factor", factor},
                                      {"beta_slow", low},
                                      {"beta_fast", high},
                                      {"original_max_position_embeddings", original}});
    for (std::size_t i = 0; i < llama->pairs(); ++i)
        RC_ASSERT(std::abs(llama->frequency[i] / parts->frequency[i] - 1.0) < 1e-14);
}

TEST(Scaling, EqualFactorsAreAStepAndNoNan) {
    const RopeContext scout = context(128, 500000.0);
    const auto made =
        scaled(scout,
               {{"rope_type", "llama3"}, {"factor", 16}, {"low_freq_factor", 1}, {"high_freq_factor", 1}})
            ->frequency;
    const auto plain = unscaled_spectrum(scout).frequency;
    for (std::size_t i = 0; i < made.size(); ++i)
        EXPECT_TRUE(made[i] == plain[i] || made[i] == plain[i] / 16.0) << i;
    // At exactly one rotation, too.
    EXPECT_EQ(kept_by_rotations(2.0 * std::numbers::pi / 8192.0, 8192.0, 1.0, 1.0), 1.0);
}

TEST(Scaling, DynamicWaitsForMaxPositionEmbeddings) {
    RopeContext where = context(64);
    where.max_position_embeddings = 2048;
    const Json settings{{"rope_type", "dynamic"}, {"factor", 2}};
    where.length = 2048;
    EXPECT_EQ(*scaled(where, settings), unscaled_spectrum(where));
    where.length = 2049;
    EXPECT_LT(scaled(where, settings)->frequency.back(), unscaled_spectrum(where).frequency.back());
    where.max_position_embeddings.reset();
    EXPECT_EQ(refused(where, settings), "scaling.length_missing");
}

TEST(Scaling, LongRopeChangesItsListPastTheOriginalLength) {
    RopeContext phi = context(96);
    phi.max_position_embeddings = 131072;
    phi.length = 4096;
    EXPECT_EQ(scaled(phi, phi3())->frequency, unscaled_spectrum(phi).frequency);
    phi.length = 4097;
    EXPECT_EQ(scaled(phi, phi3())->frequency.front(), 0.5);
}

TEST(Scaling, YarnReadsZeroAsAbsent) {
    const RopeContext where = context(64);
    const Json usual{{"rope_type", "yarn"}, {"factor", 8}, {"original_max_position_embeddings", 2048}};
    Json zeros = usual;
    for (const char* key : {"beta_fast", "beta_slow", "mscale", "mscale_all_dim"}) zeros[key] = 0;
    EXPECT_EQ(*scaled(where, zeros), *scaled(where, usual));
    Json half = usual;
    half["mscale"] = 0.7;  // without the other it is not used
    EXPECT_EQ(scaled(where, half)->attention_factor, scaled(where, usual)->attention_factor);
}

TEST(Scaling, ProportionalKeepsFullRopesFrequencies) {
    const auto made = spectrum(
        R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "proportional", "partial_rotary_factor": 0.25}}, "d_model": 512})");
    const auto full = spectrum(R"({"encoding": "rope", "d_model": 512})");
    ASSERT_EQ(made.pairs(), 256U);
    for (std::size_t i = 0; i < 256; ++i) EXPECT_EQ(made.frequency[i], i < 64 ? full.frequency[i] : 0.0);
}

// --- In a Scene --------------------------------------------------------------------------------------------

TEST(RopeSettings, BothSpellingsAreOne) {
    const auto older = spectrum(
        R"({"encoding": {"kind": "rope", "rope_scaling": {"type": "linear", "factor": 4}}, "base": 500000})");
    EXPECT_EQ(
        older,
        spectrum(
            R"({"encoding": {"kind": "rope", "rope_parameters": {"rope_type": "linear", "factor": 4, "rope_theta": 500000}}})"));
    EXPECT_EQ(refused(R"({"encoding": {"kind": "rope", "rope_scaling": {}, "rope_parameters": {}}})"),
              "settings.both (first=rope_scaling, second=rope_parameters)");
}

TEST(RopeSettings, EachLayerTypeHasItsOwn) {
    const std::string dictionaries =
        R"("rope_scaling": {"full_attention": {"rope_type": "linear", "factor": 8, "rope_theta": 1000000}, "sliding_attention": {"rope_theta": 10000}})";
    const auto made = [&](const std::string& more) {
        return spectrum(R"({"encoding": {"kind": "rope", )" + dictionaries + more + "}}");
    };
    EXPECT_EQ(made("").frequency.front(), 0.125);
    EXPECT_EQ(made(R"(, "layer_type": "sliding_attention")").frequency.front(), 1.0);
    EXPECT_EQ(
        made(R"(, "layer_types": ["sliding_attention", "full_attention"], "layer": 0)").frequency.front(),
        1.0);
    EXPECT_EQ(
        made(R"(, "layer_types": ["sliding_attention", "full_attention"], "layer": 1)").frequency.front(),
        0.125);
    EXPECT_EQ(
        refused(R"({"encoding": {"kind": "rope", )" + dictionaries + R"(, "layer_type": "x"}})"),
        R"(value.choice (path=encoding.layer_type, value="x", choices=full_attention, sliding_attention))");
}

TEST(RopeSettings, TheTrainedLengthServesWhereNoOtherIsGiven) {
    EXPECT_EQ(
        refused(R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "yarn", "factor": 4}}})"),
        "scaling.length_missing");
    EXPECT_EQ(
        refused(
            R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "yarn", "factor": 4}}, "trained": {"length": 2048}})"),
        "");
}

TEST(RopeSettings, SettingsThatChangeNothingSaySo) {
    using Keys = std::vector<std::string>;
    EXPECT_EQ(
        remarks(R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "linear", "factor": 1}}})"),
        Keys{"scaling.no_effect"});
    EXPECT_EQ(
        remarks(
            R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "dynamic", "factor": 4}, "max_position_embeddings": 2048}})"),
        Keys{"scaling.no_effect"});
    EXPECT_EQ(
        remarks(
            R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "linear", "factor": 2, "original_max_position_embeddings": 8}}})"),
        Keys{"scaling.unused"});
    EXPECT_EQ(remarks(R"({"encoding": {"kind": "rope", "no_rope_layer_interval": 4, "layer": 3}})"),
              Keys{"layer.no_rope"});
    EXPECT_EQ(
        remarks(
            R"({"encoding": {"kind": "rope", "rope_scaling": {"full_attention": {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 64, "truncate": false}}}})"),
        Keys{"yarn.truncate_nested"});
    EXPECT_EQ(
        remarks(R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "linear", "factor": 2}}})"),
        Keys{});
}

TEST(RopeSettings, RefusalsNameTheKeyAndTheBound) {
    EXPECT_EQ(
        refused(R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "linear", "factor": 0.5}}})"),
        "value.range (path=encoding.rope_scaling.factor, value=0.5, minimum=1, maximum=1000000)");
    EXPECT_EQ(
        refused(
            R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "llama3", "low_freq_factor": 8}}})"),
        "scaling.order (smaller=low_freq_factor, value=8, larger=high_freq_factor, bound=4)");
    EXPECT_EQ(
        refused(
            R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "longrope", "short_factor": [1], "long_factor": [1]}, "max_position_embeddings": 8}})"),
        "scaling.factors_count (key=short_factor, value=1, needed=256)");
    EXPECT_EQ(
        refused(
            R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "longrope", "short_factor": [1, "x"], "long_factor": [1, 1]}, "max_position_embeddings": 8}, "d_model": 4})"),
        "scaling.factors_item (key=short_factor, index=1)");
    EXPECT_EQ(refused(R"({"encoding": {"kind": "rope", "mrope_section": [1, 2]}})"),
              "mrope_section.sum (count=2, sum=3, pairs=256)");
    EXPECT_EQ(refused(R"({"encoding": {"kind": "rope", "no_rope_layers": [1, 0], "layer": 2}})"),
              "layer.past_end (path=encoding.layer, value=2, list=no_rope_layers, count=2)");
    EXPECT_EQ(refused(R"({"encoding": {"kind": "rope", "no_rope_layers": [1, 2]}})"),
              "value.range (path=encoding.no_rope_layers[1], value=2, minimum=0, maximum=1)");
    EXPECT_EQ(refused(R"({"encoding": {"kind": "rope", "rotary_dim": 600}})").substr(0, 14),
              "rotary_dim.odd");
}

}  // namespace
}  // namespace posiscope::scaling_test
