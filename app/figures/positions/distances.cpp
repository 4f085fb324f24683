// distances.cpp — used distance − the one that is meant, for each query and key: 0 where it is right, hatched where the query
// sees nothing. What is seen by mistake has a cross.
#include "app/figures/positions/positions.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/text.hpp"
#include "core/cost.hpp"

namespace posiscope::figures {
namespace distances_figure {
namespace {

using canvas::Align;
using ui::Face;
using namespace rows;

constexpr float kNumbers = 22.0F;  // a cell's side from which on its number is in it
constexpr float kWide = 2.5F;      // of columns in a large tile

struct Grid {
    Frame& f;
    const Row& row;
    std::int64_t first = 0;  // of the queries, from top to bottom
    int queries = 0;
    std::int64_t step, key;
    float top = 0.0F, side = 0.0F;
    Columns columns;

    Rect cell(int line, int column) const {
        return {columns.left(column), top + side * static_cast<float>(line), columns.left(column + 1),
                top + side * static_cast<float>(line + 1)};
    }
};

void draw_cell(Grid& g, int line, int column, double range) {
    Frame& f = g.f;
    const Rect cell = g.cell(line, column);
    const Rect inner{cell.x0, cell.y0, cell.x1 - 1.0F, cell.y1 - 1.0F};
    const std::int64_t query = g.first + line, key = g.columns.token(column);
    const RowPair pair = g.row.pair(query, key);
    if (!pair.seen && !pair.meant) return hatch(f, inner);
    const std::int64_t error = pair.error();
    const bool wrong_mask = pair.seen != pair.meant;
    // Orange by how far it is off: the colour of what is wrong.
    const auto share = static_cast<float>(std::abs(static_cast<double>(error)) / range);
    const ui::Colour colour = wrong_mask   ? f.theme.tile
                              : error == 0 ? ui::mixed(f.theme.tile, f.theme.ink, 0.05F)
                                           : ui::mixed(f.theme.tile, f.theme.beyond, 0.2F + 0.4F * share);
    f.canvas.fill(inner, colour);
    if (wrong_mask) f.canvas.outline(inner.grown(-1.0F), {f.theme.beyond, 1.5F});
    const std::string_view text = !wrong_mask ? ui::integer(f.scratch, error) : pair.seen ? "×" : "−";
    const float zoom = std::clamp(g.side / 28.0F, 1.0F, 4.0F);
    if (g.side >= 14.0F && small_width(f, text, zoom) <= inner.width() - 2.0F)
        f.canvas.text({inner.centre().x, inner.centre().y + 4.5F * zoom}, text,
                      {wrong_mask ? f.theme.ink : cells::ink_on(f.theme, colour), zoom * ui::kSmallSize,
                       Face::text, Align::centre});
}

void say(Grid& g, int line, int column) {
    Frame& f = g.f;
    ui::Scratch& s = f.scratch;
    const std::int64_t query = g.first + line, key = g.columns.token(column);
    if (key > query) return;
    const RowPair pair = g.row.pair(query, key);
    f.hovered.position = key;
    f.hovered.distance = query - key;
    f.tip.beside = g.cell(line, column);
    f.tip.value = f.format("distances.tip", fmt::arg("query", ui::integer(s, query)),
                           fmt::arg("key", ui::integer(s, key)));
    if (!pair.seen && !pair.meant) f.tip.details[0] = f.text("positions.tip_unseen");
    else if (pair.seen != pair.meant)
        f.tip.details[0] = f.text(pair.seen ? "positions.tip_leak" : "positions.tip_missing");
    else
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(g.row.axes()); ++axis)
            f.tip.details[axis] =
                f.format("positions.tip_distance", fmt::arg("used", ui::integer(s, pair.used[axis])),
                         fmt::arg("should", ui::integer(s, pair.should[axis])));
}

std::string_view headline(Frame& f) {
    const RowCount* count = count_of(f);
    if (count == nullptr) return {};
    if (count->leaks + count->missing > 0) return mask_sentence(f, "distances.headline_mask", *count);
    if (row_of(f).token(step_of(f.scene)).kind == RowToken::Kind::pad)
        return sentence(f, "positions.pad_row", *count);
    if (encodes_nothing(f.scene)) return sentence(f, "positions.unread", *count);
    return sentence(f, count->off > 0 ? "distances.headline_off" : "distances.headline_right", *count);
}

void draw_names(Grid& g, Rect area) {
    Frame& f = g.f;
    const float wide = small_width(f, ui::integer(f.scratch, g.step));
    const int every_column =
        std::max(1, static_cast<int>(std::ceil((wide + 6.0F) / std::max(g.columns.width(), 1.0F))));
    for (int column = 0; column < g.columns.count(); ++column) {
        const bool gap = g.columns.is_gap(column);
        const std::int64_t key = g.columns.token(column);
        if (!gap && column % every_column != 0) continue;
        f.canvas.text({g.columns.middle(column), g.top - 5.0F}, gap ? "…" : ui::integer(f.scratch, key),
                      {!gap && key == g.key ? f.theme.ink : f.theme.ink_soft, ui::kSmallSize,
                       !gap && key == g.key ? Face::strong : Face::text, Align::centre});
    }
    const int every_line = std::max(1, static_cast<int>(std::ceil(15.0F / std::max(g.side, 1.0F))));
    for (int line = 0; line < g.queries; line += every_line) {
        const std::int64_t query = g.first + line;
        f.canvas.text({g.columns.left(0) - 8.0F, g.cell(line, 0).centre().y + 4.5F},
                      ui::integer(f.scratch, query),
                      {query == g.step ? f.theme.ink : f.theme.ink_soft, ui::kSmallSize,
                       query == g.step ? Face::strong : Face::text, Align::right});
    }
    const std::string_view words = f.text("distances.axes");
    if (small_width(f, words) <= area.width()) f.canvas.text({area.x0, area.y1 - 4.0F}, words, small(f));
}

void follow_mouse(Grid& g) {
    Frame& f = g.f;
    const Rect plot{g.columns.left(0), g.top, g.columns.left(g.columns.count()),
                    g.top + g.side * static_cast<float>(g.queries)};
    if (f.pointer == nullptr) return;
    const auto under = g.columns.token_at(f.pointer->at.x);
    const auto line = static_cast<int>(
        std::clamp((f.pointer->at.y - plot.y0) / g.side, 0.0F, static_cast<float>(g.queries - 1)));
    const std::int64_t query = g.first + line;
    if (f.drag("pair", f.over(plot), plot.centre(), Cursor::arrow) && under && *under <= query &&
        (f.pointer->moved || f.pointer->released) && (query != g.step || *under != g.key)) {
        set_position(f.edit(), query);
        set_offset(f.edit(), *under - query);
    }
    if (const auto column = under ? g.columns.column_of(*under) : std::nullopt; column && f.over(plot))
        say(g, line, *column);
}

void draw(Frame& f, Rect area) {
    if (too_long(f, area)) return;
    if (area.width() < 90.0F || area.height() < 60.0F) return;
    const Row& row = row_of(f);
    const std::int64_t step = step_of(f.scene);
    const float numbers_width =
        room_for(f.canvas.text_width(ui::integer(f.scratch, step), Face::strong, ui::kSmallSize));
    const float top = area.y0 + 20.0F, bottom = area.y1 - 20.0F;
    const float least = std::max(
        kNumbers, room_for(small_width(f, ui::integer(f.scratch, -row.query_should(step)[0])) + 3.0F));
    // Some tokens after the step: those rows say what follows.
    const std::int64_t last = step + 2;
    const Columns columns(area.x0 + numbers_width + 12.0F, area.x1, last,
                          std::min<std::int64_t>(reserve_for(f.scene, last), 32), least, least, kWide);
    // A row for each token, if cells are then no higher than wide.
    const float least_side = std::clamp(columns.width(), 16.0F, kNumbers);
    const float side = std::clamp((bottom - top) / static_cast<float>(last + 1), least_side,
                                  std::max(least_side, columns.width()));
    const int fit = std::max(1, static_cast<int>((bottom - top) / side));
    Grid g{.f = f,
           .row = row,
           .first = std::max<std::int64_t>(0, last + 1 - fit),
           .queries = static_cast<int>(std::min<std::int64_t>(fit, last + 1)),
           .step = step,
           .key = key_of(f.scene),
           .top = top,
           .side = side,
           .columns = columns};
    spend(60.0 * static_cast<double>(g.queries) * static_cast<double>(columns.count()));
    double range = 1.0;
    for (int line = 0; line < g.queries; ++line)
        for (int column = 0; column < columns.count(); ++column)
            if (!columns.is_gap(column))
                if (const RowPair pair = row.pair(g.first + line, columns.token(column));
                    pair.seen && pair.meant)
                    range = std::max(range, std::abs(static_cast<double>(pair.error())));
    for (int line = 0; line < g.queries; ++line)
        for (int column = 0; column < columns.count(); ++column)
            if (!columns.is_gap(column)) draw_cell(g, line, column, range);
    draw_names(g, area);
    if (const auto line = static_cast<int>(step - g.first); line >= 0 && line < g.queries && marked(f)) {
        const Rect from = g.cell(line, 0), to = g.cell(line, columns.count() - 1);
        f.canvas.outline({from.x0 - 1.0F, from.y0 - 1.0F, to.x1, to.y1}, {f.theme.ink, 1.5F});
        if (const auto column = columns.column_of(g.key); column && g.key != step) {
            const Rect cell = g.cell(line, *column);
            f.canvas.outline({cell.x0, cell.y0, cell.x1 - 1.0F, cell.y1 - 1.0F}, {f.theme.offset, 2.0F});
        }
    }
    follow_mouse(g);
}

}  // namespace
}  // namespace distances_figure

extern const Figure kDistances{.id = "distances",
                               .headline = distances_figure::headline,
                               .draw = distances_figure::draw,
                               .modes = nullptr,
                               .numbers = fixed_numbers<"used_distances", "positions">};

}  // namespace posiscope::figures
