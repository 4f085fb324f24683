#include "app/workbench/train/trainer.hpp"

#include "app/ui/known.hpp"
#include "core/experiment/pass.hpp"

#include <algorithm>
#include <chrono>

namespace posiscope::workbench {
namespace {

using experiment::Known;
using experiment::Origin;
using experiment::Run;
using experiment::Settings;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kWorkers = 2;
constexpr auto kTellEvery = std::chrono::milliseconds(150);  // a run; what can be seen is told at once
constexpr std::size_t kMostKnown = 16;                       // settings
constexpr auto kSlice = std::chrono::milliseconds(10);       // of a frame, where there are no threads

std::string own_name(const Settings& settings) {
    return experiment::name_of(settings, experiment::instruction_set());
}

// A run as a job: it says what there is of it now and then, and wakes the window.
class Learning {
public:
    Learning(Settings settings, std::string encoding, std::uint64_t seed, jobs::Inbox<Known>::Sender to,
             std::function<void()> wake)
        : settings_(std::move(settings)),
          encoding_(std::move(encoding)),
          seed_(seed),
          to_(std::move(to)),
          wake_(std::move(wake)) {}

    bool advance() {
        if (!run_) run_.emplace(settings_, encoding_, seed_);
        const bool more = run_->advance();
        if (more && !worth_telling()) return true;
        told_ = Clock::now();
        told_step_ = run_->step();
        told_moments_ = run_->run().moments.size();
        to_.send({std::make_shared<const Run>(run_->run()), told_step_, Origin::own,
                  experiment::instruction_set(), experiment::compiler()});
        wake_();
        return more;
    }

private:
    // The first step, each look at once, and what is between them now and then.
    bool worth_telling() const {
        if (run_->scoring()) return false;
        if (run_->run().moments.size() != told_moments_) return true;
        return run_->step() != told_step_ && (told_step_ == 0 || Clock::now() - told_ >= kTellEvery);
    }

    Settings settings_;
    std::string encoding_;
    std::uint64_t seed_;
    jobs::Inbox<Known>::Sender to_;
    std::function<void()> wake_;
    std::optional<experiment::RunInPieces> run_;
    Clock::time_point told_{};
    std::int64_t told_step_ = 0;
    std::size_t told_moments_ = 0;
};

}  // namespace

Trainer::Trainer(bool threads)
    : pool_({.threads = threads ? kWorkers : 0, .begin = platform::work_behind_the_window, .ended = [this] {
                 wake_();
             }}) {}

void Trainer::set_wake(std::function<void()> wake) { wake_ = std::move(wake); }

void Trainer::set_memory(std::function<std::optional<experiment::Results>(const std::string& name)> memory) {
    memory_ = std::move(memory);
    followed_ = nullptr;
}

void Trainer::adopt(experiment::Bank adopted) {
    if (running()) stop();
    const std::string name = own_name(adopted.settings);
    auto bank = std::make_shared<experiment::Bank>(std::move(adopted));
    if (const auto before = known_.find(name); before != known_.end())
        for (const Known& known : before->second->runs)
            if (known.origin == Origin::own) bank->add(known);
    bank_ = known_[name] = bank;
    old_ = true;  // until the Scene's settings say otherwise
    followed_ = nullptr;
}

void Trainer::follow(const Json& view) {
    static const Json none;
    const auto found = view.find("experiment");
    if (const auto& now = view_.of(found == view.end() ? none : *found); now != followed_) {
        followed_ = now;
        if (auto shown = experiment::shown_in({{"experiment", *now}})) choose(*shown);
    }
    if (pool_.runs_inline()) pool_.run_inline(Clock::now() + kSlice);
    take(inbox_.take());
    if (auto problem = pool_.take_problem()) {
        problem_ = std::move(problem);
        stop();
    }
}

// Results for these settings: known already, kept in a file, shipped, or none; then those before stay, as old ones.
void Trainer::choose(const experiment::Shown& shown) {
    const bool same = shown_ && experiment::same_training(shown_->settings, shown.settings);
    const bool list = shown_ && shown_->settings == shown.settings;
    if (!same && running()) stop();
    shown_ = shown;
    const std::string name = own_name(shown.settings);
    if (known_.size() > kMostKnown && unsaved_.empty()) known_.clear();
    auto known = known_.find(name);
    if (known == known_.end()) {
        const Bank shipped = ui::shipped_results(shown.settings);
        auto bank = shipped ? std::make_shared<experiment::Bank>(*shipped) : nullptr;
        if (auto kept = memory_ ? memory_(name) : std::nullopt) {
            if (!bank) bank = std::make_shared<experiment::Bank>(experiment::Bank{shown.settings, {}});
            for (Known& own : experiment::bank_of(std::move(*kept), Origin::own).runs)
                bank->add(std::move(own));
        }
        if (bank) known = known_.emplace(name, std::move(bank)).first;
    }
    if (known != known_.end()) bank_ = known->second;
    old_ = bank_ && known == known_.end();
    if (same && !list && running()) queue(false);
}

// Puts the missing runs in order; `all`: also those that there are. What runs goes on, unless all are made anew.
void Trainer::queue(bool all) {
    if (!shown_) return;
    const std::vector<jobs::Pool::Id> withdrawn = pool_.withdraw();
    std::erase_if(ordered_, [&](const auto& one) {
        return std::find(withdrawn.begin(), withdrawn.end(), one.second) != withdrawn.end();
    });
    for (std::int64_t seed = 1; seed <= shown_->settings.seeds; ++seed)
        for (const std::string& encoding : shown_->settings.encodings) {
            const RunId id(encoding, static_cast<std::uint64_t>(seed));
            const Known* there = bank_ && !old_ ? bank_->find(encoding, id.second) : nullptr;
            if (ordered_.contains(id) || (!all && there != nullptr && there->finished())) continue;
            auto run =
                std::make_shared<Learning>(shown_->settings, encoding, id.second, inbox_.sender(), wake_);
            ordered_.emplace(id, pool_.start([run] { return run->advance(); }, inbox_.sender().stop()));
        }
    total_ = ordered_.size();
    pool_.pause(false);
}

// Ends the runs that are under way; their results are dropped.
void Trainer::forget() {
    take(inbox_.forget());
    pool_.withdraw();
    pool_.pause(false);
    ordered_.clear();
    under_.clear();
    total_ = 0;
}

// Finished runs stay, wherever they were trained; anew, they come back when it is stopped.
void Trainer::begin(bool anew) {
    if (!shown_) return;
    before_ = old_ ? nullptr : bank_;
    auto bank = std::make_shared<experiment::Bank>(experiment::Bank{shown_->settings, {}});
    if (before_ && !anew)
        for (const Known& known : before_->runs)
            if (known.finished()) bank->runs.push_back(known);
    bank_ = bank;
    old_ = false;
    known_[own_name(bank->settings)] = bank_;
    queue(anew);
}

void Trainer::run() {
    if (!running()) return begin(false);
    pool_.pause(false);
}

void Trainer::pause() { pool_.pause(running()); }

void Trainer::stop() {
    if (!running()) return;
    forget();
    if (!bank_) return;
    // A run that was under way starts again another time; the results before it come back in its place.
    auto bank = std::make_shared<experiment::Bank>(*bank_);
    std::erase_if(bank->runs, [](const Known& known) { return !known.finished(); });
    if (before_ && experiment::same_training(before_->settings, bank->settings))
        for (const Known& known : before_->runs)
            if (bank->find(known.run->encoding, known.run->seed) == nullptr) bank->add(known);
    before_ = nullptr;
    bank_ = bank;
    if (!old_) known_[own_name(bank->settings)] = bank_;
}

void Trainer::restart() {
    if (running()) stop();
    begin(true);
}

void Trainer::take(std::vector<Known> news) {
    if (!shown_ || news.empty()) return;
    auto bank = bank_ && !old_ ? std::make_shared<experiment::Bank>(*bank_)
                               : std::make_shared<experiment::Bank>(experiment::Bank{shown_->settings, {}});
    bank->settings = shown_->settings;
    for (Known& known : news) {
        std::erase_if(under_, [&](const Under& one) {
            return one.encoding == known.run->encoding && one.seed == known.run->seed;
        });
        if (known.finished()) {
            ordered_.erase({known.run->encoding, known.run->seed});
            unsaved_.insert(own_name(shown_->settings));
        } else {
            under_.push_back({known.run->encoding, known.run->seed, known.step});
        }
        bank->add(std::move(known));
    }
    bank_ = bank;
    old_ = false;
    known_[own_name(bank_->settings)] = bank_;
    if (ordered_.empty()) {
        total_ = 0;
        before_ = nullptr;
    }
}

std::optional<Trainer::Unsaved> Trainer::take_unsaved() {
    if (unsaved_.empty()) return std::nullopt;
    const std::string name = std::move(unsaved_.extract(unsaved_.begin()).value());
    const auto found = known_.find(name);
    if (found == known_.end()) return std::nullopt;
    experiment::Bank own{found->second->settings, {}};
    for (const Known& known : found->second->runs)
        if (known.origin == Origin::own) own.runs.push_back(known);
    return Unsaved{name, experiment::results_of(own)};
}

}  // namespace posiscope::workbench
