#include "app/panels/panel.hpp"

#include "app/ui/accessible_item.hpp"
#include "app/ui/lines.hpp"
#include "app/ui/parts/imgui_internals.hpp"
#include "app/ui/text.hpp"
#include "core/encodings/encodings.hpp"
#include "core/scene/nearest.hpp"
#include "core/scene/settings.hpp"

#include <imgui.h>

namespace posiscope::panels {
namespace {

constexpr float kTrackHeight = 3.5F, kKnob = 6.5F, kFieldWidth = 118.0F;

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

}  // namespace

Result<Overlaid> Panel::with(std::string_view key, const Json& value) const {
    const Scene& from = next ? *next : held ? settled : scene;
    return overlay(from, partial_from_value(from, key, value));
}

std::optional<Problem> Panel::set(std::string_view key, const Json& value) {
    auto laid = with(key, value);
    if (!laid) return laid.error();
    next = std::move(laid->scene);
    adjusted.insert(adjusted.end(), laid->adjusted.begin(), laid->adjusted.end());
    return std::nullopt;
}

bool by_finger() { return ImGui::GetIO().MouseSource == ImGuiMouseSource_TouchScreen; }

MenuRows::MenuRows() {
    const ImVec2 own = ImGui::GetStyle().ItemSpacing;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, by_finger() ? ImVec2{own.x, 16.0F} : own);
}
MenuRows::~MenuRows() { ImGui::PopStyleVar(); }

void label(const ui::Look& look, Point at, std::string_view text, ui::Colour colour, float size,
           ui::Face face, Side side) {
    ImFont* const font = look.fonts[static_cast<std::size_t>(face)];
    ui::announce_text(at, text);
    if (side != Side::left) at.x -= label_width(look, text, size, face) * (side == Side::right ? 1.0F : 0.5F);
    ui::draw_text(*ImGui::GetWindowDrawList(), *font, {at, size, colour, look.pixels_per_point}, text);
}

float label_width(const ui::Look& look, std::string_view text, float size, ui::Face face) {
    return ui::text_width(*look.fonts[static_cast<std::size_t>(face)], size, text);
}

void ring_if_focused(const ui::Look& look) {
    if (!ui::has_keyboard()) return;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddRect(low, high, look.theme->cosine, 5.0F, 0, 1.5F);
}

void tooltip(const ui::Look& look, std::string_view title, std::string_view text) {
    ui::announce_tip(title.empty() ? text : title);
    // It would cover what is being dragged, and what was, as long as the mouse stays there.
    const ImGuiIO& io = ImGui::GetIO();
    const double released = ImGui::GetTime() - io.MouseReleasedTime[ImGuiMouseButton_Left];
    if (io.MouseDown[ImGuiMouseButton_Left] || released < static_cast<double>(ui::hovered_for())) return;
    // Only for the mouse: under the keyboard's control it would cover what a lesson answers.
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip | ImGuiHoveredFlags_DelayNormal |
                              ImGuiHoveredFlags_NoNavOverride))
        return;
    if (!ImGui::BeginTooltip()) return;
    if (!title.empty()) {
        ImGui::PushFont(look.fonts[1], 0.0F);
        ImGui::TextUnformatted(title.data(), title.data() + title.size());
        ImGui::PopFont();
    }
    prose(look, text, 320.0F, look.theme->ink);
    ImGui::EndTooltip();
}

void line_of_text(const ui::Look& look, Point at, std::string_view line, ui::Colour colour, float size,
                  ui::Numbers numbers) {
    while (!line.empty()) {
        const ui::IndexedRun run = ui::next_run(line, numbers);
        const ui::Face face = run.face(ui::Face::text);
        label(look, at, run.text, colour, size, face);
        at.x += label_width(look, run.text, size, face);
        if (run.index.empty()) continue;
        label(look, {at.x, at.y + run.drop() * size}, run.index, colour, ui::kIndexSize * size);
        at.x += label_width(look, run.index, ui::kIndexSize * size);
    }
}

void prose(const ui::Look& look, std::string_view text, float width, ui::Colour colour, float size,
           ui::Numbers numbers) {
    const float line_height = 1.3F * size;  // 1.5 of the square of a Chinese character
    const LabelMeasure measure(look);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    float y = 0.0F, widest = 0.0F;
    for (std::string_view rest = text; !rest.empty(); y += line_height) {
        const std::string_view line =
            rest.substr(0, ui::line_end(measure, rest, ui::Face::text, size, width, numbers));
        rest.remove_prefix(line.size());
        widest = std::max(widest, ui::line_width(measure, line, ui::Face::text, size, numbers));
        line_of_text(look, {corner.x, corner.y + y + size}, line, colour, size, numbers);
    }
    ImGui::Dummy({std::min(widest, width), y});
}

namespace {

// The name or the help of a setting.
std::string_view said_of(const Panel& panel, std::string_view key, std::string_view part) {
    const std::string_view kind = key.starts_with("encoding.")  ? panel.scene.encoding.kind
                                  : key.starts_with("content.") ? panel.scene.content.kind
                                                                : std::string_view();
    return panel.look.strings->parameter(key, kind, part);
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
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Rect& track = at.track;
    const auto x = [&](double v) {
        return track.x0 + static_cast<float>(std::clamp(to_track(s, v), 0.0, 1.0)) * track.width();
    };
    const float y = at.middle(), knob = x(s.value), top = y - 0.5F * kTrackHeight,
                bottom = y + 0.5F * kTrackHeight;
    list.AddRectFilled({track.x0, top}, {track.x1, bottom}, theme.track, 2.0F);
    const auto dim = [&](float x0, float x1) {  // a thin line goes on where nothing can be had
        list.AddRectFilled({x0, top}, {x1, bottom}, theme.rail);
        list.AddRectFilled({x0, y - 0.5F}, {x1, y + 0.5F}, theme.track);
    };
    if (s.least && *s.least > s.from) dim(track.x0, x(*s.least));
    if (s.most && *s.most < s.to) dim(x(*s.most), track.x1);
    const float from = s.from < 0.0 && !s.logarithmic ? x(0.0) : track.x0;
    list.AddRectFilled({std::min(from, knob), top}, {std::max(from, knob), bottom}, s.colour, 2.0F);
    if (s.from < 0.0)
        list.AddRectFilled({from - 0.5F, top - 2.0F}, {from + 0.5F, bottom + 2.0F}, theme.ink_faint);
    list.AddCircleFilled({knob, y}, kKnob + 2.0F, theme.rail);
    list.AddCircleFilled({knob, y}, at.hovered || at.active ? kKnob + 1.0F : kKnob, s.colour);
    if (at.by_keys) list.AddCircle({knob, y}, kKnob + 3.0F, theme.cosine, 0, 1.5F);
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
    const std::string_view name = said_of(panel, words, "name");
    SliderParts at{.area = area, .track = {}, .typed_end = {}, .typing = panel.typing.key == s.key};
    at.track = {area.x0, at.middle() - 2.0F, area.x1, at.middle() + 2.0F};
    write_slider(panel, s, at, name);
    if (s.ends) write_ends(panel, s, at);
    take_mouse(panel, s, at, name);
    if (!at.typing && s.own == nullptr) context_menu(panel, s);
    tooltip(look, name, said_of(panel, words, "help"));
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

float selector(Panel& panel, Rect area, std::string_view key, std::string_view chosen,
               std::span<const std::string_view> options,
               std::string_view (*group)(std::string_view option)) {
    std::string_view taken;
    const float height = chooser(panel, area, key, chosen, options, taken, group);
    if (!taken.empty()) panel.attempt(key, std::string(taken));
    return height;
}

namespace {

// The buttons of some options side by side; returns the room beside them, `list_width` or more, for the list of all.
Rect buttons(Panel& panel, Rect row, std::string_view key, std::string_view chosen,
             std::span<const std::string_view> options, float list_width, std::string_view& taken) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({row.x0, row.y0}, {row.x1, row.y1}, theme.control, 5.0F);
    const auto name = [&](std::string_view option) {
        return look.text(look.scratch->format("option.{}.{}.short", key, option));
    };
    float words = 0.0F;
    for (const std::string_view option : options) words += label_width(look, name(option), 14.5F);
    const float pad =
        std::clamp((row.width() - list_width - words) / static_cast<float>(2 * options.size()), 3.0F, 12.0F);
    for (const std::string_view option : options) {
        Rect one = row.cut_left(label_width(look, name(option), 14.5F) + 2.0F * pad);
        ImGui::SetCursorScreenPos({one.x0, one.y0});
        ImGui::PushID(option.data(), option.data() + option.size());
        if (ImGui::InvisibleButton("##button", {std::max(1.0F, one.width()), one.height()},
                                   ImGuiButtonFlags_EnableNav) &&
            option != chosen)
            taken = option;
        if (ui::AccessibleItem* heard = ui::announce_last("radio", name(option)))
            heard->on = option == chosen;
        if (option == chosen) {
            const Rect on = one.grown(-2.0F);
            list.AddRectFilled({on.x0, on.y0}, {on.x1, on.y1}, theme.pressed, 4.0F);
        }
        if (ui::has_keyboard()) list.AddRect({one.x0, one.y0}, {one.x1, one.y1}, theme.cosine, 5.0F);
        label(look, {one.centre().x, one.centre().y + 5.0F}, name(option),
              option == chosen || ImGui::IsItemHovered() ? theme.ink : theme.ink_soft, 14.5F, ui::Face::text,
              Side::centre);
        tooltip(look, look.text(look.scratch->format("option.{}.{}.name", key, option)),
                look.text(look.scratch->format("option.{}.{}.help", key, option)));
        panel.mark(look.scratch->format("{}:{}", key, option), one);
        ImGui::PopID();
    }
    return row;
}

// The open list: names, each with a line about it.
void list_options(Panel& panel, float width, std::string_view key, std::string_view chosen,
                  std::span<const std::string_view> options, std::string_view& taken,
                  std::string_view (*group)(std::string_view option)) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const auto option_text = [&](std::string_view option, std::string_view part) {
        return look.text(look.scratch->format("option.{}.{}.{}", key, option, part));
    };
    std::string_view last_group;
    for (const std::string_view option : options) {
        if (const std::string_view name = group != nullptr ? group(option) : std::string_view();
            name != last_group) {
            if (!last_group.empty()) ImGui::Separator();
            ImGui::TextDisabled("%s",
                                look.c(look.text(look.scratch->format("option.{}.group.{}", key, name))));
            last_group = name;
        }
        ImGui::PushID(option.data(), option.data() + option.size());
        if (ImGui::Selectable("##option", option == chosen, 0, {std::max(width - 20.0F, 320.0F), 40.0F}) &&
            option != chosen)
            taken = option;
        const ImVec2 corner = ImGui::GetItemRectMin();
        label(look, {corner.x + 4.0F, corner.y + 16.0F}, option_text(option, "name"), theme.ink);
        line_of_text(look, {corner.x + 4.0F, corner.y + 34.0F}, option_text(option, "help"), theme.ink_soft,
                     ui::kSmallSize);
        ImGui::PopID();
    }
}

}  // namespace

float chooser(Panel& panel, Rect area, std::string_view key, std::string_view chosen,
              std::span<const std::string_view> options, std::string_view& taken,
              std::string_view (*group)(std::string_view option), std::span<const std::string_view> first) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    ImGui::PushID(key.data(), key.data() + key.size());
    const std::string_view title = said_of(panel, key, "name");
    label(look, {area.x0, area.y0 + 12.0F}, title, theme.ink_soft, ui::kSmallSize);
    const Rect whole{area.x0, area.y0 + 18.0F, area.x1, area.y0 + 44.0F};
    const bool named = std::ranges::find(first, chosen) == first.end();  // by the field
    const std::string_view brief = look.scratch->format("option.{}.{}.short", key, chosen);
    const std::string_view name = look.text(!first.empty() && look.strings->contains(brief)
                                                ? brief
                                                : look.scratch->format("option.{}.{}.name", key, chosen));
    constexpr float kLeastList = 66.0F, kArrow = 30.0F;  // with the space before the name
    const float list = named ? std::max(kLeastList, label_width(look, name, 14.5F) + kArrow) : kLeastList;
    const Rect field = first.empty() ? whole : buttons(panel, whole, key, chosen, first, list, taken);
    if (!first.empty() && named)
        ImGui::GetWindowDrawList()->AddRectFilled({field.x0 + 2.0F, field.y0 + 2.0F},
                                                  {field.x1 - 2.0F, field.y1 - 2.0F}, theme.pressed, 4.0F);
    ImGui::SetCursorScreenPos({field.x0, field.y0});
    ImGui::SetNextItemWidth(field.width());
    const ui::Colour ground = first.empty() ? theme.control : ui::faded(theme.control, 0.0F);
    ImGui::PushStyleColor(ImGuiCol_FrameBg, ground);
    ImGui::PushStyleColor(ImGuiCol_Button, ground);
    if (ImGui::BeginCombo("##list", "", ImGuiComboFlags_HeightLargest | ImGuiComboFlags_NoArrowButton)) {
        list_options(panel, area.width(), key, chosen, options, taken, group);
        ImGui::EndCombo();
    }
    ImGui::PopStyleColor(2);
    if (ui::AccessibleItem* heard = ui::announce_last("combobox", title)) heard->value = name;
    panel.mark(key, whole);
    if (!first.empty()) panel.mark(look.scratch->format("{}:more", key), field);
    ImGui::PushClipRect({field.x0, field.y0}, {area.x1 - 20.0F, field.y1}, true);
    label(look, {field.x0 + ImGui::GetStyle().FramePadding.x, area.y0 + 36.0F},
          named ? name : look.text("rail.more"), named ? theme.ink : theme.ink_soft,
          first.empty() ? ui::kTextSize : 14.5F);
    ImGui::PopClipRect();
    label(look, {area.x1 - 18.0F, area.y0 + 36.0F}, "▾", theme.ink_soft);
    tooltip(look, named && !first.empty() ? name : std::string_view(), said_of(panel, key, "help"));
    ImGui::PopID();
    return 54.0F;
}

float toggle(Panel& panel, Rect area, std::string_view key, bool on) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    ImGui::PushID(key.data(), key.data() + key.size());
    const std::string_view title = said_of(panel, key, "name");
    label(look, {area.x0, area.y0 + 15.0F}, title, theme.ink);
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    if (ImGui::InvisibleButton("##toggle", {area.width(), 22.0F}, ImGuiButtonFlags_EnableNav))
        panel.attempt(key, !on);
    if (ui::AccessibleItem* heard = ui::announce_last("switch", title)) heard->on = on;
    const Rect pill{area.x1 - 36.0F, area.y0 + 2.0F, area.x1, area.y0 + 20.0F};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({pill.x0, pill.y0}, {pill.x1, pill.y1}, on ? theme.seen : theme.track, 9.0F);
    list.AddCircleFilled({on ? pill.x1 - 9.0F : pill.x0 + 9.0F, pill.centre().y}, 7.0F,
                         on ? theme.rail : theme.slider);
    if (ui::has_keyboard())
        list.AddRect({pill.x0 - 2.0F, pill.y0 - 2.0F}, {pill.x1 + 2.0F, pill.y1 + 2.0F}, theme.cosine, 10.0F);
    panel.mark(key, pill);
    tooltip(look, {}, said_of(panel, key, "help"));
    ImGui::PopID();
    return 28.0F;
}

float message(const ui::Look& look, Rect area, std::string_view text, ui::Colour mark) {
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({area.x0 + 10.0F, area.y0});
    prose(look, text, area.width() - 10.0F, look.theme->ink, ui::kSmallSize);
    const float height = ImGui::GetItemRectSize().y;
    ImGui::SetCursorScreenPos(cursor);
    ImGui::GetWindowDrawList()->AddRectFilled({area.x0, area.y0 + 2.0F},
                                              {area.x0 + 3.0F, area.y0 + height + 2.0F}, mark, 1.5F);
    return height + 10.0F;
}

}  // namespace posiscope::panels
