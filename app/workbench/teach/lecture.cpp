// lecture.cpp — presenting: what begins and ends it, its beats, and what lies over the picture.
#include "app/workbench/workbench.hpp"

#include <imgui.h>

namespace posiscope::workbench {
namespace {

constexpr ui::Colour kPen = ui::rgb(0xE03A2A);  // of the pen and the laser: in no theme's picture
constexpr float kPenWidth = 2.5F, kLaser = 5.0F, kLens = 110.0F, kEnlarged = 2.0F;

}  // namespace

void Workbench::present(bool on) {
    Guide& guide = controls.teaching.guide();
    if (on == controls.presenting.on()) return;
    if (!on) {
        layout.show_alone(controls.presenting.end(guide));
        return;
    }
    controls.playing.on = false;
    auto scene = controls.presenting.begin(guide, layout.alone());
    if (scene) session.step(std::move(*scene));
    show_step();
}

// Once, until it is answered or a lesson was opened in another way.
bool Workbench::offers_lessons() const {
    return !preferences.lessons_offered && with_sidebar() && !controls.presenting.on() &&
           !controls.teaching.guide().open();
}

void Workbench::take_offer(panels::Offer::Taken taken) {
    using Taken = panels::Offer::Taken;
    preferences.lessons_offered = true;
    if (taken == Taken::no) return;
    if (auto scene = controls.teaching.begin(taken == Taken::lesson ? "why" : "look-around"))
        session.step(std::move(*scene));
}

// The figure of the step that is presented, or the bench.
void Workbench::show_step() {
    const lessons::Step* step = controls.teaching.guide().step();
    if (step == nullptr) return;
    const figures::Figure* figure = figures::find_figure(step->figure);
    layout.show_alone(figure != nullptr ? figure->id : std::string_view());
}

// To the next or previous beat while a lesson is presented, step of a lesson, or open file.
void Workbench::turn(int by) {
    Guide& guide = controls.teaching.guide();
    Presenting& presenting = controls.presenting;
    if (presenting.on() && presenting.blank()) return presenting.toggle_blank();
    if (presenting.on() && guide.lesson() != nullptr) {
        if (auto scene = presenting.turn(guide, by)) session.step(std::move(*scene));
        if (presenting.entered()) show_step();
        return;
    }
    if (!presenting.on() && guide.open() && guide.lesson() != nullptr) {
        const std::size_t next = guide.index() + static_cast<std::size_t>(by);
        if (auto scene = guide.go_to(next)) session.step(std::move(*scene));
        return;
    }
    requests_.turn_page = by;
}

// While a question is open, headlines and tips must not answer it.
bool Workbench::holds_back() const {
    const Guide& guide = controls.teaching.guide();
    if (!controls.presenting.on()) return guide.open() && guide.asks();
    const Guide::Source from = guide.source();
    return from.step != nullptr && from.step->question && controls.presenting.beat() != Beat::reveal;
}

bool Workbench::points_at_something() const {
    return controls.presenting.on() && (controls.laser || controls.lens || controls.presenting.drawing.on);
}

panels::Band Workbench::band() {
    panels::Band band =
        controls.teaching.band(controls.presenting, session.shown(), appearance.strings().language());
    if (band.steps == 0) band.line = controls.headline;
    return band;
}

// Takes the mouse from the figures, before they are drawn.
void Workbench::draw_by_hand(Rect room) {
    Drawing& drawing = controls.presenting.drawing;
    if (!controls.presenting.on() || !drawing.on || room.empty()) return;
    ImGui::SetCursorScreenPos({room.x0, room.y0});
    ImGui::InvisibleButton("##drawing", {std::max(1.0F, room.width()), std::max(1.0F, room.height())});
    if (!ImGui::IsItemActive()) return;
    controls.held = true;
    const ImGuiIO& io = ImGui::GetIO();
    drawing.add({io.MousePos.x / io.DisplaySize.x, io.MousePos.y / io.DisplaySize.y},
                ImGui::IsItemActivated());
}

void Workbench::draw_over_figures() {
    if (!controls.presenting.on()) return;
    canvas::Screen& screen = stage_.screen;
    const ImGuiIO& io = ImGui::GetIO();
    for (const std::vector<Point>& stroke : controls.presenting.drawing.strokes) {
        const auto at = [&](std::size_t i) {
            return Point{stroke[i].x * io.DisplaySize.x, stroke[i].y * io.DisplaySize.y};
        };
        if (stroke.size() == 1) screen.disc(at(0), kPenWidth, kPen);
        for (std::size_t i = 1; i < stroke.size(); ++i) {
            screen.line(at(i - 1), at(i), {kPen, kPenWidth});
            screen.disc(at(i), 0.5F * kPenWidth, kPen);
        }
    }
}

// The laser and the lens, over everything.
void Workbench::draw_pointers() {
    if (!controls.presenting.on()) return;
    const ImGuiIO& io = ImGui::GetIO();
    const Point mouse{io.MousePos.x, io.MousePos.y};
    if (!ImGui::IsMousePosValid(&io.MousePos)) return;
    canvas::Screen& screen = stage_.screen;
    screen.begin(*ImGui::GetForegroundDrawList(), appearance.pixels_per_point());
    if (controls.lens) {
        screen.lens(mouse, kLens, kEnlarged);
        screen.circle(mouse, kLens, {appearance.theme().ink_soft, 2.0F});
    }
    if (controls.laser) {
        screen.disc(mouse, 2.4F * kLaser, ui::faded(kPen, 0.2F));
        screen.disc(mouse, 1.6F * kLaser, ui::faded(kPen, 0.35F));
        screen.disc(mouse, kLaser, kPen);
    }
    if (controls.lens || controls.laser) ImGui::SetMouseCursor(ImGuiMouseCursor_None);
}

}  // namespace posiscope::workbench
