// command.hpp — what somebody asks for, as a value. Panels, lessons, search results and actions hand it back; the workbench
// carries it out (workbench/dispatch.cpp), or the service after the frame where it needs the system (workbench/service.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace posiscope::panels {

enum class Verb {
    // Show something: `what` is an id or a name.
    show_bench,
    show_figure,  // alone; value: its mode, or empty
    show_example,
    show_model,
    show_claim,
    show_section,  // of the notes
    show_sides,    // of a comparison
    set,           // the setting `what` to `value`, JSON
    use_theme,
    act,  // an action of the table
    // Files, exports and the clipboard.
    list_recent,
    copy_code,   // in the form `what`
    copy_check,  // number: beside the settings of the Scene
    copy_export_command,
    copy_results,  // of a test
    start_export,
    stop_export,
    // The experiment.
    train,
    pause_training,
    stop_training,
    restart_training,
    // A lecture.
    reveal,
    jump_to,  // the step `number`
    keep_laser,
    // The guide.
    decline_lessons,
    begin_lesson,
    close_guide,
    turn_guide,  // to the tab `number`
    leave_lesson,
    next_step,
    previous_step,
    go_to_step,
    toggle_map,
    toggle_controls,
    answer,      // the choice `number`
    guess,       // the number that was said
    sketch,      // the curve is drawn
    erase,       // to draw it again
    place_card,  // the card `number` comes next
    again,
    hint,
    solution,
    redraw,
    show_taught,  // the step `what`, "lesson/step"
    retry_test,   // what was not answered rightly
    renew_test,
    leave_edit,
    ask_removal,  // of the step, in one's own lesson
    // Claims; of the chosen one.
    fold_claim,
    claim_picture,
    claim_experiment,
    before_claim,
    // After the frame: `what` is a path.
    open_file,   // number: typed in our own dialog, which shows the result
    turn_file,   // by `number`
    enter_path,  // in that dialog
    allow_file,
    reload,
    choose_file,
    choose_scene_target,
    choose_lesson_target,
    choose_export_target,
    save_picture,  // of the figure `what`; empty: all that is seen; value: the ending
    copy_picture,  // of the figure `what`; empty: the bench
    save_results,  // of the experiment; value: the ending
    add_step,      // the present Scene, to the lesson that is on
    append_step,   // to the lesson of the file `what`
    record_task,
    handout,
    slides,
    // After the frame, the step that is on in one's own lesson.
    edit_step,
    save_step,
    move_up,
    move_down,
    double_step,
    remove_step,
    restore_lesson,  // the file as it was before the last of these
    // By the window or the page itself.
    full_screen,
    swap_screens,
    forget,  // all that a page keeps in the browser
    quit
};

inline bool after_frame(Verb verb) { return verb >= Verb::open_file; }

struct Command {
    Verb verb = Verb::act;
    std::string what = {}, value = {};
    std::int64_t number = 0;
};

using Commands = std::vector<Command>;

}  // namespace posiscope::panels
