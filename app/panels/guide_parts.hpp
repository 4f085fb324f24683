// guide_parts.hpp — what lessons, claims and examples share in the guide's pane.
#pragma once

#include "app/panels/controls.hpp"

#include <imgui.h>

namespace posiscope::panels::parts {

inline constexpr float kMargin = 20.0F, kTitleSize = 18.0F, kButton = 38.0F, kGap = 10.0F;

// Scrolls to content that has no room in an area.
template <class Draw>
void scrolled(Panel& panel, const char* name, Rect area, Draw draw) {
    constexpr float kBeside = 8.0F;  // of the tracks, for their handles and the ring of the keyboard
    constexpr float kEndless = 1e5F;
    ImGui::SetCursorScreenPos({area.x0 - kBeside, area.y0});
    if (ImGui::BeginChild(name, {area.width() + kBeside + kMargin - 1.0F, std::max(area.height(), 60.0F)},
                          ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_NoBackground)) {
        draw_list()._FringeScale = 1.0F / panel.look.pixels_per_point;
        const float top = ImGui::GetCursorScreenPos().y + 2.0F;
        draw(Rect{area.x0, top, area.x1, top + kEndless});
    }
    ImGui::EndChild();
}

// A formula by itself, smaller where it would be wider than the area.
void formula(const ui::Look& look, Rect& area, std::string_view formula, float after = kGap);

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
