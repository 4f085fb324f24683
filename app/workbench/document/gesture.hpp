// gesture.hpp — whether a held key or a run of the wheel goes on: what it changes is one undo step.
#pragma once

namespace posiscope::workbench {

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
