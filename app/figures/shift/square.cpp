// square.cpp — all of M_k, for few dimensions: the square of 2×2 blocks with its numbers, PE(p), M_k PE(p), PE(p + k) and
// the difference of the last two.
#include "app/figures/parts/curtain.hpp"
#include "app/figures/shift/shift.hpp"

namespace posiscope::figures::shifts {
namespace {

using canvas::Align;
using ui::Face;

constexpr float kColumn = 62.0F, kHead = 22.0F;
constexpr std::int64_t kSmall = 8;  // dimensions

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

}  // namespace

void draw_square(View& v, Rect area) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const ui::Theme& theme = f.theme;
    const auto pairs = static_cast<std::int64_t>(v.pairs());
    const auto n = 2 * pairs;
    const auto layout = v.encoding.layout(f.scene);
    const Map& map = map_of(f.scene, f.derived, v.kept.map, v.offset());
    const float rows = static_cast<float>(n);

    // The square as large as the height lets it be, beside room for four columns of numbers.
    const auto width_of = [](bool check) { return check ? 4.0F * kColumn + 56.0F : 2.0F * kColumn + 40.0F; };
    const auto side_of = [&](bool check) {
        return std::min({area.height() - kHead, area.width() - width_of(check) - 30.0F, rows * 96.0F});
    };
    // A small matrix is worth more room than the check, whose error the headline has.
    const bool with_check = area.width() > 420.0F && (n > kSmall || side_of(true) >= 0.75F * side_of(false));
    const float columns_width = width_of(with_check), side = side_of(with_check);
    if (side < 30.0F) return;
    const float cell = side / rows;
    const float spare = std::max(0.0F, area.width() - columns_width - side - 30.0F);
    const Rect square{area.x0 + 30.0F + 0.5F * spare, area.y0 + kHead, area.x0 + 30.0F + 0.5F * spare + side,
                      area.y0 + kHead + side};
    const std::string_view k = ui::integer(s, v.offset());
    c.formula({square.centre().x, area.y0 + 12.0F}, s.format("{}_{{{}}}", v.map_name(), k), 17.0F, theme.ink,
              Align::centre);
    const auto lit = linked(f, v.spectrum);
    const auto row_rect = [&](float x0, float x1, std::int64_t row) {
        const float y = square.y0 + cell * static_cast<float>(row);
        return Rect{x0, y, x1, y + cell};
    };
    const float gap = cell > 12.0F ? 1.0F : 0.0F;
    const auto draw_cells = [&](View& of, const Map& its_map, PairLayout its_layout) {
        for (std::int64_t r = 0; r < n; ++r)
            for (std::int64_t col = 0; col < n; ++col) {
                const PairComponent row = pair_component(its_layout, pairs, r),
                                    column = pair_component(its_layout, pairs, col);
                const float x0 = square.x0 + cell * static_cast<float>(col);
                Rect at = row_rect(x0, x0 + cell, r);
                at.x1 -= gap, at.y1 -= gap;
                if (row.pair != column.pair) {
                    c.fill(at, ui::mixed(theme.tile, theme.grid, 0.45F));
                    continue;
                }
                const double value = entry(of, its_map, row, column);
                const ui::Colour colour = of.cell(value);
                c.fill(at, colour);
                if (cell >= 30.0F) number(of, at, colour, ui::fixed(s, value, 2));
            }
    };
    draw_cells(v, map, layout);
    const Spectrum* of_b = f.other != nullptr ? circles(*f.other) : nullptr;
    const auto columns = static_cast<std::size_t>(n);
    if (of_b != nullptr && of_b->pairs() == v.pairs()) {
        const Scene& scene = f.other->scene;
        Derived& derived = f.other->derived;
        View b{f, encoding_of(scene), *of_b, derived.part<Shifts>(), check_of(scene, derived)};
        {
            const canvas::Clip clip(c,
                                    {curtain::edge_of(f, square, columns), square.y0, square.x1, square.y1});
            c.fill(square, theme.tile);
            draw_cells(b, map_of(scene, derived, b.kept.map, scene.offset), b.encoding.layout(scene));
        }
        curtain::draw_edge(f, square, false, columns);  // its name is above it
        curtain::drag(f, square, "curtain", columns);
    }
    const std::int64_t every =
        cell >= 9.0F
            ? 1
            : 4 * std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(13.0F / (4.0F * cell))));
    for (std::int64_t r = 0; r < n; ++r) {
        if (r % every == 0)
            c.text({square.x0 - 6.0F, square.y0 + cell * (static_cast<float>(r) + 0.5F) + 4.0F},
                   ui::integer(s, r), {theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
    }

    // The vectors, row by row beside it.
    float x = square.x1 + 14.0F;
    const auto column = [&](std::string_view head, std::string_view sign, auto value_at, auto text_at,
                            bool filled) {
        c.formula({x + 0.5F * kColumn - 4.0F, area.y0 + 12.0F}, head, 15.0F, theme.ink, Align::centre);
        if (!sign.empty())
            c.text({x - 11.0F, square.centre().y + 5.0F}, sign,
                   {theme.ink, 17.0F, Face::text, Align::centre});
        for (std::int64_t r = 0; r < n; ++r) {
            const PairComponent at = pair_component(layout, pairs, r);
            Rect cell_rect = row_rect(x, x + kColumn - 8.0F, r);
            cell_rect.y1 -= gap;
            const double value = value_at(at);
            const ui::Colour colour = filled ? v.cell(value) : theme.tile;
            if (filled) c.fill(cell_rect, colour);
            if (cell >= 10.0F) number(v, cell_rect, colour, text_at(value));
        }
        x += kColumn;
    };
    const auto of = [](const std::array<std::vector<double>, 2>& lists) {
        return [&lists](PairComponent at) {
            return lists[static_cast<std::size_t>(at.component)][static_cast<std::size_t>(at.pair)];
        };
    };
    const auto four = [&](double value) { return ui::fixed(s, value, 4); };
    const auto p = ui::integer(s, v.position()), q = ui::integer(s, v.position() + v.offset());
    const bool short_enough = std::max(v.position(), v.position() + v.offset()) < 100000;
    const auto named = [&](std::string_view at) {
        return short_enough ? s.format("{}({})", v.vector(), at) : v.vector();
    };
    column(named(p), "·", of(v.check.before), four, true);
    x += 18.0F;
    if (!with_check) {
        column(named(q), "=", of(v.check.computed), four, true);
    } else {
        column(s.format("\\text{{{}}}", f.text("shift.computed")), "=", of(v.check.computed), four, true);
        column(named(q), "", of(v.check.actual), four, true);
        if (cell >= 10.0F)
            column(
                s.format("\\text{{{}}}", f.text("shift.error")), "",
                [&](PairComponent at) {
                    return v.check.error(at.component, static_cast<std::size_t>(at.pair));
                },
                [&](double value) { return s.format("≤ {}", ui::residual(s, value)); }, false);
    }

    const auto frame_pair = [&](std::int64_t pair, canvas::Stroke stroke) {
        const std::int64_t a = dimension(layout, pairs, {pair, 0}), b = dimension(layout, pairs, {pair, 1});
        if (b == a + 1) {
            const float at = square.x0 + cell * static_cast<float>(a),
                        y = square.y0 + cell * static_cast<float>(a);
            c.outline({at - 1.0F, y - 1.0F, at + 2.0F * cell, y + 2.0F * cell}, stroke);
            return;
        }
        for (const std::int64_t r : {a, b})
            for (const std::int64_t col : {a, b}) {
                const float at = square.x0 + cell * static_cast<float>(col),
                            y = square.y0 + cell * static_cast<float>(r);
                c.outline({at - 1.0F, y - 1.0F, at + cell, y + cell}, stroke);
            }
    };
    frame_pair(static_cast<std::int64_t>(v.pair()), {theme.ink, 1.5F});
    if (lit)
        frame_pair(static_cast<std::int64_t>(lit->pair), {theme.ink_soft, 1.5F, lit->exact ? 0.0F : 3.0F});

    const Rect all{square.x0, square.y0, x, square.y1};
    if (!f.over(all)) return;
    const auto r =
        std::clamp<std::int64_t>(static_cast<std::int64_t>((f.pointer->at.y - square.y0) / cell), 0, n - 1);
    const PairComponent row = pair_component(layout, pairs, r);
    tell_pair(v, static_cast<std::size_t>(row.pair));
    f.tip.beside = all;
    f.cursor = Cursor::hand;
    if (f.clicked(all)) f.edit().pair = row.pair;
}

}  // namespace posiscope::figures::shifts
