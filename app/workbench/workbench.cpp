#include "app/workbench/workbench.hpp"

#include "app/platform/host.hpp"
#include "app/ui/known.hpp"

namespace posiscope::workbench {
namespace {

// The guide lists it.
void remember_lesson(Preferences& preferences, const Opened& opened, Language language) {
    std::string title = ui::title(opened.lesson->title, language);
    if (title.empty()) title = opened.path.substr(opened.path.find_last_of('/') + 1);
    auto& lessons = preferences.lessons;
    std::erase_if(lessons, [&](const auto& one) { return one.path == opened.path; });
    lessons.insert(lessons.begin(), {opened.path, std::move(title)});
    if (lessons.size() > kMostRecent) lessons.resize(kMostRecent);
}

}  // namespace

Workbench::Workbench(Scene scene, Preferences given, canvas::Layers* layers, std::function<void()> wake)
    : preferences(std::move(given)),
      appearance(preferences),
      session(std::move(scene)),
      notices(appearance.strings()),
      documents(preferences.recent),
      stage{.screen = canvas::Screen(appearance.fonts(), layers)},
      lecture(session, layout, teaching, playing),
      sizing(preferences, session, layout, teaching, lecture),
      navigation(session, layout, hand, sizing),
      sharing(session, layout, preferences, appearance, notices, training, stage.derived, requests_, wake),
      tiles(session, layout, hand, sizing, lecture, sharing, preferences, requests_, stage, playing),
      host(*this),
      actions_(action_list(), platform::in_browser() ? panels::kPage : panels::kDesktop) {
    (void)teaching.speak(appearance.strings().language() == Language::chinese, session.scene());
    training.trainer().set_wake(wake);
    playing.speed = preferences.speed;
    playing.loop = preferences.loop;
    playing.smooth = preferences.smooth;
}

void Workbench::copy_view_state(const Workbench& other) {
    layout = other.layout;
    playing = other.playing;
    session.copy_view_state(other.session);
    documents.copy_view_state(other.documents);
    sizing.copy_view_state(other.sizing);
    teaching.copy_view_state(other.teaching);
    lecture.copy_view_state(other.lecture);
    sharing.copy_view_state(other.sharing);
    tiles.copy_view_state(other.tiles);
    notes.copy_view_state(other.notes);
    host.formulas = other.host.formulas;
    teaches_ = other.teaches_;
    offers_before_ = other.offers_before_;
}

void Workbench::show(const Opened& opened) {
    auto step = opened.lesson != nullptr ? teaching.begin(opened.lesson, opened.path, opened.lesson_text)
                                         : std::nullopt;
    if (step) remember_lesson(preferences, opened, appearance.strings().language());
    session.open(step ? std::move(*step) : opened.scene, teaching.place());
    notices.forgive(opened.path);
    notes.set_origin(opened.origin, opened.scene.encoding);
    for (const Problem& adjusted : opened.adjusted) notices.say(adjusted, Tone::note);
    if (opened.results)
        training.trainer().adopt(experiment::bank_of(*opened.results, experiment::Origin::file));
    forget_derived();
}

void Workbench::work_in(figures::Background& background) {
    stage.derived.work_in(&background);
    stage.derived_b.work_in(&background);
    teaching.work_in(&background);
    host.work_in(background);
}

void Workbench::work_at_most(double units) {
    stage.derived.work_at_most(units);
    stage.derived_b.work_at_most(units);
}

}  // namespace posiscope::workbench
