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
    scrolled(panel, "##examples", area, [&](Rect room) {
        std::string_view bench;
        for (const ui::Example& example : ui::known_examples()) {
            if (example.scene.bench != bench) {
                bench = example.scene.bench;
                label(look, {room.x0, room.y0 + 15.0F},
                      look.text(look.scratch->format("bench.{}.name", bench)), theme.ink_soft,
                      ui::kSmallSize);
                room.cut_top(24.0F);
            }
            const std::string_view help = ui::words(example.help, language);
            const int lines =
                ui::line_count(LabelMeasure(look), help, ui::Face::text, ui::kSmallSize, room.width());
            Rect line = room.cut_top(29.0F + 1.3F * ui::kSmallSize * static_cast<float>(lines));
            const Rect ground{line.x0 - 8.0F, line.y0, line.x1 + 8.0F, line.y1};
            if (flat(panel, ground, look.scratch->format("example:{}", example.id)).clicked)
                panel.ask(Verb::show_example, example.id);
            if (panel.scene == example.scene)
                fill({ground.x0, ground.y0 + 2.0F, ground.x0 + 3.0F, ground.y1 - 2.0F}, theme.ink);
            label(look, {line.x0, line.y0 + 17.0F}, ui::words(example.name, language), theme.ink);
            line.cut_top(23.0F);
            say(look, line, help, theme.ink_soft, 0.0F, ui::Numbers::plain, ui::kSmallSize);
            room.cut_top(6.0F);
        }
        ImGui::SetCursorScreenPos({room.x0, room.y0});
        ImGui::Dummy({1.0F, 1.0F});
    });
}

}  // namespace posiscope::panels
