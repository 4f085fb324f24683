// rotations.cpp — every pair is a clock: a wall of clocks, and one large clock with its arithmetic.
// Sinusoidal points are (sin φ, cos φ), first component to the right and second up, so their hands rotate
// clockwise; rotary points are (cos φ, sin φ) and rotate counter-clockwise. The axes are named on the dial.
#include "app/figures/rotations/rotations.hpp"

#include "app/figures/parts/definition.hpp"
#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/stored.hpp"

namespace posiscope::figures {
namespace {

using canvas::Align;
using rotations::View;
using ui::Face;

// ---- the arithmetic beside it ----------------------------------------------------------------------------------

// One component of PE(p + k) as its two products, head to tail: which input each comes from is its colour.
void draw_products(View& v, Rect row, std::string_view label, std::array<double, 2> products,
                   std::array<ui::Colour, 2> colours) {
    canvas::Canvas& c = v.frame.canvas;
    const ui::Theme& theme = v.frame.theme;
    c.formula({row.x0, row.y0 + 13.0F}, label, 14.5F, theme.ink_soft);
    row.x0 += 34.0F;
    row.cut_right(60.0F);
    const canvas::Axis x{-1.3, 1.3, row.x0, row.x1};
    c.line({row.x0, row.y0 + 9.0F}, {row.x1, row.y0 + 9.0F}, {theme.grid, 1.0F});
    double at = 0.0;
    for (std::size_t i = 0; i < 2; ++i) {
        const float from = x(at), to = x(at + products[i]);
        const float y = row.y0 + 3.0F + 7.0F * static_cast<float>(i);
        c.fill({std::min(from, to), y, std::max(std::max(from, to), std::min(from, to) + 1.0F), y + 5.0F},
               colours[i]);
        at += products[i];
    }
    c.line({x(0.0), row.y0}, {x(0.0), row.y0 + 18.0F}, {theme.ink_faint, 1.0F});
    c.line({x(at), row.y0 + 1.0F}, {x(at), row.y0 + 17.0F}, {theme.offset, 2.0F});
    c.text({row.x1 + 60.0F, row.y0 + 13.5F}, ui::fixed(v.frame.scratch, at, 4),
           {theme.ink, 14.5F, Face::text, Align::right});
}

void draw_arithmetic(View& v, Rect area) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const ui::Theme& theme = f.theme;
    const Scene& scene = f.scene;
    const ShiftCheck check = check_shift(v.encoding, v.step(), scene.position, scene.offset);
    const auto three = [&](double x) { return ui::fixed(s, x, 3); };
    const std::string_view k = ui::integer(s, scene.offset);
    const std::string_view p = ui::integer(s, scene.position),
                           q = ui::integer(s, scene.position + scene.offset);
    const std::string_view name = v.rotary() ? "e" : "PE", map = v.rotary() ? "R" : "M";

    const canvas::Clip clip(c, area.grown(2.0F));
    float y = area.y0 + 14.0F;
    // Large positions would not fit: then as it is in general.
    const bool short_enough = std::max(scene.position, scene.position + scene.offset) < 100000;
    const auto equation = short_enough ? s.format("{}({}) = {}_{{{}}}\\,{}({})", name, q, map, k, name, p)
                                       : s.format("{}(p+k) = {}_k\\,{}(p)", name, map, name);
    const float natural = ui::lay_out(equation, 18.0F, c).width;
    c.formula({area.x0, y}, equation, 18.0F * std::min(1.0F, area.width() / std::max(natural, 1.0F)),
              theme.ink);
    y += 45.0F;
    const auto matrix = s.format("\\matrix{{{} & {} \\\\ {} & {}}} \\matrix{{{} \\\\ {}}}",
                                 three(check.block.a), three(check.block.b), three(check.block.c),
                                 three(check.block.d), three(check.before.first), three(check.before.second));
    const float unscaled = ui::lay_out(matrix, 15.5F, c).width;
    const float size = 15.5F * std::min(1.0F, area.width() / std::max(unscaled, 1.0F));
    const float wide = c.formula({area.x0, y}, matrix, size, theme.ink);
    const auto result =
        s.format("= \\matrix{{{} \\\\ {}}}", three(check.computed.first), three(check.computed.second));
    // The same product in figures, where there is room.
    if (area.x0 + wide + 2.0F + ui::lay_out(result, size, c).width <= area.x1)
        c.formula({area.x0 + wide + 2.0F, y}, result, size, theme.ink);
    y += 46.0F;

    const float right = std::min(area.x1, area.x0 + 232.0F);
    const float column[2] = {right - 80.0F, right};
    const int decimals = right - area.x0 < 220.0F ? 3 : 6;  // beside the names of the rows
    const ui::Colour colours[2] = {v.rotary() ? theme.cosine : theme.sine,
                                   v.rotary() ? theme.sine : theme.cosine};
    const std::string_view names[2] = {v.rotary() ? "cos" : "sin", v.rotary() ? "sin" : "cos"};
    for (int i = 0; i < 2; ++i) {
        const float w = c.text_width(names[i], Face::text, ui::kSmallSize);
        c.disc({column[i] - w - 9.0F, y - 4.0F}, 3.5F, colours[i]);
        c.text({column[i], y}, names[i], {theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
    }
    y += 19.0F;
    const double values[3][2] = {
        {check.actual.first, check.actual.second},
        {check.computed.first, check.computed.second},
        {check.actual.first - check.computed.first, check.actual.second - check.computed.second}};
    constexpr std::string_view kRows[3] = {"rotations.actual", "rotations.computed", "rotations.error"};
    for (int r = 0; r < 3; ++r, y += 19.0F) {
        if (y + 4.0F > area.y1 + 2.0F) break;  // no half of a row
        c.text({area.x0, y}, f.text(kRows[r]), {theme.ink_soft, 14.5F, Face::text});
        for (int i = 0; i < 2; ++i) {
            const std::string_view number = r < 2 ? ui::fixed(s, values[r][i], decimals)
                                                  : s.format("≤ {}", ui::residual(s, values[r][i]));
            c.text({column[i], y}, number, {theme.ink, 15.5F, Face::text, Align::right});
        }
    }

    y += 2.0F;
    const Rect products{area.x0, y, right, y + 44.0F};
    if (products.y1 <= area.y1 + 2.0F) {
        const double a = check.before.first, b = check.before.second;
        draw_products(v, {products.x0, products.y0, products.x1, products.y0 + 20.0F},
                      s.format("\\{}", names[0]), {check.block.a * a, check.block.b * b},
                      {colours[0], colours[1]});
        draw_products(v, {products.x0, products.y0 + 22.0F, products.x1, products.y1},
                      s.format("\\{}", names[1]), {check.block.c * a, check.block.d * b},
                      {colours[0], colours[1]});
        if (f.over(products)) {
            const std::string_view sign = v.rotary() ? "\u2212" : "+";
            f.tip.formula = v.rotary() ? s.format("\\cos {}\\omega = \\cos {}\\omega \\cos {}\\omega {} "
                                                  "\\sin {}\\omega \\sin {}\\omega",
                                                  q, p, k, sign, p, k)
                                       : s.format("\\sin {}\\omega = \\sin {}\\omega \\cos {}\\omega {} "
                                                  "\\cos {}\\omega \\sin {}\\omega",
                                                  q, p, k, sign, p, k);
            f.tip.details[0] =
                s.format("{} · {} + {} · {} = {}", three(check.block.a), three(a), three(check.block.b),
                         three(b), ui::fixed(s, check.computed.first, 6));
            f.tip.details[1] =
                s.format("{} · {} + {} · {} = {}", three(check.block.c), three(a), three(check.block.d),
                         three(b), ui::fixed(s, check.computed.second, 6));
            f.tip.details[2] = f.text("rotations.products");
        }
    }
}

// ---- the figure ------------------------------------------------------------------------------------------------

std::span<const std::string_view> modes(const Scene& scene) {
    static constexpr std::array<std::string_view, 3> all = {"clocks", "definition", "plane"};
    static constexpr std::array<std::string_view, 1> formula = {"definition"};
    return on_unit_circles(scene) ? std::span<const std::string_view>(all) : formula;
}

std::int64_t selected_pair(const Frame& f, const Spectrum& spectrum) {
    return std::min<std::int64_t>(f.scene.pair, static_cast<std::int64_t>(spectrum.pairs()) - 1);
}

// The clock under the mouse in the wall, of which the formula speaks too; else the selected one.
std::int64_t shown_pair(const Frame& f, const Spectrum& spectrum) {
    const bool over = f.mode == "clocks" && f.pointer != nullptr && f.pointer->inside && !f.pointer->down &&
                      !f.link.position;
    if (const auto lit = linked(f, spectrum); over && lit && lit->exact)
        return static_cast<std::int64_t>(lit->pair);
    return selected_pair(f, spectrum);
}

std::string_view headline(Frame& f) {
    const Spectrum* spectrum = circles(f);
    if (f.mode == "definition" || spectrum == nullptr) return rotations::definition_headline(f);
    const auto pair = static_cast<std::size_t>(shown_pair(f, *spectrum));
    if (f.mode == "plane") {
        if (stored_absence(f, f.scene, f.derived) != nullptr) return {};
        View v{f, encoding_of(f.scene), *spectrum, static_cast<std::int64_t>(pair)};
        return rotations::plane_headline(v);
    }
    const double turned = static_cast<double>(f.scene.offset) * spectrum->frequency[pair];
    ui::Scratch& s = f.scratch;
    if (f.scene.offset == 0) return f.text("rotations.headline_still");
    const Spectrum* of_b = f.other != nullptr ? circles(*f.other) : nullptr;
    if (of_b != nullptr && pair < of_b->pairs()) {
        const std::string_view a = ui::significant(s, turned, 4),
                               b = ui::significant(
                                   s, static_cast<double>(f.scene.offset) * of_b->frequency[pair], 4);
        return f.format(a == b ? "rotations.headline_both_same" : "rotations.headline_both",
                        fmt::arg("from", ui::integer(s, f.scene.position)),
                        fmt::arg("to", ui::integer(s, f.scene.position + f.scene.offset)),
                        fmt::arg("pair", pair), fmt::arg("a", a), fmt::arg("b", b));
    }
    return f.format("rotations.headline", fmt::arg("from", ui::integer(s, f.scene.position)),
                    fmt::arg("to", ui::integer(s, f.scene.position + f.scene.offset)),
                    fmt::arg("offset", ui::integer(s, f.scene.offset)), fmt::arg("pair", pair),
                    fmt::arg("angle", ui::significant(s, turned, 4)));
}

// Why there are none: nothing that turns, or pairs that turn in some other way.
void explain_no_clocks(Frame& f, Rect area) {
    if (f.derived.frequencies(f.scene) == nullptr)
        return explain_absence(f, area, "figure.no_angles", "kind", f.scene.encoding.kind);
    explain_no_circles(f, area, "figure.no_circles");
}

void draw(Frame& f, Rect area) {
    if (area.width() < 60.0F) return;
    const Spectrum* spectrum = circles(f);
    if (spectrum == nullptr) {  // the formula, and why there are no clocks
        area.cut_top(8.0F + rotations::draw_definition(f, area, false));
        return explain_no_clocks(f, area);
    }
    if (f.mode == "definition") {
        rotations::draw_definition(f, area, true);
        return;
    }
    View v{f, encoding_of(f.scene), *spectrum, shown_pair(f, *spectrum)};
    if (f.mode == "plane") {
        if (const Problem* problem = stored_absence(f, f.scene, f.derived))
            return explain_absence(f, area, *problem);
        return rotations::draw_plane(v, area);
    }
    View wall{f, v.encoding, *spectrum, selected_pair(f, *spectrum)};
    explain_missing_circles(f, area);
    if (area.height() > 250.0F && area.width() > 220.0F) definition::draw_row(f, area.cut_top(30.0F), 17.0F);

    // Wide: dial and arithmetic on the left, the wall on the right; else the wall below.
    if (area.width() > 1.5F * area.height()) {
        if (area.height() < 360.0F && area.width() > 620.0F) {  // low: all three side by side
            rotations::draw_dial(v, area.cut_left(std::min(area.height() + 30.0F, 0.4F * area.width())));
            area.cut_left(12.0F);
            Rect words = area.cut_left(std::clamp(0.4F * area.width(), 232.0F, 300.0F));
            words.cut_top(std::max(0.0F, 0.5F * (words.height() - 232.0F)));
            draw_arithmetic(v, words);
            area.cut_left(20.0F);
            rotations::draw_wall(wall, area);
            return;
        }
        Rect left = area.cut_left(std::min(0.45F * area.width(), 0.62F * area.height() + 120.0F));
        area.cut_left(24.0F);
        rotations::draw_dial(v, left.cut_top(std::max(120.0F, left.height() - 240.0F)));
        left.cut_top(6.0F);
        draw_arithmetic(v, left);
        rotations::draw_wall(wall, area);
        return;
    }
    constexpr float kArithmetic = 206.0F, kSmallDial = 110.0F, kDownToError = 166.0F, kOneRow = 60.0F;
    const bool tall = area.height() > 2.1F * area.width();
    if (tall || area.width() < kArithmetic + kSmallDial) {  // one under the other
        rotations::draw_dial(v, area.cut_top(std::min((tall ? 0.4F : 0.32F) * area.height(), area.width())));
        if (area.height() > 340.0F) draw_arithmetic(v, area.cut_top(190.0F));
        area.cut_top(4.0F);
        rotations::draw_wall(wall, area);
        return;
    }
    const float least = area.height() > kDownToError + kOneRow ? kDownToError : 150.0F;
    constexpr float kBlock = 232.0F, kBetween = 12.0F;
    const float words = std::clamp(0.44F * area.width(), kArithmetic, 330.0F);
    const float dial_width = std::max(area.width() - words, 0.36F * area.width());
    // No higher than the dial can fill.
    const float most = std::min(420.0F, std::max(kBlock, dial_width - kBetween));
    Rect top = area.cut_top(std::clamp(0.42F * area.height(), std::min(least, area.height()), most));
    area.cut_top(4.0F);
    Rect dial = top.cut_left(dial_width);
    dial.cut_right(kBetween);
    rotations::draw_dial(v, dial);
    top.cut_top(std::max(0.0F, 0.5F * (top.height() - kBlock)));
    draw_arithmetic(v, top);
    rotations::draw_wall(wall, area);
}

std::span<const std::string_view> numbers(std::string_view mode) {
    static constexpr std::array<std::string_view, 1> clocks = {"rotation"};
    static constexpr std::array<std::string_view, 3> formula = {"rotation", "table", "bias"};
    static constexpr std::array<std::string_view, 2> plane = {"chord", "rotation"};
    if (mode == "clocks") return clocks;
    return mode == "plane" ? std::span<const std::string_view>(plane) : formula;
}

}  // namespace

std::optional<View> rotations::view_of_b(const View& v) {
    const Other* other = v.frame.other;
    const Spectrum* spectrum = other != nullptr ? circles(*other) : nullptr;
    if (spectrum == nullptr || v.pair >= static_cast<std::int64_t>(spectrum->pairs())) return std::nullopt;
    return View{v.frame, encoding_of(other->scene), *spectrum, v.pair};
}

void rotations::drag_hand(Frame& f, const Turned& hand, std::string_view handle, Point tip) {
    const bool near = f.pointer != nullptr && length(f.pointer->at - tip) < 12.0F;
    if (!f.drag(handle, near, tip)) return;
    const Point from_centre = f.pointer->at - hand.centre;
    const double angle = std::atan2(-from_centre.y, from_centre.x) / (2.0 * std::numbers::pi);
    if (f.began()) f.grip->value = angle;
    double stepped = angle - f.grip->value;
    stepped -= std::round(stepped);
    f.grip->travel += hand.sense * stepped;
    f.grip->value = angle;
    if (!f.pointer->moved || hand.omega <= 0.0) return;
    const auto by = static_cast<std::int64_t>(
        std::llround(std::clamp(f.grip->travel * 2.0 * std::numbers::pi / hand.omega, -4e9, 4e9)));
    if (handle.starts_with("position")) set_position(f.edit(), f.grip->scene.position + by);
    else set_offset(f.edit(), f.grip->scene.offset + by);
}

extern const Figure kRotations;
const Figure kRotations{
    .id = "rotations",
    .headline = headline,
    .draw = draw,
    .modes = modes,
    .overlays = true,
    .numbers = numbers,
    .applies = on_unit_circles,
};

}  // namespace posiscope::figures
