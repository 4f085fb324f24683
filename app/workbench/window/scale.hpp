// scale.hpp — how large words can be in a window, and what gives way to them: first the sidebar, then all figures but one.
// No figure gets less room than it needs: a size that has no room is refused, and said.
#pragma once

namespace posiscope::workbench {

inline constexpr double kPresented = 1.6;  // times as large while presenting

// beside: one figure and the sidebar are left; bench: one figure alone
enum class Fold { none, sidebar, beside, bench };

// A window in pixels, and what must have room in it.
struct Space {
    int width = 0, height = 0;
    float monitor = 1.0F;  // its pixels per point
    bool sidebar = false;  // stays, because a lesson is in it or somebody asked for it
    bool presenting = false;
    bool alone = false;  // one figure is presented

    bool operator==(const Space&) const = default;
};

struct Fitted {
    float scale = 1.0F;  // pixels per point
    Fold fold = Fold::none;
    bool upright =
        false;  // too narrow for two things side by side, as a telephone in the hand: what stays is stacked

    bool operator==(const Fitted&) const = default;
};

// At a person's own scale of 1 everything shrinks together by at most 15 in 100; where that is too little the window folds
// instead, and one that is as high as wide, or higher, stacks what it has. A larger scale folds, and takes the largest words that
// then fit.
Fitted fit(const Space& space, double user);

// The next larger (by > 0) or smaller scale of 0.5 … 3 that shows; the same where there is none.
double next_scale(const Space& space, double user, int by);

}  // namespace posiscope::workbench
