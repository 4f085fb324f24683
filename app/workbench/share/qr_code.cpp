#include "app/workbench/share/sharing.hpp"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <qrcodegen/qrcodegen.hpp>

namespace posiscope::workbench {
namespace {

constexpr int kQuiet = 4;  // modules of white around it, as the standard wants
constexpr float kCaption = 22.0F;

}  // namespace

Result<void> RoomCode::show(const std::string& page, const std::string& fragment) {
    if (page.empty()) return refuse("link.no_page");
    const std::string link = page + fragment;
    if (link.size() > kMost)
        return refuse("link.room_long",
                      {{"bytes", std::to_string(link.size())}, {"maximum", std::to_string(kMost)}});
    const auto code = qrcodegen::QrCode::encodeText(link.c_str(), qrcodegen::QrCode::Ecc::LOW);
    side_ = code.getSize();
    dark_.clear();
    for (int y = 0; y < side_; ++y)
        for (int x = 0; x < side_; ++x) dark_.push_back(code.getModule(x, y));
    link_ = link.substr(0, link.find('#'));
    return {};
}

// Black on white in every theme: some readers take no other. Each module is a whole number of pixels.
void RoomCode::draw(canvas::Screen& screen, const ui::Look& look, Rect room) const {
    if (!shown()) return;
    screen.begin(*ImGui::GetForegroundDrawList(), look.pixels_per_point);
    const float whole = std::min(room.width(), room.height() - kCaption) * 0.92F;
    const auto modules = static_cast<float>(side_ + 2 * kQuiet);
    const float module =
        std::max(1.0F, std::floor(whole * look.pixels_per_point / modules)) / look.pixels_per_point;
    const float half = 0.5F * module * modules;
    const Point centre = room.centre();
    const auto snap = [&](float x) { return std::round(x * look.pixels_per_point) / look.pixels_per_point; };
    const Rect sheet{snap(centre.x - half), snap(centre.y - half), centre.x + half,
                     centre.y + half + kCaption};
    screen.fill(sheet, ui::rgb(0xffffff), 0.0F);
    const float x0 = sheet.x0 + kQuiet * module, y0 = sheet.y0 + kQuiet * module;
    for (int y = 0; y < side_; ++y)
        for (int x = 0; x < side_;) {
            const auto dark = [&](int at) { return dark_[static_cast<std::size_t>(y * side_ + at)]; };
            int end = x;
            while (end < side_ && dark(end)) ++end;
            if (end > x)  // a run at once
                screen.fill({x0 + static_cast<float>(x) * module, y0 + static_cast<float>(y) * module,
                             x0 + static_cast<float>(end) * module, y0 + static_cast<float>(y + 1) * module},
                            ui::rgb(0), 0.0F);
            x = end + 1;
        }
    screen.text({sheet.x0 + kQuiet * module, sheet.y1 - 10.0F}, link_, {ui::rgb(0), 14.5F, ui::Face::text});
}

}  // namespace posiscope::workbench
