#include "core/measure/buckets.hpp"

#include "core/encodings/relative.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace posiscope::measuring {
namespace {

constexpr std::int64_t kLeastDistances = 12;  // fewer distances are in buckets of their own

std::vector<T5Buckets> usual_buckets() {
    std::vector<T5Buckets> made;
    for (const std::int64_t count : {32, 64, 16, 320})
        for (const std::int64_t distance : {128, 256, 64, 800})
            for (const bool both : {true, false}) {
                T5Buckets one;
                one.num_buckets = count, one.max_distance = distance, one.bidirectional = both;
                if (distance > count / (both ? 4 : 2)) made.push_back(one);
            }
    return made;
}

ProblemValues values_of(const T5Buckets& buckets, std::int64_t heads) {
    return {{"sides", buckets.bidirectional ? "±" : "≤ 0"},
            {"count", std::to_string(buckets.num_buckets)},
            {"distance", std::to_string(buckets.max_distance)},
            {"heads", std::to_string(heads)}};
}

}  // namespace

std::optional<Measured> measure_buckets(const StoredTensor& dump) {
    std::vector<std::int64_t> shape = squeezed(dump);
    // A decode step has one query.
    if (dump.shape.size() > 2 && dump.shape[dump.shape.size() - 2] == 1 && shape.size() == 2)
        shape.insert(shape.begin() + 1, 1);
    if (shape.size() < 2 || shape.size() > 3) return std::nullopt;
    const std::int64_t heads = shape.size() == 3 ? shape[0] : 1, rows = shape[shape.size() - 2],
                       columns = shape.back();
    if ((rows < kLeastDistances && rows != 1) || columns < kLeastDistances) return std::nullopt;
    const auto at = [&](std::int64_t h, std::int64_t q, std::int64_t k) {
        return dump.values[static_cast<std::size_t>((h * rows + q) * columns + k)];
    };
    // The last query sees the last key.
    const std::int64_t ahead = columns - rows;
    Measured made;
    made.precision = precision_of(dump).name;
    made.rows = rows, made.slices = heads;
    made.explained = 1.0;
    const bool whole = std::ranges::all_of(
        dump.values, [](double x) { return x >= 0.0 && x == std::floor(x) && x < 1024.0; });
    if (whole && heads == 1) {
        for (const bool transposed : {false, true})
            for (const T5Buckets& buckets : usual_buckets()) {
                bool all = true;
                for (std::int64_t q = 0; q < rows && all; ++q)
                    for (std::int64_t k = 0; k < columns && all; ++k)
                        all = at(0, q, k) == static_cast<double>(
                                                 t5_bucket(buckets, (transposed ? -1 : 1) * (k - q - ahead)));
                if (!all) continue;
                made.what = {"measured.buckets", values_of(buckets, heads)};
                if (transposed) made.findings.push_back({{"measured.buckets_transposed", {}}, true});
                made.verdict = transposed ? Verdict::wrong : Verdict::right;
                if (!transposed) made.arithmetic = Arithmetic::exact;
                return made;
            }
        return std::nullopt;
    }
    for (const T5Buckets& buckets : usual_buckets())
        for (const bool transposed : {false, true}) {
            if (transposed && buckets.bidirectional) continue;  // its directions are alike
            bool all = true;
            std::size_t shared = 0;  // numbers that repeat those of another distance
            for (std::int64_t h = 0; h < heads && all; ++h) {
                std::map<std::int64_t, std::pair<double, std::int64_t>> of;
                for (std::int64_t q = 0; q < rows && all; ++q)
                    for (std::int64_t k = 0; k < columns && all; ++k) {
                        const double x = at(h, q, k);
                        if (x < -5000.0 && k - q - ahead > 0) continue;  // masked
                        const std::int64_t distance = (transposed ? -1 : 1) * (k - q - ahead);
                        const auto [place, fresh] = of.try_emplace(t5_bucket(buckets, distance), x, distance);
                        all = fresh || place->second.first == x;
                        shared += !fresh && place->second.second != distance ? 1 : 0;
                    }
                // Buckets that all hold one number say nothing, nor do those of one direction.
                const std::int64_t middle = buckets.bidirectional ? buckets.num_buckets / 2 : 0;
                for (const bool later : {false, true}) {
                    std::vector<double> numbers;
                    for (const auto& [bucket, value] : of)
                        if ((bucket >= middle) == later) numbers.push_back(value.first);
                    std::ranges::sort(numbers);
                    const auto distinct = std::unique(numbers.begin(), numbers.end()) - numbers.begin();
                    all = all &&
                          (numbers.size() < 3 || 2 * static_cast<std::size_t>(distinct) > numbers.size());
                }
            }
            if (!all || shared == 0) continue;
            made.what = {"measured.bucket_bias", values_of(buckets, heads)};
            if (transposed) made.findings.push_back({{"measured.buckets_transposed", {}}, true});
            made.verdict = transposed ? Verdict::wrong : Verdict::right;
            if (!transposed) made.arithmetic = Arithmetic::exact;
            return made;
        }
    return std::nullopt;
}

}  // namespace posiscope::measuring
