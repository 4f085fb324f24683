// mouse.hpp — the mouse over the figures: what it hovers, holds and highlights, and the tip it shows. Highlights take effect
// in the next frame, so that all figures show the same.
#pragma once

#include "app/figures/figure.hpp"
#include "app/ui/look.hpp"
#include "core/scene/words.hpp"

#include <array>
#include <optional>

namespace posiscope::workbench {

// The text field of a figure: Dear ImGui's, so that input methods and the clipboard work; and its stops of
// the Tab key.
class Field final : public figures::TextField {
public:
    // Call each frame before drawing figures.
    void begin(const ui::Look& look) {
        look_ = &look;
        drawn_ = reverted_ = false;
    }
    // Call after it: a field that is no longer drawn loses the keyboard.
    void end() { active_ = active_ && drawn_; }

    std::optional<std::string_view> edit(Rect area, std::string_view text, std::string_view hint,
                                         std::string_view help) override;
    figures::KeyStop key_stop(Rect area, std::string_view mark) override;
    bool active() const { return active_; }
    bool reverted() const { return reverted_; }  // left by Escape: the typed text is discarded

private:
    const ui::Look* look_ = nullptr;
    // Twice what a sentence may have, so that one that is too long is refused and not cut.
    std::array<char, 2 * kMostWords*(4 * kMostCharacters + 1)> text_{};
    bool active_ = false, drawn_ = false, reverted_ = false;
};

class Hand {
public:
    // Call before and after drawing all figures.
    void begin(const ui::Look& look, bool presenting);
    void end();

    // The mouse relative to an area, which becomes the ImGui item `id`.
    figures::Pointer pointer_over(const Rect& area, const char* id);
    // Takes the figure's tip, highlight and cursor.
    void take(const figures::Frame& frame);
    void rest_on(std::string_view figure) { next_hovered_ = figure; }

    std::string_view hovered() const { return hovered_; }  // the figure under the mouse; empty: none
    const figures::Link& link() const { return link_; }
    const figures::Tip& tip() const { return tip_; }
    figures::Cursor cursor() const { return cursor_; }
    bool changed() const { return changed_; }  // the highlight differs from the previous frame
    bool holds() const { return drag_state_.active() || field_.active(); }
    bool drags() const { return drag_state_.active(); }

    figures::DragState& drag_state() { return drag_state_; }
    Field& field() { return field_; }

private:
    // When presenting begins and ends, figures do not see the mouse until it moves or presses: nobody chose the spot under it.
    void rest();

    bool presenting_ = false, resting_ = false;
    std::optional<Point> rests_at_;  // pixels
    Point room_;
    figures::DragState drag_state_;
    Field field_;
    figures::Link link_, next_link_;
    figures::Tip tip_;
    figures::Cursor cursor_ = figures::Cursor::arrow;
    std::string_view hovered_, next_hovered_;
    Point press_;
    bool press_moved_ = false, changed_ = false;
};

}  // namespace posiscope::workbench
