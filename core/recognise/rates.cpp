#include "core/recognise/rates.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posiscope::recognition {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kBases[] = {100.0,      1000.0,      10000.0,   20000.0,   25000.0,   50000.0,
                             100000.0,   130000.0,    150000.0,  160000.0,  250000.0,  500000.0,
                             1000000.0,  1500000.0,   2000000.0, 5000000.0, 8000000.0, 10000000.0,
                             50000000.0, 100000000.0, 1e9,       1e10,      1e11};

// The rate nearest to `guess` whose angle over `lag` positions is ±angle (mod
// one turn).
double refined(double guess, double angle, double lag) {
    double best = guess, least = HUGE_VAL;
    for (const double sign : {1.0, -1.0}) {
        const double turns = std::round((guess * lag - sign * angle) / kTurn);
        const double rate = (sign * angle + turns * kTurn) / lag;
        if (std::abs(rate - guess) < least) least = std::abs(rate - guess), best = rate;
    }
    return best;
}

// From pairs (x, y) that turn: the angle from row to row + lag.
double angle_between(const Matrix& m, const Arrangement& a, std::int64_t i, std::int64_t row,
                     std::int64_t lag) {
    const double x0 = m.at(row, a.first(i)), y0 = m.at(row, a.second(i));
    const double x1 = m.at(row + lag, a.first(i)), y1 = m.at(row + lag, a.second(i));
    return std::atan2(x0 * y1 - y0 * x1, x0 * x1 + y0 * y1);
}

double rate_of_pair(const Matrix& m, const Arrangement& a, std::int64_t i) {
    double rate = angle_between(m, a, i, 0, 1);
    for (std::int64_t lag = 2; lag < m.rows; lag *= 2) {
        const double angle = angle_between(m, a, i, 0, lag);
        const double turns = std::round((rate * static_cast<double>(lag) - angle) / kTurn);
        rate = (angle + turns * kTurn) / static_cast<double>(lag);
    }
    return std::abs(rate);
}

// From one wave: x[p + m] + x[p − m] = 2 cos(m ω) x[p], by least squares over
// the rows.
double cosine_of_lag(const Matrix& m, std::int64_t column, std::int64_t lag) {
    double product = 0.0, square = 0.0;
    const std::int64_t step = std::max<std::int64_t>(1, (m.rows - 2 * lag) / 512);
    for (std::int64_t p = lag; p + lag < m.rows; p += step) {
        const double x = m.at(p, column);
        product += (m.at(p - lag, column) + m.at(p + lag, column)) * x;
        square += 2.0 * x * x;
    }
    return square > 0.0 ? product / square : std::nan("");
}

double rate_of_wave(const Matrix& m, std::int64_t column) {
    double rate = std::acos(std::clamp(cosine_of_lag(m, column, 1), -1.0, 1.0));
    for (std::int64_t lag = 2; 2 * lag < m.rows; lag *= 2)
        rate = refined(rate, std::acos(std::clamp(cosine_of_lag(m, column, lag), -1.0, 1.0)),
                       static_cast<double>(lag));
    return std::abs(rate);
}

}  // namespace

std::vector<double> rates_of(const Matrix& m, const Arrangement& a) {
    std::vector<double> rates;
    for (std::int64_t i = 0; i < a.pairs; ++i)
        rates.push_back(m.rows < 3                 ? std::nan("")
                        : a.single || a.duplicated ? rate_of_wave(m, a.first(i))
                                                   : rate_of_pair(m, a, i));
    return rates;
}

std::optional<Geometric> fitted(std::span<const double> rates) {
    // ln ω_i = −ln s − (i/h) ln b. Fast pairs are measured best: slow ones are
    // left out once they stop falling.
    std::vector<std::pair<double, double>> points;
    const auto h = static_cast<double>(rates.size());
    for (std::size_t i = 0; i < rates.size(); ++i) {
        if (!(rates[i] > 1e-6) || rates[i] > 3.0) continue;
        points.push_back({static_cast<double>(i) / h, std::log(rates[i])});
    }
    std::optional<Geometric> best;
    // The line through the first pairs, then through as many as stay on it.
    for (std::size_t count = std::min<std::size_t>(points.size(), 4); count >= 3 && count <= points.size();
         ++count) {
        double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            const auto [x, y] = points[i];
            sx += x, sy += y, sxx += x * x, sxy += x * y;
        }
        const auto n = static_cast<double>(count);
        const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx), at_zero = (sy - slope * sx) / n;
        double worst = 0.0;
        for (std::size_t i = 0; i < count; ++i)
            worst = std::max(worst, std::abs(points[i].second - at_zero - slope * points[i].first));
        if (best && worst > 0.02) break;
        if (slope < 0.0)
            best = Geometric{std::exp(-slope), std::exp(-at_zero),
                             4.0 * worst / std::max(1e-9, points[count - 1].first)};
    }
    return best;
}

double usual_base(const Geometric& fit) {
    for (const double base : kBases)
        if (std::abs(std::log(fit.base / base)) <= std::max(fit.spread, 1e-6)) return base;
    return fit.base;
}

}  // namespace posiscope::recognition
