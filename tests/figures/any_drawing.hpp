// any_drawing.hpp — one figure of any Scene at any size, with a mouse anywhere: what a generator or a fuzzer chooses is
// drawn on the recorder, and must leave nothing open, stay finite and hand back a Scene that holds.
#pragma once

#include "core/scene/comparison.hpp"
#include "tests/figures/recorder.hpp"
#include "tests/figures/stage.hpp"

#include "app/figures/figure.hpp"

#include <memory>

namespace posiscope::test {

// Thousands of them are drawn: what has no end but by sampling is sampled sooner than in a picture that somebody waits for.
inline constexpr double kDrawingWork = 1e7;

struct Drawing {
    Scene scene;
    std::size_t figure = 0, mode = 0, theme = 0;  // modulo how many there are
    Language language = Language::english;
    Rect area;
    float scale = 1.0F;
    Point mouse;
    float wheel = 0.0F;
    bool pressed = false, double_clicked = false;
    bool difference = false;  // B − A, where there is a B
};

// What is wrong with it, empty where nothing is.
inline std::string complaint_of(Drawing drawing) {
    const figures::Figure& figure = *figures::figures()[drawing.figure % figures::figures().size()];
    Scene& scene = drawing.scene;
    if (figure.modes != nullptr) {
        const auto modes = figure.modes(scene);
        figures::set_view_value(scene, figure.id, "mode", std::string(modes[drawing.mode % modes.size()]));
    }
    static Stage stage;
    stage.derived = {};
    figures::Derived of_b;
    for (figures::Derived* one : {&stage.derived, &of_b}) one->work_at_most(kDrawingWork);
    const auto b = compared_scene(scene);
    stage.other.reset();
    if (b && (drawing.difference ? figure.subtracts : figure.overlays))
        stage.other.emplace(figures::Other{*b, of_b, drawing.difference});
    stage.theme = ui::themes()[drawing.theme % ui::themes().size()].name;
    stage.language = drawing.language;
    stage.area = drawing.area;
    stage.pointer = figures::Pointer{.at = drawing.mouse,
                                     .inside = true,
                                     .down = drawing.pressed,
                                     .pressed = drawing.pressed,
                                     .double_clicked = drawing.double_clicked,
                                     .wheel = drawing.wheel};
    stage.drag_state = {};
    Recorder canvas;
    canvas.scale = drawing.scale;
    stage.draw(canvas, figure, scene);
    stage.other.reset();
    if (!canvas.balanced()) return "a clip is left open";
    if (!canvas.finite()) return "it draws at infinity";
    if (!canvas.drawable()) return "its columns cannot be told apart";
    if (canvas.line_points > 400'000) return "it draws more points than any screen has";
    if (!stage.next) return {};
    Scene next = std::move(*stage.next);
    settle(next);
    const auto again = overlay(Scene(), to_json(next));
    if (!again) return "what it hands back is refused: " + to_string(again.error());
    return again->scene == next ? std::string() : "what it hands back does not read back";
}

}  // namespace posiscope::test
