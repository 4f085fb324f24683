#include "app/workbench/workbench.hpp"

namespace posiscope::workbench {

Workbench::Workbench(Scene scene, Preferences given, canvas::Layers* layers, std::function<void()> wake)
    : preferences(std::move(given)),
      appearance(preferences),
      session(std::move(scene)),
      notices(appearance.strings()),
      documents(preferences.recent),
      exports(wake),
      stage_{.screen = canvas::Screen(appearance.fonts(), layers)},
      actions_(table()) {
    controls.training.trainer().set_wake(wake);
    controls.playing.speed = preferences.speed;
    controls.playing.loop = preferences.loop;
    for (const Bench& bench : benches()) stage_.bench_ids.push_back(bench.id);
    for (const figures::Figure* figure : figures::figures()) stage_.figure_ids.push_back(figure->id);
}

void Workbench::show(const Opened& opened) {
    session.open(opened.scene);
    controls.notes.set_origin(opened.origin, opened.scene.encoding);
    for (const Problem& adjusted : opened.adjusted) notices.say(adjusted, Tone::note);
    if (opened.results)
        controls.training.trainer().adopt(experiment::bank_of(*opened.results, experiment::Origin::file));
    forget_derived();
}

}  // namespace posiscope::workbench
