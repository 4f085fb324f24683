// dial.cpp — the large clock of one pair: both hands, the angle between them, its labels.
#include "app/figures/parts/handles.hpp"
#include "app/figures/rotations/rotations.hpp"

#include <algorithm>

namespace posiscope::figures::rotations {
namespace {

using canvas::Align;
using canvas::Stroke;

void draw_hands(View& v, Point centre, float radius, const Scene& scene, bool ghost) {
    canvas::Canvas& c = v.frame.canvas;
    const ui::Theme& theme = v.frame.theme;
    const double p = v.dial(v.hand(scene.position).turns());
    const double q = v.dial(v.hand(scene.position + scene.offset).turns());
    const Point tip_p = on_circle(centre, radius, p), tip_q = on_circle(centre, radius, q);
    if (ghost) {
        c.line(centre, tip_p, {ui::faded(theme.ink, 0.35F), 1.0F});
        c.line(centre, tip_q, {ui::faded(theme.offset, 0.5F), 1.0F});
        c.circle(tip_p, 5.0F, {ui::faded(theme.ink, 0.35F), 1.0F});
        c.circle(tip_q, 5.0F, {ui::faded(theme.offset, 0.5F), 1.0F});
        return;
    }
    // How the second hand follows from the first: cos kω along it, then sin kω across it.
    const double cos_k = cos(phase(v.step(), scene.offset)), sin_k = sin(phase(v.step(), scene.offset));
    const Point foot = centre + static_cast<float>(cos_k) * (tip_p - centre);
    if (std::abs(sin_k) > 0.02) c.line(foot, tip_q, {ui::faded(theme.ink_soft, 0.7F), 1.0F, 2.5F});
    if (cos_k < 0.0) c.line(centre, foot, {ui::faded(theme.ink_soft, 0.7F), 1.0F, 2.5F});

    // The components of the point at p + k, in the colours they have everywhere.
    const Point corner{tip_q.x, centre.y};
    const Stroke along{v.rotary() ? theme.cosine : theme.sine, 3.0F, v.rotary() ? 4.0F : 0.0F};
    const Stroke across{v.rotary() ? theme.sine : theme.cosine, 3.0F, v.rotary() ? 0.0F : 4.0F};
    c.line(centre, corner, along);
    c.line(corner, tip_q, across);

    // kω, as it is: a spiral when it is more than a turn, as far as it can be told apart.
    const double turned = v.dial_turned(v.turned());
    const double drawn = std::clamp(turned, -3.0, 3.0);
    const float inner = 0.36F * radius;
    constexpr int kSegments = 144;
    std::array<Point, kSegments + 1> spiral;
    for (int i = 0; i <= kSegments; ++i) {
        const double part = static_cast<double>(i) / kSegments;
        const float widen = std::abs(drawn) > 1.0 ? static_cast<float>(part * std::abs(drawn) * 5.0) : 0.0F;
        spiral[static_cast<std::size_t>(i)] = on_circle(centre, inner + widen, p + drawn * part);
    }
    c.polyline(spiral, {theme.ink, 1.5F});

    c.line(centre, tip_p, {theme.ink, 2.5F});
    c.line(centre, tip_q, {theme.offset, 2.5F});
    handle(v.frame, tip_p, 5.5F, theme.ink);
    handle(v.frame, tip_q, 6.0F, theme.offset);
}

// The label of kω.
struct AngleLabel {
    std::string_view words;  // empty where the angle is too small to be labelled
    Rect box;
};

constexpr float kAngleSize = 16.0F;

struct Segment {
    Point from, to;
};

bool crossed(const Rect& box, std::span<const Segment> strokes) {
    return std::ranges::any_of(strokes, [&](const Segment& stroke) {
        for (float t = 0.0F; t <= 1.0F; t += 0.02F)
            if (box.contains(stroke.from + t * (stroke.to - stroke.from))) return true;
        return false;
    });
}

// Outside the spiral, between the hands: in the middle of the angle, or of the wider gap if it is more than a turn; as
// far out as it takes to come clear of them.
AngleLabel angle_label(View& v, Point centre, float radius, double p, std::span<const Segment> strokes) {
    const double turned = v.dial_turned(v.turned());
    if (std::abs(turned) <= 0.03) return {};
    const bool spiral = std::abs(turned) > 1.0;
    const double middle = spiral ? p + 0.5 * (turned - std::round(turned)) + 0.5 : p + 0.5 * turned;
    const float widened = spiral ? 5.0F * static_cast<float>(std::min(std::abs(turned), 3.0)) : 0.0F;
    ui::Scratch& s = v.frame.scratch;
    const std::string_view words = s.format("{}\\omega", ui::integer(s, v.scene().offset));
    const float half = 0.5F * ui::lay_out(words, kAngleSize, v.frame.canvas).width;
    AngleLabel touching;  // where none is clear: between hands far apart a short one is better than none
    for (float out = 0.36F * radius + 20.0F + widened;
         out < std::max(0.36F * radius + 21.0F + widened, radius - half); out += 6.0F) {
        const Point at = on_circle(centre, out, middle);
        const Rect box{at.x - half, at.y - 8.0F, at.x + half, at.y + 9.0F};
        const Point nearest{std::clamp(centre.x, box.x0, box.x1), std::clamp(centre.y, box.y0, box.y1)};
        const bool clear = length(nearest - centre) > 0.36F * radius + widened + 3.0F;
        if (clear && !crossed(box, strokes)) return {words, box};
        if (radius > 60.0F && half < 24.0F && std::abs(turned) > 0.1 && touching.words.empty())
            touching = {words, box};
    }
    return touching;
}

// Each name beside the end of its axis, inside the circle, where no label of a hand comes; on the other side of the
// axis if the angle's label, a hand or a component is there, and nowhere if the label takes both.
void draw_axis_names(View& v, Point centre, float radius, const AngleLabel& angle,
                     std::span<const Segment> strokes) {
    canvas::Canvas& c = v.frame.canvas;
    constexpr float size = 15.0F;
    const auto labelled = [&](const Rect& box) { return !angle.words.empty() && angle.box.meets(box); };
    const auto name = [&](std::string_view words, Point first,
                          Point second) {  // two places, by their lower left
        const float width = ui::lay_out(words, size, c).width;
        const auto box_at = [&](Point at) { return Rect{at.x, at.y - 13.0F, at.x + width, at.y + 3.0F}; };
        const auto taken = [&](Point at) { return labelled(box_at(at)) || crossed(box_at(at), strokes); };
        const Point at = taken(first) && (!taken(second) || labelled(box_at(first))) ? second : first;
        if (!labelled(box_at(at))) c.formula(at, words, size, v.frame.theme.ink_soft);
    };
    const std::string_view across = v.rotary() ? "\\cos" : "\\sin", up = v.rotary() ? "\\sin" : "\\cos";
    const float right = centre.x + radius - 4.0F - ui::lay_out(across, size, c).width;
    name(across, {right, centre.y - 5.0F}, {right, centre.y + 15.0F});
    const float top = centre.y - radius + 17.0F;
    name(up, {centre.x + 5.0F, top}, {centre.x - 5.0F - ui::lay_out(up, size, c).width, top});
}

// The label of a hand, outside the circle.
struct HandLabel {
    HandLabel(View& view, Rect area, Point centre, float radius, double turns, std::string_view text)
        : v(&view), words(text) {
        const Point place = on_circle(centre, radius + 13.0F, turns);
        const float width = ui::lay_out(words, kSize, v->frame.canvas).width, side = place.x - centre.x;
        const float x = std::abs(side) < 0.25F * radius ? place.x - 0.5F * width
                        : side > 0.0F                   ? place.x
                                                        : place.x - width;
        at = {std::clamp(x, area.x0, std::max(area.x0, area.x1 - width)),
              place.y + (place.y > centre.y ? 10.0F : 2.0F)};
        box = {at.x - 2.0F, at.y - 12.0F, at.x + width + 2.0F, at.y + 3.0F};
    }
    void draw() const { v->frame.canvas.formula(at, words, kSize, v->frame.theme.ink); }

    static constexpr float kSize = 16.0F;
    View* v;
    std::string_view words;
    Point at;
    Rect box;
};

}  // namespace

void draw_dial(View& v, Rect area) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const ui::Theme& theme = f.theme;
    const Point centre = area.centre();
    const float radius = 0.5F * std::min(area.width(), area.height() - 8.0F) - 23.0F;
    if (radius < 12.0F) return;

    c.circle(centre, radius, {theme.ink_faint, 1.2F});
    c.line({centre.x - radius - 10.0F, centre.y}, {centre.x + radius + 10.0F, centre.y}, {theme.grid, 1.0F});
    c.line({centre.x, centre.y - radius - 10.0F}, {centre.x, centre.y + radius + 10.0F}, {theme.grid, 1.0F});
    // The positions around, where they can be told apart: what one step is worth on this clock.
    if (v.omega() * static_cast<double>(radius) > 5.0)
        for (std::int64_t q = 0; v.omega() * static_cast<double>(q) < 2.0 * std::numbers::pi; ++q)
            c.disc(on_circle(centre, radius, v.dial(phase(v.step(), q).turns())), 1.8F, theme.ink_faint);

    const double p = v.dial(v.hand(v.scene().position).turns());
    const double q = v.dial(v.hand(v.scene().position + v.scene().offset).turns());
    const Point tip = on_circle(centre, radius, q);
    const Point tip_p = on_circle(centre, radius, p);
    const Point foot = centre + static_cast<float>(cos(phase(v.step(), v.scene().offset))) * (tip_p - centre);
    const std::array strokes = {Segment{centre, tip_p}, Segment{centre, tip}, Segment{{tip.x, centre.y}, tip},
                                Segment{centre, {tip.x, centre.y}}, Segment{foot, tip}};
    const AngleLabel angle = angle_label(v, centre, radius, p, strokes);
    // A small dial has no room for the names of its axes.
    if (radius > 48.0F) draw_axis_names(v, centre, radius, angle, strokes);

    if (const Scene* before = f.ghost()) draw_hands(v, centre, radius, *before, true);
    if (auto b = view_of_b(v)) draw_hands(*b, centre, radius, f.other->scene, true);
    draw_hands(v, centre, radius, v.scene(), false);

    const bool roomy = area.width() > 2.0F * radius + 96.0F;  // else the numbers alone
    const auto said = [&](std::string_view name, std::int64_t position) {
        return f.scratch.format("{}{}", roomy ? name : "", ui::integer(f.scratch, position));
    };
    const std::int64_t at_p = v.scene().position, at_q = at_p + v.scene().offset;
    const HandLabel label_p(v, area, centre, radius, p, said("p = ", at_p));
    label_p.draw();
    if (at_p != at_q) {  // the second gives way to the first
        HandLabel label_q(v, area, centre, radius, q, said("p + k = ", at_q));
        double away = q - p;
        away -= std::round(away);
        for (int step = 1; step < 50 && label_q.box.meets(label_p.box); ++step)
            label_q = HandLabel(v, area, centre, radius, q + std::copysign(0.01 * step, away), label_q.words);
        label_q.draw();
    }
    const auto on_hand = [&](double turns) {
        const Point end = on_circle(centre, radius, turns);
        return angle.box.meets({end.x - 7.0F, end.y - 7.0F, end.x + 7.0F, end.y + 7.0F});
    };
    if (!angle.words.empty() && !on_hand(p) && !on_hand(q))
        c.formula({angle.box.centre().x, angle.box.y1 - 4.0F}, angle.words, kAngleSize, theme.ink,
                  Align::centre);

    const Turned hand{centre, v.omega(), v.dial_turned(1.0)};
    drag_hand(f, hand, "offset", on_circle(centre, radius, q));
    drag_hand(f, hand, "position", on_circle(centre, radius, p));
}

}  // namespace posiscope::figures::rotations
