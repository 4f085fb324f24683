// key_scores.cpp — the score of each key for the newest query, at the distance that it should have and at the one it has by its
// id. Encodings that add rows of a table take those of both ids instead.
// stale    keys as they were rotated when they came, and rotated anew, for q = k = 1 (core/scores/stale.hpp)
// shifts   the rounding of a cache that rotates its keys again and again (shifts.cpp)
#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/stored.hpp"
#include "app/figures/positions/positions.hpp"
#include "app/plot/plot.hpp"
#include "core/attention/attention.hpp"
#include "core/cost.hpp"
#include "core/scores/stale.hpp"

#include <functional>
#include <limits>

namespace posiscope::figures {
namespace key_scores_figure {
namespace {

using namespace rows;

constexpr std::int64_t kMostKeys = 512;  // the nearest ones

struct KeyScore {
    std::int64_t key, place;
    double should, used;  // NaN where the query does not see it, or should not
};
struct KeyScores {
    std::optional<Problem> problem;
    std::vector<KeyScore> keys;  // the farthest first
    double least = 0.0, most = 1.0;
    bool stale = false;  // the spectrum is another than when the first key was stored
};
struct KeyScoresKey {
    Kept<ScoreInput> input;
    Kept<Json> ids;
    std::int64_t step, head;
    std::int64_t key = 0;  // that is marked, where not all are drawn
    bool stale = false;
    bool operator==(const KeyScoresKey&) const = default;
};
struct Scored {
    Slow<KeyScoresKey, KeyScores> scores, stale;
    Kept<KeyScores> shown, stale_shown;
};

bool is_stale(const Frame& f) { return f.mode == "stale"; }

// The logits of one side: of a distance, or of a query and a key in a table.
class ScoreSide {
public:
    static Result<ScoreSide> of(const ScoreInput& scene, std::int64_t head, std::int64_t query) {
        ScoreSide side;
        auto by_distance = DistanceLogit::of(scene, head);
        if (!by_distance) {
            by_distance = DistanceLogit::of(scene, head, query);
            side.query_ = query;
        }
        if (!by_distance) return tl::unexpected(by_distance.error());
        side.logit_ = std::move(*by_distance);
        return side;
    }
    double at(std::int64_t distance, std::int64_t key) {
        return logit_->at(query_ ? *query_ - key : distance);
    }

private:
    std::optional<DistanceLogit> logit_;
    std::optional<std::int64_t> query_;
};

void fit_range(KeyScores& made) {
    made.least = std::numeric_limits<double>::infinity(), made.most = -made.least;
    for (const KeyScore& one : made.keys)
        for (const double value : {one.should, one.used})
            if (can_be_drawn(value))
                made.least = std::min(made.least, value), made.most = std::max(made.most, value);
    if (!(made.least <= made.most)) made.least = 0.0, made.most = 1.0;
    // Around scores that are all the same there is room, too.
    const double span = made.most - made.least, size = std::max(std::abs(made.least), std::abs(made.most));
    const double pad = span > 1e-4 * size ? 0.06 * span : std::max(0.1 * size, 0.5);
    made.least -= pad, made.most += pad;
}

// For a row read in order, each key with the spectrum of its time; for a long one every few tokens, and the marked one.
KeyScores stale_scores_of(const KeyScoresKey& of) {
    KeyScores made;
    auto scores = StaleScores::of(*of.input, of.step, Row::in({{"ids", *of.ids}}).first_decoded());
    if (!scores) {
        made.problem = scores.error();
        return made;
    }
    const std::int64_t stride = of.step / kMostKeys + 1;
    for (std::int64_t i = 0; i <= of.step; ++i) {
        if (i % stride != 0 && i != of.key && i != of.step) {
            i = std::min({i + stride - i % stride, i < of.key ? of.key : of.step, of.step});
        }
        const auto score = scores->at(i);
        if (!score) {
            made.problem = score.error();
            return made;
        }
        made.keys.push_back({i, of.step - i, score->anew, score->stale});
    }
    fit_range(made);
    return made;
}

KeyScores scores_of(const KeyScoresKey& of) {
    if (of.stale) return stale_scores_of(of);
    const ScoreInput& scene = *of.input;
    const Row row = Row::in_layer({{"ids", *of.ids}}, scene);
    KeyScores made;
    auto should = ScoreSide::of(scene, of.head, row.query_should(of.step)[0]),
         used = ScoreSide::of(scene, of.head, row.query_used(of.step)[0]);
    for (const auto* side : {&should, &used})
        if (!*side) {
            made.problem = side->error();
            return made;
        }
    // Biases subtract the right distance if only the rotation is wrong.
    const bool meant = row.rotation_only() && encoding_of(scene).acts != Acts::query_key;
    const double none = std::numeric_limits<double>::quiet_NaN();
    for (std::int64_t i = std::max<std::int64_t>(0, of.step + 1 - kMostKeys); i <= of.step; ++i) {
        spend(80.0);
        const RowPair pair = row.pair(of.step, i);
        if (!pair.seen && !pair.meant) continue;
        const std::int64_t distance = meant ? pair.should[0] : pair.used[0];
        const KeyScore one{i, of.step - i,
                           pair.meant ? should->at(pair.should[0], row.query_should(i)[0]) : none,
                           pair.seen ? used->at(distance, row.query_used(i)[0]) : none};
        made.keys.push_back(one);
    }
    if (encoding_of(scene).acts == Acts::query_key)
        if (auto stored = StaleScores::of(scene, of.step, row.first_decoded()))
            made.stale = stored->changed().value_or(false);
    fit_range(made);
    return made;
}

const KeyScores* scores(Frame& f) {
    Scored& kept = f.derived.part<Scored>();
    const Json* head = view_value(f.scene, "attention", "head");
    const std::int64_t shown =
        head != nullptr && head->is_number_integer()
            ? std::clamp<std::int64_t>(head->get<std::int64_t>(), 0, f.scene.num_heads - 1)
            : 0;
    const bool stale = is_stale(f);
    const std::int64_t step = step_of(f.scene), key = stale && step >= kMostKeys ? key_of(f.scene) : 0;
    auto& scores = stale ? kept.stale : kept.scores;
    auto& kept_shown = stale ? kept.stale_shown : kept.shown;
    kept_shown =
        scores.get(f.derived.background(),
                   {f.derived.input<ScoreInput>(f.scene), ids_of(f), step, stale ? 0 : shown, key, stale},
                   [](const KeyScoresKey& of) { return scores_of(of); });
    return kept_shown.get();
}

const KeyScore* marked_key(Frame& f, const KeyScores& all) {
    const auto found = std::ranges::find(all.keys, key_of(f.scene), &KeyScore::key);
    return found == all.keys.end() ? nullptr : &*found;
}

std::string_view headline(Frame& f) {
    if (f.mode == "shifts") return shifts_headline(f);
    if (step_of(f.scene) >= kLastPosition ||
        (!is_stale(f) && stored_absence(f, f.scene, f.derived) != nullptr))
        return {};
    const KeyScores* all = scores(f);
    if (all == nullptr || all->problem || all->keys.empty()) return {};
    const KeyScore* one = marked_key(f, *all);
    ui::Scratch& s = f.scratch;
    if (is_stale(f)) {
        const double far = 1e-9 * std::max(std::abs(all->least), std::abs(all->most));
        const auto fresh = [far](const KeyScore& k) { return std::abs(k.should - k.used) <= far; };
        const auto stale_keys = std::ranges::count_if(all->keys, std::not_fn(fresh));
        if (stale_keys == 0) return f.text("key_scores.headline_fresh");
        if (one == nullptr)
            return f.format("key_scores.headline_stale_some", fmt::arg("stale", stale_keys),
                            fmt::arg("keys", all->keys.size()));
        const std::string_view anew = ui::significant(s, one->should, 5),
                               stale = ui::significant(s, one->used, 5);
        return f.format(anew == stale ? "key_scores.headline_stale_same" : "key_scores.headline_stale",
                        fmt::arg("key", ui::integer(s, one->key)), fmt::arg("anew", anew),
                        fmt::arg("stale", stale));
    }
    if (one == nullptr || !std::isfinite(one->should) || !std::isfinite(one->used)) {
        const auto off =
            std::ranges::count_if(all->keys, [](const KeyScore& k) { return k.should != k.used; });
        if (off > 0)
            return f.format("key_scores.headline_off", fmt::arg("off", ui::counted(s, off)),
                            fmt::arg("keys", all->keys.size()));
        return f.text(all->stale ? "key_scores.headline_same_stale" : "key_scores.headline_same");
    }
    const std::string_view should = ui::significant(s, one->should, 4),
                           used = ui::significant(s, one->used, 4);
    return f.format(should != used ? "key_scores.headline_key"
                    : all->stale   ? "key_scores.headline_key_same_stale"
                                   : "key_scores.headline_key_same",
                    fmt::arg("key", ui::integer(s, one->key)), fmt::arg("should", should),
                    fmt::arg("used", used));
}

void draw(Frame& f, Rect area) {
    if (f.mode == "shifts") return draw_shifts(f, area);
    if (step_of(f.scene) >= kLastPosition) {
        static const Problem far{"key_scores.far", {}};
        return explain_absence(f, area, far);
    }
    if (const Problem* problem = is_stale(f) ? nullptr : stored_absence(f, f.scene, f.derived))
        return explain_absence(f, area, *problem);
    const KeyScores* all = scores(f);
    if (all == nullptr) return explain_absence(f, area, being_made());
    if (all->problem) return explain_absence(f, area, *all->problem);
    if (area.width() < 120.0F || area.height() < 90.0F) return;
    const bool stale = is_stale(f);
    const std::array<plot::Key, 2> legend = {
        plot::Key{f.text(stale ? "key_scores.anew" : "key_scores.should"), {f.theme.ink, 1.5F}},
        plot::Key{f.text(stale ? "key_scores.stale" : "key_scores.used"), {f.theme.beyond, 1.5F}}};
    const std::int64_t far = all->keys.empty() ? 1 : std::max<std::int64_t>(1, all->keys.front().place);
    const plot::Plot p(f, area, {plot::Kind::whole, 0.0, static_cast<double>(far), f.text("key_scores.x")},
                       {plot::Kind::linear, all->least, all->most}, legend);
    if (!p.has_room()) return;
    const bool dots = p.area.width() / static_cast<float>(all->keys.size() + 1) > 7.0F;
    for (const bool used : {false, true}) {
        p.path(all->keys.size(), legend[used ? 1 : 0].stroke, [&](std::size_t i) {
            const KeyScore& one = all->keys[i];
            const double value = used ? one.used : one.should;
            return p.at(static_cast<double>(one.place), can_be_drawn(value) ? value : std::nan(""));
        });
        if (used && dots)
            for (const Point& point : f.derived.points()) f.canvas.disc(point, 2.8F, f.theme.beyond);
    }
    if (const KeyScore* one = marked(f) ? marked_key(f, *all) : nullptr) {
        const auto at = [&](double value) { return p.at(static_cast<double>(one->place), value); };
        if (can_be_drawn(one->should) && can_be_drawn(one->used))
            f.canvas.line(at(one->should), at(one->used), {f.theme.offset, 1.2F, 3.0F});
        if (can_be_drawn(one->should)) f.canvas.circle(at(one->should), 4.5F, {f.theme.offset, 2.0F});
        if (can_be_drawn(one->used)) {
            handle(f, at(one->used), 5.5F, f.theme.offset);
            if (f.drag("key", f.over(p.area.grown(6.0F)), at(one->used), Cursor::horizontal) &&
                (f.pointer->moved || f.pointer->pressed))
                set_key(f, step_of(f.scene) - std::llround(p.pointed_x()));
        }
    }
    if (!p.over() || all->keys.empty()) return;
    const std::int64_t place = std::llround(p.pointed_x());
    const auto under = std::ranges::find(all->keys, place, &KeyScore::place);
    if (under == all->keys.end()) return;
    f.hovered.position = under->key;
    f.hovered.distance = place;
    ui::Scratch& s = f.scratch;
    f.tip.value = f.format("distances.tip", fmt::arg("query", ui::integer(s, step_of(f.scene))),
                           fmt::arg("key", ui::integer(s, under->key)));
    const auto said = [&](double value) { return std::isfinite(value) ? ui::significant(s, value, 6) : "–"; };
    f.tip.details[0] = f.format("key_scores.tip", fmt::arg("should", said(under->should)),
                                fmt::arg("used", said(under->used)));
}

std::span<const std::string_view> numbers(std::string_view mode) {
    static constexpr std::array<std::string_view, 2> names = {"used_distances", "logits"};
    static constexpr std::array<std::string_view, 1> stale = {"stale_keys"}, shifts = {"key_shifts"};
    if (mode == "stale") return stale;
    if (mode == "shifts") return shifts;
    return names;
}

// An encoding that rotates no keys stores none that could be wrong.
std::span<const std::string_view> modes(const Scene& scene) {
    static constexpr std::array<std::string_view, 3> names = {"ids", "stale", "shifts"};
    if (encoding_of(scene).acts != Acts::query_key) return std::span(names).first(1);
    return names;
}

}  // namespace
}  // namespace key_scores_figure

extern const Figure kKeyScores{.id = "key_scores",
                               .headline = key_scores_figure::headline,
                               .draw = key_scores_figure::draw,
                               .modes = key_scores_figure::modes,
                               .numbers = key_scores_figure::numbers};

}  // namespace posiscope::figures
