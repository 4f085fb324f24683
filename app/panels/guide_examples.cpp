// guide_examples.cpp — scenes worth seeing, bench by bench, in the guide's pane.
#include "app/panels/controls.hpp"
#include "app/panels/guide_parts.hpp"
#include "app/ui/known.hpp"
#include "app/ui/lines.hpp"

#include <imgui.h>

namespace posiscope::panels {

using namespace parts;

void examples(Panel& panel, Rect area) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const Language language = look.strings->language();
    ImGui::SetCursorScreenPos({area.x0 - 10.0F, area.y0});
    if (ImGui::BeginChild("##examples", {area.width() + 20.0F, std::max(area.height(), 60.0F)},
                          ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_NoBackground)) {
        const float to = area.x1 - 6.0F;
        float y = ImGui::GetCursorScreenPos().y;
        std::string_view bench;
        for (const ui::Example& example : ui::known_examples()) {
            if (example.scene.bench != bench) {
                bench = example.scene.bench;
                label(look, {area.x0, y + 15.0F}, look.text(look.scratch->format("bench.{}.name", bench)),
                      theme.ink_soft, ui::kSmallSize);
                y += 24.0F;
            }
            const std::string_view help = ui::words(example.help, language);
            const LabelMeasure measure(look);
            int lines = 0;
            for (std::string_view rest = help; !rest.empty(); ++lines)
                rest.remove_prefix(ui::line_end(measure, rest, ui::Face::text, ui::kSmallSize, to - area.x0));
            const Rect place{area.x0 - 8.0F, y, to + 8.0F, y + 28.0F + 17.0F * static_cast<float>(lines)};
            const Pressed pressed = press(panel, place, look.scratch->format("example:{}", example.id));
            if (pressed.hovered) fill(place, theme.control, 6.0F);
            if (panel.scene == example.scene)
                fill({place.x0 - 2.0F, place.y0 + 2.0F, place.x0 + 1.0F, place.y1 - 2.0F}, theme.ink, 0.0F);
            if (pressed.clicked) panel.ask(Verb::show_example, example.id);
            label(look, {area.x0, y + 17.0F}, ui::words(example.name, language), theme.ink);
            float line = y + 36.0F;
            for (std::string_view rest = help; !rest.empty(); line += 17.0F) {
                const std::size_t end =
                    ui::line_end(measure, rest, ui::Face::text, ui::kSmallSize, to - area.x0);
                label(look, {area.x0, line}, rest.substr(0, end), theme.ink_soft, ui::kSmallSize);
                rest.remove_prefix(end);
            }
            y = place.y1 + 6.0F;
        }
        ImGui::SetCursorScreenPos({area.x0, y});
        ImGui::Dummy({1.0F, 1.0F});
    }
    ImGui::EndChild();
}

}  // namespace posiscope::panels
