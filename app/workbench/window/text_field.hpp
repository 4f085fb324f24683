// text_field.hpp — the text field of a figure: Dear ImGui's, so that input methods and the clipboard work; and its stops of
// the Tab key.
#pragma once

#include "app/figures/figure.hpp"
#include "app/ui/look.hpp"
#include "core/scene/words.hpp"

#include <array>

namespace posiscope::workbench {

class Field final : public figures::TextField {
public:
    // Call each frame before drawing figures.
    void begin(const ui::Look& look) {
        look_ = &look;
        drawn_ = reverted_ = false;
    }
    // Call after it: a field that is no longer drawn loses the keyboard.
    void end() { active_ = active_ && drawn_; }

    std::optional<std::string_view> edit(Rect area, std::string_view text, std::string_view hint,
                                         std::string_view help) override;
    figures::KeyStop key_stop(Rect area, std::string_view mark) override;
    bool active() const { return active_; }
    bool reverted() const { return reverted_; }  // left by Escape: the typed text is discarded

private:
    const ui::Look* look_ = nullptr;
    // Twice what a sentence may have, so that one that is too long is refused and not cut.
    std::array<char, 2 * kMostWords*(4 * kMostCharacters + 1)> text_{};
    bool active_ = false, drawn_ = false, reverted_ = false;
};

}  // namespace posiscope::workbench
