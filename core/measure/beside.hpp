// beside.hpp — a dump beside what it should be: each pair's frequency, each row's position and each number, for pictures and the
// record. Nothing here changes a verdict.
#pragma once

#include "core/measure/measure.hpp"

namespace posiscope::measuring {

// A number of the dump: the one of a pair in a row that is farthest off.
struct NumberBeside {
    std::int64_t column = 0;
    double found = 0.0, wanted = 0.0;
    double rounding = 0.0;  // the difference that its type and a named arithmetic allow
};

struct Beside {
    Table table;
    Form form;
    Turning turning;               // as it should be; without rates: nothing is known of it
    std::vector<double> unscaled;  // frequencies before scaling; empty: not known
    Precision precision;
    Arithmetic arithmetic = Arithmetic::exact;
    Positions
        positions;  // that the rows should have: the ids, else those that were read where they go on, else rows counted
    std::string words;  // of the reference

    // The largest differences in roundings: of each pair, of each row of each slice, and of each pair in `bands` runs of rows.
    std::vector<double> by_pair, by_row;
    std::int64_t bands = 0;
    std::vector<float> map;  // [bands, pairs]
    std::int64_t numbers = 0, beyond = 0;
    double amplitude = 0.0;  // by least squares, of the pairs that turn as they should; 0: there are none

    // Numbers within a rounding of what several explanations say.
    struct Fit {
        std::string name;  // measured.fit.NAME: unscaled, linear, config, explained
        std::int64_t within = 0;
    };
    std::vector<Fit> fits;

    std::int64_t rows() const { return table.slices * table.rows; }
    NumberBeside at(std::int64_t row, std::int64_t pair) const;
};

// A frequency that the rows cannot tell to a tenth of it, or of what it should be: a pair that stands still is told, too.
bool undecided(const PairMeasured& pair);
// A frequency that is surely another one than expected.
bool differs(const PairMeasured& pair);

// Measures each pair of a trial that has no frequency yet, and lays its numbers beside the reference's.
std::shared_ptr<const Beside> lay_beside(const Trial& trial, Measured& measured, const Wanted& wanted,
                                         const Precision& precision);

}  // namespace posiscope::measuring
