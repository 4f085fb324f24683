// The slots of a typed encoding in the sidebar, fed with keys and mouse.
#include "core/experiment/shown.hpp"
#include "tests/app/desk.hpp"

#include <gtest/gtest.h>

namespace posiscope::test::formulas_pane_test {
namespace {

class Fields : public Desk {
public:
    explicit Fields(const Json& slots = Json{{"frequency", "b^(-2i/d)"}}) : Desk(scene_with(slots)) {}

    static Scene scene_with(Json slots) {
        slots["kind"] = "own";
        const auto laid = overlay(Scene(), {{"d_model", 64}, {"encoding", slots}});
        EXPECT_TRUE(laid) << to_string(laid.error());
        return laid ? laid->scene : Scene();
    }
    bool has(std::string_view name) const {
        for (const panels::ControlMark& mark : bench.stage.seen.controls)
            if (mark.key == name) return true;
        return false;
    }
    void open(std::string_view name) {
        click(control(name).centre());
        frame(3);
    }
    void keys(std::string_view text) {
        for (const char c : text) {
            ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(c));
            frame();
        }
        frame();
    }
    void clear() {
        key(ImGuiKey_A, true);
        key(ImGuiKey_Delete);
    }
    // The corners of all triangles in the tiles, with their places in the letters' picture.
    std::vector<float> drawn() const {
        std::vector<float> corners;
        for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists)
            for (const ImDrawVert& corner : list->VtxBuffer)
                for (const auto& tile : bench.layout.tiles())
                    if (tile.area.contains({corner.pos.x, corner.pos.y}))
                        corners.insert(corners.end(), {corner.pos.x, corner.pos.y, corner.uv.x, corner.uv.y});
        return corners;
    }
    std::string slot(const char* name) const {
        const Json& parameters = scene().encoding.parameters;
        return parameters.contains(name) ? parameters.at(name).get<std::string>() : "";
    }
};

// The purpose: a rotation and a bias of one's own, from the keyboard to the curve, in one frame after the last key.
TEST(FormulaFields, WhatIsTypedIsDrawnInTheNextFrame) {
    Fields desk;
    desk.open("own.frequency");
    desk.key(ImGuiKey_End);
    desk.keys("(1 + a cos i)");
    EXPECT_EQ(desk.slot("frequency"), "b^(-2i/d)(1 + a cos i)");
    desk.key(ImGuiKey_Enter);
    ASSERT_TRUE(desk.has("own.a")) << "a name of one's own has a slider";
    desk.open("own.open.bias");
    desk.keys("-log(1 + |D|)");
    EXPECT_EQ(desk.slot("bias"), "-log(1 + |D|)");
    desk.key(ImGuiKey_Enter);
    EXPECT_FALSE(desk.has("own.open.bias"));
    // Each field was one step.
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.slot("bias"), "");
    EXPECT_EQ(desk.slot("frequency"), "b^(-2i/d)(1 + a cos i)");
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.slot("frequency"), "b^(-2i/d)");
}

// The frame that reads a key changes the Scene, the next one has the whole picture of it: no later one differs.
TEST(FormulaFields, TheFrameAfterAKeyHasItsPicture) {
    Fields desk;
    desk.open("own.open.bias");
    std::size_t changed = 0;
    for (const char one : std::string("-s*log(1 + |D|)/2")) {
        const Scene before = desk.scene();
        const std::vector<float> old = desk.drawn();
        ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(one));
        desk.frame(2);
        const std::vector<float> next = desk.drawn();
        desk.frame(8);
        EXPECT_EQ(next, desk.drawn()) << one;
        if (desk.scene() == before) continue;
        EXPECT_NE(next, old) << one;
        ++changed;
    }
    EXPECT_EQ(desk.slot("bias"), "-s*log(1 + |D|)/2");
    EXPECT_GT(changed, 1U);
}

// A finger is nowhere before it touches: its place and its press come in one frame.
TEST(FormulaFields, ATapOpensASlot) {
    Fields desk;
    const Point at = desk.control("own.frequency").centre();
    ImGui::GetIO().AddMousePosEvent(at.x, at.y);
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    desk.frame();
    desk.release();
    desk.frame(3);
    desk.key(ImGuiKey_End);
    desk.keys("/2");
    EXPECT_EQ(desk.slot("frequency"), "b^(-2i/d)/2");
}

TEST(FormulaFields, ANameIsDragged) {
    Fields desk(Json{{"frequency", "b^(-2i/d)(1 + a cos i)"}});
    const Rect track = desk.control("own.a");
    desk.drag({track.centre().x, track.centre().y}, {track.x0, track.centre().y});
    EXPECT_EQ(desk.scene().encoding.parameters.at("values").at("a"), 0.0);
    desk.key(ImGuiKey_Z, true);
    EXPECT_FALSE(desk.scene().encoding.parameters.at("values").contains("a")) << "one step";
}

// The right end of a track is about twice the number, or 1.
TEST(FormulaFields, ATrackReachesToTwiceItsNumber) {
    for (const auto& [value, reach] : std::vector<std::pair<double, double>>{{1.0, 2.0},
                                                                             {0.1, 1.0},
                                                                             {0.0, 1.0},
                                                                             {0.001, 0.002},
                                                                             {-3.0, 10.0},
                                                                             {40.0, 100.0},
                                                                             {1e-320, 1.0}}) {
        Fields desk(Json{{"frequency", "b^(-2i/d)(1.5 + sin(a))"}, {"values", {{"a", value}}}});
        const Rect track = desk.control("own.a");
        desk.drag(track.centre(), {track.x1 + 20.0F, track.centre().y});
        EXPECT_EQ(desk.scene().encoding.parameters.at("values").at("a"), reach) << value;
    }
}

// The ends of a track are typed: each by a click on it. What is no range is refused and the field stays.
TEST(FormulaFields, TheEndsOfATrackAreTyped) {
    Fields desk(Json{{"frequency", "b^(-2i/d)(1.5 + sin(a))"}});
    const auto ranges = [&] { return desk.scene().encoding.parameters.at("ranges"); };
    desk.click(desk.control("own.ranges.a.1").centre());
    desk.clear();
    desk.type("6.5");
    EXPECT_EQ(ranges(), (Json{{"a", {0.0, 6.5}}}));
    desk.click(desk.control("own.ranges.a.0").centre());
    desk.clear();
    desk.type("7");
    EXPECT_EQ(ranges(), (Json{{"a", {0.0, 6.5}}})) << "the lower end comes first";
    desk.clear();
    desk.type("-2");
    EXPECT_EQ(ranges(), (Json{{"a", {-2.0, 6.5}}}));
    const Rect track = desk.control("own.a");
    desk.drag(track.centre(), {track.x0 - 20.0F, track.centre().y});
    EXPECT_EQ(desk.scene().encoding.parameters.at("values").at("a"), -2.0);
    EXPECT_EQ(desk.control("own.a").x0, track.x0) << "the ends stay where they were typed";
    for (int steps = 0; steps < 3; ++steps) desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(ranges(), Json::object());
}

// A number is marked as learned, and the formulas go into the experiment's list, first.
TEST(FormulaFields, ATypedEncodingIsTrained) {
    Fields desk(Json{{"bias", "-s*log(1+abs(D)) + a"}});
    desk.click(desk.control("own.learned.s").centre());
    EXPECT_EQ(desk.scene().encoding.parameters.at("learned"), Json({"s"}));
    desk.click(desk.control("own.learned.a").centre());
    desk.click(desk.control("own.learned.s").centre());
    EXPECT_EQ(desk.scene().encoding.parameters.at("learned"), Json({"a"}));
    desk.click(desk.control("own.train").centre());
    desk.frame(3);
    EXPECT_EQ(desk.scene().bench, "experiment");
    EXPECT_TRUE(desk.bench.training.trainer().running());
    EXPECT_EQ(desk.bench.training.trainer().total(), 5U) << "its seeds alone: the others are finished";
    const auto shown = experiment::shown_in(desk.scene().view);
    ASSERT_TRUE(shown);
    EXPECT_EQ(experiment::json_of(shown->settings.encodings.front()),
              (Json{{"kind", "own"},
                    {"bias", "-s*log(1+abs(D)) + a"},
                    {"values", {{"a", 1.0}, {"s", 1.0}}},
                    {"learned", {"a"}}}));
    ASSERT_TRUE(desk.has("experiment.own"));
    desk.click(desk.control("experiment.own").centre());
    EXPECT_EQ(experiment::shown_in(desk.scene().view)->settings.encodings.front(), "none");
}

TEST(FormulaFields, AMistakeKeepsTheLastPictureAndIsUnderlined) {
    Fields desk;
    desk.open("own.frequency");
    desk.clear();
    desk.keys("b^(-2i/d) + q");
    EXPECT_EQ(desk.slot("frequency"), "b^(-2i/d)") << "the last that was good";
    ASSERT_TRUE(desk.has("own.mistake"));
    desk.key(ImGuiKey_Enter);
    EXPECT_EQ(desk.slot("frequency"), "b^(-2i/d)");
    // Left as it is, it stays to be mended; nothing that was typed is lost.
    desk.click({700.0F, 90.0F});
    EXPECT_EQ(desk.slot("frequency"), "b^(-2i/d)");
    desk.open("own.frequency");
    desk.key(ImGuiKey_End);
    desk.key(ImGuiKey_Backspace);
    desk.keys("i/100");
    EXPECT_EQ(desk.slot("frequency"), "b^(-2i/d) + i/100");
    EXPECT_FALSE(desk.has("own.mistake"));
    desk.key(ImGuiKey_Escape);
    EXPECT_EQ(desk.slot("frequency"), "b^(-2i/d)") << "Escape takes back what was typed";
}

// foo(D), fo and f are formulas on the way there, and none of them was meant.
TEST(FormulaFields, WhatIsRefusedLeavesTheFormulaBeforeItAndUndoTakesItBack) {
    Fields desk;
    desk.open("own.open.bias");
    desk.keys("-|D|");
    desk.key(ImGuiKey_Enter);
    const Scene before = desk.scene();
    desk.open("own.bias");
    desk.clear();
    desk.keys("foo(D)+");
    EXPECT_EQ(desk.slot("bias"), "-|D|");
    desk.click({700.0F, 90.0F});
    EXPECT_EQ(desk.scene(), before);
    EXPECT_EQ(desk.bench.host.formulas.draft, "foo(D)+") << "it stays in its field, to be mended";
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.scene(), before) << "undo takes back what was typed last";
    EXPECT_TRUE(desk.bench.host.formulas.slot.empty()) << "and the field has the formula that is shown";
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.slot("bias"), "");
}

// A formula that is typed over loses none of its numbers if nothing comes of that.
TEST(FormulaFields, WhatIsRefusedKeepsTheNumbersOfTheFormulaBeforeIt) {
    Fields desk(Json{{"bias", "-s*|D|"}, {"values", {{"s", 0.25}}}});
    const Scene before = desk.scene();
    desk.open("own.bias");
    desk.clear();
    desk.keys("-|D|");
    EXPECT_EQ(desk.slot("bias"), "-|D|") << "shown while it is typed";
    desk.keys("/");
    EXPECT_EQ(desk.scene(), before);
}

// Another formula is shown, by undo or a file: a draft over the one before it is gone.
TEST(FormulaFields, ADraftGoesWithTheFormulaItWasTypedOver) {
    Fields desk;
    desk.open("own.frequency");
    desk.keys("+");
    desk.click({700.0F, 90.0F});
    EXPECT_EQ(desk.bench.host.formulas.slot, "frequency");
    desk.bench.session.step(Fields::scene_with(Json{{"frequency", "1/(i+1)"}}));
    desk.frame(3);
    EXPECT_TRUE(desk.bench.host.formulas.slot.empty());
}

TEST(FormulaFields, NamesAreCompletedByTabAndByClick) {
    Fields desk(Json{{"bias", "-|D|"}});
    desk.open("own.open.scale");
    EXPECT_TRUE(desk.has("own.complete.D")) << "before a word is begun, the slot's own names";
    desk.keys("lo");
    EXPECT_TRUE(desk.has("own.complete.log2"));
    EXPECT_EQ(desk.slot("scale"), "") << "no name of one's own, but half of log";
    desk.key(ImGuiKey_Tab);
    desk.keys("(q + 2)");
    EXPECT_EQ(desk.slot("scale"), "log(q + 2)");
    desk.keys("/sq");
    desk.click(desk.control("own.complete.sqrt").centre());
    desk.frame(3);
    desk.keys("(L)");
    EXPECT_EQ(desk.slot("scale"), "log(q + 2)/sqrt(L)");
}

TEST(FormulaFields, AWordThatCouldGoOnIsANameOnceItEnds) {
    Fields desk(Json{{"bias", "-|D|"}});
    desk.open("own.open.scale");
    desk.keys("a");
    EXPECT_EQ(desk.slot("scale"), "") << "it may become abs";
    desk.keys("*2");
    EXPECT_EQ(desk.slot("scale"), "a*2");
    desk.keys(" + s");
    EXPECT_EQ(desk.slot("scale"), "") << "while it is not whole, the formula before it is shown";
    desk.key(ImGuiKey_Enter);
    EXPECT_EQ(desk.slot("scale"), "a*2 + s");
    EXPECT_TRUE(desk.has("own.s"));
}

TEST(FormulaFields, AnEmptiedSlotIsGone) {
    Fields desk(Json{{"frequency", "b^(-2i/d)"}, {"bias", "-|D|"}});
    desk.open("own.bias");
    desk.clear();
    EXPECT_EQ(desk.slot("bias"), "-|D|") << "not before it is meant";
    desk.key(ImGuiKey_Enter);
    EXPECT_EQ(desk.slot("bias"), "");
    desk.click(desk.control("own.without.frequency").centre());
    EXPECT_FALSE(desk.scene().encoding.parameters.contains("frequency"));
    EXPECT_TRUE(desk.has("own.open.frequency"));
}

TEST(FormulaFields, EveryKindCanBeChosenFromTheList) {
    Desk desk;
    desk.click(desk.control("encoding:more").centre());
    desk.key(ImGuiKey_End);
    desk.key(ImGuiKey_Enter);
    EXPECT_EQ(desk.scene().encoding.kind, "own");
}

}  // namespace
}  // namespace posiscope::test::formulas_pane_test
