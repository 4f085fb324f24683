// guide.hpp — what the guide shows in the sidebar's place. The words are sentences already: the
// workbench fills the numbers in when the Scene or the step changes, and keeps them.
#pragma once

#include "app/panels/guide_claims.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::panels {

// One line of the list of lessons.
struct GuideRow {
    std::string_view id;
    std::string mark;  // its number
    std::string name;
    std::string heading;  // above it, where another kind begins
    std::size_t done = 0, all = 0;
};

// A lesson of a file that was open.
struct OwnLesson {
    std::string path, title;

    bool operator==(const OwnLesson&) const = default;
};

struct ChoiceWords {
    std::string text;
    std::string says;  // to a wrong one
    bool right = false;
};

struct StepWords {
    std::string title;
    std::string line;   // while presenting, and the step's name
    std::string notes;  // for the lecturer alone
    std::string text;
    std::string formula;  // by itself below it
    std::string question;
    std::vector<ChoiceWords> choices;
    std::vector<ChoiceWords> cards, cards_in_order;  // as they are laid out, and numbered
    std::string cards_say;                           // to a wrong order
    std::string said;                                // of the number that was said
    std::string then;
    std::string goal, well, slip, hint;  // slip and hint: as long as they are to be seen
};

// The lesson's title and the text of a step of one's own lesson while they are edited, in one language and as the file has it: places of numbers in braces.
struct StepEdit {
    struct Choice {
        std::string text, says;
        bool right = false;
    };
    std::string title, text, line, notes, question;
    std::vector<Choice> choices;
    bool chooses = true;  // false: the question is answered in another way than by a choice
    struct Task {
        std::string goal, hint, well;
    };
    std::optional<Task> task;  // where the step has one; what is done in it is recorded, not typed
};
inline constexpr std::size_t kMostEdited = 6;  // choices

// One question of a test.
struct ResultRow {
    enum class Mark { none, wrong, right };  // right: at the first try
    std::string name, place;                 // what it is about; where that is taught
    std::string taught;                      // "lesson/step"
    std::size_t step = 0;
    Mark test = Mark::none, lesson = Mark::none;  // in the step that taught it

    enum class Standing { work, once, sure };  // once: right here, and not in the lesson
    Standing standing() const {
        if (test != Mark::right) return Standing::work;
        return lesson == Mark::right ? Standing::sure : Standing::once;
    }
};

inline constexpr float kLessonColumn = 400.0F;  // of a lesson, where the window has room for it
inline constexpr float kLessonWindow = 1100.0F;

enum class GuideTab { lessons, claims, examples };
std::span<const std::string_view> guide_tab_names();  // "lessons", "claims", "examples"

// The band below the picture while presenting.
struct Band {
    std::string_view line;  // or a headline, or what is said with the answer
    std::string_view question;
    std::span<const ChoiceWords> choices;
    bool revealed = false;
    std::size_t step = 0, steps = 0;  // 0 steps: no lesson
    bool clock = false;
    double on_lesson = 0.0, on_step = 0.0;  // seconds
    // Planned, in seconds: for the lesson, up to this step's end, and for this step; 0: nothing is.
    double planned = 0.0, planned_until = 0.0, planned_step = 0.0;
    std::string_view typed;  // digits of a step's number
};

// The lecturer's side while presenting: what to say, and what comes next; or the steps by their numbers.
struct NotesView {
    std::string_view notes, next;
    std::span<const std::string> names{};
    std::size_t step = 0;  // that is on
};

struct GuideView {
    GuideTab tab = GuideTab::lessons;
    std::span<const GuideRow> rows;
    std::span<const OwnLesson> own{};
    // The step that is on; no words: the list is seen.
    const StepWords* words = nullptr;
    int number = 0;  // of the lesson
    std::size_t step = 0;
    std::span<const char> marks;        // a step each: ' ' nothing to do, 'o' open, '+' done
    std::optional<std::size_t> answer;  // the choice that was taken last
    bool answered = false;              // the question has its answer
    struct Guess {
        double from = 0.0, to = 1.0, step = 1.0;
        std::optional<double>* said = nullptr;  // so far; changed in place
        bool in_figure = false;                 // by a pin, which the figure has
    };
    std::optional<Guess> guess{};  // a number is asked for
    struct Sketch {
        bool drawn = false, begun = false;
    };
    std::optional<Sketch> sketch{};  // a curve, which the figure has
    struct Cards {
        std::span<const std::size_t> laid_out, order;  // the card at each place; those that were chosen
        bool wrong = false;                            // the last order was
    };
    std::optional<Cards> cards{};
    bool map = false;  // the names of the steps are seen instead of this one
    std::span<const std::string> names{};
    std::string_view following{};  // the next lesson's name, at the last step
    bool task_done = false, astray = false, can_hint = false, can_solve = false, can_redraw = false;
    std::span<const ResultRow> results{};  // at the end of a test
    bool returns = false;                  // × goes back to them
    std::span<const std::string> controls;
    ClaimsView* claims = nullptr;  // on its tab
    StepEdit* edit = nullptr;      // is being edited; changed in place
    bool can_edit = false, can_restore = false, can_write = false;
    bool all_controls = false;  // the sidebar's own controls are unfolded below the title
};

}  // namespace posiscope::panels
