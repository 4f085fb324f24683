// slips.hpp — known slips, each as a change of a candidate.
#pragma once

#include "core/recognise/candidate.hpp"

namespace posiscope::recognition {

struct Slip {
    std::string_view name;  // "slip.NAME" in the string tables; empty: none
    bool needs_config;      // meaningful only against what the table should be
    // False where it changes nothing for this spectrum.
    bool (*apply)(const Known& known, Waves& waves);
};

std::span<const Slip> slips();

// Whether a slip of inverse frequencies themselves is one.
bool changes_rates(const Slip& slip);
// Whether it is looked for at a spectrum: at the config's, and most at plain ones.
bool meant(const Slip& slip, const Known& known);

}  // namespace posiscope::recognition
