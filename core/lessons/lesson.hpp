// lesson.hpp — a lesson as data: one JSON file with both languages inside each step.
// A step is a Scene that depends on nothing the learner did before: default ← lesson.scene ← preset ← step.scene, and
// for the answer of its question ← then.scene, each replacing whole top-level values. So jumping to a step, going
// back to it and testing it are the same.
// Bounds   at most kMostSteps steps, kMostChoices choices, kMostCards cards, kLargestLesson bytes; a text at most kLongestText bytes.
// A lecturer's own lesson may have one language only and no questions: {"lesson": 1, "steps": [{"scene": …, "text": …}]}
#pragma once

#include "core/lessons/numbers.hpp"

#include <string>
#include <vector>

namespace posiscope::lessons {

inline constexpr int kLessonVersion = 1;
inline constexpr std::size_t kMostSteps = 64;
inline constexpr std::size_t kMostChoices = 6;
inline constexpr std::size_t kMostControls = 3;
inline constexpr std::size_t kMostCards = 5;
inline constexpr std::size_t kLongestText = 2000;
inline constexpr std::size_t kLargestLesson = 1 << 20;

struct Choice {
    Text text, says;  // says: what is answered to a wrong choice
    bool right = false;
    std::optional<Condition> verify;  // of the right one: must hold of the reveal

    bool operator==(const Choice&) const = default;
};

// A number that is said before it can be seen: a value of the Scene that has the answer.
struct Guess {
    const Value* answer = nullptr;
    double from = 0.0, to = 1.0, step = 1.0;
    double near = 0.0;  // how far off is right still
    bool axis = false;  // said by a pin on the axis of the step's figure, which hides its curves until then
    std::string
        key;  // of the Scene, whose value the number is: what was said is then seen, and nothing past it
    // The answers to a number that is too low, or too high; with a key their numbers are those of the Scene with that answer.
    Text low, high;

    bool operator==(const Guess&) const = default;
};

// A curve that is drawn by hand over this part of the axis of the step's figure, before its own can be seen.
struct Sketch {
    double from = 0.0, to = 1.0;

    bool operator==(const Sketch&) const = default;
};

// Cards that are put in order; they are written in the right one.
struct Cards {
    std::vector<Text> list;
    Text says;  // what is answered to a wrong order

    // The place of each in the order in which they are laid out: never the right one.
    std::vector<std::size_t> laid_out(std::uint32_t seed) const;
    bool operator==(const Cards&) const = default;
};

// A question, asked before its answer can be seen: it has choices, or is answered by a number, a sketch or an order.
struct Question {
    Text text;
    std::vector<Choice> choices;
    std::optional<Guess> guess;
    std::optional<Sketch> sketch;
    std::optional<Cards> cards;
    Text then;                         // what is said with the answer
    Json then_scene = empty_object();  // partial

    bool operator==(const Question&) const = default;
};

struct Slip {
    Condition when;
    Text says;

    bool operator==(const Slip&) const = default;
};

struct Task {
    Text goal, well, hint;
    Condition done;
    Json solution = empty_object();  // partial
    std::vector<std::string> keep;   // keys of the Scene that must stand as the step set them
    std::vector<Slip> slips;
    std::vector<Json> slip_scenes;  // partial; one a slip: a Scene that slips, for tests and as documentation

    bool operator==(const Task&) const = default;
};

struct Step {
    std::string id;
    std::string figure;  // looked at: ringed in the bench, alone when presenting and on paper
    std::string preset;
    Json scene = empty_object();        // partial
    std::vector<std::string> controls;  // keys of the Scene, at most kMostControls
    std::vector<std::string> point;     // "rotations", "rotations:hand", "sidebar:pair"
    Text line, text;                    // line: when presenting
    std::string formula;                // set by itself below the text: a small part of TeX (ui/formula.hpp)
    Text notes;                         // what the lecturer alone reads
    double minutes = 0.0;               // planned for it; 0: an equal part of the lesson's
    std::string recall;                 // "lesson/step": its question is asked again
    bool paper = true;                  // false: it invites to try, so the handout leaves it out
    std::optional<Question> question;
    std::optional<Task> task;
    Text idea;             // what its question is about, in a few words: a line of a test's results
    std::string taught;    // "lesson/step": where that is taught
    bool results = false;  // what was answered in this lesson is counted here
    Json written;          // with "draw" (below): as it is written; null: its numbers are fixed

    bool operator==(const Step&) const = default;
};

struct Lesson {
    int number = 0;
    std::string id;
    int minutes = 0;
    Text title;
    std::vector<std::string> claims;
    Text words;  // the tokens of its Scenes in each language; the Scenes are written with the English ones
    Json scene = empty_object();  // partial
    std::vector<Step> steps;

    bool operator==(const Lesson&) const = default;
};

// The step's share of the lesson's minutes: its own, or an equal part of the rest; 0 if nothing is planned.
double planned_minutes(const Lesson& lesson, std::size_t step);

// Refuses what is not a lesson with the step and key that are wrong, and what would fix them. Scenes are laid over, so a
// step whose Scene is impossible is refused here.
Result<Lesson> parse_lesson(std::string_view text);
// The same of a file of ours, whose Scenes a test lays over: that takes three times as long as to read it.
Result<Lesson> read_known_lesson(std::string_view text);
// Units of work for all values that steps draw their numbers by, at one time: no frame waits for more.
inline constexpr double kDrawWork = 4e7;
// A step of it that has "draw", with the numbers of that seed: the same for the same seed. Seed 0 is what the lesson has. Refused
// where its values take more than `units`, of which what they took is taken off.
Result<Step> drawn(const Lesson& lesson, const Step& step, std::uint32_t seed, double& units);

// The Scene of a step; with `revealed`, of its question's answer.
Result<Scene> step_scene(const Lesson& lesson, const Step& step, bool revealed = false);
// The Scene with the lesson's words in that language; the same where it has other words.
Scene in_language(const Lesson& lesson, Scene scene, bool chinese);
// A partial Scene over that of a step: a solution, or a slip.
Result<Scene> step_scene_with(const Lesson& lesson, const Step& step, const Json& partial);
// The Scene of a step that asks for a number, with that number as the value of the guess's key; the step's own without a key.
Result<Scene> said_scene(const Lesson& lesson, const Step& step, double said);

// The values that tell whether a task is done, and which slip it has.
Named named_by(const Task& task);

// Judges a Scene; `numbers`: those of its values that the task names.
struct Verdict {
    bool done = false;           // its condition holds, and the keys it keeps stand as the step set them
    const Slip* slip = nullptr;  // the first that holds where it is not done, or null
};
Verdict judge(const Task& task, const Scene& step, const Scene& now, const Numbers& numbers);

// Statements of a lesson that are not so, found by doing it: numbers, answers, tasks and slips.
// In the order of the steps, each with the step in its values; none: every number resolves, the right choice is right in the
// Scene that reveals it and every other has its reason, every task is open at the start, done by its solution with the
// controls of its step, and every slip slips.
std::vector<Problem> findings(const Lesson& lesson);

// Steps whose numbers are drawn, so that a question or a task can be asked again with others.
// "draw": [{"d": [64, 128, 512]}, {"k": {"from": 2, "to": 9}}, {"twice": "2 k"}, {"turn": {"value": "pair.wavelength"}}]
// One number after another: of a list, a whole number of a range, a formula of those before it (core/formula), or a value of the
// step's Scene: with the answer of its question, or with another partial Scene over it ({"value": …, "scene": …}). The number
// drawn for k is "$k" in a Scene or a condition of the step, and {$k} in its texts ({$k:4} with four digits). The choices
// of a question come in an order that is drawn, too. Seed 0 takes the first of each list and range, and the order as written.
// Bounds   kMostDrawn numbers a step; values that are marked slow are refused.
inline constexpr std::size_t kMostDrawn = 16;

// The step as it is written, with the numbers of that seed in their places and without "draw": the same for the same seed.
// `units` of work are left for its values.
Result<Json> with_numbers(const Lesson& lesson, const Json& written, const std::string& path,
                          std::uint64_t seed, double& units);

}  // namespace posiscope::lessons
