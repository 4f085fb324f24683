// guide_results.cpp — what was answered in a test: its score, what is sure and what needs work.
#include "app/panels/guide_parts.hpp"
#include "app/panels/panels.hpp"

#include <algorithm>
#include <array>
#include <imgui.h>

namespace posiscope::panels {

using namespace parts;

namespace {

using Mark = ResultRow::Mark;

constexpr float kScore = 44.0F, kResultRow = 27.0F, kMarks = 52.0F, kDisc = 5.0F;

// Filled: right at the first try; empty: not; a dash: not asked.
void disc(const ui::Look& look, Point centre, Mark mark) {
    const ui::Theme& theme = *look.theme;
    if (mark == Mark::right) draw_list().AddCircleFilled({centre.x, centre.y}, kDisc, theme.ink, 24);
    else if (mark == Mark::wrong) draw_list().AddCircle({centre.x, centre.y}, kDisc, theme.ink, 24, 1.4F);
    else draw_list().AddLine({centre.x - 4.0F, centre.y}, {centre.x + 4.0F, centre.y}, theme.ink_soft, 1.4F);
}

void row(Panel& panel, Rect& area, const ResultRow& one) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    Rect line = area.cut_top(kResultRow);
    const float base = line.y0 + 18.0F;
    disc(look, {line.x1 - 0.5F * kMarks, line.centre().y}, one.test);
    disc(look, {line.x1 - 1.5F * kMarks, line.centre().y}, one.lesson);
    line.cut_right(2.0F * kMarks);
    if (!one.place.empty() && word(panel, {line.x1 - 4.0F, base}, Side::right,
                                   look.scratch->format("guide:taught{}", one.step), one.place))
        panel.ask(Verb::show_taught, one.taught);
    line.cut_right(label_width(look, one.place, ui::kWidgets.word) + 12.0F);
    if (flat(panel, {line.x0 - 8.0F, line.y0, line.x1, line.y1},
             look.scratch->format("guide:result{}", one.step))
            .clicked)
        panel.ask(Verb::go_to_step, one.step);
    label(look, {line.x0, base}, one.name, theme.ink);
}

// The rows that stand alike, below their heading.
void part(Panel& panel, GuideView& view, Rect& area, ResultRow::Standing standing) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const auto belongs = [&](const ResultRow& one) { return one.standing() == standing; };
    if (std::ranges::none_of(view.results, belongs)) return;
    static constexpr std::array kHeadings = {"guide.test.work", "guide.test.once", "guide.test.sure"};
    const Rect head = area.cut_top(26.0F);
    const float base = head.y0 + 16.0F;
    label(look, {head.x0, base}, look.text(kHeadings[static_cast<std::size_t>(standing)]), theme.ink_soft);
    for (const auto& [key, places] :
         {std::pair("guide.test.test", 0.5F), std::pair("guide.test.lesson", 1.5F)})
        label(look, {head.x1 - places * kMarks, base}, look.text(key), theme.ink_soft, 14.5F, ui::Face::text,
              Side::centre);
    fill({head.x0, head.y1 - 1.0F, head.x1, head.y1}, theme.border, 0.0F);
    for (const ResultRow& one : view.results)
        if (belongs(one)) row(panel, area, one);
    area.cut_top(10.0F);
}

}  // namespace

void parts::results(Panel& panel, GuideView& view, Rect area) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const auto right = std::ranges::count(view.results, Mark::right, &ResultRow::test);
    const auto all = static_cast<std::ptrdiff_t>(view.results.size());
    const Rect head = area.cut_top(54.0F);
    const std::string_view score = look.scratch->format("{}", right);
    label(look, {head.x0, head.y0 + 40.0F}, score, theme.ink, kScore);
    label(look, {head.x0 + label_width(look, score, kScore) + 10.0F, head.y0 + 40.0F},
          look.scratch->format("/ {}", all), theme.ink_soft, 24.0F);
    if (word(panel, {head.x1, head.y0 + 40.0F}, Side::right, "guide:copy", look.text("guide.test.copy")))
        panel.ask(Verb::copy_results);
    using enum ResultRow::Standing;
    for (const ResultRow::Standing one : {work, once, sure}) part(panel, view, area, one);
    Rect buttons = area.cut_top(kButton);
    const auto missed = all - right;
    if (missed > 0 && missed < all) {
        const std::string_view again = look.scratch->vformat(fmt::string_view(look.text("guide.test.retry")),
                                                             fmt::make_format_args(missed));
        if (button(panel, buttons.cut_left(0.62F * area.width()), "guide:retry", again, {.primary = true}))
            panel.ask(Verb::retry_test);
        buttons.cut_left(kGap);
    }
    if (button(panel, buttons, "guide:anew", look.text("guide.test.anew"), {.primary = missed == 0}))
        panel.ask(Verb::renew_test);
}

}  // namespace posiscope::panels
