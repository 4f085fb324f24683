#include "app/workbench/teach/lesson_numbers.hpp"

namespace posiscope::workbench {

figures::Kept<lessons::Numbers> LessonNumbers::of(figures::Background* background,
                                                  const lessons::Named& named, const Scene& scene,
                                                  double units) {
    return numbers_.get(
        background, {named_.of(named), input_.of(scene), units},
        [](const Key& key) { return lessons::Numbers(*key.named, *key.input, key.units); },
        [](const Key& key) {
            const auto count = static_cast<double>(key.named->values().size());
            return lessons::Numbers::quick(*key.named, *key.input, 0.9 * figures::kRoughWork / count);
        });
}

void LessonNumbers::forget() { numbers_ = figures::Slow<Key, lessons::Numbers>(kShare); }

}  // namespace posiscope::workbench
