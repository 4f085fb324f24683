// experiment.cpp — the experiment's controls: preset, encodings with their progress, run, pause, stop, and the knobs.
#include "app/panels/experiment.hpp"

#include "app/panels/guide_parts.hpp"
#include "app/panels/panels.hpp"
#include "app/ui/known.hpp"
#include "core/encodings/encodings.hpp"

#include <imgui.h>

namespace posiscope::panels {
namespace {

namespace ex = experiment;

constexpr float kRow = 22.0F, kTypedLine = 17.0F;
constexpr std::string_view kKey = "view.experiment";

void sample(Point at, ui::Colour colour) {
    ImGui::GetWindowDrawList()->AddLine({at.x, at.y}, {at.x + 20.0F, at.y}, colour, 2.0F);
}

void set_encodings(Panel& panel, const ex::Settings& settings, std::string_view encoding) {
    Json list = Json::array();
    bool there = false;
    for (const std::string& one : settings.encodings)
        if (one == encoding) there = true;
        else list.push_back(ex::json_of(one));
    // A typed encoding is trained first.
    if (!there) list.insert(ex::is_typed(encoding) ? list.begin() : list.end(), ex::json_of(encoding));
    panel.attempt("view.experiment.encodings", list);
}

void set_scaling(Panel& panel, const ex::Shown& shown, ex::Scaling scaling) {
    Json list = Json::array();
    for (const ex::Scaling one : shown.scalings)
        if (one != scaling) list.push_back(ex::scaling_name(one));
    if (!shown.is_on(scaling)) list.push_back(ex::scaling_name(scaling));
    panel.attempt("view.experiment.scalings", list);
}

// "5 / 5", a bar while one is under way, "shipped".
void progress(const ui::Look& look, Rect row, const Trainee& trainee, std::int64_t seeds) {
    const ui::Theme& theme = *look.theme;
    const std::string_view said = trainee.queued && trainee.done == 0 && trainee.part < 0.0
                                      ? look.text("experiment.queued")
                                      : look.scratch->format("{} / {}", trainee.done, seeds);
    label(look, {row.x1, row.y0 + 15.0F}, said, theme.ink_soft, ui::kSmallSize, ui::Face::text, Side::right);
    if (trainee.part < 0.0) return;
    const float x1 = row.x1 - label_width(look, said, ui::kSmallSize) - 8.0F, x0 = x1 - 40.0F,
                y = row.y0 + 10.5F;
    fill({x0, y - 1.5F, x1, y + 1.5F}, theme.track, 1.5F);
    const auto part = static_cast<float>(std::min(trainee.part, 1.0));
    fill({x0, y - 1.5F, x0 + 40.0F * part, y + 1.5F}, theme.seen, 1.5F);
}

float encodings(Panel& panel, const ExperimentState& state, Rect area) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const ex::Shown& shown = *state.shown;
    const float top = area.y0;
    const Rect head = area.cut_top(19.0F);
    label(look, {head.x0, head.y0 + 12.0F}, look.text("experiment.encodings"), theme.ink_soft,
          ui::kSmallSize);
    label(look, {head.x1, head.y0 + 12.0F},
          look.text(state.old ? "experiment.old_short" : "experiment.seeds_column"), theme.ink_soft,
          ui::kSmallSize, ui::Face::text, Side::right);
    for (const Trainee& trainee : state.trainees) {
        const auto& chosen = shown.settings.encodings;
        const bool on = std::find(chosen.begin(), chosen.end(), trainee.encoding) != chosen.end();
        const Rect row = area.cut_top(kRow);
        const std::string_view kind = ex::kind_in(trainee.encoding);
        std::string_view name = ex::label_in(trainee.encoding);
        if (name.empty()) name = look.text(look.scratch->format("experiment.encoding.{}", kind));
        const std::size_t before = ex::same_before(chosen, trainee.encoding);
        if (before > 0) name = look.scratch->format("{} {}", name, before + 1);
        if (check(panel, {row.x0, row.y0, row.x0 + 20.0F, row.y1},
                  look.scratch->format("experiment.{}", ex::label_of(chosen, trainee.encoding)), {}, on))
            set_encodings(panel, shown.settings, trainee.encoding);
        ui::announce_tip(name);
        // The name chooses whose heads are shown.
        const bool pressed =
            press(panel, {row.x0 + 22.0F, row.y0, row.x1, row.y1}, trainee.encoding, {.possible = on})
                .clicked;
        if (pressed) panel.attempt("view.experiment.learner", ex::label_of(chosen, trainee.encoding));
        tooltip(look, name, look.text("experiment.learner_help"));
        const bool learner = on && shown.learner == trainee.encoding;
        sample({row.x0 + 26.0F, row.y0 + 10.5F}, on ? ui::encoding_colour(theme, kind) : theme.track);
        label(look, {row.x0 + 54.0F, row.y0 + 15.0F}, name, on ? theme.ink : theme.ink_soft, ui::kTextSize,
              learner ? ui::Face::strong : ui::Face::text);
        if (on) progress(look, row, trainee, shown.settings.seeds);
        for (const TypedText& line : trainee.lines) {
            const Rect below = area.cut_top(kTypedLine);
            ImGui::PushClipRect({below.x0, below.y0}, {below.x1, below.y1}, true);
            label(look, {below.x0 + 26.0F, below.y0 + 12.0F},
                  line.slot.empty()
                      ? std::string_view(line.text)
                      : look.scratch->format(
                            "{} {}", look.text(look.scratch->format("parameter.encoding.{}.name", line.slot)),
                            line.text),
                  theme.ink_soft, ui::kSmallSize);
            ImGui::PopClipRect();
        }
        if (!takes_scalings(trainee.encoding) || !on) continue;
        // Three changes at test time to the same weights, in one row.
        const Rect switches = area.cut_top(kRow);
        float x = switches.x0 + 26.0F;
        for (const ex::Scaling scaling : {ex::Scaling::linear, ex::Scaling::ntk, ex::Scaling::yarn}) {
            const std::string_view of = ex::scaling_name(scaling);
            const std::string_view words = look.text(look.scratch->format("experiment.scaling.{}", of));
            const float wide = 22.0F + label_width(look, words) + 12.0F;
            if (check(panel, {x, switches.y0, x + wide, switches.y1},
                      look.scratch->format("experiment.{}", of), words, shown.is_on(scaling)))
                set_scaling(panel, shown, scaling);
            tooltip(look, words, look.text("experiment.scaling_help"));
            x += wide;
        }
    }
    return area.y0 - top;
}

float running(Panel& panel, ExperimentState& state, Rect area) {
    const ui::Look& look = panel.look;
    const float top = area.y0;
    const Rect row = area.cut_top(30.0F);
    const float wide = (row.width() - 12.0F) / 3.0F;
    const auto place = [&](int n) {
        const float x = row.x0 + static_cast<float>(n) * (wide + 6.0F);
        return Rect{x, row.y0, x + wide, row.y1};
    };
    const auto pressed = [&](int n, std::string_view id, bool primary, bool possible) {
        return button(panel, place(n), look.scratch->format("experiment.{}", id),
                      look.text(look.scratch->format("experiment.{}", id)),
                      {.primary = primary,
                       .possible = possible,
                       .tip = look.text(look.scratch->format("experiment.{}_help", id))});
    };
    const bool going = state.running && !state.paused;
    if (going ? pressed(0, "pause", true, true) : pressed(0, "run", true, !state.complete))
        panel.ask(going ? Verb::pause_training : Verb::train);
    if (pressed(1, "stop", false, state.running)) panel.ask(Verb::stop_training);
    if (pressed(2, "restart", false, true)) panel.ask(Verb::restart_training);
    const Rect line = area.cut_top(22.0F);
    std::string_view said = look.text(state.old ? "experiment.status_old" : "experiment.status_idle");
    if (state.running)
        said = look.format("experiment.status_running", fmt::arg("done", state.done),
                           fmt::arg("total", state.total));
    else if (state.complete) said = look.text("experiment.status_complete");
    label(look, {line.x0, line.y0 + 15.0F}, said, look.theme->ink_soft, ui::kSmallSize);
    if (state.running && state.seconds_left >= 0.0)
        label(look, {line.x1, line.y0 + 15.0F},
              state.paused
                  ? look.text("experiment.paused")
                  : look.format("experiment.left", fmt::arg("seconds", std::lround(state.seconds_left))),
              look.theme->ink_soft, ui::kSmallSize, ui::Face::text, Side::right);
    return area.y0 - top;
}

Slider knob(const ui::Theme& theme, std::string_view key, std::string_view symbol, double value, double from,
            double to, bool logarithmic) {
    return {.key = key,
            .symbol = symbol,
            .value = value,
            .from = from,
            .to = to,
            .logarithmic = logarithmic,
            .colour = theme.slider,
            .words = key.substr(kKey.size() - std::string_view("experiment").size())};
}

// The knobs; at the end the toggles.
void knobs(Panel& panel, ExperimentState& state, Rect area) {
    const ex::Settings& s = state.shown->settings;
    const ui::Theme& theme = *panel.look.theme;
    const auto d = [](std::int64_t v) { return static_cast<double>(v); };
    const auto add = [&](const Slider& made) { area.cut_top(slider(panel, area, made) + 4.0F); };
    if (s.task == "back")
        add(knob(theme, "view.experiment.k", "k", d(s.k), 1.0, d(std::max<std::int64_t>(2, s.length - 1)),
                 false));
    Slider length = knob(theme, "view.experiment.length", "n", d(s.length), 4.0,
                         d(std::min<std::int64_t>(256, s.tested)), true);
    length.colour = theme.seen;
    add(length);
    add(knob(theme, "view.experiment.tested", "T", d(s.tested), d(s.length), 1024.0, true));
    add(knob(theme, "view.experiment.seeds", "", d(s.seeds), 1.0, 10.0, false));
    add(knob(theme, "view.experiment.steps", "", d(s.steps), 25.0, 5000.0, true));
    add(knob(theme, "view.experiment.layers", "L", d(s.layers), 1.0, 4.0, false));
    static constexpr std::array<std::string_view, 4> kHeads = {"1", "2", "4", "8"};
    std::string_view taken;
    area.cut_top(
        chooser(panel, area, "experiment.heads", panel.look.scratch->format("{}", s.heads), kHeads, taken) +
        4.0F);
    if (!taken.empty()) panel.attempt("view.experiment.heads", Json::parse(taken));
    add(knob(theme, "view.experiment.base", "b", s.base, 2.0, 1e7, true));
    Slider rate = knob(theme, "view.experiment.rate", "", s.rate, 1e-4, 0.1, true);
    rate.step = 1e-4;
    add(rate);
    area.cut_top(toggle(panel, area, "view.experiment.causal", s.causal) + 4.0F);
    area.cut_top(toggle(panel, area, "view.experiment.interpolated", state.shown->interpolated) + 4.0F);
}

}  // namespace

void experiment_controls(Panel& panel, ExperimentState& state, Rect area) {
    const ui::Look& look = panel.look;
    if (state.shown == nullptr) {
        if (ImGui::IsWindowAppearing()) panel.attempt(kKey, nullptr);
        return;
    }
    const ex::Shown& shown = *state.shown;
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> made;
        for (const ex::Preset& preset : ex::presets()) made.push_back(preset.name);
        return made;
    }();
    std::string_view now = shown.settings.task;
    if (now == "order" && !shown.settings.causal) now = "order_unmasked";
    if (now == "back" && shown.settings.k != ex::find_preset(now)->settings.k) now = "back_k";
    std::string_view taken;
    area.cut_top(chooser(panel, area, "experiment.preset", now, names, taken) + 4.0F);
    if (!taken.empty()) panel.attempt(kKey, ex::view_of(ex::find_preset(taken)->settings));
    area.cut_top(encodings(panel, state, area) + 8.0F);
    area.cut_top(running(panel, state, area) + 4.0F);
    if (check(panel, area.cut_top(kRow), "experiment.elsewhere", look.text("experiment.elsewhere"),
              state.elsewhere, ui::kSmallSize))
        state.elsewhere = !state.elsewhere;
    tooltip(look, {}, look.text("experiment.elsewhere_help"));
    area.cut_top(4.0F);
    rule(look, area, 9.0F);
    knobs(panel, state, area);
}

void experiment_corner(Panel& panel, ExperimentState& state, Rect area) {
    if (!state.running) return;
    const ui::Look& look = panel.look;
    if (parts::begin_box(look, "##training", area, parts::Foot::right)) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(look.c(look.text("bench.experiment.name")));
        ImGui::SameLine(0.0F, 10.0F);
        ImGui::TextDisabled(
            "%s", look.c(state.paused ? look.text("experiment.paused")
                                      : look.format("experiment.status_running", fmt::arg("done", state.done),
                                                    fmt::arg("total", state.total))));
        ImGui::SameLine(0.0F, 16.0F);
        const std::string_view id = state.paused ? "run" : "pause";
        if (ImGui::Button(look.c(look.text(look.scratch->format("experiment.{}", id)))))
            panel.ask(state.paused ? Verb::train : Verb::pause_training);
        panel.mark(look.scratch->format("experiment.{}", id), parts::last_item());
    }
    parts::end_box();
}

}  // namespace posiscope::panels
