// hand.hpp — one figure and a mouse over it, without a window: the Scene that the figure returns is used for the next
// frame, as in the workbench.
#pragma once

#include "app/figures/figure.hpp"
#include "app/figures/parts/headline.hpp"
#include "tests/figures/recorder.hpp"

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
        : scene(std::move(begin)),
          background_(background),
          figure_(*figures::find_figure(figure)),
          area_(where) {
        derived_.work_in(background);
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
        grip_ = {};
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
    Point handle(std::string_view name) const {
        for (const figures::HandleMark& mark : marks_)
            if (mark.handle == name) return mark.at;
        ADD_FAILURE() << "no handle " << name;
        return {};
    }

    Scene scene;
    figures::Link link;               // what another figure lights up
    std::optional<figures::Other> b;  // B of a comparison
    double ahead = 0.0;               // while playing

    Recorder canvas;  // of the last frame
    std::string headline, tip_formula, tip_value, tip_detail;
    figures::Link hovered;

private:
    void frame() {
        canvas = {};
        marks_.clear();
        mouse_.inside = true;
        if (background_ != nullptr) background_->begin_frame();
        figures::Frame frame{.canvas = canvas,
                             .theme = ui::theme("dark"),
                             .strings = strings_,
                             .scratch = *scratch_,
                             .derived = derived_,
                             .scene = scene,
                             .link = link,
                             .pointer = &mouse_,
                             .grip = &grip_,
                             .other = b ? &*b : nullptr,
                             .next = {},
                             .hovered = {},
                             .tip = {},
                             .cursor = {},
                             .marks = &marks_,
                             .figure = figure_.id,
                             .mode = figures::mode(figure_, scene),
                             .ahead = ahead};
        headline = figures::headline(figure_, frame);
        figure_.draw(frame, area_);
        hovered = frame.hovered;
        tip_formula = frame.tip.formula;
        tip_value = frame.tip.value;
        tip_detail = frame.tip.details[0];
        EXPECT_TRUE(canvas.balanced() && canvas.finite());
        if (frame.next) scene = std::move(*frame.next);
    }

    figures::Background* background_;
    const figures::Figure& figure_;
    Rect area_;
    Strings strings_{Language::english, Strings::Missing::throws};
    std::unique_ptr<ui::Scratch> scratch_ = std::make_unique<ui::Scratch>();
    figures::Derived derived_;
    figures::Pointer mouse_{.at = {-1.0F, -1.0F}};
    figures::Grip grip_;
    Point from_;
    std::vector<figures::HandleMark> marks_;
};

}  // namespace posiscope::test
