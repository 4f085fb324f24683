#include "core/recognise/form.hpp"

#include "core/numeric/bits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace posiscope::recognition {
namespace {

constexpr std::int64_t kMostlyOf = 10;  // one of so many rows or columns may differ from its copy

// The value rounded to so many bits of fraction.
double rounded(double value, int bits) {
    if (value == 0.0 || !std::isfinite(value)) return value;
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

bool all_fit(std::span<const double> values, int bits, double least) {
    return std::all_of(values.begin(), values.end(), [&](double value) {
        return std::abs(value) < least || rounded(value, bits) == value;
    });
}

enum class Repeats { none, mostly, all };

// Noise may differ between the two; `mostly` but for one row or one pair.
Repeats repeats(const Matrix& m, const Arrangement& a) {
    const std::int64_t rows = std::min<std::int64_t>(m.rows, 1024);
    double apart = 0.0, sum = 0.0, square = 0.0, of_row = 0.0;
    std::vector<double> of_pair(static_cast<std::size_t>(a.pairs), 0.0);
    for (std::int64_t row = 0; row < rows; ++row) {
        double here = 0.0;
        for (std::int64_t i = 0; i < a.pairs; ++i) {
            const double x = m.at(row, a.first(i)), y = m.at(row, a.second(i));
            here += (x - y) * (x - y);
            of_pair[static_cast<std::size_t>(i)] += (x - y) * (x - y);
            sum += x;
            square += x * x;
        }
        apart += here;
        of_row = std::max(of_row, here);
    }
    constexpr double kNoise = 0.0025;
    square -= sum * sum / static_cast<double>(rows * a.pairs);  // about the mean: slow cosines are all near 1
    if (apart <= kNoise * square) return Repeats::all;
    const double most = std::max(of_row, *std::max_element(of_pair.begin(), of_pair.end()));
    const bool enough = rows >= 32 && a.pairs >= 8;
    return enough && apart - most <= kNoise * square ? Repeats::mostly : Repeats::none;
}

// [2, n, h] as [n, 2h].
Matrix apart(std::span<const std::int64_t> shape, std::span<const double> values) {
    const std::int64_t rows = shape[1], half = shape[2];
    auto owned = std::make_shared<std::vector<double>>(values.size());
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t side = 0; side < 2; ++side)
            std::copy_n(values.begin() + static_cast<std::ptrdiff_t>((side * rows + row) * half), half,
                        owned->begin() + static_cast<std::ptrdiff_t>((2 * row + side) * half));
    return Matrix{rows, 2 * half, *owned, false, true, owned};
}

}  // namespace

bool says(const std::string& name, std::string_view word) { return name.find(word) != std::string::npos; }

bool names_one(const StoredTensor& dump) { return says(dump.name, "cos") != says(dump.name, "sin"); }

std::vector<std::int64_t> squeezed(const StoredTensor& dump) {
    std::vector<std::int64_t> shape;
    for (const std::int64_t size : dump.shape)
        if (size != 1) shape.push_back(size);
    if (dump.cropped && !shape.empty()) shape[0] = static_cast<std::int64_t>(dump.values.size()) / dump.row();
    return shape;
}

std::optional<Matrix> matrix_of(const StoredTensor& dump) {
    std::vector<std::int64_t> shape = squeezed(dump);
    std::span<const double> values = dump.values;
    // The same for each of a batch; two of cos or of sin alone are one unless the name says which.
    if (shape.size() == 3 && shape[0] == 2 && shape[1] > 1 && shape[2] != 2 && !names_one(dump))
        return apart(shape, values);
    while (shape.size() > 3 || (shape.size() == 3 && shape[2] != 2)) {
        const std::size_t slice = values.size() / static_cast<std::size_t>(shape[0]);
        if (!std::equal(values.begin() + static_cast<std::ptrdiff_t>(slice), values.end(), values.begin()))
            break;
        values = values.first(slice);
        shape.erase(shape.begin());
    }
    if (shape.size() == 3 && shape[2] == 2) {
        if (shape[0] < 2) return std::nullopt;
        return Matrix{shape[0], 2 * shape[1], values, true, false, nullptr};
    }
    if (shape.size() == 3 && shape[0] == 2 && shape[1] > 1) return apart(shape, values);
    if (shape.size() != 2 || shape[0] < 2) return std::nullopt;
    return Matrix{shape[0], shape[1], values, false, false, nullptr};
}

Matrix transposed(const Matrix& m) {
    auto owned = std::make_shared<std::vector<double>>();
    owned->reserve(m.values.size());
    for (std::int64_t column = 0; column < m.columns; ++column)
        for (std::int64_t row = 0; row < m.rows; ++row) owned->push_back(m.at(row, column));
    return Matrix{m.columns, m.rows, *owned, false, false, owned};
}

std::optional<Copies> copies_of(const StoredTensor& dump) {
    const std::vector<std::int64_t> shape = squeezed(dump);
    if (shape.size() != 3 || shape[0] != 2 || shape[2] < 4 || shape[2] % 2 != 0 || names_one(dump))
        return std::nullopt;
    const std::int64_t columns = shape[2], h = columns / 2, rows = 2 * shape[1];
    for (const PairLayout layout : {PairLayout::halves, PairLayout::interleaved}) {
        const bool halves = layout == PairLayout::halves;
        const auto column = [&](std::int64_t i, std::int64_t copy) {
            return halves ? i + copy * h : 2 * i + copy;
        };
        const auto at = [&](std::int64_t row, std::int64_t i, std::int64_t copy) {
            return dump.values[static_cast<std::size_t>(row * columns + column(i, copy))];
        };
        // Damage is in few rows, or in few columns.
        std::int64_t rows_off = 0;
        std::vector<std::int64_t> off(static_cast<std::size_t>(h), 0);
        for (std::int64_t row = 0; row < rows; ++row) {
            bool same = true;
            for (std::int64_t i = 0; i < h; ++i) {
                if (at(row, i, 0) == at(row, i, 1)) continue;
                same = false;
                ++off[static_cast<std::size_t>(i)];
            }
            rows_off += same ? 0 : 1;
        }
        const auto columns_off = h - std::count(off.begin(), off.end(), 0);
        if (kMostlyOf * rows_off > rows && kMostlyOf * columns_off > h) continue;
        Copies made{{dump.name, dump.dtype, {2, shape[1], h}, {}, false}, {}, layout, rows_off == 0};
        made.second = made.first;
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t i = 0; i < h; ++i) {
                made.first.values.push_back(at(row, i, 0));
                made.second.values.push_back(at(row, i, 1));
            }
        return made;
    }
    return std::nullopt;
}

Precision precision_of(const StoredTensor& dump) {
    if (constexpr std::string_view kDecimal = "decimal("; dump.dtype.starts_with(kDecimal)) {
        const double unit = std::pow(10.0, -std::atof(dump.dtype.c_str() + kDecimal.size()));
        return {"decimal", 0x1p-53, 0.5001 * unit};
    }
    const std::span<const double> some(dump.values.data(), std::min<std::size_t>(dump.values.size(), 200000));
    if (all_fit(some, 8, 0.0)) return {"bfloat16", 0x1p-8, 1e-30};
    if (all_fit(some, 11, 0x1p-14)) return {"float16", 0x1p-11, 0x1p-25};
    if (all_fit(some, 24, 0.0)) return {"float32", 0x1p-24, 1e-30};
    return {"float64", 0x1p-53, 1e-300};
}

double rounded_as(double value, const Precision& precision) {
    if (precision.name == "bfloat16") return rounded(value, 8);
    if (precision.name == "float32") return static_cast<double>(static_cast<float>(value));
    if (precision.name == "float64" || precision.name == "decimal") return value;
    // Below the least normal number of float16 all have one unit.
    return std::abs(value) < 0x1p-14 ? std::ldexp(std::nearbyint(std::ldexp(value, 24)), -24)
                                     : rounded(value, 11);
}

std::vector<Arrangement> arrangements(const Matrix& m) {
    std::vector<Arrangement> made;
    if (m.columns > kMostColumns) return made;
    if (m.apart) {
        const std::int64_t h = m.columns / 2;
        Arrangement twice{"duplicated halves", h, 1, h, true, false, PairLayout::halves};
        if (repeats(m, twice) == Repeats::all) return {twice};
        return {{"halves", h, 1, h, false, false, PairLayout::halves}};
    }
    if (m.columns % 2 == 0 && m.columns >= 4) {
        const std::int64_t h = m.columns / 2;
        Arrangement halves{"duplicated halves", h, 1, h, true, false, PairLayout::halves};
        Arrangement pairs{"duplicated pairs", h, 2, 1, true, false, PairLayout::interleaved};
        for (const Arrangement& one : {halves, pairs}) {
            const Repeats found = repeats(m, one);
            // Alternate columns are also alike where a slip gives two pairs one frequency.
            if (found == Repeats::all && one.layout == PairLayout::halves) return {one};
            if (found != Repeats::none) made.push_back(one);
        }
        made.push_back({"halves", h, 1, h, false, false, PairLayout::halves});
        made.push_back({"interleaved", h, 2, 1, false, false, PairLayout::interleaved});
    }
    made.push_back({"single", m.columns, 1, 0, false, true, PairLayout::halves});
    return made;
}

}  // namespace posiscope::recognition
