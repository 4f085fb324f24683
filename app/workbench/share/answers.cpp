// answers.cpp — acts on choices from lists and dialogs.
#include "app/panels/question.hpp"
#include "app/ui/claims.hpp"
#include "app/workbench/teach/claim_pictures.hpp"
#include "app/workbench/workbench.hpp"
#include "core/code/code.hpp"
#include "core/scene/source.hpp"

#include <algorithm>

namespace posiscope::workbench {

void Workbench::choose(const panels::Chosen& chosen) {
    using From = panels::Chosen::From;
    Scene next = session.scene();
    switch (chosen.from) {
        case From::benches: turn_to(chosen.what); break;
        case From::figures: layout.show_alone(chosen.what); break;
        case From::themes: preferences.theme = chosen.what; break;
        case From::sides: {
            const auto names = sides_names();
            show_sides(
                next, static_cast<Sides>(std::find(names.begin(), names.end(), chosen.what) - names.begin()));
            session.edit_a(std::move(next));
            break;
        }
        case From::code:
            copy(find_code_form(chosen.what)->write(session.shown()), "toast.copied_code");
            break;
        case From::sections: {
            const Section* section = ui::find_section(chosen.what);
            if (section == nullptr) break;
            if (section->opens == "lessons") controls.teaching.turn_to(panels::GuideTab::lessons);
            else if (section->opens == "tables") controls.help = {true, panels::HelpPage::tables};
            else if (section->opens == "experiment") turn_to(section->opens);
            else session.step(shown(*section));
            layout.show_bench();
            break;
        }
        case From::claims:
            controls.teaching.turn_to(panels::GuideTab::claims);
            controls.teaching.claims().choose(chosen.what);
            break;
        case From::recent: requests_.open_files = {std::string(chosen.what)}; break;
        case From::typed_paths:
            requests_.typed = true;
            if (asking.path.dialog().purpose == AskPath::For::opening)
                requests_.open_files = {std::string(chosen.what)};
            else requests_.save_scene = asking.path.target(chosen.what);
            break;
    }
}

// What others wrote asks before it does more than show: a scene that names a file outside its own folder, and a link to a
// page that is not known to be one's own. Someone who knows where they come from decides.
void Workbench::ask_questions(const ui::Look& look, Rect room) {
    const auto answer = [&](const Problem& question, std::string_view yes) {
        const std::string text = appearance.strings().sentence(question);
        return panels::ask(look, room, {text, look.text(yes), look.text("question.not_now")},
                           seen.with_controls ? &seen.controls : nullptr);
    };
    if (const std::string* path = file_to_ask_for(session.scene());
        path != nullptr && *path != asking.declined) {
        const auto given = answer({"file.question", {{"path", *path}}}, "question.read");
        if (given && *given) requests_.allow_file = *path;
        else if (given) asking.declined = *path;
    } else if (!asking.page.empty()) {
        const auto given = answer({"link.question", {{"page", asking.page}}}, "question.use");
        if (given && *given) preferences.page = asking.page;
        if (given) asking.page.clear();
    }
}

void Workbench::ask_export(std::string_view figure) {
    const figures::Figure* known = figures::find_figure(figure);
    const std::string_view id = known != nullptr ? known->id : std::string_view();
    const auto& shown = controls.training.trainer().shown();
    const bool trains = session.shown().bench == "experiment" && shown;
    asking.target.open(id, session.shown(), seen_size(id),
                       trains ? static_cast<int>(shown->settings.steps) : 0);
}

// The present size of the exported tiles, in points.
std::array<int, 2> Workbench::seen_size(std::string_view figure) const {
    Rect all = layout.around(figure);
    if (all.empty()) return {900, 600};
    if (figure.empty()) all = all.grown(kGap);
    return {static_cast<int>(all.width()), static_cast<int>(all.height())};
}

panels::ExportState Workbench::exporting() {
    panels::ExportDialog& dialog = asking.target.dialog();
    const Scene& scene = session.shown();
    std::string_view own;
    stage_.quantity_ids.clear();
    if (dialog.open) {
        for (const Quantity* quantity : quantities())
            if (quantity->shapes(scene)) stage_.quantity_ids.push_back(quantity->name);
        const figures::Figure* figure = figures::find_figure(dialog.figure);
        const Quantity* drawn = figure != nullptr ? figures::numbers_of(*figure, scene) : nullptr;
        if (drawn != nullptr) own = drawn->name;
        else if (!stage_.quantity_ids.empty()) own = stage_.quantity_ids.front();
    }
    panels::ExportState state{.dialog = dialog,
                              .figures = stage_.figure_ids,
                              .quantities = stage_.quantity_ids,
                              .own_quantity = own,
                              .seen = seen_size(dialog.figure)};
    if (dialog.fresh) dialog.size = state.seen;  // the tiles are laid out only now
    return state;
}

std::vector<std::string> Workbench::export_words(const panels::ExportState& state) const {
    auto words = panels::command_of(state.dialog, state.own_quantity, preferences.theme,
                                    code(appearance.strings().language()));
    const auto splits = preferences.splits.find(std::string(bench_of(session.scene().bench).id));
    if (words[0] == "render" && state.dialog.figure.empty() && splits != preferences.splits.end()) {
        std::string places;
        for (const double place : splits->second)
            places += fmt::format("{}{:.4g}", places.empty() ? "" : ",", place);
        words.insert(words.end(), {"--splits", places});
    }
    return words;
}

void Workbench::serve_export(const panels::ExportState& state, std::string_view figure_before) {
    const Scene& scene = session.shown();
    if (figure_before != state.dialog.figure)
        asking.target.suggest(state.dialog.figure, scene, seen_size(state.dialog.figure));
    requests_.choose_export_target = state.choose;
    if (!state.save && !state.copy_command) return;
    const Target target = asking.target.target();
    if (state.save && !target.path.empty()) {
        const auto& bank = controls.training.trainer().bank();
        const bool shows = scene.bench == "experiment" && bank && bank->finished() > 0;
        std::vector<std::string> words = export_words(state);
        std::string results =
            shows && words[0] == "render" ? experiment::to_text(experiment::results_of(*bank)) : "";
        requests_.export_now =
            Exports::Order{std::move(words), scene, target.path, target.replace, std::move(results)};
    }
    if (state.copy_command) copy(shell_line(export_words(state), scene), "toast.copied_command");
}

}  // namespace posiscope::workbench
