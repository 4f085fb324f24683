// lines.cpp — strokes of the Screen.
// ImGui's polylines use six triangles per segment, except for whole widths at one pixel per point; these use two at every
// width and scale, with soft edges from the lines in ImGui's texture.
#include "app/canvas/part.hpp"
#include "app/canvas/screen/screen.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <imgui.h>

namespace posiscope::canvas {
namespace {

constexpr float kNoPiece = 1e-3F;  // points: a shorter segment has no direction

// The direction of each piece; of one without its own, that of the piece before it.
class Directions {
public:
    explicit Directions(std::span<const Point> points) : points_(points) {}
    Point of(std::size_t piece) {
        const Point along = points_[(piece + 1) % points_.size()] - points_[piece];
        if (const float l = length(along); l > kNoPiece) last_ = (1.0F / l) * along;
        return last_;
    }

private:
    std::span<const Point> points_;
    Point last_{1.0F, 0.0F};
};

// From the middle of a joint to its left edge, for half a width of one.
Point joint(Point in, Point out) {
    const Point middle = 0.5F * (in + out);
    const float narrowed = std::max(middle.x * middle.x + middle.y * middle.y, 0.25F);
    return {middle.y / narrowed, -middle.x / narrowed};
}

// A zoom can move the end of a line a billion points away, where no pixel can be counted: there it ends on the way.
Point reached(std::span<const Point> points, std::size_t i) {
    constexpr float kFarthest = 2e5F;
    const auto near = [](Point p) { return std::max(std::abs(p.x), std::abs(p.y)) <= kFarthest; };
    const Point end = points[i];
    if (near(end)) return end;
    for (const std::size_t from : {i - 1, i + 1}) {
        if (from >= points.size() || !near(points[from])) continue;
        const Point begin = points[from], along = end - begin;
        const auto part = [](float at, float by) {
            return by == 0.0F ? 1.0F : std::min(1.0F, (std::copysign(kFarthest, by) - at) / by);
        };
        return begin + std::min(part(begin.x, along.x), part(begin.y, along.y)) * along;
    }
    return {std::clamp(end.x, -kFarthest, kFarthest), std::clamp(end.y, -kFarthest, kFarthest)};
}

ImVec2 between(float x0, float y0, float x1, float y1, float part) {
    return {x0 + part * (x1 - x0), y0 + part * (y1 - y0)};
}

bool upright(std::span<const Point> points, bool closed) {
    for (std::size_t i = closed ? 0 : 1; i < points.size(); ++i) {
        const Point a = points[i > 0 ? i - 1 : points.size() - 1], b = points[i];
        if (a.x != b.x && a.y != b.y) return false;
    }
    return true;
}

}  // namespace

void Screen::strip(std::span<const Point> points, Stroke stroke, bool closed) {
    const float pixels = std::max(stroke.width * scale_, 1.0F);
    const auto whole = static_cast<int>(pixels);
    if (whole >= IM_DRAWLIST_TEX_LINES_WIDTH_MAX || points.size() < 2) {
        static_assert(sizeof(Point) == sizeof(ImVec2));
        list_->AddPolyline(reinterpret_cast<const ImVec2*>(points.data()), static_cast<int>(points.size()),
                           stroke.colour, closed ? ImDrawFlags_Closed : ImDrawFlags_None, stroke.width);
        return;
    }
    // Between two whole widths the texture is read between their two rows.
    const ImVec4* const lines = ImGui::GetIO().Fonts->TexUvLines;
    const ImVec4 &thinner = lines[whole], &wider = lines[whole + 1];
    const float part = pixels - static_cast<float>(whole);
    const ImVec2 left = between(thinner.x, thinner.y, wider.x, wider.y, part),
                 right = between(thinner.z, thinner.w, wider.z, wider.w, part);
    const float reach = (0.5F * pixels + 1.0F) / scale_;  // the soft edge with it

    const std::size_t count = points.size(), pieces = closed ? count : count - 1;
    list_->PrimReserve(static_cast<int>(6 * pieces), static_cast<int>(2 * count));
    const unsigned first = list_->_VtxCurrentIdx;
    Directions directions(points);
    Point before = closed ? directions.of(count - 1) : directions.of(0);
    for (std::size_t i = 0; i < count; ++i) {
        const Point after = i < pieces ? directions.of(i) : before;
        const Point edge = reach * joint(before, after);
        before = after;
        const Point at = reached(points, i);
        list_->PrimWriteVtx({at.x + edge.x, at.y + edge.y}, left, stroke.colour);
        list_->PrimWriteVtx({at.x - edge.x, at.y - edge.y}, right, stroke.colour);
    }
    for (std::size_t i = 0; i < pieces; ++i) {
        const auto a = first + 2 * static_cast<unsigned>(i),
                   b = first + 2 * static_cast<unsigned>((i + 1) % count);
        for (const unsigned corner : {b, a, a + 1, b + 1, a + 1, b})
            list_->PrimWriteIdx(static_cast<ImDrawIdx>(corner));
    }
}

// Lines along rows and columns of pixels, such as axes, ticks and outlines, cover whole ones.
void Screen::polyline(std::span<const Point> points, Stroke stroke, bool closed) {
    if (points.size() < 2) return;
    stroke.width *= line_weight_;
    std::array<Point, 4> moved;
    if (points.size() <= moved.size() && upright(points, closed)) {
        const float pixels = std::max(1.0F, std::round(stroke.width * scale_)), half = 0.5F * pixels;
        const auto middle = [&](float v) { return (std::round(v * scale_ - half) + half) / scale_; };
        for (std::size_t i = 0; i < points.size(); ++i) moved[i] = {middle(points[i].x), middle(points[i].y)};
        points = std::span(moved).first(points.size());
        stroke.width = pixels / scale_;
    }
    if (stroke.dash <= 0.0F) {
        // A joint would thin a line at a sharp turn: one line ends there and the next begins.
        std::size_t begin = 0;
        for (std::size_t i = 1; !closed && i + 1 < points.size(); ++i) {
            const Point in = points[i] - points[i - 1], out = points[i + 1] - points[i];
            if (in.x * out.x + in.y * out.y > 0.5F * length(in) * length(out)) continue;
            strip(points.subspan(begin, i - begin + 1), stroke, false);
            begin = i;
        }
        return strip(points.subspan(begin), stroke, closed);
    }
    dashed(points, stroke, closed);
}

// Dashes continue around corners, so that a dashed curve looks like one. Outside the clip rectangle they are only counted:
// a zoom can move the end of a line a billion points away.
void Screen::dashed(std::span<const Point> points, Stroke stroke, bool closed) {
    const ImVec2 low = list_->GetClipRectMin(), high = list_->GetClipRectMax();
    const Rect seen = Rect{low.x, low.y, high.x, high.y}.grown(stroke.width + stroke.dash);
    const auto dash = static_cast<double>(stroke.dash);
    double along = 0.0;  // a dash and the gap after it
    const auto pen = [&] { return along < dash; };
    const auto flush = [&](Point next) {
        if (pen() && dashes_.size() > 1) strip(dashes_, stroke, false);
        dashes_.assign(1, next);
    };
    const auto skip = [&](double distance, Point next) {
        flush(next);
        along = std::fmod(along + distance, 2.0 * dash);
    };
    dashes_.assign(1, points[0]);
    const std::size_t segments = closed ? points.size() : points.size() - 1;
    for (std::size_t i = 0; i < segments; ++i) {
        const Point a = points[i], b = points[(i + 1) % points.size()];
        const auto x = static_cast<double>(a.x), y = static_cast<double>(a.y);
        const double dx = static_cast<double>(b.x) - x, dy = static_cast<double>(b.y) - y;
        const double whole = std::hypot(dx, dy);
        const auto place = [&](double at) {
            return Point{static_cast<float>(x + at / whole * dx), static_cast<float>(y + at / whole * dy)};
        };
        const Part part = part_in(seen, a, b);
        const double from = part.from * whole, to = part.to * whole;
        if (!(whole > 0.0)) continue;
        if (!(from < to)) {
            skip(whole, b);
            continue;
        }
        if (from > 0.0) skip(from, place(from));
        for (double at = from; at < to;) {
            const double step = std::min((pen() ? dash : 2.0 * dash) - along, to - at);
            at += step;
            dashes_.push_back(place(at));
            if (along + step + 1e-4 < (pen() ? dash : 2.0 * dash)) {
                along += step;
                continue;
            }
            const bool drawn = pen();
            flush(place(at));
            along = drawn ? dash : 0.0;
        }
        if (to < whole) skip(whole - to, b);
    }
    flush(points[0]);
}

}  // namespace posiscope::canvas
