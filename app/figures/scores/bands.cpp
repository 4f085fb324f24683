// bands.cpp — many distances as few columns: each keeps the least and the largest value of all its distances.
#include "app/figures/scores/making.hpp"

#include "core/cost.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::figures::scores {
namespace {

constexpr std::int64_t kBlock = std::int64_t{1} << 18;  // distances computed at once

void take(Curve& curve, std::size_t column, double value) {
    double& least = curve.band[2 * column];
    double& most = curve.band[2 * column + 1];
    if (!std::isfinite(value)) return;
    if (!(least <= value)) least = value;
    if (!(most >= value)) most = value;
}

}  // namespace

Samples samples(double from, double to, std::int64_t most) {
    const auto first = static_cast<std::int64_t>(std::ceil(from)),
               last = static_cast<std::int64_t>(std::floor(to));
    Samples s;
    s.stride = std::max<std::int64_t>(1, (last - first + most) / most);
    s.first = first >= 0 ? (first + s.stride - 1) / s.stride * s.stride : -(-first / s.stride) * s.stride;
    s.count = std::max<std::int64_t>(1, (last - s.first) / s.stride + 1);
    s.every = s.stride;
    s.last = std::max(s.first, last);
    return s;
}

Samples samples_again(const Curves& curves) {
    return {static_cast<std::int64_t>(curves.at.front()), curves.stride,
            static_cast<std::int64_t>(curves.at.size()), curves.stride, curves.last};
}

std::optional<Problem> fill(Curves& curves, Samples s, double work, const Evaluate& evaluate,
                            const Observe& observe) {
    const double before = work_done();
    auto begun = evaluate(s.first, s.stride, 1);
    if (!begun) return begun.error();
    const double once = work_done() - before;
    auto values = evaluate(s.first, s.stride, s.count);
    if (!values) return values.error();
    const double twice = work_done() - before;
    if (s.stride > 1) {
        const auto span = static_cast<double>(s.last - s.first + 1);
        const double each = std::max(0.0, twice - 2.0 * once) / static_cast<double>(s.count) +
                            once / static_cast<double>(kBlock);
        const double thinned = std::ceil(each * span / work);
        s.every = thinned < static_cast<double>(s.stride)
                      ? std::max(std::int64_t{1}, static_cast<std::int64_t>(thinned))
                      : s.stride;
    }
    place(curves, s);
    const std::size_t rows = values->size();
    if (curves.curves.size() < rows) curves.curves.resize(rows);
    if (s.every == s.stride && observe) observe(values->front());
    for (std::size_t row = 0; row < rows; ++row) curves.curves[row].values = std::move((*values)[row]);
    if (s.every == s.stride) return std::nullopt;

    for (Curve& curve : curves.curves) {
        curve.band.resize(2 * curve.values.size());
        for (std::size_t i = 0; i < curve.values.size(); ++i)
            curve.band[2 * i] = curve.band[2 * i + 1] = curve.values[i];
    }
    const std::int64_t block = kBlock / static_cast<std::int64_t>(rows);
    const std::int64_t taken = (s.last - s.first) / s.every + 1;
    for (std::int64_t begin = 0; begin < taken; begin += block) {
        const std::int64_t first = s.first + begin * s.every;
        const auto some = evaluate(first, s.every, std::min(block, taken - begin));
        if (!some) return some.error();
        if (observe) observe(some->front());
        for (std::size_t row = 0; row < some->size(); ++row)
            for (std::size_t i = 0; i < (*some)[row].size(); ++i) {
                const std::int64_t distance = first + static_cast<std::int64_t>(i) * s.every;
                take(curves.curves[row], static_cast<std::size_t>((distance - s.first) / s.stride),
                     (*some)[row][i]);
            }
    }
    return std::nullopt;
}

std::optional<Problem> fill_columns(Curves& curves, const Evaluate& evaluate) {
    Curve& curve = curves.curves.emplace_back();
    curve.band.assign(2 * curves.at.size(), std::nan(""));
    bool all = true;
    for (std::size_t i = 0; i < curves.at.size(); ++i) {
        const auto first = static_cast<std::int64_t>(curves.at[i]);
        const auto end = i + 1 < curves.at.size() ? static_cast<std::int64_t>(curves.at[i + 1]) : first + 1;
        const std::int64_t every = (end - first + curves.in_column - 1) / curves.in_column,
                           count = (end - first + every - 1) / every;
        const auto some = evaluate(first, every, count);
        if (!some) return some.error();
        curve.values.push_back(some->front().front());
        for (const double value : some->front()) take(curve, i, value);
        all = all && every == 1;
        curves.taken += count;
    }
    if (all) curves.taken = 0;
    return std::nullopt;
}

void place(Curves& curves, const Samples& s) {
    curves.stride = s.stride;
    curves.every = s.every;
    curves.last = s.last;
    curves.at.clear();
    for (std::int64_t i = 0; i < s.count; ++i)
        curves.at.push_back(static_cast<double>(s.first + i * s.stride));
}

}  // namespace posiscope::figures::scores
