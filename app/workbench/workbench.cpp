#include "app/workbench/workbench.hpp"

#include "app/panels/rail.hpp"

#include <imgui.h>
#include <imgui_internal.h>
#include <utility>

namespace posiscope::workbench {
namespace {

Language language_named(std::string_view code) {
    return code == "zh" ? Language::chinese : Language::english;
}

}  // namespace

Workbench::Workbench(Scene scene, Preferences preferences, canvas::Layers* layers)
    : scene_(std::move(scene)),
      history_(scene_),
      preferences_(std::move(preferences)),
      fonts_(ui::add_fonts(*ImGui::GetIO().Fonts)),
      screen_(fonts_, layers) {
    follow_preferences();
    playing_.speed = preferences_.speed;
    playing_.loop = preferences_.loop;
}

void Workbench::follow_preferences() {
    const Language language = language_named(preferences_.language);
    if (!strings_ || strings_->language() != language) strings_ = std::make_unique<Strings>(language);
    if (styled_theme_ != preferences_.theme) {
        styled_theme_ = preferences_.theme;
        ui::apply_style(ui::theme(styled_theme_));
    }
}

ui::Look Workbench::look() {
    return {&ui::theme(preferences_.theme), strings_.get(), scratch_.get(), fonts_, pixels_per_point_};
}

void Workbench::open(Scene scene) {
    scene_ = std::move(scene);
    history_.commit(scene_);
    opened_ = requests_.scene_changed = true;
}

// B changes with A, and while its key is held B alone is seen.
void Workbench::follow_comparison() {
    b_ = compared_.of(scene_);
    shown_ = b_ != nullptr ? sides(scene_) : Sides::a;
    if (b_ != nullptr && !ImGui::GetIO().WantTextInput && ImGui::IsKeyDown(ImGuiKey_Backslash))
        shown_ = Sides::b;
}

Scene Workbench::of_a(Scene next) const {
    return shows_b() ? edited_through_b(scene_, *b_, next) : std::move(next);
}

void Workbench::take_as_a(Scene next) {
    std::vector<Problem> adjusted = settle(next);
    scene_ = std::move(next);
    report(adjusted);
}

// The panels show and edit what the figures show.
panels::Panel Workbench::panel(const ui::Look& look) {
    const Scene* settled = shows_b() ? compared_settled_.of(history_.present()) : &history_.present();
    return {look, shown_scene(), settled != nullptr ? *settled : shown_scene(), typing_, {},
            {},   false,         mark_controls_ ? &controls_ : nullptr};
}

void Workbench::take_from(panels::Panel& panel) {
    held_ = held_ || panel.held;
    if (panel.next) scene_ = of_a(std::move(*panel.next));
    if (panel.next || !panel.adjusted.empty()) report(std::move(panel.adjusted));
}

// People type what our own fonts do not have. Last in a frame: what is drawn next is drawn with the font it needs.
void Workbench::look_up_glyphs() {
    const Choice& content = shown_scene().content;
    if (content == checked_content_) return;
    checked_content_ = content;
    if (content.kind != "tokens") return;
    for (const Json& word : content.parameters.at("text"))
        if (const auto missing = ui::missing_glyph(fonts_, word.get_ref<const std::string&>())) {
            say({"font.glyph", {{"character", *missing}}}, Tone::note);
            return;
        }
}

// What moved along with an edit. While something is dragged only the last edit counts, and is said at the end.
void Workbench::report(std::vector<Problem> adjusted) {
    if (held_ || grip_.active()) {
        pending_ = std::move(adjusted);
        return;
    }
    for (const Problem& problem : adjusted) say(problem, Tone::note);
}

void Workbench::set_origin(std::vector<Problem> notes) {
    origin_ = std::move(notes);
    origin_encoding_ = scene_.encoding;
    notes_ = {};
}

// Settings that change nothing, and what is not known about them: quietly, for as long as it is so.
std::span<const std::string> Workbench::notes() {
    const Scene& scene = shown_scene();
    const Language language = strings_->language();
    const auto key = std::tie(scene.encoding, scene.base, scene.d_model, scene.num_heads, scene.length,
                              scene.head_dim, scene.trained.length, language);
    return notes_.get(key, [&] {
        std::vector<std::string> said;
        for (const Problem& remark : remarks_on(scene)) said.push_back(strings_->sentence(remark));
        if (scene.encoding == origin_encoding_)
            for (const Problem& note : origin_) said.push_back(strings_->sentence(note));
        return said;
    });
}

const panels::Method& Workbench::method() {
    const Scene& scene = shown_scene();
    const auto key = std::tie(scene.encoding, scene.base, scene.d_model, scene.num_heads, scene.head_dim);
    return method_.get(key, [&] { return panels::method_of(scene); });
}

// The bar, the rail and the timeline; what is left of the room.
Rect Workbench::draw_controls(const ui::Look& look, Rect whole) {
    const ui::Theme& theme = *look.theme;

    // Opaque, side by side: nothing is painted twice.
    const Rect bar_area = whole.cut_top(panels::kBarHeight);
    const Rect timeline_area = whole.cut_bottom(panels::kTimelineHeight);
    const float rail_width = std::min(panels::kRailWidth, 0.4F * whole.width());
    Rect rail_area = whole.cut_left(rail_width);
    screen_.fill(bar_area, theme.rail, 0.0F);
    screen_.fill(timeline_area, theme.rail, 0.0F);
    screen_.fill(rail_area, theme.rail, 0.0F);
    screen_.fill({bar_area.x0, bar_area.y1 - 1.0F, bar_area.x1, bar_area.y1}, theme.border, 0.0F);
    screen_.fill({timeline_area.x0, timeline_area.y0, timeline_area.x1, timeline_area.y0 + 1.0F},
                 theme.border, 0.0F);
    screen_.fill({rail_area.x1 - 1.0F, rail_area.y0, rail_area.x1, rail_area.y1}, theme.border, 0.0F);

    std::array<std::string_view, 8> ids{};
    std::size_t count = 0;
    for (const Bench& bench : benches()) ids[count++] = bench.id;
    std::array<std::string_view, 32> figure_ids{};
    std::size_t figure_count = 0;
    for (const figures::Figure* figure : figures::figures()) figure_ids[figure_count++] = figure->id;
    panels::BarState state{std::span(ids).first(count),
                           std::span(figure_ids).first(figure_count),
                           scene_.bench,
                           solo_,
                           preferences_.theme,
                           history_.can_undo(),
                           history_.can_redo(),
                           preferences_.picture_scale,
                           b_ != nullptr ? std::optional(shown_) : std::nullopt,
                           outside_,
                           recent_};
    if (const auto action = panels::bar(look, bar_area, state)) perform(*action);
    if (state.chosen_recent != nullptr) requests_.open_files = {state.chosen_recent->path};
    if (state.menu_opened) look_for_recent();
    if (!state.chosen_figure.empty()) solo_ = state.chosen_figure;
    if (!state.chosen_code.empty()) copy_code(state.chosen_code);
    if (state.chosen_sides) show_sides(scene_, *state.chosen_sides);
    if (!state.chosen_theme.empty()) preferences_.theme = state.chosen_theme;
    if (!state.chosen_bench.empty()) {
        solo_.clear();
        scene_.bench = state.chosen_bench;
    }

    // Everything in the rail that does not fit scrolls.
    ImGui::SetCursorScreenPos({rail_area.x0, rail_area.y0});
    if (ImGui::BeginChild("##rail", {rail_area.width() - 1.0F, rail_area.height()},
                          ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_NoBackground)) {
        ImGui::GetWindowDrawList()->_FringeScale = 1.0F / pixels_per_point_;
        panels::Panel panel = this->panel(look);
        const float top = rail_area.y0 + 16.0F - ImGui::GetScrollY();
        panels::rail(panel, {rail_area.x0 + 20.0F, top, rail_area.x1 - 20.0F, rail_area.y1},
                     {shown_derived().spectrum(shown_scene()), notes(), method()});
        take_from(panel);
    }
    ImGui::EndChild();

    panels::Panel panel = this->panel(look);
    panels::timeline(panel, timeline_area, playing_);
    take_from(panel);
    preferences_.speed = playing_.speed;
    preferences_.loop = playing_.loop;
    return whole;
}

Requests Workbench::frame(float seconds, float pixels_per_point, const Shown& shown) {
    pixels_per_point_ = pixels_per_point;
    if (std::exchange(forget_derived_, false)) {
        derived_ = {};
        derived_b_ = {};
        notes_ = {};
    }
    requests_ = {};
    requests_.scene_changed = std::exchange(opened_, false);  // since the frame before
    follow_preferences();
    // ImGui itself only tells the font that is pushed how many pixels a point has.
    for (ImFont* font : fonts_) font->CurrentRasterizerDensity = pixels_per_point;
    scratch_->reset();
    tiles_.clear();
    dividers_.clear();
    handles_.clear();
    headlines_.clear();
    controls_.clear();
    next_link_ = {};
    tip_ = {};
    cursor_ = figures::Cursor::arrow;
    const std::string_view hovered_before = hovered_figure_;
    hovered_figure_ = {};
    if (playing_.on) {
        Scene next = scene_;
        panels::advance(playing_, next, static_cast<double>(seconds));
        take_as_a(std::move(next));
    }

    follow_comparison();
    const ImGuiIO& io = ImGui::GetIO();
    Rect whole{0.0F, 0.0F, io.DisplaySize.x, io.DisplaySize.y};
    ImGui::SetNextWindowPos({0.0F, 0.0F});
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0F);
    ImGui::Begin("##bench", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse |
                     ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar(2);
    const ui::Look look = this->look();
    screen_.begin(*ImGui::GetWindowDrawList(), pixels_per_point, shown.part);
    held_ = false;

    if (shown.controls) {
        hovered_figure_ = hovered_before;  // the keys act on what was under the mouse
        keys();
        hovered_figure_ = {};
        whole = draw_controls(look, whole);
    }

    const Rect room = shown.figure.empty() || shown.controls ? whole.grown(-kGap) : whole;
    const std::string_view alone = shown.figure.empty() ? std::string_view(solo_) : shown.figure;
    divide(room, alone, shown.controls);
    field_.begin(look);
    for (const Tile& tile : tiles_) draw_tile(look, tile, shown);
    field_.end();
    if (field_.reverted()) {  // the words and their order, which typing had put aside
        scene_.content = history_.present().content;
        scene_.compare = history_.present().compare;
    }

    if (shown.controls) {
        draw_hint(look);
        if (cursor_ != figures::Cursor::arrow)
            ImGui::SetMouseCursor(cursor_ == figures::Cursor::hand       ? ImGuiMouseCursor_Hand
                                  : cursor_ == figures::Cursor::move     ? ImGuiMouseCursor_ResizeAll
                                  : cursor_ == figures::Cursor::vertical ? ImGuiMouseCursor_ResizeNS
                                                                         : ImGuiMouseCursor_ResizeEW);
    }
    ImGui::End();
    if (shown.controls) {
        panels::help(look, help_open_);
        serve_path_dialog(look);
        serve_export_dialog(look);
        if (!help_open_ && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) draw_tip(look, tip_);
        draw_running(look, whole);
        draw_toasts(look, running_ ? Rect{whole.x0, whole.y0, whole.x1, whole.y1 - 56.0F} : whole, seconds);
    }

    look_up_glyphs();
    if (grip_.active() && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) grip_ = {};
    held_ = held_ || grip_.active() || field_.active();
    if (!held_) report(std::exchange(pending_, {}));
    const bool link_changed = link_ != next_link_;
    link_ = next_link_;
    // One drag or one typed edit is one step: it is made when nothing is held any more.
    if (!held_ && !playing_.on && !(scene_ == history_.present())) {
        history_.commit(scene_);
        requests_.scene_changed = true;
    }
    requests_.held = held_ || ImGui::IsMouseDown(ImGuiMouseButton_Left);
    requests_.animating = playing_.on || link_changed;
    requests_.ticking = !typing_.key.empty() || field_.active() || !toasts_.empty();
    return requests_;
}

}  // namespace posiscope::workbench
