#include "app/panels/question.hpp"

#include "app/panels/guide_parts.hpp"
#include "app/panels/panels.hpp"

#include <imgui.h>

namespace posiscope::panels {

Answer ask(const ui::Look& look, Rect area, const Question& question, std::vector<ControlMark>* marks) {
    constexpr float kWidest = 560.0F;
    Answer answer = Answer::none;
    if (parts::begin_box(look, "##question", area, parts::Foot::middle)) {
        ImGui::PushTextWrapPos(std::min(kWidest, 0.9F * area.width()));
        ImGui::TextUnformatted(question.text.data(), question.text.data() + question.text.size());
        ImGui::PopTextWrapPos();
        const auto button = [&](std::string_view text, const char* mark, Answer meaning) {
            if (ImGui::Button(look.c(text))) answer = meaning;
            if (marks != nullptr) marks->push_back({mark, parts::last_item()});
        };
        button(question.yes, "question_yes", Answer::yes);
        ImGui::SameLine(0.0F, 10.0F);
        if (!question.other.empty()) {
            button(question.other, "question_other", Answer::other);
            ImGui::SameLine(0.0F, 10.0F);
        }
        button(question.no, "question_no", Answer::no);
    }
    parts::end_box();
    return answer;
}

namespace {

void path_dialog(Panel& panel, PathView& view, Rect) {
    const ui::Look& look = panel.look;
    PathDialog& dialog = view.dialog;
    if (dialog.purpose == PathDialog::For::nothing) return;
    using For = PathDialog::For;
    const std::string_view title = dialog.purpose == For::opening  ? "path.open"
                                   : dialog.purpose == For::saving ? "path.save"
                                                                   : "path.lesson";
    const ImGuiIO& io = ImGui::GetIO();
    constexpr float width = 560.0F;
    ImGui::OpenPopup("##path");
    ImGui::SetNextWindowPos({0.5F * io.DisplaySize.x, 0.3F * io.DisplaySize.y}, ImGuiCond_Always,
                            {0.5F, 0.5F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {20.0F, 16.0F});
    if (ImGui::BeginPopup("##path", ImGuiWindowFlags_AlwaysAutoResize)) {
        ImGui::PushFont(look.fonts[1], 0.0F);
        ImGui::TextUnformatted(look.c(look.text(title)));
        ImGui::PopFont();
        prose(look, look.text(look.scratch->format("{}_help", title)), width, look.theme->ink_soft);
        ImGui::Spacing();
        ImGui::SetNextItemWidth(width);
        if (dialog.fresh) ImGui::SetKeyboardFocusHere();
        dialog.fresh = false;
        if (ImGui::InputText("##text", dialog.text.data(), dialog.text.size(),
                             ImGuiInputTextFlags_EnterReturnsTrue) &&
            dialog.text[0] != '\0') {
            panel.ask(Verb::enter_path, dialog.text.data());
            dialog.fresh = true;  // if it is refused, the keyboard stays here
        }
        if (ImGui::IsItemEdited()) dialog.problem.reset();
        if (dialog.problem) {
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const float height =
                message(look, {at.x, at.y, at.x + width, at.y},
                        look.strings->sentence_in_window(*dialog.problem), look.theme->beyond);
            ImGui::Dummy({width, height});
        }
        if (parts::leaves_popup()) {
            dialog = {};
            ImGui::CloseCurrentPopup();
        }
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

}  // namespace

extern const PanelEntry kPathDialog{.id = "path", .draw = with_view<PathView, path_dialog>};

}  // namespace posiscope::panels
