#include "app/workbench/teach/lecture.hpp"

#include "app/figures/figure.hpp"

#include <algorithm>
#include <imgui.h>
#include <utility>

namespace posiscope::workbench {
namespace {

constexpr ui::Colour kPen = ui::rgb(0xE03A2A);  // of the pen and the laser: in no theme's picture
constexpr double kTyping = 4.0;                // seconds that a number waits for its next digit, or for Enter
constexpr double kBar = 3.0, kFirstBar = 6.0;  // seconds that the controls stay
constexpr std::size_t kMostDigits = 4;
constexpr float kPenWidth = 2.5F, kLaser = 5.0F, kLens = 110.0F, kEnlarged = 2.0F;

}  // namespace

void Lecture::present(bool on) {
    Guide& guide = teaching_.guide();
    if (on == presenting.on()) return;
    if (!on) {
        layout_.show_alone(presenting.end(guide));
        laser_stays_ = false;
        return;
    }
    still_ = kBar - kFirstBar;
    playing_.on = map_ = false;
    on_lesson_ = on_step_ = 0.0;
    planned_before_ = 0;
    teaching_.forget_class();
    auto scene = presenting.begin(guide, layout_.alone());
    if (scene) session_.step(std::move(*scene));
    show_step();
}

// The figure of the step that is presented, or the bench.
void Lecture::show_step() {
    const lessons::Step* step = teaching_.guide().step();
    if (step == nullptr) return;
    const figures::Figure* figure = figures::find_figure(step->figure);
    layout_.show_alone(figure != nullptr ? figure->id : std::string_view());
}

void Lecture::return_to(const LessonPlace& place, const Scene& now) {
    Guide& guide = teaching_.guide();
    if (teaching_.place() == place) return;
    const std::size_t from = guide.index();
    teaching_.return_to(place);
    if (!on()) return;
    presenting.return_to(guide, from, now);
    show_step();
}

void Lecture::restart() {
    if (!on()) return;
    on_lesson_ = on_step_ = 0.0;
    planned_before_ = 0;
    teaching_.forget_class();
    if (auto scene = presenting.restart(teaching_.guide())) session_.step(std::move(*scene));
    show_step();
}

void Lecture::restart_step() {
    if (!on()) return;
    on_step_ = 0.0;
    teaching_.forget_class_here();
    if (auto scene = presenting.begin_step(teaching_.guide())) session_.step(std::move(*scene));
    show_step();
}

void Lecture::pass(double seconds) {
    if (!on()) return;
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseDelta.x != 0.0F || io.MouseDelta.y != 0.0F) still_ = std::min(still_, 0.0);
    else still_ += seconds;
    since_typed_ += seconds;
    if (since_typed_ > kTyping) typed_.clear();
    const lessons::Step* now = teaching_.guide().step();
    if (std::exchange(timed_, now) != now) on_step_ = 0.0;
    on_lesson_ += seconds;
    on_step_ += seconds;
}

bool Lecture::bar_shown() const {
    return on() && (still_ < kBar || (ImGui::GetIO().ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) != 0);
}

void Lecture::read_digits() {
    if (!takes_digits() || ImGui::GetIO().WantTextInput || ImGui::GetIO().KeyMods != 0) return;
    for (int digit = 0; digit <= 9; ++digit) {
        const bool pressed = ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_0 + digit), false) ||
                             ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_Keypad0 + digit), false);
        if (!pressed || (typed_.empty() && digit == 0)) continue;  // 0 alone is the whole bench
        if (typed_.size() == kMostDigits) typed_.clear();
        typed_ += static_cast<char>('0' + digit);
        since_typed_ = 0.0;
    }
}

void Lecture::jump() {
    if (typed_.empty()) return;
    const int number = std::stoi(typed_);
    typed_.clear();
    if (presenting.beat() == Beat::question && teaching_.takes_pins()) return teaching_.put_pin(number);
    jump_to(static_cast<std::size_t>(number) - 1);
}

void Lecture::jump_to(std::size_t step) {
    if (auto scene = presenting.jump(teaching_.guide(), step)) session_.step(std::move(*scene));
    if (presenting.entered()) show_step();
}

void Lecture::follow_step() {
    if (presenting.on()) return;
    const Guide& guide = teaching_.guide();
    const lessons::Step* now = guide.open() ? guide.step() : nullptr;
    const lessons::Step* const before = std::exchange(followed_, now);
    if (before == now) return;
    if (now == nullptr) {
        if (session_.scene().bench == bench_before_) return show_alone_before();
        return layout_.show_bench();
    }
    if (before == nullptr) {
        const Scene* const left = session_.before_lesson();
        bench_before_ = left != nullptr ? left->bench : session_.scene().bench;
        alone_before_ = layout_.alone();
    }
    show_step();
    // A step that points at another figure speaks of both.
    for (const std::string& point : now->point)
        if (const figures::Figure* other = figures::find_figure(point.substr(0, point.find(':')));
            other != nullptr && other->id != now->figure && !now->figure.empty())
            return layout_.show_alone(now->figure, other->id);
}

// The clock goes on with the next lesson, whose minutes are planned after those before it.
bool Lecture::turn_lesson(int by) {
    Guide& guide = teaching_.guide();
    const lessons::Lesson* next = guide.following(by);
    if (next == nullptr) return true;
    planned_before_ += by > 0 ? guide.lesson()->minutes : -next->minutes;
    if (auto scene = presenting.enter(guide, *next, by < 0)) session_.step(std::move(*scene));
    show_step();
    return true;
}

bool Lecture::turn(int by) {
    Guide& guide = teaching_.guide();
    if (presenting.on() && presenting.blank()) {
        presenting.toggle_blank();
        return true;
    }
    if (presenting.on() && guide.lesson() != nullptr) {
        if (!presenting.can_turn(guide, by)) return turn_lesson(by);
        if (auto scene = presenting.turn(guide, by)) session_.step(std::move(*scene));
        if (presenting.entered()) show_step();
        return true;
    }
    if (!presenting.on() && guide.open() && guide.lesson() != nullptr) {
        if (auto scene = by > 0 ? guide.next() : guide.back()) session_.step(std::move(*scene));
        return true;
    }
    return false;
}

bool Lecture::holds_back() const {
    const Guide& guide = teaching_.guide();
    if (!presenting.on()) return guide.open() && guide.asks();
    const Guide::Source from = guide.source();
    return from.step != nullptr && from.step->question && presenting.beat() != Beat::reveal;
}

panels::Band Lecture::band(const Strings& strings) {
    panels::Band band = teaching_.band(presenting, session_.shown(), strings);
    if (band.steps == 0) band.line = headline_;
    band.clock = clock_;
    band.on_lesson = on_lesson_;
    band.on_step = on_step_;
    band.typed = typed_;
    if (const lessons::Lesson* lesson = teaching_.guide().lesson()) {
        band.planned_until = 60.0 * planned_before_;
        band.planned = 60.0 * (planned_before_ + lesson->minutes);
        for (std::size_t i = 0; i <= teaching_.guide().index(); ++i)
            band.planned_until += band.planned_step = 60.0 * lessons::planned_minutes(*lesson, i);
    }
    return band;
}

void Lecture::begin() {
    laser_ = laser_stays_;
    lens_ = false;
    next_headline_ = {};
    read_digits();
}

void Lecture::end() {
    if (headline_ != next_headline_) headline_ = next_headline_;
}

void Lecture::copy_view_state(const Lecture& other) {
    presenting = other.presenting;
    still_ = other.still_;
    laser_stays_ = other.laser_stays_;
    headline_ = other.headline_;
    followed_ = other.followed_;
    alone_before_ = other.alone_before_;
    bench_before_ = other.bench_before_;
    timed_ = other.timed_;
    clock_ = other.clock_;
    notes_ = other.notes_;
    map_ = other.map_;
    typed_ = other.typed_;
    on_lesson_ = other.on_lesson_;
    on_step_ = other.on_step_;
    planned_before_ = other.planned_before_;
}

bool Lecture::draw_by_hand(Rect room) {
    Drawing& drawing = presenting.drawing;
    if (!presenting.on() || !drawing.on || room.empty()) return false;
    ImGui::SetCursorScreenPos({room.x0, room.y0});
    ImGui::InvisibleButton("##drawing", {std::max(1.0F, room.width()), std::max(1.0F, room.height())});
    if (!ImGui::IsItemActive()) return false;
    const ImGuiIO& io = ImGui::GetIO();
    drawing.add({io.MousePos.x / io.DisplaySize.x, io.MousePos.y / io.DisplaySize.y},
                ImGui::IsItemActivated());
    return true;
}

void Lecture::draw_over_figures(canvas::Screen& screen) const {
    if (!presenting.on()) return;
    const ImGuiIO& io = ImGui::GetIO();
    for (const std::vector<Point>& stroke : presenting.drawing.strokes) {
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

void Lecture::draw_pointers(canvas::Screen& screen, const ui::Look& look) const {
    if (!presenting.on()) return;
    const ImGuiIO& io = ImGui::GetIO();
    const Point mouse{io.MousePos.x, io.MousePos.y};
    if (!ImGui::IsMousePosValid(&io.MousePos)) return;
    screen.begin(*ImGui::GetForegroundDrawList(), look.pixels_per_point);
    if (lens_) {
        screen.lens(mouse, kLens, kEnlarged);
        screen.circle(mouse, kLens, {look.theme->ink_soft, 2.0F});
    }
    if (laser_) {
        screen.disc(mouse, 2.4F * kLaser, ui::faded(kPen, 0.2F));
        screen.disc(mouse, 1.6F * kLaser, ui::faded(kPen, 0.35F));
        screen.disc(mouse, kLaser, kPen);
    }
    if (lens_ || laser_) ImGui::SetMouseCursor(ImGuiMouseCursor_None);
}

}  // namespace posiscope::workbench
