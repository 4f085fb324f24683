// svd.hpp — singular values of a table, and least squares by them.
// A = U Σ Vᵀ: Householder reflections make A bidiagonal, implicit QR steps make that diagonal.
// Shapes   A [rows, columns], column after column; any sizes ≥ 1.   Range  any; NaN where a value is not finite.
// Error    each singular value within 1e-14 · √(rows · columns) of the largest; small ones have no more digits than that.
// Cost     about 4 · rows · columns² operations for rows ≥ columns (and the other way round), and the table itself.
// Source   Golub and Kahan 1965; the step without a shift is that of Demmel and Kahan 1990. Written here because Eigen's
//          divide and conquer, as accurate, took longer to compile than all the rest of core.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace posiscope {

struct Table2d {
    std::size_t rows = 0, columns = 0;
    std::vector<double> values;  // column after column

    Table2d(std::size_t r, std::size_t c) : rows(r), columns(c), values(r * c) {}
    double& operator()(std::size_t row, std::size_t column) { return values[column * rows + row]; }
    double operator()(std::size_t row, std::size_t column) const { return values[column * rows + row]; }
    std::span<double> column(std::size_t index) { return std::span(values).subspan(index * rows, rows); }
};

// Largest first, min(rows, columns) of them.
std::vector<double> singular_values(Table2d table);

// x with the least ‖A x − target‖, and of all such the shortest. Singular values up to `threshold` times the largest
// count as 0.
std::vector<double> least_squares(Table2d table, std::vector<double> target, double threshold);

}  // namespace posiscope
