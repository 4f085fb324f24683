#include "core/recognise/form.hpp"

#include "core/numeric/bits.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::recognition {
namespace {

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

// Noise may differ between the two.
bool repeats(const Matrix& m, const Arrangement& a) {
    double apart = 0.0, square = 0.0;
    for (std::int64_t row = 0; row < std::min<std::int64_t>(m.rows, 256); ++row)
        for (std::int64_t i = 0; i < a.pairs; ++i) {
            const double x = m.at(row, a.first(i)), y = m.at(row, a.second(i));
            apart += (x - y) * (x - y);
            square += x * x;
        }
    return apart <= 0.0025 * square;
}

}  // namespace

std::vector<std::int64_t> squeezed(const StoredTensor& dump) {
    std::vector<std::int64_t> shape;
    for (const std::int64_t size : dump.shape)
        if (size != 1) shape.push_back(size);
    if (dump.cropped && !shape.empty()) shape[0] = static_cast<std::int64_t>(dump.values.size()) / dump.row();
    return shape;
}

std::optional<Matrix> matrix_of(const StoredTensor& dump) {
    std::vector<std::int64_t> shape = squeezed(dump);
    if (shape.size() == 3 && shape[2] == 2) shape = {shape[0], 2 * shape[1]};
    if (shape.size() != 2 || shape[0] < 2) return std::nullopt;
    return Matrix{shape[0], shape[1], dump.values};
}

Precision precision_of(const StoredTensor& dump) {
    const std::span<const double> some(dump.values.data(), std::min<std::size_t>(dump.values.size(), 200000));
    if (all_fit(some, 8, 0.0)) return {"bfloat16", 0x1p-8, 1e-30};
    if (all_fit(some, 11, 0x1p-14)) return {"float16", 0x1p-11, 0x1p-25};
    if (all_fit(some, 24, 0.0)) return {"float32", 0x1p-24, 1e-30};
    return {"float64", 0x1p-53, 1e-300};
}

std::vector<Arrangement> arrangements(const Matrix& m) {
    std::vector<Arrangement> made;
    if (m.columns % 2 == 0 && m.columns >= 4) {
        const std::int64_t h = m.columns / 2;
        Arrangement halves{"duplicated halves", h, 1, h, true, false, PairLayout::halves};
        Arrangement pairs{"duplicated pairs", h, 2, 1, true, false, PairLayout::interleaved};
        if (repeats(m, halves)) return {halves};
        if (repeats(m, pairs)) return {pairs};
        made.push_back({"halves", h, 1, h, false, false, PairLayout::halves});
        made.push_back({"interleaved", h, 2, 1, false, false, PairLayout::interleaved});
    }
    made.push_back({"single", m.columns, 1, 0, false, true, PairLayout::halves});
    return made;
}

}  // namespace posiscope::recognition
