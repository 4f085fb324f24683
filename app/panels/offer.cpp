// offer.cpp — at the first start: lesson 1 in one line, and a look around. The sidebar ends above it, so that it covers
// neither a control nor a figure; it never comes again.
#include "app/panels/offer.hpp"

#include "app/panels/guide_parts.hpp"
#include "app/panels/panels.hpp"

#include <imgui.h>

namespace posiscope::panels {

using namespace parts;

namespace {

void offer(Panel& panel, Offer& offer, Rect) {
    const ui::Look& look = panel.look;
    constexpr float kWide = 250.0F, kHigh = Offer::kRoom - 22.0F;
    ImGui::SetNextWindowPos({offer.corner.x + 15.0F, offer.corner.y - 14.0F}, ImGuiCond_Always, {0.0F, 1.0F});
    ImGui::SetNextWindowSize({kWide, kHigh});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look.theme->rail);
    if (ImGui::Begin("##offer", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing)) {
        const ImVec2 at = ImGui::GetWindowPos();
        Rect area{at.x + 14.0F, at.y + 12.0F, at.x + kWide - 14.0F, at.y + kHigh - 12.0F};
        Rect line = area;
        line.x1 -= 16.0F;
        say(look, line, look.format("guide.first", fmt::arg("minutes", offer.minutes)), look.theme->ink);
        if (word(panel, {area.x1, area.y0 + 14.0F}, Side::right, "offer:no", "×"))
            offer.taken = Offer::Taken::no;
        Rect buttons = area.cut_bottom(32.0F);
        if (button(panel, buttons.cut_left(0.46F * buttons.width()), "offer:lesson",
                   look.text("guide.first_begin"), true))
            offer.taken = Offer::Taken::lesson;
        buttons.cut_left(8.0F);
        if (button(panel, buttons, "offer:look", look.text("guide.first_look")))
            offer.taken = Offer::Taken::look_around;
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

}  // namespace

extern const PanelEntry kOffer{.id = "offer", .draw = with_view<Offer, offer>};

}  // namespace posiscope::panels
