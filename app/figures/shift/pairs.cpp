// pairs.cpp — the shift over the pairs, for many dimensions: vector, map, vector, and their residual.
#include "app/canvas/axes.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/text.hpp"
#include "app/figures/shift/shift.hpp"

namespace posiscope::figures::shifts {
namespace {

using canvas::Align;
using canvas::Stroke;
using ui::Face;

// One vector: its first components over its second ones, a column a pair or, where those are narrower than a point,
// the mean of the pairs that a point covers, firsts and seconds apart.
void draw_vector(View& v, Rect strip, const std::array<std::vector<double>, 2>& values, std::int64_t at) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const float half = 0.5F * strip.height();
    const auto columns = std::min(v.pairs(), static_cast<std::size_t>(std::max(1.0F, strip.width())));
    const canvas::Axis x{0.0, static_cast<double>(columns), strip.x0, strip.x1};
    for (std::size_t component = 0; component < 2; ++component)
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t first = column * v.pairs() / columns, next = (column + 1) * v.pairs() / columns;
            double sum = 0.0;
            for (std::size_t i = first; i < next; ++i) sum += values[component][i];
            const float top = strip.y0 + half * static_cast<float>(component);
            c.fill({x(static_cast<double>(column)), top, x(static_cast<double>(column + 1)),
                    top + half - (component == 0 ? 1.0F : 0.0F)},
                   v.cell(sum / static_cast<double>(next - first)));
        }
    if (strip.height() >= 22.0F)
        for (const int component : {0, 1})
            c.text({strip.x1 + 6.0F, strip.y0 + half * (static_cast<float>(component) + 0.5F) + 4.0F},
                   v.component(component), {f.theme.ink_soft, 12.0F, Face::text});
    c.formula({strip.x0 - 8.0F, strip.centre().y + 5.0F},
              at < 100000 ? f.scratch.format("{}({})", v.vector(), ui::integer(f.scratch, at)) : v.vector(),
              15.0F, f.theme.ink, Align::right);
}

// A pair's column through all rows.
void mark_column(View& v, float x, float y0, float y1, bool chosen, bool exact) {
    v.frame.canvas.line({x, y0}, {x, y1},
                        {chosen ? v.frame.theme.ink : v.frame.theme.ink_soft, 1.0F, exact ? 0.0F : 3.0F});
}

void draw_lines(View& v, const Map& map, const canvas::Axis& x, const canvas::Axis& y, Stroke cosine,
                Stroke sine) {
    canvas::Canvas& c = v.frame.canvas;
    for (const auto& [values, stroke] : {std::pair{&map.cosine, cosine}, std::pair{&map.sine, sine}})
        c.polyline(
            canvas::curve_points(v.frame.derived.points(), *values, x, y, 0.5, 1.0, c.pixels_per_point()),
            stroke);
}

void draw_map(View& v, Rect plot, const canvas::Axis& x) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const ui::Theme& theme = f.theme;
    const Map& map = map_of(f.scene, f.derived, v.kept.map, v.offset());
    const canvas::Axis y{-1.08, 1.08, plot.y1, plot.y0};
    for (const double value : {-1.0, 0.0, 1.0}) {
        c.line({plot.x0, y(value)}, {plot.x1, y(value)}, {theme.grid, 1.0F});
        if (plot.height() < 32.0F) continue;
        c.text({plot.x0 - 8.0F, y(value) + 4.0F}, ui::integer(s, std::llround(value)),
               small(f, Align::right));
    }
    {
        const canvas::Clip clip(c, plot.grown(1.0F));
        if (const Scene* before = f.ghost(); before != nullptr && before->offset != v.offset())
            draw_lines(v, map_of(f.scene, f.derived, v.kept.before, before->offset), x, y,
                       {theme.ink_faint, 1.0F}, {theme.ink_faint, 1.0F});
        if (const Spectrum* other = f.other != nullptr ? circles(*f.other) : nullptr;
            other != nullptr && other->pairs() == v.pairs())
            draw_lines(
                v, map_of(f.other->scene, f.other->derived, f.other->derived.part<Shifts>().map, v.offset()),
                x, y, {theme.ink, 1.0F, 3.0F}, {theme.ink, 1.0F});
        if (f.dragging() && f.drag_state->handle == "second")
            draw_lines(v, map_of(f.scene, f.derived, v.kept.composed, v.offset() + second_offset(f.scene)), x,
                       y, {theme.ink_faint, 1.0F, 3.0F}, {theme.ink_faint, 1.0F});
        draw_lines(v, map, x, y, {theme.cosine, 1.8F, v.pairs() < 400 ? 5.0F : 0.0F}, {theme.sine, 1.8F});
        if (plot.width() > 7.0F * static_cast<float>(v.pairs()))
            for (std::size_t i = 0; i < v.pairs(); ++i) {
                const float at = x(static_cast<double>(i) + 0.5);
                c.disc({at, y(map.cosine[i])}, 2.6F, theme.cosine);
                c.disc({at, y(map.sine[i])}, 2.6F, theme.sine);
            }
    }
    const std::string_view k = ui::integer(s, v.offset());
    if (plot.height() >= 66.0F)  // between the numbers
        c.formula({plot.x0 - 8.0F, y(0.5) + 5.0F}, s.format("{}_{{{}}}", v.map_name(), k), 17.0F, theme.ink,
                  Align::right);
    // The legend, and the note that p does not occur.
    float right = plot.x1;
    if (!f.hide_hints_that_answer) {
        const std::string_view words = f.text("shift.no_p");
        c.text({right, plot.y0 - 5.0F}, words, small(f, Align::right));
        right -= small_width(f, words) + 18.0F;
    }
    for (const bool sine : {true, false}) {
        const std::string_view name = s.format("\\{} {}\\omega_i", sine ? "sin" : "cos", k);
        const float width = ui::lay_out(name, 14.0F, c).width;
        c.formula({right - width, plot.y0 - 5.0F}, name, 14.0F, theme.ink);
        c.line({right - width - 26.0F, plot.y0 - 9.0F}, {right - width - 6.0F, plot.y0 - 9.0F},
               {sine ? theme.sine : theme.cosine, 2.0F, sine ? 0.0F : 5.0F});
        right -= width + 42.0F;
    }
}

// The difference of actual and computed in every dimension, on a logarithmic axis; exact zeros below it.
void draw_errors(View& v, Rect plot, const canvas::Axis& x) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const ui::Theme& theme = f.theme;
    const double top = v.check.worst > 0.0 ? std::ceil(std::log10(v.check.worst) + 1e-9) : -15.0;
    const canvas::Axis y{top - 3.0, top, plot.y1 - 14.0F, plot.y0};
    for (int power = 0; power <= 3; ++power) {
        const double at = top - power;
        c.line({plot.x0, y(at)}, {plot.x1, y(at)}, {theme.grid, 1.0F});
        if (power % 3 == 0 || plot.height() > 66.0F)
            c.text({plot.x0 - 8.0F, y(at) + 4.0F}, ui::significant(s, std::pow(10.0, at), 1),
                   small(f, Align::right));
    }
    c.text({plot.x0 - 8.0F, plot.y1 + 2.0F}, "0", small(f, Align::right));
    // One dot per dimension; where several share a column, the largest of each component.
    const auto columns = std::min(v.pairs(), static_cast<std::size_t>(std::max(1.0F, 0.7F * plot.width())));
    for (const int component : {0, 1})
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t first = column * v.pairs() / columns, next = (column + 1) * v.pairs() / columns;
            double worst = 0.0;
            for (std::size_t i = first; i < next; ++i) worst = std::max(worst, v.check.error(component, i));
            const float at = x(0.5 * static_cast<double>(first + next));
            const float high = worst > 0.0 ? y(std::max(std::log10(worst), y.from)) : plot.y1 - 2.0F;
            c.disc({at, high}, v.pairs() < 200 ? 2.2F : 1.4F,
                   worst > 0.0 ? v.component_colour(component) : ui::faded(theme.ink_faint, 0.6F));
        }
    if (v.check.worst <= 0.0) return;
    const Point worst{x(static_cast<double>(v.check.worst_pair) + 0.5), y(std::log10(v.check.worst))};
    c.circle(worst, 5.0F, {theme.ink, 1.3F});
    const std::string_view words = f.format("shift.worst", fmt::arg("error", ui::residual(s, v.check.worst)));
    const float width = small_width(f, words);
    const bool left = worst.x + 12.0F + width > plot.x1;
    const float from = left ? worst.x - 12.0F - width : worst.x + 12.0F;
    c.fill({from - 3.0F, worst.y - 9.0F, from + width + 3.0F, worst.y + 8.0F}, ui::faded(theme.tile, 0.85F),
           3.0F);
    c.text({from, worst.y + 4.0F}, words, small_ink(f));
}

}  // namespace

void draw_along_pairs(View& v, Rect area) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const ui::Theme& theme = f.theme;
    area.x0 += kGutter;
    area.x1 -= 30.0F;  // for the components' names
    const Rect names = area.cut_bottom(18.0F);
    const float strip = std::clamp(0.07F * area.height(), 16.0F, 30.0F);
    const bool errors = area.height() > 190.0F;
    const Rect first = area.cut_top(strip);
    area.cut_top(26.0F);
    const Rect error_plot =
        errors ? area.cut_bottom(std::clamp(0.34F * area.height(), 52.0F, 150.0F)) : Rect{};
    if (errors) area.cut_bottom(30.0F);
    const Rect second = area.cut_bottom(strip);
    area.cut_bottom(10.0F);
    const canvas::Axis x{0.0, static_cast<double>(v.pairs()), area.x0, area.x1};
    draw_vector(v, first, v.check.before, v.position());
    draw_map(v, area, x);
    draw_vector(v, second, v.check.actual, v.position() + v.offset());
    if (errors) {
        c.text({error_plot.x0, error_plot.y0 - 7.0F}, f.text("shift.errors"), small(f));
        draw_errors(v, error_plot, x);
    }
    const float bottom = errors ? error_plot.y1 : second.y1;
    const auto lit = linked(f, v.spectrum);
    if (marked(v.frame)) mark_column(v, x(static_cast<double>(v.pair()) + 0.5), area.y0, area.y1, true, true);
    if (lit) mark_column(v, x(static_cast<double>(lit->pair) + 0.5), first.y0, bottom, false, lit->exact);
    const double last = static_cast<double>(v.pairs()) - 1.0;
    canvas::name_axis(c, theme.ink_soft, {0.0, std::max(last, 0.5), x(0.5), x(std::max(last, 0.5) + 0.5)},
                      names.x1 + 12.0F, names.y1 - 4.0F, f.text("shift.axis_pair"),
                      [&](double pair) { return ui::integer(f.scratch, std::llround(pair)); });
    const Rect all{first.x0, first.y0, first.x1, bottom};
    if (!f.over(all)) return;
    const auto pair =
        std::min(v.pairs() - 1, static_cast<std::size_t>(std::max(0.0, x.inverse(f.pointer->at.x))));
    tell_pair(v, pair);
    f.cursor = Cursor::hand;
    if (f.clicked(all)) f.edit().pair = static_cast<std::int64_t>(pair);
}

}  // namespace posiscope::figures::shifts
