// scores.cpp — the score of two positions against their distance Δ = query − key, for every encoding on the same axes.
// The curves hold for fixed content; the slider t shifts both positions and shows that the score does not change.
#include "app/figures/scores/scores.hpp"

#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/prediction.hpp"
#include "app/figures/parts/sentence.hpp"
#include "app/figures/parts/stored.hpp"
#include "app/figures/parts/text.hpp"

namespace posiscope::figures {
namespace {

using namespace scores;

std::span<const std::string_view> modes(const Scene& scene) {
    static constexpr std::array<std::string_view, 6> with_biases = {"logit", "weight", "seeds",
                                                                    "all",   "biases", "kinds"};
    return has_biases(scene) ? std::span<const std::string_view>(with_biases) : modes_of(scene);
}

// ---- under the mouse -------------------------------------------------------------------------------------------

// The curve nearest to the mouse, at a distance that was taken.
std::size_t nearest_curve(const View& v, std::size_t column, double& value) {
    const auto found = plot::nearest(v.curves.curves.size(), 1e9F, [&](std::size_t n) {
        const double here = v.curves.curves[n].values[column];
        const bool drawn = std::isfinite(here) && (v.lone ? v.lone == n : v.draws(n));
        return drawn ? std::abs(v.y(here) - v.frame.pointer->at.y) : 1e9F;
    });
    if (found) value = v.curves.curves[*found].values[column];
    return found.value_or(v.lone.value_or(0));
}

void tell_form(View& v, std::int64_t distance) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const bool rotary = encoding_of(f.scene).acts == Acts::query_key;
    const std::string_view d = ui::integer(s, distance), dq = ui::signed_integer(s, distance);
    switch (v.mode) {
        case Mode::dot:
            f.tip.formula =
                rotary ? s.format("q_{{p{}}} \\cdot k_p", dq) : s.format("\\sum \\cos ({} \\omega_i)", d);
            break;
        case Mode::norm: f.tip.formula = s.format("\\norm a({}) - b(0)\\norm", d); break;
        case Mode::logit:
            f.tip.formula = s.format("\\frac{{q \\cdot k}}{{\\sqrt {}}}", head_dim(f.scene));
            // T5 has no scale, biases are added: said without a formula.
            if (v.form == nullptr) f.tip.formula = s.format("\\text{{logit}}({})", dq);
            break;
        case Mode::weight: f.tip.formula = s.format("a({})", d); break;
        case Mode::envelope:
            f.tip.formula = s.format("\\frac{{1}}{{{}}} \\sum_j |\\sum_{{i<j}} e^{{i {} \\omega_i}}|",
                                     v.spectrum != nullptr ? v.spectrum->pairs() : 0, d);
            break;
        case Mode::seeds: f.tip.formula = s.format("\\text{{mean}}({})", dq); break;
        case Mode::shares:
        case Mode::all: break;
    }
    if (v.difference) f.tip.formula = s.format("B \u2212 A ({})", dq);
}

void hover(View& v) {
    Frame& f = v.frame;
    if (!f.over(v.plot) || v.curves.at.empty()) return;
    ui::Scratch& s = f.scratch;
    std::int64_t distance = v.distance_at(f.pointer->at.x);
    const bool many = v.mode == Mode::all || v.mode == Mode::shares;
    const auto column = v.curves.column_of(distance);
    // Values of these are known at the distances that were taken.
    if (column && (many || v.mode == Mode::seeds)) distance = std::llround(v.curves.at[*column]);
    double value = v.score(distance);
    f.hovered.distance = distance;
    tell_form(v, distance);
    if (many && column) {
        const std::size_t nearest = nearest_curve(v, *column, value);
        const Curve& curve = v.curves.curves[nearest];
        f.tip.formula =
            v.mode == Mode::all
                ? s.format("\\text{{{}}}", encoding_name(f, curve.name))
                : s.format("\\text{{{}}}", f.format("scores.pairs", fmt::arg("first", curve.first_pair),
                                                    fmt::arg("last", curve.last_pair)));
        if (v.mode == Mode::shares && v.spectrum != nullptr)
            f.hovered.frequency = v.spectrum->frequency[(curve.first_pair + curve.last_pair) / 2];
        if (v.mode == Mode::all && v.lone == nearest) {
            f.cursor = Cursor::hand;
            if (f.clicked(v.plot)) {
                const bool alone = lone_of_all(f.scene, v.curves) == nearest;
                set_view_value(f.edit(), "scores", "lone", alone ? Json() : Json(std::string(curve.name)));
            }
        }
    }
    f.tip.value = s.format("= {}", ui::significant(s, value, 8));
    f.tip.details[0] = words_of_distance(f, distance);
    const std::int64_t p = f.scene.position;
    if (v.curves.query && *v.curves.query - distance >= 0)
        f.tip.details[1] = f.format("tip.positions", fmt::arg("query", ui::integer(s, *v.curves.query)),
                                    fmt::arg("key", ui::integer(s, *v.curves.query - distance)));
    else if (!v.curves.query && p + distance >= 0 && p + distance <= kLastPosition)
        f.tip.details[1] = f.format("tip.positions", fmt::arg("query", ui::integer(s, p + distance)),
                                    fmt::arg("key", ui::integer(s, p)));
    const auto lit =
        v.form != nullptr && v.form->kind != ScoreKind::norm ? linked(f, *v.spectrum) : std::nullopt;
    if (lit && !v.difference)
        f.tip.details[2] = f.format(
            "scores.share", fmt::arg("pair", lit->pair),
            fmt::arg("value", ui::significant(s, score_share(*v.form, *v.spectrum, lit->pair, distance), 3)));
}

// ---- the figure ------------------------------------------------------------------------------------------------

// The Scene's curves, or B − A; closed forms of the score itself, and of what its runs of pairs share.
View view_of(Frame& f, Mode mode, const AxisRange& range, const Kept<Curves>& kept,
             const Kept<Curves>& of_b) {
    const bool less = of_b != nullptr && f.other->difference && mode != Mode::seeds;
    const bool circle = circles(f) != nullptr;
    const bool plain = mode == Mode::dot || mode == Mode::norm || mode == Mode::logit;
    const bool pairs_alone = mode != Mode::logit || !encoding_of(f.scene).logits.has_bias_or_scale;
    const bool formed = circle && pairs_alone && !less && !kept->query && (plain || mode == Mode::shares);
    const bool rotary = encoding_of(f.scene).acts == Acts::query_key;
    const ScoreKind kind = mode == Mode::norm                                        ? ScoreKind::norm
                           : mode == Mode::logit || (mode == Mode::shares && rotary) ? ScoreKind::logit
                                                                                     : ScoreKind::dot;
    return {.frame = f,
            .mode = mode,
            .curves = less ? difference(f.derived, kept, of_b) : *kept,
            .b = less ? nullptr : of_b.get(),
            .difference = less,
            .spectrum = circle ? circles(f) : nullptr,
            .form = formed ? &f.derived.score_form(f.scene, kind) : nullptr,
            .x = {range.from, range.to},
            .y = {}};
}

// The rows around the plot. `names`: the width of the curves' names at its right, 0 without.
struct Rows {
    Rect plot, shift, share, legend;
    float names = 0.0F;
    bool with_shift = false, with_share = false;
    bool low = false;  // the curve has the room that there is, not what stands around it
};
Rows lay_out(View& v, Rect area) {
    Rows rows;
    rows.low = area.height() < 150.0F;
    rows.with_shift = v.form != nullptr && v.mode != Mode::shares && !rows.low && marked(v.frame);
    rows.shift = area.cut_bottom(rows.with_shift ? 22.0F : 0.0F);
    rows.with_share = rows.with_shift && v.mode != Mode::norm && area.height() > 210.0F;
    if (rows.with_share) rows.share = area.cut_bottom(52.0F);
    if (area.width() >= 330.0F)
        rows.names = v.mode == Mode::all ? 148.0F : v.mode == Mode::shares ? 96.0F : 0.0F;
    rows.plot = area;
    return rows;
}

std::string_view y_name(const View& v) {
    const Frame& f = v.frame;
    const bool rotary = encoding_of(f.scene).acts == Acts::query_key;
    if (v.difference) return "B − A";
    switch (v.mode) {
        case Mode::all: return f.text("scores.axis_all");
        case Mode::seeds: return f.text("figure.scores.mode.logit");
        case Mode::shares: return f.text(rotary ? "figure.scores.mode.logit" : "figure.scores.mode.dot");
        default: return f.text(f.scratch.format("figure.scores.mode.{}", f.mode));
    }
}

// Every curve that is shown fits.
plot::Scale scale_up(View& v) {
    const Mode mode = v.mode;
    double least = v.curves.least, most = v.curves.most;
    if (mode == Mode::all) {
        v.shown = shown_of_all(v.frame.scene, v.curves);
        least = most = 0.0;
        for (std::size_t i = 0; i < v.curves.curves.size(); ++i)
            if ((v.shown >> i & 1U) != 0) {
                least = std::min(least, v.curves.curves[i].least);
                most = std::max(most, v.curves.curves[i].most);
            }
    }
    if (const auto side = curves_of_side(v.frame, v.frame.on_axes(), mode, {v.x.from, v.x.to});
        side != nullptr && !v.difference) {
        least = std::min(least, side->least);
        most = std::max(most, side->most);
    }
    for (const auto& one : extra_scenes(v.frame))
        if (const Kept<Curves> curves = extra_curves(v, *one)) {
            least = std::min(least, curves->least);
            most = std::max(most, curves->most);
        }
    // Nor does the axis tell where a curve ends that is not seen yet.
    const Prediction* asked = v.frame.prediction;
    if (mode == Mode::weight || mode == Mode::envelope || asked != nullptr) least = std::min(0.0, least);
    // Values that are all alike get room around them, so that the ticks can be told apart.
    const double alike = most == 0.0 && least == 0.0 ? 1.0
                         : mode == Mode::weight      ? 1e-12
                                                     : 1e-9,
                 margin = std::max({alike, 0.06 * (most - least), 1e-3 * std::abs(most)});
    return {plot::Kind::linear, mode == Mode::weight ? least : least - margin, most + margin, y_name(v)};
}

// The pair that is linked, else the Scene's.
struct ShownPair {
    std::size_t pair;
    bool exact;
};
ShownPair shown_pair(const View& v) {
    if (const auto lit = linked(v.frame, *v.spectrum)) return {lit->pair, lit->exact};
    return {std::min(static_cast<std::size_t>(v.frame.scene.pair), v.spectrum->pairs() - 1), true};
}

// The run of pairs that it is in; past the last one where there are none.
std::size_t lit_run(const View& v) {
    const auto& curves = v.curves.curves;
    if (v.mode != Mode::shares || v.spectrum == nullptr) return curves.size();
    const std::size_t pair = shown_pair(v).pair;
    const auto found = std::find_if(curves.rbegin(), curves.rend(), [&](const Curve& run) {
        return pair >= run.first_pair && pair <= run.last_pair;
    });
    return found == curves.rend() ? curves.size() : static_cast<std::size_t>(curves.rend() - found) - 1;
}

// Marks the thing under the mouse in another figure: a distance, or a position seen from p.
void draw_linked_distance(const View& v) {
    const Frame& f = v.frame;
    std::optional<std::int64_t> lit = f.link.distance;
    if (!lit && f.link.position) lit = *f.link.position - f.scene.position;
    if (!lit || !v.shows(static_cast<double>(*lit))) return;
    const float at = v.x(v.along(static_cast<double>(*lit)));
    f.canvas.line({at, v.plot.y0}, {at, v.plot.y1}, {f.theme.ink_faint, 1.0F});
}

// "B · ALiBi", or the scaling where that is what differs.
std::string_view side_name(const Frame& f, std::string_view side, const Scene& scene, const Scene& other) {
    const auto method = [](const Scene& of) -> std::string_view {
        const auto found = of.encoding.parameters.find("rope_scaling");
        if (found == of.encoding.parameters.end() || !found->is_object()) return "default";
        const auto type = found->find("rope_type");
        if (type == found->end() || !type->is_string()) return "default";
        return type->get_ref<const std::string&>();
    };
    ui::Scratch& s = f.scratch;
    if (scene.encoding.kind != other.encoding.kind)
        return s.format("{} · {}", side, encoding_name(f, scene.encoding.kind));
    if (const std::string_view own = method(scene); own != method(other))
        return s.format("{} · {}", side, f.text(s.format("option.scaling.{}.name", own)));
    return side;
}

// The two sides of a comparison.
std::span<const plot::Key> legend(const View& v, const Rows& rows, std::array<plot::Key, 2>& keys) {
    const Frame& f = v.frame;
    if (v.b == nullptr || rows.names > 0.0F) return {};
    keys = {plot::Key{side_name(f, "A", f.scene, f.other->scene), {f.theme.ink, 2.0F}},
            plot::Key{side_name(f, "B", f.other->scene, f.scene), {f.theme.ink, 1.2F, 3.0F}}};
    return keys;
}

// The names of curves at the right, the button that shows all of them, and the note beside it.
void draw_names(View& v, const Rows& rows, const plot::Plot& p) {
    if (v.mode == Mode::all && rows.names > 0.0F) draw_legend(v, rows.legend);
    else if (v.mode == Mode::shares && rows.names > 0.0F) name_curves(v, v.plot.x1 + 8.0F);
    Rect top = p.top_row();
    if (v.mode == Mode::all)
        top.x1 = std::min(top.x1, choose_all(v, top.x0, rows.names > 0.0F ? rows.legend.x1 : v.plot.x1));
    note(v, top.x0, top.x1);
}

// The offset on the curve, which can be dragged; where it was when the drag began; or a line among many runs.
void draw_offset(View& v, Rect taken) {
    Frame& f = v.frame;
    if (v.mode == Mode::shares || !marked(f)) return;
    if (const Scene* before = f.ghost(); before != nullptr && !v.difference)
        marker(v, before->offset, f.theme.offset, true, taken);
    marker(v, f.scene.offset, f.theme.offset, false, taken);
}
void draw_offset_line(const View& v) {
    const auto offset = static_cast<double>(v.frame.scene.offset);
    if (v.mode != Mode::shares || !v.shows(offset) || !marked(v.frame)) return;
    const float at = v.x(offset);
    v.frame.canvas.line({at, v.plot.y0}, {at, v.plot.y1}, {v.frame.theme.offset, 1.2F, 3.0F});
}
void drag_offset(View& v) {
    Frame& f = v.frame;
    const float height = v.y(v.score(f.scene.offset));
    const Point knob{v.x(v.along(static_cast<double>(f.scene.offset))),
                     std::isfinite(height) ? height : v.plot.y1};
    if (f.drag("offset",
               f.pointer != nullptr && v.plot.grown(8.0F).contains(f.pointer->at) &&
                   std::abs(f.pointer->at.x - knob.x) < 9.0F,
               knob, Cursor::horizontal) &&
        f.pointer->moved)
        set_offset(f.edit(), v.distance_at(std::clamp(f.pointer->at.x, v.plot.x0, v.plot.x1)));
}

void draw(Frame& f, Rect area) {
    if (f.mode == "kinds") return draw_kinds(f, area);
    if (const Problem* problem = stored_absence(f, f.scene, f.derived))
        return explain_absence(f, area, *problem);
    if (f.mode == "biases") return draw_biases(f, area);
    const Mode mode = mode_named(f.mode);
    const AxisRange range = shown_range(f, mode);
    const Kept<Curves> kept = curves_of(f.scene, f.derived, mode, range.from, range.to);
    if (kept->problem) return explain_absence(f, area, *kept->problem);
    if (area.width() < 120.0F || area.height() < 90.0F || kept->curves.empty()) return;
    const Kept<Curves> of_b = curves_of_side(f, f.other, mode, range);
    name_extra_scenes(f, area);
    View v = view_of(f, mode, range, kept, of_b);
    Rows rows = lay_out(v, area);
    const plot::Kind kind = v.logarithmic()    ? plot::Kind::log
                            : range.from < 0.0 ? plot::Kind::distance
                                               : plot::Kind::whole;
    std::array<plot::Key, 2> sides;
    const plot::Plot p(f, rows.plot, {kind, range.from, range.to, f.text("scores.distance")}, scale_up(v),
                       legend(v, rows, sides), {.right = rows.names});
    if (!p.has_room()) return;
    v.plot = p.area, v.x = p.x, v.y = p.y;
    rows.legend = {v.plot.x1 + 16.0F, v.plot.y0, v.plot.x1 + 16.0F + rows.names, v.plot.y1};
    if (mode == Mode::all) {
        v.lone = pointed_of_all(v, rows.legend);
        if (!v.lone) v.lone = lone_of_all(f.scene, v.curves);
    }

    if (veiled(f)) {
        if (const auto seen = f.prediction->seen; seen && !v.logarithmic()) {
            const auto at = [&](double distance) {
                return std::clamp(v.x(std::clamp(distance, v.x.from, v.x.to)), v.plot.x0, v.plot.x1);
            };
            {
                const canvas::Clip clip(f.canvas,
                                        {at(-*seen), v.plot.y0 - 1.0F, at(*seen), v.plot.y1 + 1.0F});
                draw_lines(v, lit_run(v));
            }
            hide_unseen(f, v.plot, v.x);
        }
        return predict(f, v.plot, v.x, v.y);
    }
    draw_lengths(v);
    {
        const canvas::Clip clip(f.canvas, v.plot.grown(1.0F));
        draw_lines(v, lit_run(v));
    }
    draw_linked_distance(v);
    draw_offset_line(v);
    const Rect taken = name_lengths(v);
    draw_names(v, rows, p);
    draw_offset(v, taken);
    predict(f, v.plot, v.x, v.y);
    drag_offset(v);
    if (rows.with_share) {
        const ShownPair shown = shown_pair(v);
        draw_share(v, {v.plot.x0, rows.share.y0 + 14.0F, v.plot.x1, rows.share.y1 - 4.0F}, shown.pair,
                   shown.exact);
    }
    if (rows.with_shift) draw_shift(v, rows.shift);
    zoom_and_pan(f, ranged(mode), v.plot,
                 v.x);  // last: what can be dragged takes a press before the empty space
    hover(v);
}

std::span<const std::string_view> numbers(std::string_view mode) {
    static constexpr std::array<std::string_view, 4> names = {"distance", "scores", "distance", "logits"};
    static constexpr std::array<std::string_view, 1> biases = {"bias"}, kinds = {"kinds"};
    if (mode == "biases") return biases;
    if (mode == "kinds") return kinds;
    const bool vectors = mode == "dot" || mode == "norm";
    return std::span(names).subspan(vectors ? 0 : 1);
}

}  // namespace

namespace scores {
namespace {

Mode mode_of(const Scene& scene) { return mode_named(figures::mode(*find_figure("scores"), scene)); }

// The distances in view until somebody zooms: about half the length to either side, or past the trained length.
AxisRange whole(const Scene& scene) {
    const Mode mode = mode_of(scene);
    const auto length = static_cast<double>(std::max<std::int64_t>(scene.length, 9));
    if (mode == Mode::weight || mode == Mode::all) return {0.0, length - 1.0};
    if (mode == Mode::envelope)
        return {0.0,
                std::log10(std::min(std::max(0x1p18, 2.0 * length), static_cast<double>(kLastPosition)))};
    double half = static_cast<double>(
        std::max({scene.length / 2, std::min<std::int64_t>(std::abs(scene.offset) + 1, kLastPosition),
                  std::int64_t{8}}));
    if (scene.trained.length)
        half = std::min(1.06 * std::max(length, static_cast<double>(*scene.trained.length)),
                        static_cast<double>(kLastPosition));
    return {-half, half};
}

}  // namespace

Ranged ranged(Mode mode) {
    const auto last = static_cast<double>(kLastPosition);
    if (mode == Mode::envelope) return {"scores", whole, 0.0, std::log10(last), 0.25};
    if (mode == Mode::weight || mode == Mode::all) return {"scores", whole, 0.0, last, 8.0};
    return {"scores", whole, -last, last, 8.0};
}

AxisRange shown_range(const Frame& f, Mode mode) {
    AxisRange range = range_of(ranged(mode), f.scene);
    if (f.on_axes() == nullptr) return range;
    const AxisRange its = range_of(ranged(mode), f.on_axes()->scene);
    return {std::min(range.from, its.from), std::max(range.to, its.to)};
}

Kept<Curves> curves_of_side(const Frame& f, const Other* side, Mode mode, const AxisRange& range) {
    if (side == nullptr || mode == Mode::shares || mode == Mode::all) return nullptr;
    const auto offered = modes_of(side->scene);
    if (std::find(offered.begin(), offered.end(), f.mode) == offered.end()) return nullptr;
    const Kept<Curves>& made = curves_of(side->scene, side->derived, mode, range.from, range.to);
    return made->problem ? nullptr : made;
}

Kept<Curves> extra_curves(const View& v, ExtraScene& one) {
    if (one.scene == nullptr || v.mode == Mode::shares || v.mode == Mode::all) return nullptr;
    const auto offered = modes_of(*one.scene);
    if (std::find(offered.begin(), offered.end(), v.frame.mode) == offered.end()) return nullptr;
    const Kept<Curves>& made = curves_of(*one.scene, one.derived, v.mode, v.x.from, v.x.to);
    return made->problem ? nullptr : made;
}

double View::score(std::int64_t distance) const {
    if (difference) {
        const Curves& a = *curves_of(frame.scene, frame.derived, mode, x.from, x.to);
        const Curves& of_b = *curves_of(frame.other->scene, frame.other->derived, mode, x.from, x.to);
        return value_at(frame.other->scene, frame.other->derived, mode, of_b, distance) -
               value_at(frame.scene, frame.derived, mode, a, distance);
    }
    return value_at(frame.scene, frame.derived, mode, curves, distance);
}

}  // namespace scores

extern const Figure kScores{
    .id = "scores",
    .headline = scores_headline,
    .draw = draw,
    .modes = modes,
    .overlays = true,
    .subtracts = true,
    .numbers = numbers,
    .moves = {.position = false},
    .predicts = true,
};

}  // namespace posiscope::figures
