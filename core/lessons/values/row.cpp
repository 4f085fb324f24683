// row.cpp — the ids of a row of tokens, as its newest query meets them; and its cache.
#include "core/lessons/values/value_tables.hpp"

#include "core/positions/positions.hpp"
#include "core/precision/precision.hpp"
#include "core/scores/stale.hpp"

#include <algorithm>
#include <array>

namespace posiscope::lessons {
namespace {

// The later one of p and p + k asks, the earlier one is the key.
std::int64_t newest(const Scene& scene) { return std::max(scene.position, scene.position + scene.offset); }
std::int64_t marked(const Scene& scene) { return std::min(scene.position, scene.position + scene.offset); }

template <auto Member>
Result<double> counted(const Scene& scene) {
    if (newest(scene) >= kFarthest) return no_value("row");
    return static_cast<double>(count_row(Row::in(scene.view), newest(scene)).*Member);
}
Result<double> query_id(const Scene& scene) {
    return static_cast<double>(Row::in(scene.view).query_used(newest(scene))[0]);
}
Result<double> meant_id(const Scene& scene) {
    return static_cast<double>(Row::in(scene.view).query_should(newest(scene))[0]);
}
Result<double> used_distance(const Scene& scene) {
    return static_cast<double>(Row::in(scene.view).pair(newest(scene), marked(scene)).used[0]);
}
Result<double> meant_distance(const Scene& scene) {
    return static_cast<double>(Row::in(scene.view).pair(newest(scene), marked(scene)).should[0]);
}

template <double StaleScore::*Score>
Result<double> stale(const Scene& scene) {
    auto scores = StaleScores::of(scene, newest(scene), Row::in(scene.view).first_decoded());
    if (!scores) return tl::unexpected(scores.error());
    return scores->at(marked(scene)).map([](const StaleScore& score) { return score.*Score; });
}

// The error of a key after a thousand shifts by the offset.
template <Precision Format>
Result<double> shifted(const Scene& scene) {
    constexpr std::size_t shifts = 1000, pairs = 256;
    return of_spectrum(scene, [&](const Spectrum& spectrum) -> Result<double> {
        if (spectrum.pairs() > pairs) return no_value("cache");
        return shifted_errors(spectrum, Format, scene.offset, shifts + 1).back();
    });
}

constexpr std::array kRowValues = {
    Value{"row.id", false, query_id},
    Value{"row.meant_id", false, meant_id},
    Value{"row.distance", false, used_distance},
    Value{"row.meant_distance", false, meant_distance},
    Value{"row.keys", false, counted<&RowCount::keys>},
    Value{"row.off", false, counted<&RowCount::off>},
    Value{"row.wrong_rows", false, counted<&RowCount::rows_off>},
    Value{"row.leaks", false, counted<&RowCount::leaks>},
    Value{"row.evicted", false, counted<&RowCount::evicted>},
    Value{"cache.stale", false, stale<&StaleScore::stale>},
    Value{"cache.anew", false, stale<&StaleScore::anew>},
    Value{"cache.float32", true, shifted<Precision::float32>},
    Value{"cache.float16", true, shifted<Precision::float16>},
    Value{"cache.bfloat16", true, shifted<Precision::bfloat16>},
};

}  // namespace

std::span<const Value> row_values() { return kRowValues; }

}  // namespace posiscope::lessons
