#include "app/panels/panels.hpp"

namespace posiscope::panels {

extern const PanelEntry kToolbar, kBand, kNotes, kTimeline, kSidebar, kHelp, kPathDialog, kExportDialog,
    kRunning, kTraining, kOffer;

std::span<const PanelEntry* const> panels() {
    static constexpr std::array list = {&kToolbar, &kBand,     &kNotes,      &kTimeline,
                                        &kSidebar, &kHelp,     &kPathDialog, &kExportDialog,
                                        &kRunning, &kTraining, &kOffer};
    return list;
}

}  // namespace posiscope::panels
