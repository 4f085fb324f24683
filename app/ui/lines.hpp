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

// Text in which a letter may have an index, as in M_k or M_{a+b}: words up to such a letter, and its index.
struct IndexedRun {
    std::string_view text, index;  // the index may be empty
};
inline constexpr float kIndexSize = 0.72F, kIndexDrop = 0.18F;  // of an index, in sizes of the text

// Takes the first run off `rest`. An index is one letter or digit, or a group in braces, after one single letter and
// “_”: d_model and rope_theta have none.
IndexedRun next_run(std::string_view& rest);

// Measures text whose indices are set as such.
class IndexedMeasure : public Measure {
public:
    explicit IndexedMeasure(const Measure& plain) : plain_(plain) {}
    float text_width(std::string_view text, Face face, float size) const override;

private:
    const Measure& plain_;
};

}  // namespace posiscope::ui
