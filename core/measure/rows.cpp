#include "core/measure/rows.hpp"

#include "core/cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace posiscope::measuring {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostIntervals = 4096, kMostChecked = 64;

// One pair in one row: its numbers, and the angles modulo a turn that they allow.
struct Seen {
    double rate = 0.0, cosine = kNone, sine = kNone;
    double angle[2] = {0.0, 0.0};
    int angles = 0;
    double off = 0.0;  // of an angle
};

class Reader {
public:
    Reader(const Table& table, const Form& form, const Turning& turning, const Precision& precision,
           const ReadingOptions& options)
        : table_(table),
          turning_(turning),
          options_(options),
          // Wide enough for every arithmetic; the proof is strict.
          allowed_(4.0 * precision.half_unit(turning.amplitude) + 1e-6 * turning.amplitude + options.noise) {
        strict_ = allowance(turning.amplitude, turning.amplitude, precision) + options.noise;
        const auto pairs = static_cast<std::size_t>(form.pairs);
        cosine_.assign(pairs, {-1, 1.0});
        sine_.assign(pairs, {-1, 1.0});
        for (std::size_t c = 0; c < form.cells.size(); ++c) {
            const Cell& cell = form.cells[c];
            if (cell.pair < 0) continue;
            auto& place = (cell.sine ? sine_ : cosine_)[static_cast<std::size_t>(cell.pair)];
            if (place.column < 0) place = {static_cast<std::int64_t>(c), cell.sign};
        }
        const Narrowing& narrow = turning.narrowing;
        relative_ = narrow.angles == Narrow::bfloat16  ? 0x1p-8
                    : narrow.angles == Narrow::float16 ? 0x1p-11
                                                       : options.relative;
        rate_ = turning.rate;
        for (double& rate : rate_) rate = narrowed(rate, narrow.rates);
        for (int axis = 0; axis < turning.axes; ++axis) {
            std::vector<std::size_t> order;
            for (std::size_t i = 0; i < pairs; ++i)
                if (turning.axis_of(static_cast<std::int64_t>(i)) == axis && rate_[i] > 0.0)
                    order.push_back(i);
            std::ranges::sort(order, {}, [&](std::size_t i) { return rate_[i]; });
            slow_first_.push_back(std::move(order));
        }
    }

    // The position of a row on an axis, the first of `likely` that fits, else any.
    double read(std::int64_t slice, std::int64_t row, int axis, std::initializer_list<double> likely) const {
        std::vector<Seen> seen;
        for (const std::size_t i : slow_first_[static_cast<std::size_t>(axis)])
            seen.push_back(seen_at(slice, row, i));
        spend(20.0 * static_cast<double>(seen.size()));
        for (const double p : likely)
            if (options_.whole && std::isfinite(p) && misfits(seen, p, strict_).count == 0) return p;
        // Slow pairs tell neighbouring positions apart by less than the roundings that are allowed for: the nearest is taken.
        const std::size_t few = seen.size() / 8;
        double best = kNone;
        Off least{few + 1, HUGE_VAL};
        const auto look = [&](double p) {
            if (!std::isfinite(p)) return;
            const Off off = misfits(seen, p, allowed_);
            if (off.count < least.count || (off.count == least.count && off.square < least.square))
                best = p, least = off;
        };
        if (!options_.whole) {
            for (const double p : search(seen, few)) look(refined(seen, p));
            return best;
        }
        for (const double p : likely) look(p);
        // Coarse types show few pairs that tell 0 from 1: only a row that goes on may be off in some of them.
        const bool goes_on = best == *likely.begin() && least.count <= few;
        if (least.count > 0 && !goes_on)
            for (const double p : search(seen, few)) look(p);
        return best;
    }

    int axes() const { return turning_.axes; }

private:
    // A position between whole ones, by least squares over the angles.
    static double refined(const std::vector<Seen>& seen, double p) {
        for (int step = 0; step < 3; ++step) {
            double products = 0.0, squares = 0.0;
            for (const Seen& one : seen) {
                if (one.angles != 1) continue;
                products += one.rate * std::remainder(one.angle[0] - p * one.rate, kTurn);
                squares += one.rate * one.rate;
            }
            if (squares > 0.0) p += products / squares;
        }
        return p;
    }

    struct Place {
        std::int64_t column;
        double sign;
    };

    Seen seen_at(std::int64_t slice, std::int64_t row, std::size_t pair) const {
        Seen seen{.rate = rate_[pair]};
        const double a = turning_.amplitude;
        if (cosine_[pair].column >= 0)
            seen.cosine = cosine_[pair].sign * table_.at(slice, row, cosine_[pair].column);
        if (sine_[pair].column >= 0) seen.sine = sine_[pair].sign * table_.at(slice, row, sine_[pair].column);
        const double tilt = allowed_ / a;
        if (std::isfinite(seen.cosine) && std::isfinite(seen.sine)) {
            seen.angle[0] = std::atan2(seen.sine, seen.cosine);
            seen.angles = 1;
            seen.off = 1.5 * tilt;
        } else if (std::isfinite(seen.cosine) || std::isfinite(seen.sine)) {
            const bool cosine = std::isfinite(seen.cosine);
            const double value = (cosine ? seen.cosine : seen.sine) / a;
            if (std::abs(value) > 1.0 + tilt) return seen;
            const double clamped = std::clamp(value, -1.0, 1.0);
            // Near its ends an arc cosine is as uncertain as the root of the rounding.
            const double slope = std::sqrt(std::max(0.0, 1.0 - clamped * clamped));
            seen.off = std::min(slope > 0.0 ? 1.5 * tilt / slope : 4.0, 2.0 * std::sqrt(2.0 * tilt));
            seen.angle[0] = cosine ? std::acos(clamped) : std::asin(clamped);
            seen.angle[1] = cosine ? -seen.angle[0] : std::numbers::pi - seen.angle[0];
            seen.angles = 2;
        }
        return seen;
    }

    struct Off {
        std::size_t count = 0;
        double square = 0.0;
    };
    Off misfits(const std::vector<Seen>& seen, double p, double within) const {
        Off made;
        const double at = narrowed(p, turning_.narrowing.positions);
        for (const Seen& one : seen) {
            const double angle = at * one.rate;
            const double allowed = within + turning_.amplitude * std::min(2.0, std::abs(angle) * relative_);
            const double a = turning_.amplitude;
            // NaN fits nothing but a position that is not finite.
            const double c = std::isnan(one.cosine) ? 0.0 : std::abs(one.cosine - a * std::cos(angle)),
                         s = std::isnan(one.sine) ? 0.0 : std::abs(one.sine - a * std::sin(angle));
            const bool off = !(std::max(c, s) <= allowed) || (std::isnan(one.cosine) && std::isnan(one.sine));
            made.count += off ? 1 : 0;
            // A wider allowance is no better fit.
            if (!off) made.square += 4.0 * (c * c + s * s) / (allowed * allowed) + 2.0 * std::log(allowed);
        }
        return made;
    }

    // Positions that all pairs allow, but for `few` of them.
    std::vector<double> search(const std::vector<Seen>& seen, std::size_t few) const {
        struct Interval {
            double from, to;
        };
        std::vector<Interval> now{{static_cast<double>(kFirstPosition), options_.last}}, next;
        std::size_t left_out = 0;
        for (const Seen& one : seen) {
            if (one.angles == 0) {
                if (++left_out > few) return {};
                continue;
            }
            next.clear();
            bool many = false;
            for (const Interval& part : now) {
                const double most = std::max(std::abs(part.from), std::abs(part.to)) * one.rate * relative_;
                const double off = one.off + most;
                if (off > 1.5) {
                    next.push_back(part);
                    continue;
                }
                const auto begins = static_cast<std::ptrdiff_t>(next.size());
                for (int k = 0; k < one.angles && !many; ++k) {
                    const auto middle = static_cast<std::ptrdiff_t>(next.size());
                    const double first = std::ceil((part.from * one.rate - one.angle[k] - off) / kTurn),
                                 last = std::floor((part.to * one.rate - one.angle[k] + off) / kTurn);
                    if (last - first > static_cast<double>(kMostIntervals)) many = true;
                    for (double turn = first; turn <= last && !many; ++turn) {
                        const double centre = one.angle[k] + kTurn * turn;
                        Interval cut{std::max(part.from, (centre - off) / one.rate),
                                     std::min(part.to, (centre + off) / one.rate)};
                        if (cut.from > cut.to) continue;
                        if (options_.whole && std::floor(cut.to) < std::ceil(cut.from)) continue;
                        next.push_back(cut);
                        many = next.size() > kMostIntervals;
                    }
                    // Both signs of an angle, in order.
                    std::inplace_merge(next.begin() + begins, next.begin() + middle, next.end(),
                                       [](const Interval& a, const Interval& b) { return a.from < b.from; });
                }
                if (many) break;
            }
            spend(10.0 * static_cast<double>(next.size() + now.size()));
            if (many) continue;
            // Both signs of a small angle allow the same positions.
            std::size_t kept = 0;
            for (const Interval& part : next)
                if (kept > 0 && part.from <= next[kept - 1].to)
                    next[kept - 1].to = std::max(next[kept - 1].to, part.to);
                else next[kept++] = part;
            next.resize(kept);
            if (next.empty()) {
                if (++left_out > few) return {};
                continue;
            }
            now.swap(next);
        }
        std::vector<double> found;
        for (const Interval& part : now) {
            if (!options_.whole) found.push_back(0.5 * (part.from + part.to));
            for (double p = std::ceil(part.from);
                 options_.whole && p <= part.to && found.size() < kMostChecked; ++p)
                found.push_back(p);
            if (found.size() >= kMostChecked) break;
        }
        // Cosines alone do not tell p from −p.
        std::ranges::sort(found, {}, [](double p) { return p < 0.0 ? 0.25 - p : p; });
        return found;
    }

    const Table& table_;
    const Turning& turning_;
    ReadingOptions options_;
    double allowed_, strict_ = allowed_, relative_ = 3e-7;
    std::vector<double> rate_;
    std::vector<Place> cosine_, sine_;
    std::vector<std::vector<std::size_t>> slow_first_;
};

}  // namespace

Positions counted(const Table& table, int axes) {
    Positions made{axes, {}};
    for (std::int64_t s = 0; s < table.slices; ++s)
        for (std::int64_t r = 0; r < table.rows; ++r)
            made.values.insert(made.values.end(), static_cast<std::size_t>(axes), static_cast<double>(r));
    return made;
}

Positions read_positions(const Table& table, const Form& form, const Turning& turning,
                         const Precision& precision, const ReadingOptions& options) {
    const Reader reader(table, form, turning, precision, options);
    Positions made{turning.axes, {}};
    std::vector<double> last(static_cast<std::size_t>(turning.axes), kNone), before = last;
    std::int64_t unread = 0;
    for (std::int64_t s = 0; s < table.slices; ++s) {
        std::ranges::fill(last, kNone);
        for (std::int64_t r = 0; r < table.rows; ++r)
            for (int a = 0; a < turning.axes; ++a) {
                const auto k = static_cast<std::size_t>(a);
                const auto row = static_cast<double>(r);
                // A table that nothing can be read of is not searched to its end.
                const bool hopeless = unread > 64 && unread * 2 > r;
                const double p =
                    hopeless
                        ? kNone
                        : reader.read(s, r, a,
                                      {last[k] + 1.0, row, last[k], 2.0 * last[k] - before[k], last[0], 0.0});
                made.values.push_back(p);
                unread += std::isnan(p) ? 1 : 0;
                before[k] = last[k];
                last[k] = p;
            }
    }
    return made;
}

double readable(const Table& table, const Form& form, const Turning& turning, const Precision& precision,
                const ReadingOptions& options) {
    const Reader reader(table, form, turning, precision, options);
    const std::int64_t all = table.slices * table.rows, step = std::max<std::int64_t>(1, all / 16);
    std::int64_t good = 0, tried = 0;
    for (std::int64_t n = 0; n < all; n += step) {
        const std::int64_t s = n / table.rows, r = n % table.rows;
        for (int a = 0; a < turning.axes; ++a, ++tried)
            good += std::isnan(reader.read(s, r, a, {static_cast<double>(r)})) ? 0 : 1;
    }
    return tried == 0 ? 0.0 : static_cast<double>(good) / static_cast<double>(tried);
}

}  // namespace posiscope::measuring
