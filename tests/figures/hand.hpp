// hand.hpp — one figure and a mouse over it, without a window: the Scene that the figure returns is used for the next
// frame, as in the workbench.
#pragma once

#include "app/figures/figure.hpp"
#include "app/figures/parts/headline.hpp"
#include "tests/figures/recorder.hpp"
#include "tests/figures/stage.hpp"

#include <gtest/gtest.h>

namespace posiscope::test {

inline Scene scene_of(const Json& partial) {
    auto laid = overlay(Scene(), partial);
    EXPECT_TRUE(laid) << to_string(laid.error());
    return laid ? laid->scene : Scene();
}

class Hand {
public:
    // With a background its frames are those of a window: slow values are rough at first.
    Hand(std::string_view figure, Scene begin, Rect where = {0.0F, 0.0F, 640.0F, 480.0F},
         figures::Background* background = nullptr)
        : scene(std::move(begin)), figure_(*figures::find_figure(figure)) {
        stage_.area = where;
        stage_.derived.work_in(background);
        frame();
    }

    void move(Point to) {
        mouse_.at = to;
        if (mouse_.down && length(to - from_) > 3.0F) mouse_.moved = true;
        frame();
    }
    void press() {
        from_ = mouse_.at;
        mouse_.moved = false;
        mouse_.down = mouse_.pressed = true;
        frame();
        mouse_.pressed = false;
    }
    void release() {
        mouse_.down = false;
        mouse_.released = true;
        frame();
        mouse_.released = false;
        stage_.drag_state = {};
        frame();
    }
    void begin_drag(Point from, Point to, int steps = 8) {
        move(from);
        press();
        for (int i = 1; i <= steps; ++i)
            move(from + (static_cast<float>(i) / static_cast<float>(steps)) * (to - from));
    }
    void drag(Point from, Point to, int steps = 8) {
        begin_drag(from, to, steps);
        release();
    }
    void wheel(Point at, float by) {
        mouse_.at = at;
        mouse_.wheel = by;
        frame();
        mouse_.wheel = 0.0F;
        frame();
    }
    bool has(std::string_view handle) const {
        return std::ranges::find(stage_.marks, handle, &figures::HandleMark::handle) != stage_.marks.end();
    }
    Point handle(std::string_view name) const {
        for (const figures::HandleMark& mark : stage_.marks)
            if (mark.handle == name) return mark.at;
        ADD_FAILURE() << "no handle " << name;
        return {};
    }

    Scene scene;
    figures::Link link;                // what another figure lights up
    std::optional<figures::Other> b;   // B of a comparison
    double fractional_position = 0.0;  // while playing

    Recorder canvas;  // of the last frame
    std::string headline, tip_formula, tip_value, tip_detail;
    figures::Link hovered;

private:
    void frame() {
        canvas = {};
        mouse_.inside = true;
        stage_.pointer = mouse_;
        stage_.link = link;
        stage_.other.reset();
        if (b) stage_.other.emplace(*b);
        stage_.fractional_position = fractional_position;
        stage_.draw(canvas, figure_, scene);
        headline = stage_.headline;
        hovered = stage_.hovered;
        tip_formula = stage_.tip_formula;
        tip_value = stage_.tip_value;
        tip_detail = stage_.tip_details[0];
        EXPECT_TRUE(canvas.balanced() && canvas.finite());
        if (stage_.next) scene = std::move(*stage_.next);
    }

    Stage stage_;
    const figures::Figure& figure_;
    figures::Pointer mouse_{.at = {-1.0F, -1.0F}};
    Point from_;
};

}  // namespace posiscope::test
