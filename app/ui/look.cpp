#include "app/ui/look.hpp"

#include <imgui.h>

namespace posiscope::ui {

void apply_style(const Theme& theme) {
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();
    style.FontSizeBase = kTextSize;
    style.WindowPadding = {10.0F, 8.0F};
    style.FramePadding = {kWidgets.pad, 5.0F};
    style.ItemSpacing = {8.0F, 6.0F};
    style.WindowRounding = style.PopupRounding = 7.0F;
    style.FrameRounding = kWidgets.corner;
    style.WindowBorderSize = 0.0F;
    style.PopupBorderSize = 1.0F;
    style.ScrollbarSize = 9.0F;
    style.HoverDelayNormal = 0.8F;  // seconds, of a tip
    const auto colour = [](Colour c) { return ImGui::ColorConvertU32ToFloat4(c); };
    for (ImVec4& c : style.Colors) c = colour(theme.control);
    style.Colors[ImGuiCol_Text] = colour(theme.ink);
    style.Colors[ImGuiCol_TextDisabled] = colour(theme.ink_soft);
    style.Colors[ImGuiCol_WindowBg] = colour(theme.ground);
    style.Colors[ImGuiCol_PopupBg] = colour(theme.popup);
    style.Colors[ImGuiCol_ChildBg] = colour(faded(theme.tile, 0.0F));
    style.Colors[ImGuiCol_Border] = style.Colors[ImGuiCol_Separator] = colour(theme.border);
    style.Colors[ImGuiCol_BorderShadow] = {0.0F, 0.0F, 0.0F, 0.0F};
    style.Colors[ImGuiCol_FrameBgHovered] = style.Colors[ImGuiCol_HeaderHovered] =
        style.Colors[ImGuiCol_ButtonHovered] = colour(theme.pressed);
    style.Colors[ImGuiCol_FrameBgActive] = style.Colors[ImGuiCol_HeaderActive] =
        style.Colors[ImGuiCol_ButtonActive] = colour(theme.pressed);
    style.Colors[ImGuiCol_Button] = colour(faded(theme.control, 0.0F));
    style.Colors[ImGuiCol_CheckMark] = style.Colors[ImGuiCol_SliderGrab] =
        style.Colors[ImGuiCol_InputTextCursor] = colour(theme.ink);
    style.Colors[ImGuiCol_TextSelectedBg] = colour(faded(theme.cosine, 0.45F));
    style.Colors[ImGuiCol_ScrollbarBg] = colour(faded(theme.tile, 0.0F));
    style.Colors[ImGuiCol_NavCursor] = colour(theme.cosine);
    style.Colors[ImGuiCol_ModalWindowDimBg] = colour(faded(theme.ground, 0.6F));
    style.Colors[ImGuiCol_DragDropTarget] = colour(theme.offset);
}

}  // namespace posiscope::ui
