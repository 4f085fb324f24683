// lesson.cpp — any bytes as a lesson: every step's scenes can be shown, or a sentence; never a crash.
#include "core/lessons/lesson.hpp"

#include <cstdlib>

using namespace posiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto lesson = lessons::parse_lesson({reinterpret_cast<const char*>(data), size});
    if (!lesson) {
        if (lesson.error().key.empty()) std::abort();
        return 0;
    }
    for (const lessons::Step& step : lesson->steps) {
        for (const bool revealed : {false, true})
            if (!lessons::step_scene(*lesson, step, revealed)) std::abort();
        if (step.task && !lessons::step_scene_with(*lesson, step, step.task->solution)) std::abort();
    }
    return 0;
}
