// timeline.hpp — position as time: play, pause, speed, loop, and a slider over the whole length.
#pragma once

#include "app/panels/panel.hpp"

namespace posiscope::panels {

// The motion of the position; kept in the workbench.
struct Playing {
    bool on = false;
    bool loop = true;
    double speed = 1.0;     // × 4 positions a second
    double fraction = 0.0;  // of a position, since the last whole one
    bool smooth = true;     // false: from whole position to whole position
    bool calm = false;      // the system's wish for less motion: as if not smooth

    double fractional_position() const { return on && smooth && !calm ? fraction : 0.0; }
};

inline constexpr double kPositionsPerSecond = 4.0;
inline constexpr std::array<double, 7> kSpeeds = {0.25, 0.5, 1.0, 2.0, 4.0, 16.0, 64.0};

struct ExperimentState;

// The steps at which a row of tokens goes on otherwise; 0: there is none.
struct RowMoments {
    std::int64_t decoded = 0;  // the first that is read by itself
    std::int64_t left = 0;     // the first at which a row has left the cache
};

struct TimelineView {
    Playing& playing;                   // changed in place
    const ExperimentState& experiment;  // under its bench: the step, instead of the position
    bool presenting = false;
    RowMoments moments{};  // of the bench with a row of tokens
};

// Advances by `seconds`; at the end of the length it starts over, or stops.
void advance(Playing& playing, Scene& scene, double seconds);

// The same under the experiment: the step that is shown, of so many.
void advance_step(Playing& playing, Scene& scene, std::int64_t steps, double seconds);

}  // namespace posiscope::panels
