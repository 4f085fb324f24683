// tiles.cpp — dividers, and a tile with its figure.
#include "app/workbench/window/tiles.hpp"
#include "app/figures/experiment/experiment.hpp"
#include "app/figures/parts/guarded.hpp"
#include "app/figures/parts/headline.hpp"
#include "app/figures/trace/trace.hpp"
#include "app/ui/lines.hpp"
#include "app/workbench/share/caption.hpp"
#include "app/workbench/share/copy_numbers.hpp"
#include "app/workbench/workbench.hpp"

#include <imgui.h>
#include <imgui_internal.h>

namespace posiscope::workbench {
namespace {

// A figure that cannot subtract overlays B; one that cannot overlay shows A.
Sides sides_of(const figures::Figure& figure, Sides asked) {
    if (asked == Sides::difference && figure.subtracts) return asked;
    const bool joint = asked == Sides::difference || asked == Sides::overlay;
    return joint ? (figure.overlays ? Sides::overlay : Sides::a) : asked;
}

bool is_shown(const Layout& layout, std::string_view figure) {
    return std::ranges::find(layout.tiles(), figure, &Tile::figure) != layout.tiles().end();
}

bool shows(const Part& part, std::string_view figure) {
    if (part.first == nullptr) return part.figure == figure;
    return shows(*part.first, figure) || shows(*part.second, figure);
}

figures::Moves moves_in(const Part& part, const Part& whole, const SpectrumInput& scene) {
    if (part.first != nullptr) {
        const figures::Moves a = moves_in(*part.first, whole, scene),
                             b = moves_in(*part.second, whole, scene);
        return {a.position || b.position, a.offset || b.offset};
    }
    const figures::Figure& figure = *figures::find_figure(part.figure);
    if (figures::applies(figure, scene)) return figure.moves;
    const std::size_t taken = shows(whole, figure.stand_in[0]) ? 1 : 0;
    return figures::find_figure(figure.stand_in[taken])->moves;
}

}  // namespace

void stand_in(Layout& layout, const SpectrumInput& scene) {
    for (std::size_t i = 0; i < layout.tiles().size(); ++i) {
        const figures::Figure& figure = *figures::find_figure(layout.tiles()[i].figure);
        if (figures::applies(figure, scene)) continue;
        for (const std::string_view other : figure.stand_in)
            if (!is_shown(layout, other)) {
                layout.show_in(i, other);
                break;
            }
    }
}

figures::Moves moves_in(const Bench& bench, std::string_view alone, const SpectrumInput& scene) {
    return alone.empty() ? moves_in(*bench.layout, *bench.layout, scene) : figures::find_figure(alone)->moves;
}

void Workbench::divide(Rect room, const Shown& shown) {
    // A figure that fills an image needs no margin; one that is presented alone has that of the page.
    if (controls.presenting.on() && !layout.alone().empty())
        return layout.give_all(layout.alone(), {room.x0 + 12.0F, room.y0, room.x1 - 12.0F, room.y1});
    if (shown.figure.empty() || shown.controls) room = room.grown(-kGap);
    const std::string_view alone = shown.figure.empty() ? this->alone() : shown.figure;
    if (!alone.empty()) return layout.give_all(alone, room);
    const Bench& bench = bench_of(session.scene().bench);
    std::vector<double>& ratios = preferences.splits[std::string(bench.id)];
    layout.divide(bench, room, ratios);
    stand_in(layout, session.shown());
    if (shown.controls) drag_dividers(ratios);
}

void Workbench::drag_dividers(std::vector<double>& ratios) {
    for (const Divider& divider : layout.dividers()) {
        ImGui::PushID(static_cast<int>(divider.index));
        ImGui::SetCursorScreenPos({divider.area.x0, divider.area.y0});
        ImGui::InvisibleButton("##divider",
                               {std::max(divider.area.width(), 1.0F), std::max(divider.area.height(), 1.0F)});
        const bool active = ImGui::IsItemActive();
        if (active || ImGui::IsItemHovered()) {
            ImGui::SetMouseCursor(divider.across ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
            const Point c = divider.area.centre();
            const Rect bar = divider.across ? Rect{c.x - 1.5F, c.y - 18.0F, c.x + 1.5F, c.y + 18.0F}
                                            : Rect{c.x - 18.0F, c.y - 1.5F, c.x + 18.0F, c.y + 1.5F};
            stage_.screen.fill(bar, appearance.theme().ink_faint, 1.5F);
        }
        if (active) {
            const ImVec2 mouse = ImGui::GetIO().MousePos;
            ratios[divider.index] = divider.ratio_at({mouse.x, mouse.y});
        }
        if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) ratios.clear();
        ImGui::PopID();
    }
}

// The views of a figure, to choose from; whether one was chosen.
bool Workbench::mode_items(const ui::Look& look, const figures::Figure& figure, Scene& next) {
    const std::string_view now = figures::mode(figure, next);
    std::string_view chosen;
    for (const std::string_view mode : figure.modes(next)) {
        // A mode that begins a group has the group's name.
        const std::string_view group = look.scratch->format("figure.{}.group.{}", figure.id, mode);
        if (look.strings->contains(group)) ImGui::SeparatorText(look.c(look.text(group)));
        if (ImGui::MenuItem(look.c(look.text(look.scratch->format("figure.{}.mode.{}", figure.id, mode))),
                            nullptr, mode == now))
            chosen = mode;
    }
    if (chosen.empty()) return false;
    Json kept = Json::object();
    kept["mode"] = std::string(chosen);
    next.view[std::string(figure.id)] = kept;  // another mode has other axes: its view starts whole
    return true;
}

// The name of the view, which opens the list of them.
void Workbench::mode_name(const ui::Look& look, const figures::Figure& figure, Rect area) {
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    if (ImGui::InvisibleButton("##mode", {std::max(1.0F, area.width()), std::max(1.0F, area.height())}))
        ImGui::OpenPopup("modes");
    if (ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        stage_.screen.fill({area.x0 + 10.0F, area.y1 - 5.0F, area.x1 - 4.0F, area.y1 - 4.0F},
                           look.theme->ink_soft, 0.0F);
    }
    if (seen.with_controls) seen.controls.push_back({fmt::format("mode:{}", figure.id), area});
    if (!ImGui::BeginPopup("modes")) return;
    Scene next = session.shown();
    if (mode_items(look, figure, next)) session.edit(std::move(next));
    ImGui::EndPopup();
}

void Workbench::tile_menu(const ui::Look& look, const figures::Figure& figure) {
    if (!ImGui::BeginPopup("tile")) return;
    const Scene& scene = session.shown();
    Scene next = scene;
    bool changed = false;
    if (figure.modes != nullptr) {
        ImGui::TextDisabled("%s", look.c(look.text("tile.shows")));
        changed = mode_items(look, figure, next);
        ImGui::Separator();
    }
    if (ImGui::MenuItem(look.c(look.text("tile.reset_view")), nullptr, false,
                        scene.view.contains(std::string(figure.id)))) {
        next.view.erase(std::string(figure.id));
        changed = true;
    }
    if (ImGui::MenuItem(look.c(look.text(layout.alone().empty() ? "tile.alone" : "tile.back"))))
        layout.toggle(figure.id);
    ImGui::Separator();
    if (ImGui::MenuItem(look.c(look.text("action.export_as")))) ask_export(figure.id);
    copy_menu(look, figure);
    ImGui::Separator();
    panels::prose(look, look.text(look.scratch->format("figure.{}.explain", figure.id)), 330.0F,
                  look.theme->ink_soft);
    ImGui::EndPopup();
    if (changed) session.edit(std::move(next));
}

// The copy items of a figure's menu, for what was under the mouse when it opened.
void Workbench::copy_menu(const ui::Look& look, const figures::Figure& figure) {
    if (ImGui::MenuItem(look.c(look.text("copy.picture")))) requests_.copy_picture = figure.id;
    const std::string& value = stage_.menu_value;
    if (!value.empty() && stage_.menu_link != figures::Link{} &&
        ImGui::MenuItem(look.c(look.format("trace.menu", fmt::arg("value", value)))))
        trace(stage_.menu_link);
    if (!value.empty() && ImGui::MenuItem(look.c(look.format("copy.value", fmt::arg("value", value)))))
        copy(value, "toast.copied_value");
    if (figures::numbers_of(figure, session.shown()) == nullptr) return;
    if (line_of(figure, session.shown(), stage_.menu_link) && ImGui::MenuItem(look.c(look.text("copy.line"))))
        copy_numbers(figure, true);
    if (ImGui::MenuItem(look.c(look.text("copy.numbers")))) copy_numbers(figure, false);
}

// Shows in Trace where the number under the mouse comes from.
void Workbench::trace(const figures::Link& link) {
    Scene next = figures::traced(session.shown(), link);
    next.bench = "debug";
    if (!layout.alone().empty()) layout.toggle(layout.alone());
    session.edit(std::move(next));
}

// The clickable title and menu button.
void Workbench::tile_controls(const ui::Look& look, const figures::Figure& figure, Rect head, float title_end,
                              float mode_end) {
    canvas::Screen& screen = stage_.screen;
    if (mode_end > title_end)
        mode_name(look, figure, {title_end + 4.0F, head.y0 - 4.0F, mode_end + 4.0F, head.y0 + 20.0F});
    ImGui::SetCursorScreenPos({head.x0 - 4.0F, head.y0 - 6.0F});
    ImGui::InvisibleButton("##title", {title_end - head.x0 + 10.0F, 26.0F});
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        layout.toggle(figure.id);
    info_button(look, figure, {head.x1 - 40.0F, head.y0 + 7.0F});
    ImGui::SetCursorScreenPos({head.x1 - 22.0F, head.y0 - 6.0F});
    if (ImGui::InvisibleButton("##more", {30.0F, 26.0F})) {
        stage_.menu_link = {};
        stage_.menu_value.clear();
        ImGui::OpenPopup("tile");
    }
    if (ImGui::IsItemHovered())
        screen.fill({head.x1 - 22.0F, head.y0 - 6.0F, head.x1 + 8.0F, head.y0 + 20.0F}, look.theme->control,
                    5.0F);
    for (int dot = -1; dot <= 1; ++dot)
        screen.disc({head.x1 - 7.0F + 5.0F * static_cast<float>(dot), head.y0 + 7.0F}, 1.5F,
                    look.theme->ink_soft);
    tile_menu(look, figure);
}

void Workbench::draw_tile(const ui::Look& look, const Tile& tile, const Shown& shown) {
    const figures::Figure* figure = figures::find_figure(tile.figure);
    if (figure == nullptr || tile.area.width() < 40.0F || tile.area.height() < 40.0F) return;
    const ui::Theme& theme = *look.theme;
    canvas::Canvas& canvas = shown.on != nullptr ? *shown.on : stage_.screen;
    ImGui::PushID(figure->id.data(), figure->id.data() + figure->id.size());
    if (shown.figure.empty() && shown.transparent) {
        canvas.outline(tile.area.grown(-0.5F), {theme.border, 1.0F});
    } else if (shown.figure.empty() && shown.on != nullptr) {
        canvas.fill(tile.area, theme.border, 7.0F);
        canvas.fill(tile.area.grown(-1.0F), theme.tile, 6.0F);
    } else if (controls.presenting.on() && !layout.alone().empty()) {
        stage_.screen.fill(tile.area, theme.tile, 0.0F);
    } else if (shown.figure.empty()) {  // a figure that is exported alone is the page itself
        stage_.screen.card(tile.area, theme.tile, theme.border, 7.0F);
    }

    Rect inside = tile.area.grown(-16.0F);
    inside.y0 -= 4.0F;
    const figures::Pointer pointer = hand.pointer_over(tile.area, "##tile");
    if (pointer.inside) hand.rest_on(figure->id);
    if (pointer.pressed && controls.panning)
        hand.grip() = {figure->id, "pan", pointer.at, session.shown(), 0.0, 0.0};
    const bool live = shown.controls;

    Rect head = inside.cut_top(20.0F);
    const std::string_view name = look.text(look.scratch->format("figure.{}.name", figure->id));
    canvas.text({head.x0, head.y0 + 13.0F}, name, {theme.ink, 16.0F, ui::Face::strong});
    const float name_end = head.x0 + canvas.text_width(name, ui::Face::strong, 16.0F);
    float title_end = name_end;
    const std::string_view mode = figures::mode(*figure, session.shown());
    if (!mode.empty()) {
        const std::string_view said = look.scratch->format(
            "·  {}", look.text(look.scratch->format("figure.{}.mode.{}", figure->id, mode)));
        canvas.text({title_end + 8.0F, head.y0 + 13.0F}, said,
                    {theme.ink_soft, ui::kSmallSize, ui::Face::text});
        title_end += 8.0F + canvas.text_width(said, ui::Face::text, ui::kSmallSize);
    }
    const float mode_end = title_end;
    const Sides sides = sides_of(*figure, session.sides());
    const bool both = sides == Sides::overlay || sides == Sides::difference;
    if (session.b() != nullptr) {
        constexpr std::array<std::string_view, 4> kTags = {"A", "B", "A + B", "B − A"};
        const std::string_view tag = kTags[static_cast<std::size_t>(sides)];
        const float width = canvas.text_width(tag, ui::Face::strong, ui::kSmallSize);
        canvas.fill({title_end + 10.0F, head.y0 - 1.0F, title_end + 22.0F + width, head.y0 + 18.0F},
                    theme.control, 9.0F);
        canvas.text({title_end + 16.0F, head.y0 + 13.0F}, tag, {theme.ink, ui::kSmallSize, ui::Face::strong});
        title_end += 24.0F + width;
    }
    const bool presented = controls.presenting.on();
    if (!live || presented) {  // a picture tells what it is of, wherever it ends up
        const canvas::TextStyle style{theme.ink_soft, ui::kSmallSize, ui::Face::text, canvas::Align::right};
        if (!both) {
            const std::string_view said = figures::learning::is_of_experiment(figure->id)
                                              ? experiment_caption(look, session.shown())
                                              : caption(look, session.shown());
            const bool beside =
                title_end + 12.0F + canvas.text_width(said, ui::Face::text, ui::kSmallSize) <= head.x1;
            // A narrow tile of a bench leaves it to the others.
            const bool page = !shown.figure.empty() || (presented && !layout.alone().empty());
            if (beside || page) canvas.text({head.x1, head.y0 + (beside ? 13.0F : 31.0F)}, said, style);
            if (!beside && page) inside.cut_top(18.0F);
        } else {
            const std::string_view of_a = look.scratch->format("A  {}", caption(look, session.scene())),
                                   of_b = look.scratch->format("B  {}", caption(look, *session.b()));
            const float widest = std::max(canvas.text_width(of_a, style.face, style.size),
                                          canvas.text_width(of_b, style.face, style.size));
            const bool beside = title_end + 12.0F + widest <= head.x1;
            const float first = head.y0 + (beside ? 13.0F : 31.0F);
            if (beside || !shown.figure.empty()) {
                canvas.text({head.x1, first}, of_a, style);
                canvas.text({head.x1, first + 18.0F}, of_b, style);
                inside.cut_top(beside ? 18.0F : 36.0F);
            }
        }
    } else {
        tile_controls(look, *figure, head, name_end, mode_end);
    }

    const Scene& scene = session.shown();
    const figures::Other other{session.b() != nullptr ? *session.b() : scene, stage_.derived_b,
                               sides == Sides::difference};
    figures::Frame frame{.canvas = canvas,
                         .theme = theme,
                         .strings = *look.strings,
                         .scratch = *look.scratch,
                         .derived = session.shows_b() ? stage_.derived_b : stage_.derived,
                         .scene = scene,
                         .link = hand.link(),
                         .pointer = live ? &pointer : nullptr,
                         .grip = live ? &hand.grip() : nullptr,
                         .field = live ? &hand.field() : nullptr,
                         .other = both ? &other : nullptr,
                         .next = {},
                         .hovered = {},
                         .tip = {},
                         .cursor = figures::Cursor::arrow,
                         .marks = &seen.handles,
                         .figure = figure->id,
                         .mode = mode,
                         .ahead = scene.bench == "experiment" ? 0.0 : controls.playing.ahead()};
    const auto draw = [&] {
        const canvas::Clip clip(canvas, tile.area.grown(-1.0F));
        // The tiles of a bench that is presented have no room for theirs: without a lesson the band has one.
        const bool lesson = controls.teaching.guide().lesson() != nullptr;
        const bool in_band = presented && (!lesson || layout.alone().empty());
        const std::string_view headline =
            in_band ? figures::headline(*figure, frame) : figures::headline(*figure, frame, inside.width());
        seen.headlines.push_back(headline);
        const bool said = seen.headlines.size() == 1 || hand.hovered() == figure->id;
        if (in_band && said && !holds_back()) controls.next_headline = headline;
        const canvas::TextStyle style{theme.ink_soft, figures::kHeadlineSize, ui::Face::text};
        if (!headline.empty() && holds_back() && !in_band) {
            if (live) canvas.text({inside.x0, inside.y0 + 17.5F}, "…", style);
            inside.cut_top(3.0F + 1.4F * style.size *
                                      static_cast<float>(ui::line_count(canvas, headline, style.face,
                                                                        style.size, inside.width())));
        }
        if (!headline.empty() && !holds_back() && !in_band)
            inside.cut_top(3.0F +
                           canvas.paragraph({inside.x0, inside.y0 + 3.0F}, headline, style, inside.width()));
        if (sides != session.sides())  // why it does not show what was asked for
            inside.cut_top(
                3.0F +
                canvas.paragraph({inside.x0, inside.y0 + 3.0F},
                                 look.text(look.scratch->format(
                                     "figure.{}.{}", figure->id,
                                     session.sides() == Sides::overlay ? "no_overlay" : "no_difference")),
                                 {theme.ink_soft, ui::kSmallSize, ui::Face::text}, inside.width()));
        if (live && !presented) draw_info(look, *figure, inside);
        inside.cut_top(4.0F);
        figure->draw(frame, inside);
    };
    if (live) figures::guarded(frame, inside, draw);
    else draw();  // a picture that is not what was asked for is worse than none

    if (live && pointer.inside && !pointer.down && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
        stage_.menu_link = frame.hovered;
        const std::string_view value = frame.tip.value;
        stage_.menu_value = value.starts_with("= ") ? value.substr(2) : value;
        ImGui::OpenPopup("tile");
    }
    if (frame.next) session.edit(std::move(*frame.next));
    hand.take(frame);
    ImGui::PopID();
}

}  // namespace posiscope::workbench
