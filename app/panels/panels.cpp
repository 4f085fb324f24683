#include "app/panels/panels.hpp"

namespace posiscope::panels {

extern const PanelEntry kToolbar, kBand, kTimeline, kSidebar, kHelp, kPathDialog, kExportDialog, kRunning,
    kTraining, kOffer;

std::span<const PanelEntry* const> panels() {
    static constexpr std::array list = {&kToolbar,    &kBand,         &kTimeline, &kSidebar,  &kHelp,
                                        &kPathDialog, &kExportDialog, &kRunning,  &kTraining, &kOffer};
    return list;
}

}  // namespace posiscope::panels
