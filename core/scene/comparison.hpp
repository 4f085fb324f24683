// comparison.hpp — A against B. A is the Scene, B is its `compare` laid over it: what B does not name, the position
// and the offset above all, is common to both, so that both move together.
// view.compare says what is seen: "a", "b", "overlay" (both, B outlined) or "difference" (B − A).
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

enum class Sides { a, b, overlay, difference };
std::span<const std::string_view> sides_names();  // in the order of Sides

// What is seen; `a` where there is no B.
Sides sides(const Scene& scene);
void show_sides(Scene& scene, Sides sides);

// B becomes what the Scene is now: its encoding, base, layout, widths, content and mask.
void keep_as_b(Scene& scene);
// A and B change places; what B does not name stays.
void swap_sides(Scene& scene);
void end_comparison(Scene& scene);

// B, made anew when the Scene it belongs to has changed; null where there is none.
class ComparedScene {
public:
    const Scene* of(const Scene& scene);

private:
    Scene made_of_;
    std::optional<Scene> b_;
};

// `next` came from editing B: what B names goes into `compare`, what is common to both into A.
Scene edited_through_b(const Scene& a, const Scene& b, const Scene& next);

}  // namespace posiscope
