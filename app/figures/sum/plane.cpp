// plane.cpp — the plane of the Sum figure: its view, the arrows, and how far they reach.
#include "app/figures/parts/text.hpp"
#include "app/figures/sum/sum.hpp"
#include "app/plot/plot.hpp"

namespace posiscope::figures::sums {
namespace {

using canvas::Align;
using canvas::Stroke;

constexpr std::size_t kLookedAt = 512;  // ends of arrows, for where a name has room
constexpr std::size_t kRuns = 64;       // arrows share a colour with their neighbours in so many runs
constexpr float kHeadFrom = 11.0F;      // arrows shorter than this, in points, have no head
constexpr float kNamesFrom = 260.0F;    // planes as wide as this have room for the pair's name
constexpr double kLargestZoom = 65536.0;

void head(View& v, Point from, Point to, ui::Colour colour) {
    const Point along = to - from;
    const float reach = length(along);
    if (reach < kHeadFrom) return;
    const float size = std::min(9.0F, 0.45F * reach);
    const Point unit = (1.0F / reach) * along, across{-unit.y, unit.x};
    const std::array corners = {to, to + (-size) * unit + (0.42F * size) * across,
                                to + (-size) * unit + (-0.42F * size) * across};
    v.frame.canvas.polygon(corners, colour);
}

// The zoom, as the view holds it: the middle, and how many times as large as the whole.
struct Window {
    double x, y, zoom;
};
std::optional<Window> window_of(const Scene& scene) {
    const Json* window = view_value(scene, "sum", "window");
    if (window == nullptr || !window->is_array() || window->size() != 3) return std::nullopt;
    for (const Json& value : *window)
        if (!value.is_number() || !(std::abs(value.get<double>()) < 1e30)) return std::nullopt;
    return Window{(*window)[0].get<double>(), (*window)[1].get<double>(),
                  std::clamp((*window)[2].get<double>(), 1.0, kLargestZoom)};
}

}  // namespace

std::string_view tidy(ui::Scratch& s, double value) {
    return std::abs(value) < 1e6 && std::abs(value - std::round(value)) < 1e-9
               ? ui::integer(s, std::llround(value))
               : ui::significant(s, value, 5);
}

bool aligned(const ScoreForm& form) {
    return form.growth.empty() && form.constant >= 0.0 &&
           std::all_of(form.odd.begin(), form.odd.end(), [](double odd) { return odd == 0.0; }) &&
           std::all_of(form.even.begin(), form.even.end(), [](double even) { return even >= 0.0; });
}

// Sets the plane's view: as the person zoomed; else all that aligned arrows reach, and for others, which wander, this
// distance as large as it goes in a few steps of scale. A drag keeps the scale that it began with.
void place_plane(View& v, const Chain& chain) {
    const Frame& f = v.frame;
    const Rect room = reach(f.scene, f.derived, kind_of(f.mode));
    const auto wide = std::max(1e-6, static_cast<double>(room.width())),
               high = std::max(1e-6, static_cast<double>(room.height()));
    const auto plane_wide = static_cast<double>(v.plane.width()),
               plane_high = static_cast<double>(v.plane.height() - 60.0F);
    v.scale = std::min(plane_wide / wide, plane_high / high);
    v.middle_x = static_cast<double>(room.centre().x);
    v.middle_y = (f.scene.offset < 0 ? -0.18 : 0.18) * high;
    if (v.difference || !aligned(v.form)) {
        const bool held = f.dragging();
        const Chain& shown =
            held && !v.difference ? v.chain(v.sums.before, f.drag_state->scene.offset) : chain;
        const auto [left, right] = std::minmax_element(shown.x.begin(), shown.x.end());
        const auto [bottom, top] = std::minmax_element(shown.y.begin(), shown.y.end());
        const double x0 = std::min(0.0, *left), x1 = std::max(0.0, *right);
        v.middle_x = 0.5 * (x0 + x1);
        v.middle_y = 0.5 * (*bottom + *top);
        const double fits =
            std::min(plane_wide / std::max(1e-9, x1 - x0), plane_high / std::max(1e-9, *top - *bottom));
        v.scale *= std::pow(1.25, std::floor(std::log(fits / v.scale) / std::log(1.25)));
    }
    if (const auto window = window_of(f.scene)) {
        v.middle_x = window->x;
        v.middle_y = window->y;
        v.scale *= window->zoom;
    }
}

void zoom(View& v) {
    Frame& f = v.frame;
    if (!f.over(v.plane)) return;
    if (f.pointer->double_clicked) set_view_value(f.edit(), "sum", "window", nullptr);
    if (f.pointer->wheel == 0.0F) return;
    const auto window = window_of(f.scene);
    const double before = window ? window->zoom : 1.0;
    const double after = std::clamp(before * std::pow(1.25, f.pointer->wheel), 1.0, kLargestZoom);
    if (after <= 1.0) return set_view_value(f.edit(), "sum", "window", nullptr);
    // The point under the cursor stays there.
    const double x = static_cast<double>(f.pointer->at.x - v.plane.centre().x) / v.scale,
                 y = static_cast<double>(v.plane.centre().y - f.pointer->at.y) / v.scale;
    const double kept = 1.0 - before / after;
    set_view_value(f.edit(), "sum", "window",
                   Json::array({v.middle_x + kept * x, v.middle_y + kept * y, after}));
}

// One line as it goes, in steps that can be seen.
void draw_thin(View& v, const Chain& chain, Stroke stroke) {
    std::vector<Point>& points = v.frame.derived.points();
    points.assign(1, v.at(chain.x[0], chain.y[0]));
    for (std::size_t i = 0; i < chain.arrows(); ++i)
        if (const Point p = v.end(chain, i); length(p - points.back()) > 0.5F || i + 1 == chain.arrows())
            points.push_back(p);
    v.frame.canvas.polyline(points, stroke);
}

void draw_arrows(View& v, const Chain& chain, std::int64_t distance) {
    canvas::Canvas& c = v.frame.canvas;
    std::vector<Point>& points = v.frame.derived.points();
    const auto run_of = [&](std::size_t i) { return v.pairs() <= kRuns ? i : i * kRuns / v.pairs(); };
    for (std::size_t i = 0; i < v.pairs();) {
        const std::size_t run = run_of(i);
        const bool past = v.past(i, distance);
        const ui::Colour colour = v.colour(i, past);
        points.assign(1, v.begin(chain, i));
        for (; i < v.pairs() && run_of(i) == run && v.past(i, distance) == past; ++i)
            if (const Point p = v.end(chain, i); length(p - points.back()) > 0.35F) points.push_back(p);
        if (const Point last = v.end(chain, i - 1); points.size() < 2 || points.back() != last)
            points.push_back(last);
        c.polyline(points, {colour, 2.4F, past ? 2.5F : 0.0F});
    }
    for (std::size_t i = 0; i < v.pairs(); ++i)
        head(v, v.begin(chain, i), v.end(chain, i), v.colour(i, v.past(i, distance)));
}

Rect draw_score(View& v, const Chain& chain, std::int64_t distance) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const ui::Theme& theme = f.theme;
    const Point origin = v.at(0.0, 0.0), foot = v.at(chain.score(), 0.0), tip = v.end(chain, v.pairs() - 1);
    c.line(tip, foot, {theme.offset, 1.2F, 3.0F});
    c.line(origin, foot, {theme.ink, 3.0F});
    for (const Point p : {origin, foot}) c.line({p.x, p.y - 6.0F}, {p.x, p.y + 6.0F}, {theme.ink, 2.0F});

    // Its number on the side where there are fewer arrows, past the last of them.
    const auto [lowest, highest] = std::minmax_element(chain.y.begin(), chain.y.end());
    const bool below = -*lowest <= *highest;
    const float y = below ? std::min(v.at(0.0, *lowest).y + 26.0F, v.plane.y1 - 4.0F)
                          : std::max(v.at(0.0, *highest).y - 14.0F, v.plane.y0 + 22.0F);
    const std::string_view value = tidy(s, chain.score()), k = ui::integer(s, distance);
    std::string_view said =
        v.difference ? s.format("B \u2212 A = {}", value)
        : v.form.kind == ScoreKind::logit
            ? s.format("q_{{p{}}} \\cdot k_p / \\sqrt {} = {}", ui::signed_integer(s, distance),
                       head_dim(f.scene), value)
        : v.rotary()
            ? s.format("q_{{p{}}} \\cdot k_p = {}", ui::signed_integer(s, distance), value)
            : s.format("\\text{{Re}}\\,⟨c_p, c_{{p{}}}⟩ = \\sum \\cos {}\\omega_i = {}",
                       ui::signed_integer(s, distance), distance < 0 ? s.format("({})", k) : k, value);
    const bool complex = !v.difference && !v.rotary() && v.form.kind != ScoreKind::logit;
    float width = ui::lay_out(said, 16.0F, c).width;
    if (complex && width > v.plane.width()) {
        said = s.format("\\sum \\cos {}\\omega_i = {}", distance < 0 ? s.format("({})", k) : k, value);
        width = ui::lay_out(said, 16.0F, c).width;
    }
    if (width > v.plane.width()) {  // the headline says of what
        said = value;
        width = ui::lay_out(said, 16.0F, c).width;
    }
    const float x =
        std::clamp(0.5F * (origin.x + foot.x - width), v.plane.x0, std::max(v.plane.x0, v.plane.x1 - width));
    c.formula({x, y}, said, 16.0F, theme.ink);
    const Rect taken{x - 4.0F, y - 16.0F, x + width + 4.0F, y + 8.0F};

    if (v.difference) return taken;

    // The imaginary part of the complex product, which the real one leaves out.
    if (complex && f.other == nullptr && std::abs(tip.y - foot.y) > 40.0F) {  // B has the room
        const std::string_view height = s.format("\\text{{Im}} = {}", tidy(s, chain.y.back()));
        const float wide = ui::lay_out(height, 14.0F, c).width;
        const float left = foot.x + 8.0F + wide < v.plane.x1 ? foot.x + 8.0F : foot.x - 8.0F - wide;
        c.formula({left, 0.5F * (tip.y + foot.y) + 5.0F}, height, 14.0F, theme.ink_soft);
    }

    // The contribution of unrotated features, at any distance.
    if (chain.x[0] != 0.0) {
        const Point start = v.at(chain.x[0], 0.0);
        c.line({start.x, start.y - 5.0F}, {start.x, start.y + 5.0F}, {theme.ink, 1.0F});
        c.text({std::max(origin.x, v.plane.x0), origin.y + (below ? -12.0F : 22.0F)},
               f.format("sum.constant", fmt::arg("value", tidy(s, chain.x[0]))), small(f));
    }

    // How far they would reach in a straight line.
    const double most = straight(chain);
    const Point all = v.at(most, 0.0);
    const std::string_view words = f.format("sum.straight", fmt::arg("most", tidy(s, most)));
    const float words_width = small_width(f, words);
    if (all.x > v.plane.x1 + 1.0F || all.x < v.plane.x0) return taken;
    c.line({all.x, all.y - 5.0F}, {all.x, all.y + 5.0F}, {theme.ink_faint, 1.0F});
    if (all.x - words_width > x + width + 12.0F)
        c.text({all.x, origin.y + (below ? 22.0F : -12.0F)}, words, small(f, Align::right));
    return taken;
}

std::optional<std::size_t> arrow_at(View& v, const Chain& chain, Point mouse) {
    return plot::nearest(v.pairs(), 9.0F, [&](std::size_t i) {
        const Point a = v.begin(chain, i), along = v.end(chain, i) - a, to = mouse - a;
        const float square = along.x * along.x + along.y * along.y;
        const float part =
            square > 0.0F ? std::clamp((to.x * along.x + to.y * along.y) / square, 0.0F, 1.0F) : 0.0F;
        return length(to - part * along);
    });
}

void draw_b(View& v, const Chain& b, const Chain& a) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    draw_thin(v, b, {f.theme.ink, 1.2F});
    const Point tip = v.end(b, b.arrows() - 1), foot = v.at(b.score(), 0.0);
    c.line(tip, foot, {f.theme.offset, 1.0F, 3.0F});
    c.circle(tip, 5.0F, {f.theme.offset, 1.5F});
    c.line({foot.x, foot.y - 9.0F}, {foot.x, foot.y + 9.0F}, {f.theme.ink, 1.2F});
    const std::string_view said = f.scratch.format("B  {}", tidy(f.scratch, b.score()));
    // On the side that A's upright line leaves free, or over that line.
    const float width = small_width(f, said), line = v.at(a.score(), 0.0).x;
    const Rect right{foot.x + 4.0F, foot.y - 21.0F, foot.x + width + 8.0F, foot.y - 4.0F},
        left{foot.x - width - 8.0F, right.y0, foot.x - 4.0F, right.y1};
    const auto free = [&](const Rect& place) { return line < place.x0 || line > place.x1; };
    const auto fits = [&](const Rect& place) { return place.x0 > v.plane.x0 && place.x1 < v.plane.x1; };
    const Rect place = fits(right) && free(right) ? right
                       : fits(left) && free(left) ? left
                       : fits(right)              ? right
                                                  : left;
    if (!free(place)) c.fill(place, ui::faded(f.theme.tile, 0.9F), 3.0F);
    c.text({place.x0 + 2.0F, foot.y - 8.0F}, said, small_ink(f));
}

void mark_pair(View& v, const Chain& chain, std::size_t pair, ui::Colour colour, bool exact) {
    canvas::Canvas& c = v.frame.canvas;
    const Point from = v.begin(chain, pair), to = v.end(chain, pair);
    const Point middle = 0.5F * (from + to);
    if (!v.plane.grown(8.0F).contains(middle)) return;
    const float size = length(to - from);
    if (size >= kHeadFrom && exact) c.line(from, to, {ui::faded(colour, 0.35F), 8.0F});
    else c.circle(middle, 6.5F + 0.5F * size, {colour, 1.4F});
}

namespace {

// True if arrows or the line of the score run behind it.
bool on_lines(const View& v, const Chain& chain, const Rect& plate) {
    const Point origin = v.at(0.0, 0.0), foot = v.at(chain.score(), 0.0);
    if (plate.meets({std::min(origin.x, foot.x) - 1.0F, origin.y - 6.0F, std::max(origin.x, foot.x) + 1.0F,
                     origin.y + 6.0F}))
        return true;
    const std::size_t step = std::max<std::size_t>(1, v.pairs() / kLookedAt);
    for (std::size_t i = 0; i < v.pairs(); i += step)
        if (plate.contains(v.end(chain, i))) return true;
    return false;
}

}  // namespace

void name_pair(View& v, const Chain& chain, std::size_t pair, const Rect& taken) {
    canvas::Canvas& c = v.frame.canvas;
    const Point from = v.begin(chain, pair), to = v.end(chain, pair);
    const Point middle = 0.5F * (from + to);
    if (v.plane.width() < kNamesFrom && !v.frame.link.frequency) return;  // the rail says which one
    if (!v.plane.grown(8.0F).contains(middle)) return;
    const float size = length(to - from);
    const std::string_view name = v.frame.format("sum.pair", fmt::arg("pair", pair));
    const float width = small_width(v.frame, name);
    const auto plate = [&](Point place) {
        const float x = place.x > middle.x + 6.0F   ? place.x
                        : place.x < middle.x - 6.0F ? place.x - width
                                                    : place.x - 0.5F * width;
        const float left = std::clamp(x, v.plane.x0 - 10.0F, std::max(v.plane.x0, v.plane.x1 - width));
        return Rect{left - 2.0F, place.y - 8.0F, left + width + 2.0F, place.y + 8.0F};
    };
    // Across from the way the arrow goes, or wherever it hides nothing; never on the score.
    const Point unit = size > 0.0F ? (1.0F / size) * (to - from) : Point{1.0F, 0.0F};
    const Point across = 18.0F * Point{unit.y, -unit.x};
    std::optional<Rect> chosen;
    for (const Point& way : {across, -1.0F * across, Point{0.0F, -22.0F}, Point{0.0F, 22.0F},
                             Point{18.0F, -22.0F}, Point{18.0F, 22.0F}, Point{18.0F, 0.0F}}) {
        const Rect tried = plate(middle + way);
        if (tried.meets(taken)) continue;
        const bool free = !on_lines(v, chain, tried);
        if (free || !chosen) chosen = tried;
        if (free) break;
    }
    if (!chosen) return;
    c.fill(*chosen, ui::faded(v.frame.theme.tile, 0.8F), 3.0F);
    c.text({chosen->x0 + 2.0F, chosen->y0 + 12.0F}, name, small(v.frame));
}

}  // namespace posiscope::figures::sums
