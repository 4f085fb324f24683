// lines.hpp — where text breaks into lines, Chinese text included.
#pragma once

#include "app/ui/formula.hpp"

namespace posiscope::ui {

// The number of bytes of `text` on its first line, trailing spaces included; without them it is no wider than `width`.
// A line ends
//   after a space, or
//   between two characters of which one is Chinese (or Japanese), but never before a mark that closes (，。：；！？）”…),
//   never after a mark that opens (（《“), and never inside “……” or “——”.
// Latin words and numbers stay whole; one that is wider than the line, such as a path, is cut where the line is full.
// The two sides of a sign such as = or + stay together if they fit.
// At least one character; 0 only for empty text.
std::size_t line_end(const Measure& measure, std::string_view text, Face face, float size, float width);

// The number of lines.
int line_count(const Measure& measure, std::string_view text, Face face, float size, float width);

// The face of a text's numbers: plain, or Face::strong as in a lesson.
enum class Numbers { plain, strong };

// Text in which a letter may have an index, as in M_k or M_{a+b}, or a power, as in e^{ix} or 10000^(2i/d): words up to
// such a letter, and its index.
struct IndexedRun {
    std::string_view text, index;  // the index may be empty
    bool raised = false;           // the index is a power
    bool strong = false;           // a number, and numbers are strong

    float drop() const;  // of the index below the baseline, in sizes of the text; negative: above it
    Face face(Face plain) const { return strong ? Face::strong : plain; }
};
inline constexpr float kIndexSize = 0.72F, kIndexDrop = 0.18F, kPowerRise = 0.38F;  // in sizes of the text
inline float IndexedRun::drop() const { return raised ? -kPowerRise : kIndexDrop; }

// Takes the first run off `rest`. An index is one letter or digit, or a group in braces, after one single letter and
// “_”: d_model and rope_theta have none. A power is the same after “^”, and after any character; its group may also be in
// round brackets, which are not drawn. A number is a run of its own where numbers are strong: sign, digits, thin spaces and
// powers of ten included, as in −1.37, 60 611 or 2×10⁻¹⁶; not one that a letter touches, as in float32 or 2π.
IndexedRun next_run(std::string_view& rest, Numbers numbers = Numbers::plain);

// Measures text whose indices are set as such.
class IndexedMeasure : public Measure {
public:
    explicit IndexedMeasure(const Measure& plain, Numbers numbers = Numbers::plain)
        : plain_(plain), numbers_(numbers) {}
    float text_width(std::string_view text, Face face, float size) const override;

private:
    const Measure& plain_;
    Numbers numbers_;
};

}  // namespace posiscope::ui
