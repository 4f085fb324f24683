// sidebar.cpp — encoding, settings, position, offset, widths, length and base; below them the selected pair in numbers.
#include "app/panels/controls.hpp"
#include "app/panels/panels.hpp"
#include "app/ui/lines.hpp"
#include "core/encodings/as_formulas.hpp"
#include "core/encodings/encodings.hpp"
#include "core/json_members.hpp"
#include "core/positions/positions.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"

#include <imgui.h>
#include <numbers>

namespace posiscope::panels {

float file_row(Panel& panel, Rect area, std::string_view key, std::string_view path) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    ImGui::PushID(key.data(), key.data() + key.size());
    const std::string_view name = look.text(look.scratch->format("parameter.{}.name", key));
    label(look, {area.x0, area.y0 + 15.0F}, name, theme.ink);
    const float left = area.x0 + label_width(look, name) + 14.0F, right = area.x1 - 24.0F;
    std::string_view file = path.substr(path.rfind('/') + 1);
    const bool fits = label_width(look, file) <= right - left;
    if (!fits) ImGui::PushClipRect({left, area.y0}, {right, area.y0 + 24.0F}, true);
    label(look, {fits ? right : left, area.y0 + 15.0F}, file, theme.ink_soft, ui::kTextSize, ui::Face::text,
          fits ? Side::right : Side::left);
    if (!fits) ImGui::PopClipRect();
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    ImGui::InvisibleButton("##file", {right - area.x0, 22.0F});
    tooltip(look, path, look.text(look.scratch->format("parameter.{}.help", key)));
    ImGui::PopID();
    if (cross(panel, {area.x1 - 20.0F, area.y0, area.x1, area.y0 + 22.0F}, key,
              look.text("rail.without_file")))
        panel.attempt(key, nullptr);
    return 24.0F;
}

namespace {

// A track up to about ten times the default, or where there is none ten times the value that a drag begins at; larger values
// can be typed.
Slider track_of(const ui::Look& look, const Parameter& parameter, std::string_view key, double value,
                double begun_at) {
    const bool whole = parameter.kind == Parameter::Kind::integer;
    const double usual = parameter.fallback.is_number() ? parameter.fallback.get<double>() : begun_at;
    Slider track{
        .key = key, .symbol = "", .value = value, .from = parameter.minimum, .colour = look.theme->slider};
    track.to = std::min(parameter.maximum, usual > 0.0 ? 10.0 * usual : 99.0);
    track.step = whole ? 1.0 : std::pow(10.0, std::floor(std::log10(track.to)) - 2.0);
    if (parameter.above_minimum) track.from += track.step;
    track.logarithmic = whole && track.from >= 1.0 && track.to > 1000.0;
    return track;
}

// The sliders and fields for the parameters that a kind declares.
void declared(Panel& panel, Rect& area, std::string_view owner, const Choice& choice,
              std::span<const Parameter> parameters, bool asked = false) {
    const ui::Look& look = panel.look;
    const Choice& before = owner == "content" ? panel.settled.content : panel.settled.encoding;
    for (const Parameter& parameter : parameters) {
        const std::string_view key = look.scratch->format("{}.{}", owner, parameter.key);
        const auto found = choice.parameters.find(parameter.key);
        if (found == choice.parameters.end() || key == "content.head" ||  // with the other heads
            (parameter.shown_when_set && !asked && *found == parameter.fallback) ||
            (owner == "encoding" &&
             (unused(panel.scene, parameter) || parameter.key == "layer_type" ||
              (parameter.key == "layer" && choice.parameters.contains("layer_types")))))
            continue;  // a kind of layer has its menu
        switch (parameter.kind) {
            case Parameter::Kind::choice:
                area.cut_top(
                    selector(panel, area, key, found->get_ref<const std::string&>(), parameter.choices) +
                    kControlGap);
                break;
            case Parameter::Kind::boolean:
                area.cut_top(toggle(panel, area, key, found->get<bool>()) + kControlGap);
                break;
            case Parameter::Kind::integer:
            case Parameter::Kind::number: {
                const auto value = found->get<double>();
                const auto begun = before.parameters.find(parameter.key);
                const double begun_at =
                    begun != before.parameters.end() && begun->is_number() ? begun->get<double>() : value;
                area.cut_top(slider(panel, area, track_of(look, parameter, key, value, begun_at)) +
                             kControlGap);
                break;
            }
            case Parameter::Kind::text:
                area.cut_top(file_row(panel, area, key, found->get_ref<const std::string&>()) + kControlGap);
                break;
            default: break;  // objects and lists come from files and have no slider
        }
    }
}

Slider pair_slider(const ui::Theme& theme, std::int64_t pair, std::int64_t pairs) {
    const double last = static_cast<double>(pairs - 1), i = std::min(static_cast<double>(pair), last);
    return {.key = "pair",
            .symbol = "i",
            .value = i,
            .from = 0.0,
            .to = last,
            .colour = ui::pair_colour(theme, i / last)};
}

void pair_numbers(Panel& panel, Rect area, const Spectrum& spectrum) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    ui::Scratch& s = *look.scratch;
    const Scene& scene = panel.scene;
    const auto i = std::min(static_cast<std::size_t>(scene.pair), spectrum.pairs() - 1);
    const auto pairs = static_cast<std::int64_t>(spectrum.pairs());
    const double omega = spectrum.frequency[i];
    const double angle = omega * static_cast<double>(scene.position);

    if (pairs > 1) area.cut_top(slider(panel, area, pair_slider(theme, scene.pair, pairs)) + 2.0F);
    const PairLayout layout = encoding_of(scene).layout(scene);
    const auto row = [&](std::string_view name, std::string_view value, std::string_view unit) {
        return number_row(look, area, name, value, unit);
    };
    row(look.text("rail.dimensions"),
        s.format("{}, {}", dimension(layout, pairs, {static_cast<std::int64_t>(i), 0}),
                 dimension(layout, pairs, {static_cast<std::int64_t>(i), 1})),
        "");
    const Rect frequency =
        row(look.text("rail.frequency"), ui::significant(s, omega, 6), look.text("unit.rad_per_position"));
    row(look.text("rail.wavelength"), ui::significant(s, 2.0 * std::numbers::pi / omega, 4),
        look.text("unit.positions"));
    row(look.text("rail.angle"), ui::significant(s, angle, 4), look.text("unit.rad"));
    row("", ui::significant(s, angle / (2.0 * std::numbers::pi), 5), look.text("unit.turns"));
    const double needed = std::ceil(2.0 * std::numbers::pi / omega);
    row(look.text("rail.first_turn"),
        needed < 9e15 ? ui::integer(s, static_cast<std::int64_t>(needed)) : ui::significant(s, needed, 4),
        "");

    ImGui::SetCursorScreenPos({frequency.x0, frequency.y0});
    ImGui::InvisibleButton("##pair_numbers", {frequency.width(), 21.0F * 4.0F});
    tooltip(look, look.text("rail.frequency"), look.text("rail.frequency_help"));
}

// The slider of a key; nothing for keys that have another control, or none in this Scene.
// Follows Shift, whose own it is.
double second_shift(const Scene& scene) {
    const Json* shift = object_at(scene.view, "shift");
    return (shift != nullptr ? number_at(*shift, "second") : std::nullopt).value_or(5.0);
}

std::optional<Slider> slider_of(const Panel& panel, const ControlsView& view, std::string_view key) {
    const Scene& scene = panel.scene;
    const ui::Theme& theme = *panel.look.theme;
    const Encoding& encoding = encoding_of(scene);
    const auto d = [](std::int64_t v) { return static_cast<double>(v); };
    const auto track = [&](std::string_view symbol, double value, double from, double to, ui::Colour colour) {
        return Slider{.key = key, .symbol = symbol, .value = value, .from = from, .to = to, .colour = colour};
    };
    const auto logarithmic = [](Slider made) {
        made.logarithmic = true;
        return made;
    };
    if (key == "position")
        return track("p", d(scene.position), 0.0, d(std::max(scene.length - 1, std::int64_t{1})), theme.ink);
    if (key == "offset") {
        const double reach = d(std::clamp<std::int64_t>(scene.length / 2, 8, 1 << 20));
        Slider made = track("k", d(scene.offset), -reach, reach, theme.offset);
        made.least = std::clamp(-d(scene.position), -reach, reach);
        made.most = std::min(d(kLastPosition - scene.position), reach);
        made.with_sign = true;
        return made;
    }
    if (key == "view.shift.second") {  // a handle in Shift, which keys do not reach
        Slider made = track("k′", second_shift(scene), -16.0, 16.0, theme.slider);
        made.with_sign = true;
        made.words = "second_shift";
        return made;
    }
    if (key == "d_model") {
        const double unit = encoding.per_head && !scene.head_dim
                                ? d(encoding.rotating.width_multiple * scene.num_heads)
                                : 2.0;
        Slider made = track("d", d(scene.d_model), unit,
                            std::floor(scene_parameter(key).maximum / unit) * unit, theme.slider);
        made.step = unit;
        return logarithmic(made);
    }
    if (key == "num_heads" && encoding.per_head)
        return logarithmic(track("h", d(scene.num_heads), 1.0,
                                 std::max(2.0, std::min(128.0, d(scene.d_model / 2))), theme.slider));
    // One head for all figures; it is kept where Attention's own buttons keep it.
    if (key == "view.attention.head" && scene.num_heads > 1) {
        const Json* attention = object_at(scene.view, "attention");
        const bool stored = is_stored(scene.content);  // it is theirs, and B may have another
        const double chosen =
            stored ? d(stored_head(scene.content))
                   : (attention != nullptr ? number_at(*attention, "head") : std::nullopt).value_or(0.0);
        const double last = d(scene.num_heads - 1);
        Slider made = track("", std::clamp(chosen, 0.0, last), 0.0, last, theme.slider);
        if (stored) made.key = "content.head";
        made.words = "head";
        return made;
    }
    if (key == "length" || key == "trained.length") {
        const bool trained = key == "trained.length";
        const Parameter& length = scene_parameter("length");
        return logarithmic(track(trained ? "" : "n",
                                 d(trained ? scene.trained.length.value_or(scene.length) : scene.length),
                                 length.minimum, length.maximum, trained ? theme.seen : theme.slider));
    }
    if (key == "base" && (view.spectrum != nullptr || encoding.rotating.base_without_pairs))
        return logarithmic(track("b", scene.base, 2.0, 1e9, theme.slider));
    if (key == "pair" && view.spectrum != nullptr && view.spectrum->pairs() > 1)
        return pair_slider(theme, scene.pair, static_cast<std::int64_t>(view.spectrum->pairs()));
    return std::nullopt;
}

bool with_context(const Scene& scene) {
    return scene.bench == "context" || scene.trained.length || !scene.trained.scene.empty();
}

// One slope is no picture of ALiBi, whose heads differ in nothing else: people who choose it see eight. 2-D RoPE is about an
// image: they see one. A scene or --set has what it says.
void take_encoding(Panel& panel, std::string_view kind) {
    constexpr std::int64_t kColumns = 8;
    const std::int64_t heads = find_encoding(kind)->shown.heads_when_chosen;
    if (find_encoding(kind)->slots.typed != nullptr) {  // begins with what there is
        auto made = as_formulas(panel.scene);
        if (!made) {
            panel.adjusted.push_back(made.error());
            panel.adjusted.push_back({"own.begins_with_rope", {}});
        }
        Json typed = made ? std::move(*made) : Json{{"frequency", "b^(-2i/d)"}};
        typed["kind"] = kind;
        return panel.attempt("encoding", typed);
    }
    const auto& settings = find_encoding(kind)->parameters;
    if (std::ranges::find(settings, "grid_width", &Parameter::key) != settings.end())
        panel.attempt("encoding", Json{{"kind", kind}, {"grid_width", kColumns}});
    else panel.attempt("encoding", std::string(kind));
    if (heads > 1 && panel.scene.num_heads == 1 && panel.scene.d_model % (2 * heads) == 0)
        panel.attempt("num_heads", heads);
}

// The kind; the three that a lecture changes between have a button each.
float encoding_choice(Panel& panel, Rect area) {
    static constexpr std::array<std::string_view, 3> first = {"sinusoidal", "rope", "alibi"};
    std::string_view taken;
    const float height = chooser(
        panel, area, "encoding", panel.scene.encoding.kind, encoding_kinds(), taken,
        [](std::string_view kind) { return family_name(find_encoding(kind)->family); }, first);
    if (!taken.empty()) take_encoding(panel, taken);
    return height + kControlGap;
}

// Its own settings, or the formulas of a typed one.
float encoding_settings(Panel& panel, const ControlsView& view, Rect area) {
    const Scene& scene = panel.scene;
    const Encoding& encoding = encoding_of(scene);
    const float top = area.y0;
    if (encoding.slots.typed == nullptr && panel.typing.key.starts_with("own.")) panel.typing = {};  // undone
    if (encoding.slots.typed == nullptr) {
        declared(panel, area, "encoding", scene.encoding, encoding.parameters);
        return area.y0 - top;
    }
    if (const auto from = scene.encoding.parameters.find("from"); from != scene.encoding.parameters.end()) {
        label(panel.look, {area.x1, top + 12.0F},
              panel.look.format("formula.from", fmt::arg("kind", panel.look.text(panel.look.scratch->format(
                                                                     "option.encoding.{}.name",
                                                                     from->get_ref<const std::string&>())))),
              panel.look.theme->ink_soft, ui::kSmallSize, ui::Face::text, Side::right);
        area.cut_top(18.0F);
    }
    area.cut_top(formulas(panel, view, area));
    return area.y0 - top;
}

void sidebar(Panel& panel, SidebarView& view, Rect area) {
    if (view.guide != nullptr) return guide(panel, *view.guide, view.controls, area);
    const Rect inner{area.x0 + 20.0F, area.y0 + 16.0F, area.x1 - 20.0F, area.y1};
    if (panel.scene.bench == "experiment") return experiment_controls(panel, view.experiment, inner);
    all_controls(panel, view.controls, inner);
}

}  // namespace

float control(Panel& panel, const ControlsView& view, Rect area, std::string_view key) {
    const Scene& scene = panel.scene;
    const Encoding& encoding = encoding_of(scene);
    const float top = area.y0;
    if (key == "encoding") {
        area.cut_top(encoding_choice(panel, area));
        area.cut_top(encoding_settings(panel, view, area));
    } else if (key.starts_with("encoding.values.") && encoding.slots.typed != nullptr) {
        area.cut_top(formula_number(panel, area, key));
    } else if (key == "layout" && encoding.acts == Acts::query_key) {
        const std::span layouts(scene_parameter(key).choices);
        area.cut_top(
            selector(panel, area, "layout", layouts[static_cast<std::size_t>(scene.layout)], layouts) +
            kControlGap);
    } else if (key == "scaling") {
        area.cut_top(scaling(panel, area, view.method));
    } else if (key == "causal") {
        area.cut_top(toggle(panel, area, "causal", scene.causal) + kControlGap);
    } else if (key == "view.ids") {
        const Choice ids = *ids_in(scene.view);
        std::string_view taken;
        area.cut_top(chooser(panel, area, key, ids.kind, policy_kinds(), taken) + kControlGap);
        declared(panel, area, key, ids, policy_parameters(ids.kind));
        if (!taken.empty()) panel.attempt(key, Json{{"kind", std::string(taken)}});
    } else if (key.starts_with("view.ids.")) {  // one of a row's settings
        const Choice ids = *ids_in(scene.view);
        for (const Parameter& parameter : policy_parameters(ids.kind))
            if (parameter.key == key.substr(9))
                declared(panel, area, "view.ids", ids, std::span(&parameter, 1), true);
    } else if (key == "content") {
        area.cut_top(selector(panel, area, "content", scene.content.kind, content_kinds()) + kControlGap);
        declared(panel, area, "content", scene.content, content_parameters(scene.content.kind));
    } else if (key.starts_with("content.")) {  // one of its parameters, shown even where it is as usual
        for (const Parameter& parameter : content_parameters(scene.content.kind))
            if (parameter.key == key.substr(8))
                declared(panel, area, "content", scene.content, std::span(&parameter, 1), true);
    } else if (const auto made = slider_of(panel, view, key)) {
        area.cut_top(slider(panel, area, *made) + kControlGap);
    }
    return area.y0 - top;
}

void all_controls(Panel& panel, const ControlsView& view, Rect area) {
    const Scene& scene = panel.scene;
    const ui::Look& look = panel.look;
    const auto add = [&](std::string_view key) { area.cut_top(control(panel, view, area, key)); };

    if (view.dump != nullptr) {
        area.cut_top(dump(panel, *view.dump, view.method, area));
        rule(look, area);
    }
    if (with_context(scene)) {
        area.cut_top(context(panel, area, view.method) + 4.0F);
        rule(look, area);
    }
    area.cut_top(encoding_choice(panel, area) + 4.0F);
    for (const std::string& note : view.notes) {
        const float height = message(look, area, note, look.theme->track, true);
        panel.mark("note", area.cut_top(height));
    }
    if (scene.bench == "positions") add("view.ids");
    if (view.position_moves) add("position");
    if (view.offset_moves) add("offset");
    add("d_model");
    if (!with_context(scene)) add("length");
    add("base");
    add("num_heads");
    area.cut_top(encoding_settings(panel, view, area));
    add("layout");
    // It comes and goes with the number of heads: nothing that somebody types in moves below it.
    if (encoding_of(scene).per_head) add("view.attention.head");
    if (encoding_of(scene).acts != Acts::input) add("content");

    if (view.spectrum == nullptr || !on_unit_circles(scene) || view.dump != nullptr) return;
    area.cut_top(4.0F);
    rule(look, area);
    pair_numbers(panel, area, *view.spectrum);
}

extern const PanelEntry kSidebar{.id = "sidebar",
                                 .edge = Edge::left,
                                 .size = 280.0F,
                                 .scrolls = true,
                                 .draw = with_view<SidebarView, sidebar>};

}  // namespace posiscope::panels
