#include "app/workbench/window/scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace posiscope::workbench {
namespace {

constexpr float kLeast = 0.05F;   // a letter must have a size, however small the window
constexpr float kSmall = 500.0F;  // points: below it a window folds by itself
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
                               Room{Fold::bench, 760.0F, 440.0F}};
// Beside the sidebar the one figure has the rest.
constexpr std::array kRoomsBeside = {Room{Fold::none, 1240.0F, 740.0F}, Room{Fold::bench, 780.0F, 560.0F}};
constexpr Room kUpright{Fold::bench, 360.0F, 420.0F};
constexpr Room kPresentedBench{Fold::none, 850.0F, 533.0F}, kPresentedAlone{Fold::none, 560.0F, 400.0F};

bool small(const Space& space, float monitor) {
    return static_cast<float>(std::min(space.width, space.height)) < kSmall * monitor;
}

template <class Rooms>
Fitted fold(const Rooms& rooms, const Space& space, float monitor, double user) {
    const float whole = rooms[0].scale(space);
    const float wanted =
        static_cast<float>(user) * (small(space, monitor) ? monitor : std::min(monitor, whole));
    if (whole >= wanted) return {wanted, Fold::none};
    for (const Room& room : rooms)
        if (room.fold != Fold::none && room.scale(space) >= wanted) return {room.scale(space), room.fold};
    return {std::max(whole, rooms.back().scale(space)), rooms.back().fold};
}

bool upright(const Space& space, float monitor) {
    return static_cast<float>(space.width) < kSmall * monitor && space.height > space.width;
}

}  // namespace

Fitted fit(const Space& space, double user) {
    const float monitor = std::clamp(space.monitor, 0.5F, 4.0F);
    Fitted fitted;
    if (space.presenting) {
        const bool bench = !space.alone && !small(space, monitor);
        const Room& room = bench ? kPresentedBench : kPresentedAlone;
        fitted.scale = std::min(monitor * static_cast<float>(kPresented * user), room.scale(space));
        if (!bench && !space.alone) fitted.fold = Fold::bench;
    } else if (upright(space, monitor)) {
        fitted = {std::min(static_cast<float>(user) * monitor, kUpright.scale(space)), kUpright.fold, true};
    } else {
        fitted =
            space.sidebar ? fold(kRoomsBeside, space, monitor, user) : fold(kRooms, space, monitor, user);
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
