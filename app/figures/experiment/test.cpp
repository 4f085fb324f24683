// test.cpp — how the trained models score: by position, past the trained length too; each seed alone; by distance.
#include "app/figures/experiment/experiment.hpp"
#include "app/figures/parts/pair_plot.hpp"
#include "app/ui/known.hpp"

#include <array>
#include <cmath>

namespace posiscope::figures {
namespace test_figure {
namespace {

using learning::EndLabel;
using learning::Line;
using learning::View;
using plot::Plot;
namespace ex = posiscope::experiment;

std::span<const std::string_view> modes(const Scene& scene) {
    static constexpr std::array<std::string_view, 3> all = {"position", "seeds", "distance"};
    const auto found = scene.view.find("experiment");
    const bool needle = found != scene.view.end() && found->is_object() && found->contains("task") &&
                        (*found)["task"] == "needle";
    return std::span(all).first(needle ? 3 : 2);
}

// True if a is better than b: more accuracy, or fewer nats.
bool better(const View& v, double a, double b) { return v.task().scored_in_nats() ? a < b : a > b; }

const Line* line_of(const View& v, std::string_view encoding, ex::Scaling scaling) {
    for (const Line& line : v.curves->by_position)
        if (line.encoding == encoding && line.scaling == scaling) return &line;
    return nullptr;
}

// Up to three lines worth a sentence: the learner that is chosen, its best scaling, the best of the others.
std::array<const Line*, 3> featured(const View& v) {
    std::array<const Line*, 3> made{};
    std::size_t count = 0;
    const Line* const own = line_of(v, v.shown().learner, ex::Scaling::none);
    if (own != nullptr) made[count++] = own;
    const auto add_best = [&](auto wanted) {
        const Line* best = nullptr;
        for (const Line& line : v.curves->by_position)
            if (wanted(line) && line.last.seeds > 0 &&
                (best == nullptr || better(v, line.last.mean, best->last.mean)))
                best = &line;
        if (best != nullptr) made[count++] = best;
    };
    if (own != nullptr)
        add_best(
            [&](const Line& line) { return line.encoding == own->encoding && line.scaling != own->scaling; });
    add_best([&](const Line& line) { return own == nullptr || line.encoding != own->encoding; });
    return made;
}

std::string_view headline(Frame& f) {
    const auto v = learning::view_of(f);
    if (!v || v->curves->by_position.empty()) return {};
    ui::Scratch& s = f.scratch;
    std::string_view said;
    for (const Line* line : featured(*v)) {
        if (line == nullptr) continue;
        const std::string_view one =
            line->last.seeds == 0
                ? f.format(ex::is_typed(line->encoding) ? "test.no_value_past" : "test.no_row_past",
                           fmt::arg("name", learning::name(f, line->encoding, line->scaling)),
                           fmt::arg("end", static_cast<std::int64_t>(line->end.value_or(0.0))))
                : s.format("{} {}", learning::name(f, line->encoding, line->scaling),
                           learning::value_text(f, line->last, true));
        said = said.empty() ? one : s.format("{}{}{}", said, f.text("test.joined"), one);
    }
    const ex::Task& task = v->task();
    const bool nats = task.scored_in_nats();
    return f.format(
        nats ? "test.headline_nats" : "test.headline", fmt::arg("first", v->curves->first),
        fmt::arg("last", v->curves->end - 1), fmt::arg("said", said),
        fmt::arg("chance", nats ? std::string_view()
                                : f.format("test.one_in", fmt::arg("count", std::lround(1.0 / task.chance)))),
        fmt::arg("remark", learning::remark(*v)));
}

// The axes, and the trained length: a rule, and under the plot what training saw and what it did not.
Plot plot_of(const View& v, Rect area, std::span<const Line> lines, std::string_view across,
             std::string_view up, std::span<const plot::Key> legend) {
    Frame& f = v.frame;
    const auto last = static_cast<double>(v.settings().tested - 1),
               n = static_cast<double>(v.settings().length);
    double least = 0.0, most = 1.0;
    if (v.task().scored_in_nats())
        for (const Line& line : lines)
            for (std::size_t at = 0; at < line.most.size(); ++at) {
                if (std::isfinite(line.least[at])) least = std::min(least, line.least[at]);
                if (std::isfinite(line.most[at])) most = std::max(most, 1.04 * line.most[at]);
            }
    return Plot(f, area, {plot::Kind::whole, 0.0, std::max(1.0, last), across, n},
                {plot::Kind::linear, least, most, up}, legend);
}

void draw_length(const Plot& p, double n, std::string_view words) {
    Frame& f = p.frame;
    canvas::Canvas& c = f.canvas;
    const float at = std::min(p.x(n), p.area.x1);
    if (at < p.area.x1) c.fill({at, p.area.y0, p.area.x1, p.area.y1}, ui::faded(f.theme.ink, 0.035F));
    const Rect beyond{at, p.area.y1, p.area.x1, p.area.y1 + 5.0F};
    c.fill({p.area.x0, p.area.y1, at, p.area.y1 + 5.0F}, f.theme.seen);
    if (beyond.width() > 1.0F) hatch(c, beyond, f.theme.beyond);
    c.line({at, p.area.y0 - 6.0F}, {at, p.area.y1 + 5.0F}, {f.theme.ink, 1.4F});
    p.flag(n, words);
}

// Guessing; the headline has its number.
void draw_chance(const View& v, const Plot& p) {
    if (const double chance = v.task().chance; chance > 0.0)
        p.level(chance, {v.frame.theme.ink_faint, 1.2F, 4.0F});
}

// Hatches positions without a row, where nothing can be measured: one strip a curve.
void draw_ends(const Plot& p, std::span<const Line> lines) {
    float y = p.area.y0;
    for (const Line& line : lines) {
        if (!line.end || *line.end > p.x.to) continue;
        const Rect strip{p.x(*line.end), y, p.area.x1, y + 8.0F};
        if (strip.width() > 2.0F)
            hatch(p.frame.canvas, strip, learning::stroke_of(p.frame, line.encoding, line.scaling).colour);
        y += 9.0F;
    }
}

void tip_for(const View& v, const Plot& p, std::span<const Line> lines) {
    Frame& f = v.frame;
    if (!p.over()) return;
    ui::Scratch& s = f.scratch;
    const Line* nearest = nullptr;
    std::size_t bin = 0;
    float distance = 28.0F;
    for (const Line& line : lines)
        for (std::size_t at = 0; at < std::min(line.x.size(), line.mean.size()); ++at) {
            if (!std::isfinite(line.mean[at])) continue;
            const float d = length(p.at(line.x[at], line.mean[at]) - f.pointer->at);
            if (d < distance) nearest = &line, bin = at, distance = d;
        }
    if (nearest == nullptr) return;
    ex::Spread here{nearest->mean[bin], 0.0, nearest->least[bin], nearest->most[bin], nearest->each.size()};
    f.canvas.circle(p.at(nearest->x[bin], nearest->mean[bin]), 4.5F, {f.theme.ink, 1.5F});
    f.tip.value = s.format("{}: {}", learning::name(f, nearest->encoding, nearest->scaling),
                           learning::value_text(f, here, false));
    const double half = nearest->x.size() > 1 ? 0.5 * (nearest->x[1] - nearest->x[0]) : 0.5;
    f.tip.details[0] = f.format(f.mode == "distance" ? "test.tip_distances" : "test.tip_positions",
                                fmt::arg("first", std::lround(nearest->x[bin] - half + 0.5)),
                                fmt::arg("last", std::lround(nearest->x[bin] + half - 0.5)));
    f.tip.details[1] = nearest->seeds == 0 ? f.format("test.tip_forming", fmt::arg("step", nearest->step))
                                           : f.format("test.tip_seeds", fmt::arg("seeds", nearest->seeds),
                                                      fmt::arg("least", ui::fixed(s, here.least, 2)),
                                                      fmt::arg("most", ui::fixed(s, here.most, 2)));
}

void draw_curves(const View& v, Rect area, std::span<const Line> lines, bool by_distance) {
    Frame& f = v.frame;
    const bool labels = area.width() > 430.0F, low = area.height() < 160.0F;
    const Rect column = labels ? area.cut_right(learning::kLabelColumn) : Rect{};
    if (!labels && !low) learning::name_lines(f, area, lines);
    // The axis above is short of room, so the other one says what a band is.
    const std::string_view vertical =
                               f.text(v.task().scored_in_nats() ? "test.axis_nats" : "test.axis_accuracy"),
                           horizontal = f.text(by_distance ? "test.distance" : "test.position");
    const Plot p =
        plot_of(v, area, lines, f.format("test.with_band", fmt::arg("axis", horizontal)), vertical, {});
    if (!p.has_room()) return;
    const std::int64_t n = v.settings().length;
    if (!by_distance || n <= v.settings().tested)
        draw_length(p, static_cast<double>(n),
                    f.format("test.trained_length", fmt::arg("n", ui::integer(f.scratch, n))));
    draw_ends(p, lines);
    std::array<EndLabel, 48> ends;
    std::size_t count = 0;
    float strip = p.area.y0 + 4.0F;
    for (const Line& line : lines) {
        const canvas::Stroke stroke = learning::stroke_of(f, line.encoding, line.scaling);
        const bool own = line.encoding == v.shown().learner;
        learning::draw_line(p, line.x, line.mean, line.least, line.most, line.each, line.has_mean(), stroke,
                            own ? 0.2F : 0.09F,
                            std::ranges::count(lines, line.encoding, &Line::encoding) > 1);
        if (count == ends.size()) continue;
        std::size_t last = line.mean.size();
        while (last > 0 && !std::isfinite(line.mean[last - 1])) --last;
        if (last == 0) continue;
        const double at = std::clamp(line.mean[last - 1], p.y.from, p.y.to);
        const bool ended = line.last.seeds == 0 && line.end;
        ends[count++] = {learning::name(f, line.encoding, line.scaling),
                         ended ? f.text(ex::is_typed(line.encoding) ? "test.no_value" : "test.no_row")
                               : learning::value_text(f, line.last, false),
                         ended ? strip : p.y(at),
                         ended ? p.area.x1 : p.x(line.x[last - 1]),
                         stroke,
                         own};
        if (ended) strip += 9.0F;
    }
    draw_chance(v, p);
    const std::string_view head =
        v.curves->least_seeds >= 3
            ? f.format("test.mean_of", fmt::arg("first", v.curves->first),
                       fmt::arg("last", v.curves->end - 1))
            : f.format("test.over", fmt::arg("first", v.curves->first), fmt::arg("last", v.curves->end - 1));
    if (labels)
        learning::draw_end_labels(f,
                                  {column.x0 - 6.0F, area.y0, column.x1, low ? area.y1 : p.area.y1 + 14.0F},
                                  std::span(ends).first(count), head);
    tip_for(v, p, lines);
}

// Small multiples: every seed's own line.
void draw_seeds(const View& v, Rect area) {
    Frame& f = v.frame;
    const auto lines = std::span<const Line>(v.curves->by_position);
    const auto columns =
        static_cast<std::size_t>(std::clamp(std::floor(area.width() / 190.0F), 1.0F,
                                            std::ceil(std::sqrt(static_cast<float>(lines.size()) * 1.6F))));
    const std::size_t rows = (lines.size() + columns - 1) / columns;
    const float wide = area.width() / static_cast<float>(columns),
                high = area.height() / static_cast<float>(rows);
    if (wide < 100.0F || high < 80.0F) return draw_curves(v, area, lines, false);
    for (std::size_t n = 0; n < lines.size(); ++n) {
        const Line& line = lines[n];
        const Rect cell{area.x0 + wide * static_cast<float>(n % columns),
                        area.y0 + high * static_cast<float>(n / columns),
                        area.x0 + wide * static_cast<float>(n % columns + 1),
                        area.y0 + high * static_cast<float>(n / columns + 1)};
        const plot::Key key{learning::name(f, line.encoding, line.scaling),
                            learning::stroke_of(f, line.encoding, line.scaling)};
        const Plot p = plot_of(v, cell, lines, {}, {}, std::span(&key, 1));
        if (!p.has_room()) continue;
        draw_length(p, static_cast<double>(v.settings().length), {});
        draw_chance(v, p);
        draw_ends(p, std::span(&line, 1));
        learning::draw_line(p, line.x, line.mean, line.least, line.most, line.each, false, key.stroke);
        tip_for(v, p, std::span(&line, 1));
    }
}

void draw(Frame& f, Rect area) {
    const auto v = learning::view_of(f);
    if (!v || v->curves->by_position.empty()) return learning::explain(f, area);
    if (f.mode == "seeds") return draw_seeds(*v, area);
    const bool by_distance = f.mode == "distance" && !v->curves->by_distance.empty();
    draw_curves(*v, area, by_distance ? v->curves->by_distance : v->curves->by_position, by_distance);
}

}  // namespace
}  // namespace test_figure

extern const Figure kTest{"test", test_figure::headline, test_figure::draw, test_figure::modes};

}  // namespace posiscope::figures
