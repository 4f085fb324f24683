// query.cpp — one query that is rotated to each position: its pairs keep their lengths, and turn from the first row on.
#include "core/recognise/rates.hpp"
#include "core/recognise/scaled.hpp"
#include "core/recognise/search.hpp"
#include "core/recognise/spectra.hpp"
#include "core/recognise/start.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope::recognition {
namespace {

constexpr std::int64_t kMostRows = 512, kLeastRows = 16;
constexpr std::int64_t kLeastNumbers = 32;  // fewer are some rotation or other of one another

// Pairs of one length are sines and cosines, from whatever position on: unless all of them begin alike, as those of ones.
bool is_table(const Matrix& m, const Arrangement& a, const Precision& precision) {
    double least = HUGE_VAL, most = 0.0;
    bool alike = true, turned = false;
    for (std::int64_t i = 0; i < a.pairs; ++i) {
        const double x = m.at(0, a.first(i)), y = m.at(0, a.second(i));
        least = std::min(least, std::hypot(x, y));
        most = std::max(most, std::hypot(x, y));
        alike = alike && x == m.at(0, a.first(0)) && y == m.at(0, a.second(0));
        turned = turned || (x != 0.0 && y != 0.0);  // (0, A) or (A, 0) in every pair is position 0
    }
    return !turned || (!alike && most - least <= (4.0 * precision.relative + 1e-6) * most);
}

// The length of the longest pair, or nothing where one does not keep its own.
std::optional<double> kept_length(const Matrix& m, const Arrangement& a, const Precision& precision) {
    double longest = 0.0;
    for (std::int64_t i = 0; i < a.pairs; ++i) {
        const double before = std::hypot(m.at(0, a.first(i)), m.at(0, a.second(i)));
        longest = std::max(longest, before);
        for (std::int64_t row = 1; row < std::min<std::int64_t>(m.rows, 64); ++row) {
            const double now = std::hypot(m.at(row, a.first(i)), m.at(row, a.second(i)));
            if (!(std::abs(now - before) <= 1e-6 + 4.0 * precision.relative * before)) return std::nullopt;
        }
    }
    return longest;
}

// cos and sin of the angles from the first row on.
Matrix turned(const Matrix& m, const Arrangement& a) {
    auto owned = std::make_shared<std::vector<double>>(static_cast<std::size_t>(m.rows * 2 * a.pairs));
    for (std::int64_t row = 0; row < m.rows; ++row)
        for (std::int64_t i = 0; i < a.pairs; ++i) {
            const double x0 = m.at(0, a.first(i)), y0 = m.at(0, a.second(i));
            const double x = m.at(row, a.first(i)), y = m.at(row, a.second(i));
            const double square = std::max(x0 * x0 + y0 * y0, 1e-300);
            const auto at = static_cast<std::size_t>(row * 2 * a.pairs + i);
            (*owned)[at] = (x * x0 + y * y0) / square;
            (*owned)[at + static_cast<std::size_t>(a.pairs)] = (y * x0 - x * y0) / square;
        }
    return Matrix{m.rows, 2 * a.pairs, *owned, false, false, owned};
}

bool of_rates(const Slipped& slipped) {
    return slipped.of_positions == nullptr && !slipped.rounds() &&
           (slipped.of_values == nullptr || slipped.of_values->name == "backwards");
}

}  // namespace

void Search::look_for_query(const Arrangement& a, const Known& known, const Slipped& slipped,
                            double longest) {
    Waves waves{known.frequency, 1.0, 0.0, 1.0, Rounding::none};
    if (!slipped.apply(known, waves) || !waves.second_rate.empty()) return;
    const std::int64_t rows = std::min(matrix_.rows, kMostRows);
    Difference off;
    off.fits = true;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t i = 0; i < a.pairs; ++i) {
            const double rate = waves.rate[static_cast<std::size_t>(i)];
            const double angle = waves.sine_sign * rate * static_cast<double>(row);
            const double x = matrix_.at(0, a.first(i)), y = matrix_.at(0, a.second(i));
            const double wanted[] = {x * std::cos(angle) - y * std::sin(angle),
                                     x * std::sin(angle) + y * std::cos(angle)};
            const std::int64_t columns[] = {a.first(i), a.second(i)};
            for (int c = 0; c < 2; ++c) {
                const double difference = std::abs(matrix_.at(row, columns[c]) - wanted[c]);
                off.square += difference * difference;
                if (difference > off.largest)
                    off.largest = difference, off.row = row, off.column = columns[c];
                if (!(difference <=
                      longest * (2.5 * precision_.relative + 4e-7 + float32_angle(rate) * std::abs(angle))))
                    off.fits = false;
            }
        }
    off.square /= static_cast<double>(2 * a.pairs * rows);
    if (!std::isfinite(off.square)) return;
    if (slipped.count() > 0 && !off.fits && off.square > best_square_) return;
    best_square_ = std::min(best_square_, off.square);
    Tried one{{}, off, matrix_.rows < kLeastRows ? 0.0 : longest, known.typed};
    const bool interleaved = a.layout == PairLayout::interleaved;
    one.like.what = {interleaved ? "recognised.query_pairs" : "recognised.query_halves",
                     {{"pairs", std::to_string(a.pairs)}, {"spectrum", known.words}}};
    one.like.slips = slipped.problems(known);
    if (known.cut_of > 0) one.like.slips.push_back(cut_slip(known));
    if (known.given && known.layout != a.layout) one.like.slips.push_back({"slip.layout", {}});
    one.like.key = fmt::format("{}/{}/{}/{}", one.like.what.key, known.words, known.cut_of, slipped.key());
    one.like.largest = off.largest, one.like.row = off.row, one.like.column = off.column;
    one.like.given = known.given;
    one.usual = known.usual || known.given;
    one.beside = known.plain && slipped.count() == 1;
    one.cost = cost_of(known, one.like.slips.size(), with_config_);
    tried_.push_back(std::move(one));
}

void Search::look_for_query(std::span<const Known> config, std::span<const Known> models) {
    if (matrix_.rows * matrix_.columns < kLeastNumbers) return;
    for (const Arrangement& a : arrangements(matrix_)) {
        if (a.single || a.duplicated) continue;
        const auto longest = kept_length(matrix_, a, precision_);
        if (!longest || is_table(matrix_, a, precision_)) continue;
        const std::vector<double> rates = rates_of(matrix_, a);
        const auto fit = fitted(rates);
        const auto look_at = [&](std::span<const Known> all) {
            for (const Known& known : all)
                for (const Slipped& slipped : slips_at(known, false))
                    if (of_rates(slipped)) look_for_query(a, known, slipped, *longest);
        };
        look_at(spectra(a.pairs, config, models, fit));
        if (!fits()) look_at(scaled_spectra({rates, 1.0 / static_cast<double>(matrix_.rows), 0.0, false}));
        if (!fit || fits()) continue;
        const Matrix angles = turned(matrix_, a);
        const Arrangement halves = arrangements(angles).front();
        const auto usual = usual_divisor(fit->divisor);
        const auto sharp = sharpened(angles, halves, Order::cosine_sine,
                                     {fit->base, usual.value_or(fit->divisor)}, 0, !usual);
        if (sharp && !halves.duplicated) look_at(typed_spectra(a.pairs, *sharp));
    }
}

}  // namespace posiscope::recognition
