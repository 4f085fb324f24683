// frame_processes.hpp — time and memory of a whole process, from exec to exit.
#pragma once

#include "tests/bench/frame_stage.hpp"

#include <string>
#include <vector>

namespace posiscope::bench {

struct Ran {
    bool well = false;
    Took took{};
    double mebibytes = 0.0;  // the largest resident set
};

// The first word is the program's path; what it prints is dropped. `variables` ("NAME=value") come before the
// environment's own.
Ran run_program(const std::vector<std::string>& words, const std::vector<std::string>& variables = {});

}  // namespace posiscope::bench
