// guide.cpp — lessons in the sidebar's place: text beside the picture, never over it.
#include "app/panels/controls.hpp"
#include "app/panels/guide_parts.hpp"
#include "app/panels/panels.hpp"
#include "app/ui/lines.hpp"
#include "app/ui/parts/imgui_internals.hpp"

#include <algorithm>
#include <imgui.h>

namespace posiscope::panels {

using namespace parts;

namespace {

constexpr ui::Numbers kStrong = ui::Numbers::strong;
constexpr float kReading = 17.0F, kSaidSize = 16.0F;  // of a step's text; of questions, choices and goals
constexpr float kSaidLine = 1.3F;                     // as prose() breaks lines

// A disc for each line: empty, a part of it filled, full.
void progress_mark(const ui::Look& look, Point centre, const GuideRow& row) {
    const ui::Theme& theme = *look.theme;
    constexpr float radius = 5.0F;
    draw_list().AddCircle({centre.x, centre.y}, radius, theme.ink_soft, 24, 1.3F);
    if (row.done == 0 || row.all == 0) return;
    if (row.done >= row.all) {
        draw_list().AddCircleFilled({centre.x, centre.y}, radius, theme.ink, 24);
        return;
    }
    draw_list().PathLineTo({centre.x, centre.y});
    const float turned = static_cast<float>(row.done) / static_cast<float>(row.all);
    draw_list().PathArcTo({centre.x, centre.y}, radius, -1.5708F, -1.5708F + 6.2832F * turned, 24);
    draw_list().PathFillConvex(theme.ink_soft);
}

constexpr float kListRow = 30.0F;  // of the list

// The ground of a row.
Rect reach(Rect row) { return {row.x0 - 8.0F, row.y0, row.x1 + 8.0F, row.y1}; }

float rows_height(const GuideView& view) {
    const auto headings =
        std::ranges::count_if(view.rows, [](const GuideRow& row) { return !row.heading.empty(); });
    return kListRow *
           static_cast<float>(view.rows.size() + static_cast<std::size_t>(headings) +
                              (view.own.empty() ? 0 : view.own.size() + 2) + (view.can_write ? 1 : 0));
}

void heading(const ui::Look& look, Rect& area, std::string_view words) {
    const Rect above = area.cut_top(kListRow);
    label(look, {above.x0, above.y1 - 9.0F}, words, look.theme->ink_soft, ui::kSmallSize);
}

// A row of the list that begins a lesson of one's own, or continues it.
void row_that_adds(Panel& panel, GuideView& view, Rect& area) {
    if (!view.can_write) return;
    const Rect line = area.cut_top(kListRow);
    if (word(panel, {line.x0, line.y0 + 19.0F}, Side::left, "guide:add_step",
             panel.look.text("guide.add_step")))
        panel.ask(Verb::add_step);
}

void rows(Panel& panel, GuideView& view, Rect area) {
    const ui::Look& look = panel.look;
    if (!view.own.empty()) heading(look, area, look.text("guide.own"));
    for (const OwnLesson& own : view.own) {
        const Rect line = area.cut_top(kListRow);
        if (flat(panel, reach(line), own.path).clicked) panel.ask(Verb::open_file, own.path);
        label(look, {line.x0, line.y0 + 19.0F}, own.title, look.theme->ink);
        tooltip(look, {}, own.path);
    }
    if (!view.own.empty()) {
        row_that_adds(panel, view, area);
        heading(look, area, look.text("guide.lessons"));
    }
    for (const GuideRow& row : view.rows) {
        if (!row.heading.empty()) heading(look, area, row.heading);
        const Rect line = area.cut_top(kListRow);
        if (flat(panel, reach(line), row.id).clicked) panel.ask(Verb::begin_lesson, row.id);
        float x = line.x0;
        if (!row.mark.empty()) {
            label(look, {x, line.y0 + 19.0F}, row.mark, look.theme->ink_soft, 14.5F);
            x += 34.0F;
        }
        label(look, {x, line.y0 + 19.0F}, row.name, look.theme->ink);
        if (row.all > 0) progress_mark(look, {line.x1 - 7.0F, line.y0 + 14.0F}, row);
    }
    if (view.own.empty()) row_that_adds(panel, view, area);
}

constexpr float kWidePane = 560.0F;  // has room for the name beside the rest of its line

// Returns where it ends.
float title(const ui::Look& look, const GuideView& view, Rect line) {
    float x = line.x0;
    if (view.number > 0) {
        const std::string_view number = look.scratch->format("{}", view.number);
        label(look, {x, line.y0 + 19.0F}, number, look.theme->ink_soft, kTitleSize);
        x += label_width(look, number, kTitleSize) + 10.0F;
    }
    label(look, {x, line.y0 + 19.0F}, view.words->title, look.theme->ink, kTitleSize);
    return x + label_width(look, view.words->title, kTitleSize);
}

// The lesson's name and ✕, then where one is: pressed, it opens the map. In a low pane it is one line, and on a telephone the
// name stands over the text of the first step.
void head(Panel& panel, GuideView& view, Rect& area, bool one_line) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    Rect line = area.cut_top(30.0F);
    if (cross(panel, line.cut_right(one_line ? 30.0F : 24.0F), "guide:leave",
              look.text(view.returns ? "guide.test.return" : "guide.leave")))
        panel.ask(Verb::leave_lesson);
    const bool named = !one_line || line.width() > kWidePane;
    const float end = named ? title(look, view, line) + 24.0F : line.x0;
    const Rect dots = one_line ? Rect{end, line.y0 + 3.0F, line.x1, line.y1} : area.cut_top(24.0F);
    const std::string_view place =
        look.scratch->format("{} {}",
                             look.scratch->vformat(fmt::string_view(look.text("guide.of")),
                                                   fmt::make_format_args(view.step + 1, view.marks.size())),
                             view.map ? "▴" : "▾");
    if (word(panel, {dots.x1, dots.y0 + 15.0F}, Side::right, "guide:map", place)) panel.ask(Verb::toggle_map);
    // Closer together where there are many, and none where even that has no room beside the numbers.
    constexpr float kDot = 7.0F, kHere = 18.0F, kClosest = 3.0F;
    const auto others = static_cast<float>(view.marks.size() - 1);
    const float room = dots.width() - label_width(look, place, ui::kWidgets.word) - 14.0F;
    const float between = std::min(kDot, (room - kHere - kDot * others) / std::max(others, 1.0F));
    float at = dots.x0 + 4.0F;
    for (std::size_t i = 0; i < view.marks.size() && between >= kClosest; ++i) {
        const bool here = i == view.step;
        const float width = here ? kHere : kDot;
        const Rect dot{at, dots.y0 + 7.0F, at + width, dots.y0 + 14.0F};
        if (press(panel, {dot.x0 - 0.5F * between, dots.y0, dot.x1 + 0.5F * between, dots.y1},
                  look.scratch->format("guide:step{}", i), {.by_tab = false})
                .clicked)
            panel.ask(Verb::go_to_step, i);
        if (here) fill(dot, theme.ink, 3.5F);
        else if (view.marks[i] == '+') fill(dot, theme.ink_soft, 3.5F);
        else outline(dot, theme.ink_soft, 3.5F);
        at += width + between;
    }
    area.cut_top(one_line ? 4.0F : 12.0F);
}

// The names of all steps, and what is done of them. What follows a question that is open may say its answer: such a name is
// dots, unless that step asks something itself.
void map(Panel& panel, GuideView& view, Rect& area) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    rule(look, area);
    bool open = false;
    for (std::size_t i = 0; i < view.names.size(); ++i) {
        const LabelMeasure measure(look);
        constexpr float kIndent = 24.0F;
        const bool hidden = open && i > view.step && view.marks[i] == ' ';
        const std::string_view name = hidden ? std::string_view("…") : view.names[i];
        open = open || view.marks[i] == 'o';
        const int lines = ui::line_count(measure, name, ui::Face::text, kSaidSize, area.width() - kIndent);
        const Rect row = area.cut_top(12.0F + kSaidLine * kSaidSize * static_cast<float>(lines));
        if (flat(panel, reach(row), look.scratch->format("guide:name{}{}", i, hidden ? ":hidden" : ""),
                 {.on = i == view.step})
                .clicked)
            panel.ask(Verb::go_to_step, i);
        const Point mark{row.x0 + 7.0F, row.y0 + 17.0F};
        if (view.marks[i] == '+') draw_list().AddCircleFilled({mark.x, mark.y}, 5.0F, theme.ink, 24);
        else if (view.marks[i] == 'o')
            draw_list().AddCircle({mark.x, mark.y}, 5.0F, theme.ink_soft, 24, 1.3F);
        Rect text{row.x0 + kIndent, row.y0 + 6.0F, row.x1, row.y1};
        say(look, text, name, i == view.step ? theme.ink : theme.ink_soft, 0.0F, ui::Numbers::plain,
            kSaidSize);
    }
    float x = area.x0 + 24.0F;
    const auto may = [&](bool possible, std::string_view id, std::string_view key, Verb verb) {
        if (!possible) return;
        const std::string_view name = look.text(key);
        const float width = label_width(look, name, ui::kWidgets.word);
        if (x > area.x0 + 24.0F && x + width > area.x1) x = area.x0 + 24.0F, area.cut_top(28.0F);
        if (word(panel, {x, area.y0 + 26.0F}, Side::left, id, name)) panel.ask(verb);
        x += width + 18.0F;
    };
    if (view.can_edit) {  // the acts on the present step, in the file of the lesson
        may(view.step > 0, "guide:move_up", "guide.edit.move_up", Verb::move_up);
        may(view.step + 1 < view.names.size(), "guide:move_down", "guide.edit.move_down", Verb::move_down);
        may(true, "guide:duplicate", "guide.edit.duplicate", Verb::double_step);
        may(view.names.size() > 1, "guide:remove", "guide.edit.remove", Verb::ask_removal);
        may(view.can_restore, "guide:restore", "guide.edit.restore", Verb::restore_lesson);
        x = area.x0 + 24.0F;
        area.cut_top(34.0F);
    }
    may(view.can_write, "guide:handout", "action.handout", Verb::handout);
    may(view.can_write, "guide:slides", "action.slides", Verb::slides);
    if (view.can_write) area.cut_top(34.0F);
}

// A choice in its box. The one that was taken last says why it is wrong; once the right one is found, all do.
void choice(Panel& panel, GuideView& view, Rect& area, std::size_t i) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const ChoiceWords& one = view.words->choices[i];
    const bool open = !view.answered, mine = view.answer == i;
    const float inner = area.width() - 46.0F;
    const LabelMeasure measure(look);
    const auto lines_of = [&](std::string_view text, ui::Numbers numbers, float size) {
        return ui::line_count(measure, text, ui::Face::text, size, inner, numbers);
    };
    const int lines = lines_of(one.text, ui::Numbers::plain, kSaidSize);
    const std::string_view says =
        !one.right && (mine || !open) ? std::string_view(one.says) : std::string_view();
    const int said = says.empty() ? 0 : lines_of(says, kStrong, ui::kTextSize);
    Rect box = area.cut_top(16.0F + kSaidLine * kSaidSize * static_cast<float>(lines) +
                            (said > 0 ? 3.0F + kSaidLine * ui::kTextSize * static_cast<float>(said) : 0.0F));
    area.cut_top(7.0F);
    const Pressed pressed = press(panel, box, look.scratch->format("guide:choice{}", i));
    if (i == 0 && open && !view.answer) ui::take_lost_keyboard();
    if (pressed.clicked && open) panel.ask(Verb::answer, i);
    const bool right = one.right && !open;
    if (mine || right || (pressed.hovered && open)) fill(box, theme.control, 6.0F);
    outline(box, theme.border, 6.0F);
    choice_mark({box.x0 + 20.0F, box.y0 + 18.0F}, 7.0F,
                right  ? ChoiceMark::right
                : mine ? ChoiceMark::wrong
                       : ChoiceMark::none,
                open || right || mine ? theme.ink : theme.ink_faint);
    Rect text{box.x0 + 38.0F, box.y0 + 7.0F, box.x0 + 38.0F + inner, box.y1};
    say(look, text, one.text, open || right || mine ? theme.ink : theme.ink_soft, 3.0F, ui::Numbers::plain,
        kSaidSize);
    say(look, text, says, theme.ink_soft, kGap, kStrong);
}

// The button that ends a guess or a sketch, and beside it the one that clears it.
void confirm_button(Panel& panel, Rect& area, bool said, Verb verb, bool begun) {
    Rect row = area.cut_top(kButton);
    const Rect answer = row.cut_left(0.5F * area.width());
    if (said && button(panel, answer, "guide:guess", panel.look.text("guide.guess"), {.primary = true}))
        panel.ask(verb);
    row.cut_left(kGap);
    if (begun && word(panel, {row.x0 + 6.0F, row.y0 + 21.0F}, Side::left, "guide:erase",
                      panel.look.text("guide.erase")))
        panel.ask(Verb::erase);
    area.cut_top(8.0F);
}

// A number is guessed before it can be seen. The field is empty at first: a number would draw the guess to itself.
void guess(Panel& panel, GuideView& view, Rect& area) {
    GuideView::Guess& asked = *view.guess;
    if (asked.in_figure) {
        say(panel.look, area, panel.look.text(asked.said->has_value() ? "guide.pin_moves" : "guide.pin"),
            panel.look.theme->ink_soft, 8.0F, ui::Numbers::plain, kSaidSize);
        return confirm_button(panel, area, asked.said->has_value(), Verb::guess, false);
    }
    const std::string_view none = "?";
    area.cut_top(slider(panel, area,
                        {.key = "guess",
                         .symbol = "",
                         .value = asked.said->value_or(asked.from),
                         .from = asked.from,
                         .to = asked.to,
                         .step = asked.step,
                         .colour = panel.look.theme->ink,
                         .unset = *asked.said ? std::string_view() : none,
                         .own = asked.said}) +
                 4.0F);
    confirm_button(panel, area, asked.said->has_value(), Verb::guess, false);
}

void sketch(Panel& panel, GuideView& view, Rect& area) {
    say(panel.look, area, panel.look.text(view.sketch->begun ? "guide.sketch_on" : "guide.sketch"),
        panel.look.theme->ink_soft, 8.0F, ui::Numbers::plain, kSaidSize);
    confirm_button(panel, area, view.sketch->drawn, Verb::sketch, view.sketch->begun);
}

// Cards to be put in order: the next one pressed gets the next number. Once the order is right it stays.
void card(Panel& panel, GuideView& view, Rect& area, std::size_t place) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const GuideView::Cards& cards = *view.cards;
    const std::size_t mine = cards.laid_out[place];
    const std::string& text = view.words->cards[place].text;
    const LabelMeasure plain(look);
    const float inner = area.width() - 52.0F;
    const int lines = ui::line_count(plain, text, ui::Face::text, kSaidSize, inner);
    const Rect box = area.cut_top(18.0F + kSaidLine * kSaidSize * static_cast<float>(lines));
    area.cut_top(7.0F);
    const Pressed pressed = press(panel, box, look.scratch->format("guide:card{}", place));
    if (pressed.clicked && !view.answered) panel.ask(Verb::place_card, mine);
    if (pressed.hovered && !view.answered) fill(box, theme.control, 6.0F);
    outline(box, theme.border, 6.0F);
    const auto chosen = std::ranges::find(cards.order, mine);
    const std::size_t number = view.answered ? mine : static_cast<std::size_t>(chosen - cards.order.begin());
    const Point mark{box.x0 + 22.0F, box.y0 + 20.0F};
    if (view.answered || chosen != cards.order.end()) {
        draw_list().AddCircleFilled({mark.x, mark.y}, 11.0F, theme.ink, 32);
        label(look, {mark.x, mark.y + 5.0F}, look.scratch->format("{}", number + 1), theme.tile,
              ui::kTextSize, ui::Face::strong, Side::centre);
    } else {
        draw_list().AddCircle({mark.x, mark.y}, 11.0F, theme.ink_soft, 32, 1.4F);
    }
    Rect words{box.x0 + 44.0F, box.y0 + 8.0F, box.x0 + 44.0F + inner, box.y1};
    say(look, words, text, theme.ink, 3.0F, ui::Numbers::plain, kSaidSize);
}

void question(Panel& panel, GuideView& view, Rect& area) {
    const ui::Theme& theme = *panel.look.theme;
    if (view.words->question.empty()) return;
    say(panel.look, area, view.words->question, theme.ink, 8.0F, ui::Numbers::plain, kSaidSize);
    for (std::size_t i = 0; i < view.words->choices.size(); ++i) choice(panel, view, area, i);
    if (view.cards)
        for (std::size_t i = 0; i < view.cards->laid_out.size(); ++i) card(panel, view, area, i);
    if (view.cards && view.cards->wrong && !view.answered)
        say(panel.look, area, view.words->cards_say, theme.ink, 4.0F, kStrong, kSaidSize);
    if (view.guess && !view.answered) {
        say(panel.look, area, view.words->said, theme.ink, 8.0F, kStrong, kSaidSize);
        guess(panel, view, area);
    }
    if (view.sketch && !view.answered) sketch(panel, view, area);
    if (view.answered) say(panel.look, area, view.words->said, theme.ink, 4.0F, kStrong, kSaidSize);
    if (view.answered) say(panel.look, area, view.words->then, theme.ink, kGap, kStrong, kSaidSize);
}

// One part of a task beside its bar. The answers to it follow the controls, so that no slider moves under the mouse.
void task(Panel& panel, GuideView& view, Rect& area, bool answers) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const StepWords& words = *view.words;
    const std::string& reply = view.task_done ? words.well : words.slip;
    if (answers ? reply.empty() && (view.task_done || words.hint.empty()) : words.goal.empty()) return;
    const float top = area.y0;
    Rect inner{area.x0 + 12.0F, area.y0, area.x1, area.y1};
    if (answers) {
        say(look, inner, reply, theme.ink, 8.0F, kStrong, kSaidSize);
        if (!view.task_done) say(look, inner, words.hint, theme.ink_soft, 8.0F, kStrong, kSaidSize);
    } else {
        say(look, inner, words.goal, theme.ink, 8.0F, kStrong, kSaidSize);
    }
    fill({area.x0, top, area.x0 + 3.0F, inner.y0 - 6.0F}, view.task_done ? theme.seen : theme.offset, 1.5F);
    area.y0 = inner.y0 + 4.0F;
}

// Text, question and controls of the step.
void step(Panel& panel, GuideView& view, const ControlsView& controls, Rect& area) {
    say(panel.look, area, view.words->text, panel.look.theme->ink, 14.0F, kStrong, kReading);
    formula(panel.look, area, view.words->formula, 16.0F);
    if (!view.results.empty()) results(panel, view, area);
    question(panel, view, area);
    task(panel, view, area, false);
    area.cut_top(4.0F);
    for (const std::string& key : view.controls) area.cut_top(control(panel, controls, area, key));
    area.cut_top(4.0F);
    task(panel, view, area, true);
}

constexpr float kStepRoom = 526.0F;  // with less a step scrolls, and only the way on stays in reach
constexpr float kWords = 44.0F, kEdge = 12.0F;  // over the buttons of the foot: its words, or its line alone

// All controls, and what else can be done with the step.
void words_of_foot(Panel& panel, GuideView& view, Rect line) {
    const ui::Look& look = panel.look;
    const float base = line.y0 + 24.0F;
    if (word(panel, {line.x0, base}, Side::left, "guide:controls",
             look.text(view.all_controls ? "guide.fewer_controls" : "guide.all_controls")))
        panel.ask(Verb::toggle_controls);
    float right = line.x1;
    if (view.can_redraw) {
        const std::string_view others = look.text("guide.redraw");
        if (word(panel, {right, base}, Side::right, "guide:redraw", others)) panel.ask(Verb::redraw);
        right -= label_width(look, others, ui::kWidgets.word) + 18.0F;
    }
    if (view.astray) {
        const std::string_view again = look.text("guide.again");
        if (word(panel, {right, base}, Side::right, "guide:again", again)) panel.ask(Verb::again);
        right -= label_width(look, again, ui::kWidgets.word) + 18.0F;
    }
    if (!view.can_edit) return;
    float left = line.x0 + label_width(look, look.text("guide.all_controls"), ui::kWidgets.word) + 18.0F;
    const auto own = [&](std::string_view id, std::string_view key, Verb verb) {
        const std::string_view name = look.text(key);
        const float end = left + label_width(look, name, ui::kWidgets.word);
        if (end <= right && word(panel, {left, base}, Side::left, id, name)) panel.ask(verb);
        left = end + 18.0F;
    };
    own("guide:edit", "guide.edit", Verb::edit_step);
    own("guide:add_step", "guide.edit.add_step", Verb::add_step);
}

void foot(Panel& panel, GuideView& view, Rect area, bool with_words) {
    const ui::Look& look = panel.look;
    Rect buttons = area.cut_bottom(kButton);
    const float third = (area.width() - 2.0F * kGap) / 3.0F;
    if (button(panel, buttons.cut_left(third), "guide:back", look.text("guide.back")))
        panel.ask(Verb::previous_step);
    buttons.cut_left(kGap);
    const Rect middle = buttons.cut_left(third);
    if (view.can_hint && button(panel, middle, "guide:hint", look.text("guide.hint"))) panel.ask(Verb::hint);
    else if (!view.can_hint && view.can_solve &&
             button(panel, middle, "guide:solution", look.text("guide.show_me")))
        panel.ask(Verb::solution);
    buttons.cut_left(kGap);
    // The way on is marked once the step's question or task is done; it is always open.
    const bool open = !view.words->question.empty() && !view.answered;
    if (button(panel, buttons, "guide:next",
               look.text(view.following.empty() ? "guide.next" : "guide.next_lesson"), {.primary = !open}))
        panel.ask(Verb::next_step);
    if (!view.following.empty()) tooltip(look, {}, view.following);
    if (!open) ui::take_lost_keyboard();  // Enter goes on

    const Rect above = area.cut_bottom(with_words ? kWords - 4.0F : kEdge);
    if (with_words) words_of_foot(panel, view, above);
    fill({above.x0, above.y0, above.x1, above.y0 + 1.0F}, look.theme->border, 0.0F);
}

}  // namespace

void guide(Panel& panel, GuideView& view, const ControlsView& controls, Rect area) {
    const bool low = area.height() < kStepRoom && view.words != nullptr;
    area = {area.x0 + kMargin, area.y0 + (low ? 0.0F : 16.0F), area.x1 - kMargin, area.y1 - 14.0F};
    if (view.words == nullptr) {
        tabs(panel, view, area);
        if (view.claims != nullptr) claims(panel, *view.claims, controls, area);
        else if (view.tab == GuideTab::examples) examples(panel, area);
        else if (rows_height(view) <= area.height()) rows(panel, view, area);
        else scrolled(panel, "##lessons", area, [&](Rect room) { rows(panel, view, room); });
        return;
    }
    head(panel, view, area, low);
    if (view.edit != nullptr) {
        rule(panel.look, area);
        Rect buttons = area.cut_bottom(kButton);
        area.cut_bottom(kGap);
        scrolled(panel, "##edit", area, [&](Rect room) { edit_step(panel, *view.edit, room); });
        const float half = 0.5F * (buttons.width() - kGap);
        if (button(panel, buttons.cut_left(half), "guide:leave_edit", panel.look.text("guide.edit.leave")))
            panel.ask(Verb::leave_edit);
        buttons.cut_left(kGap);
        if (button(panel, buttons, "guide:save_edit", panel.look.text("guide.edit.save"), {.primary = true}))
            panel.ask(Verb::save_step);
        return;
    }
    Rect above = area;
    above.cut_bottom(kButton + (low ? kEdge : kWords));
    if (view.all_controls) {
        rule(panel.look, above);
        if (low) words_of_foot(panel, view, above.cut_top(kWords - kGap));
        scrolled(panel, "##controls", above, [&](Rect room) { all_controls(panel, controls, room); });
    } else if (low) {
        scrolled(panel, "##step", above, [&](Rect room) {
            if ((view.step == 0 || view.map) && room.width() <= kWidePane)
                title(panel.look, view, room.cut_top(34.0F));
            if (view.map) map(panel, view, room);
            else step(panel, view, controls, room);
            words_of_foot(panel, view, room.cut_top(kWords - kGap));
        });
    } else if (view.map) {
        map(panel, view, area);
    } else {
        step(panel, view, controls, area);
    }
    foot(panel, view, area, !low);
}

}  // namespace posiscope::panels
