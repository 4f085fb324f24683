// history.hpp — undo and redo: the previous Scenes with the step of a lesson that each was seen in, one per drag or typed edit.
#pragma once

#include "app/workbench/document/lesson_place.hpp"
#include "core/scene/scene.hpp"

#include <utility>
#include <vector>

namespace posiscope::workbench {

struct Moment {
    Scene scene;
    LessonPlace place = {};

    bool operator==(const Moment&) const = default;
};

class History {
public:
    explicit History(Moment first) { moments_.push_back(std::move(first)); }

    const Moment& present() const { return moments_[at_]; }
    bool can_undo() const { return at_ > 0; }
    bool can_redo() const { return at_ + 1 < moments_.size(); }

    // Adds a moment, unless nothing changed; clears the redo moments. Looking at another bench alone is no moment: the next
    // undo changes what is seen there.
    void commit(Moment now) {
        Moment& last = moments_[at_];
        const std::string bench = std::exchange(last.scene.bench, now.scene.bench);
        if (now == last) {
            last.place = std::move(now.place);
            return;
        }
        last.scene.bench = bench;
        moments_.resize(at_ + 1);
        moments_.push_back(std::move(now));
        if (moments_.size() > kLimit) moments_.erase(moments_.begin());
        at_ = moments_.size() - 1;
    }

    const Moment& undo() { return moments_[at_ -= can_undo() ? 1 : 0]; }
    const Moment& redo() { return moments_[at_ += can_redo() ? 1 : 0]; }

    // The last Scene before the lesson that is on, or was on last; null where there was none.
    const Scene* before_lesson() const {
        std::size_t at = at_;
        while (at > 0 && moments_[at].place.lesson == nullptr) --at;
        if (moments_[at].place.lesson == nullptr) return nullptr;
        while (at > 0 && moments_[at].place.lesson != nullptr) --at;
        return moments_[at].place.lesson == nullptr ? &moments_[at].scene : nullptr;
    }

private:
    static constexpr std::size_t kLimit = 500;

    std::vector<Moment> moments_;
    std::size_t at_ = 0;
};

}  // namespace posiscope::workbench
