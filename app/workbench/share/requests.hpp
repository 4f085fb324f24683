// requests.hpp — work that a frame leaves for after it. Modules append to the frame's list; the Service carries it out in
// that order, and the window or the page does its own part.
#pragma once

#include "app/panels/guide.hpp"
#include "app/workbench/document/history.hpp"
#include "app/workbench/share/exports.hpp"
#include "app/workbench/share/path_prompts.hpp"

#include <algorithm>
#include <variant>
#include <vector>

namespace posiscope::workbench {

struct SavePicture {
    std::string figure;  // its id; empty: all that is seen
    std::string_view ending = ".png";
};
struct CopyPicture {
    std::string figure;  // empty: the bench
};
struct SaveResults {          // of the experiment
    std::string_view ending;  // .json, .csv or .npy
};
struct OpenFiles {
    std::vector<std::string> paths;
    bool typed = false;  // in our own dialog, which shows the result
};
struct SaveScene {  // typed in our own dialog
    Target target;
};
struct AddStep {  // the present Scene, as the last step of a lesson's file
    Target target;
    bool anew = false;   // of a new lesson
    bool typed = false;  // in our own dialog, which shows the result
};
struct ChangeStep {  // of the lesson's file, the step that is on
    panels::GuideAct how = panels::GuideAct::none;
};
struct AllowFiles {  // that the scene names and may not read by itself
    std::vector<std::string> paths;
};
struct TurnFile {
    int by = 0;  // to the previous or next open file
};
enum class Choose { file, scene_target, lesson_target, export_target };  // by the desktop's dialog
enum class Do { reload, add_step, record_task, handout, slides };        // but the first: of a lesson
enum class DoInWindow {
    quit,
    full_screen,
    swap_screens,
    forget
};  // forget: all that a page keeps in the browser

using Request = std::variant<SavePicture, CopyPicture, SaveResults, OpenFiles, SaveScene, AddStep, ChangeStep,
                             AllowFiles, TurnFile, Exports::Order, Choose, Do, DoInWindow>;
using Requests = std::vector<Request>;

// A question with a request for each answer but the last, which is to leave it.
struct Either {
    Problem question;
    std::string_view yes, other = {};  // keys of strings; other: may be empty
    Request on_yes = {}, on_other = {};
    std::optional<LessonPlace> at = {};  // elsewhere it is not asked any more
};

struct AfterFrame {
    Requests requests;
    bool scene_changed = false;  // save the session
    bool held = false;           // a drag is on
    bool animating = false;
    bool ticking = false;  // a caret or a notice: draw a few frames a second

    bool asks(DoInWindow one) const {
        return std::any_of(requests.begin(), requests.end(), [one](const Request& request) {
            const auto* asked = std::get_if<DoInWindow>(&request);
            return asked != nullptr && *asked == one;
        });
    }
};

}  // namespace posiscope::workbench
