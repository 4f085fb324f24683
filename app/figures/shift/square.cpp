// square.cpp — all of M_k, for few dimensions: the square of 2×2 blocks with its numbers, PE(p), M_k PE(p), PE(p + k) and
// the difference of the last two.
#include "app/figures/parts/curtain.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/text.hpp"
#include "app/figures/shift/shift.hpp"

namespace posiscope::figures::shifts {
namespace {

using canvas::Align;
using ui::Face;

constexpr float kColumn = 62.0F, kHead = 22.0F;

// The entry (row, column) of M_k: 0 outside the blocks.
double entry(const View& v, const Map& map, PairComponent row, PairComponent column) {
    if (row.pair != column.pair) return 0.0;
    const auto i = static_cast<std::size_t>(row.pair);
    if (row.component == column.component) return map.cosine[i];
    // Sinusoidal pairs rotate clockwise, rotary ones counter-clockwise (core/phase/shift.hpp).
    const bool minus = v.rotary() ? row.component == 0 : row.component == 1;
    return minus ? -map.sine[i] : map.sine[i];
}

void number(View& v, Rect cell, ui::Colour background, std::string_view text) {
    const ui::Theme& theme = v.frame.theme;
    const ui::Colour light = ui::rgb(0xFFFFFF), dark = ui::rgb(0x101214);
    const ui::Colour ink = background == theme.tile                                           ? theme.ink
                           : ui::contrast(light, background) > ui::contrast(dark, background) ? light
                                                                                              : dark;
    const float size = std::min(ui::kSmallSize, 0.62F * cell.height());
    v.frame.canvas.text({cell.centre().x, cell.centre().y + 0.36F * size}, text,
                        {ink, size, Face::text, Align::centre});
}

// The places of the square and, to its right, of the columns of the vectors.
struct Place {
    std::int64_t pairs, n;
    PairLayout layout;
    Rect area, square;
    float cell, gap;
    bool with_check;  // the vectors have room beside it: computed, actual and the error

    Rect row(float x0, float x1, std::int64_t r) const {
        const float y = square.y0 + cell * static_cast<float>(r);
        return {x0, y, x1, y + cell};
    }
};

// The square as large as the height lets it be, beside room for the columns. Nothing where it would be too small.
std::optional<Place> place_in(const View& v, Rect area) {
    const auto pairs = static_cast<std::int64_t>(v.pairs()), n = 2 * pairs;
    const auto rows = static_cast<float>(n);
    const auto width_of = [](bool check) { return check ? 4.0F * kColumn + 56.0F : 2.0F * kColumn + 40.0F; };
    const auto side_of = [&](bool check) {
        return std::min({area.height() - kHead, area.width() - width_of(check) - 30.0F, rows * 96.0F});
    };
    // The matrix is worth more room than the check, whose error the headline has.
    const bool with_check = area.width() > 420.0F && side_of(true) >= 0.75F * side_of(false);
    const float side = side_of(with_check);
    if (side < 30.0F) return std::nullopt;
    const float cell = side / rows;
    const float spare = std::max(0.0F, area.width() - width_of(with_check) - side - 30.0F);
    const Rect square{area.x0 + 30.0F + 0.5F * spare, area.y0 + kHead, area.x0 + 30.0F + 0.5F * spare + side,
                      area.y0 + kHead + side};
    return Place{pairs,  n,    v.encoding.layout(v.frame.scene), area,
                 square, cell, cell > 12.0F ? 1.0F : 0.0F,       with_check};
}

void draw_cells(View& v, const Place& at, const Map& map, PairLayout layout) {
    canvas::Canvas& c = v.frame.canvas;
    const ui::Theme& theme = v.frame.theme;
    for (std::int64_t r = 0; r < at.n; ++r)
        for (std::int64_t col = 0; col < at.n; ++col) {
            const PairComponent row = pair_component(layout, at.pairs, r),
                                column = pair_component(layout, at.pairs, col);
            const float x0 = at.square.x0 + at.cell * static_cast<float>(col);
            Rect place = at.row(x0, x0 + at.cell, r);
            place.x1 -= at.gap, place.y1 -= at.gap;
            if (row.pair != column.pair) {
                c.fill(place, ui::mixed(theme.tile, theme.grid, 0.45F));
                continue;
            }
            const double value = entry(v, map, row, column);
            const ui::Colour colour = v.cell(value);
            c.fill(place, colour);
            if (at.cell >= 30.0F) number(v, place, colour, ui::fixed(v.frame.scratch, value, 2));
        }
}

// B's square behind a curtain, where it has as many pairs.
void draw_b(View& v, const Place& at) {
    Frame& f = v.frame;
    const Spectrum* of_b = f.other != nullptr ? circles(*f.other) : nullptr;
    if (of_b == nullptr || of_b->pairs() != v.pairs()) return;
    const auto columns = static_cast<std::size_t>(at.n);
    const Scene& scene = f.other->scene;
    Derived& derived = f.other->derived;
    View b{f, encoding_of(scene), *of_b, derived.part<Shifts>(), check_of(scene, derived)};
    {
        const Rect& square = at.square;
        const canvas::Clip clip(f.canvas,
                                {curtain::edge_of(f, square, columns), square.y0, square.x1, square.y1});
        f.canvas.fill(square, f.theme.tile);
        draw_cells(b, at, map_of(scene, derived, b.kept.map, scene.offset), b.encoding.layout(scene));
    }
    curtain::draw_edge(f, at.square, false, columns);  // its name is above it
    curtain::drag(f, at.square, "curtain", columns);
}

void number_rows(const View& v, const Place& at) {
    const std::int64_t every =
        at.cell >= 9.0F
            ? 1
            : 4 * std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(13.0F / (4.0F * at.cell))));
    for (std::int64_t r = 0; r < at.n; r += every)
        v.frame.canvas.text(
            {at.square.x0 - 6.0F, at.square.y0 + at.cell * (static_cast<float>(r) + 0.5F) + 4.0F},
            ui::integer(v.frame.scratch, r), small(v.frame, Align::right));
}

// One vector, row by row beside the square, under its name and behind a sign.
template <class Value, class Text>
void column(View& v, const Place& at, float& x, std::string_view head, std::string_view sign, Value value_at,
            Text text_at, bool filled = true) {
    canvas::Canvas& c = v.frame.canvas;
    const ui::Theme& theme = v.frame.theme;
    c.formula({x + 0.5F * kColumn - 4.0F, at.area.y0 + 12.0F}, head, 15.0F, theme.ink, Align::centre);
    if (!sign.empty())
        c.text({x - 11.0F, at.square.centre().y + 5.0F}, sign, {theme.ink, 17.0F, Face::text, Align::centre});
    for (std::int64_t r = 0; r < at.n; ++r) {
        Rect place = at.row(x, x + kColumn - 8.0F, r);
        place.y1 -= at.gap;
        const double value = value_at(pair_component(at.layout, at.pairs, r));
        const ui::Colour colour = filled ? v.cell(value) : theme.tile;
        if (filled) c.fill(place, colour);
        if (at.cell >= 10.0F) number(v, place, colour, text_at(value));
    }
    x += kColumn;
}

// PE(p), M_k PE(p) and, where there is room, PE(p + k) and their difference; returns the right end.
float draw_vectors(View& v, const Place& at) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const auto of = [](const std::array<std::vector<double>, 2>& lists) {
        return [&lists](PairComponent c) {
            return lists[static_cast<std::size_t>(c.component)][static_cast<std::size_t>(c.pair)];
        };
    };
    const auto four = [&](double value) { return ui::fixed(s, value, 4); };
    const auto p = ui::integer(s, v.position()), q = ui::integer(s, v.position() + v.offset());
    const bool short_enough = std::max(v.position(), v.position() + v.offset()) < 100000;
    const auto named = [&](std::string_view position) {
        return short_enough ? s.format("{}({})", v.vector(), position) : v.vector();
    };
    float x = at.square.x1 + 14.0F;
    column(v, at, x, named(p), "·", of(v.check.before), four);
    x += 18.0F;
    if (!at.with_check) {
        column(v, at, x, named(q), "=", of(v.check.computed), four);
        return x;
    }
    column(v, at, x, s.format("\\text{{{}}}", f.text("shift.computed")), "=", of(v.check.computed), four);
    column(v, at, x, named(q), "", of(v.check.actual), four);
    if (at.cell >= 10.0F)
        column(
            v, at, x, s.format("\\text{{{}}}", f.text("shift.error")), "",
            [&](PairComponent c) { return v.check.error(c.component, static_cast<std::size_t>(c.pair)); },
            [&](double value) { return s.format("≤ {}", ui::residual(s, value)); }, false);
    return x;
}

// Around the four entries of a pair, which are neighbours or not.
void frame_pair(const View& v, const Place& at, std::int64_t pair, canvas::Stroke stroke) {
    const Rect& square = at.square;
    const std::int64_t a = dimension(at.layout, at.pairs, {pair, 0}),
                       b = dimension(at.layout, at.pairs, {pair, 1});
    if (b == a + 1) {
        const float x = square.x0 + at.cell * static_cast<float>(a),
                    y = square.y0 + at.cell * static_cast<float>(a);
        v.frame.canvas.outline({x - 1.0F, y - 1.0F, x + 2.0F * at.cell, y + 2.0F * at.cell}, stroke);
        return;
    }
    for (const std::int64_t r : {a, b})
        for (const std::int64_t col : {a, b}) {
            const float x = square.x0 + at.cell * static_cast<float>(col),
                        y = square.y0 + at.cell * static_cast<float>(r);
            v.frame.canvas.outline({x - 1.0F, y - 1.0F, x + at.cell, y + at.cell}, stroke);
        }
}

// The pair of the row under the mouse; a click chooses it.
void point_at_row(View& v, const Place& at, Rect all) {
    Frame& f = v.frame;
    if (!f.over(all)) return;
    const auto r = std::clamp<std::int64_t>(
        static_cast<std::int64_t>((f.pointer->at.y - at.square.y0) / at.cell), 0, at.n - 1);
    const PairComponent row = pair_component(at.layout, at.pairs, r);
    tell_pair(v, static_cast<std::size_t>(row.pair));
    f.tip.beside = all;
    f.cursor = Cursor::hand;
    if (f.clicked(all)) f.edit().pair = row.pair;
}

}  // namespace

void draw_square(View& v, Rect area) {
    Frame& f = v.frame;
    const auto at = place_in(v, area);
    if (!at) return;
    const std::string_view k = ui::integer(f.scratch, v.offset());
    f.canvas.formula({at->square.centre().x, area.y0 + 12.0F}, f.scratch.format("{}_{{{}}}", v.map_name(), k),
                     17.0F, f.theme.ink, Align::centre);
    const auto lit = linked(f, v.spectrum);
    draw_cells(v, *at, map_of(f.scene, f.derived, v.kept.map, v.offset()), at->layout);
    draw_b(v, *at);
    number_rows(v, *at);
    const float right = draw_vectors(v, *at);
    if (marked(f)) frame_pair(v, *at, static_cast<std::int64_t>(v.pair()), {f.theme.ink, 1.5F});
    if (lit)
        frame_pair(v, *at, static_cast<std::int64_t>(lit->pair),
                   {f.theme.ink_soft, 1.5F, lit->exact ? 0.0F : 3.0F});
    point_at_row(v, *at, {at->square.x0, at->square.y0, right, at->square.y1});
}

}  // namespace posiscope::figures::shifts
