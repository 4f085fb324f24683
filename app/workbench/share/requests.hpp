// requests.hpp — work that a frame leaves for after the frame (service.hpp and the window do it).
#pragma once

#include "app/workbench/share/exports.hpp"
#include "app/workbench/share/path_prompts.hpp"

namespace posiscope::workbench {

struct Requests {
    bool quit = false;
    bool full_screen = false;
    bool forget = false;  // all that a page keeps in the browser
    struct Save {
        std::string figure;  // its id; empty: all that is seen
        std::string_view ending = ".png";
    };
    std::optional<Save> save;
    std::optional<std::string_view> save_results;  // of the experiment, as .json, .csv or .npy
    std::optional<std::string> copy_picture;       // of a figure; empty: of the bench
    bool choose_file = false;                      // to open
    bool choose_target = false;                    // to save the scene to
    bool choose_export_target = false;
    std::vector<std::string> open_files;
    std::optional<Target> save_scene;
    bool typed = false;  // the paths came from our own dialog, which shows the result
    std::optional<Exports::Order> export_now;
    int turn_page = 0;  // to the previous or next open file
    bool reload = false;
    bool add_step = false;                 // to a lesson's file
    bool record_task = false;              // of the step that is on, in that file
    std::vector<std::string> allow_files;  // that the scene names and may not read by itself

    bool scene_changed = false;  // save the session
    bool held = false;           // a drag is on
    bool animating = false;
    bool ticking = false;  // a caret or a notice: draw a few frames a second
};

}  // namespace posiscope::workbench
