// Scenes that earlier versions wrote, whole, open as they looked: every figure draws of them what it draws of the same Scene
// as it is written today. Each version has one at least: a new one needs it here, beside its step.
#include "app/figures/figure.hpp"
#include "core/scene/version.hpp"
#include "tests/figures/fingerprint.hpp"
#include "tests/figures/stage.hpp"

#include <gtest/gtest.h>
#include <set>

namespace posiscope::test::old_scenes_test {
namespace {

struct Old {
    const char* name;
    const char* written;  // by the version that it names, as its pictures carry it
    const char* today;    // partial: what it says beyond the defaults
};

constexpr Old kOld[] = {
    {"overview",
     R"({"base":10000.0,"bench":"overview","causal":true,"compare":null,"content":{"kind":"equal"},"d_model":512,
        "encoding":{"kind":"sinusoidal","variant":"paper"},"head_dim":null,"layout":"interleaved","length":128,
        "num_heads":1,"offset":3,"pair":10,"position":10,"shift":0,"trained":{"length":null,"scene":{}},"version":1,
        "view":{}})",
     R"({})"},
    {"rope",
     R"({"base":10000.0,"bench":"overview","causal":true,"compare":null,"content":{"kind":"equal"},"d_model":128,
        "encoding":{"attn_scale":0.1,"attn_temperature_tuning":false,"floor_scale":8192.0,"kind":"rope","layer":0,
        "mrope_interleaved":false,"partial_rotary_factor":1.0},"head_dim":null,"layout":"interleaved","length":512,
        "num_heads":1,"offset":24,"pair":12,"position":40,"shift":0,"trained":{"length":null,"scene":{}},"version":1,
        "view":{}})",
     R"({"encoding": "rope", "d_model": 128, "length": 512, "offset": 24, "pair": 12, "position": 40})"},
    {"words",
     R"({"base":10000.0,"bench":"attention","causal":true,"compare":null,"content":{"kind":"tokens","order":[2,1,0],
        "seed":0,"text":["dog","bites","man"],"weights":"seeded"},"d_model":64,"encoding":{"kind":"sinusoidal",
        "variant":"paper"},"head_dim":null,"layout":"interleaved","length":128,"num_heads":1,"offset":3,"pair":10,
        "position":10,"shift":0,"trained":{"length":null,"scene":{}},"version":1,"view":{}})",
     R"({"bench": "attention", "d_model": 64, "content": {"kind": "tokens", "text": ["dog", "bites", "man"],
        "order": [2, 1, 0]}})"},
    {"Llama 3.1",
     R"({"base":500000.0,"bench":"context","causal":true,"compare":null,"content":{"kind":"equal"},"d_model":4096,
        "encoding":{"attn_scale":0.1,"attn_temperature_tuning":false,"floor_scale":8192.0,"kind":"rope","layer":0,
        "max_position_embeddings":131072,"mrope_interleaved":false,"partial_rotary_factor":1.0,"rope_scaling":
        {"factor":8.0,"high_freq_factor":4.0,"low_freq_factor":1.0,"original_max_position_embeddings":8192,
        "rope_type":"llama3"}},"head_dim":null,"layout":"half","length":131072,"num_heads":32,"offset":3,"pair":24,
        "position":10,"shift":0,"trained":{"length":131072,"scene":{"base":500000,"encoding":{"kind":"rope",
        "max_position_embeddings":131072,"rope_scaling":{"factor":8.0,"high_freq_factor":4.0,"low_freq_factor":1.0,
        "original_max_position_embeddings":8192,"rope_type":"llama3"}}}},"version":1,"view":{}})",
     R"({"bench": "context", "base": 500000, "d_model": 4096, "num_heads": 32, "layout": "half", "length": 131072,
        "pair": 24, "encoding": {"kind": "rope", "max_position_embeddings": 131072, "rope_scaling": {"rope_type":
        "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192}},
        "trained": {"length": 131072, "scene": {"base": 500000, "encoding": {"kind": "rope",
        "max_position_embeddings": 131072, "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1,
        "high_freq_factor": 4, "original_max_position_embeddings": 8192}}}}})"},
};

Scene opened(const char* text) {
    const auto laid = overlay(Scene(), Json::parse(text));
    EXPECT_TRUE(laid) << to_string(laid.error());
    return laid ? laid->scene : Scene();
}

std::uint64_t drawn(const figures::Figure& figure, const Scene& scene, std::string& headline) {
    Stage stage;
    Fingerprint canvas;
    stage.draw(canvas, figure, scene);
    headline = stage.headline;
    return canvas.value();
}

TEST(OldScenes, OpenAsTheyLooked) {
    for (const Old& old : kOld) {
        const Scene then = opened(old.written), now = opened(old.today);
        for (const figures::Figure* figure : figures::figures()) {
            std::string before, after;
            EXPECT_EQ(drawn(*figure, then, before), drawn(*figure, now, after))
                << old.name << " in " << figure->id << ": " << before << " / " << after;
        }
    }
}

// No number that they state has got lost or become another.
TEST(OldScenes, KeepWhatTheySay) {
    for (const Old& old : kOld) {
        Json said = Json::parse(old.written);
        const Json kept = to_json(opened(old.written));
        said.erase("version");
        for (const auto& [key, value] : said.items()) {
            if (!value.is_object()) {
                EXPECT_EQ(kept.at(key), value) << old.name << ": " << key;
                continue;
            }
            for (const auto& [inner, number] : value.items())
                EXPECT_EQ(kept.at(key).at(inner), number) << old.name << ": " << key << "." << inner;
        }
    }
}

TEST(OldScenes, EveryVersionHasOne) {
    std::set<std::int64_t> versions;
    for (const Old& old : kOld) versions.insert(Json::parse(old.written).at("version").get<std::int64_t>());
    for (std::int64_t version = 1; version <= kSceneVersion; ++version)
        EXPECT_TRUE(versions.contains(version)) << "version " << version;
}

}  // namespace
}  // namespace posiscope::test::old_scenes_test
