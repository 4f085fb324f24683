#include "core/recognise/rates.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posiscope::recognition {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
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

constexpr double kOnLine = 0.02;
constexpr std::size_t kMostPoints = 1024;  // their cube is the work of looking for a line

struct Line {
    double slope, at_zero, off;
};

// By least squares; nothing where it does not fall.
std::optional<Line> line_through(std::span<const std::pair<double, double>> points) {
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (const auto& [x, y] : points) sx += x, sy += y, sxx += x * x, sxy += x * y;
    const auto n = static_cast<double>(points.size());
    const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx), at_zero = (sy - slope * sx) / n;
    if (!(slope < 0.0)) return std::nullopt;
    double off = 0.0;
    for (const auto& [x, y] : points) off = std::max(off, std::abs(y - at_zero - slope * x));
    return Line{slope, at_zero, off};
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
    // ln ω_i = −ln s − (i/h) ln b. Pairs of more than half a turn a position look slower than they are, and slow ones
    // are measured badly: the longest run of pairs on one line counts.
    std::vector<std::pair<double, double>> points;
    const auto h = static_cast<double>(rates.size());
    const std::size_t step = rates.size() / kMostPoints + 1;
    for (std::size_t i = 0; i < rates.size(); i += step) {
        if (!(rates[i] > 1e-6) || rates[i] > 3.0) continue;
        points.push_back({static_cast<double>(i) / h, std::log(rates[i])});
    }
    std::optional<Geometric> best;
    std::size_t longest = 0;
    const std::span<const std::pair<double, double>> all(points);
    for (std::size_t first = 0; first + std::max<std::size_t>(3, longest + 1) <= all.size(); ++first) {
        // The line through the first pairs of the run, then through as many as stay on it.
        const std::size_t least = std::min<std::size_t>(all.size() - first, 4);
        for (std::size_t count = least; first + count <= all.size(); ++count) {
            const auto line = line_through(all.subspan(first, count));
            if (!line || (line->off > kOnLine && (count > least || first > 0))) break;
            if (count <= longest) continue;
            longest = count;
            best = Geometric{std::exp(-line->slope), std::exp(-line->at_zero)};
        }
    }
    return best;
}

}  // namespace posiscope::recognition
