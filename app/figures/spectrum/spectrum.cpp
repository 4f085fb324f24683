// spectrum.cpp — every pair's wavelength, before and after scaling, next to the trained one.
// Below it ω'/ω, scaled over unscaled, with its limit 1/s. A second mode overlays the spectra of known models. Pairs
// without rotation have no wavelength; they are marked along the top.
#include "app/figures/spectrum/spectrum.hpp"

#include "app/figures/parts/beside.hpp"
#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/headline.hpp"
#include "app/figures/parts/pair_difference.hpp"

#include <numbers>

namespace posiscope::figures {
namespace {

using canvas::Align;
using ui::Face;

constexpr std::array<std::string_view, 3> kModes = {"wavelength", "density", "models"};

std::span<const std::string_view> modes(const Scene&) { return kModes; }

struct View {
    Frame& frame;
    const TrainingCurves& curves;
    const Training& training;
    Rect plot, below;  // `below` may be empty
    canvas::Axis x, y;

    bool knows_training() const { return training.trained.has_value(); }
    ui::Colour now() const { return knows_training() ? frame.theme.beyond : frame.theme.ink; }
};

// The usual name of a scaling.
std::string_view method_name(const Frame& f, std::string_view rope_type) {
    return f.text(f.scratch.format("option.scaling.{}.name", rope_type.empty() ? "default" : rope_type));
}

// ---- the curves ------------------------------------------------------------------------------------------------

void draw_curve(View& v, std::span<const double> logs, canvas::Stroke stroke) {
    canvas::Canvas& c = v.frame.canvas;
    const auto points =
        canvas::curve_points(v.frame.derived.points(), logs, v.x, v.y, 0.0, 1.0, c.pixels_per_point());
    if (points.size() > 1) c.polyline(points, stroke);
    else if (points.size() == 1) c.disc(points.front(), 2.5F, stroke.colour);
}

// Pairs that do not rotate: a dash at the top for each, or one for a run of them.
void draw_stopped(View& v, const Spectrum& spectrum, ui::Colour colour, float row) {
    const float y = v.plot.y0 + 4.0F + row;
    for (std::size_t i = 0; i < spectrum.pairs();) {
        if (spectrum.frequency[i] > 0.0) {
            ++i;
            continue;
        }
        const std::size_t first = i;
        while (i < spectrum.pairs() && spectrum.frequency[i] == 0.0) ++i;
        const float from = std::max(v.plot.x0, v.x(static_cast<double>(first) - 0.4)),
                    to = std::min(v.plot.x1, v.x(static_cast<double>(i) - 0.6));
        if (to <= from) continue;
        v.frame.canvas.line({from, y}, {to, y}, {colour, 3.0F});
        if (row == 0.0F && to - from > 60.0F)
            v.frame.canvas.text({0.5F * (from + to), y + 16.0F}, v.frame.text("spectrum.stopped"),
                                {v.frame.theme.ink_soft, ui::kSmallSize, Face::text, Align::centre});
    }
}

void draw_curves(View& v) {
    Frame& f = v.frame;
    const canvas::Clip clip(f.canvas, v.plot.grown(1.0F));
    for (std::size_t t = 0; t < v.curves.others.size(); ++t)
        draw_curve(v, v.curves.others[t], {ui::faded(f.theme.ink_faint, 0.8F), 1.0F});
    draw_curve(v, v.curves.unscaled, {f.theme.ink_faint, 1.3F, 2.0F});
    if (v.knows_training()) {
        // Wide enough to be seen under the present one if both are the same.
        draw_curve(v, v.curves.trained, {f.theme.seen, 3.2F});
        draw_stopped(v, *v.training.trained, f.theme.seen, 5.0F);
    }
    const auto more = beside(f);
    for (const auto& one : more)
        if (one->scene != nullptr) draw_curve(v, training(one->derived, *one->scene).wavelength, one->stroke);
    if (more.empty()) {
        draw_curve(v, v.curves.wavelength, {v.now(), 1.6F});
        draw_stopped(v, v.training.now, v.now(), 0.0F);
    }
    if (training_of_b(f) != nullptr)
        draw_curve(v, training(f.other->derived, f.other->scene).wavelength, {f.theme.ink, 1.6F, 6.0F});
}

// From the right, over the plot; what there is no room for is left out.
void draw_legend(View& v) {
    Frame& f = v.frame;
    float right = v.plot.x1;
    const float y = v.plot.y0 - 14.0F,
                taken = v.plot.x0 + 16.0F +
                        f.canvas.text_width(f.text("spectrum.axis"), Face::text, ui::kSmallSize);
    const auto item = [&](std::string_view words, canvas::Stroke stroke) {
        const float width = f.canvas.text_width(words, Face::text, ui::kSmallSize);
        if (right - width - 26.0F < taken) return;
        f.canvas.text({right, y + 4.0F}, words, {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
        f.canvas.line({right - width - 24.0F, y}, {right - width - 6.0F, y}, stroke);
        right -= width + 38.0F;
    };
    const auto named = [&](std::string_view key, const std::string& method) {
        return method.empty() || method == "default"
                   ? f.text(key)
                   : f.scratch.format("{} · {}", f.text(key), method_name(f, method));
    };
    if (const Training* b = training_of_b(f))
        item(b->method.empty() || b->method == "default"
                 ? std::string_view("B")
                 : f.scratch.format("B · {}", method_name(f, b->method)),
             {f.theme.ink, 1.6F, 6.0F});
    if (v.knows_training()) {
        if (beside(f).empty()) item(named("spectrum.now", v.training.method), {v.now(), 1.6F});
        item(named("spectrum.trained", v.training.trained_method), {f.theme.seen, 3.2F});
    } else if (beside(f).empty() && (v.training.slowing.changes() || training_of_b(f) != nullptr)) {
        item(training_of_b(f) == nullptr ? method_name(f, v.training.method)
                                         : f.scratch.format("A · {}", method_name(f, v.training.method)),
             {v.now(), 1.6F});
    }
    if (!v.curves.unscaled.empty()) item(f.text("spectrum.unscaled"), {f.theme.ink_faint, 1.3F, 2.0F});
}

void draw_lengths(View& v) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const double length = std::log10(static_cast<double>(f.scene.length));
    const auto& known = f.scene.trained.length;
    const double trained = known ? std::log10(static_cast<double>(*known)) : 0.0;
    if (const Scene* before = f.ghost())
        for (const std::int64_t old : {before->length, before->trained.length.value_or(0)})
            if (old > 0 && old != f.scene.length && (!known || old != *known)) {
                const float at = v.y(std::log10(static_cast<double>(old)));
                f.canvas.line({v.plot.x0, at}, {v.plot.x1, at}, {f.theme.ink_faint, 1.0F});
            }
    // The longer one has its words above, so that they keep apart.
    if (known)
        draw_level(f, v.plot, v.y, trained,
                   f.format("spectrum.trained_length", fmt::arg("length", ui::integer(s, *known))),
                   {f.theme.seen, 0.0F, trained >= length});
    draw_level(f, v.plot, v.y, length,
               f.format("spectrum.length", fmt::arg("length", ui::integer(s, f.scene.length))),
               {v.now(), 5.0F, !known || length > trained});
    grip_of(f, {v.plot.x1, v.y(length)}, 5.0F, v.now());
    if (const auto to = drag_level(f, "length", v.plot, v.y, length, v.plot.x1))
        f.edit().length = dragged_length(*to);
    if (!known) return;
    grip_of(f, {v.plot.x0, v.y(trained)}, 5.0F, f.theme.seen);
    if (const auto to = drag_level(f, "trained", v.plot, v.y, trained, v.plot.x0))
        f.edit().trained.length = dragged_length(*to);
}

// The distance from which equal contents can be less alike than chance.
void draw_below_zero(View& v) {
    Frame& f = v.frame;
    if (!v.curves.below_zero) return;
    const float at = v.y(std::log10(static_cast<double>(*v.curves.below_zero)));
    if (at < v.plot.y0 || at > v.plot.y1) return;
    f.canvas.line({v.plot.x0, at}, {v.plot.x1, at}, {f.theme.ink_faint, 1.2F, 2.0F});
    const std::string_view words =
        f.format("spectrum.below_zero", fmt::arg("distance", ui::integer(f.scratch, *v.curves.below_zero)));
    // Lengths have their words at the left.
    if (v.plot.width() > f.canvas.text_width(words, Face::text, ui::kSmallSize) + 140.0F)
        f.canvas.text({v.plot.x1 - 10.0F, at + 15.0F}, words,
                      {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
}

// ---- the ratio -------------------------------------------------------------------------------------------------

// ω'/ω from 1 down (or up), one bar a pair; where pairs are narrower than pixels, each column's extremes.
void draw_bars(View& v, const canvas::Axis& y, std::span<const double> ratio, ui::Colour colour) {
    canvas::Canvas& c = v.frame.canvas;
    const float one = y(1.0), pixel = 1.0F / c.pixels_per_point();
    const auto bar = [&](float from, float to, double least, double most) {
        const float top = std::min(one, y(most)), bottom = std::max(one, y(least));
        if (bottom - top > pixel) c.fill({from, top, to, bottom}, colour);
    };
    const float width = std::abs(v.x(1.0) - v.x(0.0));
    const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(v.x.from + 0.5)));
    const auto last = std::min(ratio.size(), static_cast<std::size_t>(std::ceil(v.x.to + 0.5)));
    if (width >= 2.0F * pixel) {
        const float half = width > 4.0F ? 0.5F * width - 0.75F : 0.5F * width;
        for (std::size_t i = first; i < last; ++i) {
            const float at = v.x(static_cast<double>(i));
            bar(at - half, at + half, ratio[i], ratio[i]);
        }
        return;
    }
    for (std::size_t i = first; i < last;) {
        const float column = std::floor(v.x(static_cast<double>(i)) / pixel);
        double least = ratio[i], most = ratio[i];
        for (; i < last && std::floor(v.x(static_cast<double>(i)) / pixel) == column; ++i) {
            least = std::min(least, ratio[i]);
            most = std::max(most, ratio[i]);
        }
        bar(column * pixel, (column + 1.0F) * pixel, least, most);
    }
}

void draw_ratio(View& v) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const std::vector<double>& ratio = v.training.slowing.ratio;
    double most = 1.0;
    for (const double r : ratio) most = std::max(most, r);
    const canvas::Axis y{0.0, 1.12 * most, v.below.y1, v.below.y0};
    {
        const canvas::Clip clip(f.canvas, v.below.grown(1.0F));
        draw_bars(v, y, ratio, v.now());
        if (v.knows_training() && v.training.trained_slowing.changes()) {
            const auto points = canvas::curve_points(f.derived.points(), v.training.trained_slowing.ratio,
                                                     v.x, y, 0.0, 1.0, f.canvas.pixels_per_point());
            if (points.size() > 1) f.canvas.polyline(points, {f.theme.seen, 2.0F});
        }
    }
    const auto rule = [&](double value, std::string_view words, canvas::Stroke stroke) {
        f.canvas.line({v.below.x0, y(value)}, {v.below.x1, y(value)}, stroke);
        f.canvas.text({v.below.x0 - 7.0F, y(value) + 4.0F}, words,
                      {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
    };
    // 1/s is worth more than 0 where both have no room.
    const double factor = v.training.slowing.factor;
    const float at = y(1.0 / factor);
    const bool divides = factor > 1.0 && at - y(1.0) > 13.0F;
    rule(0.0, divides && y(0.0) - at <= 13.0F ? "" : "0", {f.theme.ink_faint, 1.0F});
    rule(1.0, "1", {f.theme.grid, 1.0F});
    if (divides) rule(1.0 / factor, s.format("1/{:.3g}", factor), {f.theme.ink_faint, 1.0F, 3.0F});
    const double before = v.training.trained_slowing.factor;
    const auto apart = [&](double value) { return std::abs(y(1.0 / before) - y(value)) > 13.0F; };
    if (before > 1.0 && apart(1.0) && apart(1.0 / factor) && (apart(0.0) || !divides))
        rule(1.0 / before, s.format("1/{:.3g}", before), {ui::faded(f.theme.seen, 0.5F), 1.0F, 3.0F});
    f.canvas.formula({v.below.x0, v.below.y0 - 6.0F}, "\\omega'/\\omega", 14.0F, f.theme.ink_soft);
}

// ---- hover -----------------------------------------------------------------------------------------------------

void hover(View& v, std::size_t pair) {
    Frame& f = v.frame;
    if (!f.over(v.plot) && !f.over(v.below)) return;
    ui::Scratch& s = f.scratch;
    const double omega = v.training.now.frequency[pair];
    const std::string_view shown_omega = ui::significant(s, omega, 4);
    if (omega > 0.0) {
        f.tip.formula =
            s.format("\\lambda_{{{}}} = \\frac{{2\\pi}}{{\\omega_{{{}}}}} = \\frac{{2\\pi}}{{{}}}", pair,
                     pair, shown_omega);
        f.tip.value = f.format("spectrum.tip_value",
                               fmt::arg("wavelength", ui::significant(s, 2.0 * std::numbers::pi / omega, 6)));
    } else {
        f.tip.formula = s.format("\\omega_{{{}}} = 0", pair);
        f.tip.value = f.text("spectrum.stopped");
    }
    if (!axes_of(f).empty())
        f.tip.value =
            s.format("{} · {}", f.tip.value, f.format("axes.tip", fmt::arg("axis", axes_of(f).of(pair))));
    std::size_t line = 0;
    const double ratio = v.training.slowing.ratio[pair];
    if (v.training.slowing.changes())
        f.tip.details[line++] = s.format("ω′/ω = {} / {} = {}", shown_omega,
                                         ui::significant(s, v.training.unscaled.frequency[pair], 4),
                                         ui::significant(s, ratio, 4));
    if (v.knows_training()) {
        const double trained = v.training.trained->frequency[pair];
        f.tip.details[line++] =
            f.format("spectrum.tip_trained", fmt::arg("omega", ui::significant(s, trained, 4)),
                     fmt::arg("percent", ui::significant(s, 100.0 * (omega / trained - 1.0), 3)));
        if (!(trained > 0.0)) f.tip.details[line - 1] = f.text("spectrum.tip_trained_still");
    }
    f.tip.details[line] =
        f.format("spectrum.tip_turns", fmt::arg("turns", ui::significant(s, v.training.turns[pair], 4)),
                 fmt::arg("length", ui::integer(s, f.scene.length)));
}

// ---- the figure ------------------------------------------------------------------------------------------------

std::string_view slowing_headline(Frame& f, const Training& t) {
    const Slowing& slow = t.slowing;
    ui::Scratch& s = f.scratch;
    const std::string_view name = method_name(f, t.method);
    const auto method = fmt::arg("method", name);
    const std::size_t pairs = t.now.pairs();
    const std::string_view factor = s.format("{:.4g}", slow.factor);
    const auto counted = [&](std::size_t n) { return ui::counted(s, static_cast<std::int64_t>(n)); };
    if (slow.stopped == pairs)
        return f.format("spectrum.headline_nope",
                        fmt::arg("layer", f.scene.encoding.parameters.value("layer", 0)));
    if (slow.stopped > 0)
        return f.format("spectrum.headline_stops", method, fmt::arg("turning", counted(pairs - slow.stopped)),
                        fmt::arg("stopped", slow.stopped));
    if (slow.divided == pairs) return f.format("spectrum.headline_all", method, fmt::arg("factor", factor));
    if (slow.divided > 1)
        return f.format("spectrum.headline_parts", method, fmt::arg("kept", counted(slow.kept)),
                        fmt::arg("blended", slow.blended), fmt::arg("divided", slow.divided),
                        fmt::arg("factor", factor));
    return f.format(counted_form(f, "spectrum.headline_slows", pairs - slow.kept, pairs), method,
                    fmt::arg("slowed", pairs - slow.kept), fmt::arg("pairs", pairs),
                    fmt::arg("factor", factor));
}

std::string_view headline(Frame& f) {
    const TrainingCurves& curves = training(f);
    if (!curves.made) return {};
    if (f.mode == "models") return spectrum::models_headline(f);
    if (f.other != nullptr && training_of_b(f) != nullptr)
        return pair_difference::headline(f, pair_difference::Of::wavelengths);
    if (f.mode == "density") return spectrum::density_headline(f, curves);
    const Training& t = *curves.made;
    if (t.deviation && t.deviation->changed > 0) {
        const std::size_t changed = t.deviation->changed, pairs = t.now.pairs();
        const ui::Count count = ui::counted(f.scratch, static_cast<std::int64_t>(changed));
        if (t.method == t.trained_method)
            return f.format(counted_form(f, "spectrum.headline_changed", changed, pairs),
                            fmt::arg("changed", count), fmt::arg("pairs", pairs));
        return f.format(counted_form(f, "spectrum.headline_replaced", changed, pairs),
                        fmt::arg("changed", count), fmt::arg("pairs", pairs),
                        fmt::arg("now", method_name(f, t.method)),
                        fmt::arg("trained", method_name(f, t.trained_method)));
    }
    if (t.slowing.changes()) return slowing_headline(f, t);
    std::size_t longer = 0;
    for (const double turns : t.turns) longer += turns < 1.0 ? 1U : 0U;
    const ui::Count length = ui::counted(f.scratch, f.scene.length);
    // Nothing scales what is typed; its pairs may be slower than others all the same.
    const bool typed = encoding_of(f.scene).slots.typed != nullptr;
    return f.format(
        counted_form(f, typed ? "spectrum.headline_typed" : "spectrum.headline_plain", longer, t.now.pairs()),
        fmt::arg("longer", ui::counted(f.scratch, static_cast<std::int64_t>(longer))),
        fmt::arg("pairs", t.now.pairs()), fmt::arg("length", length));
}

void draw(Frame& f, Rect area) {
    const TrainingCurves& curves = training(f);
    if (!curves.made) return explain_absence(f, area, curves.made.error());
    if (area.width() < 140.0F || area.height() < 100.0F) return;
    if (f.other != nullptr && !f.other->difference && training_of_b(f) == nullptr)
        explain_missing_b(f, area, "compare.no_circles");
    if (f.mode == "models") return spectrum::draw_models(f, area, curves);
    if (f.other != nullptr && f.other->difference)
        return pair_difference::draw(f, area, pair_difference::Of::wavelengths);
    if (f.mode == "density") return spectrum::draw_density(f, area, curves);

    name_beside(f, area);
    View v{f, curves, *curves.made, {}, {}, {}, {}};
    Rect strip = curves.layers.empty() || area.height() < 200.0F ? Rect{} : area.cut_bottom(34.0F);
    Rect body{area.x0 + 54.0F, area.y0 + 26.0F, area.x1 - 14.0F, area.y1 - 40.0F};
    if (v.training.slowing.changes() && body.height() > 150.0F) {
        v.below = body.cut_bottom(std::clamp(0.27F * body.height(), 46.0F, 130.0F));
        body.cut_bottom(28.0F);
    }
    v.plot = body;
    v.x = pair_axis(f.scene, f.figure, v.training.now.pairs());
    v.x.at_from = v.plot.x0, v.x.at_to = v.plot.x1;
    // While a line is dragged the axis does not change, or the line would run away from the mouse.
    const Scene& sized = f.ghost() != nullptr ? *f.ghost() : f.scene;
    double least = curves.least, longest = curves.most;
    for (const auto& one : beside(f))
        if (one->scene != nullptr)
            if (const TrainingCurves& its = training(one->derived, *one->scene); its.made) {
                least = std::min(least, its.least);
                longest = std::max(longest, its.most);
            }
    const double most = std::max(
        longest, std::log10(static_cast<double>(std::max(sized.length, sized.trained.length.value_or(1)))));
    v.y = {std::min(0.0, std::floor(least)), std::ceil(most + 0.15), v.plot.y1, v.plot.y0};

    draw_decades(f, v.plot, v.y, f.text("spectrum.axis"));
    draw_pair_ticks(f, v.below.empty() ? v.plot : v.below, v.x);
    draw_legend(v);
    draw_curves(v);
    if (!v.below.empty()) draw_ratio(v);
    const Rect whole{v.plot.x0, v.plot.y0, v.plot.x1, v.below.empty() ? v.plot.y1 : v.below.y1};
    const LinkedPair chosen = choose_pair(f, whole, v.x, v.training.now);
    spectrum::draw_axes(f, v.plot, v.x);
    draw_below_zero(v);
    draw_lengths(v);
    if (!strip.empty()) spectrum::draw_layers(f, curves.layers, v.plot, strip);
    zoom_and_pan_pairs(f, whole, v.x, v.training.now.pairs());
    hover(v, chosen.pair);
}

std::span<const std::string_view> numbers(std::string_view) {
    static constexpr std::array<std::string_view, 1> names = {"frequencies"};
    return names;
}

}  // namespace

extern const Figure kSpectrum;
const Figure kSpectrum{
    .id = "spectrum",
    .headline = headline,
    .draw = draw,
    .modes = modes,
    .overlays = true,
    .subtracts = true,
    .numbers = numbers,
    .applies = has_pairs,
    .moves = {.position = false, .offset = false},
};

}  // namespace posiscope::figures
