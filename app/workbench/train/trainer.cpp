#include "app/workbench/train/trainer.hpp"

#include "app/platform/threads.hpp"
#include "app/ui/experiments.hpp"
#include "core/experiment/pass.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

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

}  // namespace

// What the threads share with the window's.
struct Trainer::Shared {
    std::function<void()> wake = [] {};
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Job> jobs;
    Settings settings;
    std::uint64_t generation = 0;  // of the queue; a run of an earlier one ends
    bool paused = false, ended = false;
    std::vector<Known> news;
    std::atomic<bool> has_news = false;
    std::vector<std::thread> threads;

    // Without threads: the run under way.
    std::optional<experiment::RunInSteps> here;
    std::uint64_t here_generation = 0;
    Clock::time_point here_told;

    void work_here() {
        const auto end = Clock::now() + kSlice;
        while (!paused && Clock::now() < end) {
            if (here && here_generation != generation) here.reset();
            if (!here) {
                if (jobs.empty()) return;
                here.emplace(settings, jobs.front().encoding, jobs.front().seed);
                here_generation = generation;
                jobs.pop_front();
            }
            const std::size_t moments = here->run().moments.size();
            const bool more = here->advance();
            const auto now = Clock::now();
            const bool half_scored = !here->run().scores.empty();  // what has scores counts as finished
            if (more && (half_scored || (here->run().moments.size() == moments &&
                                         now - here_told < kTellEvery && here->step() > 1)))
                continue;
            here_told = now;
            news.push_back({std::make_shared<const Run>(here->run()), here->step(), Origin::own,
                            experiment::instruction_set(), experiment::compiler()});
            has_news = true;
            if (!more) here.reset();
        }
    }

    void work() {
        platform::work_behind_the_window();
        std::unique_lock lock(mutex);
        for (;;) {
            changed.wait(lock, [&] { return ended || (!jobs.empty() && !paused); });
            if (ended) return;
            const Job job = std::move(jobs.front());
            jobs.pop_front();
            train(job, lock);
        }
    }

    // The lock is held when it begins and when it ends.
    void train(const Job& job, std::unique_lock<std::mutex>& lock) {
        const Settings own = settings;
        const std::uint64_t mine = generation;
        lock.unlock();
        auto told = Clock::now();
        std::size_t moments = 0;
        const auto tell = [&](const Run& run, std::int64_t step) {
            news.push_back({std::make_shared<const Run>(run), step, Origin::own,
                            experiment::instruction_set(), experiment::compiler()});
            has_news = true;
        };
        const auto run =
            experiment::train(own, job.encoding, job.seed, [&](const Run& sofar, std::int64_t step) {
                std::unique_lock watching(mutex);
                changed.wait(watching, [&] { return !paused || ended || generation != mine; });
                if (ended || generation != mine) return false;
                const auto now = Clock::now();
                if (sofar.moments.size() == moments && now - told < kTellEvery && step > 1) return true;
                told = now;
                moments = sofar.moments.size();
                tell(sofar, step);
                watching.unlock();
                wake();
                return true;
            });
        lock.lock();
        if (!run || generation != mine) return;
        tell(*run, own.steps);
        lock.unlock();
        wake();
        lock.lock();
    }
};

Trainer::Trainer() : shared_(std::make_unique<Shared>()) {}

Trainer::~Trainer() {
    {
        const std::lock_guard lock(shared_->mutex);
        shared_->ended = true;
    }
    shared_->changed.notify_all();
    for (std::thread& thread : shared_->threads) thread.join();
}

void Trainer::set_wake(std::function<void()> wake) { shared_->wake = std::move(wake); }

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

bool Trainer::paused() const {
    const std::lock_guard lock(shared_->mutex);
    return shared_->paused;
}

void Trainer::follow(const Json& view) {
    static const Json none;
    const auto found = view.find("experiment");
    if (const auto& now = view_.of(found == view.end() ? none : *found); now != followed_) {
        followed_ = now;
        if (auto shown = experiment::shown_in({{"experiment", *now}})) choose(*shown);
    }
    if (!platform::has_threads()) shared_->work_here();
    take_news();
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

// Puts the missing runs in order; `all`: also those that there are.
void Trainer::queue(bool all) {
    if (!shown_) return;
    std::deque<Job> jobs;
    for (std::int64_t seed = 1; seed <= shown_->settings.seeds; ++seed)
        for (const std::string& encoding : shown_->settings.encodings) {
            const auto number = static_cast<std::uint64_t>(seed);
            const Known* there = bank_ && !old_ ? bank_->find(encoding, number) : nullptr;
            const bool under = std::any_of(under_.begin(), under_.end(), [&](const Under& one) {
                return one.encoding == encoding && one.seed == number;
            });
            if (all || (!under && (there == nullptr || !there->finished())))
                jobs.push_back({encoding, number});
        }
    done_ = 0;
    total_ = jobs.size() + (all ? 0 : under_.size());
    {
        const std::lock_guard lock(shared_->mutex);
        if (all || under_.empty()) ++shared_->generation;
        shared_->settings = shown_->settings;
        shared_->jobs = std::move(jobs);
        shared_->paused = false;
        if (platform::has_threads() && shared_->threads.empty() && total_ > 0)
            for (std::size_t n = 0; n < kWorkers; ++n)
                shared_->threads.emplace_back([shared = shared_.get()] { shared->work(); });
    }
    shared_->changed.notify_all();
}

// Only what was trained here counts as there: results from elsewhere are made anew, and come back when it is stopped.
void Trainer::begin(bool anew) {
    if (!shown_) return;
    before_ = old_ ? nullptr : bank_;
    auto bank = std::make_shared<experiment::Bank>(experiment::Bank{shown_->settings, {}});
    if (before_ && !anew)
        for (const Known& known : before_->runs)
            if (known.origin == Origin::own && known.finished()) bank->runs.push_back(known);
    bank_ = bank;
    old_ = false;
    known_[own_name(bank->settings)] = bank_;
    queue(anew);
}

void Trainer::run() {
    if (!running()) return begin(false);
    {
        const std::lock_guard lock(shared_->mutex);
        shared_->paused = false;
    }
    shared_->changed.notify_all();
}

void Trainer::pause() {
    const std::lock_guard lock(shared_->mutex);
    shared_->paused = running();
}

void Trainer::stop() {
    if (!running()) return;
    take_news();
    {
        const std::lock_guard lock(shared_->mutex);
        ++shared_->generation;
        shared_->jobs.clear();
        shared_->news.clear();
        shared_->has_news = false;
        shared_->paused = false;
    }
    shared_->changed.notify_all();
    total_ = done_ = 0;
    under_.clear();
    if (!bank_) return;
    // What was under way is begun anew another time; what there was before comes back in its place.
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

void Trainer::take_news() {
    if (!shared_->has_news.load()) return;
    std::vector<Known> news;
    {
        const std::lock_guard lock(shared_->mutex);
        news.swap(shared_->news);
        shared_->has_news = false;
    }
    if (!shown_ || news.empty()) return;
    auto bank = bank_ && !old_ ? std::make_shared<experiment::Bank>(*bank_)
                               : std::make_shared<experiment::Bank>(experiment::Bank{shown_->settings, {}});
    bank->settings = shown_->settings;
    for (Known& known : news) {
        std::erase_if(under_, [&](const Under& one) {
            return one.encoding == known.run->encoding && one.seed == known.run->seed;
        });
        if (known.finished()) {
            ++done_;
            unsaved_.insert(own_name(shown_->settings));
        } else {
            under_.push_back({known.run->encoding, known.run->seed, known.step});
        }
        bank->add(std::move(known));
    }
    bank_ = bank;
    old_ = false;
    known_[own_name(bank_->settings)] = bank_;
    if (done_ >= total_ && under_.empty()) {
        total_ = done_ = 0;
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
