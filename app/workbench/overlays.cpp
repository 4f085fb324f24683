// overlays.cpp — what lies over everything: the tip beside the mouse, toasts, the hint of the first seconds.
#include "app/ui/lines.hpp"
#include "app/workbench/workbench.hpp"

#include <imgui.h>

namespace posiscope::workbench {
namespace {

constexpr float kToastSeconds = 6.0F;

}  // namespace

void Workbench::say(std::string text, Tone tone) {
    for (Toast& toast : toasts_)
        if (toast.text == text) {
            toast.seconds_left = kToastSeconds;
            return;
        }
    if (toasts_.size() > 3) toasts_.erase(toasts_.begin());
    toasts_.push_back({std::move(text), tone, kToastSeconds, strings_->language()});
}

void Workbench::say(const Problem& problem, Tone tone) {
    const std::string text = strings_->sentence(problem);
    say(text, tone);
    for (Toast& toast : toasts_)
        if (toast.text == text) toast.problem = problem;
}

// After another language was chosen; what was no Problem cannot be said again, and goes.
void Workbench::translate_toasts() {
    for (Toast& toast : toasts_) {
        if (toast.language == strings_->language()) continue;
        toast.language = strings_->language();
        if (toast.problem) toast.text = strings_->sentence(*toast.problem);
        else toast.seconds_left = 0.0F;
    }
    std::erase_if(toasts_, [](const Toast& toast) { return toast.seconds_left <= 0.0F; });
}

std::vector<std::string> Workbench::said() const {
    std::vector<std::string> texts;
    for (const Toast& toast : toasts_) texts.push_back(toast.text);
    return texts;
}

void Workbench::draw_tip(const ui::Look& look, const figures::Tip& tip) {
    if (!tip.shown()) return;
    const ui::Theme& theme = *look.theme;
    const ImGuiIO& io = ImGui::GetIO();
    const ui::FormulaBox formula = ui::lay_out(tip.formula, ui::kFormulaSize, screen_);
    const float value_width = screen_.text_width(tip.value, ui::Face::strong, 15.5F);
    const bool one_line = formula.width + value_width < 300.0F;
    float width = one_line ? formula.width + (tip.value.empty() ? 0.0F : 8.0F + value_width)
                           : std::max(formula.width, value_width);
    // Of the first line, which may be the value alone.
    const float ascent = std::max(formula.ascent, tip.value.empty() ? 0.0F : 12.0F);
    float height = ascent + formula.descent + 4.0F + (one_line || tip.value.empty() ? 0.0F : 20.0F);
    for (const std::string_view detail : tip.details) {
        if (detail.empty()) continue;
        width = std::max(width, screen_.text_width(detail, ui::Face::text, 14.5F));
        height += 19.0F;
    }
    Rect box{io.MousePos.x + 16.0F, io.MousePos.y + 18.0F, 0.0F, 0.0F};
    if (box.x0 + width + 26.0F > io.DisplaySize.x) box.x0 = io.MousePos.x - width - 36.0F;
    if (box.y0 + height + 20.0F > io.DisplaySize.y) box.y0 = io.MousePos.y - height - 28.0F;
    box.x0 = std::max(box.x0, 4.0F);
    box.x1 = box.x0 + width + 24.0F, box.y1 = box.y0 + height + 16.0F;

    screen_.begin(*ImGui::GetForegroundDrawList(), pixels_per_point_);
    screen_.fill(box, theme.border, 7.0F);
    screen_.fill(box.grown(-1.0F), theme.popup, 6.0F);
    float y = box.y0 + 9.0F + ascent;
    const float pen =
        box.x0 + 12.0F + screen_.formula({box.x0 + 12.0F, y}, tip.formula, ui::kFormulaSize, theme.ink);
    if (!tip.value.empty()) {
        if (!one_line) y += 20.0F;
        screen_.text({one_line ? pen + 8.0F : box.x0 + 12.0F, y}, tip.value,
                     {theme.ink, 15.5F, ui::Face::strong});
    }
    y += formula.descent + 4.0F;
    for (const std::string_view detail : tip.details) {
        if (detail.empty()) continue;
        y += 19.0F;
        screen_.text({box.x0 + 12.0F, y - 4.0F}, detail, {theme.ink_soft, 14.5F, ui::Face::text});
    }
}

void Workbench::draw_toasts(const ui::Look& look, Rect area, float seconds) {
    translate_toasts();
    if (toasts_.empty()) return;
    const ui::Theme& theme = *look.theme;
    screen_.begin(*ImGui::GetForegroundDrawList(), pixels_per_point_);
    float bottom = area.y1 - 14.0F;
    for (auto toast = toasts_.rbegin(); toast != toasts_.rend(); ++toast) {
        const float wide = std::min(460.0F, area.width() - 60.0F);
        const float text_width =
            std::min(wide, screen_.text_width(toast->text, ui::Face::text, 14.5F) + 1.0F);
        const int lines = ui::line_count(screen_, toast->text, ui::Face::text, 14.5F, text_width + 2.0F);
        const float height = static_cast<float>(std::max(1, lines)) * 1.4F * 14.5F + 20.0F;
        const Rect box{area.x1 - text_width - 44.0F, bottom - height, area.x1 - 14.0F, bottom};
        screen_.fill(box, theme.border, 7.0F);
        screen_.fill(box.grown(-1.0F), theme.popup, 6.0F);
        const ui::Colour mark = toast->tone == Tone::bad    ? theme.beyond
                                : toast->tone == Tone::good ? theme.seen
                                                            : theme.slider;
        screen_.fill({box.x0 + 8.0F, box.y0 + 9.0F, box.x0 + 11.0F, box.y1 - 9.0F}, mark, 1.5F);
        screen_.paragraph({box.x0 + 20.0F, box.y0 + 9.0F}, toast->text, {theme.ink, 14.5F, ui::Face::text},
                          text_width + 2.0F);
        bottom = box.y0 - 8.0F;
        toast->seconds_left -= seconds;
    }
    std::erase_if(toasts_, [](const Toast& toast) { return toast.seconds_left <= 0.0F; });
}

// A ring around the large dial's hand, until the first drag.
void Workbench::draw_hint(const ui::Look& look) {
    if (preferences_.drag_hint_seen) return;
    if (grip_.active()) {
        preferences_.drag_hint_seen = true;
        return;
    }
    for (const figures::HandleMark& mark : handles_) {
        if (mark.figure != "rotations" || mark.handle != "position") continue;
        screen_.circle(mark.at, 13.0F, {ui::faded(look.theme->ink, 0.75F), 1.5F, 0.0F});
        screen_.circle(mark.at, 17.0F, {ui::faded(look.theme->ink, 0.30F), 1.5F, 0.0F});
        const std::string_view words = look.text("hint.drag");
        // Outside the dial of the opening scene, under the hand's own label: within are the names of the axes.
        screen_.text({mark.at.x + 20.0F, mark.at.y + 18.0F}, words,
                     {look.theme->ink_soft, ui::kSmallSize, ui::Face::text, canvas::Align::left});
        return;
    }
}

}  // namespace posiscope::workbench
