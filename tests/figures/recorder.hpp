// recorder.hpp — a canvas that draws nothing and records every text, so that a figure's statements can be tested without
// a window, OpenGL or fonts; with `faces` texts are as wide as they are in a file.
#pragma once

#include "app/canvas/canvas.hpp"
#include "app/canvas/vector/typeface.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace posiscope::test {

class Recorder final : public canvas::Canvas {
public:
    std::vector<std::string> texts;
    std::vector<Rect> boxes;              // where each of them is, roughly
    std::vector<Rect> knobs;              // of handles
    std::vector<canvas::Stroke> strokes;  // of polylines
    std::vector<canvas::HeatmapView> heatmaps;
    std::vector<canvas::Clock> clocks_drawn;
    canvas::Typefaces* faces = nullptr;
    float scale = 1.0F, largest_circle = 0.0F;
    std::size_t lines = 0, line_points = 0;  // of polylines
    std::size_t shapes = 0;                  // all that is no text
    // Heatmaps, and patches that a text may stand on: which shape each is.
    struct Placed {
        Rect area;
        std::size_t shape;
        bool patch = false;  // lets a little through: what words stand on
    };
    std::vector<Placed> data, patches, fills;
    // Every polyline, where it can be seen; a rule is level or upright, or a frame: words may stand on it if it was there
    // before them.
    struct Curve {
        std::vector<Point> points;
        Rect area, clip;
        std::size_t shape;
        bool rule;
    };
    std::vector<Curve> curves;
    std::vector<std::size_t> under;  // how many shapes were drawn before each text

    void fill(Rect rect, canvas::Colour colour, float) override {
        check(rect.min());
        ++shapes;
        if (faces != nullptr)
            fills.push_back({seen(rect), shapes, colour >> 24U >= 0xc0U && colour >> 24U < 0xffU});
        if (faces != nullptr && colour >> 24U >= 0xc0U) patches.push_back({rect, shapes});
        if (faces == nullptr || colour >> 24U < 0xc0U) return;
        for (Rect& box : boxes)  // what lies under it is not seen
            if (box.x0 >= rect.x0 && box.x1 <= rect.x1 && box.y0 >= rect.y0 && box.y1 <= rect.y1) box = {};
    }
    void polyline(std::span<const Point> all, canvas::Stroke stroke, bool closed) override {
        for (const Point p : all) check(p);
        strokes.push_back(stroke);
        ++shapes;
        if (faces != nullptr) keep_curve(all, closed);
        ++lines;
        line_points += all.size();
    }
    void polygon(std::span<const Point> points, canvas::Colour) override {
        for (const Point p : points) check(p);
        ++shapes;
    }
    void disc(Point centre, float radius, canvas::Colour) override {
        check(centre);
        ++shapes;
        if (const float half = radius / std::sqrt(2.0F); faces != nullptr)
            patches.push_back({{centre.x - half, centre.y - half, centre.x + half, centre.y + half}, shapes});
        // A knob is a disc on a larger one.
        if (disc_ && *disc_ == centre && !outside(centre))
            knobs.push_back({centre.x - radius, centre.y - radius, centre.x + radius, centre.y + radius});
        disc_ = centre;
    }
    void circle(Point centre, float radius, canvas::Stroke) override {
        check(centre);
        largest_circle = std::max(largest_circle, radius);
        ++shapes;
    }
    void text(Point at, std::string_view words, canvas::TextStyle style) override {
        check(at);
        texts.emplace_back(words);
        under.push_back(shapes);
        const float width = text_width(words, style.face, style.size);
        const float left = style.align == canvas::Align::left    ? at.x
                           : style.align == canvas::Align::right ? at.x - width
                                                                 : at.x - 0.5F * width;
        boxes.push_back({left, at.y - 0.7F * style.size, left + width, at.y});
        if (faces != nullptr) boxes.back() = seen(boxes.back());
    }
    void push_clip(Rect rect) override { clips_.push_back(rect); }
    void pop_clip() override {
        if (clips_.empty()) unbalanced_ = true;
        else clips_.pop_back();
    }
    void heatmap(int, Rect rect, const canvas::Heatmap& drawn) override {
        heatmaps.push_back(drawn.view);
        data.push_back({rect, ++shapes});
        const Rect part = seen(rect);  // what lies under that is not
        if (faces != nullptr)
            for (Rect& box : boxes)
                if (box.x0 >= part.x0 && box.x1 <= part.x1 && box.y0 >= part.y0 && box.y1 <= part.y1)
                    box = {};
        // A screen puts the edges on whole pixels, and may not be asked for columns that it cannot tell apart.
        canvas::HeatmapView on_screen = drawn.view;
        const auto snapped = [&](float v) { return std::round(v * scale) / scale; };
        on_screen.width =
            std::max(1, static_cast<int>(std::lround((snapped(rect.x1) - snapped(rect.x0)) * scale)));
        drawable_ = drawable_ && (drawn.view.blocks || !columns_need_blocks(on_screen));
    }
    int most_samples() const override { return 16384; }
    void clocks(std::span<const canvas::Clock> clocks, const canvas::ClockStyle&) override {
        clocks_drawn.assign(clocks.begin(), clocks.end());
        ++shapes;
    }
    float pixels_per_point() const override { return scale; }
    float text_width(std::string_view words, canvas::Face face, float size) const override {
        if (faces != nullptr) return size * faces->width(face, words);
        const auto characters = std::count_if(words.begin(), words.end(), [](char c) {
            return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
        });
        return 0.55F * size * static_cast<float>(characters);
    }

    bool says(std::string_view words) const {
        return std::any_of(texts.begin(), texts.end(),
                           [&](const std::string& text) { return text.find(words) != std::string::npos; });
    }
    bool balanced() const { return clips_.empty() && !unbalanced_; }
    bool finite() const { return finite_; }
    bool drawable() const { return drawable_; }

private:
    bool outside(Point p) const {
        return std::ranges::any_of(clips_, [&](const Rect& clip) { return !clip.contains(p); });
    }
    Rect seen(Rect rect) const {
        for (const Rect& clip : clips_)
            rect = {std::max(rect.x0, clip.x0), std::max(rect.y0, clip.y0), std::min(rect.x1, clip.x1),
                    std::min(rect.y1, clip.y1)};
        return rect;
    }
    void keep_curve(std::span<const Point> all, bool closed) {
        if (all.size() < 2) return;
        const bool rule = closed || (all.size() == 2 && (all[0].x == all[1].x || all[0].y == all[1].y));
        constexpr float kFar = 1e9F;
        Curve curve{{all.begin(), all.end()},
                    {kFar, kFar, -kFar, -kFar},
                    seen({-kFar, -kFar, kFar, kFar}),
                    shapes,
                    rule};
        if (closed) curve.points.push_back(all.front());
        for (const Point p : all)
            curve.area = {std::min(curve.area.x0, p.x), std::min(curve.area.y0, p.y),
                          std::max(curve.area.x1, p.x), std::max(curve.area.y1, p.y)};
        curves.push_back(std::move(curve));
    }
    void check(Point p) { finite_ = finite_ && std::isfinite(p.x) && std::isfinite(p.y); }

    std::vector<Rect> clips_;
    std::optional<Point> disc_;  // the last
    bool finite_ = true, drawable_ = true, unbalanced_ = false;
};

}  // namespace posiscope::test
