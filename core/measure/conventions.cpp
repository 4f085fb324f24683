#include "core/measure/conventions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace posiscope::measuring {
namespace {

constexpr std::array kBases = {1e4, 5e5, 1e6, 1e5, 1e3, 1e2, 1e7};
constexpr std::size_t kMostFound = 1000;
constexpr std::size_t kMostPositions = 40;  // that pair 0 may leave; more are too few digits

bool near_enough(const TypedNumber& typed, double wanted, double angle) {
    const double allowed = std::max(1.0001 * typed.unit, std::min(4e-7 + 1.2e-7 * std::abs(angle), 1e-3));
    return std::abs(typed.value - wanted) <= allowed;
}

// The pair and the function of a column, as far as they are known without the width: of halves only sines, or cosines, come
// first.
struct Column {
    std::size_t pair;
    bool sine;
};
Column column(std::size_t at, bool sine_first, bool halves) {
    if (halves) return {at, sine_first};
    return {at / 2, (at % 2 == 0) == sine_first};
}

bool fits(const TypedRow& row, std::int64_t position, double ratio, bool sine_first, bool halves,
          std::size_t from) {
    double rate = 1.0;
    std::size_t pair = 0;
    for (std::size_t c = 0; c < row.numbers.size(); ++c) {
        const Column at = column(c, sine_first, halves);
        for (; pair < at.pair; ++pair) rate *= ratio;
        if (c < from) continue;
        const double angle = static_cast<double>(position) * rate;
        if (!near_enough(row.numbers[c], at.sine ? std::sin(angle) : std::cos(angle), angle)) return false;
    }
    return true;
}

// One past the columns of pair 0.
std::size_t pair_zero(const TypedRow& row, bool halves) {
    return std::min<std::size_t>(row.numbers.size(), halves ? 1 : 2);
}

TypedRow first_columns(const TypedRow& row, bool halves) {
    return {row.position,
            {row.numbers.begin(), row.numbers.begin() + static_cast<std::ptrdiff_t>(pair_zero(row, halves))}};
}

std::vector<std::int64_t> positions_of(const TypedRow& row, bool sine_first, bool halves) {
    const TypedRow start = first_columns(row, halves);
    std::vector<std::int64_t> found;
    if (row.position) {
        if (fits(start, *row.position, 1.0, sine_first, halves, 0)) found.push_back(*row.position);
        return found;
    }
    for (std::int64_t p = 0; p <= kFarthestGuess; ++p)
        if (fits(start, p, 1.0, sine_first, halves, 0)) found.push_back(p);
    return found;
}

// Rows without a position of their own follow the first.
bool all_fit(std::span<const TypedRow> rows, std::int64_t position, double ratio, bool sine_first,
             bool halves) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!fits(rows[i], rows[i].position.value_or(position + static_cast<std::int64_t>(i)), ratio,
                  sine_first, halves, i == 0 ? pair_zero(rows[i], halves) : 0))
            return false;
    return true;
}

std::size_t widest(std::span<const TypedRow> rows) {
    std::size_t most = 0;
    for (const TypedRow& row : rows) most = std::max(most, row.numbers.size());
    return most;
}

void look_at(std::span<const TypedRow> rows, bool sine_first, bool halves, std::vector<Convention>& found) {
    const auto columns = static_cast<int>(widest(rows) * (halves ? 2 : 1)), least = columns + columns % 2;
    const std::vector<std::int64_t> positions = positions_of(rows.front(), sine_first, halves);
    if (positions.empty() || positions.size() > kMostPositions) return;
    std::vector<double> ratios;
    for (const double base : kBases) {
        ratios.clear();
        for (int d = least; d <= kWidestGuess; d += 2) ratios.push_back(std::pow(base, -2.0 / d));
        for (const std::int64_t position : positions)
            for (int d = least; d <= kWidestGuess && found.size() < kMostFound; d += 2) {
                const double ratio = ratios[static_cast<std::size_t>((d - least) / 2)];
                if (!all_fit(rows, position, ratio, sine_first, halves)) continue;
                Convention* last = found.empty() ? nullptr : &found.back();
                if (last != nullptr && last->to == d - 2 && last->position == position &&
                    last->base == base && last->sine_first == sine_first && last->halves == halves)
                    last->to = d;
                else found.push_back({position, base, d, d, sine_first, halves});
            }
    }
}

std::string width(const Convention& one) {
    return one.from == one.to ? fmt::format("d = {}", one.from)
                              : fmt::format("d = {} … {}", one.from, one.to);
}

std::string said(const Convention& one) {
    const std::string first = one.sine_first ? "sin" : "cos", second = one.sine_first ? "cos" : "sin";
    const std::string order = one.halves ? fmt::format("{0} {0} … {1} {1}", first, second)
                                         : fmt::format("{0} {1} {0} {1}", first, second);
    return fmt::format("p = {}, {}, b = {:.10g}, {}", one.position, width(one), one.base, order);
}

}  // namespace

std::vector<Convention> conventions_of(std::span<const TypedRow> rows) {
    std::vector<Convention> found;
    if (rows.empty() || rows.front().numbers.empty()) return found;
    for (const bool halves : {false, true})
        for (const bool sine_first : {true, false}) {
            if (widest(rows) <= (halves ? 1U : 2U)) continue;  // pair 0 alone
            look_at(rows, sine_first, halves, found);
        }
    const auto place = [](const Convention& one) {
        return std::find(kBases.begin(), kBases.end(), one.base);
    };
    std::stable_sort(found.begin(), found.end(), [&](const Convention& a, const Convention& b) {
        if (a.halves != b.halves) return b.halves;
        if (place(a) != place(b)) return place(a) < place(b);
        return a.position < b.position;
    });
    return found;
}

Problem describe_conventions(std::span<const TypedRow> rows) {
    if (widest(rows) <= 2) {
        std::vector<std::string> places;
        for (const bool sine_first : {true, false})
            for (const std::int64_t p : positions_of(rows.front(), sine_first, false))
                if (places.size() < 3)
                    places.push_back(fmt::format("p = {}, {}", p, sine_first ? "sin cos" : "cos sin"));
        if (!places.empty())
            return Problem{"numbers.pair_zero", {{"places", fmt::format("{}", fmt::join(places, "; "))}}};
    }
    if (positions_of(rows.front(), true, false).size() > kMostPositions) return Problem{"numbers.vague", {}};
    const std::vector<Convention> found = conventions_of(rows);
    if (found.empty())
        return Problem{
            "numbers.nowhere",
            {{"widest", std::to_string(kWidestGuess)}, {"farthest", std::to_string(kFarthestGuess)}}};
    // b^(−2/d) is all that a base and a width say of the first columns: others have the same.
    const auto alike = [&](const Convention& one) {
        return one.position == found.front().position && one.sine_first == found.front().sine_first &&
               one.halves == found.front().halves &&
               std::count_if(found.begin(), found.end(),
                             [&](const Convention& other) { return other.base == one.base; }) == 1;
    };
    if (std::all_of(found.begin(), found.end(), alike)) {
        std::string same;
        for (std::size_t i = 1; i < found.size(); ++i)
            same += fmt::format("{}{}, b = {:.10g}", i > 1 ? "; " : "", width(found[i]), found[i].base);
        if (same.empty()) return Problem{"numbers.convention", {{"convention", said(found.front())}}};
        return Problem{"numbers.convention_same", {{"convention", said(found.front())}, {"same", same}}};
    }
    std::string some;
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 3); ++i)
        some += (i > 0 ? "; " : "") + said(found[i]);
    return Problem{"numbers.conventions",
                   {{"count", found.size() < kMostFound ? std::to_string(found.size())
                                                        : fmt::format("> {}", kMostFound)},
                    {"conventions", some}}};
}

}  // namespace posiscope::measuring
