// formulas.cpp — a typed encoding: a line for each slot that is typed, the others behind one quiet line, a slider for each
// name that is nobody else's. A formula is drawn while it is typed as long as it is one, and taken when it is whole: by Enter, or by
// leaving its field. Else the formula before it stays.
#include "app/panels/controls.hpp"
#include "app/ui/parts/imgui_internals.hpp"
#include "core/encodings/own.hpp"
#include "core/formats/table.hpp"

#include <imgui.h>

namespace posiscope::panels {
namespace {

constexpr float kField = 26.0F, kInside = 8.0F, kFormulaLine = 19.0F;
constexpr std::size_t kMostLines = 8, kMostCompletions = 5;

bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool blank(std::string_view text) { return text.find_first_not_of(' ') == std::string_view::npos; }

std::string_view without_blanks(std::string_view text) {
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string_view typed_text(const Scene& scene, std::string_view slot) {
    const auto found = scene.encoding.parameters.find(slot);
    return found == scene.encoding.parameters.end() ? std::string_view()
                                                    : std::string_view(found->get_ref<const std::string&>());
}

void begin_formula(Panel& panel, const OwnSlot& slot) {
    Formulas& kept = *panel.formulas;
    panel.typing = {};
    panel.typing.key = fmt::format("own.{}", slot.key);
    panel.typing.fresh = true;
    kept.before = typed_text(panel.scene, slot.key);
    const std::string text = kept.slot == slot.key ? kept.draft : kept.before;
    kept.text.fill(0);
    kept.cursor = text.copy(panel.formulas->text.data(), panel.formulas->text.size() - 1);
    kept.insisted = false;
    kept.completion.clear();
    if (kept.slot == slot.key) panel.typing.problem = std::exchange(kept.problem, std::nullopt);
    kept.slot.clear();
}

void end_formula(Panel& panel) { panel.typing = {}; }

// The sentence about a slot, with the slot as the sidebar calls it.
std::string_view refusal(const ui::Look& look, std::string_view slot, Problem problem) {
    for (auto& [name, value] : problem.values)
        if (name == "path" && value == fmt::format("encoding.{}", slot))
            value = look.text(look.scratch->format("parameter.encoding.{}.name", slot));
    return look.scratch->format("{}", look.strings->sentence_in_window(problem));
}

// The character that a Problem names, from 1; 0 where it names none.
std::size_t column_of(const Problem& problem) {
    for (const auto& [name, value] : problem.values)
        if (name == "column") return static_cast<std::size_t>(std::strtoul(value.c_str(), nullptr, 10));
    return 0;
}

// The place of that character in a text, in bytes, and the end of its word.
std::pair<std::size_t, std::size_t> place_of_column(std::string_view text, std::size_t column) {
    std::size_t at = 0;
    const auto next = [&](std::size_t from) {
        do ++from;
        while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80U);
        return from;
    };
    for (std::size_t n = 1; n < column && at < text.size(); ++n) at = next(at);
    std::size_t end = at;
    while (end < text.size() && in_name(text[end])) ++end;
    return {at, end > at ? end : at < text.size() ? next(at) : at};
}

void underline(const ui::Look& look, float x, float end, float y) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    end = std::max(end, x + 8.0F);
    for (bool up = true; x < end; x += 2.5F, up = !up) list.PathLineTo({x, y + (up ? 0.0F : 2.0F)});
    list.PathStroke(look.theme->beyond, 0, 1.3F);
}

// ---- names -----------------------------------------------------------------------------------------------------

void refresh(Panel& panel) {
    Formulas& kept = *panel.formulas;
    if (kept.of == panel.scene.encoding) return;
    kept.of = panel.scene.encoding;
    // A draft was typed over a formula, and goes with it.
    if (!kept.slot.empty() && typed_text(panel.scene, kept.slot) != kept.before) kept.slot.clear();
    kept.names.clear();
    if (const auto formulas = own_formulas(panel.scene))
        for (const OwnFormulas::Parameter& one : formulas->parameters)
            if (!one.list) kept.names.emplace_back(one.name, one.value);
}

// The ends of a name's track, where somebody typed them.
std::optional<std::array<double, 2>> range_of(const Scene& scene, const std::string& name) {
    const auto ranges = scene.encoding.parameters.find("ranges");
    if (ranges == scene.encoding.parameters.end()) return std::nullopt;
    const auto found = ranges->find(name);
    if (found == ranges->end()) return std::nullopt;
    return std::array{found->at(0).get<double>(), found->at(1).get<double>()};
}

// A track between these, or from 0 to about twice the value that a drag began with, so that it stays while it is dragged; where
// that is of the size of 1, to 1.
Slider slider_of_name(const Panel& panel, const std::string& name, double value) {
    double began = value;
    const Json& parameters = panel.settled.encoding.parameters;
    if (const auto values = parameters.find("values"); values != parameters.end())
        if (const auto found = values->find(name); found != values->end() && found->is_number())
            began = found->get<double>();
    constexpr double kTiny = 1e-9, kSmall = 0.05, kHuge = 1e300;
    const bool small = std::abs(began) >= kTiny && std::abs(began) < kSmall;
    const double size = std::clamp(2.0 * std::abs(began), small ? kTiny : 1.0, kHuge),
                 ten = std::pow(10.0, std::floor(std::log10(size)));
    const double reach = size <= ten         ? ten
                         : size <= 2.0 * ten ? 2.0 * ten
                         : size <= 5.0 * ten ? 5.0 * ten
                                             : 10.0 * ten;
    const auto range = range_of(panel.scene, name);
    const double from = range ? (*range)[0] : began < 0.0 ? -reach : 0.0, to = range ? (*range)[1] : reach;
    const double step = range ? std::pow(10.0, std::floor(std::log10(to - from)) - 2.0) : ten / 100.0;
    const int decimals = step < 1.0 ? static_cast<int>(std::lround(-std::log10(step))) : 0;
    const bool in_steps =
        std::abs(value / step - std::round(value / step)) < 1e-6;  // others have all their digits
    return {.key = panel.look.scratch->format("own.{}", name),
            .symbol = name,
            .value = value,
            .from = from,
            .to = to,
            .step = step,
            .colour = panel.look.theme->slider,
            .decimals = in_steps ? decimals : 0,
            .words = "formula",
            .ends = true};
}

// True if the experiment trains a number: a word on its row, to be pressed.
bool is_learned(const Scene& scene, std::string_view name) {
    const auto learned = scene.encoding.parameters.find("learned");
    return learned != scene.encoding.parameters.end() &&
           std::any_of(learned->begin(), learned->end(), [&](const Json& one) { return one == name; });
}

void learned_mark(Panel& panel, Rect row, const std::string& name) {
    const ui::Look& look = panel.look;
    const bool on = is_learned(panel.scene, name);
    const std::string_view words = look.text(on ? "formula.learned" : "formula.learn");
    const float left = row.x0 + 0.5F * row.width(), wide = label_width(look, words, ui::kSmallSize);
    const Pressed pressed =
        press(panel, {left - 5.0F, row.y0, left + wide + 5.0F, row.y0 + 20.0F},
              look.scratch->format("own.learned.{}", name), {.role = "checkbox", .on = on});
    if (pressed.clicked) {
        Json list = Json::array();
        for (const Json& one : panel.scene.encoding.parameters.value("learned", Json::array()))
            if (one != name) list.push_back(one);
        if (!on) list.push_back(name);
        panel.attempt("own.learned", list);
    }
    label(look, {left, row.y0 + 14.0F}, words, on || pressed.lit ? look.theme->ink : look.theme->ink_faint,
          ui::kSmallSize);
    if (on) fill({left, row.y0 + 16.0F, left + wide, row.y0 + 17.5F}, look.theme->seen);
    tooltip(look, {}, look.text("formula.learn_help"));
}

// Into the experiment's list, and there.
float train(Panel& panel, Rect area) {
    const ui::Look& look = panel.look;
    if (word(panel, {area.x0, area.y0 + 14.0F}, Side::left, "own.train", look.text("formula.train"),
             ui::kSmallSize)) {
        const auto shown = experiment::shown_in(panel.scene.view);
        const auto entry = experiment::entry_of(panel.scene.encoding);
        if (shown && entry) {
            Json list = Json::array({experiment::json_of(*entry)});  // trained first
            for (const std::string& one : shown->settings.encodings)
                if (one != *entry) list.push_back(experiment::json_of(one));
            auto problem = panel.set("view.experiment.encodings", list);
            if (problem) panel.adjusted.push_back(std::move(*problem));
            else panel.attempt("bench", "experiment"), panel.formulas->train = true;
        }
    }
    tooltip(look, {}, look.text("formula.train_help"));
    return 24.0F;
}

// ---- completion ------------------------------------------------------------------------------------------------

struct Completions {
    std::size_t typed = 0;  // characters of the word before the cursor
    std::array<std::string_view, kMostCompletions> list{};
    std::size_t count = 0;
};

// Names that begin as the word before the cursor does; before a word is begun, those that the slot has.
Completions completions(const Panel& panel, const OwnSlot& slot) {
    const std::string_view text = panel.formulas->text.data();
    const std::size_t end = std::min(panel.formulas->cursor, text.size());
    std::size_t begin = end;
    while (begin > 0 && in_name(text[begin - 1])) --begin;
    while (begin < end && text[begin] >= '0' && text[begin] <= '9') ++begin;  // 2i is a product
    const std::string_view word = text.substr(begin, end - begin);
    Completions made{.typed = word.size()};
    const auto offer = [&](std::string_view name) {
        const auto list = std::span(made.list).first(made.count);
        if (made.count < made.list.size() && name.starts_with(word) && name != word &&
            std::find(list.begin(), list.end(), name) == list.end())
            made.list[made.count++] = name;
    };
    for (const std::string_view name : slot.names) offer(name);
    for (const char* name : {"b", "n", "L"}) offer(name);
    if (word.empty()) return made;
    for (const auto& [name, value] : panel.formulas->names) offer(name);
    for (const formula::FunctionEntry& one : formula::functions()) offer(one.name);
    for (const char* name : {"sum", "if", "pi"}) offer(name);
    return made;
}

// A word that may become another one, as "lo" on the way to log(…): it is no name of somebody's own yet.
bool on_the_way(const Panel& panel, const OwnSlot& slot, const Completions& offered) {
    if (offered.typed == 0 || offered.count == 0) return false;
    const std::string_view text = panel.formulas->text.data();
    const std::string_view word = text.substr(panel.formulas->cursor - offered.typed, offered.typed);
    const auto known = [&](const auto& list) {
        return std::find(list.begin(), list.end(), word) != list.end();
    };
    return !known(slot.names) && word != "b" && word != "n" && word != "L" && word != "e" &&
           std::none_of(panel.formulas->names.begin(), panel.formulas->names.end(),
                        [&](const auto& name) { return name.first == word; });
}

struct Hand {
    Formulas* kept;
    std::string_view rest;  // of the first completion
};

int edit_text(ImGuiInputTextCallbackData* data) {
    const Hand& hand = *static_cast<const Hand*>(data->UserData);
    const auto put = [&](std::string_view text) {
        data->InsertChars(data->CursorPos, text.data(), text.data() + text.size());
    };
    if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
        put(hand.rest);
    } else if (!hand.kept->completion.empty()) {
        data->CursorPos = std::min(static_cast<int>(hand.kept->cursor), data->BufTextLen);
        data->ClearSelection();
        put(std::exchange(hand.kept->completion, {}));
    }
    hand.kept->cursor = static_cast<std::size_t>(data->CursorPos);
    return 0;
}

// The names below the field that is typed in; a click or Tab takes one. True if one was taken.
bool offer_names(Panel& panel, Rect row, const Completions& made) {
    const ui::Look& look = panel.look;
    bool taken = false;
    float x = row.x0 + kInside;
    for (std::size_t n = 0; n < made.count; ++n) {
        const std::string_view name = made.list[n];
        const float wide = label_width(look, name, ui::kSmallSize);
        if (x + wide > row.x1) break;
        const bool hovered = press(panel, {x - 5.0F, row.y0, x + wide + 5.0F, row.y1},
                                   look.scratch->format("own.complete.{}", name), {.by_tab = false})
                                 .hovered;
        if (ImGui::IsItemClicked()) {  // not when it is let go: the field would have lost the keyboard
            panel.formulas->completion = name.substr(made.typed);
            panel.typing.fresh = taken = true;
        }
        label(look, {x, row.y0 + 15.0F}, name, hovered ? look.theme->ink : look.theme->ink_soft,
              ui::kSmallSize);
        x += wide + 14.0F;
    }
    return taken;
}

// ---- a slot ----------------------------------------------------------------------------------------------------

// A formula that is merely not finished yet is no mistake while it is typed.
bool unfinished(const Problem& problem) {
    for (const char* key : {"formula.ends", "formula.open", "formula.call", "formula.otherwise"})
        if (problem.key == key) return true;
    return false;
}

// The field with the keyboard; returns its height.
float typed_in(Panel& panel, Rect area, const OwnSlot& slot) {
    const ui::Look& look = panel.look;
    Typing& typing = panel.typing;
    Formulas& kept = *panel.formulas;
    const std::string key = typing.key;
    const Completions offered = completions(panel, slot);
    Hand hand{&kept, offered.typed > 0 && offered.count > 0 ? offered.list[0].substr(offered.typed) : ""};
    panel.held = true;  // all that is typed is one undo step

    ImGui::SetCursorScreenPos({area.x0, area.y0});
    ImGui::SetNextItemWidth(area.width());
    if (typing.fresh) ImGui::SetKeyboardFocusHere();
    const bool was_fresh = std::exchange(typing.fresh, false);
    ImGui::PushStyleColor(ImGuiCol_FrameBg, look.theme->control);
    const bool entered =
        ImGui::InputText("##formula", kept.text.data(), std::min(kept.text.size(), formula::kMostBytes + 1),
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackAlways |
                             ImGuiInputTextFlags_CallbackCompletion,
                         edit_text, &hand);
    ImGui::PopStyleColor();
    const ImGuiID id = ImGui::GetItemID();
    const bool edited = ImGui::IsItemEdited(), left = ImGui::IsItemDeactivated() && !was_fresh;
    ImGui::GetWindowDrawList()->AddRect({area.x0, area.y0}, {area.x1, area.y0 + kField}, look.theme->ink,
                                        4.0F, 0, 1.5F);
    const std::string_view text = kept.text.data();
    const auto apply = [&]() -> std::optional<Problem> {
        if (blank(text)) return std::nullopt;
        const std::string typed(without_blanks(text));
        if (own_names_file(typed)) allow_table(typed);  // a person typed it
        return panel.set(key, typed);
    };
    const auto take_back = [&] { panel.attempt(key, kept.before.empty() ? Json() : Json(kept.before)); };
    if (edited) {
        kept.insisted = false;
        typing.problem = std::nullopt;
        const bool whole = !blank(text) && !on_the_way(panel, slot, completions(panel, slot));
        if (whole) typing.problem = apply();
        if (!whole || typing.problem) take_back();
    }
    if ((entered || left) && !typing.problem) typing.problem = apply();
    const bool tells = typing.problem && (kept.insisted || !unfinished(*typing.problem));
    if (tells)
        if (const std::size_t column = column_of(*typing.problem); column > 0) {
            const auto [from, to] = place_of_column(text, column);
            const float begin = area.x0 + ImGui::GetStyle().FramePadding.x - ui::field_scroll(id);
            // The field's own places of its letters.
            const auto x = [&](std::size_t at) {
                return begin + ImGui::CalcTextSize(text.data(), text.data() + at).x;
            };
            ImGui::PushClipRect({area.x0 + 2.0F, area.y0}, {area.x1 - 2.0F, area.y0 + kField}, true);
            underline(look, x(from), x(to), area.y0 + kField - 5.0F);
            ImGui::PopClipRect();
            panel.mark("own.mistake", {x(from), area.y0, x(to), area.y0 + kField});
        }

    float height = kField;
    bool taken = false;
    if (tells) {
        height += 4.0F + message(look, {area.x0, area.y0 + kField + 4.0F, area.x1, area.y1},
                                 refusal(look, slot.key, *typing.problem), look.theme->beyond);
    } else {
        taken = offer_names(panel, {area.x0, area.y0 + kField, area.x1, area.y0 + kField + 20.0F}, offered);
        height += 20.0F;
    }

    if (ImGui::IsKeyPressed(ImGuiKey_Escape)) {
        take_back();
        end_formula(panel);
    } else if (entered || (left && !taken)) {
        if (blank(text)) {
            panel.attempt(key, nullptr);
            end_formula(panel);
        } else if (!typing.problem) {
            end_formula(panel);
        } else if (entered) {
            kept.insisted = typing.fresh = true;  // stay, and keep the keyboard
        } else {
            kept.slot = slot.key, kept.draft = text, kept.problem = typing.problem;
            end_formula(panel);
        }
    }
    return height;
}

// The formula as it was typed, in as many lines as it needs; a click opens it. Returns its height.
float shown_formula(Panel& panel, Rect area, const OwnSlot& slot) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    Formulas& kept = *panel.formulas;
    const bool drafted = kept.slot == slot.key;
    const std::string_view text = drafted ? std::string_view(kept.draft) : typed_text(panel.scene, slot.key);
    const LabelMeasure measure(look);
    std::array<std::string_view, kMostLines> lines;
    std::size_t count = 0;
    for (std::string_view rest = text; !rest.empty() && count < lines.size(); ++count) {
        const std::size_t end =
            ui::line_end(measure, rest, ui::Face::text, ui::kTextSize, area.width() - 2.0F * kInside - 16.0F);
        lines[count] = rest.substr(0, end);
        rest.remove_prefix(end);
    }
    const Rect box{area.x0, area.y0, area.x1,
                   area.y0 + kField + kFormulaLine * static_cast<float>(std::max<std::size_t>(count, 1) - 1)};
    constexpr float kWithout =
        20.0F;  // beside it, not over it: a tap would miss an item that others may lie over
    const std::string_view name = look.text(look.scratch->format("parameter.encoding.{}.name", slot.key));
    const Pressed pressed = press(panel, {box.x0, box.y0, box.x1 - kWithout, box.y1},
                                  look.scratch->format("own.{}", slot.key), {.role = "textbox"});
    if (pressed.clicked) begin_formula(panel, slot);
    if (pressed.heard != nullptr)
        pressed.heard->name = name, pressed.heard->value = text, pressed.heard->gathers = false;
    tooltip(look, name, look.text(look.scratch->format("parameter.encoding.{}.help", slot.key)));
    fill(box, pressed.hovered ? theme.pressed : theme.control, ui::kWidgets.corner);
    const std::size_t column = drafted && kept.problem ? column_of(*kept.problem) : 0;
    const auto [wrong, wrong_end] = place_of_column(text, column);
    float y = box.y0 + 18.0F;
    for (const std::string_view line : std::span(lines).first(count)) {
        label(look, {box.x0 + kInside, y}, line, theme.ink);
        const auto from = static_cast<std::size_t>(line.data() - text.data());
        if (column > 0 && wrong >= from && (wrong < from + line.size() || wrong == text.size())) {
            const auto x = [&](std::size_t at) {
                return box.x0 + kInside + label_width(look, line.substr(0, std::min(at - from, line.size())));
            };
            underline(look, x(wrong), x(wrong_end), y + 3.0F);
        }
        y += kFormulaLine;
    }

    if (cross(panel, {box.x1 - kWithout, box.y0, box.x1, box.y0 + kField},
              look.scratch->format("own.without.{}", slot.key), look.text("formula.without"))) {
        if (drafted) kept.slot.clear();
        else panel.attempt(look.scratch->format("own.{}", slot.key), nullptr);
    }

    float height = box.height();
    if (drafted && kept.problem)
        height += 4.0F + message(look, {area.x0, box.y1 + 4.0F, area.x1, area.y1},
                                 refusal(look, slot.key, *kept.problem), theme.beyond);
    return height;
}

float slot_row(Panel& panel, const ControlsView& view, Rect area, const OwnSlot& slot) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    ImGui::PushID(slot.key.data(), slot.key.data() + slot.key.size());
    const std::string_view name = look.text(look.scratch->format("parameter.encoding.{}.name", slot.key));
    label(look, {area.x0, area.y0 + 12.0F}, name, theme.ink_soft, ui::kSmallSize);
    const float after = area.x0 + label_width(look, name, ui::kSmallSize) + 6.0F;
    label(look, {after, area.y0 + 12.0F}, slot.symbol, theme.ink_soft, 15.0F, ui::Face::formula);
    // Its value at the chosen position, offset and pair; without the place where there is no room for it.
    const float room = area.x1 - after - label_width(look, slot.symbol, 15.0F, ui::Face::formula) - 10.0F;
    const bool typing = panel.typing.key.starts_with("own.") && panel.typing.key.substr(4) == slot.key;
    const bool drafted = panel.formulas->slot == slot.key;
    // While it is typed, or was left although it is refused: whether the picture is of it.
    if (typing || drafted) {
        const std::string_view text = without_blanks(typing ? panel.formulas->text.data()
                                                            : panel.formulas->draft.c_str()),
                               shown = typed_text(panel.scene, slot.key);
        const std::string_view says = text == shown    ? "formula.shown"
                                      : !shown.empty() ? "formula.shown_before"
                                                       : "formula.shown_none";
        label(look, {area.x1, area.y0 + 12.0F}, look.text(says), theme.ink_soft, ui::kSmallSize,
              ui::Face::text, Side::right);
    }
    for (const OwnReading& reading : view.readings) {
        if (reading.slot != slot.key || typing || drafted) continue;
        const std::string_view value = ui::significant(*look.scratch, reading.value, 4);
        std::string_view words = value;
        if (!reading.where.empty()) {
            const std::string_view at =
                look.format("formula.at", fmt::arg("value", value), fmt::arg("where", reading.where));
            if (label_width(look, at, ui::kSmallSize) <= room) words = at;
        }
        label(look, {area.x1, area.y0 + 12.0F}, words, theme.ink_soft, ui::kSmallSize, ui::Face::text,
              Side::right);
    }
    const Rect below{area.x0, area.y0 + 18.0F, area.x1, area.y1};
    float height = 18.0F + (typing ? typed_in(panel, below, slot) : shown_formula(panel, below, slot));
    // It may be no number at the Scene's place, although it is one wherever it was tried.
    if (!typing && !drafted)
        for (const OwnReading& reading : view.readings)
            if (reading.slot == slot.key && reading.problem)
                height += 4.0F + message(look, {area.x0, area.y0 + height + 4.0F, area.x1, area.y1},
                                         refusal(look, slot.key, *reading.problem), theme.beyond);
    ImGui::PopID();
    return height + 3.0F;
}

// The slots that are not typed, by name; a click opens one.
float others(Panel& panel, Rect area, std::span<const OwnSlot* const> slots) {
    const ui::Look& look = panel.look;
    float x = area.x0, y = area.y0;
    label(look, {x, y + 15.0F}, "+", look.theme->ink_soft, ui::kSmallSize);
    x += 14.0F;
    for (const OwnSlot* slot : slots) {
        const std::string_view name =
            look.text(look.scratch->format("parameter.encoding.{}.name", slot->key));
        const float wide = label_width(look, name, ui::kSmallSize);
        if (x + wide > area.x1) x = area.x0 + 14.0F, y += 20.0F;
        if (word(panel, {x, y + 15.0F}, Side::left, look.scratch->format("own.open.{}", slot->key), name,
                 ui::kSmallSize))
            begin_formula(panel, *slot);
        tooltip(look, name, look.text(look.scratch->format("parameter.encoding.{}.help", slot->key)));
        x += wide + 11.0F;
    }
    return y + 27.0F - area.y0;
}

}  // namespace

float formulas(Panel& panel, const ControlsView& view, Rect area) {
    const float top = area.y0;
    refresh(panel);
    std::array<const OwnSlot*, 8> free{};
    std::size_t count = 0;
    for (const OwnSlot& slot : own_slots()) {
        const std::string& typing = panel.typing.key;
        const bool open = (typing.starts_with("own.") && std::string_view(typing).substr(4) == slot.key) ||
                          panel.formulas->slot == slot.key;
        if (open || panel.scene.encoding.parameters.contains(slot.key))
            area.cut_top(slot_row(panel, view, area, slot) + kControlGap);
        else free.at(count++) = &slot;
    }
    if (count > 0) area.cut_top(others(panel, area, std::span(free).first(count)));
    // Their number may grow while they are drawn: a frame shows those that it began with.
    for (const auto& [name, value] : panel.formulas->names) {
        const Rect row{area.x0, area.y0, area.x1, area.y0 + 20.0F};
        area.cut_top(slider(panel, area, slider_of_name(panel, name, value)) + kControlGap);
        if (panel.typing.key.empty()) learned_mark(panel, row, name);
    }
    if (count < own_slots().size()) area.cut_top(train(panel, area) + kControlGap);
    return area.y0 - top;
}

float formula_number(Panel& panel, Rect area, std::string_view key) {
    refresh(panel);
    for (const auto& [name, value] : panel.formulas->names)
        if (key == panel.look.scratch->format("encoding.values.{}", name)) {
            Slider made = slider_of_name(panel, name, value);
            made.key = key;
            return slider(panel, area, made) + kControlGap;
        }
    return 0.0F;
}

}  // namespace posiscope::panels
