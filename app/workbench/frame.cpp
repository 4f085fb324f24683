// frame.cpp — the order of a frame. Keys, panels and figures hand in changes; end() makes them once everything is drawn.
#include "app/figures/experiment/experiment.hpp"
#include "app/workbench/window/overlays.hpp"
#include "app/workbench/window/tiles.hpp"
#include "app/workbench/workbench.hpp"

#include <imgui.h>
#include <imgui_internal.h>
#include <utility>

namespace posiscope::workbench {
namespace {

// The ImGui window that fills the display; only overlays are drawn outside it.
void open_ground() {
    ImGui::SetNextWindowPos({0.0F, 0.0F});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0F);
    ImGui::Begin("##bench", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse |
                     ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar(2);
}

void set_cursor(figures::Cursor cursor) {
    using figures::Cursor;
    if (cursor == Cursor::arrow) return;
    ImGui::SetMouseCursor(cursor == Cursor::hand       ? ImGuiMouseCursor_Hand
                          : cursor == Cursor::move     ? ImGuiMouseCursor_ResizeAll
                          : cursor == Cursor::vertical ? ImGuiMouseCursor_ResizeNS
                                                       : ImGuiMouseCursor_ResizeEW);
}

// The sidebar where it stands below the figure: its part of the height, and the points that its content needs.
constexpr float kSheet = 0.46F, kSheetContent = 560.0F;

// A panel's area, and the line along its inner edge.
struct Place {
    Rect area, line;
};
Place cut(panels::Edge edge, float size, Rect& room) {
    using panels::Edge;
    if (edge == Edge::top) {
        const Rect area = room.cut_top(size);
        return {area, {area.x0, area.y1 - 1.0F, area.x1, area.y1}};
    }
    if (edge == Edge::bottom) {
        const Rect area = room.cut_bottom(size);
        return {area, {area.x0, area.y0, area.x1, area.y0 + 1.0F}};
    }
    const Rect area = room.cut_left(std::min(size, 0.4F * room.width()));
    return {area, {area.x1 - 1.0F, area.y0, area.x1, area.y1}};
}

}  // namespace

Requests Workbench::frame(float seconds, float pixels_per_point, const Shown& shown) {
    begin(pixels_per_point);
    const ui::Look look = appearance.look();
    hand.begin(look);
    play(seconds);

    open_ground();
    stage_.screen.begin(*ImGui::GetWindowDrawList(), pixels_per_point, shown.part);
    Rect room{0.0F, 0.0F, ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y};
    if (shown.controls) {
        actions_.press_keys(controls.presenting.on() ? panels::kPresenting
                                                     : panels::kDesktop | panels::kPage);
        if (controls.presenting.on() && controls.presenting.blank()) return blank(room);
        room = draw_panels(look, room, false);
        draw_by_hand(room);
    }
    divide(room, shown);
    for (const Tile& tile : layout.tiles()) draw_tile(look, tile, shown);
    hand.end();
    if (hand.field().reverted()) session.retake_words();
    if (shown.controls) point_out(look);
    draw_over_figures();
    ImGui::End();

    if (shown.controls) draw_overlays(look, room, seconds);
    return end();
}

// A dark screen, until a key brings the picture back.
Requests Workbench::blank(Rect room) {
    stage_.screen.fill(room, ui::rgb(0), 0.0F);
    ImGui::SetMouseCursor(ImGuiMouseCursor_None);
    hand.end();
    ImGui::End();
    return end();
}

void Workbench::begin(float pixels_per_point) {
    if (std::exchange(stage_.stale, false)) {
        stage_.derived.forget();
        stage_.derived_b.forget();
        controls.notes.forget();
        controls.teaching.claims().live().forget();
    }
    appearance.follow(preferences, pixels_per_point, controls.presenting.on());
    notices.follow(appearance.strings());
    // Holding the key shows B alone.
    session.begin(!ImGui::GetIO().WantTextInput && ImGui::IsKeyDown(ImGuiKey_Backslash));
    controls.training.follow(session.scene(), preferences);
    for (figures::Derived* derived : {&stage_.derived, &stage_.derived_b})
        derived->part<figures::learning::Shelf>() = {controls.training.trainer().bank(),
                                                     controls.training.trainer().old()};
    requests_ = {};
    controls.held = controls.laser = controls.lens = false;
    controls.next_headline = {};
    seen.handles.clear();
    seen.headlines.clear();
    seen.controls.clear();
    seen.pointed.clear();
}

void Workbench::play(float seconds) {
    if (!controls.playing.on) return;
    Scene next = session.scene();
    const auto& shown = controls.training.trainer().shown();
    if (next.bench == "experiment" && shown)
        panels::advance_step(controls.playing, next, shown->settings.steps, static_cast<double>(seconds));
    else panels::advance(controls.playing, next, static_cast<double>(seconds));
    if (next != session.scene()) session.edit_a(std::move(next));
}

// Draws the panels at the edges, or those over everything. Returns the room that remains.
Rect Workbench::draw_panels(const ui::Look& look, Rect room, bool over) {
    const Scene& scene = session.shown();
    panels::ExportState exporting = this->exporting();
    const std::string_view exported = exporting.dialog.figure;
    panels::ExperimentState experiment = controls.training.state(preferences);
    const auto tables = over && controls.help.open && controls.help.page == panels::HelpPage::tables
                            ? controls.tables.of(scene, appearance.strings())
                            : std::span<const panels::LivingTable>();
    const figures::Moves moves = moves_in(bench_of(session.scene().bench), layout.alone(), scene);
    panels::Around around{.actions = actions_.list(),
                          .benches = stage_.bench_ids,
                          .figures = std::span(stage_.figure_ids).subspan(1),
                          .alone = alone(),
                          .theme = appearance.theme().name,
                          .sides = session.b() != nullptr ? std::optional(session.sides()) : std::nullopt,
                          .outside = documents.outside(),
                          .recent = controls.recent,
                          .running = exports.running(),
                          .spectrum = (session.shows_b() ? stage_.derived_b : stage_.derived).spectrum(scene),
                          .notes = controls.notes.of(scene, appearance.strings()),
                          .method = controls.notes.method(scene),
                          .position_moves = moves.position,
                          .offset_moves = moves.offset,
                          .picture_scale = preferences.picture_scale,
                          .playing = controls.playing,
                          .help = controls.help,
                          .tables = tables,
                          .path_dialog = asking.path.dialog(),
                          .exporting = exporting,
                          .experiment = experiment,
                          .presenting = controls.presenting.on(),
                          .guide = over || controls.presenting.on()
                                       ? nullptr
                                       : controls.teaching.view(scene, appearance.strings())};
    panels::Offer offer;
    if (over && offers_lessons()) {
        offer = {.corner = controls.offer_at, .minutes = controls.teaching.first_minutes()};
        around.offer = &offer;
    }
    panels::Band band = around.presenting && !over ? this->band() : panels::Band{};
    around.band = &band;
    for (const panels::PanelEntry* entry : panels::panels()) {
        if ((entry->edge == panels::Edge::over) != over) continue;
        if (entry->id == "timeline" && !moves.position) continue;
        if (over) {
            draw_panel(look, *entry, around, room);
            continue;
        }
        const float size = around.presenting ? entry->presenting : entry->size;
        if (size <= 0.0F || (entry->edge == panels::Edge::left && !with_sidebar())) continue;
        // Opaque and side by side, so no pixel is painted twice.
        const bool below = entry->edge == panels::Edge::left && fitted_.upright;
        const Place place =
            below ? cut(panels::Edge::bottom, kSheet * room.height(), room) : cut(entry->edge, size, room);
        const bool page = around.presenting && entry->size > 0.0F;  // as the picture's own ground
        stage_.screen.fill(place.area,
                           page                ? look.theme->tile
                           : around.presenting ? look.theme->ground
                                               : look.theme->rail,
                           0.0F);
        if (!around.presenting) stage_.screen.fill(place.line, look.theme->border, 0.0F);
        Rect area = place.area;
        if (entry->edge == panels::Edge::left && offers_lessons()) {
            controls.offer_at = {area.x0, area.y1};
            area.y1 -= panels::Offer::kRoom;
        }
        draw_panel(look, *entry, around, area);
    }
    if (around.menu_opened) controls.recent = documents.recent();
    if (around.stop_export) exports.stop();
    if (around.chosen) choose(*around.chosen);
    controls.training.serve(experiment);
    finish_copying();
    if (band.reveal) turn(1);
    if (offer.taken != panels::Offer::Taken::nothing) take_offer(offer.taken);
    if (around.guide != nullptr)
        if (auto shown = controls.teaching.serve(session.scene())) session.step(std::move(*shown));
    if (over) serve_export(exporting, exported);
    preferences.speed = controls.playing.speed;
    preferences.loop = controls.playing.loop;
    preferences.smooth = controls.playing.smooth;
    return room;
}

void Workbench::draw_panel(const ui::Look& look, const panels::PanelEntry& entry, panels::Around& around,
                           Rect area) {
    panels::Panel panel{.look = look,
                        .scene = session.shown(),
                        .settled = session.shown_settled(),
                        .typing = controls.typing,
                        .next = {},
                        .adjusted = {},
                        .held = false,
                        .marks = seen.with_controls ? &seen.controls : nullptr};
    const Guide& guide = controls.teaching.guide();
    if (entry.edge == panels::Edge::left && guide.open() && guide.step() != nullptr) {
        panel.points = guide.step()->point;
        panel.pointed = &seen.pointed;
    }
    if (entry.scrolls) {
        ImGui::SetCursorScreenPos({area.x0, area.y0});
        ImGui::PushID(entry.id.data(), entry.id.data() + entry.id.size());
        if (ImGui::BeginChild("##panel", {area.width() - 1.0F, area.height()}, ImGuiChildFlags_NavFlattened,
                              ImGuiWindowFlags_NoBackground)) {
            ImGui::GetWindowDrawList()->_FringeScale = 1.0F / look.pixels_per_point;
            Rect inside{area.x0, area.y0 - ImGui::GetScrollY(), area.x1, area.y1};
            // What stands below the figure has less height than it was made for, and is scrolled.
            if (fitted_.upright) inside.y1 = inside.y0 + std::max(area.height(), kSheetContent);
            entry.draw(panel, around, inside);
        }
        ImGui::EndChild();
        ImGui::PopID();
    } else {
        entry.draw(panel, around, area);
    }
    controls.held = controls.held || panel.held;
    if (panel.next) session.edit(std::move(*panel.next), std::move(panel.adjusted));
    else if (!panel.adjusted.empty()) session.edit_a(session.scene(), std::move(panel.adjusted));
}

// The cursor, rings around what a lesson speaks of, and until the first drag one around a hand that can be dragged.
void Workbench::point_out(const ui::Look& look) {
    set_cursor(hand.cursor());
    if (controls.presenting.on()) return;
    if (const lessons::Step* step =
            controls.teaching.guide().open() ? controls.teaching.guide().step() : nullptr) {
        for (const std::string& point : step->point)
            draw_point(stage_.screen, look, point, layout.tiles(), seen.handles);
        for (const Rect& area : seen.pointed)
            stage_.screen.outline({area.x0 - 10.0F, area.y0 - 30.0F, area.x1 + 10.0F, area.y1 + 10.0F},
                                  {look.theme->ink_soft, 1.5F});
        return;
    }
    if (controls.teaching.on_claims() && controls.teaching.claims().chosen() != nullptr) {
        draw_point(stage_.screen, look, controls.teaching.claims().point(), layout.tiles(), seen.handles);
        return;
    }
    if (preferences.drag_hint_seen) return;
    preferences.drag_hint_seen = hand.drags();
    if (!hand.drags())
        draw_hint(stage_.screen, look, bench_of(session.scene().bench).hint, seen.handles, !fitted_.upright);
}

void Workbench::draw_overlays(const ui::Look& look, Rect room, float seconds) {
    draw_panels(look, room, true);
    ask_for_file(look, room);
    if (!controls.help.open && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup) && !holds_back() &&
        !points_at_something())
        draw_tip(stage_.screen, look, hand.tip());
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) controls.room_code.hide();
    controls.room_code.draw(stage_.screen, look, room);
    draw_pointers();
    if (exports.running()) room.y1 -= 56.0F;  // the running export is in the corner
    draw_notices(stage_.screen, look, notices, room);
    notices.pass(seconds);
}

Requests Workbench::end() {
    const bool held = controls.held || hand.holds();
    const Session::Applied applied = session.apply(held, held || controls.playing.on);
    for (const Problem& moved : applied.said) notices.say(moved, Tone::note);
    if (applied.stepped && !controls.presenting.on()) controls.teaching.judge(session.scene());
    layout.apply();
    if (controls.headline != controls.next_headline) controls.headline = controls.next_headline;
    look_up_glyphs();
    requests_.scene_changed = applied.stepped;
    requests_.held = held || ImGui::IsMouseDown(ImGuiMouseButton_Left);
    requests_.animating = controls.playing.on || hand.changed() || actions_.keep_focus();
    requests_.ticking =
        !controls.typing.key.empty() || hand.field().active() || !notices.empty() || documents.follows();
    return std::move(requests_);
}

// Users may type characters that our fonts lack. At the end of a frame, so that the next one has the font.
void Workbench::look_up_glyphs() {
    const Choice& content = session.shown().content;
    if (content == stage_.checked_content) return;
    stage_.checked_content = content;
    if (content.kind != "tokens") return;
    for (const Json& word : content.parameters.at("text"))
        if (const auto missing = ui::missing_glyph(appearance.fonts(), word.get_ref<const std::string&>())) {
            notices.say({"font.glyph", {{"character", *missing}}}, Tone::note);
            return;
        }
}

}  // namespace posiscope::workbench
