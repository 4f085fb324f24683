#include "app/workbench/train/training.hpp"

#include "core/encodings/encodings.hpp"
#include "core/experiment/frame.hpp"

#include <algorithm>

namespace posiscope::workbench {
namespace {

// The nine of the presets first, then the others that can be trained.
const std::vector<std::string>& trainable() {
    static const std::vector<std::string> list = [] {
        std::vector<std::string> made = experiment::presets()[0].settings.encodings;
        for (const std::string_view kind : encoding_kinds())
            if (!experiment::not_trained(kind) && std::find(made.begin(), made.end(), kind) == made.end())
                made.emplace_back(kind);
        return made;
    }();
    return list;
}

}  // namespace

void Training::follow(const Scene& scene, const Preferences& preferences) {
    const bool here = scene.bench == "experiment";
    if (here || trainer_.running() || trainer_.bank()) trainer_.follow(scene.view);
    const bool leaves = !here && !preferences.train_elsewhere;
    if (leaves && trainer_.running() && !trainer_.paused()) {
        trainer_.pause();
        left_ = true;
    } else if (here && std::exchange(left_, false) && trainer_.paused()) {
        trainer_.run();
        began_ = std::chrono::steady_clock::now();
        steps_at_ = steps_done();
    }
}

double Training::steps_done() const {
    if (!trainer_.shown()) return 0.0;
    double steps =
        static_cast<double>(trainer_.done()) * static_cast<double>(trainer_.shown()->settings.steps);
    for (const Trainer::Under& one : trainer_.under_way()) steps += static_cast<double>(one.step);
    return steps;
}

double Training::seconds_left() const {
    const double now = steps_done(), made = now - steps_at_;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began_;
    if (made < 50.0 || !trainer_.shown()) return -1.0;
    const double all =
        static_cast<double>(trainer_.total()) * static_cast<double>(trainer_.shown()->settings.steps);
    return (all - now) * passed.count() / made;
}

panels::ExperimentState Training::state(Preferences& preferences) {
    panels::ExperimentState made{.shown = trainer_.shown() ? &*trainer_.shown() : nullptr,
                                 .trainees = {},
                                 .running = trainer_.running(),
                                 .paused = trainer_.paused(),
                                 .complete = false,
                                 .old = trainer_.old(),
                                 .moments = {},
                                 .done = trainer_.done(),
                                 .total = trainer_.total(),
                                 .seconds_left = trainer_.running() ? seconds_left() : -1.0,
                                 .elsewhere = preferences.train_elsewhere};
    if (made.shown == nullptr) return made;
    const experiment::Settings& settings = made.shown->settings;
    if (moments_of_ != settings.steps) {
        moments_ = experiment::moments_of(settings.steps);
        moments_of_ = settings.steps;
    }
    made.moments = moments_;
    trainees_.clear();
    std::size_t own = 0;
    for (const std::string& encoding : trainable()) {
        panels::Trainee one{.encoding = encoding};
        const bool asked = std::find(settings.encodings.begin(), settings.encodings.end(), encoding) !=
                           settings.encodings.end();
        one.queued = made.running && asked;
        for (std::int64_t seed = 1; seed <= settings.seeds && trainer_.bank() && !trainer_.old(); ++seed) {
            const experiment::Known* known =
                trainer_.bank()->find(encoding, static_cast<std::uint64_t>(seed));
            if (known == nullptr || !known->finished()) continue;
            ++one.done;
            one.shipped = one.shipped || known->origin == experiment::Origin::shipped;
            if (asked && known->origin == experiment::Origin::own) ++own;
        }
        for (const Trainer::Under& under : trainer_.under_way())
            if (under.encoding == encoding)
                one.part = static_cast<double>(under.step) / static_cast<double>(settings.steps);
        trainees_.push_back(one);
    }
    made.trainees = trainees_;
    made.complete = own == settings.encodings.size() * static_cast<std::size_t>(settings.seeds);
    return made;
}

void Training::serve(const panels::ExperimentState& state) {
    using Command = panels::ExperimentState::Command;
    if (state.command == Command::none) return;
    switch (state.command) {
        case Command::run: trainer_.run(); break;
        case Command::pause: trainer_.pause(); break;
        case Command::stop: trainer_.stop(); break;
        case Command::restart: trainer_.restart(); break;
        default: break;
    }
    began_ = std::chrono::steady_clock::now();
    steps_at_ = steps_done();
    left_ = false;
}

}  // namespace posiscope::workbench
