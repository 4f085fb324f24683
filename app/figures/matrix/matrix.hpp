// matrix.hpp — the shared parts of the Matrix figure; hover.cpp has its tooltip, table.cpp tables of numbers, beside.cpp
// learned tables beside the sinusoidal one.
// Sines are left and cosines right where columns are narrow: a pixel that averages a sine and a cosine shows a beat that
// occurs in no encoding.
#pragma once

#include "app/figures/figure.hpp"

#include <limits>

namespace posiscope::figures::matrix {

enum class Mode { value, table, phase, gram, back, logits, shift, residual, attention };

struct Extents {
    double rows, columns;
};

struct View {
    Frame& frame;
    const Encoding& encoding;
    const Spectrum& spectrum;  // empty where nothing turns
    Mode mode;
    std::int64_t pairs;
    Extents whole;
    canvas::HeatmapView picture;
    FieldData data;                 // that it is drawn from
    std::uint64_t samples_key = 0;  // of data.samples
    Rect plot;
    canvas::Axis x, y;                             // columns and rows, in cells
    double middle = 0.0;                           // the value in the middle of the colours
    bool uniform = false;                          // every value is that one
    bool beyond_low = false, beyond_high = false;  // whether values lie past the ends of the colours
    const Other* other = nullptr;                  // of a difference B − A
    int key = 0;                                   // of its heatmap among the figure's
    float cut = -1.0F;                             // where a curtain crosses it

    bool positions_across() const { return products() || mode == Mode::logits || mode == Mode::attention; }
    // The vectors' own products, in closed form.
    bool products() const { return mode == Mode::gram || mode == Mode::back; }
    // How far W moves the query before it meets its key.
    std::int64_t moved() const { return mode == Mode::back ? frame.scene.offset : 0; }
    bool dimensions_down() const { return mode == Mode::shift; }
    bool rotary() const { return encoding.acts == Acts::query_key; }
    // A cache is stored with the attention factor; colours are of the sines and cosines alone.
    double factor() const {
        return rotary() && mode == Mode::value && other == nullptr ? spectrum.attention_factor : 1.0;
    }
    // The colour at a part of the range, −1 … 1.
    ui::Colour colour(float part) const {
        return part > 0.0F ? ui::mixed(picture.zero, picture.positive, part)
                           : ui::mixed(picture.zero, picture.negative, -part);
    }
    float device(float points) const { return points * frame.canvas.pixels_per_point(); }
};

// The picture of samples: as many pixels as the plot has, but no more than `most` a side and than a texture holds.
inline constexpr int kMostSamples =
    4096;  // where each is a sum: in a large picture one stands for several pixels
canvas::HeatmapView sampled(const View& v, int most = std::numeric_limits<int>::max());

// True if the values are the encoding's table, number by number, and not circles' sines and cosines.
bool shows_table(const Scene& scene);
bool has_table(const Scene& scene);  // it adds one number per position and feature
bool as_tables(const Frame& f);      // B − A of the numbers themselves
// Why that table cannot be had, or null.
const Problem* table_problem(const Scene& scene, Derived& derived);
// The headline until somebody drags a hand of Rotations for the first time; empty where no row is made of hands.
std::string_view invitation(Frame& f);
std::string_view table_headline(Frame& f);
std::string_view tables_headline(Frame& f);  // of B − A
const Problem* fill_table(View& v);          // why there is none yet, or null
void end_of_table(View& v);                  // over the picture: where the table ends
void hover_table(View& v, std::int64_t row);
std::int64_t table_end(const View& v);  // positions that it has
// Its numbers in rows [first, end) and columns [left, right), kept until they change.
std::span<const double> table_numbers(View& v, std::int64_t first, std::int64_t end, std::int64_t left,
                                      std::int64_t right);

// B − A. Why there is none in this mode; then of values, phases and M_k what the picture needs, and of scores the numbers.
std::optional<Problem> no_difference(const Frame& f, Mode mode);
void set_difference(View& v);
// Empty while they are being made.
std::span<const float> diagonals_difference(View& v, const Derived::Diagonals& wanted);
std::string_view difference_headline(Frame& f, Mode mode);
void say_difference(View& v, double a, double b);  // in the tip

// Attention of every query to every key: as many rows as attention has.
std::int64_t attention_rows(const Scene& scene);
std::string_view attention_headline(Frame& f);
const Problem* fill_attention(View& v);          // why there is none, or null
std::string_view attention_note(const View& v);  // what was left out; empty: nothing
void hover_attention(View& v, std::int64_t row);

// Sinusoidal and learned tables beside one another.
std::string_view beside_headline(Frame& f);
void draw_beside(Frame& f, Rect area);

// One side's picture and everything around it; returns where the picture stands, if there is one. `curtain`: its handle.
std::optional<Rect> draw_one(Frame& f, Rect area, int key, bool curtain, float cut = -1.0F);
// A left of a curtain and B right of it; or A, and why B cannot be there.
void draw_curtain(Frame& f, Rect area);

// The cells in view on one axis.
canvas::Axis cells_in_view(const Frame& f, const Scene& scene, std::string_view key, double whole);
Range range_of(const canvas::Axis& axis);
void zoom_and_pan(View& v);

// Around the picture and over it. A row is marked by a line through thin cells, a frame around thick ones.
void colour_bar(View& v, Rect bar);
void mark_row(View& v, double row, ui::Colour colour, bool ghost);
void mark_columns(View& v, std::int64_t pair, canvas::Stroke stroke);
void row_numbers(View& v);
void column_names(View& v);

// A cache of cos and sin that was built for the trained length, of a longer sequence: which rows are built once and which
// again, beside the picture, and the words for them below it. They take their room first, where there is any.
Rect take_cache_words(const View& v, Rect& area);
void states_of_cache(View& v, Rect words);

void cell_numbers(View& v);  // in cells that have room for them
// Shows, beside the picture, the part of M_k in view.
void locator(View& v, Rect corner);

// The entry of M_k in a row and the column of a pair's component.
double shift_entry(const View& v, std::int64_t row, PairComponent column);

// The tip and the link of the cell under the mouse; a click keeps its pair.
void hover(View& v);

}  // namespace posiscope::figures::matrix
