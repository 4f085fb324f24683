#include "core/recognise/start.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace posiscope::recognition {
namespace {

constexpr std::int64_t kLookedAt = 48;  // rows whose turning is looked at
constexpr double kOff = 0.05;           // of the amplitude
constexpr std::size_t kMostStarts = 16, kMostAlike = 4096;
constexpr double kReach = 0.4;  // radians by which an uncertain angle may be off

// The numbers of a pair as cos and sin; of one function alone, that one.
struct Sides {
    const Matrix& m;
    const Arrangement& a;
    bool both, cosine_first;

    Sides(const Matrix& matrix, const Arrangement& arrangement, Order order)
        : m(matrix),
          a(arrangement),
          both(!a.single && !a.duplicated),
          cosine_first(order == Order::cosine_sine) {}

    double first(std::int64_t row, std::int64_t i) const { return m.at(row, a.first(i)); }
    // cos θ + i sin θ
    std::complex<double> turning(std::int64_t row, std::int64_t i) const {
        const double x = m.at(row, a.first(i)), y = m.at(row, a.second(i));
        return cosine_first ? std::complex(x, y) : std::complex(y, x);
    }
};

// The wave of one function follows x_r = a cos ωr + b sin ωr, whatever its phase.
bool waves_so(const Sides& sides, std::int64_t i, double rate, double amplitude, std::int64_t rows) {
    double cc = 1e-12, cs = 0.0, ss = 1e-12, xc = 0.0, xs = 0.0;
    for (std::int64_t r = 0; r < rows; ++r) {
        const double c = std::cos(rate * static_cast<double>(r)), s = std::sin(rate * static_cast<double>(r));
        const double x = sides.first(r, i);
        cc += c * c, cs += c * s, ss += s * s, xc += x * c, xs += x * s;
    }
    const double area = cc * ss - cs * cs;
    const double a = (xc * ss - xs * cs) / area, b = (xs * cc - xc * cs) / area;
    double off = 0.0;
    for (std::int64_t r = 0; r < rows; ++r) {
        const double angle = rate * static_cast<double>(r);
        off = std::max(off, std::abs(sides.first(r, i) - a * std::cos(angle) - b * std::sin(angle)));
    }
    return off <= kOff * amplitude;
}

bool turns_so(const Sides& sides, std::int64_t i, const Waves& waves, std::int64_t rows) {
    const double rate = waves.rate[static_cast<std::size_t>(i)];
    if (!sides.both) return waves_so(sides, i, rate, waves.amplitude, rows);
    std::complex<double> sum;
    for (std::int64_t r = 0; r < rows; ++r) {
        const std::complex<double> z = sides.turning(r, i);
        if (std::abs(std::abs(z) - waves.amplitude) > kOff * waves.amplitude) return false;
        sum += z * std::polar(1.0, -waves.sine_sign * rate * static_cast<double>(r));
    }
    return std::abs(sum) >= 0.99 * waves.amplitude * static_cast<double>(rows);
}

}  // namespace

bool turns_so(const Matrix& m, const Arrangement& a, Order order, const Waves& waves, double part) {
    const Sides sides(m, a, order);
    const std::int64_t rows = std::min(m.rows, kLookedAt);
    auto spared = static_cast<std::int64_t>((1.0 - part) * static_cast<double>(a.pairs));
    for (std::int64_t i = 0; i < a.pairs; ++i)
        if (!turns_so(sides, i, waves, rows) && spared-- <= 0) return false;
    return true;
}

std::vector<std::int64_t> starts_of(const Matrix& m, const Arrangement& a, Order order, const Waves& waves,
                                    Spread spread, std::int64_t from, std::int64_t to,
                                    std::int64_t& allowance) {
    const Sides sides(m, a, order);
    const std::int64_t rows[] = {0, (m.rows - 1) / 2, m.rows - 1};
    const auto h = static_cast<double>(a.pairs);
    // The mean square of one pair's differences at a start, or nothing where one is too large.
    const auto difference = [&](std::int64_t start, std::int64_t i, double allowed) -> std::optional<double> {
        double square = 0.0;
        for (const std::int64_t row : rows) {
            const double angle = waves.rate[static_cast<std::size_t>(i)] * static_cast<double>(start + row);
            const double c = waves.amplitude * std::cos(angle),
                         s = waves.amplitude * waves.sine_sign * std::sin(angle);
            const double off = sides.both           ? std::abs(sides.turning(row, i) - std::complex(c, s))
                               : sides.cosine_first ? std::abs(sides.first(row, i) - c)
                                                    : std::abs(sides.first(row, i) - s);
            if (off > allowed) return std::nullopt;
            square += off * off;
        }
        return square;
    };
    const bool exact = spread.base == 0.0 && spread.divisor == 0.0;
    std::vector<std::pair<double, std::int64_t>> found;
    constexpr std::int64_t kRenewed = 256;
    const std::complex<double> step = std::polar(1.0, waves.rate[0]);
    std::complex<double> first;  // e^{iω_0 start}
    for (std::int64_t start = from; start <= to; ++start) {
        first = (start - from) % kRenewed == 0 ? std::polar(1.0, waves.rate[0] * static_cast<double>(start))
                                               : first * step;
        const double wanted =
            waves.amplitude * (sides.cosine_first ? first.real() : waves.sine_sign * first.imag());
        if (exact && std::abs(sides.first(0, 0) - wanted) > kOff * waves.amplitude) continue;
        if (--allowance < 0 || found.size() > kMostAlike) return {};
        double square = 0.0;
        std::int64_t agreed = 0;
        bool fits = true;
        for (std::int64_t n = 0; n < a.pairs && fits; ++n) {
            // An exact spectrum is told best by its fast pairs, an estimated one by its slow ones.
            const std::int64_t i = exact ? n : a.pairs - 1 - n;
            const double uncertain = waves.rate[static_cast<std::size_t>(i)] *
                                     static_cast<double>(start + m.rows) *
                                     (static_cast<double>(i) / h * spread.base + spread.divisor);
            if (uncertain > kReach) break;
            const auto one = difference(start, i, (kOff + uncertain) * waves.amplitude);
            fits = one.has_value();
            square += one.value_or(0.0);
            ++agreed;
        }
        if (fits && agreed >= std::min<std::int64_t>(a.pairs, 3))
            found.emplace_back(square / static_cast<double>(agreed), start);
    }
    std::sort(found.begin(), found.end());
    std::vector<std::int64_t> starts;
    for (std::size_t n = 0; n < std::min(found.size(), kMostStarts); ++n) starts.push_back(found[n].second);
    return starts;
}

std::optional<Geometric> sharpened(const Matrix& m, const Arrangement& a, Order order, Geometric estimate,
                                   std::int64_t start, bool free) {
    const Sides sides(m, a, order);
    const auto h = static_cast<double>(a.pairs);
    const std::int64_t count = compared_rows(m);
    const double last = static_cast<double>(start + m.rows - 1) / estimate.divisor;
    if (!(last < 0x1p40)) return std::nullopt;
    int more = 3;
    for (double reach = 2.0; more > 0; reach *= 2.0) {
        if (reach >= last) --more;
        // Normal equations of the changes of ln b and ln s.
        double bb = 0.0, bs = 0.0, ss = 0.0, be = 0.0, se = 0.0;
        for (std::int64_t i = 0; i < a.pairs; i += std::max<std::int64_t>(1, a.pairs / 64)) {
            const double part = static_cast<double>(i) / h;
            const double rate = std::pow(estimate.base, -part) / estimate.divisor;
            for (std::int64_t n = 0; n < count; n += std::max<std::int64_t>(1, count / 128)) {
                const std::int64_t row = compared_row(n, m);
                const double angle = rate * static_cast<double>(start + row);
                if (angle > reach) break;
                const double c = std::cos(angle), s = std::sin(angle);
                double slope = 1.0, off = 0.0;  // of what is compared by the angle
                if (sides.both) {
                    off = std::arg(sides.turning(row, i) * std::complex(c, -s));
                } else {
                    off = sides.first(row, i) - (sides.cosine_first ? c : s);
                    slope = sides.cosine_first ? -s : c;
                }
                const double by_base = -slope * part * angle, by_divisor = -slope * angle;
                bb += by_base * by_base, bs += by_base * by_divisor, ss += by_divisor * by_divisor;
                be += by_base * off, se += by_divisor * off;
            }
        }
        if (!(bb > 0.0)) continue;
        double change = be / bb, scale = 0.0;
        if (const double area = bb * ss - bs * bs; free && area > 1e-12 * bb * ss) {
            change = (be * ss - se * bs) / area;
            scale = (se * bb - be * bs) / area;
        }
        if (!std::isfinite(change) || std::abs(change) + std::abs(scale) > 1.0) return std::nullopt;
        estimate.base *= std::exp(change);
        estimate.divisor *= std::exp(scale);
        if (!(estimate.base > 1.5 && estimate.base < 1e16 && estimate.divisor > 0.0)) return std::nullopt;
    }
    return estimate;
}

}  // namespace posiscope::recognition
