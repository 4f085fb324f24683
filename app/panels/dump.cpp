// dump.cpp — the files of a dump, its selected row, head and pair, their numbers, and the command that says the same.
#include "app/panels/controls.hpp"
#include "app/panels/guide_parts.hpp"
#include "app/ui/numbers.hpp"
#include "core/json_members.hpp"

#include <cmath>

namespace posiscope::panels {
namespace {

// A number with its name; what is wrong has a mark.
void number_row(const ui::Look& look, Rect& area, std::string_view name, std::string_view value, bool wrong) {
    const Rect line = area.cut_top(21.0F);
    label(look, {line.x0, line.y0 + 14.0F}, look.text(name), look.theme->ink_soft, 14.5F);
    label(look, {line.x1, line.y0 + 14.0F}, value, look.theme->ink, 15.0F,
          wrong ? ui::Face::strong : ui::Face::text, Side::right);
    if (!wrong) return;
    const float x = line.x1 - label_width(look, value, 15.0F, ui::Face::strong) - 11.0F, y = line.y0 + 9.0F;
    parts::fill({x - 4.0F, y - 4.0F, x + 4.0F, y + 4.0F}, look.theme->beyond, 4.0F);
}

void numbers(const ui::Look& look, Rect& area, const DumpView& view) {
    ui::Scratch& s = *look.scratch;
    const auto row = [&](std::string_view name, double value, int digits, bool wrong = false) {
        number_row(look, area, name, ui::significant(s, value, digits), wrong);
    };
    if (view.rounding > 0.0) {
        const double off = view.found - view.wanted;
        const bool wrong = !(std::abs(off) <= view.rounding);
        row("dump.found", view.found, 7);
        row("dump.wanted", view.wanted, 7);
        row("dump.off", off, 5, wrong);
        row("dump.roundings", std::abs(off) / view.rounding, 3, wrong);
        area.cut_top(6.0F);
    }
    if (!(view.rate > 0.0)) return;
    row("dump.rate", view.rate, 6);
    if (view.expected > 0.0) {
        row("dump.expected", view.expected, 6);
        row("dump.ratio", view.rate / view.expected, 6, view.differs);
    }
}

}  // namespace

float dump(Panel& panel, DumpView& view, Rect area) {
    const ui::Look& look = panel.look;
    const float top = area.y0;
    const Json* named = object_at(panel.scene.view, "dump");
    for (const char* key : {"file", "after"})
        if (const std::string& path = named != nullptr ? text_at(*named, key) : view.none; !path.empty())
            area.cut_top(file_row(panel, area, look.scratch->format("view.dump.{}", key), path) +
                         kControlGap);
    const auto whole = [&](std::string_view key, std::string_view symbol, std::int64_t value,
                           std::int64_t count) {
        if (count > 1)
            area.cut_top(slider(panel, area,
                                {.key = key,
                                 .symbol = symbol,
                                 .value = static_cast<double>(value),
                                 .from = 0.0,
                                 .to = static_cast<double>(count - 1),
                                 .colour = key == "pair" ? ui::pair_colour(*look.theme,
                                                                           static_cast<double>(value) /
                                                                               static_cast<double>(count - 1))
                                                         : look.theme->slider}) +
                         kControlGap);
    };
    whole("view.rows.head", "h", view.head, view.heads);
    whole("view.rows.selected", "r", view.row, view.rows);
    whole("pair", "i", view.pair, view.pairs);
    numbers(look, area, view);
    area.cut_top(6.0F);
    if (named != nullptr && !text_at(*named, "file").empty() &&
        parts::button(panel, area.cut_top(30.0F), "dump:copy", look.text("dump.copy")))
        view.copy = true;
    area.cut_top(12.0F);
    return area.y0 - top;
}

}  // namespace posiscope::panels
