// rows.hpp — which position each row of a table holds, and which rows and columns hold nothing that it should.
#pragma once

#include "core/recognise/candidate.hpp"

namespace posiscope::recognition {

struct RowsHeld {
    std::vector<Problem> slips;    // at least one
    std::vector<Problem> details;  // what single rows and columns hold instead
    std::int64_t start = 0;        // rows count from there
    int unlikely = 0;              // the more rows and columns fit nothing
    Difference off;                // of what fits
};

// Nothing where less than half of the rows and columns fit, or where all of them do.
// Bound   kMostHeldRows rows.
std::optional<RowsHeld> what_rows_hold(const Matrix& matrix, const Arrangement& arrangement, Order order,
                                       const Waves& waves, const Precision& precision);

}  // namespace posiscope::recognition
