#include "app/workbench/document/session.hpp"

#include "core/scene/keys.hpp"

#include <iterator>
#include <utility>

namespace posiscope::workbench {

void Session::open(Scene scene, LessonPlace place) {
    scene_ = std::move(scene);
    history_.commit({scene_, std::move(place)});
    stepped_ = true;
    follow();
}

void Session::copy_view_state(const Session& other) {
    history_ = other.history_;
    under_way_ = other.under_way_;
}

void Session::begin(bool only_b) {
    only_b_ = only_b;
    follow();
}

// B changes with A.
void Session::follow() {
    b_ = compared_.of(scene_);
    sides_ = b_ == nullptr ? Sides::a : only_b_ ? Sides::b : posiscope::sides(scene_);
}

const Scene& Session::shown_settled() {
    const Scene* b = shows_b() ? compared_settled_.of(settled()) : nullptr;
    return b != nullptr ? *b : shows_b() ? shown() : settled();
}

void Session::edit(Scene shown, std::vector<Problem> adjusted) {
    edit_a(shows_b() ? edited_through_b(scene_, *b_, shown) : std::move(shown), std::move(adjusted));
}

void Session::edit_a(Scene next, std::vector<Problem> adjusted) {
    edits_.push_back({Edit::Kind::change, std::move(next), std::move(adjusted)});
}

void Session::retake_words() { edits_.push_back({Edit::Kind::words, {}, {}}); }

void Session::step(Scene next, std::vector<Problem> adjusted) {
    edits_.push_back({Edit::Kind::step, std::move(next), std::move(adjusted)});
}

void Session::apply(Edit& edit, const Scene& before, Applied& applied) {
    switch (edit.kind) {
        case Edit::Kind::change: scene_ = with_changes(std::move(scene_), before, edit.next); break;
        case Edit::Kind::words:
            scene_.content = settled().content;
            scene_.compare = settled().compare;
            break;
        case Edit::Kind::step:
            scene_ = std::move(edit.next);
            history_.commit({scene_, place_});
            stepped_ = true;
            break;
        case Edit::Kind::undo:
        case Edit::Kind::redo: {
            settle(before);
            history_.commit({scene_, place_});
            const Moment& then = edit.kind == Edit::Kind::undo ? history_.undo() : history_.redo();
            scene_ = then.scene;
            applied.place = place_ = then.place;
            stepped_ = true;
            break;
        }
    }
}

// Values that depend on an edit follow it; an edit that the encoding refuses is dropped.
void Session::settle(const Scene& before) {
    if (auto laid = overlay(scene_, Json::object())) {
        scene_ = std::move(laid->scene);
        std::move(laid->adjusted.begin(), laid->adjusted.end(), std::back_inserter(pending_));
    } else {
        scene_ = before;
        pending_.push_back(std::move(laid.error()));
    }
}

Session::Applied Session::apply(bool held, bool moving, LessonPlace place) {
    Applied applied;
    place_ = std::move(place);
    if (!edits_.empty()) {
        const Scene before = scene_;
        if (held) pending_.clear();
        for (Edit& edit : edits_) {
            apply(edit, before, applied);
            std::move(edit.adjusted.begin(), edit.adjusted.end(), std::back_inserter(pending_));
        }
        edits_.clear();
        settle(before);
        follow();
    }
    if (!held) applied.said = std::exchange(pending_, {});
    under_way_ = !(scene_ == settled());
    if (!moving && (under_way_ || !(place_ == history_.present().place))) {
        history_.commit({scene_, place_});
        stepped_ = true;
        under_way_ = false;
    }
    applied.stepped = std::exchange(stepped_, false);
    return applied;
}

}  // namespace posiscope::workbench
