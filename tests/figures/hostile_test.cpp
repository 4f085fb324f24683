// Scenes that nobody means: what a file can name must not write past a row, run without end, or end the window.
#include "app/figures/parts/guarded.hpp"
#include "tests/figures/hand.hpp"

#include <stdexcept>

namespace posiscope::test {
namespace {

TEST(Guarded, AFigureThatThrowsLeavesASentenceAndNothingElse) {
    Recorder canvas;
    const Strings strings(Language::english, Strings::Missing::throws);
    const auto scratch = std::make_unique<ui::Scratch>();
    figures::Derived derived;
    const Scene scene;
    const figures::Link link;
    figures::Frame frame{.canvas = canvas,
                         .theme = ui::theme("dark"),
                         .strings = strings,
                         .scratch = *scratch,
                         .derived = derived,
                         .scene = scene,
                         .link = link,
                         .next = {},
                         .hovered = {},
                         .tip = {},
                         .cursor = {},
                         .marks = nullptr,
                         .figure = "matrix",
                         .mode = {}};
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

}  // namespace
}  // namespace posiscope::test
