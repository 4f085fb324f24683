// actions.hpp — the table of actions, and the keyboard input that performs them.
#pragma once

#include "app/panels/actions.hpp"

namespace posiscope::workbench {

class Actions {
public:
    // Throws if two actions share a name or a key, or if one takes a key of the browser or of a presenter's remote.
    // `place`: kDesktop or kPage; only what is offered there is in the list.
    explicit Actions(std::vector<panels::Action> table, unsigned place = panels::kDesktop);
    // Actions refer to the objects they act on.
    Actions(const Actions&) = delete;
    Actions& operator=(const Actions&) = delete;
    ~Actions() = default;

    std::span<const panels::Action> list() const { return table_; }

    // Call each frame before drawing: performs the actions whose keys are pressed, except while text is typed. Only those
    // that are offered there.
    void press_keys(unsigned where = panels::kDesktop | panels::kPage | panels::kPresenting);

    // True while the key of an action that repeats is down: its repetitions are one gesture.
    bool repeating() const;

    // Call each frame after drawing. Where the control that had the keyboard is gone, as after a lesson's Next, another takes
    // it, or Tab would find no place to go on from. True: the next frame is to be drawn.
    bool keep_focus();

private:
    void use_up_escape();
    void share_keyboard();

    std::vector<panels::Action> table_;
    bool controls_have_keys_ = false, focus_lost_ = false;
    int popups_ = 0;  // that were open when the last frame ended
};

}  // namespace posiscope::workbench
