// biases.hpp — what every head adds to its logits, by distance: all heads on one axis, and each on its own.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures::scores {

// True if the encoding adds a bias of its own to each head's logits.
bool has_biases(const Scene& scene);

std::string_view biases_headline(Frame& f);
void draw_biases(Frame& f, Rect area);

}  // namespace posiscope::figures::scores
