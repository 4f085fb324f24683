// measured.hpp — what the figures of a dump share: the files that the Scene's view names, measured by core/measure in the background,
// beside what the Scene says that they should be.
#pragma once

#include "app/figures/figure.hpp"
#include "core/measure/beside.hpp"
#include "core/measure/report.hpp"

namespace posiscope::figures::measured {

// Colours and strips of the residual: log₁₀ of roundings, from 0 (residual.cpp).
struct Shades {
    std::vector<float> samples;  // [bands, columns], the largest of the pairs that a column covers
    std::size_t columns = 0;
    std::vector<double> by_row;  // of at most kMostSteps runs of rows, the largest of each
    std::uint64_t key = 0;
    double most = 1.0;                   // decades
    std::int64_t first = -1, last = -1;  // pairs with numbers beyond a rounding
};
Shades shades_of(const measuring::Beside& beside);

// Positions on the first axis, read and as they should be, of [slices, steps] runs of rows: of a run the row that is farthest off
// (rows.cpp).
struct Places {
    std::int64_t slices = 0, rows = 0, steps = 0;
    std::vector<double> found, wanted, off;                // off: found − wanted
    std::vector<std::int64_t> row;                         // whose they are
    std::int64_t wrong = 0, unread = 0, first_wrong = -1;  // rows of all slices
    double first_found = 0.0, first_wanted = 0.0;          // of the first that is wrong
    double least = 0.0, most = 1.0, largest = 0.0;
    std::vector<double> head_off;  // the difference that all rows of a slice have; NaN: they have several

    std::size_t step_of(std::int64_t slice, std::int64_t of_row) const {
        return static_cast<std::size_t>(slice * steps + of_row * steps / std::max<std::int64_t>(rows, 1));
    }
};
struct Seen;
Places places_of(const Seen& seen);
inline constexpr std::int64_t kMostSteps = 2048;

struct Seen {
    std::optional<Problem> problem;  // why there are no numbers
    measuring::Report report;
    Spectrum spectrum;      // of the pairs as they should be, by which figures are linked
    bool of_scene = false;  // the Scene's table; else a known one, or none
    std::size_t
        kept = 0,
        divided = 0;  // pairs that keep their frequency, and the first of those that divide it by one number
    double factor = 0.0, factor_off = 0.0, wanted_factor = 0.0;  // that number; 0: there is none
    std::vector<std::int64_t> differ;                            // pairs whose frequency is another one
    Shades shades;
    Places places;

    const measuring::Measured& measured() const { return report.measured; }
    const measuring::Beside* beside() const { return report.measured.beside.get(); }
};
// Null while it is measured, and without a file.
const Kept<Seen>& kept_seen(Derived& derived, const Scene& scene);
inline const Seen* seen(const Frame& f) { return kept_seen(f.derived, f.scene).get(); }

// True for q or k before and after rotation, as far as it is measured.
bool is_rotation(Derived& derived, const Scene& scene);

// Says why there is nothing to draw: no file or one that cannot be read (on the bench the spectrum says so, each other figure what
// it will show), numbers that are still being measured, or none of the kind.
bool absent(Frame& f, Rect area);
bool without_columns(Frame& f, Rect area);

// The selected row and head of the dump, within what there is.
std::int64_t slice_of(const Scene& scene, const measuring::Measured& measured);
std::int64_t row_of(const Scene& scene, const measuring::Measured& measured);

// Dumps that are made of the Scene, in a file's place: view.dump.example.
std::span<const std::string_view> example_names();
// Refused for a Scene without frequencies, or without the factor or the rotation that the fault is in.
Result<std::vector<StoredTensor>> example_arrays(std::string_view name, const Scene& scene);

// The record of one of these figures, which have no modes and follow no position.
constexpr Figure figure_of_dump(std::string_view id, std::string_view (*says)(Frame&),
                                void (*draws)(Frame&, Rect)) {
    return {.id = id,
            .headline = says,
            .draw = draws,
            .modes = nullptr,
            .moves = {.position = false, .offset = false}};
}

inline ui::Colour mark_of(const Frame& f, bool fine) { return fine ? f.theme.seen : f.theme.beyond; }

}  // namespace posiscope::figures::measured
