// dispatch.cpp — carries out what panels, lessons, search results and actions ask for.
#include "app/ui/known.hpp"
#include "app/workbench/teach/claim_text.hpp"
#include "app/workbench/workbench.hpp"
#include "core/code/code.hpp"
#include "core/models/models.hpp"
#include "core/scene/settings.hpp"

#include <algorithm>

namespace posiscope::workbench {
using panels::Verb;

void Workbench::carry_out(panels::Command command) {
    if (panels::after_frame(command.verb)) {
        requests_.emplace_back(std::move(command));
        return;
    }
    const std::string& what = command.what;
    switch (command.verb) {
        case Verb::show_bench: return navigation.turn_to(what);
        case Verb::show_figure: return show_figure(what, command.value);
        case Verb::set: return set(what, command.value);
        case Verb::show_sides: {
            const auto names = sides_names();
            Scene next = session.scene();
            posiscope::show_sides(next, static_cast<Sides>(std::ranges::find(names, what) - names.begin()));
            return session.edit_a(std::move(next));
        }
        case Verb::show_example: layout.show_bench(); return session.step(ui::find_example(what)->scene);
        case Verb::show_model: return show_model(what);
        case Verb::show_section: return show_section(*ui::find_section(what));
        case Verb::use_theme: preferences.theme = what; return;
        case Verb::act: {
            const panels::Action& action = panels::find_action(actions_.list(), what);
            // The bar of a lecture turns pages, also where no file comes next.
            if (action.offered() || lecture.on()) action.perform();
            return;
        }
        case Verb::list_recent: host.recent = documents.recent(); return;
        case Verb::copy_code:
            return sharing.copy(find_code_form(what)->write(session.shown()), "toast.copied_code");
        case Verb::copy_check: return sharing.copy_check(command.number != 0);
        case Verb::copy_export_command: return sharing.copy_export_command();
        case Verb::copy_results: return sharing.copy(teaching.results_line(), "toast.copied_numbers");
        case Verb::start_export: return sharing.start_export();
        case Verb::stop_export: return sharing.exports.stop();
        case Verb::train:
        case Verb::pause_training:
        case Verb::stop_training:
        case Verb::restart_training: return training.carry_out(command.verb);
        case Verb::reveal: lecture.turn(1); return;
        case Verb::jump_to: return lecture.jump_to(static_cast<std::size_t>(command.number));
        case Verb::keep_laser: return lecture.toggle_laser();
        case Verb::decline_lessons: preferences.lessons_offered = true; return;
        case Verb::ask_removal:
            sharing.either = {{"lesson.remove",
                               {{"step", std::to_string(teaching.guide().index() + 1)},
                                {"path", teaching.own_file()->path}}},
                              "question.remove",
                              {},
                              {Verb::remove_step},
                              {},
                              teaching.place()};
            return;
        default:
            if (command.verb == Verb::begin_lesson) preferences.lessons_offered = true;
            if (auto scene = teaching.carry_out(command, session.scene())) session.step(std::move(*scene));
    }
}

void Workbench::set(std::string_view key, const std::string& value) {
    auto laid = overlay(session.shown(), partial_from_value(session.shown(), key, parse_json(value).value()));
    if (!laid) return session.edit_a(session.scene(), {laid.error()});
    session.edit(std::move(laid->scene), std::move(laid->adjusted));
}

void Workbench::show_figure(std::string_view figure, const std::string& mode) {
    layout.show_alone(figure);
    if (mode.empty()) return;
    Scene next = session.shown();
    figures::set_view_value(next, figure, "mode", mode);
    session.edit(std::move(next));
}

void Workbench::show_model(std::string_view name) {
    const auto model = model_scene(ui::known_models(), name);
    auto laid = with_model(session.scene(), *model);
    if (!laid) return session.edit_a(session.scene(), {laid.error()});
    show({std::string(name), std::move(laid->scene), std::move(laid->adjusted), model->notes, {}});
}

void Workbench::show_section(const Section& section) {
    if (section.opens == "lessons") teaching.turn_to(panels::GuideTab::lessons);
    else if (section.opens == "tables") help = {true, panels::HelpPage::tables};
    else if (section.opens == "experiment") navigation.turn_to(section.opens);
    else session.step(workbench::shown(section));
    layout.show_bench();
}

}  // namespace posiscope::workbench
