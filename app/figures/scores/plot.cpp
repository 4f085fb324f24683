// plot.cpp — inside the plot of scores: the curves, their names, the markers of offsets and lengths.
#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/stored.hpp"
#include "app/figures/parts/text.hpp"
#include "app/figures/parts/training.hpp"
#include "app/figures/scores/scores.hpp"
#include "core/scene/tensors.hpp"

#include <bit>

namespace posiscope::figures::scores {
namespace {

using canvas::Align;
using ui::Face;

std::span<const Point> points_of(View& v, const Curves& curves, const Curve& curve, bool steps) {
    if (!v.logarithmic()) return points_on(v.frame, curves, curve, v.x, v.y, steps);
    std::vector<Point>& points = v.frame.derived.points();
    points.clear();
    const bool band = !curve.band.empty();
    const auto add = [&](double at, double value) {
        if (std::isfinite(value)) points.push_back({v.x(v.along(at)), v.y(value)});
    };
    for (std::size_t i = 0; i < curves.at.size(); ++i) {
        add(curves.at[i], band ? curve.band[2 * i] : curve.values[i]);
        if (band && curve.band[2 * i + 1] > curve.band[2 * i]) add(curves.at[i], curve.band[2 * i + 1]);
    }
    return points;
}

void draw_deviation(View& v, const Curves& curves, ui::Colour colour) {
    const auto stride = static_cast<double>(curves.stride);
    // A column of several distances begins at its first one.
    const double before = curves.around.empty() ? 0.5 * stride : 0.0;
    for (std::size_t i = 0; i < curves.at.size(); ++i) {
        const double mean = curves.curves.front().values[i], deviation = curves.deviation[i];
        const double low = curves.around.empty() ? mean - deviation : curves.around[2 * i],
                     high = curves.around.empty() ? mean + deviation : curves.around[2 * i + 1];
        if (std::isfinite(low) && std::isfinite(high))
            v.frame.canvas.fill(
                {v.x(curves.at[i] - before), v.y(high), v.x(curves.at[i] - before + stride), v.y(low)},
                colour);
    }
}

ui::Colour colour_of(const View& v, std::size_t curve) {
    const ui::Theme& theme = v.frame.theme;
    if (v.mode == Mode::all) {
        const std::string_view kind = v.curves.curves[curve].name;
        const ui::Colour colour =
            kind == v.frame.scene.encoding.kind ? theme.ink : mark_of(theme, kind).colour;
        return v.lone && v.lone != curve ? ui::faded(colour, 0.25F) : colour;
    }
    const std::size_t count = v.curves.curves.size();
    if (v.mode != Mode::shares) return theme.ink;
    return ui::pair_colour(theme,
                           count > 1 ? static_cast<double>(curve) / static_cast<double>(count - 1) : 0.0);
}

float dash_of(const View& v, std::size_t curve) {
    const std::string_view kind = v.curves.curves[curve].name;
    return v.mode != Mode::all || kind == v.frame.scene.encoding.kind ? 0.0F
                                                                      : mark_of(v.frame.theme, kind).dash;
}

// The rows of the legend; in too low a plot only those that are shown have one, as many as fit.
struct Legend {
    static constexpr float kLeast = 13.0F;
    std::array<std::size_t, 32> curve{};
    std::size_t count = 0;
    float row = 17.0F;
    Rect area;

    Legend(const View& v, Rect where) : area(where) {
        const std::size_t all = std::min(curve.size(), v.curves.curves.size());
        const bool whole = area.height() >= kLeast * static_cast<float>(all);
        for (std::size_t i = 0; i < all; ++i)
            if (whole || v.draws(i)) curve[count++] = i;
        if (count == 0) return;
        row = std::clamp(area.height() / static_cast<float>(count), kLeast, 17.0F);
        count = std::min(count, static_cast<std::size_t>(std::max(0.0F, area.height() / row)));
    }
    Rect at(std::size_t n) const {
        const float y = area.y0 + row * static_cast<float>(n);
        return {area.x0, y, area.x1, y + row};
    }
};

}  // namespace

std::span<const Point> points_on(Frame& f, const Curves& curves, const Curve& curve, const canvas::Axis& x,
                                 const canvas::Axis& y, bool steps) {
    std::vector<Point>& points = f.derived.points();
    const float scale = f.canvas.pixels_per_point();
    const auto stride = static_cast<double>(curves.stride);
    const bool band = !curve.band.empty();
    const bool crowded = static_cast<float>(curves.at.size()) > std::abs(x.at_to - x.at_from) * scale;
    if (band || !steps || crowded) {
        const std::span<const double> values = band ? curve.band : curve.values;
        return canvas::curve_points(points, values, x, y, curves.at.front(), band ? 0.5 * stride : stride,
                                    scale);
    }
    points.clear();
    for (std::size_t i = 0; i < curves.at.size(); ++i)
        if (const double at = curves.at[i], value = curve.values[i]; std::isfinite(value)) {
            points.push_back({x(at - 0.5 * stride), y(value)});
            points.push_back({x(at + 0.5 * stride), y(value)});
        }
    return points;
}

void name_curves(View& v, float x) {
    Frame& f = v.frame;
    std::array<plot::EndLabel, 32> places{};
    const std::size_t count = std::min(places.size(), v.curves.curves.size());
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<double>& values = v.curves.curves[i].values;
        // The curve's end within the view.
        auto last =
            std::upper_bound(v.curves.at.begin(), v.curves.at.end(), v.x.to) - v.curves.at.begin() - 1;
        while (last > 0 && !std::isfinite(values[static_cast<std::size_t>(last)])) --last;
        const double end = values[static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, last))];
        places[i] = {std::clamp(std::isfinite(end) ? v.y(end) : v.plot.y1, v.plot.y0, v.plot.y1), i};
    }
    const auto labels = std::span(places).first(count);
    plot::keep_apart(labels, v.plot.y0, v.plot.y1 + 4.0F, 15.0F);
    for (const auto& [y, i] : labels) {
        const Curve& curve = v.curves.curves[i];
        f.canvas.disc({x + 5.0F, y}, 3.5F, colour_of(v, i));
        f.canvas.text({x + 14.0F, y + 4.0F}, f.scratch.format("{}–{}", curve.first_pair, curve.last_pair),
                      small(f));
    }
}

// Below the legend: the three places where a position enters a logit; that of the encoding in ink.
void draw_ways(View& v, Rect area) {
    Frame& f = v.frame;
    struct Way {
        Acts acts;
        std::string_view words, formula;
    };
    const std::array ways = {Way{Acts::input, f.text("scores.way.input"), "x_i + p_i"},
                             Way{Acts::logits, f.text("scores.way.logits"), "q_i \\cdot k_j + b_{i−j}"},
                             Way{Acts::query_key, f.text("scores.way.query_key"), "R_i q_i \\cdot R_j k_j"}};
    constexpr float kWay = 44.0F;
    if (area.height() < kWay * static_cast<float>(ways.size())) return;
    area.y0 = area.y1 - kWay * static_cast<float>(ways.size());
    const Encoding& own = encoding_of(f.scene);
    for (const Way& way : ways) {
        const Rect at = area.cut_top(kWay);
        f.canvas.text({at.x0, at.y0 + 14.0F}, way.words, small(f));
        f.canvas.formula({at.x0, at.y0 + 33.0F}, way.formula, 15.0F,
                         own.family != Family::none && way.acts == own.acts ? f.theme.ink : f.theme.ink_soft);
    }
}

void draw_legend(View& v, Rect area) {
    Frame& f = v.frame;
    const Legend legend(v, area);
    draw_ways(v,
              {area.x0, area.y0 + legend.row * static_cast<float>(legend.count) + 20.0F, area.x1, area.y1});
    for (std::size_t n = 0; n < legend.count; ++n) {
        const std::size_t i = legend.curve[n];
        const std::string_view kind = v.curves.curves[i].name;
        const bool own = kind == f.scene.encoding.kind, shown = (v.shown >> i & 1U) != 0;
        const Rect row = legend.at(n);
        const float middle = row.centre().y;
        if (shown)
            f.canvas.line({row.x0, middle}, {row.x0 + 20.0F, middle},
                          {colour_of(v, i), own ? 2.4F : 2.0F, dash_of(v, i)});
        else f.canvas.circle({row.x0 + 10.0F, middle}, 3.5F, {f.theme.ink_faint, 1.2F});
        f.canvas.text({row.x0 + 26.0F, middle + 4.5F}, encoding_name(f, kind),
                      {own || v.lone == i ? f.theme.ink
                       : shown            ? f.theme.ink_soft
                                          : f.theme.ink_faint,
                       ui::kSmallSize, own || v.lone == i ? Face::strong : Face::text});
        if (!f.over(row)) continue;
        f.cursor = Cursor::hand;
        f.tip.formula = f.scratch.format("\\text{{{}}}", encoding_name(f, kind));
        f.tip.details[0] = f.text(shown ? "scores.click_hides" : "scores.click_shows");
        f.tip.details[1] = f.text("scores.click_alone");
        if (f.clicked(row)) toggle_of_all(f, v.curves, i);
    }
}

float choose_all(View& v, float left, float right) {
    Frame& f = v.frame;
    if (f.pointer == nullptr) return right;
    const std::size_t all = std::min<std::size_t>(32, v.curves.curves.size());
    const auto shown = static_cast<std::size_t>(std::popcount(v.shown));
    const std::string_view text =
        f.format("scores.shown_of_all", fmt::arg("shown", shown), fmt::arg("all", all));
    const float width = f.canvas.text_width(text, Face::text, 14.5F) + cells::kButtonPad;
    Rect place{right - width, v.plot.y0 - 24.0F, right, v.plot.y0 - 3.0F};
    const bool above = place.x0 >= left;
    if (!above)  // below the axis, left of its name
        place = {v.plot.x0 - 54.0F, v.plot.y1 + 21.0F, v.plot.x0 - 54.0F + width, v.plot.y1 + 42.0F};
    const bool pressed = cells::button(f, "shown", place, text, shown == all);
    if (f.over(place)) f.tip.value = f.text(shown == all ? "scores.click_few" : "scores.click_all");
    if (pressed) {
        Json kinds = Json::array();
        for (std::size_t i = 0; i < all; ++i) kinds.push_back(std::string(v.curves.curves[i].name));
        set_view_value(f.edit(), "scores", "encodings", shown == all ? Json(nullptr) : std::move(kinds));
    }
    return above ? place.x0 - 8.0F : right;
}

std::optional<std::size_t> pointed_of_all(const View& v, Rect area) {
    const Frame& f = v.frame;
    if (f.over(area)) {
        const Legend legend(v, area);
        for (std::size_t n = 0; n < legend.count; ++n)
            if (legend.at(n).contains(f.pointer->at)) return legend.curve[n];
        return std::nullopt;
    }
    if (!f.over(v.plot)) return std::nullopt;
    const auto column = v.curves.column_of(v.distance_at(f.pointer->at.x));
    if (!column) return std::nullopt;
    return plot::nearest(v.curves.curves.size(), 10.0F, [&](std::size_t i) {
        const Curve& curve = v.curves.curves[i];
        const double low = curve.band.empty() ? curve.values[*column] : curve.band[2 * *column],
                     high = curve.band.empty() ? low : curve.band[2 * *column + 1];
        if ((v.shown >> i & 1U) == 0 || !std::isfinite(low)) return 1e9F;
        return std::max({0.0F, v.y(high) - f.pointer->at.y, f.pointer->at.y - v.y(low)});
    });
}

void draw_lines(View& v, std::size_t lit_run) {
    Frame& f = v.frame;
    const Curves& curves = v.curves;
    if (curves.at.empty()) return;
    if (!curves.deviation.empty()) draw_deviation(v, curves, ui::faded(f.theme.ink_soft, 0.28F));
    if (v.b != nullptr && !v.b->at.empty())
        f.canvas.polyline(points_of(v, *v.b, v.b->curves.front(), stepped(f.other->scene.encoding.kind)),
                          {f.theme.ink_soft, 1.2F, v.b->curves.front().band.empty() ? 3.0F : 0.0F});
    const auto more = extra_scenes(f);
    for (const auto& one : more)
        if (const Kept<Curves> made = extra_curves(v, *one); made != nullptr && !made->curves.empty())
            f.canvas.polyline(points_of(v, *made, made->curves.front(), stepped(one->scene->encoding.kind)),
                              one->stroke);
    if (!more.empty() && v.mode != Mode::all && v.mode != Mode::shares) return;
    for (std::size_t i = 0; i < curves.curves.size(); ++i) {
        if (!v.draws(i)) continue;
        const Curve& curve = curves.curves[i];
        const std::string_view kind =
            v.mode == Mode::all ? curve.name : std::string_view(f.scene.encoding.kind);
        const bool steps =
            stepped(kind) && (v.mode == Mode::logit || v.mode == Mode::all || v.mode == Mode::weight);
        const bool strong = v.mode == Mode::all ? curve.name == f.scene.encoding.kind || v.lone == i
                                                : v.mode != Mode::shares || i == lit_run;
        f.canvas.polyline(points_of(v, curves, curve, steps),
                          {colour_of(v, i), strong ? 2.0F : 1.4F, dash_of(v, i)});
    }
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
    // The marker of the offset, which they leave free.
    const double score = v.score(f.scene.offset);
    const float knob_x = v.x(v.along(static_cast<double>(f.scene.offset)));
    const Rect knob =
        std::isfinite(score) ? Rect{knob_x, v.y(score), knob_x, v.y(score)}.grown(9.0F) : Rect{};
    const auto name = [&](std::int64_t length, std::string_view key, float drop) {
        if (!v.shows(static_cast<double>(length))) return;
        const float x = v.x(v.along(static_cast<double>(length)));
        const std::string_view words = f.format(key, fmt::arg("length", ui::integer(f.scratch, length)));
        const float width = small_width(f, words);
        const auto beside = [&](float from) {
            return Rect{from - 3.0F, v.plot.y0 + drop, from + width + 3.0F, v.plot.y0 + drop + 17.0F};
        };
        Rect patch = beside(x - 8.0F - width > v.plot.x0 ? x - 6.0F - width : x + 6.0F);
        if (patch.meets(knob)) patch = beside(x + 6.0F);
        if (patch.meets(knob) || patch.x1 > v.plot.x1 + 6.0F) return;
        f.canvas.fill(patch, ui::faded(f.theme.tile, 0.9F), 3.0F);
        f.canvas.text({patch.x0 + 3.0F, patch.y0 + 13.0F}, words, small(f));
        taken = taken.empty()
                    ? patch
                    : Rect{std::min(taken.x0, patch.x0), taken.y0, std::max(taken.x1, patch.x1), patch.y1};
    };
    const Lengths lengths = lengths_of(f);
    if (lengths.trained > 0) name(lengths.trained, "scores.trained", 2.0F);
    name(lengths.now, lengths.window ? "scores.window" : "scores.length", 20.0F);
    return taken;
}

void note(View& v, float x, float right) {
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
    if (v.curves.taken > 0) add(f.format("scores.taken", fmt::arg("count", ui::integer(s, v.curves.taken))));
    if (v.curves.every > 1)
        add(f.format("scores.sampled", fmt::arg("stride", ui::integer(s, v.curves.every))));
    if (right - small_width(f, words) < x) return;
    f.canvas.text({right, v.plot.y0 - 10.0F}, words, small(f, Align::right));
}

}  // namespace posiscope::figures::scores
