// numbers.cpp — the number of each cell that is large enough to hold it.
#include "app/figures/matrix/matrix.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/text.hpp"

#include <numbers>

namespace posiscope::figures::matrix {
namespace {

using canvas::Align;
using ui::Face;

constexpr float kWidth = 40.0F, kHeight = 16.0F;  // of the smallest cell with a number, in points

bool has_numbers(Mode mode) {
    return mode == Mode::value || mode == Mode::table || mode == Mode::phase || mode == Mode::gram ||
           mode == Mode::back || mode == Mode::logits || mode == Mode::shift;
}

// Cells in view, cut at the edges.
struct InView {
    std::int64_t first, end;
};
InView in_view(const canvas::Axis& axis) {
    return {static_cast<std::int64_t>(std::floor(axis.from)), static_cast<std::int64_t>(std::ceil(axis.to))};
}

void write(View& v, Rect cell, double value) {
    if (v.cut > cell.x0 && v.cut < cell.x1) return;  // it would be cut in two
    Frame& f = v.frame;
    if (!std::isfinite(value)) return;
    // A cell that is cut keeps its number in the part that is seen.
    cell = {std::max(cell.x0, v.plot.x0), std::max(cell.y0, v.plot.y0), std::min(cell.x1, v.plot.x1),
            std::min(cell.y1, v.plot.y1)};
    if (cell.width() < kWidth - 6.0F || cell.height() < kHeight - 2.0F) return;
    ui::Colour ground;
    if (v.mode == Mode::phase) {
        ground = canvas::phase_colour(value / (2.0 * std::numbers::pi), 1.0, f.theme.neutral);
    } else {
        ground = v.colour(
            static_cast<float>(std::clamp((value - v.middle) / (v.picture.range * v.factor()), -1.0, 1.0)));
    }
    std::string_view text;
    for (int digits = 5; digits >= 2; --digits) {
        text = std::abs(value) < 10.0 && v.mode != Mode::table ? ui::fixed(f.scratch, value, digits - 1)
                                                               : ui::significant(f.scratch, value, digits);
        if (small_width(f, text) <= cell.width() - 4.0F) break;
        text = {};
    }
    if (!text.empty())
        f.canvas.text({cell.centre().x, cell.centre().y + 4.5F}, text,
                      {cells::ink_on(f.theme, ground), ui::kSmallSize, Face::text, Align::centre});
}

Rect row_of(const View& v, std::int64_t row, float x0, float x1) {
    return {x0, v.y(static_cast<double>(row)), x1, v.y(static_cast<double>(row + 1))};
}

// Columns that are positions, or of a table.
void write_cells(View& v, InView rows) {
    const InView columns = in_view(v.x);
    Frame& f = v.frame;
    const auto write_row = [&](std::int64_t row, auto value) {
        for (std::int64_t column = columns.first; column < columns.end; ++column)
            write(v, row_of(v, row, v.x(static_cast<double>(column)), v.x(static_cast<double>(column + 1))),
                  value(row, column));
    };
    if (v.mode == Mode::table) {
        const auto numbers = table_numbers(v, rows.first, rows.end, columns.first, columns.end);
        for (std::int64_t row = rows.first; row < rows.end; ++row)
            write_row(row, [&](std::int64_t r, std::int64_t c) {
                return numbers[static_cast<std::size_t>((r - rows.first) * (columns.end - columns.first) + c -
                                                        columns.first)];
            });
        return;
    }
    const ScoreForm* form = v.products() ? &f.derived.score_form(f.scene, ScoreKind::dot) : nullptr;
    for (std::int64_t row = rows.first; row < rows.end; ++row)
        write_row(row, [&](std::int64_t r, std::int64_t c) {
            return form != nullptr ? score_at(*form, v.spectrum, r - v.moved() - c)
                                   : f.derived.logit(f.scene, r - c);
        });
}

// Columns that are dimensions: they may stand apart.
void write_pairs(View& v, InView rows) {
    const auto at_pixel = [&](float x) {
        return component_at(v.picture, v.pairs, static_cast<double>(v.device(x - v.plot.x0)));
    };
    const float scale = v.frame.canvas.pixels_per_point();
    for (float x = v.plot.x0 + 0.5F; x < v.plot.x1;) {
        const auto at = at_pixel(x);
        if (!at) {
            x += 2.0F;
            continue;
        }
        const auto extent = extent_of(v.picture, v.pairs, *at);
        const float left = v.plot.x0 + static_cast<float>(extent.left) / scale,
                    right = left + static_cast<float>(extent.width) / scale;
        for (std::int64_t row = rows.first; row < rows.end; ++row) {
            const Turn turn = phase(v.spectrum.step[static_cast<std::size_t>(at->pair)], row);
            const double value =
                v.mode == Mode::shift ? shift_entry(v, row, *at)
                : v.mode == Mode::phase
                    ? turn.turns() * 2.0 * std::numbers::pi
                    : v.factor() * ((at->component == 0) != v.rotary() ? sin(turn) : cos(turn));
            write(v, row_of(v, row, left, right), value);
        }
        x = std::max(right, x) + 0.5F;
    }
}

}  // namespace

void cell_numbers(View& v) {
    const float width = static_cast<float>(static_cast<double>(v.plot.width()) / (v.x.to - v.x.from)) *
                        (v.mode == Mode::phase ? 2.0F : 1.0F),
                height = static_cast<float>(static_cast<double>(v.plot.height()) / (v.y.to - v.y.from));
    if (!has_numbers(v.mode) || v.other != nullptr || width < kWidth || height < kHeight) return;
    InView rows = in_view(v.y);
    if (v.mode == Mode::table) rows.end = std::min(rows.end, table_end(v));
    if (v.mode == Mode::table || v.positions_across()) write_cells(v, rows);
    else write_pairs(v, rows);
}

}  // namespace posiscope::figures::matrix
