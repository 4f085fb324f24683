#include "app/panels/timeline.hpp"

#include "app/panels/experiment.hpp"
#include "app/panels/panels.hpp"
#include "app/panels/slide_bar.hpp"

#include <imgui.h>
#include <initializer_list>

namespace posiscope::panels {
namespace {

constexpr float kThinTrack = 440.0F;  // below it the track needs the room of the speeds
constexpr float kMomentSize = 12.5F;

// A triangle to play, two bars to pause: drawn, so that they are crisp at every scale.
void play_button(Panel& panel, Point centre, Playing& playing) {
    const ui::Look& look = panel.look;
    ImGui::SetCursorScreenPos({centre.x - 16.0F, centre.y - 16.0F});
    if (ImGui::InvisibleButton("##play", {32.0F, 32.0F}, ImGuiButtonFlags_EnableNav))
        playing.on = !playing.on;
    ring_if_focused(look);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (ImGui::IsItemHovered()) list.AddCircleFilled({centre.x, centre.y}, 16.0F, look.theme->control);
    if (playing.on) {
        list.AddRectFilled({centre.x - 6.0F, centre.y - 7.0F}, {centre.x - 2.0F, centre.y + 7.0F},
                           look.theme->ink);
        list.AddRectFilled({centre.x + 2.0F, centre.y - 7.0F}, {centre.x + 6.0F, centre.y + 7.0F},
                           look.theme->ink);
    } else {
        list.AddTriangleFilled({centre.x - 5.0F, centre.y - 8.0F}, {centre.x - 5.0F, centre.y + 8.0F},
                               {centre.x + 8.0F, centre.y}, look.theme->ink);
    }
    tooltip(look, {}, look.text(playing.on ? "timeline.pause" : "timeline.play"));
}

void speed_menu(Panel& panel, Rect area, Playing& playing) {
    const ui::Look& look = panel.look;
    const std::string_view said = look.format("timeline.speed", fmt::arg("speed", playing.speed));
    ImGui::SetCursorScreenPos({area.x0, area.centre().y - 14.0F});
    if (ImGui::Button(look.scratch->format("{}##speed", said).data(), {area.width(), 28.0F}))
        ImGui::OpenPopup("speed");
    tooltip(look, {}, look.text("timeline.speed_help"));
    const MenuRows rows;
    if (!ImGui::BeginPopup("speed")) return;
    for (const double speed : kSpeeds)
        if (ImGui::MenuItem(look.scratch->format("{:g}×", speed).data(), nullptr, playing.speed == speed))
            playing.speed = speed;
    ImGui::Separator();
    if (ImGui::MenuItem(look.c(look.text("timeline.loop")), nullptr, playing.loop))
        playing.loop = !playing.loop;
    if (ImGui::MenuItem(look.c(look.text("timeline.smooth")), nullptr, playing.smooth))
        playing.smooth = !playing.smooth;
    ImGui::EndPopup();
}

// Whole numbers below the track, a tick above each, as close as they have room.
void numbers_below(const ui::Look& look, Rect track, std::int64_t last) {
    constexpr float kBetweenNumbers = 70.0F;
    const float widest =
        label_width(look, ui::integer(*look.scratch, last), kMomentSize, ui::Face::text) + kBetweenNumbers;
    const double least = static_cast<double>(last) * static_cast<double>(widest / track.width());
    double step = std::max(1.0, std::pow(10.0, std::floor(std::log10(std::max(least, 1.0)))));
    for (const double times : {2.0, 2.5, 2.0})  // 1, 2, 5, 10
        if (step < least) step *= times;
    const auto write = [&](std::int64_t at) {
        const float x = track.x0 + static_cast<float>(static_cast<double>(at) / static_cast<double>(last)) *
                                       track.width();
        const float y = track.centre().y;
        ImGui::GetWindowDrawList()->AddRectFilled({x - 0.5F, y + 9.0F}, {x + 0.5F, y + 12.0F},
                                                  look.theme->ink_faint);
        label(look, {x, y + 24.0F}, ui::integer(*look.scratch, at), look.theme->ink_soft, kMomentSize,
              ui::Face::text, Side::centre);
    };
    const auto apart = static_cast<std::int64_t>(step);
    for (std::int64_t at = 0; static_cast<double>(at) + least <= static_cast<double>(last); at += apart)
        write(at);
    write(last);
}

// Under the experiment: the steps of the training, with a tick where seed 1 was looked at.
void steps(Panel& panel, TimelineView& view, Rect area) {
    const experiment::Shown& shown = *view.experiment.shown;
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = area.centre().y;
    play_button(panel, {area.x0 + 30.0F, y}, view.playing);
    const std::int64_t last = shown.settings.steps, now = std::min(shown.step.value_or(last), last);
    label(look, {area.x0 + 58.0F, y + 5.0F},
          look.format("timeline.step", fmt::arg("step", ui::integer(*look.scratch, now))), theme.ink, 15.5F,
          ui::Face::strong);
    const bool thin = area.width() < kThinTrack;
    if (!thin) speed_menu(panel, {area.x1 - 108.0F, area.y0, area.x1 - 12.0F, area.y1}, view.playing);
    const Rect track{area.x0 + 166.0F, y - 2.0F, area.x1 - (thin ? 30.0F : 128.0F), y + 2.0F};
    if (track.width() < 60.0F) return;
    const auto x = [&](std::int64_t step) {
        return track.x0 + static_cast<float>(step) / static_cast<float>(last) * track.width();
    };
    ImGui::SetCursorScreenPos({track.x0 - 6.0F, y - 14.0F});
    ImGui::InvisibleButton("##timeline", {track.width() + 12.0F, 28.0F});
    panel.mark("timeline", track);
    tooltip(look, {}, look.text("timeline.step_help"));
    if (ImGui::IsItemActive()) {
        panel.held = true;
        const float t = std::clamp((ImGui::GetIO().MousePos.x - track.x0) / track.width(), 0.0F, 1.0F);
        const auto step = static_cast<std::int64_t>(std::lround(t * static_cast<float>(last)));
        if (step != now) panel.attempt("view.experiment.step", step < last ? Json(step) : Json());
    }
    list.AddRectFilled({track.x0, track.y0}, {track.x1, track.y1}, theme.track, 2.0F);
    list.AddRectFilled({track.x0, track.y0}, {x(now), track.y1}, theme.ink, 2.0F);
    for (const std::int64_t moment : view.experiment.moments)
        list.AddRectFilled({x(moment) - 0.5F, y + 9.0F}, {x(moment) + 0.5F, y + 12.0F}, theme.ink_faint);
    list.AddCircleFilled({x(now), y}, 9.5F, theme.rail);
    list.AddCircleFilled({x(now), y}, 7.5F, theme.ink);
}

// Draws a line, named below the track, at which rows begin to leave the cache, and one at which steps read one token each.
template <class X>
void moments(const ui::Look& look, const RowMoments& moments, Rect track, std::int64_t last, X x) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ui::Theme& theme = *look.theme;
    const float y = track.centre().y, gap = 8.0F, baseline = y + 23.0F;
    float free = track.x0;  // names stand side by side
    // The first of some that there is room for.
    const auto name = [&](float from, float to, std::initializer_list<std::string_view> keys) {
        for (const std::string_view key : keys) {
            const std::string_view said = look.text(key);
            const float width = label_width(look, said, kMomentSize, ui::Face::text);
            const float left = std::max(free, 0.5F * (from + to - width));
            if (left + width > to || to - from < width + gap) continue;
            label(look, {left, baseline}, said, theme.ink_soft, kMomentSize);
            free = left + width + gap;
            return;
        }
    };
    const auto mark = [&](std::int64_t step) {
        list.AddRectFilled({x(step) - 0.5F, y + 6.0F}, {x(step) + 0.5F, y + 16.0F}, theme.ink_soft);
    };
    const bool decodes = moments.decoded > 0 && moments.decoded <= last,
               leave = moments.left > 0 && moments.left <= last;
    if (decodes) mark(moments.decoded);
    if (leave) mark(moments.left);
    if (decodes) name(track.x0, x(moments.decoded), {"timeline.prompt"});
    if (leave) {
        if (decodes) name(x(moments.left), track.x1, {"timeline.decode_left", "timeline.decode"});
        else name(x(moments.left), track.x1, {"timeline.left"});
    } else if (decodes) {
        name(x(moments.decoded), track.x1, {"timeline.decode"});
    }
}

}  // namespace

void timeline(Panel& panel, TimelineView& view, Rect area) {
    if (panel.scene.bench == "experiment" && view.experiment.shown != nullptr)
        return steps(panel, view, area);
    Playing& playing = view.playing;
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    ui::Scratch& s = *look.scratch;
    const Scene& scene = panel.scene;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = area.centre().y;

    play_button(panel, {area.x0 + 30.0F, y}, playing);
    label(look, {area.x0 + 58.0F, y + 5.0F}, "p", theme.ink, 18.0F, ui::Face::formula);
    const std::string_view value = s.format("= {}", ui::integer(s, scene.position));
    label(look, {area.x0 + 72.0F, y + 5.0F}, value, theme.ink, 15.5F, ui::Face::strong);

    const bool thin = view.presenting || area.width() < kThinTrack;
    if (!thin) speed_menu(panel, {area.x1 - 108.0F, area.y0, area.x1 - 12.0F, area.y1}, playing);
    // Wide enough for the largest position, so that the track does not move while the number grows.
    const float widest = label_width(look, "= 2 147 483 647", 15.5F, ui::Face::strong);
    const bool large = scene.length > 99999 || scene.position > 99999;
    const Rect track{area.x0 + 72.0F + (large ? widest : 62.0F) + 14.0F, y - 2.0F,
                     area.x1 - (thin ? 30.0F : 128.0F), y + 2.0F};
    if (track.width() < 60.0F) return;
    const auto last = static_cast<double>(std::max<std::int64_t>(scene.length - 1, 1));
    const auto x = [&](std::int64_t p) {
        return track.x0 +
               static_cast<float>(std::clamp(static_cast<double>(p) / last, 0.0, 1.0)) * track.width();
    };

    ImGui::SetCursorScreenPos({track.x0 - 6.0F, y - 14.0F});
    ImGui::InvisibleButton("##timeline", {track.width() + 12.0F, 28.0F});
    panel.mark("timeline", track);
    const bool lit = ImGui::IsItemHovered() || ImGui::IsItemActive();
    tooltip(look, {}, look.text("timeline.help"));
    if (ImGui::IsItemActive()) {
        panel.held = true;
        const double t =
            std::clamp(static_cast<double>((ImGui::GetIO().MousePos.x - track.x0) / track.width()), 0.0, 1.0);
        const auto position = static_cast<std::int64_t>(std::llround(t * last));
        if (position != scene.position) panel.attempt("position", position);
    } else if (ImGui::IsItemHovered() && ImGui::GetIO().MouseWheel != 0.0F &&
               ImGui::GetIO().MouseSource != ImGuiMouseSource_TouchScreen) {
        const std::int64_t by = ImGui::GetIO().MouseWheel > 0.0F ? 1 : -1;
        panel.attempt("position", std::clamp<std::int64_t>(scene.position + by, 0, kLastPosition));
    }
    list.AddRectFilled({track.x0, track.y0}, {track.x1, track.y1}, theme.track, 2.0F);
    list.AddRectFilled({track.x0, track.y0}, {x(scene.position), track.y1}, theme.ink, 2.0F);
    const bool marked = !thin && view.moments.decoded + view.moments.left > 0;
    if (marked) moments(look, view.moments, track, scene.length - 1, x);
    else if (!thin) numbers_below(look, track, std::max<std::int64_t>(scene.length - 1, 1));
    const float q = x(scene.position + scene.offset);
    list.AddCircleFilled({q, y}, 6.5F, theme.rail);
    list.AddCircleFilled({q, y}, 4.5F, theme.offset);
    list.AddCircleFilled({x(scene.position), y}, lit ? 10.5F : 9.5F, theme.rail);
    list.AddCircleFilled({x(scene.position), y}, lit ? 8.5F : 7.5F, theme.ink);
}

void advance(Playing& playing, Scene& scene, double seconds) {
    if (!playing.on) return;
    playing.fraction += std::min(seconds, 0.25) * playing.speed * kPositionsPerSecond;
    const double whole = std::floor(playing.fraction);
    playing.fraction -= whole;
    const std::int64_t last = std::max<std::int64_t>(scene.length - 1, 0);
    std::int64_t position = scene.position + static_cast<std::int64_t>(whole);
    if (position > last && whole > 0.0) {
        if (playing.loop) {
            position = 0;
        } else {
            position = std::max(last, scene.position);
            playing.on = false;
        }
    }
    scene.position = position;
}

void advance_step(Playing& playing, Scene& scene, std::int64_t steps, double seconds) {
    if (!playing.on) return;
    Json& view = scene.view["experiment"];
    if (!view.is_object()) view = Json::object();
    const auto found = view.find("step");
    const bool whole = found == view.end() || !found->is_number_integer();
    // From the end it begins anew: the training takes eight seconds.
    playing.fraction += std::min(seconds, 0.25) * playing.speed * static_cast<double>(steps) / 8.0;
    const double by = std::floor(playing.fraction);
    playing.fraction -= by;
    const std::int64_t step = (whole ? 0 : found->get<std::int64_t>()) + static_cast<std::int64_t>(by);
    if (step < steps) {
        view["step"] = step;
        return;
    }
    view.erase("step");
    playing.on = playing.loop;
}

extern const PanelEntry kTimeline{
    .id = "timeline", .edge = Edge::bottom, .size = 54.0F, .draw = with_view<TimelineView, timeline>};

}  // namespace posiscope::panels
