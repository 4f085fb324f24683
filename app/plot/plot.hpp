// plot.hpp — a plot that a figure declares: two scales, the keys of its legend, and then what is drawn along them. Margins
// follow from the labels as they are measured, so that the data has all that the tile leaves.
#pragma once

#include "app/figures/figure.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace posiscope::plot {

using canvas::Stroke;
using figures::Frame;

enum class Kind {
    linear,    // numbers, with the decimals that tell ticks apart
    percent,   // the same of fractions
    whole,     // positions, counts, steps: ticks at whole numbers alone
    distance,  // whole numbers with their sign
    log,       // `from` and `to` are log₁₀; ticks at powers of ten
    pair,      // pair i covers i − 0.5 to i + 0.5
};

struct Scale {
    Kind kind = Kind::linear;
    double from = 0.0, to = 1.0;
    std::string_view name = {};         // between dollar signs it is set as mathematics
    double every = 0.0;                 // ticks at multiples of it alone, and at the end
    bool down = false;                  // y grows downwards
    std::optional<double> always = {};  // a number of y that is named, whatever the others are
};

// The part of the pairs that a person zoomed to, else all of them.
Scale pairs(const Frame& frame, std::size_t count);

enum class Shape { line, box, hatched, disc };

// One entry of a legend.
struct Key {
    std::string_view name;
    Stroke stroke;
    Shape shape = Shape::line;
};

// ---- legends: the names of curves, bars and points, each behind a sample of its mark ----
// Words; between dollar signs they are set as mathematics.
float words_width(const Frame& frame, std::string_view words);
void draw_words(Frame& frame, Point at, std::string_view words, canvas::Align align);

float legend_width(const Frame& frame, std::span<const Key> keys);

// In one row, at its left or right; those that do not fit are left out, the last ones first. Returns where the rest of the
// row begins, or ends.
float draw_legend(Frame& frame, Rect row, std::span<const Key> keys, canvas::Align side);

// In as many rows as they need, while the area keeps room for a few; the rows are cut from its top.
void draw_legend_rows(Frame& frame, Rect& area, std::span<const Key> keys);

// Room for what a figure puts beside the data, taken before the data's own.
struct Room {
    float right = 0.0F;   // end labels, a colour bar
    float below = 0.0F;   // a second plot over the same numbers (Plot::below)
    bool square = false;  // as wide as high
};

// A rule with its words, which keep clear of data on a patch.
struct Level {
    Stroke stroke;
    bool above = true;   // of the rule, else below
    bool right = false;  // at its right end, else at its left
};

// A rule that can be dragged along an axis. Its handle is at the end where its axis is not numbered, or at the other.
struct Handle {
    std::string_view name;
    double at;
    std::optional<double> before = {};  // at mouse-down, drawn thin
    Stroke rule = {0, 0.0F};            // of no width: only the handle is drawn
    ui::Colour colour = {};             // of the handle; none: the rule's
    bool outlined = false;              // by the tile's colour, over data
    bool numbered_end = false;
    bool anywhere = false;  // a press anywhere in the plot takes it
};

// By a drag: the offset stays as far as it can.
void move_position(Frame& frame, std::int64_t position);
// At mouse-down, while anything is dragged.
std::optional<double> position_before(const Frame& frame);

// Numbers and name below an axis across: in a row each, or in one.
void number_across(Frame& frame, Rect area, const canvas::Axis& x, const Scale& scale, bool one_row = false);

// The colours from part 0 to 1 of a bar: from the left where it is wide, else from the top.
template <class Colour>
void draw_colours(Frame& f, Rect bar, int steps, Colour colour) {
    for (int i = 0; i < steps; ++i) {
        const auto end = [&](float from, float length, int step) {
            return from + length * static_cast<float>(step) / static_cast<float>(steps);
        };
        // To the end of a wide bar, so that no seam shows between two steps.
        const Rect step =
            bar.width() > bar.height()
                ? Rect{end(bar.x0, bar.width(), i), bar.y0, bar.x1, bar.y1}
                : Rect{bar.x0, end(bar.y0, bar.height(), i), bar.x1, end(bar.y0, bar.height(), i + 1)};
        f.canvas.fill(step, colour((static_cast<float>(i) + 0.5F) / static_cast<float>(steps)));
    }
    f.canvas.outline(bar, {f.theme.border, 1.0F});
}

// A slider along x, filled from 0, with its knob at a value; the value to which the mouse moves it.
std::optional<double> slide(Frame& frame, std::string_view handle, const canvas::Axis& x, float y, double at);

// Names at the right ends of curves.
struct EndLabel {
    float y;  // of the curve's end; moved so that names keep apart
    std::size_t of;
};
// Sorts them and moves them apart within [top, bottom], by `row` or less where they are too many.
void keep_apart(std::span<EndLabel> labels, float top, float bottom, float row);

// The one of `count` things that is nearest to the mouse, by gap(i) in points; none where that is `reach` or more for all.
template <class Gap>
std::optional<std::size_t> nearest(std::size_t count, float reach, Gap gap) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < count; ++i)
        if (const float here = gap(i); here < reach) reach = here, found = i;
    return found;
}

class Plot {
public:
    // Draws the axes and the legend; both are left out as far as there is no room.
    Plot(Frame& frame, Rect tile, const Scale& across, const Scale& up, std::span<const Key> legend = {},
         Room room = {});

    // Scales in a rectangle, of which nothing is drawn.
    static Plot bare(Frame& frame, Rect area, const Scale& across, const Scale& up);
    // The one below, on the same scale across: only its name is drawn.
    Plot second(const Scale& up) const;

    Frame& frame;
    Rect area;   // of the data
    Rect below;  // requested by Room
    canvas::Axis x, y;

    bool has_room() const { return area.width() >= 40.0F && area.height() >= 24.0F; }
    Rect whole() const { return below.empty() ? area : Rect{area.x0, area.y0, area.x1, below.y1}; }
    Point at(double across, double up) const { return {x(across), y(up)}; }
    bool shows(double across) const { return across >= x.from && across <= x.to; }

    // ---- marks ----
    // A line through samples at first, first + stride, …; a single sample is a disc. Infinities and NaN are left out.
    void curve(std::span<const double> samples, Stroke stroke, double first = 0.0, double stride = 1.0) const;
    // A lone point is a disc.
    void line(std::span<const Point> points, Stroke stroke) const;
    // One of `count` points is made by `point(i)`; those that are not finite are left out.
    template <class Made>
    void path(std::size_t count, Stroke stroke, Made point) const {
        std::vector<Point>& points = frame.derived.points();
        points.clear();
        for (std::size_t i = 0; i < count; ++i)
            if (const Point made = point(i); std::isfinite(made.x) && std::isfinite(made.y))
                points.push_back(made);
        line(points, stroke);
    }
    // Calls bar(pair, column) for each pair in view, and for the first one of those that share a pixel.
    template <class Bar>
    void bars(std::size_t pairs, Bar bar) const {
        float drawn_to = area.x0 - 1.0F;
        for (std::size_t i = 0; i < pairs; ++i) {
            const auto pair = static_cast<double>(i);
            if (pair < x.from - 0.5 || pair > x.to + 0.5) continue;
            const Rect column = column_of(pair);
            if (column.x0 <= drawn_to) continue;
            drawn_to = column.x0;
            bar(i, column);
        }
    }
    Rect column_of(double pair) const;
    void rule(double across, Stroke stroke) const;  // from top to bottom, if it is in view
    void level(double up, Stroke stroke) const;     // from left to right, likewise
    void level(double up, std::string_view words, const Level& level) const;
    void numbered(double up, std::string_view number, Stroke stroke) const;  // the number stands left of y
    // Colours and the values of their ends over the plot's right end, and their name; as much as there is room for.
    void colour_bar(std::span<const ui::Colour> stops, std::string_view least, std::string_view most,
                    std::string_view name) const;
    // Words in the row of the name of y, if there is room: at the right end, or beside a rule.
    void note(std::string_view words) const;
    void flag(double across, std::string_view words) const;
    Rect top_row() const { return {name_end_, top_row_ - 13.0F, legend_begin_, top_row_ + 5.0F}; }

    // ---- the mouse ----
    bool over() const { return frame.over(area); }
    double pointed_x() const { return std::clamp(x.inverse(frame.pointer->at.x), x.from, x.to); }
    double pointed_y() const { return std::clamp(y.inverse(frame.pointer->at.y), y.from, y.to); }
    // The values to which the mouse drags a rule, while it does.
    std::optional<double> drag_x(const Handle& handle) const { return drag(handle, true); }
    std::optional<double> drag_y(const Handle& handle) const { return drag(handle, false); }

private:
    Plot(Frame& f, const canvas::Axis& across, const canvas::Axis& up)
        : frame(f), area{across.at_from, up.at_to, across.at_to, up.at_from}, x(across), y(up) {}
    std::optional<double> drag(const Handle& handle, bool along_x) const;

    float name_end_ = 0.0F, top_row_ = 0.0F, legend_begin_ = 0.0F;
};

}  // namespace posiscope::plot
