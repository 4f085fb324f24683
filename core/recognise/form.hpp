// form.hpp — how a dump's numbers may be arranged, and what its numbers are
// precise to.
#pragma once

#include "core/formats/tensor.hpp"
#include "core/scene/scene.hpp"

#include <memory>
#include <optional>

namespace posiscope::recognition {

inline constexpr std::int64_t kMostColumns = 16384;  // more than any model has features

// A matrix of a dump: dimensions of 1 and equal slices of a batch dropped; [n, h, 2] and [2, n, h] as [n, 2h].
struct Matrix {
    std::int64_t rows = 0, columns = 0;
    std::span<const double> values;
    bool stacked = false;                              // it was [n, h, 2]
    bool apart = false;                                // it was [2, n, h]
    std::shared_ptr<const std::vector<double>> owned;  // where the dump has another order

    double at(std::int64_t row, std::int64_t column) const {
        return values[static_cast<std::size_t>(row * columns + column)];
    }
};
std::vector<std::int64_t> squeezed(const StoredTensor& dump);
bool says(const std::string& name, std::string_view word);  // whether a dump's name has it
// Whether the name says that a dump is cos alone, or sin alone.
bool names_one(const StoredTensor& dump);
std::optional<Matrix> matrix_of(const StoredTensor& dump);
Matrix transposed(const Matrix& matrix);

// Of [2, n, 2h] whose columns are written twice, as the caches of many programs are: each copy, [2, n, h].
struct Copies {
    StoredTensor first, second;
    PairLayout layout = PairLayout::halves;
    bool alike = false;  // every number of them
};
std::optional<Copies> copies_of(const StoredTensor& dump);

// Half a unit in the last place of numbers about 1, of the coarsest type that
// all values fit in; "bfloat16" in a float32 file means that they were rounded
// on their way.
struct Precision {
    std::string_view name;
    double relative = 0.0, absolute = 0.0;
};
Precision precision_of(const StoredTensor& dump);
// The number of that type nearest to a value.
double rounded_as(double value, const Precision& precision);

// Where cosines and sines are. −1: there is none.
struct Arrangement {
    std::string_view name;  // "halves", "interleaved", "duplicated halves",
                            // "duplicated pairs", "single"
    std::int64_t pairs = 0;
    // The column of pair i's first and second number.
    std::int64_t first(std::int64_t i) const { return first_stride * i; }
    std::int64_t second(std::int64_t i) const { return second_offset + first_stride * i; }
    std::int64_t first_stride = 1, second_offset = 0;
    bool duplicated = false;  // the second number repeats the first
    bool single = false;      // there is no second number
    PairLayout layout = PairLayout::halves;
};
std::vector<Arrangement> arrangements(const Matrix& matrix);

}  // namespace posiscope::recognition
