// positions.cpp — where no pair rotates: how far a format's number may be from a whole position or distance, which is what
// a bias multiplies and a table is indexed by.
#include "app/figures/parts/text.hpp"
#include "app/figures/precision/precision.hpp"

namespace posiscope::figures::precision {
namespace {

using canvas::Align;
using ui::Face;

constexpr double kLeast = -1.0, kMost = 8.0;  // log₁₀ of positions, up the axis

// The last position up to which a format holds all.
std::int64_t held_until(Precision format) {
    std::int64_t last = 1;
    while (last < kLastPosition / 2 && position_error(2 * last, format) == 0.0) last *= 2;
    return 2 * last;
}

// The largest number of a format: past it there is ∞.
double end_of(Precision format) {
    for (int bit = 0; bit < 31; ++bit)
        if (!std::isfinite(position_error(std::int64_t{1} << bit, format))) return std::log10(std::exp2(bit));
    return kMostPosition;
}

void draw_stairs(const plot::Plot& p, Precision format, canvas::Stroke stroke) {
    auto& points = p.frame.derived.points();
    points.clear();
    for (int bit = 0; bit < 31; ++bit) {
        const double error = position_error(std::int64_t{1} << bit, format);
        if (error == 0.0 || !std::isfinite(error)) continue;
        const double from = std::log10(std::exp2(bit)), height = std::log10(error);
        if (points.empty()) points.push_back(p.at(from, kLeast));
        points.push_back(p.at(from, height));
        points.push_back(p.at(std::min(from + std::log10(2.0), kMostPosition), height));
    }
    if (points.size() < 2) return;
    if (const double end = end_of(format); end < kMostPosition) points.push_back(p.at(end, kMost));
    p.line(points, stroke);
}

}  // namespace

std::string_view positions_headline(Frame& f) {
    return f.format("precision.headline_positions",
                    fmt::arg("held", ui::integer(f.scratch, held_until(format_of(f)))));
}

void draw_positions(Frame& f, Rect area) {
    const plot::Plot p(f, area, {plot::Kind::log, 0.0, kMostPosition, f.text("precision.axis")},
                       {plot::Kind::log, kLeast, kMost, f.text("precision.gap_axis")});
    if (!p.has_room()) return;
    for (const Precision format : precisions())
        if (format != format_of(f)) draw_stairs(p, format, {f.theme.ink_faint, 1.2F});
    draw_stairs(p, format_of(f), {f.theme.beyond, 2.2F});
    // float16 has TF32's stairs until it ends. In a low plot the one in use is named, and what keeps clear of it.
    std::array<float, 4> named{};
    std::size_t count = 0;
    const auto name = [&](Precision format) {
        const bool ends = end_of(format) < kMostPosition;
        const Point at =
            ends ? Point{p.x(end_of(format)) - 5.0F, p.area.y0 + 14.0F}
                 : Point{p.area.x1 - 4.0F, p.y(std::log10(position_error(kLastPosition, format))) - 6.0F};
        const bool near = std::any_of(named.begin(), named.begin() + static_cast<std::ptrdiff_t>(count),
                                      [&](float other) { return std::abs(other - at.y) < 18.0F; });
        if (!ends && near) return;
        if (!ends && count < named.size()) named[count++] = at.y;
        text_on_patch(f, at, f.text(f.scratch.format("figure.precision.mode.{}", precision_name(format))),
                      {format == format_of(f) ? f.theme.ink : f.theme.ink_soft, ui::kSmallSize, Face::text,
                       Align::right});
    };
    name(format_of(f));
    for (const Precision format : precisions())
        if (format != format_of(f)) name(format);
    drag_position(p, true);
    if (!p.over()) return;
    const auto position = std::llround(std::pow(10.0, p.pointed_x()));
    ui::Scratch& s = f.scratch;
    f.hovered.position = position;
    f.tip.formula = s.format("p = {}", ui::integer(s, position));
    f.tip.value = f.format("precision.tip_gap",
                           fmt::arg("gap", ui::significant(s, position_error(position, format_of(f)), 3)));
}

}  // namespace posiscope::figures::precision
