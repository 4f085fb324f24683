// layout.hpp — divides the room among the figures of a bench: rectangles in, rectangles out. It draws nothing, and knows
// figures by name only.
#pragma once

#include "app/ui/geometry.hpp"
#include "app/workbench/window/benches.hpp"

#include <functional>
#include <string>

namespace posiscope::workbench {

inline constexpr float kGap = 12.0F;  // between the tiles, and around them

struct Tile {
    std::string_view figure;
    Rect area;
};

// The gap between two parts of a bench. People drag it.
struct Divider {
    Rect area;
    Rect whole;  // of both parts
    bool across;
    std::size_t index;  // into the bench's ratios

    // The first part's share if the divider is dragged there, limited so that both parts stay usable.
    double ratio_at(Point mouse) const;
};

class Layout {
public:
    // The figure that has all the room, but for another one `beside` it; empty: the bench. Changes take effect with apply(), so
    // from the next frame.
    std::string_view alone() const { return alone_; }
    std::string_view beside() const { return beside_; }
    void show_alone(std::string_view figure, std::string_view beside = {});
    void show_bench() { show_alone({}); }
    // Shows the figure alone, or the bench again if a figure is alone.
    void toggle(std::string_view figure) { show_alone(alone_.empty() ? figure : std::string_view()); }
    void apply() {
        alone_ = next_alone_;
        beside_ = next_beside_;
    }

    // Lays out this frame. `ratios` are the first parts' shares; a list of another length is replaced by the bench's
    // defaults. A part all of whose figures draw nothing but a sentence takes little room, unless somebody dragged its divider.
    using Draws = std::function<bool(std::string_view figure)>;
    void divide(
        const Bench& bench, Rect room, std::vector<double>& ratios,
        const Draws& draws = [](std::string_view) { return true; });
    void give_all(std::string_view figure, Rect room);
    // Two halves, side by side where there is more room across.
    void halve(std::string_view figure, std::string_view beside, Rect room);
    std::span<const Tile> tiles() const { return tiles_; }
    std::span<const Divider> dividers() const { return dividers_; }
    // A figure's tile, or for an empty name the rectangle around all tiles. Empty if there is none.
    Rect around(std::string_view figure) const;

private:
    void lay(const Part& part, Rect area, std::size_t& index, const std::vector<double>& ratios,
             const Draws& draws);

    // The figures' own names, which tiles keep.
    std::string_view alone_, next_alone_, beside_, next_beside_;
    std::vector<Tile> tiles_;
    std::vector<Divider> dividers_;
};

}  // namespace posiscope::workbench
