#include "app/workbench/window/scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace posiscope::workbench {
namespace {

constexpr float kLeast = 0.05F;   // a letter must have a size, however small the window
constexpr float kShrunk = 0.85F;  // of the monitor's own: words are not made smaller by themselves
constexpr double kSmallest = 0.5, kLargest = 3.0, kStep = 0.1;

// The points that are needed.
struct Room {
    Fold fold;
    float width, height;

    float scale(const Space& space) const {
        return std::min(static_cast<float>(space.width) / width, static_cast<float>(space.height) / height);
    }
};

constexpr std::array kRooms = {Room{Fold::none, 1240.0F, 740.0F}, Room{Fold::sidebar, 960.0F, 660.0F},
                               Room{Fold::beside, 780.0F, 560.0F}, Room{Fold::bench, 760.0F, 440.0F}};
// Beside the sidebar the one figure has the rest.
constexpr std::array kRoomsBeside = {Room{Fold::none, 1240.0F, 740.0F}, Room{Fold::bench, 780.0F, 560.0F}};
constexpr Room kUpright{Fold::bench, 360.0F, 420.0F};
constexpr Room kPresentedBench{Fold::none, 850.0F, 533.0F}, kPresentedAlone{Fold::none, 560.0F, 400.0F};

template <class Rooms>
Fitted fold(const Rooms& rooms, const Space& space, float monitor, double user) {
    const float whole = rooms[0].scale(space);
    const float wanted = static_cast<float>(user) * std::clamp(whole, kShrunk * monitor, monitor);
    if (whole >= wanted) return {wanted, Fold::none};
    const bool enlarged = user > 1.0;
    for (const Room& room : rooms) {
        // Somebody who enlarges has seen the sidebar go.
        if (room.fold == Fold::none || (room.fold == Fold::beside && enlarged)) continue;
        const float scale = room.scale(space);
        if (scale >= wanted) return {enlarged ? scale : std::min(scale, monitor), room.fold};
    }
    return {std::max(whole, rooms.back().scale(space)), rooms.back().fold};
}

}  // namespace

Fitted fit(const Space& space, double user) {
    const float monitor = std::clamp(space.monitor, 0.5F, 4.0F);
    Fitted fitted;
    if (space.presenting) {
        const bool bench = !space.alone && kPresentedBench.scale(space) >= kShrunk * monitor;
        const Room& room = bench ? kPresentedBench : kPresentedAlone;
        fitted.scale = std::min(monitor * static_cast<float>(kPresented * user), room.scale(space));
        if (!bench && !space.alone) fitted.fold = Fold::bench;
    } else {
        fitted =
            space.sidebar ? fold(kRoomsBeside, space, monitor, user) : fold(kRooms, space, monitor, user);
        if (fitted.fold >= Fold::beside && space.height >= space.width)
            fitted = {std::min(static_cast<float>(user) * monitor, kUpright.scale(space)), kUpright.fold,
                      true};
    }
    fitted.scale = std::max(kLeast, fitted.scale);
    return fitted;
}

double next_scale(const Space& space, double user, int by) {
    const Fitted now = fit(space, user);
    for (double next = user;;) {
        next = std::round(next / kStep + by) * kStep;
        if (next < kSmallest - 0.01 || next > kLargest + 0.01) return user;
        if (fit(space, next) != now) return std::clamp(next, kSmallest, kLargest);
    }
}

}  // namespace posiscope::workbench
