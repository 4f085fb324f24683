// basis_curves.cpp — the Fourier transform of a pair's columns, the rank of the rows, the least gap between two rows.
#include "app/figures/matrix/basis.hpp"
#include "app/figures/matrix/matrix.hpp"
#include "app/figures/parts/pair_plot.hpp"

#include <cmath>

namespace posiscope::figures::matrix::basis {
namespace {

using canvas::Align;
using canvas::Stroke;
using ui::Face;

constexpr double kFloor = -8.0;  // log₁₀ of the least power drawn

bool has_b(const Frame& f) { return f.other != nullptr && has_basis(f.other->scene); }

double log_power(double value) { return value > 0.0 ? std::max(kFloor, std::log10(value)) : kFloor; }

// A numbered axis below a plot.
void ticks_below(Frame& f, Rect plot, const canvas::Axis& x, std::string_view name) {
    const canvas::Ticks down =
        canvas::ticks(x.from, x.to, std::clamp(static_cast<int>(plot.width() / 64.0F), 2, 9));
    for (const double value : down.values()) {
        if (value != std::round(value)) continue;
        f.canvas.line({x(value), plot.y1}, {x(value), plot.y1 + 4.0F}, {f.theme.ink_faint, 1.0F});
        f.canvas.text({x(value), plot.y1 + 17.0F}, ui::integer(f.scratch, std::llround(value)),
                      {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::centre});
    }
    f.canvas.text({plot.centre().x, plot.y1 + 33.0F}, name,
                  {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::centre});
}

std::array<Stroke, 2> strokes(const Frame& f) {
    return {Stroke{f.theme.sine, 1.8F}, Stroke{f.theme.cosine, 1.8F, 5.0F}};
}

Stroke stroke_of_b(const Frame& f) { return {f.theme.ink_soft, 1.4F, 2.0F}; }

// The first component solid, the second dashed, as everywhere; of B the first, dotted.
void name_components(Frame& f, Rect plot, float least) {
    float x = plot.x1;
    const bool numbers = shows_table(f.scene);
    const auto name = [&](std::string_view words, Stroke stroke) {
        const float width = f.canvas.text_width(words, Face::text, ui::kSmallSize);
        if (x - width - 24.0F < least) return;
        f.canvas.text({x, plot.y0 - 10.0F}, words,
                      {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
        f.canvas.line({x - width - 24.0F, plot.y0 - 14.0F}, {x - width - 5.0F, plot.y0 - 14.0F}, stroke);
        x -= width + 36.0F;
    };
    if (has_b(f))
        name(shows_table(f.other->scene) ? f.scratch.format("B: {}", f.text("basis.first")) : "B: sin",
             stroke_of_b(f));
    name(numbers ? f.text("basis.second") : std::string_view("cos"), strokes(f)[1]);
    name(numbers ? f.text("basis.first") : std::string_view("sin"), strokes(f)[0]);
}

// Draws the strongest bin in each pixel column; bin q is `turns` turns in all of A's positions.
void draw_power(Frame& f, std::span<const double> power, double turns, const canvas::Axis& x,
                const canvas::Axis& y, Stroke stroke) {
    const float pixel = 1.0F / f.canvas.pixels_per_point();
    std::vector<Point>& points = f.derived.points();
    points.clear();
    const auto place = [&](std::size_t q) { return x(turns * static_cast<double>(q)); };
    for (std::size_t q = 0; q < power.size();) {
        const float at = place(q), column = std::floor(at / pixel);
        double most = 0.0;
        for (; q < power.size() && std::floor(place(q) / pixel) == column; ++q)
            most = std::max(most, power[q]);
        points.push_back({at, y(log_power(most))});
    }
    if (points.size() > 1) f.canvas.polyline(points, stroke);
}

void draw_comb(Frame& f, Rect area, const Transform& made, const Transform* of_b) {
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const Rect plot{area.x0 + 46.0F, area.y0 + 24.0F, area.x1 - 8.0F, area.y1 - 40.0F};
    if (plot.width() < 40.0F || plot.height() < 30.0F) return;
    const auto bins = static_cast<double>(made.power[0].size());
    const canvas::Axis x{-0.5, std::max(bins - 0.5, 0.5), plot.x0, plot.x1}, y{kFloor, 0.4, plot.y1, plot.y0};
    draw_decades(f, plot, y, f.text("basis.power"));
    ticks_below(f, plot, x, f.text("basis.bin"));
    const float name = c.text_width(f.text("basis.power"), Face::text, ui::kSmallSize);
    name_components(f, plot, plot.x0 + name + 16.0F);
    c.line({plot.x0, y(-6.0)}, {plot.x1, y(-6.0)}, {f.theme.beyond, 1.0F, 4.0F});
    const float pixel = 1.0F / c.pixels_per_point();
    const bool bars = x(1.0) - x(0.0) > 3.0F * pixel;
    const canvas::Clip clip(c, plot.grown(1.0F));
    for (int component = 1; component >= 0; --component) {
        const std::vector<double>& power = made.power[component];
        const Stroke stroke = strokes(f)[static_cast<std::size_t>(component)];
        const float shift =
            bars ? (component == 0 ? -1.0F : 1.0F) * std::min(1.5F, 0.2F * (x(1.0) - x(0.0))) : 0.0F;
        if (bars) {
            for (std::size_t q = 0; q < power.size(); ++q) {
                const float at = x(static_cast<double>(q)) + shift;
                c.line({at, plot.y1}, {at, y(log_power(power[q]))}, {stroke.colour, 1.5F});
            }
            continue;
        }
        draw_power(f, power, 1.0, x, y, stroke);
    }
    if (of_b != nullptr) {
        const double turns = static_cast<double>(made.rows) / static_cast<double>(of_b->rows);
        draw_power(f, of_b->power[0], turns, x, y, stroke_of_b(f));
        c.circle(
            {x(turns * static_cast<double>(of_b->leakage[0].bin)), y(log_power(of_b->leakage[0].fraction))},
            3.5F, {f.theme.ink_soft, 1.4F});
    }
    for (int component = 0; component < 2; ++component)
        if (const Leakage& of = made.leakage[component]; of.above > 0)
            c.knob({x(static_cast<double>(of.bin)), y(log_power(of.fraction))}, 3.5F,
                   strokes(f)[static_cast<std::size_t>(component)].colour, f.theme.tile);
    if (!f.over(plot)) return;
    const auto q =
        static_cast<std::size_t>(std::clamp(std::round(x.inverse(f.pointer->at.x)), 0.0, bins - 1.0));
    f.tip.formula = s.format("|X_{{{}}}|^2", q);
    f.tip.value = s.format("= {}", ui::significant(s, made.power[0][q], 4));
    f.tip.details[0] = f.format("basis.tip_cos", fmt::arg("value", ui::significant(s, made.power[1][q], 4)));
}

void draw_strongest(Frame& f, Rect area) {
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const Strongest* made = strongest(f, f.scene, f.derived);
    if (made == nullptr) return explain_absence(f, area, being_made());
    if (made->fraction[0].empty()) return;
    const Rect plot{area.x0 + 46.0F, area.y0 + 24.0F, area.x1 - 8.0F, area.y1 - 38.0F};
    if (plot.width() < 40.0F || plot.height() < 24.0F) return;
    const auto pairs = static_cast<std::size_t>(f.scene.d_model / 2);
    canvas::Axis x{-0.5, static_cast<double>(pairs) - 0.5, plot.x0, plot.x1};
    const canvas::Axis y{0.0, 1.05, plot.y1, plot.y0};
    for (const double value : {0.0, 0.5, 1.0}) {
        c.line({plot.x0, y(value)}, {plot.x1, y(value)}, {f.theme.grid, 1.0F});
        c.text({plot.x0 - 7.0F, y(value) + 4.0F}, s.format("{}%", std::lround(100.0 * value)),
               {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
    }
    draw_pair_ticks(f, plot, x);
    c.text({plot.x0, plot.y0 - 10.0F}, f.text("basis.strongest"),
           {f.theme.ink_soft, ui::kSmallSize, Face::text});
    if (made->stride > 1 && plot.width() > 420.0F)
        c.text({plot.x1, plot.y0 - 10.0F}, f.format("basis.every", fmt::arg("stride", made->stride)),
               {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
    for (int component = 1; component >= 0; --component) {
        const auto points = canvas::curve_points(f.derived.points(), made->fraction[component], x, y, 0.0,
                                                 static_cast<double>(made->stride), c.pixels_per_point());
        if (points.size() > 1) c.polyline(points, strokes(f)[static_cast<std::size_t>(component)]);
        else if (!points.empty())  // a typed formula may have no value anywhere
            c.disc(points.front(), 3.0F, strokes(f)[static_cast<std::size_t>(component)].colour);
    }
    const Strongest* of_b = has_b(f) ? strongest(f, f.other->scene, f.other->derived) : nullptr;
    if (of_b != nullptr && of_b->fraction[0].size() > 1) {
        const canvas::Clip clip(c, plot.grown(1.0F));
        c.polyline(canvas::curve_points(f.derived.points(), of_b->fraction[0], x, y, 0.0,
                                        static_cast<double>(of_b->stride), c.pixels_per_point()),
                   stroke_of_b(f));
    }
    const float at =
        x(static_cast<double>(std::min<std::int64_t>(f.scene.pair, static_cast<std::int64_t>(pairs) - 1)));
    c.line({at, plot.y0}, {at, plot.y1}, {f.theme.ink, 1.2F, 3.0F});
    // Dragging along the pairs chooses one.
    if (f.drag("pair", f.over(plot), {at, plot.centre().y}, Cursor::horizontal))
        f.edit().pair = static_cast<std::int64_t>(pair_at(x, f.pointer->at.x, pairs));
    if (!f.over(plot)) return;
    const auto pair = pair_at(x, f.pointer->at.x, pairs);
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
            {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
    draw_comb(f, area, *made, of_b);
}

// ---- the rank --------------------------------------------------------------------------------------------------

namespace {

void draw_staircase(Frame& f, Rect area, const Ranks& made, const Ranks* of_b) {
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const Rect plot{area.x0 + 50.0F, area.y0 + 24.0F, area.x1 - 12.0F, area.y1 - 40.0F};
    if (plot.width() < 40.0F || plot.height() < 30.0F) return;
    const auto n = static_cast<double>(f.scene.length), d = static_cast<double>(made.nodes);
    // While the length is dragged, the axis does not move under it.
    const auto shown =
        static_cast<double>(f.grip != nullptr && f.grip->active() ? f.grip->scene.length : f.scene.length);
    const canvas::Axis x{0.0, std::max({1.5 * d, std::min(1.2 * shown, 1e9), 2.0}), plot.x0, plot.x1},
        y{0.0, 1.15 * d, plot.y1, plot.y0};
    canvas::frame_plot(c, f.theme, s, plot, x, y, f.text("basis.positions"), f.text("basis.rank"), false);
    const canvas::Clip clip(c, plot.grown(2.0F));
    const std::array<Point, 2> diagonal = {Point{x(0.0), y(0.0)}, Point{x(1.15 * d), y(1.15 * d)}};
    c.polyline(diagonal, {f.theme.ink_faint, 1.2F, 4.0F});  // n vectors, all independent
    const std::array<Point, 3> exact = {Point{x(0.0), y(0.0)}, Point{x(d), y(d)},
                                        Point{x(std::max(x.to, d)), y(d)}};
    if (!shows_table(f.scene)) c.polyline(exact, {f.theme.ink, 2.0F});
    const auto numeric = [&](const Ranks& of, ui::Colour colour, bool outlined) {
        std::vector<Point>& points = f.derived.points();
        points.clear();
        points.push_back({x(0.0), y(0.0)});
        for (const RankPoint& at : of.curve)
            points.push_back({x(static_cast<double>(at.rows)), y(static_cast<double>(at.rank))});
        c.polyline(points, {colour, 1.5F, outlined ? 3.0F : 0.0F});
        for (std::size_t i = 1; i < points.size(); ++i)
            if (outlined) c.circle(points[i], 3.0F, {colour, 1.2F});
            else c.disc(points[i], 3.0F, colour);
    };
    if (of_b != nullptr) numeric(*of_b, f.theme.ink_soft, true);
    numeric(made, f.theme.beyond, false);
    const float at = x(std::min(n, x.to));
    c.line({at, plot.y0}, {at, plot.y1}, {f.theme.ink_faint, 1.0F, 3.0F});
    if (!f.over(plot)) return;
    const auto rows = static_cast<std::int64_t>(std::max(1.0, std::round(x.inverse(f.pointer->at.x))));
    f.tip.value = f.format("basis.tip_rank", fmt::arg("rows", ui::integer(s, rows)),
                           fmt::arg("rank", ui::integer(s, std::min(rows, made.nodes))));
}

void draw_singular(Frame& f, Rect area, const Ranks& made, const Ranks* of_b) {
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const Rect plot{area.x0 + 50.0F, area.y0 + 24.0F, area.x1 - 12.0F, area.y1 - 40.0F};
    if (plot.width() < 40.0F || plot.height() < 30.0F || made.singular.empty()) return;
    constexpr double kLeast = -18.0;
    const auto count = static_cast<double>(made.singular.size());
    const canvas::Axis x{0.5, std::max(count + 0.5, 1.5), plot.x0, plot.x1}, y{kLeast, 0.5, plot.y1, plot.y0};
    draw_decades(f, plot, y, f.text("basis.singular"));
    ticks_below(f, plot, x, f.text("basis.index"));
    const double threshold = std::log10(static_cast<double>(std::max(made.rows, made.width)) * 0x1p-52);
    c.line({plot.x0, y(threshold)}, {plot.x1, y(threshold)}, {f.theme.beyond, 1.0F, 4.0F});
    const canvas::Clip clip(c, plot.grown(2.0F));
    const auto curve = [&](const Ranks& of, Stroke stroke) {
        std::vector<Point>& points = f.derived.points();
        points.clear();
        for (std::size_t i = 0; i < of.singular.size(); ++i)
            points.push_back(
                {x(static_cast<double>(i + 1)),
                 y(std::max(kLeast, of.singular[i] > 0.0 ? std::log10(of.singular[i]) : kLeast))});
        if (points.size() > 1) c.polyline(points, stroke);
        else if (!points.empty()) c.disc(points.front(), 3.0F, stroke.colour);
    };
    if (of_b != nullptr && !of_b->singular.empty()) curve(*of_b, {f.theme.ink_soft, 1.4F, 3.0F});
    curve(made, {f.theme.ink, 2.0F});
    if (!made.null.empty() && plot.height() > 160.0F) {  // where neither values nor threshold are
        std::string_view sum = "α = (";
        for (std::size_t p = 0; p < made.null.size(); ++p)
            sum = s.format("{}{}{}", sum, p > 0 ? ", " : "", ui::fixed(s, made.null[p], 3));
        sum = s.format("{})", sum);
        const std::string_view zero =
            s.format("‖\\sum α_i p_i‖ \\le {}", ui::residual(s, made.null_residual));
        if (ui::lay_out(sum, 14.0F, c).width < plot.width()) {
            const Point at{plot.centre().x, y(-9.0)};
            c.formula({at.x, at.y - 4.0F}, zero, 15.0F, f.theme.ink, canvas::Align::centre);
            c.formula({at.x, at.y + 18.0F}, sum, 14.0F, f.theme.ink_soft, canvas::Align::centre);
        }
    }
    if (!f.over(plot)) return;
    const auto i = static_cast<std::size_t>(std::clamp(std::round(x.inverse(f.pointer->at.x)), 1.0, count));
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
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const Rect plot{area.x0 + 50.0F, area.y0 + 24.0F, area.x1 - 14.0F, area.y1 - 42.0F};
    if (plot.width() < 40.0F || plot.height() < 30.0F) return;
    const double most = std::max(made->most, of_b != nullptr ? of_b->most : 0.0);
    const auto count = static_cast<double>(made->gap.size());
    const canvas::Axis x{0.0, std::max(count, 2.0), plot.x0, plot.x1},
        y{0.0, most > 0.0 ? 1.08 * most : 1.0, plot.y1, plot.y0};
    canvas::frame_plot(c, f.theme, s, plot, x, y, f.text("basis.distance"), f.text("basis.gap"), false);
    {
        const canvas::Clip clip(c, plot.grown(1.0F));
        const auto curve = [&](const Gaps& of, Stroke stroke) {
            const auto points =
                canvas::curve_points(f.derived.points(), of.gap, x, y, 1.0, 1.0, c.pixels_per_point());
            if (points.size() > 1) c.polyline(points, stroke);
            else if (points.size() == 1) c.disc(points.front(), 3.0F, stroke.colour);
        };
        if (of_b != nullptr) curve(*of_b, {f.theme.ink_soft, 1.2F, 3.0F});
        curve(*made, {f.theme.ink, 1.6F});
    }
    const Point least{x(static_cast<double>(made->distance)), y(made->least)};
    c.line({plot.x0, least.y}, {plot.x1, least.y}, {f.theme.beyond, 1.0F, 4.0F});
    c.knob(least, 5.0F, f.theme.beyond, f.theme.tile);
    if (made->rows < f.scene.length && plot.width() > 200.0F)
        c.text({plot.x1, plot.y0 - 10.0F},
               f.format("basis.first_rows", fmt::arg("rows", ui::integer(s, made->rows))),
               {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
    if (!f.over(plot)) return;
    const auto delta =
        static_cast<std::int64_t>(std::clamp(std::round(x.inverse(f.pointer->at.x)), 1.0, count));
    f.hovered.distance = delta;
    f.tip.formula = s.format("\\norm p_j \\,−\\, p_{{j+{}}} \\norm", delta);
    f.tip.value = s.format("= {}", ui::significant(s, made->gap[static_cast<std::size_t>(delta - 1)], 6));
}

}  // namespace posiscope::figures::matrix::basis
