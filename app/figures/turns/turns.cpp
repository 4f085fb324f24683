// turns.cpp — the turns of each pair over the length, now and in training: pairs that did not finish their first turn in
// training, and rotate further now, meet unseen angles. A combination of seen angles may still be unseen.
#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/headline.hpp"
#include "app/figures/parts/pair_difference.hpp"
#include "app/figures/parts/text.hpp"
#include "app/plot/plot.hpp"

#include <numbers>

namespace posiscope::figures {
namespace turns_figure {
namespace {

using canvas::Align;
using plot::Plot;

constexpr std::array<std::string_view, 2> kModes = {"bars", "arcs"};

std::span<const std::string_view> modes(const Scene&) { return kModes; }

struct View {
    Frame& frame;
    const Training& training;

    // True if a window or chunks bound the distances, so that a longer text changes nothing.
    bool bounded() const { return training.reach < frame.scene.length; }
    bool knows_training() const { return !training.trained_turns.empty(); }
    double now(std::size_t pair) const { return training.turns[pair]; }
    double seen(std::size_t pair) const { return training.trained_turns[pair]; }
    bool is_new(std::size_t pair) const { return knows_training() && training.unseen[pair]; }
    // Angles that training never had: from the trained arc's end to this one's, or to where the circle closes.
    double new_end(std::size_t pair) const { return std::min(now(pair), 1.0); }
    // The angle of t turns on a dial: RoPE turns from the right and counter-clockwise, (sin, cos) from the top.
    double dial(double turns) const {
        return encoding_of(frame.scene).acts == Acts::query_key ? turns : 0.25 - turns;
    }
    double dial_turned(double turns) const {
        return encoding_of(frame.scene).acts == Acts::query_key ? turns : -turns;
    }
};

// ---- arcs on circles -------------------------------------------------------------------------------------------

void draw_dial(View& v, Point centre, float radius, std::size_t pair, bool chosen) {
    canvas::Canvas& c = v.frame.canvas;
    const ui::Theme& theme = v.frame.theme;
    const float thick = std::clamp(0.16F * radius, 2.5F, 6.0F);
    c.circle(centre, radius, {theme.track, thick});
    const auto arc = [&](double from, double to, ui::Colour colour, float dash) {
        if (to > from) c.arc(centre, radius, v.dial(from), v.dial_turned(to - from), {colour, thick, dash});
    };
    if (v.knows_training()) {
        if (v.seen(pair) >= 1.0) c.circle(centre, radius, {theme.seen, thick});
        else arc(0.0, v.seen(pair), theme.seen, 0.0F);
        if (v.is_new(pair)) {
            arc(v.seen(pair), v.new_end(pair), ui::faded(theme.beyond, 0.35F), 0.0F);
            arc(v.seen(pair), v.new_end(pair), theme.beyond, 2.5F);
        }
    } else if (v.now(pair) >= 1.0) {
        c.circle(centre, radius, {theme.slider, thick});
    } else {
        arc(0.0, v.now(pair), theme.slider, 0.0F);
    }
    const float reach = radius - 0.5F * thick - 1.0F;
    if (v.knows_training())
        c.line(centre, on_circle(centre, reach, v.dial(v.seen(pair))), {theme.seen, 1.6F});
    c.line(centre, on_circle(centre, reach, v.dial(v.now(pair))),
           {v.is_new(pair) ? theme.beyond : theme.ink, 1.6F});
    if (chosen) c.circle(centre, radius + thick, {theme.ink, 1.2F});
}

std::string_view turns_text(View& v, std::size_t pair) {
    ui::Scratch& s = v.frame.scratch;
    const auto short_number = [&](double turns) {
        return turns >= 1.0 && turns < 100.0 ? ui::fixed(s, turns, 2)
                                             : ui::significant(s, turns, turns < 1.0 ? 2 : 3);
    };
    const std::string_view now = short_number(v.now(pair)),
                           seen = v.knows_training() ? short_number(v.seen(pair)) : now;
    return seen == now ? v.frame.format("turns.some", fmt::arg("turns", now))
                       : v.frame.format("turns.from_to", fmt::arg("seen", seen), fmt::arg("now", now));
}

void tip_for(View& v, std::size_t pair) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    f.hovered.frequency = v.training.now.frequency[pair];
    f.tip.formula =
        s.format("\\frac{{\\omega_{{{}}} n}}{{2\\pi}} = \\frac{{{} \\cdot {}}}{{2\\pi}}", pair,
                 ui::significant(s, v.training.now.frequency[pair], 4), ui::integer(s, v.training.reach));
    f.tip.value = f.format("turns.tip_value", fmt::arg("turns", ui::significant(s, v.now(pair), 5)));
    if (!v.knows_training()) {
        f.tip.details[0] = f.text("turns.tip_untold");
        return;
    }
    f.tip.details[0] = f.format("turns.tip_trained", fmt::arg("turns", ui::significant(s, v.seen(pair), 5)),
                                fmt::arg("length", ui::integer(s, v.training.trained_reach)));
    f.tip.details[1] =
        v.is_new(pair) ? f.format("turns.tip_new",
                                  fmt::arg("turns", ui::significant(s, v.new_end(pair) - v.seen(pair), 3)))
                       : f.text(v.seen(pair) >= 1.0 ? "turns.tip_whole" : "turns.tip_within");
}

void choose(View& v, Rect cell, std::size_t pair) {
    if (!v.frame.over(cell)) return;
    tip_for(v, pair);
    v.frame.cursor = Cursor::hand;
    if (v.frame.clicked(cell)) v.frame.edit().pair = static_cast<std::int64_t>(pair);
}

// A wall of dials: every pair, or evenly chosen ones where they do not fit, and then it says so.
void draw_wall(View& v, Rect area, std::size_t chosen) {
    Frame& f = v.frame;
    const std::size_t pairs = v.training.turns.size();
    Rect foot = area.cut_bottom(20.0F);
    constexpr float kSmallest = 40.0F, kLargest = 96.0F, kName = 16.0F;
    const auto most = static_cast<std::size_t>(std::max(1.0F, std::floor(area.width() / kSmallest)));
    const auto fits = [&](std::size_t columns) {
        const float cell = std::min(area.width() / static_cast<float>(columns), kLargest) + kName;
        return columns * static_cast<std::size_t>(std::max(1.0F, std::floor(area.height() / cell)));
    };
    // The largest dials that all fit; a few more columns where the last row then comes out fuller.
    auto columns = static_cast<std::size_t>(std::max(1.0F, std::ceil(area.width() / kLargest)));
    while (columns < most && fits(columns) < pairs) ++columns;
    const auto left_over = [&](std::size_t c) { return (c - pairs % c) % c; };
    const std::size_t least = columns;
    for (std::size_t more = least; more <= std::min(most, least + least / 4); ++more)
        if (fits(more) >= pairs && left_over(more) < left_over(columns)) columns = more;
    const std::size_t room = fits(columns), stride = (pairs + room - 1) / room;
    const std::size_t rows = ((pairs + stride - 1) / stride + columns - 1) / columns;
    const float step = area.width() / static_cast<float>(columns), side = std::min(step, kLargest);
    const float down = std::min(area.height() / static_cast<float>(rows), 1.25F * (side + kName));
    const float radius = 0.36F * side;
    for (std::size_t n = 0; n * stride < pairs; ++n) {
        const std::size_t pair = n * stride;
        const float x = area.x0 + step * static_cast<float>(n % columns),
                    y = area.y0 + down * static_cast<float>(n / columns);
        const Rect cell{x, y, x + step, y + side + 14.0F};
        const Point centre{x + 0.5F * step, y + 0.5F * side};
        draw_dial(v, centre, radius, pair, pair == chosen);
        f.canvas.text({centre.x, y + side + 8.0F}, ui::integer(f.scratch, static_cast<std::int64_t>(pair)),
                      small(f, Align::centre));
        choose(v, cell, pair);
    }
    const std::string_view words =
        pairs == 1   ? f.text("rotations.pairs_one")
        : stride > 1 ? f.format("turns.every", fmt::arg("stride", stride), fmt::arg("pairs", pairs))
                     : f.format("turns.all", fmt::arg("pairs", pairs));
    f.canvas.text({foot.x0, foot.y1 - 4.0F}, words, small(f));
}

// A few dials below the bars: from where circles begin to stay open to the slowest.
void draw_few(View& v, Rect row, std::size_t chosen) {
    Frame& f = v.frame;
    const std::size_t pairs = v.training.turns.size();
    const auto count = std::min<std::size_t>(
        pairs, std::clamp<std::size_t>(static_cast<std::size_t>(row.width() / 104.0F), 1, 6));
    std::size_t open = 0;
    while (open + 1 < pairs && v.now(open) > 3.0) ++open;
    if (pairs - open < count) open = pairs - count;
    const float step = row.width() / static_cast<float>(count);
    const float radius = std::min(0.34F * step, 0.5F * (row.height() - 40.0F) - 4.0F);
    if (radius < 10.0F) return;
    for (std::size_t n = 0; n < count; ++n) {
        const std::size_t pair =
            count == 1 ? std::max(open, chosen) : open + n * (pairs - 1 - open) / (count - 1);
        const Point centre{row.x0 + step * (static_cast<float>(n) + 0.5F), row.y0 + radius + 5.0F};
        draw_dial(v, centre, radius, pair, pair == chosen);
        f.canvas.text({centre.x, row.y1 - 18.0F}, f.format("turns.pair", fmt::arg("pair", pair)),
                      small_ink(f, Align::centre));
        f.canvas.text({centre.x, row.y1 - 2.0F}, turns_text(v, pair), small(f, Align::centre));
        choose(v, {centre.x - 0.5F * step, row.y0, centre.x + 0.5F * step, row.y1}, pair);
    }
}

// ---- bars ------------------------------------------------------------------------------------------------------

// One bar a pair: what training saw in green, what it never saw hatched, a mark where it ends now. Of B the outline.
void draw_bars(View& v, const Plot& p) {
    canvas::Canvas& c = v.frame.canvas;
    const ui::Theme& theme = v.frame.theme;
    const std::size_t pairs = v.training.turns.size();
    const auto height = [&](double turns) {
        return turns > 0.0 ? std::clamp(p.y(std::log10(turns)), p.area.y0, p.area.y1) : p.area.y1;
    };
    // All bars before all marks: a vector file makes one path of neighbours.
    p.bars(pairs, [&](std::size_t i, Rect column) {
        const bool known = v.knows_training();
        column.y0 = height(known ? v.seen(i) : v.now(i));
        c.fill(column, known ? theme.seen : theme.slider);
    });
    if (v.knows_training())
        p.bars(pairs, [&](std::size_t i, Rect at) {
            if (v.is_new(i)) hatch(c, {at.x0, height(v.new_end(i)), at.x1, height(v.seen(i))}, theme.beyond);
            const Rect mark{at.x0, height(v.now(i)) - 1.25F, at.x1, height(v.now(i)) + 1.25F};
            c.fill(mark.grown(at.width() > 3.5F ? 0.75F : 0.0F), theme.tile);
            c.fill(mark, theme.beyond);
        });
    const Training* b = training_of_b(v.frame);
    if (b == nullptr) return;
    std::vector<Point>& points = v.frame.derived.points();
    points.clear();
    p.bars(b->turns.size(), [&](std::size_t i, Rect at) {
        if (!(b->turns[i] > 0.0)) return;
        points.push_back({at.x0, height(b->turns[i])});
        points.push_back({at.x1, height(b->turns[i])});
    });
    if (points.size() > 1) c.polyline(points, {theme.ink, 1.3F});
}

// The legend of the bars, if training is known.
std::span<const plot::Key> legend(const View& v, std::array<plot::Key, 3>& keys) {
    Frame& f = v.frame;
    if (!v.knows_training()) return {};
    const auto length = [&](std::string_view key, std::int64_t of) {
        return f.format(key, fmt::arg("length", ui::integer(f.scratch, of)));
    };
    keys = {plot::Key{length("turns.seen", v.training.trained_reach), {f.theme.seen}, plot::Shape::box},
            plot::Key{length(v.bounded() ? "turns.window" : "turns.now", v.training.reach),
                      {f.theme.beyond, 2.5F}},
            plot::Key{f.text("turns.new"), {f.theme.beyond}, plot::Shape::hatched}};
    return std::span(keys).first(v.training.new_angles.count == 0 ? 2 : 3);
}

// The chosen pair's own ends can be dragged: its turns say what length that would be.
void drag_ends(View& v, const Plot& p, std::size_t pair) {
    Frame& f = v.frame;
    const double omega = v.training.now.frequency[pair];
    const auto at = static_cast<double>(pair);
    if (!(omega > 0.0) || v.bounded() || !p.shows(at)) return;
    const auto end = [&](std::string_view handle, double turns, double per_position,
                         ui::Colour colour) -> std::optional<std::int64_t> {
        const Point knob{p.x(at), std::clamp(p.y(std::log10(turns)), p.area.y0, p.area.y1)};
        end_handle(f, knob, 4.5F, colour);
        if (!f.drag(handle, f.pointer != nullptr && length(f.pointer->at - knob) < 9.0F, knob,
                    Cursor::vertical) ||
            !f.pointer->moved)
            return std::nullopt;
        return dragged_length(p.pointed_y() - std::log10(per_position / (2.0 * std::numbers::pi)));
    };
    if (const auto to = end("length", v.now(pair), omega, f.theme.beyond)) f.edit().length = *to;
    if (!v.knows_training() || !(v.seen(pair) > 0.0)) return;
    if (const auto to = end("trained", v.seen(pair), v.training.trained->frequency[pair], f.theme.seen))
        f.edit().trained.length = *to;
}

plot::Scale turns_scale(const View& v) {
    // While a length is dragged the axis stays where it was, or nothing could be aimed at.
    const Scene& now = v.frame.scene;
    const Scene& before = v.frame.ghost() != nullptr ? *v.frame.ghost() : now;
    const auto decades = [](std::int64_t from, std::int64_t to) {
        return std::log10(static_cast<double>(to) / static_cast<double>(from));
    };
    double least = 0.0, most = 0.3;
    const auto widen = [&](double turns, double by) {
        if (!(turns > 0.0)) return;
        least = std::min(least, std::log10(turns) + by);
        most = std::max(most, std::log10(turns) + by);
    };
    for (const double turns : v.training.turns)
        widen(turns, v.bounded() ? 0.0 : decades(now.length, before.length));
    if (now.trained.length && before.trained.length)
        for (const double turns : v.training.trained_turns)
            widen(turns, v.bounded() ? 0.0 : decades(*now.trained.length, *before.trained.length));
    if (const Other* side = v.frame.on_axes())
        if (const TrainingCurves& its = training(side->derived, side->scene); its.made)
            for (const double turns : its.made->turns) widen(turns, 0.0);
    return {plot::Kind::log, std::max(-9.0, std::floor(least - 0.15)), std::ceil(most),
            v.frame.text("turns.axis")};
}

void draw_bar_chart(View& v, Rect area) {
    Frame& f = v.frame;
    const std::size_t pairs = v.training.turns.size();
    Rect row = area.height() > 330.0F && area.width() > 280.0F
                   ? area.cut_bottom(std::clamp(0.27F * area.height(), 104.0F, 170.0F))
                   : Rect{};
    std::array<plot::Key, 3> keys;
    const Plot p(f, area, plot::pairs(f, pairs), turns_scale(v), legend(v, keys));
    if (!p.has_room()) return;
    draw_bars(v, p);
    p.level(0.0, {f.theme.ink, 1.3F});
    const auto pair = std::min(static_cast<std::size_t>(f.scene.pair), pairs - 1);
    // At the right end, or before the line of the selected pair if that is there.
    const std::string_view one = f.text("turns.one");
    const float mark = p.x(static_cast<double>(pair));
    const bool taken = mark < p.area.x1 + 8.0F && mark > p.area.x1 - small_width(f, one) - 14.0F;
    text_on_patch(f, {taken ? mark - 10.0F : p.area.x1 - 4.0F, p.y(0.0) - 5.0F}, one,
                  small_ink(f, Align::right));
    const LinkedPair chosen = choose_pair(f, p.area, p.x, v.training.now);
    if (!row.empty()) {
        row.cut_top(8.0F);
        draw_few(v, row, chosen.pair);
    }
    drag_ends(v, p, pair);
    zoom_and_pan_pairs(f, p.area, p.x, pairs);
    if (p.over()) tip_for(v, chosen.pair);
}

// ---- the figure ------------------------------------------------------------------------------------------------

// A token on a grid has several positions, and each pair turns by one of them.
bool on_grid(const Scene& scene) {
    const Json& parameters = scene.encoding.parameters;
    for (const char* key : {"grid", "grid_width"})
        if (const auto given = parameters.find(key); given != parameters.end() && !given->is_null())
            return true;
    return false;
}

std::string_view headline(Frame& f) {
    const TrainingCurves& curves = training(f);
    if (!curves.made || on_grid(f.scene)) return {};
    if (f.other != nullptr && training_of_b(f) != nullptr)
        return pair_difference::headline(f, pair_difference::Of::turns);
    const Training& t = *curves.made;
    const ui::Count length = ui::counted(f.scratch, t.reach);
    if (t.trained_turns.empty()) {
        std::size_t open = 0;
        for (const double turns : t.turns) open += turns < 1.0 ? 1U : 0U;
        return f.format(counted_form(f, "turns.headline_untold", open, t.turns.size()),
                        fmt::arg("open", ui::counted(f.scratch, static_cast<std::int64_t>(open))),
                        fmt::arg("pairs", t.turns.size()), fmt::arg("length", length));
    }
    const Unseen& unseen = t.new_angles;
    if (unseen.count == 1) return f.format("turns.headline_one", fmt::arg("pair", unseen.first));
    if (unseen.count > 1)
        return f.format(unseen.contiguous() ? "turns.headline_new" : "turns.headline_some",
                        fmt::arg("count", unseen.count), fmt::arg("first", unseen.first),
                        fmt::arg("last", unseen.last));
    if (t.deviation->off > 0)
        return f.format("turns.headline_off",
                        fmt::arg("off", ui::counted(f.scratch, static_cast<std::int64_t>(t.deviation->off))),
                        fmt::arg("length", length));
    if (t.reach < f.scene.length) return f.format("turns.headline_window", fmt::arg("reach", length));
    return f.format("turns.headline_none", fmt::arg("length", length));
}

void draw(Frame& f, Rect area) {
    const TrainingCurves& curves = training(f);
    if (!curves.made) return explain_absence(f, area, curves.made.error());
    if (on_grid(f.scene)) return explain_absence(f, area, "turns.grid", "kind", f.scene.encoding.kind);
    if (area.width() < 140.0F || area.height() < 100.0F) return;
    if (f.other != nullptr && !f.other->difference && training_of_b(f) == nullptr)
        explain_missing_b(f, area, "compare.no_circles");
    if (f.other != nullptr && f.other->difference)
        return pair_difference::draw(f, area, pair_difference::Of::turns);
    View v{f, *curves.made};
    if (f.mode == "bars") return draw_bar_chart(v, area);
    std::size_t chosen = std::min(static_cast<std::size_t>(f.scene.pair), v.training.turns.size() - 1);
    if (const auto lit = linked(f, v.training.now)) chosen = lit->pair;
    draw_wall(v, area, chosen);
}

}  // namespace
}  // namespace turns_figure

extern const Figure kTurns{
    .id = "turns",
    .headline = turns_figure::headline,
    .draw = turns_figure::draw,
    .modes = turns_figure::modes,
    .overlays = true,
    .subtracts = true,
    .numbers = fixed_numbers<"turns">,
    .applies = has_pairs,
    .moves = {.position = false, .offset = false},
};

}  // namespace posiscope::figures
