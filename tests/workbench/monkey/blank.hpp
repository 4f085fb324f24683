// blank.hpp — a canvas that draws nothing: it notices what must not be drawn.
#pragma once

#include "app/canvas/canvas.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace posiscope::monkey {

class Blank final : public canvas::Canvas {
public:
    // Sentences that begin so say that a figure failed.
    explicit Blank(std::vector<std::string> failures) : failures_(std::move(failures)) {}

    std::string complaint;
    float scale = 1.0F;

    void fill(Rect rect, canvas::Colour, float) override { check(rect.min()), check({rect.x1, rect.y1}); }
    void polyline(std::span<const Point> points, canvas::Stroke, bool) override {
        for (const Point p : points) check(p);
    }
    void polygon(std::span<const Point> points, canvas::Colour) override {
        for (const Point p : points) check(p);
    }
    void disc(Point centre, float radius, canvas::Colour) override { check(centre), check({radius, radius}); }
    void circle(Point centre, float radius, canvas::Stroke) override {
        check(centre), check({radius, radius});
    }
    void text(Point at, std::string_view words, canvas::TextStyle) override {
        check(at);
        const bool failed = std::any_of(failures_.begin(), failures_.end(), [&](const std::string& failure) {
            return words.starts_with(failure);
        });
        if (failed || (failed_ && complaint.size() < 400))
            complaint.append(words).append(" ");  // line by line
        failed_ = failed_ || failed;
    }
    void push_clip(Rect) override {}
    void pop_clip() override {}
    void heatmap(int, Rect rect, const canvas::Heatmap&) override {
        check(rect.min()), check({rect.x1, rect.y1});
    }
    int most_samples() const override { return 16384; }
    void clocks(std::span<const canvas::Clock> clocks, const canvas::ClockStyle&) override {
        for (const canvas::Clock& clock : clocks) check({clock.x, clock.y});
    }
    float pixels_per_point() const override { return scale; }
    float text_width(std::string_view words, canvas::Face, float size) const override {
        return 0.5F * size * static_cast<float>(words.size());
    }

private:
    void check(Point p) {
        if (!std::isfinite(p.x) || !std::isfinite(p.y)) complaint = "something is drawn at infinity";
    }

    std::vector<std::string> failures_;
    bool failed_ = false;
};

}  // namespace posiscope::monkey
