#include "core/measure/steps.hpp"

#include "core/cost.hpp"
#include "core/measure/reference.hpp"
#include "core/measure/show.hpp"
#include "core/measure/table.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <numbers>

namespace posiscope::measuring {
namespace {

using Pair = std::complex<double>;

constexpr std::int64_t kMostShift = std::int64_t{1} << 17;
constexpr double kMostCompared = 5e7;  // numbers, where rows are not in order
constexpr double kTurnOfKeys = 2.0 * std::numbers::pi;
constexpr double kRoundingOfKeys = 2e-7;  // of an angle in float32, by position
constexpr int kMostScans = 256;           // rows whose shift is none of those before
constexpr std::size_t kMostParts = 12;    // of rows that are named

// The first matrix of an array.
struct KeyRows {
    std::int64_t rows = 0, columns = 0;
    std::span<const double> values;
};

Result<KeyRows> key_rows(const StoredTensor& dump) {
    const auto& shape = dump.shape;
    if (shape.size() < 2 || shape.back() < 2)
        return refuse("keys.shape",
                      {{"name", dump.name}, {"shape", fmt::format("{}", fmt::join(shape, " × "))}});
    const std::int64_t columns = shape.back();
    const auto whole = static_cast<std::int64_t>(dump.values.size()) / columns;
    const std::int64_t rows = std::min(shape[shape.size() - 2], whole);
    return KeyRows{rows, columns, std::span(dump.values).first(static_cast<std::size_t>(rows * columns))};
}

// The columns that are pairs; those behind them are not rotated.
struct KeyPairs {
    PairLayout layout;
    std::int64_t pairs;

    Pair at(const KeyRows& keys, std::int64_t row, std::int64_t pair) const {
        const double* const begin = keys.values.data() + row * keys.columns;
        return layout == PairLayout::halves ? Pair(begin[pair], begin[pair + pairs])
                                            : Pair(begin[2 * pair], begin[2 * pair + 1]);
    }
};

double norm_of(const KeyRows& keys, std::int64_t row) {
    double sum = 0.0;
    for (std::int64_t column = 0; column < keys.columns; ++column) {
        const double value = keys.values[static_cast<std::size_t>(row * keys.columns + column)];
        sum += value * value;
    }
    return std::sqrt(sum);
}

struct Move {
    std::int64_t from = -1;              // its row before; none
    std::optional<std::int64_t> turned;  // by how many positions
    bool operator==(const Move&) const = default;
};

class KeysCompared {
public:
    KeysCompared(const KeyRows& before, const KeyRows& after, const KeyPairs& split, double relative)
        : before_(before), after_(after), split_(split), tolerance_(1e-3 + 4.0 * relative) {
        for (std::int64_t row = 0; row < before.rows; ++row) {
            norms_.push_back(norm_of(before, row));
            lengths_.push_back({norms_.back(), std::abs(split.at(before, row, 0)), row});
        }
        std::ranges::sort(lengths_, {}, &Lengths::norm);
    }

    // Finds the rows of all keys; how many there are.
    std::int64_t find_rows() {
        moves_.assign(static_cast<std::size_t>(after_.rows), {});
        std::int64_t found = 0, expected = 0;
        for (std::int64_t row = 0; row < after_.rows; ++row) {
            spend(50.0 * static_cast<double>(after_.columns));
            const double norm = norm_of(after_, row);
            const auto fits = [&](std::int64_t from) {
                return from >= 0 && from < before_.rows && same_lengths(row, from, norm);
            };
            std::int64_t from = -1;
            if (fits(expected)) from = expected;
            else if (fits(row)) from = row;
            else {
                // A rotation keeps lengths: rows of others are not looked at.
                const double room = tolerance_ * norm, first = std::abs(split_.at(after_, row, 0));
                for (auto near = std::ranges::lower_bound(lengths_, norm - 2.0 * room, {}, &Lengths::norm);
                     near != lengths_.end() && near->norm <= norm + 2.0 * room && compared_ < kMostCompared;
                     ++near, compared_ += 1.0)
                    if (std::abs(near->first - first) <= room && (from < 0 || near->row < from) &&
                        fits(near->row))
                        from = near->row;
            }
            if (from < 0) continue;
            ++found;
            expected = from + 1;
            Move& move = moves_[static_cast<std::size_t>(row)];
            move.from = from;
            if (off_by(row, from, 0, {}) <= tolerance_) move.turned = 0;
        }
        return found;
    }

    bool all_found_unturned() const {
        return std::ranges::all_of(moves_, [](const Move& move) { return move.from < 0 || move.turned; });
    }

    // Rotated rows: how many of them this spectrum explains, at most `most` looked at; and by how much they are off.
    struct Fit {
        std::int64_t rows = 0;
        double off = 0.0;
    };
    Fit fit(const Reference& known, std::int64_t most) const {
        Fit made;
        for (std::int64_t row = 0; row < after_.rows && most > 0; ++row) {
            const Move& move = moves_[static_cast<std::size_t>(row)];
            if (move.from < 0 || move.turned) continue;
            --most;
            if (const auto turned = scan(row, move.from, known.frequency)) {
                ++made.rows;
                made.off += off_by(row, move.from, *turned, known.frequency);
            }
        }
        return made;
    }

    void find_shifts(const Reference& known) {
        std::int64_t last = 0;
        int scans = 0;
        for (std::int64_t row = 0; row < after_.rows; ++row) {
            Move& move = moves_[static_cast<std::size_t>(row)];
            if (move.from < 0 || move.turned) continue;
            for (const std::int64_t guess : {last, last + 1, row - move.from, row})
                if (off_by(row, move.from, guess, known.frequency) <= tolerance_of(guess)) {
                    move.turned = guess;
                    break;
                }
            if (!move.turned && scans++ < kMostScans) move.turned = scan(row, move.from, known.frequency);
            if (move.turned) last = *move.turned;
        }
    }

    const std::vector<Move>& moves() const { return moves_; }

private:
    double tolerance_of(std::int64_t turned) const {
        return tolerance_ + kRoundingOfKeys * std::abs(static_cast<double>(turned));
    }

    // A rotation leaves the length of each pair, and the columns behind the pairs.
    bool same_lengths(std::int64_t row, std::int64_t from, double norm) {
        const double room = tolerance_ * norm;
        if (std::abs(norm - norms_[static_cast<std::size_t>(from)]) > 2.0 * room) return false;
        double sum = 0.0;
        for (std::int64_t i = 0; i < split_.pairs; ++i) {
            const double by = std::abs(split_.at(after_, row, i)) - std::abs(split_.at(before_, from, i));
            sum += by * by;
            compared_ += 1.0;
            if (sum > room * room) return false;
        }
        for (std::int64_t column = 2 * split_.pairs; column < after_.columns; ++column) {
            const double by = after_.values[static_cast<std::size_t>(row * after_.columns + column)] -
                              before_.values[static_cast<std::size_t>(from * before_.columns + column)];
            sum += by * by;
            if (sum > room * room) return false;
        }
        return true;
    }

    // ‖after − before rotated‖ / ‖before‖, of the pairs.
    double off_by(std::int64_t row, std::int64_t from, std::int64_t turned,
                  std::span<const double> frequency) const {
        double off = 0.0, size = 0.0;
        for (std::int64_t i = 0; i < split_.pairs; ++i) {
            const Pair was = split_.at(before_, from, i);
            const double angle =
                turned == 0 ? 0.0 : static_cast<double>(turned) * frequency[static_cast<std::size_t>(i)];
            off += std::norm(split_.at(after_, row, i) - was * std::polar(1.0, angle));
            size += std::norm(was);
        }
        return size > 0.0 ? std::sqrt(off / size) : off > 0.0 ? 1.0 : 0.0;
    }

    // The shift that explains the angles of all pairs; the nearest to 0 of several.
    std::optional<std::int64_t> scan(std::int64_t row, std::int64_t from,
                                     std::span<const double> frequency) const {
        spend(1e6);
        struct Angle {
            double frequency, angle, room;
        };
        std::vector<Angle> angles;
        const double norm = norms_[static_cast<std::size_t>(from)];
        for (std::int64_t i = 0; i < split_.pairs; ++i) {
            const Pair was = split_.at(before_, from, i), is = split_.at(after_, row, i);
            const double size = std::abs(was);
            const double room = tolerance_ * norm / std::max(size, 1e-300);
            if (const double omega = frequency[static_cast<std::size_t>(i)]; room < 1.0 && omega > 0.0)
                angles.push_back(
                    {frequency[static_cast<std::size_t>(i)], std::arg(is * std::conj(was)), room});
        }
        if (angles.empty()) return std::nullopt;
        const auto fits = [&](std::int64_t turned) {
            const auto by = static_cast<double>(turned);
            for (const Angle& one : angles)
                if (std::abs(std::remainder(one.angle - by * one.frequency, kTurnOfKeys)) >
                    one.room + kRoundingOfKeys * std::abs(by))
                    return false;
            return off_by(row, from, turned, frequency) <= tolerance_of(turned);
        };
        // The pair that leaves the fewest: whole turns of it, and the shifts around each that its angle allows.
        const Angle& few = *std::ranges::min_element(
            angles, {}, [](const Angle& one) { return 2.0 * one.room + one.frequency; });
        const auto most = static_cast<double>(kMostShift);
        const double room = few.room + kRoundingOfKeys * most,
                     turns = std::ceil((most * few.frequency + room) / kTurnOfKeys) + 1.0;
        std::optional<std::int64_t> nearest;
        for (double turn = -turns; turn <= turns; turn += 1.0) {
            const double middle = few.angle + kTurnOfKeys * turn;
            const double first = std::ceil((middle - room) / few.frequency),
                         last = std::floor((middle + room) / few.frequency);
            const auto low = static_cast<std::int64_t>(std::clamp(first, -most, most + 1.0)),
                       high = static_cast<std::int64_t>(std::clamp(last, -most - 1.0, most));
            for (std::int64_t turned = low; turned <= high; ++turned)
                if ((!nearest || std::abs(turned) < std::abs(*nearest)) && fits(turned)) nearest = turned;
        }
        return nearest;
    }

    KeyRows before_, after_;
    KeyPairs split_;
    double tolerance_;
    double compared_ = 0.0;
    // The lengths of an earlier row and of its first pair.
    struct Lengths {
        double norm, first;
        std::int64_t row;
    };
    std::vector<double> norms_;     // by row
    std::vector<Lengths> lengths_;  // by norm
    std::vector<Move> moves_;
};

std::string with_sign(std::int64_t value) { return value > 0 ? "+" + text(value) : text(value); }

// The change of rows begin … end − 1.
Problem named(const std::vector<Move>& moves, std::size_t begin, std::size_t end, bool applied) {
    const Move& move = moves[begin];
    const auto first = static_cast<std::int64_t>(begin), last = static_cast<std::int64_t>(end) - 1;
    ProblemValues values = {{"first", text(first)}, {"last", text(last)}};
    if (move.from < 0) return {"keys.other", std::move(values)};
    values.emplace_back("from", text(move.from));
    values.emplace_back("to", text(move.from + last - first));
    values.emplace_back("moved", with_sign(first - move.from));
    if (!move.turned) return {"keys.turned_otherwise", std::move(values)};
    values.emplace_back("by", with_sign(*move.turned));
    if (applied) return {"keys.applied", std::move(values)};
    const bool moved = move.from != first;
    if (*move.turned == 0) return {moved ? "keys.moved" : "keys.same", std::move(values)};
    if (!moved) return {"keys.turned", std::move(values)};
    return {*move.turned == first - move.from ? "keys.shifted" : "keys.moved_turned", std::move(values)};
}

std::vector<Problem> parts_of(const std::vector<Move>& moves) {
    std::vector<Problem> parts;
    const auto goes_on = [&](std::size_t at, std::int64_t by) {
        const Move &one = moves[at - 1], &next = moves[at];
        if (one.from < 0 || next.from < 0) return one.from < 0 && next.from < 0;
        if (next.from != one.from + 1 || one.turned.has_value() != next.turned.has_value()) return false;
        return !one.turned || *next.turned == *one.turned + by;
    };
    for (std::size_t begin = 0; begin < moves.size();) {
        std::size_t same = begin + 1, rising = begin + 1;
        while (same < moves.size() && goes_on(same, 0)) ++same;
        while (rising < moves.size() && moves[rising].turned && goes_on(rising, 1)) ++rising;
        const bool applied = rising > same && rising >= begin + 3;
        const std::size_t end = applied ? rising : same;
        if (parts.size() == kMostParts) {
            parts.push_back({"keys.more", {{"row", text(static_cast<std::int64_t>(begin))}}});
            return parts;
        }
        parts.push_back(named(moves, begin, end, applied));
        begin = end;
    }
    return parts;
}

}  // namespace

namespace {

// The matrix `n` of an array, alone.
StoredTensor matrix_of_keys(const StoredTensor& dump, std::int64_t n) {
    const std::int64_t columns = dump.shape.back(), rows = dump.shape[dump.shape.size() - 2];
    const auto first = dump.values.begin() + static_cast<std::ptrdiff_t>(n * rows * columns);
    return {dump.name,
            dump.dtype,
            {rows, columns},
            {first, first + static_cast<std::ptrdiff_t>(rows * columns)},
            false};
}
std::int64_t matrices_in(const StoredTensor& dump) {
    std::int64_t made = 1;
    for (std::size_t i = 0; i + 2 < dump.shape.size(); ++i) made *= dump.shape[i];
    return dump.cropped ? 1 : made;
}

Result<StepsFound> compare_matrices(const StoredTensor& before, const StoredTensor& after,
                                    std::span<const Reference> config, std::span<const Reference> models) {
    const auto was = key_rows(before), is = key_rows(after);
    if (!was) return tl::unexpected(was.error());
    if (!is) return tl::unexpected(is.error());
    if (was->columns != is->columns || was->columns % 2 != 0)
        return refuse("keys.widths", {{"before", text(was->columns)}, {"after", text(is->columns)}});
    for (const StoredTensor* dump : {&before, &after})
        if (!std::ranges::all_of(dump->values, [](double value) { return std::isfinite(value); }))
            return refuse("keys.not_finite", {{"name", dump->name}});
    std::vector<Reference> candidates(models.begin(), models.end());
    for (const double base : usual_bases())
        candidates.push_back(
            plain_reference(base, was->columns / 2, static_cast<double>(was->columns) / 2.0, true));
    const double relative = std::max(precision_of(before).relative, precision_of(after).relative);
    std::vector<KeyPairs> splits;
    const auto add = [&](const KeyPairs& split) {
        if (std::ranges::none_of(splits, [&](const KeyPairs& one) {
                return one.layout == split.layout && one.pairs == split.pairs;
            }))
            splits.push_back(split);
    };
    for (const Reference& known : config)
        if (const auto pairs = static_cast<std::int64_t>(known.frequency.size()); 2 * pairs <= was->columns)
            add({known.layout, pairs});
    for (const PairLayout layout : {PairLayout::halves, PairLayout::interleaved})
        add({layout, was->columns / 2});

    StepsFound found;
    std::optional<KeysCompared> best;
    KeyPairs chosen = splits.front();
    std::int64_t rows = 0;
    for (const KeyPairs& split : splits) {
        KeysCompared one(*was, *is, split, relative);
        if (const std::int64_t those = one.find_rows(); !best || those > rows) {
            rows = those;
            best.emplace(std::move(one));
            chosen = split;
        }
    }
    if (rows == 0) {
        found.answers.push_back({"keys.unrelated", {}});
        return found;
    }
    if (!best->all_found_unturned()) {
        const Reference* nearest = nullptr;
        KeysCompared::Fit most;
        const auto look = [&](const Reference& known) {
            if (static_cast<std::int64_t>(known.frequency.size()) != chosen.pairs) return;
            const auto fit = best->fit(known, 4);
            if (fit.rows > most.rows || (fit.rows == most.rows && fit.rows > 0 && fit.off < 0.9 * most.off))
                most = fit, nearest = &known;
        };
        for (const Reference& known : config) look(known);
        if (nearest == nullptr)
            for (const Reference& known : candidates) look(known);
        if (nearest != nullptr) {
            best->find_shifts(*nearest);
            found.given = !nearest->known;
            found.answers.push_back({chosen.layout == PairLayout::halves ? "keys.halves" : "keys.interleaved",
                                     {{"spectrum", nearest->words}, {"pairs", text(chosen.pairs)}}});
        }
    }
    found.turned =
        std::ranges::any_of(best->moves(), [](const Move& move) { return move.turned && *move.turned != 0; });
    for (Problem& part : parts_of(best->moves())) found.answers.push_back(std::move(part));
    const auto explained =
        std::ranges::count_if(best->moves(), [](const Move& move) { return move.turned.has_value(); });
    found.known = 2 * explained >= is->rows;
    return found;
}

// Every matrix of two arrays alike.
Result<StepsFound> compare_all(const StoredTensor& before, const StoredTensor& after,
                               std::span<const Reference> config, std::span<const Reference> models) {
    const std::int64_t matrices = matrices_in(before);
    if (matrices < 2 || matrices != matrices_in(after))
        return compare_matrices(before, after, config, models);
    std::optional<StepsFound> made;
    for (std::int64_t n = 0; n < matrices; ++n) {
        auto one = compare_matrices(matrix_of_keys(before, n), matrix_of_keys(after, n), config, models);
        if (!one || !one->known) return one;
        if (made && made->answers != one->answers) return StepsFound{{Problem{"keys.unrelated", {}}}, false};
        made = std::move(*one);
    }
    return *made;
}

// With the axes in this order its matrices are rows of one head.
StoredTensor by_heads(const StoredTensor& dump, std::string_view axes) {
    auto table = table_with(dump, axes);
    if (!table) return dump;
    return {
        dump.name, dump.dtype, {table->slices, table->rows, table->columns}, std::move(table->values), false};
}

}  // namespace

Result<StepsFound> compare_steps(const StoredTensor& before, const StoredTensor& after,
                                 std::span<const Reference> config, std::span<const Reference> models,
                                 std::string_view axes) {
    if (!axes.empty()) return compare_all(by_heads(before, axes), by_heads(after, axes), config, models);
    auto found = compare_all(before, after, config, models);
    const std::size_t k = before.shape.size();
    if ((found && found->known) || k < 3 || k > 4 || before.cropped || after.cropped) return found;
    const std::string_view heads_behind = k == 3 ? "nhd" : "bnhd";
    auto other = compare_all(by_heads(before, heads_behind), by_heads(after, heads_behind), config, models);
    return other && other->known ? std::move(other) : std::move(found);
}

}  // namespace posiscope::measuring
