#include "core/recognise/bias.hpp"

#include "core/encodings/encodings.hpp"
#include "core/recognise/candidate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace posiscope::recognition {
namespace {

constexpr std::int64_t kMostHeads = 256;
constexpr double kMasked = 5000.0;  // biases this far below are a mask

// 2^(−8k/P) for the largest power of two P up to n, then odd terms of the
// series of 2P.
std::vector<double> slopes(std::int64_t heads) {
    const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(heads)));
    std::vector<double> made;
    for (std::int64_t k = 1; k <= power; ++k)
        made.push_back(std::exp2(-8.0 * static_cast<double>(k) / static_cast<double>(power)));
    for (std::int64_t k = 1; k <= heads - power; ++k)
        made.push_back(std::exp2(-4.0 * static_cast<double>(2 * k - 1) / static_cast<double>(power)));
    return made;
}

// The slope of each head, or nothing where a head's bias is not a slope times a
// distance.
struct Slopes {
    std::vector<double> values;
    bool upwards = false;  // the bias grows with the distance
};

// Of one head: rows of queries, columns of keys; one row: slopes times the
// key's position.
std::optional<double> slope_of(std::span<const double> head, std::int64_t rows, std::int64_t columns,
                               const Precision& precision) {
    const auto at = [&](std::int64_t r, std::int64_t c) {
        return head[static_cast<std::size_t>(r * columns + c)];
    };
    if (columns < 3) return std::nullopt;
    const std::int64_t last = rows == 1 ? columns - 1 : rows - 1;
    const double slope = (at(rows - 1, last) - at(rows - 1, 0)) / static_cast<double>(last);
    double largest = 0.0;
    for (std::int64_t c = 0; c < columns; ++c) largest = std::max(largest, std::abs(at(rows - 1, c)));
    const double allowed = precision.absolute + largest * (2.1 * precision.relative + 1e-6);  // of both ends
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c) {
            if (!(at(r, c) > -kMasked)) continue;
            const double wanted =
                rows == 1 ? slope * static_cast<double>(c) : -slope * static_cast<double>(r - c);
            const bool later = rows > 1 && c > r;
            const double off = std::abs(at(r, c) - (at(rows - 1, 0) + slope * static_cast<double>(c)));
            const double close = std::abs(at(r, c) - wanted), mirrored = std::abs(at(r, c) + wanted);
            if (!(std::min(close, rows == 1 ? off
                                  : later   ? std::min(mirrored, std::abs(at(r, c)))
                                            : close) <= allowed))
                return std::nullopt;
        }
    return slope;
}

std::optional<Slopes> slopes_in(const StoredTensor& dump, const Precision& precision) {
    const auto shape = squeezed(dump);
    if (shape.size() == 1)
        return shape[0] <= kMostHeads ? std::optional(Slopes{dump.values, false}) : std::nullopt;
    std::int64_t heads = 1, rows = 1, columns = 1;
    if (shape.size() == 3) heads = shape[0], rows = shape[1], columns = shape[2];
    else if (shape.size() == 2 && shape[0] == shape[1]) rows = shape[0], columns = shape[1];
    else if (shape.size() == 2) heads = shape[0], columns = shape[1];
    else return std::nullopt;
    if (heads > kMostHeads || (rows > 1 && rows != columns)) return std::nullopt;
    Slopes made;
    const auto each = static_cast<std::size_t>(rows * columns);
    for (std::int64_t h = 0; h < heads; ++h) {
        const auto slope = slope_of({dump.values.data() + static_cast<std::size_t>(h) * each, each}, rows,
                                    columns, precision);
        if (!slope || *slope == 0.0) return std::nullopt;
        made.values.push_back(std::abs(*slope));
        if (h == 0) made.upwards = *slope < 0.0;
    }
    return made;
}

Likeness likeness(const char* slip, const Difference& off, std::int64_t heads, std::int64_t other) {
    Likeness made;
    made.key = "alibi/" + std::string(slip) + "/" + std::to_string(other);
    made.what = {"recognised.alibi", {{"heads", std::to_string(heads)}}};
    if (*slip != '\0')
        made.slips.push_back({"slip." + std::string(slip),
                              {{"heads", std::to_string(heads)}, {"other", std::to_string(other)}}});
    made.largest = off.largest;
    made.row = off.row;
    return made;
}

}  // namespace

void look_for_bias(const StoredTensor& dump, const Precision& precision, std::span<const Scene> config,
                   std::vector<Likeness>& found) {
    const auto read = slopes_in(dump, precision);
    if (!read || read->values.empty()) return;
    if (precision.absolute > 1e-3) return;  // a text of two decimals fits any slopes
    const auto heads = static_cast<std::int64_t>(read->values.size());
    std::int64_t meant = heads;
    for (const Scene& scene : config)
        if (encoding_of(scene).slopes) meant = scene.num_heads;
    const auto fits = [&](std::vector<double> wanted, const char* slip, std::int64_t other) {
        const Difference off = compare(read->values, wanted, precision);
        if (!off.fits) return false;
        found.push_back(likeness(read->upwards ? "alibi_sign" : slip, off, heads, other));
        return true;
    };
    if (heads == 1) {  // one head says little: which head of which count
        if (std::abs(read->values[0] - 0.5) < 1e-3)
            fits(slopes(8).front() == 0.5 ? std::vector{0.5} : slopes(1), "", 8);
        return;
    }
    std::vector<double> right = slopes(meant);
    right.resize(std::min(right.size(), read->values.size()));
    if (fits(right, meant == heads ? "" : "alibi_heads_cut", meant)) return;
    std::vector<double> naive, reversed(right.rbegin(), right.rend());
    for (std::int64_t k = 1; k <= heads; ++k)
        naive.push_back(std::exp2(-8.0 * static_cast<double>(k) / static_cast<double>(heads)));
    if (fits(naive, "alibi_naive", heads)) return;
    if (fits(reversed, "alibi_reversed", heads)) return;
    std::vector<double> from_zero, doubled;
    for (std::int64_t k = 1; k <= heads; ++k) {
        const double part = static_cast<double>(k) / static_cast<double>(heads);
        from_zero.push_back(std::exp2(-8.0 * (part - 1.0 / static_cast<double>(heads))));
        doubled.push_back(std::exp2(-16.0 * part));
    }
    if (fits(from_zero, "alibi_from_zero", heads)) return;
    if (fits(doubled, "alibi_exponent", heads)) return;
    for (std::int64_t other = 2; other <= kMostHeads; ++other) {
        if (other == heads) continue;
        std::vector<double> wanted = slopes(other);
        if (other < heads) continue;
        wanted.resize(static_cast<std::size_t>(heads));
        if (fits(std::move(wanted), "alibi_heads", other)) return;
    }
}

}  // namespace posiscope::recognition
