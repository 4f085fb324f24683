#include "app/workbench/workbench.hpp"

#include "app/platform/host.hpp"

namespace posiscope::workbench {

Workbench::Workbench(Scene scene, Preferences given, canvas::Layers* layers, std::function<void()> wake)
    : preferences(std::move(given)),
      appearance(preferences),
      session(std::move(scene)),
      notices(appearance.strings()),
      documents(preferences.recent),
      exports(wake),
      stage_{.screen = canvas::Screen(appearance.fonts(), layers)},
      actions_(table(), platform::in_browser() ? panels::kPage : panels::kDesktop) {
    controls.training.trainer().set_wake(wake);
    controls.playing.speed = preferences.speed;
    controls.playing.loop = preferences.loop;
    controls.playing.smooth = preferences.smooth;
    for (const Bench& bench : benches()) stage_.bench_ids.push_back(bench.id);
    for (const figures::Figure* figure : figures::figures()) stage_.figure_ids.push_back(figure->id);
}

void Workbench::take_after(const Workbench& other) {
    layout = other.layout;
    fitted_ = other.fitted_;
    controls.teaching.take_after(other.controls.teaching);
    controls.presenting = other.controls.presenting;
    controls.headline = other.controls.headline;
    controls.sidebar_asked = other.controls.sidebar_asked;
    controls.info = other.controls.info;
}

void Workbench::show(const Opened& opened) {
    auto step = opened.lesson != nullptr ? controls.teaching.begin(opened.lesson, opened.path) : std::nullopt;
    session.open(step ? std::move(*step) : opened.scene);
    notices.forgive(opened.path);
    controls.notes.set_origin(opened.origin, opened.scene.encoding);
    for (const Problem& adjusted : opened.adjusted) notices.say(adjusted, Tone::note);
    if (opened.results)
        controls.training.trainer().adopt(experiment::bank_of(*opened.results, experiment::Origin::file));
    forget_derived();
}

}  // namespace posiscope::workbench
