#include "core/measure/columns.hpp"

#include "core/cost.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace posiscope::measuring {
namespace {

constexpr double kWholeTurn = 2.0 * std::numbers::pi;
using Complex = std::complex<double>;

// The columns of each pair.
struct PairColumns {
    std::int64_t cosine = -1, sine = -1;
    double cosine_sign = 1.0, sine_sign = 1.0;
};
std::vector<PairColumns> columns_of(const Form& form) {
    std::vector<PairColumns> made(static_cast<std::size_t>(form.pairs));
    for (std::size_t c = 0; c < form.cells.size(); ++c) {
        const Cell& cell = form.cells[c];
        if (cell.pair < 0) continue;
        PairColumns& one = made[static_cast<std::size_t>(cell.pair)];
        auto& place = cell.sine ? one.sine : one.cosine;
        if (place < 0)
            place = static_cast<std::int64_t>(c), (cell.sine ? one.sine_sign : one.cosine_sign) = cell.sign;
    }
    return made;
}

// cos(sω) by least squares.
double cosine_of(std::span<const double> x, std::size_t s) {
    double products = 0.0, squares = 0.0;
    for (std::size_t r = s; r + s < x.size(); ++r) {
        products += x[r] * (x[r + s] + x[r - s]);
        squares += 2.0 * x[r] * x[r];
    }
    return squares > 0.0 ? std::clamp(products / squares, -1.0, 1.0) : 1.0;
}

// The rate nearest to `rate` whose s-fold is ±angle but for whole turns.
double unfolded(double rate, double angle, double s) {
    double best = rate, least = HUGE_VAL;
    for (const double sign : {1.0, -1.0}) {
        const double turn = std::round((s * rate - sign * angle) / kWholeTurn);
        const double one = (sign * angle + kWholeTurn * turn) / s;
        if (std::abs(one - rate) < least) least = std::abs(one - rate), best = one;
    }
    return best;
}

// a cos(ωt) + b sin(ωt), t counted from the middle, by Gauss and Newton.
Wave sharpened(std::span<const double> x, double rate) {
    const double middle = 0.5 * static_cast<double>(x.size() - 1);
    double a = 0.0, b = 0.0, last_change = HUGE_VAL, variance = 0.0, square = 0.0;
    for (int step = 0; step < 30; ++step) {
        // Normal equations of (a, b), then of (a, b, ω).
        double cc = 0, cs = 0, ss = 0, xc = 0, xs = 0;
        for (std::size_t r = 0; r < x.size(); ++r) {
            const double t = static_cast<double>(r) - middle, c = std::cos(rate * t), s = std::sin(rate * t);
            cc += c * c, cs += c * s, ss += s * s, xc += x[r] * c, xs += x[r] * s;
        }
        const double det = cc * ss - cs * cs;
        if (!(det > 1e-12 * cc * cc)) a = xc / cc, b = 0.0;
        else a = (xc * ss - xs * cs) / det, b = (xs * cc - xc * cs) / det;
        double g = 0, gc = 0, gs = 0, eg = 0, ec = 0, es = 0;
        square = 0.0;
        for (std::size_t r = 0; r < x.size(); ++r) {
            const double t = static_cast<double>(r) - middle, c = std::cos(rate * t), s = std::sin(rate * t);
            const double d = t * (b * c - a * s), e = x[r] - a * c - b * s;
            g += d * d, gc += d * c, gs += d * s, eg += e * d, ec += e * c, es += e * s;
            square += e * e;
        }
        // The rest of d after its projection on c and s.
        double left = g, right = eg;
        if (det > 1e-12 * cc * cc) {
            const double u = (gc * ss - gs * cs) / det, v = (gs * cc - gc * cs) / det;
            left = g - u * gc - v * gs;
            right = eg - u * ec - v * es;
        } else {
            left = g - gc * gc / cc;
            right = eg - gc * ec / cc;
        }
        variance = left > 1e-300 ? 1.0 / left : HUGE_VAL;
        if (!(left > 1e-14 * g)) {
            variance = HUGE_VAL;
            break;
        }
        const double change = right / left;
        if (!std::isfinite(change) || std::abs(change) > 2.0 / middle) break;
        rate += change;
        if (std::abs(change) < 1e-15 * std::max(rate, 1e-12) || std::abs(change) >= last_change) break;
        last_change = std::abs(change) < 1e-13 ? std::abs(change) : last_change;
    }
    const double residual = std::sqrt(square / static_cast<double>(x.size()));
    const double phase = std::atan2(-b, a) - rate * middle;  // A cos(ω r + phase)
    return {rate, residual * std::sqrt(variance), std::hypot(a, b), phase, residual};
}

Wave real_wave(std::span<const double> x) {
    double rate = std::acos(cosine_of(x, 1));
    for (std::size_t s = 2; 4 * s <= x.size(); s *= 2) {
        const double finer = unfolded(rate, std::acos(cosine_of(x, s)), static_cast<double>(s));
        if (std::abs(finer - rate) * static_cast<double>(s) > 1.2) break;
        rate = finer;
    }
    Wave wave = sharpened(x, std::abs(rate));
    if (!(wave.rate >= 0.0)) wave.rate = std::abs(wave.rate);
    return wave;
}

Wave complex_wave(std::span<const Complex> z) {
    double rate = 0.0;
    for (std::size_t s = 1; 2 * s <= z.size() || s == 1; s *= 2) {
        Complex sum;
        for (std::size_t r = 0; r + s < z.size(); ++r) sum += z[r + s] * std::conj(z[r]);
        const double angle = std::arg(sum), at = static_cast<double>(s);
        rate = s == 1 ? angle : (angle + kWholeTurn * std::round((at * rate - angle) / kWholeTurn)) / at;
    }
    // A straight line through the angles that are left.
    const double middle = 0.5 * static_cast<double>(z.size() - 1);
    double phase = 0.0, size = 0.0, residual = 0.0, spread = 0.0;
    for (int step = 0; step < 2; ++step) {
        Complex sum;
        for (std::size_t r = 0; r < z.size(); ++r)
            sum += z[r] * std::polar(1.0, -rate * (static_cast<double>(r) - middle));
        phase = std::arg(sum);
        size = std::abs(sum) / static_cast<double>(z.size());
        double slope = 0.0;
        spread = residual = 0.0;
        for (std::size_t r = 0; r < z.size(); ++r) {
            const double t = static_cast<double>(r) - middle;
            const Complex turned = z[r] * std::polar(1.0, -rate * t - phase);
            slope += t * turned.imag() / std::max(size, 1e-300);
            spread += t * t;
            residual += std::norm(turned - size);
        }
        rate += slope / std::max(spread, 1e-300);
    }
    residual = std::sqrt(residual / static_cast<double>(2 * z.size()));
    return {rate, residual / std::max(size, 1e-300) / std::sqrt(std::max(spread, 1e-300)), size,
            phase - rate * middle, residual};
}

}  // namespace

Block even_block(const Table& table, const Form& form) {
    constexpr std::int64_t kMostNumbers = 1 << 21, kLeastRows = 512;
    const std::vector<PairColumns> columns = columns_of(form);
    Block best{0, 0, std::min<std::int64_t>(table.rows, 1)};
    // A large table is looked at in some of its slices, and in their first rows.
    const std::int64_t rows = std::min(table.rows, std::max(kLeastRows, kMostNumbers / table.columns));
    const std::int64_t most = std::max<std::int64_t>(1, kMostNumbers / (rows * table.columns));
    const std::int64_t step = (table.slices + most - 1) / most;
    for (std::int64_t s = 0; s < table.slices; s += step) {
        spend(40.0 * static_cast<double>(rows * table.columns));
        // Positions break where x[r+1] + x[r−1] is not 2 cos ω x[r] in many columns.
        std::vector<int> broken(static_cast<std::size_t>(rows), 0);
        int used = 0;
        for (const PairColumns& one : columns) {
            const std::int64_t c = one.cosine >= 0 ? one.cosine : one.sine;
            if (c < 0) continue;
            double largest = 0.0;
            for (std::int64_t r = 0; r < rows; ++r) largest = std::max(largest, std::abs(table.at(s, r, c)));
            std::vector<double> ratio;
            const auto neighbours = [&](std::int64_t r) {
                return table.at(s, r + 1, c) + table.at(s, r - 1, c);
            };
            // Rows that stay tell nothing of a wave.
            const auto stays = [&](std::int64_t r) {
                return table.at(s, r, c) == table.at(s, r - 1, c) &&
                       table.at(s, r, c) == table.at(s, r + 1, c);
            };
            for (std::int64_t r = 1; r + 1 < rows; ++r)
                if (const double x = table.at(s, r, c); std::abs(x) > 0.5 * largest && !stays(r))
                    ratio.push_back(neighbours(r) / (2.0 * x));
            if (ratio.size() < 3) continue;
            std::nth_element(ratio.begin(), ratio.begin() + static_cast<std::ptrdiff_t>(ratio.size() / 2),
                             ratio.end());
            const double twice = 2.0 * ratio[ratio.size() / 2];
            if (twice > 2.0 - 1e-3) continue;  // too slow to show a break
            // Far more than most rows are off, which is rounding or noise.
            std::vector<double> off, sorted;
            for (std::int64_t r = 1; r + 1 < rows; ++r) {
                off.push_back(stays(r) ? HUGE_VAL : std::abs(neighbours(r) - twice * table.at(s, r, c)));
                if (off.back() < HUGE_VAL) sorted.push_back(off.back());
            }
            if (sorted.empty()) continue;
            ++used;
            std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                             sorted.end());
            const double usual = std::max(20.0 * sorted[sorted.size() / 2], 1e-4 * largest);
            for (std::size_t r = 0; r < off.size(); ++r)
                broken[r + 1] += off[r] > std::min(usual, 0.02 * largest);
        }
        std::int64_t from = 0;
        for (std::int64_t r = 0; r <= rows; ++r) {
            const bool breaks = r == rows || (used > 0 && 2 * broken[static_cast<std::size_t>(r)] > used);
            if (!breaks) continue;
            if (r - from > best.to - best.from) best = {s, from, r};
            from = r + 1;
        }
    }
    return best;
}

std::vector<Wave> measured(const Table& table, const Form& form, const Block& block) {
    std::vector<Wave> made;
    const auto n = static_cast<std::size_t>(block.to - block.from);
    for (const PairColumns& one : columns_of(form)) {
        spend(200.0 * static_cast<double>(n));
        std::vector<double> x;
        std::vector<Complex> z;
        for (std::int64_t r = block.from; r < block.to; ++r) {
            const double c = one.cosine >= 0 ? one.cosine_sign * table.at(block.slice, r, one.cosine) : 0.0;
            const double s = one.sine >= 0 ? one.sine_sign * table.at(block.slice, r, one.sine) : 0.0;
            if (one.cosine >= 0 && one.sine >= 0) z.emplace_back(c, s);
            else x.push_back(one.cosine >= 0 ? c : s);
        }
        Wave wave = n < 8 ? Wave{0.0, HUGE_VAL, 0.0, 0.0, 0.0} : z.empty() ? real_wave(x) : complex_wave(z);
        if (z.empty() && one.cosine < 0) wave.phase += std::numbers::pi / 2.0;  // of a sine
        wave.phase -= wave.rate * static_cast<double>(block.from);
        made.push_back(wave);
    }
    return made;
}

std::vector<Wave> measured_at(const Table& table, const Form& form, const Positions& positions,
                              double amplitude, std::span<const double> start, double rounding) {
    std::vector<Wave> made;
    const std::vector<PairColumns> columns = columns_of(form);
    struct Point {
        double p, c, s;
    };
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const PairColumns& one = columns[i];
        std::vector<Point> points;
        double most = 0.0;
        for (std::int64_t n = 0; n < table.slices * table.rows; ++n) {
            const double p = positions.at(static_cast<std::size_t>(n), 0);
            if (std::isnan(p)) continue;
            const std::int64_t s = n / table.rows, r = n % table.rows;
            points.push_back({p, one.cosine >= 0 ? one.cosine_sign * table.at(s, r, one.cosine) : 0.0,
                              one.sine >= 0 ? one.sine_sign * table.at(s, r, one.sine) : 0.0});
            most = std::max(most, std::abs(p));
        }
        spend(100.0 * static_cast<double>(points.size()));
        double rate = start[i];
        const auto far = std::ranges::max_element(points, {}, [](const Point& q) { return std::abs(q.p); });
        if (!std::isfinite(rate) && far != points.end() && far->p != 0.0) {
            const double c = std::clamp(far->c / amplitude, -1.0, 1.0),
                         s = std::clamp(far->s / amplitude, -1.0, 1.0);
            rate = (one.cosine < 0 ? std::asin(s) : one.sine < 0 ? std::acos(c) : std::atan2(s, c)) / far->p;
        }
        double square = 0.0, weight = 0.0, reach = 0.0;
        for (int step = 0; step < 20 && std::isfinite(rate); ++step) {
            double right = 0.0;
            square = weight = reach = 0.0;
            for (const Point& q : points) {
                const double angle = rate * q.p, c = std::cos(angle), s = std::sin(angle);
                const double dc = one.cosine >= 0 ? -amplitude * q.p * s : 0.0,
                             ds = one.sine >= 0 ? amplitude * q.p * c : 0.0;
                const double ec = one.cosine >= 0 ? q.c - amplitude * c : 0.0,
                             es = one.sine >= 0 ? q.s - amplitude * s : 0.0;
                right += dc * ec + ds * es;
                weight += dc * dc + ds * ds;
                reach += std::abs(dc) + std::abs(ds);
                square += ec * ec + es * es;
            }
            if (!(weight > 0.0)) break;
            const double change = right / weight;
            if (std::abs(change) * most > 1.0) break;
            rate += change;
            if (std::abs(change) <= 1e-15 * std::abs(rate)) break;
        }
        const double residual = points.empty() ? 0.0 : std::sqrt(square / static_cast<double>(points.size()));
        const double off = std::max({residual, 6e-8 * amplitude, 0.5 * rounding});
        double uncertainty = weight > 0.0 ? 2.0 * off / std::sqrt(weight) : HUGE_VAL;
        // Numbers that hardly change are all rounded the same way, and a flat cosine tells its frequency by the square.
        // These are bounds, and no deviations of chance: half of each is as sure.
        if (weight > 0.0 && rate * most < 1.0)
            uncertainty = std::max(uncertainty, 0.5 * off * reach / weight);
        if (one.sine < 0 && most > 0.0 && rate * most < 0.1) {
            const double square_off = 8.0 * off / amplitude,
                         turn = rate * most;  // the amplitude's rounding too
            uncertainty = 0.5 *
                          std::max(std::sqrt(turn * turn + square_off) - turn,
                                   turn - std::sqrt(std::max(turn * turn - square_off, 0.0))) /
                          most;
        }
        made.push_back({std::abs(rate), uncertainty, amplitude, 0.0, residual});
    }
    return made;
}

}  // namespace posiscope::measuring
