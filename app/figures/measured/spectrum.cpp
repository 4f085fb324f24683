// spectrum.cpp — the frequency of each pair of a dump as it was measured, ω over ω′, beside the curve that the Scene has; below it how
// finely the rows tell each one. Pairs that they cannot tell are hatched.
#include "app/figures/measured/measured.hpp"
#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/headline.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/pair_plot.hpp"
#include "app/figures/parts/text.hpp"
#include "app/plot/plot.hpp"

namespace posiscope::figures {
namespace measured_figure {
namespace {

using canvas::Align;
using measuring::PairMeasured;
using measuring::undecided;
using ui::Face;
using namespace measured;

constexpr double kLinearUpTo = 20.0;  // the largest ratio on a linear axis

// ω before scaling, else as it should be, over a frequency.
double ratio(const PairMeasured& pair, double rate) {
    return (pair.unscaled > 0.0 ? pair.unscaled : pair.expected) / std::max(rate, 1e-30);
}

struct Ratios {
    plot::Plot plot;
    const Seen& seen;

    const std::vector<PairMeasured>& pairs() const { return seen.measured().pairs; }
    // `value` is a ratio; on a logarithmic scale the plot has its logarithm.
    double up(double value) const { return logarithmic ? std::log10(std::max(value, 1e-30)) : value; }
    float height(double value) const {
        return std::clamp(plot.y(up(value)), plot.area.y0 - 2.0F, plot.area.y1 + 2.0F);
    }
    float at(std::size_t pair) const { return plot.x(static_cast<double>(pair)); }
    bool logarithmic;
};

// From 1 as far as any pair that is told or expected goes.
plot::Scale heights(const std::vector<PairMeasured>& pairs) {
    double least = 1.0, most = 1.0;
    for (const PairMeasured& pair : pairs) {
        if (!(pair.expected > 0.0)) continue;
        for (const double rate : {pair.expected, undecided(pair) ? pair.expected : pair.rate})
            if (rate > 0.0)
                least = std::min(least, ratio(pair, rate)), most = std::max(most, ratio(pair, rate));
    }
    const bool logarithmic = most > kLinearUpTo * least;
    if (logarithmic) least = std::log10(least), most = std::log10(most);
    const double margin = std::max(0.06 * (most - least), logarithmic ? 0.05 : 0.04);
    return {.kind = logarithmic ? plot::Kind::log : plot::Kind::linear,
            .from = least - margin,
            .to = most + 2.0 * margin,
            .name = "$\\omega / \\omega'$",
            .down = true,
            .always = logarithmic ? 0.0 : 1.0};
}

// Runs of pairs, named over the plot where there is room for the name.
void name_run(Ratios& p, std::size_t first, std::size_t end, std::string_view key, ui::Colour colour) {
    if (first >= end) return;
    Frame& f = p.plot.frame;
    const Rect area = p.plot.area;
    const float from = std::max(area.x0, p.plot.x(static_cast<double>(first) - 0.4)),
                to = std::min(area.x1, p.plot.x(static_cast<double>(end) - 0.6));
    if (to - from < 3.0F) return;
    const float y = area.y0 - 26.0F;
    f.canvas.line({from, y}, {to, y}, {colour, 2.0F});
    const std::string_view pairs =
        end - first == 1 ? f.scratch.format("{}", first) : f.scratch.format("{}–{}", first, end - 1);
    for (const std::string_view words : {f.scratch.format("{} {}", f.text(key), pairs), pairs})
        if (f.canvas.text_width(words, Face::text, ui::kSmallSize) <= to - from + 8.0F) {
            f.canvas.text({from, y - 6.0F}, words, {f.theme.ink_soft, ui::kSmallSize, Face::text});
            return;
        }
}

void name_runs(Ratios& p) {
    const auto& pairs = p.pairs();
    std::size_t told = pairs.size();
    while (told > 0 && undecided(pairs[told - 1])) --told;
    const auto colour = [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i)
            if (measuring::differs(pairs[i])) return p.plot.frame.theme.beyond;
        return p.plot.frame.theme.seen;
    };
    const std::size_t kept = std::min(p.seen.kept, told);
    if (kept > 0) name_run(p, 0, kept, "measured.kept", colour(0, kept));
    if (p.seen.factor > 0.0) {
        name_run(p, kept, p.seen.divided, "measured.blended", colour(kept, p.seen.divided));
        name_run(p, p.seen.divided, told, "measured.divided", colour(p.seen.divided, told));
    }
    name_run(p, told, pairs.size(), "measured.undecided", p.plot.frame.theme.ink_faint);
}

void draw_pairs(Ratios& p) {
    Frame& f = p.plot.frame;
    const Rect area = p.plot.area;
    const canvas::Clip clip(f.canvas, area.grown(3.0F));
    const float pixel = 1.0F / f.canvas.pixels_per_point(), width = p.at(1) - p.at(0);
    for (std::size_t i = 0; i < p.pairs().size(); ++i)
        if (undecided(p.pairs()[i]))
            hatch(f.canvas, p.plot.column_of(static_cast<double>(i)), ui::faded(f.theme.ink_faint, 0.35F));
    p.plot.path(p.pairs().size(), {f.theme.ink, 1.4F}, [&](std::size_t i) {
        const PairMeasured& pair = p.pairs()[i];
        return pair.expected > 0.0 ? Point{p.at(i), p.height(ratio(pair, pair.expected))} : Point{NAN, NAN};
    });
    float last = -1e9F;
    for (std::size_t i = 0; i < p.pairs().size(); ++i) {
        const PairMeasured& pair = p.pairs()[i];
        if (!(pair.expected > 0.0)) continue;
        const ui::Colour colour = undecided(pair) ? f.theme.ink_soft : mark_of(f, !measuring::differs(pair));
        const float at = p.at(i);
        const bool crowded = at - last < 0.5F * pixel;
        if (crowded && !measuring::differs(pair)) continue;
        last = at;
        const double slowest = pair.rate - pair.off;
        const float top = p.height(ratio(pair, pair.rate + std::min(pair.off, 1e30))),
                    bottom = slowest > 0.0 ? p.height(ratio(pair, slowest)) : area.y1 + 2.0F;
        if (bottom - top > 5.0F && width > 3.0F) {
            f.canvas.line({at, top}, {at, bottom}, {colour, 1.2F});
            for (const float end : {top, bottom})
                if (end > area.y0 && end < area.y1)
                    f.canvas.line({at - 2.5F, end}, {at + 2.5F, end}, {colour, 1.2F});
        }
        if (!undecided(pair))
            f.canvas.disc({at, p.height(ratio(pair, pair.rate))}, std::clamp(0.45F * width, 1.2F, 3.4F),
                          colour);
    }
}

// The number by which the last pairs divide, and the one by which they should.
void name_factor(Ratios& p) {
    Frame& f = p.plot.frame;
    if (!(p.seen.factor > 0.0) || f.hide_hints_that_answer) return;
    const float right = p.at(p.seen.divided) - 8.0F;
    const float own = p.height(p.seen.factor), wanted = p.height(p.seen.wanted_factor);
    const std::string_view measured =
        f.format("measured.factor", fmt::arg("factor", ui::significant(f.scratch, p.seen.factor, 4)),
                 fmt::arg("off", ui::significant(f.scratch, p.seen.factor_off, 1)));
    const std::string_view expected = f.format(
        "measured.factor_wanted", fmt::arg("factor", f.scratch.format("{:.6g}", p.seen.wanted_factor)));
    const auto name = [&](std::string_view words, float y, float baseline, Face face) {
        const float width = f.canvas.text_width(words, face, ui::kSmallSize);
        if (right - width < p.plot.area.x0 + 4.0F) return;
        f.canvas.line({right - width - 4.0F, y}, {right + 4.0F, y}, {f.theme.ink_faint, 1.0F, 3.0F});
        f.canvas.text({right, baseline}, words, {f.theme.ink, ui::kSmallSize, face, Align::right});
    };
    const bool apart = std::abs(own - wanted) > 30.0F;
    name(measured, own, apart || own > wanted ? own + 15.0F : own - 5.0F, Face::strong);
    if (std::abs(own - wanted) > 2.0F)
        name(expected, wanted, apart || wanted > own ? wanted + 15.0F : wanted - 5.0F, Face::text);
}

// ± of each frequency, relative; its name keeps clear of the selected pair's line.
void draw_uncertainty(const plot::Plot& p, const std::vector<PairMeasured>& pairs, float marked_at) {
    Frame& f = p.frame;
    for (const double decade : {-9.0, -6.0, -3.0, 0.0})
        p.numbered(decade,
                   decade != -3.0 ? power_of_ten(f.scratch, static_cast<int>(decade)) : std::string_view(),
                   {f.theme.grid, 1.0F});
    const std::string_view name = f.text("measured.uncertainty");
    const bool left = marked_at > p.area.x0 + small_width(f, name) + 4.0F;
    f.canvas.text({left ? p.area.x0 : p.area.x1, p.area.y0 - 7.0F}, name,
                  small(f, left ? Align::left : Align::right));
    const float width = p.x(1.0) - p.x(0.0), pixel = 1.0F / f.canvas.pixels_per_point();
    float last = -1e9F;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const float x = p.x(static_cast<double>(i));
        if (x - last < 0.5F * pixel || x < p.area.x0 || x > p.area.x1) continue;
        last = x;
        const double rate = std::max(pairs[i].rate, pairs[i].expected),
                     off = rate > 0.0 ? pairs[i].off / rate : 1.0;
        f.canvas.disc({x, p.y(std::log10(std::clamp(std::isfinite(off) ? off : 1.0, 1e-9, 1.0)))},
                      std::clamp(0.35F * width, 1.0F, 2.4F),
                      undecided(pairs[i]) ? f.theme.ink_faint : f.theme.ink_soft);
    }
}

// The baseline of words of this width beside a point: the first place that covers no dot.
Point clear_of_dots(const Ratios& p, Point at, float width) {
    const Rect area = p.plot.area;
    const auto covers = [&](Rect words) {
        for (std::size_t i = 0; i < p.pairs().size(); ++i) {
            const PairMeasured& pair = p.pairs()[i];
            if (!(pair.expected > 0.0)) continue;
            for (const double rate : {pair.expected, undecided(pair) ? pair.expected : pair.rate})
                if (words.grown(3.0F).contains({p.at(i), p.height(ratio(pair, rate))})) return true;
        }
        return false;
    };
    Point first{};
    bool any = false;
    for (const float down : {-11.0F, 21.0F, 36.0F, -26.0F, 54.0F})
        for (const bool left : {false, true}) {
            const Point from{left ? at.x - 9.0F - width : at.x + 9.0F, at.y + down};
            const Rect words{from.x, from.y - 11.0F, from.x + width, from.y + 3.0F};
            if (words.x0 < area.x0 || words.x1 > area.x1 || words.y0 < area.y0 - 14.0F || words.y1 > area.y1)
                continue;
            if (!any) first = from, any = true;
            if (!covers(words)) return from;
        }
    return any ? first : Point{area.x0, area.y0 + 10.0F};
}

void mark_pair(Ratios& p, std::size_t i) {
    Frame& f = p.plot.frame;
    const PairMeasured& pair = p.pairs()[i];
    if (!(pair.expected > 0.0) || !marked(f)) return;
    const Point at{p.at(i), p.height(ratio(pair, undecided(pair) ? pair.expected : pair.rate))};
    if (!p.plot.shows(static_cast<double>(i))) return;
    f.canvas.circle(at, 6.0F, {f.theme.ink, 1.8F});
    const std::string_view words =
        undecided(pair)
            ? f.text("measured.pair_undecided")
            : f.format(pair.rate > 0.0 ? "measured.pair" : "measured.pair_still",
                       fmt::arg("found", ui::significant(f.scratch, ratio(pair, pair.rate), 5)),
                       fmt::arg("wanted", ui::significant(f.scratch, ratio(pair, pair.expected), 5)));
    const Point from = clear_of_dots(p, at, f.canvas.text_width(words, Face::text, ui::kSmallSize));
    f.canvas.text(from, words, {f.theme.ink, ui::kSmallSize, Face::text});
}

std::string_view headline(Frame& f) {
    const Seen* found = seen(f);
    if (found == nullptr || found->problem) return {};
    const auto& pairs = found->measured().pairs;
    if (pairs.empty()) return {};
    ui::Scratch& s = f.scratch;
    const auto told = static_cast<std::int64_t>(
        std::ranges::count_if(pairs, [](const PairMeasured& pair) { return !undecided(pair); }));
    const auto counted = [&](std::int64_t n) { return ui::counted(s, n); };
    if (told == 0) return f.text("measured.headline_none");
    if (found->spectrum.frequency.empty() || !(pairs[0].expected > 0.0)) {
        return f.format("measured.headline_unknown", fmt::arg("told", counted(told)));
    }
    if (found->differ.empty()) {
        double off = 0.0;
        for (const PairMeasured& pair : pairs)
            if (!undecided(pair)) off = std::max(off, std::abs(pair.rate / pair.expected - 1.0));
        const auto left = static_cast<std::int64_t>(pairs.size()) - told;
        return f.format(left > 0 ? "measured.headline_right_some" : "measured.headline_right",
                        fmt::arg("told", counted(told)), fmt::arg("off", ui::bound(s, off)),
                        fmt::arg("undecided", counted(left)));
    }
    const bool other_factor =
        found->factor > 0.0 && std::abs(found->factor - found->wanted_factor) >
                                   3.0 * found->factor_off + 1e-4 * found->wanted_factor;
    if (other_factor && found->kept > 0)
        return f.format(found->kept > 1 ? "measured.headline_factor" : "measured.headline_factor_one",
                        fmt::arg("kept", found->kept - 1), fmt::arg("first", found->divided),
                        fmt::arg("factor", ui::significant(s, found->factor, 4)),
                        fmt::arg("wanted", s.format("{:.6g}", found->wanted_factor)));
    double least = HUGE_VAL, most = 0.0;
    for (const std::int64_t i : found->differ) {
        const double by = pairs[static_cast<std::size_t>(i)].ratio;
        least = std::min(least, by), most = std::max(most, by);
    }
    return f.format(most > 0.0 ? "measured.headline_differ" : "measured.headline_still",
                    fmt::arg("first", found->differ.front()), fmt::arg("last", found->differ.back()),
                    fmt::arg("count", counted(static_cast<std::int64_t>(found->differ.size()))),
                    fmt::arg("least", ui::significant(s, least, 4)),
                    fmt::arg("most", ui::significant(s, most, 4)));
}

void draw(Frame& f, Rect area) {
    if (absent(f, area)) return;
    const Seen& found = *seen(f);
    if (found.measured().pairs.empty()) return explain_absence(f, area, "measured.no_pairs");
    if (area.width() < 120.0F || area.height() < 80.0F) return;
    const std::vector<PairMeasured>& pairs = found.measured().pairs;
    const bool known = pairs[0].expected > 0.0, with_names = known && area.height() > 150.0F;
    const float tall = area.height();
    if (with_names) area.cut_top(22.0F);
    const plot::Scale certainty{.kind = plot::Kind::log, .from = -9.0, .to = 0.0},
        up = known ? heights(pairs) : certainty;
    Ratios p{
        .plot = plot::Plot(f, area, plot::pairs(f, pairs.size()), up, {},
                           {.below = known && tall > 240.0F ? std::max(46.0F, 0.2F * (tall - 86.0F)) : 0.0F}),
        .seen = found,
        .logarithmic = up.kind == plot::Kind::log};
    if (known) {
        if (with_names) name_runs(p);
        draw_pairs(p);
        name_factor(p);
    }
    const Rect whole = p.plot.whole();
    const LinkedPair chosen = choose_pair(f, whole, p.plot.x, found.spectrum);
    if (!known) draw_uncertainty(p.plot, pairs, p.at(chosen.pair));
    else if (!p.plot.below.empty()) draw_uncertainty(p.plot.second(certainty), pairs, p.at(chosen.pair));
    if (known) mark_pair(p, chosen.pair);
    zoom_and_pan_pairs(f, whole, p.plot.x, found.spectrum.pairs());
    if (!f.over(whole)) return;
    const PairMeasured& pair = found.measured().pairs[chosen.pair];
    ui::Scratch& s = f.scratch;
    f.tip.formula = s.format("\\omega'_{{{}}} = {}", chosen.pair, ui::significant(s, pair.rate, 6));
    f.tip.value = f.format("measured.tip_off", fmt::arg("off", ui::significant(s, pair.off, 2)));
    if (known)
        f.tip.details[0] =
            f.format("measured.tip_expected", fmt::arg("expected", ui::significant(s, pair.expected, 6)));
}

}  // namespace
}  // namespace measured_figure

extern const Figure kMeasured;
const Figure kMeasured =
    measured::figure_of_dump("measured", measured_figure::headline, measured_figure::draw);

}  // namespace posiscope::figures
