// frame.cpp — the order of a frame. Keys, panels and figures hand in changes; end() makes them once everything is drawn.
#include "app/figures/experiment/experiment.hpp"
#include "app/figures/parts/sentence.hpp"
#include "app/figures/positions/positions.hpp"
#include "app/panels/controls.hpp"
#include "app/panels/help_pages.hpp"
#include "app/panels/offer.hpp"
#include "app/panels/outside.hpp"
#include "app/panels/path_dialog.hpp"
#include "app/ui/claims.hpp"
#include "app/workbench/teach/claim_pictures.hpp"
#include "app/workbench/window/overlays.hpp"
#include "app/workbench/workbench.hpp"
#include "core/code/code.hpp"

#include <algorithm>
#include <imgui.h>
#include <imgui_internal.h>
#include <utility>

namespace posiscope::workbench {
namespace {

struct ReadingsKey {
    figures::Kept<ScoreInput> input;
    OwnPlace at;
    bool operator==(const ReadingsKey&) const = default;
};

// What the slots of a typed encoding are where the Scene looks.
std::span<const OwnReading> readings_of(figures::Derived& derived, const Scene& scene) {
    if (encoding_of(scene).typed == nullptr) return {};
    using Readings = std::vector<OwnReading>;
    return *derived.part<figures::Memo<ReadingsKey, Readings>>().get(
        {derived.input<ScoreInput>(scene),
         {scene.position, scene.offset, scene.pair, figures::shown_head(scene)}},
        [](const ReadingsKey& of) { return own_readings(*of.input, of.at); });
}

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

// The part of the height that the sidebar has where it stands below the figure.
constexpr float kSheet = 0.46F;

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

// Once, until it is answered or a lesson was opened in another way.
bool offers_lessons(const Workbench& bench) {
    return !bench.preferences.lessons_offered && bench.sizing.with_sidebar() && !bench.lecture.on() &&
           !bench.teaching.guide().open();
}

std::span<const std::string_view> bench_ids() {
    static const std::vector<std::string_view> ids = [] {
        std::vector<std::string_view> made;
        for (const Bench& bench : benches()) made.push_back(bench.id);
        return made;
    }();
    return ids;
}

std::span<const std::string_view> figure_ids() {
    static const std::vector<std::string_view> ids = [] {
        std::vector<std::string_view> made;
        for (const figures::Figure* figure : figures::figures()) made.push_back(figure->id);
        return made;
    }();
    return ids;
}

void play(panels::Playing& playing, Session& session, const Trainer& trainer, float seconds) {
    if (!playing.on) return;
    Scene next = session.scene();
    const auto& shown = trainer.shown();
    if (next.bench == "experiment" && shown)
        panels::advance_step(playing, next, shown->settings.steps, static_cast<double>(seconds));
    else panels::advance(playing, next, static_cast<double>(seconds));
    if (next != session.scene()) session.edit_a(std::move(next));
}

// The cursor, rings around what a lesson speaks of, and until the first drag one around a hand that can be dragged.
void point_out(Workbench& bench, const ui::Look& look) {
    set_cursor(bench.hand.cursor());
    Stage& stage = bench.stage;
    const auto tiles = bench.layout.tiles();
    if (bench.lecture.on()) return;
    if (const lessons::Step* step = bench.teaching.guide().open() ? bench.teaching.guide().step() : nullptr) {
        for (const std::string& point : step->point)
            draw_point(stage.screen, look, point, tiles, stage.seen.handles);
        for (const Rect& area : stage.seen.pointed)
            stage.screen.outline({area.x0 - 10.0F, area.y0 - 30.0F, area.x1 + 10.0F, area.y1 + 10.0F},
                                 {look.theme->ink_soft, 1.5F});
        return;
    }
    if (bench.teaching.on_claims() && bench.teaching.claims().chosen() != nullptr) {
        draw_point(stage.screen, look, bench.teaching.claims().point(), tiles, stage.seen.handles);
        return;
    }
    if (bench.preferences.drag_hint_seen) return;
    bench.preferences.drag_hint_seen = bench.hand.drags();
    if (!bench.hand.drags())
        draw_hint(stage.screen, look, bench_of(bench.session.scene().bench).hint, stage.seen.handles,
                  !bench.sizing.upright());
}

}  // namespace

Requests Workbench::frame(float seconds, float pixels_per_point, const Shown& shown) {
    begin(pixels_per_point);
    const ui::Look look = appearance.look();
    hand.begin(look, lecture.on());
    play(playing, session, training.trainer(), seconds);
    lecture.pass(static_cast<double>(seconds));

    open_ground();
    stage.screen.begin(*ImGui::GetWindowDrawList(), pixels_per_point, shown.part);
    Rect area{0.0F, 0.0F, ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y};
    if (shown.controls) {
        actions_.press_keys(lecture.on() ? panels::kPresenting : panels::kDesktop | panels::kPage);
        if (lecture.on() && lecture.presenting.blank()) {  // dark, until a key brings the picture back
            stage.screen.fill(area, ui::rgb(0), 0.0F);
            ImGui::SetMouseCursor(ImGuiMouseCursor_None);
            hand.end();
            ImGui::End();
            return end();
        }
        area = draw_panels(look, area, false);
        if (lecture.draw_by_hand(area)) host.held = true;
    }
    tiles.draw(look, area, shown);
    hand.end();
    if (hand.field().reverted()) session.retake_words();
    if (shown.controls) point_out(*this, look);
    lecture.draw_over_figures(stage.screen);
    ImGui::End();

    if (shown.controls) draw_overlays(look, area, seconds);
    return end();
}

void Workbench::begin(float pixels_per_point) {
    if (std::exchange(stale_, false)) {
        stage.derived.forget();
        stage.derived_b.forget();
        notes.forget();
        teaching.forget();
    }
    appearance.follow(preferences, pixels_per_point, lecture.on());
    notices.follow(appearance.strings());
    // Holding the key shows B alone.
    session.begin(!ImGui::GetIO().WantTextInput && ImGui::IsKeyDown(ImGuiKey_Backslash));
    training.follow(session.scene(), preferences);
    if (const auto problem = training.trainer().take_problem()) notices.say(*problem);
    for (figures::Derived* derived : {&stage.derived, &stage.derived_b})
        derived->part<figures::learning::Shelf>() = {training.trainer().bank(), training.trainer().old()};
    requests_ = {};
    host.begin();
    lecture.begin();
    stage.seen.clear();
}

// Draws the panels at the edges, or those over everything. Returns the room that remains.
Rect Workbench::draw_panels(const ui::Look& look, Rect area, bool over) {
    const Scene& scene = session.shown();
    const bool presenting = lecture.on(), offering = offers_lessons(*this);
    const figures::Moves moves = moves_in(bench_of(session.scene().bench), layout.alone(), scene);
    panels::ExperimentState experiment = training.state(preferences);
    panels::ToolbarView toolbar{.actions = actions_.list(),
                                .benches = bench_ids(),
                                .figures = figure_ids(),
                                .alone = sizing.alone(),
                                .theme = appearance.theme().name,
                                .sides =
                                    session.b() != nullptr ? std::optional(session.sides()) : std::nullopt,
                                .outside = documents.outside(),
                                .recent = recent_,
                                .picture_scale = preferences.picture_scale};
    teaching.list_own(preferences.lessons);
    panels::SidebarView sidebar{
        .controls = {.spectrum = (session.shows_b() ? stage.derived_b : stage.derived).spectrum(scene),
                     .notes = notes.of(scene, appearance.strings()),
                     .method = notes.method(scene),
                     .readings = readings_of(stage.derived, scene),
                     .position_moves = moves.position,
                     .offset_moves = moves.offset},
        .experiment = experiment,
        .guide = over || presenting ? nullptr : teaching.view(scene, appearance.strings())};
    panels::TimelineView timeline{.playing = playing, .experiment = experiment, .presenting = presenting};
    if (scene.bench == "positions") {
        const Row& row = figures::rows::row_of(stage.derived, scene);
        timeline.moments = {.decoded = row.first_decoded(), .left = row.first_left()};
    }
    const bool reads_tables = over && help.open && help.page == panels::HelpPage::tables;
    panels::HelpView pages{.state = help,
                           .actions = actions_.list(),
                           .tables = reads_tables ? living_tables_.of(scene, appearance.strings())
                                                  : std::span<const panels::LivingTable>()};
    panels::PathView path{.dialog = sharing.asking.path.dialog()};
    panels::ExportState exporting = sharing.dialog();
    const std::string_view exported = exporting.dialog.figure;
    panels::RunningView running{.running = sharing.exports.running()};
    panels::CornerView corner{.experiment = experiment, .above_export = running.running.has_value()};
    panels::Band band = presenting && !over ? lecture.band(appearance.strings()) : panels::Band{};
    panels::NotesView notes_of_step =
        !over && lecture.notes_shown() ? lecture.notes(appearance.strings()) : panels::NotesView{};
    panels::Offer offer;
    panels::Views views;
    views.add(toolbar);
    views.add(sidebar);
    views.add(timeline);
    views.add(pages);
    views.add(path);
    views.add(exporting);
    views.add(running);
    views.add(corner);
    views.add(band);
    views.add(notes_of_step);
    if (over && offering) {
        offer = {.corner = offer_at_, .minutes = teaching.first_minutes()};
        views.add(offer);
    }

    float strip = 0.0F;  // of the timeline
    for (const panels::PanelEntry* entry : panels::panels()) {
        if ((entry->edge == panels::Edge::over) != over) continue;
        if (entry->id == "timeline") strip = entry->size;
        if (entry->id == "timeline" && !moves.position) continue;
        if (entry->id == "notes" && !lecture.notes_shown()) continue;
        if (over) {
            host.draw(look, *entry, views, area);
            continue;
        }
        const bool column = entry->edge == panels::Edge::left && teaching.guide().open() &&
                            teaching.guide().lesson() != nullptr && area.width() >= panels::kLessonWindow;
        const float size = presenting ? entry->presenting : column ? panels::kLessonColumn : entry->size;
        if (size <= 0.0F || (entry->id == "sidebar" && !sizing.with_sidebar())) continue;
        // Opaque and side by side, so no pixel is painted twice.
        const bool below = entry->edge == panels::Edge::left && sizing.upright();
        const Place place =
            below ? cut(panels::Edge::bottom, kSheet * area.height(), area) : cut(entry->edge, size, area);
        const bool page = presenting && entry->size > 0.0F;  // as the picture's own ground
        stage.screen.fill(place.area,
                          page         ? look.theme->tile
                          : presenting ? look.theme->ground
                                       : look.theme->rail,
                          0.0F);
        if (!presenting) stage.screen.fill(place.line, look.theme->border, 0.0F);
        Rect inside = place.area;
        if (entry->edge == panels::Edge::left && offering) {
            offer_at_ = {inside.x0, inside.y1};
            inside.y1 -= panels::Offer::kRoom;
        }
        // A lesson's Next stays where it is when a step has no timeline.
        if (entry->edge == panels::Edge::left && !below && !moves.position && !presenting &&
            teaching.guide().lesson() != nullptr)
            inside.y1 -= strip;
        host.draw(look, *entry, views, inside);
    }

    if (toolbar.menu_opened) recent_ = documents.recent();
    if (running.stop) sharing.exports.stop();
    if (toolbar.chosen) choose(*toolbar.chosen);
    show_of_notes(pages);
    if (path.entered) {
        requests_.typed = true;
        if (path.dialog.purpose == AskPath::For::opening) requests_.open_files = {std::string(*path.entered)};
        else requests_.save_scene = sharing.asking.path.target(*path.entered);
    }
    training.serve(experiment);
    sharing.finish_copying();
    if (band.reveal) (void)lecture.turn(1);
    if (offer.taken != panels::Offer::Taken::nothing) {
        preferences.lessons_offered = true;
        if (auto begun = teaching.take(offer.taken)) session.step(std::move(*begun));
    }
    if (sidebar.guide != nullptr) {
        if (auto shown = teaching.serve(session.scene())) session.step(std::move(*shown));
        if (auto file = teaching.take_file()) requests_.open_files = {std::move(*file)};
        if (auto results = teaching.take_copied()) sharing.copy(std::move(*results), "toast.copied_numbers");
    }
    if (over) sharing.serve(exporting, exported);
    preferences.speed = playing.speed;
    preferences.loop = playing.loop;
    preferences.smooth = playing.smooth;
    return area;
}

void Workbench::choose(const panels::ToolbarView::Chosen& chosen) {
    using From = panels::ToolbarView::Chosen::From;
    Scene next = session.scene();
    switch (chosen.from) {
        case From::benches: navigation.turn_to(chosen.what); break;
        case From::figures: layout.show_alone(chosen.what); break;
        case From::themes: preferences.theme = chosen.what; break;
        case From::sides: {
            const auto names = sides_names();
            show_sides(
                next, static_cast<Sides>(std::find(names.begin(), names.end(), chosen.what) - names.begin()));
            session.edit_a(std::move(next));
            break;
        }
        case From::code:
            sharing.copy(find_code_form(chosen.what)->write(session.shown()), "toast.copied_code");
            break;
        case From::recent: requests_.open_files = {std::string(chosen.what)}; break;
    }
}

// A section or a claim that was chosen in the help.
void Workbench::show_of_notes(const panels::HelpView& chosen) {
    if (!chosen.claim.empty()) {
        teaching.turn_to(panels::GuideTab::claims);
        teaching.claims().choose(chosen.claim);
    }
    const Section* section = chosen.section.empty() ? nullptr : ui::find_section(chosen.section);
    if (section == nullptr) return;
    if (section->opens == "lessons") teaching.turn_to(panels::GuideTab::lessons);
    else if (section->opens == "tables") help = {true, panels::HelpPage::tables};
    else if (section->opens == "experiment") navigation.turn_to(section->opens);
    else session.step(shown(*section));
    layout.show_bench();
}

void Workbench::draw_overlays(const ui::Look& look, Rect area, float seconds) {
    draw_panels(look, area, true);
    sharing.ask_questions(look, area, stage.seen.marks());
    // A tip would cover what is being dragged.
    if (!help.open && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup) && !lecture.holds_back() &&
        !hand.drags() && !lecture.points_at_something())
        draw_tip(stage.screen, look, hand.tip());
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) sharing.room_code.hide();
    sharing.room_code.draw(stage.screen, look, area);
    lecture.draw_pointers(stage.screen, look);
    if (sharing.exports.running()) area.y1 -= 56.0F;  // the running export is in the corner
    draw_notices(stage.screen, look, notices, area);
    notices.pass(seconds);
}

Requests Workbench::end() {
    const bool held = host.held || hand.holds();
    const ImGuiIO& io = ImGui::GetIO();
    const bool gesture =
        gesture_.goes_on(actions_.repeating(), io.MouseWheel != 0.0F || io.MouseWheelH != 0.0F,
                         session.edited(), ImGui::GetTime());
    const Session::Applied applied = session.apply(held, held || gesture || playing.on);
    for (const Problem& moved : applied.said) notices.say(moved, Tone::note);
    if (applied.stepped && !lecture.on()) teaching.judge(session.scene());
    lecture.follow_step();
    layout.apply();
    lecture.end();
    if (const auto missing = appearance.missing_glyph(session.shown().content))
        notices.say({"font.glyph", {{"character", *missing}}}, Tone::note);
    requests_.scene_changed = applied.stepped;
    requests_.held = held || ImGui::IsMouseDown(ImGuiMouseButton_Left);
    requests_.animating = playing.on || hand.changed() || actions_.keep_focus();
    requests_.ticking =  // a gesture ends by a pause, after which there is a frame
        gesture || lecture.clock_shown() || !host.typing.key.empty() || hand.field().active() ||
        !notices.empty() || documents.follows();
    return std::move(requests_);
}

}  // namespace posiscope::workbench
