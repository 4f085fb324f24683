#include "core/lessons/lesson.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope::lessons {
namespace {

Numbers numbers_of(const Condition& condition, const Scene& scene) {
    Named named;
    named.add(condition);
    return Numbers(named, ValueInput(scene), kTextWork);
}

// One step; `found` are those of the whole lesson.
class StepCheck {
public:
    StepCheck(const Lesson& lesson, std::size_t index, std::vector<Problem>& found)
        : lesson_(lesson), step_(lesson.steps[index]), index_(index), found_(found) {}

    void run() {
        const auto scene = step_scene(lesson_, step_);
        if (!scene) return;  // refused when the lesson was read
        say(step_.line, *scene, "line");
        say(step_.text, *scene, "text");
        if (step_.question) question(*step_.question, *scene);
        if (step_.task) task(*step_.task, *scene);
    }

private:
    void find(std::string key, std::string_view where, ProblemValues values = {}) {
        const std::string step =
            step_.id.empty() ? std::to_string(index_ + 1) : fmt::format("{} {}", index_ + 1, step_.id);
        values.emplace_back("path", std::string(where));
        values.emplace_back("step", step);
        found_.push_back(Problem{std::move(key), std::move(values)});
    }

    void say(const Text& text, const Scene& scene, const std::string& where) {
        Named named;
        for (const Sentence* sentence : {&text.en, &text.zh})
            for (const Piece::Kind kind : {Piece::Kind::present, Piece::Kind::own})
                named.add(*sentence, kind);
        const Numbers numbers(named, ValueInput(scene), kTextWork);
        for (const Value* value : named.values()) {
            const Result<double>* number = numbers.of(*value);
            if (number == nullptr) find("lesson.check.slow", where, {{"name", std::string(value->name)}});
            else if (!*number) find("lesson.no_value", where, {{"name", std::string(value->name)}});
        }
    }

    void question(const Question& question, const Scene& scene) {
        const auto revealed = step_scene(lesson_, step_, true);
        if (!revealed) return;
        say(question.text, scene, "ask.text");
        say(question.then, *revealed, "ask.then");
        for (std::size_t i = 0; i < question.choices.size(); ++i) {
            const Choice& choice = question.choices[i];
            const std::string where = fmt::format("ask.choices[{}]", i);
            say(choice.text, scene, where);
            say(choice.says, *revealed, where);
            if (!choice.right && choice.says.empty()) find("lesson.check.no_reason", where);
            if (!choice.verify) continue;
            if (!choice.right) find("lesson.check.verify_wrong", where);
            else if (!holds(*choice.verify, to_json(*revealed), numbers_of(*choice.verify, *revealed)))
                find("lesson.check.not_right", where);
        }
        if (question.guess) return guess(*question.guess, *revealed);
        if (question.sketch) return;
        if (question.cards) {
            for (const Text& card : question.cards->list) say(card, scene, "ask.order");
            say(question.cards->says, *revealed, "ask.order.says");
            if (question.cards->says.empty()) find("lesson.check.no_reason", "ask.order");
            return;
        }
        if (question.choices.size() < 2) find("lesson.check.one_choice", "ask.choices");
    }

    void guess(const Guess& guess, const Scene& revealed) {
        if (const auto said = said_scene(lesson_, step_, guess.from)) say(guess.low, *said, "ask.guess.low");
        if (const auto said = said_scene(lesson_, step_, guess.to)) say(guess.high, *said, "ask.guess.high");
        Named named;
        named.add(*guess.answer);
        const Numbers numbers(named, ValueInput(revealed), kTextWork);
        const Result<double>* answer = numbers.of(*guess.answer);
        if (answer == nullptr || !*answer || **answer < guess.from || **answer > guess.to)
            find("lesson.check.no_guess", "ask.guess", {{"name", std::string(guess.answer->name)}});
    }

    Verdict judged(const Task& task, const Scene& start, const Scene& now) const {
        return judge(task, start, now, Numbers(named_by(task), ValueInput(now), kTextWork));
    }

    // True if a solution changes only keys that the step's controls, or a figure's handles, move.
    void reachable(const Task& task) {
        if (step_.controls.empty()) return;
        for (const auto& item : task.solution.items()) {
            const bool moved = std::ranges::any_of(step_.controls, [&](const std::string& control) {
                return control == item.key() || control.starts_with(item.key() + ".") ||
                       (control == "scaling" && item.key() == "encoding");
            });
            const bool by_hand = item.key() == "view" || item.key() == "bench";
            if (!moved && !by_hand) find("lesson.check.no_control", "task.solution", {{"name", item.key()}});
        }
    }

    void task(const Task& task, const Scene& start) {
        say(task.goal, start, "task.goal");
        say(task.hint, start, "task.hint");
        const Verdict before = judged(task, start, start);
        if (before.done) find("lesson.check.done_already", "task.done");
        if (before.slip != nullptr) find("lesson.check.slipped_already", "task.slips");
        const auto solved = step_scene_with(lesson_, step_, task.solution);
        if (!solved) return find("lesson.check.no_scene", "task.solution");
        if (!judged(task, start, *solved).done) find("lesson.check.not_solved", "task.solution");
        say(task.well, *solved, "task.well");
        reachable(task);
        for (std::size_t i = 0; i < task.slips.size(); ++i) {
            const std::string where = fmt::format("task.slips[{}]", i);
            const auto slipped = step_scene_with(lesson_, step_, task.slip_scenes[i]);
            if (!slipped) {
                find("lesson.check.no_scene", where);
                continue;
            }
            say(task.slips[i].says, *slipped, where);
            const Verdict verdict = judged(task, start, *slipped);
            if (verdict.done) find("lesson.check.slip_done", where);
            else if (verdict.slip != &task.slips[i]) find("lesson.check.no_slip", where);
        }
    }

    const Lesson& lesson_;
    const Step& step_;
    std::size_t index_;
    std::vector<Problem>& found_;
};

}  // namespace

std::vector<Problem> findings(const Lesson& lesson) {
    std::vector<Problem> found;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) StepCheck(lesson, i, found).run();
    return found;
}

}  // namespace posiscope::lessons
