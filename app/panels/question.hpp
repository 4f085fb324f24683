// question.hpp — a question at the foot of the window, with a yes, perhaps another answer, and a not now. Everything else goes
// on meanwhile.
#pragma once

#include "app/panels/panel.hpp"
#include "app/ui/geometry.hpp"

namespace posiscope::panels {

struct Question {
    std::string_view text, yes, no;
    std::string_view other = {};  // may be empty
};

enum class Answer { none, yes, other, no };

// The answer in this frame, if any. `marks` gets "question_yes", "question_other" and "question_no"; it may be null.
Answer ask(const ui::Look& look, Rect area, const Question& question, std::vector<ControlMark>* marks);

// The offers of the first start.

struct Offer {
    static constexpr float kRoom = 108.0F;  // the height of the room it gets

    Rect room;  // at the lower end of the sidebar; on a telephone of the window
    int minutes = 0;
};

// A text field for a path, for desktops without a file dialog: its state.
// It stays open until it is closed or its purpose is nothing.
struct PathDialog {
    enum class For { nothing, opening, saving, lesson };  // lesson: a new one is saved
    For purpose = For::nothing;
    std::array<char, 4096> text{};
    bool fresh = false;              // opened this frame: takes the keyboard
    std::optional<Problem> problem;  // why the entered path is refused
};

struct PathView {
    PathDialog& dialog;  // changed in place
};

}  // namespace posiscope::panels
