// fingerprint.hpp — a canvas that draws nothing and mixes every word, place, colour and number it is given into one number:
// two pictures that differ in anything at all have different ones.
#pragma once

#include "app/canvas/canvas.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace posiscope::test {

class Fingerprint final : public canvas::Canvas {
public:
    explicit Fingerprint(float pixels_per_point = 1.0F) : scale_(pixels_per_point) {}

    std::uint64_t value() const { return value_; }
    std::uint64_t calls() const { return calls_; }
    bool finite() const { return finite_; }
    bool balanced() const { return clips_ == 0; }

    void fill(Rect rect, canvas::Colour colour, float rounding) override {
        add(rect.min(), rect.x1, rect.y1, colour, rounding);
    }
    void polyline(std::span<const Point> points, canvas::Stroke stroke, bool closed) override {
        add(stroke.colour, stroke.width, stroke.dash, closed);
        for (const Point p : points) add(p);
    }
    void polygon(std::span<const Point> points, canvas::Colour colour) override {
        add(colour);
        for (const Point p : points) add(p);
    }
    void disc(Point centre, float radius, canvas::Colour colour) override { add(centre, radius, colour); }
    void circle(Point centre, float radius, canvas::Stroke stroke) override {
        add(centre, radius, stroke.colour, stroke.width, stroke.dash);
    }
    void text(Point at, std::string_view words, canvas::TextStyle style) override {
        add(at, words, style.colour, style.size);
    }
    void push_clip(Rect rect) override {
        ++clips_;
        add(rect.min(), rect.x1, rect.y1);
    }
    void pop_clip() override { --clips_; }
    void heatmap(int slot, Rect rect, const canvas::Heatmap& drawn) override {
        const canvas::HeatmapView& view = drawn.view;
        add(slot, rect.min(), rect.x1, rect.y1, static_cast<int>(view.field), view.rows.origin,
            view.rows.first, view.rows.last, view.columns.origin, view.columns.first, view.columns.last,
            view.blocks, view.offset, view.range, view.width, view.height, view.difference);
        add(drawn.data.toeplitz.first, static_cast<int>(drawn.data.toeplitz.index));  // keys count makings
        for (const auto& steps : {drawn.data.steps, drawn.data.subtracted})  // whose last bytes are padding
            for (const Step& step : steps) mix_one(step.high), mix_one(step.low);
        mix(drawn.data.toeplitz.values.data(), drawn.data.toeplitz.values.size_bytes());
        mix(drawn.data.samples.data(), drawn.data.samples.size_bytes());
    }
    void clocks(std::span<const canvas::Clock> clocks, const canvas::ClockStyle&) override {
        for (const canvas::Clock& clock : clocks)
            add(clock.x, clock.y, clock.radius, clock.angle_p, clock.turned_k, clock.ring_colour,
                clock.emphasis);
    }
    int most_samples() const override { return 16384; }
    float pixels_per_point() const override { return scale_; }
    float text_width(std::string_view words, canvas::Face, float size) const override {
        const auto characters = std::count_if(words.begin(), words.end(), [](char c) {
            return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
        });
        return 0.55F * size * static_cast<float>(characters);
    }

private:
    template <class... Values>
    void add(const Values&... values) {
        ++calls_;
        (mix_one(values), ...);
    }
    void mix_one(Point p) {
        finite_ = finite_ && std::isfinite(p.x) && std::isfinite(p.y);
        mix(&p, sizeof p);
    }
    void mix_one(std::string_view words) { mix(words.data(), words.size()); }
    template <class Value>
    void mix_one(const Value& value) {
        static_assert(std::is_arithmetic_v<Value>);
        mix(&value, sizeof value);
    }
    // FNV-1a, eight bytes at a time.
    void mix(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const unsigned char*>(data);
        for (; size >= 8; size -= 8, bytes += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes, 8);
            value_ = (value_ ^ word) * 0x100000001b3ULL;
            value_ ^= value_ >> 29;
        }
        for (; size > 0; --size, ++bytes) value_ = (value_ ^ *bytes) * 0x100000001b3ULL;
    }

    float scale_;
    std::uint64_t value_ = 0xcbf29ce484222325ULL, calls_ = 0;
    int clips_ = 0;
    bool finite_ = true;
};

}  // namespace posiscope::test
