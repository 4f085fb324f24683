// measure.hpp — a dump, measured: its columns, rows, slices and rounding; then the verdict on it.
// right    every number is within the rounding of its type and of a named arithmetic of what the table has at that row's position
// wrong    a difference that was measured, with where and how much, and the parameter that explains all of it if one does
// noisy    right but for differences without a pattern, and how large they are
// unknown  nothing known, with what was measured
// Source   the sampled sinusoid of columns.hpp, the intervals of rows.hpp, the parameters of fit.hpp.
// Parts    table.hpp      the ways to read the axes of a dump, and which column is whose cosine or sine
//          reference.hpp  the tables that it may be meant to be
//          values.cpp     the proof of every number, and one change that explains those that are off
//          fit.hpp        the spectra that a reference is mistaken for: a table of predictions, then fitted parameters
//          sequence.cpp   the order of the positions of rows; lists.cpp  lists of frequencies
//          measure.cpp    trials, which are a view, a form, a reference and a change of it, until one fits whole
#pragma once

#include "core/measure/fit.hpp"

#include <memory>

namespace posiscope::measuring {

enum class Verdict { right, noisy, wrong, unknown };
std::string_view name_of(Verdict verdict);

struct Finding {
    Problem said;
    bool wrong = true;  // else a note
};
// right without a finding that is wrong
Verdict verdict_of(std::span<const Finding> findings);

// A pair as it was measured: rate · row + phase, beside the reference's.
struct PairMeasured {
    double rate = 0.0, off = 0.0;  // radians per position; off: infinite if the rows cannot tell it
    double ratio = 0.0;            // to the reference; 0: no reference
    double amplitude = 0.0, residual = 0.0;
    double expected = 0.0,
           unscaled = 0.0;  // the reference's frequency, and the same before scaling; 0: not known
};

struct Beside;  // beside.hpp

struct Measured {
    Verdict verdict = Verdict::unknown;
    Problem what;  // form, pairs, table
    std::string precision;
    std::optional<Arithmetic> arithmetic;  // of a right table
    double largest = 0.0;                  // difference from what it should be
    std::int64_t slice = 0, row = 0, column = 0;
    bool given = false;      // the table is the config's
    double noise = 0.0;      // root mean square, of a noisy one
    bool tolerated = false;  // right within the tolerance that was asked for, and not by a proof
    std::vector<Finding> findings;
    std::vector<PairMeasured> pairs;
    std::int64_t slices = 0, rows = 0;
    Positions positions;
    double explained = 0.0;                // part of the numbers that fit
    std::shared_ptr<const Beside> beside;  // where it was asked for, and the dump has columns
    std::vector<std::int64_t> partners;    // of each column of q or k that was rotated; −1: none was found
};

struct Wanted {
    std::span<const Reference> references;  // the config's; empty without one
    std::span<const Reference> known;       // known spectra, for dumps without a config
    std::vector<std::vector<double>>
        ids;           // of the rows, a list for each axis or slice; NaN: of a pad, free; empty: not given
    std::string axes;  // of the dump, as tables_of takes them; empty: found out
    double tolerance = 0.0, relative = 0.0;  // numpy's atol and rtol; 0: rounding alone
    std::string family;                      // model_type
    bool named_cosine = false, named_sine = false;
    std::optional<Precision> precision;  // of the coarser of two arrays; empty: the dump's
    bool beside = false;                 // with every pair and number beside what it should be
};
Measured measure(const StoredTensor& dump, const Wanted& wanted);

// Axes or ids that a dump does not have.
std::optional<Problem> unfit(const StoredTensor& dump, const Wanted& wanted);
// The id of a row on an axis; `ids_fit` before it.
bool ids_fit(const Wanted& wanted, const Table& table);
double id_at(const Wanted& wanted, const Table& table, int axes, std::int64_t slice, std::int64_t row,
             int axis);
// Their ids where they have some, else rows counted from 0.
Positions expected_rows(const Wanted& wanted, const Table& table, int axes);

// ---- For the parts ----------------------------------------------------------------------------------------------------

// A hypothesis about a whole table, and how much of it fits.
struct Trial {
    const Table* table = nullptr;
    Form form;
    const Reference* reference = nullptr;
    Turning turning;
    Positions positions;
    std::vector<Problem> why;  // the reference, changed so
    bool fits = false;
    Arithmetic arithmetic = Arithmetic::exact;
    double largest = 0.0;
    std::int64_t pads = 0;  // columns of zeros, or of ones, behind
    bool pads_are_ones = false;
    std::int64_t zeros = 0;     // rows before it, of class tokens
    std::int64_t unused = 0;    // rows of zeros behind it
    std::int64_t pad_row = -1;  // zeros in the place of a position: the padding token's
};
// Compares every number; stops at the first pair that no arithmetic makes.
bool prove(Trial& trial, const Precision& precision);

inline constexpr std::size_t kMistaken = 3;  // usual bases whose mistakes are named without a config

// A list of one number a pair; nothing for any other array.
std::optional<Measured> measure_list(const StoredTensor& dump, const Wanted& wanted,
                                     const Precision& precision);
// A table of a kind of layer that was not asked for.
std::optional<Finding> other_kind(const Reference& reference);

// How many rows are the trial's before others come, of which most are not; all where there are none.
std::int64_t rows_before_others(const Trial& trial, const Precision& precision);

// Pairs that surely turn otherwise than the reference's, and how much so; nothing where there are none.
std::optional<Finding> ratios_of(std::span<const PairMeasured> pairs);

// An image's patches, row by row, that the positions on two axes are but for a few.
struct PatchGrid {
    int slow = 0;  // the axis of a patch's row
    double top = 0.0, left = 0.0;
    std::int64_t rows = 0, columns = 0;

    double at(std::size_t row, int axis) const {
        const auto r = static_cast<std::int64_t>(row);
        return axis == slow ? top + static_cast<double>(r / columns)
                            : left + static_cast<double>(r % columns);
    }
};
std::optional<PatchGrid> grid_of_patches(const Positions& read);

// The order of the positions of rows: findings, or nothing for rows that count from 0.
std::vector<Finding> judge_rows(const Trial& trial, const Wanted& wanted);

// The differences of numbers from what they should be, and whether they have a pattern.
class Leftover {
public:
    explicit Leftover(const Table& table)
        : rows_(table.rows),
          by_column_(static_cast<std::size_t>(table.columns), 0.0),
          by_slice_(static_cast<std::size_t>(table.slices), 0.0) {}
    // `turned`: the number a quarter of a turn on.
    void add(std::int64_t slice, std::int64_t row, std::int64_t column, double found, double wanted,
             double turned = 0.0);
    double noise() const;  // root mean square, of the numbers that should be there in `size`
    double size() const;
    double mean() const { return sum_ / count_; }
    double factor() const {
        return size_ > 0.0 ? 1.0 + along_ / size_ : 1.0;
    }  // on all numbers, by least squares
    // Noise is as often above as below, as large in every column, slice and part of the rows, and no part of the numbers.
    bool without_pattern(double most) const;
    Finding said() const;

    double largest = 0.0;
    std::int64_t slice = 0, row = 0, column = 0;  // of the largest

private:
    std::int64_t rows_;
    bool finite_ = true;
    double count_ = 0.0, sum_ = 0.0, square_ = 0.0, size_ = 0.0, along_ = 0.0, across_ = 0.0;
    std::vector<double> by_column_, by_slice_, by_part_ = std::vector<double>(8, 0.0);
};

// Faults in the numbers of a trial whose frequencies and positions are right. `explained`: nothing is left beside them; else
// `noise` is the size of what is left, infinite where it is no noise.
struct Values {
    bool explained = false;
    double noise = 0.0, largest = 0.0, off = 0.0;  // off: root mean square of all
    std::int64_t slice = 0, row = 0, column = 0;
    double fitting = 0.0;  // part of the numbers
    std::vector<Finding> findings;
};
Values judge_values(const Trial& trial, const Precision& precision);

}  // namespace posiscope::measuring
