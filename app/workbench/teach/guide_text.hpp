// guide_text.hpp — what the guide says, with the numbers of the present Scene; kept until the Scene, the step or the language
// is another.
#pragma once

#include "app/panels/guide.hpp"
#include "app/ui/strings.hpp"
#include "app/workbench/teach/guide.hpp"

namespace posiscope::workbench {

class GuideWords {
public:
    // Null where no lesson is on.
    const panels::StepWords* of(const Guide& guide, const Scene& now, Language language,
                                bool revealed = false);
    // The lessons, and how much of each is done.
    std::span<const panels::GuideRow> lessons(const Guide& guide, const Strings& strings);
    // A mark for each step of the lesson that is on.
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
    std::optional<Key> key_;
    panels::StepWords words_;
    Language rows_language_ = Language::english;
    std::vector<panels::GuideRow> rows_;
    std::vector<char> marks_;
};

}  // namespace posiscope::workbench
