#include "app/panels/slide_bar.hpp"

#include "app/panels/guide_parts.hpp"
#include "app/panels/panels.hpp"

namespace posiscope::panels {
namespace {

constexpr float kSlideMargin = 40.0F, kPad = 9.0F, kApart = 6.0F;
constexpr float kForTimeline = 900.0F;  // points of width from which on the position's track has room

// A line as wide as the slide, dark as far as the lecture has come, and the place in numbers at its right end.
float progress(const ui::Look& look, const Band& band, Rect area) {
    if (band.steps == 0) return 0.0F;
    const ui::Theme& theme = *look.theme;
    const float done = static_cast<float>(band.step + 1) / static_cast<float>(band.steps);
    fill({area.x0, area.y0, area.x1, area.y0 + 1.5F}, theme.border, 0.0F);
    fill({area.x0, area.y0, area.x0 + done * area.width(), area.y0 + 1.5F}, theme.ink, 0.0F);
    const std::string_view said = band.typed.empty()
                                      ? look.scratch->format("{}/{}", band.step + 1, band.steps)
                                      : look.scratch->format("→ {}", band.typed);
    label(look, {area.x1, area.y0 + 26.0F}, said, theme.ink_soft, ui::kTextSize, ui::Face::text, Side::right);
    return label_width(look, said) + 18.0F;
}

std::string_view minutes_and_seconds(ui::Scratch& s, double seconds) {
    const auto whole = static_cast<long>(std::max(seconds, 0.0));
    return s.format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

std::string_view clock_text(ui::Scratch& s, const Band& band) {
    const double late = band.on_lesson - band.planned_until;
    const auto of = [&](double spent, double planned) {
        const std::string_view so_far = minutes_and_seconds(s, spent);
        return planned > 0.0 ? s.format("{}/{}", so_far, minutes_and_seconds(s, planned)) : so_far;
    };
    std::string_view said = of(band.on_lesson, band.planned);
    if (band.steps > 0) said = s.format("{} · {}", of(band.on_step, band.planned_step), said);
    if (band.planned > 0.0 && late >= 1.0) said = s.format("{}  +{}", said, minutes_and_seconds(s, late));
    return said;
}

namespace {

struct SlideButton {
    std::string_view action, words;
    bool on = false;
    bool with_key = true;
};

float width_of(const ui::Look& look, const SlideButton& button, std::string_view key) {
    const float wide = label_width(look, button.words) + 2.0F * kPad;
    return key.empty() ? wide : wide + 6.0F + label_width(look, key, ui::kSmallSize);
}

void slide_controls(Panel& panel, SlideBar& view, Rect area, float left_end, float right_end) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const std::array<SlideButton, 7> all = {{{"previous_card", "‹", false, false},
                                             {"next_card", "›", false, false},
                                             {"notes", look.text("slide.notes"), view.notes},
                                             {"draw", look.text("slide.draw"), view.drawing},
                                             {"laser", look.text("slide.laser"), view.laser},
                                             {"blank", look.text("slide.blank")},
                                             {"leave", look.text("slide.leave")}}};
    const auto offered = [&](const SlideButton& one) {
        const bool pages = one.action == "previous_card" || one.action == "next_card";
        return (view.band.steps > 0 || !pages || find_action(view.actions, one.action).offered()) &&
               (one.action != "notes" || view.band.steps > 0);
    };
    const auto key_of = [&](const SlideButton& one, bool with_keys) {
        return with_keys && one.with_key ? key_text(look, find_action(view.actions, one.action).key)
                                         : std::string_view();
    };
    const auto whole = [&](bool with_keys) {
        float wide = 0.0F;
        for (const SlideButton& one : all)
            if (offered(one)) wide += width_of(look, one, key_of(one, with_keys)) + kApart;
        return wide;
    };
    const float room = right_end - left_end;
    const bool with_keys = whole(true) <= room;
    const float wide = whole(with_keys);
    float x = std::clamp(area.centre().x - 0.5F * wide, left_end, std::max(left_end, right_end - wide));
    for (const SlideButton& one : all) {
        if (!offered(one)) continue;
        const std::string_view key = key_of(one, with_keys);
        const Rect place{x, area.y0 + 7.0F, x + width_of(look, one, key), area.y0 + 37.0F};
        const bool pressed =
            flat(panel, place, look.scratch->format("slide:{}", one.action), {.on = one.on}).clicked;
        label(look, {x + kPad, place.centre().y + 5.0F}, one.words, theme.ink);
        if (!key.empty())
            label(look, {place.x1 - kPad, place.centre().y + 5.0F}, key, theme.ink_soft, ui::kSmallSize,
                  ui::Face::text, Side::right);
        if (pressed && one.action == "laser") panel.ask(Verb::keep_laser);  // its key is held
        else if (pressed) panel.ask(Verb::act, one.action);
        x = place.x1 + kApart;
    }
}

void slide_bar(Panel& panel, SlideBar& view, Rect area) {
    const Rect inner{area.x0 + kSlideMargin, area.y0, area.x1 - kSlideMargin, area.y1};
    const float taken = progress(panel.look, view.band, inner);
    if (view.band.clock)
        label(panel.look, {inner.x1 - taken, inner.y0 + 26.0F}, clock_text(*panel.look.scratch, view.band),
              panel.look.theme->ink_soft, ui::kTextSize, ui::Face::text, Side::right);
    if (!view.shown) return;
    panel.mark("slide_bar", area);
    float left = inner.x0;
    if (view.moves && area.width() >= kForTimeline) {
        const Rect track{inner.x0 - 14.0F, area.y0 + 2.0F, inner.x0 + 0.27F * inner.width(), area.y1};
        timeline(panel, view.timeline, track);
        left = track.x1 + 10.0F;
    }
    slide_controls(panel, view, area, left, inner.x1 - taken - (view.band.clock ? 190.0F : 0.0F));
}

}  // namespace

extern const PanelEntry kSlideBar{
    .id = "slide_bar", .edge = Edge::bottom, .presenting = 46.0F, .draw = with_view<SlideBar, slide_bar>};

}  // namespace posiscope::panels
