// input_values.hpp — a word's embedding, the encoding of its two positions, and both together, as strips of numbers.
#pragma once

#include "app/figures/figure.hpp"
#include "app/figures/parts/sentence.hpp"

namespace posiscope::figures::terms {

enum class Norm { none, layer, rms };

struct Strip {
    std::vector<float> values;  // of `each` dimensions their mean
    std::size_t dimensions = 0, each = 1;
    double length = 0.0;  // ‖·‖ of all dimensions
};

// A word at one position.
struct Placed {
    Strip position, joined, normed;
    std::int64_t row = 0;  // of the table: its id
    double scale = 1.0;    // what the norm multiplies by, after the mean is taken away
    std::optional<Problem> problem;
};
struct Input {
    std::string word;
    Strip embedding;
    Placed at[2];        // p, p + k
    double apart = 0.0;  // ‖·‖ of the difference of both inputs, as they enter
    double range = 1.0;
};

Norm norm_of(const Scene& scene);
bool concatenates(const Scene& scene);

struct Made {
    Kept<Input> input;
    Kept<Sentence> sentence;
};
// None without words.
std::optional<Made> input(const Frame& f, const Scene& scene, Derived& derived);

// The input of the first layer: a word's embedding, the encoding of its position, and the two together.

std::string_view input_headline(Frame& f);
void draw_input(Frame& f, Rect area);

}  // namespace posiscope::figures::terms
