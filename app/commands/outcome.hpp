// outcome.hpp — of one thing that `posiscope check` looked at: how it ends, its sentences and its record.
#pragma once

#include "app/commands/command.hpp"
#include "core/json.hpp"

#include <optional>

namespace posiscope::commands {

struct Outcome {
    Exit exit = Exit::done;
    std::string text;            // on standard output
    Json record;                 // the same as one line of JSON
    std::optional<Problem> why;  // on standard error: nothing known, or a file that cannot be read
};

// The worse of two: a wrong word, then a file that cannot be read, wrong, nothing known, noise, right.
Exit worse(Exit a, Exit b);

}  // namespace posiscope::commands
