// lesson.cpp — any bytes as a lesson that somebody opens and goes through: every step's scenes can be shown, every question
// answered and every task solved, or one sentence; never a crash, and never a word in what is kept of the known lessons.
#include "app/ui/known.hpp"
#include "app/workbench/teach/guide.hpp"
#include "core/cost.hpp"

#include <cstdlib>

using namespace posiscope;

namespace {

constexpr double kTaskWork = 1e6;  // of one task

// As the learner's own progress is: a step, an answer and a task of a known lesson.
workbench::Guide learner() {
    workbench::Guide guide(ui::known_lessons());
    guide.begin(ui::known_lessons().front().id);
    guide.next();
    guide.leave();
    return guide;
}

void go_through(workbench::Guide& guide) {
    const std::size_t steps = guide.lesson()->steps.size();
    for (std::size_t i = 0; i < steps; ++i) {
        if (!guide.go_to(i)) std::abort();
        const std::size_t choices =
            guide.source().step->question ? guide.source().step->question->choices.size() : 0;
        if (guide.answer(choices)) std::abort();
        for (std::size_t choice = 0; choice < choices; ++choice) {
            const bool right = guide.source().step->question->choices[choice].right;
            if (guide.answer(choice).has_value() != right || guide.progress().answer != choice) std::abort();
        }
        if (guide.can_redraw() && !guide.redraw()) std::abort();
        if (guide.step()->task) {
            const auto solved = guide.solution();
            if (!solved) std::abort();
            const double before = work_done();
            guide.judge(*solved,
                        {lessons::named_by(*guide.step()->task), lessons::ValueInput(*solved), kTaskWork});
            if (work_done() - before > kTaskWork) std::abort();
            guide.show_hint();
        }
        for (const bool revealed : {false, true})
            if (!guide.present(i, revealed)) std::abort();
        if (guide.mark(i) == '+' && guide.done_of(*guide.lesson()).done == 0) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto lesson = lessons::parse_lesson({reinterpret_cast<const char*>(data), size});
    if (!lesson) {
        if (lesson.error().key.empty()) std::abort();
        return 0;
    }
    static const workbench::Guide before = learner();
    workbench::Guide guide = before;
    const auto own = std::make_shared<const lessons::Lesson>(std::move(*lesson));
    if (own->steps.empty()) return 0;
    if (!guide.begin(own)) std::abort();
    go_through(guide);
    while (guide.lesson() != nullptr) (void)guide.next();
    if (guide.progress_json() != before.progress_json()) std::abort();
    return 0;
}
