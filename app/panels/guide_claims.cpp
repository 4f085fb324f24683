// guide_claims.cpp — the claims of the notes in the guide's pane: found by note, verdict and words; the chosen one unfolds
// where it stands, with the number that decides it.
#include "app/panels/guide_claims.hpp"

#include "app/panels/controls.hpp"
#include "app/panels/guide_parts.hpp"
#include "app/ui/known.hpp"
#include "app/ui/lines.hpp"

#include <imgui.h>

namespace posiscope::panels {

using namespace parts;

namespace {

constexpr float kHead = 24.0F, kRowGap = 14.0F, kLineOfText = 1.3F * ui::kTextSize;

// A tick, a cross, half of a disc, a wave, a broken circle: verdicts can be told apart without colour.
void verdict_mark(const ui::Look& look, Point c, Verdict verdict, ui::Colour ink, ui::Colour ground) {
    constexpr float r = 6.0F;
    ImDrawList& draw = draw_list();
    const ImVec2 centre{c.x, c.y};
    const auto line = [&](float x0, float y0, float x1, float y1, ui::Colour colour) {
        draw.AddLine({c.x + x0, c.y + y0}, {c.x + x1, c.y + y1}, colour, 1.6F);
    };
    switch (verdict) {
        case Verdict::right:
            draw.AddCircle(centre, r, ink, 32, 1.4F);
            line(-2.8F, 0.2F, -0.8F, 2.6F, ink);
            line(-0.8F, 2.6F, 3.0F, -2.4F, ink);
            break;
        case Verdict::wrong:
            draw.AddCircleFilled(centre, r + 0.7F, ink, 32);
            line(-2.3F, -2.3F, 2.3F, 2.3F, ground);
            line(-2.3F, 2.3F, 2.3F, -2.3F, ground);
            break;
        case Verdict::conditional:
            draw.AddCircle(centre, r, ink, 32, 1.4F);
            draw.PathArcTo(centre, r, 1.5708F, 4.7124F, 16);
            draw.PathFillConvex(ink);
            break;
        case Verdict::analogy:
            draw.AddCircle(centre, r, ink, 32, 1.4F);
            draw.AddBezierCubic({c.x - 3.4F, c.y + 0.8F}, {c.x - 1.2F, c.y - 3.2F}, {c.x + 1.2F, c.y + 3.2F},
                                {c.x + 3.4F, c.y - 0.8F}, ink, 1.5F);
            break;
        case Verdict::untested:
            for (int part = 0; part < 6; ++part) {
                const float from = static_cast<float>(part) * 1.0472F;
                draw.PathArcTo(centre, r, from, from + 0.6F, 6);
                draw.PathStroke(ink, ImDrawFlags_None, 1.4F);
            }
            break;
    }
    (void)look;
}

std::string_view verdict_name(const ui::Look& look, Verdict verdict) {
    return look.text(look.scratch->format("verdict.{}", verdict_names()[static_cast<std::size_t>(verdict)]));
}

void search(Panel& panel, ClaimFilter& filter, Rect& area) {
    const Rect row = area.cut_top(28.0F);
    ImGui::SetCursorScreenPos({row.x0, row.y0});
    ImGui::SetNextItemWidth(row.width());
    ImGui::PushStyleColor(ImGuiCol_FrameBg, panel.look.theme->control);
    ImGui::InputTextWithHint("##claims", panel.look.c(panel.look.text("claims.search")), filter.text.data(),
                             filter.text.size(), ImGuiInputTextFlags_EscapeClearsAll);
    ImGui::PopStyleColor();
    panel.mark("claims:search", row);
    area.cut_top(8.0F);
}

// A pill that holds when it is chosen; wraps to the next line where the row is full.
bool chip(Panel& panel, Rect area, Point& pen, std::string_view id, std::string_view text,
          std::optional<Verdict> mark, bool on) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const float width = label_width(look, text, 13.5F) + (mark ? 34.0F : 20.0F);
    if (pen.x + width > area.x1 + 0.5F && pen.x > area.x0) pen = {area.x0, pen.y + 28.0F};
    const Rect box{pen.x, pen.y, pen.x + width, pen.y + 24.0F};
    const Pressed pressed = press(panel, box, id, {.role = "radio", .on = on});
    if (on) fill(box, theme.ink, 12.0F);
    else if (pressed.hovered) fill(box, theme.control, 12.0F);
    if (!on) outline(box, theme.border, 12.0F);
    const ui::Colour ink = on ? theme.rail : theme.ink;
    if (mark) verdict_mark(look, {box.x0 + 14.0F, box.centre().y}, *mark, ink, on ? theme.ink : theme.rail);
    label(look, {box.x0 + (mark ? 25.0F : 10.0F), box.centre().y + 4.5F}, text, ink, 13.5F);
    pen.x = box.x1 + 5.0F;
    return pressed.clicked;
}

void filters(Panel& panel, ClaimsView& view, Rect& area) {
    const ui::Look& look = panel.look;
    ClaimFilter& filter = *view.filter;
    search(panel, filter, area);
    Point pen{area.x0, area.y0};
    std::size_t all = 0;
    for (const std::size_t count : view.counts) all += count;
    if (chip(panel, area, pen, "claims:all", look.scratch->format("{} {}", look.text("claims.all"), all),
             std::nullopt, !filter.verdict))
        filter.verdict.reset();
    for (std::size_t i = 0; i < verdict_names().size(); ++i) {
        const auto verdict = static_cast<Verdict>(i);
        const bool on = filter.verdict == verdict;
        if (chip(panel, area, pen, look.scratch->format("claims:{}", verdict_names()[i]),
                 look.scratch->format("{} {}", verdict_name(look, verdict), view.counts[i]), verdict, on))
            filter.verdict = on ? std::nullopt : std::optional(verdict);
    }
    area.y0 = pen.y + 34.0F;
    pen = {area.x0, area.y0};
    const auto note = [&](std::string_view name, std::string_view text) {
        constexpr float kNote = 14.0F;
        const float width = tab_width(look, text, kNote);
        if (pen.x + width > area.x1 + 0.5F && pen.x > area.x0) pen = {area.x0, pen.y + 22.0F};
        const Rect box{pen.x, pen.y, pen.x + width, pen.y + 22.0F};
        if (tab(panel, box, look.scratch->format("claims:note{}", name), text, filter.note == name, true,
                kNote))
            filter.note = name;
        if (!name.empty()) tooltip(look, {}, ui::note_name(*look.scratch, name, *look.strings));
        pen.x += width + 12.0F;
    };
    note("", look.text("claims.all_notes"));
    for (const std::string_view name : view.notes)
        note(name, look.text(look.scratch->format("note.{}.short", name)));
    area.y0 = pen.y + 30.0F;
}

const std::vector<float>& heights_of(const ui::Look& look, ClaimsView::Heights& kept, float width) {
    const Language language = look.strings->language();
    if (kept.language != language || kept.width != width || kept.pixels_per_point != look.pixels_per_point) {
        kept = {width, look.pixels_per_point, language, {}};
        const LabelMeasure measure(look);
        for (const Claim& claim : ui::known_claims())
            kept.of.push_back(kHead + kRowGap +
                              kLineOfText *
                                  static_cast<float>(ui::line_count(measure, ui::words(claim.says, language),
                                                                    ui::Face::text, ui::kTextSize, width)));
    }
    return kept.of;
}

// The number that decides it, in a box.
void number(Panel& panel, const ClaimWords& words, Rect& area) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const float top = area.y0;
    // The box is as tall as its text, which is known only after it is drawn: drawn below it, on a separate channel.
    ImDrawList& draw = draw_list();
    draw.ChannelsSplit(2);
    draw.ChannelsSetCurrent(1);
    Rect inner{area.x0 + 12.0F, area.y0 + 9.0F, area.x1 - 8.0F, area.y1};
    say(look, inner, words.measured, theme.ink_soft, 4.0F);
    if (words.value.empty()) {
        say(look, inner, words.absent, theme.ink, 6.0F);
    } else {
        const Rect line = inner.cut_top(24.0F);
        const ui::Colour ink = words.pending ? theme.ink_soft : theme.ink;
        label(look, {line.x0, line.y0 + 17.0F}, words.value, ink, 18.0F, ui::Face::strong);
        label(look,
              {line.x0 + label_width(look, words.value, 18.0F, ui::Face::strong) + 7.0F, line.y0 + 17.0F},
              words.unit, theme.ink_soft, 14.5F);
        say(look, inner, words.needed, theme.ink_soft, 6.0F);
        const bool hidden = words.standing == Standing::hidden, holds = words.standing == Standing::holds;
        const ui::Colour colour = words.pending || hidden ? theme.ink_faint
                                  : holds                 ? theme.seen
                                                          : theme.beyond;
        const ImVec2 at{inner.x0 + 5.0F, inner.y0 + 9.0F};
        if (holds) draw.AddCircleFilled(at, 4.5F, colour, 24);
        else draw.AddCircle(at, 4.0F, colour, 24, 2.0F);
        if (hidden) draw.AddLine({at.x - 2.5F, at.y}, {at.x + 2.5F, at.y}, colour, 1.6F);
        Rect state{inner.x0 + 16.0F, inner.y0, inner.x1, inner.y1};
        say(look, state,
            look.text(words.pending ? "claims.pending"
                      : holds       ? "claims.holds"
                      : hidden      ? "claims.hidden"
                                    : "claims.fails"),
            ink, 2.0F);
        inner.y0 = state.y0;
    }
    const Rect box{area.x0, top, area.x1, inner.y0 + 8.0F};
    draw.ChannelsSetCurrent(0);
    fill(box, theme.control, 7.0F);
    draw.ChannelsMerge();
    panel.mark("claim:number", box);
    area.y0 = box.y1 + 10.0F;
}

void unfolded(Panel& panel, ClaimsView& view, const ControlsView& controls, Rect& area) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const Claim& claim = *view.chosen;
    const ClaimWords& words = *view.words;
    say(look, area, words.where, theme.ink_soft, 8.0F);
    if (claim.measure != nullptr) number(panel, words, area);
    say(look, area, words.mend, theme.ink, 8.0F);
    say(look, area, words.breaks, theme.ink_soft, 12.0F);
    Rect row = area.cut_top(32.0F);
    const float half = 0.5F * (row.width() - kGap);
    if (button(panel, view.can_return ? row.cut_left(half) : row, "claim:show", look.text("claims.show"),
               {.primary = !view.shown, .tip = look.text("claims.show_help")}))
        panel.ask(Verb::claim_picture);
    if (view.can_return) {
        row.cut_left(kGap);
        if (button(panel, row, "claim:before", look.text("claims.before"),
                   {.tip = look.text("claims.before_help")}))
            panel.ask(Verb::before_claim);
    }
    if (!words.decided.empty()) {
        area.cut_top(12.0F);
        say(look, area, words.decided, theme.ink, 8.0F);
        if (button(panel, area.cut_top(32.0F), "claim:experiment", look.text("claims.experiment"),
                   {.tip = look.text("claims.experiment_help")}))
            panel.ask(Verb::claim_experiment);
    }
    area.cut_top(14.0F);
    for (const std::string& key : claim.controls) area.cut_top(control(panel, controls, area, key));
}

void row(Panel& panel, ClaimsView& view, const Claim& claim, Rect line) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const Rect place{line.x0 - 8.0F, line.y0 - 4.0F, line.x1 + 8.0F, line.y1 - 6.0F};
    const bool open = view.chosen == &claim;
    if (open && press(panel, place, claim.id).clicked) panel.ask(Verb::fold_claim);
    if (!open && flat(panel, place, claim.id).clicked) panel.ask(Verb::show_claim, claim.id);
    verdict_mark(look, {line.x0 + 7.0F, line.y0 + 9.0F}, claim.verdict, theme.ink, theme.rail);
    label(look, {line.x0 + 21.0F, line.y0 + 14.0F}, claim.id, theme.ink, ui::kTextSize, ui::Face::strong);
    label(look, {line.x1, line.y0 + 14.0F}, verdict_name(look, claim.verdict), theme.ink_soft, ui::kSmallSize,
          ui::Face::text, Side::right);
    Rect text{line.x0, line.y0 + kHead, line.x1, line.y1};
    say(look, text, ui::words(claim.says, look.strings->language()), theme.ink);
}

}  // namespace

void claims(Panel& panel, ClaimsView& view, const ControlsView& controls, Rect area) {
    filters(panel, view, area);
    scrolled(panel, "##list", area, [&](Rect room) {
        const ui::Look& look = panel.look;
        const std::vector<float>& heights = heights_of(look, *view.heights, room.width());
        const float top = ImGui::GetWindowPos().y, end = top + ImGui::GetWindowHeight();
        room.y0 += 2.0F;
        for (const Claim* claim : view.rows) {
            const Rect line =
                room.cut_top(heights[static_cast<std::size_t>(claim - ui::known_claims().data())]);
            if (line.y1 > top && line.y0 < end) row(panel, view, *claim, line);
            if (claim != view.chosen) continue;
            if (view.fresh) ImGui::SetScrollFromPosY(line.y0 - top - 6.0F, 0.0F);
            room.y0 -= 4.0F;
            unfolded(panel, view, controls, room);
            fill({line.x0 - 8.0F, line.y0 - 2.0F, line.x0 - 5.0F, room.y0}, look.theme->ink);
            room.y0 += 18.0F;
        }
        if (view.rows.empty()) say(look, room, look.text("claims.none"), look.theme->ink_soft);
        ImGui::SetCursorScreenPos({room.x0, room.y0});
        ImGui::Dummy({1.0F, 1.0F});
    });
}

}  // namespace posiscope::panels
