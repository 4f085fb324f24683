// cells.hpp — what Attention and Terms draw alike: a small matrix, query by key, whose cells hold their number where
// there is room, and the small controls inside a figure. A cell is a handle: its key is p, its query p + k.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures::cells {

// Greys along the square root, so that small shares among many can be told apart; and around a neutral zero.
enum class Colours { shares, signed_values };

inline constexpr float kWithNumbers = 30.0F;  // the least side of a cell that shows its number

// A few cells do not fill a tile, but a large tile has larger ones.
inline float largest_cell(Rect area) {
    return std::max(200.0F, 0.3F * std::min(area.width(), area.height()));
}

struct Cells {
    Rect plot;
    std::size_t rows = 0, columns = 0;  // queries and keys
    std::span<const double> values;     // [rows, columns]; −∞ is not seen, no number is hidden: hatched
    double range = 1.0;                 // |value| at full colour
    Colours colours = Colours::signed_values;
    std::int64_t first_row = 0, first_column = 0;  // their positions

    float side() const { return plot.width() / static_cast<float>(columns); }
    Rect cell(std::size_t row, std::size_t column) const;
    double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

ui::Colour colour_of(const ui::Theme& theme, double value, double range, Colours colours);
// Ink or its opposite, whichever can be read on a ground.
ui::Colour ink_on(const ui::Theme& theme, ui::Colour ground);

void draw(Frame& f, const Cells& cells);

struct Cell {
    std::size_t query, key;  // counted from the first row and column
};
std::optional<Cell> under_mouse(const Frame& f, const Cells& cells);
// Lights up what is linked, marks the cell of p + k and p, links the one under the mouse; pressed and dragged it
// moves p and k there. `handle` names it.
std::optional<Cell> link(Frame& f, const Cells& cells, std::string_view handle);

// The positions of rows at their left and of columns below, where there is room.
void number(Frame& f, const Cells& cells, bool rows, bool columns);

// A colour bar with its two ends named; returns its width. `right` is its right end, `y` its middle.
float colour_bar(Frame& f, float right, float y, std::string_view name, double from, double to,
                 Colours colours);

// The line below a picture: a note at its left if there is room, the colour bar at its right.
void draw_legend(Frame& f, Rect legend, std::string_view note, std::string_view name, double from, double to,
                 Colours colours);

// ---- Controls in a figure; nothing in a picture ---------------------------------------------------------------

// Clicked, or pressed by the keyboard, which has a ring there.
bool pressed(Frame& f, std::string_view mark, Rect area);
KeyStop pressed_or_moved(Frame& f, std::string_view mark, Rect area);

// Pressed and released. Its width is text_width + kButtonPad.
inline constexpr float kButtonPad = 18.0F, kButtonHeight = 24.0F;
bool button(Frame& f, std::string_view mark, Rect area, std::string_view text, bool on);

// Some choices side by side, from `left` on; which was chosen anew, if any.
std::optional<std::size_t> choices(Frame& f, Point left, std::span<const std::string_view> marks,
                                   std::span<const std::string_view> texts, std::size_t chosen);
float choices_width(const Frame& f, std::span<const std::string_view> texts);

// Cuts a word to the width, and adds "…" if it cuts.
std::string_view shortened(const Frame& f, std::string_view word, ui::Face face, float size, float width);

}  // namespace posiscope::figures::cells
