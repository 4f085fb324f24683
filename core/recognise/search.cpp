#include "core/recognise/search.hpp"

#include "core/recognise/rates.hpp"
#include "core/recognise/rows.hpp"
#include "core/recognise/scaled.hpp"
#include "core/recognise/spectra.hpp"
#include "core/recognise/start.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope::recognition {
namespace {

constexpr double kTelling = 0.1;  // differences are below this part of what its columns vary by
constexpr std::int64_t kNoiseRows = 4, kNoiseNumbers = 256;  // fewer say too little for noise
constexpr std::int64_t kMostKept = std::int64_t{1} << 20;
constexpr std::int64_t kLeastForTwo = 512;  // numbers: fewer say too little for two slips
constexpr std::size_t kMostSlips = 3;
constexpr double kHopeless = 0.5;  // of some numbers that do not fit
constexpr std::int64_t kLastEstimated = std::int64_t{1} << 17;

}  // namespace

int cost_of(const Known& known, std::size_t slips, bool with_config) {
    int cost = known.odd + kSlipCost * static_cast<int>(slips);
    if (with_config && !known.given)
        cost += kSlipCost + 1;  // another spectrum is a slip, and the less likely one
    if (!with_config && !known.usual && slips > 0) ++cost;
    return cost;
}

bool Tried::varies(const Tried& other) const {
    return typed && like.what.key == other.like.what.key && like.start == other.like.start &&
           std::equal(like.slips.begin(), like.slips.end(), other.like.slips.begin(), other.like.slips.end(),
                      [](const Problem& a, const Problem& b) { return a.key == b.key; });
}

Problem cut_slip(const Known& known) {
    return {"slip.columns_cut",
            {{"pairs", std::to_string(known.frequency.size())}, {"whole", std::to_string(known.cut_of)}}};
}

Search::Search(const StoredTensor& dump, const Matrix& matrix, const Precision& precision, CacheOrder cache,
               bool with_config)
    : dump_(dump), matrix_(matrix), precision_(precision), cache_(cache), with_config_(with_config) {
    const auto columns = static_cast<std::size_t>(matrix.columns);
    std::vector<double> least(columns, HUGE_VAL), most(columns, -HUGE_VAL), mean(columns, 0.0);
    const auto values = matrix.values.first(static_cast<std::size_t>(matrix.rows) * columns);
    const auto each = [&](auto take) {
        for (std::size_t i = 0; i < values.size(); ++i) take(i % columns, values[i]);
    };
    each([&](std::size_t column, double value) {
        least[column] = std::min(least[column], value);
        most[column] = std::max(most[column], value);
        mean[column] += value / static_cast<double>(matrix.rows);
    });
    each([&](std::size_t column, double value) {
        variance_ += (value - mean[column]) * (value - mean[column]);
    });
    variance_ /= static_cast<double>(values.size());
    for (std::size_t column = 0; column < columns; ++column)
        range_ = std::max(range_, most[column] - least[column]);
}

bool Search::tells() const {
    double largest = range_;
    for (const double value : matrix_.values) largest = std::max(largest, std::abs(value));
    return precision_.absolute <= kTelling * largest;
}

bool Search::fits() const {
    return std::any_of(tried_.begin(), tried_.end(), [](const Tried& one) { return one.off.fits; });
}

// The string of what an arrangement with these functions is.
std::string Search::kind_of(const Arrangement& a, Order order) const {
    const bool cosine = order == Order::cosine_sine;
    if (a.single) return cosine ? "cos_single" : "sin_single";
    if (a.duplicated)
        return fmt::format("{}_{}", cosine ? "cos" : "sin",
                           a.layout == PairLayout::halves ? "halves" : "pairs");
    if (matrix_.apart) return "both_apart";
    if (a.layout == PairLayout::halves) return cosine ? "both_halves" : "table_halves";
    return matrix_.stacked ? "both_stacked" : cosine ? "both_pairs" : "table";
}

// Slips of the arrangement itself, which no number of the waves shows.
std::vector<Problem> Search::arrangement_slips(const Arrangement& a, Order order, const Known& known) const {
    std::vector<Problem> made;
    const bool cosine = order == Order::cosine_sine;
    if (a.duplicated && (matrix_.stacked || matrix_.apart)) {
        made.push_back({cosine ? "slip.cosine_for_sine" : "slip.sine_for_cosine", {}});
    } else if (a.single || a.duplicated) {
        const bool named_cos = says(dump_.name, "cos") && !says(dump_.name, "sin"),
                   named_sin = says(dump_.name, "sin") && !says(dump_.name, "cos");
        if ((named_cos && !cosine) || (named_sin && cosine)) made.push_back({"slip.exchanged", {}});
    } else if (matrix_.stacked || matrix_.apart) {
        if (!cosine && (matrix_.apart || a.layout == PairLayout::interleaved))
            made.push_back({"slip.exchanged", {}});
    } else if (a.layout == PairLayout::interleaved && cosine && cache_ == CacheOrder::unknown) {
        made.push_back({"slip.exchanged", {}});
    } else if (!cosine && cache_ == CacheOrder::cosine_first) {
        made.push_back({"slip.exchanged", {}});
    }
    if (known.cut_of > 0) made.push_back(cut_slip(known));
    if (cache_ == CacheOrder::cosine_first && a.duplicated && !matrix_.stacked && !matrix_.apart &&
        a.layout == PairLayout::interleaved)
        made.push_back({"slip.layout", {}});
    return made;
}

Tried Search::tried_of(const Arrangement& a, Order order, const Known& known, const Slipped& slipped,
                       const Waves& waves, const Difference& off, std::int64_t start) const {
    Tried one;
    one.off = off;
    one.amplitude = waves.amplitude;
    one.typed = known.typed;
    if (matrix_.rows < kNoiseRows || off.numbers < kNoiseNumbers ||
        off.square > kTelling * kTelling * variance_)
        one.amplitude = 0.0;
    Likeness& like = one.like;
    like.what = {"recognised." + (waves.raw ? std::string("angles") : kind_of(a, order)),
                 {{"pairs", std::to_string(a.pairs)}, {"spectrum", known.words}}};
    like.given = known.given;
    like.unscaled = known.frequency == known.unscaled;
    like.bits = off.bits, like.exact = off.exact;
    if (!waves.raw) like.slips = arrangement_slips(a, order, known);
    if (start == 1 || start == 2)
        like.slips.push_back({start == 1 ? "slip.offset_one" : "slip.offset_two", {}});
    else like.start = start;
    for (Problem& slip : slipped.problems(known)) like.slips.push_back(std::move(slip));
    like.key = fmt::format("{}/{}/{}/{}", like.what.key, known.words, slipped.key(), start);
    for (const Problem& extra : like.slips) like.key += "/" + extra.key;
    like.largest = off.largest;
    like.row = off.row;
    like.column = matrix_.apart ? off.column % a.pairs : off.column;
    one.usual = known.usual || known.given;
    one.beside = known.plain && slipped.count() == 1 && !slipped.rounds();
    one.cost = cost_of(known, like.slips.size(), with_config_) + (like.start != 0 ? 1 : 0);
    return one;
}

void Search::compare_with(const Arrangement& a, Order order, const Known& known, const Slipped& slipped,
                          std::int64_t start) {
    Waves waves{known.frequency, known.factor, 0.0, 1.0, Rounding::none};
    if (!slipped.apply(known, waves)) return;
    const bool one_sided = a.single || a.duplicated;
    if (waves.raw && order != Order::cosine_sine) return;  // both are the angle
    if (!waves.second_rate.empty() && one_sided) return;
    // Positions that the rounding keeps are no slip.
    const std::int64_t kept = waves.positions == Rounding::bfloat16 ? 256 : 2048;
    if (slipped.of_positions != nullptr && waves.positions != Rounding::none && matrix_.rows - 1 <= kept)
        return;
    if (waves.sine_sign < 0.0 && one_sided && order == Order::cosine_sine) return;  // cos is even
    waves.offset += static_cast<double>(start);
    // A slip is kept only where it fits, or may be that of a noisy table.
    const bool must_fit = slipped.count() > 1 || slipped.rounds() || waves.raw;
    if (slipped.count() > 1 && matrix_.rows * matrix_.columns < kLeastForTwo) return;
    if (slipped.count() > 0 &&
        misfits_of_some(matrix_, a, order, waves, precision_) > (must_fit ? 0.0 : kHopeless) && must_fit)
        return;
    // Larger differences are neither rounding nor noise.
    const double enough =
        must_fit ? 0.0
                 : std::clamp(40.0 * std::sqrt(best_square_), 0.05, 0.5 * std::max(1.0, waves.amplitude));
    Difference off = compare(matrix_, a, order, waves, precision_, enough);
    // A candidate that fits some rows is compared with every one.
    if (off.fits && matrix_.rows > compared_rows(matrix_))
        off = compare(matrix_, a, order, waves, precision_, enough, Rows::all);
    if (!std::isfinite(off.square) || (must_fit && !off.fits)) return;
    // Of those that stop early only the nearest are said, without a slip.
    const auto kept_numbers = static_cast<std::int64_t>(tried_.size()) * a.pairs;
    if (!off.whole && (slipped.count() > 0 || start != 0 || kept_numbers > kMostKept)) return;
    Tried one = tried_of(a, order, known, slipped, waves, off, start);
    if (!off.whole)
        one.in_full = [&matrix = matrix_, &precision = precision_, a, order, waves] {
            return compare(matrix, a, order, waves, precision, HUGE_VAL);
        };
    one.off.fits = off.fits && (waves.raw || (range_ > 0.0 && off.largest <= kTelling * range_));
    if (off.whole) best_square_ = std::min(best_square_, off.square);
    tried_.push_back(std::move(one));
}

void Search::look(std::span<const Known> config, std::span<const Known> models) {
    for (const Arrangement& a : arrangements(matrix_)) {
        const std::vector<Known> all = spectra(a.pairs, config, models, fitted(rates_of(matrix_, a)));
        for (const Order order : {Order::cosine_sine, Order::sine_cosine})
            for (const Known& known : all)
                for (const Slipped& slipped : slips_at(known, known.given || (known.usual && !with_config_)))
                    compare_with(a, order, known, slipped, 0);
    }
}

std::vector<Known> Search::scaled(const Arrangement& a, std::span<const double> rates) const {
    const bool both = !a.single && !a.duplicated;
    return scaled_spectra({rates, 1.0 / static_cast<double>(matrix_.rows),
                           both ? std::hypot(matrix_.at(0, a.first(0)), matrix_.at(0, a.second(0))) : 0.0});
}

void Search::look_scaled() {
    for (const Arrangement& a : arrangements(matrix_)) {
        const std::vector<Known> all = scaled(a, rates_of(matrix_, a));
        for (const Order order : {Order::cosine_sine, Order::sine_cosine})
            for (const Known& known : all)
                for (const Slipped& slipped : slips_at(known, false))
                    compare_with(a, order, known, slipped, 0);
    }
}

// Of a table whose rows, or some of them, hold something else: with one more slip at most.
void Search::look_at_rows(std::span<const Known> config, std::span<const Known> models) {
    for (const Arrangement& a : arrangements(matrix_)) {
        std::vector<Known> all = spectra(a.pairs, config, models, std::nullopt);
        std::erase_if(all, [&](const Known& known) {
            return with_config_ ? !known.given && !known.usual : !known.plain;
        });
        for (const Order order : {Order::cosine_sine, Order::sine_cosine})
            for (const Known& known : all)
                for (const Slipped& slipped : slips_at(known, false)) {
                    const bool looked_for = known.given || (known.usual && !with_config_);
                    if (slipped.of_positions != nullptr || (slipped.count() > 0 && !looked_for)) continue;
                    Waves waves{known.frequency, known.factor, 0.0, 1.0, Rounding::none};
                    if (!slipped.apply(known, waves) || waves.positions != Rounding::none) continue;
                    const bool one_sided = a.single || a.duplicated;
                    if (one_sided && (!waves.second_rate.empty() ||
                                      (waves.sine_sign < 0.0 && order == Order::cosine_sine)))
                        continue;
                    if (waves.raw && order != Order::cosine_sine) continue;
                    auto held = what_rows_hold(matrix_, a, order, waves, precision_);
                    if (!held || static_cast<std::size_t>(slipped.count()) + held->slips.size() > kMostSlips)
                        continue;
                    Tried one = tried_of(a, order, known, slipped, waves, held->off, held->start);
                    one.off.fits = true;
                    one.cost += kSlipCost * static_cast<int>(held->slips.size()) + held->unlikely;
                    for (Problem& slip : held->slips) {
                        one.like.key += "/" + slip.key;
                        one.like.slips.push_back(std::move(slip));
                    }
                    one.like.details = std::move(held->details);
                    one.like.bits = one.like.exact = false;
                    tried_.push_back(std::move(one));
                }
    }
}

void Search::look_within(std::span<const Known> config, std::span<const Known> models) {
    if (matrix_.rows < kLeastCropped) return;
    for (const Arrangement& a : arrangements(matrix_)) {
        const std::vector<double> rates = rates_of(matrix_, a);
        const auto fit = fitted(rates);
        std::vector<Known> all = scaled(a, rates);
        for (Known& known : spectra(a.pairs, config, models, fit)) all.push_back(std::move(known));
        for (const Order order : {Order::cosine_sine, Order::sine_cosine}) {
            for (const Known& known : all)
                for (const Slipped& slipped : slips_at(known, false)) {
                    Waves waves{known.frequency, known.factor, 0.0, 1.0, Rounding::none};
                    if (slipped.of_positions != nullptr || slipped.rounds()) continue;
                    if (!slipped.apply(known, waves) || waves.raw || !waves.second_rate.empty()) continue;
                    if (!turns_so(matrix_, a, order, waves)) continue;
                    for (const std::int64_t start :
                         starts_of(matrix_, a, order, waves, {}, 3, kLastStart, allowance_))
                        compare_with(a, order, known, slipped, start);
                }
            if (!fit || fits()) continue;
            const auto usual = usual_divisor(fit->divisor);
            const Geometric estimate{fit->base, usual.value_or(fit->divisor)};
            Waves waves;
            for (std::int64_t i = 0; i < a.pairs; ++i)
                waves.rate.push_back(
                    std::pow(estimate.base, -static_cast<double>(i) / static_cast<double>(a.pairs)) /
                    estimate.divisor);
            if (!turns_so(matrix_, a, order, waves, 0.6)) continue;
            const Spread spread{4.0 * precision_.relative + 1e-6, usual ? 0.0 : 0.01};
            for (const std::int64_t start :
                 starts_of(matrix_, a, order, waves, spread, 0, kLastEstimated, allowance_)) {
                const auto sharp = sharpened(matrix_, a, order, estimate, start, !usual);
                if (!sharp) continue;
                for (const Known& known : typed_spectra(a.pairs, *sharp))
                    for (const Slipped& slipped : slips_at(known, false))
                        if (slipped.of_positions == nullptr && !slipped.rounds())
                            compare_with(a, order, known, slipped, start);
            }
        }
    }
}

}  // namespace posiscope::recognition
