// lines.hpp — where text breaks into lines, Chinese text included, and how its mathematics is set.
#pragma once

#include "app/ui/formula.hpp"

namespace posiscope::ui {

// The face of a text's numbers: plain, or Face::strong as in a lesson.
enum class Numbers { plain, strong };

// The number of bytes of `text` on its first line, trailing spaces included; without them it is no wider than `width`.
// A line ends
//   after a space, or
//   between two characters of which one is Chinese (or Japanese), but never before a mark that closes (，。：；！？）”…),
//   never after a mark that opens (（《“), and never inside “……” or “——”.
// Latin words and numbers stay whole; one that is wider than the line, such as a path, is cut where the line is full.
// The two sides of a sign such as = or + stay together if they fit.
// At least one character; 0 only for empty text.
std::size_t line_end(const Measure& measure, std::string_view text, Face face, float size, float width,
                     Numbers numbers = Numbers::plain);

// The number of lines.
int line_count(const Measure& measure, std::string_view text, Face face, float size, float width,
               Numbers numbers = Numbers::plain);

// A piece of a text whose mathematics is marked (core/mathematics.hpp): words, and the index or power after them.
struct IndexedRun {
    std::string_view text, index;  // the index may be empty
    bool raised = false;           // the index is a power
    bool strong = false;           // a number, and numbers are strong

    float drop() const;  // of the index below the baseline, in sizes of the text; negative: above it
    Face face(Face plain) const { return strong ? Face::strong : plain; }
};
inline constexpr float kIndexSize = 0.72F, kIndexDrop = 0.18F, kPowerRise = 0.38F;  // in sizes of the text
inline float IndexedRun::drop() const { return raised ? -kPowerRise : kIndexDrop; }

// Takes the first run off `rest`. A number is a run of its own where numbers are strong: sign, digits, thin spaces and powers
// of ten included, as in −1.37, 60 611 or 2×10⁻¹⁶; not one that a letter touches, as in float32 or 2π.
IndexedRun next_run(std::string_view& rest, Numbers numbers = Numbers::plain);

// Calls set(x, drop, piece, face, size) for each piece of a line of such text, from its left end and baseline; returns its width.
template <typename Set>
float set_line(const Measure& measure, std::string_view line, Face face, float size, Numbers numbers,
               Set set) {
    float x = 0.0F;
    const auto put = [&](float drop, std::string_view piece, Face of_piece, float its_size) {
        if (piece.empty()) return;
        set(x, drop, piece, of_piece, its_size);
        x += measure.text_width(piece, of_piece, its_size);
    };
    while (!line.empty()) {
        const IndexedRun run = next_run(line, numbers);
        put(0.0F, run.text, run.face(face), size);
        put(run.drop() * size, run.index, face, kIndexSize * size);
    }
    return x;
}

// The width of a line of such text.
float line_width(const Measure& measure, std::string_view line, Face face, float size,
                 Numbers numbers = Numbers::plain);

}  // namespace posiscope::ui
