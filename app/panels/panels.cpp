#include "app/panels/panels.hpp"

namespace posiscope::panels {

extern const PanelEntry kToolbar, kBand, kSlideBar, kNotes, kTimeline, kSidebar, kHelp, kPathDialog,
    kExportDialog, kRunning, kTraining, kOffer, kFind;

std::span<const PanelEntry* const> panels() {
    static constexpr std::array list = {&kToolbar,  &kBand,  &kSlideBar,   &kNotes,        &kTimeline,
                                        &kSidebar,  &kHelp,  &kPathDialog, &kExportDialog, &kRunning,
                                        &kTraining, &kOffer, &kFind};
    return list;
}

}  // namespace posiscope::panels
