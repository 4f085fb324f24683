// waves.cpp — pairs as waves over the positions, stacked from fast to slow; a row of the matrix is a cut through them.
// Each wave is drawn between the positions too, where the table has no values; dots mark the positions when there is
// room for them. A wave of which two turns would run into each other is drawn as the band that it fills.
#include "app/figures/waves/waves.hpp"

#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/range.hpp"
#include "app/figures/parts/text.hpp"
#include "app/plot/plot.hpp"

#include <numbers>

namespace posiscope::figures {
namespace waves_figure {
namespace {

using canvas::Align;
using ui::Face;

constexpr std::size_t kWaves = 6;
constexpr float kReach = 0.41F;   // of 1, of a band
constexpr double kFastest = 8.0;  // pixels a turn; what is faster is a band
constexpr double kStraight =
    0x1p40;  // pieces a turn; what has more is a straight line, and n + 1 is still not n

AxisRange whole(const Scene& scene) {
    const std::int64_t last =
        std::max({scene.length - 1, scene.position, scene.position + scene.offset, std::int64_t{4}});
    return {0.0, static_cast<double>(last)};
}
constexpr Ranged kRanged{"waves", whole, 0.0, static_cast<double>(kLastPosition), 4.0};

// Pairs spread over the spectrum: the first, the last and the Scene's, then the middle of the widest gap.
struct Chosen {
    std::array<std::size_t, kWaves> pair{};
    std::size_t count = 0;
};
Chosen choose(std::size_t pairs, std::size_t own) {
    Chosen chosen;
    const auto add = [&](std::size_t pair) {
        const auto end = chosen.pair.begin() + static_cast<std::ptrdiff_t>(chosen.count);
        const auto place = std::lower_bound(chosen.pair.begin(), end, pair);
        if (place != end && *place == pair) return;
        std::copy_backward(place, end, end + 1);
        *place = pair;
        ++chosen.count;
    };
    add(0);
    add(pairs - 1);
    add(own);
    while (chosen.count < std::min(pairs, kWaves)) {
        std::size_t widest = 0, from = 0;
        for (std::size_t i = 0; i + 1 < chosen.count; ++i)
            if (const std::size_t gap = chosen.pair[i + 1] - chosen.pair[i]; gap > widest) {
                widest = gap;
                from = chosen.pair[i];
            }
        add(from + widest / 2);
    }
    return chosen;
}

struct View {
    Frame& frame;
    const Encoding& encoding;
    const Spectrum& spectrum;
    canvas::Axis x;
    Rect plot{};

    std::size_t pair() const {
        return std::min(static_cast<std::size_t>(frame.scene.pair), spectrum.pairs() - 1);
    }
    const Spectrum* other() const { return frame.other != nullptr ? circles(*frame.other) : nullptr; }
    // The larger amplitude: A's waves and B's have one scale.
    double largest() const {
        const double size = spectrum.attention_factor;
        return other() != nullptr ? std::max(size, other()->attention_factor) : size;
    }
    double pixels_a_position() const {
        return static_cast<double>(plot.width() * frame.canvas.pixels_per_point()) / (x.to - x.from);
    }
    bool too_fast(double frequency) const {
        return 2.0 * std::numbers::pi / frequency * pixels_a_position() < kFastest;
    }
};

// One wave of a pair: its phase at a whole position is exact, from there to the next few it is ω a position. Its points
// stand at the same phases in every turn, so that every crest is drawn as high as it is.
void draw_wave(View& v, const Spectrum& spectrum, std::size_t pair, const canvas::Axis& y, bool cosine,
               canvas::Stroke stroke) {
    const double turns_a_position = spectrum.frequency[pair] / (2.0 * std::numbers::pi);
    const auto origin = static_cast<std::int64_t>(std::floor(v.x.from));
    const double start = phase(spectrum.step[pair], origin).turns() + (cosine ? 0.25 : 0.0);
    const auto turns_at = [&](double at) {
        return start + turns_a_position * (at - static_cast<double>(origin));
    };
    std::vector<Point>& points = v.frame.derived.points();
    points.clear();
    const auto add = [&](double at, double turns) {
        points.push_back({v.x(at), y(spectrum.attention_factor * std::sin(2.0 * std::numbers::pi * turns))});
    };
    const double from = turns_at(v.x.from), to = turns_at(v.x.to);
    // A dozen points a turn; a slow wave is nearly straight between eight pixels.
    const double a_turn = 4.0 * std::ceil(std::max(3.0, v.pixels_a_position() / turns_a_position / 32.0));
    add(v.x.from, from);
    if (a_turn < kStraight)
        for (double n = std::floor(from * a_turn) + 1.0; n < to * a_turn; n += 1.0)
            add(static_cast<double>(origin) + (n / a_turn - start) / turns_a_position, n / a_turn);
    add(v.x.to, to);
    v.frame.canvas.polyline(points, stroke);
}

// The value that a cache stores: with the attention factor.
double value_of(const Spectrum& spectrum, Turn turn, bool cosine) {
    return spectrum.attention_factor * (cosine ? cos(turn) : sin(turn));
}
double value_at(const Spectrum& spectrum, std::size_t pair, std::int64_t position, bool cosine) {
    return value_of(spectrum, phase(spectrum.step[pair], position), cosine);
}

void draw_band(View& v, Rect band, std::size_t pair) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const ui::Theme& theme = f.theme;
    const float middle = band.centre().y, reach = kReach * band.height();
    const Spectrum* other = v.other();
    const double size = v.spectrum.attention_factor;
    const canvas::Axis y{-v.largest(), v.largest(), middle + reach, middle - reach};
    c.line({band.x0, middle}, {band.x1, middle}, {theme.grid, 1.0F});
    {
        const canvas::Clip clip(c, {band.x0, band.y0, band.x1, band.y1});
        if (v.too_fast(v.spectrum.frequency[pair])) {
            c.fill({band.x0, y(size), band.x1, y(-size)}, ui::faded(theme.sine, 0.28F));
            for (const double edge : {size, -size})
                c.line({band.x0, y(edge)}, {band.x1, y(edge)}, {theme.sine, 1.0F});
            const std::string_view words = f.format("waves.too_fast", fmt::arg("pixels", kFastest));
            const float width = small_width(f, words);
            // At the right if neither position is there, else at the left.
            const auto is_free = [&](float left) {
                for (const std::int64_t position : {f.scene.position, f.scene.position + f.scene.offset})
                    if (const float at = v.x(static_cast<double>(position));
                        at > left - 8.0F && at < left + width + 8.0F)
                        return false;
                return true;
            };
            float left = band.x1 - 6.0F - width;
            if (!is_free(left)) left = band.x0 + 6.0F;
            if (is_free(left)) {
                text_on_patch(f, {left, middle + 4.0F}, words, small(f));
            }
        } else {
            if (other != nullptr && pair < other->pairs() && v.too_fast(other->frequency[pair]))
                for (const double edge : {other->attention_factor, -other->attention_factor})
                    c.line({band.x0, y(edge)}, {band.x1, y(edge)}, {theme.ink, 1.0F});
            else if (other != nullptr && pair < other->pairs())
                for (const bool cosine : {true, false})
                    draw_wave(v, *other, pair, y, cosine, {theme.ink, 1.0F, cosine ? 4.0F : 0.0F});
            draw_wave(v, v.spectrum, pair, y, true, {theme.cosine, 1.6F, 4.0F});
            draw_wave(v, v.spectrum, pair, y, false, {theme.sine, 1.6F});
            const double spacing = v.pixels_a_position() / static_cast<double>(c.pixels_per_point());
            if (spacing >= 9.0)
                for (auto p = static_cast<std::int64_t>(std::ceil(v.x.from));
                     static_cast<double>(p) <= v.x.to; ++p)
                    for (const bool cosine : {true, false})
                        c.disc({v.x(static_cast<double>(p)), y(value_at(v.spectrum, pair, p, cosine))}, 1.9F,
                               cosine ? theme.cosine : theme.sine);
        }
    }
    // The amounts that the two cuts take from it.
    if (!marked(f)) return;
    for (const bool second : {false, true}) {
        const std::int64_t position = f.scene.position + (second ? f.scene.offset : 0);
        const double at = static_cast<double>(position) + f.fractional_position;
        if (at < v.x.from || at > v.x.to) continue;
        for (const bool cosine : {true, false}) {
            const Turn turn = f.moving(phase(v.spectrum.step[pair], position), v.spectrum.frequency[pair]);
            const Point mark{v.x(at), y(value_of(v.spectrum, turn, cosine))};
            c.disc(mark, 5.0F, second ? theme.offset : theme.ink);
            c.disc(mark, 3.0F, cosine ? theme.cosine : theme.sine);
        }
    }
}

// Names the pair, with its colour and its wavelength.
void name_band(View& v, Rect band, std::size_t pair, bool lit, bool exact) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const auto pairs = v.spectrum.pairs();
    const double fraction = pairs > 1 ? static_cast<double>(pair) / static_cast<double>(pairs - 1) : 0.0;
    const bool wavelength = band.height() >= 34.0F;
    const float y = band.centre().y + (wavelength ? -3.0F : 5.0F);
    c.disc({band.x0 + 5.0F, y - 5.0F}, 5.0F, ui::pair_colour(f.theme, fraction));
    c.text({band.x0 + 16.0F, y},
           f.format("waves.pair", fmt::arg("pair", ui::integer(s, static_cast<std::int64_t>(pair)))),
           {f.theme.ink, 14.5F, pair == v.pair() && marked(f) ? Face::strong : Face::text});
    if (wavelength)
        c.formula({band.x0 + 16.0F, y + 17.0F},
                  s.format("\\lambda = {}",
                           ui::significant(s, 2.0 * std::numbers::pi / v.spectrum.frequency[pair], 4)),
                  14.0F, f.theme.ink_soft);
    if (lit)
        c.outline({band.x0 - 4.0F, band.centre().y - 21.0F, band.x1 - 8.0F, band.centre().y + 21.0F},
                  {f.theme.ink_soft, 1.0F, exact ? 0.0F : 3.0F});
}

void write_values(View& v, Rect band, std::size_t pair) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const float half = 0.5F * band.width();
    for (const bool cosine : {false, true}) {
        const float y = band.centre().y + (cosine ? 17.0F : 1.0F) - 4.0F;
        c.disc({band.x0 + 2.0F, y - 4.5F}, 3.5F, cosine ? f.theme.cosine : f.theme.sine);
        for (const bool second : {false, true})
            c.text({band.x0 + (second ? 2.0F : 1.0F) * half, y},
                   ui::fixed(
                       f.scratch,
                       value_at(v.spectrum, pair, f.scene.position + (second ? f.scene.offset : 0), cosine),
                       3),
                   {f.theme.ink, 14.0F, Face::text, Align::right});
    }
}

// The two cuts, and their handles: anywhere along them.
void draw_cuts(View& v, Rect names) {
    Frame& f = v.frame;
    if (!marked(f)) return;
    canvas::Canvas& c = f.canvas;
    const ui::Theme& theme = f.theme;
    const auto visible = [&](std::int64_t position) {
        return static_cast<double>(position) >= v.x.from && static_cast<double>(position) <= v.x.to;
    };
    const auto place = [&](std::int64_t position) {
        return v.x(std::clamp(static_cast<double>(position) + f.fractional_position, v.x.from, v.x.to));
    };
    const auto cut = [&](std::int64_t position, ui::Colour colour, float width) {
        if (visible(position))
            c.line({place(position), v.plot.y0 - 4.0F}, {place(position), v.plot.y1}, {colour, width});
    };
    const std::int64_t p = f.scene.position, q = p + f.scene.offset;
    if (f.link.position) cut(*f.link.position, theme.ink_faint, 1.0F);
    if (const Scene* before = f.ghost()) {
        cut(before->position, ui::faded(theme.ink, 0.35F), 1.0F);
        cut(before->position + before->offset, ui::faded(theme.offset, 0.5F), 1.0F);
    }
    cut(p, theme.ink, 1.6F);
    cut(q, theme.offset, 1.6F);
    const Point at_p{place(p), v.plot.y0 - 6.0F}, at_q{place(q), v.plot.y0 - 6.0F};
    if (visible(p)) handle(f, at_p, 5.5F, theme.ink);
    if (visible(q)) handle(f, at_q, 5.5F, theme.offset);
    name_positions(f, at_p.x, at_q.x, names.x0, names.x1, v.plot.y0 - 19.0F);

    const Rect along = {v.plot.x0 - 8.0F, v.plot.y0 - 14.0F, v.plot.x1 + 8.0F, v.plot.y1};
    const float from_p = f.pointer != nullptr ? std::abs(f.pointer->at.x - at_p.x) : 1e9F,
                from_q = f.pointer != nullptr ? std::abs(f.pointer->at.x - at_q.x) : 1e9F;
    const bool over = f.over(along);
    const auto wanted = [&] {
        return std::llround(std::clamp(v.x.inverse(f.pointer->at.x), v.x.from, v.x.to));
    };
    if (f.drag("offset", over && visible(q) && from_q < 7.0F && from_q <= from_p, at_q, Cursor::horizontal) &&
        f.pointer->moved)
        set_offset(f.edit(), wanted() - f.drag_state->scene.position);
    if (f.drag("position", over && visible(p) && from_p < 7.0F, at_p, Cursor::horizontal) &&
        f.pointer->moved) {
        set_position(f.edit(), wanted());
        set_offset(f.edit(), f.drag_state->scene.offset);
    }
}

void hover(View& v, Rect band, std::size_t pair) {
    Frame& f = v.frame;
    if (!f.over({band.x0, band.y0, v.plot.x1, band.y1})) return;
    ui::Scratch& s = f.scratch;
    const double omega = v.spectrum.frequency[pair];
    f.hovered.frequency = omega;
    const std::string_view pair_words = words_of_pair(f, pair, omega);
    if (f.pointer->at.x < v.plot.x0) {
        f.tip.formula = s.format("\\omega_{{{}}} = {}", pair, ui::significant(s, omega, 6));
        f.tip.details[0] = pair_words;
        f.cursor = Cursor::hand;
        if (f.clicked(band)) f.edit().pair = static_cast<std::int64_t>(pair);
        return;
    }
    const std::int64_t p =
        std::clamp<std::int64_t>(std::llround(v.x.inverse(f.pointer->at.x)), 0, kLastPosition);
    f.hovered.position = p;
    const double angle = static_cast<double>(p) * omega;
    f.tip.formula = s.format("{2}\\sin ({0} \\omega_{{{1}}}), {2}\\cos ({0} \\omega_{{{1}}})",
                             ui::integer(s, p), pair, times(s, v.spectrum.attention_factor));
    f.tip.value = s.format("= {}, {}", ui::fixed(s, value_at(v.spectrum, pair, p, false), 6),
                           ui::fixed(s, value_at(v.spectrum, pair, p, true), 6));
    f.tip.details[0] = pair_words;
    f.tip.details[1] = words_of_angle(f, angle);
    if (f.clicked(v.plot)) f.edit().pair = static_cast<std::int64_t>(pair);
}

std::span<const std::string_view> modes(const Scene& scene) {
    static constexpr std::array<std::string_view, 2> all = {"waves", "fourier"};
    return std::span(all).first(on_unit_circles(scene) ? 2 : 1);
}

std::string_view headline(Frame& f) {
    const Spectrum* spectrum = circles(f);
    if (spectrum == nullptr) return {};
    if (f.mode == "fourier") return waves::fourier_headline(f);
    ui::Scratch& s = f.scratch;
    const std::size_t pair = std::min(static_cast<std::size_t>(f.scene.pair), spectrum->pairs() - 1);
    const bool rotary = encoding_of(f.scene).acts == Acts::query_key;
    return f.format(
        rotary ? "waves.headline_rotary" : "waves.headline",
        fmt::arg("position", ui::integer(s, f.scene.position)), fmt::arg("pair", pair),
        fmt::arg("wavelength", ui::significant(s, 2.0 * std::numbers::pi / spectrum->frequency[pair], 4)),
        fmt::arg("sine", ui::fixed(s, value_at(*spectrum, pair, f.scene.position, false), 3)),
        fmt::arg("cosine", ui::fixed(s, value_at(*spectrum, pair, f.scene.position, true), 3)));
}

void draw(Frame& f, Rect area) {
    const Spectrum* spectrum = circles(f);
    if (spectrum == nullptr) return explain_no_circles(f, area, "figure.no_waves");
    if (area.width() < 200.0F || area.height() < 110.0F) return;
    if (f.mode == "fourier") return waves::draw_fourier(f, area);
    explain_missing_circles(f, area);
    canvas::Canvas& c = f.canvas;
    const ui::Theme& theme = f.theme;
    ui::Scratch& s = f.scratch;
    const AxisRange range = range_of(kRanged, f.scene);
    View v{f, encoding_of(f.scene), *spectrum, {range.from, range.to}};

    const bool values = area.width() > 520.0F;
    const Rect names = area;
    const Rect left{area.x0, area.y0 + 40.0F, area.x0 + 112.0F, area.y1 - 38.0F};
    const Rect right{area.x1 - 122.0F, left.y0, area.x1, left.y1};
    v.plot = {left.x1, left.y0, values ? right.x0 - 22.0F : area.x1 - 10.0F, left.y1};
    v.x.at_from = v.plot.x0;
    v.x.at_to = v.plot.x1;

    const Chosen chosen = choose(spectrum->pairs(), v.pair());
    const float height = v.plot.height() / static_cast<float>(chosen.count);
    const auto band_of = [&](const Rect& column, std::size_t i) {
        const float y = v.plot.y0 + height * static_cast<float>(i);
        return Rect{column.x0, y, column.x1, y + height};
    };
    const auto lit = linked(f, *spectrum);
    for (std::size_t i = 0; i < chosen.count; ++i) {
        const std::size_t pair = chosen.pair[i];
        if (pair == v.pair() && chosen.count > 1 && marked(f))
            c.fill({left.x0 - 6.0F, band_of(left, i).y0, values ? right.x1 : v.plot.x1, band_of(left, i).y1},
                   ui::faded(theme.control, 0.55F), 5.0F);
        name_band(v, band_of(left, i), pair, lit && lit->pair == pair, lit && lit->exact);
        if (values) write_values(v, band_of(right, i), pair);
    }
    if (values)
        for (const bool second : {false, true}) {
            const std::int64_t at = f.scene.position + (second ? f.scene.offset : 0);
            const bool short_enough = at < 100000;
            c.formula({right.x0 + (second ? 1.0F : 0.5F) * right.width(), right.y0 - 19.0F},
                      short_enough ? ui::integer(s, at) : std::string_view(second ? "p + k" : "p"), 15.0F,
                      second ? theme.offset : theme.ink, Align::right);
        }
    plot::number_across(f, v.plot, v.x, {.kind = plot::Kind::whole, .name = f.text("waves.position")});
    const std::array<plot::Key, 2> legend = {
        {{"sin", {theme.sine, 2.0F}}, {"cos", {theme.cosine, 2.0F, 4.0F}}}};
    plot::draw_legend(f, {area.x0, v.plot.y1, left.x1, v.plot.y1 + 39.0F}, legend, Align::left);
    for (std::size_t i = 0; i < chosen.count; ++i) draw_band(v, band_of(v.plot, i), chosen.pair[i]);
    if (const Rect band = band_of(v.plot, 0); height >= 36.0F)  // the scale, which is that of all bands
        for (const int value : {1, 0, -1})
            c.text({v.plot.x0 - 5.0F,
                    std::clamp(band.centre().y - static_cast<float>(value) * kReach * height + 4.0F,
                               band.y0 + 12.0F, band.y1 - 2.0F)},
                   value == 0 || v.largest() == 1.0 ? ui::integer(s, value)
                                                    : ui::significant(s, value * v.largest(), 3),
                   {theme.ink_faint, ui::kSmallSize, Face::text, Align::right});
    draw_cuts(v, {names.x0, names.y0, values ? right.x0 - 10.0F : names.x1, names.y1});
    zoom_and_pan(f, kRanged, v.plot, v.x);
    for (std::size_t i = 0; i < chosen.count; ++i) hover(v, band_of(left, i), chosen.pair[i]);
}

std::span<const std::string_view> numbers(std::string_view mode) {
    static constexpr std::array<std::string_view, 2> names = {"table", "cache"};
    static constexpr std::array<std::string_view, 2> series = {"fourier", "frequencies"};
    return mode == "fourier" ? series : names;
}

}  // namespace
}  // namespace waves_figure

extern const Figure kWaves{
    .id = "waves",
    .headline = waves_figure::headline,
    .draw = waves_figure::draw,
    .modes = waves_figure::modes,
    .overlays = true,
    .numbers = waves_figure::numbers,
    .applies = on_unit_circles,
};

}  // namespace posiscope::figures
