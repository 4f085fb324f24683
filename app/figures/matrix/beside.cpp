// beside.cpp — sinusoidal and learned tables beside one another: the tables, the dot products of their rows, and where a
// learned one ends. The learned table is the Scene's, or a seeded one; a trained one from a file is a third.
#include "app/canvas/axes.hpp"
#include "app/figures/matrix/matrix.hpp"
#include "app/figures/matrix/panels.hpp"
#include "app/figures/parts/text.hpp"

#include "core/encodings/table_means.hpp"

namespace posiscope::figures::matrix {
namespace {

using canvas::Align;

constexpr double kMostAveraged = 0x1p21;  // numbers in the means of one table

struct PanelKey {
    Kept<Panels> panels;
    std::size_t index;
    int width, height;
    bool operator==(const PanelKey&) const = default;
};
struct PanelMeans {
    TableMeans table;
    std::uint64_t key = 0;
};
struct Beside {
    Slow<Kept<ActionInput>, Panels> panels;
    std::array<Slow<PanelKey, PanelMeans>, kMostPanels> means;
    std::vector<double> row;  // under the mouse
};

// Null while they are computed.
Kept<Panels> panels_of(Frame& f) {
    return f.derived.part<Beside>().panels.get(f.derived.background(), f.derived.input<ActionInput>(f.scene),
                                               [](const Kept<ActionInput>& of) { return make_panels(*of); });
}

// ---- where the panels stand ------------------------------------------------------------------------------------

struct Places {
    Rect table;           // of the first panel
    float across = 0.0F;  // from one to the next
    float side = 0.0F;    // of the dot products; 0: no room for them
    float dots_top = 0.0F;
    bool numbered = false;  // the columns, below the tables

    Rect table_of(std::size_t index) const {
        const float by = across * static_cast<float>(index);
        return {table.x0 + by, table.y0, table.x1 + by, table.y1};
    }
    Rect dots_of(std::size_t index) const {
        const Rect over = table_of(index);
        const float left = over.centre().x - 0.5F * side;
        return {left, dots_top, left + side, dots_top + side};
    }
};

Places places_in(Rect area, std::size_t count, bool large) {
    constexpr float kGap = 14.0F, kName = 26.0F, kNumbers = 16.0F;
    const Rect room{area.x0 + (large ? 88.0F : 46.0F), area.y0 + 24.0F, area.x1 - 8.0F, area.y1 - 4.0F};
    const bool numbered = room.height() > 230.0F;
    const float below = kName + (numbered ? kNumbers : 0.0F);
    Places made;
    made.across = (room.width() + kGap) / static_cast<float>(count);
    const float width = made.across - kGap;
    made.side = std::min(width, 0.5F * (room.height() - below));
    if (made.side < 36.0F) made.side = 0.0F;
    made.dots_top = room.y1 - made.side;
    made.table = {room.x0, room.y0, room.x0 + width, made.side > 0.0F ? made.dots_top - below : room.y1};
    made.numbered = numbered && made.side > 0.0F;
    return made;
}

// ---- drawing ---------------------------------------------------------------------------------------------------

canvas::HeatmapView coloured(const Frame& f, double range) {
    canvas::HeatmapView view;
    view.negative = f.theme.minus, view.zero = f.theme.neutral, view.positive = f.theme.plus;
    view.range = range;
    view.borders = false;
    return view;
}

// False where the columns are not in the order of the dimensions.
bool draw_table(Frame& f, const Kept<Panels>& panels, std::size_t index, Rect plot) {
    const Panel& panel = panels->list[index];
    const float scale = f.canvas.pixels_per_point();
    const auto pixels = [&](float points) {
        return std::clamp(static_cast<int>(std::lround(points * scale)), 1, f.canvas.most_samples());
    };
    canvas::Heatmap heatmap{coloured(f, panel.range), {}};
    canvas::HeatmapView& view = heatmap.view;
    view.rows = {0, 0.0, static_cast<double>(panels->rows)};
    view.columns = {0, 0.0, static_cast<double>(panels->width)};
    view.width = pixels(plot.width()), view.height = pixels(plot.height());
    if (panel.sinusoidal()) {
        view.field = Field::components;
        view.layout = panel.order;
        view.gap = 4;
        auto narrower = view;  // edges are put on whole pixels
        narrower.width = std::max(1, view.width - 1);
        view.blocks = columns_need_blocks(narrower);
        heatmap.data.steps = panel.spectrum.step;
        f.canvas.heatmap(static_cast<int>(index), plot, heatmap);
        return !view.blocks;
    }
    view.field = Field::samples;
    const Kept<PanelMeans> means = f.derived.part<Beside>().means[index].get(
        f.derived.background(), {panels, index, view.width, view.height}, [](const PanelKey& of) {
            const Panels& all = *of.panels;
            PanelMeans made{table_means(*all.list[of.index].action, all.width,
                                        {0, 0.0, static_cast<double>(all.rows), of.height},
                                        {0, 0.0, static_cast<double>(all.width), of.width}, kMostAveraged)};
            made.key = canvas::samples_key(made.table.values);
            return made;
        });
    if (means == nullptr) {
        explain_absence(f, plot.grown(-8.0F), being_made());
        return false;
    }
    heatmap.data.samples = means->table.values;
    heatmap.samples_key = means->key;
    f.canvas.heatmap(static_cast<int>(index), plot, heatmap);
    return true;
}

void draw_dots(Frame& f, const Panels& panels, std::size_t index, Rect plot) {
    const Panel& panel = panels.list[index];
    canvas::Heatmap heatmap{coloured(f, panel.largest), {}};
    canvas::HeatmapView& view = heatmap.view;
    view.field = Field::samples;
    view.width = view.height = panels.side;
    view.rows = view.columns = {0, 0.0, static_cast<double>(panels.side)};
    heatmap.data.samples = panel.dots;
    heatmap.samples_key = panel.dots_key;
    f.canvas.heatmap(static_cast<int>(kMostPanels + index), plot, heatmap);
}

// Over what has no rows.
void draw_end(Frame& f, const Panel& panel, Rect plot, const canvas::Axis& y, bool square) {
    const auto end = static_cast<double>(panel.end);
    if (end >= y.to) return;
    const float at = y(end), along = square ? plot.x0 + (at - plot.y0) : plot.x1;
    f.canvas.fill({plot.x0, at, plot.x1, plot.y1}, f.theme.tile);
    if (square) f.canvas.fill({along, plot.y0, plot.x1, at}, f.theme.tile);
    f.canvas.line({plot.x0, at}, {along, at}, {f.theme.beyond, 1.5F});
    if (square) f.canvas.line({along, plot.y0}, {along, at}, {f.theme.beyond, 1.5F});
}

void name_end(Frame& f, const Panel& panel, Rect plot, const canvas::Axis& y) {
    if (static_cast<double>(panel.end) >= y.to) return;
    const float at = y(static_cast<double>(panel.end));
    const std::string_view words =
        f.format("matrix.table_ends", fmt::arg("last", ui::integer(f.scratch, panel.end - 1)));
    if (plot.y1 - at < 24.0F || small_width(f, words) > plot.width() - 8.0F) return;
    text_on_patch(f, {plot.centre().x, std::min(at + 18.0F, plot.y1 - 6.0F)}, words, small(f, Align::centre));
}

void mark_position(Frame& f, std::int64_t position, Rect plot, const canvas::Axis& y, ui::Colour colour) {
    const float at = y(static_cast<double>(position) + 0.5);
    if (at < plot.y0 || at > plot.y1) return;
    f.canvas.line({plot.x0, at}, {plot.x1, at}, {f.theme.tile, 3.0F});
    f.canvas.line({plot.x0, at}, {plot.x1, at}, {colour, 1.3F});
}

void hover_table(Frame& f, const Panels& panels, std::size_t index, Rect plot, const canvas::Axis& y) {
    if (!f.over(plot)) return;
    const Panel& panel = panels.list[index];
    ui::Scratch& s = f.scratch;
    const auto row =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(y.inverse(f.pointer->at.y)), 0, panels.rows - 1);
    f.hovered.position = row;
    f.tip.formula = s.format("p = {}", ui::integer(s, row));
    if (row >= panel.end || panel.sinusoidal()) return;  // its columns may stand apart; Value names them
    const double across = static_cast<double>((f.pointer->at.x - plot.x0) / plot.width());
    const auto column = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(across * static_cast<double>(panels.width)), 0, panels.width - 1);
    // One row is made for one number: rows are short beside what a frame costs.
    std::vector<double>& numbers = f.derived.part<Beside>().row;
    numbers.assign(static_cast<std::size_t>(panels.width), 0.0);
    panel.action->add(row, numbers);
    f.tip.formula = s.format("PE({}, {})", ui::integer(s, row), column);
    f.tip.value = s.format("= {}", ui::significant(s, numbers[static_cast<std::size_t>(column)], 6));
}

void hover_dots(Frame& f, const Panels& panels, std::size_t index, Rect plot) {
    if (!f.over(plot)) return;
    const Panel& panel = panels.list[index];
    ui::Scratch& s = f.scratch;
    const auto cell = [&](float from, float at) {
        return std::clamp(static_cast<int>((at - from) / plot.width() * static_cast<float>(panels.side)), 0,
                          panels.side - 1);
    };
    const int row = cell(plot.y0, f.pointer->at.y), column = cell(plot.x0, f.pointer->at.x);
    const std::int64_t query = panels.position(row), key = panels.position(column);
    if (std::max(query, key) >= panel.end) return;
    f.hovered.position = query;
    f.hovered.distance = query - key;
    const float dot = panel.dots[static_cast<std::size_t>(row) * static_cast<std::size_t>(panels.side) +
                                 static_cast<std::size_t>(column)];
    f.tip.formula = s.format("PE({}) \\cdot PE({})", ui::integer(s, query), ui::integer(s, key));
    f.tip.value = s.format("= {}", ui::significant(s, static_cast<double>(dot), 5));
    f.tip.details[0] = words_of_distance(f, query - key);
}

void row_ticks(Frame& f, Rect plot, const canvas::Axis& y) {
    const auto steps =
        canvas::ticks(0.0, y.to - 1.0, std::clamp(static_cast<int>(plot.height() / 22.0F), 2, 6));
    for (const double row : steps.values())
        if (row == std::round(row) && row < y.to)
            f.canvas.text({plot.x0 - 8.0F, y(row + 0.5) + 4.0F},
                          ui::integer(f.scratch, static_cast<std::int64_t>(row)), small(f, Align::right));
}

// The panel's name and the range of its colours, as much as fits.
void draw_name(Frame& f, std::string_view name, double range, Rect plot) {
    ui::Scratch& s = f.scratch;
    const std::string_view colours = s.format("±{}", ui::significant(s, range, 2));
    const float taken = small_width(f, colours) + 10.0F;
    const canvas::TextStyle style = small(f);
    const bool both = small_width(f, name) + taken <= plot.width();
    f.canvas.text({plot.x0, plot.y0 - 8.0F}, name, style);
    if (both) f.canvas.text({plot.x1, plot.y0 - 8.0F}, colours, small(f, Align::right));
}

}  // namespace

std::string_view beside_headline(Frame& f) {
    const auto panels = panels_of(f);
    if (panels == nullptr || !panels->learned().action) return {};
    ui::Scratch& s = f.scratch;
    const auto cosine = [&](const Panel& panel) { return ui::fixed(s, panel.neighbours, 2); };
    return f.format("matrix.headline_beside", fmt::arg("sinusoidal", cosine(panels->list[0])),
                    fmt::arg("learned", cosine(panels->learned())),
                    fmt::arg("last", ui::integer(s, panels->learned().end - 1)));
}

void draw_beside(Frame& f, Rect area) {
    const auto panels = panels_of(f);
    if (panels == nullptr) return explain_absence(f, area, being_made());
    for (std::size_t i = 0; i < panels->count; ++i)
        if (!panels->list[i].action) return explain_absence(f, area, panels->list[i].action.error());
    if (area.width() < 140.0F || area.height() < 70.0F) return;
    const Places places = places_in(area, panels->count, panels->rows > 99999);
    canvas::Axis y{0.0, static_cast<double>(panels->rows), places.table.y0, places.table.y1};
    row_ticks(f, places.table, y);
    for (std::size_t i = 0; i < panels->count; ++i) {
        const Panel& panel = panels->list[i];
        const Rect table = places.table_of(i), dots = places.dots_of(i);
        const bool in_order = draw_table(f, panels, i, table);
        draw_end(f, panel, table, y, false);
        draw_name(f, f.text(f.scratch.format("matrix.beside.{}", panel.name)), panel.range, table);
        if (f.link.position) mark_position(f, *f.link.position, table, y, f.theme.ink_soft);
        mark_position(f, f.scene.position + f.scene.offset, table, y, f.theme.offset);
        mark_position(f, f.scene.position, table, y, f.theme.ink);
        name_end(f, panel, table, y);
        if (places.numbered && in_order) {
            const double last = static_cast<double>(panels->width) - 1.0;
            const float half = 0.5F * table.width() / static_cast<float>(panels->width);
            canvas::name_axis(f.canvas, f.theme.ink_soft,
                              {0.0, std::max(last, 0.5), table.x0 + half, table.x1 - half}, table.x1 + 2.0F,
                              table.y1 + 14.0F, f.text("matrix.dimension"),
                              [&](double column) { return ui::integer(f.scratch, std::llround(column)); });
        }
        hover_table(f, *panels, i, table, y);
        if (f.clicked(table)) set_position(f.edit(), *f.hovered.position);
        if (places.side <= 0.0F) continue;
        draw_dots(f, *panels, i, dots);
        draw_end(f, panel, dots, {0.0, y.to, dots.y0, dots.y1}, true);
        draw_name(f, f.text("matrix.beside.dots"), panel.largest, dots);
        hover_dots(f, *panels, i, dots);
    }
}

}  // namespace posiscope::figures::matrix
