// nearest.hpp — the value that a dragged control gets where a Scene does not take every value of its track.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

namespace posiscope {

// The values from `least` to `most`, both of them too, that are whole numbers of steps.
struct Track {
    double least = 0.0, most = 1.0, step = 1.0;
};

// The value nearest to `wanted`, itself a value of the track, for which `takes` is true; of two as near the smaller. Looks at every
// value up to 16 steps away, then at twice the distance each time, and from there back to the first that is taken: values may be
// refused in long runs and taken at every nth, not both. Nothing where none is found.
template <class Takes>
std::optional<double> nearest_taken(double wanted, const Track& track, const Takes& takes) {
    constexpr double kEach = 16.0;
    const auto at = [&](double steps) {
        return std::clamp(std::round(wanted / track.step + steps) * track.step, track.least, track.most);
    };
    if (takes(wanted)) return wanted;
    const double below = std::ceil((wanted - track.least) / track.step),
                 above = std::ceil((track.most - wanted) / track.step);
    // Between `refused` and `taken` steps away, on one side.
    const auto first = [&](double side, double refused, double taken) {
        while (taken - refused > 1.0) {
            const double middle = std::floor(0.5 * (refused + taken));
            (takes(at(side * middle)) ? taken : refused) = middle;
        }
        return taken;
    };
    double before = 0.0;
    for (double n = 1.0; before < std::max(below, above); n = n < kEach ? n + 1.0 : 2.0 * n) {
        std::optional<double> down, up;
        if (before < below && takes(at(-std::min(n, below)))) down = first(-1.0, before, std::min(n, below));
        if (before < above && takes(at(std::min(n, above)))) up = first(1.0, before, std::min(n, above));
        if (down && (!up || *down <= *up)) return at(-*down);
        if (up) return at(*up);
        before = n;
    }
    return std::nullopt;
}

}  // namespace posiscope
