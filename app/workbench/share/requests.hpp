// requests.hpp — work that a frame leaves for after it. Modules append to the frame's list; the Service carries it out in
// that order, and the window or the page does its own part.
#pragma once

#include "app/panels/command.hpp"
#include "app/workbench/document/history.hpp"
#include "app/workbench/share/exports.hpp"

#include <algorithm>
#include <variant>
#include <vector>

namespace posiscope::workbench {

using Request = std::variant<panels::Command, Exports::Order>;
using Requests = std::vector<Request>;

// A question with a command for each answer but the last, which is to leave it.
struct Either {
    Problem question;
    std::string_view yes, other = {};  // keys of strings; other: may be empty
    panels::Command on_yes = {}, on_other = {};
    std::optional<LessonPlace> at = {};  // elsewhere it is not asked any more
};

struct AfterFrame {
    Requests requests;
    bool scene_changed = false;  // save the session
    bool held = false;           // a drag is on
    bool animating = false;
    bool ticking = false;  // a caret or a notice: draw a few frames a second

    bool asks(panels::Verb one) const {
        return std::any_of(requests.begin(), requests.end(), [one](const Request& request) {
            const auto* asked = std::get_if<panels::Command>(&request);
            return asked != nullptr && asked->verb == one;
        });
    }
};

}  // namespace posiscope::workbench
