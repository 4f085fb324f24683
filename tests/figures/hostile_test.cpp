// Scenes that nobody means: what a file can name must not write past a row, run without end, or end the window.
#include "app/figures/parts/explain.hpp"
#include "tests/figures/hand.hpp"

#include <stdexcept>

namespace posiscope::test::hostile_test {
namespace {

TEST(Guarded, AFigureThatThrowsLeavesASentenceAndNothingElse) {
    Recorder canvas;
    Stage stage;
    const Scene scene;
    figures::Frame frame = stage.frame(canvas, *figures::find_figure("matrix"), scene);
    const Rect area{0.0F, 0.0F, 400.0F, 300.0F};
    figures::guarded(frame, area, [&] {
        const canvas::Clip clip(canvas, area);
        frame.edit().position = 99;
        frame.tip.value = "half said";
        throw std::logic_error("two and two");
    });
    EXPECT_TRUE(canvas.balanced());
    EXPECT_TRUE(canvas.says("two and two"));
    EXPECT_FALSE(frame.next);
    EXPECT_FALSE(frame.tip.shown());

    figures::guarded(frame, area, [] { throw std::bad_alloc(); });
    EXPECT_TRUE(canvas.says("not enough memory"));
}

// A step of one is lost in what is larger than 2^53: slow waves ended never, or when the memory did.
TEST(Hostile, WavesTooSlowToBendEnd) {
    for (const Json& scene : {Json{{"base", 1e15}, {"view", {{"waves", {{"range", {0, 4}}}}}}},
                              Json{{"encoding", "rope"}, {"base", 1e18}, {"length", 4096}, {"num_heads", 16}},
                              // B turns once a few positions where A hardly turns at all.
                              Json{{"base", 1e18}, {"length", 2147483647}, {"compare", {{"base", 1.5}}}}}) {
        Hand hand("waves", scene_of(scene));
        const auto b = compared_scene(hand.scene);
        figures::Derived derived;
        if (b) hand.b.emplace(figures::Other{*b, derived});
        hand.move({200.0F, 200.0F});
        EXPECT_LT(hand.canvas.line_points, 100'000U);
        hand.b.reset();
    }
}

// Any number of findings: the rows are as many as there is room for, and the wheel reaches the others.
TEST(Hostile, MoreFindingsThanRoomAreCountedAndReached) {
    Json ignored = Json::array();
    for (int i = 0; i < 3000; ++i) ignored.push_back("setting" + std::to_string(i));
    const Scene scene = scene_of({{"encoding", "rope"},
                                  {"trained", {{"length", 4096}}},
                                  {"view", {{"model", {{"length", 4096}, {"ignored", ignored}}}}}});
    for (const Rect area : {Rect{0.0F, 0.0F, 640.0F, 480.0F}, Rect{0.0F, 0.0F, 120.0F, 30.0F},
                            Rect{0.0F, 0.0F, 1200.0F, 4000.0F}}) {
        Hand hand("check", scene, area);
        const auto more = [&] {
            for (const std::string& text : hand.canvas.texts)
                if (text.starts_with("and ")) return std::stoi(text.substr(4));
            return 0;
        };
        EXPECT_GT(more(), 2900);
        hand.wheel(area.centre(), -20.0F);
        const Json first = hand.scene.view["check"]["first"];
        EXPECT_EQ(first, 60);
        for (int i = 0; i < 60; ++i) hand.wheel(area.centre(), -30.0F);
        EXPECT_GT(hand.scene.view["check"]["first"], 2900);
        for (int i = 0; i < 60; ++i) hand.wheel(area.centre(), 30.0F);
        EXPECT_FALSE(hand.scene.view.contains("check"));
    }
}

// What has no room in its row stands in the tip, to its last word.
TEST(Hostile, ASentenceThatIsCutCanBeReadInFull) {
    const std::string key(200, 'k');
    Hand hand("check",
              scene_of({{"encoding", "rope"},
                        {"trained", {{"length", 4096}}},
                        {"view", {{"model", {{"length", 4096}, {"ignored", {key, key, key}}}}}}}),
              {0.0F, 0.0F, 320.0F, 150.0F});
    bool read = false;
    for (float y = 4.0F; y < 150.0F; y += 4.0F) {
        hand.move({100.0F, y});
        read = read || hand.tip_detail.find(key) != std::string::npos;
        EXPECT_TRUE(hand.tip_detail.empty() || hand.tip_detail.ends_with(".")) << hand.tip_detail;
    }
    EXPECT_TRUE(read);
}

// Where a canvas lays its pixels decides how columns are drawn: at every size and scale the figure must have foreseen it.
TEST(Hostile, ColumnsAreTwoPixelsWideOrDrawnAsBlocks) {
    Stage stage;
    const figures::Figure& figure = *figures::find_figure("matrix");
    for (const char* encoding : {"rope", "sinusoidal"})
        for (const std::int64_t length : {64, 131073}) {
            const Scene scene = scene_of({{"encoding", encoding}, {"d_model", 128}, {"length", length}});
            for (const float scale : {0.25F, 0.5F, 1.0F, 1.25F, 1.5F, 2.0F})
                for (float width = 250.0F; width < 1300.0F; width += 0.37F / scale) {
                    const float columns = (width - 154.0F) * scale;
                    if (std::abs(columns - 256.0F) > 3.0F) continue;  // where the two ways meet
                    Recorder canvas;
                    canvas.scale = scale;
                    stage.area = {0.31F, 0.0F, 0.31F + width, 300.0F};
                    stage.draw(canvas, figure, scene);
                    ASSERT_TRUE(canvas.drawable())
                        << encoding << " " << length << " " << width << " × " << scale;
                }
        }
}

}  // namespace
}  // namespace posiscope::test::hostile_test
