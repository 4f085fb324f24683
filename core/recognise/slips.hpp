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

}  // namespace posiscope::recognition
