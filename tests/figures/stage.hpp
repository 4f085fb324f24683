// stage.hpp — everything that a frame needs besides the figure and its Scene. A test sets what it is about and draws; what
// the frame hands back stays here.
#pragma once

#include "app/figures/figure.hpp"
#include "app/figures/parts/headline.hpp"

#include <memory>
#include <string>

namespace posiscope::test {

// A string that is missing throws.
inline const Strings& strings(Language language) {
    static const Strings english(Language::english, Strings::Missing::throws),
        chinese(Language::chinese, Strings::Missing::throws);
    return language == Language::english ? english : chinese;
}

struct Stage {
    std::string_view theme = "dark";
    Language language = Language::english;
    Rect area{0.0F, 0.0F, 520.0F, 640.0F};
    figures::Derived
        derived;  // what figures keep from one frame to the next; with a Background, frames of a window
    figures::Link link;
    std::optional<figures::Pointer> pointer;  // none: a picture that is not a window
    figures::DragState drag_state;
    std::optional<figures::Other> other;  // B of a comparison
    double fractional_position = 0.0;

    // Of the last frame.
    std::string headline, tip_formula, tip_value;
    std::array<std::string, 3> tip_details;
    figures::Link hovered;
    std::optional<Scene> next;
    std::vector<figures::HandleMark> marks;

    void point(Point at) { pointer = figures::Pointer{.at = at, .inside = true}; }

    // For a test that draws with it itself.
    figures::Frame frame(canvas::Canvas& canvas, const figures::Figure& figure, const Scene& scene) {
        scratch_->reset();
        marks.clear();
        if (figures::Background* background = derived.background()) background->begin_frame();
        return {.canvas = canvas,
                .theme = ui::theme(theme),
                .strings = strings(language),
                .scratch = *scratch_,
                .derived = derived,
                .scene = scene,
                .link = link,
                .pointer = pointer ? &*pointer : nullptr,
                .drag_state = pointer ? &drag_state : nullptr,
                .other = other ? &*other : nullptr,
                .next = {},
                .hovered = {},
                .tip = {},
                .cursor = {},
                .marks = &marks,
                .figure = figure.id,
                .mode = figures::mode(figure, scene),
                .fractional_position = fractional_position};
    }

    void draw(canvas::Canvas& canvas, const figures::Figure& figure, const Scene& scene) {
        figures::Frame shown = frame(canvas, figure, scene);
        headline = figures::headline(figure, shown);
        figure.draw(shown, area);
        hovered = shown.hovered;
        tip_formula = shown.tip.formula;
        tip_value = shown.tip.value;
        for (std::size_t i = 0; i < tip_details.size(); ++i) tip_details[i] = shown.tip.details[i];
        next = std::move(shown.next);
    }

private:
    std::unique_ptr<ui::Scratch> scratch_ = std::make_unique<ui::Scratch>();
};

}  // namespace posiscope::test
