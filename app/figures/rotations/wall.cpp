// wall.cpp — the wall of clocks, one for every pair.
#include "app/figures/rotations/rotations.hpp"

#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/marks.hpp"

namespace posiscope::figures::rotations {
namespace {

using canvas::Align;
using canvas::Stroke;
using ui::Face;

constexpr float kSmallestClock = 17.0F;                   // cell of the wall, points
constexpr double kTurn = 1.0 / (2.0 * std::numbers::pi);  // of a radian

double fraction(std::size_t i, std::size_t pairs) {
    return pairs > 1 ? static_cast<double>(i) / static_cast<double>(pairs - 1) : 0.0;
}

struct Wall {
    Rect area;
    std::int64_t columns, rows_in_view, rows;
    float cell_width, cell_height;
    std::int64_t first_row;

    Point centre(std::int64_t pair) const {
        const auto column = static_cast<float>(pair % columns),
                   row = static_cast<float>(pair / columns - first_row);
        return {area.x0 + (column + 0.5F) * cell_width, area.y0 + (row + 0.5F) * cell_height};
    }
    std::optional<std::int64_t> pair_at(Point at, std::int64_t pairs) const {
        if (!area.contains(at)) return std::nullopt;
        const auto column = static_cast<std::int64_t>((at.x - area.x0) / cell_width);
        const auto row = static_cast<std::int64_t>((at.y - area.y0) / cell_height) + first_row;
        if (column >= columns || row - first_row >= rows_in_view) return std::nullopt;
        const std::int64_t pair = row * columns + column;
        return pair < pairs ? std::optional(pair) : std::nullopt;
    }
};

// The largest clocks with which all pairs fit; among nearly as large ones those that leave no ragged last row.
Wall arrange(Rect area, std::int64_t pairs) {
    std::int64_t best = 0;
    float best_cell = 0.0F;
    const auto cell_with = [&](std::int64_t columns) {
        const auto rows = static_cast<float>((pairs + columns - 1) / columns);
        return std::min({area.width() / static_cast<float>(columns), area.height() / rows});
    };
    const auto most = std::max<std::int64_t>(1, static_cast<std::int64_t>(area.width() / kSmallestClock));
    for (std::int64_t columns = 1; columns <= std::min(pairs, most); ++columns)
        if (const float cell = cell_with(columns); cell > best_cell) {
            best_cell = cell;
            best = columns;
        }
    float even_cell = 0.0F;
    for (std::int64_t columns = 1; columns <= std::min(pairs, most); ++columns)
        if (const float cell = cell_with(columns);
            pairs % columns == 0 && cell >= 0.9F * best_cell && cell > even_cell) {
            even_cell = cell;
            best = columns;
        }
    float cell = even_cell > 0.0F ? even_cell : best_cell;
    if (cell < kSmallestClock) {
        best = most;
        cell = kSmallestClock;
    }
    Wall wall{area, best, 0, (pairs + best - 1) / best, 0.0F, 0.0F, 0};
    wall.cell_width = std::min(area.width() / static_cast<float>(best), 1.5F * cell);
    const float spare = area.width() - wall.cell_width * static_cast<float>(best);
    wall.area.x0 += 0.5F * spare;
    wall.area.x1 -= 0.5F * spare;
    wall.cell_height = std::min(cell, wall.cell_width);
    const auto fit =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(area.height() / wall.cell_height + 1e-3F));
    wall.rows_in_view = std::min(fit, wall.rows);
    // The remaining room goes between the rows, up to square cells.
    wall.cell_height = std::min(area.height() / static_cast<float>(wall.rows_in_view), wall.cell_width);
    return wall;
}

// The pairs in view.
struct Shown {
    std::int64_t first = 0, end = 0;
    bool has(std::int64_t pair) const { return pair >= first && pair < end; }
};

// Chooses the rows in view: as the wheel left them, else with the selected pair in the middle.
void scroll(View& v, Rect area, Wall& wall) {
    Frame& f = v.frame;
    const std::int64_t last = wall.rows - wall.rows_in_view;
    if (last <= 0) return;
    const Json* row = view_value(v.scene(), "rotations", "row");
    const std::int64_t wanted = row != nullptr && row->is_number_integer()
                                    ? row->get<std::int64_t>()
                                    : v.pair / wall.columns - wall.rows_in_view / 2;
    wall.first_row = std::clamp<std::int64_t>(wanted, 0, last);
    if (!f.over(area) || f.pointer->wheel == 0.0F) return;
    const auto by = static_cast<std::int64_t>(std::lround(-3.0F * f.pointer->wheel));
    set_view_value(f.edit(), "rotations", "row", std::clamp<std::int64_t>(wall.first_row + by, 0, last));
}

void draw_scroll_bar(Frame& f, Rect area, const Wall& wall) {
    const std::int64_t last = wall.rows - wall.rows_in_view;
    if (last <= 0 || !can_drag(f)) return;
    const float whole = area.height();
    const float part =
        std::max(16.0F, whole * static_cast<float>(wall.rows_in_view) / static_cast<float>(wall.rows));
    const float top =
        area.y0 + (whole - part) * static_cast<float>(wall.first_row) / static_cast<float>(last);
    f.canvas.fill({area.x1 + 3.0F, top, area.x1 + 6.0F, top + part}, f.theme.ink_faint, 1.5F);
}

void draw_names(View& v, Rect head, Shown shown) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const auto pairs = static_cast<std::int64_t>(v.spectrum.pairs());
    std::string_view names =
        pairs == 1 ? f.text("rotations.pairs_one")
        : shown.end - shown.first == pairs
            ? f.format("rotations.pairs", fmt::arg("pairs", ui::integer(s, pairs)))
            : f.format("rotations.pairs_of", fmt::arg("first", ui::integer(s, shown.first)),
                       fmt::arg("last", ui::integer(s, shown.end - 1)),
                       fmt::arg("pairs", ui::integer(s, pairs)));
    if (const std::string_view axes = axes_words(f); !axes.empty()) names = s.format("{} · {}", names, axes);
    const auto width = [&](std::string_view text) {
        return f.canvas.text_width(text, Face::text, ui::kSmallSize);
    };
    const auto frequency = [&](std::int64_t pair) {
        return ui::significant(s, v.spectrum.frequency[static_cast<std::size_t>(pair)], 3);
    };
    const std::string_view frequencies =
        s.format("ω  {} → {}", frequency(shown.first), frequency(shown.end - 1));
    // Features without a clock.
    if (const std::int64_t all = head_dim(v.scene()); v.rotary() && 2 * pairs < all) {
        const std::string_view still =
            f.format("rotations.unrotated", fmt::arg("features", ui::integer(s, all - 2 * pairs)),
                     fmt::arg("of", ui::integer(s, all)));
        if (const auto both = s.format("{} · {}", names, still); width(both) < head.width()) names = both;
    }
    canvas::TextStyle style{f.theme.ink_soft, ui::kSmallSize, Face::text};
    f.canvas.text({head.x0, head.y0 + 12.0F}, names, style);
    if (width(names) + width(frequencies) + 12.0F >= head.width()) return;  // the names are enough
    style.align = Align::right;
    f.canvas.text({head.x1, head.y0 + 12.0F}, frequencies, style);
}

canvas::Clock clock_of(View& v, std::int64_t pair, Point at, float radius, bool hovered) {
    Frame& f = v.frame;
    const auto index = static_cast<std::size_t>(pair);
    // The exact place of both hands; a whole turn added says that the sector is the whole disc.
    const auto hand = [&](std::int64_t position) {
        const Turn turn = phase(v.spectrum.step[index], position);
        return v.dial(f.moving(turn, v.spectrum.frequency[index]).turns());
    };
    const double from = hand(v.scene().position);
    const double to = hand(v.scene().position + v.scene().offset);
    const double turned =
        v.dial_turned(static_cast<double>(v.scene().offset) * v.spectrum.frequency[index] * kTurn);
    double sector = to - from;
    sector += turned < 0.0 ? -std::ceil(sector) : -std::floor(sector);
    if (std::abs(turned) >= 1.0) sector += std::copysign(1.0, turned);
    const bool selected = pair == v.pair && marked(f);
    return {at.x,
            at.y,
            radius,
            static_cast<float>(from),
            static_cast<float>(sector),
            ui::pair_colour(f.theme, fraction(index, v.spectrum.pairs())),
            selected  ? 2.0F
            : hovered ? 1.0F
                      : 0.0F};
}

void tell_pair(View& v, std::int64_t pair) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const auto index = static_cast<std::size_t>(pair);
    const double omega = v.spectrum.frequency[index];
    f.hovered.frequency = omega;
    f.cursor = Cursor::hand;
    const double angle = static_cast<double>(v.scene().position) * omega;
    if (!axes_of(f).empty()) f.tip.value = f.format("axes.tip", fmt::arg("axis", axes_of(f).of(index)));
    f.tip.formula = s.format("\\omega_{{{}}} = {}", pair, ui::significant(s, omega, 6));
    f.tip.details[0] = f.format(
        "tip.wavelength", fmt::arg("wavelength", ui::significant(s, 2.0 * std::numbers::pi / omega, 5)));
    f.tip.details[1] = f.format("tip.angle", fmt::arg("position", ui::integer(s, v.scene().position)),
                                fmt::arg("angle", ui::significant(s, angle, 5)),
                                fmt::arg("turns", ui::significant(s, angle * kTurn, 4)));
    const auto layout = v.encoding.layout(v.scene());
    const auto pairs = static_cast<std::int64_t>(v.spectrum.pairs());
    f.tip.details[2] = f.format("tip.dimensions", fmt::arg("pair", pair),
                                fmt::arg("first", dimension(layout, pairs, {pair, 0})),
                                fmt::arg("second", dimension(layout, pairs, {pair, 1})));
}

}  // namespace

void draw_wall(View& v, Rect area) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const ui::Theme& theme = f.theme;
    const auto pairs = static_cast<std::int64_t>(v.spectrum.pairs());
    if (area.width() < 40.0F || area.height() < 40.0F) return;

    const Rect head = area.cut_top(22.0F);
    Wall wall = arrange(area, pairs);
    scroll(v, area, wall);
    const std::int64_t first = wall.first_row * wall.columns;
    const Shown shown{first, std::min(pairs, first + wall.rows_in_view * wall.columns)};
    draw_names(v, head, shown);

    const auto lit = linked(f, v.spectrum);
    std::vector<canvas::Clock>& clocks = f.derived.clocks();
    clocks.clear();
    const float cell = std::min(wall.cell_width, wall.cell_height);
    const float radius = 0.5F * cell - std::max(1.5F, 0.035F * cell);
    for (std::int64_t i = shown.first; i < shown.end; ++i)
        clocks.push_back(
            clock_of(v, i, wall.centre(i), radius, lit && static_cast<std::int64_t>(lit->pair) == i));
    {
        const canvas::Clip clip(c, area);
        c.clocks(clocks, {.ink = theme.ink, .offset = theme.offset, .mark = theme.ink});
    }
    const auto frame_pair = [&](std::int64_t pair, Stroke stroke) {
        if (!shown.has(pair)) return;
        const Point at = wall.centre(pair);
        c.outline({at.x - radius - 2.0F, at.y - radius - 2.0F, at.x + radius + 2.0F, at.y + radius + 2.0F},
                  stroke);
    };
    if (marked(f)) frame_pair(v.pair, {theme.ink, 1.5F});
    if (lit)
        frame_pair(static_cast<std::int64_t>(lit->pair), {theme.ink_soft, 1.5F, lit->exact ? 0.0F : 3.0F});
    draw_scroll_bar(f, area, wall);
    if (!f.over(area)) return;
    const auto under = wall.pair_at(f.pointer->at, pairs);
    if (!under) return;
    tell_pair(v, *under);
    if (f.clicked(area)) f.edit().pair = *under;
}

}  // namespace posiscope::figures::rotations
