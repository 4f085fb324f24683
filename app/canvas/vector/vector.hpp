// vector.hpp — the canvas of PDF and SVG: the same calls become paths and text, without OpenGL. Only a heatmap is made of
// pixels: a whole number per cell if cells are large enough, else at the resolution of the file.
// Cairo embeds font subsets with their character codes, the hard part of a PDF writer, and draws both formats. Rectangles
// for cells would show seams in every viewer; smooth enlargement of an image is invisible at print resolution.
#pragma once

#include "app/canvas/canvas.hpp"
#include "app/canvas/vector/typeface.hpp"

#include <limits>
#include <span>
#include <string>
#include <vector>

typedef struct _cairo cairo_t;

namespace posiscope::canvas {

class Vector final : public Canvas {
public:
    // `cairo` counts in points; the heatmaps' pixels are as many to a point.
    Vector(cairo_t* cairo, Typefaces& typefaces, float pixels_per_point)
        : cairo_(cairo), typefaces_(typefaces), scale_(pixels_per_point) {}

    void fill(Rect rect, Colour colour, float rounding) override;
    void polyline(std::span<const Point> points, Stroke stroke, bool closed) override;
    void polygon(std::span<const Point> points, Colour colour) override;
    void disc(Point centre, float radius, Colour colour) override;
    void circle(Point centre, float radius, Stroke stroke) override;
    void sector(Point centre, float radius, double from_turns, double turned, Colour colour) override;
    void text(Point at, std::string_view text, TextStyle style) override;
    void push_clip(Rect rect) override;
    void pop_clip() override;
    void heatmap(int key, Rect rect, const Heatmap& heatmap) override;
    int most_samples() const override { return std::numeric_limits<int>::max(); }
    void clocks(std::span<const Clock> clocks, const ClockStyle& style) override;
    float pixels_per_point() const override { return scale_; }
    float text_width(std::string_view text, Face face, float size) const override;

    // Every text where it stands: the left end of its baseline, in the file's units.
    struct Text {
        double x = 0.0, y = 0.0, size = 0.0, width = 0.0;
        std::string words;
    };
    std::span<const Text> texts() const { return texts_; }
    void flush();  // draws what still waits; to be called at the end

private:
    bool joins(Rect rect, Colour colour);
    void colour(Colour colour, float alpha = 1.0F);
    void path(std::span<const Point> points, bool closed);
    void ring(Point centre, float radius, Stroke stroke);
    void slice(Point centre, float radius, double from_turns, double turned);
    void run(Point at, std::string_view text, Face face, float size);
    void borders(Rect rect, const HeatmapView& view);
    void clock(const Clock& clock, const ClockStyle& style);

    cairo_t* cairo_;
    Typefaces& typefaces_;
    float scale_;
    std::vector<Text> texts_;
    std::vector<Rect> waiting_;  // rectangles side by side, to be one path
    Colour waiting_colour_ = 0;
};

}  // namespace posiscope::canvas
