#include "core/basis/independence.hpp"

#include "core/cost.hpp"
#include "core/numeric/svd.hpp"
#include "core/phase/phase.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope {
namespace {

constexpr double kNoNullVector = 1e-6;  // a shorter rest of a row is rounding

// Units of the nodes of a pair, sorted; of the distance of two.
constexpr double kNode = 150.0, kLogarithm = 40.0;

bool before(Step x, Step y) { return x.high != y.high ? x.high < y.high : x.low < y.low; }

std::vector<Step> nodes(const Spectrum& spectrum) {
    spend(kNode * static_cast<double>(spectrum.pairs()));
    std::vector<Step> all;
    all.reserve(2 * spectrum.pairs());
    for (const Step step : spectrum.step) {
        all.push_back(step);
        all.push_back(difference({}, step));
    }
    return all;
}

}  // namespace

std::int64_t distinct_nodes(const Spectrum& spectrum) {
    std::vector<Step> all = nodes(spectrum);
    std::sort(all.begin(), all.end(), before);
    return std::unique(all.begin(), all.end()) - all.begin();
}

std::int64_t exact_rank(const Spectrum& spectrum, std::int64_t length) {
    return std::min(length, distinct_nodes(spectrum));
}

std::int64_t distinct_frequencies(const Spectrum& spectrum) {
    std::vector<double> all = spectrum.frequency;
    std::sort(all.begin(), all.end());
    return std::unique(all.begin(), all.end()) - all.begin();
}

double log10_determinant(const Spectrum& spectrum) {
    const std::vector<Step> all = nodes(spectrum);
    double sum = -static_cast<double>(spectrum.pairs()) * std::log10(2.0);
    for (std::size_t a = 0; a < all.size(); ++a) {
        spend(kLogarithm * static_cast<double>(a));
        for (std::size_t b = 0; b < a; ++b) {
            const double turned = rounded(difference(all[a], all[b])).radians();
            if (turned == 0.0) return -std::numeric_limits<double>::infinity();
            sum += std::log10(2.0 * std::abs(std::sin(0.5 * turned)));
        }
    }
    return sum;
}

Result<NullVector> null_vector(const Spectrum& spectrum, std::int64_t length) {
    const std::size_t pairs = spectrum.pairs(), n = static_cast<std::size_t>(length);
    const double steps =
        static_cast<double>(length) * static_cast<double>(length) * 2.0 * static_cast<double>(pairs);
    if (auto problem = too_costly("null_vector", steps, kMostNullSteps))
        return tl::unexpected(std::move(*problem));
    NullVector made;
    if (exact_rank(spectrum, length) == length) return made;
    Table2d columns(2 * pairs, n);
    for (std::size_t p = 0; p < n; ++p)
        for (std::size_t m = 0; m < pairs; ++m) {
            const Turn turn = phase(spectrum.step[m], static_cast<std::int64_t>(p));
            columns(2 * m, p) = sin(turn);
            columns(2 * m + 1, p) = cos(turn);
        }
    // The shortest weights that make the middle row of all rows; where they are not that row alone, the difference vanishes.
    const std::size_t middle = n / 2;
    const auto row = columns.column(middle);
    std::vector<double> weights = least_squares(columns, {row.begin(), row.end()},
                                                0x1p-52 * static_cast<double>(std::max(n, 2 * pairs)));
    for (double& weight : weights) weight = -weight;
    weights[middle] += 1.0;
    double squares = 0.0;
    for (const double weight : weights) squares += weight * weight;
    if (squares < kNoNullVector * kNoNullVector) return made;
    for (double& weight : weights) weight /= std::sqrt(squares);
    double rest = 0.0;
    for (std::size_t f = 0; f < 2 * pairs; ++f) {
        double sum = 0.0;
        for (std::size_t p = 0; p < n; ++p) sum += weights[p] * columns(f, p);
        rest += sum * sum;
    }
    made.weights = std::move(weights);
    made.residual = std::sqrt(rest);
    return made;
}

std::int64_t rational_frequencies(double base, std::int64_t pairs) {
    // base = odd · 2^twos, and root^exponent with the largest exponent there is; the root may be a fraction.
    int binary = 0;
    auto odd = static_cast<std::uint64_t>(std::ldexp(std::frexp(base, &binary), 53));
    std::int64_t twos = binary - 53, exponent = 1;
    while (odd % 2 == 0) odd /= 2, ++twos;
    if (odd == 1 && twos == 0) return pairs;  // base 1
    if (odd == 1) exponent = std::abs(twos);
    for (std::int64_t e = 53; e > 1 && exponent == 1; --e) {
        const auto root = static_cast<std::uint64_t>(
            std::llround(std::pow(static_cast<double>(odd), 1.0 / static_cast<double>(e))));
        Uint128 power = 1;
        for (std::int64_t n = 0; n < e && (power >> 63) == 0; ++n) power *= root;
        if (twos % e == 0 && power == odd) exponent = e;
    }
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < pairs; ++i) count += i * exponent % pairs == 0;
    return count;
}

}  // namespace posiscope
