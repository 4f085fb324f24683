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

float Workbench::fit(int width, int height, float monitor_scale) {
    const Guide& guide = controls.teaching.guide();
    space_ = {.width = width,
              .height = height,
              .monitor = monitor_scale,
              .sidebar = guide.open() || (controls.sidebar_asked && fitted_.fold != Fold::none),
              .presenting = controls.presenting.on(),
              .alone = !layout.alone().empty()};
    const Fold before = fitted_.fold;
    fitted_ = workbench::fit(space_, preferences.scale);
    if ((before == Fold::none) != (fitted_.fold == Fold::none)) controls.sidebar_asked = false;
    return fitted_.scale;
}

void Workbench::enlarge(int by) {
    const double next = next_scale(space_, preferences.scale, by);
    if (next == preferences.scale)
        notices.say(std::string(appearance.strings().text(by > 0 ? "toast.largest" : "toast.smallest")));
    preferences.scale = next;
}

std::string_view Workbench::alone() const {
    if (!layout.alone().empty() || fitted_.fold != Fold::bench) return layout.alone();
    const lessons::Step* step = controls.teaching.guide().open() ? controls.teaching.guide().step() : nullptr;
    // Its name as the registry has it: a lesson may go while its figure is laid out.
    if (const figures::Figure* figure = step != nullptr ? figures::find_figure(step->figure) : nullptr)
        return figure->id;
    return figures_of(bench_of(session.scene().bench)).front();
}

bool Workbench::with_sidebar() const {
    return controls.teaching.guide().open() || (fitted_.fold == Fold::none) != controls.sidebar_asked;
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
