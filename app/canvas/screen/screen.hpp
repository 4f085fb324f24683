// screen.hpp — the canvas of the window and of PNGs: Dear ImGui's draw list, with our GL layers between its calls.
#pragma once

#include "app/canvas/canvas.hpp"
#include "app/canvas/screen/clock_layer.hpp"
#include "app/canvas/screen/heatmap_layer.hpp"
#include "app/gl/handle.hpp"
#include "app/gl/plain.hpp"

#include <cstddef>
#include <vector>

// Enlarges what a frame has drawn so far: a copy of the framebuffer's pixels around a point.
// Drawing again at twice the scale would be sharper, but needs every figure twice a frame.
namespace posiscope::canvas {

class LensLayer {
public:
    // Copies these pixels of the bound framebuffer, counted from its lower left corner.
    void copy(int x, int y, int width, int height);
    // Used as ImGui's texture; made at the first use.
    unsigned texture();

private:
    gl::Texture texture_;
};

}  // namespace posiscope::canvas

struct ImDrawList;

namespace posiscope::canvas {

// Programs and kept images, which live as long as their GL context. Absent without drawing (tests without GL).
struct Layers {
    static Result<Layers> create(Target target);  // a GL context must be current

    HeatmapLayer heatmaps;
    ClockLayer clocks;
    gl::PlainColours plain;
    LensLayer lens{};
};

class Screen final : public Canvas {
public:
    Screen(const ui::Fonts& fonts, Layers* layers) : fonts_(fonts), layers_(layers) {}

    // Before each use: where it draws now, how many pixels a point has, and what part of the display will be seen
    // (points; empty: all of it).
    void begin(ImDrawList& list, float pixels_per_point, Rect seen = {});

    void fill(Rect rect, Colour colour, float rounding) override;
    // An area with round corners and a border one point wide.
    void card(Rect rect, Colour colour, Colour border, float rounding);
    // Enlarges what was drawn before within a circle; nothing without layers.
    void lens(Point centre, float radius, float factor);
    void polyline(std::span<const Point> points, Stroke stroke, bool closed) override;
    void polygon(std::span<const Point> points, Colour colour) override;
    void disc(Point centre, float radius, Colour colour) override;
    void circle(Point centre, float radius, Stroke stroke) override;
    void text(Point at, std::string_view text, TextStyle style) override;
    void push_clip(Rect rect) override;
    void pop_clip() override;
    void heatmap(int key, Rect rect, const Heatmap& heatmap) override;
    int most_samples() const override;
    void clocks(std::span<const Clock> clocks, const ClockStyle& style) override;
    float pixels_per_point() const override { return scale_; }
    float text_width(std::string_view text, Face face, float size) const override;

private:
    float snapped(float v) const;  // to a whole pixel
    void strip(std::span<const Point> points, Stroke stroke,
               bool closed);  // with no sharp turn but of closed ones
    void dashed(std::span<const Point> points, Stroke stroke, bool closed);
    bool cut_to_seen(Rect& rect, Heatmap& heatmap) const;
    gl::Projection projection() const;

    ui::Fonts fonts_;
    Layers* layers_;
    ImDrawList* list_ = nullptr;
    float scale_ = 1.0F;
    Rect seen_;
    std::vector<Point> dashes_;  // kept for their memory
    std::vector<std::byte> clock_bytes_;
};

}  // namespace posiscope::canvas
