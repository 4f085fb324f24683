// Words in the interface: chips dragged, text typed and pasted, examples and choices clicked.
#include "core/scene/words.hpp"
#include "tests/app/desk.hpp"

namespace posiscope::test::words_ui_test {
namespace {

using Words = std::vector<std::string>;

Scene attention_bench(const Json& more = Json::object()) {
    Json partial{{"bench", "attention"}, {"d_model", 32}, {"pair", 0}};
    partial.update(more);
    return overlay(Scene(), partial)->scene;
}

Words standing(const Scene& scene) {
    const auto words = words_of(scene.content.parameters);
    Words result;
    for (const std::int64_t word : order_of(scene.content.parameters))
        result.push_back(words[static_cast<std::size_t>(word)]);
    return result;
}

std::vector<Point> chips(Desk& desk) {
    std::vector<Point> at;
    for (const figures::HandleMark& mark : desk.bench.stage.seen.handles)
        if (mark.figure == "attention" && mark.handle == "word") at.push_back(mark.at);
    return at;
}

void type_utf8(Desk& desk, const char* text) {
    ImGui::GetIO().AddInputCharactersUTF8(text);
    desk.frame(2);
}

TEST(WordsInterface, AChipDraggedIsOneStepAndWhatIsSaidFollows) {
    Desk desk(attention_bench({{"content", {{"kind", "tokens"}, {"text", "dog bites man"}}},
                               {"encoding", "none"},
                               {"causal", false}}));
    const Scene before = desk.scene();
    EXPECT_NE(desk.bench.stage.seen.headlines[0].find("in the order typed"), std::string::npos);
    auto at = chips(desk);
    ASSERT_EQ(at.size(), 3U);
    desk.drag(at[0], at[2] + Point{30.0F, 4.0F}, 10);
    EXPECT_EQ(standing(desk.scene()), (Words{"bites", "man", "dog"}));
    EXPECT_EQ(words_of(desk.scene().content.parameters), (Words{"dog", "bites", "man"}))
        << "what was typed stays as it was typed";
    desk.frame();
    EXPECT_NE(desk.bench.stage.seen.headlines[0].find("only reorders the outputs"), std::string::npos)
        << desk.bench.stage.seen.headlines[0];
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.scene(), before) << "one undo takes the whole drag back";
    desk.key(ImGuiKey_Y, true);
    at = chips(desk);
    desk.drag(at[2], at[0] - Point{30.0F, 0.0F}, 10);
    EXPECT_EQ(desk.scene(), before) << "back in its place there is no order any more";
}

TEST(WordsInterface, ADragThatComesBackChangesNothing) {
    Desk desk(
        attention_bench({{"content", {{"kind", "tokens"}, {"text", "a b c d"}, {"order", {3, 1, 0, 2}}}}}));
    const Scene before = desk.scene();
    const auto at = chips(desk);
    desk.begin_drag(at[0], at[3] + Point{20.0F, 0.0F}, 8);
    EXPECT_EQ(standing(desk.scene()), (Words{"b", "a", "c", "d"}));
    for (int i = 0; i <= 8; ++i) desk.move(at[3] + (static_cast<float>(i) / 8.0F) * (at[0] - at[3]));
    desk.release();
    EXPECT_EQ(desk.scene(), before);
}

TEST(WordsInterface, TheFirstDragMakesTheExampleTheScenes) {
    Desk desk(attention_bench());
    EXPECT_EQ(desk.scene().content.kind, "equal");
    const auto at = chips(desk);
    desk.drag(at[0], at[1] + Point{25.0F, 0.0F}, 8);
    ASSERT_EQ(desk.scene().content.kind, "tokens");
    EXPECT_EQ(standing(desk.scene()), (Words{"bites", "man", "dog"})) << "man bites dog stood there";
}

TEST(WordsInterface, TypingIsSeenAtOnceAndIsOneStep) {
    Desk desk(attention_bench());
    const Scene before = desk.scene();
    desk.click(desk.handle("attention", "text"));
    desk.key(ImGuiKey_A, true);
    type_utf8(desk, "狗咬");
    EXPECT_EQ(standing(desk.scene()), (Words{"狗", "咬"}));
    type_utf8(desk, "人");
    EXPECT_EQ(standing(desk.scene()), (Words{"狗", "咬", "人"}));
    desk.key(ImGuiKey_Space);
    EXPECT_FALSE(desk.last.animating) << "a space that is typed does not play";
    desk.key(ImGuiKey_Enter);
    desk.frame(2);
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.scene(), before) << "one undo takes the whole sentence back";
}

TEST(WordsInterface, EscapeTakesBackWhatWasTypedAndKeepsTheOrder) {
    Desk desk(attention_bench(
        {{"content", {{"kind", "tokens"}, {"text", "dog bites man"}, {"order", {2, 1, 0}}}}}));
    const Scene before = desk.scene();
    desk.click(desk.handle("attention", "text"));
    desk.key(ImGuiKey_A, true);
    type_utf8(desk, "cat");
    EXPECT_EQ(standing(desk.scene()), (Words{"cat"}));
    desk.key(ImGuiKey_Escape);
    desk.frame(2);
    EXPECT_EQ(standing(desk.scene()), (Words{"man", "bites", "dog"})) << "the words as they were dragged";
    EXPECT_EQ(desk.scene(), before);
    desk.click(desk.handle("attention", "text"));
    desk.key(ImGuiKey_Escape);
    EXPECT_EQ(desk.scene(), before) << "nothing was typed, nothing changes";
}

TEST(WordsInterface, WhatIsTooLongIsSaidAndTheWordsStay) {
    Desk desk(attention_bench({{"content", {{"kind", "tokens"}, {"text", "dog bites man"}}}}));
    desk.click(desk.handle("attention", "text"));
    desk.key(ImGuiKey_A, true);
    std::string many;
    for (int i = 0; i < 65; ++i) many += "w ";
    ImGui::SetClipboardText(many.c_str());
    desk.key(ImGuiKey_V, true);
    desk.frame(2);
    EXPECT_EQ(standing(desk.scene()), (Words{"dog", "bites", "man"}));
    desk.key(ImGuiKey_A, true);
    ImGui::SetClipboardText("the cat sat");
    desk.key(ImGuiKey_V, true);
    desk.frame(2);
    EXPECT_EQ(standing(desk.scene()), (Words{"the", "cat", "sat"}));
}

TEST(WordsInterface, ExamplesHeadAndMaskArePressed) {
    Desk desk(attention_bench({{"num_heads", 2}, {"encoding", "rope"}}), 1500, 900);
    desk.click(desk.handle("attention", "example_3"));
    EXPECT_EQ(standing(desk.scene()), (Words{"狗", "咬", "人"}));
    desk.click(desk.handle("attention", "example_4"));
    EXPECT_EQ(standing(desk.scene()), (Words{"人", "咬", "狗"}));
    EXPECT_EQ(words_of(desk.scene().content.parameters), (Words{"狗", "咬", "人"}));
    EXPECT_TRUE(desk.scene().causal);
    desk.click(desk.handle("attention", "both_ways"));
    EXPECT_FALSE(desk.scene().causal);
    desk.click(desk.handle("attention", "head_more"));
    EXPECT_EQ(*figures::view_value(desk.scene(), "attention", "head"), 1);
    desk.click(desk.handle("terms", "without_w"));
    EXPECT_EQ(desk.scene().content.parameters.at("weights"), "identity");
    // A click on a chip keeps its vectors below, a second one lets it go.
    const Point chip = chips(desk)[1];
    desk.click(chip);
    EXPECT_EQ(*figures::view_value(desk.scene(), "attention", "word"), 1);
    desk.click(chip);
    EXPECT_EQ(figures::view_value(desk.scene(), "attention", "word"), nullptr);
}

TEST(WordsInterface, ACellIsWhereThePositionsMeet) {
    Desk desk(attention_bench({{"encoding", "rope"}}), 1500, 900);
    for (const char* figure : {"attention", "terms"}) {
        SCOPED_TRACE(figure);
        const Point at = desk.handle(figure, figure[0] == 'a' ? "cell" : "cell_1");  // the middle of 3 × 3
        desk.move(at);
        desk.frame();
        EXPECT_EQ(desk.bench.hand.link().position, 1);
        EXPECT_EQ(desk.bench.hand.link().distance, 0);
        desk.click(at);
        EXPECT_EQ(desk.scene().position, 1);
        EXPECT_EQ(desk.scene().offset, 0);
        desk.key(ImGuiKey_Z, true);
    }
}

TEST(WordsInterface, AFeatureOfQAndKIsLinkedByItsPair) {
    Desk desk(attention_bench({{"encoding", "rope"}}), 1500, 900);
    const Spectrum spectrum = *spectrum_of(desk.scene());
    for (const char* vector : {"q", "k"}) {
        desk.move(desk.handle("attention", vector));
        desk.frame();
        ASSERT_TRUE(desk.bench.hand.link().frequency) << vector;
        EXPECT_TRUE(linked_pair(*desk.bench.hand.link().frequency, spectrum).exact) << vector;
    }
    desk.move(desk.handle("attention", "v"));
    desk.frame();
    EXPECT_FALSE(desk.bench.hand.link().frequency) << "values are not turned";
}

TEST(WordsInterface, WhatNoFontHasIsSaidOnce) {
    Desk desk(attention_bench({{"content", {{"kind", "tokens"}, {"text", "dog \xf3\xb0\x80\x80 man"}}}}));
    ASSERT_EQ(desk.bench.notices.said().size(), 1U) << "U+F0000 is in no font";
    EXPECT_NE(desk.bench.notices.said()[0].find("fonts-noto-cjk"), std::string::npos)
        << desk.bench.notices.said()[0];
    desk.drag(chips(desk)[0], chips(desk)[2] + Point{30.0F, 0.0F});
    EXPECT_EQ(desk.bench.notices.said().size(), 1U);
}

}  // namespace
}  // namespace posiscope::test::words_ui_test
