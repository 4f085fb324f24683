// dial.cpp — the large clock of one pair: both hands, the angle between them, the components of one, positions around the rim.
#include "app/figures/parts/handles.hpp"
#include "app/figures/rotations/rotations.hpp"

#include <algorithm>

namespace posiscope::figures::rotations {
namespace {

using canvas::Align;
using canvas::Stroke;
using ui::Face;

constexpr float kArc = 0.32F;  // of the radius: where kω is drawn

struct Segment {
    Point from, to;
};

bool crosses(const Segment& line, const Rect& box) {
    float from = 0.0F, to = 1.0F;
    const auto cut = [&](float start, float along, float low, float high) {
        if (along == 0.0F) return start > low && start < high;
        const float one = (low - start) / along, other = (high - start) / along;
        from = std::max(from, std::min(one, other));
        to = std::min(to, std::max(one, other));
        return from < to;
    };
    return cut(line.from.x, line.to.x - line.from.x, box.x0, box.x1) &&
           cut(line.from.y, line.to.y - line.from.y, box.y0, box.y1);
}

// Lines and words that are drawn already: the next words keep clear of them.
class Taken {
public:
    void add(const Segment& line) {
        if (lines_ < all_lines_.size()) all_lines_[lines_++] = line;
    }
    void add(const Rect& box) {
        if (boxes_ < all_boxes_.size()) all_boxes_[boxes_++] = box;
    }
    bool clear(const Rect& box) const {
        return std::none_of(all_boxes_.begin(), all_boxes_.begin() + static_cast<std::ptrdiff_t>(boxes_),
                            [&](const Rect& other) { return other.meets(box); }) &&
               std::none_of(all_lines_.begin(), all_lines_.begin() + static_cast<std::ptrdiff_t>(lines_),
                            [&](const Segment& line) { return crosses(line, box); });
    }

private:
    std::array<Segment, 76> all_lines_;
    std::array<Rect, 96> all_boxes_;
    std::size_t lines_ = 0, boxes_ = 0;
};

// The clock while it is drawn.
struct LargeClock {
    View& v;
    Rect area;  // that words may use
    Point centre;
    float radius;
    double p, q;  // of the hands, in turns of the dial
    Taken taken = {};

    float zoom() const { return v.zoom; }
    Point at(double turns) const { return on_circle(centre, radius, turns); }
    double turned() const { return v.dial_turned(v.turned()); }
};

void draw_outline(LargeClock& dial, View& v, const Scene& scene) {
    const Point centre = dial.centre;
    const float radius = dial.radius;
    canvas::Canvas& c = v.frame.canvas;
    const ui::Theme& theme = v.frame.theme;
    const Point tip_p = on_circle(centre, radius, v.dial(v.hand(scene.position).turns()));
    const Point tip_q = on_circle(centre, radius, v.dial(v.hand(scene.position + scene.offset).turns()));
    c.line(centre, tip_p, {ui::faded(theme.ink, 0.35F), 1.0F});
    c.line(centre, tip_q, {ui::faded(theme.offset, 0.5F), 1.0F});
    c.circle(tip_p, 5.0F, {ui::faded(theme.ink, 0.35F), 1.0F});
    c.circle(tip_q, 5.0F, {ui::faded(theme.offset, 0.5F), 1.0F});
    for (const Point tip : {tip_p, tip_q}) dial.taken.add(Segment{centre, tip});
}

// kω: a spiral when it is more than a turn, as far as it can be told apart.
void draw_angle(LargeClock& dial) {
    const double drawn = std::clamp(dial.turned(), -3.0, 3.0);
    constexpr int kSegments = 144;
    std::array<Point, kSegments + 1> spiral;
    for (int i = 0; i <= kSegments; ++i) {
        const double part = static_cast<double>(i) / kSegments;
        const float widen =
            std::abs(drawn) > 1.0 ? static_cast<float>(part * std::abs(drawn) * 5.0) * dial.zoom() : 0.0F;
        spiral[static_cast<std::size_t>(i)] =
            on_circle(dial.centre, kArc * dial.radius + widen, dial.p + drawn * part);
    }
    dial.v.frame.canvas.polyline(spiral, {dial.v.frame.theme.ink, 1.5F});
    for (std::size_t i = 3; i < spiral.size(); i += 3) dial.taken.add(Segment{spiral[i - 3], spiral[i]});
}

// The components of one hand, in the colours they have everywhere: of p, and of p + k while that hand is dragged.
struct Legs {
    Point tip, corner;
    PairPoint point;
};
Legs legs_of(const LargeClock& dial) {
    const Frame& f = dial.v.frame;
    const bool second = f.drag_state != nullptr && f.drag_state->handle == "offset";
    const Scene& scene = f.scene;
    const Point tip = dial.at(second ? dial.q : dial.p);
    const std::int64_t position = scene.position + (second ? scene.offset : 0);
    return {tip, {tip.x, dial.centre.y}, pair_point(dial.v.encoding, phase(dial.v.step(), position))};
}
void draw_legs(LargeClock& dial, const Legs& legs) {
    const View& v = dial.v;
    const ui::Theme& theme = v.frame.theme;
    const float wide = 3.0F * dial.zoom(), dash = 4.0F * dial.zoom();
    const Stroke along{v.rotary() ? theme.cosine : theme.sine, wide, v.rotary() ? dash : 0.0F};
    const Stroke across{v.rotary() ? theme.sine : theme.cosine, wide, v.rotary() ? 0.0F : dash};
    v.frame.canvas.line(dial.centre, legs.corner, along);
    v.frame.canvas.line(legs.corner, legs.tip, across);
    dial.taken.add(Segment{dial.centre, legs.corner});
    dial.taken.add(Segment{legs.corner, legs.tip});
}

// Words at the first of some places, by the middle of their baseline, that is clear.
struct Words {
    std::string_view text;
    float size;
    Face face = Face::text;
    bool formula = false;
};
Rect box_of(const LargeClock& dial, const Words& words, Point at) {
    const canvas::Canvas& c = dial.v.frame.canvas;
    const float half = 0.5F * (words.formula ? ui::lay_out(words.text, words.size, c).width
                                             : c.text_width(words.text, words.face, words.size));
    return {at.x - half - 2.0F, at.y - 0.85F * words.size, at.x + half + 2.0F, at.y + 0.25F * words.size};
}
void put(LargeClock& dial, const Words& words, ui::Colour colour, std::span<const Point> places) {
    canvas::Canvas& c = dial.v.frame.canvas;
    for (const Point at : places) {
        const Rect box = box_of(dial, words, at);
        if (!dial.taken.clear(box) || box.x0 < dial.area.x0 - 4.0F || box.x1 > dial.area.x1 + 4.0F) continue;
        if (words.formula) c.formula(at, words.text, words.size, colour, Align::centre);
        else c.text(at, words.text, {colour, words.size, words.face, Align::centre});
        return dial.taken.add(box);
    }
}

// Each value beside its component.
void name_legs(LargeClock& dial, const Legs& legs) {
    if (dial.radius < 75.0F) return;
    ui::Scratch& s = dial.v.frame.scratch;
    const float size = 14.0F * dial.zoom(), least = 0.12F * dial.radius;
    const auto words = [&](double value) { return Words{ui::fixed(s, value, 3), size, Face::strong}; };
    const float below = legs.tip.y < dial.centre.y ? 1.0F : -1.0F;  // the other side of the axis
    const Words first = words(legs.point.first), second = words(legs.point.second);
    std::array<Point, 6> level;
    for (std::size_t i = 0; i < level.size(); ++i) {
        constexpr std::array<float, 3> along = {0.5F, 0.72F, 0.3F};
        const float side = i % 2 == 0 ? below : -below;
        level[i] = {dial.centre.x + along[i / 2] * (legs.corner.x - dial.centre.x),
                    dial.centre.y + (side > 0.0F ? 1.15F * size : -0.5F * size)};
    }
    if (std::abs(legs.corner.x - dial.centre.x) > least) put(dial, first, dial.v.frame.theme.ink, level);
    if (std::abs(legs.tip.y - dial.centre.y) < least) return;
    const Rect box = box_of(dial, second, {});
    const float outward = legs.corner.x > dial.centre.x ? 1.0F : -1.0F,
                off = 0.5F * box.width() + 6.0F * dial.zoom();
    std::array<Point, 6> places;
    for (std::size_t i = 0; i < places.size(); ++i) {
        constexpr std::array<float, 3> along = {0.5F, 0.3F, 0.75F};
        const float side = i % 2 == 0 ? outward : -outward;
        places[i] = {legs.corner.x + side * off,
                     legs.corner.y + along[i / 2] * (legs.tip.y - legs.corner.y) + 0.35F * size};
    }
    // Outside the circle it would lie on the numbers of the rim.
    std::size_t count = 0;
    for (const Point at : places) {
        const Point end = at + Point{std::copysign(0.5F * box.width(), at.x - dial.centre.x), 0.0F};
        if (length(end - dial.centre) < dial.radius - 8.0F * dial.zoom()) places[count++] = at;
    }
    put(dial, second, dial.v.frame.theme.ink, std::span(places).first(count));
}

// Outside the arc that begins there, between its ends: in the middle of the angle, or of the wider gap if it is more than a
// turn; as far out as it takes to come clear.
void name_angle(LargeClock& dial, double from, float size, ui::Colour colour) {
    const double turned = dial.turned();
    if (std::abs(turned) <= 0.03) return;
    const bool spiral = std::abs(turned) > 1.0;
    const double middle = spiral ? from + 0.5 * (turned - std::round(turned)) + 0.5 : from + 0.5 * turned;
    const float widened = spiral ? 5.0F * static_cast<float>(std::min(std::abs(turned), 3.0)) : 0.0F;
    ui::Scratch& s = dial.v.frame.scratch;
    const Words words{s.format("{}\\omega", ui::integer(s, dial.v.scene().offset)), size * dial.zoom(),
                      Face::text, true};
    std::array<Point, 24> places;
    std::size_t count = 0;
    for (float out = kArc * dial.radius + 14.0F * dial.zoom() + widened;
         out < 0.86F * dial.radius && count < places.size(); out += std::max(6.0F, 0.03F * dial.radius))
        places[count++] = on_circle(dial.centre, out, middle) + Point{0.0F, 0.35F * words.size};
    put(dial, words, colour, std::span(places).first(count));
}

// Each name beside the end of its axis, inside the circle; on the other side of the axis if something is there.
void name_axes(LargeClock& dial) {
    if (dial.radius < 48.0F) return;  // no room for them
    const View& v = dial.v;
    const float size = 15.0F * dial.zoom();
    const Words across{v.rotary() ? "\\cos" : "\\sin", size, Face::text, true},
        up{v.rotary() ? "\\sin" : "\\cos", size, Face::text, true};
    const float right = dial.centre.x + dial.radius - 0.5F * box_of(dial, across, {}).width() - 5.0F;
    const float away = 0.5F * box_of(dial, up, {}).width() + 4.0F,
                top = dial.centre.y - dial.radius + 1.3F * size;
    put(dial, across, v.frame.theme.ink_soft,
        std::array{Point{right, dial.centre.y - 0.45F * size}, Point{right, dial.centre.y + size},
                   Point{right - 2.0F * size, dial.centre.y - 0.45F * size},
                   Point{right - 2.0F * size, dial.centre.y + size}});
    put(dial, up, v.frame.theme.ink_soft,
        std::array{Point{dial.centre.x + away, top}, Point{dial.centre.x - away, top},
                   Point{dial.centre.x + away, top + 1.5F * size},
                   Point{dial.centre.x - away, top + 1.5F * size}});
}

// A hand's position, outside the circle: "p = 10", or the number alone where that has no room.
void name_hand(LargeClock& dial, double turns, double away, std::string_view name, std::int64_t position) {
    Frame& f = dial.v.frame;
    const float size = 17.0F * dial.zoom(), out = dial.radius + 12.0F * dial.zoom();
    const std::string_view number = ui::integer(f.scratch, position);
    const auto try_at = [&](std::string_view words, double where) {
        const Point place = on_circle(dial.centre, out, where);
        const float width = ui::lay_out(words, size, f.canvas).width, side = place.x - dial.centre.x;
        const float x = std::abs(side) < 0.25F * dial.radius ? place.x - 0.5F * width
                        : side > 0.0F                        ? place.x
                                                             : place.x - width;
        const float drop = (place.y - dial.centre.y) / out;  // −1 at the top
        const Point at{x, place.y + size * (0.3F + 0.45F * drop)};
        const Rect box{at.x - 3.0F, at.y - 0.8F * size, at.x + width + 3.0F, at.y + 0.25F * size};
        if (box.x0 < dial.area.x0 - 4.0F || box.x1 > dial.area.x1 + 4.0F || !dial.taken.clear(box))
            return false;
        f.canvas.formula(at, words, size, f.theme.ink);
        dial.taken.add(box);
        return true;
    };
    const std::string_view full = f.scratch.format("{}{}", name, number);
    // The number at its hand says more than both far from it.
    for (const auto& [words, most] : {std::pair(full, 6), {number, 12}, {full, 24}, {number, 24}})
        for (int step = 0; step < most; ++step)
            if (try_at(words, turns + std::copysign(0.01 * step, away))) return;
}

float rim_size(const LargeClock& dial) { return ui::kSmallSize * std::min(dial.zoom(), 1.6F); }

// The positions around p and p + k, one turn of them, as many as can be told apart.
struct Rim {
    std::int64_t first = 0, last = -1, step = 1;
};
Rim rim_of(const LargeClock& dial) {
    const View& v = dial.v;
    Frame& f = v.frame;
    const Scene& scene = f.scene;
    const double wavelength = 2.0 * std::numbers::pi / v.omega();
    if (!(wavelength >= 2.0) || wavelength > 1e12) return {};
    const auto turn = static_cast<std::int64_t>(wavelength);
    const std::int64_t middle = scene.position + scene.offset / 2;
    const std::int64_t first =
        std::clamp<std::int64_t>(middle - turn / 2, 0, std::max<std::int64_t>(0, kLastPosition - turn + 1));
    const std::int64_t last = std::min(first + turn - 1, kLastPosition);
    const float round = 2.0F * std::numbers::pi_v<float> * dial.radius;
    const float wide = f.canvas.text_width(ui::integer(f.scratch, last), Face::text, rim_size(dial)) + 10.0F;
    const double most = static_cast<double>(round / std::max(wide, 26.0F * dial.zoom()));
    std::int64_t step = 1;
    for (int digit = 0; static_cast<double>(turn) / static_cast<double>(step) > most; ++digit)
        step = digit % 3 == 1 ? step / 2 * 5 : 2 * step;
    return {(first + step - 1) / step * step, last, step};
}

// Each at its place.
void name_rim(LargeClock& dial, const Rim& rim) {
    const View& v = dial.v;
    Frame& f = v.frame;
    const Scene& scene = f.scene;
    const float size = rim_size(dial);
    for (std::int64_t q = rim.first; q <= rim.last; q += rim.step) {
        const double turns = v.dial(phase(v.step(), q).turns());
        f.canvas.disc(dial.at(turns), 2.2F * dial.zoom(), f.theme.ink_faint);
        if (dial.radius < 60.0F || q == scene.position || q == scene.position + scene.offset) continue;
        const Words number{ui::integer(f.scratch, q), size};
        const Rect box = box_of(dial, number, {});
        const Point out = on_circle({}, 1.0F, turns);
        const float off = dial.radius + 6.0F * dial.zoom() +
                          0.5F * (std::abs(out.x) * box.width() + std::abs(out.y) * box.height());
        put(dial, number, f.theme.ink_soft, std::array{dial.centre + off * out + Point{0.0F, 0.33F * size}});
    }
}

// kω once more, between two positions of the rim as far from the hands as there are: it is the same wherever a hand starts.
// Nothing where both would overlap.
std::optional<double> draw_elsewhere(LargeClock& dial, const Rim& rim) {
    const View& v = dial.v;
    const double turned = dial.turned(), wide = std::abs(turned);
    if (!v.single || wide < 0.02 || wide > 0.45) return std::nullopt;
    std::optional<double> chosen;
    double farthest = wide + 0.02;
    for (std::int64_t q = rim.first; q <= rim.last; q += rim.step) {
        if (const std::int64_t end = q + v.scene().offset; end < rim.first || end > rim.last) continue;
        const double from = v.dial(phase(v.step(), q).turns());
        const double apart = std::abs(from - dial.p - std::round(from - dial.p));
        if (apart > farthest) farthest = apart, chosen = from;
    }
    if (!chosen) return std::nullopt;
    canvas::Canvas& c = v.frame.canvas;
    const ui::Theme& theme = v.frame.theme;
    const Stroke dashed{theme.ink_faint, 1.3F * dial.zoom(), 4.0F * dial.zoom()};
    c.sector(dial.centre, dial.radius, *chosen, turned, ui::faded(theme.offset, 0.08F));
    c.arc(dial.centre, kArc * dial.radius, *chosen, turned, dashed);
    for (const double end : {*chosen, *chosen + turned}) {
        c.line(dial.centre, dial.at(end), dashed);
        dial.taken.add(Segment{dial.centre, dial.at(end)});
    }
    constexpr int kChords = 6;
    for (int i = 0; i < kChords; ++i) {
        const auto on_arc = [&](int part) {
            return on_circle(dial.centre, kArc * dial.radius, *chosen + turned * part / kChords);
        };
        dial.taken.add(Segment{on_arc(i), on_arc(i + 1)});
    }
    return chosen;
}

}  // namespace

void draw_dial(View& v, Rect area, float side) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const ui::Theme& theme = f.theme;
    const float z = v.zoom, radius = 0.5F * side - (side < 150.0F ? 20.0F : 27.0F * z);
    if (radius < 12.0F) return;
    const Scene& scene = f.scene;
    LargeClock dial{v,
                    area,
                    area.centre(),
                    radius,
                    v.dial(v.hand(scene.position).turns()),
                    v.dial(v.hand(scene.position + scene.offset).turns())};
    const Point centre = dial.centre;

    c.sector(centre, radius, dial.p, std::clamp(dial.turned(), -1.0, 1.0), ui::faded(theme.offset, 0.16F));
    c.circle(centre, radius, {theme.ink_faint, 1.2F * std::min(z, 1.6F)});
    c.line({centre.x - radius, centre.y}, {centre.x + radius, centre.y}, {theme.grid, 1.0F});
    c.line({centre.x, centre.y - radius}, {centre.x, centre.y + radius}, {theme.grid, 1.0F});
    if (const Scene* before = f.ghost()) draw_outline(dial, v, *before);
    if (auto b = view_of_b(v)) draw_outline(dial, *b, f.other->scene);
    const Rim rim = rim_of(dial);
    const std::optional<double> elsewhere = draw_elsewhere(dial, rim);
    const Legs legs = legs_of(dial);
    if (!v.single) draw_legs(dial, legs);  // else the equation has its numbers
    draw_angle(dial);
    c.line(centre, dial.at(dial.p), {theme.ink, 3.0F * z});
    c.line(centre, dial.at(dial.q), {theme.offset, 3.0F * z});
    c.disc(centre, 4.0F * z, theme.ink);
    for (const double hand : {dial.p, dial.q}) {
        dial.taken.add(Segment{centre, dial.at(hand)});
        const Point tip = dial.at(hand);
        dial.taken.add(Rect{tip.x, tip.y, tip.x, tip.y}.grown(10.0F * z));
    }

    double away = dial.q - dial.p;
    away -= std::round(away);
    const std::int64_t to = scene.position + scene.offset;
    name_hand(dial, dial.p, -away, "p = ", scene.position);
    if (to != scene.position) name_hand(dial, dial.q, away, "p + k = ", to);  // gives way to the first
    if (!v.single) name_legs(dial, legs);
    name_angle(dial, dial.p, 18.0F, theme.ink);
    if (elsewhere) name_angle(dial, *elsewhere, 15.0F, theme.ink_soft);
    name_axes(dial);
    name_rim(dial, rim);
    handle(f, dial.at(dial.p), 7.0F * z, theme.ink);
    handle(f, dial.at(dial.q), 7.0F * z, theme.offset);

    const Turned hand{centre, v.omega(), v.dial_turned(1.0)};
    drag_hand(f, hand, "offset", dial.at(dial.q));
    drag_hand(f, hand, "position", dial.at(dial.p));
}

}  // namespace posiscope::figures::rotations
