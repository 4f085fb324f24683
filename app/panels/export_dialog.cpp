#include "app/panels/export_dialog.hpp"

#include "app/panels/panels.hpp"
#include "app/panels/widgets.hpp"
#include "app/platform/host.hpp"
#include "core/code/code.hpp"

#include <algorithm>
#include <imgui.h>
#include <utility>

namespace posiscope::panels {
namespace {

constexpr float kDialogWidth = 580.0F, kNames = 110.0F;
using Kind = ExportDialog::Kind;

float dialog_width() { return std::min(kDialogWidth, ImGui::GetIO().DisplaySize.x - 60.0F); }
// Names stand above rows that have no room beside them.
float indent() { return dialog_width() < kDialogWidth ? 0.0F : kNames; }

// The label of a row; its control follows.
void name(const ui::Look& look, std::string_view key) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", look.c(look.text(key)));
    if (indent() > 0.0F) ImGui::SameLine(indent() + ImGui::GetStyle().WindowPadding.x);
}

float right_end() { return ImGui::GetWindowPos().x + ImGui::GetStyle().WindowPadding.x + dialog_width(); }

// The next control goes on the same line if there is room for it.
void beside(float needed, float spacing) {
    if (ImGui::GetItemRectMax().x + spacing + needed <= right_end()) ImGui::SameLine(0.0F, spacing);
}
float button_width(const char* text) {
    return ImGui::CalcTextSize(text).x + 2.0F * ImGui::GetStyle().FramePadding.x;
}

// Choices side by side, in as many rows as they need; returns whether another one was chosen.
bool choices(Panel& panel, std::string_view id, std::span<const std::string_view> texts,
             std::size_t& chosen) {
    const std::size_t before = chosen;
    for (std::size_t begin = 0, end = 0; begin < texts.size(); begin = end) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        std::array<Segment, 8> list;
        float wide = 0.0F;
        for (; end < texts.size() && end - begin < list.size(); ++end) {
            const float one = segment_width(panel.look, texts[end]);
            if (end > begin && at.x + wide + one > right_end()) break;
            list[end - begin] = {panel.look.scratch->format("{}:{}", id, end), texts[end]};
            wide += one;
        }
        const Rect row{at.x, at.y, at.x + wide, at.y + ImGui::GetFrameHeight()};
        if (const auto taken = segments(panel, row, std::span(list).first(end - begin), before - begin))
            chosen = begin + *taken;
        ImGui::SetCursorScreenPos(at);
        ImGui::Dummy({wide, row.height()});
    }
    return chosen != before;
}

// The same where each choice has a word.
bool words(Panel& panel, std::string_view id, std::span<const std::string_view> values,
           std::span<const std::string_view> texts, std::string_view& value) {
    auto chosen = static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
    if (!choices(panel, id, texts, chosen)) return false;
    value = values[chosen];
    return true;
}

// A drop-down list; `text` gives the label of an id.
template <class Text>
bool drop_down(const ui::Look& look, const char* id, std::span<const std::string_view> ids, Text text,
               std::string_view& value) {
    bool taken = false;
    ImGui::SetNextItemWidth(220.0F);
    if (!ImGui::BeginCombo(id, look.c(text(value)), ImGuiComboFlags_HeightLargest)) return false;
    for (const std::string_view one : ids)
        if (ImGui::Selectable(look.c(text(one)), one == value)) {
            value = one;
            taken = true;
        }
    ImGui::EndCombo();
    return taken;
}

// Keeps the path's name and adapts its extension.
void follow_ending(ExportDialog& d) {
    std::string path = d.path.data();
    constexpr std::string_view endings[] = {"-%04d.png", ".png",  ".pdf", ".svg", ".mp4", ".gif", ".webp",
                                            ".csv",      ".json", ".npy", ".py",  ".cpp", ".txt", ".tex"};
    for (const std::string_view old : endings)
        if (path.ends_with(old)) {
            path.resize(path.size() - old.size());
            break;
        }
    path += ending(d);
    d.path.fill('\0');
    path.copy(d.path.data(), d.path.size() - 1);
    d.problem.reset();
}

void number(const char* id, int& value, int least, int most, float width = 90.0F) {
    ImGui::SetNextItemWidth(width);
    ImGui::InputInt(id, &value, 0);
    value = std::clamp(value, least, most);
}

void picture_lines(Panel& panel, ExportState& state) {
    const ui::Look& look = panel.look;
    ExportDialog& d = state.dialog;
    name(look, "export.size");
    number("##width", d.size[0], 1, 16384);
    ImGui::SameLine(0.0F, 6.0F);
    ImGui::TextDisabled("×");
    ImGui::SameLine(0.0F, 6.0F);
    number("##height", d.size[1], 1, 16384);
    ImGui::SameLine();
    ImGui::TextDisabled("%s", look.c(look.text("export.points")));
    const char* const as_seen = look.c(look.text("export.as_seen"));
    beside(button_width(as_seen), ImGui::GetStyle().ItemSpacing.x);
    if (ImGui::Button(as_seen)) d.size = state.seen;

    name(look, d.kind == Kind::png || d.kind == Kind::film ? "export.dpi" : "export.map_dpi");
    constexpr std::array<int, 5> dpis = {96, 192, 300, 384, 600};
    constexpr std::array<std::string_view, 5> texts = {"96 · 1×", "192 · 2×", "300", "384 · 4×", "600"};
    std::size_t dpi = dpis.size();
    for (std::size_t i = 0; i < dpis.size(); ++i)
        if (dpis[i] == d.dpi) dpi = i;
    if (choices(panel, "dpi", texts, dpi)) d.dpi = dpis[dpi];
    if (d.kind == Kind::png || d.kind == Kind::film) {
        const auto pixels = [&](int side) { return std::lround(side * d.dpi / 96.0); };
        const char* const text =
            look.c(look.scratch->format("{} × {} px", ui::integer(*look.scratch, pixels(d.size[0])),
                                        ui::integer(*look.scratch, pixels(d.size[1]))));
        beside(ImGui::CalcTextSize(text).x, ImGui::GetStyle().ItemSpacing.x);
        ImGui::AlignTextToFramePadding();
        ImGui::TextDisabled("%s", text);
    }

    name(look, "export.theme");
    std::vector<std::string_view> ids{""}, names{look.text("export.as_seen")};
    for (const ui::Theme& theme : ui::themes()) {
        ids.push_back(theme.name);
        names.push_back(look.text(look.scratch->format("theme.{}", theme.name)));
    }
    words(panel, "theme", ids, names, d.theme);

    const bool can_be_clear = d.kind != Kind::film,
               has_controls = d.kind == Kind::png || d.kind == Kind::film;
    if (indent() > 0.0F) ImGui::SetCursorPosX(indent() + ImGui::GetStyle().WindowPadding.x);
    if (can_be_clear) ImGui::Checkbox(look.c(look.text("export.transparent")), &d.transparent);
    const char* const controls = look.c(look.text("export.controls"));
    if (can_be_clear && has_controls) beside(button_width(controls) + ImGui::GetFrameHeight(), 20.0F);
    if (has_controls) ImGui::Checkbox(controls, &d.controls);
}

bool film_lines(Panel& panel, ExportDialog& d) {
    const ui::Look& look = panel.look;
    name(look, "export.film");
    constexpr std::array<std::string_view, 4> endings = {".mp4", ".gif", ".webp", "-%04d.png"};
    const std::array<std::string_view, 4> texts = {"MP4", "GIF", "WebP", look.text("export.numbered")};
    const bool changed = words(panel, "film", endings, texts, d.film);
    name(look, "export.over");
    constexpr std::array<std::string_view, 3> over = {"position", "offset", "step"};
    const std::array<std::string_view, 3> overs = {look.text("parameter.position.name"),
                                                   look.text("parameter.offset.name"),
                                                   look.text("export.over.step")};
    const std::size_t offered = d.last_step > 0 ? 3 : 2;
    if (words(panel, "over", std::span(over).first(offered), std::span(overs).first(offered), d.over))
        d.range = {0, d.over == "step" ? d.last_step : d.last_position};
    ImGui::SameLine();
    number("##first", d.range[0], -2147483647, 2147483647, 80.0F);
    ImGui::SameLine(0.0F, 6.0F);
    ImGui::TextDisabled("…");
    ImGui::SameLine(0.0F, 6.0F);
    number("##last", d.range[1], -2147483647, 2147483647, 80.0F);
    const std::int64_t count = std::abs(std::int64_t{d.range[1]} - d.range[0]) + 1;
    if (d.film != "-%04d.png") {
        name(look, "export.fps");
        number("##fps", d.fps, 1, 240, 60.0F);
        ImGui::SameLine();
        ImGui::TextDisabled(
            "%s", look.c(look.format(
                      "export.film_length", fmt::arg("count", count),
                      fmt::arg("seconds", ui::fixed(*look.scratch, static_cast<double>(count) / d.fps, 1)))));
    }
    return changed;
}

bool number_lines(Panel& panel, ExportState& state) {
    const ui::Look& look = panel.look;
    ExportDialog& d = state.dialog;
    name(look, "export.numbers");
    if (d.quantity.empty()) d.quantity = state.own_quantity;
    drop_down(
        look, "##quantity", state.quantities, [](std::string_view id) { return id; }, d.quantity);
    if (!d.quantity.empty()) {
        if (indent() > 0.0F) ImGui::SetCursorPosX(indent() + ImGui::GetStyle().WindowPadding.x);
        prose(look, look.text(look.scratch->format("quantity.{}.name", d.quantity)),
              dialog_width() - indent(), look.theme->ink_soft);
    }
    name(look, "export.form");
    constexpr std::array<std::string_view, 3> endings = {".csv", ".json", ".npy"},
                                              texts = {"CSV", "JSON", "NPY"};
    return words(panel, "numbers", endings, texts, d.numbers);
}

bool code_lines(const ui::Look& look, ExportDialog& d) {
    std::vector<std::string_view> ids;
    for (const CodeForm& form : code_forms()) ids.push_back(form.id);
    name(look, "export.code");
    return drop_down(
        look, "##code", ids,
        [&](std::string_view id) { return look.text(look.scratch->format("code.{}", id)); }, d.code);
}

void body(Panel& panel, ExportState& state, bool fresh) {
    const ui::Look& look = panel.look;
    ExportDialog& d = state.dialog;
    const float top = ImGui::GetCursorPosY();
    name(look, "export.as");
    using Choice = std::pair<Kind, std::string_view>;
    const std::array<Choice, 6> all = {Choice{Kind::png, "PNG"},
                                       Choice{Kind::pdf, "PDF"},
                                       Choice{Kind::svg, "SVG"},
                                       Choice{Kind::film, look.text("export.kind.film")},
                                       Choice{Kind::numbers, look.text("export.kind.numbers")},
                                       Choice{Kind::code, look.text("export.kind.code")}};
    std::vector<Kind> kinds;
    std::vector<std::string_view> texts;
    for (const auto& [one, text] : all) {
        // A page encodes no films.
        if (platform::in_browser() && one == Kind::film) continue;
        kinds.push_back(one);
        texts.push_back(text);
    }
    auto kind = static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), d.kind) - kinds.begin());
    bool renamed = choices(panel, "kind", texts, kind);
    d.kind = kinds[std::min(kind, kinds.size() - 1)];
    if (renamed && d.kind != Kind::code) d.dpi = d.kind == Kind::pdf || d.kind == Kind::svg ? 300 : 192;
    if (d.kind != Kind::code) {
        name(look, "export.of");
        const auto figure = [&](std::string_view id) {
            return id.empty() ? look.text("export.bench")
                              : look.text(look.scratch->format("figure.{}.name", id));
        };
        drop_down(look, "##figure", state.figures, figure, d.figure);
    }
    ImGui::Spacing();
    if (d.kind == Kind::film) renamed = film_lines(panel, d) || renamed;
    if (d.kind == Kind::numbers) renamed = number_lines(panel, state) || renamed;
    else if (d.kind == Kind::code) renamed = code_lines(look, d) || renamed;
    else picture_lines(panel, state);
    if (renamed) follow_ending(d);

    // The room of the kind with the most rows, a film, so that nothing moves while the kinds are looked at.
    constexpr float kRows = 9.0F;
    const float rows = kRows * ImGui::GetFrameHeightWithSpacing() + ImGui::GetStyle().ItemSpacing.y;
    if (fresh) d.room = indent() > 0.0F ? top + rows : 0.0F;
    d.room = std::max(d.room, ImGui::GetCursorPosY());
    ImGui::SetCursorPosY(d.room);
    ImGui::Spacing();
    name(look, "export.to");
    const float choose = ImGui::CalcTextSize("…").x + 24.0F;
    ImGui::SetNextItemWidth(dialog_width() - indent() - choose);
    if (fresh) ImGui::SetKeyboardFocusHere();  // Enter is enough
    if (ImGui::InputText("##to", d.path.data(), d.path.size(), ImGuiInputTextFlags_EnterReturnsTrue))
        panel.ask(Verb::start_export);
    if (ImGui::IsItemEdited()) d.problem.reset();
    if (platform::in_browser()) return;  // which asks for the folder itself
    ImGui::SameLine(0.0F, 4.0F);
    if (ImGui::Button("…")) panel.ask(Verb::choose_export_target);
}

void export_dialog(Panel& panel, ExportState& state, Rect) {
    const ui::Look& look = panel.look;
    ExportDialog& d = state.dialog;
    if (!d.open) {
        if (ImGui::BeginPopup("##export")) {  // closed by what came of it
            ImGui::CloseCurrentPopup();
            ImGui::EndPopup();
        }
        return;
    }
    const ImGuiIO& io = ImGui::GetIO();
    const bool fresh = std::exchange(d.fresh, false);
    if (fresh) ImGui::OpenPopup("##export");
    ImGui::SetNextWindowPos({0.5F * io.DisplaySize.x, 0.5F * io.DisplaySize.y}, ImGuiCond_Always,
                            {0.5F, 0.5F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {20.0F, 16.0F});
    const bool shown = ImGui::BeginPopup("##export", ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PopStyleVar();
    if (!shown) {
        d.open = false;
        return;
    }
    ImGui::PushStyleColor(ImGuiCol_Button, look.theme->control);
    ImGui::PushFont(look.fonts[1], 0.0F);
    ImGui::TextUnformatted(look.c(look.text("export.title")));
    ImGui::PopFont();
    ImGui::Dummy({dialog_width(), 2.0F});
    body(panel, state, fresh);
    if (d.problem) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float height = message(look, {at.x, at.y, at.x + dialog_width(), at.y},
                                     look.strings->sentence_in_window(*d.problem), look.theme->beyond);
        ImGui::Dummy({dialog_width(), height});
    }
    ImGui::Spacing();
    if (ImGui::Button(look.c(look.text("export.save")))) panel.ask(Verb::start_export);
    if (!platform::in_browser()) ImGui::SameLine();
    if (!platform::in_browser() && ImGui::Button(look.c(look.text("export.copy_command"))))
        panel.ask(Verb::copy_export_command);
    ImGui::PopStyleColor();
    // A list that is open over it is closed first.
    if (ImGui::IsKeyPressed(ImGuiKey_Escape) && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId))
        d.open = false;
    if (!d.open) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

}  // namespace

extern const PanelEntry kExportDialog{.id = "export", .draw = with_view<ExportState, export_dialog>};

}  // namespace posiscope::panels
