// frame.cpp — the order of a frame. Keys, panels and figures hand in changes; end() makes them once everything is drawn.
#include "app/figures/experiment/experiment.hpp"
#include "app/panels/question.hpp"
#include "app/workbench/window/overlays.hpp"
#include "app/workbench/workbench.hpp"

#include <algorithm>
#include <functional>
#include <imgui.h>
#include <utility>

namespace posiscope::workbench {
namespace {

constexpr float kTipAfter = 0.8F;  // seconds that the mouse is over what has a tip

// The ImGui window that fills the display; only overlays are drawn outside it.
void open_ground() {
    ImGui::SetNextWindowPos({0.0F, 0.0F});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0F);
    ImGui::Begin("##bench", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse |
                     ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar(2);
}

void set_cursor(figures::Cursor cursor) {
    using figures::Cursor;
    if (cursor == Cursor::arrow) return;
    ImGui::SetMouseCursor(cursor == Cursor::hand       ? ImGuiMouseCursor_Hand
                          : cursor == Cursor::move     ? ImGuiMouseCursor_ResizeAll
                          : cursor == Cursor::vertical ? ImGuiMouseCursor_ResizeNS
                                                       : ImGuiMouseCursor_ResizeEW);
}

void play(panels::Playing& playing, Session& session, const Trainer& trainer, float seconds) {
    if (!playing.on) return;
    Scene next = session.scene();
    const auto& shown = trainer.shown();
    if (next.bench == "experiment" && shown)
        panels::advance_step(playing, next, shown->settings.steps, static_cast<double>(seconds));
    else panels::advance(playing, next, static_cast<double>(seconds));
    if (next != session.scene()) session.edit_a(std::move(next));
}

// The cursor, rings around what a lesson speaks of, and until the first drag one around a hand that can be dragged.
void point_out(Workbench& bench, const ui::Look& look) {
    set_cursor(bench.hand.cursor());
    Stage& stage = bench.stage;
    const auto tiles = bench.layout.tiles();
    if (bench.lecture.on()) return;
    if (const lessons::Step* step = bench.teaching.guide().open() ? bench.teaching.guide().step() : nullptr) {
        for (const std::string& point : step->point)
            draw_point(stage.screen, look, point, tiles, stage.seen.handles);
        for (const Rect& area : stage.seen.pointed)
            stage.screen.outline({area.x0 - 10.0F, area.y0 - 30.0F, area.x1 + 10.0F, area.y1 + 10.0F},
                                 {look.theme->ink_soft, 1.5F});
        return;
    }
    if (bench.teaching.on_claims() && bench.teaching.claims().chosen() != nullptr) {
        draw_point(stage.screen, look, bench.teaching.claims().point(), tiles, stage.seen.handles);
        return;
    }
    if (bench.preferences.drag_hint_seen) return;
    bench.preferences.drag_hint_seen = bench.hand.drags();
    if (!bench.hand.drags())
        draw_hint(stage.screen, look, bench_of(bench.session.scene().bench).hint, stage.seen.handles);
}

}  // namespace

AfterFrame Workbench::frame(float seconds, float pixels_per_point, const Shown& shown) {
    begin(pixels_per_point);
    const ui::Look look = appearance.look();
    hand.begin(look, lecture.on());
    play(playing, session, training.trainer(), seconds);
    lecture.pass(static_cast<double>(seconds));

    open_ground();
    stage.screen.begin(*ImGui::GetWindowDrawList(), pixels_per_point, shown.part);
    Rect area{0.0F, 0.0F, ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y};
    if (shown.controls) {
        actions_.press_keys(lecture.on() ? panels::kPresenting : panels::kDesktop | panels::kPage);
        if (lecture.on() && lecture.presenting.blank()) {  // dark, until a key brings the picture back
            stage.screen.fill(area, ui::rgb(0), 0.0F);
            ImGui::SetMouseCursor(ImGuiMouseCursor_None);
            hand.end();
            ImGui::End();
            return end();
        }
    }
    tiles.invites =
        shown.controls && !preferences.drag_hint_seen && !lecture.on() && !teaching.guide().open();
    const auto draw_figures = [&](Rect room) {
        if (shown.controls && lecture.draw_by_hand(room)) host.held = true;
        tiles.draw(look, room, shown);
    };
    if (shown.controls) area = host.draw_around(look, area, std::ref(draw_figures));
    else draw_figures(area);
    hand.end();
    if (hand.field().reverted()) session.retake_words();
    if (shown.controls) point_out(*this, look);
    lecture.draw_over_figures(stage.screen);
    ImGui::End();

    if (shown.controls) draw_overlays(look, area, seconds);
    return end();
}

void Workbench::begin(float pixels_per_point) {
    if (std::exchange(stale_, false)) {
        stage.derived.forget();
        stage.derived_b.forget();
        notes.forget();
        teaching.forget();
    }
    appearance.follow(preferences, pixels_per_point, lecture.on());
    notices.follow(appearance.strings());
    // Holding the key shows B alone.
    session.begin(!ImGui::GetIO().WantTextInput && ImGui::IsKeyDown(ImGuiKey_Backslash));
    const bool chinese = appearance.strings().language() == Language::chinese;
    if (auto scene = teaching.speak(chinese, session.scene())) session.step(std::move(*scene));
    training.follow(session.scene(), preferences);
    if (std::exchange(host.formulas.train, false)) training.carry_out(panels::Verb::train);
    if (const auto problem = training.trainer().take_problem()) notices.say(*problem);
    for (figures::Derived* derived : {&stage.derived, &stage.derived_b})
        derived->part<figures::learning::ExperimentResults>() = {training.trainer().bank(),
                                                                 training.trainer().old()};
    requests_.clear();
    host.begin();
    lecture.begin();
    stage.seen.clear();
}

// A lesson was closed: what was there before it can be had again.
void Workbench::offer_before(const ui::Look& look, Rect area) {
    using panels::Answer;
    const Answer given = panels::ask(
        look, area, {look.text("lesson.before"), look.text("question.go_back"), look.text("question.stay")},
        stage.seen.marks());
    if (given != Answer::none) offers_before_ = false;
    if (given != Answer::yes) return;
    teaching.guide().leave();
    lecture.show_alone_before();
    session.step(*session.before_lesson());
}

void Workbench::draw_overlays(const ui::Look& look, Rect area, float seconds) {
    host.draw_over(look, area);
    if (!sharing.ask_questions(look, area, teaching.place(), stage.seen.marks()) && offers_before_)
        offer_before(look, area);
    // A tip would cover what is being dragged, and what was, as long as the mouse stays there.
    constexpr float kThere = 14.0F;
    const Point mouse{ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y};
    if (hand.drags()) dropped_ = mouse;
    else if (dropped_ && length(mouse - *dropped_) > kThere) dropped_.reset();
    const bool tips = !dropped_ && !help.open && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup) &&
                      !lecture.holds_back() && !lecture.points_at_something() && hand.tip().shown();
    constexpr float kStep = 0.1F;  // the frame after a pause is not what was waited for
    tip_wait_ = tips ? std::min(tip_wait_ + std::min(seconds, kStep), kTipAfter) : 0.0F;
    if (tip_wait_ >= kTipAfter) draw_tip(stage.screen, look, hand.tip());
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) sharing.room_code.hide();
    sharing.room_code.draw(stage.screen, look, area);
    lecture.draw_pointers(stage.screen, look);
    // Over the timeline, where nothing is read; else in the corner, which a running export has.
    if (const float bottom = ImGui::GetIO().DisplaySize.y; bottom > area.y1 + 30.0F) area.y1 = bottom;
    else if (sharing.exports.running()) area.y1 -= 56.0F;
    draw_notices(stage.screen, look, notices, area);
    notices.pass(seconds);
}

AfterFrame Workbench::end() {
    const bool held = host.held || hand.holds();
    const ImGuiIO& io = ImGui::GetIO();
    const bool gesture =
        gesture_.goes_on(actions_.repeating(), io.MouseWheel != 0.0F || io.MouseWheelH != 0.0F,
                         session.edited(), ImGui::GetTime());
    const Session::Applied applied = session.apply(held, held || gesture || playing.on, teaching.place());
    if (applied.place) lecture.return_to(*applied.place, session.scene());
    const bool teaches = teaching.guide().lesson() != nullptr && (teaching.guide().open() || lecture.on()),
               taught = std::exchange(teaches_, teaches);
    if (taught && !teaches && !applied.place) {
        const Scene* const before = session.before_lesson();
        offers_before_ = before != nullptr && *before != session.scene();
    } else if (teaches || applied.stepped) offers_before_ = false;
    for (const Problem& moved : applied.said) notices.say(moved, Tone::note);
    if (applied.stepped && !lecture.on()) teaching.judge(session.scene());
    lecture.follow_step();
    layout.apply();
    lecture.end();
    if (const auto missing = appearance.missing_glyph(session.shown().content))
        notices.say({"font.glyph", {{"character", *missing}}}, Tone::note);
    return {.requests = std::exchange(requests_, {}),
            .scene_changed = applied.stepped,
            .held = held || ImGui::IsMouseDown(ImGuiMouseButton_Left),
            .animating = playing.on || hand.changed() || (tip_wait_ > 0.0F && tip_wait_ < kTipAfter) ||
                         actions_.keep_focus(),
            // A gesture ends by a pause, after which there is a frame.
            .ticking = gesture || lecture.clock_shown() || lecture.bar_shown() || !host.typing.key.empty() ||
                       hand.field().active() || !notices.empty() || documents.follows()};
}

}  // namespace posiscope::workbench
