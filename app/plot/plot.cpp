#include "app/plot/plot.hpp"

#include "app/canvas/axes.hpp"
#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/pair_plot.hpp"
#include "app/figures/parts/text.hpp"

namespace posiscope::plot {
namespace {

using canvas::Align;

constexpr float kAway = 7.0F;        // from a number to its axis
constexpr float kLowTile = 150.0F;   // below it, numbers and name of x share a row
constexpr float kFlatTile = 80.0F;   // below it, there is no row above the data
constexpr float kPastRight = 12.0F;  // of the last number of x
constexpr float kOverBelow = 28.0F;  // of the second plot: room for its name

bool is_whole(Kind kind) { return kind == Kind::whole || kind == Kind::distance || kind == Kind::pair; }

std::string_view number(ui::Scratch& s, Kind kind, const canvas::Ticks& ticks, double value) {
    switch (kind) {
        case Kind::percent: return s.format("{}%", ui::fixed(s, 100.0 * value, ticks.step < 0.01 ? 1 : 0));
        case Kind::log: return figures::power_of_ten(s, static_cast<int>(std::lround(value)));
        case Kind::distance: return ui::signed_integer(s, std::llround(value));
        case Kind::whole:
        case Kind::pair: return ui::integer(s, std::llround(value));
        default: return canvas::tick_text(s, ticks, value);
    }
}

// Every decade, or every other, …, so that at most `most` are left.
canvas::Ticks decades(double from, double to, int most) {
    canvas::Ticks ticks;
    const int first = static_cast<int>(std::ceil(from - 1e-9)),
              last = static_cast<int>(std::floor(to + 1e-9));
    most = std::min(most, static_cast<int>(ticks.at.size()));
    const int stride = std::max(1, (last - first + most) / most);
    ticks.step = stride;
    for (int n = first; n <= last; ++n)
        if ((n % stride + stride) % stride == 0 && ticks.count < ticks.at.size()) ticks.at[ticks.count++] = n;
    return ticks;
}

// Ticks whose numbers have `gap` points each.
canvas::Ticks ticks_of(Kind kind, const canvas::Axis& axis, int most, float gap) {
    if (kind == Kind::log) return decades(axis.from, axis.to, std::max(2, most));
    canvas::Ticks ticks = canvas::spaced_ticks(axis, std::clamp(most, 2, 10), gap);
    if (!is_whole(kind)) return ticks;
    const auto last =
        std::remove_if(ticks.at.begin(), ticks.at.begin() + static_cast<std::ptrdiff_t>(ticks.count),
                       [](double at) { return at != std::round(at); });
    ticks.count = static_cast<std::size_t>(last - ticks.at.begin());
    return ticks;
}

// Multiples of a step, or every other, …, and the end.
canvas::Ticks multiples(const canvas::Axis& x, double step, float gap) {
    canvas::Ticks ticks;
    ticks.step = step;
    while (std::abs(x(ticks.step) - x(0.0)) < gap || x.to / ticks.step > 14.0) ticks.step += step;
    for (double at = 0.0; at < x.to && std::abs(x(x.to) - x(at)) >= gap; at += ticks.step)
        ticks.at[ticks.count++] = at;
    ticks.at[ticks.count++] = x.to;
    return ticks;
}

canvas::Ticks ticks_up(Kind kind, const canvas::Axis& y) {
    const float height = std::abs(y.at_to - y.at_from);
    return ticks_of(kind, y, static_cast<int>(height / (kind == Kind::log ? 26.0F : 36.0F)), 18.0F);
}

void draw_up(Frame& f, Rect area, const canvas::Axis& y, const Scale& scale, const canvas::Ticks& ticks) {
    const auto draw = [&](double value, std::string_view label) {
        f.canvas.line({area.x0, y(value)}, {area.x1, y(value)}, {f.theme.grid, 1.0F});
        f.canvas.text({area.x0 - kAway, y(value) + 4.0F}, label, small(f, Align::right));
    };
    if (scale.always) draw(*scale.always, number(f.scratch, scale.kind, {{}, 0, 1.0}, *scale.always));
    for (const double value : ticks.values())
        if (!scale.always || std::abs(y(value) - y(*scale.always)) > 13.0F)
            draw(value, number(f.scratch, scale.kind, ticks, value));
}

}  // namespace

void number_across(Frame& f, Rect area, const canvas::Axis& x, const Scale& scale, bool one_row) {
    const canvas::Ticks ends{{}, 0, 1.0};
    const auto end = [&](double value) { return small_width(f, number(f.scratch, scale.kind, ends, value)); };
    const float gap = std::max(end(x.from), end(x.to)) + 10.0F, right = area.x1 + kPastRight;
    if (one_row && scale.every == 0.0 && (is_whole(scale.kind) || scale.kind == Kind::log))
        return canvas::name_axis(f.canvas, f.theme.ink_soft, x, right, area.y1 + 17.0F,
                                 scale.kind == Kind::pair ? f.text("pairs.axis") : scale.name,
                                 [&](double value) { return number(f.scratch, scale.kind, ends, value); });
    const float wide = scale.kind == Kind::pair ? 56.0F : 64.0F;
    const canvas::Ticks ticks = scale.every > 0.0
                                    ? multiples(x, scale.every, gap)
                                    : ticks_of(scale.kind, x, static_cast<int>(area.width() / wide), gap);
    for (const double value : ticks.values()) {
        const std::string_view label = number(f.scratch, scale.kind, ticks, value);
        f.canvas.line({x(value), area.y1}, {x(value), area.y1 + 4.0F}, {f.theme.ink_faint, 1.0F});
        f.canvas.text({std::min(x(value), right - 0.5F * small_width(f, label)), area.y1 + 17.0F}, label,
                      small(f, Align::centre));
    }
    if (one_row) return;
    const Point middle{area.centre().x, area.y1 + 34.0F};
    if (scale.kind != Kind::pair) return draw_words(f, middle, scale.name, Align::centre);
    const std::string_view words = f.text("pairs.axis");
    f.canvas.text({middle.x - 6.0F, middle.y}, words, small(f, Align::centre));
    f.canvas.formula({middle.x + 0.5F * small_width(f, words), middle.y}, "i", 14.0F, f.theme.ink_soft);
}

Scale pairs(const Frame& frame, std::size_t count) {
    const canvas::Axis axis = figures::pair_axis(frame.scene, frame.figure, count);
    return {Kind::pair, axis.from, axis.to};
}

Plot::Plot(Frame& f, Rect tile, const Scale& across, const Scale& up, std::span<const Key> legend, Room room)
    : frame(f), x{across.from, across.to}, y{up.from, up.to} {
    // A legend that does not fit beside the name of y has rows of its own.
    name_end_ = tile.x0 + words_width(f, up.name) + (up.name.empty() ? 0.0F : 16.0F);
    const bool in_rows =
        legend_width(f, legend) > tile.x1 - 2.0F - name_end_ && tile.height() > 1.3F * kLowTile;
    if (in_rows) draw_legend_rows(f, tile, legend);
    const bool low = tile.height() < kLowTile, flat = tile.height() < kFlatTile,
               named = !up.name.empty() || !legend.empty();
    const bool has_name = !across.name.empty() || across.kind == Kind::pair;
    area = {tile.x0,
            tile.y0 + (flat    ? 8.0F
                       : low   ? 17.0F
                       : named ? 26.0F
                               : 10.0F),
            tile.x1 - 14.0F - room.right, tile.y1 - (low || !has_name ? 24.0F : 40.0F)};
    if (room.below > 0.0F) {
        below = area.cut_bottom(room.below);
        area.y1 -= kOverBelow;
    }
    y.at_from = up.down ? area.y0 : area.y1, y.at_to = up.down ? area.y1 : area.y0;
    const canvas::Ticks ticks = ticks_up(up.kind, y);
    float widest = 14.0F;
    for (const double value : ticks.values())
        widest = std::max(widest, small_width(f, number(f.scratch, up.kind, ticks, value)));
    area.x0 += widest + kAway;
    if (room.square) {
        const float side = std::min(area.width(), area.height());
        area.x1 = area.x0 + side, area.y1 = area.y0 + side;
        (up.down ? y.at_to : y.at_from) = area.y1;
    }
    x.at_from = area.x0, x.at_to = area.x1;
    if (!below.empty()) below.x0 = area.x0, below.x1 = area.x1;
    top_row_ = area.y0 - 10.0F;
    legend_begin_ = flat ? tile.x0 : area.x1;
    if (!has_room()) return;
    draw_up(f, area, y, up, ticks);
    if (!flat) draw_words(f, {tile.x0, top_row_}, up.name, Align::left);
    number_across(f, whole(), x, across, low);
    if (flat || in_rows || legend.empty()) return;
    const Rect row{name_end_, top_row_ - 13.0F, tile.x1 - 2.0F, top_row_ + 5.0F};
    if (up.name.empty()) name_end_ = draw_legend(f, row, legend, Align::left);
    else legend_begin_ = draw_legend(f, row, legend, Align::right);
}

Plot Plot::bare(Frame& f, Rect area, const Scale& across, const Scale& up) {
    return Plot(f, {across.from, across.to, area.x0, area.x1}, {up.from, up.to, area.y1, area.y0});
}

Plot Plot::second(const Scale& up) const {
    draw_words(frame, {below.x0, below.y0 - 6.0F}, up.name, Align::left);
    return Plot(frame, x, {up.from, up.to, below.y1, below.y0});
}

// ---- marks -----------------------------------------------------------------------------------------------------

void Plot::line(std::span<const Point> points, Stroke stroke) const {
    if (points.empty()) return;
    const canvas::Clip clip(frame.canvas, area.grown(1.0F));
    if (points.size() > 1) frame.canvas.polyline(points, stroke);
    else frame.canvas.disc(points.front(), std::max(2.5F, stroke.width), stroke.colour);
}

void Plot::curve(std::span<const double> samples, Stroke stroke, double first, double stride) const {
    line(canvas::curve_points(frame.derived.points(), samples, x, y, first, stride,
                              frame.canvas.pixels_per_point()),
         stroke);
}

Rect Plot::column_of(double pair) const {
    return figures::pair_column(x, pair, area, 1.0F / frame.canvas.pixels_per_point());
}

void Plot::rule(double across, Stroke stroke) const {
    if (shows(across)) frame.canvas.line({x(across), area.y0}, {x(across), area.y1}, stroke);
}

void Plot::level(double up, Stroke stroke) const {
    if (up >= y.from && up <= y.to) frame.canvas.line({area.x0, y(up)}, {area.x1, y(up)}, stroke);
}

void Plot::level(double up, std::string_view words, const Level& drawn) const {
    const float at = y(up);
    if (at < area.y0 - 1.0F || at > area.y1 + 1.0F) return;
    frame.canvas.line({area.x0, at}, {area.x1, at}, drawn.stroke);
    const float baseline = drawn.above ? at - 6.0F : at + 15.0F, width = small_width(frame, words),
                left = drawn.right ? area.x1 - width - 4.0F : area.x0 + 8.0F;
    frame.canvas.fill({left - 4.0F, baseline - 11.0F, left + width + 4.0F, baseline + 4.0F},
                      ui::faded(frame.theme.tile, 0.8F), 3.0F);
    frame.canvas.text({left, baseline}, words, small_ink(frame));
}

void Plot::numbered(double up, std::string_view number, Stroke stroke) const {
    level(up, stroke);
    frame.canvas.text({area.x0 - kAway, y(up) + 4.0F}, number, small(frame, Align::right));
}

void Plot::colour_bar(std::span<const ui::Colour> stops, std::string_view least, std::string_view most,
                      std::string_view name) const {
    constexpr float kBar = 72.0F;
    const float numbers = small_width(frame, least) + small_width(frame, most) + 12.0F,
                room = legend_begin_ - name_end_;
    if (room < kBar + numbers) return;
    const float middle = top_row_ - 4.5F, right = legend_begin_ - small_width(frame, most) - 6.0F,
                left = right - kBar;
    frame.canvas.text({legend_begin_, top_row_}, most, small(frame, canvas::Align::right));
    draw_colours(frame, {left, middle - 4.0F, right, middle + 4.0F}, 36, [&](float at) {
        const float part = at * static_cast<float>(stops.size() - 1);
        const auto from = static_cast<std::size_t>(part);
        return ui::mixed(stops[from], stops[from + 1], part - static_cast<float>(from));
    });
    frame.canvas.text({left - 6.0F, top_row_}, least, small(frame, canvas::Align::right));
    if (room >= kBar + numbers + small_width(frame, name) + 10.0F)
        frame.canvas.text({left - small_width(frame, least) - 14.0F, top_row_}, name,
                          small(frame, canvas::Align::right));
}

void Plot::note(std::string_view words) const {
    if (name_end_ + words_width(frame, words) <= legend_begin_)
        draw_words(frame, {legend_begin_, top_row_}, words, Align::right);
}

void Plot::flag(double across, std::string_view words) const {
    const float left = std::min(x(across), legend_begin_ - small_width(frame, words));
    if (shows(across) && left >= name_end_) frame.canvas.text({left, top_row_}, words, small_ink(frame));
}

// ---- the mouse -------------------------------------------------------------------------------------------------

std::optional<double> Plot::drag(const Handle& handle, bool along_x) const {
    const canvas::Axis& axis = along_x ? x : y;
    const float low = std::min(axis.at_from, axis.at_to), high = std::max(axis.at_from, axis.at_to);
    const auto draw_rule = [&](double value, Stroke stroke) {
        const float to = std::clamp(axis(value), low, high);
        if (along_x) frame.canvas.line({to, area.y0}, {to, area.y1}, stroke);
        else frame.canvas.line({area.x0, to}, {area.x1, to}, stroke);
    };
    const bool drawn = handle.rule.width > 0.0F && figures::marked(frame);
    if (handle.before && *handle.before != handle.at)
        draw_rule(*handle.before, {frame.theme.ink_faint, 1.0F});
    if (drawn && handle.outlined) draw_rule(handle.at, {frame.theme.tile, 3.2F});
    if (drawn) draw_rule(handle.at, handle.rule);
    const float place = std::clamp(axis(handle.at), low, high);
    const Point knob = along_x ? Point{place, handle.numbered_end ? area.y1 : area.y0}
                               : Point{handle.numbered_end ? area.x0 : area.x1, place};
    figures::end_handle(frame, knob, 5.0F, handle.colour != 0 ? handle.colour : handle.rule.colour);
    if (frame.pointer == nullptr) return std::nullopt;
    const float mouse = along_x ? frame.pointer->at.x : frame.pointer->at.y;
    const bool near = frame.over(area.grown(9.0F)) && (handle.anywhere || std::abs(mouse - place) < 8.0F);
    if (!frame.drag(handle.name, near, knob,
                    along_x ? figures::Cursor::horizontal : figures::Cursor::vertical) ||
        !frame.pointer->moved)
        return std::nullopt;
    return std::clamp(axis.inverse(mouse), axis.from, axis.to);
}

void move_position(Frame& frame, std::int64_t position) {
    Scene& scene = frame.edit();
    figures::set_position(scene, position);
    figures::set_offset(scene, scene.offset);
}

std::optional<double> position_before(const Frame& frame) {
    const Scene* before = frame.ghost();
    return before == nullptr ? std::nullopt : std::optional(static_cast<double>(before->position));
}

std::optional<double> slide(Frame& f, std::string_view handle, const canvas::Axis& x, float y, double at) {
    const Rect track{x.at_from, y - 2.0F, x.at_to, y + 2.0F};
    const Point knob{x(std::clamp(at, x.from, x.to)), y};
    const float zero = x(std::clamp(0.0, x.from, x.to));
    f.canvas.fill(track, f.theme.track, 2.0F);
    f.canvas.fill({std::min(zero, knob.x), track.y0, std::max(zero, knob.x), track.y1}, f.theme.slider, 2.0F);
    f.canvas.knob(knob, 6.0F, f.theme.slider, f.theme.tile);
    if (!f.drag(handle, f.over(track.grown(9.0F)), knob, figures::Cursor::horizontal) ||
        !(f.pointer->moved || f.pointer->pressed))
        return std::nullopt;
    return std::clamp(x.inverse(f.pointer->at.x), x.from, x.to);
}

void keep_apart(std::span<EndLabel> labels, float top, float bottom, float row) {
    std::ranges::sort(labels, [](const EndLabel& a, const EndLabel& b) {
        return std::pair(a.y, a.of) < std::pair(b.y, b.of);
    });
    const float apart =
        std::min(row, (bottom - top) / static_cast<float>(std::max<std::size_t>(1, labels.size())));
    // Down from the top, each at its curve or below the one before; then up again from the bottom.
    float next = top;
    for (EndLabel& label : labels) {
        label.y = std::max(label.y, next);
        next = label.y + apart;
    }
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        label->y = std::min(label->y, bottom);
        bottom = label->y - apart;
    }
}

}  // namespace posiscope::plot
