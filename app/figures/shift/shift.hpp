// shift.hpp — the shared parts of the Shift figure; pairs.cpp has many dimensions, square.cpp few.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures::shifts {

// cos kω and sin kω of every pair: the content of M_k, which does not depend on p.
struct Map {
    std::vector<double> cosine, sine;
};

// PE(p), PE(p + k) and M_k PE(p), by component (first, second) and pair.
struct Check {
    std::array<std::vector<double>, 2> before, actual, computed;
    double worst = 0.0;
    std::size_t worst_pair = 0;
    double error(int component, std::size_t pair) const;
};

// The Shift figure's part of Derived.
struct Shifts {
    struct MapKey {
        Kept<Rates> rates;
        std::int64_t offset;
        bool operator==(const MapKey&) const = default;
    };
    struct CheckKey {
        Kept<Rates> rates;
        const Encoding* encoding;
        std::int64_t position, offset;
        bool operator==(const CheckKey&) const = default;
    };
    struct CompositionKey {
        Kept<Rates> rates;
        const Encoding* encoding;
        std::int64_t a, b;
        bool operator==(const CompositionKey&) const = default;
    };
    Memo<MapKey, Map> map, before, composed;
    Memo<CheckKey, Check> check;
    Memo<CompositionKey, double> composition;
};

const Map& map_of(const Scene& scene, Derived& derived, Memo<Shifts::MapKey, Map>& memo, std::int64_t offset);
const Check& check_of(const Scene& scene, Derived& derived);

struct View {
    Frame& frame;
    const Encoding& encoding;
    const Spectrum& spectrum;
    Shifts& kept;
    const Check& check;

    std::size_t pairs() const { return spectrum.pairs(); }
    std::size_t pair() const { return std::min(static_cast<std::size_t>(frame.scene.pair), pairs() - 1); }
    bool rotary() const { return encoding.acts == Acts::query_key; }
    std::int64_t position() const { return frame.scene.position; }
    std::int64_t offset() const { return frame.scene.offset; }
    std::string_view vector() const { return rotary() ? "e" : "PE"; }
    std::string_view map_name() const { return rotary() ? "R" : "M"; }
    std::string_view component(int which) const { return (which == 0) == rotary() ? "cos" : "sin"; }
    ui::Colour component_colour(int which) const {
        return (which == 0) == rotary() ? frame.theme.cosine : frame.theme.sine;
    }
    // The colour of a signed value, as the matrix has it.
    ui::Colour cell(double value) const {
        const ui::Theme& theme = frame.theme;
        return ui::mixed(theme.neutral, value > 0.0 ? theme.plus : theme.minus,
                         static_cast<float>(std::min(1.0, std::abs(value))));
    }
};

inline constexpr float kGutter = 58.0F;  // left of the pairs' axis and of the ruler
inline constexpr std::int64_t kMostSecond = 64;

// The offset b that follows k.
std::int64_t second_offset(const Scene& scene);

void tell_pair(View& v, std::size_t pair);

// Many dimensions: along the pairs, as lines and strips.
void draw_along_pairs(View& v, Rect area);

// Few dimensions: the whole square M_k with its numbers, between the two vectors.
void draw_square(View& v, Rect area);

}  // namespace posiscope::figures::shifts
