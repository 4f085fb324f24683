// basis_values.hpp — what the modes of Basis are computed from; each mode has a file.
#pragma once

#include "app/figures/matrix/basis.hpp"
#include "core/numeric/svd.hpp"

namespace posiscope::figures::matrix::basis {

inline constexpr std::int64_t kMostRows = 1024;  // of a table of numbers

// The input of all modes: the spectrum and the length for a closed form, else the encoding's numbers.
struct Key {
    Kept<ActionInput> input;
    bool numbers = false;
    std::int64_t pair = 0;  // of the transform
    bool operator==(const Key&) const = default;
};

inline std::int64_t columns_of(const Key& key) { return key.input->d_model / 2 * 2; }
Key key_of(const Scene& scene, Derived& derived);

// The first rows of a table of numbers, column after column; every `stride`-th pair of them.
Result<Table2d> numbers(const ActionInput& scene, std::int64_t most_rows, std::int64_t stride);

}  // namespace posiscope::figures::matrix::basis
