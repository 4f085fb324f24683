// help.cpp — the help screen with all keys; closes on Escape, F1 or a click outside.
#include "app/panels/panels.hpp"

#include <imgui.h>

namespace posiscope::panels {
namespace {

void help(Panel& panel, Around& around, Rect) {
    bool& open = around.help_open;
    if (!open) return;
    const ui::Look& look = panel.look;
    const ImGuiIO& io = ImGui::GetIO();
    ImGui::OpenPopup("##help");
    ImGui::SetNextWindowPos({0.5F * io.DisplaySize.x, 0.5F * io.DisplaySize.y}, ImGuiCond_Always,
                            {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({0.0F, 0.0F}, {io.DisplaySize.x - 20.0F, io.DisplaySize.y - 20.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {24.0F, 18.0F});
    if (ImGui::BeginPopup("##help", ImGuiWindowFlags_AlwaysAutoResize)) {
        constexpr std::pair<Group, std::string_view> groups[] = {
            {Group::explore, "help.explore"}, {Group::look, "help.look"}, {Group::keep, "help.keep"}};
        if (ImGui::BeginTable("##keys", 3, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_PadOuterX)) {
            ImGui::TableNextRow();
            for (const auto& [group, title] : groups) {
                ImGui::TableNextColumn();
                ImGui::PushFont(look.fonts[1], 0.0F);
                ImGui::TextUnformatted(look.c(look.text(title)));
                ImGui::PopFont();
                ImGui::Spacing();
                const auto line = [&](std::string_view key, std::string_view does) {
                    ImGui::TextDisabled("%s", look.c(key));
                    ImGui::SameLine(0.0F, std::max(8.0F, 78.0F - ImGui::GetItemRectSize().x));
                    ImGui::Text("%s      ", look.c(does));
                };
                for (const Action& one : around.actions)
                    if (one.group == group && one.key != 0)
                        line(key_text(look, one.key), action_name(look, one));
                if (group == Group::explore) line("\\", look.text("help.hold_b"));
            }
            ImGui::EndTable();
        }
        ImGui::Separator();
        prose(look, look.text("help.mouse"), 820.0F, look.theme->ink);
        if (ImGui::IsKeyPressed(ImGuiKey_Escape)) open = false;
        if (!ImGui::IsWindowAppearing() && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
            !ImGui::IsWindowHovered())
            open = false;
        if (!open) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

}  // namespace

extern const PanelEntry kHelp{.id = "help", .draw = help};

}  // namespace posiscope::panels
