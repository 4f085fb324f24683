// plot.cpp — inside the plot of scores: the curves, their names, the markers of offsets and lengths.
#include "app/figures/parts/stored.hpp"
#include "app/figures/parts/training.hpp"
#include "app/figures/scores/scores.hpp"
#include "core/scene/tensors.hpp"

namespace posiscope::figures::scores {
namespace {

using canvas::Align;
using ui::Face;

std::span<const Point> points_of(View& v, const Curves& curves, const Curve& curve, bool steps) {
    std::vector<Point>& points = v.frame.derived.points();
    const float scale = v.frame.canvas.pixels_per_point();
    if (!v.logarithmic() && !steps)
        return canvas::curve_points(points, curve.values, v.x, v.y, curves.at.front(),
                                    static_cast<double>(curves.stride), scale);
    if (steps && static_cast<float>(curves.at.size()) > v.plot.width() * scale)
        return canvas::curve_points(points, curve.values, v.x, v.y, curves.at.front(),
                                    static_cast<double>(curves.stride), scale);
    points.clear();
    const double half = 0.5 * static_cast<double>(curves.stride);
    for (std::size_t i = 0; i < curves.at.size(); ++i) {
        if (!std::isfinite(curve.values[i])) continue;
        const float y = v.y(curve.values[i]);
        if (!steps) {
            points.push_back({v.x(v.along(curves.at[i])), y});
            continue;
        }
        points.push_back({v.x(curves.at[i] - half), y});
        points.push_back({v.x(curves.at[i] + half), y});
    }
    return points;
}

void draw_deviation(View& v, const Curves& curves, ui::Colour colour) {
    const double half = 0.5 * static_cast<double>(curves.stride);
    for (std::size_t i = 0; i < curves.at.size(); ++i) {
        const double mean = curves.curves.front().values[i], deviation = curves.deviation[i];
        if (std::isfinite(mean))
            v.frame.canvas.fill({v.x(curves.at[i] - half), v.y(mean + deviation), v.x(curves.at[i] + half),
                                 v.y(mean - deviation)},
                                colour);
    }
}

// Many curves are told apart by colour and by dash.
constexpr std::size_t kHues = 5;

float dash_of(const View& v, std::size_t curve) {
    constexpr std::array<float, 3> dashes = {0.0F, 7.0F, 2.5F};
    const bool own = v.curves.curves[curve].name == v.frame.scene.encoding.kind;
    return v.mode != Mode::all || own ? 0.0F : dashes[curve / kHues % dashes.size()];
}

ui::Colour colour_of(const View& v, std::size_t curve) {
    const ui::Theme& theme = v.frame.theme;
    const std::size_t count = v.curves.curves.size();
    if (v.mode == Mode::all && v.curves.curves[curve].name == v.frame.scene.encoding.kind) return theme.ink;
    if (v.mode != Mode::shares && v.mode != Mode::all) return theme.ink;
    if (v.mode == Mode::all)
        return ui::pair_colour(theme, static_cast<double>(curve % kHues) / static_cast<double>(kHues - 1));
    return ui::pair_colour(theme,
                           count > 1 ? static_cast<double>(curve) / static_cast<double>(count - 1) : 0.0);
}

}  // namespace

void name_curves(View& v, float x) {
    Frame& f = v.frame;
    std::array<std::pair<float, std::size_t>, 32> places{};
    std::array<float, 32> ends{};  // where the curves leave
    const std::size_t count = std::min(places.size(), v.curves.curves.size());
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<double>& values = v.curves.curves[i].values;
        // Where the curve leaves the view.
        auto last =
            std::upper_bound(v.curves.at.begin(), v.curves.at.end(), v.x.to) - v.curves.at.begin() - 1;
        while (last > 0 && !std::isfinite(values[static_cast<std::size_t>(last)])) --last;
        const double end = values[static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, last))];
        ends[i] = std::clamp(std::isfinite(end) ? v.y(end) : v.plot.y1, v.plot.y0, v.plot.y1);
        places[i] = {ends[i], i};
    }
    const auto end = places.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(places.begin(), end);
    const float apart =
        std::min(15.0F, v.plot.height() / static_cast<float>(std::max<std::size_t>(1, count)));
    for (std::size_t i = 1; i < count; ++i)
        places[i].first = std::max(places[i].first, places[i - 1].first + apart);
    float bottom = v.plot.y1 + 4.0F;
    for (std::size_t i = count; i-- > 0;) {
        places[i].first = std::min(places[i].first, bottom);
        bottom = places[i].first - apart;
    }
    for (auto place = places.begin(); place != end; ++place) {
        const Curve& curve = v.curves.curves[place->second];
        const bool own = curve.name == f.scene.encoding.kind;
        const ui::Colour colour = colour_of(v, place->second);
        if (v.mode == Mode::all) {
            f.canvas.line({v.plot.x1 + 1.0F, ends[place->second]}, {x + 4.0F, place->first},
                          {ui::faded(colour, 0.6F), 1.0F});
            f.canvas.line({x + 4.0F, place->first}, {x + 21.0F, place->first},
                          {colour, own ? 2.0F : 1.6F, dash_of(v, place->second)});
        } else {
            f.canvas.disc({x + 5.0F, place->first}, 3.5F, colour);
        }
        f.canvas.text(
            {x + (v.mode == Mode::all ? 26.0F : 14.0F), place->first + 4.0F},
            v.mode == Mode::all ? f.text(f.scratch.format("option.encoding.{}.name", curve.name))
                                : f.scratch.format("{}–{}", curve.first_pair, curve.last_pair),
            {own ? f.theme.ink : f.theme.ink_soft, ui::kSmallSize, own ? Face::strong : Face::text});
    }
}

void draw_lines(View& v, std::size_t lit_run) {
    Frame& f = v.frame;
    const Curves& curves = v.curves;
    if (curves.at.empty()) return;
    if (!curves.deviation.empty()) draw_deviation(v, curves, ui::faded(f.theme.ink_soft, 0.28F));
    if (v.b != nullptr && !v.b->at.empty())
        f.canvas.polyline(points_of(v, *v.b, v.b->curves.front(), stepped(f.other->scene.encoding.kind)),
                          {f.theme.ink_soft, 1.2F, 3.0F});
    for (std::size_t i = 0; i < curves.curves.size(); ++i) {
        const Curve& curve = curves.curves[i];
        const std::string_view kind =
            v.mode == Mode::all ? curve.name : std::string_view(f.scene.encoding.kind);
        const bool steps =
            stepped(kind) && (v.mode == Mode::logit || v.mode == Mode::all || v.mode == Mode::weight);
        const bool strong = v.mode == Mode::all ? curve.name == f.scene.encoding.kind
                                                : v.mode != Mode::shares || i == lit_run;
        f.canvas.polyline(points_of(v, curves, curve, steps),
                          {colour_of(v, i), strong ? 2.0F : 1.4F, dash_of(v, i)});
    }
}

void marker(View& v, std::int64_t distance, ui::Colour colour, bool ghost, Rect taken) {
    canvas::Canvas& c = v.frame.canvas;
    const double value = v.score(distance);
    if (!std::isfinite(value) || !v.shows(static_cast<double>(distance))) return;
    const Point at{v.x(v.along(static_cast<double>(distance))), v.y(value)};
    c.line({at.x, at.y}, {at.x, v.plot.y1}, {ghost ? ui::faded(colour, 0.5F) : colour, 1.0F, 3.0F});
    if (ghost) {
        c.circle(at, 5.0F, {ui::faded(colour, 0.6F), 1.0F});
        return;
    }
    c.knob(at, 6.0F, colour, v.frame.theme.tile);
    // Its value, on a patch that keeps the curve off it.
    const std::string_view text = ui::significant(v.frame.scratch, value, 5);
    const float width = c.text_width(text, Face::strong, ui::kTextSize);
    // Outwards, where the curve is lower; inwards only where there is no room.
    const bool left = distance < 0 ? at.x - 12.0F - width > v.plot.x0 : at.x + 12.0F + width > v.plot.x1;
    const float x = left ? at.x - 12.0F - width : at.x + 12.0F;
    float y = std::max(at.y - 5.0F, v.plot.y0 + 12.0F);
    if (x < taken.x1 && x + width > taken.x0 && y - 13.0F < taken.y1) y = std::max(y, taken.y1 + 15.0F);
    c.fill({x - 3.0F, y - 13.0F, x + width + 3.0F, y + 4.0F}, ui::faded(v.frame.theme.tile, 0.85F), 3.0F);
    c.text({x, y}, text, {v.frame.theme.ink, ui::kTextSize, Face::strong});
}

Lengths lengths_of(Frame& f) {
    const Scene& scene = f.scene;
    const auto& made = training(f).made;
    if (!made) return {scene.length, scene.trained.length.value_or(0), false};
    return {made->reach, scene.trained.length ? made->trained_reach : 0, made->reach < scene.length};
}

void draw_lengths(View& v) {
    Frame& f = v.frame;
    const Lengths lengths = lengths_of(f);
    for (const auto& [length, colour] :
         {std::pair(lengths.trained, f.theme.seen), std::pair(lengths.now, f.theme.ink_faint)})
        for (const std::int64_t at : {-length, length})
            if (length > 0 && (!v.logarithmic() || at > 0) && v.shows(static_cast<double>(at))) {
                const float x = v.x(v.along(static_cast<double>(at)));
                f.canvas.line({x, v.plot.y0}, {x, v.plot.y1}, {colour, 1.2F, 5.0F});
            }
}

Rect name_lengths(View& v) {
    Frame& f = v.frame;
    Rect taken{};
    const auto name = [&](std::int64_t length, std::string_view key, float drop) {
        if (!v.shows(static_cast<double>(length))) return;
        const float x = v.x(v.along(static_cast<double>(length)));
        const std::string_view words = f.format(key, fmt::arg("length", ui::integer(f.scratch, length)));
        const float width = f.canvas.text_width(words, Face::text, ui::kSmallSize);
        const float from = x - 8.0F - width > v.plot.x0 ? x - 6.0F - width : x + 6.0F;
        const Rect patch{from - 3.0F, v.plot.y0 + drop, from + width + 3.0F, v.plot.y0 + drop + 17.0F};
        f.canvas.fill(patch, ui::faded(f.theme.tile, 0.9F), 3.0F);
        f.canvas.text({from, patch.y0 + 13.0F}, words, {f.theme.ink_soft, ui::kSmallSize, Face::text});
        taken = taken.empty()
                    ? patch
                    : Rect{std::min(taken.x0, patch.x0), taken.y0, std::max(taken.x1, patch.x1), patch.y1};
    };
    const Lengths lengths = lengths_of(f);
    if (lengths.trained > 0) name(lengths.trained, "scores.trained", 2.0F);
    name(lengths.now, lengths.window ? "scores.window" : "scores.length", 20.0F);
    return taken;
}

void frame_logarithmic(View& v, std::string_view x_name, std::string_view y_name) {
    Frame& f = v.frame;
    canvas::frame_plot(f.canvas, f.theme, f.scratch, v.plot, {0.0, 0.0, v.plot.x0, v.plot.x1}, v.y, x_name,
                       y_name, false);
    for (int power = static_cast<int>(std::ceil(v.x.from)); power <= static_cast<int>(v.x.to); ++power) {
        const float x = v.x(power);
        f.canvas.line({x, v.plot.y1}, {x, v.plot.y1 + 4.0F}, {f.theme.ink_faint, 1.0F});
        f.canvas.text({x, v.plot.y1 + 17.0F}, ui::integer(f.scratch, std::llround(std::pow(10.0, power))),
                      {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::centre});
    }
}

void note(View& v) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    std::string_view words;
    const auto add = [&](std::string_view more) {
        words = words.empty() ? more : s.format("{} · {}", words, more);
    };
    if (f.other != nullptr && v.b == nullptr && !v.difference)
        add(f.text(v.mode == Mode::shares ? "scores.only_a_runs"
                   : v.mode == Mode::all  ? "scores.only_a_all"
                                          : "scores.only_a"));
    // One query and one key over all distances, where content enters at all.
    const bool bare = v.mode == Mode::envelope || v.mode == Mode::seeds ||
                      (encoding_of(f.scene).acts == Acts::input && v.mode != Mode::logit &&
                       v.mode != Mode::weight && v.mode != Mode::all);
    if (f.scene.content.kind == "tokens" && !bare) add(f.text("scores.not_words"));
    if (is_stored(f.scene.content) && !bare) add(stored_note(f));
    if (v.curves.seeds > 0) add(f.format("scores.seeds", fmt::arg("seeds", v.curves.seeds)));
    if (v.curves.query)
        add(f.format(v.mode == Mode::all ? "scores.query_some" : "scores.query",
                     fmt::arg("query", ui::integer(s, *v.curves.query))));
    if (v.mode == Mode::envelope) add(f.format("scores.taken", fmt::arg("count", v.curves.at.size())));
    else if (v.curves.stride > 1)
        add(f.format("scores.sampled", fmt::arg("stride", ui::integer(s, v.curves.stride))));
    f.canvas.text({v.plot.x1, v.plot.y0 - 10.0F}, words,
                  {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
}

}  // namespace posiscope::figures::scores
