#include "core/experiment/experiment.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace posiscope::experiment {
namespace {

constexpr std::int64_t kToldEvery = 25;  // steps

struct Queue {
    const Settings& settings;
    const Watch& watch;
    std::vector<Run> runs;
    std::vector<char> finished;  // not vector<bool>: threads write neighbours
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> ended = false;
    std::mutex telling;

    Queue(const Settings& s, const Watch& w) : settings(s), watch(w) {
        for (std::int64_t seed = 1; seed <= s.seeds; ++seed)
            for (const std::string& encoding : s.encodings)
                runs.push_back({encoding, static_cast<std::uint64_t>(seed), {}, {}, {}});
        finished.assign(runs.size(), 0);
    }

    void tell(const Run& run, std::int64_t step) {
        const std::lock_guard lock(telling);
        const auto count = static_cast<std::size_t>(std::count(finished.begin(), finished.end(), 1));
        if (watch && !watch({run.encoding, run.seed, step, count})) ended = true;
    }

    void work() {
        for (std::size_t at = next++; at < runs.size() && !ended; at = next++) train(at);
    }

    void train(std::size_t at) {
        const std::string encoding = runs[at].encoding;
        auto run =
            experiment::train(settings, encoding, runs[at].seed, [&](const Run& sofar, std::int64_t step) {
                if (step % kToldEvery == 0 && step < settings.steps) tell(sofar, step);
                return !ended;
            });
        if (!run) return;
        {
            const std::lock_guard lock(telling);
            runs[at] = std::move(*run);
            finished[at] = 1;
        }
        tell(runs[at], settings.steps);
    }
};

}  // namespace

struct RunInSteps::State {
    State(const Settings& of, Training<float> made, const std::string& encoding, std::uint64_t seed)
        : settings(of),
          training(std::move(made)),
          looks(seed == 1 ? moments_of(of.steps) : std::vector<std::int64_t>()),
          scalings(scalings_of(encoding)),
          run{encoding, seed, {}, {}, {}} {}

    Settings settings;
    Training<float> training;
    std::vector<std::int64_t> looks;
    std::span<const Scaling> scalings;
    Run run;
    double block = 0.0;
};

RunInSteps::RunInSteps(const Settings& settings, const std::string& encoding, std::uint64_t seed) {
    auto made = Training<float>::of(settings, encoding, seed);
    if (!made) throw std::logic_error("settings with an encoding that cannot be trained");
    state_ = std::make_unique<State>(settings, std::move(*made), encoding, seed);
}
RunInSteps::RunInSteps(RunInSteps&&) noexcept = default;
RunInSteps::~RunInSteps() = default;

const Run& RunInSteps::run() const { return state_->run; }
std::int64_t RunInSteps::step() const { return state_->training.steps(); }

bool RunInSteps::advance() {
    State& s = *state_;
    if (s.training.finished()) {
        if (s.run.scores.size() < s.scalings.size())
            s.run.scores.push_back(s.training.test(s.scalings[s.run.scores.size()]));
        return s.run.scores.size() < s.scalings.size();
    }
    s.block += s.training.step();
    const std::int64_t step = s.training.steps();
    if (const std::int64_t in_block = (step - 1) % kLossBlock + 1;
        in_block == kLossBlock || s.training.finished()) {
        s.run.loss.push_back(s.block / static_cast<double>(in_block));
        s.block = 0.0;
    }
    if (std::find(s.looks.begin(), s.looks.end(), step) != s.looks.end())
        s.run.moments.push_back(moment(s.training, s.settings));
    return true;
}

std::optional<Run> train(const Settings& settings, const std::string& encoding, std::uint64_t seed,
                         const RunWatch& watch) {
    RunInSteps steps(settings, encoding, seed);
    while (steps.advance())
        if (watch && steps.run().scores.empty() && !watch(steps.run(), steps.step())) return std::nullopt;
    return steps.run();
}

const Run* Results::run(std::string_view encoding, std::uint64_t seed) const {
    for (const Run& run : runs)
        if (run.encoding == encoding && run.seed == seed) return &run;
    return nullptr;
}

std::string compiler() {
#if defined(__clang__)
    return std::string("Clang ") + __clang_version__;
#elif defined(__GNUC__)
    return std::string("GCC ") + __VERSION__;
#else
    return "unknown";
#endif
}

Results run_all(const Settings& settings, int jobs, const Watch& watch) {
    Queue queue(settings, watch);
    {
        std::vector<std::jthread> others;
        try {
            for (int job = 1; job < jobs; ++job) others.emplace_back([&queue] { queue.work(); });
        } catch (const std::system_error&) {  // no more threads: those that there are do it all
        }
        queue.work();
    }
    Results results{settings, instruction_set(), compiler(), {}};
    for (std::size_t at = 0; at < queue.runs.size(); ++at)
        if (queue.finished[at] != 0) results.runs.push_back(std::move(queue.runs[at]));
    return results;
}

}  // namespace posiscope::experiment
