// check_measured.hpp — what posiscope check says of a measured dump (core/measure): sentences, or the record as one line of JSON.
#pragma once

#include "app/commands/outcome.hpp"
#include "core/measure/report.hpp"

namespace posiscope::commands {

// The references of a config, or of the Scene that the options give; none without either.
struct References {
    std::vector<Scene> scenes;
    std::vector<measuring::Reference> list;
    std::string family;  // model_type
};
Result<References> references_for(const std::string& config, const SharedOptions& shared,
                                  const Terminal& terminal);

inline constexpr int kCheckRecord = 1;  // the version of the record

std::string text_of(const measuring::Report& report, const Strings& strings);
// {"kind", "version", "verdict", …}: numbers are numbers.
Json record_of(const measuring::Report& report, const Strings& strings);
// Its exit code is the verdict's: 0 right, 4 wrong, 5 right but for noise, 1 unknown.
Outcome outcome_of(const measuring::Report& report, const Strings& strings);

}  // namespace posiscope::commands
