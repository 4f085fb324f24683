// biases.cpp — draws what every head adds: all heads on one axis, each by itself, and their slopes.
#include "app/figures/scores/biases.hpp"

#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/sentence.hpp"
#include "app/figures/parts/stored.hpp"
#include "app/figures/scores/bias_curves.hpp"
#include "app/figures/scores/scores.hpp"
#include "core/encodings/relative.hpp"

namespace posiscope::figures::scores {
namespace {

using canvas::Align;
using canvas::Stroke;
using ui::Face;

// "1/2" of a half, else digits.
std::string_view fraction(ui::Scratch& s, double value) {
    const double inverse = 1.0 / value;
    if (inverse > 1.5 && inverse < 1e4 && inverse == std::round(inverse))
        return s.format("1/{}", ui::integer(s, std::llround(inverse)));
    return ui::significant(s, value, 3);
}

// The number that makes one head differ from the next; empty if that is a table or a network.
std::string_view slope(const Frame& f, const Biases& made, std::int64_t head) {
    ui::Scratch& s = f.scratch;
    const auto numbers = encoding_of(f.scene).shown.head_numbers;
    if (made.less != nullptr || numbers == nullptr) return {};
    const HeadNumbers of = numbers(f.scene, *made.source->action, head);
    std::string_view text;
    for (const auto& [letter, value] : of.list) {
        if (letter.empty()) continue;
        const std::string_view number = of.inverse ? fraction(s, value) : ui::significant(s, value, 2);
        text = text.empty() ? s.format("{} {}", letter, number) : s.format("{}, {} {}", text, letter, number);
    }
    return text;
}

// Room for those words.
float slope_width(const Scene& scene, const Biases& made) {
    const auto numbers = encoding_of(scene).shown.head_numbers;
    const bool two = numbers != nullptr && made.source != nullptr && made.source->action &&
                     !numbers(scene, *made.source->action, 0).list[1].letter.empty();
    return two ? 128.0F : 72.0F;
}

struct Plot {
    Frame& frame;
    const Kept<Biases>& kept;
    const Biases& shown;  // that
    const Biases* b;      // drawn over it, head by head
    bool steps;
    canvas::Axis x, y;
    Rect area;

    ui::Colour colour(std::size_t head) const {
        const std::size_t last = shown.heads() - 1;
        return ui::pair_colour(frame.theme,
                               last > 0 ? static_cast<double>(head) / static_cast<double>(last) : 0.0);
    }
    void curve(const Biases& of, std::size_t head, Stroke stroke) const {
        const auto points = points_on(frame, of.curves, of.curves.curves[head], x, y, steps);
        if (points.size() > 1) frame.canvas.polyline(points, stroke);
        else if (points.size() == 1) frame.canvas.disc(points.front(), 2.5F, stroke.colour);
    }
};

// Draws all heads on one axis; the nearest to the mouse is told and can be chosen.
void draw_overlay(Frame& f, Rect area, Plot plot, std::int64_t chosen) {
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const Biases& made = plot.shown;
    const bool named = made.heads() <= 16 && area.width() > 300.0F;
    const float names = named ? slope_width(f.scene, made) : 0.0F;
    plot.area = {area.x0 + 54.0F, area.y0 + 24.0F, area.x1 - 10.0F - names, area.y1 - 42.0F};
    if (plot.area.width() < 50.0F || plot.area.height() < 40.0F) return;
    plot.x.at_from = plot.area.x0, plot.x.at_to = plot.area.x1;
    plot.y.at_from = plot.area.y1, plot.y.at_to = plot.area.y0;
    canvas::frame_plot(c, f.theme, s, plot.area, plot.x, plot.y, f.text("scores.distance"),
                       f.text("biases.axis"), plot.x.from < 0.0);
    const auto current = static_cast<std::size_t>(chosen);
    {
        const canvas::Clip clip(c, plot.area.grown(1.0F));
        for (std::size_t h = 0; h < made.heads(); ++h)
            plot.curve(made, h, {plot.colour(h), h == current ? 2.6F : 1.3F});
        if (plot.b != nullptr && current < plot.b->heads())
            plot.curve(*plot.b, current, {f.theme.ink_soft, 1.4F, 3.0F});
    }
    if (named) {  // at their right ends, kept apart
        std::array<std::pair<float, std::size_t>, 16> ends{};
        const std::size_t count = made.heads();
        for (std::size_t h = 0; h < count; ++h) {
            const double end = made.curves.curves[h].values.back();
            ends[h] = {
                std::clamp(std::isfinite(end) ? plot.y(end) : plot.area.y1, plot.area.y0, plot.area.y1), h};
        }
        std::sort(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(count));
        const float apart = std::min(15.0F, (plot.area.height() + 12.0F) / static_cast<float>(count));
        float bottom = plot.area.y1 + 6.0F;
        for (std::size_t i = 1; i < count; ++i)
            ends[i].first = std::max(ends[i].first, ends[i - 1].first + apart);
        for (std::size_t i = count; i-- > 0;) {
            ends[i].first = std::min(ends[i].first, bottom);
            bottom = ends[i].first - apart;
        }
        if (apart > 11.0F)
            for (const auto& [y, h] : std::span(ends).first(count)) {
                const std::string_view of = slope(f, made, static_cast<std::int64_t>(h));
                c.disc({plot.area.x1 + 10.0F, y}, 3.5F, plot.colour(h));
                c.text({plot.area.x1 + 18.0F, y + 4.0F},
                       of.empty() ? f.format("biases.head", fmt::arg("head", h)) : of,
                       {h == current ? f.theme.ink : f.theme.ink_soft, ui::kSmallSize,
                        h == current ? Face::strong : Face::text});
            }
    }
    // The offset: a rule that can be dragged.
    const float at = plot.x(static_cast<double>(f.scene.offset));
    const bool in_view = at >= plot.area.x0 - 0.5F && at <= plot.area.x1 + 0.5F;
    if (in_view) c.line({at, plot.area.y0}, {at, plot.area.y1}, {f.theme.offset, 1.2F, 3.0F});
    const Point knob{std::clamp(at, plot.area.x0, plot.area.x1), plot.area.y1};
    if (in_view) grip_of(f, knob, 5.5F, f.theme.offset);
    if (f.drag("offset", f.over(plot.area.grown(8.0F)) && std::abs(f.pointer->at.x - knob.x) < 9.0F, knob,
               Cursor::horizontal) &&
        f.pointer->moved)
        set_offset(f.edit(),
                   std::llround(plot.x.inverse(std::clamp(f.pointer->at.x, plot.area.x0, plot.area.x1))));
    if (f.link.distance) {
        const float lit = plot.x(static_cast<double>(*f.link.distance));
        if (lit >= plot.area.x0 && lit <= plot.area.x1)
            c.line({lit, plot.area.y0}, {lit, plot.area.y1}, {f.theme.ink_faint, 1.0F});
    }
    if (!f.over(plot.area)) return;
    const auto distance =
        std::clamp<std::int64_t>(std::llround(plot.x.inverse(f.pointer->at.x)),
                                 static_cast<std::int64_t>(made.curves.at.front()), made.curves.last);
    const std::vector<double>& values = of_heads(f.derived, plot.kept, distance);
    std::size_t nearest = 0;
    float gap = 1e9F;
    for (std::size_t h = 0; h < values.size(); ++h)
        if (const float away = std::abs(plot.y(values[h]) - f.pointer->at.y); away < gap)
            gap = away, nearest = h;
    f.hovered.distance = distance;
    f.tip.formula = f.format("biases.head", fmt::arg("head", nearest));
    f.tip.value = s.format("= {}", ui::significant(s, values[nearest], 6));
    f.tip.details[0] = f.format("tip.distance", fmt::arg("distance", ui::signed_integer(s, distance)));
    if (f.clicked(plot.area)) set_head(f.edit(), static_cast<std::int64_t>(nearest));
}

// Each head on its own, all on the scale of the overlay.
void draw_multiples(Frame& f, Rect area, Plot plot, std::int64_t chosen) {
    static constexpr std::array<std::string_view, 4> marks = {"head_0", "head_1", "head_2", "head_3"};
    canvas::Canvas& c = f.canvas;
    const Biases& made = plot.shown;
    const std::size_t count = made.heads();
    // Cells about 4 : 3, as large as fit.
    std::size_t columns = 1;
    float best = 0.0F;
    for (std::size_t n = 1; n <= count; ++n) {
        const float width = area.width() / static_cast<float>(n),
                    height = area.height() / static_cast<float>((count + n - 1) / n);
        if (const float size = std::min(width, 1.35F * height); size > best) best = size, columns = n;
    }
    const std::size_t rows = (count + columns - 1) / columns;
    const float width = area.width() / static_cast<float>(columns),
                height = area.height() / static_cast<float>(rows);
    const float title = height > 44.0F && width > 40.0F ? 17.0F : 0.0F;
    if (width < 10.0F || height - title < 8.0F) return;
    for (std::size_t h = 0; h < count; ++h) {
        const Rect whole{area.x0 + width * static_cast<float>(h % columns),
                         area.y0 + height * static_cast<float>(h / columns),
                         area.x0 + width * static_cast<float>(h % columns + 1),
                         area.y0 + height * static_cast<float>(h / columns + 1)};
        const Rect cell{whole.x0, whole.y0 + title, whole.x1 - 8.0F, whole.y1 - 8.0F};
        if (cell.width() < 6.0F || cell.height() < 6.0F) continue;
        const bool current = static_cast<std::int64_t>(h) == chosen;
        if (title > 0.0F) {
            const std::string_view of = slope(f, made, static_cast<std::int64_t>(h));
            const std::string_view said = of.empty() ? f.format("biases.head", fmt::arg("head", h))
                                                     : f.scratch.format("{} · {}", h, of);
            if (c.text_width(said, Face::text, ui::kSmallSize) <= cell.width())
                c.text({cell.x0, cell.y0 - 4.0F}, said,
                       {current ? f.theme.ink : f.theme.ink_soft, ui::kSmallSize,
                        current ? Face::strong : Face::text});
            else
                c.text({cell.x0, cell.y0 - 4.0F}, ui::integer(f.scratch, static_cast<std::int64_t>(h)),
                       {f.theme.ink_soft, ui::kSmallSize, Face::text});
        }
        plot.x.at_from = cell.x0, plot.x.at_to = cell.x1;
        plot.y.at_from = cell.y1, plot.y.at_to = cell.y0;
        c.outline(cell, {current ? f.theme.ink : f.theme.grid, current ? 1.5F : 1.0F});
        const canvas::Clip clip(c, cell);
        c.line({cell.x0, plot.y(0.0)}, {cell.x1, plot.y(0.0)}, {f.theme.grid, 1.0F});
        plot.curve(made, h, {plot.colour(h), 1.6F});
        if (plot.b != nullptr && h < plot.b->heads()) plot.curve(*plot.b, h, {f.theme.ink_soft, 1.0F, 2.0F});
        if (f.marks != nullptr && h < marks.size()) f.marks->push_back({f.figure, marks[h], cell.centre()});
        if (!f.over(whole)) continue;
        f.cursor = Cursor::hand;
        f.tip.value = f.format("biases.head", fmt::arg("head", h));
        if (const std::string_view of = slope(f, made, static_cast<std::int64_t>(h)); !of.empty())
            f.tip.details[0] = of;
        if (f.clicked(whole)) set_head(f.edit(), static_cast<std::int64_t>(h));
    }
}

// Names the heads and distances that a picture of many lacks.
void draw_note(Frame& f, Rect& area, const Biases& shown) {
    if (area.height() <= 120.0F) return;
    ui::Scratch& s = f.scratch;
    std::string_view words;
    if (static_cast<std::int64_t>(shown.heads()) < f.scene.num_heads)
        words = f.format("biases.first_heads", fmt::arg("shown", shown.heads()),
                         fmt::arg("heads", f.scene.num_heads));
    if (shown.curves.every > 1) {
        const std::string_view sampled =
            f.format("scores.sampled", fmt::arg("stride", ui::integer(s, shown.curves.every)));
        words = words.empty() ? sampled : s.format("{} · {}", words, sampled);
    }
    if (!words.empty())
        f.canvas.text({area.x0, area.cut_bottom(16.0F).y1 - 3.0F}, words,
                      {f.theme.ink_soft, ui::kSmallSize, Face::text});
}

}  // namespace

bool has_biases(const Scene& scene) { return encoding_of(scene).logits.bias; }

std::string_view biases_headline(Frame& f) {
    const Kept<Biases> made = biases(f.scene, f.derived);
    if (made == nullptr || made->curves.problem) return {};
    ui::Scratch& s = f.scratch;
    const std::int64_t offset = f.scene.offset;
    const std::int64_t distance =
        made->source->action->by_distance ? offset : std::clamp<std::int64_t>(offset, 0, made->source->query);
    const std::vector<double>& values = of_heads(f.derived, made, distance);
    const auto [least, most] = std::ranges::minmax_element(values);
    const std::string_view low = ui::significant(s, *least, 4), high = ui::significant(s, *most, 4);
    return f.format(values.size() == 1 ? "biases.headline_one"
                    : low == high      ? "biases.headline_same"
                                       : "biases.headline",
                    fmt::arg("heads", values.size()), fmt::arg("distance", ui::signed_integer(s, distance)),
                    fmt::arg("least", low), fmt::arg("most", high));
}

void draw_biases(Frame& f, Rect area) {
    const Kept<Biases> made = biases(f.scene, f.derived);
    if (made == nullptr) return explain_absence(f, area, being_made());
    if (made->curves.problem) return explain_absence(f, area, *made->curves.problem);
    if (area.width() < 60.0F || area.height() < 50.0F) return;
    Kept<Biases> of_b =
        f.other != nullptr && has_biases(f.other->scene) ? biases(f.other->scene, f.other->derived) : nullptr;
    if (of_b != nullptr && of_b->curves.problem) of_b = nullptr;
    Kept<Biases> shown = made;
    if (of_b != nullptr && f.other->difference) {
        shown = bias_difference(f.derived, made, of_b);
        if (shown == nullptr) return explain_absence(f, area, being_made());
        of_b = nullptr;
    }
    const Curves& curves = shown->curves;
    double least = std::min(0.0, curves.least), most = std::max(0.0, curves.most);
    if (of_b != nullptr)
        least = std::min(least, of_b->curves.least), most = std::max(most, of_b->curves.most);
    const double margin = std::max({0.05 * (most - least), 1e-9, 1e-3 * std::abs(least)});
    const double first = curves.at.front(), last = static_cast<double>(curves.last);
    const Plot plot{.frame = f,
                    .kept = shown,
                    .shown = *shown,
                    .b = of_b.get(),
                    .steps = stepped(f.scene.encoding.kind),
                    .x = {first, last > first ? last : first + 1.0},
                    .y = {least - margin, most + margin},
                    .area = {}};
    draw_note(f, area, *shown);
    const std::int64_t chosen =
        std::min<std::int64_t>(shown_head(f.scene), static_cast<std::int64_t>(shown->heads()) - 1);
    if (f.other != nullptr && of_b == nullptr && shown == made)
        f.canvas.text({area.x1, area.y0 + 12.0F}, f.text("scores.only_a"),
                      {f.theme.ink_soft, ui::kSmallSize, Face::text, Align::right});
    if (shown->heads() == 1) return draw_overlay(f, area, plot, chosen);
    if (area.width() > 1.5F * area.height() && area.width() > 420.0F) {
        const Rect left = area.cut_left(0.56F * area.width());
        area.cut_left(14.0F);
        area.cut_top(6.0F);
        area.cut_bottom(18.0F);
        draw_overlay(f, left, plot, chosen);
        return draw_multiples(f, area, plot, chosen);
    }
    const Rect top = area.height() > 220.0F ? area.cut_top(0.6F * area.height()) : Rect{};
    if (!top.empty()) draw_overlay(f, top, plot, chosen);
    draw_multiples(f, area, plot, chosen);
}

}  // namespace posiscope::figures::scores
