// basis_curves.cpp — the Fourier transform of a pair's columns, the rank of the rows, the least gap between two rows.
#include "app/figures/matrix/basis.hpp"
#include "app/figures/matrix/matrix.hpp"
#include "app/figures/parts/pair_plot.hpp"
#include "app/figures/parts/text.hpp"
#include "app/plot/plot.hpp"

#include <cmath>

namespace posiscope::figures::matrix::basis {
namespace {

using canvas::Align;
using canvas::Stroke;
using plot::Plot;

constexpr double kFloor = -8.0;  // log₁₀ of the least power drawn

bool has_b(const Frame& f) { return f.other != nullptr && has_basis(f.other->scene); }

double log_power(double value) { return value > 0.0 ? std::max(kFloor, std::log10(value)) : kFloor; }

std::array<Stroke, 2> strokes(const Frame& f) {
    return {Stroke{f.theme.sine, 1.8F}, Stroke{f.theme.cosine, 1.8F, 5.0F}};
}

Stroke stroke_of_b(const Frame& f) { return {f.theme.ink_soft, 1.4F, 2.0F}; }

// The first component solid, the second dashed, as everywhere; of B the first, dotted.
std::span<const plot::Key> components(Frame& f, std::array<plot::Key, 3>& keys) {
    const bool numbers = shows_table(f.scene);
    keys[0] = {numbers ? f.text("basis.first") : "sin", strokes(f)[0]};
    keys[1] = {numbers ? f.text("basis.second") : "cos", strokes(f)[1]};
    if (!has_b(f)) return std::span(keys).first(2);
    const bool numbers_b = shows_table(f.other->scene);
    keys[2] = {numbers_b ? f.scratch.format("B: {}", f.text("basis.first")) : "B: sin", stroke_of_b(f)};
    return keys;
}

// Draws the strongest bin in each pixel column; bin q is `turns` turns in all of A's positions.
void draw_power(const Plot& p, std::span<const double> power, double turns, Stroke stroke) {
    const float pixel = 1.0F / p.frame.canvas.pixels_per_point();
    std::vector<Point>& points = p.frame.derived.points();
    points.clear();
    const auto place = [&](std::size_t q) { return p.x(turns * static_cast<double>(q)); };
    for (std::size_t q = 0; q < power.size();) {
        const float at = place(q), column = std::floor(at / pixel);
        double most = 0.0;
        for (; q < power.size() && std::floor(place(q) / pixel) == column; ++q)
            most = std::max(most, power[q]);
        points.push_back({at, p.y(log_power(most))});
    }
    p.line(points, stroke);
}

void draw_comb(Frame& f, Rect area, const Transform& made, const Transform* of_b) {
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const auto bins = static_cast<double>(made.power[0].size());
    std::array<plot::Key, 3> keys;
    const Plot p(f, area, {plot::Kind::whole, -0.5, std::max(bins - 0.5, 0.5), f.text("basis.bin")},
                 {plot::Kind::log, kFloor, 0.4, f.text("basis.power")}, components(f, keys));
    if (!p.has_room()) return;
    const canvas::Axis &x = p.x, &y = p.y;
    p.level(-6.0, {f.theme.beyond, 1.0F, 4.0F});
    const float pixel = 1.0F / c.pixels_per_point();
    const bool bars = x(1.0) - x(0.0) > 3.0F * pixel;
    const canvas::Clip clip(c, p.area.grown(1.0F));
    for (int component = 1; component >= 0; --component) {
        const std::vector<double>& power = made.power[component];
        const Stroke stroke = strokes(f)[static_cast<std::size_t>(component)];
        const float shift =
            bars ? (component == 0 ? -1.0F : 1.0F) * std::min(1.5F, 0.2F * (x(1.0) - x(0.0))) : 0.0F;
        if (bars) {
            for (std::size_t q = 0; q < power.size(); ++q) {
                const float at = x(static_cast<double>(q)) + shift;
                c.line({at, p.area.y1}, {at, y(log_power(power[q]))}, {stroke.colour, 1.5F});
            }
            continue;
        }
        draw_power(p, power, 1.0, stroke);
    }
    if (of_b != nullptr) {
        const double turns = static_cast<double>(made.rows) / static_cast<double>(of_b->rows);
        draw_power(p, of_b->power[0], turns, stroke_of_b(f));
        c.circle(
            {x(turns * static_cast<double>(of_b->leakage[0].bin)), y(log_power(of_b->leakage[0].fraction))},
            3.5F, {f.theme.ink_soft, 1.4F});
    }
    for (int component = 0; component < 2; ++component)
        if (const Leakage& of = made.leakage[component]; of.above > 0)
            c.knob({x(static_cast<double>(of.bin)), y(log_power(of.fraction))}, 3.5F,
                   strokes(f)[static_cast<std::size_t>(component)].colour, f.theme.tile);
    if (!p.over()) return;
    const auto q = static_cast<std::size_t>(std::clamp(std::round(p.pointed_x()), 0.0, bins - 1.0));
    f.tip.formula = s.format("|X_{{{}}}|^2", q);
    f.tip.value = s.format("= {}", ui::significant(s, made.power[0][q], 4));
    f.tip.details[0] = f.format("basis.tip_cos", fmt::arg("value", ui::significant(s, made.power[1][q], 4)));
}

void draw_strongest(Frame& f, Rect area) {
    ui::Scratch& s = f.scratch;
    const Strongest* made = strongest(f, f.scene, f.derived);
    if (made == nullptr) return explain_absence(f, area, being_made());
    if (made->fraction[0].empty()) return;
    const auto pairs = static_cast<std::size_t>(f.scene.d_model / 2);
    const Plot p(f, area, {plot::Kind::pair, -0.5, static_cast<double>(pairs) - 0.5},
                 {plot::Kind::percent, 0.0, 1.05, f.text("basis.strongest")});
    if (!p.has_room()) return;
    if (made->stride > 1) p.note(f.format("basis.every", fmt::arg("stride", made->stride)));
    // A typed formula may have no value anywhere, and then no curve.
    for (const std::size_t component : {std::size_t{1}, std::size_t{0}})
        p.curve(made->fraction[component], strokes(f)[component], 0.0, static_cast<double>(made->stride));
    const Strongest* of_b = has_b(f) ? strongest(f, f.other->scene, f.other->derived) : nullptr;
    if (of_b != nullptr && of_b->fraction[0].size() > 1)
        p.curve(of_b->fraction[0], stroke_of_b(f), 0.0, static_cast<double>(of_b->stride));
    const auto at =
        static_cast<double>(std::min<std::int64_t>(f.scene.pair, static_cast<std::int64_t>(pairs) - 1));
    p.rule(at, {f.theme.ink, 1.2F, 3.0F});
    // Dragging along the pairs chooses one.
    if (f.drag("pair", p.over(), {p.x(at), p.area.centre().y}, Cursor::horizontal))
        f.edit().pair = static_cast<std::int64_t>(pair_at(p.x, f.pointer->at.x, pairs));
    if (!p.over()) return;
    const auto pair = pair_at(p.x, f.pointer->at.x, pairs);
    const std::size_t index =
        std::min(pair / static_cast<std::size_t>(made->stride), made->fraction[0].size() - 1);
    if (const Spectrum* spectrum = f.derived.spectrum(f.scene);
        spectrum != nullptr && pair < spectrum->pairs())
        f.hovered.frequency = spectrum->frequency[pair];
    f.tip.formula =
        f.format("basis.tip_pair", fmt::arg("pair", index * static_cast<std::size_t>(made->stride)));
    if (!std::isfinite(made->fraction[0][index] + made->fraction[1][index])) return;
    f.tip.value = s.format("{}% · {}%", ui::significant(s, 100.0 * made->fraction[0][index], 3),
                           ui::significant(s, 100.0 * made->fraction[1][index], 3));
}

}  // namespace

void draw_transform(Frame& f, Rect area) {
    const Transform* made = transform(f, f.scene, f.derived);
    if (made == nullptr) return explain_absence(f, area, being_made());
    if (made->problem) return explain_absence(f, area, *made->problem);
    if (area.height() > 230.0F) draw_strongest(f, area.cut_bottom(std::min(190.0F, 0.4F * area.height())));
    else if (area.width() > 620.0F) draw_strongest(f, area.cut_right(0.4F * area.width()));
    const Transform* of_b = has_b(f) ? transform(f, f.other->scene, f.other->derived) : nullptr;
    if (of_b != nullptr && (of_b->problem || of_b->power[0].empty())) of_b = nullptr;
    if (of_b != nullptr && area.height() > 160.0F)
        f.canvas.text(
            {area.x1, area.cut_top(17.0F).y0 + 11.0F},
            f.format("basis.strongest_of_b",
                     fmt::arg("percent", ui::significant(f.scratch, 100.0 * of_b->leakage[0].fraction, 3)),
                     fmt::arg("bin", ui::integer(f.scratch, of_b->leakage[0].bin)),
                     fmt::arg("rows", ui::integer(f.scratch, of_b->rows))),
            small(f, Align::right));
    draw_comb(f, area, *made, of_b);
}

// ---- the rank --------------------------------------------------------------------------------------------------

namespace {

void draw_staircase(Frame& f, Rect area, const Ranks& made, const Ranks* of_b) {
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const auto n = static_cast<double>(f.scene.length), d = static_cast<double>(made.nodes);
    // While the length is dragged, the axis does not move under it.
    const auto shown = static_cast<double>(f.dragging() ? f.drag_state->scene.length : f.scene.length);
    const Plot p(f, area,
                 {plot::Kind::whole, 0.0, std::max({1.5 * d, std::min(1.2 * shown, 1e9), 2.0}),
                  f.text("basis.positions")},
                 {plot::Kind::whole, 0.0, 1.15 * d, f.text("basis.rank")});
    if (!p.has_room()) return;
    const canvas::Clip clip(c, p.area.grown(2.0F));
    const std::array<Point, 2> diagonal = {p.at(0.0, 0.0), p.at(1.15 * d, 1.15 * d)};
    c.polyline(diagonal, {f.theme.ink_faint, 1.2F, 4.0F});  // n vectors, all independent
    const std::array<Point, 3> exact = {p.at(0.0, 0.0), p.at(d, d), p.at(std::max(p.x.to, d), d)};
    if (!shows_table(f.scene)) c.polyline(exact, {f.theme.ink, 2.0F});
    const auto numeric = [&](const Ranks& of, ui::Colour colour, bool outlined) {
        std::vector<Point>& points = f.derived.points();
        points.clear();
        points.push_back(p.at(0.0, 0.0));
        for (const RankPoint& at : of.curve)
            points.push_back(p.at(static_cast<double>(at.rows), static_cast<double>(at.rank)));
        c.polyline(points, {colour, 1.5F, outlined ? 3.0F : 0.0F});
        for (std::size_t i = 1; i < points.size(); ++i)
            if (outlined) c.circle(points[i], 3.0F, {colour, 1.2F});
            else c.disc(points[i], 3.0F, colour);
    };
    if (of_b != nullptr) numeric(*of_b, f.theme.ink_soft, true);
    numeric(made, f.theme.beyond, false);
    p.rule(std::min(n, p.x.to), {f.theme.ink_faint, 1.0F, 3.0F});
    if (!p.over()) return;
    const std::int64_t rows = std::max<std::int64_t>(1, std::llround(p.pointed_x()));
    f.tip.value = f.format("basis.tip_rank", fmt::arg("rows", ui::integer(s, rows)),
                           fmt::arg("rank", ui::integer(s, std::min(rows, made.nodes))));
}

void draw_singular(Frame& f, Rect area, const Ranks& made, const Ranks* of_b) {
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    if (made.singular.empty()) return;
    constexpr double kLeast = -18.0;
    const auto count = static_cast<double>(made.singular.size());
    const Plot p(f, area, {plot::Kind::whole, 0.5, std::max(count + 0.5, 1.5), f.text("basis.index")},
                 {plot::Kind::log, kLeast, 0.5, f.text("basis.singular")});
    if (!p.has_room()) return;
    const double threshold = std::log10(static_cast<double>(std::max(made.rows, made.width)) * 0x1p-52);
    p.level(threshold, {f.theme.beyond, 1.0F, 4.0F});
    const auto curve = [&](const Ranks& of, Stroke stroke) {
        p.path(of.singular.size(), stroke, [&](std::size_t i) {
            const double log = of.singular[i] > 0.0 ? std::log10(of.singular[i]) : kLeast;
            return p.at(static_cast<double>(i + 1), std::max(kLeast, log));
        });
    };
    if (of_b != nullptr && !of_b->singular.empty()) curve(*of_b, {f.theme.ink_soft, 1.4F, 3.0F});
    curve(made, {f.theme.ink, 2.0F});
    if (!made.null.empty() && p.area.height() > 160.0F) {  // where neither values nor threshold are
        std::string_view sum = "α = (";
        for (std::size_t n = 0; n < made.null.size(); ++n)
            sum = s.format("{}{}{}", sum, n > 0 ? ", " : "", ui::fixed(s, made.null[n], 3));
        sum = s.format("{})", sum);
        const std::string_view zero =
            s.format("‖\\sum α_i p_i‖ \\le {}", ui::residual(s, made.null_residual));
        if (ui::lay_out(sum, 14.0F, c).width < p.area.width()) {
            const Point at{p.area.centre().x, p.y(-9.0)};
            c.formula({at.x, at.y - 4.0F}, zero, 15.0F, f.theme.ink, canvas::Align::centre);
            c.formula({at.x, at.y + 18.0F}, sum, 14.0F, f.theme.ink_soft, canvas::Align::centre);
        }
    }
    if (!p.over()) return;
    const auto i = static_cast<std::size_t>(std::clamp(std::round(p.pointed_x()), 1.0, count));
    f.tip.formula = s.format("σ_{{{}}}\\,/\\,σ_1", i);
    f.tip.value = s.format("= {}", ui::significant(s, made.singular[i - 1], 4));
}

}  // namespace

void draw_ranks(Frame& f, Rect area) {
    const Ranks* made = ranks(f, f.scene, f.derived);
    if (made == nullptr) return explain_absence(f, area, being_made());
    if (made->problem) return explain_absence(f, area, *made->problem);
    const Ranks* of_b = nullptr;
    if (has_b(f)) of_b = ranks(f, f.other->scene, f.other->derived);
    if (of_b != nullptr && of_b->problem) of_b = nullptr;
    if (area.width() > 1.2F * area.height() && area.width() > 300.0F) {
        draw_staircase(f, area.cut_left(0.5F * area.width()), *made, of_b);
        area.cut_left(8.0F);
        return draw_singular(f, area, *made, of_b);
    }
    if (area.height() > 260.0F) draw_singular(f, area.cut_bottom(0.45F * area.height()), *made, of_b);
    draw_staircase(f, area, *made, of_b);
}

// ---- the gap ---------------------------------------------------------------------------------------------------

void draw_gaps(Frame& f, Rect area) {
    const Gaps* made = gaps(f, f.scene, f.derived);
    if (made == nullptr) return explain_absence(f, area, being_made());
    if (made->problem) return explain_absence(f, area, *made->problem);
    if (made->gap.empty()) return explain_absence(f, area, "basis.one_row");
    const Gaps* of_b = nullptr;
    if (has_b(f)) of_b = gaps(f, f.other->scene, f.other->derived);
    if (of_b != nullptr && (of_b->problem || of_b->gap.empty())) of_b = nullptr;
    ui::Scratch& s = f.scratch;
    const double most = std::max(made->most, of_b != nullptr ? of_b->most : 0.0);
    const auto count = static_cast<double>(made->gap.size());
    const Plot p(f, area, {plot::Kind::whole, 0.0, std::max(count, 2.0), f.text("basis.distance")},
                 {plot::Kind::linear, 0.0, most > 0.0 ? 1.08 * most : 1.0, f.text("basis.gap")});
    if (!p.has_room()) return;
    if (of_b != nullptr) p.curve(of_b->gap, {f.theme.ink_soft, 1.2F, 3.0F}, 1.0);
    p.curve(made->gap, {f.theme.ink, 1.6F}, 1.0);
    p.level(made->least, {f.theme.beyond, 1.0F, 4.0F});
    f.canvas.knob(p.at(static_cast<double>(made->distance), made->least), 5.0F, f.theme.beyond, f.theme.tile);
    if (made->rows < f.scene.length)
        p.note(f.format("basis.first_rows", fmt::arg("rows", ui::integer(s, made->rows))));
    if (!p.over()) return;
    const auto delta = static_cast<std::int64_t>(std::clamp(std::round(p.pointed_x()), 1.0, count));
    f.hovered.distance = delta;
    f.tip.formula = s.format("\\norm p_j \\,−\\, p_{{j+{}}} \\norm", delta);
    f.tip.value = s.format("= {}", ui::significant(s, made->gap[static_cast<std::size_t>(delta - 1)], 6));
}

}  // namespace posiscope::figures::matrix::basis
