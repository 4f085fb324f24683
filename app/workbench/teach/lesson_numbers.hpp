// lesson_numbers.hpp — the numbers that a step's texts or its task name, kept by the values of the Scene that they are
// computed from. In a window, those that do not fit in a frame are computed in the background.
#pragma once

#include "app/figures/parts/memo.hpp"
#include "core/lessons/numbers.hpp"

namespace posiscope::workbench {

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

}  // namespace posiscope::workbench
