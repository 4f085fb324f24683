#include "app/workbench/document/autosave.hpp"

#include "app/platform/host.hpp"

#include <random>

namespace posiscope::workbench {

Autosave::Autosave(platform::Folders folders, Preferences loaded, std::function<void()> wake)
    : folders_(std::move(folders)),
      written_(std::make_shared<Preferences>(std::move(loaded))),
      writes_(platform::has_threads(), std::move(wake)) {}

void Autosave::put(Workbench& bench, bool scene_changed) {
    const auto& state = folders_.state;
    if (scene_changed)
        writes_.put("session", [state, scene = bench.session.scene()] { return save_session(state, scene); });
    if (auto progress = bench.teaching.take_changed()) {
        if (done_ == nullptr) done_ = std::make_shared<Json>(std::move(progress->at("found")));
        writes_.put("lessons", [state, written = done_, now = std::move(progress->at("now"))] {
            auto saved = save_progress(state, *written, now);
            if (saved) *written = now;
            return saved;
        });
    }
    while (auto unsaved = bench.training.trainer().take_unsaved())
        writes_.put("results " + unsaved->name, [state, kept = std::move(*unsaved)] {
            return save_results(state, kept.name, kept.results);
        });
    if (kept_ && *kept_ == bench.preferences) return;
    if (kept_)
        writes_.put("preferences", [config = folders_.config, written = written_, now = bench.preferences] {
            auto saved = save_preferences(config, *written, now);
            if (saved) *written = now;
            return saved;
        });
    kept_ = bench.preferences;
}

void Autosave::keep(Workbench& bench, bool scene_changed) {
    put(bench, scene_changed);
    for (const Problem& failed : writes_.take_failures()) bench.notices.say(failed);
}

std::vector<Problem> Autosave::finish(Workbench& bench) {
    put(bench, true);
    writes_.finish();
    return writes_.take_failures();
}

void recall(Workbench& bench, const platform::Folders& folders) {
    bench.teaching.set_chance(std::random_device{}());
    auto progress = load_progress(folders.state);
    if (progress.problem) bench.notices.say(*progress.problem, Tone::note);
    bench.teaching.set_progress(std::move(progress.value));
    bench.training.trainer().set_memory([&bench, state = folders.state](const std::string& name) {
        auto results = load_results(state, name);
        if (results.problem) bench.notices.say(*results.problem, Tone::note);
        return std::move(results.value);
    });
}

}  // namespace posiscope::workbench
