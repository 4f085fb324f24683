// dump.cpp — the files of a dump, its selected row, head and pair, their numbers, and the command that says the same.
#include "app/panels/controls.hpp"
#include "app/ui/numbers.hpp"
#include "core/json_members.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace posiscope::panels {
namespace {

void numbers(const ui::Look& look, Rect& area, const DumpView& view) {
    ui::Scratch& s = *look.scratch;
    const auto row = [&](std::string_view name, double value, int digits, bool wrong = false) {
        number_row(look, area, look.text(name), ui::significant(s, value, digits), {}, wrong);
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

// Ways to name the axes of an array of this shape, and that they are found out.
std::span<const std::string_view> axes_for(std::span<const std::int64_t> shape) {
    static constexpr std::array<std::string_view, 10> all = {"found", "nd",  "dn",   "hnd",  "nhd",
                                                             "2nd",   "nd2", "bhnd", "bnhd", "nd22"};
    static std::array<std::string_view, 10> offered;
    std::size_t count = 0;
    offered[count++] = all[0];
    for (std::size_t i = 1; i < all.size(); ++i) {
        bool fits = all[i].size() == shape.size();
        for (std::size_t k = 0; fits && k < shape.size(); ++k) fits = all[i][k] != '2' || shape[k] == 2;
        if (fits) offered[count++] = all[i];
    }
    return std::span(offered).first(count);
}

// The model, its layer, the axes and the tolerance that the dump is measured with.
void measured_with(Panel& panel, Rect& area, const DumpView& view, const Method& method, const Json* named) {
    area.cut_top(model_field(panel, area, "dump.should_be") + kControlGap);
    area.cut_top(layer_kind(panel, area, method));
    if (named == nullptr) return;
    const std::string& axes = text_at(*named, "axes");
    if (const auto offered = axes_for(view.shape); offered.size() > 1) {
        const auto chosen = std::ranges::find(offered, std::string_view(axes));
        std::string_view taken;
        area.cut_top(chooser(panel, area, "view.dump.axes", chosen == offered.end() ? offered[0] : *chosen,
                             offered, taken) +
                     kControlGap);
        if (!taken.empty())
            panel.attempt("view.dump.axes", taken == offered[0] ? Json(nullptr) : Json(std::string(taken)));
    }
    const auto tolerance = number_at(*named, "tolerance");
    area.cut_top(slider(panel, area,
                        {.key = "view.dump.tolerance",
                         .symbol = "τ",
                         .value = tolerance.value_or(0.0),
                         .from = 0.0,
                         .to = 0.01,
                         .step = 1e-5,
                         .colour = panel.look.theme->slider,
                         .decimals = 5,
                         .unset = tolerance.value_or(0.0) > 0.0 ? std::string_view()
                                                                : panel.look.text("dump.rounding")}) +
                 kControlGap);
}

}  // namespace

float dump(Panel& panel, DumpView& view, const Method& method, Rect area) {
    const ui::Look& look = panel.look;
    const float top = area.y0;
    const Json* named = object_at(panel.scene.view, "dump");
    for (const char* key : {"file", "after"})
        if (const std::string& path = named != nullptr ? text_at(*named, key) : view.none; !path.empty())
            area.cut_top(file_row(panel, area, look.scratch->format("view.dump.{}", key), path) +
                         kControlGap);
    measured_with(panel, area, view, method, named);
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
        button(panel, area.cut_top(30.0F), "dump:copy", look.text("dump.copy")))
        panel.ask(Verb::copy_check, std::size_t{view.of_scene});
    area.cut_top(12.0F);
    return area.y0 - top;
}

}  // namespace posiscope::panels
