// outside.hpp — open files, recent files and a running export, as panels show them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace posiscope::panels {

// The open files, by name.
struct Outside {
    std::size_t card = 0, cards = 0;  // which of several open files, from 1; 0 cards: not several
    std::string name;                 // of the shown file
    std::string changed;              // an open file that has changed on disk; empty: none

    bool operator==(const Outside&) const = default;
};

// A recent file, and whether it still exists.
struct Recent {
    std::string path;
    bool there = true;
};

// A running export: the name of its file, and how many images it has drawn.
struct Running {
    std::string name;
    std::int64_t done = 0, count = 0;  // count 0: unknown

    bool operator==(const Running&) const = default;
};

struct RunningView {
    const std::optional<Running>& running;
};

}  // namespace posiscope::panels
