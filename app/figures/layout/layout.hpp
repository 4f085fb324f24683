// layout.hpp — the shared parts of the Layout figure; sign.cpp has the sign of rotate_half.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures::layouts {

inline constexpr std::int64_t kFeatures = 8;  // that are drawn, and of the head that stands in

// True if the encoding has pairs of features to lay out.
bool rotates(const Scene& scene, Derived& derived);
// The Scene, or a head of RoPE where it has no layout.
const Kept<ScoreInput>& input_of(const Scene& scene, Derived& derived);

// With a minus before rotate_half both sides rotate backwards, and the score is that of the opposite distance.
std::string_view sign_headline(Frame& f);
void draw_sign(Frame& f, Rect area);

}  // namespace posiscope::figures::layouts
