// guide_edit.cpp — the words of a step of one's own lesson, typed in the pane that shows them.
#include "app/panels/guide.hpp"
#include "app/panels/guide_parts.hpp"
#include "app/ui/lines.hpp"

#include <imgui.h>

namespace posiscope::panels::parts {
namespace {

constexpr float kFieldLine = 1.17F * ui::kTextSize, kFieldPadding = 6.0F;

int grow(ImGuiInputTextCallbackData* data) {
    auto& text = *static_cast<std::string*>(data->UserData);
    text.resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = text.data();
    return 0;
}

bool chinese_around(std::string_view text, std::size_t at) {
    const auto beyond_latin = [&](std::size_t i) {
        return i < text.size() && static_cast<unsigned char>(text[i]) >= 0xE2;
    };
    return at >= 3 && beyond_latin(at - 3) && beyond_latin(at + 1);
}

// Lines as wide as the field; a field of Dear ImGui breaks none by itself.
std::string wrapped(const ui::Measure& measure, std::string_view text, float width) {
    std::string lines;
    while (!text.empty()) {
        const std::size_t end = ui::line_end(measure, text, ui::Face::text, ui::kTextSize, width);
        lines += text.substr(0, end);
        text.remove_prefix(end);
        if (text.empty()) break;
        while (lines.ends_with(' ')) lines.pop_back();
        lines += '\n';
    }
    return lines;
}

// A field with its name above it. Its lines are broken anew when it is left.
void field(Panel& panel, Rect& area, std::string_view id, std::string_view name, std::string& text,
           float lines) {
    const ui::Look& look = panel.look;
    label(look, {area.x0, area.y0 + 14.0F}, name, look.theme->ink_soft, ui::kSmallSize);
    area.cut_top(20.0F);
    const float width = area.width(), height = lines * kFieldLine + 2.0F * kFieldPadding;
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {8.0F, kFieldPadding});
    ImGui::PushID(id.data(), id.data() + id.size());
    ImGui::InputTextMultiline("##field", text.data(), text.capacity() + 1, {width, height},
                              ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_NoHorizontalScroll,
                              grow, &text);
    ImGui::PopID();
    ImGui::PopStyleVar();
    if (ImGui::IsItemDeactivatedAfterEdit() || text.find('\n') == std::string::npos) {
        const LabelMeasure measure(look);
        if (!ImGui::IsItemActive()) text = wrapped(measure, in_one_line(text), width - 28.0F);
    }
    panel.mark(id, {area.x0, area.y0, area.x1, area.y0 + height});
    area.cut_top(height + 10.0F);
}

void one_choice(Panel& panel, StepEdit& edit, Rect& area, std::size_t i) {
    const ui::Look& look = panel.look;
    StepEdit::Choice& choice = edit.choices[i];
    const Rect row = area.cut_top(26.0F);
    const std::string_view says = look.text(choice.right ? "guide.edit.right" : "guide.edit.choice");
    const Rect mark{row.x0, row.y0, row.x0 + 26.0F + label_width(look, says, ui::kWidgets.word), row.y1};
    if (press(panel, mark, look.scratch->format("guide:edit:right{}", i),
              {.role = "radio", .on = choice.right})
            .clicked)
        for (std::size_t j = 0; j < edit.choices.size(); ++j) edit.choices[j].right = j == i;
    choice_mark({row.x0 + 8.0F, row.y0 + 12.0F}, 6.5F, choice.right ? ChoiceMark::on : ChoiceMark::none,
                look.theme->ink);
    label(look, {row.x0 + 24.0F, row.y0 + 17.0F}, says, look.theme->ink, ui::kWidgets.word);
    field(panel, area, look.scratch->format("guide:edit:choice{}", i), look.text("guide.edit.words"),
          choice.text, 2.0F);
    if (!choice.right)
        field(panel, area, look.scratch->format("guide:edit:says{}", i), look.text("guide.edit.says"),
              choice.says, 2.0F);
}

}  // namespace

std::string in_one_line(std::string_view text) {
    std::string line;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\n') line += text[i];
        else if (!chinese_around(text, i) && !line.ends_with(' ')) line += ' ';
    }
    while (line.ends_with(' ')) line.pop_back();
    return line;
}

void edit_step(Panel& panel, StepEdit& edit, Rect area) {
    const ui::Look& look = panel.look;
    field(panel, area, "guide:edit:title", look.text("guide.edit.title"), edit.title, 1.0F);
    field(panel, area, "guide:edit:text", look.text("guide.edit.text"), edit.text, 8.0F);
    field(panel, area, "guide:edit:question", look.text("guide.edit.question"), edit.question, 3.0F);
    if (edit.chooses) {
        for (std::size_t i = 0; i < edit.choices.size(); ++i) one_choice(panel, edit, area, i);
        if (edit.choices.size() < kMostEdited && word(panel, {area.x0, area.y0 + 18.0F}, Side::left,
                                                      "guide:edit:add", look.text("guide.edit.add")))
            edit.choices.push_back({{}, {}, edit.choices.empty()});
        area.cut_top(40.0F);
    }
    if (edit.task) {
        field(panel, area, "guide:edit:goal", look.text("guide.edit.goal"), edit.task->goal, 2.0F);
        field(panel, area, "guide:edit:hint", look.text("guide.edit.hint"), edit.task->hint, 2.0F);
        field(panel, area, "guide:edit:well", look.text("guide.edit.well"), edit.task->well, 2.0F);
    }
    field(panel, area, "guide:edit:line", look.text("guide.edit.line"), edit.line, 2.0F);
    field(panel, area, "guide:edit:notes", look.text("guide.edit.notes"), edit.notes, 3.0F);
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    ImGui::Dummy({1.0F, 1.0F});
}

}  // namespace posiscope::panels::parts
