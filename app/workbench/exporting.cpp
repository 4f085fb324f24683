// exporting.cpp — the export dialog: what it begins with, and what becomes of its answer.
#include "app/workbench/workbench.hpp"

#include <array>
#include <imgui.h>

namespace posiscope::workbench {
namespace {

// A word as a shell takes it.
std::string quoted(const std::string& word) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/%@";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string out = "'";
    for (const char c : word) {
        if (c == '\'') out.append("'\\'");
        out.push_back(c);
    }
    out.push_back('\'');
    return out;
}

}  // namespace

// The tiles that are exported, and the room that they take now, in points.
std::array<int, 2> Workbench::seen_size(std::string_view figure) const {
    Rect all{1e9F, 1e9F, -1e9F, -1e9F};
    for (const Tile& tile : tiles_)
        if (figure.empty() || tile.figure == figure)
            all = {std::min(all.x0, tile.area.x0), std::min(all.y0, tile.area.y0),
                   std::max(all.x1, tile.area.x1), std::max(all.y1, tile.area.y1)};
    if (all.x1 <= all.x0) return {900, 600};
    if (figure.empty()) all = all.grown(kGap);
    return {static_cast<int>(all.width()), static_cast<int>(all.height())};
}

void Workbench::ask_export(std::string_view figure) {
    panels::ExportDialog& d = export_dialog_;
    d.open = d.fresh = true;
    d.problem.reset();
    const auto last = static_cast<int>(std::min<std::int64_t>(shown_scene().length, 2147483647) - 1);
    d.range = {0, std::max(last, 1)};
    const figures::Figure* known = figures::find_figure(figure);
    suggest_export(known != nullptr ? known->id : std::string_view());
}

// For another figure another size and another name, unless the person has given one.
void Workbench::suggest_export(std::string_view figure) {
    panels::ExportDialog& d = export_dialog_;
    d.figure = figure;
    d.quantity = {};
    d.size = seen_size(figure);
    const std::string_view path = d.path.data();
    if (!d.fresh && path.substr(0, path.rfind('.')) != suggested_target_) return;
    const Scene& scene = shown_scene();
    suggested_target_ = (folder_ / fmt::format("posiscope-{}-p{}-k{}",
                                               figure.empty() ? std::string_view(scene.bench) : figure,
                                               scene.position, scene.offset))
                            .string();
    const std::string stem = suggested_target_;
    std::error_code ignored;
    for (int n = 2; std::filesystem::exists(suggested_target_ + std::string(panels::ending(d)), ignored); ++n)
        suggested_target_ = fmt::format("{}-{}", stem, n);
    set_export_path(suggested_target_ + std::string(panels::ending(d)));
}

void Workbench::set_export_path(std::string_view path) {
    export_dialog_.path.fill('\0');
    path.copy(export_dialog_.path.data(), export_dialog_.path.size() - 1);
    export_dialog_.problem.reset();
    refused_target_.clear();
}

void Workbench::export_answered(const Result<void>& done) {
    export_dialog_.open = !done;
    export_dialog_.problem = done ? std::nullopt : std::optional(done.error());
    refused_target_ = !done && done.error().cause == Cause::taken ? export_dialog_.path.data() : "";
}

std::vector<std::string> Workbench::export_words(std::string_view own_quantity) const {
    auto words = panels::command_of(export_dialog_, own_quantity, preferences_.theme,
                                    strings_->language() == Language::chinese ? "zh" : "en");
    const auto splits = preferences_.splits.find(std::string(bench_of(scene_.bench).id));
    if (words[0] == "render" && export_dialog_.figure.empty() && splits != preferences_.splits.end()) {
        std::string places;
        for (const double place : splits->second)
            places += fmt::format("{}{:.4g}", places.empty() ? "" : ",", place);
        words.insert(words.end(), {"--splits", places});
    }
    return words;
}

void Workbench::serve_export_dialog(const ui::Look& look) {
    if (!export_dialog_.open) {
        if (ImGui::BeginPopup("##export")) {  // closed by what came of it
            ImGui::CloseCurrentPopup();
            ImGui::EndPopup();
        }
        return;
    }
    std::array<std::string_view, 32> ids{}, quantity_names{};
    std::size_t count = 1, quantity_count = 0;  // the bench first
    for (const figures::Figure* figure : figures::figures())
        if (count < ids.size()) ids[count++] = figure->id;
    for (const Quantity* quantity : quantities())
        if (quantity_count < quantity_names.size() && quantity->shapes(shown_scene()))
            quantity_names[quantity_count++] = quantity->name;
    const figures::Figure* figure = figures::find_figure(export_dialog_.figure);
    const Quantity* own = figure != nullptr ? figures::numbers_of(*figure, shown_scene()) : nullptr;
    panels::ExportState state{export_dialog_, std::span(ids).first(count),
                              std::span(quantity_names).first(quantity_count),
                              own != nullptr       ? own->name
                              : quantity_count > 0 ? quantity_names[0]
                                                   : std::string_view(),
                              seen_size(export_dialog_.figure)};
    if (export_dialog_.fresh) export_dialog_.size = state.seen;  // which is known only now
    const std::string_view before = export_dialog_.figure;
    panels::export_dialog(look, state);
    if (before != export_dialog_.figure) suggest_export(export_dialog_.figure);
    requests_.choose_export_target = state.choose;
    const std::string path = export_dialog_.path.data();
    if (state.save && !path.empty())
        requests_.export_now = Requests::Export{
            export_words(state.own_quantity), shown_scene(), {path, path == refused_target_}};
    if (state.copy_command) {
        std::string line = "posiscope";
        for (const std::string& word : export_words(state.own_quantity))
            line.append(" ").append(quoted(word));
        const Json partial = to_partial_json(shown_scene());
        for (const auto& [key, value] : partial.items())
            if (key != "version")
                line.append(" --set ").append(quoted(fmt::format("{}={}", key, value.dump())));
        copy_text(line, "toast.copied_command");
    }
}

// What is being written, in the corner, with a way to stop it.
void Workbench::draw_running(const ui::Look& look, Rect area) {
    if (!running_) return;
    ImGui::SetNextWindowPos({area.x1 - 14.0F, area.y1 - 14.0F}, ImGuiCond_Always, {1.0F, 1.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {16.0F, 10.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look.theme->popup);
    if (ImGui::Begin("##running", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                         ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoFocusOnAppearing)) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(look.c(running_->name));
        ImGui::SameLine(0.0F, 10.0F);
        ImGui::TextDisabled("%s", running_->text.empty() ? look.c(look.text("export.working"))
                                                         : running_->text.c_str());
        ImGui::SameLine(0.0F, 16.0F);
        ImGui::PushStyleColor(ImGuiCol_Button, look.theme->control);
        if (ImGui::Button(look.c(look.text("export.stop")))) requests_.stop_export = true;
        ImGui::PopStyleColor();
        const ImVec2 at = ImGui::GetItemRectMin(), end = ImGui::GetItemRectMax();
        if (mark_controls_) controls_.push_back({"export_stop", {at.x, at.y, end.x, end.y}});
        if (running_->part >= 0.0F) {
            const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
            ImGui::GetWindowDrawList()->AddRectFilled(
                {from.x + 1.0F, from.y + size.y - 4.0F},
                {from.x + 1.0F + (size.x - 2.0F) * running_->part, from.y + size.y - 1.0F}, look.theme->seen,
                1.5F);
        }
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
}

}  // namespace posiscope::workbench
