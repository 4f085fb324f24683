// wall.cpp — the small clocks, one for every pair or for those that finish a turn.
#include "app/figures/rotations/rotations.hpp"

#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/headline.hpp"
#include "app/figures/parts/marks.hpp"
#include "core/encodings/turning.hpp"

namespace posiscope::figures::rotations {
namespace {

using canvas::Align;
using canvas::Stroke;
using ui::Face;

constexpr float kSmallestClock = 17.0F;                   // cell of the wall, points
constexpr float kLeastCell = 6.0F;                        // of a wall with one row that has no more room
constexpr float kSmallestNamed = 34.0F;                   // of one with its numbers
constexpr double kTurn = 1.0 / (2.0 * std::numbers::pi);  // of a radian

double fraction(std::size_t i, std::size_t pairs) {
    return pairs > 1 ? static_cast<double>(i) / static_cast<double>(pairs - 1) : 0.0;
}

// Places in the wall, row by row; a place is an index into the pairs that it shows.
struct Wall {
    Rect area;
    std::int64_t columns, rows_in_view, rows;
    float cell_width, cell_height;
    float label;  // the height of the number below each clock; 0: none
    std::int64_t first_row;

    float radius() const {
        const float cell = std::min(cell_width, cell_height - label);
        return 0.5F * cell - std::max(1.5F, (label > 0.0F ? 0.1F : 0.035F) * cell);
    }
    Point centre(std::int64_t place) const {
        const auto column = static_cast<float>(place % columns),
                   row = static_cast<float>(place / columns - first_row);
        return {area.x0 + (column + 0.5F) * cell_width,
                area.y0 + row * cell_height + 0.5F * (cell_height - label)};
    }
    std::optional<std::int64_t> place_at(Point at, std::int64_t places) const {
        if (!area.contains(at)) return std::nullopt;
        const auto column = static_cast<std::int64_t>((at.x - area.x0) / cell_width);
        const auto row = static_cast<std::int64_t>((at.y - area.y0) / cell_height) + first_row;
        if (column >= columns || row - first_row >= rows_in_view) return std::nullopt;
        const std::int64_t place = row * columns + column;
        return place < places ? std::optional(place) : std::nullopt;
    }
};

// The largest clocks with which all have room, `label` below each; among nearly as large ones those that leave no ragged
// last row.
Wall arrange(Rect area, std::int64_t places, float label, float largest) {
    std::int64_t best = 0;
    float best_cell = 0.0F;
    const auto cell_with = [&](std::int64_t columns) {
        const auto rows = static_cast<float>((places + columns - 1) / columns);
        return std::min({largest, area.width() / static_cast<float>(columns), area.height() / rows - label});
    };
    const auto most = std::max<std::int64_t>(1, static_cast<std::int64_t>(area.width() / kSmallestClock));
    for (std::int64_t columns = 1; columns <= std::min(places, most); ++columns)
        if (const float cell = cell_with(columns); cell > best_cell) {
            best_cell = cell;
            best = columns;
        }
    float even_cell = 0.0F;
    for (std::int64_t columns = 1; columns <= std::min(places, most) && even_cell == 0.0F; ++columns)
        if (const float cell = cell_with(columns); places % columns == 0 && cell >= 0.88F * best_cell) {
            even_cell = cell;
            best = columns;
        }
    float cell = even_cell > 0.0F ? even_cell : best_cell;
    if (cell < kSmallestClock) {
        best = most;
        cell = kSmallestClock;
    }
    Wall wall{area, best, 0, (places + best - 1) / best, 0.0F, 0.0F, label, 0};
    wall.cell_width = std::min(area.width() / static_cast<float>(best), 1.5F * cell);
    const float spare = area.width() - wall.cell_width * static_cast<float>(best);
    wall.area.x0 += 0.5F * spare;
    wall.area.x1 -= 0.5F * spare;
    wall.cell_height = std::min(cell, wall.cell_width) + label;
    const auto fit =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(area.height() / wall.cell_height + 1e-3F));
    wall.rows_in_view = std::min(fit, wall.rows);
    // The remaining room goes between the rows, up to square cells.
    wall.cell_height =
        std::min(area.height() / static_cast<float>(wall.rows_in_view), wall.cell_width + label);
    return wall;
}

// The places in view.
struct Shown {
    std::int64_t first = 0, end = 0;
    bool has(std::int64_t place) const { return place >= first && place < end; }
};

// The place of a pair, or of the one before it where it has none.
std::int64_t place_of(std::int64_t pair, const std::vector<std::int64_t>& pairs) {
    const auto at = std::ranges::upper_bound(pairs, pair) - pairs.begin();
    return std::max<std::int64_t>(0, at - 1);
}

// Chooses the rows in view: as the wheel left them, else with the selected pair in the middle.
void scroll(View& v, Rect area, Wall& wall, std::int64_t selected) {
    Frame& f = v.frame;
    const std::int64_t last = wall.rows - wall.rows_in_view;
    if (last <= 0) return;
    const Json* row = view_value(v.scene(), "rotations", "row");
    const std::int64_t wanted = row != nullptr && row->is_number_integer()
                                    ? row->get<std::int64_t>()
                                    : selected / wall.columns - wall.rows_in_view / 2;
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

// A lesson may ask for one, or which pair is the fastest.
bool tells_wavelengths(const Frame& f) {
    const Json* told = view_value(f.scene, "rotations", "wavelengths");
    return !f.hide_hints_that_answer && (told == nullptr || *told != false);
}

std::string_view caption(View& v, const Gathered& pairs, Shown shown) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const auto all = static_cast<std::int64_t>(v.spectrum.pairs()),
               clocks = static_cast<std::int64_t>(pairs.clocks.size());
    if (!pairs.strip.empty())
        return pairs.all_turn ? f.format("rotations.turning", fmt::arg("pairs", ui::counted(s, clocks)),
                                         fmt::arg("length", ui::integer(s, v.scene().length)))
                              : f.format("rotations.fastest", fmt::arg("pairs", ui::integer(s, clocks)),
                                         fmt::arg("all", ui::integer(s, all)));
    if (all == 1) return f.text("rotations.pairs_one");
    const std::string_view counted =
        shown.end - shown.first == all
            ? f.format("rotations.pairs", fmt::arg("pairs", ui::integer(s, all)))
            : f.format("rotations.pairs_of", fmt::arg("first", ui::integer(s, shown.first)),
                       fmt::arg("last", ui::integer(s, shown.end - 1)),
                       fmt::arg("pairs", ui::integer(s, all)));
    if (const std::string_view axes = axes_words(f); !axes.empty()) return s.format("{} · {}", counted, axes);
    if (!pairs.descending || !tells_wavelengths(f)) return counted;
    return s.format("{}{}¦{}", counted, f.text("rotations.fast_to_slow"), counted);
}

void draw_names(View& v, Rect head, const Gathered& pairs, Shown shown, bool wavelengths) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const float size = ui::kSmallSize * std::min(v.zoom, 1.6F);
    const auto width = [&](std::string_view text) { return f.canvas.text_width(text, Face::text, size); };
    std::string_view names =
        form_within(caption(v, pairs, shown), head.width() * kHeadlineSize / size, f.canvas);
    // Features without a clock.
    if (const std::int64_t all = head_dim(v.scene()),
        turning = 2 * static_cast<std::int64_t>(v.spectrum.pairs());
        v.rotary() && turning < all) {
        const std::string_view still =
            f.format("rotations.unrotated", fmt::arg("features", ui::integer(s, all - turning)),
                     fmt::arg("of", ui::integer(s, all)));
        if (const auto both = s.format("{} · {}", names, still); width(both) < head.width()) names = both;
    }
    if (width(names) > head.width()) return;
    f.canvas.text({head.x0, head.y1 - 6.0F}, names, {f.theme.ink_soft, size, Face::text});
    const std::string_view unit = f.text("rotations.wavelength");
    if (!wavelengths || width(names) + width(unit) + 16.0F >= head.width()) return;
    f.canvas.text({head.x1, head.y1 - 6.0F}, unit, {f.theme.ink_soft, size, Face::text, Align::right});
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
        v.dial_turned(radians_over(v.spectrum, index, static_cast<double>(v.scene().offset)) * kTurn);
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

std::string_view wavelength(View& v, std::int64_t pair) {
    return ui::significant(v.frame.scratch,
                           2.0 * std::numbers::pi / v.spectrum.frequency[static_cast<std::size_t>(pair)], 3);
}

// The pair and its wavelength at each clock.
void name_clocks(View& v, const Wall& wall, const Gathered& pairs, Shown shown) {
    Frame& f = v.frame;
    const float size = ui::kSmallSize * std::min(v.zoom, 1.6F), small = 0.85F * size;
    for (std::int64_t place = shown.first; place < shown.end; ++place) {
        const std::int64_t pair = pairs.clocks[static_cast<std::size_t>(place)];
        const Point at = wall.centre(place);
        const std::string_view turn = wavelength(v, pair);
        if (tells_wavelengths(f) && f.canvas.text_width(turn, Face::text, size) < wall.cell_width - 4.0F)
            f.canvas.text({at.x, at.y + wall.radius() + 1.05F * size}, turn,
                          {f.theme.ink_soft, size, Face::text, Align::centre});
        f.canvas.text({at.x - 0.66F * wall.radius(), at.y - 0.78F * wall.radius()},
                      ui::integer(f.scratch, pair), {f.theme.ink_soft, small, Face::text, Align::right});
    }
}

// The first pair of each row at its left, and its wavelength at the right.
void name_rows(View& v, const Wall& wall, Rect area, const Gathered& pairs, Shown shown) {
    Frame& f = v.frame;
    const float size = ui::kSmallSize * std::min(v.zoom, 1.6F);
    const auto each =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(1.3F * size / wall.cell_height)));
    for (std::int64_t place = shown.first; place < shown.end; place += each * wall.columns) {
        const std::int64_t pair = pairs.clocks[static_cast<std::size_t>(place)];
        const float y = wall.centre(place).y + 0.35F * size;
        f.canvas.text({wall.area.x0 - 8.0F, y}, ui::integer(f.scratch, pair),
                      {f.theme.ink_soft, size, Face::text, Align::right});
        if (tells_wavelengths(f))
            f.canvas.text({area.x1, y}, wavelength(v, pair),
                          {f.theme.ink_soft, size, Face::text, Align::right});
    }
}

}  // namespace

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

void draw_wall(View& v, Rect area) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const ui::Theme& theme = f.theme;
    if (area.width() < 40.0F || area.height() < 40.0F) return;
    const Gathered& pairs = gathered(v);
    const auto places = static_cast<std::int64_t>(pairs.clocks.size());
    const float z = std::min(v.zoom, 1.6F);
    if (!pairs.strip.empty()) {
        const bool roomy = area.height() > 260.0F * z;
        draw_strip(v, area.cut_bottom(roomy ? 90.0F * z : std::clamp(0.3F * area.height(), 30.0F, 48.0F)),
                   pairs);
        area.cut_bottom(roomy ? 10.0F : 4.0F);
    }
    const Rect head = area.cut_top(20.0F * z);
    if (area.height() < kLeastCell) return;
    const Rect whole = area;
    const float label = 1.3F * ui::kSmallSize * z;
    const float largest = 130.0F * z;
    Wall wall = arrange(area, places, label, largest);
    const bool named =
        wall.rows_in_view == wall.rows && 2.0F * wall.radius() >= kSmallestNamed && places <= 64;
    const bool rows = !named && area.width() > 220.0F * z;
    if (rows) {
        area.cut_left(36.0F * z);
        area.cut_right(52.0F * z);
    }
    if (!named) wall = arrange(area, places, 0.0F, largest);
    const std::int64_t selected = place_of(v.pair, pairs.clocks);
    scroll(v, area, wall, selected);
    const std::int64_t first = wall.first_row * wall.columns;
    const Shown shown{first, std::min(places, first + wall.rows_in_view * wall.columns)};
    draw_names(v, head, pairs, shown, (named || rows) && tells_wavelengths(f));

    const auto lit = linked(f, v.spectrum);
    std::vector<canvas::Clock>& clocks = f.derived.clocks();
    clocks.clear();
    const float radius = wall.radius();
    const auto pair_at = [&](std::int64_t place) { return pairs.clocks[static_cast<std::size_t>(place)]; };
    const auto is_lit = [&](std::int64_t pair) {
        return lit && static_cast<std::int64_t>(lit->pair) == pair;
    };
    for (std::int64_t i = shown.first; i < shown.end; ++i)
        clocks.push_back(clock_of(v, pair_at(i), wall.centre(i), radius, is_lit(pair_at(i))));
    {
        const canvas::Clip clip(c, area);
        c.clocks(clocks, {.ink = theme.ink, .offset = theme.offset, .mark = theme.ink});
    }
    const auto frame_pair = [&](std::int64_t pair, Stroke stroke) {
        const std::int64_t place = place_of(pair, pairs.clocks);
        if (!shown.has(place) || pair_at(place) != pair) return;
        const Point at = wall.centre(place);
        const float half = named ? 0.5F * std::min(wall.cell_width, 3.0F * radius) - 1.0F : radius + 2.0F;
        c.outline({at.x - half, at.y - radius - (named ? 5.0F : 2.0F), at.x + half,
                   at.y + radius + (named ? label : 2.0F)},
                  stroke);
    };
    if (marked(f)) frame_pair(v.pair, {theme.ink, 1.5F});
    if (lit)
        frame_pair(static_cast<std::int64_t>(lit->pair), {theme.ink_soft, 1.5F, lit->exact ? 0.0F : 3.0F});
    if (named) name_clocks(v, wall, pairs, shown);
    else if (rows) name_rows(v, wall, whole, pairs, shown);
    draw_scroll_bar(f, area, wall);
    if (!f.over(area)) return;
    const auto under = wall.place_at(f.pointer->at, places);
    if (!under) return;
    tell_pair(v, pair_at(*under));
    if (f.clicked(area)) f.edit().pair = pair_at(*under);
}

}  // namespace posiscope::figures::rotations
