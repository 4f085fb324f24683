#include "app/figures/parts/legend.hpp"

#include "app/figures/parts/cells.hpp"

namespace posiscope::figures {

void name_curves(Frame& f, Rect& area, std::span<const Named> curves) {
    if (curves.empty()) return;
    constexpr float kLine = 20.0F, kSample = 26.0F, kGap = 16.0F;
    Rect row = area.cut_top(kLine);
    float x = row.x0;
    for (const Named& one : curves) {
        const std::string_view name =
            cells::shortened(f, one.name, ui::Face::text, ui::kSmallSize, row.width() - kSample);
        const float width = kSample + f.canvas.text_width(name, ui::Face::text, ui::kSmallSize);
        if (x > row.x0 && x + width > row.x1 && area.height() > 4.0F * kLine) {
            row = area.cut_top(kLine);
            x = row.x0;
        }
        const float y = row.centre().y;
        if (one.stroke) f.canvas.line({x, y}, {x + kSample - 6.0F, y}, *one.stroke);
        f.canvas.text({x + kSample, y + 4.0F}, name, {f.theme.ink_soft, ui::kSmallSize, ui::Face::text});
        x += width + kGap;
    }
}

}  // namespace posiscope::figures
