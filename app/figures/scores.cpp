// scores.cpp — the score of two positions against their distance Δ = query − key.
// The curve holds for content that is held fixed; the slider t moves both positions and shows that nothing moves.
#include "app/figures/figure.hpp"

#include <numbers>

namespace posiscope::figures {
namespace {

using canvas::Align;
using look::Face;

constexpr std::size_t kMostSamples = 4097;  // more distances than this are sampled, and the figure says so
constexpr std::int64_t kMostShift = 1000;

ScoreKind kind_of(std::string_view name) {
    return name == "logit" ? ScoreKind::logit : name == "norm" ? ScoreKind::norm : ScoreKind::dot;
}

std::span<const std::string_view> modes(const Scene& scene) {
    static constexpr std::array<std::string_view, 3> rotary = {"logit", "dot", "norm"};
    static constexpr std::array<std::string_view, 2> absolute = {"dot", "norm"};
    if (!on_unit_circles(scene)) return std::span(rotary).first(1);
    if (encoding_of(scene).acts == Acts::query_key) return rotary;
    return absolute;
}

// The distances in view: what the person zoomed to, else about half the length to either side.
canvas::Axis distances(const Scene& scene) {
    if (const Json* range = view_value(scene, "scores", "range");
        range != nullptr && range->is_array() && range->size() == 2 && (*range)[0].is_number() &&
        (*range)[1].is_number()) {
        const double from = (*range)[0].get<double>(), to = (*range)[1].get<double>();
        if (to - from >= 2.0 && from >= -static_cast<double>(kLastPosition) &&
            to <= static_cast<double>(kLastPosition))
            return {from, to};
    }
    const auto half = static_cast<double>(
        std::max({scene.length / 2, std::min<std::int64_t>(std::abs(scene.offset) + 1, kLastPosition),
                  std::int64_t{8}}));
    return {-half, half};
}

struct View {
    Frame& frame;
    const Spectrum*
        spectrum;  // both null for an encoding that does not turn pairs: then only its logits are known
    const ScoreForm* form;
    ScoreKind kind;
    canvas::Axis x, y;
    Rect plot;

    double score(std::int64_t distance) const {
        return form != nullptr ? score_at(*form, *spectrum, distance)
                               : frame.derived.logit(frame.scene, distance);
    }
};

const Derived::Curve& curve(Frame& f, ScoreKind kind, const canvas::Axis& x) {
    const auto first = static_cast<std::int64_t>(std::ceil(x.from));
    const auto last = static_cast<std::int64_t>(std::floor(x.to));
    const std::int64_t count = last - first + 1;
    const std::int64_t stride =
        (count + static_cast<std::int64_t>(kMostSamples) - 1) / static_cast<std::int64_t>(kMostSamples);
    // Samples stand at multiples of the stride, so that panning does not make them flicker.
    const std::int64_t start =
        first >= 0 ? (first + stride - 1) / stride * stride : -(-first / stride) * stride;
    return f.derived.curve(f.scene, kind, start, stride,
                           static_cast<std::size_t>((last - start) / stride + 1));
}

void zoom_and_pan(View& v) {
    Frame& f = v.frame;
    const auto set_range = [&](double from, double to) {
        const auto limit = static_cast<double>(kLastPosition);
        const double width = std::clamp(to - from, 8.0, 2.0 * limit);
        from = std::clamp(from, -limit, limit - width);
        set_view_value(f.edit(), "scores", "range", Json::array({from, from + width}));
    };
    if (f.over(v.plot) && f.pointer->wheel != 0.0F) {
        const double at = v.x.inverse(f.pointer->at.x), by = std::pow(0.8, f.pointer->wheel);
        set_range(at + (v.x.from - at) * by, at + (v.x.to - at) * by);
    }
    if (f.over(v.plot) && f.pointer->double_clicked) set_view_value(f.edit(), "scores", "range", nullptr);
    if (f.drag("pan", f.over(v.plot), v.plot.centre(), Cursor::arrow) && f.pointer->moved) {
        f.cursor = Cursor::move;
        const canvas::Axis before = distances(f.grip->scene);
        const double by = (before.to - before.from) *
                          static_cast<double>((f.grip->from.x - f.pointer->at.x) / v.plot.width());
        set_range(before.from + by, before.to + by);
    }
}

void marker(View& v, std::int64_t distance, look::Colour colour, bool ghost) {
    canvas::Canvas& c = v.frame.canvas;
    const double value = v.score(distance);
    if (!std::isfinite(value)) return;
    const auto d = static_cast<double>(distance);
    if (d < v.x.from || d > v.x.to) return;
    const Point at{v.x(d), v.y(value)};
    c.line({at.x, at.y}, {at.x, v.plot.y1}, {ghost ? look::faded(colour, 0.5F) : colour, 1.0F, 3.0F});
    if (ghost) {
        c.circle(at, 5.0F, {look::faded(colour, 0.6F), 1.0F});
        return;
    }
    c.knob(at, 6.0F, colour, v.frame.theme.tile);
    // Its value, on a patch that keeps the curve off it.
    const std::string_view text = look::significant(v.frame.scratch, value, 5);
    const float width = c.text_width(text, Face::strong, look::kTextSize);
    // Outwards, where the curve is lower; inwards only where there is no room.
    const bool left = distance < 0 ? at.x - 12.0F - width > v.plot.x0 : at.x + 12.0F + width > v.plot.x1;
    const float x = left ? at.x - 12.0F - width : at.x + 12.0F;
    const float y = std::max(at.y - 5.0F, v.plot.y0 + 12.0F);
    c.fill({x - 3.0F, y - 13.0F, x + width + 3.0F, y + 4.0F}, look::faded(v.frame.theme.tile, 0.85F), 3.0F);
    c.text({x, y}, text, {v.frame.theme.ink, look::kTextSize, Face::strong});
}

// The linked pair's own share of the score, on a scale of its own below the curve.
void draw_share(View& v, Rect strip, std::size_t pair, bool exact) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    look::Scratch& s = f.scratch;
    const double even = v.form->even[pair] * v.form->scale, odd = v.form->odd[pair] * v.form->scale;
    const double amplitude = std::hypot(even, odd);
    const float middle = strip.centre().y;
    c.line({strip.x0, middle}, {strip.x1, middle}, {f.theme.grid, 1.0F});
    const auto count = static_cast<std::size_t>(std::max(2.0F, strip.width() * c.pixels_per_point() / 2.0F));
    const double omega = v.spectrum->frequency[pair],
                 spacing = (v.x.to - v.x.from) / static_cast<double>(count - 1);
    const look::Colour colour =
        look::pair_colour(f.theme, v.spectrum->pairs() > 1 ? static_cast<double>(pair) /
                                                                 static_cast<double>(v.spectrum->pairs() - 1)
                                                           : 0.0);
    if (amplitude > 0.0 && omega * spacing < 1.2) {
        std::vector<Point>& points = f.derived.points();
        points.clear();
        for (std::size_t i = 0; i < count; ++i) {
            const double delta = v.x.from + spacing * static_cast<double>(i);
            const double value = (even * std::cos(delta * omega) + odd * std::sin(delta * omega)) / amplitude;
            points.push_back({v.x(delta), middle - 0.42F * strip.height() * static_cast<float>(value)});
        }
        c.polyline(points, {colour, 1.5F});
    } else {  // faster than the pixels: the band it fills
        c.fill({strip.x0, middle - 0.42F * strip.height(), strip.x1, middle + 0.42F * strip.height()},
               look::faded(colour, 0.25F));
    }
    const Turn turn = phase(v.spectrum->step[pair], f.scene.offset);
    const double share = even * cos(turn) + odd * sin(turn);
    const auto d = static_cast<double>(f.scene.offset);
    if (amplitude > 0.0 && d >= v.x.from && d <= v.x.to)
        c.disc({v.x(d), middle - 0.42F * strip.height() * static_cast<float>(share / amplitude)}, 3.5F,
               f.theme.offset);
    c.text({strip.x0, strip.y0 - 3.0F},
           f.format(exact ? "scores.share" : "scores.share_near", fmt::arg("pair", pair),
                    fmt::arg("value", look::significant(s, share, 3))),
           {f.theme.ink_soft, look::kSmallSize, Face::text});
}

void draw_shift(View& v, Rect row) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    look::Scratch& s = f.scratch;
    const look::Theme& theme = f.theme;
    const float y = row.centre().y;
    const float words = c.text_width(f.text("scores.shift_both"), Face::text, look::kSmallSize);
    c.text({row.x0, y + 4.0F}, f.text("scores.shift_both"), {theme.ink_soft, look::kSmallSize, Face::text});
    c.text({row.x0 + words + 6.0F, y + 4.0F}, "t", {theme.ink_soft, 14.0F, Face::formula});
    const std::int64_t t = f.scene.shift;
    const double before =
        score_between(*v.form, *v.spectrum, f.scene.position + f.scene.offset, f.scene.position);
    const std::int64_t room = kLastPosition - std::max(f.scene.position, f.scene.position + f.scene.offset);
    const double moved =
        score_between(*v.form, *v.spectrum, f.scene.position + f.scene.offset + std::min(t, room),
                      f.scene.position + std::min(t, room));
    std::string_view said = f.format("scores.shifted", fmt::arg("t", look::integer(s, t)),
                                     fmt::arg("score", look::significant(s, moved, 6)),
                                     fmt::arg("residual", look::residual(s, std::abs(moved - before))));
    // Room for the longest: the track must not change while its knob is dragged.
    const auto width_of = [&](std::string_view text) {
        return c.text_width(text, Face::text, look::kSmallSize);
    };
    float said_width = std::max(width_of(said), width_of("t = 1000: −2000.00, moved by 3·10⁻¹³"));
    if (row.width() < words + 40.0F + said_width + 60.0F) {  // the headline says that nothing moves
        said = look::integer(s, t);
        said_width = width_of("1000");
    }
    const Rect track{row.x0 + words + 24.0F, y - 2.0F, row.x1 - said_width - 16.0F, y + 2.0F};
    c.text({row.x1, y + 4.0F}, said, {theme.ink, look::kSmallSize, Face::text, Align::right});
    if (track.width() < 30.0F) return;
    const canvas::Axis x{0.0, static_cast<double>(kMostShift), track.x0, track.x1};
    const Point knob{x(static_cast<double>(std::min(t, kMostShift))), y};
    c.fill(track, theme.track, 2.0F);
    c.fill({track.x0, track.y0, knob.x, track.y1}, theme.slider, 2.0F);
    c.knob(knob, 6.0F, theme.slider, theme.tile);
    if (f.drag("shift", f.over(track.grown(9.0F)), knob, Cursor::horizontal) &&
        (f.pointer->moved || f.pointer->pressed))
        f.edit().shift =
            std::clamp<std::int64_t>(std::llround(x.inverse(f.pointer->at.x)), 0, std::min(kMostShift, room));
}

void hover(View& v) {
    Frame& f = v.frame;
    if (!f.over(v.plot)) return;
    look::Scratch& s = f.scratch;
    const std::int64_t distance = std::llround(v.x.inverse(f.pointer->at.x));
    const double value = v.score(distance);
    f.hovered.distance = distance;
    const std::int64_t p = f.scene.position;
    const std::string_view d = look::integer(s, distance);
    switch (v.kind) {
        case ScoreKind::dot:
            f.tip.formula = encoding_of(f.scene).acts == Acts::query_key
                                ? s.format("q_{{p{}}} \\cdot k_p", look::signed_integer(s, distance))
                                : s.format("\\sum \\cos ({} \\omega_i)", d);
            break;
        case ScoreKind::norm: f.tip.formula = s.format("\\norm a({}) - b(0)\\norm", d); break;
        case ScoreKind::logit:
            f.tip.formula = s.format("\\frac{{q \\cdot k}}{{\\sqrt {}}}", head_dim(f.scene));
            break;
    }
    f.tip.value = s.format("= {}", look::significant(s, value, 8));
    f.tip.details[0] = f.format("tip.distance", fmt::arg("distance", look::signed_integer(s, distance)));
    if (p + distance >= 0)
        f.tip.details[1] = f.format("tip.positions", fmt::arg("query", look::integer(s, p + distance)),
                                    fmt::arg("key", look::integer(s, p)));
    if (const auto lit = v.form != nullptr ? linked(f, *v.spectrum) : std::nullopt) {
        const Turn turn = phase(v.spectrum->step[lit->pair], distance);
        f.tip.details[2] = f.format(
            "scores.share", fmt::arg("pair", lit->pair),
            fmt::arg("value", look::significant(s,
                                                v.form->scale * (v.form->even[lit->pair] * cos(turn) +
                                                                 v.form->odd[lit->pair] * sin(turn)),
                                                3)));
    }
}

std::string_view headline(Frame& f) {
    const ScoreKind kind = kind_of(f.mode);
    if (circles(f) == nullptr) {
        if (f.derived.logits_problem(f.scene) != nullptr) return {};
        return f.format(
            "scores.headline_logits", fmt::arg("offset", look::signed_integer(f.scratch, f.scene.offset)),
            fmt::arg("value", look::significant(f.scratch, f.derived.logit(f.scene, f.scene.offset), 5)));
    }
    const bool rotary = encoding_of(f.scene).acts == Acts::query_key;
    return f.format(rotary ? "scores.headline_rotary" : "scores.headline",
                    fmt::arg("residual", look::residual(f.scratch, f.derived.shift_residual(f.scene, kind))));
}

void draw(Frame& f, Rect area) {
    const Spectrum* spectrum = circles(f);
    if (const Problem* problem = spectrum == nullptr ? f.derived.logits_problem(f.scene) : nullptr)
        return explain_absence(f, area, *problem);
    if (area.width() < 120.0F || area.height() < 90.0F) return;
    const ScoreKind kind = kind_of(f.mode);
    canvas::Canvas& c = f.canvas;
    const look::Theme& theme = f.theme;

    View v{f,    spectrum,           spectrum != nullptr ? &f.derived.score_form(f.scene, kind) : nullptr,
           kind, distances(f.scene), {},
           {}};
    const Derived::Curve& scores = curve(f, kind, v.x);
    const Rect shift_row = area.cut_bottom(v.form != nullptr ? 22.0F : 0.0F);
    const bool with_share = v.form != nullptr && area.height() > 210.0F;
    Rect strip = with_share ? area.cut_bottom(52.0F) : Rect{};
    v.plot = {area.x0 + 54.0F, area.y0 + 24.0F, area.x1 - 14.0F, area.y1 - 42.0F};
    // Values that are all alike get room around them, so that the ticks can be told apart.
    const double margin = std::max({1e-9, 0.06 * (scores.most - scores.least), 1e-3 * std::abs(scores.most)});
    v.y = {scores.least - margin, scores.most + margin, v.plot.y1, v.plot.y0};
    v.x.at_from = v.plot.x0;
    v.x.at_to = v.plot.x1;

    canvas::frame_plot(
        c, theme, f.scratch, v.plot, v.x, v.y, f.text("scores.distance"),
        f.format("scores.axis", fmt::arg("kind", f.text(f.scratch.format("figure.scores.mode.{}", f.mode)))),
        true);
    c.push_clip(v.plot.grown(1.0F));
    c.polyline(canvas::curve_points(f.derived.points(), scores.scores, v.x, v.y,
                                    static_cast<double>(scores.first), static_cast<double>(scores.stride),
                                    c.pixels_per_point()),
               {theme.ink, 1.6F});
    c.pop_clip();
    if (scores.stride > 1)
        c.text({v.plot.x1, v.plot.y0 - 10.0F},
               f.format("scores.sampled", fmt::arg("stride", look::integer(f.scratch, scores.stride))),
               {theme.ink_soft, look::kSmallSize, Face::text, Align::right});

    // What is under the mouse in another figure: a distance, or a position seen from p.
    std::optional<std::int64_t> lit = f.link.distance;
    if (!lit && f.link.position) lit = *f.link.position - f.scene.position;
    if (lit && static_cast<double>(*lit) > v.x.from && static_cast<double>(*lit) < v.x.to)
        c.line({v.x(static_cast<double>(*lit)), v.plot.y0}, {v.x(static_cast<double>(*lit)), v.plot.y1},
               {theme.ink_faint, 1.0F});

    if (const Scene* before = f.ghost()) marker(v, before->offset, theme.offset, true);
    marker(v, f.scene.offset, theme.offset, false);
    const Point knob{v.x(static_cast<double>(f.scene.offset)), v.y(v.score(f.scene.offset))};
    if (f.drag("offset",
               f.pointer != nullptr && v.plot.grown(8.0F).contains(f.pointer->at) &&
                   std::abs(f.pointer->at.x - knob.x) < 9.0F,
               knob, Cursor::horizontal) &&
        f.pointer->moved)
        set_offset(f.edit(), std::llround(std::clamp(v.x.inverse(f.pointer->at.x), v.x.from, v.x.to)));

    if (with_share) {
        const auto pair = linked(f, *spectrum);
        strip = {v.plot.x0, strip.y0 + 14.0F, v.plot.x1, strip.y1 - 4.0F};
        const std::size_t shown =
            pair ? pair->pair : std::min(static_cast<std::size_t>(f.scene.pair), spectrum->pairs() - 1);
        draw_share(v, strip, shown, !pair || pair->exact);
    }
    if (v.form != nullptr) draw_shift(v, shift_row);
    zoom_and_pan(v);  // last: what can be dragged takes a press before the empty space does
    hover(v);
}

}  // namespace

extern const Figure kScores;
const Figure kScores{"scores", headline, draw, modes};

}  // namespace posiscope::figures
