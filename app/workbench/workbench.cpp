#include "app/workbench/workbench.hpp"

#include "app/panels/rail.hpp"

#include <imgui.h>
#include <imgui_internal.h>

namespace posiscope::workbench {
namespace {

constexpr float kGap = 12.0F, kToastSeconds = 6.0F;
constexpr float kDragDistance = 3.0F;  // points a press must travel to be a drag

Language language_named(std::string_view code) {
    return code == "zh" ? Language::chinese : Language::english;
}

std::size_t splits_in(const Part& part) {
    return part.first == nullptr ? 0 : 1 + splits_in(*part.first) + splits_in(*part.second);
}

void default_ratios(const Part& part, std::vector<double>& ratios) {
    if (part.first == nullptr) return;
    ratios.push_back(static_cast<double>(part.ratio));
    default_ratios(*part.first, ratios);
    default_ratios(*part.second, ratios);
}

const Bench& bench_of(const Scene& scene) {
    const Bench* bench = find_bench(scene.bench);
    return bench != nullptr ? *bench : benches().front();
}

}  // namespace

Workbench::Workbench(Scene scene, Preferences preferences, canvas::Layers* layers)
    : scene_(std::move(scene)),
      history_(scene_),
      preferences_(std::move(preferences)),
      fonts_(look::add_fonts(*ImGui::GetIO().Fonts)),
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
        look::apply_style(look::theme(styled_theme_));
    }
}

look::Look Workbench::look() {
    return {&look::theme(preferences_.theme), strings_.get(), scratch_.get(), fonts_, pixels_per_point_};
}

void Workbench::open(Scene scene) {
    scene_ = std::move(scene);
    history_.commit(scene_);
    requests_.scene_changed = true;
}

void Workbench::say(std::string text, Tone tone) {
    for (Toast& toast : toasts_)
        if (toast.text == text) {
            toast.seconds_left = kToastSeconds;
            return;
        }
    if (toasts_.size() > 3) toasts_.erase(toasts_.begin());
    toasts_.push_back({std::move(text), tone, kToastSeconds});
}

void Workbench::take(Scene next) {
    std::vector<Problem> adjusted = settle(next);
    scene_ = std::move(next);
    report(adjusted);
}

void Workbench::report(const std::vector<Problem>& adjusted) {
    for (const Problem& problem : adjusted) say(problem, Tone::note);
}

// ---- what keys and menus do ------------------------------------------------------------------------------------

void Workbench::move_by(std::int64_t positions, std::int64_t offset, std::int64_t pair) {
    Scene next = scene_;
    figures::set_position(next, scene_.position + positions);
    figures::set_offset(next, scene_.offset + offset);
    next.pair = std::max<std::int64_t>(0, scene_.pair + pair);
    const std::int64_t pairs = encoding_of(next).pairs(next);
    if (pair > 0 && pairs > 0) next.pair = std::min(next.pair, pairs - 1);
    take(std::move(next));
}

void Workbench::perform(panels::Action action) {
    using panels::Action;
    const auto solo = [&](std::size_t index) {
        const std::string_view id = figures::figures()[index]->id;
        solo_ = solo_ == id ? std::string() : std::string(id);
    };
    const auto themes = look::themes();
    switch (action) {
        case Action::play: playing_.on = !playing_.on; break;
        case Action::position_back: move_by(-1, 0, 0); break;
        case Action::position_forward: move_by(1, 0, 0); break;
        case Action::position_back_ten: move_by(-10, 0, 0); break;
        case Action::position_forward_ten: move_by(10, 0, 0); break;
        case Action::offset_less: move_by(0, -1, 0); break;
        case Action::offset_more: move_by(0, 1, 0); break;
        case Action::pair_previous: move_by(0, 0, -1); break;
        case Action::pair_next: move_by(0, 0, 1); break;
        case Action::overview: solo_.clear(); break;
        case Action::figure_1: solo(0); break;
        case Action::figure_2: solo(1); break;
        case Action::figure_3: solo(2); break;
        case Action::next_mode: {
            const figures::Figure* figure =
                figures::find_figure(hovered_figure_.empty() ? "matrix" : hovered_figure_);
            if (figure == nullptr || figure->modes == nullptr) break;
            const auto offered = figure->modes(scene_);
            const auto now = std::find(offered.begin(), offered.end(), figures::mode(*figure, scene_));
            Scene next = scene_;
            figures::set_view_value(
                next, figure->id, "mode",
                std::string(offered[static_cast<std::size_t>(now - offered.begin() + 1) % offered.size()]));
            take(std::move(next));
            break;
        }
        case Action::undo:
            scene_ = history_.undo();
            requests_.scene_changed = true;
            break;
        case Action::redo:
            scene_ = history_.redo();
            requests_.scene_changed = true;
            break;
        case Action::copy_scene:
            ImGui::SetClipboardText(to_json(scene_).dump(2).c_str());
            say(std::string(strings_->text("toast.copied_scene")), Tone::good);
            break;
        case Action::paste_scene: {
            const char* text = ImGui::GetClipboardText();
            const auto json = parse_json(text != nullptr ? text : "");
            auto laid = json ? overlay(scene_, *json) : Result<Overlaid>(tl::unexpected(json.error()));
            if (!laid) {
                say(laid.error());
                break;
            }
            report(laid->adjusted);
            open(std::move(laid->scene));
            break;
        }
        case Action::reset_scene: open(Scene()); break;
        case Action::reset_layout:
            preferences_.splits.erase(std::string(bench_of(scene_).id));
            solo_.clear();
            break;
        case Action::save_window: requests_.save_window = true; break;
        case Action::save_figure:
            requests_.save_figure =
                !solo_.empty() ? solo_ : std::string(hovered_figure_.empty() ? "rotations" : hovered_figure_);
            break;
        case Action::theme:
            for (std::size_t i = 0; i < themes.size(); ++i)
                if (themes[i].name == preferences_.theme) {
                    preferences_.theme = themes[(i + 1) % themes.size()].name;
                    break;
                }
            break;
        case Action::language: preferences_.language = preferences_.language == "zh" ? "en" : "zh"; break;
        case Action::larger:
            preferences_.scale = std::min(3.0, std::round(preferences_.scale * 10.0 + 1.0) / 10.0);
            break;
        case Action::smaller:
            preferences_.scale = std::max(0.5, std::round(preferences_.scale * 10.0 - 1.0) / 10.0);
            break;
        case Action::normal_size: preferences_.scale = 1.0; break;
        case Action::full_screen: requests_.full_screen = true; break;
        case Action::help: help_open_ = !help_open_; break;
        case Action::quit: requests_.quit = true; break;
    }
}

// Arrows and space belong to the position and to playing, until Tab takes the keyboard to the controls; a click or
// Escape gives them back. In an open menu they always move through it.
void Workbench::share_keyboard() {
    const bool menu = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    if (ImGui::IsKeyPressed(ImGuiKey_Tab)) controls_have_keys_ = true;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsKeyPressed(ImGuiKey_Escape))
        controls_have_keys_ = false;
    ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
    if (controls_have_keys_ || menu) flags |= ImGuiConfigFlags_NavEnableKeyboard;
    else flags &= ~ImGuiConfigFlags_NavEnableKeyboard;
    if (!menu) ImGui::SetNavCursorVisible(controls_have_keys_);
}

void Workbench::keys() {
    if (ImGui::GetIO().WantTextInput) return;
    share_keyboard();
    for (const panels::ActionEntry& one : panels::actions()) {
        if (one.chord == 0) continue;
        const ImGuiKeyChord chord = one.chord;
        const bool arrows = chord == ImGuiKey_LeftArrow || chord == ImGuiKey_RightArrow ||
                            chord == ImGuiKey_UpArrow || chord == ImGuiKey_DownArrow ||
                            chord == ImGuiKey_Space;
        if (arrows && controls_have_keys_) continue;
        if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup) && one.action != panels::Action::help) continue;
        const bool repeats = one.group == panels::Group::explore || one.action == panels::Action::undo ||
                             one.action == panels::Action::redo;
        if (ImGui::IsKeyChordPressed(chord, repeats ? ImGuiInputFlags_Repeat : ImGuiInputFlags_None))
            perform(one.action);
    }
    if (ImGui::IsKeyPressed(ImGuiKey_Escape) && !solo_.empty() && !help_open_) solo_.clear();
}

// ---- the room --------------------------------------------------------------------------------------------------

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
            screen_.fill(bar, look::theme(preferences_.theme).ink_faint, 1.5F);
        }
        if (active) {
            const ImVec2 mouse = ImGui::GetIO().MousePos;
            const Rect& whole = divider.whole;
            const float at =
                divider.across ? (mouse.x - whole.x0) / whole.width() : (mouse.y - whole.y0) / whole.height();
            ratios[divider.index] = std::clamp(static_cast<double>(at), 0.15, 0.85);
        }
        if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
            preferences_.splits.erase(std::string(bench_of(scene_).id));
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

void Workbench::tile_menu(const look::Look& look, const figures::Figure& figure) {
    if (!ImGui::BeginPopup("tile")) return;
    Scene next = scene_;
    bool changed = false;
    if (figure.modes != nullptr) {
        ImGui::TextDisabled("%s", look.c(look.text("tile.shows")));
        const std::string_view now = figures::mode(figure, scene_);
        for (const std::string_view mode : figure.modes(scene_))
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
    if (ImGui::MenuItem(look.c(look.text("tile.save")))) requests_.save_figure = std::string(figure.id);
    ImGui::Separator();
    ImGui::PushTextWrapPos(330.0F);
    ImGui::TextDisabled("%s", look.c(look.text(look.scratch->format("figure.{}.explain", figure.id))));
    ImGui::PopTextWrapPos();
    ImGui::EndPopup();
    if (changed) take(std::move(next));
}

void Workbench::draw_tile(const look::Look& look, const Tile& tile, const Shown& shown) {
    const figures::Figure* figure = figures::find_figure(tile.figure);
    if (figure == nullptr || tile.area.width() < 40.0F || tile.area.height() < 40.0F) return;
    const look::Theme& theme = *look.theme;
    ImGui::PushID(figure->id.data(), figure->id.data() + figure->id.size());
    if (shown.figure.empty()) {  // a figure that is exported alone is the page itself
        screen_.fill(tile.area, theme.border, 7.0F);
        screen_.fill(tile.area.grown(-1.0F), theme.tile, 6.0F);
    }

    Rect inside = tile.area.grown(-16.0F);
    inside.y0 -= 4.0F;
    const figures::Pointer pointer = pointer_over(tile.area, "##tile");
    if (pointer.inside) hovered_figure_ = figure->id;
    const bool live = shown.controls;

    Rect head = inside.cut_top(20.0F);
    const std::string_view name = look.text(look.scratch->format("figure.{}.name", figure->id));
    screen_.text({head.x0, head.y0 + 13.0F}, name, {theme.ink, 16.0F, look::Face::strong});
    float title_end = head.x0 + screen_.text_width(name, look::Face::strong, 16.0F);
    const std::string_view mode = figures::mode(*figure, scene_);
    if (!mode.empty()) {
        const std::string_view said = look.scratch->format(
            "·  {}", look.text(look.scratch->format("figure.{}.mode.{}", figure->id, mode)));
        screen_.text({title_end + 8.0F, head.y0 + 13.0F}, said,
                     {theme.ink_soft, look::kSmallSize, look::Face::text});
        title_end += 8.0F + screen_.text_width(said, look::Face::text, look::kSmallSize);
    }
    if (live) {
        ImGui::SetCursorScreenPos({head.x0 - 4.0F, head.y0 - 6.0F});
        ImGui::InvisibleButton("##title", {title_end - head.x0 + 10.0F, 26.0F});
        if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
            solo_ = solo_.empty() ? std::string(figure->id) : std::string();
        panels::tooltip(look, name, look.text(look.scratch->format("figure.{}.explain", figure->id)));
        ImGui::SetCursorScreenPos({head.x1 - 22.0F, head.y0 - 6.0F});
        if (ImGui::InvisibleButton("##more", {30.0F, 26.0F})) ImGui::OpenPopup("tile");
        if (ImGui::IsItemHovered())
            screen_.fill({head.x1 - 22.0F, head.y0 - 6.0F, head.x1 + 8.0F, head.y0 + 20.0F}, theme.control,
                         5.0F);
        for (int dot = -1; dot <= 1; ++dot)
            screen_.disc({head.x1 - 7.0F + 5.0F * static_cast<float>(dot), head.y0 + 7.0F}, 1.5F,
                         theme.ink_soft);
        tile_menu(look, *figure);
    }

    figures::Frame frame{.canvas = screen_,
                         .theme = theme,
                         .strings = *strings_,
                         .scratch = *scratch_,
                         .derived = derived_,
                         .scene = scene_,
                         .link = link_,
                         .pointer = live ? &pointer : nullptr,
                         .grip = live ? &grip_ : nullptr,
                         .next = {},
                         .hovered = {},
                         .tip = {},
                         .cursor = figures::Cursor::arrow,
                         .marks = &handles_,
                         .figure = figure->id,
                         .mode = mode};
    const std::string_view headline = figure->headline(frame);
    headlines_.emplace_back(headline);
    if (!headline.empty())
        inside.cut_top(3.0F + screen_.paragraph({inside.x0, inside.y0 + 3.0F}, headline,
                                                {theme.ink_soft, 14.5F, look::Face::text}, inside.width()));
    inside.cut_top(4.0F);
    screen_.push_clip(tile.area.grown(-1.0F));
    figure->draw(frame, inside);
    screen_.pop_clip();

    if (frame.next) take(std::move(*frame.next));
    if (frame.tip.shown()) tip_ = frame.tip;
    if (frame.hovered != figures::Link{}) next_link_ = frame.hovered;
    if (frame.cursor != figures::Cursor::arrow) cursor_ = frame.cursor;
    ImGui::PopID();
}

// ---- what lies over everything ---------------------------------------------------------------------------------

void Workbench::draw_tip(const look::Look& look, const figures::Tip& tip) {
    if (!tip.shown()) return;
    const look::Theme& theme = *look.theme;
    const ImGuiIO& io = ImGui::GetIO();
    const look::FormulaBox formula = look::lay_out(tip.formula, look::kFormulaSize, screen_);
    const float value_width = screen_.text_width(tip.value, look::Face::strong, 15.5F);
    const bool one_line = formula.width + value_width < 300.0F;
    float width = one_line ? formula.width + (tip.value.empty() ? 0.0F : 8.0F + value_width)
                           : std::max(formula.width, value_width);
    float height = formula.ascent + formula.descent + 4.0F + (one_line || tip.value.empty() ? 0.0F : 20.0F);
    for (const std::string_view detail : tip.details) {
        if (detail.empty()) continue;
        width = std::max(width, screen_.text_width(detail, look::Face::text, 14.5F));
        height += 19.0F;
    }
    Rect box{io.MousePos.x + 16.0F, io.MousePos.y + 18.0F, 0.0F, 0.0F};
    if (box.x0 + width + 26.0F > io.DisplaySize.x) box.x0 = io.MousePos.x - width - 36.0F;
    if (box.y0 + height + 20.0F > io.DisplaySize.y) box.y0 = io.MousePos.y - height - 28.0F;
    box.x0 = std::max(box.x0, 4.0F);
    box.x1 = box.x0 + width + 24.0F, box.y1 = box.y0 + height + 16.0F;

    screen_.begin(*ImGui::GetForegroundDrawList(), pixels_per_point_);
    screen_.fill(box, theme.border, 7.0F);
    screen_.fill(box.grown(-1.0F), theme.popup, 6.0F);
    float y = box.y0 + 9.0F + formula.ascent;
    const float pen =
        box.x0 + 12.0F + screen_.formula({box.x0 + 12.0F, y}, tip.formula, look::kFormulaSize, theme.ink);
    if (!tip.value.empty()) {
        if (!one_line) y += 20.0F;
        screen_.text({one_line ? pen + 8.0F : box.x0 + 12.0F, y}, tip.value,
                     {theme.ink, 15.5F, look::Face::strong});
    }
    y += formula.descent + 4.0F;
    for (const std::string_view detail : tip.details) {
        if (detail.empty()) continue;
        y += 19.0F;
        screen_.text({box.x0 + 12.0F, y - 4.0F}, detail, {theme.ink_soft, 14.5F, look::Face::text});
    }
}

void Workbench::draw_toasts(const look::Look& look, Rect area, float seconds) {
    if (toasts_.empty()) return;
    const look::Theme& theme = *look.theme;
    screen_.begin(*ImGui::GetForegroundDrawList(), pixels_per_point_);
    float bottom = area.y1 - 14.0F;
    for (auto toast = toasts_.rbegin(); toast != toasts_.rend(); ++toast) {
        const float wide = std::min(460.0F, area.width() - 60.0F);
        const float text_width =
            std::min(wide, screen_.text_width(toast->text, look::Face::text, 14.5F) + 1.0F);
        const ImVec2 size = fonts_[0]->CalcTextSizeA(14.5F, 1e9F, text_width, toast->text.c_str());
        const float lines = std::round(size.y / 14.5F);
        const float height = std::max(1.0F, lines) * 1.4F * 14.5F + 20.0F;
        const Rect box{area.x1 - text_width - 44.0F, bottom - height, area.x1 - 14.0F, bottom};
        screen_.fill(box, theme.border, 7.0F);
        screen_.fill(box.grown(-1.0F), theme.popup, 6.0F);
        const look::Colour mark = toast->tone == Tone::bad    ? theme.beyond
                                  : toast->tone == Tone::good ? theme.seen
                                                              : theme.slider;
        screen_.fill({box.x0 + 8.0F, box.y0 + 9.0F, box.x0 + 11.0F, box.y1 - 9.0F}, mark, 1.5F);
        screen_.paragraph({box.x0 + 20.0F, box.y0 + 9.0F}, toast->text, {theme.ink, 14.5F, look::Face::text},
                          text_width + 2.0F);
        bottom = box.y0 - 8.0F;
        toast->seconds_left -= seconds;
    }
    std::erase_if(toasts_, [](const Toast& toast) { return toast.seconds_left <= 0.0F; });
}

// A ring around the large dial's hand, until the first drag.
void Workbench::draw_hint(const look::Look& look) {
    if (preferences_.drag_hint_seen) return;
    if (grip_.active()) {
        preferences_.drag_hint_seen = true;
        return;
    }
    for (const figures::HandleMark& mark : handles_) {
        if (mark.figure != "rotations" || mark.handle != "position") continue;
        screen_.circle(mark.at, 13.0F, {look::faded(look.theme->ink, 0.75F), 1.5F, 0.0F});
        screen_.circle(mark.at, 17.0F, {look::faded(look.theme->ink, 0.30F), 1.5F, 0.0F});
        screen_.text({mark.at.x - 24.0F, mark.at.y + 4.0F}, look.text("hint.drag"),
                     {look.theme->ink_soft, look::kSmallSize, look::Face::text, canvas::Align::right});
        return;
    }
}

// ---- one frame -------------------------------------------------------------------------------------------------

Requests Workbench::frame(float seconds, float pixels_per_point, const Shown& shown) {
    pixels_per_point_ = pixels_per_point;
    requests_ = {};
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
        panels::advance(playing_, scene_, static_cast<double>(seconds));
        take(scene_);
    }

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
    const look::Look look = this->look();
    const look::Theme& theme = *look.theme;
    screen_.begin(*ImGui::GetWindowDrawList(), pixels_per_point);
    held_ = false;

    std::vector<Problem> adjusted;
    if (shown.controls) {
        hovered_figure_ = hovered_before;
        keys();
        hovered_figure_ = {};
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
        panels::BarState state{std::span(ids).first(count), scene_.bench,        solo_,
                               preferences_.theme,          history_.can_undo(), history_.can_redo(),
                               preferences_.picture_scale};
        if (const auto action = panels::bar(look, bar_area, state)) perform(*action);
        if (!state.chosen_theme.empty()) preferences_.theme = state.chosen_theme;
        if (!state.chosen_bench.empty()) {
            solo_.clear();
            scene_.bench = state.chosen_bench;
        }

        // Everything in the rail that does not fit scrolls.
        ImGui::SetCursorScreenPos({rail_area.x0, rail_area.y0});
        if (ImGui::BeginChild("##rail", {rail_area.width() - 1.0F, rail_area.height()},
                              ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_NoBackground)) {
            ImGui::GetWindowDrawList()->_FringeScale = 1.0F / pixels_per_point;
            panels::Panel panel{look, scene_, typing_, {}, {}, false, mark_controls_ ? &controls_ : nullptr};
            const float top = rail_area.y0 + 16.0F - ImGui::GetScrollY();
            panels::rail(panel, {rail_area.x0 + 20.0F, top, rail_area.x1 - 20.0F, rail_area.y1},
                         on_unit_circles(scene_) ? derived_.spectrum(scene_) : nullptr);
            held_ = held_ || panel.held;
            if (panel.next) scene_ = std::move(*panel.next);
            adjusted.insert(adjusted.end(), panel.adjusted.begin(), panel.adjusted.end());
        }
        ImGui::EndChild();

        panels::Panel panel{look, scene_, typing_, {}, {}, false, mark_controls_ ? &controls_ : nullptr};
        panels::timeline(panel, timeline_area, playing_);
        held_ = held_ || panel.held;
        if (panel.next) scene_ = std::move(*panel.next);
        adjusted.insert(adjusted.end(), panel.adjusted.begin(), panel.adjusted.end());
        preferences_.speed = playing_.speed;
        preferences_.loop = playing_.loop;
    }

    const Rect room = shown.figure.empty() || shown.controls ? whole.grown(-kGap) : whole;
    const std::string_view alone = shown.figure.empty() ? std::string_view(solo_) : shown.figure;
    const Bench& bench = bench_of(scene_);
    if (!alone.empty()) {
        tiles_.push_back({alone, room});
    } else {
        std::vector<double>& ratios = preferences_.splits[std::string(bench.id)];
        if (ratios.size() != splits_in(*bench.layout)) {
            ratios.clear();
            default_ratios(*bench.layout, ratios);
        }
        std::size_t index = 0;
        lay_tiles(*bench.layout, room, index, ratios);
        if (shown.controls) drag_dividers(ratios);
    }
    for (const Tile& tile : tiles_) draw_tile(look, tile, shown);
    report(adjusted);

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
        if (!help_open_ && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) draw_tip(look, tip_);
        draw_toasts(look, whole, seconds);
    }

    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) grip_ = {};
    held_ = held_ || grip_.active();
    const bool link_changed = link_ != next_link_;
    link_ = next_link_;
    // One drag or one typed edit is one step: it is made when nothing is held any more.
    if (!held_ && !playing_.on && !(scene_ == history_.present())) {
        history_.commit(scene_);
        requests_.scene_changed = true;
    }
    requests_.held = held_ || ImGui::IsMouseDown(ImGuiMouseButton_Left);
    requests_.animating = playing_.on || link_changed || !toasts_.empty();
    requests_.typing = !typing_.key.empty();
    return requests_;
}

}  // namespace posiscope::workbench
