#include "app/canvas/vector/vector.hpp"

#include "app/canvas/part.hpp"
#include "core/scene/words.hpp"

#include <algorithm>
#include <cairo.h>
#include <cmath>
#include <numbers>

namespace posiscope::canvas {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

double d(float v) { return static_cast<double>(v); }

bool goes_far(std::span<const Point> points) {
    constexpr float kFar = 16384.0F;
    return std::any_of(points.begin(), points.end(),
                       [](Point p) { return std::max(std::abs(p.x), std::abs(p.y)) > kFar; });
}

// Cuts a long line to the surroundings of the clip: Cairo makes every dash, and its numbers end at 2^23.
void path_about_clip(cairo_t* cairo, std::span<const Point> points, bool closed) {
    constexpr float kAround = 64.0F;
    double x0 = 0.0, y0 = 0.0, x1 = 0.0, y1 = 0.0;
    cairo_clip_extents(cairo, &x0, &y0, &x1, &y1);
    const Rect seen =
        Rect{static_cast<float>(x0), static_cast<float>(y0), static_cast<float>(x1), static_cast<float>(y1)}
            .grown(kAround);
    cairo_new_path(cairo);
    bool joined = false;
    for (std::size_t i = 0; i + (closed ? 0 : 1) < points.size(); ++i) {
        const Point a = points[i], b = points[(i + 1) % points.size()];
        const Part part = part_in(seen, a, b);
        const auto go = [&](auto to, double at) {
            to(cairo, d(a.x) + at * (d(b.x) - d(a.x)), d(a.y) + at * (d(b.y) - d(a.y)));
        };
        const bool there = part.from < part.to;
        if (there && !(joined && part.from == 0.0)) go(cairo_move_to, part.from);
        if (there) go(cairo_line_to, part.to);
        joined = there && part.to == 1.0;
    }
}

}  // namespace

void Vector::colour(Colour c, float alpha) {
    const auto channel = [&](int shift) { return static_cast<double>((c >> shift) & 0xffU) / 255.0; };
    cairo_set_source_rgba(cairo_, channel(0), channel(8), channel(16), channel(24) * d(alpha));
}

void Vector::path(std::span<const Point> points, bool closed) {
    cairo_new_path(cairo_);
    for (const Point p : points) cairo_line_to(cairo_, d(p.x), d(p.y));
    if (closed) cairo_close_path(cairo_);
}

// Adjacent rectangles are collected: viewers smooth every edge, and the background would show between two that only
// touch. Those of one colour become one path; under one of another colour the previous one is extended a little.
void Vector::fill(Rect r, Colour c, float rounding) {
    const double radius = std::min({d(rounding), 0.5 * d(r.width()), 0.5 * d(r.height())});
    if (radius <= 0.0) {
        if (!waiting_.empty() && !joins(r, c)) flush();
        waiting_.push_back(r);
        waiting_colour_ = c;
        return;
    }
    flush();
    cairo_new_path(cairo_);
    cairo_arc(cairo_, d(r.x1) - radius, d(r.y0) + radius, radius, -0.25 * kTurn, 0.0);
    cairo_arc(cairo_, d(r.x1) - radius, d(r.y1) - radius, radius, 0.0, 0.25 * kTurn);
    cairo_arc(cairo_, d(r.x0) + radius, d(r.y1) - radius, radius, 0.25 * kTurn, 0.5 * kTurn);
    cairo_arc(cairo_, d(r.x0) + radius, d(r.y0) + radius, radius, 0.5 * kTurn, 0.75 * kTurn);
    cairo_close_path(cairo_);
    colour(c);
    cairo_fill(cairo_);
}

// True if it joins the collected path.
bool Vector::joins(Rect r, Colour c) {
    constexpr float same = 1e-3F, under = 1.0F;
    Rect& last = waiting_.back();
    const auto meet = [](float a, float b) { return std::abs(a - b) < same; };
    const bool right = meet(last.x1, r.x0), left = meet(last.x0, r.x1), below = meet(last.y1, r.y0),
               above = meet(last.y0, r.y1);
    if (c == waiting_colour_)
        return ((right || left) && r.y0 < last.y1 && last.y0 < r.y1) ||
               ((below || above) && r.x0 < last.x1 && last.x0 < r.x1);
    if (c >> 24U != 0xffU) return false;
    if (r.y0 <= last.y0 + same && last.y1 <= r.y1 + same) {
        if (right) last.x1 += std::min(under, r.width());
        else if (left) last.x0 -= std::min(under, r.width());
    } else if (r.x0 <= last.x0 + same && last.x1 <= r.x1 + same) {
        if (below) last.y1 += std::min(under, r.height());
        else if (above) last.y0 -= std::min(under, r.height());
    }
    return false;
}

void Vector::flush() {
    if (waiting_.empty()) return;
    cairo_new_path(cairo_);
    for (const Rect& r : waiting_) cairo_rectangle(cairo_, d(r.x0), d(r.y0), d(r.width()), d(r.height()));
    colour(waiting_colour_);
    cairo_fill(cairo_);
    waiting_.clear();
}

void Vector::polyline(std::span<const Point> points, Stroke stroke, bool closed) {
    if (points.size() < 2) return;
    flush();
    stroke.width *= line_weight_;
    goes_far(points) ? path_about_clip(cairo_, points, closed) : path(points, closed);
    colour(stroke.colour);
    cairo_set_line_width(cairo_, d(stroke.width));
    cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_BUTT);
    // A curve may turn sharply; corners of frames stay corners.
    cairo_set_line_join(cairo_, closed ? CAIRO_LINE_JOIN_MITER : CAIRO_LINE_JOIN_ROUND);
    const double dash = d(stroke.dash);
    cairo_set_dash(cairo_, &dash, dash > 0.0 ? 1 : 0, 0.0);
    cairo_stroke(cairo_);
    cairo_set_dash(cairo_, nullptr, 0, 0.0);
}

void Vector::polygon(std::span<const Point> points, Colour c) {
    flush();
    path(points, true);
    colour(c);
    cairo_fill(cairo_);
}

void Vector::disc(Point centre, float radius, Colour c) {
    flush();
    cairo_new_path(cairo_);
    cairo_arc(cairo_, d(centre.x), d(centre.y), d(radius), 0.0, kTurn);
    colour(c);
    cairo_fill(cairo_);
}

void Vector::circle(Point centre, float radius, Stroke stroke) {
    stroke.width *= line_weight_;
    ring(centre, radius, stroke);
}

void Vector::ring(Point centre, float radius, Stroke stroke) {
    flush();
    cairo_new_path(cairo_);
    cairo_arc(cairo_, d(centre.x), d(centre.y), d(radius), 0.0, kTurn);
    cairo_close_path(cairo_);
    colour(stroke.colour);
    cairo_set_line_width(cairo_, d(stroke.width));
    cairo_stroke(cairo_);
}

// A slice of a disc as a path; turns run counter-clockwise.
void Vector::slice(Point centre, float radius, double from, double turned) {
    flush();
    cairo_new_path(cairo_);
    cairo_move_to(cairo_, d(centre.x), d(centre.y));
    const auto arc = turned > 0.0 ? cairo_arc_negative : cairo_arc;
    arc(cairo_, d(centre.x), d(centre.y), d(radius), -kTurn * from, -kTurn * (from + turned));
    cairo_close_path(cairo_);
}

void Vector::sector(Point centre, float radius, double from, double turned, Colour c) {
    slice(centre, radius, from, turned);
    colour(c);
    cairo_fill(cairo_);
}

void Vector::push_clip(Rect r) {
    flush();
    cairo_save(cairo_);
    cairo_new_path(cairo_);
    cairo_rectangle(cairo_, d(r.x0), d(r.y0), d(r.width()), d(r.height()));
    cairo_clip(cairo_);
}

void Vector::pop_clip() {
    flush();
    cairo_restore(cairo_);
}

// ---- text ------------------------------------------------------------------------------------------------------

float Vector::text_width(std::string_view text, Face face, float size) const {
    return size * typefaces_.width(face, text);
}

void Vector::text(Point at, std::string_view given, TextStyle style) {
    if (given.empty()) return;
    flush();
    const std::string text = as_utf8(given);  // of anything else Cairo draws nothing, and nothing after it
    const float width = text_width(text, style.face, style.size);
    if (style.align != Align::left) at.x -= (style.align == Align::centre ? 0.5F : 1.0F) * width;
    const int font = typefaces_.glyph(style.face, code_point(first_character(text))).font;
    Text one{d(at.x), d(at.y), d(style.size * typefaces_.em(font)), d(width), text};
    double scale = 1.0, none = 0.0;
    cairo_user_to_device(cairo_, &one.x, &one.y);
    cairo_user_to_device_distance(cairo_, &scale, &none);
    one.size *= scale, one.width *= scale;
    texts_.push_back(std::move(one));
    colour(style.colour);
    run(at, text, style.face, style.size);
}

// Each stretch in one font is one run, with the characters that its glyphs stand for.
void Vector::run(Point at, std::string_view text, Face face, float size) {
    std::vector<cairo_glyph_t> glyphs;
    std::vector<cairo_text_cluster_t> clusters;
    while (!text.empty()) {
        glyphs.clear();
        clusters.clear();
        std::string_view rest = text;
        int font = -1;
        while (!rest.empty()) {
            const std::string_view character = first_character(rest);
            const Typefaces::Glyph glyph = typefaces_.glyph(face, code_point(character));
            if (font >= 0 && glyph.font != font) break;
            font = glyph.font;
            glyphs.push_back({glyph.index, d(at.x), d(at.y)});
            clusters.push_back({static_cast<int>(character.size()), 1});
            at.x += size * glyph.advance;
            rest.remove_prefix(character.size());
        }
        cairo_set_font_face(cairo_, typefaces_.cairo_face(font));
        cairo_set_font_size(cairo_, d(size * typefaces_.em(font)));
        cairo_show_text_glyphs(cairo_, text.data(), static_cast<int>(text.size() - rest.size()),
                               glyphs.data(), static_cast<int>(glyphs.size()), clusters.data(),
                               static_cast<int>(clusters.size()), {});
        text = rest;
    }
}

// ---- clocks ----------------------------------------------------------------------------------------------------

// Follows shaders/clocks.frag.
void Vector::clock(const Clock& clock, const ClockStyle& style) {
    const Point centre{clock.x, clock.y};
    const float radius = clock.radius, emphasis = std::clamp(clock.emphasis, 0.0F, 1.0F),
                selected = std::clamp(clock.emphasis - 1.0F, 0.0F, 1.0F);
    const float stroke = std::clamp(0.55F + radius * 0.022F, 0.6F, 1.4F);
    const float rim = std::clamp(0.45F + radius * 0.006F, 0.5F, 1.0F) * (1.0F + 0.5F * emphasis);
    const float inner = radius - rim;
    const auto shaded = [&](Colour c, float alpha) {
        return ui::faded(c, alpha * static_cast<float>(c >> 24U) / 255.0F);
    };
    if (emphasis > 0.0F)
        ring(centre, radius + 2.4F, {shaded(style.mark, emphasis * (0.35F + 0.65F * selected)), 1.2F});
    if (style.show_offset) {
        const float whole = std::floor(std::abs(clock.turned_k)), part = std::abs(clock.turned_k) - whole;
        if (whole > 0.0F)
            disc(centre, inner, shaded(style.offset, style.sector * std::min(whole, 2.0F) * 0.5F));
        if (part > 0.0F)
            sector(centre, inner, d(clock.angle_p), d(std::copysign(part, clock.turned_k)),
                   shaded(style.offset, style.sector));
    }
    ring(centre, inner, {clock.ring_colour, 2.0F * rim});

    flush();
    cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_width(cairo_, d(2.0F * stroke));
    const auto hand = [&](double turns, float length, Colour c) {
        const Point end = on_circle(centre, length, turns);
        cairo_new_path(cairo_);
        cairo_move_to(cairo_, d(centre.x), d(centre.y));
        cairo_line_to(cairo_, d(end.x), d(end.y));
        colour(c);
        cairo_stroke(cairo_);
    };
    // The hand of p is the shorter one: where both coincide, the other's end still shows.
    const float reach = inner - 0.8F * stroke;
    if (style.show_offset) hand(d(clock.angle_p) + d(clock.turned_k), reach, style.offset);
    hand(d(clock.angle_p), reach - std::clamp(0.16F * radius, 1.5F * stroke, 6.0F * stroke), style.ink);
    disc(centre, (radius > 24.0F ? 2.2F : 1.2F) * stroke, style.ink);
}

void Vector::clocks(std::span<const Clock> clocks, const ClockStyle& style) {
    for (const Clock& one : clocks) clock(one, style);
}

}  // namespace posiscope::canvas
