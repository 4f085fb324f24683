#include "core/numeric/svd.hpp"

#include "core/cost.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

namespace posiscope {
namespace {

constexpr double kRounding = 0x1p-53;
// A table of one large number leaves in each column a rounding of the one before, until products underflow.
constexpr double kNothing = 1e-145;

// Units of one number in a reflection, and of one step of a sweep.
constexpr double kReflected = 0.6, kSwept = 60.0;

// Four sums side by side, in a fixed order: a single one would wait for every addition.
double dot(std::span<const double> x, std::span<const double> y) {
    std::array<double, 4> sums{};
    std::size_t i = 0;
    for (; i + 4 <= x.size(); i += 4)
        for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += x[i + lane] * y[i + lane];
    for (; i < x.size(); ++i) sums[0] += x[i] * y[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void add(std::span<double> to, double factor, std::span<const double> x) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * x[i];
}

// (c s; −s c) turns (x, y) into (length, 0).
struct Rotation {
    double c = 1.0, s = 0.0, length = 0.0;
};
Rotation rotation(double x, double y) {
    const double length = std::hypot(x, y);
    return length > 0.0 ? Rotation{x / length, y / length, length} : Rotation{};
}

// The reflection I − factor v vᵀ that turns x into (first, 0, …, 0); v takes the place of x.
struct Reflection {
    double factor = 0.0, first = 0.0;
};
Reflection reflect(std::span<double> x) {
    const double length = std::sqrt(dot(x, x));
    if (length < kNothing) return {};
    const double first = x[0] > 0.0 ? -length : length;  // away from x[0]: nothing cancels
    x[0] -= first;
    return {-1.0 / (first * x[0]), first};
}
void apply(const Reflection& reflection, std::span<const double> v, std::span<double> to) {
    add(to, -reflection.factor * dot(v, to), v);
}

struct Bidiagonal {
    std::vector<double> diagonal, above;
};

// Updated with the decomposition where a solution is wanted: Uᵀ target, and V column after column.
struct Companions {
    std::vector<double> target;
    Table2d v;
};

Bidiagonal bidiagonal(Table2d& a, Companions* with) {
    Bidiagonal made{std::vector<double>(a.columns), std::vector<double>(a.columns - 1)};
    std::vector<double> row(a.columns), products(a.rows);
    // The right reflections, each below the one before, are what V is made of when all are known.
    std::vector<std::pair<std::vector<double>, double>> right;
    for (std::size_t k = 0; k < a.columns; ++k) {
        spend(4.0 * kReflected * static_cast<double>((a.rows - k) * (a.columns - k)));
        const auto below = [&](std::size_t column) { return a.column(column).subspan(k); };
        const Reflection left = reflect(below(k));
        made.diagonal[k] = left.first;
        for (std::size_t j = k + 1; j < a.columns; ++j) apply(left, below(k), below(j));
        if (with) apply(left, below(k), std::span(with->target).subspan(k));
        if (k + 1 == a.columns) break;

        const std::span<double> v = std::span(row).first(a.columns - k - 1);
        for (std::size_t j = 0; j < v.size(); ++j) v[j] = a(k, k + 1 + j);
        const Reflection reflection = reflect(v);
        made.above[k] = reflection.first;
        const std::span<double> sums = std::span(products).first(a.rows - k - 1);
        std::ranges::fill(sums, 0.0);
        for (std::size_t j = 0; j < v.size(); ++j) add(sums, v[j], below(k + 1 + j).subspan(1));
        for (std::size_t j = 0; j < v.size(); ++j)
            add(below(k + 1 + j).subspan(1), -reflection.factor * v[j], sums);
        if (with) right.emplace_back(std::vector(v.begin(), v.end()), reflection.factor);
    }
    for (std::size_t k = right.size(); k-- > 0;) {
        spend(2.0 * kReflected * static_cast<double>((a.columns - k) * (a.columns - k)));
        for (std::size_t j = k + 1; j < a.columns; ++j)
            apply({right[k].second, 0.0}, right[k].first, with->v.column(j).subspan(k + 1));
    }
    return made;
}

// One sweep of implicit QR over the entries first … last: with what the shift is, entries above the diagonal shrink,
// the last one fastest.
class Sweep {
public:
    Sweep(Bidiagonal& of, Companions* with) : d_(of.diagonal), e_(of.above), with_(with) {}

    void run(std::size_t first, std::size_t last) {
        const double of_step = kSwept + (with_ ? kReflected * 2.0 * static_cast<double>(with_->v.rows) : 0.0);
        spend(of_step * static_cast<double>(last - first));
        const double shift = shift_of(first, last);
        if (shift * shift <= kRounding * d_[first] * d_[first]) plain(first, last);
        else shifted(first, last, shift);
    }

private:
    // The smaller singular value of the last 2 × 2 block; 0 where a diagonal entry is 0, which the plain step splits off.
    double shift_of(std::size_t first, std::size_t last) const {
        for (std::size_t i = first; i <= last; ++i)
            if (d_[i] == 0.0) return 0.0;
        const double f = std::abs(d_[last - 1]), g = std::abs(e_[last - 1]), h = std::abs(d_[last]);
        return f * (h / (0.5 * (std::hypot(f + h, g) + std::hypot(f - h, g))));
    }

    void shifted(std::size_t first, std::size_t last, double shift) {
        double x = (std::abs(d_[first]) - shift) * (std::copysign(1.0, d_[first]) + shift / d_[first]);
        double y = e_[first];
        for (std::size_t i = first; i < last; ++i) {
            const Rotation right = rotation(x, y);
            if (i > first) e_[i - 1] = right.length;
            x = right.c * d_[i] + right.s * e_[i];
            e_[i] = right.c * e_[i] - right.s * d_[i];
            y = right.s * d_[i + 1];
            d_[i + 1] *= right.c;
            const Rotation left = rotation(x, y);
            d_[i] = left.length;
            x = left.c * e_[i] + left.s * d_[i + 1];
            d_[i + 1] = left.c * d_[i + 1] - left.s * e_[i];
            if (i + 1 < last) {
                y = left.s * e_[i + 1];
                e_[i + 1] *= left.c;
            }
            take_along(i, right, left);
        }
        e_[last - 1] = x;
    }

    void plain(std::size_t first, std::size_t last) {
        Rotation left;
        double carried = d_[first];
        for (std::size_t i = first; i < last; ++i) {
            const Rotation right = rotation(carried, e_[i]);
            if (i > first) e_[i - 1] = left.s * right.length;
            left = rotation(left.c * right.length, d_[i + 1] * right.s);
            d_[i] = left.length;
            carried = d_[i + 1] * right.c;
            take_along(i, right, left);
        }
        d_[last] = carried * left.c;
        e_[last - 1] = carried * left.s;
    }

    void take_along(std::size_t i, const Rotation& right, const Rotation& left) {
        if (!with_) return;
        const auto turn = [](const Rotation& by, double& x, double& y) {
            const double turned = by.c * x + by.s * y;
            y = by.c * y - by.s * x;
            x = turned;
        };
        const std::span<double> x = with_->v.column(i), y = with_->v.column(i + 1);
        for (std::size_t row = 0; row < x.size(); ++row) turn(right, x[row], y[row]);
        turn(left, with_->target[i], with_->target[i + 1]);
    }

    std::vector<double>&d_, &e_;
    Companions* with_;
};

// Singular values with their signs, in no order.
std::vector<double> diagonalise(Table2d& table, Companions* with) {
    Bidiagonal made = bidiagonal(table, with);
    std::vector<double>&d = made.diagonal, &e = made.above;
    double largest = 0.0;
    for (const double value : d) largest = std::max(largest, std::abs(value));
    for (const double value : e) largest = std::max(largest, std::abs(value));
    const auto settled = [&](std::size_t i) {
        return std::abs(e[i]) <= kRounding * std::max(std::abs(d[i]) + std::abs(d[i + 1]), 0x1p-8 * largest);
    };
    std::size_t left = 100 * d.size();  // two or three sweeps a value are what it takes
    for (std::size_t last = d.size() - 1; last > 0;) {
        if (settled(last - 1)) {
            e[--last] = 0.0;
            continue;
        }
        std::size_t first = last - 1;
        while (first > 0 && !settled(first - 1)) --first;
        if (first > 0) e[first - 1] = 0.0;
        if (left-- == 0) throw std::logic_error("a singular value decomposition does not settle");
        Sweep(made, with).run(first, last);
    }
    return d;
}

// Brings a table to where products neither overflow nor vanish: the power of two that it was divided by. None where a value is
// not finite.
std::optional<int> bring_near_one(Table2d& table) {
    constexpr double kFar = 0x1p400;
    double largest = 0.0;
    for (const double value : table.values) {
        if (!std::isfinite(value)) return std::nullopt;
        largest = std::max(largest, std::abs(value));
    }
    if (largest == 0.0 || (largest < kFar && largest > 1.0 / kFar)) return 0;
    const int power = std::ilogb(largest);
    for (double& value : table.values) value = std::ldexp(value, -power);
    return power;
}

}  // namespace

std::vector<double> singular_values(Table2d table) {
    const auto power = bring_near_one(table);
    if (!power)
        return std::vector<double>(std::min(table.rows, table.columns),
                                   std::numeric_limits<double>::quiet_NaN());
    if (table.rows < table.columns) {
        Table2d turned(table.columns, table.rows);
        for (std::size_t j = 0; j < table.columns; ++j)
            for (std::size_t i = 0; i < table.rows; ++i) turned(j, i) = table(i, j);
        table = std::move(turned);
    }
    std::vector<double> values = diagonalise(table, nullptr);
    for (double& value : values) value = std::ldexp(std::abs(value), *power);
    std::ranges::sort(values, std::greater());
    return values;
}

std::vector<double> least_squares(Table2d table, std::vector<double> target, double threshold) {
    if (target.size() != table.rows) throw std::logic_error("least squares: a number for every row");
    if (table.rows < table.columns) {  // rows of zeros change no solution
        Table2d taller(table.columns, table.columns);
        for (std::size_t j = 0; j < table.columns; ++j)
            std::ranges::copy(table.column(j), taller.column(j).begin());
        table = std::move(taller);
        target.resize(table.rows, 0.0);
    }
    const auto power = bring_near_one(table);
    if (!power) return std::vector<double>(table.columns, std::numeric_limits<double>::quiet_NaN());
    Companions with{std::move(target), Table2d(table.columns, table.columns)};
    for (std::size_t i = 0; i < table.columns; ++i) with.v(i, i) = 1.0;
    const std::vector<double> values = diagonalise(table, &with);
    double largest = 0.0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    std::vector<double> solution(table.columns, 0.0);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::abs(values[i]) > threshold * largest)
            add(solution, with.target[i] / values[i], with.v.column(i));
    for (double& value : solution) value = std::ldexp(value, -*power);
    return solution;
}

}  // namespace posiscope
