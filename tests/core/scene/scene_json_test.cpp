// Scene ⇄ JSON: partial scenes, --set, and the round trip of any scene.
#include "core/scene/keys.hpp"
#include "core/scene/settings.hpp"
#include "tests/core/any_scene.hpp"
#include "tests/core/scenes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace posiscope::scene_json_test {
namespace {

std::string refusal(std::string_view text) {
    const auto json = parse_json(text);
    if (!json) return to_string(json.error());
    const auto laid = overlay(Scene(), *json);
    return laid ? "accepted" : to_string(laid.error());
}

Scene set(const Scene& over, std::initializer_list<std::string_view> settings) {
    Scene s = over;
    for (const auto setting : settings) s = overlay(s, *partial_from_setting(s, setting))->scene;
    return s;
}

std::string set_refusal(std::string_view setting) {
    const auto partial = partial_from_setting(Scene(), setting);
    if (!partial) return to_string(partial.error());
    const auto laid = overlay(Scene(), *partial);
    return laid ? "accepted" : to_string(laid.error());
}

TEST(SceneJson, TheDefaultIsTheWorkedExample) {
    const Scene s;
    EXPECT_EQ(s.d_model, 512);
    EXPECT_EQ(s.position, 10);
    EXPECT_EQ(s.offset, 3);
    EXPECT_EQ(s.pair, 10);
    EXPECT_EQ(scene("{}"), s);
    EXPECT_EQ(to_partial_json(s), Json::object());
    EXPECT_EQ(scene(to_json(s).dump()), s);
}

TEST(SceneJson, WhatIsDeclaredIsWhatADefaultSceneHolds) {
    const Json defaults = to_json(Scene());
    for (const Parameter& p : scene_parameters())
        EXPECT_EQ(defaults.at(std::string(p.key)), p.fallback) << p.key;
    EXPECT_EQ(defaults.size(), scene_keys().size() + 1) << "and the version";
    EXPECT_THROW(scene_parameter("d_modle"), std::logic_error);
}

// Applied together and then judged: 0.3 of 512 features are no whole pairs, of 40 they are.
TEST(SceneJson, TheOrderOfSettingsDoesNotMatter) {
    std::vector<std::string> settings = {
        "encoding.partial_rotary_factor=0.3", "d_model=40",          "encoding=rope", "content.order=[1,0]",
        "content.text=[\"a\",\"b\"]",         "content.kind=tokens", "offset=2",      "offset=1"};
    std::optional<Scene> first;
    for (int turn = 0; turn < 7; ++turn) {
        const auto partial = partial_from_settings(Scene(), settings);
        ASSERT_TRUE(partial) << to_string(partial.error());
        const auto laid = overlay(Scene(), *partial);
        ASSERT_TRUE(laid) << to_string(laid.error());
        EXPECT_EQ(laid->scene.offset, 1) << "the later of two stands";
        EXPECT_EQ(laid->scene.encoding.parameters.at("partial_rotary_factor"), 0.3);
        if (!first) first = laid->scene;
        EXPECT_EQ(laid->scene, *first);
        std::rotate(settings.begin(), settings.begin() + 1, settings.end() - 2);
    }
}

TEST(SceneJson, APartialSceneReplacesWholeTopLevelValues) {
    const Scene rope = scene(
        R"({"encoding": {"kind": "rope", "partial_rotary_factor": 0.5}, "position": 99, "head_dim": 64})");
    const auto after = [&](std::string_view partial) { return overlay(rope, *parse_json(partial))->scene; };
    EXPECT_EQ(after("{}"), rope);
    EXPECT_EQ(after(R"({"encoding": {"kind": "rope"}})").encoding.parameters.at("partial_rotary_factor"), 1.0)
        << "no merging inside";
    EXPECT_EQ(after(R"({"encoding": "rope"})"),
              after(R"({"encoding": {"kind": "rope", "rope_scaling": null}})"));
    EXPECT_EQ(after(R"({"encoding": null, "position": null, "head_dim": null})"), Scene())
        << "null is the default";
    EXPECT_EQ(after(R"({"position": 5})").encoding, rope.encoding) << "missing keeps what was there";
    const Scene viewed = scene(R"({"view": {"matrix": {"field": "phase"}}, "trained": {"length": 7}})");
    EXPECT_EQ(overlay(viewed, *parse_json(R"({"view": {"scores": {}}})"))->scene.view,
              Json({{"scores", Json::object()}}));
    EXPECT_FALSE(
        overlay(viewed, *parse_json(R"({"trained": {"scene": {"base": 5}}})"))->scene.trained.length);
}

TEST(SceneJson, ARefusedSceneLeavesTheOldOne) {
    const Scene before = scene(R"({"position": 77})");
    Scene s = before;
    EXPECT_FALSE(overlay(s, *parse_json(R"({"position": 5, "base": 0})")));
    EXPECT_EQ(s, before);
}

TEST(SceneJson, RefusesWhatItDoesNotKnow) {
    EXPECT_EQ(refusal("[]"), "scene.object (kind=list)");
    EXPECT_EQ(refusal("3"), "scene.object (kind=integer)");
    EXPECT_EQ(refusal(R"({"version": 1})"), "accepted");
    EXPECT_EQ(refusal(R"({"version": null})"), "accepted");
    EXPECT_EQ(refusal(R"({"version": 2})"), "version.newer (value=2, known=1)");
    EXPECT_EQ(refusal(R"({"version": 0})"), "version.older (value=0, known=1)");
    EXPECT_EQ(refusal(R"({"version": "1"})"), "value.kind (path=version, kind=integer, value=\"1\")");
    EXPECT_EQ(refusal(R"({"position": 1, "position": 2})"), "json.repeated (path=position)");
    EXPECT_EQ(refusal(R"({"encoding": {"kind": "rope", "kind": "rope"}})"),
              "json.repeated (path=encoding.kind)");
    EXPECT_EQ(refusal(R"({"d_modle": 64})").substr(0, 26), "key.unknown (path=d_modle,");
    EXPECT_EQ(refusal(R"({"compare": {"d_modle": 64}})").substr(0, 34), "key.unknown (path=compare.d_modle,");
    EXPECT_EQ(refusal(std::string(2000000, '{')).substr(0, 11), "json.syntax");
    EXPECT_EQ(refusal(std::string(2000000, '[')), "json.depth (limit=64)");
}

TEST(SceneJson, ALongValueIsCutInItsProblem) {
    const auto long_text = overlay(Scene(), {{"layout", std::string(1000, 'x')}});
    ASSERT_FALSE(long_text);
    EXPECT_LE(long_text.error().values[1].second.size(), 40U);
    std::string chinese;
    for (int i = 0; i < 100; ++i) chinese += "中";
    EXPECT_TRUE(is_utf8(overlay(Scene(), {{"layout", chinese}}).error().values[1].second));
}

TEST(SceneJson, SetChangesOneKey) {
    EXPECT_EQ(set(Scene(), {"position=5"}).position, 5);
    EXPECT_EQ(set(Scene(), {"base=5e5"}).base, 5e5);
    EXPECT_EQ(set(Scene(), {"layout=half"}).layout, PairLayout::halves);
    EXPECT_EQ(set(Scene(), {"encoding=rope", "encoding.partial_rotary_factor=0.5"})
                  .encoding.parameters.at("partial_rotary_factor"),
              0.5);
    EXPECT_EQ(set(Scene(), {"encoding.kind=rope"}).encoding.kind, "rope");
    EXPECT_EQ(set(Scene(), {"encoding.variant=fairseq"}).encoding.parameters.at("variant"), "fairseq");
    EXPECT_EQ(
        set(Scene(),
            {"encoding=rope", "encoding.rope_scaling.rope_type=linear", "encoding.rope_scaling.factor=4"}),
        set(Scene(), {R"(encoding={"kind": "rope", "rope_scaling": {"rope_type": "linear", "factor": 4}})"}));
    EXPECT_EQ(set(Scene(), {"trained.length=4096", "trained.scene.base=10000"}).trained,
              (Trained{4096, {{"base", 10000}}}));
    EXPECT_EQ(set(Scene(), {"compare.base=5e5"}).compare, Json({{"base", 5e5}}));
    EXPECT_EQ(set(Scene(), {"view.matrix.field=phase", "view.matrix.zoom=2"}).view,
              Json({{"matrix", {{"field", "phase"}, {"zoom", 2}}}}));
    EXPECT_EQ(set(Scene(), {"head_dim=64", "head_dim=null"}), Scene());
    EXPECT_EQ(set(Scene(), {"bench=a=b"}).bench, "a=b") << "only the first = divides";
}

TEST(SceneJson, SetIsRefusedWithAReason) {
    EXPECT_EQ(set_refusal("position"), "setting.form (value=position)");
    EXPECT_EQ(set_refusal("=5"), "setting.form (value==5)");
    EXPECT_EQ(set_refusal(""), "setting.form (value=)");
    EXPECT_EQ(set_refusal("d_model=511"), "d_model.odd (value=511, lower=510, upper=512)");
    EXPECT_EQ(set_refusal("position=x"), "value.kind (path=position, kind=integer, value=\"x\")");
    EXPECT_EQ(set_refusal("position.x=1").substr(0, 39), "value.kind (path=position, kind=integer");
    EXPECT_EQ(set_refusal("encoding.nope=1"), "key.unknown (path=encoding.nope, known=variant, padding_idx)");
    EXPECT_EQ(set_refusal("bench=\xff"), "text.utf8 (path=--set)");
    EXPECT_EQ(set_refusal("view=" + std::string(2000000, '[')), "json.depth (limit=64)");
    std::string deep = "view";
    for (int i = 0; i < 200000; ++i) deep += ".a";
    EXPECT_EQ(set_refusal(deep + "=1"), "json.depth (limit=64)");
    EXPECT_EQ(set_refusal(R"(view={"a": 1, "a": 2})"), "json.repeated (path=a)");
}

RC_GTEST_PROP(SceneJson, EverySceneComesBackUnchanged, ()) {
    const Scene s = any_scene();
    const auto again = overlay(Scene(), *parse_json(to_json(s).dump()));
    RC_ASSERT(again.has_value());
    RC_ASSERT(again->scene == s);
    RC_ASSERT(again->adjusted.empty());
    const auto short_form = overlay(Scene(), *parse_json(to_partial_json(s).dump()));
    RC_ASSERT(short_form.has_value());
    RC_ASSERT(short_form->scene == s);
    // Where nothing turns there is no spectrum, and that is said.
    const auto made = spectrum_of(s);
    RC_ASSERT((made ? made->pairs() > 0 : made.error().key == "encoding.no_spectrum"));
}

TEST(SceneJson, AFileCutAnywhereIsRefused) {
    const std::string whole =
        to_json(scene(R"({"encoding": "rope", "view": {"matrix": {"rows": [0, 64]}}, "bench": "中文"})"))
            .dump(2);
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_EQ(refusal(std::string_view(whole).substr(0, length)).substr(0, 11), "json.syntax") << length;
}

RC_GTEST_PROP(SceneJson, ADamagedFileNeverCrashes, (std::uint8_t byte)) {
    std::string whole = to_json(Scene()).dump();
    whole[*rc::gen::inRange<std::size_t>(0, whole.size())] = static_cast<char>(byte);
    (void)refusal(whole);
}

}  // namespace
}  // namespace posiscope::scene_json_test
