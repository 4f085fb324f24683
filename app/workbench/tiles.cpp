// tiles.cpp — the room: how it is divided, and one tile with its figure in it.
#include "app/figures/parts/guarded.hpp"
#include "app/workbench/workbench.hpp"

#include <imgui.h>
#include <imgui_internal.h>

namespace posiscope::workbench {
namespace {

constexpr float kDragDistance = 3.0F;  // points a press must travel to be a drag

std::size_t splits_in(const Part& part) {
    return part.first == nullptr ? 0 : 1 + splits_in(*part.first) + splits_in(*part.second);
}

void default_ratios(const Part& part, std::vector<double>& ratios) {
    if (part.first == nullptr) return;
    ratios.push_back(static_cast<double>(part.ratio));
    default_ratios(*part.first, ratios);
    default_ratios(*part.second, ratios);
}

}  // namespace

void Workbench::divide(Rect room, std::string_view alone, bool live) {
    if (!alone.empty()) {
        tiles_.push_back({alone, room});
        return;
    }
    const Bench& bench = bench_of(scene_.bench);
    std::vector<double>& ratios = preferences_.splits[std::string(bench.id)];
    if (ratios.size() != splits_in(*bench.layout)) {
        ratios.clear();
        default_ratios(*bench.layout, ratios);
    }
    std::size_t index = 0;
    lay_tiles(*bench.layout, room, index, ratios);
    if (live) drag_dividers(ratios);
}

void Workbench::lay_tiles(const Part& part, Rect area, std::size_t& index, std::vector<double>& ratios) {
    if (part.first == nullptr) {
        tiles_.push_back({part.figure, area});
        return;
    }
    const std::size_t mine = index++;
    const auto ratio = static_cast<float>(ratios[mine]);
    Rect first = area, second = area, gap = area;
    if (part.across) {
        first.x1 = area.x0 + std::round((area.width() - kGap) * ratio);
        second.x0 = first.x1 + kGap;
        gap.x0 = first.x1, gap.x1 = second.x0;
    } else {
        first.y1 = area.y0 + std::round((area.height() - kGap) * ratio);
        second.y0 = first.y1 + kGap;
        gap.y0 = first.y1, gap.y1 = second.y0;
    }
    dividers_.push_back({gap, area, part.across, mine});
    lay_tiles(*part.first, first, index, ratios);
    lay_tiles(*part.second, second, index, ratios);
}

void Workbench::drag_dividers(std::vector<double>& ratios) {
    for (const Divider& divider : dividers_) {
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
            screen_.fill(bar, ui::theme(preferences_.theme).ink_faint, 1.5F);
        }
        if (active) {
            const ImVec2 mouse = ImGui::GetIO().MousePos;
            const Rect& whole = divider.whole;
            const float at =
                divider.across ? (mouse.x - whole.x0) / whole.width() : (mouse.y - whole.y0) / whole.height();
            ratios[divider.index] = std::clamp(static_cast<double>(at), 0.15, 0.85);
        }
        if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
            preferences_.splits.erase(std::string(bench_of(scene_.bench).id));
        ImGui::PopID();
    }
}

figures::Pointer Workbench::pointer_over(const Rect& area, const char* id) {
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    ImGui::SetNextItemAllowOverlap();
    ImGui::InvisibleButton(id, {std::max(area.width(), 1.0F), std::max(area.height(), 1.0F)});
    const ImGuiIO& io = ImGui::GetIO();
    const bool active = ImGui::IsItemActive();
    const bool hovered = ImGui::IsItemHovered();
    figures::Pointer pointer;
    pointer.at = {io.MousePos.x, io.MousePos.y};
    pointer.inside = hovered || active;
    pointer.down = active;
    pointer.pressed = ImGui::IsItemActivated();
    pointer.released = ImGui::IsItemDeactivated();
    if (pointer.pressed) {
        press_ = pointer.at;
        press_moved_ = false;
    }
    if (active && length(pointer.at - press_) > kDragDistance) press_moved_ = true;
    pointer.moved = press_moved_;
    pointer.double_clicked = hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    pointer.wheel = hovered ? io.MouseWheel : 0.0F;
    pointer.held_before = !active && !pointer.released && (ImGui::IsAnyItemActive() || (grip_.active()));
    return pointer;
}

void Workbench::tile_menu(const ui::Look& look, const figures::Figure& figure) {
    if (!ImGui::BeginPopup("tile")) return;
    Scene next = shown_scene();
    bool changed = false;
    if (figure.modes != nullptr) {
        ImGui::TextDisabled("%s", look.c(look.text("tile.shows")));
        const std::string_view now = figures::mode(figure, next);
        for (const std::string_view mode : figure.modes(shown_scene()))
            if (ImGui::MenuItem(look.c(look.text(look.scratch->format("figure.{}.mode.{}", figure.id, mode))),
                                nullptr, mode == now)) {
                Json kept = Json::object();
                kept["mode"] = std::string(mode);
                next.view[std::string(figure.id)] =
                    kept;  // another mode has other axes: its view starts whole
                changed = true;
            }
        ImGui::Separator();
    }
    if (ImGui::MenuItem(look.c(look.text("tile.reset_view")), nullptr, false,
                        scene_.view.contains(std::string(figure.id)))) {
        next.view.erase(std::string(figure.id));
        changed = true;
    }
    if (ImGui::MenuItem(look.c(look.text(solo_.empty() ? "tile.alone" : "tile.back"))))
        solo_ = solo_.empty() ? std::string(figure.id) : std::string();
    ImGui::Separator();
    if (ImGui::MenuItem(look.c(look.text("action.export_as")))) ask_export(figure.id);
    copy_menu(look, figure);
    ImGui::Separator();
    panels::prose(look, look.text(look.scratch->format("figure.{}.explain", figure.id)), 330.0F,
                  look.theme->ink_soft);
    ImGui::EndPopup();
    if (changed) take(std::move(next));
}

// "Sinusoidal · Halves · d_model 512 · b = 10 000"
std::string_view Workbench::caption(const ui::Look& look, const Scene& scene) const {
    ui::Scratch& s = *look.scratch;
    const auto option = [&](std::string_view key, std::string_view value) {
        return look.text(s.format("option.{}.{}.name", key, value));
    };
    const Json& parameters = scene.encoding.parameters;
    const auto variant = parameters.find("variant");
    const auto scaling = parameters.find("rope_scaling");
    std::string_view kind = option("encoding", scene.encoding.kind);
    if (variant != parameters.end() && variant->is_string())
        kind = s.format("{} · {}", kind, option("encoding.variant", variant->get_ref<const std::string&>()));
    if (scaling != parameters.end() && scaling->is_object() && scaling->contains("rope_type"))
        kind = s.format("{} · {}", kind,
                        option("scaling", scaling->at("rope_type").get_ref<const std::string&>()));
    const Encoding& encoding = encoding_of(scene);
    std::string_view width = s.format("d_model {}", ui::integer(s, scene.d_model));
    if (encoding.per_head && scene.num_heads > 1) width = s.format("{} / {}", width, scene.num_heads);
    if (encoding.pairs(scene) == 0 && !encoding.base_without_pairs) return s.format("{} · {}", kind, width);
    const bool whole = scene.base == std::round(scene.base) && scene.base < 1e15;
    return s.format("{} · {} · b = {}", kind, width,
                    whole ? ui::integer(s, std::llround(scene.base)) : ui::significant(s, scene.base, 6));
}

// What a figure shows of both sides: one that cannot subtract lays B over A, one that cannot do that shows A.
Sides Workbench::sides_of(const figures::Figure& figure) const {
    if (shown_ == Sides::difference && figure.subtracts) return shown_;
    const bool joint = shown_ == Sides::difference || shown_ == Sides::overlay;
    return joint ? (figure.overlays ? Sides::overlay : Sides::a) : shown_;
}

void Workbench::draw_tile(const ui::Look& look, const Tile& tile, const Shown& shown) {
    const figures::Figure* figure = figures::find_figure(tile.figure);
    if (figure == nullptr || tile.area.width() < 40.0F || tile.area.height() < 40.0F) return;
    const ui::Theme& theme = *look.theme;
    canvas::Canvas& canvas = shown.on != nullptr ? *shown.on : screen_;
    ImGui::PushID(figure->id.data(), figure->id.data() + figure->id.size());
    if (shown.figure.empty() && shown.transparent) {
        canvas.outline(tile.area.grown(-0.5F), {theme.border, 1.0F});
    } else if (shown.figure.empty() && shown.on != nullptr) {
        canvas.fill(tile.area, theme.border, 7.0F);
        canvas.fill(tile.area.grown(-1.0F), theme.tile, 6.0F);
    } else if (shown.figure.empty()) {  // a figure that is exported alone is the page itself
        screen_.card(tile.area, theme.tile, theme.border, 7.0F);
    }

    Rect inside = tile.area.grown(-16.0F);
    inside.y0 -= 4.0F;
    const figures::Pointer pointer = pointer_over(tile.area, "##tile");
    if (pointer.inside) hovered_figure_ = figure->id;
    const bool live = shown.controls;

    Rect head = inside.cut_top(20.0F);
    const std::string_view name = look.text(look.scratch->format("figure.{}.name", figure->id));
    canvas.text({head.x0, head.y0 + 13.0F}, name, {theme.ink, 16.0F, ui::Face::strong});
    float title_end = head.x0 + canvas.text_width(name, ui::Face::strong, 16.0F);
    const std::string_view mode = figures::mode(*figure, shown_scene());
    if (!mode.empty()) {
        const std::string_view said = look.scratch->format(
            "·  {}", look.text(look.scratch->format("figure.{}.mode.{}", figure->id, mode)));
        canvas.text({title_end + 8.0F, head.y0 + 13.0F}, said,
                    {theme.ink_soft, ui::kSmallSize, ui::Face::text});
        title_end += 8.0F + canvas.text_width(said, ui::Face::text, ui::kSmallSize);
    }
    const Sides sides = sides_of(*figure);
    const bool both = sides == Sides::overlay || sides == Sides::difference;
    if (b_ != nullptr) {
        constexpr std::array<std::string_view, 4> kTags = {"A", "B", "A + B", "B − A"};
        const std::string_view tag = kTags[static_cast<std::size_t>(sides)];
        const float width = canvas.text_width(tag, ui::Face::strong, ui::kSmallSize);
        canvas.fill({title_end + 10.0F, head.y0 - 1.0F, title_end + 22.0F + width, head.y0 + 18.0F},
                    theme.control, 9.0F);
        canvas.text({title_end + 16.0F, head.y0 + 13.0F}, tag, {theme.ink, ui::kSmallSize, ui::Face::strong});
        title_end += 24.0F + width;
    }
    if (!live) {  // a picture tells what it is of, wherever it ends up
        const canvas::TextStyle style{theme.ink_soft, ui::kSmallSize, ui::Face::text, canvas::Align::right};
        if (!both) {
            const std::string_view said = caption(look, shown_scene());
            const bool beside =
                title_end + 12.0F + canvas.text_width(said, ui::Face::text, ui::kSmallSize) <= head.x1;
            // A narrow tile of a bench leaves it to the others.
            if (beside || !shown.figure.empty())
                canvas.text({head.x1, head.y0 + (beside ? 13.0F : 31.0F)}, said, style);
            if (!beside && !shown.figure.empty()) inside.cut_top(18.0F);
        } else {
            canvas.text({head.x1, head.y0 + 13.0F}, look.scratch->format("A  {}", caption(look, scene_)),
                        style);
            canvas.text({head.x1, head.y0 + 31.0F}, look.scratch->format("B  {}", caption(look, *b_)), style);
            inside.cut_top(18.0F);
        }
    } else {
        ImGui::SetCursorScreenPos({head.x0 - 4.0F, head.y0 - 6.0F});
        ImGui::InvisibleButton("##title", {title_end - head.x0 + 10.0F, 26.0F});
        if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
            solo_ = solo_.empty() ? std::string(figure->id) : std::string();
        panels::tooltip(look, name, look.text(look.scratch->format("figure.{}.explain", figure->id)));
        ImGui::SetCursorScreenPos({head.x1 - 22.0F, head.y0 - 6.0F});
        if (ImGui::InvisibleButton("##more", {30.0F, 26.0F})) {
            menu_link_ = {};
            menu_value_.clear();
            ImGui::OpenPopup("tile");
        }
        if (ImGui::IsItemHovered())
            canvas.fill({head.x1 - 22.0F, head.y0 - 6.0F, head.x1 + 8.0F, head.y0 + 20.0F}, theme.control,
                        5.0F);
        for (int dot = -1; dot <= 1; ++dot)
            canvas.disc({head.x1 - 7.0F + 5.0F * static_cast<float>(dot), head.y0 + 7.0F}, 1.5F,
                        theme.ink_soft);
        tile_menu(look, *figure);
    }

    const figures::Other other{b_ != nullptr ? *b_ : scene_, derived_b_, sides == Sides::difference};
    figures::Frame frame{.canvas = canvas,
                         .theme = theme,
                         .strings = *strings_,
                         .scratch = *scratch_,
                         .derived = shown_derived(),
                         .scene = shown_scene(),
                         .link = link_,
                         .pointer = live ? &pointer : nullptr,
                         .grip = live ? &grip_ : nullptr,
                         .field = live ? &field_ : nullptr,
                         .other = both ? &other : nullptr,
                         .next = {},
                         .hovered = {},
                         .tip = {},
                         .cursor = figures::Cursor::arrow,
                         .marks = &handles_,
                         .figure = figure->id,
                         .mode = mode};
    const auto draw = [&] {
        const canvas::Clip clip(canvas, tile.area.grown(-1.0F));
        const std::string_view headline = figure->headline(frame);
        headlines_.push_back(headline);
        if (!headline.empty())
            inside.cut_top(3.0F + canvas.paragraph({inside.x0, inside.y0 + 3.0F}, headline,
                                                   {theme.ink_soft, 14.5F, ui::Face::text}, inside.width()));
        if (sides != shown_)  // why it does not show what was asked for
            inside.cut_top(
                3.0F + canvas.paragraph({inside.x0, inside.y0 + 3.0F},
                                        look.text(look.scratch->format(
                                            "figure.{}.{}", figure->id,
                                            shown_ == Sides::overlay ? "no_overlay" : "no_difference")),
                                        {theme.ink_soft, ui::kSmallSize, ui::Face::text}, inside.width()));
        inside.cut_top(4.0F);
        figure->draw(frame, inside);
    };
    if (live) figures::guarded(frame, inside, draw);
    else draw();  // a picture that is not what was asked for is worse than none

    if (live && pointer.inside && !pointer.down && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
        menu_link_ = frame.hovered;
        const std::string_view value = frame.tip.value;
        menu_value_ = value.starts_with("= ") ? value.substr(2) : value;
        ImGui::OpenPopup("tile");
    }
    if (frame.next) take(std::move(*frame.next));
    if (frame.tip.shown()) tip_ = frame.tip;
    if (frame.hovered != figures::Link{}) next_link_ = frame.hovered;
    if (frame.cursor != figures::Cursor::arrow) cursor_ = frame.cursor;
    ImGui::PopID();
}

}  // namespace posiscope::workbench
