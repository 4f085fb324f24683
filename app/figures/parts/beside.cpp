#include "app/figures/parts/beside.hpp"

#include "app/figures/parts/cells.hpp"

#include <algorithm>
#include <array>

namespace posiscope::figures {
namespace {

struct KeptBeside {
    std::unique_ptr<Scene> of;
    std::vector<std::unique_ptr<Beside>> made;
};

// A setting of the view would list more of them.
std::unique_ptr<Scene> laid(const Scene& scene, const std::string& setting) {
    if (setting.starts_with("view")) return nullptr;
    auto partial = partial_from_setting(scene, setting);
    if (!partial) return nullptr;
    auto made = overlay(scene, *partial);
    return made ? std::make_unique<Scene>(std::move(made->scene)) : nullptr;
}

}  // namespace

std::span<const std::unique_ptr<Beside>> beside(Frame& f) {
    const Json* list = view_value(f.scene, f.figure, "beside");
    if (list == nullptr || !list->is_array() || list->empty()) return {};
    KeptBeside& kept = f.derived.part<KeptBeside>();
    if (kept.of == nullptr || !(*kept.of == f.scene)) {
        kept.of = std::make_unique<Scene>(f.scene);
        std::size_t count = 0;
        for (const Json& one : *list) {
            if (count == kMostBeside || !one.is_string()) continue;
            if (count == kept.made.size()) kept.made.push_back(std::make_unique<Beside>());
            Beside& made = *kept.made[count++];
            made.setting = one.get<std::string>();
            made.scene = laid(f.scene, made.setting);
        }
        kept.made.resize(count);
    }
    constexpr std::array<float, 4> kDashes = {0.0F, 6.0F, 3.0F, 10.0F};
    const auto last = static_cast<double>(std::max<std::size_t>(kept.made.size(), 2) - 1);
    for (std::size_t i = 0; i < kept.made.size(); ++i) {
        kept.made[i]->derived.work_in(f.derived.background());
        kept.made[i]->stroke = {ui::pair_colour(f.theme, static_cast<double>(i) / last), 2.0F,
                                kDashes[i % kDashes.size()]};
    }
    return kept.made;
}

void name_beside(Frame& f, Rect& area) {
    const auto all = beside(f);
    if (all.empty()) return;
    constexpr float kLine = 20.0F, kSample = 26.0F, kGap = 16.0F;
    Rect row = area.cut_top(kLine);
    float x = row.x0;
    for (const auto& one : all) {
        const std::string_view name =
            one->scene == nullptr
                ? f.format("beside.refused", fmt::arg("setting", one->setting))
                : cells::shortened(f, one->setting, ui::Face::text, ui::kSmallSize, row.width() - kSample);
        const float width = kSample + f.canvas.text_width(name, ui::Face::text, ui::kSmallSize);
        if (x > row.x0 && x + width > row.x1 && area.height() > 4.0F * kLine) {
            row = area.cut_top(kLine);
            x = row.x0;
        }
        const float y = row.centre().y;
        if (one->scene != nullptr) f.canvas.line({x, y}, {x + kSample - 6.0F, y}, one->stroke);
        f.canvas.text({x + kSample, y + 4.0F}, name, {f.theme.ink_soft, ui::kSmallSize, ui::Face::text});
        x += width + kGap;
    }
}

}  // namespace posiscope::figures
