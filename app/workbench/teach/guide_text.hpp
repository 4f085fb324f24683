// guide_text.hpp — what the guide says, with the numbers of the present Scene; kept until the Scene, the step or the language
// is another.
#pragma once

#include "app/figures/parts/memo.hpp"
#include "app/panels/guide.hpp"
#include "app/ui/strings.hpp"
#include "app/workbench/teach/guide.hpp"
#include "core/lessons/numbers.hpp"

#include <limits>

namespace posiscope::workbench {

// The numbers that a step's texts or its task name, kept by the values of the Scene that they are
// computed from. In a window, those that do not fit in a frame are computed in the background.
class LessonNumbers {
public:
    // The quick ones, not final, while the others are computed. `units`: the most that all of them may take.
    figures::Kept<lessons::Numbers> of(figures::Background* background, const lessons::Named& named,
                                       const Scene& scene, double units = lessons::kTextWork);
    void forget();  // after a file that the Scene names has changed

private:
    struct Key {
        figures::Kept<lessons::Named> named;
        figures::Kept<lessons::ValueInput> input;
        double units;
        bool operator==(const Key&) const = default;
    };
    static constexpr double kShare = 0.2;  // of what a frame has left, since figures need theirs

    figures::Same<lessons::Named> named_;
    figures::Same<lessons::ValueInput> input_;
    figures::Slow<Key, lessons::Numbers> numbers_{kShare};
};

class GuideWords {
public:
    GuideWords() = default;
    // For a lesson on paper: the numbers of all steps together take at most so much, and the last ones are left out.
    explicit GuideWords(double units) : units_(units) {}
    // Slow numbers are computed there; null: at once.
    void work_in(figures::Background* background) { background_ = background; }

    // Null where no lesson is on.
    const panels::StepWords* of(const Guide& guide, const Scene& now, const Strings& strings,
                                bool revealed = false);
    void forget();  // after a file that the Scene names, or a lesson of one's own, has changed
    // The lessons, and how much of each is done.
    std::span<const panels::GuideRow> lessons(const Guide& guide, const Strings& strings);
    // The name of each step of the lesson that is on, for its map.
    std::span<const std::string> names(const Guide& guide, const Strings& strings);
    // The answers that the lesson counts in the present step; and these as a line of a table, below the names of its
    // columns.
    std::span<const panels::ResultRow> results(const Guide& guide, const Strings& strings);
    static std::string results_line(std::span<const panels::ResultRow> results, std::string_view day);
    // A mark for each of them.
    std::span<const char> marks(const Guide& guide);

private:
    struct Key {
        const lessons::Lesson* lesson = nullptr;
        std::size_t step = 0;
        StepProgress progress;
        std::optional<Scene> met;
        const lessons::Slip* slip = nullptr;
        bool hint = false, revealed = false;
        Language language = Language::english;
        Scene now, own;

        bool operator==(const Key&) const = default;
    };
    void take_numbers(const Scene& now, const Scene& own, const Scene& done);

    figures::Background* background_ = nullptr;
    double units_ = std::numeric_limits<double>::infinity();  // left for all texts
    std::optional<Key> key_;
    lessons::Named live_, fixed_,
        done_;  // of the present Scene, the step's, and the one that did its task or has the answer
    LessonNumbers live_numbers_, fixed_numbers_, done_numbers_;
    figures::Kept<lessons::Numbers> of_now_, of_own_, of_done_;
    panels::StepWords words_;
    Language rows_language_ = Language::english;
    std::vector<panels::GuideRow> rows_;
    std::vector<char> marks_;
    struct NamesKey {
        const lessons::Lesson* lesson = nullptr;
        Language language = Language::english;
        bool operator==(const NamesKey&) const = default;
    };
    NamesKey names_key_;
    std::vector<std::string> names_;
    NamesKey results_key_;
    std::vector<panels::ResultRow> results_;
};

}  // namespace posiscope::workbench
