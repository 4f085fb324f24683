#include "core/measure/dumps.hpp"

#include "core/cost.hpp"
#include "core/measure/table.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <numeric>

namespace posiscope::measuring {
namespace {

using Order = std::vector<std::int64_t>;
constexpr std::size_t kMostOrdered = 8;  // of an order that is shown

// A dump as `count` vectors of `length` numbers: its columns, its rows or its slices.
struct Vectors {
    std::int64_t count = 0, length = 0;
    std::vector<double> values;
    std::span<const double> at(std::int64_t i) const {
        return std::span(values).subspan(static_cast<std::size_t>(i * length),
                                         static_cast<std::size_t>(length));
    }
};

// The index of the first dump's vector that each of the second is; empty where one is none.
Order order_of(const Vectors& a, const Vectors& b, double allowed) {
    // By sums, which neighbours in rounding share nearly: candidates first, then every number.
    std::multimap<double, std::int64_t> sums;
    const auto sum = [](std::span<const double> v) {
        double made = 0.0, weight = 1.0;
        for (const double x : v) made += weight * x, weight = weight < 1.5 ? weight + 0.01 : 1.0;
        return made;
    };
    for (std::int64_t i = 0; i < a.count; ++i) sums.emplace(sum(a.at(i)), i);
    const double near = allowed * static_cast<double>(a.length) * 1.5 + 1e-12;
    Order made;
    for (std::int64_t j = 0; j < b.count; ++j) {
        spend(static_cast<double>(b.length));
        const auto v = b.at(j);
        const double own = sum(v);
        std::int64_t found = -1;
        // Among equal ones the one at the same place, else the first.
        for (auto at = sums.lower_bound(own - near); at != sums.end() && at->first <= own + near; ++at) {
            const auto u = a.at(at->second);
            const bool same = std::equal(u.begin(), u.end(), v.begin(), [&](double x, double y) {
                return std::abs(x - y) <= allowed || x == y || (std::isnan(x) && std::isnan(y));
            });
            if (same && (found < 0 || at->second == j || (found != j && at->second < found)))
                found = at->second;
        }
        if (found < 0) return {};
        made.push_back(found);
    }
    return made;
}

// Vectors in another order hold the same numbers: their sum, and the sum of their squares.
bool same_numbers(const StoredTensor& first, const StoredTensor& second, double allowed) {
    double a = 0.0, b = 0.0, aa = 0.0, bb = 0.0, largest = 0.0;
    for (const double x : first.values) a += x, aa += x * x, largest = std::max(largest, std::abs(x));
    for (const double x : second.values) b += x, bb += x * x;
    const double room = 2.0 * allowed * static_cast<double>(first.values.size());
    return !(std::abs(a - b) > room) && !(std::abs(aa - bb) > 2.0 * room * std::max(largest, 1.0));
}

bool is_identity(const Order& order) {
    for (std::size_t i = 0; i < order.size(); ++i)
        if (order[i] != static_cast<std::int64_t>(i)) return false;
    return true;
}

std::string shown_order(const Order& order) {
    const Order first(order.begin(),
                      order.begin() + static_cast<std::ptrdiff_t>(std::min(order.size(), 2 * kMostOrdered)));
    return fmt::format("{}{}", fmt::join(first, " "), order.size() > first.size() ? " …" : "");
}

// The width of blocks within which an order takes halves to neighbours, or the other way round; 0: none.
struct Halved {
    std::int64_t width = 0;
    bool to_halves = false;
};
Halved halved(const Order& order) {
    const auto n = static_cast<std::int64_t>(order.size());
    for (std::int64_t width = 4; width <= n; width += 2) {
        if (n % width != 0) continue;
        const std::int64_t h = width / 2;
        for (const bool to_halves : {true, false}) {
            bool all = true;
            for (std::int64_t i = 0; i < n && all; ++i) {
                const std::int64_t block = i / width * width, k = i % width;
                const std::int64_t from =
                    to_halves ? (k < h ? 2 * k : 2 * (k - h) + 1) : (k % 2 == 0 ? k / 2 : h + k / 2);
                all = order[static_cast<std::size_t>(i)] == block + from;
            }
            if (all) return {width, to_halves};
        }
    }
    return {};
}

Problem ordered(const char* what, const Order& order) {
    const auto n = static_cast<std::int64_t>(order.size());
    if (const Halved found = halved(order); found.width > 0)
        return {fmt::format("dumps.{}_{}", what, found.to_halves ? "to_halves" : "to_pairs"),
                {{"width", std::to_string(found.width)}, {"heads", std::to_string(n / found.width)}}};
    // Blocks that changed places.
    for (std::int64_t parts = 2; parts <= 4; ++parts) {
        if (n % parts != 0) continue;
        const std::int64_t size = n / parts;
        Order blocks;
        bool all = true;
        for (std::int64_t i = 0; i < n && all; ++i) {
            const std::int64_t block = order[static_cast<std::size_t>(i)] / size;
            if (i % size == 0) blocks.push_back(block);
            all = order[static_cast<std::size_t>(i)] == blocks.back() * size + i % size;
        }
        if (all)
            return {fmt::format("dumps.{}_blocks", what),
                    {{"parts", std::to_string(parts)},
                     {"size", std::to_string(size)},
                     {"order", shown_order(blocks)}}};
    }
    return {fmt::format("dumps.{}_order", what), {{"order", shown_order(order)}}};
}

}  // namespace

std::optional<Problem> change_of(const StoredTensor& first, const StoredTensor& second) {
    const Order shape = squeezed(first);
    if (shape != squeezed(second) || shape.size() < 2 || first.values.size() != second.values.size())
        return std::nullopt;
    const Precision a = precision_of(first), b = precision_of(second);
    double scale = 0.0;
    for (const double x : first.values)
        if (std::isfinite(x)) scale = std::max(scale, std::abs(x));
    const double allowed = 2.0 * std::max(a.relative, b.relative) * scale + 1e-12;
    const auto all = static_cast<std::int64_t>(first.values.size());
    const bool same = same_numbers(first, second, allowed);
    // Heads, or entries of a batch.
    if (same && shape.size() >= 3)
        for (const std::size_t axis : {std::size_t{0}, shape.size() - 2, std::size_t{1}}) {
            if (axis >= shape.size() - 1) continue;
            const std::int64_t count = shape[axis];
            const std::int64_t inner = std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1,
                                                       shape.end(), std::int64_t{1}, std::multiplies<>());
            const std::int64_t outer = all / (count * inner);
            const auto vectors = [&](const StoredTensor& of) {
                Vectors made{count, outer * inner, {}};
                for (std::int64_t i = 0; i < count; ++i)
                    for (std::int64_t o = 0; o < outer; ++o)
                        for (std::int64_t k = 0; k < inner; ++k)
                            made.values.push_back(
                                of.values[static_cast<std::size_t>((o * count + i) * inner + k)]);
                return made;
            };
            if (const Order order = order_of(vectors(first), vectors(second), allowed);
                !order.empty() && !is_identity(order))
                return ordered("heads", order);
        }
    const std::int64_t columns = shape.back(), rows = all / columns;
    const auto by_column = [&](const StoredTensor& of) {
        Vectors made{columns, rows, {}};
        for (std::int64_t c = 0; c < columns; ++c)
            for (std::int64_t r = 0; r < rows; ++r)
                made.values.push_back(of.values[static_cast<std::size_t>(r * columns + c)]);
        return made;
    };
    if (same && columns > 2)
        if (const Order order = order_of(by_column(first), by_column(second), allowed);
            !order.empty() && !is_identity(order))
            return ordered("columns", order);
    if (same && shape.size() == 2)
        if (const Order order =
                order_of({rows, columns, first.values}, {rows, columns, second.values}, allowed);
            !order.empty() && !is_identity(order))
            return ordered("rows", order);
    // Points of the unit circle whose angles are a multiple.
    if (columns != 2 && columns % 2 != 0) return std::nullopt;
    const std::int64_t half = columns == 2 ? 1 : columns / 2, step = columns == 2 ? 1 : half;
    const auto point = [&](const StoredTensor& of, std::int64_t r, std::int64_t i) {
        return std::complex(of.values[static_cast<std::size_t>(r * columns + i)],
                            of.values[static_cast<std::size_t>(r * columns + i + step)]);
    };
    for (const int factor : {2, 3, 4, 5, 8, 10, 16, -1})
        for (const bool inverse : {false, true}) {
            bool fits = true;
            double moved = 0.0;
            for (std::int64_t r = 0; r < rows && fits; ++r)
                for (std::int64_t i = 0; i < half && fits; ++i) {
                    const auto x = point(inverse ? second : first, r, i),
                               y = point(inverse ? first : second, r, i);
                    const auto power = factor < 0 ? std::conj(x) : std::pow(x, factor);
                    fits = std::abs(std::abs(x) - 1.0) <= 1e-3 + allowed &&
                           std::abs(power - y) <= 4.0 * std::abs(factor) * allowed + 4e-6;
                    moved = std::max(moved, std::abs(x - y));
                }
            if (!fits || moved < 1e-3 || (factor < 0 && inverse)) continue;
            if (factor < 0) return Problem{"dumps.backwards", {}};
            return Problem{inverse ? "dumps.angles_divided" : "dumps.angles_times",
                           {{"factor", std::to_string(factor)}}};
        }
    return std::nullopt;
}

}  // namespace posiscope::measuring
