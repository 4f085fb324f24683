// style.hpp — how exported pictures look, as a person's JSON file has it: a few keys, each of them optional.
//   size     "3.3x2.4in", as --size
//   letters  of the text's em, points of 1/72 inch, 4 … 24        font   "serif", or a font file beside the style
//   dpi      pixels to an inch of a PNG and of heatmaps           bare   true: without title, headline and marks
//   theme    "light", "dark", "print": what the other colours are
//   lines    how many times as thick every line is, 0.25 … 4
//   curves   up to 8 colours of curves, in their order            dashes up to 8 lengths in points, 0 is solid
//   colours  {"text": "#000000", …}: text, labels, axes, grid, background, sine, cosine, offset, positive, negative, zero, seen,
//            beyond
#pragma once

#include "app/ui/theme.hpp"
#include "core/json.hpp"

#include <string>

namespace posiscope::ui {

struct Style {
    Theme theme;
    float lines = 1.0F;
};

// The file's keys, checked, without those that are left out. Refused: what is no JSON, an unknown key, a value out of its bounds,
// and what is no colour.
Result<Json> read_style(const std::string& path);

// The colours and lines of a style that was read, over that theme.
Style style_of(const Json& read, const Theme& theme);

}  // namespace posiscope::ui
