#include "core/measure/report.hpp"

#include "core/measure/bias.hpp"
#include "core/measure/buckets.hpp"
#include "core/measure/partners.hpp"
#include "core/numeric/bits.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace posiscope::measuring {
namespace {

constexpr double kMostJoined = 0.9;  // of the numbers: others may be damaged

// The bits of a float16 that holds this value.
std::uint16_t half_bits(double value) {
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    value = std::abs(value);
    if (value == 0.0) return sign;
    if (!std::isfinite(value))
        return static_cast<std::uint16_t>(sign | (std::isnan(value) ? 0x7e00 : 0x7c00));
    int exponent = 0;
    std::frexp(value, &exponent);
    if (exponent < -13)
        return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::ldexp(value, 24)));
    const auto fraction = static_cast<std::uint16_t>(std::ldexp(value, 11 - exponent)) & 0x3ff;
    return static_cast<std::uint16_t>(sign | ((exponent + 14) << 10) | fraction);
}

StoredTensor without_numbers(const StoredTensor& dump) {
    return {dump.name, dump.dtype, dump.shape, {}, dump.cropped};
}

}  // namespace

NameSays name_says(std::string_view name) {
    const auto slash = name.find_last_of('/');
    if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
    return {name.find("cos") != std::string_view::npos, name.find("sin") != std::string_view::npos};
}

std::optional<StoredTensor> joined(const StoredTensor& a, const StoredTensor& b) {
    const std::vector<std::int64_t> shape = squeezed(a);
    if (shape != squeezed(b) || shape.empty() || a.values.size() != b.values.size()) return std::nullopt;
    constexpr std::size_t kMostLooked = 1 << 16;
    std::vector<double> squares;
    for (std::size_t i = 0, step = a.values.size() / kMostLooked + 1; i < a.values.size(); i += step)
        if (a.values[i] != 0.0 || b.values[i] != 0.0)  // of rows that hold no position
            squares.push_back(a.values[i] * a.values[i] + b.values[i] * b.values[i]);
    if (squares.empty()) return std::nullopt;
    std::vector<double> middle = squares;
    std::nth_element(middle.begin(), middle.begin() + static_cast<std::ptrdiff_t>(middle.size() / 2),
                     middle.end());
    const double mean = middle[middle.size() / 2];
    const auto good =
        std::ranges::count_if(squares, [&](double q) { return std::abs(q - mean) <= 0.05 * mean; });
    if (!(mean > 0.0) || static_cast<double>(good) < kMostJoined * static_cast<double>(squares.size()))
        return std::nullopt;
    StoredTensor made{fmt::format("{}, {}", a.name, b.name), a.dtype, {2}, a.values, false};
    if (shape.size() == 1) made.shape.push_back(1);
    made.shape.insert(made.shape.end(), shape.begin(), shape.end());
    made.values.insert(made.values.end(), b.values.begin(), b.values.end());
    return made;
}

namespace {

// The same bits as another type, or in the other byte order; nothing for types that have no other reading.
std::optional<StoredTensor> read_otherwise(const StoredTensor& dump, bool swapped) {
    StoredTensor made = dump;
    double most = 0.0;
    for (double& value : made.values) {
        if (swapped && dump.dtype == "float32") {
            value = static_cast<double>(
                bits_as<float>(__builtin_bswap32(bits_as<std::uint32_t>(static_cast<float>(value)))));
        } else if (swapped && dump.dtype == "float64") {
            value = bits_as<double>(__builtin_bswap64(bits_as<std::uint64_t>(value)));
        } else if (!swapped && (dump.dtype == "float16" || dump.dtype == "bfloat16")) {
            std::uint16_t bits = 0;
            if (dump.dtype == "bfloat16")
                bits = static_cast<std::uint16_t>(bits_as<std::uint32_t>(static_cast<float>(value)) >> 16);
            else bits = half_bits(value);
            value = dump.dtype == "float16" ? from_bfloat(bits) : from_half(bits);
        } else {
            return std::nullopt;
        }
        if (!(std::abs(value) < 1e6)) return std::nullopt;
        most = std::max(most, std::abs(value));
    }
    if (most < 0.5) return std::nullopt;  // of a table some number is near 1; near 0 all is position 0
    if (!swapped) made.dtype = dump.dtype == "float16" ? "bfloat16" : "float16";
    return made;
}

}  // namespace

Report report_on(const StoredTensor& dump, Wanted wanted) {
    const NameSays says = name_says(dump.name);
    wanted.named_cosine = says.cosine, wanted.named_sine = says.sine;
    if (auto buckets = measure_buckets(dump)) return report_of(dump, std::move(*buckets));
    Report made = report_of(dump, measure(dump, wanted));
    if (dump.cropped && dump.row() > 0)
        made.notes.push_back(
            {"recognised.cropped",
             {{"rows", std::to_string(static_cast<std::int64_t>(dump.values.size()) / dump.row())}}});
    if (made.measured.verdict != Verdict::unknown) return made;
    for (const bool swapped : {true, false}) {
        const auto other = read_otherwise(dump, swapped);
        if (!other) continue;
        Measured measured = measure(*other, wanted);
        // Reading makes other numbers of those that were no numbers.
        if (measured.verdict != Verdict::right &&
            !(measured.verdict == Verdict::wrong && measured.given && measured.explained > 0.9))
            continue;
        if (measured.verdict == Verdict::wrong) measured.findings.clear();
        measured.findings.push_back(
            {swapped ? Problem{"measured.other_bytes", {}}
                     : Problem{"measured.other_half", {{"found", other->dtype}, {"dtype", dump.dtype}}},
             true});
        measured.verdict = Verdict::wrong;
        made.measured = std::move(measured);
        break;
    }
    return made;
}

Report report_of(const StoredTensor& dump, Measured measured) {
    return {dump.name, without_numbers(dump), std::move(measured), {}};
}

std::optional<Report> report_on_both(const StoredTensor& a, const StoredTensor& b, const Wanted& wanted,
                                     Together together) {
    auto both = together == Together::rotation ? std::nullopt : joined(a, b);
    if (!both) {
        if (together == Together::table) return std::nullopt;
        auto rotation = measure_rotation(a, b, wanted);
        if (!rotation) return std::nullopt;
        // Tables turn into each other, too: two that are known by themselves are no q before and after.
        if (together == Together::either && rotation->verdict == Verdict::wrong &&
            report_on(a, wanted).measured.verdict != Verdict::unknown &&
            report_on(b, wanted).measured.verdict != Verdict::unknown)
            return std::nullopt;
        Report made{fmt::format("{} → {}", a.name, b.name), without_numbers(a), std::move(*rotation), {}};
        return made;
    }
    const NameSays first = name_says(a.name), second = name_says(b.name);
    const bool named =
        first.cosine != first.sine && second.cosine != second.sine && first.cosine != second.cosine;
    if (named && first.sine) both = joined(b, a);
    const auto sine_first = [](Measured& one) {
        return std::ranges::find(one.findings, "measured.sine_first",
                                 [](const Finding& f) { return f.said.key; });
    };
    Wanted of_both = wanted;
    const Precision own = precision_of(a), other = precision_of(b);
    of_both.precision = own.half_unit(1.0) > other.half_unit(1.0) ? own : other;
    Report made{both->name, without_numbers(*both), measure(*both, of_both), {{"measured.joined", {}}}};
    // The order of cos and sin is a fault only where their names say it.
    if (const auto found = sine_first(made.measured); found != made.measured.findings.end()) {
        if (named) {
            *found = {{"measured.names_exchanged", {}}, true};
            made.measured.verdict = Verdict::wrong;
        } else {
            made.measured.findings.erase(found);
            if (std::ranges::none_of(made.measured.findings, &Finding::wrong) &&
                made.measured.verdict == Verdict::wrong)
                made.measured.verdict = Verdict::right;
        }
    }
    if (made.measured.verdict == Verdict::unknown) return std::nullopt;
    return made;
}

namespace {

// The rows that have ids, where each after them is zeros, position 0 or the last one again: a captured graph's, past the batch.
std::optional<StoredTensor> batch_of(const StoredTensor& dump, const Wanted& wanted) {
    if (dump.shape.size() != 2 || wanted.ids.size() != 1 || wanted.ids[0].empty()) return std::nullopt;
    const auto rows = static_cast<std::int64_t>(wanted.ids[0].size());
    const std::int64_t columns = dump.shape[1];
    if (rows >= dump.shape[0] || dump.cropped) return std::nullopt;
    const auto row = [&](std::int64_t r) {
        return std::span(dump.values)
            .subspan(static_cast<std::size_t>(r * columns), static_cast<std::size_t>(columns));
    };
    for (std::int64_t r = rows; r < dump.shape[0]; ++r) {
        const bool still = std::ranges::all_of(row(r), [](double x) { return x == 0.0 || x == 1.0; });
        if (!still && !std::ranges::equal(row(r), row(rows - 1))) return std::nullopt;
    }
    StoredTensor made = dump;
    made.shape[0] = rows;
    made.values.resize(static_cast<std::size_t>(rows * columns));
    return made;
}

}  // namespace

Result<Report> report_on_all(std::span<const StoredTensor> arrays, const Wanted& wanted,
                             std::span<const Scene> scenes) {
    if (arrays.size() == 2) {
        auto both = report_on_both(arrays[0], arrays[1], wanted, Together::either);
        return both ? Result<Report>(std::move(*both)) : failure("measured.apart");
    }
    if (auto problem = unfit(arrays[0], wanted)) {
        const auto batch = batch_of(arrays[0], wanted);
        if (!batch) return tl::unexpected(std::move(*problem));
        Report made = report_on(*batch, wanted);
        made.notes.push_back(
            {"measured.graph_rows", {{"count", std::to_string(arrays[0].shape[0] - batch->shape[0])}}});
        return made;
    }
    if (auto bias = measure_bias(arrays[0], scenes)) return report_of(arrays[0], std::move(*bias));
    return report_on(arrays[0], wanted);
}

}  // namespace posiscope::measuring
