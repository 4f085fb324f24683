#include "app/figures/parts/background.hpp"

#include "core/cost.hpp"

#include <algorithm>

namespace posiscope::figures {
namespace {

// Without threads a job runs between two frames, once nothing has changed for a while, and for a second at most: what
// takes longer stays rough.
constexpr double kBetweenFrames = 1e9;
constexpr auto kQuiet = std::chrono::milliseconds(250);

}  // namespace

const Problem& being_made() {
    static const Problem problem{"figure.working", {}};
    return problem;
}

void Background::begin_frame() {
    if (pool_.runs_inline() && std::chrono::steady_clock::now() - last_started_ > kQuiet) {
        const Allowance allowance(kBetweenFrames);
        pool_.run_inline({});
    }
    frame_began_ = work_done();
}

double Background::left() const { return std::max(0.0, kFrameWork - (work_done() - frame_began_)); }

void Background::start(std::function<void()> job, jobs::Stop stop) {
    last_started_ = std::chrono::steady_clock::now();
    pool_.start([job = std::move(job)] { return job(), false; }, std::move(stop));
}

}  // namespace posiscope::figures
