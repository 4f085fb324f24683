#include "app/panels/context.hpp"
#include "app/panels/controls.hpp"

#include "app/ui/known.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/formats/file.hpp"
#include "core/json_members.hpp"
#include "core/models/rescale.hpp"

#include <cctype>
#include <cmath>
#include <imgui.h>

namespace posiscope::panels {
namespace {

constexpr std::string_view kSearch = "model";  // the key of Typing while a model is searched

std::span<const std::string_view> scaling_names() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> made;
        for (const Scaling* scaling : scalings()) made.push_back(scaling->rope_type);
        return made;
    }();
    return names;
}

bool contains(std::string_view text, std::string_view part) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

void take(Panel& panel, Result<Overlaid> laid, std::vector<Problem> notes = {}) {
    if (!laid) {
        panel.adjusted.push_back(laid.error());
        return;
    }
    panel.next = std::move(laid->scene);
    panel.adjusted = std::move(laid->adjusted);
    panel.adjusted.insert(panel.adjusted.end(), notes.begin(), notes.end());
}

void take_model(Panel& panel, const Result<ModelScene>& model) {
    if (model) take(panel, with_model(panel.scene, *model), model->notes);
    else panel.adjusted.push_back(model.error());
}

void take_file(Panel& panel, const std::string& path) {
    const auto text = read_file(path);
    if (!text) {
        panel.adjusted.push_back(text.error());
        return;
    }
    auto model = read_config_text(*text);
    if (!model) return panel.adjusted.push_back(in_file(model.error(), path));
    name_origin(*model, ui::known_models(), path);
    take_model(panel, model);
}

// ---- the list --------------------------------------------------------------------------------------------------

std::string_view about(const ui::Look& look, const ModelRow& row) {
    ui::Scratch& s = *look.scratch;
    const Scene& scene = row.scene;
    std::string_view line =
        s.format("{} · head_dim {}", ui::encoding_words(*look.strings, row), head_dim(scene));
    if (takes_scalings(scene)) line = s.format("{} · b = {}", line, ui::integer(s, std::llround(scene.base)));
    if (scene.trained.length) line = s.format("{} · {}", line, ui::integer(s, *scene.trained.length));
    return row.unverified ? s.format("{} · {}", line, look.text("list.unverified")) : line;
}

void list(Panel& panel, float width) {
    const ui::Look& look = panel.look;
    Typing& typing = panel.typing;
    if (typing.fresh) ImGui::SetKeyboardFocusHere();
    typing.fresh = false;
    ImGui::SetNextItemWidth(width);
    const bool entered =
        ImGui::InputTextWithHint("##search", look.c(look.text("context.search")), typing.text.data(),
                                 typing.text.size(), ImGuiInputTextFlags_EnterReturnsTrue);
    const std::string_view typed = typing.text.data();
    bool done = false;
    if (ImGui::BeginChild("##models", {width, 420.0F}, ImGuiChildFlags_NavFlattened)) {
        if (typed.ends_with(".json") &&
            (list_entry(look, "file", look.format("context.open", fmt::arg("path", typed)),
                        look.text("context.open_help")) ||
             entered)) {
            take_file(panel, std::string(typed));
            done = true;
        }
        bool first = true;
        if (typed.empty()) {
            ImGui::TextDisabled("%s", look.c(look.text("context.presets")));
            for (const ui::Example& example : ui::known_examples())
                if (example.scene.bench == "context" &&
                    list_entry(look, example.id, ui::words(example.name, look.strings->language()),
                               ui::words(example.help, look.strings->language()))) {
                    panel.next = example.scene;
                    done = true;
                }
            ImGui::TextDisabled("%s", look.c(look.text("context.models")));
        }
        for (const ModelRow& row : ui::known_models()) {
            if (!typed.empty() && !contains(row.name, typed)) continue;
            if (list_entry(look, row.name, row.name, about(look, row)) ||
                (first && entered && !typed.empty() && !done)) {
                take_model(panel, row.model);
                done = true;
            }
            first = false;
        }
        if (first && !typed.ends_with(".json")) ImGui::TextDisabled("%s", look.c(look.text("context.none")));
    }
    ImGui::EndChild();
    // The field has the keyboard, so ImGui's own Escape does not reach the list.
    if (done || ImGui::IsKeyPressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
}

// ---- trained and run -------------------------------------------------------------------------------------------

// "Llama 3 · 8×", from a config's scaling object.
std::string_view scaling_words(const ui::Look& look, const Json* dictionary) {
    ui::Scratch& s = *look.scratch;
    if (dictionary == nullptr || !dictionary->is_object() || dictionary->empty())
        return look.text("option.scaling.default.name");
    if (dictionary->begin()->is_object()) return look.text("context.by_layer");
    const std::string_view method = method_named(*dictionary);
    const std::string_view name =
        look.text(s.format("option.scaling.{}.name", method.empty() ? "default" : method));
    const auto factor = number_at(*dictionary, "factor");
    return factor ? s.format("{} · {}×", name, s.format("{:.4g}", *factor)) : name;
}

// The settings that the weights were trained with: as they are, or a choice from a list.
float trained_settings(Panel& panel, Rect area) {
    const ui::Look& look = panel.look;
    const Json& trained = panel.scene.trained.scene;
    const Json* encoding = object_at(trained, "encoding");
    const Json* dictionary = nullptr;
    if (encoding != nullptr)
        for (const char* key : {"rope_scaling", "rope_parameters"})
            if (const auto found = encoding->find(key); found != encoding->end()) dictionary = &*found;
    const ListField list{.key = "trained",
                         .title = look.text("parameter.trained.scene.name"),
                         .shown =
                             trained.empty() ? look.text("context.as_now") : scaling_words(look, dictionary),
                         .help = look.text("parameter.trained.scene.help"),
                         .dot = look.theme->seen};
    const Rect field = field_below(look, area, list.title);
    const bool open = begin_list(look, field, list);
    if (open) {
        const auto choice = [&](std::string_view key, auto scene) {
            if (!list_entry(look, key, look.text(key), look.text(look.scratch->format("{}_help", key))))
                return;
            const auto& length = panel.scene.trained.length;
            panel.attempt("trained",
                          {{"length", length ? Json(*length) : Json(nullptr)}, {"scene", scene()}});
        };
        choice("context.unscaled", [&] {
            return Json{{"encoding", unscaled_encoding(panel.scene)}, {"base", panel.scene.base}};
        });
        choice("context.as_kept", [&] {
            Json own = panel.scene.encoding.parameters;
            own["kind"] = panel.scene.encoding.kind;
            return Json{{"encoding", std::move(own)}, {"base", panel.scene.base}};
        });
        choice("context.as_now", [] { return Json::object(); });
    }
    end_list(panel, field, list, open);
    return 48.0F;
}

// ---- kinds of layers -------------------------------------------------------------------------------------------

// "sliding_attention", or what else tells a kind from the others.
std::string_view kind_name(const ui::Look& look, const RopeLayers& layers, const RopeLayers::Kind& kind) {
    if (kind.type >= 0) return layers.types[static_cast<std::size_t>(kind.type)];
    return look.text(kind.turns ? "spectrum.layer_rope" : "spectrum.layer_nope");
}

// "29 layers · b = 10 000 · 1024 positions"
std::string_view kind_words(const ui::Look& look, const Method& method, std::size_t k) {
    ui::Scratch& s = *look.scratch;
    const RopeLayers::Kind& kind = method.layers.kinds[k];
    const double base = method.bases[k];
    const std::string_view shown = base < 1e15 && base == std::floor(base)
                                       ? ui::integer(s, std::llround(base))
                                       : ui::significant(s, base, 6);
    std::string_view words = kind.turns ? look.format("context.kind_numbers", fmt::arg("base", shown))
                                        : look.text("context.kind_nope");
    if (kind.count > 0)
        words = s.format("{} · {}", look.format("context.kind_line", fmt::arg("count", kind.count)), words);
    if (kind.window)
        words =
            s.format("{} · {}", words,
                     look.format("context.kind_window", fmt::arg("window", ui::integer(s, *kind.window))));
    return words;
}

// The parameters of the method in use.
void settings(Panel& panel, Rect& area, const Method& method) {
    const std::string_view path = method.path;
    const Json* dictionary = &panel.scene.encoding.parameters;
    std::string_view rest = path.substr(std::string_view("encoding").size());
    while (!rest.empty() && dictionary != nullptr) {
        rest.remove_prefix(1);
        const auto end = std::min(rest.find('.'), rest.size());
        const auto found = dictionary->find(rest.substr(0, end));
        dictionary = found != dictionary->end() && found->is_object() ? &*found : nullptr;
        rest.remove_prefix(end);
    }
    if (dictionary == nullptr) return;
    for (const Scaling* scaling : scalings()) {
        if (scaling->rope_type != method.name) continue;
        for (const Parameter& parameter : scaling->parameters) {
            const auto found = dictionary->find(parameter.key);
            if (found == dictionary->end() || !found->is_number()) continue;
            const double value = found->get<double>();
            const bool whole = parameter.kind == Parameter::Kind::integer;
            const bool length = parameter.key == "original_max_position_embeddings";
            ui::Scratch& s = *panel.look.scratch;
            Slider slide{.key = s.format("{}.{}", path, parameter.key),
                         .symbol = parameter.key == "factor" ? "s" : "",
                         .value = value,
                         .from = std::max(parameter.minimum, parameter.maximum <= 1.0 ? 0.0
                                                             : length                 ? 1.0
                                                                                      : 0.5),
                         .to = std::min(parameter.maximum, length ? 1048576.0 : 64.0),
                         .step = whole                      ? 1.0
                                 : parameter.maximum <= 1.0 ? 0.01
                                                            : 0.1,
                         .logarithmic = length,
                         .colour = panel.look.theme->beyond,
                         .words = s.format("scaling.{}", parameter.key)};
            if (parameter.minimum >= 1.0) slide.from = 1.0;
            area.cut_top(slider(panel, area, slide) + kControlGap);
        }
    }
}

}  // namespace

float model_field(Panel& panel, Rect area, std::string_view title) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const std::string_view name = origin_name(panel.scene);
    const ModelRow* row = model_of(ui::known_models(), panel.scene, name);
    std::string_view shown = row != nullptr ? std::string_view(row->name) : name;
    const bool known = !shown.empty();  // else nothing is selected yet
    if (!known) shown = look.text("context.choose");
    if (row != nullptr) shown.remove_prefix(shown.find('/') + 1);
    const Rect field = field_below(look, area, look.text(title));
    const Pressed pressed = press(panel, field, "model", {.role = "combobox"});
    if (pressed.clicked) {
        panel.typing = {};
        panel.typing.key = kSearch;
        panel.typing.fresh = true;
        ImGui::OpenPopup("models");
    }
    if (pressed.heard != nullptr)
        pressed.heard->name = look.text(title), pressed.heard->value = shown, pressed.heard->gathers = false;
    tooltip(look, {}, look.text("context.model_help"));
    fill(field, pressed.hovered ? theme.pressed : theme.control, ui::kWidgets.corner);
    write_field(look, field, {.shown = shown, .ink = known ? theme.ink : theme.ink_soft});
    ImGui::SetNextWindowPos({field.x0, field.y1 + 4.0F});
    if (ImGui::BeginPopup("models")) {
        list(panel, 420.0F);
        ImGui::EndPopup();
    } else if (panel.typing.key == kSearch && !panel.typing.fresh) {
        panel.typing = {};
    }
    return 54.0F;
}

float layer_kind(Panel& panel, Rect area, const Method& method) {
    if (!method.layers.several()) return 0.0F;
    const ui::Look& look = panel.look;
    const RopeLayers& layers = method.layers;
    const auto here = static_cast<std::size_t>(std::max(0, layers.kind));
    const ListField list{.key = "layer_kind",
                         .title = look.text("context.kind"),
                         .shown = kind_name(look, layers, layers.kinds[here]),
                         .help = look.text("context.kind_help")};
    const Rect field = field_below(look, area, list.title);
    const bool open = begin_list(look, field, list);
    if (open) {
        for (std::size_t k = 0; k < layers.kinds.size(); ++k)
            if (list_entry(look, look.scratch->format("{}", k), kind_name(look, layers, layers.kinds[k]),
                           kind_words(look, method, k), k == here))
                panel.attempt("encoding", with_kind(panel.scene, layers, k));
    }
    end_list(panel, field, list, open);
    label(look, {area.x0, area.y0 + 60.0F}, kind_words(look, method, here), look.theme->ink_soft,
          ui::kSmallSize);
    return 66.0F + kControlGap;
}

Method method_of(const SpectrumInput& scene) {
    if (!takes_scalings(scene)) return {};
    Method made{scaling_method(scene), scaling_path(scene), rope_layers(scene), {}};
    for (std::size_t k = 0; k < made.layers.kinds.size(); ++k) {
        SpectrumInput one = scene;
        one.encoding.parameters = with_kind(scene, made.layers, k);
        one.encoding.parameters.erase("kind");
        const auto settings = rope_settings(one);
        made.bases.push_back(settings ? settings->context.base : scene.base);
    }
    return made;
}

float context(Panel& panel, Rect area, const Method& method) {
    const float top = area.y0;
    const ui::Theme& theme = *panel.look.theme;
    const Scene& scene = panel.scene;
    const bool of_dump = scene.bench == "measured";  // which has these two beside its file
    if (!of_dump) area.cut_top(model_field(panel, area, "context.model") + kControlGap);
    area.cut_top(trained_settings(panel, area) + kControlGap);
    area.cut_top(
        slider(panel, area,
               {.key = "trained.length",
                .symbol = "",
                .value = static_cast<double>(scene.trained.length.value_or(scene.length)),
                .from = 1.0,
                .to = 16777216.0,
                .logarithmic = true,
                .colour = theme.seen,
                .unset = scene.trained.length ? std::string_view() : panel.look.text("context.unset")}) +
        kControlGap);
    area.cut_top(slider(panel, area,
                        {.key = "length",
                         .symbol = "n",
                         .value = static_cast<double>(scene.length),
                         .from = scene_parameter("length").minimum,
                         .to = scene_parameter("length").maximum,
                         .logarithmic = true,
                         .colour = theme.slider}) +
                 kControlGap);
    if (takes_scalings(scene)) {
        if (!of_dump) area.cut_top(layer_kind(panel, area, method));
        area.cut_top(scaling(panel, area, method));
    }
    return area.y0 - top;
}

float scaling(Panel& panel, Rect area, const Method& method) {
    if (!takes_scalings(panel.scene)) return 0.0F;
    const float top = area.y0;
    std::string_view taken;
    area.cut_top(chooser(panel, area, "scaling", method.name, scaling_names(), taken) + kControlGap);
    if (!taken.empty()) panel.attempt("encoding", rescaled_encoding(panel.scene, taken));
    settings(panel, area, method);
    return area.y0 - top;
}

}  // namespace posiscope::panels
