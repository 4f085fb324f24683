// comparison.hpp — A against B. A is the Scene; B is the Scene with its `compare` applied. Keys that `compare` does not
// name, such as position and offset, are common to both, so both move together.
// view.compare selects what is shown: "a", "b", "overlay" (both, B outlined) or "difference" (B − A).
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

enum class Sides { a, b, overlay, difference };
std::span<const std::string_view> sides_names();  // in the order of Sides

// The sides that are shown; `a` without a B.
Sides sides(const Scene& scene);
void show_sides(Scene& scene, Sides sides);

// Copies the encoding, base, layout, widths, content and mask of the Scene to B.
void keep_as_b(Scene& scene);
// Swaps A and B in the keys that B names.
void swap_sides(Scene& scene);
void end_comparison(Scene& scene);

// B, rebuilt only when its Scene has changed; null without a B.
class ComparedScene {
public:
    const Scene* of(const Scene& scene);

private:
    Scene made_of_;
    std::optional<Scene> b_;
};

// A after an edit of B gave `next`: keys that B names go into `compare`, common ones into A.
Scene edited_through_b(const Scene& a, const Scene& b, const Scene& next);

}  // namespace posiscope
