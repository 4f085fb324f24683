#include "core/basis/columns.hpp"

#include "core/cost.hpp"
#include "core/phase/phase.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

namespace posiscope {
namespace {

constexpr double kNotable = 1e-6;  // of the power of a column

// Units of one product and of one bin.
constexpr double kProducts = 120.0, kBin = 350.0;
constexpr double kComplex = 1.5;  // of a product of two complex numbers

// Σ_{p<n} e^{iθp} in units of n/2
std::complex<double> summed(Step step, std::int64_t length) {
    const Turn middle = middle_phase(step, 0, length);
    return 2.0 * mean_factor(step, length) * std::complex<double>(cos(middle), sin(middle));
}

}  // namespace

ColumnProducts column_products(Step a, Step b, std::int64_t length) {
    spend(kProducts);
    // 2 sin x sin y = cos(x − y) − cos(x + y), and so on
    const auto minus = summed(difference(a, b), length);
    const auto plus = summed(sum(a, b), length);
    return {0.5 * (minus.real() - plus.real()), 0.5 * (minus.real() + plus.real()),
            0.5 * (plus.imag() + minus.imag())};
}

std::vector<double> column_gram(const Spectrum& spectrum, PairLayout layout, std::int64_t length) {
    const auto pairs = static_cast<std::int64_t>(spectrum.pairs());
    const auto width = static_cast<std::size_t>(2 * pairs);
    std::vector<double> gram(width * width);
    const auto put = [&](PairComponent row, PairComponent column, double value) {
        gram[static_cast<std::size_t>(dimension(layout, pairs, row)) * width +
             static_cast<std::size_t>(dimension(layout, pairs, column))] = value;
    };
    for (std::int64_t a = 0; a < pairs; ++a)
        for (std::int64_t b = 0; b < pairs; ++b) {
            const auto made = column_products(spectrum.step[static_cast<std::size_t>(a)],
                                              spectrum.step[static_cast<std::size_t>(b)], length);
            put({a, 0}, {b, 0}, made.sin_sin);
            put({a, 1}, {b, 1}, made.cos_cos);
            put({a, 0}, {b, 1}, made.sin_cos);
            put({b, 1}, {a, 0}, made.sin_cos);
        }
    return gram;
}

std::vector<double> column_power(Step step, bool cosine, std::int64_t length) {
    const std::int64_t last = length / 2;
    std::vector<double> power(static_cast<std::size_t>(last + 1));
    for (std::int64_t q = 0; q <= last; ++q) {
        spend(kBin);
        const Step bin = step_from_turns(Wide{static_cast<std::uint64_t>(q), 0, 0, 0} /
                                         static_cast<std::uint64_t>(length));
        // sin = (e⁺ − e⁻)/2i, cos = (e⁺ + e⁻)/2: the modulus does not care about 1/i.
        const auto plus = summed(difference(step, bin), length);
        const auto minus = summed(difference({}, sum(step, bin)), length);
        const double both_signs = q == 0 || 2 * q == length ? 1.0 : 2.0;
        power[static_cast<std::size_t>(q)] = both_signs * std::norm(cosine ? plus + minus : plus - minus);
    }
    const double total = std::accumulate(power.begin(), power.end(), 0.0);
    // A column of zeros up to rounding has no spectrum.
    for (double& value : power) value = total > 1e-20 ? value / total : 0.0;
    return power;
}

std::vector<double> column_power(std::span<const double> column) {
    const std::size_t n = column.size();
    std::vector<std::complex<double>> unit(n);
    for (std::size_t i = 0; i < n; ++i)
        unit[i] = std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n));
    std::vector<double> power(n / 2 + 1);
    double total = 0.0;
    for (std::size_t q = 0; q < power.size(); ++q) {
        spend(kComplex * static_cast<double>(n));
        std::complex<double> sum = 0.0;
        std::size_t turn = 0;
        for (std::size_t p = 0; p < n; ++p) {
            sum += column[p] * unit[turn];
            turn += q;
            if (turn >= n) turn -= n;
        }
        power[q] = (q == 0 || 2 * q == n ? 1.0 : 2.0) * std::norm(sum);
        total += power[q];
    }
    for (double& value : power) value = total > 0.0 ? value / total : 0.0;
    return power;
}

Leakage leakage(std::span<const double> power) {
    const auto strongest = std::max_element(power.begin(), power.end());
    Leakage made;
    if (strongest == power.end() || *strongest == 0.0) return made;
    made.bin = strongest - power.begin();
    made.fraction = *strongest;
    made.above = std::count_if(power.begin(), power.end(), [](double value) { return value > kNotable; });
    return made;
}

}  // namespace posiscope
