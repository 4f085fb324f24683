// slider.cpp — a number of the Scene on a track, by mouse, wheel and keys, or typed.
#include "app/panels/widgets.hpp"

#include "app/ui/accessible_item.hpp"
#include "app/ui/parts/imgui_internals.hpp"
#include "core/encodings/encodings.hpp"
#include "core/scene/nearest.hpp"
#include "core/scene/settings.hpp"

#include <imgui.h>

namespace posiscope::panels {
namespace {

constexpr float kTrackHeight = 3.5F, kKnob = 6.5F, kFieldWidth = 118.0F;  // points

double to_track(const Slider& s, double value) {
    if (s.to <= s.from) return 1.0;  // the widest d_model of so many heads is also the narrowest
    if (s.logarithmic) return std::log(value / s.from) / std::log(s.to / s.from);
    return (value - s.from) / (s.to - s.from);
}

double from_track(const Slider& s, double t) {
    t = std::clamp(t, 0.0, 1.0);
    if (t > 0.998) return s.to;  // the end can be reached, whatever the rounding
    double value = s.logarithmic ? s.from * std::pow(s.to / s.from, t) : s.from + (s.to - s.from) * t;
    // Rounds to distinguishable values: whole steps, or three significant digits on a logarithmic track.
    if (s.logarithmic && value > 1000.0 * s.step) {
        const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2.0);
        value = std::round(value / unit) * unit;
    }
    return std::clamp(std::round(value / s.step) * s.step, s.from, s.to);
}

std::string_view shown(const Panel& panel, const Slider& s) {
    ui::Scratch& scratch = *panel.look.scratch;
    if (s.decimals > 0) return ui::fixed(scratch, s.value, s.decimals);
    if (s.value != std::round(s.value)) {  // the digits that it has, "0.02" and "10⁻⁶", of at most six
        const double power = std::pow(10.0, std::floor(std::log10(std::abs(s.value)))),
                     leading = std::abs(s.value) / power;
        const auto left_by = [&](int digits) {
            const double unit = std::pow(10.0, digits - 1);
            return std::abs(leading * unit - std::round(leading * unit)) / unit;
        };
        int digits = 1;
        while (digits < 6 && left_by(digits) > 1e-9) ++digits;
        const bool small_power = digits == 1 && std::round(leading) == 1.0 && s.value > 0.0 && s.value < 5e-4;
        return small_power ? ui::bound(scratch, s.value) : ui::significant(scratch, s.value, digits);
    }
    if (std::abs(s.value) > 9e15) return ui::significant(scratch, s.value, 4);
    const auto whole = static_cast<std::int64_t>(s.value);
    return s.with_sign ? ui::signed_integer(scratch, whole) : ui::integer(scratch, whole);
}

Json value_json(const Slider& s, double value) {
    if (s.step == std::round(s.step) && std::abs(value) < 9e15)
        return static_cast<std::int64_t>(std::llround(value));
    return value;
}

void begin_typing(Panel& panel, std::string_view key, double value, bool digits) {
    Typing& typing = panel.typing;
    typing.key = key;
    typing.fresh = true;
    typing.digits = digits;
    typing.problem.reset();
    const auto end = fmt::format_to_n(typing.text.data(), typing.text.size() - 1, "{}", to_text(value)).out;
    *end = '\0';
}
void begin_typing(Panel& panel, const Slider& s) { begin_typing(panel, s.key, s.value, s.from >= 0.0); }

// The key of the ends of a name's track, and of one of them, 0 or 1.
std::string_view ends_key(const Panel& panel, const Slider& s) {
    return panel.look.scratch->format("own.ranges.{}", s.key.substr(s.key.rfind('.') + 1));
}
std::string_view end_key(const Panel& panel, const Slider& s, std::size_t which) {
    return panel.look.scratch->format("{}.{}", ends_key(panel, s), which);
}
void begin_typing_end(Panel& panel, const Slider& s, std::size_t which) {
    begin_typing(panel, end_key(panel, s, which), which == 0 ? s.from : s.to, false);
}
std::optional<Problem> set_end(Panel& panel, const Slider& s, std::size_t which, const Json& value) {
    Json ends = {s.from, s.to};
    ends[which] = value;
    return panel.set(ends_key(panel, s), ends);
}

// The typed text as JSON: thousands may be separated by spaces or commas, and the minus may be U+2212.
Json typed_value(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i).starts_with("\u2212")) {
            plain += '-';
            i += 2;
        } else if (text[i] != ' ' && text[i] != ',' && text[i] != '_') {
            plain += text[i];
        }
    }
    if (plain.starts_with('+')) plain.erase(0, 1);
    const auto parsed = parse_json(plain);
    return parsed ? *parsed : Json(std::string(text));
}

// Values of a figure's view have no bounds in a Scene: the ends of their tracks bound them.
std::optional<Problem> out_of_view(const Slider& s, const Json& value) {
    const bool own = s.key.starts_with("view.") || s.key == "content.head";
    if (!own || !value.is_number()) return std::nullopt;
    const auto wanted = value.get<double>();
    if (wanted >= s.from && wanted <= s.to) return std::nullopt;
    return Problem{"value.range",
                   {{"path", std::string(s.key)},
                    {"minimum", to_text(s.from)},
                    {"maximum", to_text(s.to)},
                    {"value", to_text(wanted)}}};
}

// A field for a number; `apply` says why it is refused.
template <class Apply>
void type_in(Panel& panel, Point corner, float width, const Apply& apply) {
    Typing& typing = panel.typing;
    ImGui::SetCursorScreenPos({corner.x, corner.y});
    ImGui::SetNextItemWidth(width);
    if (typing.fresh) ImGui::SetKeyboardFocusHere();
    const bool entered =
        ImGui::InputText("##type", typing.text.data(), typing.text.size(),
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    const bool left = ImGui::IsItemDeactivated() && !typing.fresh;
    typing.fresh = false;
    if (ImGui::IsItemEdited()) typing.problem.reset();
    if (entered) {
        typing.problem = apply(typed_value(typing.text.data()));
        if (!typing.problem) typing.key.clear();
        else typing.fresh = true;  // stay, and keep the keyboard
    } else if (left || ImGui::IsKeyPressed(ImGuiKey_Escape)) {
        typing = {};
    }
}

void context_menu(Panel& panel, const Slider& s) {
    const MenuRows rows;
    if (!ImGui::BeginPopupContextItem("menu")) return;
    const ui::Look& look = panel.look;
    if (ImGui::MenuItem(look.c(look.text("control.reset")))) panel.attempt(s.key, nullptr);
    if (ImGui::MenuItem(look.c(look.text("control.type")))) begin_typing(panel, s);
    if (s.ends) {
        if (ImGui::MenuItem(look.c(look.text("control.type_least")))) begin_typing_end(panel, s, 0);
        if (ImGui::MenuItem(look.c(look.text("control.type_most")))) begin_typing_end(panel, s, 1);
        if (ImGui::MenuItem(look.c(look.text("control.reset_ends"))))
            panel.attempt(ends_key(panel, s), nullptr);
    }
    if (ImGui::MenuItem(look.c(look.text("control.copy")))) ImGui::SetClipboardText(to_text(s.value).c_str());
    if (ImGui::MenuItem(look.c(look.text("control.copy_set"))))
        ImGui::SetClipboardText(fmt::format("--set {}={}", s.key, to_text(s.value)).c_str());
    ImGui::EndPopup();
}

// The places of a slider's parts, and the events on it in this frame.
struct SliderParts {
    Rect area, track;
    std::array<Rect, 2> ends{};            // where they are written
    std::optional<std::size_t> typed_end;  // the one that is being typed
    bool typing = false;                   // its value is
    bool pressed = false, hovered = false, active = false, by_keys = false;

    float middle() const { return area.y0 + 31.0F; }  // of the track
};

void write_slider(Panel& panel, const Slider& s, const SliderParts& at, std::string_view name) {
    const ui::Look& look = panel.look;
    const float base = at.area.y0 + 14.0F;
    label(look, {at.area.x0, base}, name, look.theme->ink);
    label(look, {at.area.x0 + label_width(look, name) + 7.0F, base}, s.symbol, look.theme->ink_soft, 16.5F,
          ui::Face::formula);
    if (!at.typing)
        label(look, {at.area.x1, base}, s.unset.empty() ? shown(panel, s) : s.unset,
              s.unset.empty() ? look.theme->ink : look.theme->ink_soft, 16.0F, ui::Face::strong, Side::right);
}

// Both ends beside the track, which leaves them their room.
void write_ends(Panel& panel, const Slider& s, SliderParts& at) {
    const ui::Look& look = panel.look;
    const float y = at.middle();
    for (const std::size_t which : {0U, 1U}) {
        const bool first = which == 0;
        const std::string_view end = ui::shortest(*look.scratch, first ? s.from : s.to);
        const float wide = label_width(look, end, ui::kSmallSize);
        at.ends[which] = {first ? at.area.x0 - 4.0F : at.area.x1 - wide - 5.0F, y - 9.0F,
                          first ? at.area.x0 + wide + 5.0F : at.area.x1 + 4.0F, y + 9.0F};
        const std::string_view key = end_key(panel, s, which);
        if (panel.typing.key == key) at.typed_end = which;
        panel.mark(key, at.ends[which]);
        const bool under = at.ends[which].contains({ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y});
        label(look, {first ? at.area.x0 : at.area.x1, y + 4.0F}, end,
              under ? look.theme->ink : look.theme->ink_soft, ui::kSmallSize, ui::Face::text,
              first ? Side::left : Side::right);
        (first ? at.track.x0 : at.track.x1) += (wide + 10.0F) * (first ? 1.0F : -1.0F);
    }
}

// The whole control takes the mouse; the text field is over its right end.
void take_mouse(Panel& panel, const Slider& s, SliderParts& at, std::string_view name) {
    ImGui::SetCursorScreenPos({at.area.x0 - 4.0F, at.area.y0});
    ImGui::SetNextItemAllowOverlap();
    at.pressed = ImGui::InvisibleButton("track", {at.area.width() + 8.0F, 40.0F}, ImGuiButtonFlags_EnableNav);
    at.hovered = ImGui::IsItemHovered(), at.by_keys = ui::has_keyboard();
    at.active = ImGui::IsItemActive() && !at.by_keys;
    if (ui::AccessibleItem* heard = ui::announce_last("slider", name)) {
        heard->value = s.unset.empty() ? shown(panel, s) : s.unset;
        heard->least = s.from, heard->most = s.to, heard->now = s.value;
    }
    if (at.by_keys)  // step the value; they would move to the control beside it
        for (const ImGuiKey key : {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_PageUp,
                                   ImGuiKey_PageDown, ImGuiKey_Home, ImGuiKey_End})
            ui::own_key(key, ImGui::GetItemID());
}

bool takes(const Panel& panel, const Slider& s, double value) {
    return panel.with(s.key, value_json(s, value)).has_value();
}

// The part of the track that can be had, of a parameter that its encoding has rules for: looked for while the hand is on it, since
// each try makes a Scene.
void bound(const Panel& panel, Slider& s) {
    const Encoding& encoding = encoding_of(panel.scene);
    if (!s.key.starts_with("encoding.") || encoding.check == nullptr || encoding.slots.typed != nullptr)
        return;
    const auto taken = [&](double value) { return takes(panel, s, value); };
    const Track track{s.from, s.to, s.step};
    s.least = nearest_taken(s.from, track, taken), s.most = nearest_taken(s.to, track, taken);
}

// The value of the track that the Scene takes nearest to `wanted`: on either side after a drag; after a step up or down none
// that lies behind it, since it would not move.
double taken(const Panel& panel, const Slider& s, double wanted, double step = 0.0) {
    Track track{s.least.value_or(s.from), s.most.value_or(s.to), s.step};
    wanted = std::clamp(wanted, track.least, track.most);
    if (s.own != nullptr || wanted == s.value) return wanted;
    if (step > 0.0) track.least = wanted;
    if (step < 0.0) track.most = wanted;
    return nearest_taken(wanted, track, [&](double value) { return takes(panel, s, value); })
        .value_or(s.value);
}

// The value after this frame's drag, wheel or keys; or the text field is opened.
double moved(Panel& panel, const Slider& s, const SliderParts& at) {
    const ImGuiIO& io = ImGui::GetIO();
    const Point clicked{io.MouseClickedPos[0].x, io.MouseClickedPos[0].y};
    const auto on_end =
        std::find_if(at.ends.begin(), at.ends.end(), [&](const Rect& end) { return end.contains(clicked); });
    const bool on_track = clicked.y > at.area.y0 + 21.0F && on_end == at.ends.end();
    const bool tapped = at.pressed && by_finger() && !on_track && clicked.x > at.area.x1 - kFieldWidth;
    const bool to_type = tapped || (at.pressed && at.by_keys) ||
                         (at.hovered && (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) ||
                                         (io.KeyCtrl && ImGui::IsMouseClicked(ImGuiMouseButton_Left))));
    if (at.pressed && !at.by_keys && on_end != at.ends.end()) {
        begin_typing_end(panel, s, static_cast<std::size_t>(on_end - at.ends.begin()));
    } else if (to_type && s.own == nullptr && on_end == at.ends.end()) {
        begin_typing(panel, s);
    } else if (at.active && on_track && !at.typing) {
        panel.held = true;
        return taken(panel, s,
                     from_track(s, static_cast<double>((io.MousePos.x - at.track.x0) / at.track.width())));
    } else if (at.hovered && io.MouseWheel != 0.0F && io.MouseSource != ImGuiMouseSource_TouchScreen) {
        // Two fingers scroll what they lie on.
        const double by =
            std::copysign(s.logarithmic && s.step == 1.0 ? std::max(1.0, std::round(s.value * 0.1)) : s.step,
                          static_cast<double>(io.MouseWheel));
        return taken(panel, s, s.value + by, by);
    } else if (at.by_keys) {
        const double by = (ImGui::IsKeyPressed(ImGuiKey_RightArrow) ? s.step : 0.0) -
                          (ImGui::IsKeyPressed(ImGuiKey_LeftArrow) ? s.step : 0.0);
        if (by != 0.0) return taken(panel, s, s.value + by * (io.KeyShift ? 10.0 : 1.0), by);
        if (ImGui::IsKeyPressed(ImGuiKey_Home, false)) return taken(panel, s, s.from);
        if (ImGui::IsKeyPressed(ImGuiKey_End, false)) return taken(panel, s, s.to);
        // A tenth of the track.
        const double tenth = (ImGui::IsKeyPressed(ImGuiKey_PageUp) ? 0.1 : 0.0) -
                             (ImGui::IsKeyPressed(ImGuiKey_PageDown) ? 0.1 : 0.0);
        if (tenth != 0.0) {
            const double there = from_track(s, to_track(s, s.value) + tenth);
            return taken(panel, s, there != s.value ? there : s.value + std::copysign(s.step, tenth), tenth);
        }
    }
    return s.value;
}

void draw_track(const Panel& panel, const Slider& s, const SliderParts& at) {
    const ui::Theme& theme = *panel.look.theme;
    const Rect& track = at.track;
    const auto x = [&](double v) {
        return track.x0 + static_cast<float>(std::clamp(to_track(s, v), 0.0, 1.0)) * track.width();
    };
    const float y = at.middle(), knob = x(s.value), top = y - 0.5F * kTrackHeight,
                bottom = y + 0.5F * kTrackHeight;
    fill({track.x0, top, track.x1, bottom}, theme.track, 2.0F);
    const auto dim = [&](float x0, float x1) {  // a thin line goes on where nothing can be had
        fill({x0, top, x1, bottom}, theme.rail);
        fill({x0, y - 0.5F, x1, y + 0.5F}, theme.track);
    };
    if (s.least && *s.least > s.from) dim(track.x0, x(*s.least));
    if (s.most && *s.most < s.to) dim(x(*s.most), track.x1);
    const float from = s.from < 0.0 && !s.logarithmic ? x(0.0) : track.x0;
    fill({std::min(from, knob), top, std::max(from, knob), bottom}, s.colour, 2.0F);
    if (s.from < 0.0) fill({from - 0.5F, top - 2.0F, from + 0.5F, bottom + 2.0F}, theme.ink_faint);
    draw_list().AddCircleFilled({knob, y}, kKnob + 2.0F, theme.rail);
    draw_list().AddCircleFilled({knob, y}, at.hovered || at.active ? kKnob + 1.0F : kKnob, s.colour);
}

// The text field where there is one, and the sentence about what was typed. Returns the sentence's height.
float type_value(Panel& panel, const Slider& s, const SliderParts& at) {
    const Rect& area = at.area;
    if (at.typing)
        type_in(panel, {area.x1 - kFieldWidth, area.y0 - 3.0F}, kFieldWidth, [&](const Json& typed) {
            auto problem = out_of_view(s, typed);
            return problem ? problem : panel.set(s.key, typed);
        });
    if (at.typed_end)
        type_in(panel, {*at.typed_end == 0 ? area.x0 : area.x1 - kFieldWidth, area.y0 + 18.0F}, kFieldWidth,
                [&](const Json& typed) { return set_end(panel, s, *at.typed_end, typed); });
    if ((!at.typing && !at.typed_end) || !panel.typing.problem) return 0.0F;
    return message(panel.look, {area.x0, area.y0 + 44.0F, area.x1, area.y1},
                   panel.look.strings->sentence_in_window(*panel.typing.problem), panel.look.theme->beyond);
}

}  // namespace

float slider(Panel& panel, Rect area, Slider s) {
    const ui::Look& look = panel.look;
    ImGui::PushID(s.key.data(), s.key.data() + s.key.size());
    const std::string_view words = s.words.empty() ? s.key : s.words;
    const std::string_view name = panel.said(words, "name");
    SliderParts at{.area = area, .track = {}, .typed_end = {}, .typing = panel.typing.key == s.key};
    at.track = {area.x0, at.middle() - 2.0F, area.x1, at.middle() + 2.0F};
    write_slider(panel, s, at, name);
    if (s.ends) write_ends(panel, s, at);
    take_mouse(panel, s, at, name);
    if (!at.typing && s.own == nullptr) context_menu(panel, s);
    tooltip(look, name, panel.said(words, "help"));
    const bool wheel = at.hovered && ImGui::GetIO().MouseWheel != 0.0F;
    if (at.active || wheel || at.by_keys) bound(panel, s);
    const double value = moved(panel, s, at);
    if (value != s.value && s.own != nullptr) *s.own = value;
    else if (value != s.value && panel.typing.key.empty()) (void)panel.set(s.key, value_json(s, value));
    panel.mark(s.key, at.track);
    draw_track(panel, s, at);
    const float height = 44.0F + type_value(panel, s, at);
    ImGui::PopID();
    return height;
}

}  // namespace posiscope::panels
