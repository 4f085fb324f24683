#include "app/workbench/tiles.hpp"

#include "app/panels/widgets.hpp"
#include "app/ui/lines.hpp"

#include <imgui.h>
#include <utility>

namespace posiscope::workbench {
namespace {

// An explanation is a strip below the headline where the picture keeps most of its room, else a popup.
constexpr float kInfoSize = ui::kSmallSize, kInfoLine = 1.3F * ui::kSmallSize;

struct Info {
    std::string_view explain, symbols;
    float height;
};
Info info_of(const ui::Look& look, const figures::Figure& figure, float width) {
    Info info{look.text(look.scratch->format("figure.{}.explain", figure.id)), {}, 0.0F};
    if (const std::string_view key = look.scratch->format("figure.{}.symbols", figure.id);
        look.strings->contains(key))
        info.symbols = look.text(key);
    const panels::LabelMeasure measure(look);
    for (const std::string_view text : {info.explain, info.symbols})
        if (!text.empty())
            info.height += 6.0F + kInfoLine * static_cast<float>(ui::line_count(measure, text, ui::Face::text,
                                                                                kInfoSize, width - 24.0F));
    info.height += 10.0F;
    return info;
}

void say_info(const ui::Look& look, const Info& info, Point at, float width) {
    for (const std::string_view text : {info.explain, info.symbols}) {
        if (text.empty()) continue;
        ImGui::SetCursorScreenPos({at.x, at.y});
        panels::prose(look, text, width, text == info.explain ? look.theme->ink : look.theme->ink_soft,
                      kInfoSize);
        at.y += ImGui::GetItemRectSize().y + 6.0F;
    }
}

}  // namespace

void FigureInfo::button(Stage& stage, panels::Panel& panel, const figures::Figure& figure, Point centre) {
    const ui::Look& look = panel.look;
    const Rect area = Rect{centre.x, centre.y, centre.x, centre.y}.grown(13.0F);
    const panels::Pressed pressed = panels::flat(panel, area, look.scratch->format("{}:info", figure.id));
    const ui::Colour ink = pressed.lit || of_ == figure.id ? look.theme->ink : look.theme->ink_soft;
    stage.screen.circle(centre, 7.5F, {ink, 1.3F});
    panels::label(look, {centre.x, centre.y + 4.0F}, "i", ink, 12.5F, ui::Face::strong, panels::Side::centre);
    panels::tooltip(look, {}, look.text("tile.info"));
    if (!pressed.clicked) return;
    if (of_ == figure.id) of_.clear();
    else of_ = figure.id;
    asked_ = true;
}

void FigureInfo::draw(Stage& stage, const ui::Look& look, const figures::Figure& figure, Rect& inside) {
    if (of_ != figure.id) return;
    const Info strip = info_of(look, figure, inside.width());
    if (strip.height <= 0.45F * inside.height()) {
        inside.cut_top(6.0F);
        const Rect box = inside.cut_top(strip.height);
        stage.screen.fill(box, look.theme->control, 6.0F);
        say_info(look, strip, {box.x0 + 12.0F, box.y0 + 7.0F}, box.width() - 24.0F);
        return;
    }
    constexpr float kWide = 380.0F;
    if (std::exchange(asked_, false)) ImGui::OpenPopup("info");
    ImGui::SetNextWindowPos({inside.x1 + 16.0F, inside.y0}, ImGuiCond_Appearing, {1.0F, 0.0F});
    ImGui::SetNextWindowSize({kWide, 0.0F});
    if (ImGui::BeginPopup("info")) {
        const Info info = info_of(look, figure, kWide);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        say_info(look, info, {at.x, at.y}, kWide - 24.0F);
        if (ImGui::IsKeyPressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    if (!ImGui::IsPopupOpen("info")) of_.clear();
}

}  // namespace posiscope::workbench
