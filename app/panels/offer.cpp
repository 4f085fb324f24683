// offer.cpp — at the first start: lesson 1 in one line, and a look around. It has a room of its own, so that it covers neither a
// control nor a figure; it never comes again.
#include "app/panels/question.hpp"

#include "app/panels/guide_parts.hpp"
#include "app/panels/panels.hpp"

#include <algorithm>
#include <imgui.h>

namespace posiscope::panels {

using namespace parts;

namespace {

void offer(Panel& panel, Offer& offer, Rect) {
    const ui::Look& look = panel.look;
    constexpr float kWidest = 430.0F;
    const float wide = std::min(offer.room.width() - 30.0F, kWidest), high = offer.room.height() - 22.0F;
    ImGui::SetNextWindowPos({offer.room.x0 + 15.0F, offer.room.y0 + 8.0F});
    ImGui::SetNextWindowSize({wide, high});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look.theme->rail);
    if (ImGui::Begin("##offer", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing)) {
        const ImVec2 at = ImGui::GetWindowPos();
        Rect area{at.x + 14.0F, at.y + 12.0F, at.x + wide - 14.0F, at.y + high - 12.0F};
        Rect line = area;
        const Rect close = line.cut_right(20.0F);
        say(look, line, look.format("guide.first", fmt::arg("minutes", offer.minutes)), look.theme->ink);
        if (cross(panel, {close.x0, area.y0 - 4.0F, close.x1 + 4.0F, area.y0 + 20.0F}, "offer:no", {}))
            panel.ask(Verb::decline_lessons);
        Rect buttons = area.cut_bottom(32.0F);
        if (button(panel, buttons.cut_left(0.46F * buttons.width()), "offer:lesson",
                   look.text("guide.first_begin"), {.primary = true}))
            panel.ask(Verb::begin_lesson, "why");
        buttons.cut_left(8.0F);
        if (button(panel, buttons, "offer:look", look.text("guide.first_look")))
            panel.ask(Verb::begin_lesson, "look-around");
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

}  // namespace

extern const PanelEntry kOffer{.id = "offer", .draw = with_view<Offer, offer>};

}  // namespace posiscope::panels
