// What a figure keeps from one Scene must be nothing but what it would make anew for the next: random scenes, one value
// changed at a time.
#include "app/figures/figure.hpp"
#include "app/figures/parts/headline.hpp"
#include "tests/core/random_scenes.hpp"
#include "tests/figures/fingerprint.hpp"
#include "tests/figures/stage.hpp"
#include "tests/sanitized.hpp"

#include <gtest/gtest.h>

namespace posiscope::test::kept_test {
namespace {

using figures::Figure;

constexpr int kChanges = kSanitized ? 50 : 400;

// A figure's frames, with what it keeps for the two sides of a comparison.
struct Sides {
    Stage stage;
    figures::Derived b;

    Sides() {
        for (figures::Derived* one : {&stage.derived, &b})
            one->work_at_most(1e7);  // some of the scenes have no end
    }
};

struct Look {
    Rect area;
    float pixels_per_point = 1.0F;
    std::optional<Point> mouse;
    bool difference = false;
};

// Draws a Scene, and B beside it where it has one and the figure can.
Fingerprint draw(const Figure& figure, const Scene& scene, const Look& look, Sides& kept) {
    Fingerprint canvas(look.pixels_per_point);
    Stage& stage = kept.stage;
    stage.area = look.area;
    stage.pointer.reset();
    if (look.mouse) stage.point(*look.mouse);
    stage.drag_state = {};
    const auto b = compared_scene(scene);
    stage.other.reset();
    if (b && (look.difference ? figure.subtracts : figure.overlays))
        stage.other.emplace(figures::Other{*b, kept.b, look.difference});
    stage.draw(canvas, figure, scene);
    stage.other.reset();
    for (const std::string& words : {stage.headline, stage.tip_formula, stage.tip_value, stage.tip_details[0],
                                     stage.tip_details[1], stage.tip_details[2]})
        canvas.text({}, words, {});
    return canvas;
}

void choose_mode(RandomScenes& random, const Figure& figure, Scene& scene) {
    if (figure.modes == nullptr) return;
    const auto modes = figure.modes(scene);
    figures::set_view_value(scene, figure.id, "mode", std::string(modes[random.below(modes.size())]));
}

std::string named(const Figure& figure, const Scene& scene) {
    return std::string(figure.id) + " " + std::string(figures::mode(figure, scene)) + " of " +
           to_partial_json(scene).dump();
}

// Dynamic NTK reads the trained length where no max_position_embeddings is given.
TEST(Kept, ASpectrumIsMadeAnewForAnotherTrainedLength) {
    const auto scene_of = [](std::int64_t trained) {
        const Json partial{
            {"encoding", {{"kind", "rope"}, {"rope_scaling", {{"rope_type", "dynamic"}, {"factor", 4.0}}}}},
            {"d_model", 64},
            {"length", 256},
            {"trained", {{"length", trained}}}};
        return overlay(Scene(), partial)->scene;
    };
    figures::Derived derived;
    const double before = derived.spectrum(scene_of(64))->frequency[31];
    const double after = derived.spectrum(scene_of(256))->frequency[31];
    EXPECT_NE(before, after);
    EXPECT_EQ(after, spectrum_of(scene_of(256))->frequency[31]);
}

TEST(Kept, WhatIsKeptIsWhatWouldBeMadeAnew) {
    RandomScenes random(20261123);
    for (int i = 0; i < kChanges; ++i) {
        Scene scene = random.next();
        // What one value changes must be seen, and soon: a picture of a moderate Scene.
        if (auto laid = overlay(scene, {{"d_model", 64}, {"length", 96}})) scene = laid->scene;
        const Figure& figure = *random.one_of(figures::figures());
        choose_mode(random, figure, scene);
        const Look look{{0.0F, 0.0F, 420.0F, 360.0F}, 1.0F, Point{210.0F, 180.0F}, random.once_in(2)};
        Sides kept;
        draw(figure, scene, look, kept);
        for (int change = 0; change < 3; ++change) {
            const auto [next, key] = random.with_one_changed(scene);
            Sides fresh;
            ASSERT_EQ(draw(figure, next, look, kept).value(), draw(figure, next, look, fresh).value())
                << key << " of " << named(figure, next) << " after " << to_partial_json(scene).dump();
            scene = next;
        }
    }
}

}  // namespace
}  // namespace posiscope::test::kept_test
