// positions.cpp — where no pair rotates: how far a format's number may be from a whole position or distance, which is what
// a bias multiplies and a table is indexed by.
#include "app/figures/parts/pair_plot.hpp"
#include "app/figures/parts/patch.hpp"
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

void draw_stairs(Frame& f, Precision format, const canvas::Axis& x, const canvas::Axis& y,
                 canvas::Stroke stroke) {
    auto& points = f.derived.points();
    points.clear();
    for (int bit = 0; bit < 31; ++bit) {
        const double error = position_error(std::int64_t{1} << bit, format);
        if (error == 0.0 || !std::isfinite(error)) continue;
        const float height = y(std::log10(error));
        const double from = std::log10(std::exp2(bit));
        if (points.empty()) points.push_back({x(from), y(kLeast)});
        points.push_back({x(from), height});
        points.push_back({x(std::min(from + std::log10(2.0), kMostPosition)), height});
    }
    if (points.size() < 2) return;
    if (const double end = end_of(format); end < kMostPosition) points.push_back({x(end), y(kMost)});
    f.canvas.polyline(points, stroke);
}

}  // namespace

std::string_view positions_headline(Frame& f) {
    return f.format("precision.headline_positions",
                    fmt::arg("held", ui::integer(f.scratch, held_until(format_of(f)))));
}

void draw_positions(Frame& f, Rect area) {
    const Rect plot{area.x0 + 54.0F, area.y0 + 26.0F, area.x1 - 14.0F, area.y1 - 40.0F};
    const canvas::Axis x{0.0, kMostPosition, plot.x0, plot.x1}, y{kLeast, kMost, plot.y1, plot.y0};
    draw_decades(f, plot, y, f.text("precision.gap_axis"));
    for (int decade = 0; decade <= 9; decade += plot.width() < 300.0F ? 3 : 1) {
        const float at = x(decade);
        f.canvas.line({at, plot.y1}, {at, plot.y1 + 4.0F}, {f.theme.ink_faint, 1.0F});
        f.canvas.formula({at, plot.y1 + 17.0F},
                         decade == 0 ? std::string_view("1") : f.scratch.format("10^{{{}}}", decade), 13.0F,
                         f.theme.ink_soft, Align::centre);
    }
    f.canvas.text({plot.centre().x, plot.y1 + 34.0F}, f.text("precision.axis"),
                  {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::centre});
    {
        const canvas::Clip clip(f.canvas, plot);
        for (const Precision format : precisions())
            if (format != format_of(f)) draw_stairs(f, format, x, y, {f.theme.ink_faint, 1.2F});
        draw_stairs(f, format_of(f), x, y, {f.theme.beyond, 2.2F});
    }
    // float16 has TF32's stairs until it ends. In a low plot the one in use is named, and what keeps clear of it.
    std::array<float, 4> named{};
    std::size_t count = 0;
    const auto name = [&](Precision format) {
        const bool ends = end_of(format) < kMostPosition;
        const Point at =
            ends ? Point{x(end_of(format)) - 5.0F, plot.y0 + 14.0F}
                 : Point{plot.x1 - 4.0F, y(std::log10(position_error(kLastPosition, format))) - 6.0F};
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
    drag_position(f, plot, x, true);
    if (!f.over(plot)) return;
    const auto position =
        std::llround(std::pow(10.0, std::clamp(x.inverse(f.pointer->at.x), 0.0, kMostPosition)));
    ui::Scratch& s = f.scratch;
    f.hovered.position = position;
    f.tip.formula = s.format("p = {}", ui::integer(s, position));
    f.tip.value = f.format("precision.tip_gap",
                           fmt::arg("gap", ui::significant(s, position_error(position, format_of(f)), 3)));
}

}  // namespace posiscope::figures::precision
