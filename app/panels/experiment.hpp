// experiment.hpp — the experiment's controls in the sidebar: task, encodings, knobs, and running it.
#pragma once

#include "app/panels/panel.hpp"
#include "core/experiment/shown.hpp"

#include <span>
#include <string>

namespace posiscope::panels {

// A line about a typed encoding: a slot and its formula, or without a slot its numbers, "s 1 → 0.43 ±0.02".
struct TypedText {
    std::string_view slot;
    std::string text;
};

// One encoding of the list: how many seeds are finished, and how far the one under way is.
struct Trainee {
    std::string_view encoding;  // an entry (core/experiment/frame.hpp)
    std::size_t done = 0;
    double part = -1.0;  // of the run under way, 0 … 1; negative: none
    bool queued = false;
    bool shipped = false;                   // its results came with the program
    std::span<const TypedText> lines = {};  // of a typed one
};

struct ExperimentState {
    const experiment::Shown* shown = nullptr;  // null: the settings are refused
    std::span<const Trainee> trainees;         // every encoding that can be trained; typed ones at the end
    bool running = false, paused = false, complete = false, old = false;
    std::span<const std::int64_t> moments{};  // the steps at which seed 1 is looked at
    std::size_t done = 0, total = 0;          // runs of the queue
    double seconds_left = -1.0;               // negative: unknown
    bool& elsewhere;                          // goes on while another bench is shown
};

// The corner of the window, while another bench is shown.
struct CornerView {
    ExperimentState& experiment;
    bool above_export = false;  // which has the corner
};

void experiment_controls(Panel& panel, ExperimentState& state, Rect area);
// While another bench is shown: how far it is, in the corner.
void experiment_corner(Panel& panel, ExperimentState& state, Rect area);

}  // namespace posiscope::panels
