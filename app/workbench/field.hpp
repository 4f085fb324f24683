// field.hpp — the line of text that a figure may hold: Dear ImGui's, so that input methods and the clipboard work.
#pragma once

#include "app/figures/figure.hpp"
#include "app/ui/look.hpp"

#include <array>

namespace posiscope::workbench {

class Field final : public figures::TextField {
public:
    // Each frame, before figures are drawn.
    void begin(const ui::Look& look) {
        look_ = &look;
        drawn_ = reverted_ = false;
    }
    // And after: a field that is no longer drawn is no longer typed into.
    void end() { active_ = active_ && drawn_; }

    std::optional<std::string_view> edit(Rect area, std::string_view text, std::string_view hint,
                                         std::string_view help) override;
    bool active() const { return active_; }
    bool reverted() const { return reverted_; }  // left by Escape: what was typed is taken back

private:
    const ui::Look* look_ = nullptr;
    std::array<char, 8192> text_{};
    bool active_ = false, drawn_ = false, reverted_ = false;
};

}  // namespace posiscope::workbench
