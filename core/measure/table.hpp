// table.hpp — a dump as slices of rows and columns, and which column holds the cosine or sine of which pair.
// Shapes   [n, c], [b, n, c], [n, b, c], [b, h, n, c], [n, c, 2], [n, c, 2, 2], [2, n, c], [c, n]; dimensions of 1 are dropped.
#pragma once

#include "core/measure/rounding.hpp"
#include "core/phase/pair_layout.hpp"

#include <optional>
#include <string>
#include <vector>

namespace posiscope::measuring {

struct Table {
    std::int64_t slices = 1, rows = 0, columns = 0;
    std::vector<double> values;  // [slices, rows, columns]
    std::vector<std::int64_t> slice_shape;
    enum class Joined {
        no,
        pairs,
        rotations,
        apart
    } joined = Joined::no;  // [n, c, 2], [n, c, 2, 2], [2, n, c]
    bool transposed = false, rows_first = false;

    double at(std::int64_t slice, std::int64_t row, std::int64_t column) const {
        return values[static_cast<std::size_t>((slice * rows + row) * columns + column)];
    }
    // The same by the row of all slices.
    double at(std::int64_t row, std::int64_t column) const {
        return values[static_cast<std::size_t>(row * columns + column)];
    }
};
// Every way to read the axes of a dump but that of turned_table, the usual one first; or the one that `axes` names, a letter each: b entries of a batch,
// h heads, n rows, d columns, 2 cosine and sine. Empty if the letters are not those of the shape.
std::vector<Table> tables_of(const StoredTensor& dump, std::string_view axes = {});
// The table of these axes; of a dump of this shape.
std::optional<Table> table_with(const StoredTensor& dump, std::string_view axes);
std::optional<Table> table_with(const StoredTensor& dump, const std::vector<std::int64_t>& shape,
                                std::string_view axes);
// [n, b, c], whose rows come before its slices; or [c, n] of at most 4096 columns, transposed.
std::optional<Table> turned_table(const StoredTensor& dump);
std::optional<Problem> unknown_axes(std::string_view axes);
std::vector<std::int64_t> squeezed(const StoredTensor& dump);

struct Cell {
    std::int64_t pair = -1;  // −1: a column that belongs to none
    bool sine = false;
    double sign = 1.0;
};
struct Form {
    std::string_view name;  // form.NAME in the string tables
    std::vector<Cell> cells;
    std::int64_t pairs = 0;
    std::optional<PairLayout> layout;  // where the columns tell it
    bool both = false;                 // cosines and sines
    bool sine_first = false;
    int blocks = 1;  // 2: half of the columns for each of two axes
};
// The forms that the equalities between a table's columns leave open: which columns repeat others, and which are the two
// coordinates of points on a circle.
std::vector<Form> forms_of(const Table& table);

}  // namespace posiscope::measuring
