// tiles.cpp — dividers, and a tile with its figure.
#include "app/workbench/tiles.hpp"
#include "app/figures/experiment/experiment.hpp"
#include "app/figures/matrix/matrix.hpp"
#include "app/figures/measured/measured.hpp"
#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/headline.hpp"
#include "app/figures/rotations/rotations.hpp"
#include "app/figures/trace/trace.hpp"
#include "app/panels/widgets.hpp"
#include "app/ui/lines.hpp"
#include "app/workbench/share/caption.hpp"
#include "app/workbench/share/copy_numbers.hpp"

#include <imgui.h>

namespace posiscope::workbench {
namespace {

constexpr float kHeadline = 16.0F, kLargeHeadline = 18.0F;  // points
constexpr float kLarge = 480.0F;                            // the height of a tile from which on it is large

constexpr float kSigns = 52.0F;  // of a tile's title: room for ⓘ and the menu's button

// A figure that cannot subtract overlays B; one that cannot overlay shows A.
Sides sides_of(const figures::Figure& figure, Sides asked) {
    if (asked == Sides::difference && figure.subtracts) return asked;
    const bool joint = asked == Sides::difference || asked == Sides::overlay;
    return joint ? (figure.overlays ? Sides::overlay : Sides::a) : asked;
}

figures::Moves moves_in(const Part& part, const SpectrumInput& scene) {
    if (part.first != nullptr) {
        const figures::Moves a = moves_in(*part.first, scene), b = moves_in(*part.second, scene);
        return {a.position || b.position, a.offset || b.offset};
    }
    const figures::Figure& figure = *figures::find_figure(part.figure);
    return figures::applies(figure, scene) ? figure.moves : figures::Moves{false, false};
}

}  // namespace

bool two_lines(Rect tile) { return tile.height() > kLarge && tile.width() < 700.0F; }

figures::Moves moves_in(const Bench& bench, const Layout& layout, const SpectrumInput& scene) {
    if (layout.alone().empty()) return moves_in(*bench.layout, scene);
    figures::Moves moves = figures::find_figure(layout.alone())->moves;
    if (const figures::Figure* beside = figures::find_figure(layout.beside()))
        moves = {moves.position || beside->moves.position, moves.offset || beside->moves.offset};
    return moves;
}

struct Tiles::One {
    const ui::Look& look;
    const figures::Figure& figure;
    const Shown& shown;
    canvas::Canvas& canvas;
    Rect area;
    Rect inside, head{};  // the figure's room; the row of its title
    std::string_view mode;
    Sides sides;                                               // that it shows of those that are asked for
    panels::Panel& panel;                                      // of its controls
    float name_end = 0.0F, mode_end = 0.0F, title_end = 0.0F;  // in the row of the title

    bool live() const { return shown.controls; }  // in the window, and not a picture
    bool both() const { return sides == Sides::overlay || sides == Sides::difference; }
};

// Takes the room that the words need.
void Tiles::write_below(const ui::Look& look, const Shown& shown, Rect& room) {
    constexpr float size = 15.0F, line = 1.4F * size, margin = 16.0F;
    canvas::Canvas& canvas = shown.on != nullptr ? *shown.on : stage_.screen;
    const float width = room.width() - 2.0F * margin;
    const auto each_paragraph = [&](auto visit) {
        for (std::string_view rest = shown.below; !rest.empty();) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            visit(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    };
    int lines = 0;
    each_paragraph(
        [&](std::string_view words) { lines += ui::line_count(canvas, words, ui::Face::text, size, width); });
    Rect area = room.cut_bottom(line * static_cast<float>(lines) + margin);
    canvas.line({area.x0 + margin, area.y0}, {area.x1 - margin, area.y0}, {look.theme->border, 1.0F});
    area.cut_top(0.5F * margin);
    each_paragraph([&](std::string_view words) {
        area.cut_top(canvas.paragraph({area.x0 + margin, area.y0}, words, {look.theme->ink, size}, width));
    });
}

void Tiles::divide(const ui::Look& look, Rect room, const Shown& shown) {
    // A figure that fills an image needs no margin; one that is presented alone has that of the page.
    if (lecture_.on_one_figure())
        return layout_.give_all(layout_.alone(), {room.x0 + 12.0F, room.y0, room.x1 - 12.0F, room.y1});
    if (shown.figure.empty() || shown.controls) room = room.grown(sizing_.upright() ? -0.5F * kGap : -kGap);
    const std::string_view alone = shown.figure.empty() ? sizing_.alone() : shown.figure;
    if (!alone.empty() && shown.figure.empty() && !layout_.beside().empty())
        return layout_.halve(alone, layout_.beside(), room);
    if (!alone.empty()) return layout_.give_all(alone, room);
    const bool rotation = session_.scene().bench == "measured" &&
                          figures::measured::is_rotation(stage_.derived, session_.scene());
    const Bench& bench = rotation ? bench_of_rotation() : bench_of(session_.scene().bench);
    std::vector<double>& ratios = preferences_.splits[std::string(bench.id)];
    layout_.divide(bench, room, ratios, [this](std::string_view figure) {
        return figures::applies(*figures::find_figure(figure), session_.shown());
    });
    if (shown.controls) drag_dividers(look, ratios);
}

void Tiles::drag_dividers(const ui::Look& look, std::vector<double>& ratios) {
    for (const Divider& divider : layout_.dividers()) {
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
            stage_.screen.fill(bar, (*look.theme).ink_faint, 1.5F);
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
bool Tiles::mode_items(const ui::Look& look, const figures::Figure& figure, Scene& next) {
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
void Tiles::mode_name(const One& one, Rect area) {
    const ui::Look& look = one.look;
    const figures::Figure& figure = one.figure;
    const panels::Pressed pressed =
        panels::press(one.panel, area, look.scratch->format("mode:{}", figure.id));
    if (pressed.clicked) ImGui::OpenPopup("modes");
    if (pressed.hovered)
        panels::fill({area.x0 + 10.0F, area.y1 - 5.0F, area.x1 - 4.0F, area.y1 - 4.0F}, look.theme->ink_soft);
    const panels::MenuRows rows;
    if (!ImGui::BeginPopup("modes")) return;
    Scene next = session_.shown();
    if (mode_items(look, figure, next)) session_.edit(std::move(next));
    ImGui::EndPopup();
}

void Tiles::menu(const ui::Look& look, const figures::Figure& figure) {
    const panels::MenuRows rows;
    if (!ImGui::BeginPopup("tile")) return;
    const Scene& scene = session_.shown();
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
    if (ImGui::MenuItem(look.c(look.text(layout_.alone().empty() ? "tile.alone" : "tile.back"))))
        layout_.toggle(figure.id);
    ImGui::Separator();
    if (ImGui::MenuItem(look.c(look.text("action.export_as")))) sharing_.ask_export(figure.id);
    copy_items(look, figure);
    ImGui::Separator();
    panels::prose(look, look.text(look.scratch->format("figure.{}.explain", figure.id)), 330.0F,
                  look.theme->ink_soft);
    ImGui::EndPopup();
    if (changed) session_.edit(std::move(next));
}

// The copy items of a figure's menu, for what was under the mouse when it opened.
void Tiles::copy_items(const ui::Look& look, const figures::Figure& figure) {
    if (ImGui::MenuItem(look.c(look.text("copy.picture"))))
        requests_.emplace_back(panels::Command{panels::Verb::copy_picture, std::string(figure.id)});
    if (lecture_.holds_back()) return;  // its numbers would answer the question
    const std::string& value = menu_value_;
    if (!value.empty() && menu_link_ != figures::Link{} &&
        ImGui::MenuItem(look.c(look.format("trace.menu", fmt::arg("value", value)))))
        trace(menu_link_);
    if (!value.empty() && ImGui::MenuItem(look.c(look.format("copy.value", fmt::arg("value", value)))))
        sharing_.copy(value, "toast.copied_value");
    if (figures::numbers_of(figure, session_.shown()) == nullptr) return;
    if (line_of(figure, session_.shown(), menu_link_) && ImGui::MenuItem(look.c(look.text("copy.line"))))
        sharing_.copy_numbers(figure, &menu_link_);
    if (ImGui::MenuItem(look.c(look.text("copy.numbers")))) sharing_.copy_numbers(figure);
}

// Shows in Trace where the number under the mouse comes from.
void Tiles::trace(const figures::Link& link) {
    Scene next = figures::traced(session_.shown(), link);
    next.bench = "debug";
    if (!layout_.alone().empty()) layout_.toggle(layout_.alone());
    session_.edit(std::move(next));
}

// The clickable title and menu button.
void Tiles::controls(const One& one) {
    const ui::Look& look = one.look;
    const Rect head = one.head;
    if (one.mode_end > one.name_end)
        mode_name(one, {one.name_end + 4.0F, head.y0 - 4.0F, one.mode_end + 4.0F, head.y0 + 20.0F});
    ImGui::SetCursorScreenPos({head.x0 - 4.0F, head.y0 - 6.0F});
    ImGui::InvisibleButton("##title", {one.name_end - head.x0 + 10.0F, 26.0F});
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        layout_.toggle(one.figure.id);
    info_.button(stage_, one.panel, one.figure, {head.x1 - 40.0F, head.y0 + 7.0F});
    if (panels::flat(one.panel, {head.x1 - 22.0F, head.y0 - 6.0F, head.x1 + 8.0F, head.y0 + 20.0F}, "more")
            .clicked) {
        menu_link_ = {};
        menu_value_.clear();
        ImGui::OpenPopup("tile");
    }
    for (int dot = -1; dot <= 1; ++dot)
        stage_.screen.disc({head.x1 - 7.0F + 5.0F * static_cast<float>(dot), head.y0 + 7.0F}, 1.5F,
                           look.theme->ink_soft);
    menu(look, one.figure);
}

void Tiles::background(const One& one) {
    const ui::Theme& theme = *one.look.theme;
    const bool bare = !one.shown.figure.empty();  // a figure that is exported alone is the page itself
    if (!bare && one.shown.transparent) {
        one.canvas.outline(one.area.grown(-0.5F), {theme.border, 1.0F});
    } else if (!bare && one.shown.on != nullptr) {
        one.canvas.fill(one.area, theme.border, 7.0F);
        one.canvas.fill(one.area.grown(-1.0F), theme.tile, 6.0F);
    } else if (lecture_.on_one_figure()) {
        const Rect& a = one.area;  // and the margins that divide() has left
        stage_.screen.fill({a.x0 - kGap, a.y0, a.x1 + kGap, a.y1}, theme.tile, 0.0F);
    } else if (!bare) {
        stage_.screen.card(one.area, theme.tile, theme.border, 7.0F);
    }
}

// The figure's name, its view's, and which side of a comparison it shows.
void Tiles::title(One& one) {
    canvas::Canvas& canvas = one.canvas;
    const ui::Look& look = one.look;
    const ui::Theme& theme = *look.theme;
    const Rect head = one.head;
    const std::string_view name = look.text(look.scratch->format("figure.{}.name", one.figure.id));
    canvas.text({head.x0, head.y0 + 13.0F}, name, {theme.ink_soft, ui::kSmallSize, ui::Face::strong});
    one.name_end = head.x0 + canvas.text_width(name, ui::Face::strong, ui::kSmallSize);
    one.mode_end = one.name_end;
    constexpr std::array<std::string_view, 4> kTags = {"A", "B", "A + B", "B − A"};
    const std::string_view tag =
        session_.b() != nullptr ? kTags[static_cast<std::size_t>(one.sides)] : std::string_view();
    const float width = canvas.text_width(tag, ui::Face::strong, ui::kSmallSize);
    if (!one.mode.empty()) {
        const std::string_view said = look.scratch->format(
            "·  {}", look.text(look.scratch->format("figure.{}.mode.{}", one.figure.id, one.mode)));
        const float wide = 8.0F + canvas.text_width(said, ui::Face::text, ui::kSmallSize);
        // In a narrow tile the side that is shown matters more; the menu has the modes, too.
        if (one.mode_end + wide + (tag.empty() ? 0.0F : 22.0F + width) < head.x1 - kSigns) {
            canvas.text({one.mode_end + 8.0F, head.y0 + 13.0F}, said,
                        {theme.ink_soft, ui::kSmallSize, ui::Face::text});
            one.mode_end += wide;
        }
    }
    one.title_end = one.mode_end;
    if (tag.empty()) return;
    const float x = one.title_end;
    canvas.fill({x + 10.0F, head.y0 - 1.0F, x + 22.0F + width, head.y0 + 18.0F}, theme.control, 9.0F);
    canvas.text({x + 16.0F, head.y0 + 13.0F}, tag, {theme.ink, ui::kSmallSize, ui::Face::strong});
    one.title_end += 24.0F + width;
}

// A picture tells what it is of, wherever it ends up: at the right of the title, or below it.
void Tiles::caption(One& one) {
    canvas::Canvas& canvas = one.canvas;
    const ui::Look& look = one.look;
    const Rect head = one.head;
    const canvas::TextStyle style{look.theme->ink_soft, ui::kSmallSize, ui::Face::text, canvas::Align::right};
    const auto width = [&](std::string_view said) { return canvas.text_width(said, style.face, style.size); };
    const auto fits = [&](float wide) { return one.title_end + 12.0F + wide <= head.x1; };
    if (!one.both()) {
        const std::string_view said = figures::learning::is_of_experiment(one.figure.id)
                                          ? experiment_caption(look, session_.shown())
                                          : workbench::caption(look, session_.shown());
        const bool beside = fits(width(said));
        // A narrow tile of a bench leaves it to the others.
        const bool page = !one.shown.figure.empty() || lecture_.on_one_figure();
        if (beside || page) canvas.text({head.x1, head.y0 + (beside ? 13.0F : 31.0F)}, said, style);
        if (!beside && page) one.inside.cut_top(18.0F);
        return;
    }
    const std::string_view of_a = look.scratch->format("A  {}", workbench::caption(look, session_.scene())),
                           of_b = look.scratch->format("B  {}", workbench::caption(look, *session_.b()));
    const bool beside = fits(std::max(width(of_a), width(of_b)));
    if (!beside && one.shown.figure.empty()) return;
    const float first = head.y0 + (beside ? 13.0F : 31.0F);
    canvas.text({head.x1, first}, of_a, style);
    canvas.text({head.x1, first + 18.0F}, of_b, style);
    one.inside.cut_top(beside ? 18.0F : 36.0F);
}

// Below the title, or in the band of a lecture; dots while a question is open that it would answer.
void Tiles::headline(One& one, figures::Frame& frame) {
    canvas::Canvas& canvas = one.canvas;
    Rect& inside = one.inside;
    const bool in_band = lecture_.headline_in_band(), held_back = lecture_.holds_back();
    // In a tall tile two lines, whether it fills them or not: what is dragged below it does not move.
    const bool large = one.area.height() > kLarge, tall = two_lines(one.area);
    float size = large ? kLargeHeadline : kHeadline;
    const float room = (tall ? 1.8F : 0.96F) * inside.width() * figures::kHeadlineSize / size;
    const std::string_view first = bench_of(session_.scene().bench).hint;
    std::string_view headline;
    if (invites && one.figure.id == first) headline = figures::rotations::invitation(frame);
    else if (invites && one.figure.id == "matrix" && first == "rotations")
        headline = figures::matrix::invitation(frame);
    headline = figures::form_within(headline, room, canvas);
    if (headline.empty())
        headline =
            in_band ? figures::headline(one.figure, frame) : figures::headline(one.figure, frame, room);
    const auto lines = [&] { return ui::line_count(canvas, headline, ui::Face::text, size, inside.width()); };
    if (lines() > (tall ? 2 : 1)) size = figures::kHeadlineSize;
    stage_.seen.headlines.push_back(headline);
    const bool said = stage_.seen.headlines.size() == 1 || hand_.hovered() == one.figure.id;
    if (in_band && said && !held_back) lecture_.set_headline(headline);
    if (headline.empty() || in_band) return;
    const canvas::TextStyle style{one.look.theme->ink, size, ui::Face::text};
    const float height =
        tall ? std::max(1.4F * kLargeHeadline * 2.0F, 1.4F * size * static_cast<float>(lines()))
             : 1.4F * size * static_cast<float>(lines());
    if (!held_back) canvas.paragraph({inside.x0, inside.y0 + 3.0F}, headline, style, inside.width());
    else if (one.live()) canvas.text({inside.x0, inside.y0 + 17.5F}, "…", style);
    inside.cut_top(3.0F + height);
}

// Below the sentence that says why a figure is empty, a button that fills it.
void Tiles::show_with_rope(const One& one, const figures::Frame& frame) {
    const ui::Look& look = one.look;
    const std::string_view words = look.text("tile.show_with_rope");
    const float x = one.inside.x0, y = frame.absence_end + 10.0F;
    const Rect area{x, y, x + one.canvas.text_width(words, ui::Face::text, ui::kTextSize) + 28.0F, y + 32.0F};
    if (frame.absence_end <= 0.0F || area.y1 > one.area.y1 - 4.0F) return;
    if (!panels::button(one.panel, area, look.scratch->format("rope:{}", one.figure.id), words)) return;
    if (auto laid = overlay(session_.shown(), {{"encoding", "rope"}}))
        session_.edit(std::move(laid->scene), std::move(laid->adjusted));
}

void Tiles::draw_tile(const ui::Look& look, const Tile& tile, const Shown& shown) {
    const figures::Figure* figure = figures::find_figure(tile.figure);
    if (figure == nullptr || tile.area.width() < 40.0F || tile.area.height() < 40.0F) return;
    const Scene& scene = session_.shown();
    panels::Typing none;
    panels::Panel panel{
        .look = look, .scene = scene, .settled = scene, .typing = none, .marks = stage_.seen.marks()};
    One one{.look = look,
            .figure = *figure,
            .shown = shown,
            .canvas = shown.on != nullptr ? *shown.on : stage_.screen,
            .area = tile.area,
            .inside = tile.area.grown(-16.0F),
            .mode = figures::mode(*figure, scene),
            .sides = sides_of(*figure, session_.sides()),
            .panel = panel};
    ImGui::PushID(figure->id.data(), figure->id.data() + figure->id.size());
    background(one);
    const figures::Pointer pointer = hand_.pointer_over(tile.area, "##tile");
    if (pointer.inside) hand_.rest_on(figure->id);
    if (pointer.pressed && panning) hand_.drag_state() = {figure->id, "pan", pointer.at, scene, 0.0, 0.0};

    const bool slide = one.live() && lecture_.on_slide() && session_.b() == nullptr;
    if (!shown.plain && !slide) {
        one.inside.y0 -= 4.0F;
        one.head = one.inside.cut_top(20.0F);
        title(one);
        if (one.live() && !lecture_.on()) controls(one);
        else caption(one);
    }

    const figures::Other other{session_.b() != nullptr ? *session_.b() : scene, stage_.derived_b,
                               one.sides == Sides::difference};
    const figures::Other of_a{session_.scene(), stage_.derived};
    figures::Frame frame{.canvas = one.canvas,
                         .theme = *look.theme,
                         .strings = *look.strings,
                         .scratch = *look.scratch,
                         .derived = session_.shows_b() ? stage_.derived_b : stage_.derived,
                         .scene = scene,
                         .link = hand_.link(),
                         .pointer = one.live() ? &pointer : nullptr,
                         .drag_state = one.live() ? &hand_.drag_state() : nullptr,
                         .field = one.live() ? &hand_.field() : nullptr,
                         .other = one.both() ? &other : nullptr,
                         .unseen = session_.b() == nullptr || one.both() ? nullptr
                                   : session_.shows_b()                  ? &of_a
                                                                         : &other,
                         .next = {},
                         .hovered = {},
                         .tip = {},
                         .cursor = figures::Cursor::arrow,
                         .marks = &stage_.seen.handles,
                         .figure = figure->id,
                         .mode = one.mode,
                         .fractional_position =
                             scene.bench == "experiment" ? 0.0 : playing_.fractional_position(),
                         .hide_hints_that_answer = shown.plain || lecture_.holds_back(),
                         .prediction = figure->predicts ? lecture_.prediction(figure->id) : nullptr};
    const auto draw = [&] {
        const canvas::Clip clip(one.canvas, tile.area.grown(-1.0F));
        Rect& inside = one.inside;
        if (!shown.plain && !slide) headline(one, frame);
        if (one.sides != session_.sides())  // why it does not show what was asked for
            inside.cut_top(3.0F +
                           one.canvas.paragraph(
                               {inside.x0, inside.y0 + 3.0F},
                               look.text(look.scratch->format(
                                   "figure.{}.{}", figure->id,
                                   session_.sides() == Sides::overlay ? "no_overlay" : "no_difference")),
                               {look.theme->ink_soft, ui::kSmallSize, ui::Face::text}, inside.width()));
        if (one.live() && !lecture_.on()) info_.draw(stage_, look, *figure, inside);
        inside.cut_top(4.0F);
        figure->draw(frame, inside);
    };
    if (one.live()) figures::guarded(frame, one.inside, draw);
    else draw();  // a picture that is not what was asked for is worse than none
    if (one.live() && !lecture_.on() && !figures::applies(*figure, scene)) show_with_rope(one, frame);

    if (one.live() && pointer.inside && !pointer.down && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
        menu_link_ = frame.hovered;
        const std::string_view value = frame.tip.value;
        menu_value_ = value.starts_with("= ") ? value.substr(2) : value;
        ImGui::OpenPopup("tile");
    }
    if (frame.next) session_.edit(std::move(*frame.next));
    hand_.take(frame);
    ImGui::PopID();
}

void Tiles::draw(const ui::Look& look, Rect room, const Shown& shown) {
    if (!shown.below.empty()) write_below(look, shown, room);
    divide(look, room, shown);
    for (const Tile& tile : layout_.tiles()) draw_tile(look, tile, shown);
}

}  // namespace posiscope::workbench
