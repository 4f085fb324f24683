// experiments.hpp — the results that come with the program, one file for each preset of the experiment.
#pragma once

#include "app/ui/theme.hpp"
#include "core/experiment/bank.hpp"

namespace posiscope::ui {

// Results of the preset with these settings (whatever their encodings and seeds); null if none is shipped. Read once.
std::shared_ptr<const experiment::Bank> shipped_results(const experiment::Settings& settings);

// The colour of its curves.
Colour encoding_colour(const Theme& theme, std::string_view encoding);

}  // namespace posiscope::ui
