#include "app/canvas/canvas.hpp"

#include <array>

namespace posiscope::canvas {
namespace {

// An arc as a polyline in its own buffer; 128 points are smooth on any screen.
using ArcPoints = std::array<Point, 129>;

std::span<const Point> arc_points(ArcPoints& points, Point centre, float radius, double from, double turned) {
    const auto segments = static_cast<int>(std::clamp(std::abs(turned) * 96.0 + 2.0, 2.0, 128.0));
    for (int i = 0; i <= segments; ++i)
        points[static_cast<std::size_t>(i)] = on_circle(centre, radius, from + turned * i / segments);
    return std::span(points).first(static_cast<std::size_t>(segments) + 1);
}

}  // namespace

void Canvas::line(Point a, Point b, Stroke stroke) {
    const std::array points = {a, b};
    polyline(points, stroke);
}

void Canvas::outline(Rect r, Stroke stroke) {
    const std::array points = {Point{r.x0, r.y0}, Point{r.x1, r.y0}, Point{r.x1, r.y1}, Point{r.x0, r.y1}};
    polyline(points, stroke, true);
}

void Canvas::arc(Point centre, float radius, double from, double turned, Stroke stroke) {
    ArcPoints points;
    polyline(arc_points(points, centre, radius, from, turned), stroke);
}

void Canvas::sector(Point centre, float radius, double from, double turned, Colour colour) {
    // Halves, so that each is convex.
    const int parts = std::abs(turned) > 0.5 ? 2 : 1;
    for (int part = 0; part < parts; ++part) {
        std::array<Point, 130> points;
        points[0] = centre;
        ArcPoints along;
        const auto rim = arc_points(along, centre, radius, from + turned * part / parts, turned / parts);
        std::copy(rim.begin(), rim.end(), points.begin() + 1);
        polygon(std::span(points).first(rim.size() + 1), colour);
    }
}

void Canvas::knob(Point centre, float radius, Colour colour, Colour background) {
    disc(centre, radius + 2.0F, background);
    disc(centre, radius, colour);
}

float Canvas::formula(Point at, std::string_view formula, float size, Colour colour, Align align) {
    const ui::FormulaBox box = ui::lay_out(formula, size, *this);
    if (align == Align::centre) at.x -= 0.5F * box.width;
    if (align == Align::right) at.x -= box.width;
    for (const ui::FormulaRun& run : box.runs) text(at + run.at, run.text, {colour, run.size, run.face});
    for (const Rect& r : box.rules) fill({r.x0 + at.x, r.y0 + at.y, r.x1 + at.x, r.y1 + at.y}, colour);
    return box.width;
}

void Canvas::line_of_text(Point at, std::string_view line, TextStyle style, ui::Numbers numbers) {
    ui::set_line(*this, line, style.face, style.size, numbers,
                 [&](float x, float drop, std::string_view piece, Face face, float size) {
                     text({at.x + x, at.y + drop}, piece, {style.colour, size, face});
                 });
}

float Canvas::paragraph(Point top_left, std::string_view words, TextStyle style, float width) {
    const float line_height = 1.4F * style.size;
    float y = top_left.y;
    while (!words.empty()) {
        const std::size_t end = ui::line_end(*this, words, style.face, style.size, width);
        std::string_view one = words.substr(0, end);
        while (one.ends_with(' ')) one.remove_suffix(1);
        line_of_text({top_left.x, y + 1.05F * style.size}, one, style);
        words.remove_prefix(end);
        y += line_height;
    }
    return y - top_left.y;
}

}  // namespace posiscope::canvas
