#include "app/workbench/window/overlays.hpp"

#include "app/ui/lines.hpp"

#include <algorithm>
#include <imgui.h>

namespace posiscope::workbench {
namespace {

constexpr float kDetail = 14.5F, kWidest = 520.0F;  // of a tip's lines, in points

}  // namespace

Rect tip_box(Point mouse, Point window, Point size, Rect beside) {
    Point at = mouse + Point{16.0F, 18.0F};
    if (at.x + size.x + 2.0F > window.x) at.x = mouse.x - size.x - 12.0F;
    if (at.y + size.y + 4.0F > window.y) at.y = mouse.y - size.y - 12.0F;
    at.x = std::max(at.x, 4.0F);
    if (!beside.empty()) {
        const bool right = beside.x1 + kGap + size.x + 2.0F <= window.x,
                   left = beside.x0 - kGap - size.x >= 4.0F;
        const bool nearer = beside.x1 - mouse.x <= mouse.x - beside.x0;
        if (right && (nearer || !left)) at.x = beside.x1 + kGap;
        else if (left) at.x = beside.x0 - kGap - size.x;
        if (right || left)
            at.y = std::clamp(mouse.y - 0.5F * size.y, 4.0F, std::max(4.0F, window.y - size.y - 4.0F));
    }
    return {at.x, at.y, at.x + size.x, at.y + size.y};
}

void draw_tip(canvas::Screen& screen, const ui::Look& look, const figures::Tip& tip) {
    if (!tip.shown()) return;
    const ui::Theme& theme = *look.theme;
    const ImGuiIO& io = ImGui::GetIO();
    const ui::FormulaBox formula = ui::lay_out(tip.formula, ui::kFormulaSize, screen);
    const float value_width = screen.text_width(tip.value, ui::Face::strong, 15.5F);
    const bool one_line = formula.width + value_width < 300.0F;
    float width = one_line ? formula.width + (tip.value.empty() ? 0.0F : 8.0F + value_width)
                           : std::max(formula.width, value_width);
    // The first line may be the value alone.
    const float ascent = std::max(formula.ascent, tip.value.empty() ? 0.0F : 12.0F);
    float height = ascent + formula.descent + 4.0F + (one_line || tip.value.empty() ? 0.0F : 20.0F);
    const auto lines = [&](std::string_view detail) {
        return static_cast<float>(ui::line_count(screen, detail, ui::Face::text, kDetail, kWidest));
    };
    for (const std::string_view detail : tip.details) {
        if (detail.empty()) continue;
        width = std::max(width, std::min(screen.text_width(detail, ui::Face::text, kDetail), kWidest));
        height += 19.0F + (lines(detail) - 1.0F) * 1.4F * kDetail;
    }
    const Rect box = tip_box({io.MousePos.x, io.MousePos.y}, {io.DisplaySize.x, io.DisplaySize.y},
                             {width + 24.0F, height + 16.0F}, tip.beside);

    screen.begin(*ImGui::GetForegroundDrawList(), look.pixels_per_point);
    screen.fill(box, theme.border, 7.0F);
    screen.fill(box.grown(-1.0F), theme.popup, 6.0F);
    float y = box.y0 + 9.0F + ascent;
    const float pen =
        box.x0 + 12.0F + screen.formula({box.x0 + 12.0F, y}, tip.formula, ui::kFormulaSize, theme.ink);
    if (!tip.value.empty()) {
        if (!one_line) y += 20.0F;
        screen.text({one_line ? pen + 8.0F : box.x0 + 12.0F, y}, tip.value,
                    {theme.ink, 15.5F, ui::Face::strong});
    }
    y += formula.descent + 4.0F;
    for (const std::string_view detail : tip.details) {
        if (detail.empty()) continue;
        screen.paragraph({box.x0 + 12.0F, y - 0.5F}, detail, {theme.ink_soft, kDetail, ui::Face::text},
                         std::max(width, 1.0F));
        y += 19.0F + (lines(detail) - 1.0F) * 1.4F * kDetail;
    }
}

void draw_notices(canvas::Screen& screen, const ui::Look& look, const Notices& notices, Rect area) {
    if (notices.empty()) return;
    const ui::Theme& theme = *look.theme;
    const ImGuiIO& io = ImGui::GetIO();
    const Notices::Notice& notice = notices.shown().front();
    screen.begin(*ImGui::GetForegroundDrawList(), look.pixels_per_point);
    const float wide = std::min(620.0F, area.width() - 60.0F);
    const float text_width = std::min(wide, screen.text_width(notice.text, ui::Face::text, 14.5F) + 1.0F);
    const int lines = ui::line_count(screen, notice.text, ui::Face::text, 14.5F, text_width + 2.0F);
    const float height = static_cast<float>(std::max(1, lines)) * 1.4F * 14.5F + 20.0F;
    const Rect box{area.x1 - text_width - 44.0F, area.y1 - 7.0F - height, area.x1 - 14.0F, area.y1 - 7.0F};
    if (ImGui::IsMouseDown(ImGuiMouseButton_Left) && box.contains({io.MousePos.x, io.MousePos.y})) return;
    screen.fill(box, theme.border, 7.0F);
    screen.fill(box.grown(-1.0F), theme.popup, 6.0F);
    const ui::Colour mark = notice.tone == Tone::bad    ? theme.beyond
                            : notice.tone == Tone::good ? theme.seen
                                                        : theme.slider;
    screen.fill({box.x0 + 8.0F, box.y0 + 9.0F, box.x0 + 11.0F, box.y1 - 9.0F}, mark, 1.5F);
    screen.paragraph({box.x0 + 20.0F, box.y0 + 9.0F}, notice.text, {theme.ink, 14.5F, ui::Face::text},
                     text_width + 2.0F);
}

// A ring around a hand that moves the position, until the first drag.
void draw_point(canvas::Screen& screen, const ui::Look& look, std::string_view point,
                std::span<const Tile> tiles, std::span<const figures::HandleMark> handles) {
    const auto colon = point.find(':');
    if (colon == std::string_view::npos) {
        for (const Tile& tile : tiles)
            if (tile.figure == point) screen.outline(tile.area.grown(1.0F), {look.theme->ink_soft, 1.5F});
        return;
    }
    const std::string_view figure = point.substr(0, colon);
    const auto tile = std::ranges::find(tiles, figure, &Tile::figure);
    if (tile == tiles.end()) return;
    for (const figures::HandleMark& mark : handles)
        if (mark.figure == figure && mark.handle == point.substr(colon + 1)) {
            // One that was moved out of the view is somewhere in its picture.
            if (tile->area.contains(mark.at)) screen.circle(mark.at, 13.0F, {look.theme->ink, 2.0F});
            else draw_point(screen, look, figure, tiles, handles);
            return;  // a handle may be drawn twice, as a head and a tail
        }
}

void draw_hint(canvas::Screen& screen, const ui::Look& look, std::string_view figure,
               std::span<const figures::HandleMark> handles) {
    const auto hand = std::ranges::find_if(handles, [&](const figures::HandleMark& mark) {
        return mark.figure == figure && mark.handle == "position";
    });
    if (hand == handles.end()) return;
    screen.circle(hand->at, 13.0F, {ui::faded(look.theme->ink, 0.75F), 1.5F, 0.0F});
    screen.circle(hand->at, 17.0F, {ui::faded(look.theme->ink, 0.30F), 1.5F, 0.0F});
}

}  // namespace posiscope::workbench
