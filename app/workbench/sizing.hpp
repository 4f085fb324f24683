// sizing.hpp — how large the window's words are and what gives way to them (scale.hpp): the sidebar, all figures but one.
#pragma once

#include "app/workbench/document/preferences.hpp"
#include "app/workbench/document/session.hpp"
#include "app/workbench/teach/lecture.hpp"
#include "app/workbench/window/layout.hpp"
#include "app/workbench/window/scale.hpp"

namespace posiscope::workbench {

class Sizing {
public:
    Sizing(Preferences& preferences, const Session& session, const Layout& layout, const Teaching& teaching,
           const Lecture& lecture)
        : preferences_(preferences),
          session_(session),
          layout_(layout),
          teaching_(teaching),
          lecture_(lecture) {}

    // The pixels per point of the next frame, in a window of so many pixels.
    float fit(int width, int height, float monitor_scale);
    // To the next larger (by > 0) or smaller size; false where there is none that shows.
    bool enlarge(int by);
    // The one figure that is shown, because somebody chose it or only one has room; empty: the bench.
    std::string_view alone() const;
    bool upright() const { return fitted_.upright; }  // one below the other
    bool with_sidebar() const;
    bool folded() const { return fitted_.fold != Fold::none; }
    // Shows the sidebar although it is folded, or hides it although it is not; and back.
    void toggle_sidebar() { sidebar_asked_ = !sidebar_asked_; }
    void copy_view_state(const Sizing& other);

private:
    // As the window has it by itself.
    bool shows_sidebar() const { return fitted_.fold == Fold::none || fitted_.fold == Fold::beside; }

    Preferences& preferences_;
    const Session& session_;
    const Layout& layout_;
    const Teaching& teaching_;
    const Lecture& lecture_;
    Space space_;  // of the window; of no width in pictures and tests
    Fitted fitted_;
    bool sidebar_asked_ = false;
};

}  // namespace posiscope::workbench
