// question.hpp — a question at the foot of the window, with a yes and a not now. Everything else goes on meanwhile.
#pragma once

#include "app/panels/panel.hpp"

namespace posiscope::panels {

struct Question {
    std::string_view text, yes, no;
};

// The answer in this frame, if any. `marks` gets "question_yes" and "question_no"; it may be null.
std::optional<bool> ask(const ui::Look& look, Rect area, const Question& question,
                        std::vector<ControlMark>* marks);

}  // namespace posiscope::panels
