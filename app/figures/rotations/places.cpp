// places.cpp — how Rotations divides its room: the large clock first, its arithmetic second, the small clocks what remains.
#include "app/figures/rotations/rotations.hpp"

namespace posiscope::figures::rotations {
namespace {

constexpr float kApart = 12.0F;
constexpr float kSides = 100.0F;                    // beside the clock, for what its hands say
constexpr float kOneRow = 50.0F, kTwoRows = 86.0F;  // of arithmetic
constexpr float kRowWidth = 330.0F;                 // that one row takes

// Words are 1 at the clock of a tile of the opening, and grow a third as fast.
float zoom_of(float clock) { return std::clamp(0.65F + 0.35F * clock / 387.0F, 0.8F, 2.2F); }

// The clock and its equation beside it, or below it in an upright tile. Words are larger: they are read from far away.
Places places_of_one(Rect area) {
    const float w = area.width(), h = area.height(), least = std::sqrt(kClockShare * w * h);
    const bool beside = w > 0.92F * h;
    Places made;
    made.clock = beside ? std::min(h, std::max(least, std::min(0.5F * w, 0.96F * h)))
                        : std::min(w, std::max(least, 0.605F * h));
    made.zoom = 1.2F * zoom_of(made.clock);
    made.dial = beside ? area.cut_left(std::max(made.clock, 0.57F * w)) : area.cut_top(made.clock);
    if (beside) area.cut_left(kApart);
    else area.cut_top(kApart);
    made.words = area;
    return made;
}

}  // namespace

Places places(Rect area, bool single) {
    if (single) return places_of_one(area);
    const float w = area.width(), h = area.height();
    const float least = std::sqrt(kClockShare * w * h);
    Places made;
    if (w > 0.92F * h) {  // the small clocks to the right
        made.clock = std::min(h, std::max(least, std::min(0.545F * w, 0.87F * h)));
        made.zoom = zoom_of(made.clock);
        Rect left = area.cut_left(std::min(made.clock + kSides * made.zoom, std::max(made.clock, 0.56F * w)));
        area.cut_left(kApart * made.zoom);
        const bool below = h - made.clock >= kOneRow * made.zoom;
        made.dial = left.cut_top(made.clock);
        left.cut_top(4.0F);
        if (below) made.words = left;
        else if (area.width() > 90.0F) {
            made.words = area.cut_top(std::min(kTwoRows * made.zoom, 0.45F * h));
            area.cut_top(kApart);
        }
        made.small = area;
        return made;
    }
    made.clock = std::min(w, std::max(least, 0.605F * h));
    made.zoom = zoom_of(made.clock);
    made.dial = area.cut_top(made.clock);
    area.cut_top(4.0F);
    const float needed = (w > kRowWidth * made.zoom ? kOneRow : kTwoRows) * made.zoom;
    // In a tall tile there is room for more of it than for large clocks.
    const float most = std::max(needed, std::min(0.5F * area.height(), 220.0F * made.zoom));
    made.words = area.cut_top(area.height() > 400.0F * made.zoom ? most : std::min(needed, area.height()));
    area.cut_top(8.0F);
    made.small = area;
    return made;
}

}  // namespace posiscope::figures::rotations
