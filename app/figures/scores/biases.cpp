// biases.cpp — draws what every head adds: all heads on one axis, each by itself, and their slopes.

#include "app/figures/parts/sentence.hpp"
#include "app/figures/parts/stored.hpp"
#include "app/figures/parts/text.hpp"
#include "app/figures/scores/scores.hpp"
#include "app/plot/plot.hpp"
#include "core/encodings/relative.hpp"

namespace posiscope::figures::scores {
namespace {

using canvas::Align;
using canvas::Stroke;
using plot::Plot;
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

struct Heads {
    Frame& frame;
    const Kept<Biases>& kept;
    const Biases& shown;  // that
    const Biases* b;      // drawn over it, head by head
    bool steps;
    plot::Scale across, up;

    ui::Colour colour(std::size_t head) const {
        const std::size_t last = shown.heads() - 1;
        return ui::pair_colour(frame.theme,
                               last > 0 ? static_cast<double>(head) / static_cast<double>(last) : 0.0);
    }
    void curve(const Plot& p, const Biases& of, std::size_t head, Stroke stroke) const {
        p.line(points_on(frame, of.curves, of.curves.curves[head], p.x, p.y, steps), stroke);
    }
};

// Names at the right ends of curves, kept apart, where they have room.
void name_heads(const Heads& heads, const Plot& p, std::size_t current) {
    Frame& f = heads.frame;
    std::array<plot::EndLabel, 16> ends{};
    const auto labels = std::span(ends).first(heads.shown.heads());
    if (p.area.height() + 12.0F < 11.0F * static_cast<float>(labels.size())) return;
    for (std::size_t h = 0; h < labels.size(); ++h) {
        const double end = heads.shown.curves.curves[h].values.back();
        labels[h] = {std::clamp(std::isfinite(end) ? p.y(end) : p.area.y1, p.area.y0, p.area.y1), h};
    }
    plot::keep_apart(labels, p.area.y0, p.area.y1 + 6.0F, 15.0F);
    for (const auto& [y, h] : labels) {
        const std::string_view of = slope(f, heads.shown, static_cast<std::int64_t>(h));
        f.canvas.disc({p.area.x1 + 10.0F, y}, 3.5F, heads.colour(h));
        f.canvas.text({p.area.x1 + 18.0F, y + 4.0F},
                      of.empty() ? f.format("biases.head", fmt::arg("head", h)) : of,
                      {h == current ? f.theme.ink : f.theme.ink_soft, ui::kSmallSize,
                       h == current ? Face::strong : Face::text});
    }
}

// Draws all heads on one axis; the nearest to the mouse is told and can be chosen.
void draw_overlay(Frame& f, Rect area, const Heads& heads, std::int64_t chosen) {
    ui::Scratch& s = f.scratch;
    const Biases& made = heads.shown;
    const bool named = made.heads() <= 16 && area.width() > 300.0F;
    const Plot p(f, area, heads.across, heads.up, {}, {.right = named ? slope_width(f.scene, made) : 0.0F});
    if (!p.has_room()) return;
    const auto current = static_cast<std::size_t>(chosen);
    for (std::size_t h = 0; h < made.heads(); ++h)
        heads.curve(p, made, h, {heads.colour(h), h == current ? 2.6F : 1.3F});
    if (heads.b != nullptr && current < heads.b->heads())
        heads.curve(p, *heads.b, current, {f.theme.ink_soft, 1.4F, 3.0F});
    if (named) name_heads(heads, p, current);
    const auto to = p.drag_x({.name = "offset",
                              .at = static_cast<double>(f.scene.offset),
                              .rule = {f.theme.offset, 1.2F, 3.0F},
                              .numbered_end = true});
    if (to) set_offset(f.edit(), std::llround(*to));
    if (f.link.distance) p.rule(static_cast<double>(*f.link.distance), {f.theme.ink_faint, 1.0F});
    if (!p.over()) return;
    const std::int64_t distance = std::llround(p.pointed_x());
    const std::vector<double>& values = of_heads(f.derived, heads.kept, distance);
    const std::size_t nearest = plot::nearest(values.size(), 1e9F, [&](std::size_t h) {
                                    return std::abs(p.y(values[h]) - f.pointer->at.y);
                                }).value_or(0);
    f.hovered.distance = distance;
    f.tip.formula = f.format("biases.head", fmt::arg("head", nearest));
    f.tip.value = s.format("= {}", ui::significant(s, values[nearest], 6));
    f.tip.details[0] = words_of_distance(f, distance);
    if (f.clicked(p.area)) set_head(f.edit(), static_cast<std::int64_t>(nearest));
}

// Each head on its own, all on the scale of the overlay.
void draw_multiples(Frame& f, Rect area, const Heads& heads, std::int64_t chosen) {
    static constexpr std::array<std::string_view, 4> marks = {"head_0", "head_1", "head_2", "head_3"};
    canvas::Canvas& c = f.canvas;
    const Biases& made = heads.shown;
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
            if (small_width(f, said) <= cell.width())
                c.text({cell.x0, cell.y0 - 4.0F}, said,
                       {current ? f.theme.ink : f.theme.ink_soft, ui::kSmallSize,
                        current ? Face::strong : Face::text});
            else
                c.text({cell.x0, cell.y0 - 4.0F}, ui::integer(f.scratch, static_cast<std::int64_t>(h)),
                       small(f));
        }
        const Plot p = Plot::bare(f, cell, heads.across, heads.up);
        c.outline(cell, {current ? f.theme.ink : f.theme.grid, current ? 1.5F : 1.0F});
        p.level(0.0, {f.theme.grid, 1.0F});
        heads.curve(p, made, h, {heads.colour(h), 1.6F});
        if (heads.b != nullptr && h < heads.b->heads())
            heads.curve(p, *heads.b, h, {f.theme.ink_soft, 1.0F, 2.0F});
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
    if (!words.empty()) f.canvas.text({area.x0, area.cut_bottom(16.0F).y1 - 3.0F}, words, small(f));
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
    const Other* const side = shown == made ? f.on_axes() : nullptr;
    if (side != nullptr && has_biases(side->scene))
        if (const Kept<Biases> its = biases(side->scene, side->derived);
            its != nullptr && !its->curves.problem)
            least = std::min(least, its->curves.least), most = std::max(most, its->curves.most);
    const double margin = std::max({0.05 * (most - least), 1e-9, 1e-3 * std::abs(least)});
    const double first = curves.at.front(), last = static_cast<double>(curves.last);
    const Heads heads{.frame = f,
                      .kept = shown,
                      .shown = *shown,
                      .b = of_b.get(),
                      .steps = stepped(f.scene.encoding.kind),
                      .across = {first < 0.0 ? plot::Kind::distance : plot::Kind::whole, first,
                                 last > first ? last : first + 1.0, f.text("scores.distance")},
                      .up = {plot::Kind::linear, least - margin, most + margin, f.text("biases.axis")}};
    draw_note(f, area, *shown);
    const std::int64_t chosen =
        std::min<std::int64_t>(shown_head(f.scene), static_cast<std::int64_t>(shown->heads()) - 1);
    if (f.other != nullptr && of_b == nullptr && shown == made)
        f.canvas.text({area.x1, area.y0 + 12.0F}, f.text("scores.only_a"), small(f, Align::right));
    if (shown->heads() == 1) return draw_overlay(f, area, heads, chosen);
    if (area.width() > 1.5F * area.height() && area.width() > 420.0F) {
        const Rect left = area.cut_left(0.56F * area.width());
        area.cut_left(14.0F);
        area.cut_top(6.0F);
        area.cut_bottom(18.0F);
        draw_overlay(f, left, heads, chosen);
        return draw_multiples(f, area, heads, chosen);
    }
    const Rect top = area.height() > 220.0F ? area.cut_top(0.6F * area.height()) : Rect{};
    if (!top.empty()) draw_overlay(f, top, heads, chosen);
    draw_multiples(f, area, heads, chosen);
}

}  // namespace posiscope::figures::scores
