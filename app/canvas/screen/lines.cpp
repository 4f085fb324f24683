// lines.cpp — strokes of the Screen.
// ImGui's polylines use six triangles per segment, except for whole widths at one pixel per point; these use two at every
// width and scale, with soft edges from the lines in ImGui's texture.
#include "app/canvas/screen/screen.hpp"

#include <imgui.h>
#include <imgui_internal.h>

namespace posiscope::canvas {
namespace {

constexpr float kNoPiece = 1e-3F;  // points: a shorter segment has no direction of its own

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

ImVec2 between(float x0, float y0, float x1, float y1, float part) {
    return {x0 + part * (x1 - x0), y0 + part * (y1 - y0)};
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
    const ImVec4 &thinner = list_->_Data->TexUvLines[whole], &wider = list_->_Data->TexUvLines[whole + 1];
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
        list_->PrimWriteVtx({points[i].x + edge.x, points[i].y + edge.y}, left, stroke.colour);
        list_->PrimWriteVtx({points[i].x - edge.x, points[i].y - edge.y}, right, stroke.colour);
    }
    for (std::size_t i = 0; i < pieces; ++i) {
        const auto a = first + 2 * static_cast<unsigned>(i),
                   b = first + 2 * static_cast<unsigned>((i + 1) % count);
        for (const unsigned corner : {b, a, a + 1, b + 1, a + 1, b})
            list_->PrimWriteIdx(static_cast<ImDrawIdx>(corner));
    }
}

void Screen::polyline(std::span<const Point> points, Stroke stroke, bool closed) {
    if (points.size() < 2) return;
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
    // Dashes continue around corners, so that a dashed curve looks like one.
    float left = stroke.dash;
    bool pen = true;
    dashes_.assign(1, points[0]);
    const std::size_t segments = closed ? points.size() : points.size() - 1;
    const auto flush = [&] {
        if (pen && dashes_.size() > 1) strip(dashes_, stroke, false);
    };
    for (std::size_t i = 0; i < segments; ++i) {
        Point a = points[i];
        const Point b = points[(i + 1) % points.size()];
        for (float rest = length(b - a); rest > 0.0F;) {
            const float step = std::min(left, rest);
            a = a + (step / rest) * (b - a);
            rest -= step;
            left -= step;
            dashes_.push_back(a);
            if (left > 1e-4F) continue;
            flush();
            pen = !pen;
            left = stroke.dash;
            dashes_.assign(1, a);
        }
    }
    flush();
}

}  // namespace posiscope::canvas
