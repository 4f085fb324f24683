#include "app/workbench/panel_host.hpp"

#include "app/figures/measured/measured.hpp"
#include "app/figures/parts/sentence.hpp"
#include "app/figures/positions/positions.hpp"
#include "app/panels/controls.hpp"
#include "app/panels/question.hpp"
#include "app/panels/slide_bar.hpp"
#include "app/workbench/teach/claim_text.hpp"
#include "app/workbench/workbench.hpp"

#include <algorithm>
#include <imgui.h>

namespace posiscope::workbench {
namespace {

using panels::Edge;

constexpr float kSheetContent = 560.0F;  // points that the sidebar needs where it is below the figure
constexpr float kLeastSheet = 0.3F, kMostSheet = 0.75F;  // of the height
constexpr float kHandle = 18.0F;                         // of the sheet, at its upper edge
constexpr float kLessonShare = 0.57F, kLessonMost = 440.0F, kFigureLeast = 280.0F;  // points

// A lesson's text and answers need more than controls do, and its figure enough to be read.
float lesson_share(float height) {
    const float most = std::min(kLessonShare, kLessonMost / height);
    return std::max(kLeastSheet, std::min(1.0F - kFigureLeast / height, most));
}

struct ReadingsKey {
    figures::Kept<ScoreInput> input;
    OwnPlace at;
    bool operator==(const ReadingsKey&) const = default;
};

// The values of a typed encoding's slots at the Scene's position, offset and pair.
std::span<const OwnReading> readings_of(figures::Derived& derived, const Scene& scene) {
    if (encoding_of(scene).slots.typed == nullptr) return {};
    using Readings = std::vector<OwnReading>;
    return *derived.part<figures::Memo<ReadingsKey, Readings>>().get(
        {derived.input<ScoreInput>(scene),
         {scene.position, scene.offset, scene.pair, figures::shown_head(scene)}},
        [](const ReadingsKey& of) { return own_readings(*of.input, of.at); });
}

// The numbers of the dump that the Scene names, as far as it is measured.
panels::DumpView dump_of(figures::Derived& derived, const Scene& scene) {
    panels::DumpView made;
    const figures::measured::Seen* seen = figures::measured::kept_seen(derived, scene).get();
    if (seen == nullptr) return made;
    made.shape = seen->report.shape_of.shape;
    if (seen->problem) return made;
    const measuring::Measured& measured = seen->measured();
    made.of_scene = seen->of_scene;
    made.rows = measured.rows, made.heads = measured.slices;
    made.pairs = static_cast<std::int64_t>(measured.pairs.size());
    made.row = figures::measured::row_of(scene, measured);
    made.head = figures::measured::slice_of(scene, measured);
    made.pair = std::min(scene.pair, std::max<std::int64_t>(made.pairs, 1) - 1);
    if (made.pairs == 0) return made;
    const measuring::PairMeasured& pair = measured.pairs[static_cast<std::size_t>(made.pair)];
    made.rate = pair.rate, made.expected = pair.expected;
    made.differs = measuring::differs(pair);
    if (const measuring::Beside* beside = seen->beside()) {
        const measuring::NumberBeside number =
            beside->at(made.head * beside->table.rows + made.row, made.pair);
        made.found = number.found, made.wanted = number.wanted, made.rounding = number.rounding;
    }
    return made;
}

// Once, until it is answered or a lesson was opened in another way.
bool offers_lessons(const Workbench& bench) {
    return !bench.preferences.lessons_offered && (bench.sizing.with_sidebar() || bench.sizing.upright()) &&
           !bench.lecture.on() && !bench.teaching.guide().open();
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

float timeline_size() {
    for (const panels::PanelEntry* entry : panels::panels())
        if (entry->id == "timeline") return entry->size;
    return 0.0F;
}

}  // namespace

// The views of the panels, into which these write what somebody chose.
struct PanelHost::FrameViews {
    PanelHost& host;
    const bool over;
    Workbench& bench = host.bench_;
    const Scene& scene = bench.session.shown();
    const Strings& strings = bench.appearance.strings();
    const bool presenting = bench.lecture.on(), offering = offers_lessons(bench);
    const figures::Moves moves = moves_in(bench_of(bench.session.scene().bench), bench.layout, scene);

    panels::DumpView dump =
        scene.bench == "measured"
            ? dump_of(bench.session.shows_b() ? bench.stage.derived_b : bench.stage.derived, scene)
            : panels::DumpView();
    panels::ExperimentState experiment = bench.training.state(bench.preferences);
    panels::ToolbarView toolbar{.actions = bench.actions().list(),
                                .benches = bench_ids(),
                                .figures = figure_ids(),
                                .alone = bench.sizing.alone(),
                                .theme = bench.appearance.theme().name,
                                .folded = bench.sizing.folded(),
                                .sides = bench.session.b() != nullptr ? std::optional(bench.session.sides())
                                                                      : std::nullopt,
                                .outside = bench.documents.outside(),
                                .recent = host.recent,
                                .picture_scale = bench.preferences.picture_scale};
    panels::SidebarView sidebar{
        .controls = {.spectrum = (bench.session.shows_b() ? bench.stage.derived_b : bench.stage.derived)
                                     .spectrum(scene),
                     .notes = bench.notes.of(scene, strings),
                     .method = bench.notes.method(scene),
                     .readings = readings_of(bench.stage.derived, scene),
                     .position_moves = moves.position,
                     .offset_moves = moves.offset,
                     .dump = scene.bench == "measured" ? &dump : nullptr},
        .experiment = experiment,
        .guide = over || presenting ? nullptr : bench.teaching.view(scene, strings)};
    panels::TimelineView timeline{
        .playing = bench.playing, .experiment = experiment, .presenting = presenting};
    panels::HelpView help{.state = bench.help,
                          .actions = bench.actions().list(),
                          .tables = over && bench.help.open && bench.help.page == panels::HelpPage::tables
                                        ? host.living_tables_.of(scene, strings)
                                        : std::span<const panels::LivingTable>()};
    panels::FindView find{.state = host.find_,
                          .rows = over && host.find_.open ? host.finder_.rows(host.find_.text.data(), strings)
                                                          : std::span<const panels::FindRow>()};
    panels::PathView path{.dialog = bench.sharing.asking.path.dialog()};
    panels::ExportState exporting = bench.sharing.dialog();
    const std::string_view exported = exporting.dialog.figure;  // before the dialog is drawn
    panels::RunningView running{.running = bench.sharing.exports.running()};
    panels::CornerView corner{.experiment = experiment, .above_export = running.running.has_value()};
    panels::Band band = presenting && !over ? bench.lecture.band(strings) : panels::Band{};
    panels::SlideBar slide{.band = band,
                           .timeline = timeline,
                           .actions = bench.actions().list(),
                           .shown = bench.lecture.bar_shown(),
                           .moves = moves.position,
                           .notes = bench.lecture.notes_shown(),
                           .drawing = bench.lecture.presenting.drawing.on,
                           .laser = bench.lecture.laser_stays()};
    panels::NotesView notes = !over && (bench.lecture.notes_shown() || bench.lecture.map_shown())
                                  ? bench.lecture.notes(strings)
                                  : panels::NotesView{};
    panels::Offer offer{};
    panels::Views views{};

    void list_views() {
        const auto add = [this](auto&... view) { (views.add(view), ...); };
        add(toolbar, sidebar, timeline, help, path, exporting, running, corner, band, slide, notes, find);
        if (over && offering) add(offer);
    }
};

Rect PanelHost::draw_around(const ui::Look& look, Rect area, const std::function<void(Rect)>& draw_figures) {
    bench_.teaching.list_own(bench_.preferences.lessons);
    FrameViews frame{*this, false};
    if (frame.scene.bench == "positions") {
        const Row& row = figures::rows::row_of(bench_.stage.derived, frame.scene);
        frame.timeline.moments = {.decoded = row.first_decoded(), .left = row.first_left()};
    }
    if (frame.offering && bench_.sizing.upright()) {
        offer_room_ = area.cut_bottom(panels::Offer::kRoom);
        bench_.stage.screen.fill(offer_room_, look.theme->rail, 0.0F);
    }
    frame.list_views();
    std::array<Place, 4> below;  // the figures, from the lowest up
    std::size_t count = 0;
    for (const panels::PanelEntry* entry : panels::panels()) {
        if (entry->edge == Edge::over || (entry->id == "timeline" && !frame.moves.position)) continue;
        if (entry->id == "notes" && !bench_.lecture.notes_shown() && !bench_.lecture.map_shown()) continue;
        const Place place = cut(*entry, frame, area);
        if (place.entry == nullptr) continue;
        if (place.below) below.at(count++) = place;
        else draw_at_edge(look, place, frame);
    }
    draw_figures(area);
    while (count > 0) draw_at_edge(look, below.at(--count), frame);
    apply_panel_output(frame);
    return area;
}

void PanelHost::draw_over(const ui::Look& look, Rect area) {
    FrameViews frame{*this, true};
    if (frame.offering) frame.offer = {.room = offer_room_, .minutes = bench_.teaching.first_minutes()};
    frame.list_views();
    for (const panels::PanelEntry* entry : panels::panels())
        if (entry->edge == Edge::over) draw_one(look, *entry, frame, area);
    apply_panel_output(frame);
}

// Cuts a panel off its edge of the room; none is shown where it has no size.
PanelHost::Place PanelHost::cut(const panels::PanelEntry& entry, const FrameViews& frame, Rect& room) const {
    const Guide& guide = bench_.teaching.guide();
    const bool left = entry.edge == Edge::left, lesson = guide.open() && guide.lesson() != nullptr;
    const float size = frame.presenting                                          ? entry.presenting
                       : left && lesson && room.width() >= panels::kLessonWindow ? panels::kLessonColumn
                                                                                 : entry.size;
    if (size <= 0.0F || (entry.id == "sidebar" && !bench_.sizing.with_sidebar())) return {};
    const Rect whole = room;
    if (entry.edge == Edge::top) {
        const Rect area = room.cut_top(size);
        return {&entry, area, {area.x0, area.y1 - 1.0F, area.x1, area.y1}, whole};
    }
    if (left && !bench_.sizing.upright()) {
        const Rect area = room.cut_left(std::min(size, 0.4F * room.width()));
        return {&entry, area, {area.x1 - 1.0F, area.y0, area.x1, area.y1}, whole};
    }
    const float sheet = lesson ? lesson_sheet_.value_or(lesson_share(room.height())) : sheet_;
    const Rect area = room.cut_bottom(left ? sheet * room.height() : size);
    return {&entry, area, {area.x0, area.y0, area.x1, area.y0 + 1.0F}, whole, true};
}

// Opaque and side by side, so no pixel is painted twice.
void PanelHost::draw_at_edge(const ui::Look& look, const Place& place, const FrameViews& frame) {
    const Guide& guide = bench_.teaching.guide();
    const bool left = place.entry->edge == Edge::left, lesson = guide.open() && guide.lesson() != nullptr;
    const bool page = bench_.lecture.on_one_figure();  // as the picture's own ground
    canvas::Screen& screen = bench_.stage.screen;
    screen.fill(place.area,
                page               ? look.theme->tile
                : frame.presenting ? look.theme->ground
                                   : look.theme->rail,
                0.0F);
    if (!frame.presenting) screen.fill(place.line, look.theme->border, 0.0F);
    Rect inside = place.area;
    if (left && place.below)
        if (const auto dragged = drag_sheet(look, inside.cut_top(kHandle), place.whole)) {
            if (lesson) lesson_sheet_ = dragged;
            else sheet_ = *dragged;
        }
    if (left && !place.below && frame.offering) offer_room_ = inside.cut_bottom(panels::Offer::kRoom);
    // A lesson's Next stays where it is when a step has no timeline.
    if (left && !place.below && !frame.moves.position && !frame.presenting && guide.lesson() != nullptr)
        inside.y1 -= timeline_size();
    draw_one(look, *place.entry, frame, inside);
}

// The upper edge of what lies below the figure is dragged by its handle: the share of the height that it takes then.
std::optional<float> PanelHost::drag_sheet(const ui::Look& look, Rect edge, Rect whole) {
    const Point middle = edge.centre();
    constexpr float kReach = 48.0F;
    ImGui::SetCursorScreenPos({middle.x - kReach, edge.y0});
    ImGui::InvisibleButton("##sheet", {2.0F * kReach, edge.height()});
    const bool dragged = ImGui::IsItemActive();
    if (dragged || ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    bench_.stage.screen.fill({middle.x - 20.0F, middle.y - 2.0F, middle.x + 20.0F, middle.y + 2.0F},
                             dragged ? look.theme->ink : look.theme->ink_faint, 2.0F);
    if (!dragged) return std::nullopt;
    held = true;
    const float height = whole.y1 - ImGui::GetIO().MousePos.y + 0.5F * kHandle;
    return std::clamp(height / whole.height(), kLeastSheet, kMostSheet);
}

void PanelHost::draw_one(const ui::Look& look, const panels::PanelEntry& entry, const FrameViews& frame,
                         Rect area) {
    Session& session = bench_.session;
    panels::Panel panel{.look = look,
                        .scene = frame.scene,
                        .settled = session.shown_settled(),
                        .typing = typing,
                        .commands = &commands_,
                        .marks = bench_.stage.seen.marks(),
                        .formulas = &formulas};
    const Guide& guide = bench_.teaching.guide();
    if (entry.edge == Edge::left && guide.open() && guide.step() != nullptr) {
        panel.points = guide.step()->point;
        panel.pointed = &bench_.stage.seen.pointed;
    }
    if (entry.scrolls) {
        ImGui::SetCursorScreenPos({area.x0, area.y0});
        ImGui::PushID(entry.id.data(), entry.id.data() + entry.id.size());
        if (ImGui::BeginChild("##panel", {area.width() - 1.0F, area.height()}, ImGuiChildFlags_NavFlattened,
                              ImGuiWindowFlags_NoBackground)) {
            ImGui::GetWindowDrawList()->_FringeScale = 1.0F / look.pixels_per_point;
            Rect inside{area.x0, area.y0 - ImGui::GetScrollY(), area.x1, area.y1};
            // Below the figure the controls have less height than they need, and scroll; a lesson scrolls by itself.
            if (bench_.sizing.upright() && !guide.open())
                inside.y1 = inside.y0 + std::max(area.height(), kSheetContent);
            entry.draw(panel, frame.views, inside);
        }
        ImGui::EndChild();
        ImGui::PopID();
    } else {
        entry.draw(panel, frame.views, area);
    }
    held = held || panel.held;
    if (panel.next) session.edit(std::move(*panel.next), std::move(panel.adjusted));
    else if (!panel.adjusted.empty()) session.edit_a(session.scene(), std::move(panel.adjusted));
}

void PanelHost::apply_panel_output(FrameViews& frame) {
    Sharing& sharing = bench_.sharing;
    sharing.finish_copying();
    if (frame.sidebar.guide != nullptr)
        if (auto deck = bench_.teaching.take_deck()) bench_.session.step(std::move(*deck));
    if (frame.over) sharing.follow_export_dialog(frame.exported);
    for (panels::Command& command : std::exchange(commands_, {})) bench_.carry_out(std::move(command));
    bench_.preferences.speed = bench_.playing.speed;
    bench_.preferences.loop = bench_.playing.loop;
    bench_.preferences.smooth = bench_.playing.smooth;
}

void PanelHost::find_anything() {
    find_ = {.open = true, .fresh = true, .text = {}, .chosen = 0};
    finder_.list(bench_.session.shown(), bench_.actions().list(), bench_.appearance.strings());
}

}  // namespace posiscope::workbench
