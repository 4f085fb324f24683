#include "tests/bench/frame_stage.hpp"

#include "tests/app/allocations.hpp"

#include <algorithm>
#include <ctime>
#include <imgui.h>
#include <stdexcept>

namespace posiscope::bench {
namespace {

workbench::Preferences preferences() {
    workbench::Preferences p;
    p.language = "en";
    p.drag_hint_seen = true;
    return p;
}

}  // namespace

Took Timer::now() {
    const auto milliseconds = [](clockid_t clock) {
        timespec at{};
        clock_gettime(clock, &at);
        return 1e3 * static_cast<double>(at.tv_sec) + 1e-6 * static_cast<double>(at.tv_nsec);
    };
    return {milliseconds(CLOCK_MONOTONIC), milliseconds(CLOCK_PROCESS_CPUTIME_ID)};
}

Took Timer::took() const {
    const Took end = now();
    return {end.clock - begin_.clock, end.processor - begin_.processor};
}

Stage::Stage(Size size) : size_(size) { target_.resize(size.width, size.height); }

Took Stage::frame(const std::function<void()>& draw, Repeats repeats) {
    gui_.make_current();
    const Timer timer;
    gui_.begin(size_.width, size_.height, 1.0F, 1.0F / 60.0F);
    draw();
    if (!gui_.finish() || repeats == Repeats::drawn) {
        target_.bind();
        glDisable(GL_SCISSOR_TEST);
        glClearColor(0.07F, 0.07F, 0.08F, 1.0F);
        glClear(GL_COLOR_BUFFER_BIT);
        gui_.draw();
    }
    glFinish();
    return timer.took();
}

double thread_milliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

Desk::Desk(Size size, Scene scene, canvas::Layers& layers, workbench::Shown shown)
    : stage_(size), shown_(shown), bench_(std::move(scene), preferences(), &layers) {
    bench_.work_in(background_);
    for (int i = 0; i < 3; ++i) frame();
}

Took Desk::frame(Stage::Repeats repeats) {
    return stage_.frame(
        [&] {
            background_.begin_frame();
            const std::uint64_t before = test::allocations();
            bench_.frame(1.0F / 60.0F, 1.0F, shown_);
            allocated_ = test::allocations() - before;
        },
        repeats);
}

void Desk::move(Point to) {
    stage_.make_current();
    ImGui::GetIO().AddMousePosEvent(to.x, to.y);
}

void Desk::press(Point at) {
    move(at);
    frame();
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    frame();
}

void Desk::click(std::string_view key) {
    press(control(key).centre());
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    frame();
}

bool Desk::has_curve() const {
    const auto& bank = bench_.training.trainer().bank();
    return bank != nullptr &&
           std::any_of(bank->runs.begin(), bank->runs.end(), [](const experiment::Known& known) {
               return known.origin == experiment::Origin::own && !known.run->moments.empty();
           });
}

Rect Desk::control(std::string_view key) {
    bench_.stage.seen.with_controls = true;  // they are marked from the next frame on
    frame();
    for (const panels::ControlMark& mark : bench_.stage.seen.controls)
        if (mark.key == key) return mark.area;
    throw std::logic_error("no slider for " + std::string(key));
}

void Case::run() {
    const Took took = frame();
    clock.push_back(took.clock);
    processor.push_back(took.processor);
}

double quantile(std::vector<double> times, double part) {
    if (times.empty()) return 0.0;
    std::sort(times.begin(), times.end());
    return times[std::min(times.size() - 1,
                          static_cast<std::size_t>(part * static_cast<double>(times.size())))];
}

}  // namespace posiscope::bench
