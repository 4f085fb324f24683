// prediction.hpp — what a lesson asks to be said in a figure's own plot before its curves can be seen: a place on the axis, or a
// whole curve, drawn by hand. Once it was said it stays beside what is true.
#pragma once

#include "app/figures/figure.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace posiscope::figures {

// Places of the axis in ascending order, each with a value.
using Sketch = std::vector<std::pair<double, double>>;
inline constexpr std::size_t kSketchPlaces = 65;  // at most

struct Prediction {
    bool open = true;  // no curve of the figure, and nothing else that tells of it, may be seen
    double from = 0.0, to = 1.0, step = 1.0;  // of the axis
    std::optional<double>* pin = nullptr;     // one of the two; handed back
    Sketch* sketch = nullptr;
    std::span<const double> tried{};  // pins that were wrong, or others'
    std::optional<double> seen{};     // while it is open: curves may be seen as far as this, to both sides
};

inline bool veiled(const Frame& frame) { return frame.prediction != nullptr && frame.prediction->open; }
// True if a sketch is whole enough to be compared.
bool is_drawn(const Sketch& sketch, const Prediction& asked);
// Hides what may not be seen yet, and says so.
void hide_unseen(const Frame& frame, Rect plot, const canvas::Axis& x);
// Draws what was said on these axes, and takes what is said now.
void predict(Frame& frame, Rect plot, const canvas::Axis& x, const canvas::Axis& y);

}  // namespace posiscope::figures
