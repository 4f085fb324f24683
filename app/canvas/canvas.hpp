// canvas.hpp — everything a figure may draw: the same calls draw it on the screen, in a PNG and in a vector file.
// Coordinates are points; later calls draw over earlier ones.
#pragma once

#include "app/ui/fonts.hpp"
#include "app/ui/formula.hpp"
#include "app/ui/geometry.hpp"
#include "app/ui/lines.hpp"
#include "app/ui/theme.hpp"

#include "app/canvas/clock.hpp"
#include "app/canvas/heatmap.hpp"

#include <span>
#include <string_view>

namespace posiscope::canvas {

using ui::Colour;
using ui::Face;

struct Stroke {
    Colour colour;
    float width = 1.5F;
    float dash = 0.0F;  // length of a dash and of the gap after it; 0 = solid
};

enum class Align { left, centre, right };

struct TextStyle {
    Colour colour;
    float size = ui::kTextSize;
    Face face = Face::text;
    Align align = Align::left;  // of the text about its point
};

class Canvas : public ui::Measure {
public:
    virtual void fill(Rect rect, Colour colour, float rounding = 0.0F) = 0;
    virtual void polyline(std::span<const Point> points, Stroke stroke, bool closed = false) = 0;
    virtual void polygon(std::span<const Point> points, Colour colour) = 0;  // convex, filled
    virtual void disc(Point centre, float radius, Colour colour) = 0;
    virtual void circle(Point centre, float radius, Stroke stroke) = 0;
    virtual void sector(Point centre, float radius, double from_turns, double turned, Colour colour);
    // `at` is the left end, the middle or the right end of the baseline.
    virtual void text(Point at, std::string_view text, TextStyle style) = 0;
    virtual void push_clip(Rect rect) = 0;
    virtual void pop_clip() = 0;

    // A heatmap over `rect`; the view's width and height are set here, from the device's pixels, but for samples, which
    // come with theirs. `key` names the place its picture is kept in between frames: two heatmaps of one frame have two.
    virtual void heatmap(int key, Rect rect, const Heatmap& heatmap) = 0;
    virtual int most_samples() const = 0;  // of a heatmap, a side
    virtual void clocks(std::span<const Clock> clocks, const ClockStyle& style) = 0;

    virtual float pixels_per_point() const = 0;

    // From here on every line is so many times as thick; the hands and rims of clocks follow their size alone.
    void set_line_weight(float weight) { line_weight_ = weight; }

    // Made of the above.
    void line(Point a, Point b, Stroke stroke);
    void outline(Rect rect, Stroke stroke);
    void arc(Point centre, float radius, double from_turns, double turned, Stroke stroke);
    // The handle of something that can be dragged: a disc with a rim of the background.
    void knob(Point centre, float radius, Colour colour, Colour background);
    // Set as mathematics; `at` is the left end, the middle or the right end of the baseline. Returns its width.
    float formula(Point at, std::string_view formula, float size, Colour colour, Align align = Align::left);
    // One line whose mathematics is marked (ui/lines.hpp), from its left end.
    void line_of_text(Point at, std::string_view line, TextStyle style,
                      ui::Numbers numbers = ui::Numbers::plain);
    // Such words broken into lines no wider than `width`; returns the height used.
    float paragraph(Point top_left, std::string_view text, TextStyle style, float width);

protected:
    float line_weight_ = 1.0F;
};

// Nothing is drawn outside of `rect` while this lives; an exception that ends it takes the limit away too.
class Clip {
public:
    Clip(Canvas& canvas, Rect rect) : canvas_(canvas) { canvas_.push_clip(rect); }
    ~Clip() { canvas_.pop_clip(); }
    Clip(const Clip&) = delete;
    Clip& operator=(const Clip&) = delete;

private:
    Canvas& canvas_;
};

}  // namespace posiscope::canvas
