// running.cpp — the running export, in the corner, with a Stop button.
#include "app/panels/experiment.hpp"
#include "app/panels/outside.hpp"
#include "app/panels/panels.hpp"

#include <imgui.h>

namespace posiscope::panels {
namespace {

void running(Panel& panel, RunningView& view, Rect area) {
    if (!view.running) return;
    const ui::Look& look = panel.look;
    const Running& now = *view.running;
    ImGui::SetNextWindowPos({area.x1 - 14.0F, area.y1 - 14.0F}, ImGuiCond_Always, {1.0F, 1.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {16.0F, 10.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look.theme->popup);
    if (ImGui::Begin("##running", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                         ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoFocusOnAppearing)) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(look.c(now.name));
        ImGui::SameLine(0.0F, 10.0F);
        ImGui::TextDisabled("%s",
                            look.c(now.count == 0 ? look.text("export.working")
                                                  : look.format("film.progress", fmt::arg("at", now.done),
                                                                fmt::arg("count", now.count))));
        ImGui::SameLine(0.0F, 16.0F);
        ImGui::PushStyleColor(ImGuiCol_Button, look.theme->control);
        if (ImGui::Button(look.c(look.text("export.stop")))) view.stop = true;
        ImGui::PopStyleColor();
        const ImVec2 at = ImGui::GetItemRectMin(), end = ImGui::GetItemRectMax();
        panel.mark("export_stop", {at.x, at.y, end.x, end.y});
        if (now.count > 0) {
            const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
            const float part = std::min(1.0F, static_cast<float>(now.done) / static_cast<float>(now.count));
            ImGui::GetWindowDrawList()->AddRectFilled(
                {from.x + 1.0F, from.y + size.y - 4.0F},
                {from.x + 1.0F + (size.x - 2.0F) * part, from.y + size.y - 1.0F}, look.theme->seen, 1.5F);
        }
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
}

// The experiment's progress while another bench is shown, above a running export.
void training(Panel& panel, CornerView& view, Rect area) {
    if (panel.scene.bench == "experiment") return;
    if (view.above_export) area.y1 -= 56.0F;
    experiment_corner(panel, view.experiment, area);
}

}  // namespace

extern const PanelEntry kRunning{.id = "running", .draw = with_view<RunningView, running>};
extern const PanelEntry kTraining{.id = "training", .draw = with_view<CornerView, training>};

}  // namespace posiscope::panels
