// running.cpp — the running export, in the corner, with a Stop button.
#include "app/panels/experiment.hpp"
#include "app/panels/guide_parts.hpp"
#include "app/panels/outside.hpp"
#include "app/panels/panels.hpp"

#include <imgui.h>

namespace posiscope::panels {
namespace {

void running(Panel& panel, RunningView& view, Rect area) {
    if (!view.running) return;
    const ui::Look& look = panel.look;
    const Running& now = *view.running;
    if (parts::begin_box(look, "##running", area, parts::Foot::right)) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(look.c(now.name));
        ImGui::SameLine(0.0F, 10.0F);
        ImGui::TextDisabled("%s",
                            look.c(now.count == 0 ? look.text("export.working")
                                                  : look.format("film.progress", fmt::arg("at", now.done),
                                                                fmt::arg("count", now.count))));
        ImGui::SameLine(0.0F, 16.0F);
        if (ImGui::Button(look.c(look.text("export.stop")))) panel.ask(Verb::stop_export);
        panel.mark("export_stop", parts::last_item());
        if (now.count > 0) {
            const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
            const float part = std::min(1.0F, static_cast<float>(now.done) / static_cast<float>(now.count));
            fill({from.x + 1.0F, from.y + size.y - 4.0F, from.x + 1.0F + (size.x - 2.0F) * part,
                  from.y + size.y - 1.0F},
                 look.theme->seen, 1.5F);
        }
    }
    parts::end_box();
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
