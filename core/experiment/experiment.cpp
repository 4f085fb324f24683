#include "core/experiment/experiment.hpp"

#include "core/jobs/pool.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>

namespace posiscope::experiment {
namespace {

constexpr std::int64_t kToldEvery = 25;  // steps
constexpr auto kAskedEvery = std::chrono::milliseconds(20);
constexpr auto kKeptEvery = std::chrono::seconds(2);

}  // namespace

struct RunInPieces::State {
    State(const Settings& of, Training<float> made, const std::string& encoding, std::uint64_t seed)
        : settings(of),
          training(std::move(made)),
          looks(seed == 1 ? moments_of(of.steps) : std::vector<std::int64_t>()),
          scalings(scalings_of(encoding)),
          run{encoding, seed, {}, {}, {}, {}} {}

    Settings settings;
    Training<float> training;
    std::vector<std::int64_t> looks;
    std::span<const Scaling> scalings;
    Run run;
    double block = 0.0;
    std::optional<Look> look;  // under way
    std::optional<Test<float>> test;
};

RunInPieces::RunInPieces(const Settings& settings, const std::string& encoding, std::uint64_t seed) {
    auto made = Training<float>::of(settings, encoding, seed);
    if (!made) throw std::logic_error("settings with an encoding that cannot be trained");
    state_ = std::make_unique<State>(settings, std::move(*made), encoding, seed);
}
RunInPieces::RunInPieces(RunInPieces&&) noexcept = default;
RunInPieces::~RunInPieces() = default;

const Run& RunInPieces::run() const { return state_->run; }
std::int64_t RunInPieces::step() const { return state_->training.steps(); }

bool RunInPieces::advance() {
    State& s = *state_;
    if (s.look) {
        if (s.look->advance()) return true;
        s.run.moments.push_back(std::move(s.look->moment()));
        s.look.reset();
        return true;
    }
    if (s.training.finished()) {
        if (s.run.scores.size() == s.scalings.size()) return false;
        if (is_typed(s.run.encoding) && s.run.learned.empty()) s.run.learned = s.training.learned();
        if (!s.test) s.test.emplace(s.training, s.scalings[s.run.scores.size()]);
        if (s.test->advance()) return true;
        s.run.scores.push_back(std::move(s.test->scores()));
        s.test.reset();
        return s.run.scores.size() < s.scalings.size();
    }
    const auto loss = s.training.advance();
    if (!loss) return true;
    s.block += *loss;
    const std::int64_t step = s.training.steps();
    if (const std::int64_t in_block = (step - 1) % kLossBlock + 1;
        in_block == kLossBlock || s.training.finished()) {
        s.run.loss.push_back(s.block / static_cast<double>(in_block));
        s.block = 0.0;
    }
    if (std::find(s.looks.begin(), s.looks.end(), step) != s.looks.end())
        s.look.emplace(s.training, s.settings);
    return true;
}

// "AVX2, AVX3": each once, in the order in which they come.
void join_once(std::string& list, const std::string& name) {
    if (name.empty() || list == name || (", " + list + ",").find(", " + name + ",") != std::string::npos)
        return;
    list += (list.empty() ? "" : ", ") + name;
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

namespace {

// One run of many, as a job: it is made when it begins, and gone when it ends.
class Queued {
public:
    Queued(const Settings& settings, Run& into, std::function<void(std::int64_t)> tell)
        : settings_(settings), into_(into), tell_(std::move(tell)) {}

    bool advance() {
        if (!run_) run_.emplace(settings_, into_.encoding, into_.seed);
        const bool more = run_->advance();
        if (const std::int64_t step = run_->step(); step != told_) {
            told_ = step;
            if (step % kToldEvery == 0 && step < settings_.steps) tell_(step);
        }
        if (more) return true;
        into_ = run_->run();
        run_.reset();
        tell_(settings_.steps);
        return false;
    }

private:
    const Settings& settings_;
    Run& into_;
    std::function<void(std::int64_t)> tell_;
    std::optional<RunInPieces> run_;
    std::int64_t told_ = 0;
};

}  // namespace

Results run_all(const Settings& settings, int jobs, const Watch& watch, const Results& before, Share share) {
    Results results{settings, before.instructions, before.compiler, {}};
    for (std::int64_t seed = 1; seed <= settings.seeds; ++seed)
        for (const std::string& encoding : settings.encodings)
            results.runs.push_back({encoding, static_cast<std::uint64_t>(seed), {}, {}, {}, {}});
    std::mutex telling;
    std::size_t finished = 0;
    std::vector<char> whole(results.runs.size(), 0);  // nobody writes that run any more
    const auto finished_runs = [&] {
        Results made{settings, results.instructions, results.compiler, {}};
        const std::lock_guard lock(telling);
        for (std::size_t place = 0; place < whole.size(); ++place)
            if (whole[place] != 0) made.runs.push_back(results.runs[place]);
        return made;
    };
    {
        jobs::Pool pool({.threads = static_cast<std::size_t>(jobs)});
        const jobs::Stop stop;
        for (std::size_t place = 0; place < results.runs.size(); ++place) {
            Run& run = results.runs[place];
            if (const Run* there = before.run(run.encoding, run.seed)) {
                run = *there;
                const std::lock_guard lock(telling);
                whole[place] = 1;
                if (share.has(place)) ++finished;
                continue;
            }
            if (!share.has(place)) continue;
            join_once(results.instructions, instruction_set());
            join_once(results.compiler, compiler());
            const auto tell = [&, place](std::int64_t step) {
                const std::lock_guard lock(telling);
                if (step == settings.steps) ++finished, whole[place] = 1;
                if (watch.told) watch.told({run.encoding, run.seed, step, finished});
            };
            pool.start([queued = std::make_shared<Queued>(settings, run, tell)] { return queued->advance(); },
                       stop);
        }
        const auto now = std::chrono::steady_clock::now;
        auto next = now() + kKeptEvery;
        std::size_t known = before.runs.size();
        while (!pool.wait_until(now() + kAskedEvery) && !(watch.ended && watch.ended())) {
            if (!watch.finished || now() < next) continue;
            next = now() + kKeptEvery;
            const Results made = finished_runs();
            if (std::exchange(known, made.runs.size()) != made.runs.size()) watch.finished(made);
        }
        stop.ask();
        if (const auto problem = pool.take_problem()) {
            if (problem->key == "memory.exhausted") throw std::bad_alloc();
            throw std::logic_error(to_string(*problem));
        }
    }
    std::erase_if(results.runs, [](const Run& run) { return run.scores.empty(); });
    return results;
}

}  // namespace posiscope::experiment
