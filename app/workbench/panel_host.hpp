// panel_host.hpp — gives a panel its area, its part of the Scene and what is typed in it, and takes its edits.
#pragma once

#include "app/panels/panels.hpp"
#include "app/workbench/document/session.hpp"
#include "app/workbench/sizing.hpp"
#include "app/workbench/window/stage.hpp"

namespace posiscope::workbench {

class PanelHost {
public:
    PanelHost(Session& session, Stage& stage, const Teaching& teaching, const Sizing& sizing)
        : session_(session), stage_(stage), teaching_(teaching), sizing_(sizing) {}

    void begin() { held = false; }
    void draw(const ui::Look& look, const panels::PanelEntry& entry, const panels::Views& views, Rect area);

    panels::Typing typing;
    panels::Formulas formulas;
    bool held = false;  // a control is held in this frame

private:
    Session& session_;
    Stage& stage_;
    const Teaching& teaching_;
    const Sizing& sizing_;
};

}  // namespace posiscope::workbench
