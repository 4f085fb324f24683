// Attention and Terms: their statements compared with core, in every state of a sentence.
#include "app/figures/parts/headline.hpp"
#include "app/figures/parts/sentence.hpp"
#include "core/attention/expansion.hpp"
#include "core/attention/identities.hpp"
#include "core/attention/joined.hpp"
#include "core/cost.hpp"
#include "tests/figures/hand.hpp"
#include "tests/figures/recorder.hpp"
#include "tests/figures/stage.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace posiscope::test::words_test {
namespace {

struct Drawn {
    Recorder canvas;
    std::string headline, tip_value;
    figures::Link hovered;
};

Drawn draw(std::string_view id, const Scene& scene, std::optional<Point> mouse = {},
           Language language = Language::english, Rect area = {0.0F, 0.0F, 720.0F, 620.0F}) {
    Drawn drawn;
    Stage stage;
    stage.area = area, stage.language = language;
    if (mouse) stage.point(*mouse);
    stage.draw(drawn.canvas, *figures::find_figure(id), scene);
    drawn.headline = stage.headline;
    drawn.hovered = stage.hovered;
    drawn.tip_value = stage.tip_value;
    EXPECT_TRUE(drawn.canvas.finite() && drawn.canvas.balanced());
    return drawn;
}

Scene scene_with(const Json& partial) {
    auto laid = overlay(Scene(), partial);
    EXPECT_TRUE(laid) << to_string(laid.error());
    return laid ? laid->scene : Scene();
}

Scene sentence_scene(std::string_view kind, bool causal, const Json& text, const Json& order = nullptr) {
    return scene_with({{"encoding", kind},
                       {"d_model", 32},
                       {"num_heads", 2},
                       {"pair", 0},
                       {"causal", causal},
                       {"content", {{"kind", "tokens"}, {"text", text}, {"order", order}}}});
}

std::string said(double value, int digits) {
    auto scratch = std::make_unique<ui::Scratch>();
    return std::string(ui::significant(*scratch, value, digits));
}

TEST(AttentionFigure, WithoutPositionAndMaskTheOutputsOnlyChangePlaces) {
    const Drawn drawn = draw("attention", sentence_scene("none", false, "dog bites man", {2, 0, 1}));
    EXPECT_NE(drawn.headline.find("Without positions, reordering the words only reorders the outputs"),
              std::string::npos)
        << drawn.headline;
    EXPECT_NE(drawn.headline.find("within 10⁻¹⁴"), std::string::npos)
        << "the residual is rounding: " << drawn.headline;
}

// The change that the headline names is core's: outputs of attention() over both orders.
TEST(AttentionFigure, WithAnEncodingOrAMaskTheLargestChangeIsNamed) {
    for (const auto& [kind, causal] : {std::pair{"rope", false}, std::pair{"none", true},
                                       std::pair{"alibi", true}, std::pair{"sinusoidal", false}}) {
        SCOPED_TRACE(kind);
        const Json order = {2, 0, 1};
        const Attention typed = *attention(sentence_scene(kind, causal, "dog bites man")),
                        now = *attention(sentence_scene(kind, causal, "dog bites man", order));
        double most = 0.0;
        std::size_t word = 0;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t f = 0; f < 16; ++f) {
                const auto at = order[i].get<std::size_t>();
                const double change = std::abs(now.output[i * 16 + f] - typed.output[at * 16 + f]);
                if (change > most) most = change, word = at;
            }
        const std::string names[] = {"dog", "bites", "man"};
        const Drawn drawn = draw("attention", sentence_scene(kind, causal, "dog bites man", order));
        EXPECT_NE(drawn.headline.find("“" + names[word] + "” changes by up to " + said(most, 2)),
                  std::string::npos)
            << drawn.headline;
        // Its weights stand in the cells.
        for (const double weight : std::span(now.weights).first(9))
            EXPECT_TRUE(weight <= 0.0 || drawn.canvas.says(fmt::format("{:.2f}", weight))) << weight;
    }
}

TEST(AttentionFigure, AnExampleStandsInReorderedUntilThereAreWords) {
    const Drawn en = draw("attention", Scene()), zh = draw("attention", Scene(), {}, Language::chinese);
    EXPECT_TRUE(en.canvas.says("bites"));
    EXPECT_TRUE(zh.canvas.says("咬"));
    EXPECT_NE(en.headline.find("see word order"), std::string::npos) << en.headline;
    EXPECT_NE(zh.headline.find("能区分词序"), std::string::npos) << zh.headline;
}

TEST(AttentionFigure, HeadsJoinedAndHandedOn) {
    Scene scene = scene_of({{"d_model", 16},
                            {"num_heads", 4},
                            {"encoding", "rope"},
                            {"content", {{"kind", "tokens"}, {"text", "dog bites man"}}}});
    figures::set_view_value(scene, "attention", "mode", "joined");
    Hand hand("attention", scene, {0.0F, 0.0F, 800.0F, 480.0F});
    const Joined joined = *joined_heads(scene);
    EXPECT_TRUE(hand.headline.starts_with("4 heads joined, times Wₒ: the outputs spread by "))
        << hand.headline;
    EXPECT_TRUE(hand.canvas.says(said(joined.spread[1], 3)));
    ASSERT_EQ(hand.canvas.heatmaps.size(), 2U);
    // A click on a head's features shows that head everywhere.
    const auto three = std::ranges::find(hand.canvas.texts, "3") - hand.canvas.texts.begin();
    hand.move(hand.canvas.boxes[static_cast<std::size_t>(three)].centre() + Point{0.0F, 20.0F});
    EXPECT_FALSE(hand.tip_value.empty());
    hand.press();
    hand.release();
    EXPECT_EQ(figures::shown_head(hand.scene), 3);
}

TEST(AttentionFigure, OneHeadIsNotSaidToBeSeveral) {
    Scene scene = sentence_scene("rope", true, "dog bites man");
    scene.num_heads = 1;
    figures::set_view_value(scene, "attention", "mode", "joined");
    EXPECT_TRUE(draw("attention", scene).headline.starts_with("One head, times Wₒ: "));
    scene.encoding = {"none", Json::object()};
    EXPECT_TRUE(draw("attention", scene).headline.starts_with("One head, times Wₒ: "));
}

// However wide B is, no more is made of it than of an A like it.
TEST(AttentionFigure, ABThatIsTooMuchIsRefusedAsAnA) {
    const Json words{{"kind", "tokens"}, {"text", "dog bites man"}};
    Scene a = scene_of({{"content", words}}), b = scene_of({{"content", words},
                                                            {"encoding", "transformer_xl"},
                                                            {"num_heads", 64},
                                                            {"d_model", 8192},
                                                            {"head_dim", 1024}});
    figures::set_view_value(a, "attention", "mode", "joined");
    figures::set_view_value(b, "attention", "mode", "joined");
    Stage stage;
    stage.area = {0.0F, 0.0F, 900.0F, 480.0F};
    figures::Derived derived_b;
    stage.other.emplace(figures::Other{b, derived_b, true});
    Recorder canvas;
    const double before = work_done();
    stage.draw(canvas, *figures::find_figure("attention"), a);
    EXPECT_LT(work_done() - before, 1e9);
}

// B − A of what the heads hand on, word by word, also where B has the words in another order.
TEST(AttentionFigure, HeadsJoinedAreSubtracted) {
    const Json words{{"kind", "tokens"}, {"text", "dog bites man"}};
    Json turned = words;
    turned["order"] = {2, 1, 0};
    const Json common{{"d_model", 16}, {"num_heads", 4}, {"pair", 0}};
    const auto side = [&](const char* encoding, const Json& content) {
        Json all = common;
        all["encoding"] = encoding, all["content"] = content;
        Scene made = scene_of(all);
        figures::set_view_value(made, "attention", "mode", "joined");
        return made;
    };
    const Scene a = side("rope", words), b = side("alibi", turned);
    const Joined of_a = *joined_heads(a), of_b = *joined_heads(b);
    double most = 0.0;
    for (std::size_t word = 0; word < 3; ++word)
        for (std::size_t f = 0; f < 16; ++f)
            most = std::max(most, std::abs(of_b.output[(2 - word) * 16 + f] - of_a.output[word * 16 + f]));
    Stage stage;
    stage.area = {0.0F, 0.0F, 900.0F, 480.0F};
    figures::Derived derived_b;
    stage.other.emplace(figures::Other{b, derived_b, true});
    Recorder canvas;
    const figures::Figure& figure = *figures::find_figure("attention");
    stage.draw(canvas, figure, a);
    EXPECT_TRUE(stage.headline.starts_with("B − A: an output of “")) << stage.headline;
    EXPECT_NE(stage.headline.find(said(most, 3)), std::string::npos) << stage.headline;
    ASSERT_EQ(canvas.heatmaps.size(), 2U);
    EXPECT_GE(canvas.heatmaps.front().range, most - 1e-9);
    EXPECT_TRUE(canvas.says(said(of_a.spread[0], 3) + " | " + said(of_b.spread[2], 3)));
    // Beside each other: two heatmaps a side, and a curtain between.
    const Scene same_words = side("alibi", words);
    stage.other.emplace(figures::Other{same_words, derived_b, false});
    Recorder both;
    stage.draw(both, figure, a);
    EXPECT_EQ(both.heatmaps.size(), 4U);
}

TEST(AttentionFigure, NoWordOneWordAndSixtyFour) {
    EXPECT_EQ(draw("attention", sentence_scene("rope", true, "")).headline, "No words yet.");
    EXPECT_TRUE(draw("attention", sentence_scene("rope", true, "")).canvas.says("no words"));
    EXPECT_EQ(draw("attention", sentence_scene("rope", true, "dog")).headline,
              "One word: nothing to reorder.");
    Json many = Json::array(), order = Json::array();
    for (int i = 0; i < 64; ++i) many.push_back(fmt::format("word{}狗😀", i)), order.push_back(63 - i);
    for (const Rect area : {Rect{0, 0, 720, 620}, Rect{0, 0, 388, 190}, Rect{0, 0, 130, 70}}) {
        const Drawn drawn = draw("attention", sentence_scene("alibi", true, many, order), Point{200, 100},
                                 Language::english, area);
        EXPECT_FALSE(drawn.headline.empty());
        draw("terms", sentence_scene("alibi", true, many, order), Point{200, 100}, Language::chinese, area);
    }
}

TEST(AttentionFigure, WhatWouldTakeTooLongIsSaidInstead) {
    Scene wide = sentence_scene("rope", true, "a b c");
    wide.d_model = 65536;
    for (const char* figure : {"attention", "terms"}) {
        EXPECT_TRUE(draw(figure, wide).canvas.says("takes too long")) << figure;
        EXPECT_TRUE(draw(figure, wide).headline.empty()) << figure;
    }
    wide.content.parameters["weights"] = "identity";
    EXPECT_FALSE(draw("attention", wide).headline.empty());
}

std::vector<double> head_0(const std::vector<double>& all, std::size_t n) {
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n * n)};
}

double covariance(const std::vector<double>& a, const std::vector<double>& b) {
    const auto n = static_cast<double>(a.size());
    const double x = std::accumulate(a.begin(), a.end(), 0.0) / n,
                 y = std::accumulate(b.begin(), b.end(), 0.0) / n;
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - x) * (b[i] - y);
    return sum;
}

TEST(TermsFigure, SharesAreThoseOfCoresTerms) {
    const Scene s = sentence_scene("sinusoidal", false, "dog bites the old man");
    const Expansion terms = *expansion(s);
    const auto cc = head_0(terms.content_content, 5), pp = head_0(terms.position_position, 5),
               cp = head_0(terms.content_position, 5), pc = head_0(terms.position_content, 5);
    std::vector<double> sum(25);
    for (std::size_t i = 0; i < 25; ++i) sum[i] = ((cc[i] + cp[i]) + pc[i]) + pp[i];
    const double whole = covariance(sum, sum);
    const auto percent = [&](double share) {
        return fmt::format("{:.{}f}", 100.0 * share, std::abs(share) < 0.0995 ? 1 : 0);
    };
    const Drawn drawn = draw("terms", s);
    const std::string plain = drawn.headline;
    const auto contains = [&](double share) {
        std::string digits = percent(share);
        if (digits.front() == '-') digits = "−" + digits.substr(1);
        return plain.find(digits + "%") != std::string::npos;
    };
    EXPECT_TRUE(contains(1.0 - covariance(cc, sum) / whole)) << plain;
    EXPECT_TRUE(contains(covariance(pp, sum) / whole)) << plain;
    EXPECT_TRUE(drawn.canvas.says(percent(covariance(cc, sum) / whole) + "%"));
}

TEST(TermsFigure, PositionIsWhereTheEncodingPutsIt) {
    const auto headline = [](std::string_view kind) {
        return draw("terms", sentence_scene(kind, false, "dog bites man")).headline;
    };
    EXPECT_NE(headline("rope").find("sits inside content with content"), std::string::npos);
    EXPECT_NE(headline("none").find("No positions"), std::string::npos);
    EXPECT_NE(headline("alibi").find("bias of ALiBi"), std::string::npos);
    EXPECT_NE(headline("transformer_xl").find("Position"), std::string::npos);
    Scene flat = sentence_scene("none", false, "dog dog dog");
    EXPECT_NE(draw("terms", flat).headline.find("All logits are equal"), std::string::npos);
    Scene beside = sentence_scene("sinusoidal", false, "dog bites man");
    figures::set_view_value(beside, "terms", "mode", "concatenated");
    EXPECT_NE(draw("terms", beside).headline.find("64 wide"), std::string::npos)
        << draw("terms", beside).headline;
    EXPECT_FALSE(draw("terms", beside).canvas.says("content with position"));
}

TEST(TermsFigure, EachCellTellsCoresNumber) {
    const Scene s = sentence_scene("sinusoidal", false, "dog bites the old man");
    const Expansion terms = *expansion(s);
    std::size_t seen = 0;
    for (float y = 40.0F; y < 600.0F; y += 29.0F)
        for (float x = 10.0F; x < 700.0F; x += 31.0F) {
            const Drawn drawn = draw("terms", s, Point{x, y});
            if (drawn.tip_value.empty()) continue;
            ASSERT_TRUE(drawn.hovered.position && drawn.hovered.distance);
            const auto i = *drawn.hovered.position, j = i - *drawn.hovered.distance;
            const auto at = static_cast<std::size_t>(i * 5 + j);
            bool one = false;
            for (const auto* term : {&terms.content_content, &terms.content_position, &terms.position_content,
                                     &terms.position_position})
                one = one || drawn.tip_value == "= " + said((*term)[at], 5);
            const double sum =
                ((terms.content_content[at] + terms.content_position[at]) + terms.position_content[at]) +
                terms.position_position[at];
            EXPECT_TRUE(one || drawn.tip_value == "= " + said(sum, 5))
                << drawn.tip_value << " at " << i << ", " << j;
            ++seen;
        }
    EXPECT_GT(seen, 60U);
}

TEST(TermsFigure, ASeededContentHasItsOwnRows) {
    const Scene s = scene_with({{"content", "seeded"}, {"length", 1000}, {"d_model", 16}, {"pair", 0}});
    EXPECT_TRUE(draw("terms", s).canvas.says("rows 0 … 47 of 1000, keys 0 … 47"));
}

// q · k / √4 = 0.265 on the diagonal, in both figures.
TEST(TermsFigure, GivenVectorsAreRowsAndNoWords) {
    Scene scene = scene_of(
        {{"encoding", "rope"},
         {"d_model", 4},
         {"length", 5},
         {"pair", 0},
         {"position", 1},
         {"offset", 2},
         {"content", {{"kind", "vectors"}, {"query", {0.3, -1.2, 0.7, 2.0}}, {"key", {1.1, 0.2, -0.8, 0.5}}}},
         {"view", {{"attention", {{"mode", "logits"}}}}}});
    for (const char* figure : {"attention", "terms"}) {
        const Hand hand(figure, scene);
        for (const char* word : {"dog", "bites", "man"}) EXPECT_FALSE(hand.canvas.says(word)) << figure;
        EXPECT_TRUE(hand.canvas.says(said(0.265, 2))) << figure;
    }
}

}  // namespace
}  // namespace posiscope::test::words_test
