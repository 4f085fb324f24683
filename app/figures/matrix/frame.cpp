// frame.cpp — around the heatmap: the colour bar, marked rows and columns, numbers and names.
#include "app/canvas/axes.hpp"
#include "app/figures/matrix/matrix.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/pair_plot.hpp"
#include "app/figures/parts/text.hpp"
#include "app/plot/plot.hpp"

namespace posiscope::figures::matrix {

using canvas::Align;
using ui::Face;

namespace {

std::string_view cache_built(const Frame& f) {
    return f.format("matrix.cache_built", fmt::arg("kept", ui::integer(f.scratch, *f.scene.trained.length)));
}
std::string_view cache_rebuilt(const Frame& f) {
    return f.format("matrix.cache_rebuilt", fmt::arg("rows", ui::integer(f.scratch, f.scene.length)));
}

}  // namespace

void colour_bar(View& v, Rect bar) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const ui::Theme& theme = f.theme;
    plot::draw_colours(f, bar, 48, [&](float t) {  // from the top
        if (v.mode == Mode::phase)
            return canvas::phase_colour(1.0 - static_cast<double>(t), 1.0, theme.neutral);
        if (v.mode == Mode::residual || v.mode == Mode::attention)
            return ui::mixed(theme.neutral, theme.plus, 1.0F - t);
        return v.colour(1.0F - 2.0F * t);
    });
    ui::Scratch& s = f.scratch;
    constexpr float kRoom = 44.0F;  // beside the bar, to the tile's edge
    const auto width = [&](std::string_view text) { return small_width(f, text); };
    const auto number = [&](float t, std::string_view text) {
        c.text({bar.x1 + std::clamp(kRoom - width(text), 1.0F, 5.0F), bar.y0 + t * bar.height() +
                                                                          (t == 0.0F   ? 9.0F
                                                                           : t == 1.0F ? 0.0F
                                                                                       : 4.0F)},
               text, small(f));
    };
    // The most digits that fit.
    const auto most_digits = [&](std::string_view before, double value, int digits) {
        std::string_view text;
        for (; digits > 0; --digits) {
            text = s.format("{}{}", before, ui::significant(s, value, digits));
            if (width(text) < kRoom - 5.0F) break;
        }
        return text;
    };
    if (v.mode == Mode::phase) {
        number(0.0F, "2π");
        number(0.5F, "π");
        number(1.0F, "0");
    } else if (v.mode == Mode::residual) {
        number(0.0F, ui::significant(s, v.picture.range, 1));
        number(1.0F, "0");
    } else if (v.mode == Mode::attention) {
        number(0.0F, most_digits(v.beyond_high ? "≥" : "", v.picture.range, 2));
        number(1.0F, "0");
    } else {
        // Room for six characters: tables have small numbers.
        const int digits = v.mode == Mode::table ? 2 : 3;
        const auto end = [&](double value, bool beyond) {
            const std::string_view before = beyond ? (value > 0.0 ? "≥" : "≤") : (value > 0.0 ? "+" : "");
            const bool whole = value == std::round(value) && std::abs(value) < 1e6;
            return whole ? s.format("{}{}", before, ui::integer(s, std::llround(value)))
                         : most_digits(before, value, digits);
        };
        number(0.5F, end(v.middle, false));
        if (v.uniform) return;
        number(0.0F, end(v.middle + v.factor() * v.picture.range, v.beyond_high));
        number(1.0F, end(v.middle - v.factor() * v.picture.range, v.beyond_low));
    }
}

Rect take_cache_words(const View& v, Rect& area) {
    const Frame& f = v.frame;
    const std::optional<std::int64_t>& kept = f.scene.trained.length;
    const bool outgrown = f.mode == "cache" && v.other == nullptr && kept && *kept < f.scene.length;
    const auto fits = [&](std::string_view words) { return small_width(f, words) < area.width() - 14.0F; };
    if (!outgrown || area.height() < 200.0F || !fits(cache_built(f)) || !fits(cache_rebuilt(f))) return {};
    return area.cut_bottom(34.0F);
}

void states_of_cache(View& v, Rect words) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const std::int64_t kept = *f.scene.trained.length;
    const float left = v.plot.x1 + 4.0F, right = v.plot.x1 + 10.0F,
                edge = std::clamp(v.y(static_cast<double>(kept)), v.plot.y0, v.plot.y1);
    const auto built = [&](Rect place) { c.fill(place, f.theme.seen); };
    const auto rebuilt = [&](Rect place) {
        c.outline(place, {f.theme.beyond, 1.0F});
        hatch(c, place, f.theme.beyond);
    };
    if (edge > v.plot.y0) built({left, v.plot.y0, right, edge});
    if (edge < v.plot.y1) rebuilt({left, edge, right, v.plot.y1});
    if (edge > v.plot.y0 && edge < v.plot.y1)
        c.line({v.plot.x0, edge}, {right, edge}, {f.theme.beyond, 1.5F});
    const auto line = [&](float y, std::string_view text) {
        c.text({words.x0 + 14.0F, y}, text, small(f));
        return Rect{words.x0, y - 9.0F, words.x0 + 8.0F, y - 1.0F};
    };
    built(line(words.y0 + 12.0F, cache_built(f)));
    rebuilt(line(words.y0 + 29.0F, cache_rebuilt(f)));
}

void locator(View& v, Rect corner) {
    const double whole = v.whole.rows;
    if (v.y.to - v.y.from >= whole || v.plot.x0 - corner.x1 < 46.0F) return;
    canvas::Canvas& c = v.frame.canvas;
    const ui::Theme& theme = v.frame.theme;
    c.outline(corner, {theme.ink_faint, 1.0F});
    c.line(corner.min(), {corner.x1, corner.y1}, {theme.ink_faint, 1.0F});
    const auto part = [&](double from, double to, float low, float size) {
        const auto begin = low + size * static_cast<float>(from / whole);
        return std::pair{begin, std::max(begin + 3.0F, low + size * static_cast<float>(to / whole))};
    };
    const auto [left, right] = part(v.x.from, v.x.to, corner.x0, corner.width());
    const auto [top, bottom] = part(v.y.from, v.y.to, corner.y0, corner.height());
    c.fill({left, top, right, bottom}, theme.ink);
}

// A row (or a column of gram and M_k) that is marked: a line through thin cells, a frame around thick ones.
void mark_row(View& v, double row, ui::Colour colour, bool ghost) {
    if (row + 1.0 <= v.y.from || row >= v.y.to) return;
    canvas::Canvas& c = v.frame.canvas;
    const float top = v.y(row), bottom = v.y(row + 1.0);
    const canvas::Stroke stroke{ghost ? ui::faded(colour, 0.5F) : colour, ghost ? 1.0F : 1.5F};
    const float x0 = v.plot.x0 - 7.0F, x1 = v.plot.x1 + 1.0F;
    if (bottom - top < 9.0F) {
        const float middle = 0.5F * (top + bottom);
        if (!ghost) c.line({x0, middle}, {x1, middle}, {v.frame.theme.tile, 3.5F});
        c.line({x0, middle}, {x1, middle}, stroke);
    } else {
        c.outline({v.plot.x0, std::max(top, v.plot.y0), v.plot.x1, std::min(bottom, v.plot.y1)}, stroke);
    }
}

void mark_columns(View& v, std::int64_t pair, canvas::Stroke stroke) {
    // In blocks only the pairs under the columns stand in the picture.
    const auto first = static_cast<std::int64_t>(std::floor(v.x.from)) / 2;
    const auto last = (static_cast<std::int64_t>(std::ceil(v.x.to)) - 1) / 2;
    if (v.picture.blocks && (pair < first || pair > last)) return;
    for (int component = 0; component < (v.mode == Mode::phase ? 1 : 2); ++component) {
        const auto extent = extent_of(v.picture, v.pairs, {pair, component});
        const float scale = v.frame.canvas.pixels_per_point();
        const float left = v.plot.x0 + static_cast<float>(extent.left) / scale,
                    width = static_cast<float>(extent.width) / scale;
        if (left + width < v.plot.x0 || left > v.plot.x1) continue;
        if (width < 7.0F)
            v.frame.canvas.line({left + 0.5F * width, v.plot.y0 - 5.0F}, {left + 0.5F * width, v.plot.y1},
                                stroke);
        else
            v.frame.canvas.outline(
                {std::max(left, v.plot.x0), v.plot.y0, std::min(left + width, v.plot.x1), v.plot.y1}, stroke);
    }
}

void row_numbers(View& v) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const float right = v.plot.x0 - 10.0F;
    // p and p + k first; ticks give way to them, and p + k to p.
    std::array<float, 2> taken = {-1e9F, -1e9F};
    const auto number = [&](double row, ui::Colour colour, Face face) {
        const float y = v.y(row + 0.5);
        c.text({right, y + 4.0F}, ui::integer(f.scratch, static_cast<std::int64_t>(row)),
               {colour, ui::kSmallSize, face, Align::right});
        return y;
    };
    if (!v.dimensions_down() && marked(f)) {
        const double rows[2] = {static_cast<double>(f.scene.position),
                                static_cast<double>(f.scene.position + f.scene.offset)};
        for (std::size_t i = 0; i < 2; ++i) {
            if (rows[i] + 0.5 < v.y.from || rows[i] + 0.5 > v.y.to) continue;
            float y = v.y(rows[i] + 0.5);
            if (i == 1 && std::abs(y - taken[0]) < 12.0F)
                y = taken[0] + (f.scene.offset > 0 ? 12.0F : -12.0F);
            if (i == 1 && f.scene.offset == 0) continue;
            c.text({right, y + 4.0F}, ui::integer(f.scratch, static_cast<std::int64_t>(rows[i])),
                   {f.theme.ink, ui::kSmallSize, Face::strong, Align::right});
            if (i == 1) c.disc({right + 5.0F, y}, 2.0F, f.theme.offset);
            taken[i] = y;
        }
    }
    const auto steps = canvas::ticks(std::ceil(v.y.from), std::max(std::floor(v.y.to) - 1.0, v.y.from + 1.0),
                                     std::clamp(static_cast<int>(v.plot.height() / 48.0F), 2, 8));
    const auto tick = [&](double row) {
        if (row != std::round(row) || row < v.y.from || row >= v.y.to) return;
        const float y = v.y(row + 0.5);
        for (const float other : taken)
            if (std::abs(other - y) < 13.0F) return;
        number(row, f.theme.ink_soft, Face::text);
    };
    for (const double row : steps.values()) tick(row);
}

void column_names(View& v) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const float y = v.plot.y1 + 17.0F;
    const canvas::TextStyle style = small(f, Align::centre);
    if (v.picture.blocks) {
        const auto blocks = block_layout(v.picture);
        const float scale = c.pixels_per_point(), width = static_cast<float>(blocks.width) / scale;
        const auto first = static_cast<std::int64_t>(v.x.from) / 2,
                   last = (static_cast<std::int64_t>(std::ceil(v.x.to)) - 1) / 2;
        const float half = 0.5F * width / static_cast<float>(last - first + 1);  // of a column
        for (int block = 0; block < 2; ++block) {
            const bool sine = (block == 0) != v.rotary();
            const float left = v.plot.x0 + (block == 0 ? 0.0F : static_cast<float>(blocks.second) / scale);
            const canvas::Axis pairs{static_cast<double>(first),
                                     std::max(static_cast<double>(last), static_cast<double>(first) + 0.5),
                                     left + half, left + width - half};
            const std::string_view whole =
                f.format(sine ? "matrix.sines" : "matrix.cosines", fmt::arg("first", ui::integer(s, first)),
                         fmt::arg("last", ui::integer(s, last)));
            const bool fits = small_width(f, whole) <= width;
            canvas::name_axis(c, f.theme.ink_soft, pairs, left + width - 4.0F, y,
                              fits ? whole : std::string_view(sine ? "sin" : "cos"),
                              [&](double pair) { return ui::integer(s, std::llround(pair)); });
        }
        return;
    }
    // The numbers of whole cells in view, each below its middle.
    const double first = std::ceil(v.x.from), last = std::max(std::floor(v.x.to) - 1.0, v.x.from + 1.0);
    const canvas::Axis middles{first, last, v.x(first + 0.5), v.x(last + 0.5)};
    const float widest = small_width(f, ui::integer(s, static_cast<std::int64_t>(last)));
    const auto steps = canvas::spaced_ticks(
        middles, std::clamp(static_cast<int>(v.plot.width() / 64.0F), 2, 10), widest + 10.0F);
    float end = 0.0F;  // of the numbers
    for (const double column : steps.values()) {
        if (column != std::round(column) || column >= v.x.to) continue;
        const std::string_view number = ui::integer(s, static_cast<std::int64_t>(column));
        c.text({v.x(column + 0.5), y}, number, style);
        end = v.x(column + 0.5) + 0.5F * small_width(f, number);
    }
    const std::string_view name = f.text(v.positions_across() ? "matrix.key" : "matrix.dimension");
    const float right = std::max(v.plot.x1 + 60.0F, end + 8.0F + small_width(f, name));
    c.text({right, y}, name, small(f, Align::right));
}

}  // namespace posiscope::figures::matrix
