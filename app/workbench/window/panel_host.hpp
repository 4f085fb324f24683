// panel_host.hpp — gives a panel its area, its part of the Scene and what is typed in it, and takes its edits.
#pragma once

#include "app/panels/panels.hpp"
#include "app/workbench/document/session.hpp"
#include "app/workbench/window/room.hpp"
#include "app/workbench/window/stage.hpp"

namespace posiscope::workbench {

class PanelHost {
public:
    PanelHost(Session& session, Stage& stage, const Teaching& teaching, const Room& room)
        : session_(session), stage_(stage), teaching_(teaching), room_(room) {}

    void begin() { held = false; }
    void draw(const ui::Look& look, const panels::PanelEntry& entry, const panels::Views& views, Rect area);

    panels::Typing typing;
    bool held = false;  // a control is held in this frame

private:
    Session& session_;
    Stage& stage_;
    const Teaching& teaching_;
    const Room& room_;
};

}  // namespace posiscope::workbench
