// severity.hpp — the mark beside a finding.
#pragma once

#include "app/figures/figure.hpp"
#include "core/models/check.hpp"

namespace posiscope::figures {

// A tick, an exclamation mark or a cross about a point, drawn: fonts need not have them.
void draw_mark(Frame& f, Point at, Severity severity);

}  // namespace posiscope::figures
