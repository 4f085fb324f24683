// basis.cpp — the products of the columns as a heatmap, and what all four pictures share.
#include "app/figures/matrix/basis.hpp"

#include "app/canvas/axes.hpp"
#include "app/figures/matrix/matrix.hpp"
#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/pair_plot.hpp"
#include "app/figures/parts/text.hpp"
#include "app/plot/plot.hpp"
#include "core/cost.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::figures::matrix {
namespace {

using canvas::Align;
using ui::Face;

constexpr std::array<std::string_view, 4> kModes = {"columns", "dft", "rank", "gap"};
constexpr double kMostSlider = 7.0;  // log₁₀ of the longest

// The dimension of a column of the picture: pairs are kept whole where not all are taken.
std::int64_t dimension_of(const Frame& f, const basis::Products& made, std::size_t column) {
    const auto pairs = f.scene.d_model / 2;
    const auto taken = static_cast<std::int64_t>(made.side / 2);
    const PairLayout layout =
        shows_table(f.scene) ? PairLayout::interleaved : encoding_of(f.scene).layout(f.scene);
    const auto at = pair_component(layout, taken, static_cast<std::int64_t>(column));
    return dimension(layout, pairs, {at.pair * made.stride, at.component});
}

// "sin pω₃", or of numbers "column 6".
std::string_view column_name(const Frame& f, std::int64_t column) {
    ui::Scratch& s = f.scratch;
    if (shows_table(f.scene)) return s.format("\\text{{{}}}_{{{}}}", f.text("basis.column"), column);
    const auto at = pair_component(encoding_of(f.scene).layout(f.scene), f.scene.d_model / 2, column);
    return s.format("{} p\\omega_{{{}}}", at.component == 0 ? "\\sin" : "\\cos", at.pair);
}

void hover_products(Frame& f, const basis::Products& made, Rect plot) {
    if (!f.over(plot) || made.side == 0) return;
    const auto side = static_cast<float>(made.side);
    const auto index = [&](float at, float from, float length) {
        return static_cast<std::size_t>(std::clamp((at - from) / length * side, 0.0F, side - 1.0F));
    };
    const std::size_t row = index(f.pointer->at.y, plot.y0, plot.height()),
                      column = index(f.pointer->at.x, plot.x0, plot.width());
    ui::Scratch& s = f.scratch;
    const std::int64_t a = dimension_of(f, made, row), b = dimension_of(f, made, column);
    f.tip.formula = shows_table(f.scene)
                        ? s.format("{} \\cdot {}", column_name(f, a), column_name(f, b))
                        : s.format("\\frac{{2}}{{n}} \\sum_p {} {}", column_name(f, a), column_name(f, b));
    f.tip.beside = plot;
    f.tip.value =
        s.format("= {}", ui::significant(s, static_cast<double>(made.gram[row * made.side + column]), 5));
    if (shows_table(f.scene)) return;
    const auto at = pair_component(encoding_of(f.scene).layout(f.scene), f.scene.d_model / 2, b);
    const Spectrum* spectrum = f.derived.spectrum(f.scene);
    if (spectrum == nullptr) return;
    f.hovered.frequency = spectrum->frequency[static_cast<std::size_t>(at.pair)];
    if (f.clicked(plot)) f.edit().pair = at.pair;
}

void bar(Frame& f, Rect bar, double range) {
    canvas::Canvas& c = f.canvas;
    plot::draw_colours(f, bar, 48, [&](float at) {
        return cells::colour_of(f.theme, 1.0 - 2.0 * static_cast<double>(at), 1.0,
                                cells::Colours::signed_values);
    });
    const auto number = [&](float y, double value) {
        c.text({bar.x1 + 5.0F, y}, ui::significant(f.scratch, value, 2), small(f));
    };
    number(bar.y0 + 9.0F, range);
    number(bar.centre().y + 4.0F, 0.0);
    number(bar.y1, -range);
}

void draw_products(Frame& f, Rect area) {
    const basis::Products* made = basis::products(f, f.scene, f.derived);
    if (made == nullptr) return explain_absence(f, area, being_made());
    if (made->problem) return explain_absence(f, area, *made->problem);
    const basis::Products* of_b = nullptr;
    if (f.other != nullptr && has_basis(f.other->scene))
        of_b = basis::products(f, f.other->scene, f.other->derived);
    if (of_b != nullptr && (of_b->problem || of_b->side != made->side)) of_b = nullptr;
    Rect plot{area.x0 + 50.0F, area.y0 + 20.0F, area.x1 - 58.0F, area.y1 - 22.0F};
    const float side = std::min(plot.width(), plot.height());
    if (side < 30.0F) return;
    plot = {plot.centre().x - 0.5F * side, plot.y0, plot.centre().x + 0.5F * side, plot.y0 + side};

    // A cell is a whole number of samples, since viewers of vector files smooth what they enlarge.
    const Enlarged& cells = basis::enlarged(
        f.derived, enlargement(side * f.canvas.pixels_per_point() / static_cast<float>(made->side)));
    // The diagonal would be 1; what lies beside it reaches 2 where both columns hardly move.
    canvas::HeatmapView view =
        view_of_samples(f.theme, cells.width, cells.height, shows_table(f.scene) ? 1.0 : 2.0);
    view.rows = view.columns = {0, 0.0, static_cast<double>(made->side)};
    view.borders = true;
    view.border = ui::faded(f.theme.ink, 0.16F);
    f.canvas.heatmap(0, plot, {view, {.samples = cells.samples}, cells.key});
    f.canvas.outline(plot, {f.theme.border, 1.0F});
    bar(f, {plot.x1 + 12.0F, plot.y0, plot.x1 + 22.0F, plot.y1}, view.range);

    // The Scene's pair, and the two columns that overlap most.
    const auto mark = [&](std::size_t column, canvas::Stroke stroke) {
        const float cell = side / static_cast<float>(made->side);
        const float x = plot.x0 + cell * (static_cast<float>(column) + 0.5F);
        f.canvas.line({x, plot.y0 - 6.0F}, {x, plot.y0 - 1.0F}, stroke);
        const float y = plot.y0 + cell * (static_cast<float>(column) + 0.5F);
        f.canvas.line({plot.x0 - 6.0F, y}, {plot.x0 - 1.0F, y}, stroke);
    };
    const PairLayout layout =
        shows_table(f.scene) ? PairLayout::interleaved : encoding_of(f.scene).layout(f.scene);
    const auto taken = static_cast<std::int64_t>(made->side / 2);
    const std::int64_t pair =
        std::clamp<std::int64_t>(f.scene.pair / made->stride, 0, std::max<std::int64_t>(taken - 1, 0));
    for (int component = 0; component < 2; ++component)
        mark(static_cast<std::size_t>(dimension(layout, taken, {pair, component})), {f.theme.ink, 1.5F});
    const float cell = side / static_cast<float>(made->side);
    const Rect worst{plot.x0 + cell * static_cast<float>(made->at[1]),
                     plot.y0 + cell * static_cast<float>(made->at[0]),
                     plot.x0 + cell * static_cast<float>(made->at[1] + 1),
                     plot.y0 + cell * static_cast<float>(made->at[0] + 1)};
    if (made->worst > 0.0)
        f.canvas.outline(worst.grown(std::max(2.0F, 4.0F - 0.5F * cell)), {f.theme.beyond, 1.5F});

    ui::Scratch& s = f.scratch;
    if (side > 120.0F) {
        const double last = static_cast<double>(made->side) - 1.0;
        const auto steps = canvas::ticks(0.0, last, std::clamp(static_cast<int>(side / 36.0F), 3, 8));
        for (const double tick : steps.values())
            if (tick == std::round(tick))
                f.canvas.text({plot.x0 - 12.0F, plot.y0 + cell * (static_cast<float>(tick) + 0.5F) + 4.0F},
                              ui::integer(s, dimension_of(f, *made, static_cast<std::size_t>(tick))),
                              small(f, Align::right));
        canvas::name_axis(f.canvas, f.theme.ink_soft,
                          {0.0, std::max(last, 0.5), plot.x0 + 0.5F * cell, plot.x1 - 0.5F * cell},
                          plot.x1 + 8.0F, plot.y1 + 16.0F, f.text("basis.columns"), [&](double column) {
                              return ui::integer(s, dimension_of(f, *made, static_cast<std::size_t>(column)));
                          });
    }
    if (of_b != nullptr && area.width() > 300.0F)
        f.canvas.text({area.x0, area.y1 - 4.0F},
                      f.format("basis.worst_of_b", fmt::arg("value", ui::significant(s, of_b->worst, 4))),
                      small(f));
    else if (made->stride > 1 && area.width() > 300.0F)
        f.canvas.text({area.x0, area.y1 - 4.0F}, f.format("basis.every", fmt::arg("stride", made->stride)),
                      small(f));
    hover_products(f, *made, plot);
}

std::string_view rows_said(Frame& f, std::int64_t rows) { return ui::integer(f.scratch, rows); }

std::string_view dft_headline(Frame& f) {
    const basis::Transform* made = basis::transform(f, f.scene, f.derived);
    if (made == nullptr || made->problem) return {};
    ui::Scratch& s = f.scratch;
    const Leakage& of = made->leakage[0];
    const auto bins = static_cast<std::int64_t>(made->power[0].size());
    return f.format(bins == 1          ? "basis.headline_dft_one"
                    : of.above == bins ? "basis.headline_dft_all"
                                       : "basis.headline_dft",
                    fmt::arg("pair", f.scene.pair), fmt::arg("rows", rows_said(f, made->rows)),
                    fmt::arg("percent", ui::significant(s, 100.0 * of.fraction, 3)),
                    fmt::arg("bin", ui::integer(s, of.bin)), fmt::arg("above", ui::integer(s, of.above)),
                    fmt::arg("bins", ui::integer(s, bins)));
}

std::string_view rank_headline(Frame& f) {
    const basis::Ranks* made = basis::ranks(f, f.scene, f.derived);
    if (made == nullptr || made->problem) return {};
    const bool all = made->rows == f.scene.length;
    const std::string_view key = shows_table(f.scene) ? "basis.headline_rank_numbers"
                                 : all                ? "basis.headline_rank"
                                                      : "basis.headline_rank_first";
    return f.format(
        key, fmt::arg("rows", ui::counted(f.scratch, shows_table(f.scene) ? made->rows : f.scene.length)),
        fmt::arg("width", ui::integer(f.scratch, made->width)),
        fmt::arg("exact", ui::integer(f.scratch, made->exact)),
        fmt::arg("numeric", ui::integer(f.scratch, made->numeric)),
        fmt::arg("first", rows_said(f, made->rows)));
}

std::string_view gap_headline(Frame& f) {
    const basis::Gaps* made = basis::gaps(f, f.scene, f.derived);
    if (made == nullptr || made->problem) return {};
    if (made->gap.empty()) return f.text("basis.headline_gap_one");
    ui::Scratch& s = f.scratch;
    return f.format(made->least < 1e-9 ? "basis.headline_gap_none" : "basis.headline_gap",
                    fmt::arg("rows", rows_said(f, made->rows)),
                    fmt::arg("least", ui::significant(s, made->least, 4)),
                    fmt::arg("distance", ui::integer(s, made->distance)),
                    fmt::arg("bits", ui::significant(s, std::log2(static_cast<double>(made->rows)), 3)));
}

}  // namespace

bool is_basis(std::string_view mode) { return std::find(kModes.begin(), kModes.end(), mode) != kModes.end(); }

bool has_basis(const Scene& scene) { return encoding_of(scene).acts == Acts::input; }

std::string_view basis_headline(Frame& f) {
    if (f.mode == "dft") return dft_headline(f);
    if (f.mode == "rank") return rank_headline(f);
    if (f.mode == "gap") return gap_headline(f);
    const basis::Products* made = basis::products(f, f.scene, f.derived);
    if (made == nullptr || made->problem) return {};
    return f.format(made->rows == 1    ? "basis.headline_columns_one"
                    : made->stride > 1 ? "basis.headline_columns_some"
                                       : "basis.headline_columns",
                    fmt::arg("stride", made->stride), fmt::arg("rows", rows_said(f, made->rows)),
                    fmt::arg("worst", ui::significant(f.scratch, made->worst, 3)),
                    fmt::arg("least", ui::significant(f.scratch, made->least, 3)));
}

void draw_basis(Frame& f, Rect area) {
    if (area.width() < 70.0F || area.height() < 50.0F) return;
    if (area.height() > 130.0F) basis::draw_length(f, area.cut_bottom(24.0F));
    const bool drawn = f.other != nullptr && has_basis(f.other->scene);
    if (drawn && (f.mode == "rank" || f.mode == "gap") && area.width() > 260.0F)
        f.canvas.text({area.x1, area.y0 + 11.0F}, f.text("basis.b_dashed"), small(f, Align::right));
    else if (f.other != nullptr && !drawn && f.mode == "dft" && area.height() > 160.0F)
        f.canvas.text({area.x1, area.cut_top(17.0F).y0 + 11.0F}, f.text("scores.only_a"),
                      small(f, Align::right));
    if (f.mode == "dft") return basis::draw_transform(f, area);
    if (f.mode == "rank") return basis::draw_ranks(f, area);
    if (f.mode == "gap") return basis::draw_gaps(f, area);
    draw_products(f, area);
}

void basis::draw_length(Frame& f, Rect row) {
    canvas::Canvas& c = f.canvas;
    const std::string_view words = f.text("parameter.length.name");
    const float width = small_width(f, words), y = row.centre().y;
    c.text({row.x0, y + 4.0F}, words, small(f));
    c.text({row.x0 + width + 6.0F, y + 4.0F}, "n", {f.theme.ink_soft, 14.0F, Face::formula});
    const std::string_view said = ui::integer(f.scratch, f.scene.length);
    c.text({row.x1, y + 4.0F}, said, small_ink(f, Align::right));
    // Room for the longest, so that the track stays while its knob is dragged.
    const float room = std::max(small_width(f, "10 000 000"), small_width(f, said));
    const Rect track{row.x0 + width + 26.0F, y - 2.0F, row.x1 - room - 14.0F, y + 2.0F};
    if (track.width() < 24.0F || !can_drag(f)) return;
    const canvas::Axis x{0.0, kMostSlider, track.x0, track.x1};
    if (const auto to = plot::slide(f, "length", x, y, std::log10(static_cast<double>(f.scene.length))))
        f.edit().length = dragged_length(*to);
}

}  // namespace posiscope::figures::matrix

namespace posiscope::figures::matrix::basis {

Key key_of(const Scene& scene, Derived& derived) {
    return {derived.input<ActionInput>(scene), shows_table(scene), 0};
}

Result<Table2d> numbers(const ActionInput& scene, std::int64_t most_rows, std::int64_t stride) {
    const auto action = action_of(scene);
    if (!action) return tl::unexpected(action.error());
    const std::int64_t rows =
        std::max<std::int64_t>(1, std::min({scene.length, action->positions, most_rows}));
    const std::int64_t pairs = (scene.d_model / 2 + stride - 1) / stride;
    Table2d table(static_cast<std::size_t>(rows), static_cast<std::size_t>(2 * pairs));
    std::vector<double> row(static_cast<std::size_t>(scene.d_model));
    for (std::int64_t p = 0; p < rows; ++p) {
        spend(action->cost + 3.0 * static_cast<double>(scene.d_model));
        std::fill(row.begin(), row.end(), 0.0);
        action->add(p, row);
        if (auto problem = no_number(row, p)) return tl::unexpected(std::move(*problem));
        for (std::int64_t i = 0; i < pairs; ++i)
            for (std::int64_t c = 0; c < 2; ++c)
                table(static_cast<std::size_t>(p), static_cast<std::size_t>(2 * i + c)) =
                    row[static_cast<std::size_t>(2 * i * stride + c)];
    }
    return table;
}

}  // namespace posiscope::figures::matrix::basis
