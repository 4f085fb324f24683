#include "app/workbench/panel_host.hpp"

#include <algorithm>
#include <imgui.h>
#include <imgui_internal.h>

namespace posiscope::workbench {
namespace {

constexpr float kSheetContent = 560.0F;  // points that the sidebar needs where it stands below the figure

}  // namespace

void PanelHost::draw(const ui::Look& look, const panels::PanelEntry& entry, const panels::Views& views,
                     Rect area) {
    panels::Panel panel{.look = look,
                        .scene = session_.shown(),
                        .settled = session_.shown_settled(),
                        .typing = typing,
                        .next = {},
                        .adjusted = {},
                        .held = false,
                        .marks = stage_.seen.marks(),
                        .points = {},
                        .pointed = nullptr,
                        .formulas = &formulas};
    const Guide& guide = teaching_.guide();
    if (entry.edge == panels::Edge::left && guide.open() && guide.step() != nullptr) {
        panel.points = guide.step()->point;
        panel.pointed = &stage_.seen.pointed;
    }
    if (entry.scrolls) {
        ImGui::SetCursorScreenPos({area.x0, area.y0});
        ImGui::PushID(entry.id.data(), entry.id.data() + entry.id.size());
        if (ImGui::BeginChild("##panel", {area.width() - 1.0F, area.height()}, ImGuiChildFlags_NavFlattened,
                              ImGuiWindowFlags_NoBackground)) {
            ImGui::GetWindowDrawList()->_FringeScale = 1.0F / look.pixels_per_point;
            Rect inside{area.x0, area.y0 - ImGui::GetScrollY(), area.x1, area.y1};
            // Below the figure the sidebar has less height than its content needs, and scrolls.
            if (sizing_.upright()) inside.y1 = inside.y0 + std::max(area.height(), kSheetContent);
            entry.draw(panel, views, inside);
        }
        ImGui::EndChild();
        ImGui::PopID();
    } else {
        entry.draw(panel, views, area);
    }
    held = held || panel.held;
    if (panel.next) session_.edit(std::move(*panel.next), std::move(panel.adjusted));
    else if (!panel.adjusted.empty()) session_.edit_a(session_.scene(), std::move(panel.adjusted));
}

}  // namespace posiscope::workbench
