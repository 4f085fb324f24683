// definition.hpp — the definition of the Scene's encoding with its current numbers in it. A number is a handle: dragged
// sideways it changes the Scene, and under the mouse it lights up in the other figures. The formulas are the encodings'
// (core/encodings/definition.hpp).
#pragma once

#include "app/figures/figure.hpp"
#include "core/encodings/definition.hpp"

namespace posiscope::figures::definition {

using Handle = DefinitionHandle;

// A formula (ui/formula.hpp) and where in it the numbers are. It is built anew every frame and allocates nothing.
class Line {
public:
    struct Number {
        Handle handle = Handle::position;
        std::size_t begin = 0, end = 0;  // in text()
    };

    Line& add(std::string_view formula);
    Line& add(Handle handle, std::string_view number);

    std::string_view text() const { return {text_.data(), size_}; }
    std::span<const Number> numbers() const { return std::span(numbers_).first(count_); }

private:
    std::array<char, 640> text_{};
    std::size_t size_ = 0;
    std::array<Number, 16> numbers_{};
    std::size_t count_ = 0;
};

// The terms of a definition. While something is under the mouse in another figure, they are its pair and position.
struct Terms {
    Frame& frame;
    const Spectrum* spectrum = nullptr;  // of pairs that rotate
    std::int64_t position = 0, offset = 0, pair = 0, head = 0;
    bool letters = false;  // p, i, b and d instead of their numbers
    bool stacked = false;  // fractions above one another

    double omega() const { return spectrum->frequency[static_cast<std::size_t>(pair)]; }
};
Terms terms(Frame& f);

// The definition; of an encoding with a table of sines and cosines, that of one component.
Line define(const Terms& terms, int component = 0);
// ω_i of a rotating pair: b^(−2i/d) and its value.
Line frequency(const Terms& terms);

// Draws a line from the left end of its baseline and lets its numbers be dragged; returns its width.
float draw(Frame& f, Point at, const Line& line, float size);

}  // namespace posiscope::figures::definition
