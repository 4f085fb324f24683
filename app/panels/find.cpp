#include "app/panels/find.hpp"

#include "app/panels/guide_parts.hpp"
#include "app/panels/panels.hpp"
#include "app/ui/parts/imgui_internals.hpp"

#include <imgui.h>

namespace posiscope::panels {
namespace {

constexpr float kFindWide = 620.0F, kFindRow = 30.0F;

// Up and down choose a row while the field keeps the keyboard.
void choose_by_keys(FindView& view) {
    for (const ImGuiKey key : {ImGuiKey_UpArrow, ImGuiKey_DownArrow}) ui::own_key(key, ImGui::GetItemID());
    std::size_t& chosen = view.state.chosen;
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow) && chosen + 1 < view.rows.size()) ++chosen;
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow) && chosen > 0) --chosen;
}

// A setting whose number is to be typed after its name keeps the field.
void take(Panel& panel, FindView& view, std::size_t row) {
    const Command* command = view.rows[row].command;
    if (command != nullptr) panel.commands->push_back(*command);
    view.state.open = command == nullptr;
    view.state.fresh = command == nullptr;
}

void found_rows(Panel& panel, FindView& view) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    for (std::size_t i = 0; i < view.rows.size(); ++i) {
        const FindRow& one = view.rows[i];
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const Rect row{at.x, at.y, at.x + kFindWide, at.y + kFindRow};
        const Pressed pressed = press(panel, row, look.scratch->format("find:{}", i), {.by_tab = false});
        if (pressed.clicked) take(panel, view, i);
        if (pressed.hovered && (ImGui::GetIO().MouseDelta.x != 0.0F || ImGui::GetIO().MouseDelta.y != 0.0F))
            view.state.chosen = i;
        if (i == view.state.chosen) fill(row, theme.control, ui::kWidgets.corner);
        const float base = row.y0 + 20.0F, kind = label_width(look, one.kind, ui::kSmallSize);
        label(look, {row.x1 - 10.0F, base}, one.kind, theme.ink_soft, ui::kSmallSize, ui::Face::text,
              Side::right);
        ImGui::PushClipRect({row.x0, row.y0}, {row.x1 - kind - 22.0F, row.y1}, true);
        label(look, {row.x0 + 10.0F, base}, one.name, theme.ink);
        label(look, {row.x0 + 22.0F + label_width(look, one.name), base}, one.detail, theme.ink_soft,
              ui::kSmallSize);
        ImGui::PopClipRect();
        ImGui::SetCursorScreenPos({at.x, at.y + kFindRow});
    }
    ImGui::Dummy({kFindWide, 1.0F});
}

void find_anything(Panel& panel, FindView& view, Rect) {
    FindState& state = view.state;
    if (!state.open) return;
    const ui::Look& look = panel.look;
    const ImGuiIO& io = ImGui::GetIO();
    ImGui::OpenPopup("##find");
    ImGui::SetNextWindowPos({0.5F * io.DisplaySize.x, 56.0F}, ImGuiCond_Always, {0.5F, 0.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {14.0F, 12.0F});
    if (ImGui::BeginPopup("##find", ImGuiWindowFlags_AlwaysAutoResize)) {
        ImGui::SetNextItemWidth(kFindWide);
        if (std::exchange(state.fresh, false)) ImGui::SetKeyboardFocusHere();
        const bool entered =
            ImGui::InputTextWithHint("##text", look.c(look.text("find.hint")), state.text.data(),
                                     state.text.size(), ImGuiInputTextFlags_EnterReturnsTrue);
        panel.mark("find", parts::last_item());
        if (ImGui::IsItemEdited()) state.chosen = 0;
        choose_by_keys(view);
        ImGui::Spacing();
        if (view.rows.empty()) prose(look, look.text("find.none"), kFindWide, look.theme->ink_soft);
        else found_rows(panel, view);
        if (entered && state.chosen < view.rows.size()) take(panel, view, state.chosen);
        else if (entered) state.fresh = true;  // the keyboard stays
        if (parts::leaves_popup()) state.open = false;
        if (!state.open) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

}  // namespace

extern const PanelEntry kFind{.id = "find", .draw = with_view<FindView, find_anything>};

}  // namespace posiscope::panels
