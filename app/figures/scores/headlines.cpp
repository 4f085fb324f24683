// headlines.cpp — the sentence over the Scores figure: what each mode shows, and by how much a shift of both positions changes
// it.
#include "app/figures/scores/scores.hpp"

#include "app/figures/parts/headline.hpp"

#include "app/figures/parts/sentence.hpp"
#include "app/figures/parts/stored.hpp"
#include "app/figures/parts/text.hpp"

#include <bit>

namespace posiscope::figures::scores {
namespace {

std::string_view headline_of_weight(Frame& f, const Curves& curves) {
    ui::Scratch& s = f.scratch;
    const auto back = std::llround(curves.largest_at);
    const std::string_view most = ui::significant(s, curves.most, 3),
                           least = ui::significant(s, curves.least, 3);
    return f.format(most == least ? "scores.headline_weight_same"
                    : back == 0   ? "scores.headline_weight_self"
                                  : "scores.headline_weight",
                    fmt::arg("query", ui::integer(s, f.scene.length - 1)), fmt::arg("most", most),
                    fmt::arg("where", ui::integer(s, back)), fmt::arg("least", least));
}

// The mean and its spread at the distance nearest to the offset of those that were taken.
std::string_view headline_of_seeds(Frame& f, const Curves& curves) {
    ui::Scratch& s = f.scratch;
    const auto column = curves.column_of(f.scene.offset);
    if (!column) return {};
    return f.format("scores.headline_seeds", fmt::arg("seeds", curves.seeds),
                    fmt::arg("offset", ui::signed_integer(s, std::llround(curves.at[*column]))),
                    fmt::arg("mean", ui::significant(s, curves.curves.front().values[*column], 2)),
                    fmt::arg("deviation", ui::significant(s, curves.deviation[*column], 2)));
}

struct BoundKey {
    Kept<Rates> rates;
    std::int64_t distance;
    bool operator==(const BoundKey&) const = default;
};

std::string_view headline_of_envelope(Frame& f) {
    ui::Scratch& s = f.scratch;
    constexpr std::array<std::int64_t, 3> kAt = {256, 4096, 131072};
    std::array<double, 3> bound{};
    for (std::size_t i = 0; i < kAt.size(); ++i)
        bound[i] = f.derived.part<Few<BoundKey, double, kAt.size()>>().get(
            {f.derived.rates(f.scene), kAt[i]},
            [](const BoundKey& key) { return envelope(**key.rates, key.distance); });
    return f.format(bound[2] > bound[1] && bound[1] < bound[0] ? "scores.headline_envelope_back"
                                                               : "scores.headline_envelope",
                    fmt::arg("a", ui::significant(s, bound[0], 3)),
                    fmt::arg("b", ui::significant(s, bound[1], 3)),
                    fmt::arg("c", ui::significant(s, bound[2], 3)));
}

// The largest |score| at distances 0 … last of what is drawn, and past them to `end`.
struct Reaches {
    double within = 0.0, beyond = 0.0;
};
Reaches reaches(const Curves& curves, std::int64_t last, std::int64_t end) {
    Reaches made;
    const Curve& curve = curves.curves.front();
    for (std::size_t i = 0; i < curves.at.size(); ++i) {
        if (curves.at[i] < 0.0 || curves.at[i] > static_cast<double>(end)) continue;
        const bool seen = curves.at[i] <= static_cast<double>(last);
        // A column across the border has its first distance alone counted.
        const double to = curves.at[i] + static_cast<double>(curves.stride - 1);
        const bool across = to > static_cast<double>(seen ? last : end) || curve.band.empty();
        const double value = across ? std::abs(curve.values[i])
                                    : std::max(std::abs(curve.band[2 * i]), std::abs(curve.band[2 * i + 1]));
        if (!std::isfinite(value)) continue;
        double& most = seen ? made.within : made.beyond;
        most = std::max(most, value);
    }
    return made;
}

// Names the distance at which a score that training bounded breaks out, and B's effect on it.
std::string_view headline_beyond(Frame& f, Mode mode, const Curves& a, const Curves* b) {
    if ((mode != Mode::dot && mode != Mode::logit) || !f.scene.trained.length) return {};
    const Lengths lengths = lengths_of(f);
    const std::int64_t last = lengths.trained - 1, end = lengths.now - 1;
    const Reaches of_a = reaches(a, last, end);
    if (end <= last || of_a.beyond <= of_a.within) return {};
    ui::Scratch& s = f.scratch;
    const Reaches of_b = b != nullptr ? reaches(*b, last, end) : Reaches{};
    return f.format(b != nullptr ? "scores.headline_beyond_both" : "scores.headline_beyond",
                    fmt::arg("last", ui::integer(s, last)), fmt::arg("end", ui::integer(s, end)),
                    fmt::arg("within", ui::significant(s, of_a.within, 3)),
                    fmt::arg("beyond", ui::significant(s, of_a.beyond, 3)),
                    fmt::arg("b", ui::significant(s, std::max(of_b.within, of_b.beyond), 3)));
}

// The sum over the rotated features; those that do not rotate are named beside it.
double sum_of_runs(Frame& f, std::int64_t offset) {
    const bool rotary = encoding_of(f.scene).acts == Acts::query_key;
    const ScoreForm& form = f.derived.score_form(f.scene, rotary ? ScoreKind::logit : ScoreKind::dot);
    return score_at(form, *f.derived.spectrum(f.scene), offset) - form.scale * form.constant;
}

}  // namespace

std::string_view scores_headline(Frame& f) {
    if (f.mode == "kinds") return kinds_headline(f);
    if (stored_absence(f, f.scene, f.derived) != nullptr) return {};
    if (f.mode == "biases") return biases_headline(f);
    ui::Scratch& s = f.scratch;
    const Mode mode = mode_named(f.mode);
    const AxisRange range = shown_range(f, mode);
    const Curves& curves = *curves_of(f.scene, f.derived, mode, range.from, range.to);
    if (curves.problem || curves.curves.empty()) return {};
    const std::int64_t offset = f.scene.offset;
    const double here = value_at(f.scene, f.derived, mode, curves, offset);
    const std::string_view at = ui::signed_integer(s, offset), value = ui::significant(s, here, 5);
    const Kept<Curves> b = curves_of_side(f, f.other, mode, range);
    if (const std::string_view said = headline_beyond(f, mode, curves, b.get()); !said.empty()) return said;
    if (b != nullptr && std::isfinite(here)) {
        const double of_b = value_at(f.other->scene, f.other->derived, mode, *b, offset);
        if (std::isfinite(of_b)) return both_headline(f, offset, here, of_b);
    }
    switch (mode) {
        case Mode::weight: return headline_of_weight(f, curves);
        case Mode::envelope: return headline_of_envelope(f);
        case Mode::shares:
            return f.format(
                "scores.headline_shares", fmt::arg("offset", at),
                fmt::arg("value", ui::significant(s, sum_of_runs(f, offset), 5)),
                fmt::arg("runs", ui::counted(s, static_cast<std::int64_t>(curves.curves.size()))));
        case Mode::seeds: return headline_of_seeds(f, curves);
        case Mode::all: {
            const int count = std::popcount(shown_of_all(f.scene, curves));
            if (!std::isfinite(here) || offset == 0)
                return f.format("scores.headline_all_alone", fmt::arg("count", count));
            return f.format(here == 0.0 ? "scores.headline_all_still" : "scores.headline_all",
                            fmt::arg("count", count),
                            fmt::arg("kind", encoding_name(f, f.scene.encoding.kind)), fmt::arg("offset", at),
                            fmt::arg("value", value));
        }
        default: break;
    }
    if (encodes_nothing(f.scene)) return f.text("scores.headline_none");
    if (!std::isfinite(here) && encoding_of(f.scene).slots.typed != nullptr)
        return f.format("scores.headline_no_value", fmt::arg("offset", at));
    if (circles(f) == nullptr ||
        (mode == Mode::logit && (curves.query || encoding_of(f.scene).logits.has_bias_or_scale)))
        return f.format(curves.query ? "scores.headline_query" : "scores.headline_logits",
                        fmt::arg("head", shown_head(f.scene)), fmt::arg("offset", at),
                        fmt::arg("value", value),
                        fmt::arg("query", ui::integer(s, curves.query.value_or(0))));
    const ScoreKind kind = mode == Mode::norm    ? ScoreKind::norm
                           : mode == Mode::logit ? ScoreKind::logit
                                                 : ScoreKind::dot;
    const bool rotary = encoding_of(f.scene).acts == Acts::query_key;
    const bool norm = kind == ScoreKind::norm;
    const std::string_view key = rotary ? (norm ? "scores.headline_norm_rotary" : "scores.headline_rotary")
                                        : (norm ? "scores.headline_norm" : "scores.headline");
    const Derived::Moved& moved = f.derived.shift_residual(f.scene, kind);
    if (moved.size == 0.0) return f.text(s.format("{}_exact", key));
    return f.format(key, fmt::arg("residual", ui::residual(s, moved.by, moved.size)));
}

}  // namespace posiscope::figures::scores
