#include "app/panels/timeline.hpp"

#include "app/panels/experiment.hpp"
#include "app/panels/panels.hpp"
#include "app/panels/slide_bar.hpp"
#include "app/panels/widgets.hpp"
#include "app/ui/accessible_item.hpp"
#include "app/ui/parts/imgui_internals.hpp"

#include <imgui.h>
#include <initializer_list>

namespace posiscope::panels {
namespace {

constexpr float kThinTrack = 440.0F;  // below it the track needs the room of the speeds
constexpr float kLeastTrack = 60.0F;  // a shorter one is left out
constexpr float kMomentSize = 12.5F, kValueSize = 15.5F;

// A triangle to play, two bars to pause: drawn, so that they are crisp at every scale.
void play_button(Panel& panel, Point c, Playing& playing) {
    const ui::Look& look = panel.look;
    if (flat(panel, Rect{c.x, c.y, c.x, c.y}.grown(16.0F), "play").clicked) playing.on = !playing.on;
    tooltip(look, {}, look.text(playing.on ? "timeline.pause" : "timeline.play"));
    if (!playing.on)
        return draw_list().AddTriangleFilled({c.x - 5.0F, c.y - 8.0F}, {c.x - 5.0F, c.y + 8.0F},
                                             {c.x + 8.0F, c.y}, look.theme->ink);
    for (const float x : {c.x - 6.0F, c.x + 2.0F})
        fill({x, c.y - 7.0F, x + 4.0F, c.y + 7.0F}, look.theme->ink);
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
        fill({x - 0.5F, y + 9.0F, x + 0.5F, y + 12.0F}, look.theme->ink_faint);
        label(look, {x, y + 24.0F}, ui::integer(*look.scratch, at), look.theme->ink_soft, kMomentSize,
              ui::Face::text, Side::centre);
    };
    const auto apart = static_cast<std::int64_t>(step);
    for (std::int64_t at = 0; static_cast<double>(at) + least <= static_cast<double>(last); at += apart)
        write(at);
    write(last);
}

// The track of a whole number from 0 to `last`.
struct TimeTrack {
    Rect line;
    std::int64_t last;

    float x(std::int64_t at) const {
        const double part = static_cast<double>(at) / static_cast<double>(last);
        return line.x0 + static_cast<float>(std::clamp(part, 0.0, 1.0)) * line.width();
    }
};

// Draws it as far as `now`; returns the number after a drag, a turn of the wheel or an arrow key.
std::int64_t dragged_to(Panel& panel, const TimeTrack& track, std::int64_t now, std::string_view help,
                        bool& lit) {
    const ui::Look& look = panel.look;
    const ImGuiIO& io = ImGui::GetIO();
    const Rect& line = track.line;
    const Pressed pressed = press(panel, {line.x0 - 6.0F, line.y0 - 12.0F, line.x1 + 6.0F, line.y1 + 12.0F},
                                  "track", {.role = "slider"});
    lit = pressed.lit || ImGui::IsItemActive();
    if (pressed.heard != nullptr) {
        pressed.heard->value = ui::integer(*look.scratch, now);
        pressed.heard->most = static_cast<double>(track.last), pressed.heard->now = static_cast<double>(now);
    }
    panel.mark("timeline", line);
    tooltip(look, {}, help);
    fill(line, look.theme->track, 2.0F);
    fill({line.x0, line.y0, track.x(now), line.y1}, look.theme->ink, 2.0F);
    const bool by_keys = ui::has_keyboard();
    if (ImGui::IsItemActive() && !by_keys) {
        panel.held = true;
        const auto part = static_cast<double>((io.MousePos.x - line.x0) / line.width());
        return std::llround(std::clamp(part, 0.0, 1.0) * static_cast<double>(track.last));
    }
    std::int64_t by = 0;
    if (pressed.hovered && io.MouseWheel != 0.0F && !by_finger()) by = io.MouseWheel > 0.0F ? 1 : -1;
    for (const auto& [key, step] : {std::pair(ImGuiKey_LeftArrow, -1), {ImGuiKey_RightArrow, 1}})
        if (by_keys) {
            ui::own_key(key, ImGui::GetItemID());
            if (ImGui::IsKeyPressed(key)) by = step;
        }
    return std::max<std::int64_t>(0, now + by);
}

void knob(const ui::Look& look, const TimeTrack& track, std::int64_t at, bool lit) {
    const ImVec2 centre{track.x(at), track.line.centre().y};
    draw_list().AddCircleFilled(centre, lit ? 10.5F : 9.5F, look.theme->rail);
    draw_list().AddCircleFilled(centre, lit ? 8.5F : 7.5F, look.theme->ink);
}

// Under the experiment: the steps of the training, with a tick where seed 1 was looked at.
void step_track(Panel& panel, const experiment::Shown& shown, std::span<const std::int64_t> moments,
                Rect line) {
    const ui::Look& look = panel.look;
    const std::int64_t last = shown.settings.steps, now = std::min(shown.step.value_or(last), last);
    const float y = line.centre().y;
    label(look, {line.x0 - 108.0F, y + 5.0F},
          look.format("timeline.step", fmt::arg("step", ui::integer(*look.scratch, now))), look.theme->ink,
          kValueSize, ui::Face::strong);
    if (line.width() < kLeastTrack) return;
    const TimeTrack track{line, last};
    bool lit = false;
    const std::int64_t step = dragged_to(panel, track, now, look.text("timeline.step_help"), lit);
    if (step != now) panel.attempt("view.experiment.step", step < last ? Json(step) : Json());
    for (const std::int64_t moment : moments)
        fill({track.x(moment) - 0.5F, y + 9.0F, track.x(moment) + 0.5F, y + 12.0F}, look.theme->ink_faint);
    knob(look, track, now, lit);
}

// Draws a line, named below the track, at which rows begin to leave the cache, and one at which steps read one token each.
void moments(const ui::Look& look, const RowMoments& moments, const TimeTrack& track) {
    const Rect& line = track.line;
    const ui::Theme& theme = *look.theme;
    const float y = line.centre().y, gap = 8.0F, baseline = y + 23.0F;
    float free = line.x0;  // names stand side by side
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
        fill({track.x(step) - 0.5F, y + 6.0F, track.x(step) + 0.5F, y + 16.0F}, theme.ink_soft);
    };
    const bool decodes = moments.decoded > 0 && moments.decoded <= track.last,
               leave = moments.left > 0 && moments.left <= track.last;
    if (decodes) mark(moments.decoded);
    if (leave) mark(moments.left);
    if (decodes) name(line.x0, track.x(moments.decoded), {"timeline.prompt"});
    if (leave) {
        if (decodes) name(track.x(moments.left), line.x1, {"timeline.decode_left", "timeline.decode"});
        else name(track.x(moments.left), line.x1, {"timeline.left"});
    } else if (decodes) {
        name(track.x(moments.decoded), line.x1, {"timeline.decode"});
    }
}

void position_track(Panel& panel, const TimelineView& view, Rect line, bool thin) {
    const ui::Look& look = panel.look;
    const Scene& scene = panel.scene;
    const float y = line.centre().y, left = line.x0 - 90.0F;
    label(look, {left, y + 5.0F}, "p", look.theme->ink, 18.0F, ui::Face::formula);
    label(look, {left + 14.0F, y + 5.0F},
          look.scratch->format("= {}", ui::integer(*look.scratch, scene.position)), look.theme->ink,
          kValueSize, ui::Face::strong);
    // Wide enough for the largest position, so that the track does not move while the number grows.
    if (scene.length > 99999 || scene.position > 99999)
        line.x0 += label_width(look, "= 2 147 483 647", kValueSize, ui::Face::strong) - 62.0F;
    if (line.width() < kLeastTrack) return;
    const TimeTrack track{line, std::max<std::int64_t>(scene.length - 1, 1)};
    bool lit = false;
    const std::int64_t position = dragged_to(panel, track, scene.position, look.text("timeline.help"), lit);
    if (position != scene.position) panel.attempt("position", std::min(position, kLastPosition));
    if (!thin && view.moments.decoded + view.moments.left > 0) moments(look, view.moments, track);
    else if (!thin) numbers_below(look, line, track.last);
    const ImVec2 other{track.x(scene.position + scene.offset), y};
    draw_list().AddCircleFilled(other, 6.5F, look.theme->rail);
    draw_list().AddCircleFilled(other, 4.5F, look.theme->offset);
    knob(look, track, scene.position, lit);
}

}  // namespace

void timeline(Panel& panel, TimelineView& view, Rect area) {
    const experiment::Shown* shown = panel.scene.bench == "experiment" ? view.experiment.shown : nullptr;
    const float y = area.centre().y;
    const bool thin = (shown == nullptr && view.presenting) || area.width() < kThinTrack;
    const Rect line{0.0F, y - 2.0F, area.x1 - (thin ? 30.0F : 128.0F), y + 2.0F};
    play_button(panel, {area.x0 + 30.0F, y}, view.playing);
    if (shown != nullptr)
        step_track(panel, *shown, view.experiment.moments, {area.x0 + 166.0F, line.y0, line.x1, line.y1});
    else position_track(panel, view, {area.x0 + 148.0F, line.y0, line.x1, line.y1}, thin);
    if (!thin) speed_menu(panel, {area.x1 - 108.0F, area.y0, area.x1 - 12.0F, area.y1}, view.playing);
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
