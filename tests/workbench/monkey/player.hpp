// player.hpp — a window without a system, to which events happen, and what must hold after each of them.
#pragma once

#include "app/platform/gui.hpp"
#include "app/workbench/service.hpp"
#include "tests/workbench/monkey/blank.hpp"
#include "tests/workbench/monkey/script.hpp"

#include <memory>

namespace posiscope::monkey {

// The work that one frame may take of the window's thread: what figures may spend on values they keep, a rough value for each
// that did not fit, and what is cheap enough for every frame.
inline constexpr double kMostUnits = 1.5e8;

class Player {
public:
    // Files are dropped from `files`; what the window writes lies there too.
    explicit Player(std::string files);
    ~Player();
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    // Throws std::runtime_error with what no longer holds.
    void play(const Event& event);
    bool quiet()
        const;  // nothing is held, typed or playing: the Scene is its last step, and nothing is undone
    bool went_back() const { return went_back_; }  // by undo, since the last mark
    std::size_t steps() const { return steps_; }
    std::size_t frames() const { return frames_; }
    double worst() const { return worst_; }  // the most work of a frame so far
    const Scene& scene() const { return bench().session.scene(); }
    const workbench::Workbench& bench() const;
    Point size() const;  // in points

private:
    struct Window;

    void frame();
    void undo_to_mark(std::size_t steps);
    void check(const workbench::AfterFrame& after, double units);
    [[noreturn]] void fail(const std::string& what) const;

    std::string files_, language_ = "en";
    float width_ = 1280.0F, height_ = 800.0F, monitor_ = 1.0F;
    std::unique_ptr<Window> window_;
    std::size_t steps_ = 0, frames_ = 0;
    double worst_ = 0.0;
    bool went_back_ = false;
    Scene checked_, marked_;
};

}  // namespace posiscope::monkey
