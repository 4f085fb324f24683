// around.hpp — what panels show and change besides the Scene. The workbench owns it.
#pragma once

#include "app/panels/actions.hpp"
#include "app/panels/context.hpp"
#include "app/panels/experiment.hpp"
#include "app/panels/export_dialog.hpp"
#include "app/panels/guide.hpp"
#include "app/panels/help_pages.hpp"
#include "app/panels/outside.hpp"
#include "app/panels/path_dialog.hpp"
#include "app/panels/timeline.hpp"
#include "app/ui/geometry.hpp"
#include "core/phase/frequencies.hpp"
#include "core/scene/comparison.hpp"

namespace posiscope::panels {

// A choice from a list: its name, or a path.
struct Chosen {
    enum class From { benches, figures, themes, sides, code, recent, typed_paths, sections, claims };
    From from;
    std::string_view what;
};

// What the first start offers.
struct Offer {
    static constexpr float kRoom = 108.0F;  // that the sidebar leaves it at its lower end

    Point corner;  // the lower left one of the sidebar
    int minutes = 0;

    enum class Taken { nothing, no, lesson, look_around };
    Taken taken = Taken::nothing;
};

struct Around {
    std::span<const Action> actions;
    std::span<const std::string_view> benches, figures;  // their ids
    std::string_view alone;                              // the one figure that is shown, or empty
    std::string_view theme;
    std::optional<Sides> sides;  // of a comparison, if there is one
    const Outside& outside;
    std::span<const Recent> recent;
    const std::optional<Running>& running;

    // Derived from the Scene, for the sidebar.
    const Spectrum* spectrum;            // null for an encoding that has none
    std::span<const std::string> notes;  // settings without effect, and where settings come from
    const Method& method;

    bool position_moves = true, offset_moves = true;  // anything in the figures that are shown

    // Changed in place.
    int& picture_scale;
    Playing& playing;
    HelpState& help;
    std::span<const LivingTable> tables;  // of the help screen
    PathDialog& path_dialog;
    ExportState& exporting;
    ExperimentState& experiment;
    bool presenting = false;
    Band* band = nullptr;        // below the picture while presenting
    Offer* offer = nullptr;      // at the first start
    GuideView* guide = nullptr;  // in the sidebar's place while it is open

    // Returned.
    std::optional<Chosen> chosen{};
    bool menu_opened = false;  // in this frame
    bool stop_export = false;

    const Action& action(std::string_view id) const { return find_action(actions, id); }
};

}  // namespace posiscope::panels
