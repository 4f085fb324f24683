// Every bound of a Scene: refusals with their Problems and values, and dependent values that move.
#include "tests/core/scenes.hpp"

#include <gtest/gtest.h>

namespace posiscope::scene_bounds_test {
namespace {

std::string outcome(const Scene& over, std::string_view partial) {
    const auto laid = overlay(over, *parse_json(partial));
    if (!laid) return to_string(laid.error());
    std::string text = "ok";
    for (const Problem& problem : laid->adjusted) text += "; " + to_string(problem);
    return text;
}

struct Row {
    const char* partial;
    const char* expected;
};

void check(const Scene& over, std::initializer_list<Row> rows) {
    for (const Row& row : rows) EXPECT_EQ(outcome(over, row.partial), row.expected) << row.partial;
}

// Every key press handles all of them.
TEST(SceneBounds, OfAllValuesTogether) {
    const Json wide(std::vector<double>(65536, 1.5));
    Json partial{{"d_model", 65536}, {"content", {{"kind", "vectors"}, {"query", wide}, {"key", wide}}}};
    EXPECT_TRUE(overlay(Scene(), partial));
    partial["compare"] = {{"content", partial["content"]}};
    EXPECT_EQ(overlay(Scene(), partial).error().key, "scene.large");
}

TEST(SceneBounds, OfEverySingleValue) {
    check(
        Scene(),
        {
            {R"({"d_model": 2, "pair": 0})", "ok"},
            {R"({"d_model": 65536})", "ok"},
            {R"({"d_model": 0})", "value.range (path=d_model, value=0, minimum=2, maximum=65536)"},
            {R"({"d_model": 65538})", "value.range (path=d_model, value=65538, minimum=2, maximum=65536)"},
            {R"({"d_model": 511})", "d_model.odd (value=511, lower=510, upper=512)"},
            {R"({"d_model": 3})", "d_model.odd (value=3, lower=2, upper=4)"},
            {R"({"d_model": 65535})", "d_model.odd (value=65535, lower=65534, upper=65536)"},
            {R"({"d_model": 512.0})", "ok"},
            {R"({"d_model": 512.5})", "value.kind (path=d_model, kind=integer, value=512.5)"},
            {R"({"d_model": "512"})", "value.kind (path=d_model, kind=integer, value=\"512\")"},
            {R"({"d_model": true})", "value.kind (path=d_model, kind=integer, value=true)"},
            {R"({"d_model": 1e300})", "value.range (path=d_model, value=1e+300, minimum=2, maximum=65536)"},
            {R"({"d_model": 18446744073709551616})",
             "value.range (path=d_model, value=1.8446744073709552e+19, minimum=2, maximum=65536)"},
            {R"({"base": 1})", "value.above_range (path=base, value=1, minimum=1, maximum=1e18)"},
            {R"({"base": 0.5})", "value.above_range (path=base, value=0.5, minimum=1, maximum=1e18)"},
            {R"({"base": 1.0000001})", "ok"},
            {R"({"base": 1e18})", "ok"},
            {R"({"base": 1.1e18})", "value.above_range (path=base, value=1.1e+18, minimum=1, maximum=1e18)"},
            {R"({"layout": "half"})", "ok"},
            {R"({"layout": "neox"})",
             "value.choice (path=layout, value=\"neox\", choices=interleaved, half)"},
            {R"({"length": 1})", "ok"},
            {R"({"length": 2147483647})", "ok"},
            {R"({"length": 0})", "value.range (path=length, value=0, minimum=1, maximum=2147483647)"},
            {R"({"length": 2147483648})",
             "value.range (path=length, value=2147483648, minimum=1, maximum=2147483647)"},
            {R"({"position": 0})", "ok"},
            {R"({"position": -1})", "value.range (path=position, value=-1, minimum=0, maximum=2147483647)"},
            {R"({"position": 2147483648})",
             "value.range (path=position, value=2147483648, minimum=0, maximum=2147483647)"},
            {R"({"pair": -1})", "value.range (path=pair, value=-1, minimum=0, maximum=32767)"},
            {R"({"pair": 255})", "ok"},
            {R"({"pair": 256})", "pair.reach (value=256, maximum=255)"},
            {R"({"shift": 2147483648})",
             "value.range (path=shift, value=2147483648, minimum=0, maximum=2147483647)"},
            {R"({"causal": 1})", "value.kind (path=causal, kind=boolean, value=1)"},
            {R"({"bench": 1})", "value.kind (path=bench, kind=text, value=1)"},
            {R"({"view": []})", "value.kind (path=view, kind=dictionary, value=[])"},
            {R"({"num_heads": 0})", "value.range (path=num_heads, value=0, minimum=1, maximum=32768)"},
            {R"({"head_dim": 7})", "head_dim.odd (value=7, lower=6, upper=8)"},
            {R"({"head_dim": 0})", "value.range (path=head_dim, value=0, minimum=2, maximum=65536)"},
        });
}

TEST(SceneBounds, OfPositionsTogether) {
    check(Scene(), {
                       {R"({"offset": -10})", "ok"},
                       {R"({"offset": -11})",
                        "offset.reach (value=-11, position=10, minimum=-10, maximum=2147483637)"},
                       {R"({"offset": 2147483637})", "ok"},
                       {R"({"offset": 2147483638})",
                        "offset.reach (value=2147483638, position=10, minimum=-10, maximum=2147483637)"},
                       {R"({"position": 2147483647})", "ok; offset.clamped (from=3, to=0)"},
                       {R"({"position": 2147483647, "offset": 1})",
                        "offset.reach (value=1, position=2147483647, minimum=-2147483647, maximum=0)"},
                   });
    check(scene(R"({"offset": -10})"), {{R"({"position": 4})", "ok; offset.clamped (from=-10, to=-4)"}});
}

TEST(SceneBounds, OfHeads) {
    const Scene rope = scene(R"({"encoding": "rope", "num_heads": 8})");
    check(rope,
          {
              {R"({"num_heads": 7})", "num_heads.divide (value=7, d_model=512, nearest=8)"},
              {R"({"num_heads": 5})", "num_heads.divide (value=5, d_model=512, nearest=4)"},
              {R"({"num_heads": 512})", "num_heads.divide (value=512, d_model=512, nearest=256)"},
              {R"({"d_model": 510})", "ok; num_heads.clamped (from=8, to=5)"},
              {R"({"d_model": 510, "num_heads": 8})", "num_heads.divide (value=8, d_model=510, nearest=5)"},
              {R"({"d_model": 510, "head_dim": 64, "num_heads": 8})", "ok"},
              {R"({"d_model": 2})", "ok; num_heads.clamped (from=8, to=1); pair.clamped (from=10, to=0)"},
              {R"({"head_dim": 4})", "ok; pair.clamped (from=10, to=1)"},
          });
    check(Scene(), {{R"({"num_heads": 7})", "ok"}});  // an encoding added to the input knows no heads
}

TEST(SceneBounds, OfThePair) {
    const Scene last = scene(R"({"pair": 255})");
    check(last, {
                    {R"({"d_model": 64})", "ok; pair.clamped (from=255, to=31)"},
                    {R"({"d_model": 64, "pair": 32})", "pair.reach (value=32, maximum=31)"},
                    {R"({"encoding": {"kind": "rope", "partial_rotary_factor": 0.5}})",
                     "ok; pair.clamped (from=255, to=127)"},
                });
}

TEST(SceneBounds, OfTheEncoding) {
    check(Scene(),
          {
              {R"({"encoding": "rope"})", "ok"},
              {R"({"encoding": {"variant": "paper"}})", "choice.kind (path=encoding, example=sinusoidal)"},
              {R"({"encoding": 3})", "choice.kind (path=encoding, example=sinusoidal)"},
              {R"({"encoding": {"kind": "sinusoidal", "variant": "x"}})",
               "value.choice (path=encoding.variant, value=\"x\", choices=paper, halves, tensor2tensor, "
               "fairseq, two_pi, double_exponent)"},
              {R"({"encoding": {"kind": "sinusoidal", "varient": "paper"}})",
               "key.unknown (path=encoding.varient, known=variant, padding_idx)"},
              {R"({"d_model": 2, "encoding": {"kind": "sinusoidal", "variant": "fairseq"}})",
               "fairseq.width (value=2)"},
              {R"({"content": {"kind": "seeded", "seed": -1}})",
               "value.range (path=content.seed, value=-1, minimum=0, maximum=4294967295)"},
              {R"({"content": {"kind": "equal", "seed": 1}})", "key.none (path=content.seed, of=content)"},
              {R"({"content": {}})", "choice.kind (path=content, example=equal)"},
          });
    const auto unknown = overlay(Scene(), {{"encoding", "rape"}});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().key, "value.choice");
    EXPECT_EQ(unknown.error().values[0].second, "encoding.kind");
}

// The name of a folder may hold any bytes; a Scene is JSON, and can always be written.
TEST(SceneBounds, ATextThatIsNoUtf8IsRefused) {
    const Json table{{"encoding", {{"kind", "learned"}, {"table", "caf\xe9/t.npy"}}}},
        tensors{{"content", {{"kind", "tensors"}, {"query", "\xff/q.npy"}}}};
    for (const Json& partial :
         {table, tensors, Json{{"compare", table}}, Json{{"trained", {{"scene", table}}}}}) {
        const auto laid = overlay(Scene(), partial);
        ASSERT_FALSE(laid);
        EXPECT_EQ(laid.error().key, "value.utf8");
        EXPECT_TRUE(is_utf8(to_string(laid.error())));
    }
}

TEST(SceneBounds, OfInnerScenes) {
    check(Scene(),
          {
              {R"({"compare": {"base": 5e5}})", "ok"},
              {R"({"compare": {"d_model": 511}})", "d_model.odd (value=511, lower=510, upper=512)"},
              {R"({"compare": {"base": 0.5}})",
               "value.above_range (path=compare.base, value=0.5, minimum=1, maximum=1e18)"},
              {R"({"compare": {"compare": {}}})", "scene.nested (path=compare.compare)"},
              {R"({"compare": {"view": {}}})", "scene.nested (path=compare.view)"},
              {R"({"compare": 3})", "value.kind (path=compare, kind=dictionary, value=3)"},
              {R"({"trained": {"length": 0}})",
               "value.range (path=trained.length, value=0, minimum=1, maximum=2147483647)"},
              {R"({"trained": {"lenght": 5}})", "key.unknown (path=trained.lenght, known=length, scene)"},
              {R"({"trained": {"scene": {"trained": {}}}})", "scene.nested (path=trained.scene.trained)"},
              {R"({"trained": 5})", "value.kind (path=trained, kind=dictionary, value=5)"},
              {R"({"trained": {"length": 4096, "scene": {"base": 10000}}})", "ok"},
          });
}

// A comparison whose own relations no longer hold is settled as it is used; one that cannot be is put away.
TEST(SceneBounds, InnerScenesFollowTheSceneAroundThem) {
    const Scene s = scene(R"({"encoding": "rope", "compare": {"num_heads": 8, "pair": 20}})");
    EXPECT_EQ(compared_scene(s)->num_heads, 8);
    const auto narrow = overlay(s, {{"d_model", 6}});
    ASSERT_TRUE(narrow);
    EXPECT_EQ(narrow->scene.compare, s.compare);
    EXPECT_EQ(compared_scene(narrow->scene)->num_heads, 3);
    EXPECT_EQ(compared_scene(narrow->scene)->pair, 0);
    EXPECT_TRUE(overlay(Scene(), to_json(narrow->scene)));

    const Scene fairseq = scene(R"({"compare": {"encoding": {"kind": "sinusoidal", "variant": "fairseq"}}})");
    EXPECT_EQ(outcome(fairseq, R"({"d_model": 2, "pair": 0})"), "ok; compare.dropped");
    EXPECT_FALSE(compared_scene(Scene()));
    EXPECT_EQ(trained_scene(scene(R"({"trained": {"scene": {"base": 500000}}})")).base, 5e5);
}

TEST(SceneBounds, SettleBringsWhatDependsAlong) {
    Scene s = scene(R"({"encoding": "rope", "num_heads": 8, "offset": -10})");
    s.d_model = 20;
    s.position = 3;
    const auto adjusted = settle(s);
    ASSERT_EQ(adjusted.size(), 3U);
    EXPECT_EQ(to_string(adjusted[0]), "num_heads.clamped (from=8, to=5)");
    EXPECT_EQ(to_string(adjusted[1]), "offset.clamped (from=-10, to=-3)");
    EXPECT_EQ(to_string(adjusted[2]), "pair.clamped (from=10, to=1)");
    EXPECT_TRUE(settle(s).empty());
}

// A file may hold any number of anything; what a Scene takes of it is bounded, and said.
TEST(SceneBounds, OfWhatListsAndDictionariesHold) {
    const auto refusal = [](const Json& partial) {
        const auto laid = overlay(Scene(), partial);
        return laid ? std::string("ok") : to_string(laid.error());
    };
    const auto list = [](std::size_t count, const Json& item) {
        return Json(std::vector<Json>(count, item));
    };
    const auto view = [](const Json& value) { return Json{{"view", {{"matrix", value}}}}; };
    EXPECT_EQ(refusal(view(list(4094, 1))), "ok");
    EXPECT_EQ(refusal(view(list(20000, "x"))), "value.many (path=view, count=20001, maximum=4096)");
    EXPECT_EQ(refusal(view(std::string(65537, 'x'))), "value.long (path=view, count=65543, maximum=65536)");
    Json deep = 1;
    for (int i = 0; i < 8; ++i) deep = Json::array({deep});
    EXPECT_EQ(refusal(view(deep)), "value.deep (path=view, count=9, maximum=8)");

    const auto rope = [](const char* key, const Json& value) {
        return Json{{"encoding", {{"kind", "rope"}, {key, value}}}};
    };
    EXPECT_EQ(refusal(rope("no_rope_layers", list(4096, 1))), "ok");
    EXPECT_EQ(refusal(rope("no_rope_layers", list(300000, 1))),
              "value.many (path=encoding.no_rope_layers, count=300000, maximum=4096)");
    EXPECT_EQ(refusal(rope("no_rope_layers", {1, 0, 2})),
              "value.range (path=encoding.no_rope_layers[2], value=2, minimum=0, maximum=1)");
    EXPECT_EQ(refusal(rope("layer_types", list(4097, "full_attention"))),
              "value.many (path=encoding.layer_types, count=4097, maximum=4096)");
    Json types = Json::object();
    for (int i = 0; i < 65; ++i) types["type" + std::to_string(i)] = {{"rope_type", "default"}};
    EXPECT_EQ(refusal(rope("rope_parameters", types)),
              "layer.types (path=encoding.rope_parameters, count=65, maximum=64)");
    EXPECT_EQ(refusal({{"bench", std::string(70000, 'b')}}),
              "value.long (path=bench, count=70000, maximum=65536)");
}

// LongRoPE's two lists are the longest that a valid Scene needs.
TEST(SceneBounds, LeaveRoomForTheWidestLongRope) {
    const Json factors(std::vector<double>(32768, 2.0));
    const auto laid = overlay(Scene(), {{"d_model", 65536},
                                        {"encoding",
                                         {{"kind", "rope"},
                                          {"rope_scaling",
                                           {{"full_attention",
                                             {{"rope_type", "longrope"},
                                              {"short_factor", factors},
                                              {"long_factor", factors},
                                              {"factor", 2},
                                              {"original_max_position_embeddings", 4096}}},
                                            {"sliding_attention", {{"rope_type", "default"}}}}}}}});
    EXPECT_TRUE(laid) << to_string(laid.error());
}

}  // namespace
}  // namespace posiscope::scene_bounds_test
