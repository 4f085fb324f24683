#include "app/figures/parts/pair_difference.hpp"

#include "app/figures/parts/headline.hpp"

#include "app/plot/plot.hpp"

namespace posiscope::figures::pair_difference {
namespace {

constexpr double kOff = 0.25;  // turns

// Both sides' spectra; refused where pair i of one is not pair i of the other.
struct Sides {
    const Training& a;
    const Training& b;
};
Result<Sides> sides(Frame& f) {
    const TrainingCurves& a = training(f);
    const TrainingCurves& b = training(f.other->derived, f.other->scene);
    if (!a.made) return tl::unexpected(a.made.error());
    if (!b.made) return tl::unexpected(b.made.error());
    if (a.made->now.pairs() != b.made->now.pairs())
        return refuse("compare.pairs", {{"a", std::to_string(a.made->now.pairs())},
                                        {"b", std::to_string(b.made->now.pairs())}});
    return Sides{*a.made, *b.made};
}

// The value drawn for a pair, on a logarithmic scale: λ_B / λ_A, or |turns_B − turns_A|; NaN where there is none.
double level(const Sides& s, Of of, std::size_t pair) {
    const double value = of == Of::wavelengths ? s.a.now.frequency[pair] / s.b.now.frequency[pair]
                                               : std::abs(s.b.turns[pair] - s.a.turns[pair]);
    return value > 0.0 && std::isfinite(value) ? std::log10(value) : std::nan("");
}

void draw_bars(const plot::Plot& p, const Sides& s, Of of) {
    Frame& f = p.frame;
    const float from_line = of == Of::wavelengths ? p.y(0.0) : p.area.y1;
    p.bars(s.a.now.pairs(), [&](std::size_t i, Rect bar) {
        const double log = level(s, of, i);
        if (!std::isfinite(log)) return;
        const float end = std::clamp(p.y(log), p.area.y0, p.area.y1);
        bar.y0 = std::min(end, from_line), bar.y1 = std::max(end, from_line);
        if (of == Of::turns && log > std::log10(kOff)) hatch(f.canvas, bar, f.theme.beyond);
        else f.canvas.fill(bar, f.theme.slider);
    });
}

void tip_for(Frame& f, const Sides& s, Of of, std::size_t pair) {
    ui::Scratch& scratch = f.scratch;
    const double a = s.a.now.frequency[pair], b = s.b.now.frequency[pair];
    if (of == Of::wavelengths) {
        f.tip.formula = scratch.format("\\frac{{\\omega_A}}{{\\omega_B}} = \\frac{{{}}}{{{}}}",
                                       ui::significant(scratch, a, 4), ui::significant(scratch, b, 4));
        f.tip.value = scratch.format("= {}", ui::significant(scratch, a / b, 5));
    } else {
        f.tip.formula = scratch.format("t_B - t_A = {} - {}", ui::significant(scratch, s.b.turns[pair], 5),
                                       ui::significant(scratch, s.a.turns[pair], 5));
        f.tip.value =
            f.format("turns.tip_value",
                     fmt::arg("turns", ui::significant(scratch, s.b.turns[pair] - s.a.turns[pair], 4)));
    }
    f.tip.details[0] = f.format("turns.pair", fmt::arg("pair", pair));
}

}  // namespace

void draw(Frame& f, Rect area, Of of) {
    const auto both = sides(f);
    if (!both) return explain_absence(f, area, both.error());
    const std::size_t pairs = both->a.now.pairs();
    double least = of == Of::wavelengths ? -0.5 : -3.0, most = of == Of::wavelengths ? 0.5 : 0.0;
    for (std::size_t i = 0; i < pairs; ++i)
        if (const double log = level(*both, of, i); std::isfinite(log)) {
            if (of == Of::wavelengths) least = std::min(least, log);
            most = std::max(most, log);
        }
    const plot::Plot p(f, area, plot::pairs(f, pairs),
                       {plot::Kind::log, std::floor(least), std::ceil(most + 0.05),
                        f.text(of == Of::wavelengths ? "spectrum.axis_ratio" : "turns.axis_difference")});
    if (!p.has_room()) return;
    draw_bars(p, *both, of);
    if (of == Of::wavelengths) p.level(0.0, {f.theme.ink, 1.3F});
    else p.level(std::log10(kOff), f.text("turns.quarter"), {.stroke = {f.theme.ink, 1.3F}, .right = true});
    const LinkedPair chosen = choose_pair(f, p.area, p.x, both->a.now);
    zoom_and_pan_pairs(f, p.area, p.x, pairs);
    if (p.over()) tip_for(f, *both, of, chosen.pair);
}

std::string_view headline(Frame& f, Of of) {
    const auto both = sides(f);
    if (!both) return {};
    const std::int64_t reach = std::max(both->a.reach, both->b.reach);
    const Deviation made = deviation(both->b.now, both->a.now, reach);
    const std::size_t pairs = both->a.now.pairs();
    if (of == Of::turns) return angles_headline(f, made, pairs, reach);
    return f.format(counted_form(f, "spectrum.headline_difference", made.changed, pairs),
                    fmt::arg("pairs", pairs), fmt::arg("changed", made.changed));
}

std::string_view angles_headline(Frame& f, const Deviation& made, std::size_t pairs, std::int64_t length) {
    if (made.worst == 0.0) return f.text("matrix.headline_no_difference");
    return f.format(counted_form(f, "turns.headline_difference", made.off, pairs), fmt::arg("pairs", pairs),
                    fmt::arg("off", ui::counted(f.scratch, static_cast<std::int64_t>(made.off))),
                    fmt::arg("length", ui::integer(f.scratch, length)),
                    fmt::arg("worst", ui::significant(f.scratch, made.worst, 3)),
                    fmt::arg("pair", made.worst_pair));
}

}  // namespace posiscope::figures::pair_difference
