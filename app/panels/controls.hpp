// controls.hpp — the Scene's controls by their keys, so that the sidebar shows all of them and a lesson those of its step.
#pragma once

#include "app/panels/context.hpp"
#include "app/panels/experiment.hpp"
#include "app/panels/guide.hpp"
#include "app/panels/widgets.hpp"
#include "core/encodings/own_function.hpp"
#include "core/phase/frequencies.hpp"

namespace posiscope::panels {

// The numbers of a dump that is measured, at its selected row, head and pair; zeros where there are none.
struct DumpView {
    std::int64_t rows = 0, heads = 0, pairs = 0, row = 0, head = 0, pair = 0;
    std::span<const std::int64_t> shape{};
    double found = 0.0, wanted = 0.0, rounding = 0.0;
    double rate = 0.0, expected = 0.0;
    bool differs = false;
    bool of_scene = true;  // else a known table's
    std::string none{};
};

struct ControlsView {
    // Derived from the Scene.
    const Spectrum* spectrum;            // null for an encoding that has none
    std::span<const std::string> notes;  // settings without effect, and where settings come from
    const Method& method;
    std::span<const OwnReading> readings = {};        // of a typed encoding's slots
    bool position_moves = true, offset_moves = true;  // anything in the figures that are shown
    DumpView* dump = nullptr;                         // on its bench
};

struct SidebarView {
    ControlsView controls;
    ExperimentState& experiment;  // its controls, under its bench
    GuideView* guide = nullptr;   // in their place while it is open
};

// The control of "position", "encoding", "content.weights", …; returns its height, 0 where the Scene has none for the key.
float control(Panel& panel, const ControlsView& view, Rect area, std::string_view key);
// All of them, and the chosen pair in numbers.
void all_controls(Panel& panel, const ControlsView& view, Rect area);
// The files of a dump, what they should be, its selected numbers, and a button that copies a command; returns their height.
float dump(Panel& panel, DumpView& view, const Method& method, Rect area);
// The file named by a setting, and a cross to remove it; returns its height.
float file_row(Panel& panel, Rect area, std::string_view key, std::string_view path);
// The slots of a typed encoding and its names; returns their height.
float formulas(Panel& panel, const ControlsView& view, Rect area);
// The slider of one of its names, "encoding.values.s", alone as a lesson shows it; returns its height, 0 where there is none.
float formula_number(Panel& panel, Rect area, std::string_view key);
// The scaling in use and its numbers, alone as a lesson shows it; returns their height, 0 where nothing rotates.
float scaling(Panel& panel, Rect area, const Method& method);
// A lesson in the sidebar's place.
void guide(Panel& panel, GuideView& view, const ControlsView& controls, Rect area);
// The tab of the claims, below its head.
void claims(Panel& panel, ClaimsView& view, const ControlsView& controls, Rect area);
// The tab of the examples.
void examples(Panel& panel, Rect area);

}  // namespace posiscope::panels
