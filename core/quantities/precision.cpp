// precision.cpp — the angle p·ω in number formats smaller than float64 (core/precision).
// precision  position[32] = 1, 2, 4, … 2^30, 2^31 − 1; float32, tf32, bfloat16, float16[32, r/2], |φ̃ − pω| there in radians;
//            stages[4, 4, r/2] at the Scene's position: formats in that order × inverse frequency, position, product and
//            cos/sin, signed but the last; table_error[4], the largest error of that row of cos and sin; reach[4], the
//            position from which rounding may cost a pair more than 0.01 rad; score_off[4], the first position p at which
//            the score (a logit for rotary encodings, else the dot product) of query p + k and key p is off by more than
//            0.01, and score_searched[4], up to where all were looked at; first_off[4, 2], the first position at which an
//            angle is, and the pair that is furthest off there; null: never, and elsewhere past the format's largest.
// trace      sine, cosine[5, 9] of the Scene's pair at its position: exact, then each format × frequency, position, angle,
//            turns, reduced angle, value, stored value, contribution to the score at the offset, score.
#include "core/encodings/sinusoidal.hpp"
#include "core/precision/trace.hpp"
#include "core/quantities/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope {
namespace {

constexpr std::int64_t kPositions = 32;
constexpr double kOff = 0.01;  // radians, and of a score

ScoreForm shown_form(const Scene& scene, const Spectrum& spectrum) {
    const bool rotary = encoding_of(scene).acts == Acts::query_key;
    return score_form(scene, spectrum, rotary ? ScoreKind::logit : ScoreKind::dot);
}

Result<std::vector<Shape>> precision_shapes(const Scene& scene) {
    return steady_pairs(scene, "precision").map([](std::int64_t pairs) {
        std::vector<Shape> made{{"position", {kPositions}, "positions"}};
        for (const Precision precision : precisions())
            made.push_back({precision_name(precision), {kPositions, pairs}, "rad"});
        const auto formats = static_cast<std::int64_t>(precisions().size());
        made.push_back({"stages", {formats, 4, pairs}, "rad"});
        made.push_back({"table_error", {formats}});
        made.push_back({"reach", {formats}, "positions"});
        made.push_back({"score_off", {formats}, "positions"});
        made.push_back({"first_off", {formats, 2}});
        made.push_back({"score_searched", {formats}, "positions"});
        return made;
    });
}

Result<void> fill_precision(const Scene& scene, std::span<Array> arrays) {
    const auto spectrum = steady_spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    const std::size_t pairs = spectrum->pairs();
    const ScoreForm form = shown_form(scene, *spectrum);
    for (std::size_t row = 0; row < kPositions; ++row) {
        const std::int64_t position = std::min(std::int64_t{1} << row, kLastPosition);
        arrays[0].values[row] = static_cast<double>(position);
        for (std::size_t format = 0; format < precisions().size(); ++format)
            for (std::size_t i = 0; i < pairs; ++i)
                arrays[1 + format].values[row * pairs + i] =
                    std::abs(phase_error(spectrum->frequency[i], position, precisions()[format]).total());
    }
    auto stage = arrays[5].values.begin();
    for (std::size_t format = 0; format < precisions().size(); ++format) {
        std::vector<PhaseError> errors;
        for (const double omega : spectrum->frequency)
            errors.push_back(phase_error(omega, scene.position, precisions()[format]));
        for (const auto member : {&PhaseError::inverse_frequency, &PhaseError::position, &PhaseError::product,
                                  &PhaseError::value})
            for (const PhaseError& error : errors) *stage++ = error.*member;
        arrays[6].values[format] = table_error(*spectrum, scene.position, precisions()[format]);
        double reach = std::numeric_limits<double>::infinity();
        for (const double omega : spectrum->frequency)
            reach = std::min(reach, first_position_beyond(omega, precisions()[format], kOff));
        arrays[7].values[format] = std::ceil(reach);
        const auto off = first_score_off(form, *spectrum, scene.offset, precisions()[format], kOff);
        arrays[8].values[format] =
            off.first ? static_cast<double>(*off.first) : std::numeric_limits<double>::quiet_NaN();
        arrays[10].values[format] = static_cast<double>(off.searched);
        const auto first = first_pair_off(*spectrum, precisions()[format], kOff);
        arrays[9].values[2 * format] =
            first ? static_cast<double>(first->position) : std::numeric_limits<double>::quiet_NaN();
        arrays[9].values[2 * format + 1] =
            first ? static_cast<double>(first->pair) : std::numeric_limits<double>::quiet_NaN();
    }
    return {};
}

Result<std::vector<Shape>> trace_shapes(const Scene& scene) {
    if (auto problem = at_padding(scene)) return tl::unexpected(std::move(*problem));
    return steady_pairs(scene, "trace").map([](std::int64_t) {
        const auto rows = static_cast<std::int64_t>(precisions().size()) + 1;
        return std::vector<Shape>{{"sine", {rows, 9}}, {"cosine", {rows, 9}}};
    });
}

Result<void> fill_trace(const Scene& scene, std::span<Array> arrays) {
    const auto spectrum = steady_spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    const ScoreForm form = shown_form(scene, *spectrum);
    for (const bool sine : {true, false}) {
        const TraceOf of{static_cast<std::size_t>(scene.pair), sine, scene.position, scene.offset};
        auto value = arrays[sine ? 0 : 1].values.begin();
        const auto write = [&](const TraceSteps& s) {
            for (const double step :
                 {s.frequency, s.position, s.angle, s.turns, s.reduced, s.value, s.stored, s.share, s.score})
                *value++ = step;
        };
        write(exact_trace(of, *spectrum, &form));
        for (const Precision precision : precisions()) write(rounded_trace(of, *spectrum, &form, precision));
    }
    return {};
}

}  // namespace

extern const Quantity kPrecision{"precision", precision_shapes, fill_precision};
extern const Quantity kTrace{"trace", trace_shapes, fill_trace};

}  // namespace posiscope
