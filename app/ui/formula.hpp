// formula.hpp — formulas set as mathematics: a small part of TeX, laid out into runs of text and rules.
//   letters are variables (italic); digits, operators and brackets are upright
//   a_b  a^{b c}            indices and powers
//   \frac{a}{b}             fraction
//   \matrix{a & b \\ c & d} a matrix in square brackets, columns right-aligned
//   \sin \cos \text{…}      upright words        \omega \phi \Delta \pi \lambda \sum \cdot \theta   symbols
//   \,                      a thin space
// Other input is shown unchanged: formulas are our own text, and a test lays out all of them.
#pragma once

#include "app/ui/fonts.hpp"
#include "app/ui/geometry.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace posiscope::ui {

struct FormulaRun {
    Point at;  // the left end of its baseline
    Face face;
    float size;
    std::string_view text;  // part of the formula, or a constant
};

// The memory in which formulas are laid out; reused, so that a frame allocates nothing.
struct FormulaMemory {
    std::vector<FormulaRun> runs;
    std::vector<Rect> rules;
    std::vector<float> widths;  // of the columns of matrices that are being laid out
};

// Measures the width of text.
class Measure {
public:
    virtual ~Measure() = default;
    virtual float text_width(std::string_view text, Face face, float size) const = 0;
    FormulaMemory& formula_memory() const { return memory_; }

private:
    mutable FormulaMemory memory_;
};

struct FormulaBox {
    float width = 0.0F, ascent = 0.0F, descent = 0.0F;
    std::span<const FormulaRun> runs;
    std::span<const Rect> rules;  // filled
};

// Around a baseline at (0, 0), y down. Runs and rules are in the measure's memory and valid until its next layout.
FormulaBox lay_out(std::string_view formula, float size, const Measure& measure);

}  // namespace posiscope::ui
