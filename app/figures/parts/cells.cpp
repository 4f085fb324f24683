#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/text.hpp"
#include "app/plot/plot.hpp"

#include "app/canvas/axes.hpp"
#include "core/scene/words.hpp"

namespace posiscope::figures::cells {

using canvas::Align;
using ui::Face;

namespace {

constexpr float kWithGaps = 7.0F;
constexpr float kLargeCell = 100.0F;  // from this side on numbers grow with their cells

}  // namespace

Rect Cells::cell(std::size_t row, std::size_t column) const {
    const float s = side();
    return {plot.x0 + s * static_cast<float>(column), plot.y0 + s * static_cast<float>(row),
            plot.x0 + s * static_cast<float>(column + 1), plot.y0 + s * static_cast<float>(row + 1)};
}

ui::Colour colour_of(const ui::Theme& theme, double value, double range, Colours colours) {
    const auto t = static_cast<float>(range > 0.0 ? std::clamp(value / range, -1.0, 1.0) : 0.0);
    if (colours == Colours::shares)
        return ui::mixed(ui::mixed(theme.tile, theme.ink, 0.06F), ui::mixed(theme.tile, theme.ink, 0.62F),
                         std::sqrt(t));
    return t >= 0.0F ? ui::mixed(theme.neutral, theme.plus, t) : ui::mixed(theme.neutral, theme.minus, -t);
}

ui::Colour ink_on(const ui::Theme& theme, ui::Colour ground) {
    return ui::contrast(theme.ink, ground) >= ui::contrast(theme.tile, ground) ? theme.ink : theme.tile;
}

namespace {

// Diagonal lines over what ids hide, row by row; those of two rows meet.
void hatch_hidden(Frame& f, const Cells& cells) {
    constexpr float kApart = 6.0F;
    for (std::size_t i = 0; i < cells.rows; ++i)
        for (std::size_t j = 0, end = 0; j < cells.columns; j = std::max(end, j + 1)) {
            for (end = j; end < cells.columns && std::isnan(cells.at(i, end));) ++end;
            if (end == j) continue;
            const Rect run{cells.cell(i, j).x0, cells.cell(i, j).y0, cells.cell(i, end - 1).x1,
                           cells.cell(i, j).y1};
            const canvas::Clip clip(f.canvas, run);
            const float first = std::ceil((run.x0 + run.y0) / kApart) * kApart;
            for (float sum = first; sum < run.x1 + run.y1; sum += kApart)
                f.canvas.line({sum - run.y1, run.y1}, {sum - run.y0, run.y0}, {f.theme.grid, 1.0F});
        }
}

}  // namespace

void draw(Frame& f, const Cells& cells) {
    canvas::Canvas& c = f.canvas;
    hatch_hidden(f, cells);
    const float side = cells.side();
    const float gap = side >= kWithGaps ? 1.0F : 0.0F;
    const float letters = ui::kSmallSize * std::clamp(side / kLargeCell, 1.0F, 4.0F);
    for (std::size_t i = 0; i < cells.rows; ++i)
        for (std::size_t j = 0; j < cells.columns; ++j) {
            const double value = cells.at(i, j);
            Rect cell = cells.cell(i, j);
            cell.x1 -= gap;
            cell.y1 -= gap;
            if (std::isnan(value)) continue;
            if (!std::isfinite(value)) {
                if (side >= kWithGaps) c.disc(cell.centre(), 1.2F, f.theme.ink_faint);
                continue;
            }
            const ui::Colour ground = colour_of(f.theme, value, cells.range, cells.colours);
            // Without a gap a viewer would let the ground shine through between two rows: a row reaches under the next.
            if (gap == 0.0F && i + 1 < cells.rows && std::isfinite(cells.at(i + 1, j)))
                cell.y1 += 0.5F * side;
            c.fill(cell, ground);
            if (side < kWithNumbers) continue;
            const std::string_view text = std::abs(value) < 99.95
                                              ? ui::fixed(f.scratch, value, std::abs(value) < 9.995 ? 2 : 1)
                                              : ui::significant(f.scratch, value, 3);
            c.text({cell.centre().x, cell.centre().y + 0.33F * letters}, text,
                   {ink_on(f.theme, ground), letters, Face::text, Align::centre});
        }
    if (cells.colours == Colours::signed_values)
        c.outline({cells.plot.x0, cells.plot.y0, cells.plot.x1 - gap, cells.plot.y1 - gap},
                  {f.theme.border, 1.0F});
}

std::optional<Cell> under_mouse(const Frame& f, const Cells& cells) {
    if (cells.rows == 0 || cells.columns == 0 || !f.over(cells.plot)) return std::nullopt;
    const auto index = [&](float along, std::size_t count) {
        return std::min(static_cast<std::size_t>(std::max(along / cells.side(), 0.0F)), count - 1);
    };
    return Cell{index(f.pointer->at.y - cells.plot.y0, cells.rows),
                index(f.pointer->at.x - cells.plot.x0, cells.columns)};
}

std::optional<Cell> link(Frame& f, const Cells& cells, std::string_view handle) {
    if (cells.rows == 0 || cells.columns == 0) return std::nullopt;
    canvas::Canvas& c = f.canvas;
    const auto rows = static_cast<std::int64_t>(cells.rows),
               columns = static_cast<std::int64_t>(cells.columns);
    const auto mark = [&](std::int64_t query, std::int64_t key, canvas::Stroke stroke) {
        const std::int64_t row = query - cells.first_row, column = key - cells.first_column;
        if (row < 0 || row >= rows || column < 0 || column >= columns) return;
        const Rect cell = cells.cell(static_cast<std::size_t>(row), static_cast<std::size_t>(column));
        c.outline({cell.x0, cell.y0, cell.x1 - 1.0F, cell.y1 - 1.0F}, stroke);
    };
    if (f.link.position)
        if (const std::int64_t row = *f.link.position - cells.first_row; row >= 0 && row < rows) {
            const Rect first = cells.cell(static_cast<std::size_t>(row), 0);
            c.outline({cells.plot.x0, first.y0, cells.plot.x1 - 1.0F, first.y1 - 1.0F},
                      {f.theme.ink_soft, 1.0F});
        }
    if (f.link.distance)
        for (std::int64_t query = cells.first_row; query < cells.first_row + rows; ++query)
            mark(query, query - *f.link.distance, {f.theme.ink_soft, 1.0F});
    if (const Scene* before = f.ghost())
        mark(before->position + before->offset, before->position, {ui::faded(f.theme.offset, 0.6F), 1.0F});
    mark(f.scene.position + f.scene.offset, f.scene.position, {f.theme.offset, 2.0F});

    const auto under = under_mouse(f, cells);
    if (f.drag(handle, under.has_value(), cells.plot.centre(), Cursor::arrow)) {
        const auto clamped = [&](float along, std::int64_t first, std::int64_t count) {
            return first + std::clamp<std::int64_t>(
                               static_cast<std::int64_t>(std::floor(along / cells.side())), 0, count - 1);
        };
        const std::int64_t query = clamped(f.pointer->at.y - cells.plot.y0, cells.first_row, rows),
                           key = clamped(f.pointer->at.x - cells.plot.x0, cells.first_column, columns);
        if ((f.pointer->moved || f.pointer->released) &&
            (f.scene.position != key || f.scene.offset != query - key)) {
            set_position(f.edit(), key);
            set_offset(f.edit(), query - key);
        }
    }
    if (under) {
        f.hovered.position = cells.first_row + static_cast<std::int64_t>(under->query);
        f.hovered.distance = *f.hovered.position - cells.first_column - static_cast<std::int64_t>(under->key);
    }
    return under;
}

void number(Frame& f, const Cells& cells, bool rows, bool columns) {
    constexpr float kNumbered = 60.0F;  // a side from which on positions are numbered
    const Rect& plot = cells.plot;
    const auto each = [&](float room, std::int64_t first, std::size_t count, const auto& draw_one) {
        if (room < kNumbered) return;
        const auto last = static_cast<double>(first + static_cast<std::int64_t>(count) - 1);
        // A number of five digits is as wide as three cells may be.
        const float wide = small_width(f, ui::integer(f.scratch, static_cast<std::int64_t>(last)));
        const auto ticks =
            canvas::ticks(static_cast<double>(first), last,
                          std::clamp(static_cast<int>(room / std::max(34.0F, wide + 12.0F)), 2, 8));
        for (const double value : ticks.values())
            if (value == std::round(value) && value >= static_cast<double>(first) && value <= last)
                draw_one(static_cast<std::size_t>(static_cast<std::int64_t>(value) - first),
                         ui::integer(f.scratch, static_cast<std::int64_t>(value)));
    };
    if (rows)
        each(plot.height(), cells.first_row, cells.rows, [&](std::size_t row, std::string_view said) {
            f.canvas.text({plot.x0 - 6.0F, cells.cell(row, 0).centre().y + 4.5F}, said,
                          small(f, Align::right));
        });
    if (columns)
        each(plot.width(), cells.first_column, cells.columns, [&](std::size_t column, std::string_view said) {
            f.canvas.text({cells.cell(0, column).centre().x, plot.y1 + 14.0F}, said, small(f, Align::centre));
        });
}

float colour_bar(Frame& f, float right, float y, std::string_view name, double from, double to,
                 Colours colours) {
    canvas::Canvas& c = f.canvas;
    constexpr float width = 56.0F;
    const canvas::TextStyle style = small(f, Align::right);
    const auto number = [&](double value) {
        return value == std::round(value) ? ui::signed_integer(f.scratch, std::llround(value))
                                          : ui::significant(f.scratch, value, 2);
    };
    // Darker than its end there is nothing: what is more has the colour of the end.
    const std::string_view last = colours != Colours::shares ? number(to)
                                  : to < 1.0                 ? f.scratch.format("≥ {}", number(to))
                                                             : "1",
                           first = number(from);
    float x = right;
    c.text({x, y + 4.5F}, last, style);
    x -= small_width(f, last) + 6.0F;
    plot::draw_colours(f, {x - width, y - 4.0F, x, y + 4.0F}, 28, [&](float at) {
        return colour_of(f.theme, from + (to - from) * static_cast<double>(at),
                         std::max(std::abs(from), std::abs(to)), colours);
    });
    x -= width + 6.0F;
    c.text({x, y + 4.5F}, first, style);
    x -= small_width(f, first) + 9.0F;
    c.text({x, y + 4.5F}, name, style);
    return right - x + small_width(f, name);
}

void draw_legend(Frame& f, Rect legend, std::string_view note, std::string_view name, double from, double to,
                 Colours colours) {
    if (legend.height() < 10.0F) return;
    const float used = colour_bar(f, legend.x1, legend.y1 - 10.0F, name, from, to, colours);
    if (small_width(f, note) + used + 20.0F < legend.width())
        f.canvas.text({legend.x0, legend.y1 - 5.5F}, note, small(f));
}

// ---- Controls --------------------------------------------------------------------------------------------------

KeyStop pressed_or_moved(Frame& f, std::string_view mark, Rect area) {
    const KeyStop stop = f.field != nullptr ? f.field->key_stop(area, mark) : KeyStop::none;
    if (stop != KeyStop::none) f.canvas.outline(area.grown(1.5F), {f.theme.cosine, 1.5F});
    return f.clicked(area) ? KeyStop::pressed : stop;
}

bool pressed(Frame& f, std::string_view mark, Rect area) {
    return pressed_or_moved(f, mark, area) == KeyStop::pressed;
}

bool button(Frame& f, std::string_view mark, Rect area, std::string_view text, bool on) {
    if (f.pointer == nullptr) return false;
    if (f.marks != nullptr) f.marks->push_back({f.figure, mark, area.centre()});
    const bool over = f.over(area);
    f.canvas.fill(area, on ? f.theme.pressed : over ? f.theme.control : f.theme.tile, 5.0F);
    if (!on && !over) {
        f.canvas.fill(area, f.theme.border, 5.0F);
        f.canvas.fill(area.grown(-1.0F), f.theme.tile, 4.0F);
    }
    f.canvas.text({area.centre().x, area.centre().y + 5.0F}, text,
                  {on || over ? f.theme.ink : f.theme.ink_soft, 14.5F, Face::text, Align::centre});
    if (over) f.cursor = Cursor::hand;
    return pressed(f, mark, area);
}

float choices_width(const Frame& f, std::span<const std::string_view> texts) {
    float width = 0.0F;
    for (const std::string_view text : texts)
        width += f.canvas.text_width(text, Face::text, 14.5F) + kButtonPad + 2.0F;
    return width;
}

std::optional<std::size_t> choices(Frame& f, Point left, std::span<const std::string_view> marks,
                                   std::span<const std::string_view> texts, std::size_t chosen) {
    std::optional<std::size_t> pressed;
    float x = left.x;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const float width = f.canvas.text_width(texts[i], Face::text, 14.5F) + kButtonPad;
        if (button(f, marks[i], {x, left.y, x + width, left.y + kButtonHeight}, texts[i], i == chosen) &&
            i != chosen)
            pressed = i;
        x += width + 2.0F;
    }
    return pressed;
}

std::string_view shortened(const Frame& f, std::string_view word, Face face, float size, float width) {
    if (f.canvas.text_width(word, face, size) <= width) return word;
    const float room = width - f.canvas.text_width("…", face, size);
    std::size_t fits = 0;
    for (std::size_t end = 0; end < word.size();) {
        end += first_character(word.substr(end)).size();
        if (f.canvas.text_width(word.substr(0, end), face, size) > room) break;
        fits = end;
    }
    return f.scratch.format("{}…", word.substr(0, fits));
}

}  // namespace posiscope::figures::cells
