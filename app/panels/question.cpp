#include "app/panels/question.hpp"

#include <imgui.h>

namespace posiscope::panels {

Answer ask(const ui::Look& look, Rect area, const Question& question, std::vector<ControlMark>* marks) {
    constexpr float kWidest = 560.0F;
    Answer answer = Answer::none;
    ImGui::SetNextWindowPos({area.centre().x, area.y1 - 14.0F}, ImGuiCond_Always, {0.5F, 1.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {16.0F, 12.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look.theme->popup);
    if (ImGui::Begin("##question", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                         ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoFocusOnAppearing)) {
        ImGui::PushTextWrapPos(std::min(kWidest, 0.9F * area.width()));
        ImGui::TextUnformatted(question.text.data(), question.text.data() + question.text.size());
        ImGui::PopTextWrapPos();
        const auto button = [&](std::string_view text, const char* mark, Answer meaning) {
            if (ImGui::Button(look.c(text))) answer = meaning;
            const ImVec2 at = ImGui::GetItemRectMin(), end = ImGui::GetItemRectMax();
            if (marks != nullptr) marks->push_back({mark, {at.x, at.y, end.x, end.y}});
        };
        ImGui::PushStyleColor(ImGuiCol_Button, look.theme->control);
        button(question.yes, "question_yes", Answer::yes);
        ImGui::SameLine(0.0F, 10.0F);
        if (!question.other.empty()) {
            button(question.other, "question_other", Answer::other);
            ImGui::SameLine(0.0F, 10.0F);
        }
        button(question.no, "question_no", Answer::no);
        ImGui::PopStyleColor();
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
    return answer;
}

}  // namespace posiscope::panels
