// history.hpp — undo and redo: the previous Scenes with the step of a lesson that each was seen in, one per drag or typed edit.
#pragma once

#include "core/lessons/lesson.hpp"
#include "core/scene/scene.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace posiscope::workbench {

// A lesson that is not among the known ones, and its file as it was read; a deck has no file.
struct LessonFile {
    std::string path, text;
    std::shared_ptr<const lessons::Lesson> lesson;
};

// The step of a lesson that is the one at `index` of the other, by its id, or as near as there is one.
inline std::size_t step_in(const lessons::Lesson& lesson, const lessons::Lesson& other, std::size_t index) {
    const std::string& id = other.steps[index].id;
    const auto found = std::ranges::find(lesson.steps, id, &lessons::Step::id);
    if (id.empty() || found == lesson.steps.end()) return std::min(index, lesson.steps.size() - 1);
    return static_cast<std::size_t>(found - lesson.steps.begin());
}

// The step of a lesson in which a Scene is seen, kept with it in the history.
struct LessonPlace {
    const lessons::Lesson* lesson = nullptr;  // null: none is on
    std::size_t step = 0;
    std::shared_ptr<const LessonFile> file = {};  // of that lesson, unless it is a known one
    bool open = false;                            // the pane, which is no part of the place

    // A file that was read again has another lesson, in which the step may have moved.
    bool operator==(const LessonPlace& other) const {
        if (lesson == other.lesson) return step == other.step;
        const bool same_file = file && other.file && !file->path.empty() && file->path == other.file->path;
        return same_file && step == step_in(*file->lesson, *other.file->lesson, other.step);
    }
};

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

// A held key or a run of the wheel that goes on: what it changes is one undo step.

// Keys repeat, and notches of a wheel follow each other, sooner than that; a pause ends the gesture.
inline constexpr double kGesturePause = 0.6;  // seconds

class Gesture {
public:
    // Call once a frame, with the seconds on the caller's clock. `edited`: the frame changes the Scene.
    bool goes_on(bool key_held, bool wheel_turned, bool edited, double now) {
        if (wheel_turned) wheel_ = now;
        if (edited) edited_ = now;
        const bool turning = now - wheel_ < kGesturePause;
        return (key_held || turning) && now - edited_ < kGesturePause;
    }

private:
    double wheel_ = -1e9, edited_ = -1e9;
};

}  // namespace posiscope::workbench
