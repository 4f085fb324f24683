// guide.hpp — where a learner is: which lesson and step, what was answered, which tasks are done.
// It knows neither the window nor the Scene that is shown: what a step wants to be seen comes back as a Scene, which
// the session takes as one undo step. Progress is not part of the Scene, so undo never takes it.
#pragma once

#include "app/figures/parts/prediction.hpp"
#include "core/lessons/lesson.hpp"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace posiscope::workbench {

// A number that was said and is wrong: what, when (seconds since 1970), and of which Scene, by its fingerprint.
struct Try {
    double said = 0.0;
    std::int64_t at = 0;
    std::uint32_t scene = 0;

    bool operator==(const Try&) const = default;
};

// The progress in one step.
struct StepProgress {
    std::optional<std::size_t> answer;  // the choice that was taken last, right or not
    std::optional<double> said;         // the number, where one is asked for, once it is right
    std::vector<Try> said_before;       // those that were not
    figures::Sketch sketch;             // the curve, likewise
    bool done = false;                  // the task, or the question: answered rightly, or shown
    int tries = 0;                      // drags that ended without doing it, and wrong choices
    std::uint32_t seed = 0;             // of its numbers, where they are drawn

    bool operator==(const StepProgress&) const = default;
};

class Guide {
public:
    Guide() = default;
    // The lessons must outlive it.
    explicit Guide(std::span<const lessons::Lesson> known) : known_(known) {}

    bool open() const { return open_; }
    void show(bool open) { open_ = open; }

    std::span<const lessons::Lesson> known() const { return known_; }
    const lessons::Lesson* lesson() const { return lesson_; }  // null: the list of them
    bool is_own() const { return lesson_ != nullptr && lesson_ == own_lesson_.get(); }  // or a deck
    const lessons::Step* step() const;                                                  // null with it
    std::size_t index() const { return index_; }
    // The source of the question and the Scene of the step: an earlier step if it recalls one.
    struct Source {
        const lessons::Lesson* lesson = nullptr;
        const lessons::Step* step = nullptr;
    };
    Source source() const { return source(index_); }
    Source source(std::size_t index) const;
    const StepProgress& progress() const;  // of the step that is on
    // The parts of a lesson that were answered or done, of those that can be.
    struct Part {
        std::size_t done = 0, all = 0;
    };
    Part done_of(const lessons::Lesson& lesson) const;
    // The mark of a step of the present lesson: ' ' nothing to do in it, 'o' open, '+' done.
    char mark(std::size_t index) const;
    // How a question of it was answered; of a step that taught it, "lesson/step", likewise.
    enum class Answer { none, wrong, right };  // right: at the first try
    Answer answer_of(std::size_t index) const;
    Answer answer_of(std::string_view place) const;
    const lessons::Lesson* lesson_of(std::string_view place) const;  // null where there is none
    std::optional<Scene> begin_at(std::string_view place);

    // The Scene to show then; nothing where it stays. A lesson goes on at its last step. A lecturer's own stays
    // until another is begun.
    std::optional<Scene> begin(std::string_view id);
    // A lesson of a file. Whatever its id, what is done in it counts for no known lesson and is not kept.
    std::optional<Scene> begin(std::shared_ptr<const lessons::Lesson> own, std::size_t index = 0);
    std::optional<Scene> next();  // after the last step: the following lesson, or the list again
    // The lesson after this one, or before it; null beside the last or first, a deck or a lecturer's own.
    const lessons::Lesson* following(int by = 1) const;
    // It is shown to others from now on: as present() does, this moves nobody's place in it.
    void present_lesson(const lessons::Lesson& lesson) { lesson_ = &lesson; }
    std::optional<Scene> back();
    std::optional<Scene> go_to(std::size_t index);
    // The Scene with the answer for the right one; a wrong one leaves the question open, and nothing is to be seen.
    std::optional<Scene> answer(std::size_t choice);
    // A number that was asked for: as a wrong choice, a wrong one leaves the question open.
    std::optional<Scene> guess(double said, std::int64_t at = 0);
    // The right number, where one is asked for.
    std::optional<double> asked_number() const;
    // A curve that was asked for: the answer follows, whatever was drawn.
    std::optional<Scene> sketch(figures::Sketch drawn);
    // Cards in an order, by their places in the right one; a wrong order leaves the question open.
    std::optional<Scene> order(std::span<const std::size_t> cards);
    std::optional<Scene> again();  // the Scene as the step has it now; its task is open again
    // Stands where it stood, in a known lesson or the lecturer's own that is on, and shows nothing.
    void return_to(const lessons::Lesson& lesson, std::size_t index);
    // The step asks again, with other numbers. Of the lesson: all its questions, or those that were not answered rightly; the
    // first of them is gone to.
    std::optional<Scene> redraw();
    std::optional<Scene> redraw_all(bool right_too);
    bool can_redraw() const;
    // The words of its Scenes are Chinese from now on, or English. True if those of the step that is on changed.
    bool speak(bool chinese);
    void set_chance(std::uint32_t seed) { chance_ = seed; }  // where the numbers to come are drawn from
    std::optional<Scene> solution();                         // of its task, or its question's answer
    void leave();                                            // the lesson; what was done is kept
    // A step as it is shown to others, with its answer or solution if `revealed`: records nothing as done.
    std::optional<Scene> present(std::size_t index, bool revealed);
    // True if a step asks something that is still open; or asked it, and has the answer.
    bool asks() const;
    bool answered() const;

    // The Scene that the step has now: with its answer once that was given.
    const Scene& own_scene() const { return own_; }
    // The Scene of which the reasons of wrong choices speak: that with the answer.
    const Scene& told_scene() const { return told_; }
    bool astray(const Scene& now) const;  // whether the present one is another in what a step sets
    // Once a drag has ended: whether it did the task, and the slip it made. Judged here alone, so that sweeping past an
    // answer is none. `numbers`: those that the task names.
    void judge(const Scene& now, const lessons::Numbers& numbers);
    // Nothing was tried yet, or all of it was undone.
    void untried() {
        slip_ = nullptr;
        met_.reset();
    }
    // The Scene that did it, as long as nothing has undone it.
    const std::optional<Scene>& met() const { return met_; }
    const lessons::Slip* slip() const { return slip_; }
    bool wants_hint() const;
    bool hint_shown() const { return hint_; }
    void show_hint() { hint_ = true; }

    using Places = std::map<std::string, std::size_t>;  // by lesson: the step that was on last
    const Places& places() const { return places_; }

    // state/lessons.json
    Json progress_json() const;
    void take_progress(const Json& json);  // skips what it cannot read

private:
    using Place = std::pair<const lessons::Lesson*, std::size_t>;
    const lessons::Step& step_of(const lessons::Lesson& lesson, std::size_t index) const;
    Answer answer_of(const lessons::Lesson& lesson, std::size_t index) const;
    void draw(std::size_t index, double& units);
    bool take_seed(const Place& place, std::uint32_t seed, double& units);
    std::optional<Place> find_place(std::string_view place) const;  // "lesson/step"
    std::optional<Scene> enter(std::size_t index);
    void open_task();
    void tell(const Source& from);
    StepProgress& here();
    using Steps = std::map<std::size_t, StepProgress>;
    const StepProgress* progress_of(const lessons::Lesson& lesson, std::size_t index) const;

    std::span<const lessons::Lesson> known_;
    std::shared_ptr<const lessons::Lesson> own_lesson_;  // shared by copies, which point into it
    const lessons::Lesson* lesson_ = nullptr;
    std::size_t index_ = 0;
    Scene own_, told_;
    std::optional<Scene> met_;
    const lessons::Slip* slip_ = nullptr;
    bool hint_ = false, open_ = false, chinese_ = false;
    std::map<std::string, Steps> progress_;  // of known lessons, by id
    Steps own_progress_;
    Places places_;
    // Steps with numbers from their own seed; shared by copies, which point into them.
    std::map<Place, std::shared_ptr<const lessons::Step>> drawn_;
    std::uint32_t chance_ = 1;
};

// The end of an address that leads to a step of a lesson.
struct LessonLink {
    std::string_view lesson;
    std::size_t step = 0;  // its number; 0: the one that was on last
};

// Nothing where an address ends in no such link.
std::optional<LessonLink> lesson_link_in(std::string_view address);
// Empty where no known lesson is on.
std::string lesson_link(const Guide& guide);

}  // namespace posiscope::workbench
