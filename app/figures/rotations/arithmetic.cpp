// arithmetic.cpp — PE(p + k) = M_k PE(p) of the large clock, in numbers.
#include "app/figures/rotations/rotations.hpp"

namespace posiscope::figures::rotations {
namespace {

using canvas::Align;
using ui::Face;

// One component of PE(p + k) as its two products, head to tail: which input each comes from is its colour.
void draw_products(View& v, Rect row, std::string_view label, std::array<double, 2> products,
                   std::array<ui::Colour, 2> colours) {
    canvas::Canvas& c = v.frame.canvas;
    const ui::Theme& theme = v.frame.theme;
    const float z = v.zoom;
    c.formula({row.x0, row.y0 + 13.0F * z}, label, 14.5F * z, theme.ink_soft);
    row.x0 += 34.0F * z;
    row.cut_right(60.0F * z);
    const canvas::Axis x{-1.3, 1.3, row.x0, row.x1};
    c.line({row.x0, row.y0 + 9.0F * z}, {row.x1, row.y0 + 9.0F * z}, {theme.grid, 1.0F});
    double at = 0.0;
    for (std::size_t i = 0; i < 2; ++i) {
        const float from = x(at), to = x(at + products[i]);
        const float y = row.y0 + (3.0F + 7.0F * static_cast<float>(i)) * z;
        c.fill({std::min(from, to), y, std::max(std::max(from, to), std::min(from, to) + 1.0F), y + 5.0F * z},
               colours[i]);
        at += products[i];
    }
    c.line({x(0.0), row.y0}, {x(0.0), row.y0 + 18.0F * z}, {theme.ink_faint, 1.0F});
    c.line({x(at), row.y0 + 1.0F}, {x(at), row.y0 + 17.0F * z}, {theme.offset, 2.0F});
    c.text({row.x1 + 60.0F * z, row.y0 + 13.5F * z}, ui::fixed(v.frame.scratch, at, 4),
           {theme.ink, 14.5F * z, Face::text, Align::right});
}

struct Numbers {
    explicit Numbers(View& v)
        : check(check_shift(v.encoding, v.step(), v.scene().position, v.scene().offset)),
          p(ui::integer(v.frame.scratch, v.scene().position)),
          q(ui::integer(v.frame.scratch, v.scene().position + v.scene().offset)),
          k(ui::integer(v.frame.scratch, v.scene().offset)) {}

    ShiftCheck check;
    std::string_view p, q, k;

    std::array<double, 2> first() const {
        return {check.block.a * check.before.first, check.block.b * check.before.second};
    }
    std::array<double, 2> second() const {
        return {check.block.c * check.before.first, check.block.d * check.before.second};
    }
};

void tell(View& v, const Numbers& of) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    f.tip.formula =
        v.rotary()
            ? s.format("\\cos {}\\omega = \\cos {}\\omega \\cos {}\\omega − \\sin {}\\omega \\sin {}\\omega",
                       of.q, of.p, of.k, of.p, of.k)
            : s.format("\\sin {}\\omega = \\sin {}\\omega \\cos {}\\omega + \\cos {}\\omega \\sin {}\\omega",
                       of.q, of.p, of.k, of.p, of.k);
    const auto row = [&](double a, double x, double b, double y, double sum) {
        return s.format("{} · {} + {} · {} = {}", ui::fixed(s, a, 3), ui::fixed(s, x, 3), ui::fixed(s, b, 3),
                        ui::fixed(s, y, 3), ui::fixed(s, sum, 6));
    };
    const auto& [before, actual, computed, block] = of.check;
    f.tip.details[0] = row(block.a, before.first, block.b, before.second, computed.first);
    f.tip.details[1] = row(block.c, before.first, block.d, before.second, computed.second);
    f.tip.details[2] =
        f.format("rotations.difference", fmt::arg("error", ui::residual(s, of.check.max_abs_error())));
}

// The computed row beside the actual one, and the products below, as far as there is room.
void draw_more(View& v, Rect area, const Numbers& of) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const ui::Theme& theme = f.theme;
    const float z = v.zoom, row = 19.0F * z;
    const float right = std::min(area.x1, area.x0 + 250.0F * z);
    const std::array<float, 2> column = {right - 85.0F * z, right};
    const int decimals = right - area.x0 < 225.0F * z ? 3 : 6;  // beside the names of the rows
    const std::array<ui::Colour, 2> colours = {v.rotary() ? theme.cosine : theme.sine,
                                               v.rotary() ? theme.sine : theme.cosine};
    const std::array<std::string_view, 2> names = {v.rotary() ? "cos" : "sin", v.rotary() ? "sin" : "cos"};
    const float label = c.text_width(f.text("rotations.computed"), Face::text, 14.5F * z),
                number = c.text_width("−0.000", Face::text, 15.0F * z);
    if (area.height() < 4.0F * row || area.x0 + label + 8.0F * z + number > column[0]) return;
    float y = area.y0 + 14.0F * z;
    for (std::size_t i = 0; i < 2; ++i) {
        const float w = c.text_width(names[i], Face::text, ui::kSmallSize * z);
        c.disc({column[i] - w - 9.0F * z, y - 4.0F * z}, 3.5F * z, colours[i]);
        c.text({column[i], y}, names[i], {theme.ink_soft, ui::kSmallSize * z, Face::text, Align::right});
    }
    const auto& [before, actual, computed, block] = of.check;
    const std::array<std::array<double, 2>, 3> values = {
        {{actual.first, actual.second},
         {computed.first, computed.second},
         {actual.first - computed.first, actual.second - computed.second}}};
    constexpr std::array<std::string_view, 3> rows = {"rotations.actual", "rotations.computed",
                                                      "rotations.error"};
    for (std::size_t r = 0; r < rows.size(); ++r) {
        y += row;
        c.text({area.x0, y}, f.text(rows[r]), {theme.ink_soft, 14.5F * z, Face::text});
        for (std::size_t i = 0; i < 2; ++i)
            c.text({column[i], y},
                   r < 2 ? ui::fixed(s, values[r][i], decimals)
                         : s.format("≤ {}", ui::residual(s, values[r][i])),
                   {theme.ink, 15.0F * z, Face::text, Align::right});
    }
    y += 8.0F * z;
    if (y + 42.0F * z > area.y1) return;
    draw_products(v, {area.x0, y, right, y + 20.0F * z}, s.format("\\{}", names[0]), of.first(), colours);
    draw_products(v, {area.x0, y + 22.0F * z, right, y + 42.0F * z}, s.format("\\{}", names[1]), of.second(),
                  colours);
}

// Draws a formula no wider than that, unless nobody could read it; returns its width. Letters are on whole pixels, and indices
// have a least size: a smaller one is measured again.
float draw_within(canvas::Canvas& c, Point at, std::string_view formula, float size, float width,
                  ui::Colour colour) {
    constexpr float kReadable = 5.0F;
    for (int tries = 0; tries < 4; ++tries) {
        const float wide = ui::lay_out(formula, size, c).width;
        if (wide <= width) break;
        size *= 0.995F * std::max(width, 0.0F) / wide;
        if (size < kReadable) return 0.0F;
    }
    return c.formula(at, formula, size, colour);
}

}  // namespace

void draw_arithmetic(View& v, Rect area) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const Scene& scene = f.scene;
    const std::int64_t to = scene.position + scene.offset;
    const Numbers of(v);
    const auto& [before, actual, computed, block] = of.check;
    const std::string_view name = v.rotary() ? "e" : "PE", map = v.rotary() ? "R" : "M";
    const auto three = [&](double x) { return ui::fixed(s, x, 3); };
    // Large positions would not fit: then as it is in general.
    const bool short_enough = std::max(scene.position, to) < 100000;
    const std::string_view equation =
        short_enough ? s.format("{}({}) = {}_{{{}}}\\,{}({})", name, of.q, map, of.k, name, of.p)
                     : s.format("{}(p+k) = {}_k\\,{}(p)", name, map, name);
    const std::string_view product =
        s.format("\\matrix{{{} \\\\ {}}} = \\matrix{{{} & {} \\\\ {} & {}}} \\matrix{{{} \\\\ {}}}",
                 three(computed.first), three(computed.second), three(block.a), three(block.b),
                 three(block.c), three(block.d), three(before.first), three(before.second));
    const std::string_view error =
        f.format("rotations.difference", fmt::arg("error", ui::residual(s, of.check.max_abs_error())));
    const float z = v.zoom, small = ui::kSmallSize * z, gap = 22.0F * z;
    const float wide = ui::lay_out(product, 16.0F * z, c).width,
                named = ui::lay_out(equation, 17.0F * z, c).width;
    if (f.over(area)) tell(v, of);

    const canvas::Clip clip(c, area.grown(2.0F));
    // One row where there is room across; else the equation above its numbers.
    const float shrink = std::min(1.0F, area.width() / (named + gap + wide));
    if (shrink > 0.86F || area.height() < 76.0F * z) {
        const bool both = shrink > 0.7F;
        const Rect row = area.cut_top(50.0F * z);
        const float y = row.centre().y + 5.0F * z;
        float x = row.x0;
        if (both) x += c.formula({x, y}, equation, 17.0F * z * shrink, f.theme.ink_soft) + gap * shrink;
        x += draw_within(c, {x, y}, product, 16.0F * z, row.x1 - x, f.theme.ink);
        if (x + gap + c.text_width(error, Face::text, small) < row.x1)
            c.text({x + gap, y}, error, {f.theme.ink_soft, small, Face::text});
    } else {
        const Rect head = area.cut_top(28.0F * z), row = area.cut_top(50.0F * z);
        draw_within(c, {head.x0, head.y0 + 18.0F * z}, equation, 17.0F * z, area.width(), f.theme.ink_soft);
        if (head.x0 + named + gap + c.text_width(error, Face::text, small) < head.x1)
            c.text({head.x1, head.y0 + 18.0F * z}, error,
                   {f.theme.ink_soft, small, Face::text, Align::right});
        draw_within(c, {row.x0, row.centre().y + 5.0F * z}, product, 16.0F * z, area.width(), f.theme.ink);
    }
    area.cut_top(4.0F);
    draw_more(v, area, of);
}

void draw_equation(View& v, Rect area) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const Numbers of(v);
    if (f.over(area)) tell(v, of);
    const auto& [before, actual, computed, block] = of.check;
    const auto vector = [&](double first, double second) {
        return s.format("\\matrix{{{} \\\\ {}}}", ui::fixed(s, first, 3), ui::fixed(s, second, 3));
    };
    struct Column {
        std::string_view name, letters, numbers;
    };
    const bool rotary = v.rotary();
    const std::array<Column, 3> columns = {
        {{rotary ? "e(p+k)" : "PE(p+k)",
          rotary ? "\\matrix{\\cos (p+k)\\omega \\\\ \\sin (p+k)\\omega}"
                 : "\\matrix{\\sin (p+k)\\omega \\\\ \\cos (p+k)\\omega}",
          vector(computed.first, computed.second)},
         {rotary ? "R_k" : "M_k",
          rotary ? "\\matrix{\\cos k\\omega & −\\sin k\\omega \\\\ \\sin k\\omega & \\cos k\\omega}"
                 : "\\matrix{\\cos k\\omega & \\sin k\\omega \\\\ −\\sin k\\omega & \\cos k\\omega}",
          s.format("\\matrix{{{} & {} \\\\ {} & {}}}", ui::fixed(s, block.a, 3), ui::fixed(s, block.b, 3),
                   ui::fixed(s, block.c, 3), ui::fixed(s, block.d, 3))},
         {rotary ? "e(p)" : "PE(p)",
          rotary ? "\\matrix{\\cos p\\omega \\\\ \\sin p\\omega}"
                 : "\\matrix{\\sin p\\omega \\\\ \\cos p\\omega}",
          vector(before.first, before.second)}}};

    // In sizes of its letters: between the columns, around the matrix, and from the top to each row.
    constexpr float kEquals = 2.0F, kBeside = 0.9F, kPad = 0.4F;
    constexpr float kName = 1.2F, kLetters = 4.0F, kNumbers = 8.0F, kDots = 10.3F, kHigh = 11.1F,
                    kLeast = 9.0F;
    float size = std::min(20.0F * v.zoom, area.height() / kHigh);
    std::array<float, 3> wide{};
    for (int tries = 0; tries < 4 && size >= kLeast; ++tries) {
        for (std::size_t i = 0; i < columns.size(); ++i)
            wide[i] = std::max(ui::lay_out(columns[i].letters, size, c).width,
                               ui::lay_out(columns[i].numbers, size, c).width);
        const float whole = wide[0] + wide[1] + wide[2] + (kEquals + kBeside) * size;
        if (whole <= area.width()) break;
        size *= 0.995F * area.width() / whole;
    }
    if (size < kLeast) {
        if (area.height() > 36.0F && area.width() > 90.0F) draw_arithmetic(v, area);
        return;
    }
    const float whole = wide[0] + wide[1] + wide[2] + (kEquals + kBeside) * size,
                top = area.centre().y - 0.5F * kHigh * size;
    float x = area.centre().x - 0.5F * whole;
    const std::array<float, 3> after = {kEquals * size, kBeside * size, 0.0F};
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const float middle = x + 0.5F * wide[i];
        if (i == 1)  // the matrix, in which no p is
            c.fill({x - kPad * size, top, x + wide[i] + kPad * size, top + kHigh * size}, f.theme.control,
                   0.4F * size);
        c.formula({middle, top + kName * size}, columns[i].name, size, f.theme.ink_soft, Align::centre);
        c.formula({middle, top + kLetters * size}, columns[i].letters, size, f.theme.ink, Align::centre);
        c.formula({middle, top + kNumbers * size}, columns[i].numbers, size, f.theme.ink, Align::centre);
        if (i != 1)  // the hand that it is of
            c.disc({middle, top + kDots * size}, 0.33F * size, i == 0 ? f.theme.offset : f.theme.ink);
        x += wide[i];
        if (i == 0)
            for (const float row : {kLetters, kNumbers})
                c.formula({x + 0.4F * kEquals * size, top + row * size}, "=", size, f.theme.ink,
                          Align::centre);
        x += after[i];
    }
}

}  // namespace posiscope::figures::rotations
