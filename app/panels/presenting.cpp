// presenting.cpp — the head of a slide: a line, or a question with its choices, as large as it fits; and the lecturer's notes.
#include "app/panels/guide.hpp"
#include "app/panels/guide_parts.hpp"
#include "app/panels/panels.hpp"
#include "app/ui/lines.hpp"

#include <algorithm>
#include <imgui.h>

namespace posiscope::panels {
namespace {

constexpr float kNotesSize = 15.0F;
constexpr float kTitle = 36.0F, kLargest = 22.0F, kLeast = 14.0F;  // a line alone; with a question; of text
constexpr float kLineHeight = 1.32F;                               // a line is so many times its size
constexpr float kMark = 1.5F,
                kBetween = 1.6F;  // of a choice's circle and after a choice, in sizes of the text

struct Pen {
    Panel& panel;
    float size, width;

    float lines(std::string_view text, float room, ui::Numbers numbers = ui::Numbers::plain) const {
        const LabelMeasure measure(panel.look);
        return static_cast<float>(ui::line_count(measure, text, ui::Face::text, size, room, numbers));
    }
    float text_width(std::string_view text) const {
        return ui::line_width(LabelMeasure(panel.look), text, ui::Face::text, size);
    }
    float line() const { return kLineHeight * size; }
};

float paragraph(const Pen& pen, Point at, std::string_view text, ui::Colour colour, float room,
                ui::Numbers numbers = ui::Numbers::plain) {
    if (text.empty()) return 0.0F;
    ImGui::SetCursorScreenPos({at.x, at.y});
    prose(pen.panel.look, text, room, colour, pen.size, numbers);
    return pen.lines(text, room, numbers) * pen.line();
}

// The choices, one after another as they fit; returns their height, and draws them if asked to.
float choices(const Pen& pen, Point from, std::span<const ChoiceWords> list, bool revealed, bool draw) {
    const ui::Look& look = pen.panel.look;
    const ui::Theme& theme = *look.theme;
    float x = 0.0F, y = 0.0F, height = 0.0F;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const ChoiceWords& one = list[i];
        if (revealed && !one.right) continue;
        const float mark = kMark * pen.size, room = pen.width - mark;
        const float wide = std::min(pen.text_width(one.text), room);
        if (x > 0.0F && x + mark + wide > pen.width) x = 0.0F, y += height;
        const float own = pen.lines(one.text, room) * pen.line();
        height = x > 0.0F ? std::max(height, own) : own;
        if (draw) {
            const Point at = from + Point{x, y};
            const Rect area{at.x, at.y, at.x + mark + wide, at.y + own};
            const bool pressed = press(pen.panel, area, look.scratch->format("band:choice{}", i)).clicked;
            if (pressed && !revealed) pen.panel.ask(Verb::reveal);
            choice_mark(at + Point{0.45F * pen.size, 0.66F * pen.size}, 0.36F * pen.size,
                        revealed ? ChoiceMark::right : ChoiceMark::none,
                        revealed ? theme.seen : theme.ink_soft);
            paragraph(pen, at + Point{mark, 0.0F}, one.text, theme.ink, room);
        }
        x += mark + wide + kBetween * pen.size;
    }
    return list.empty() ? 0.0F : y + height;
}

// All of it at one size; returns its height.
float write(const Pen& pen, Point at, const Band& band, bool draw) {
    const ui::Theme& theme = *pen.panel.look.theme;
    float y = 0.0F;
    if (!band.question.empty()) {
        const bool over = band.revealed && !band.choices.empty();  // the right choice takes its place
        if (!over) {
            if (draw) paragraph(pen, at, band.question, theme.ink, pen.width);
            y += pen.lines(band.question, pen.width) * pen.line();
        }
        y += choices(pen, at + Point{0.0F, y}, band.choices, band.revealed, draw);
    }
    if (band.line.empty()) return y;
    const bool answer = !band.question.empty();
    constexpr ui::Numbers numbers = ui::Numbers::strong;
    if (draw)
        paragraph(pen, at + Point{0.0F, y}, band.line, answer ? theme.ink_soft : theme.ink, pen.width,
                  numbers);
    return y + pen.lines(band.line, pen.width, numbers) * pen.line();
}

void presenting(Panel& panel, Band& band, Rect area) {
    area = {area.x0 + 40.0F, area.y0 + 10.0F, area.x1 - 40.0F, area.y1 - 8.0F};
    Pen pen{panel, band.question.empty() ? kTitle : kLargest, area.width()};
    float height = write(pen, {}, band, false);
    while (height > area.height() && pen.size > kLeast) {
        pen.size -= 0.5F;
        height = write(pen, {}, band, false);
    }
    panel.mark("band", {area.x0, area.y0, area.x0 + pen.width, area.y0 + height});
    // Two lines or fewer stand in the middle.
    const float top = area.y0 + std::max(0.0F, 0.5F * (area.height() - height));
    write(pen, {area.x0, top}, band, true);
}

// All steps by their numbers, as large as they fit; a click goes there, as the number does.
void steps(Panel& panel, NotesView& view, Rect area) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const LabelMeasure measure(look);
    constexpr float kNumber = 26.0F, kBetweenRows = 6.0F, kSmallest = 9.0F;
    const auto lines = [&](const std::string& name, float size) {
        return static_cast<float>(
            ui::line_count(measure, name, ui::Face::text, size, area.width() - kNumber));
    };
    float size = kNotesSize;
    const auto height = [&] {
        float all = 0.0F;
        for (const std::string& name : view.names)
            all += kLineHeight * size * lines(name, size) + kBetweenRows;
        return all;
    };
    while (size > kSmallest && height() > area.height()) size -= 0.5F;
    for (std::size_t i = 0; i < view.names.size(); ++i) {
        const bool here = i == view.step;
        const Rect row = area.cut_top(kLineHeight * size * lines(view.names[i], size) + kBetweenRows);
        const Rect reach{row.x0 - 8.0F, row.y0, row.x1 + 8.0F, row.y1};
        if (flat(panel, reach, look.scratch->format("notes:step{}", i), {.on = here}).clicked)
            panel.ask(Verb::jump_to, i);
        label(look, {row.x0 + kNumber - 10.0F, row.y0 + 3.0F + size}, look.scratch->format("{}", i + 1),
              theme.ink_soft, size, ui::Face::text, Side::right);
        ImGui::SetCursorScreenPos({row.x0 + kNumber, row.y0 + 3.0F});
        prose(look, view.names[i], row.width() - kNumber, here ? theme.ink : theme.ink_soft, size);
    }
}

void notes(Panel& panel, NotesView& view, Rect area) {
    const ui::Look& look = panel.look;
    panel.mark("notes", area);
    area = {area.x0 + 20.0F, area.y0 + 18.0F, area.x1 - 16.0F, area.y1 - 14.0F};
    if (!view.names.empty()) return steps(panel, view, area);
    const auto note = [&](std::string_view text, float size, ui::Colour colour, float after) {
        say(look, area, text, colour, after, ui::Numbers::plain, size);
    };
    const ui::Colour soft = look.theme->ink_soft;
    note(view.notes.empty() ? look.text("notes.none") : view.notes, kNotesSize,
         view.notes.empty() ? soft : look.theme->ink, 18.0F);
    if (view.next.empty()) return;
    note(look.text("notes.next"), ui::kSmallSize, soft, 0.0F);
    note(view.next, ui::kTextSize, soft, 0.0F);
}

}  // namespace

extern const PanelEntry kNotes{
    .id = "notes", .edge = Edge::left, .presenting = 230.0F, .draw = with_view<NotesView, notes>};
extern const PanelEntry kBand{
    .id = "presenting", .edge = Edge::top, .presenting = 98.0F, .draw = with_view<Band, presenting>};

}  // namespace posiscope::panels
