// residual.cpp — how far each number of a dump is from the one that it should be, in roundings: by pair and row, and the largest of
// each pair and of each row beside it.
#include "app/figures/measured/measured.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/pair_plot.hpp"
#include "app/figures/parts/text.hpp"
#include "app/plot/plot.hpp"

namespace posiscope::figures {
namespace residual_figure {
namespace {

using canvas::Align;
using namespace measured;

constexpr std::size_t kMostColumns = 1024;

std::string_view decade(Frame& f, const Shades& shades) {
    return power_of_ten(f.scratch, static_cast<int>(shades.most));
}

double decades(double roundings) { return std::log10(std::max(roundings, 1.0)); }

void draw_map(const plot::Plot& p, const measuring::Beside& beside, const Shades& shades) {
    Frame& f = p.frame;
    canvas::Heatmap heatmap;
    heatmap.view.field = Field::samples;
    heatmap.view.width = static_cast<int>(shades.columns);
    heatmap.view.height = static_cast<int>(beside.bands);
    heatmap.view.rows = {0, 0.0, static_cast<double>(beside.bands)};
    heatmap.view.columns = {0, 0.0, static_cast<double>(shades.columns)};
    heatmap.view.range = shades.most;
    heatmap.view.negative = heatmap.view.zero = f.theme.tile;
    heatmap.view.positive = f.theme.beyond;
    heatmap.view.borders = false;
    heatmap.data.samples = shades.samples;
    heatmap.samples_key = shades.key;
    const canvas::Clip clip(f.canvas, p.area);
    const auto pairs = static_cast<double>(beside.by_pair.size());
    f.canvas.heatmap(0, {p.x(-0.5), p.area.y0, p.x(pairs - 0.5), p.area.y1}, heatmap);
}

// The largest of each pair, as bars on a logarithmic height.
void draw_by_pair(Frame& f, const measuring::Beside& beside, const Shades& shades, Rect strip) {
    const auto p = plot::Plot::bare(f, strip, plot::pairs(f, beside.by_pair.size()),
                                    {plot::Kind::log, -2.0, shades.most});
    {
        const canvas::Clip clip(f.canvas, strip);
        for (std::size_t i = 0; i < beside.by_pair.size(); ++i) {
            const double off = beside.by_pair[i];
            Rect bar = p.column_of(static_cast<double>(i));
            bar.y0 = std::min(strip.y1 - 1.0F, p.y(std::log10(std::max(off, 1e-2))));
            f.canvas.fill(bar, off > 1.0 ? f.theme.beyond : f.theme.ink_faint);
        }
    }
    p.numbered(0.0, "1", {f.theme.ink_faint, 1.0F, 3.0F});
    if (p.y(0.0) - strip.y0 > 14.0F)
        f.canvas.text({strip.x0 - 7.0F, strip.y0 + 8.0F}, decade(f, shades), small(f, Align::right));
    f.canvas.text({strip.x0, strip.y0 - 7.0F}, f.text("residual.by_pair"), small(f));
}

// The largest of each row, along the height of the map.
void draw_by_row(Frame& f, const Shades& shades, Rect strip) {
    const auto steps = static_cast<double>(shades.by_row.size());
    const auto p =
        plot::Plot::bare(f, strip, {plot::Kind::log, -2.0, shades.most}, {.from = steps, .to = 0.0});
    p.rule(0.0, {f.theme.ink_faint, 1.0F, 3.0F});
    if (shades.by_row.size() > 1)
        p.path(shades.by_row.size(), {f.theme.beyond, 1.4F},
               [&](std::size_t n) { return p.at(shades.by_row[n], static_cast<double>(n) + 0.5); });
    f.canvas.text({strip.x0, strip.y0 - 7.0F}, f.text("residual.by_row"), small(f));
    f.canvas.text({p.x(0.0), strip.y1 + 17.0F}, "1", small(f, Align::centre));
    f.canvas.text({strip.x1, strip.y1 + 17.0F}, decade(f, shades), small(f, Align::right));
}

std::string_view headline(Frame& f) {
    const Seen* found = seen(f);
    if (found == nullptr || found->beside() == nullptr) return {};
    const measuring::Beside& beside = *found->beside();
    const std::string_view numbers = ui::integer(f.scratch, beside.numbers);
    if (beside.beyond == 0) return f.format("residual.headline_right", fmt::arg("numbers", numbers));
    const Shades& all = seen(f)->shades;
    const bool some = all.first > 0 || all.last + 1 < static_cast<std::int64_t>(beside.by_pair.size());
    return f.format(!some                   ? "residual.headline"
                    : all.first == all.last ? "residual.headline_pair"
                                            : "residual.headline_pairs",
                    fmt::arg("beyond", ui::integer(f.scratch, beside.beyond)), fmt::arg("numbers", numbers),
                    fmt::arg("first", all.first), fmt::arg("last", all.last));
}

void draw(Frame& f, Rect area) {
    if (without_columns(f, area)) return;
    if (area.width() < 120.0F || area.height() < 90.0F) return;
    const measuring::Beside& beside = *seen(f)->beside();
    const Shades& all = seen(f)->shades;
    const std::size_t pairs = beside.by_pair.size();
    Rect above;
    if (area.height() > 210.0F) {
        above = area.cut_top(18.0F + std::min(46.0F, 0.18F * area.height()));
        above.y0 += 18.0F;
    }
    const float side = area.width() > 300.0F ? std::min(96.0F, 0.2F * area.width()) : 0.0F;
    const plot::Plot p(f, area, plot::pairs(f, pairs),
                       {.kind = plot::Kind::whole,
                        .from = -0.5,
                        .to = static_cast<double>(beside.rows()) - 0.5,
                        .name = f.text("rows.axis"),
                        .down = true},
                       {}, {.right = side});
    if (!p.has_room()) return;
    const Rect& plot = p.area;
    draw_map(p, beside, all);
    f.canvas.outline(plot, {f.theme.border, 1.0F});
    const std::array stops = {f.theme.tile, f.theme.beyond};
    p.colour_bar(stops, "1", f.format("residual.most", fmt::arg("most", decade(f, all))), {});
    if (!above.empty()) draw_by_pair(f, beside, all, {plot.x0, above.y0, plot.x1, above.y1});
    if (side > 0.0F) draw_by_row(f, all, {plot.x1 + 12.0F, plot.y0, plot.x1 + side, plot.y1});
    const LinkedPair chosen = choose_pair(f, plot, p.x, seen(f)->spectrum);
    const std::int64_t own =
        slice_of(f.scene, seen(f)->measured()) * beside.table.rows + row_of(f.scene, seen(f)->measured());
    const Point mark = p.at(static_cast<double>(chosen.pair), static_cast<double>(own));
    if (marked(f) && plot.grown(2.0F).contains(mark)) f.canvas.circle(mark, 5.0F, {f.theme.ink, 1.6F});
    zoom_and_pan_pairs(f, plot, p.x, pairs);
    if (!f.over(plot)) return;
    const auto row = std::clamp<std::int64_t>(std::llround(p.pointed_y()), 0, beside.rows() - 1);
    const measuring::NumberBeside number = beside.at(row, static_cast<std::int64_t>(chosen.pair));
    if (f.clicked(plot)) {
        set_view_value(f.edit(), "rows", "selected", row % beside.table.rows);
        if (beside.table.slices > 1) set_view_value(f.edit(), "rows", "head", row / beside.table.rows);
    }
    ui::Scratch& s = f.scratch;
    f.tip.value = f.format("residual.tip", fmt::arg("row", ui::integer(s, row % beside.table.rows)),
                           fmt::arg("column", ui::integer(s, number.column)));
    f.tip.details[0] =
        f.format("residual.tip_numbers", fmt::arg("found", ui::significant(s, number.found, 7)),
                 fmt::arg("wanted", ui::significant(s, number.wanted, 7)));
    f.tip.details[1] =
        f.format("residual.tip_off", fmt::arg("off", ui::significant(s, number.found - number.wanted, 3)),
                 fmt::arg("roundings",
                          ui::significant(s, std::abs(number.found - number.wanted) / number.rounding, 3)));
}

}  // namespace
}  // namespace residual_figure

namespace measured {

Shades shades_of(const measuring::Beside& beside) {
    Shades made;
    const std::size_t pairs = beside.by_pair.size();
    made.columns = std::min(pairs, residual_figure::kMostColumns);
    made.samples.assign(static_cast<std::size_t>(beside.bands) * made.columns, 0.0F);
    for (std::size_t n = 0; n < beside.map.size(); ++n) {
        float& sample = made.samples[n / pairs * made.columns + n % pairs * made.columns / pairs];
        sample = std::max(sample,
                          static_cast<float>(residual_figure::decades(static_cast<double>(beside.map[n]))));
    }
    const std::size_t rows = beside.by_row.size(),
                      steps = std::min(rows, static_cast<std::size_t>(kMostSteps));
    made.by_row.assign(steps, -2.0);
    for (std::size_t n = 0; n < rows; ++n) {
        double& most = made.by_row[n * steps / rows];
        most = std::max(most, std::log10(std::max(beside.by_row[n], 1e-2)));
    }
    for (std::size_t i = 0; i < beside.by_pair.size(); ++i) {
        if (beside.by_pair[i] <= 1.0) continue;
        if (made.first < 0) made.first = static_cast<std::int64_t>(i);
        made.last = static_cast<std::int64_t>(i);
        made.most = std::max(made.most, std::ceil(residual_figure::decades(beside.by_pair[i])));
    }
    made.key = canvas::samples_key(made.samples);
    return made;
}

}  // namespace measured

extern const Figure kResidual;
const Figure kResidual =
    measured::figure_of_dump("residual", residual_figure::headline, residual_figure::draw);

}  // namespace posiscope::figures
