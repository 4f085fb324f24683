#include "app/workbench/train/training.hpp"

#include "core/encodings/own.hpp"
#include "core/experiment/frame.hpp"

#include <algorithm>
#include <fmt/format.h>

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

// Its slots, then its numbers in one line; of a learned one what it came to over the seeds.
std::vector<panels::TypedText> lines_of(const std::string& entry, const Trainer::Bank& bank) {
    const Json typed = experiment::json_of(entry);
    std::vector<panels::TypedText> lines;
    for (const OwnSlot& slot : own_slots())
        if (typed.contains(slot.key))
            lines.push_back({slot.key, typed.at(slot.key).get_ref<const std::string&>()});
    std::string numbers;
    const Json marked = typed.value("learned", Json::array());
    const Json values = typed.value("values", Json::object());
    for (const auto& value : values.items()) {
        if (!value.value().is_number()) continue;
        std::vector<double> learned;
        for (std::size_t n = 0; bank && n < bank->runs.size(); ++n)
            if (const experiment::Run& run = *bank->runs[n].run; run.encoding == entry)
                for (const experiment::LearnedNumber& one : run.learned)
                    if (one.name == value.key()) learned.push_back(one.numbers.at(0));
        const experiment::Spread came = experiment::spread_of(learned);
        numbers += fmt::format("{}{} {}", numbers.empty() ? "" : "   ", value.key(),
                               to_text(value.value().get<double>()));
        if (came.seeds >= 3) numbers += fmt::format(" → {:.3g} ±{:.2g}", came.mean, came.deviation);
        else if (came.seeds == 1) numbers += fmt::format(" → {:.3g}", came.mean);
        else if (came.seeds > 0) numbers += fmt::format(" → {:.3g}…{:.3g}", came.least, came.most);
        else if (std::find(marked.begin(), marked.end(), value.key()) != marked.end()) numbers += " → …";
    }
    if (!numbers.empty()) lines.push_back({{}, std::move(numbers)});
    return lines;
}

}  // namespace

void Training::list_typed(const Scene& scene) {
    const std::vector<std::string>& with = trainer_.shown()->settings.encodings;
    if (typed_of_ == scene.encoding && typed_with_ == with && typed_bank_ == trainer_.bank()) return;
    typed_of_ = scene.encoding;
    typed_with_ = with;
    typed_bank_ = trainer_.bank();
    typed_.clear();
    const auto add = [&](const std::string& entry) {
        typed_.push_back({entry, lines_of(entry, typed_bank_)});
    };
    for (const std::string& entry : with)
        if (experiment::is_typed(entry)) add(entry);
    const auto own = experiment::entry_of(scene.encoding);
    if (own && std::find(with.begin(), with.end(), *own) == with.end()) add(*own);
}

void Training::follow(const Scene& scene, const Preferences& preferences) {
    const bool here = scene.bench == "experiment";
    if (here || trainer_.running() || trainer_.bank()) trainer_.follow(scene.view);
    if (here && trainer_.shown()) list_typed(scene);
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
    std::size_t there = 0;
    const auto add = [&](std::string_view encoding, std::span<const panels::TypedText> lines) {
        panels::Trainee one{.encoding = encoding, .lines = lines};
        const bool asked = std::find(settings.encodings.begin(), settings.encodings.end(), encoding) !=
                           settings.encodings.end();
        one.queued = made.running && asked;
        for (std::int64_t seed = 1; seed <= settings.seeds && trainer_.bank() && !trainer_.old(); ++seed) {
            const experiment::Known* known =
                trainer_.bank()->find(encoding, static_cast<std::uint64_t>(seed));
            if (known == nullptr || !known->finished()) continue;
            ++one.done;
            one.shipped = one.shipped || known->origin == experiment::Origin::shipped;
            if (asked) ++there;
        }
        for (const Trainer::Under& under : trainer_.under_way())
            if (under.encoding == encoding)
                one.part = static_cast<double>(under.step) / static_cast<double>(settings.steps);
        trainees_.push_back(one);
    };
    for (const std::string& encoding : trainable()) add(encoding, {});
    for (const TypedEntry& one : typed_) add(one.entry, one.lines);
    made.trainees = trainees_;
    made.complete = there == settings.encodings.size() * static_cast<std::size_t>(settings.seeds);
    return made;
}

void Training::carry_out(panels::Verb verb) {
    using panels::Verb;
    if (verb == Verb::train) trainer_.run();
    else if (verb == Verb::pause_training) trainer_.pause();
    else if (verb == Verb::stop_training) trainer_.stop();
    else trainer_.restart();
    began_ = std::chrono::steady_clock::now();
    steps_at_ = steps_done();
    left_ = false;
}

}  // namespace posiscope::workbench
