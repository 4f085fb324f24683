// Typed encodings: each slot acts as its sentence says, and equals what is built in where that can be typed.
#include "core/attention/attention.hpp"
#include "core/cost.hpp"
#include "core/encodings/definition.hpp"
#include "core/encodings/own.hpp"
#include "core/encodings/own_function.hpp"
#include "core/encodings/rotation.hpp"
#include "core/formats/arrays.hpp"
#include "core/formats/file.hpp"
#include "core/formats/table.hpp"
#include "core/scene/settings.hpp"
#include "core/scene/source.hpp"
#include "tests/folder.hpp"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>

namespace posiscope::own_test {
namespace {

Scene typed(Json parameters, std::int64_t width = 64) {
    Scene scene;
    scene.d_model = width;
    scene.num_heads = 1;
    scene.length = 128;
    scene.encoding.kind = "own";
    scene.encoding.parameters = std::move(parameters);
    if (!scene.encoding.parameters.contains("values")) scene.encoding.parameters["values"] = Json::object();
    return scene;
}

std::string refusal(const Scene& scene) {
    const auto problem = own_encoding().check(scene);
    return problem ? to_string(*problem) : "";
}

// The logit of q = k = (1, 0) in every pair.
double logit(const Scene& scene, std::int64_t query, std::int64_t key) {
    const auto action = own_encoding().action(scene);
    if (!action) {
        ADD_FAILURE() << to_string(action.error());
        return 0.0;
    }
    std::vector<double> q(static_cast<std::size_t>(head_dim(scene)), 0.0);
    for (std::size_t f = 0; f < q.size(); f += 2) q[f] = 1.0;
    std::vector<double> k = q;
    if (action->turn) {
        action->turn(Side::query, query, q);
        action->turn(Side::key, key, k);
    }
    double product = 0.0;
    for (std::size_t f = 0; f < q.size(); ++f) product += q[f] * k[f];
    if (action->content) product += action->content({0, query, key, q, k});
    const double weight = action->weight ? action->weight(0, query, key) : 1.0;
    return weight * action->scale * product + (action->bias ? action->bias(0, query, key) : 0.0);
}

// What stands beside each formula: its value where the Scene looks, and the names that it has there.
TEST(Own, ReadingsAreTheSlotsAtOnePlace) {
    const auto at = [](const Json& slots) {
        std::map<std::string_view, std::pair<double, std::string>> read;
        for (OwnReading& one :
             own_readings(typed(slots), {.position = 10, .offset = 7, .pair = 10, .head = 0}))
            read[one.slot] = {one.value, std::move(one.where)};
        return read;
    };
    auto read = at({{"frequency", "b^(-2*i/d)*(1+a*cos(i))"},
                    {"bias", "-log(1+abs(D))"},
                    {"scale", "log(q+1)/log(n)"},
                    {"values", {{"a", 0.1}}}});
    EXPECT_EQ(read.size(), 3U);
    EXPECT_NEAR(read["frequency"].first, 0.05152, 5e-6);
    EXPECT_EQ(read["frequency"].second, "i = 10");
    EXPECT_DOUBLE_EQ(read["bias"].first, -std::log(8.0));
    EXPECT_EQ(read["bias"].second, "D = 7");
    EXPECT_DOUBLE_EQ(read["scale"].first, std::log(18.0) / std::log(128.0));
    EXPECT_EQ(read["scale"].second, "q = 17");
    // The rotation sees positions as they are mapped; a bias does not.
    read = at({{"position", "p/2"},
               {"frequency", "1"},
               {"distance", "min(D, w)"},
               {"amplitude", "i - D"},
               {"bias", "D - k - h"},
               {"add", "p + j"},
               {"values", {{"w", 100.0}}}});
    EXPECT_EQ(read["position"], (std::pair(5.0, std::string("p = 10"))));
    EXPECT_EQ(read["frequency"], (std::pair(1.0, std::string())));
    EXPECT_EQ(read["distance"], (std::pair(3.5, std::string("D = 3.5"))));
    EXPECT_EQ(read["amplitude"], (std::pair(6.5, std::string("i = 10, D = 3.5"))));
    EXPECT_EQ(read["bias"], (std::pair(-3.0, std::string("D = 7, k = 10, h = 0"))));
    EXPECT_EQ(read["add"], (std::pair(30.0, std::string("p = 10, j = 20"))));
    EXPECT_TRUE(at({{"bias", "q +"}}).empty());
    // Where it is no number, why: at the places that are tried before it has a value.
    const auto broken = own_readings(typed({{"bias", "2 + 1/(D - 7)"}}), {10, 7, 0, 0});
    ASSERT_EQ(broken.size(), 1U);
    ASSERT_TRUE(broken.front().problem);
    EXPECT_EQ(to_string(*broken.front().problem),
              "formula.not_finite (path=encoding.bias, where=D = 7, operation=1 / 0, value=∞, column=6)");
}

// b^(-2i/d)(1 + 0.1 cos i), plus -log(1 + |D|): computed from the formulas in NumPy.
// However many names a formula has, each is cut out of its text whole.
TEST(Own, EveryNameOfALongFormulaIsItsOwn) {
    std::string text = "a";
    for (int n = 1; n < 60; ++n) text += n % 2 == 0 ? "*a" : " - a";
    const auto lines = own_encoding().slots.typed(typed({{"bias", text}, {"values", {{"a", 0.5}}}}));
    ASSERT_EQ(lines.size(), 1U);
    ASSERT_EQ(lines[0].letters.size(), 61U) << "and what follows the last";
    for (std::size_t n = 0; n < 60; ++n) {
        EXPECT_EQ(lines[0].letters[n].letters, "a") << n;
        EXPECT_EQ(lines[0].letters[n].number, 0.5) << n;
    }
    EXPECT_EQ(lines[0].letters[1].text, " − ");
}

TEST(Own, IsWhatWasTyped) {
    const Scene scene = typed(
        {{"frequency", "b^(-2*i/d)*(1+a*cos(i))"}, {"bias", "-log(1+abs(D))"}, {"values", {{"a", 0.1}}}});
    EXPECT_EQ(refusal(scene), "");
    const auto spectrum = own_encoding().spectrum(scene);
    ASSERT_TRUE(spectrum);
    EXPECT_DOUBLE_EQ(spectrum->frequency[1], 0.7904111663784049);
    EXPECT_DOUBLE_EQ(spectrum->frequency[31], 0.00014555042860673196);
    EXPECT_NEAR(logit(scene, 1, 0), 3.1607630548913352, 1e-12);
    EXPECT_NEAR(logit(scene, 17, 10), 0.7718009382327096, 1e-12);
    EXPECT_NEAR(logit(scene, 100, 0), -3.0632263729823883, 1e-12);
}

TEST(Own, ADistanceIsSeenWhereQueryAndKeyMeet) {
    const Scene plain = typed({{"frequency", "b^(-2*i/d)"}});
    const Scene clipped =
        typed({{"frequency", "b^(-2*i/d)"}, {"distance", "min(abs(D),w)*sign(D)"}, {"values", {{"w", 512}}}});
    const Scene leaky = typed({{"frequency", "b^(-2*i/d)"},
                               {"distance", "abs(D) <= w ? D : (w + floor((abs(D) - w)/s))*sign(D)"},
                               {"values", {{"w", 512}, {"s", 4}}}});
    EXPECT_NEAR(logit(plain, 5000, 0), -0.5234721003607368, 1e-12);
    EXPECT_NEAR(logit(clipped, 5000, 0), 0.7414751503659525, 1e-12);
    EXPECT_NEAR(logit(leaky, 5000, 0), 0.42913110865647675, 1e-12);
    EXPECT_NEAR(logit(clipped, 300, 0), logit(plain, 300, 0), 1e-12);
    const Scene grouped = typed({{"frequency", "b^(-2*i/d)"},
                                 {"distance", "D <= w ? D : floor(q/G) - floor(k/G) + w - floor(w/G)"},
                                 {"values", {{"w", 512}, {"G", 8}}}});
    EXPECT_NEAR(logit(grouped, 5000, 0), 1.16360247943373, 1e-12);
    EXPECT_FALSE(own_encoding().action(grouped)->by_distance);
    EXPECT_TRUE(own_encoding().action(clipped)->by_distance);
}

TEST(Own, AmplitudePositionScaleAndListsAct) {
    // xPos: the product of pair i shrinks with the distance.
    const Scene xpos = typed({{"frequency", "b^(-2*i/d)"}, {"amplitude", "((2*i + 0.4*d)/(1.4*d))^(D/512)"}});
    Scene built;
    built.d_model = 64;
    built.num_heads = 1;
    built.encoding = {"xpos", {{"scale_base", 512.0}}};
    const auto scores = [&] {
        Scene ones = built;
        ones.content = {"equal", Json::object()};
        return encoding_of(built).spectrum(built);
    }();
    ASSERT_TRUE(scores);
    double sum = 0.0;
    for (std::size_t i = 0; i < 32; ++i)
        sum += std::exp(scores->growth[i] * 100.0) * std::cos(scores->frequency[i] * 100.0);
    EXPECT_NEAR(logit(xpos, 110, 10), sum / 8.0, 1e-12);
    // A position that is only stretched keeps the rotation exact, and moves into the frequencies.
    const Scene stretched = typed({{"frequency", "b^(-2*i/d)"}, {"position", "p/4"}});
    EXPECT_TRUE(own_encoding().action(stretched)->turn);
    EXPECT_NEAR(logit(stretched, 400, 0), logit(typed({{"frequency", "b^(-2*i/d)"}}), 100, 0), 1e-12);
    const Scene both = typed({{"frequency", "b^(-2*i/d)"}, {"position", "p/4"}, {"amplitude", "1"}});
    EXPECT_NEAR(logit(both, 400, 0), logit(stretched, 400, 0), 1e-12) << "once, wherever it is rotated";
    const Scene bent = typed({{"frequency", "b^(-2*i/d)"}, {"position", "log(1+p)"}});
    EXPECT_FALSE(own_encoding().action(bent)->turn);
    const Scene warm = typed({{"frequency", "b^(-2*i/d)"}, {"scale", "log(q+2)/log(L)"}});
    EXPECT_NEAR(logit(warm, 126, 120), logit(typed({{"frequency", "b^(-2*i/d)"}}), 126, 120), 1e-12);
    const Scene buckets =
        typed({{"bias", "c[min(abs(D), 3)]"}, {"values", {{"c", {0.5, 0.25, -1.0, -2.0}}}}});
    EXPECT_EQ(own_encoding().action(buckets)->bias(0, 9, 7), -1.0);
    EXPECT_EQ(own_encoding().action(buckets)->bias(0, 99, 7), -2.0);
    const Scene added = typed({{"add", "mod(j, 2) == 0 ? sin(p*100^(-j/d)) : cos(p*100^(-j/d))"}}, 8);
    std::vector<double> x(8, 0.0);
    own_encoding().action(added)->add(3, x);
    EXPECT_NEAR(x[0], std::sin(3.0), 1e-15);
    EXPECT_NEAR(x[1], std::cos(3.0 * std::pow(100.0, -0.125)), 1e-15);
}

// As it is typed on a command line: the slots by their names, and a name of the formulas.
TEST(Own, IsSetBySlotAndName) {
    const std::vector<std::string> settings = {"d_model=64", "own.frequency=b^(-2i/d)(1 + a cos(i))",
                                               "own.bias=-log(1 + |D|)", "own.a=0.1"};
    const auto partial = partial_from_settings(Scene(), settings);
    ASSERT_TRUE(partial) << to_string(partial.error());
    const auto laid = overlay(Scene(), *partial);
    ASSERT_TRUE(laid) << to_string(laid.error());
    EXPECT_EQ(laid->scene.encoding.kind, "own");
    EXPECT_EQ(laid->scene.encoding.parameters.at("values"), Json({{"a", 0.1}}));
    // Each is JSON again, and the logit by distance is the one at two positions.
    const auto again = overlay(Scene(), to_json(laid->scene));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->scene, laid->scene);
    Scene scene = laid->scene;
    scene.content = {"equal", Json::object()};
    auto by_distance = DistanceLogit::of(scene, 0);
    ASSERT_TRUE(by_distance) << to_string(by_distance.error());
    std::vector<double> along(3);
    by_distance->along(1, 6, along);
    const double alone = [&] {  // of equal vectors, all ones
        const auto spectrum = spectrum_of(scene);
        double sum = 0.0;
        for (const double omega : spectrum->frequency) sum += 2.0 * std::cos(7.0 * omega);
        return sum / 8.0 - std::log(8.0);
    }();
    EXPECT_NEAR(along[1], alone, 1e-12);
    EXPECT_NEAR(by_distance->at(7), alone, 1e-12);
    // A formula that looks like a number is one all the same; null takes a slot away.
    const std::vector<std::string> more = {"own.bias=2", "own.frequency=null"};
    const auto changed = partial_from_settings(laid->scene, more);
    ASSERT_TRUE(changed);
    const auto biased = overlay(laid->scene, *changed);
    ASSERT_TRUE(biased) << to_string(biased.error());
    EXPECT_EQ(biased->scene.encoding.parameters.at("bias"), "2");
    EXPECT_FALSE(biased->scene.encoding.parameters.contains("frequency"));
    EXPECT_EQ(encoding_of(biased->scene).family, Family::bias);
    EXPECT_FALSE(has_pairs(biased->scene));
    EXPECT_EQ(overlay(Scene(), {{"encoding", {{"kind", "own"}, {"from", "rotary"}}}}).error().key,
              "own.from");
}

// Which record answers follows from what is typed.
TEST(Own, ActsWhereSomethingIsTyped) {
    const auto record = [](Json parameters) { return encoding_of(typed(std::move(parameters))); };
    EXPECT_EQ(record(Json::object()).family, Family::none);
    EXPECT_EQ(record({{"add", "sin(p/100^(j/d))"}}).acts, Acts::input);
    EXPECT_EQ(record({{"bias", "-abs(D)"}}).acts, Acts::logits);
    EXPECT_FALSE(record({{"bias", "-abs(D)"}}).logits.depends_on_query);
    EXPECT_TRUE(record({{"bias", "-2q*abs(D)"}}).logits.depends_on_query);
    EXPECT_FALSE(record({{"bias", "-quick*abs(D)"}}).logits.depends_on_query);
    const Encoding both = record({{"frequency", "b^(-2*i/d)"}, {"scale", "log(q+2)"}});
    EXPECT_EQ(both.acts, Acts::query_key);
    EXPECT_TRUE(both.logits.has_bias_or_scale && both.logits.depends_on_query && !both.logits.bias);
    EXPECT_TRUE(on_unit_circles(typed({{"frequency", "b^(-2*i/d)"}, {"position", "p/s"}})));
    EXPECT_FALSE(on_unit_circles(typed({{"frequency", "b^(-2*i/d)"}, {"position", "log(1+p)"}})));
}

TEST(Own, ARefusalNamesSlotCharacterAndMend) {
    EXPECT_EQ(refusal(typed({{"frequency", "b^(-2*i/d"}})),
              "formula.open (path=encoding.frequency, column=3, sign=(, close=))");
    EXPECT_EQ(refusal(typed({{"frequency", "q"}})),
              "own.elsewhere (path=encoding.frequency, column=1, name=q, names=i, d, b, n, L)");
    EXPECT_EQ(
        refusal(typed({{"bias", "log(abs(D))"}})),
        "formula.not_finite (path=encoding.bias, where=q = 0, k = 0, operation=log(0), value=−∞, column=1)");
    EXPECT_EQ(refusal(typed({{"frequency", "1/(i - 2)"}})),
              "formula.frequency (path=encoding.frequency, where=i = 0, value=-0.5)");
    EXPECT_EQ(refusal(typed({{"bias", "c[0]"}})), "own.no_list (path=encoding.bias, column=1, name=c)");
    EXPECT_EQ(refusal(typed({{"bias", "a"}, {"values", {{"a", "x"}}}})),
              "own.value (path=encoding.values.a, value=\"x\")");
    EXPECT_EQ(refusal(typed({{"bias", "a"}, {"values", {{"q", 1}}}})),
              "own.reserved (path=encoding.values.q, name=q)");
    // Whatever it costs, it ends: a Scene that came by mail settles within a frame.
    const double before = work_done();
    EXPECT_EQ(refusal(typed({{"frequency", "2 + sum(m, 1, 60000, 1e-9)"}}, 65536)),
              "own.slow (path=encoding.frequency, column=5)");
    EXPECT_LT(work_done() - before, 3e7);
    EXPECT_NE(refusal(typed({{"bias", "sum(m, 1, 60000, sum(u, 1, 60000, 1))"}})), "");
}

// The ends of a slider change no number, but must be ends.
TEST(Own, RangesAreKept) {
    const Json slots = {{"frequency", "b^(-2i/d)*a"}};
    const auto ranged = [&](const Json& ranges) {
        Json both = slots;
        both["ranges"] = ranges;
        return typed(both);
    };
    EXPECT_EQ(refusal(ranged({{"a", {-1, 2.5}}})), "");
    for (const Json& wrong :
         {Json{2, 1}, Json{1, 1}, Json{1}, Json("x"), Json{0, 1, 2}, Json{0, 1e-310}, Json{-1e308, 1e308}})
        EXPECT_EQ(refusal(ranged({{"a", wrong}})),
                  fmt::format("own.range (path=encoding.ranges.a, value={})", shown(wrong)));
    const auto notes = remarks_on(ranged({{"c", {0, 1}}}));
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(to_string(notes.front()), "own.range_unused (name=c)");
    const std::vector<std::string> settings = {"own.frequency=a", "own.ranges.a=[0, 3]"};
    const auto partial = partial_from_settings(Scene(), settings);
    ASSERT_TRUE(partial);
    EXPECT_EQ(overlay(Scene(), *partial)->scene.encoding.parameters.at("ranges"), (Json{{"a", {0, 3}}}));
}

// Pairs rotate with the frame, row or column of a token in a grid.
TEST(Own, PairsHaveAxes) {
    const auto slots = [](const Json& more) {
        Json made = {{"frequency", "b^(-2i/d)"}, {"axis", "mod(i, 3)"}, {"grid", {2, 4, 6}}};
        made.update(more);
        return typed(made, 12);
    };
    const Scene scene = slots(Json::object());
    EXPECT_EQ(refusal(scene), "");
    const auto action = own_encoding().action(scene);
    ASSERT_TRUE(action) << to_string(action.error());
    std::vector<double> x(12, 0.0);
    for (std::size_t f = 0; f < x.size(); f += 2) x[f] = 1.0;
    action->turn(Side::query, 24 + 3 * 6 + 5, x);  // frame 1, row 3, column 5
    const double places[] = {1.0, 3.0, 5.0};
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(x[2 * i], std::cos(places[i % 3] * std::pow(1e4, -static_cast<double>(i) / 6.0)), 1e-14);
    EXPECT_FALSE(on_unit_circles(scene));
    // Positions that are divided are divided on every axis.
    std::vector<double> y(12, 1.0), z = y;
    own_encoding().action(slots({{"position", "p/2"}}))->turn(Side::key, 40, y);
    own_encoding().action(slots({{"frequency", "b^(-2i/d)/2"}}))->turn(Side::key, 40, z);
    EXPECT_EQ(y, z);

    EXPECT_EQ(refusal(slots({{"axis", "i/2"}})), "own.axis (path=encoding.axis, where=i = 1, value=0.5)");
    EXPECT_EQ(refusal(slots({{"axis", "1 + log(-1)"}})),
              "formula.not_finite (path=encoding.axis, where=i = 0, operation=log(-1), value=NaN, column=5)");
    EXPECT_TRUE(encoding_of(scene).logits.depends_on_query);
    EXPECT_TRUE(encoding_of(slots({{"grid", nullptr}, {"position", "log(1 + p)"}})).logits.depends_on_query);
    EXPECT_EQ(refusal(slots({{"grid", {4, 6}}})), "own.grid (value=[4,6])");
    EXPECT_EQ(refusal(slots({{"grid", {4, 6, 0.5}}})), "own.grid (value=[4,6,0.5])");
    EXPECT_EQ(refusal(slots({{"distance", "min(D, 3)"}})), "own.axis_beside (path=encoding.distance)");
    EXPECT_EQ(refusal(slots({{"position", "log(1 + p)"}})), "own.axis_beside (path=encoding.position)");
    EXPECT_EQ(to_string(remarks_on(typed({{"frequency", "1"}, {"axis", "1"}})).front()), "own.no_grid");
    EXPECT_EQ(to_string(remarks_on(typed({{"frequency", "1"}, {"grid", {1, 2, 3}}})).front()), "own.no_axis");
}

// Who has a bias and nothing else is drawn by its bias: a factor of the logits is no bias.
TEST(Own, IsABiasWhereThatIsAll) {
    const auto is_bias = [](const Json& slots) { return encoding_of(typed(slots)).logits.bias; };
    EXPECT_TRUE(is_bias({{"bias", "-abs(D)"}}));
    EXPECT_FALSE(is_bias({{"scale", "2"}}));
    EXPECT_FALSE(is_bias({{"bias", "-abs(D)"}, {"scale", "2"}}));
    EXPECT_FALSE(is_bias({{"bias", "-abs(D)"}, {"frequency", "1"}}));
    EXPECT_FALSE(is_bias({{"bias", "-abs(D)"}, {"add", "1"}}));
}

// --- Slots that are files ---------------------------------------------------------------------------------

class OwnFile : public test::InFolder {
protected:
    std::string put(const std::string& name, const std::vector<std::int64_t>& shape,
                    std::vector<double> numbers) {
        const std::string path = (folder_ / name).string();
        Array array{{name, shape}, std::move(numbers)};
        std::string bytes;
        EXPECT_TRUE(write_npy({&array, 1}, [&](std::string_view piece) { bytes += piece; }));
        EXPECT_TRUE(write_file(path, bytes));
        allow_table(path);
        forget_table(path);
        return path;
    }
    static std::vector<double> some(std::size_t count) {
        std::vector<double> numbers;
        for (std::size_t n = 0; n < count; ++n) numbers.push_back(0.5 / (1.0 + static_cast<double>(n % 97)));
        return numbers;
    }
};

Scene in_place(Json encoding) {
    encoding["kind"] = "own";
    const auto laid = overlay(Scene(), {{"d_model", 16},
                                        {"num_heads", 2},
                                        {"length", 6},
                                        {"content", "seeded"},
                                        {"encoding", std::move(encoding)}});
    EXPECT_TRUE(laid) << to_string(laid.error());
    return laid ? laid->scene : Scene();
}

// A file is the list of its numbers, to the bit.
TEST_F(OwnFile, IsTheSameAsItsNumbersTyped) {
    struct Case {
        const char* slot;
        std::vector<std::int64_t> shape;
        const char* typed;
    };
    const Case cases[] = {
        {"frequency", {4}, "f[i]"},  {"bias", {6}, "f[abs(D)]"},    {"bias", {2, 6}, "f[h*6+abs(D)]"},
        {"scale", {7}, "f[abs(D)]"}, {"add", {6, 16}, "f[p*16+j]"}, {"add", {9, 16}, "f[p*16+j]"},
        {"position", {6}, "f[p]"},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.typed);
        std::size_t count = 1;
        for (const std::int64_t size : one.shape) count *= static_cast<std::size_t>(size);
        const std::vector<double> numbers = some(count);
        const std::string path = put(std::string(one.slot) + ".npy", one.shape, numbers);
        const Json more =
            std::string_view(one.slot) == "position" ? Json{{"frequency", "b^(-2*i/d)"}} : empty_object();
        Json file = {{one.slot, path}}, list = {{one.slot, one.typed}, {"values", {{"f", numbers}}}};
        file.update(more);
        list.update(more);
        const auto made = attention(in_place(file)), same = attention(in_place(list));
        ASSERT_TRUE(made) << to_string(made.error());
        ASSERT_TRUE(same) << to_string(same.error());
        EXPECT_EQ(made->logits, same->logits);
    }
}

TEST_F(OwnFile, EachMisfitHasItsSentence) {
    const auto refused = [&](const char* slot, const std::vector<std::int64_t>& shape) {
        std::size_t count = 1;
        for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
        Scene scene = in_place({{"bias", "0"}});
        scene.encoding.parameters[slot] = put("wrong.npy", shape, std::vector<double>(count, 0.5));
        const auto formulas = own_formulas(scene);
        return formulas ? std::string() : formulas.error().key;
    };
    EXPECT_EQ(refused("frequency", {4}), "");
    EXPECT_EQ(refused("frequency", {5}), "own.file_shape");
    EXPECT_EQ(refused("frequency", {1, 4}), "own.file_shape");
    EXPECT_EQ(refused("bias", {5}), "own.file_shape") << "the length needs distances up to 5";
    EXPECT_EQ(refused("bias", {3, 6}), "own.file_shape");
    EXPECT_EQ(refused("add", {6, 8}), "own.file_shape");
    EXPECT_EQ(refused("add", {96}), "own.file_shape");
    EXPECT_EQ(refused("distance", {6}), "own.file_slot");
    EXPECT_EQ(refused("amplitude", {4}), "own.file_slot");
    EXPECT_EQ(refused("bias", {65537}), "own.file_large");
    EXPECT_EQ(refused("bias", {200000}), "file.large") << "not even read";
    EXPECT_EQ(refused("bias", {2, 3, 6}), "npy.dimensions");
}

// A Scene that names a file is accepted, and what is drawn says that it is gone, or that nobody allowed it.
TEST_F(OwnFile, IsReadOnceItMayBe) {
    const Json unknown = {{"bias", "nobody_allowed.npy"}};
    const Scene scene = in_place(unknown);
    ASSERT_FALSE(files_to_ask_for(scene).empty());
    EXPECT_EQ(**files_to_ask_for(scene).begin(), "nobody_allowed.npy");
    EXPECT_EQ(action_of(scene).error().key, "file.not_allowed");
    const std::string path = put("bias.npy", {6}, some(6));
    Scene gone = in_place({{"bias", path}});
    EXPECT_TRUE(files_to_ask_for(gone).empty());
    std::filesystem::remove(path);
    forget_table(path);
    EXPECT_EQ(remarks_on(gone).front().key, "file.missing");
    Json partial = {{"encoding", {{"kind", "own"}, {"bias", "beside.npy"}}}};
    put("beside.npy", {6}, some(6));
    ASSERT_TRUE(admit(partial, Source::file(put("scene.json", {1}, some(1)))));
    EXPECT_EQ(partial["encoding"]["bias"], (folder_ / "beside.npy").string());
}

}  // namespace
}  // namespace posiscope::own_test
