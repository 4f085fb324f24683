// geometry.hpp — points and rectangles in points (one 96th of an inch at 1×), x to the right, y down.
#pragma once

#include <algorithm>
#include <cmath>

namespace posiscope {

struct Point {
    float x = 0.0F;
    float y = 0.0F;

    bool operator==(const Point&) const = default;
};

inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(float s, Point a) { return {s * a.x, s * a.y}; }
inline float length(Point a) { return std::hypot(a.x, a.y); }

struct Rect {
    float x0 = 0.0F, y0 = 0.0F, x1 = 0.0F, y1 = 0.0F;

    bool operator==(const Rect&) const = default;
    float width() const { return x1 - x0; }
    float height() const { return y1 - y0; }
    Point min() const { return {x0, y0}; }
    Point centre() const { return {0.5F * (x0 + x1), 0.5F * (y0 + y1)}; }
    bool empty() const { return x1 <= x0 || y1 <= y0; }
    bool contains(Point p) const { return p.x >= x0 && p.x < x1 && p.y >= y0 && p.y < y1; }
    bool meets(const Rect& other) const {
        return x0 < other.x1 && other.x0 < x1 && y0 < other.y1 && other.y0 < y1;
    }
    Rect grown(float by) const { return {x0 - by, y0 - by, x1 + by, y1 + by}; }

    // Cuts a part off one side and returns it; the rest stays in `this`.
    Rect cut_top(float h) {
        const Rect part{x0, y0, x1, std::min(y0 + h, y1)};
        y0 = part.y1;
        return part;
    }
    Rect cut_bottom(float h) {
        const Rect part{x0, std::max(y1 - h, y0), x1, y1};
        y1 = part.y0;
        return part;
    }
    Rect cut_left(float w) {
        const Rect part{x0, y0, std::min(x0 + w, x1), y1};
        x0 = part.x1;
        return part;
    }
    Rect cut_right(float w) {
        const Rect part{std::max(x1 - w, x0), y0, x1, y1};
        x1 = part.x0;
        return part;
    }
};

// A point on a dial whose angle is measured in turns, counter-clockwise from the right, as in mathematics.
inline Point on_circle(Point centre, float radius, double turns) {
    const double angle = 2.0 * 3.14159265358979323846 * turns;
    return {centre.x + radius * static_cast<float>(std::cos(angle)),
            centre.y - radius * static_cast<float>(std::sin(angle))};
}

}  // namespace posiscope
