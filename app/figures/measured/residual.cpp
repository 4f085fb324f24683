// residual.cpp — how far each number of a dump is from the one that it should be, in roundings: by pair and row, and the largest of
// each pair and of each row beside it.
#include "app/figures/measured/measured.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/pair_plot.hpp"

namespace posiscope::figures {
namespace residual_figure {
namespace {

using canvas::Align;
using ui::Face;
using namespace measured;

constexpr std::size_t kMostColumns = 1024;

double decades(double roundings) { return std::log10(std::max(roundings, 1.0)); }

void draw_map(Frame& f, const measuring::Beside& beside, const Shades& shades, Rect plot,
              const canvas::Axis& x) {
    const auto pairs = static_cast<double>(beside.by_pair.size());
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
    const canvas::Clip clip(f.canvas, plot);
    f.canvas.heatmap(0, {x(-0.5), plot.y0, x(pairs - 0.5), plot.y1}, heatmap);
}

// The largest of each pair, as bars on a logarithmic height.
void draw_by_pair(Frame& f, const measuring::Beside& beside, const Shades& shades, Rect plot,
                  const canvas::Axis& x) {
    const canvas::Axis y{-2.0, shades.most, plot.y1, plot.y0};
    const float pixel = 1.0F / f.canvas.pixels_per_point();
    {
        const canvas::Clip clip(f.canvas, plot);
        for (std::size_t i = 0; i < beside.by_pair.size(); ++i) {
            const double off = beside.by_pair[i];
            Rect bar = pair_column(x, static_cast<double>(i), plot, pixel);
            bar.y0 = std::min(plot.y1 - 1.0F, y(std::log10(std::max(off, 1e-2))));
            f.canvas.fill(bar, off > 1.0 ? f.theme.beyond : f.theme.ink_faint);
        }
    }
    f.canvas.line({plot.x0, y(0.0)}, {plot.x1, y(0.0)}, {f.theme.ink_faint, 1.0F, 3.0F});
    const canvas::TextStyle number{f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right};
    f.canvas.text({plot.x0 - 7.0F, y(0.0) + 4.0F}, "1", number);
    if (y(0.0) - plot.y0 > 14.0F)
        f.canvas.text({plot.x0 - 7.0F, plot.y0 + 8.0F},
                      power_of_ten(f.scratch, static_cast<int>(shades.most)), number);
    f.canvas.text({plot.x0, plot.y0 - 7.0F}, f.text("residual.by_pair"),
                  {f.theme.ink_soft, ui::kSmallSize, Face::text});
}

// The largest of each row, along the height of the map.
void draw_by_row(Frame& f, const Shades& shades, Rect plot) {
    const canvas::Axis across{-2.0, shades.most, plot.x0, plot.x1};
    f.canvas.line({across(0.0), plot.y0}, {across(0.0), plot.y1}, {f.theme.ink_faint, 1.0F, 3.0F});
    auto& points = f.derived.points();
    points.clear();
    const auto steps = static_cast<float>(shades.by_row.size());
    for (std::size_t n = 0; n < shades.by_row.size(); ++n)
        points.push_back(
            {across(shades.by_row[n]), plot.y0 + plot.height() * (static_cast<float>(n) + 0.5F) / steps});
    if (points.size() > 1) f.canvas.polyline(points, {f.theme.beyond, 1.4F});
    f.canvas.text({plot.x0, plot.y0 - 7.0F}, f.text("residual.by_row"),
                  {f.theme.ink_soft, ui::kSmallSize, Face::text});
    f.canvas.text({across(0.0), plot.y1 + 17.0F}, "1",
                  {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::centre});
    f.canvas.text({plot.x1, plot.y1 + 17.0F}, power_of_ten(f.scratch, static_cast<int>(shades.most)),
                  {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
}

// The rows of all slices, one after another.
void draw_rows(Frame& f, const measuring::Beside& beside, Rect plot, const canvas::Axis& y) {
    const canvas::Ticks ticks = canvas::ticks(0.0, static_cast<double>(beside.rows()) - 1.0,
                                              std::clamp(static_cast<int>(plot.height() / 40.0F), 2, 8));
    for (const double value : ticks.values())
        if (value == std::round(value))
            f.canvas.text({plot.x0 - 7.0F, y(value) + 4.0F}, ui::integer(f.scratch, std::llround(value)),
                          {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
}

void draw_key(Frame& f, const Shades& shades, Rect area) {
    constexpr float kBar = 90.0F;
    constexpr int kSteps = 30;
    const std::string_view most =
        f.format("residual.most", fmt::arg("most", power_of_ten(f.scratch, static_cast<int>(shades.most))));
    const float width = f.canvas.text_width(most, Face::text, ui::kSmallSize);
    const float right = area.x1 - width - 8.0F, left = right - kBar, y = area.y1 - 8.0F;
    if (left < area.x0 + 20.0F) return;
    for (int i = 0; i < kSteps; ++i)
        f.canvas.fill({left + kBar * static_cast<float>(i) / kSteps, y - 4.0F, right, y + 4.0F},
                      ui::mixed(f.theme.tile, f.theme.beyond, (static_cast<float>(i) + 0.5F) / kSteps));
    f.canvas.outline({left, y - 4.0F, right, y + 4.0F}, {f.theme.border, 1.0F});
    f.canvas.text({left - 6.0F, y + 4.5F}, "1", {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
    f.canvas.text({right + 6.0F, y + 4.5F}, most, {f.theme.ink_soft, ui::kSmallSize, Face::text});
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
    const bool keyed = area.height() > 190.0F;
    Rect plot{area.x0 + 52.0F, area.y0 + 22.0F, area.x1 - 12.0F, area.y1 - (keyed ? 58.0F : 40.0F)};
    if (keyed) draw_key(f, all, {area.x0, area.y1 - 20.0F, area.x1, area.y1});
    Rect above, right;
    if (plot.height() > 120.0F) {
        above = plot.cut_top(std::min(46.0F, 0.22F * plot.height()));
        plot.cut_top(10.0F);
    }
    if (plot.width() > 240.0F) {
        right = plot;
        right.x0 = plot.x1 = plot.x1 - std::min(96.0F, 0.24F * plot.width());
        plot.x1 -= 12.0F;
        above.x1 = plot.x1;
    }
    canvas::Axis x = pair_axis(f.scene, f.figure, beside.by_pair.size());
    x.at_from = plot.x0, x.at_to = plot.x1;
    const canvas::Axis y{-0.5, static_cast<double>(beside.rows()) - 0.5, plot.y0, plot.y1};
    draw_map(f, beside, all, plot, x);
    f.canvas.outline(plot, {f.theme.border, 1.0F});
    draw_rows(f, beside, plot, y);
    draw_pair_ticks(f, plot, x);
    if (!above.empty()) draw_by_pair(f, beside, all, above, x);
    if (!right.empty()) draw_by_row(f, all, right);
    const LinkedPair chosen = choose_pair(f, plot, x, seen(f)->spectrum);
    const std::int64_t own =
        slice_of(f.scene, seen(f)->measured()) * beside.table.rows + row_of(f.scene, seen(f)->measured());
    const Point mark{x(static_cast<double>(chosen.pair)), y(static_cast<double>(own))};
    if (marked(f) && plot.grown(2.0F).contains(mark)) f.canvas.circle(mark, 5.0F, {f.theme.ink, 1.6F});
    zoom_and_pan_pairs(f, plot, x, beside.by_pair.size());
    if (!f.over(plot)) return;
    const auto row = std::clamp<std::int64_t>(std::llround(y.inverse(f.pointer->at.y)), 0, beside.rows() - 1);
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
