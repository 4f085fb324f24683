// guide_parts.hpp — what lessons, claims and examples share in the guide's pane.
#pragma once

#include "app/panels/controls.hpp"
#include "app/panels/panel.hpp"

struct ImDrawList;
using ImGuiHoveredFlags = int;

namespace posiscope::panels::parts {

inline constexpr float kMargin = 20.0F, kTitleSize = 18.0F, kButton = 38.0F, kGap = 10.0F;

ImDrawList& draw_list();
void fill(Rect r, ui::Colour colour, float rounding);
void outline(Rect r, ui::Colour colour, float rounding);
void rule(const ui::Look& look, Rect& area);

// Text from the top of an area; takes the room it needs.
void say(const ui::Look& look, Rect& area, std::string_view text, ui::Colour colour, float after = kGap,
         ui::Numbers numbers = ui::Numbers::plain, float size = ui::kTextSize);

// A formula by itself, smaller where it would be wider than the area.
void formula(const ui::Look& look, Rect& area, std::string_view formula, float after = kGap);

// A button; Tab reaches it, unless other keys do the same.
struct Pressed {
    bool clicked, hovered;
};
Pressed press(Panel& panel, Rect area, std::string_view id, bool by_tab = true);
bool button(Panel& panel, Rect area, std::string_view id, std::string_view text, bool primary = false);
// A quiet word that can be pressed.
bool word(Panel& panel, Point right_or_left, Side side, std::string_view id, std::string_view text);

// A box at the lower edge of an area: at its right end, or in the middle. end_box() follows, whatever it returns.
enum class Foot { right, middle };
bool begin_box(const ui::Look& look, const char* name, Rect area, Foot foot);
void end_box();
// The place of the last item.
Rect last_item();
// True if a popup is to be closed: Escape, or a press outside of it.
bool leaves_popup(ImGuiHoveredFlags also = 0);

// The three words at the head of the pane, and ✕.
void tabs(Panel& panel, GuideView& view, Rect& area);
// The text of a step, in fields; and what was typed into one, without its breaks of lines.
void edit_step(Panel& panel, StepEdit& edit, Rect area);
std::string in_one_line(std::string_view text);
// The answers of a test.
void results(Panel& panel, GuideView& view, Rect area);

}  // namespace posiscope::panels::parts
