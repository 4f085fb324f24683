// Another scaling at the same length: the initial settings of each method.
#include "core/models/rescale.hpp"
#include "core/scaling/trained.hpp"
#include "tests/core/scenes.hpp"

#include <gtest/gtest.h>

namespace posiscope::rescale_test {
namespace {

Scene with(const Scene& scene, std::string_view method) {
    auto laid = overlay(scene, {{"encoding", rescaled_encoding(scene, method)}});
    if (!laid) throw std::logic_error(to_string(laid.error()));
    return laid->scene;
}

Scene llama2(std::int64_t length) {
    return scene(fmt::format(
        R"({{"encoding": "rope", "d_model": 128, "length": {}, "trained": {{"length": 4096, "scene": {{"encoding": "rope"}}}}}})",
        length));
}

TEST(Rescale, EveryMethodReachesTheLengthItIsGiven) {
    const Scene plain = llama2(16384);
    EXPECT_EQ(scaling_method(plain), "default");
    for (const char* method : {"linear", "yarn", "llama3", "ntk_by_parts"}) {
        const Scene scaled = with(plain, method);
        EXPECT_EQ(scaling_method(scaled), method);
        EXPECT_EQ(scaled.encoding.parameters["rope_scaling"]["factor"], 4.0) << method;
        EXPECT_EQ(training_of(scaled)->new_angles.count, 0U) << method;
    }
    EXPECT_EQ(with(plain, "ntk").encoding.parameters["rope_scaling"]["alpha"], 4.0);
    EXPECT_EQ(with(llama2(1000), "linear").encoding.parameters["rope_scaling"]["factor"], 1.0)
        << "a shorter length needs none";
    EXPECT_EQ(training_of(with(plain, "proportional"))->slowing.stopped, 48U);
    EXPECT_TRUE(with(with(plain, "yarn"), "default").encoding.parameters["rope_scaling"].is_null());
    const auto longrope = overlay(plain, {{"encoding", rescaled_encoding(plain, "longrope")}});
    EXPECT_EQ(longrope.error().key, "scaling.factors_missing") << "nobody can guess its lists";
}

TEST(Rescale, TheTrainedMethodComesBackAsItWas) {
    const Scene trained =
        scene(R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "llama3", "factor": 8,
        "original_max_position_embeddings": 8192}}, "base": 500000, "d_model": 128, "length": 65536,
        "trained": {"length": 131072, "scene": {"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "llama3",
        "factor": 8, "original_max_position_embeddings": 8192}}}}})");
    const Scene yarn = with(trained, "yarn");
    EXPECT_EQ(yarn.encoding.parameters["rope_scaling"]["factor"], 8.0) << "65536 / 8192";
    EXPECT_EQ(*spectrum_of(with(yarn, "llama3")), *spectrum_of(trained));
}

TEST(Rescale, OneLayerTypeOfSeveral) {
    const Scene gemma =
        scene(R"({"encoding": {"kind": "rope", "layer_type": "full_attention", "rope_scaling": {
        "full_attention": {"rope_type": "linear", "factor": 8, "rope_theta": 1e6},
        "sliding_attention": {"rope_theta": 1e4}}}, "d_model": 256, "length": 131072, "trained": {"length": 32768}})");
    EXPECT_EQ(scaling_path(gemma), "encoding.rope_scaling.full_attention");
    const Scene yarn = with(gemma, "yarn");
    EXPECT_EQ(yarn.encoding.parameters["rope_scaling"]["full_attention"]["factor"], 4.0);
    EXPECT_EQ(yarn.encoding.parameters["rope_scaling"]["full_attention"]["rope_theta"], 1e6)
        << "the base stays";
    EXPECT_EQ(yarn.encoding.parameters["rope_scaling"]["sliding_attention"]["rope_theta"], 1e4);
}

}  // namespace
}  // namespace posiscope::rescale_test
