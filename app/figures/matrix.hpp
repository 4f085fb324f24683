// matrix.hpp — the parts of the Matrix figure: what they share, and what is said under the mouse, which has a
// file of its own.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures::matrix {

enum class Mode { value, phase, gram, logits, shift, residual };

struct Extents {
    double rows, columns;
};

struct View {
    Frame& frame;
    const Encoding& encoding;
    const Spectrum& spectrum;  // empty where nothing turns
    Mode mode;
    std::int64_t pairs;
    Extents whole;
    gl::MatrixView picture;
    Rect plot;
    canvas::Axis x, y;    // columns and rows, in cells
    double middle = 0.0;  // the value in the middle of the colours

    bool positions_across() const { return mode == Mode::gram || mode == Mode::logits; }
    bool dimensions_down() const { return mode == Mode::shift; }
    bool rotary() const { return encoding.acts == Acts::query_key; }
    float device(float points) const { return points * frame.canvas.pixels_per_point(); }
};

// The tip and the link of the cell under the mouse; a click keeps its pair.
void hover(View& v);

}  // namespace posiscope::figures::matrix
