// history.hpp — undo and redo: the previous Scenes, one per drag or typed edit.
#pragma once

#include "core/scene/scene.hpp"

#include <utility>
#include <vector>

namespace posiscope::workbench {

class History {
public:
    explicit History(Scene first) { steps_.push_back(std::move(first)); }

    const Scene& present() const { return steps_[at_]; }
    bool can_undo() const { return at_ > 0; }
    bool can_redo() const { return at_ + 1 < steps_.size(); }

    // Adds a step, unless nothing changed; clears the redo steps. Looking at another bench alone is no step: the next undo
    // changes what is seen there.
    void commit(const Scene& scene) {
        if (scene == present()) return;
        const std::string bench = std::exchange(steps_[at_].bench, scene.bench);
        if (scene == present()) return;
        steps_[at_].bench = bench;
        steps_.resize(at_ + 1);
        steps_.push_back(scene);
        if (steps_.size() > kLimit) steps_.erase(steps_.begin());
        at_ = steps_.size() - 1;
    }

    const Scene& undo() { return steps_[at_ -= can_undo() ? 1 : 0]; }
    const Scene& redo() { return steps_[at_ += can_redo() ? 1 : 0]; }

private:
    static constexpr std::size_t kLimit = 500;

    std::vector<Scene> steps_;
    std::size_t at_ = 0;
};

}  // namespace posiscope::workbench
