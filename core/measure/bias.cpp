#include "core/measure/bias.hpp"

#include "core/encodings/encodings.hpp"
#include "core/encodings/relative.hpp"
#include "core/measure/show.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace posiscope::measuring {
namespace {

constexpr std::int64_t kMostHeads = 256;
constexpr double kMasked = 5000.0;  // biases this far below are a mask

// The slope of each head, or nothing where a head's bias is not a slope times a
// distance.
struct Slopes {
    std::vector<double> values;
    bool upwards = false;  // the bias grows with the distance
    bool transposed = false;
    bool from_zero = false;  // of one query: its distances count up from 0
    std::int64_t last = 0;   // key
};

// The slope of one head: rows of queries, columns of keys; one row: slopes times the
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
    // Plus the slope times the key's position, in every row: under a softmax the same as minus the distance.
    const auto by_column = [&] {
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c)
                if (at(r, c) > -kMasked && !(std::abs(at(r, c) - slope * static_cast<double>(c)) <= allowed))
                    return false;
        return true;
    };
    if (rows > 1 && slope > 0.0 && by_column()) return slope;
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
    if (shape.size() == 1) return shape[0] <= kMostHeads ? std::optional(Slopes{dump.values}) : std::nullopt;
    std::int64_t heads = 1, rows = 1, columns = 1;
    if (shape.size() == 3) heads = shape[0], rows = shape[1], columns = shape[2];
    else if (shape.size() == 2 && shape[0] == shape[1]) rows = shape[0], columns = shape[1];
    else if (shape.size() == 2) heads = shape[0], columns = shape[1];
    else return std::nullopt;
    if (heads > kMostHeads || (rows > 1 && rows != columns)) return std::nullopt;
    Slopes made;
    const auto each = static_cast<std::size_t>(rows * columns);
    for (std::int64_t h = 0; h < heads; ++h) {
        const std::span<const double> head(dump.values.data() + static_cast<std::size_t>(h) * each, each);
        auto slope = slope_of(head, rows, columns, precision);
        if ((!slope || *slope == 0.0) && rows > 1 && (h == 0 || made.transposed)) {
            std::vector<double> turned(each);
            for (std::size_t n = 0; n < each; ++n)
                turned[n] = head[n % static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) +
                                 n / static_cast<std::size_t>(rows)];
            slope = slope_of(turned, rows, columns, precision);
            made.transposed = slope.has_value();
        }
        if (!slope || *slope == 0.0) return std::nullopt;
        made.values.push_back(std::abs(*slope));
        const double first = dump.values[static_cast<std::size_t>(h) * each];
        if (h == 0) made.from_zero = rows == 1 && *slope < 0.0 && first == 0.0;
        if (h == 0) made.upwards = *slope < 0.0 && !made.from_zero;
        made.last = columns - 1;
    }
    return made;
}

Measured measured_slopes(const char* slip, double largest, std::int64_t heads, std::int64_t other) {
    Measured made;
    made.what = {"recognised.alibi", {{"heads", text(heads)}}};
    if (*slip != '\0')
        made.findings.push_back(
            {{"slip." + std::string(slip), {{"heads", text(heads)}, {"other", text(other)}}}, true});
    made.verdict = *slip == '\0' ? Verdict::right : Verdict::wrong;
    if (made.verdict == Verdict::right) made.arithmetic = Arithmetic::exact;
    made.largest = largest;
    made.slices = heads;
    made.explained = 1.0;
    return made;
}

}  // namespace

std::optional<Measured> measure_bias(const StoredTensor& dump, std::span<const Scene> config) {
    const Precision precision = precision_of(dump);
    const auto read = slopes_in(dump, precision);
    if (!read || read->values.empty()) return std::nullopt;
    if (precision.absolute > 1e-3) return std::nullopt;  // a text of two decimals fits any slopes
    const auto heads = static_cast<std::int64_t>(read->values.size());
    std::int64_t meant = heads;
    for (const Scene& scene : config)
        if (encoding_of(scene).logits.slopes) meant = scene.num_heads;
    const auto fits = [&](std::span<const double> wanted, const char* slip,
                          std::int64_t other) -> std::optional<Measured> {
        double largest = 0.0;
        for (std::size_t h = 0; h < wanted.size(); ++h) {
            const double off = std::abs(read->values[h] - wanted[h]);
            if (!(off <= precision.absolute + wanted[h] * (1.02 * precision.relative + 1e-6)))
                return std::nullopt;
            largest = std::max(largest, off);
        }
        Measured made = read->from_zero ? measured_slopes("alibi_query_zero", largest, heads, read->last)
                                        : measured_slopes(read->transposed ? "alibi_transposed"
                                                          : read->upwards  ? "alibi_sign"
                                                                           : slip,
                                                          largest, heads, other);
        made.precision = precision.name;
        return made;
    };
    // One head says little: which head of which count.
    if (heads == 1)
        return std::abs(read->values[0] - 0.5) < 1e-3 ? fits(std::vector{0.5}, "", 8) : std::nullopt;
    std::vector<double> right = alibi_slopes(meant);
    if (right.size() < read->values.size()) return std::nullopt;
    right.resize(read->values.size());
    if (auto made = fits(right, meant == heads ? "" : "alibi_heads_cut", meant)) return made;
    std::vector<double> naive, from_zero, doubled;
    for (std::int64_t k = 1; k <= heads; ++k) {
        const double part = static_cast<double>(k) / static_cast<double>(heads);
        naive.push_back(std::exp2(-8.0 * part));
        from_zero.push_back(std::exp2(-8.0 * (part - 1.0 / static_cast<double>(heads))));
        doubled.push_back(std::exp2(-16.0 * part));
    }
    if (auto made = fits(naive, "alibi_naive", heads)) return made;
    if (auto made = fits(std::vector(right.rbegin(), right.rend()), "alibi_reversed", heads)) return made;
    if (auto made = fits(from_zero, "alibi_from_zero", heads)) return made;
    if (auto made = fits(doubled, "alibi_exponent", heads)) return made;
    for (std::int64_t other = heads + 1; other <= kMostHeads; ++other) {
        std::vector<double> wanted = alibi_slopes(other);
        wanted.resize(static_cast<std::size_t>(heads));
        if (auto made = fits(wanted, "alibi_heads", other)) return made;
    }
    return std::nullopt;
}

}  // namespace posiscope::measuring
