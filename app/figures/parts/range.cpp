#include "app/figures/parts/range.hpp"

namespace posiscope::figures {

std::optional<AxisRange> kept_range(const Scene& scene, std::string_view figure, std::string_view key) {
    const Json* range = view_value(scene, figure, key);
    if (range == nullptr || !range->is_array() || range->size() != 2 || !(*range)[0].is_number() ||
        !(*range)[1].is_number())
        return std::nullopt;
    return AxisRange{(*range)[0].get<double>(), (*range)[1].get<double>()};
}

AxisRange range_of(const Ranged& ranged, const Scene& scene) {
    const double narrowest = ranged.whole != nullptr ? 0.25 * ranged.narrowest : ranged.narrowest;
    if (const auto kept = kept_range(scene, ranged.figure);
        kept && kept->to - kept->from >= narrowest && kept->from >= ranged.least && kept->to <= ranged.most)
        return *kept;
    return ranged.whole != nullptr ? ranged.whole(scene) : AxisRange{ranged.least, ranged.most};
}

void zoom_and_pan(Frame& f, const Ranged& ranged, Rect plot, const canvas::Axis& x) {
    const auto set = [&](double from, double to) {
        const double most = ranged.most - ranged.least, width = std::clamp(to - from, ranged.narrowest, most);
        from = std::clamp(from, ranged.least, ranged.most - width);
        set_view_value(f.edit(), ranged.figure, "range",
                       ranged.whole == nullptr && width >= most ? Json(nullptr)
                                                                : Json::array({from, from + width}));
    };
    if (f.over(plot) && f.pointer->wheel != 0.0F) {
        const double at = x.inverse(f.pointer->at.x), by = std::pow(0.8, f.pointer->wheel);
        set(at + (x.from - at) * by, at + (x.to - at) * by);
    }
    if (f.over(plot) && f.pointer->double_clicked) set_view_value(f.edit(), ranged.figure, "range", nullptr);
    if (f.drag("pan", f.over(plot), {plot.x0 + 0.25F * plot.width(), plot.centre().y}, Cursor::arrow) &&
        f.pointer->moved) {
        f.cursor = Cursor::move;
        const AxisRange before = range_of(ranged, f.drag_state->scene);
        const double by = (before.to - before.from) *
                          static_cast<double>((f.drag_state->from.x - f.pointer->at.x) / plot.width());
        set(before.from + by, before.to + by);
    }
}

void name_positions(Frame& f, float at_p, float at_q, float x0, float x1, float baseline) {
    ui::Scratch& s = f.scratch;
    canvas::Canvas& c = f.canvas;
    const std::int64_t p = f.scene.position, q = p + f.scene.offset;
    const auto said = [&](bool of_p) {
        return of_p ? s.format("p = {}", ui::integer(s, p)) : s.format("p + k = {}", ui::integer(s, q));
    };
    if (p == q) {
        const float width = ui::lay_out(said(true), 15.0F, c).width;
        c.formula({std::clamp(at_p - 0.5F * width, x0, std::max(x0, x1 - width)), baseline}, said(true),
                  15.0F, f.theme.ink);
        return;
    }
    // The left one ends at its place and the right one begins there.
    const bool p_first = at_p < at_q || (at_p == at_q && p < q);
    const std::string_view left = said(p_first), right = said(!p_first);
    const float left_width = ui::lay_out(left, 15.0F, c).width,
                right_width = ui::lay_out(right, 15.0F, c).width;
    const float end = std::max(std::min(at_p, at_q) + 4.0F, x0 + left_width);
    const float begin = std::min(std::max(std::max(at_p, at_q) - 4.0F, end + 14.0F), x1 - right_width);
    c.formula({std::min(end, begin - 14.0F), baseline}, left, 15.0F, f.theme.ink, canvas::Align::right);
    c.formula({begin, baseline}, right, 15.0F, f.theme.ink);
}

}  // namespace posiscope::figures
