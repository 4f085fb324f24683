// guide_window.hpp — the guide as the window has it: its lessons are read when it is first opened, since a start that shows none
// need not wait for them.
#pragma once

#include "app/workbench/document/history.hpp"
#include "app/workbench/teach/claims_pane.hpp"
#include "app/workbench/teach/guide.hpp"
#include "app/workbench/teach/guide_text.hpp"
#include "app/workbench/teach/presenting.hpp"

#include <map>
#include <utility>

namespace posiscope::workbench {

class Teaching {
public:
    const Guide& guide() const { return guide_; }
    Guide& guide() { return guide_; }
    void toggle();
    void turn_to(panels::GuideTab tab);  // opens the pane there
    // Seeds the numbers of questions that are asked again; always the same unless set.
    void set_chance(std::uint32_t seed) { chance_ = seed; }
    // A deck's numbers are computed there.
    void work_in(figures::Background* background);
    // A lesson that is known, or a deck, which comes from `serve` if it takes longer than a frame; or one from a file, which goes
    // on at its step if that file was read before.
    std::optional<Scene> begin(std::string_view id);
    std::optional<Scene> begin(std::shared_ptr<const lessons::Lesson> own, const std::string& path,
                               std::string text = {});
    // A step of a link, the last one where there is none of that number; nothing where there is no such lesson.
    std::optional<Scene> begin(const LessonLink& link);
    void end_lesson();    // and closes the pane
    int first_minutes();  // that lesson 1 takes
    // The file of the lesson that is on, as it was read; null: none.
    const LessonFile* own_file() const {
        return guide_.is_own() && !file_->path.empty() ? file_.get() : nullptr;
    }
    // The learner's place, and a way back there with the Scene that was seen there.
    LessonPlace place() const;
    void return_to(const LessonPlace& place);
    // The band of the presented lesson; no steps where there is none.
    panels::Band band(const Presenting& presenting, const Scene& now, const Strings& strings);
    // The lecturer's notes on the present step, and the name of the next; with `map`, the names of all steps.
    panels::NotesView notes(const Presenting& presenting, const Scene& now, const Strings& strings, bool map);

    // The prediction that the present step asks for in that figure, or null; `open`: only until it is answered.
    // In front of a class others' numbers, and none of the learner's own.
    figures::Prediction* prediction(std::string_view figure, bool open, bool lecture);
    // A number that the class says, where a pin is asked for; all of them stay until the class, or that step, begins anew.
    bool takes_pins() const;
    void put_pin(double said);
    void forget_class() { class_.clear(); }
    void forget_class_here() { class_.erase(guide_.source().step); }

    // The pane's view of it; null while it is closed.
    panels::GuideView* view(const Scene& now, const Strings& strings);
    // Does what was asked of the pane: a Scene to be shown, as one step.
    std::optional<Scene> carry_out(const panels::Command& command, const Scene& now);
    std::optional<Scene> take_deck();  // the one that was asked for, once it is there
    std::string results_line() const;  // of a test, as text
    // The lessons of files that were open, which must stay.
    void list_own(std::span<const panels::OwnLesson> own) { own_ = own; }
    // The file whose last change can be taken back; empty: none.
    void set_restorable(std::string path) { restorable_ = std::move(path); }
    void edit(panels::StepEdit words) {
        edit_ = std::move(words);
        edited_ = guide_.step();
    }
    const panels::StepEdit& edited() const { return *edit_; }
    void leave_edit() { edit_.reset(); }
    // Escape: folds what is unfolded, then leaves the pane; false where there is nothing to leave.
    bool escape();
    // A claim whose number is live; the rings around what it speaks of.
    ClaimsPane& claims() { return claims_; }
    bool on_claims() const {
        return guide_.open() && guide_.lesson() == nullptr && tab_ == panels::GuideTab::claims;
    }
    // Shows what another one does.
    void copy_view_state(const Teaching& other);
    // A step has ended.
    void judge(const Scene& now);
    void forget();  // after a file that the Scene names has changed

    // A lesson's words are those of the language of the window. The Scene that is shown in it, where it changes.
    std::optional<Scene> speak(bool chinese, const Scene& now);
    // Progress as kept between starts; read when the lessons are.
    void set_progress(Json kept) { kept_ = std::move(kept); }
    // {"found": as it was when the lessons were read, "now": as it is to be kept}, once after each change.
    std::optional<Json> take_changed();
    // What another window has done meanwhile, in the same form.
    void take_progress(const Json& changed);

private:
    void load();
    void hold(std::shared_ptr<const LessonFile> file);
    void finish_judging();
    std::optional<Scene> take_card(std::size_t card);

    struct DeckKey {
        std::string id;
        bool operator==(const DeckKey&) const = default;
    };

    // A Scene that a task is judged by.
    struct Judging {
        const lessons::Step* step;
        lessons::Named named;
        Scene scene;
    };

    Guide guide_;
    bool chinese_ = false;
    GuideWords words_;
    std::optional<Judging> judging_;
    LessonNumbers judged_numbers_;
    ClaimsPane claims_;
    panels::GuideTab tab_ = panels::GuideTab::lessons;
    panels::GuideView view_;
    Guide::Places places_;  // as they were written
    bool all_controls_ = false, map_ = false, changed_ = false;
    Json kept_;
    std::shared_ptr<const LessonFile> file_;  // of the lecturer's own lesson that was on last
    std::string wanted_deck_;
    std::uint32_t chance_ = 1;
    struct Saying {  // what is being said, in that step
        const lessons::Step* step = nullptr;
        std::optional<double> said;
        figures::Sketch sketch;
        std::vector<std::size_t> order;     // of cards: their places, as far as they were chosen
        std::vector<std::size_t> laid_out;  // the cards, as they are seen
        std::vector<double> tried;          // numbers that were wrong, or the class's
    };
    Saying& saying();  // of the step that is on
    Saying saying_;
    std::map<const lessons::Step*, Saying>
        class_;  // what is said in front of a class; steps are only compared
    figures::Prediction prediction_;
    std::string test_;  // whose results a step was opened from
    std::string restorable_;
    std::optional<panels::StepEdit> edit_;
    const lessons::Step* edited_ = nullptr;  // only compared
    std::span<const panels::OwnLesson> own_;
    figures::Slow<DeckKey, lessons::Lesson> deck_;
    figures::Background* background_ = nullptr;
};

}  // namespace posiscope::workbench
