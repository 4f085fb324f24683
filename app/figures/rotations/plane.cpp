// plane.cpp — a pair of the table as one complex number: multiplying by e^{iω} rotates it. c_p = e^{∓iωp}, both signs that
// are in use, beside one another; the powers of T = e^{∓iω}; below, for every pair, the chord
// |c_{p+k} − c_p| = 2 |sin(kω/2)| and its linear approximation.
#include "app/figures/rotations/rotations.hpp"

#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/pair_plot.hpp"
#include "app/figures/parts/text.hpp"
#include "app/plot/plot.hpp"
#include "core/attention/identities.hpp"
#include "core/encodings/turning.hpp"

namespace posiscope::figures::rotations {
namespace {

using canvas::Align;
using canvas::Stroke;

// ---- the powers of T -------------------------------------------------------------------------------------------

constexpr std::int64_t kMostPowers = 48;

// The distance of a point from the line between two others.
float distance(Point at, Point from, Point to) {
    const Point along = to - from, off = at - from;
    const float squared = std::max(along.x * along.x + along.y * along.y, 1e-6F);
    const float t = std::clamp((off.x * along.x + off.y * along.y) / squared, 0.0F, 1.0F);
    return length(off - t * along);
}

// In the dial of e^{iφ}: what swaps Re and Im.
std::array<Point, 2> diagonal_of(const Dial& dial) {
    if (dial.sense < 0.0) return {dial.centre, dial.centre};
    return {on_circle(dial.centre, dial.radius, 0.125), on_circle(dial.centre, dial.radius, 0.625)};
}

void draw_powers(View& v, const Dial& dial) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const ui::Theme& theme = f.theme;
    const std::int64_t p = v.scene().position;
    const auto turned = [&](std::int64_t position) { return phase(v.step(), position).turns(); };
    // Every step multiplies by T. A spiral outwards, since the powers come around again.
    const std::int64_t first = std::max<std::int64_t>(0, p - kMostPowers);
    const double once = v.omega() / (2.0 * std::numbers::pi);
    const double begin = turned(first);
    const auto spiral = [&](double n) {  // n powers after the first
        const double along = p > first ? n / static_cast<double>(p - first) : 1.0;
        return on_circle(dial.centre, dial.radius * static_cast<float>(0.42 + 0.5 * along),
                         dial.sense * (begin + n * once));
    };
    if (once < 0.5 && p > first) {
        std::array<Point, 513> points;
        for (std::size_t i = 0; i < points.size(); ++i)
            points[i] = spiral(static_cast<double>(p - first) * static_cast<double>(i) /
                               static_cast<double>(points.size() - 1));
        c.polyline(points, {ui::faded(theme.ink_soft, 0.7F), 1.2F});
    }
    const auto hand = [&](std::int64_t position) { return v.hand(position).turns(); };
    const Point tip_p = dial.at(hand(p)), tip_q = dial.at(hand(p + v.scene().offset));
    if (const Scene* before = f.ghost()) {
        c.circle(dial.at(hand(before->position)), 5.0F, {ui::faded(theme.ink, 0.4F), 1.0F});
        c.circle(dial.at(hand(before->position + before->offset)), 5.0F,
                 {ui::faded(theme.offset, 0.5F), 1.0F});
    }
    if (const auto b = view_of_b(v)) {
        const Scene& other = f.other->scene;
        c.circle(dial.at(b->hand(other.position).turns()), 7.0F, {theme.ink, 1.5F});
        c.circle(dial.at(b->hand(other.position + other.offset).turns()), 7.0F, {theme.offset, 1.5F});
    }
    c.line(tip_p, tip_q, {theme.ink_soft, 1.2F, 3.0F});  // the chord
    c.line(dial.centre, tip_p, {theme.ink, 2.5F});
    c.line(dial.centre, tip_q, {theme.offset, 2.5F});
    handle(f, tip_p, 5.5F, theme.ink);
    handle(f, tip_q, 6.0F, theme.offset);
    for (std::int64_t n = first; n <= p; ++n) {
        const Point at = spiral(static_cast<double>(n - first));
        c.disc(at, 2.6F, theme.ink_soft);
        if (first > 0 || n > 3 || n >= p || dial.radius < 70.0F ||
            once * static_cast<double>(dial.radius) < 5.0)
            continue;
        const std::string_view name = n == 0 ? "1" : n == 1 ? "T" : f.scratch.format("T^{}", n);
        const Point place = at + (12.0F / std::max(length(at - dial.centre), 1.0F)) * (dial.centre - at);
        const std::array<Point, 2> ends[] = {
            {dial.centre, tip_p}, {dial.centre, tip_q}, {tip_p, tip_q}, diagonal_of(dial)};
        if (std::any_of(std::begin(ends), std::end(ends),
                        [&](const auto& line) { return distance(place, line[0], line[1]) < 11.0F; }))
            continue;
        c.formula({place.x, place.y + 4.5F}, name, 13.0F, theme.ink_soft, Align::centre);
    }
}

struct PowersKey {
    Kept<Rates> rates;
    std::int64_t position;
    bool operator==(const PowersKey&) const = default;
};

// |T · T · … · T − e^{−iωp}| of all pairs; none where that is too many products.
std::optional<double> powers_residual(View& v) {
    if (static_cast<double>(v.scene().position) * static_cast<double>(v.spectrum.pairs()) > 0x1p21)
        return std::nullopt;
    return *v.frame.derived.part<Memo<PowersKey, double>>().get(
        {v.frame.derived.rates(v.scene()), v.scene().position},
        [](const PowersKey& key) { return power_residual(**key.rates, key.position); });
}

// ---- the chord of every pair -----------------------------------------------------------------------------------

void draw_chords(View& v, Rect area) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const ui::Theme& theme = f.theme;
    const std::int64_t k = v.scene().offset;
    const auto linear = [&](std::size_t i) {
        return std::abs(radians_over(v.spectrum, i, static_cast<double>(k)));
    };
    // The legend has the values of the pair.
    const auto lit = linked(f, v.spectrum);
    const std::size_t pair = lit ? lit->pair : static_cast<std::size_t>(v.pair);
    const double value = chord(v.spectrum.step[pair], k);
    const std::array legend = {
        plot::Key{s.format("$2|\\sin (k\\omega/2)| = {}$", ui::significant(s, value, 4)), {theme.ink, 2.0F}},
        plot::Key{s.format("$|k|\\omega = {}$", ui::significant(s, linear(pair), 4)),
                  {theme.ink_faint, 1.5F, 4.0F}}};
    const plot::Plot p(f, area, plot::pairs(f, v.spectrum.pairs()), {plot::Kind::linear, 0.0, 2.15}, legend);
    if (!p.has_room()) return;
    const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(p.x.from + 0.5)));
    const auto last = std::min(v.spectrum.pairs(), static_cast<std::size_t>(std::ceil(p.x.to + 0.5)));
    // No more points than pixels: chords of fast pairs change from one pair to the next.
    const std::size_t stride = std::max<std::size_t>(1, (last - first) / 2048),
                      count = (last - first + stride - 1) / stride;
    const auto draw = [&](Stroke stroke, auto height) {
        p.path(count, stroke, [&](std::size_t n) {
            const std::size_t i = first + n * stride;
            return p.at(static_cast<double>(i), height(i));
        });
    };
    draw(legend[1].stroke, [&](std::size_t i) { return std::min(linear(i), 3.0); });
    draw(legend[0].stroke, [&](std::size_t i) { return chord(v.spectrum.step[i], k); });
    zoom_and_pan_pairs(f, p.area, p.x, v.spectrum.pairs());
    const LinkedPair shown = choose_pair(f, p.area, p.x, v.spectrum);
    // The difference of the two positions in this pair, whose length the chord is.
    const Step step = v.spectrum.step[shown.pair];
    const Turn from = phase(step, v.scene().position), to = phase(step, v.scene().position + k);
    p.note(s.format("$PE_{{p{}}} \\,−\\, PE_p = ({}, {})$", ui::signed_integer(s, k),
                    ui::fixed(s, sin(to) - sin(from), 4), ui::fixed(s, cos(to) - cos(from), 4)));
    const auto at = static_cast<double>(shown.pair);
    if (p.shows(at)) f.canvas.disc(p.at(at, chord(step, k)), 4.5F, theme.offset);
    if (!p.over()) return;
    f.tip.formula = s.format("|c_{{p+k}} \\,−\\, c_p| = 2|\\sin (k\\omega_{{{}}}/2)|", shown.pair);
    f.tip.value = s.format("= {}", ui::significant(s, chord(step, k), 6));
    f.tip.details[0] = f.format("plane.linear", fmt::arg("value", ui::significant(s, linear(shown.pair), 6)));
}

// sin φ + i cos φ, the pair read as one complex number in the table's order: not c_p, but i c_p, or i times its conjugate,
// which is the mirror image of c_p at the diagonal.
void draw_as_read(View& v, const Dial& dial) {
    canvas::Canvas& c = v.frame.canvas;
    const ui::Theme& theme = v.frame.theme;
    const Point read = on_circle(dial.centre, dial.radius, 0.25 - v.hand(v.scene().position).turns());
    if (const auto [from, to] = diagonal_of(dial); dial.sense > 0.0)
        c.line(from, to, {theme.ink_faint, 1.0F, 2.0F});
    c.disc(read, 5.0F, theme.tile);
    c.circle(read, 5.0F, {theme.beyond, 1.8F});
    if (v.frame.marks != nullptr)  // where claims point to
        v.frame.marks->push_back({v.frame.figure, dial.sense < 0.0 ? "read_minus" : "read_plus", read});
}

void draw_table_plane(View& v, Rect area) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const bool values = area.height() > 210.0F && area.width() > 330.0F;
    Rect chords{};
    // The dials are as wide as half of the area: what they leave below is the plot's.
    if (area.height() > 380.0F)
        chords = area.cut_bottom(std::clamp(area.height() - 0.5F * area.width() - 70.0F,
                                            0.36F * area.height(), 0.6F * area.height()));
    else if (area.width() > 600.0F) chords = area.cut_right(0.4F * area.width());
    const Rect halves[2] = {area.cut_left(0.5F * area.width()), area};
    for (int side = 0; side < 2; ++side) {
        const Rect half = halves[side];
        Dial dial;
        dial.sense = side == 0 ? -1.0 : 1.0;
        const bool read = values && half.height() > 230.0F;
        dial.radius = std::min(0.5F * half.width() - 24.0F, 0.5F * (half.height() - 34.0F -
                                                                    (read     ? 66.0F
                                                                     : values ? 46.0F
                                                                              : 6.0F)) -
                                                                8.0F);
        if (dial.radius < 14.0F) continue;
        dial.centre = {half.centre().x, half.y0 + 36.0F + dial.radius};
        draw_axes(f, dial, side == 0 ? "c_p = e^{−i\\omega p}" : "c_p = e^{i\\omega p}");
        draw_as_read(v, dial);
        draw_powers(v, dial);
        const Turn angle = phase(v.step(), v.scene().position);
        const Point tip_p = dial.at(v.hand(v.scene().position).turns());
        const Point tip_q = dial.at(v.hand(v.scene().position + v.scene().offset).turns());
        // The same position has two hands: each its own handle.
        drag_hand(f, {dial.centre, v.omega(), dial.sense}, side == 0 ? "offset_minus" : "offset_plus", tip_q);
        drag_hand(f, {dial.centre, v.omega(), dial.sense}, side == 0 ? "position_minus" : "position_plus",
                  tip_p);
        if (!values) continue;
        const float y = dial.centre.y + dial.radius + 30.0F;
        c.formula({dial.centre.x, y},
                  s.format("c_{{{}}} = {}", ui::integer(s, v.scene().position),
                           complex_number(s, cos(angle), dial.sense * sin(angle))),
                  15.0F, f.theme.ink, Align::centre);
        c.formula({dial.centre.x, y + 21.0F},
                  side == 0 ? "(\\sin , \\cos ) = (−\\text{Im}, \\text{Re})"
                            : "(\\sin , \\cos ) = (\\text{Im}, \\text{Re})",
                  14.0F, f.theme.ink_soft, Align::centre);
        if (!read) continue;
        const float width =
            c.formula({dial.centre.x + 7.0F, y + 42.0F},
                      side == 0 ? "\\sin + \\,i \\cos = i\\,c_p" : "\\sin + \\,i \\cos = i\\,c_p^{*}", 14.0F,
                      f.theme.ink_soft, Align::centre);
        c.circle({dial.centre.x - 0.5F * width - 4.0F, y + 37.0F}, 4.0F, {f.theme.beyond, 1.8F});
    }
    if (!chords.empty()) draw_chords(v, chords);
}

}  // namespace

std::string_view complex_number(ui::Scratch& s, double re, double im) {
    return s.format("{} {} {}\\,i", ui::fixed(s, re, 3), im < 0.0 ? "\\,−\\," : "+",
                    ui::fixed(s, std::abs(im), 3));
}

void draw_axes(Frame& f, const Dial& dial, std::string_view name) {
    canvas::Canvas& c = f.canvas;
    const auto [x, y] = dial.centre;
    const float r = dial.radius;
    c.circle(dial.centre, r, {f.theme.ink_faint, 1.2F});
    c.line({x - r - 8.0F, y}, {x + r + 8.0F, y}, {f.theme.grid, 1.0F});
    c.line({x, y - r - 8.0F}, {x, y + r + 8.0F}, {f.theme.grid, 1.0F});
    c.formula({x, y - r - 20.0F}, name, 16.0F, f.theme.ink, Align::centre);
    if (r < 56.0F) return;  // outside of the circle, where no hand comes
    c.text({x + r + 3.0F, y + 15.0F}, "Re", small(f));
    c.text({x + 5.0F, y - r - 4.0F}, "Im", small(f));
}

std::string_view plane_headline(View& v) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    if (v.rotary()) return product_headline(v);
    if (v.scene().position == 0) return f.text("plane.headline_start");
    const ui::Count p = ui::counted(s, v.scene().position);
    const std::string_view power = ui::subscript(s, v.scene().position);
    // T is rounded once, and each product again.
    const auto steps = static_cast<double>(v.scene().position);
    if (const auto residual = powers_residual(v))
        return f.format("plane.headline", fmt::arg("position", p), fmt::arg("power", power),
                        fmt::arg("residual", ui::residual(s, *residual, steps)));
    return f.format("plane.headline_far", fmt::arg("position", p), fmt::arg("power", power));
}

void draw_plane(View& v, Rect area) {
    if (v.rotary()) draw_product(v, area);
    else draw_table_plane(v, area);
}

}  // namespace posiscope::figures::rotations
