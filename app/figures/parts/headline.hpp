// headline.hpp — the sentence over a figure. Its string may hold shorter ones after "¦", each true by itself: a tile shows
// the first that one line takes.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures {

inline constexpr float kHeadlineSize = 14.5F;

// The first of them, where there is room for any.
std::string_view longest_form(std::string_view forms);
// The first that is no wider than `width`, else the last.
std::string_view form_within(std::string_view forms, float width, const ui::Measure& measure);

// The headline for a score of A and of B at a distance.
std::string_view both_headline(Frame& frame, std::int64_t distance, double a, double b);

// KEY_none, KEY_all or KEY, after how many of some are counted: none, all of them, or a part.
std::string_view counted_form(Frame& frame, std::string_view key, std::size_t counted, std::size_t of);

// The headline of this frame's Scene; empty if the figure has none to say.
std::string_view headline(const Figure& figure, Frame& frame);
std::string_view headline(const Figure& figure, Frame& frame, float width);

}  // namespace posiscope::figures
