// spectrum.cpp — every pair's wavelength, before and after scaling, next to the trained one.
// Below it ω'/ω, scaled over unscaled, with its limit 1/s. A second mode overlays the spectra of known models. Pairs
// without rotation have no wavelength; they are marked along the top.
#include "app/figures/spectrum/spectrum.hpp"

#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/extra_scenes.hpp"
#include "app/figures/parts/headline.hpp"
#include "app/figures/parts/pair_difference.hpp"
#include "app/figures/parts/text.hpp"
#include "app/plot/plot.hpp"

#include <numbers>

namespace posiscope::figures {
namespace {

using canvas::Align;
using plot::Plot;

constexpr std::array<std::string_view, 3> kModes = {"wavelength", "density", "models"};

std::span<const std::string_view> modes(const Scene&) { return kModes; }

struct View {
    Frame& frame;
    const TrainingCurves& curves;
    const Training& training;

    bool knows_training() const { return training.trained.has_value(); }
    ui::Colour now() const { return knows_training() ? frame.theme.beyond : frame.theme.ink; }
};

// The usual name of a scaling.
std::string_view method_name(const Frame& f, std::string_view rope_type) {
    return f.text(f.scratch.format("option.scaling.{}.name", rope_type.empty() ? "default" : rope_type));
}

// ---- the curves ------------------------------------------------------------------------------------------------

// Pairs that do not rotate: a dash at the top for each, or one for a run of them.
void draw_stopped(const Plot& p, const Spectrum& spectrum, ui::Colour colour, float row) {
    const float y = p.area.y0 + 4.0F + row;
    for (std::size_t i = 0; i < spectrum.pairs();) {
        if (spectrum.frequency[i] > 0.0) {
            ++i;
            continue;
        }
        const std::size_t first = i;
        while (i < spectrum.pairs() && spectrum.frequency[i] == 0.0) ++i;
        const float from = std::max(p.area.x0, p.x(static_cast<double>(first) - 0.4)),
                    to = std::min(p.area.x1, p.x(static_cast<double>(i) - 0.6));
        if (to <= from) continue;
        p.frame.canvas.line({from, y}, {to, y}, {colour, 3.0F});
        if (row == 0.0F && to - from > 60.0F)
            p.frame.canvas.text({0.5F * (from + to), y + 16.0F}, p.frame.text("spectrum.stopped"),
                                small(p.frame, Align::centre));
    }
}

void draw_curves(View& v, const Plot& p) {
    Frame& f = v.frame;
    for (const std::vector<double>& other : v.curves.others)
        p.curve(other, {ui::faded(f.theme.ink_faint, 0.8F), 1.0F});
    p.curve(v.curves.unscaled, {f.theme.ink_faint, 1.3F, 2.0F});
    if (v.knows_training()) {
        // Wide enough to be seen under the present one if both are the same.
        p.curve(v.curves.trained, {f.theme.seen, 3.2F});
        draw_stopped(p, *v.training.trained, f.theme.seen, 5.0F);
    }
    const auto more = extra_scenes(f);
    for (const auto& one : more)
        if (one->scene != nullptr) p.curve(training(one->derived, *one->scene).wavelength, one->stroke);
    if (more.empty()) {
        p.curve(v.curves.wavelength, {v.now(), 1.6F});
        draw_stopped(p, v.training.now, v.now(), 0.0F);
    }
    if (training_of_b(f) != nullptr)
        p.curve(training(f.other->derived, f.other->scene).wavelength, {f.theme.ink, 1.6F, 6.0F});
}

using Legend = std::array<plot::Key, 4>;
std::span<const plot::Key> legend(View& v, Legend& keys) {
    Frame& f = v.frame;
    std::size_t count = 0;
    const auto named = [&](std::string_view name, std::string_view method) {
        return method.empty() || method == "default"
                   ? name
                   : f.scratch.format("{} · {}", name, method_name(f, method));
    };
    const Training* b = training_of_b(f);
    if (!v.curves.unscaled.empty())
        keys[count++] = {f.text("spectrum.unscaled"), {f.theme.ink_faint, 1.3F, 2.0F}};
    if (v.knows_training())
        keys[count++] = {named(f.text("spectrum.trained"), v.training.trained_method), {f.theme.seen, 3.2F}};
    const std::string_view method = v.training.method;
    if (extra_scenes(f).empty() && v.knows_training())
        keys[count++] = {named(f.text("spectrum.now"), method), {v.now(), 1.6F}};
    else if (extra_scenes(f).empty() && (v.training.slowing.changes() || b != nullptr))
        keys[count++] = {b == nullptr ? method_name(f, method)
                                      : f.scratch.format("A · {}", method_name(f, method)),
                         {v.now(), 1.6F}};
    if (b != nullptr) keys[count++] = {named("B", b->method), {f.theme.ink, 1.6F, 6.0F}};
    return std::span(keys).first(count);
}

// Both lengths as levels that can be dragged. The longer one has its words above, so that they keep apart.
void drag_lengths(View& v, const Plot& p) {
    Frame& f = v.frame;
    const auto level = [&](std::string_view handle, std::string_view words, std::int64_t length,
                           std::int64_t before, const plot::Level& drawn) -> std::optional<std::int64_t> {
        const double at = std::log10(static_cast<double>(length));
        p.level(at, f.format(words, fmt::arg("length", ui::integer(f.scratch, length))), drawn);
        const auto to = p.drag_y({.name = handle,
                                  .at = at,
                                  .before = std::log10(static_cast<double>(before)),
                                  .colour = drawn.stroke.colour,
                                  .numbered_end = handle == "trained"});
        return to ? std::optional(dragged_length(*to)) : std::nullopt;
    };
    const Scene& before = f.ghost() != nullptr ? *f.ghost() : f.scene;
    const auto known = f.scene.trained.length;
    if (known)
        if (const auto to =
                level("trained", "spectrum.trained_length", *known, before.trained.length.value_or(*known),
                      {{f.theme.seen, 1.6F}, *known >= f.scene.length}))
            f.edit().trained.length = *to;
    if (const auto to = level("length", "spectrum.length", f.scene.length, before.length,
                              {{v.now(), 1.6F, 5.0F}, f.scene.length > known.value_or(0)}))
        f.edit().length = *to;
}

// The distance from which equal contents can be less alike than chance; lengths have their words at the left.
void draw_below_zero(View& v, const Plot& p) {
    Frame& f = v.frame;
    if (!v.curves.below_zero) return;
    const std::string_view words =
        f.format("spectrum.below_zero", fmt::arg("distance", ui::integer(f.scratch, *v.curves.below_zero)));
    if (p.area.width() > small_width(f, words) + 140.0F)
        p.level(std::log10(static_cast<double>(*v.curves.below_zero)), words,
                {.stroke = {f.theme.ink_faint, 1.2F, 2.0F}, .above = false, .right = true});
}

// ---- the ratio -------------------------------------------------------------------------------------------------

// ω'/ω from 1 down (or up), one bar a pair; where pairs are narrower than pixels, each column's extremes.
void draw_bars(const Plot& p, const canvas::Axis& y, std::span<const double> ratio, ui::Colour colour) {
    const float one = y(1.0), pixel = 1.0F / p.frame.canvas.pixels_per_point();
    const auto last = std::min(ratio.size(), static_cast<std::size_t>(std::ceil(p.x.to + 0.5)));
    for (auto i = static_cast<std::size_t>(std::max(0.0, std::floor(p.x.from + 0.5))); i < last;) {
        const Rect column = p.column_of(static_cast<double>(i));
        double least = ratio[i], most = ratio[i];
        for (++i; i < last && p.column_of(static_cast<double>(i)).x0 <= column.x0; ++i) {
            least = std::min(least, ratio[i]);
            most = std::max(most, ratio[i]);
        }
        const float top = std::min(one, y(most)), bottom = std::max(one, y(least));
        if (bottom - top > pixel) p.frame.canvas.fill({column.x0, top, column.x1, bottom}, colour);
    }
}

void draw_ratio(View& v, const Plot& p) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const std::vector<double>& ratio = v.training.slowing.ratio;
    double most = 1.0;
    for (const double r : ratio) most = std::max(most, r);
    const Plot below = p.second({plot::Kind::linear, 0.0, 1.12 * most, "$\\omega'/\\omega$"});
    const canvas::Axis& y = below.y;
    draw_bars(p, y, ratio, v.now());
    if (v.knows_training() && v.training.trained_slowing.changes())
        below.curve(v.training.trained_slowing.ratio, {f.theme.seen, 2.0F});
    // 1/s is worth more than 0 where both have no room.
    const double factor = v.training.slowing.factor;
    const float at = y(1.0 / factor);
    const bool divides = factor > 1.0 && at - y(1.0) > 13.0F;
    below.numbered(0.0, divides && y(0.0) - at <= 13.0F ? "" : "0", {f.theme.ink_faint, 1.0F});
    below.numbered(1.0, "1", {f.theme.grid, 1.0F});
    if (divides) below.numbered(1.0 / factor, s.format("1/{:.3g}", factor), {f.theme.ink_faint, 1.0F, 3.0F});
    const double before = v.training.trained_slowing.factor;
    const auto apart = [&](double value) { return std::abs(y(1.0 / before) - y(value)) > 13.0F; };
    if (before > 1.0 && apart(1.0) && apart(1.0 / factor) && (apart(0.0) || !divides))
        below.numbered(1.0 / before, s.format("1/{:.3g}", before),
                       {ui::faded(f.theme.seen, 0.5F), 1.0F, 3.0F});
}

// ---- hover -----------------------------------------------------------------------------------------------------

void hover(View& v, const Plot& p, std::size_t pair) {
    Frame& f = v.frame;
    if (!p.over() && !f.over(p.below)) return;
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
    // By itself: on a grid, or behind a window, a pair may turn less than its wavelength allows.
    const auto longer = static_cast<std::size_t>(std::ranges::count_if(t.now.frequency, [&](double omega) {
        return omega * static_cast<double>(f.scene.length) < 2.0 * std::numbers::pi;
    }));
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

    name_extra_scenes(f, area);
    View v{f, curves, *curves.made};
    Rect strip = curves.layers.empty() || area.height() < 200.0F ? Rect{} : area.cut_bottom(34.0F);
    // While a line is dragged the axis does not change, or the line would run away from the mouse.
    const Scene& sized = f.ghost() != nullptr ? *f.ghost() : f.scene;
    double least = curves.least, longest = curves.most;
    const auto widen = [&](Derived& derived, const Scene& scene) {
        if (const TrainingCurves& its = training(derived, scene); its.made) {
            least = std::min(least, its.least);
            longest = std::max(longest, its.most);
        }
    };
    if (const Other* side = f.on_axes()) widen(side->derived, side->scene);
    for (const auto& one : extra_scenes(f))
        if (one->scene != nullptr) widen(one->derived, *one->scene);
    const double most = std::max(
        longest, std::log10(static_cast<double>(std::max(sized.length, sized.trained.length.value_or(1)))));
    Legend keys;
    const bool slows = v.training.slowing.changes() && area.height() > 216.0F;
    const Plot p(
        f, area, plot::pairs(f, v.training.now.pairs()),
        {plot::Kind::log, std::min(0.0, std::floor(least)), std::ceil(most + 0.15), f.text("spectrum.axis")},
        legend(v, keys), {.below = slows ? std::clamp(0.27F * area.height() - 18.0F, 46.0F, 130.0F) : 0.0F});
    if (!p.has_room()) return;
    draw_curves(v, p);
    if (slows) draw_ratio(v, p);
    const LinkedPair chosen = choose_pair(f, p.whole(), p.x, v.training.now);
    spectrum::draw_axes(f, p.area, p.x);
    draw_below_zero(v, p);
    drag_lengths(v, p);
    if (!strip.empty()) spectrum::draw_layers(f, curves.layers, p.area, strip);
    zoom_and_pan_pairs(f, p.whole(), p.x, v.training.now.pairs());
    hover(v, p, chosen.pair);
}

}  // namespace

extern const Figure kSpectrum{
    .id = "spectrum",
    .headline = headline,
    .draw = draw,
    .modes = modes,
    .overlays = true,
    .subtracts = true,
    .numbers = fixed_numbers<"frequencies">,
    .applies = has_pairs,
    .moves = {.position = false, .offset = false},
};

}  // namespace posiscope::figures
