// trace.cpp — where one number comes from: the sine or cosine of the Scene's pair at its position, step by step, exactly
// and in a number format, up to its contribution to the score of p + k and p. Each number can be copied with all its
// digits. Beside the steps is the dial with both angles.
#include "app/figures/trace/trace.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/stored.hpp"
#include "app/figures/parts/text.hpp"

#include <numbers>

namespace posiscope::figures {
namespace trace_figure {
namespace {

using canvas::Align;
using ui::Face;
using namespace traces;

Precision format_of(const Frame& f) {
    for (const Precision format : precisions())
        if (f.mode == precision_name(format)) return format;
    return Precision::float32;
}

std::string_view format_name(const Frame& f) {
    return f.text(f.scratch.format("figure.trace.mode.{}", f.mode));
}

// "PE(10, 20)"; "sin(10 ω₂₀)" where no table is added; "logit(3)".
std::string_view name_of(Frame& f, const Steps& steps) {
    ui::Scratch& s = f.scratch;
    const bool sine = shows_sine(f.scene);
    const std::string_view p = ui::integer(s, f.scene.position);
    if (encoding_of(f.scene).family == Family::absolute)
        return s.format("PE({}, {})", p, column_of(f.scene, sine));
    if (!steps.exact) return s.format("logit({})", ui::signed_integer(s, f.scene.offset));
    return s.format("{}({} ω{})", sine ? "sin" : "cos", p, ui::subscript(s, f.scene.pair));
}

std::string_view headline(Frame& f) {
    if (stored_absence(f, f.scene, f.derived) != nullptr) return {};
    const Steps& steps = steps_of(f.scene, f.derived, format_of(f));
    if (steps.problem) return {};
    ui::Scratch& s = f.scratch;
    const Step& answer = steps.steps[steps.answer];
    const double off = std::abs(answer.held - answer.exact);
    const std::string_view name = name_of(f, steps), value = ui::significant(s, answer.exact, 6);
    if (!std::isfinite(off))
        return f.format("trace.headline_none", fmt::arg("name", name), fmt::arg("value", value),
                        fmt::arg("format", format_name(f)));
    return f.format(off == 0.0 ? "trace.headline_exact" : "trace.headline", fmt::arg("name", name),
                    fmt::arg("value", value), fmt::arg("format", format_name(f)),
                    fmt::arg("error", ui::significant(s, off, 2)));
}

// ---- the dial --------------------------------------------------------------------------------------------------

void draw_dial(Frame& f, const Steps& steps, Rect area, float zoom) {
    const float radius = std::min(0.5F * area.width() - 10.0F, 0.5F * area.height() - 8.0F);
    if (radius < 22.0F) return;
    const auto stroke = [&](ui::Colour colour, float width, float dash = 0.0F) {
        return canvas::Stroke{colour, zoom * width, zoom * dash};
    };
    const Point centre = area.centre();
    const bool rotary = encoding_of(f.scene).acts == Acts::query_key, sine = shows_sine(f.scene);
    // (sin, cos) from the top and clockwise, (cos, sin) from the right, as in Rotations.
    const auto hand = [&](double reduced) {
        const double turns = reduced / (2.0 * std::numbers::pi);
        return on_circle(centre, radius, rotary ? turns : 0.25 - turns);
    };
    f.canvas.circle(centre, radius, {f.theme.ink_faint, 1.0F});
    f.canvas.line({centre.x - radius, centre.y}, {centre.x + radius, centre.y}, {f.theme.grid, 1.0F});
    f.canvas.line({centre.x, centre.y - radius}, {centre.x, centre.y + radius}, {f.theme.grid, 1.0F});
    const Point end = hand(steps.exact->reduced);
    const Point foot = sine != rotary ? Point{end.x, centre.y} : Point{centre.x, end.y};
    f.canvas.line(centre, foot, stroke(sine ? f.theme.sine : f.theme.cosine, 3.0F, sine ? 0.0F : 4.0F));
    f.canvas.line(end, foot, stroke(f.theme.ink_faint, 1.0F, 2.5F));
    if (std::isfinite(steps.held->reduced)) {
        f.canvas.line(centre, hand(steps.held->reduced), stroke(f.theme.beyond, 4.5F));
        f.canvas.disc(hand(steps.held->reduced), zoom * 5.5F, f.theme.beyond);
    }
    f.canvas.line(centre, end, stroke(f.theme.ink, 1.8F));
    f.canvas.disc(end, zoom * 3.2F, f.theme.ink);
}

// ---- the steps -------------------------------------------------------------------------------------------------

// Uses the most digits that fit, up to nine.
std::string_view number(Frame& f, double value, float width, float zoom) {
    for (int digits = 9; digits > 3; --digits) {
        const std::string_view text = ui::significant(f.scratch, value, digits);
        if (small_width(f, text, zoom) <= width) return text;
    }
    return ui::significant(f.scratch, value, 3);
}

struct Table {
    Frame& frame;
    const Steps& steps;
    const Steps* of_b = nullptr;
    std::size_t first = 0;         // where not all fit, the last ones are what the number is for
    float name = 0.0F;             // left end of the names
    std::array<float, 3> right{};  // right ends of the numbers: exact, held, B's exact
    float width = 0.0F;            // of a number
    float zoom = 1.0F;

    std::size_t columns() const { return of_b != nullptr ? 3 : 2; }
    double value(std::size_t step, std::size_t column) const {
        return column == 0   ? steps.steps[step].exact
               : column == 1 ? steps.steps[step].held
                             : of_b->steps[step].exact;
    }
};

void draw_step(Table& t, std::size_t step, Rect line) {
    Frame& f = t.frame;
    const Step& shown = t.steps.steps[step];
    const bool lit = f.over(line);
    if (lit) f.canvas.fill(line, f.theme.control, 4.0F);
    const Point dot{line.x0 + 7.0F * t.zoom, line.centre().y};
    if (step > t.first) f.canvas.line({dot.x, line.y0}, dot, {f.theme.ink_faint, 1.0F});
    if (step + 1 < t.steps.count) f.canvas.line(dot, {dot.x, line.y1}, {f.theme.ink_faint, 1.0F});
    const bool off = !(std::abs(shown.held - shown.exact) <= 0.01);
    f.canvas.disc(dot, 3.5F * t.zoom, off ? f.theme.beyond : f.theme.ink_soft);
    const bool answer = step == t.steps.answer;
    const float y = line.centre().y + 4.5F * t.zoom, size = t.zoom * ui::kSmallSize;
    f.canvas.text({t.name, y}, f.text(f.scratch.format("trace.step.{}", shown.name)),
                  {answer || lit ? f.theme.ink : f.theme.ink_soft, size, Face::text});
    for (std::size_t i = 0; i < t.columns(); ++i)
        f.canvas.text({t.right[i], y}, number(f, t.value(step, i), t.width, t.zoom),
                      {f.theme.ink, size, answer ? Face::strong : Face::text, Align::right});
    if (!lit) return;
    std::size_t column = 0;
    while (column + 1 < t.columns() && f.pointer->at.x > t.right[column] + 4.0F) ++column;
    ui::Scratch& s = f.scratch;
    if (const Spectrum* spectrum = f.derived.spectrum(f.scene); t.steps.exact && spectrum != nullptr) {
        f.hovered.frequency = t.steps.exact->frequency;
        f.hovered.sine = shows_sine(f.scene);
    }
    f.hovered.position = f.scene.position;
    f.tip.formula = f.text(s.format("trace.formula.{}", shown.name));
    f.tip.value = s.format("= {}", ui::shortest(s, t.value(step, column)));
    f.tip.details[0] = f.text(s.format("trace.tip.{}", shown.name));
    f.tip.details[1] = f.format("trace.tip_error", fmt::arg("format", format_name(f)),
                                fmt::arg("error", ui::significant(s, shown.held - shown.exact, 3)));
}

void draw_steps(Table& t, Rect area) {
    Frame& f = t.frame;
    const Rect head = area.cut_top(18.0F * t.zoom);
    const auto fit = static_cast<std::size_t>(std::max(1.0F, std::floor(area.height() / 15.0F)));
    const std::size_t rows = std::min(t.steps.count, fit);
    t.first = t.steps.count - rows;
    t.name = area.x0 + 18.0F * t.zoom;
    float names = 0.0F;
    for (std::size_t i = t.first; i < t.steps.count; ++i)
        names = std::max(
            names, small_width(f, f.text(f.scratch.format("trace.step.{}", t.steps.steps[i].name)), t.zoom));
    const float from = t.name + names + 8.0F;
    const float each = std::clamp((area.x1 - from) / static_cast<float>(t.columns()), 20.0F, 150.0F * t.zoom);
    t.width = each - 10.0F;
    const std::array<std::string_view, 3> heads = {f.text("trace.exact"), format_name(f), "B"};
    for (std::size_t i = 0; i < t.columns(); ++i) {
        t.right[i] = from + each * static_cast<float>(i + 1);
        f.canvas.text({t.right[i], head.y0 + 12.0F * t.zoom}, heads[i],
                      {f.theme.ink_soft, t.zoom * ui::kSmallSize, Face::strong, Align::right});
    }
    const float step = std::min(48.0F * t.zoom, area.height() / static_cast<float>(rows));
    for (std::size_t i = 0; i < rows; ++i)
        draw_step(t, t.first + i,
                  {area.x0, area.y0 + step * static_cast<float>(i), t.right[t.columns() - 1] + 4.0F,
                   area.y0 + step * static_cast<float>(i + 1)});
}

// Chooses the traced number of the pair; not in an image.
void choose_component(Frame& f, Rect& area) {
    if (f.pointer == nullptr || area.height() < 200.0F) return;
    const std::array<std::string_view, 2> names = {"sin", "cos"};
    const Rect row = area.cut_top(cells::kButtonHeight + 4.0F);
    if (const auto chosen = cells::choices(f, row.min(), names, names, shows_sine(f.scene) ? 0 : 1))
        set_view_value(f.edit(), f.figure, "component", *chosen == 0 ? Json(nullptr) : Json("cos"));
}

void draw(Frame& f, Rect area) {
    if (const Problem* problem = stored_absence(f, f.scene, f.derived))
        return explain_absence(f, area, *problem);
    const Steps& steps = steps_of(f.scene, f.derived, format_of(f));
    if (steps.problem) return explain_absence(f, area, *steps.problem);
    if (area.width() < 120.0F || area.height() < 40.0F) return;
    Table table{.frame = f, .steps = steps};
    if (f.other != nullptr) {
        const Steps& of_b = steps_of(f.other->scene, f.other->derived, format_of(f));
        if (!of_b.problem && of_b.count == steps.count) table.of_b = &of_b;
        else explain_missing_b(f, area, "compare.no_steps");
    }
    if (steps.exact) choose_component(f, area);
    // The steps take what they need and the dial the rest, up to half.
    table.zoom = zoom_in(area, {640.0F, 380.0F});
    if (steps.exact && area.width() > 420.0F && table.of_b == nullptr) {
        const float least = std::clamp(0.28F * area.width(), 96.0F, 240.0F),
                    most = std::max(least, std::min(0.5F * area.width(), area.height()));
        draw_dial(f, steps, area.cut_right(std::clamp(area.width() - 520.0F * table.zoom, least, most)),
                  table.zoom);
    }
    draw_steps(table, area);
}

}  // namespace
}  // namespace trace_figure

extern const Figure kTrace{.id = "trace",
                           .headline = trace_figure::headline,
                           .draw = trace_figure::draw,
                           .modes = fixed_modes<"float32", "tf32", "bfloat16", "float16">,
                           .overlays = true,
                           .numbers = fixed_numbers<"trace", "table", "logits">};

}  // namespace posiscope::figures
