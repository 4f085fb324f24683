// zoom.cpp — the part of the picture that is in view: what was zoomed to, else all of it, and of M_k a few blocks.
#include "app/figures/matrix/matrix.hpp"
#include "app/figures/parts/range.hpp"

namespace posiscope::figures::matrix {
namespace {

// M_k opens on the block of the selected pair, of dimensions that would be too small to see all at once.
constexpr double kShiftWindow = 16.0;

std::optional<canvas::Axis> opening(const Frame& f, double whole) {
    if (f.mode != "shift" || whole <= 2.0 * kShiftWindow ||
        encoding_of(f.scene).layout(f.scene) != PairLayout::interleaved)
        return std::nullopt;
    const double middle = 2.0 * static_cast<double>(f.scene.pair) + 1.0;
    const double from = std::clamp(middle - 0.5 * kShiftWindow, 0.0, whole - kShiftWindow);
    return canvas::Axis{from, from + kShiftWindow};
}

}  // namespace

canvas::Axis cells_in_view(const Frame& f, const Scene& scene, std::string_view key, double whole) {
    if (const auto kept = kept_range(scene, "matrix", key)) {
        const double from = std::clamp(kept->from, 0.0, whole), to = std::clamp(kept->to, 0.0, whole);
        if (to - from >= std::min(0.5, whole)) return {from, to};
    }
    return opening(f, whole).value_or(canvas::Axis{0.0, whole});
}

Range range_of(const canvas::Axis& axis) {
    const double origin = std::floor(axis.from);
    return {static_cast<std::int64_t>(origin), axis.from - origin, axis.to - origin};
}

void zoom_and_pan(View& v) {
    Frame& f = v.frame;
    const auto set = [&](std::string_view key, double from, double to, double whole) {
        const double width = std::clamp(to - from, std::min(2.0, whole), whole);
        from = std::clamp(from, 0.0, whole - width);
        set_view_value(f.edit(), "matrix", key,
                       width >= whole && !opening(f, whole) ? Json(nullptr)
                                                            : Json::array({from, from + width}));
    };
    if (f.over(v.plot) && f.pointer->wheel != 0.0F) {
        const double by = std::pow(0.8, f.pointer->wheel);
        const double row = v.y.inverse(f.pointer->at.y), column = v.x.inverse(f.pointer->at.x);
        set("rows", row + (v.y.from - row) * by, row + (v.y.to - row) * by, v.whole.rows);
        // Each block shows all the columns' pairs: the place within it tells which.
        double at = column;
        if (v.picture.blocks) {
            const auto blocks = block_layout(v.picture);
            double px = static_cast<double>(v.device(f.pointer->at.x - v.plot.x0));
            if (px >= blocks.second) px -= blocks.second;
            at = v.x.from + (v.x.to - v.x.from) * std::clamp(px / std::max(blocks.width, 1), 0.0, 1.0);
        }
        set("columns", at + (v.x.from - at) * by, at + (v.x.to - at) * by, v.whole.columns);
    }
    if (f.over(v.plot) && f.pointer->double_clicked) {
        set_view_value(f.edit(), "matrix", "rows", nullptr);
        set_view_value(f.edit(), "matrix", "columns", nullptr);
    }
    if (f.drag("pan", f.over(v.plot), v.plot.centre(), Cursor::arrow) && f.pointer->moved) {
        f.cursor = Cursor::move;
        const canvas::Axis rows = cells_in_view(f, f.drag_state->scene, "rows", v.whole.rows),
                           columns = cells_in_view(f, f.drag_state->scene, "columns", v.whole.columns);
        const double down = (rows.to - rows.from) *
                            static_cast<double>((f.drag_state->from.y - f.pointer->at.y) / v.plot.height());
        const double across = (columns.to - columns.from) *
                              static_cast<double>((f.drag_state->from.x - f.pointer->at.x) / v.plot.width());
        set("rows", rows.from + down, rows.to + down, v.whole.rows);
        set("columns", columns.from + across, columns.to + across, v.whole.columns);
    }
}

}  // namespace posiscope::figures::matrix
