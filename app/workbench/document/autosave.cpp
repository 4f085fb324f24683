#include "app/workbench/document/autosave.hpp"

#include <imgui.h>

namespace posiscope::workbench {

void Keeper::keep(Workbench& bench, Preferences now, bool scene_changed) {
    if (scene_changed) tell(bench, save_session(folders_.state, bench.session.scene()));
    if (const auto progress = bench.teaching.take_changed())
        tell(bench, save_progress(folders_.state, *progress));
    keep_results(bench);
    if (kept_ && *kept_ == now) return;
    if (kept_) tell(bench, save_preferences(folders_.config, now));
    kept_ = std::move(now);
}

void Keeper::keep_results(Workbench& bench, bool all) {
    Trainer& trainer = bench.training.trainer();
    if (!trainer.has_unsaved() || (!all && trainer.running() && ImGui::GetTime() - results_kept_ < 3.0))
        return;
    results_kept_ = ImGui::GetTime();
    while (const auto unsaved = trainer.take_unsaved())
        tell(bench, save_results(folders_.state, unsaved->name, unsaved->results));
}

void Keeper::tell(Workbench& bench, const Result<void>& saved) {
    if (saved || told_) return;
    told_ = true;
    bench.notices.say(saved.error());
}

void recall(Workbench& bench, const platform::Folders& folders) {
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
