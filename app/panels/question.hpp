// question.hpp — a question at the foot of the window, with a yes, perhaps another answer, and a not now. Everything else goes
// on meanwhile.
#pragma once

#include "app/panels/panel.hpp"

namespace posiscope::panels {

struct Question {
    std::string_view text, yes, no;
    std::string_view other = {};  // may be empty
};

enum class Answer { none, yes, other, no };

// The answer in this frame, if any. `marks` gets "question_yes", "question_other" and "question_no"; it may be null.
Answer ask(const ui::Look& look, Rect area, const Question& question, std::vector<ControlMark>* marks);

}  // namespace posiscope::panels
