// session.hpp — the Scene, its undo steps, and B of a comparison. The Scene does not change during a frame: keys, panels and
// figures hand in edits, and apply() makes them after everything is drawn. So no tile draws a new A beside an old B.
#pragma once

#include "app/workbench/document/history.hpp"
#include "core/scene/comparison.hpp"

namespace posiscope::workbench {

class Session {
public:
    explicit Session(Scene first) : scene_(std::move(first)), history_({scene_}) { follow(); }

    // Replaces the Scene between two frames, as an undo step. `place`: the step of a lesson that it is seen in.
    void open(Scene scene, LessonPlace place = {});
    // The first Scene, seen in that step.
    void begin_in(Scene first, LessonPlace place) {
        scene_ = std::move(first);
        history_ = History({scene_, std::move(place)});
    }

    // Takes over the other's undo steps.
    void copy_view_state(const Session& other);

    // Call each frame before drawing. `only_b` shows B alone for this frame.
    void begin(bool only_b = false);

    const Scene& scene() const { return scene_; }  // A
    const Scene* b() const { return b_; }          // null without a comparison
    Sides sides() const { return sides_; }
    bool shows_b() const { return sides_ == Sides::b; }
    const Scene& shown() const { return shows_b() ? *b_ : scene_; }  // panels show and edit this one
    // The last undo step: A and the shown side before the present drag or typed edit.
    const Scene& settled() const { return history_.present().scene; }
    const Scene& shown_settled();
    bool can_undo() const { return under_way_ || history_.can_undo(); }
    bool can_redo() const { return history_.can_redo(); }
    // The Scene before the lesson that is on, or was on last; null if there was none.
    const Scene* before_lesson() const { return history_.before_lesson(); }

    // Edits, applied in this order. `adjusted` lists the dependent values that the edit moved.
    void edit(Scene shown, std::vector<Problem> adjusted = {});  // of shown(), so of B while B is shown
    void edit_a(Scene next, std::vector<Problem> adjusted = {});
    void retake_words();  // restores the words, and B, from the last step
    // An undo step even during a drag.
    void step(Scene next, std::vector<Problem> adjusted = {});
    // While something is under way it becomes a step first, so that undo takes back that and no more.
    void undo() { edits_.push_back({Edit::Kind::undo, {}, {}}); }
    void redo() { edits_.push_back({Edit::Kind::redo, {}, {}}); }

    struct Applied {
        bool stepped = false;  // the session should be saved
        std::vector<Problem>
            said;  // dependent values that moved; for a drag, those of its last edit, once it ends
        std::optional<LessonPlace> place = {};  // that was undone or redone to
    };
    bool edited() const { return !edits_.empty(); }  // since the last apply()
    // Call once a frame, after drawing. A drag, a typed edit, a gesture and playing make one undo step each, when `moving`
    // turns false.
    // While something is `held`, `said` stays empty. A lesson's step that was entered or left is an undo step too.
    Applied apply(bool held, bool moving, LessonPlace place = {});

private:
    struct Edit {
        enum class Kind { change, words, step, undo, redo };
        Kind kind;
        Scene next;  // as if it were the frame's only edit
        std::vector<Problem> adjusted;
    };
    void apply(Edit& edit, const Scene& before, Applied& applied);
    void settle(const Scene& before);
    void follow();

    Scene scene_;
    ComparedScene compared_, compared_settled_;
    const Scene* b_ = nullptr;
    Sides sides_ = Sides::a;
    bool only_b_ = false;
    History history_;
    LessonPlace place_;  // in this frame
    std::vector<Edit> edits_;
    std::vector<Problem> pending_;
    bool stepped_ = false;
    bool under_way_ = false;  // the Scene has moved since the last step
};

}  // namespace posiscope::workbench
