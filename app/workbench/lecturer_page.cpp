#include "app/workbench/lecturer_page.hpp"

#include "app/panels/slide_bar.hpp"
#include "app/ui/lines.hpp"

#include <cmath>
#include <ctime>
#include <fmt/chrono.h>
#include <imgui.h>

namespace posiscope::workbench {
namespace {

constexpr float kMargin = 28.0F, kHead = 64.0F, kClock = 28.0F;
constexpr float kLargest = 24.0F, kLeast = 11.0F, kLineHeight = 1.32F;  // of the notes
constexpr float kNext = 0.42F;                                          // of the width
constexpr float kStill = 60.0F;  // seconds without the mouse: no controls are over the slide
constexpr int kFrames = 3;       // the turn, its layout, and the one that is drawn

// Tells a draw list from another with the same texture.
void note(const ImDrawList*, const ImDrawCmd*) {}

// From the top, as large as all of it fits.
void notes(const ui::Look& look, std::string_view text, ui::Colour colour, Rect area) {
    const panels::LabelMeasure measure(look);
    float size = kLargest;
    const auto height = [&] {
        return kLineHeight * size *
               static_cast<float>(ui::line_count(measure, text, ui::Face::text, size, area.width()));
    };
    while (size > kLeast && height() > area.height()) size -= 1.0F;
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    panels::prose(look, text, area.width(), colour, size);
}

}  // namespace

NextSlide::NextSlide(const Workbench& presented, std::function<void()> wake)
    : page_(ImGui::GetCurrentContext()),
      background_(std::move(wake)),
      layers_([] {
          auto made = canvas::Layers::create(canvas::Target::framebuffer);
          return made ? std::optional(std::move(*made)) : std::nullopt;
      }()),
      bench_(presented.session.scene(), presented.preferences, layers_ ? &*layers_ : nullptr) {
    bench_.work_in(background_);
    ImGui::SetCurrentContext(page_);
}

bool NextSlide::draw(const Workbench& presented, int width, Point slide) {
    gui_.make_current();
    bench_.preferences = presented.preferences;
    bench_.session.open(presented.session.scene());
    bench_.copy_view_state(presented);
    bench_.playing.on = false;
    Presenting& presenting = bench_.lecture.presenting;
    if (presenting.blank()) presenting.toggle_blank();
    const Guide& guide = bench_.teaching.guide();
    const bool follows = presenting.can_turn(guide, 1) || guide.following(1) != nullptr;
    if (follows) {
        (void)bench_.lecture.turn(1);
        presenting.drawing = {};
        background_.begin_frame();
        const float scale = static_cast<float>(width) / slide.x;
        const int height = std::max(1, static_cast<int>(std::lround(slide.y * scale)));
        const gl::TargetGuard guard;
        picture_.resize(width, height);
        for (int frame = 1; frame <= kFrames; ++frame) {
            gui_.begin(width, height, scale, 1.0F / 60.0F);
            bench_.frame(kStill, scale);
            if (frame < kFrames) gui_.skip();
        }
        picture_.bind();
        glDisable(GL_SCISSOR_TEST);
        const ui::Colour ground = bench_.appearance.theme().ground;
        const auto channel = [&](int shift) {
            return static_cast<float>((ground >> shift) & 0xffU) / 255.0F;
        };
        glClearColor(channel(0), channel(8), channel(16), 1.0F);
        glClear(GL_COLOR_BUFFER_BIT);
        gui_.end();
    }
    unfinished_ = background_.working();
    ImGui::SetCurrentContext(page_);
    return follows;
}

float fit_lecturer_page(int width, int height, float) {
    return std::max(0.5F, std::min(static_cast<float>(width) / 900.0F, static_cast<float>(height) / 560.0F));
}

LecturerPage::LecturerPage(Workbench& presented, const std::function<void()>& wake)
    : presented_(presented), appearance_(presented.preferences), next_(presented, wake) {}

LecturerPage::Said LecturerPage::said() {
    const Strings& strings = presented_.appearance.strings();
    return {
        presented_.lecture.band(strings),
        presented_.teaching.notes(presented_.lecture.presenting, presented_.session.shown(), strings, false)};
}

LecturerPage::Key LecturerPage::key() {
    const Said now = said();
    const std::hash<std::string_view> hash;
    return {presented_.teaching.guide().step(),
            presented_.lecture.presenting.beat(),
            hash(now.notes.notes) ^ (hash(now.band.line) << 1U),
            static_cast<long>(now.band.on_lesson),
            static_cast<long>(std::time(nullptr) / 60),
            presented_.appearance.strings().language(),
            &presented_.appearance.theme()};
}

bool LecturerPage::due() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;  // of the slide
    const Point slide{size.x, size.y};
    const bool resized = std::exchange(slide_, slide) != slide;
    if (resized) width_ = 0;
    return resized || next_.late() || !shown_ || !(key() == *shown_);
}

void LecturerPage::draw() {
    const ImGuiIO& io = ImGui::GetIO();
    const Key now = key(), before = shown_.value_or(Key{});
    shown_ = now;
    appearance_.follow(presented_.preferences, io.DisplayFramebufferScale.x, true);
    const ui::Look look = appearance_.look();
    const ui::Theme& theme = *look.theme;
    ImGui::SetNextWindowPos({0.0F, 0.0F});
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::Begin("##lecturer", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground);
    ImGui::GetBackgroundDrawList()->AddRectFilled({0.0F, 0.0F}, io.DisplaySize, theme.tile);
    const Said words = said();

    Rect area{kMargin, kMargin, io.DisplaySize.x - kMargin, io.DisplaySize.y - kMargin};
    const Rect head = area.cut_top(kHead);
    const float base = head.y0 + kClock;
    panels::label(look, {head.x0, base}, panels::clock_text(*look.scratch, words.band), theme.ink, kClock,
                  ui::Face::strong);
    panels::label(look, {head.x1, base}, look.scratch->format("{:%H:%M}", fmt::localtime(std::time(nullptr))),
                  theme.ink, kClock, ui::Face::strong, panels::Side::right);
    const Rect right = area.cut_right(kNext * area.width());
    area.x1 -= kMargin;
    if (words.band.steps > 0)
        panels::label(look, {right.x0, base},
                      look.scratch->format("{}/{}", words.band.step + 1, words.band.steps), theme.ink_soft,
                      kClock);
    const bool silent = words.notes.notes.empty();
    const std::string_view said = !silent                ? words.notes.notes
                                  : words.band.steps > 0 ? look.text("notes.none")
                                                         : words.band.line;
    notes(look, said, silent ? theme.ink_soft : theme.ink, area);
    if (words.band.steps > 0) draw_next(look, right, before);
    ImGui::End();
}

void LecturerPage::draw_next(const ui::Look& look, Rect area, const Key& before) {
    const int width = std::max(1, static_cast<int>(std::lround(area.width() * look.pixels_per_point)));
    if (width != width_ || next_.late() || !before.same_slide(*shown_)) {
        follows_ = next_.draw(presented_, width, slide_);
        width_ = width;
        ++drawn_;
    }
    const float base = area.y0 + ui::kTextSize;
    panels::label(look, {area.x0, base}, look.text(follows_ ? "notes.next" : "notes.last"),
                  look.theme->ink_soft);
    if (!follows_) return;
    const Point corner{area.x0, area.y0 + 1.6F * ui::kTextSize};
    const Point far{area.x1, corner.y + area.width() * slide_.y / slide_.x};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddCallback(note, &drawn_, sizeof drawn_);
    list.AddImage(static_cast<ImTextureID>(next_.picture().texture().name()), {corner.x, corner.y},
                  {far.x, far.y}, {0.0F, 1.0F}, {1.0F, 0.0F});
    list.AddRect({corner.x, corner.y}, {far.x, far.y}, look.theme->border);
}

}  // namespace posiscope::workbench
