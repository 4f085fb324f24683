// product.cpp — q and k of a pair as complex numbers: as they are, rotated to their positions, and q_m times the conjugate of
// k_n, which depends on m − n alone. In four steps; both are dragged in two dimensions.
#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/text.hpp"
#include "app/figures/rotations/rotations.hpp"
#include "app/plot/plot.hpp"

#include "core/scene/content.hpp"

namespace posiscope::figures::rotations {
namespace {

using canvas::Align;
using canvas::Stroke;
using ui::Face;

constexpr std::int64_t kWidestEdited = 4096;  // features of a content that is written out to change one pair
constexpr std::int64_t kMostShift = 1000;

struct Complex {
    double re = 0.0, im = 0.0;
    Complex rotated(Turn turn) const {
        const double c = cos(turn), s = sin(turn);
        return {re * c - im * s, re * s + im * c};
    }
    double size() const { return std::hypot(re, im); }
};
Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
Complex conjugate(Complex z) { return {z.re, -z.im}; }

struct Features {
    std::int64_t first, second;
};
Features features(const View& v) {
    const PairLayout order = v.encoding.layout(v.scene());
    const auto pairs = static_cast<std::int64_t>(v.spectrum.pairs());
    return {dimension(order, pairs, {v.pair, 0}), dimension(order, pairs, {v.pair, 1})};
}

Complex feature_pair(const View& v, const Scene& scene, Tensor tensor) {
    const auto [first, second] = features(v);
    return {content_value(scene.content, tensor, 0, first), content_value(scene.content, tensor, 0, second)};
}

// The content written out feature by feature, with one pair of q or of k changed.
void set_feature_pair(View& v, Tensor tensor, Complex value) {
    Scene& next = v.frame.edit();
    const std::int64_t width = head_dim(next);
    const auto [first, second] = features(v);
    Json all = Json::object();
    for (const Tensor side : {Tensor::query, Tensor::key}) {
        Json values = Json::array();
        for (std::int64_t feature = 0; feature < width; ++feature) {
            double number = content_value(next.content, side, 0, feature);
            if (side == tensor && feature == first) number = value.re;
            if (side == tensor && feature == second) number = value.im;
            values.push_back(number);
        }
        all[side == Tensor::query ? "query" : "key"] = std::move(values);
    }
    next.content = {"vectors", std::move(all)};
}

// Both sides at the shifted positions.
struct Met {
    Complex q, k, q_rotated{}, k_rotated{}, product{}, unconjugated{};
    double residual = 0.0;  // |product − what it is without the shift|
    // The product’s real part: (q₁k₁ + q₂k₂) cos Δω and (q₁k₂ − q₂k₁) sin Δω.
    double cosine = 0.0, sine = 0.0;

    double size() const { return q.size() * k.size(); }
};

Met meet(const View& v, const Scene& scene) {
    const std::int64_t n = scene.position, m = n + scene.offset;
    const std::int64_t t = std::min(scene.shift, kLastPosition - std::max(m, n));
    Met made{.q = feature_pair(v, scene, Tensor::query), .k = feature_pair(v, scene, Tensor::key)};
    made.q_rotated = made.q.rotated(phase(v.step(), m + t));
    made.k_rotated = made.k.rotated(phase(v.step(), n + t));
    made.product = made.q_rotated * conjugate(made.k_rotated);
    made.unconjugated = made.q_rotated * made.k_rotated;
    const Turn apart = phase(v.step(), m - n);
    const Complex plain = made.q * conjugate(made.k), unshifted = plain.rotated(apart);
    made.cosine = plain.re * cos(apart);
    made.sine = -plain.im * sin(apart);
    made.residual = Complex{made.product.re - unshifted.re, made.product.im - unshifted.im}.size();
    if (v.frame.fractional_position > 0.0) {  // the arrows move on, the product stays
        made.q_rotated = made.q.rotated(v.hand(m + t));
        made.k_rotated = made.k.rotated(v.hand(n + t));
        made.unconjugated = made.q_rotated * made.k_rotated;
    }
    return made;
}

// The value at a dial's radius: a round number no smaller than any value drawn.
double unit_of(double size) {
    if (!(size > 0.0) || !std::isfinite(size)) return 1.0;
    const double power = std::exp2(std::floor(std::log2(size)));
    for (const double unit : {1.0, 1.25, 1.5, 2.0})
        if (size <= unit * power) return unit * power;
    return 2.0 * power;
}

struct Arrows {
    Frame& frame;
    Dial dial;
    double unit = 1.0;  // the value of the radius

    Point tip(Complex z) const {
        const float scale = dial.radius / static_cast<float>(unit);
        return {dial.centre.x + scale * static_cast<float>(z.re),
                dial.centre.y - scale * static_cast<float>(z.im)};
    }
    Complex value(Point at) const {
        const double scale = unit / static_cast<double>(dial.radius);
        return {scale * static_cast<double>(at.x - dial.centre.x),
                scale * static_cast<double>(dial.centre.y - at.y)};
    }
    // The name is outwards, and on the other side of a tip that is near.
    void draw(Complex z, Stroke stroke, std::string_view name, Complex other) const {
        const Point end = tip(z);
        frame.canvas.line(dial.centre, end, stroke);
        handle(frame, end, 5.0F, stroke.colour);
        if (name.empty() || dial.radius < 44.0F) return;
        const Point near = tip(other);
        const bool left = length(end - near) < 44.0F ? end.x < near.x : end.x < dial.centre.x;
        frame.canvas.formula({end.x + (left ? -9.0F : 9.0F), end.y + (end.y < dial.centre.y ? -6.0F : 15.0F)},
                             name, 15.0F, frame.theme.ink, left ? Align::right : Align::left);
    }
};

// The tip of an arrow, dragged anywhere: the features that would have been rotated there.
void drag_features(View& v, const Arrows& arrows, std::string_view handle, Tensor tensor, Complex shown,
                   Turn turned) {
    Frame& f = v.frame;
    const Point tip = arrows.tip(shown);
    const bool near = f.pointer != nullptr && length(f.pointer->at - tip) < 11.0F;
    if (head_dim(v.scene()) > kWidestEdited) return;
    if (near && f.tip.value.empty()) {
        f.tip.value = tensor == Tensor::query ? "q" : "k";
        f.tip.details[0] = f.text("plane.drag");
    }
    if (!f.drag(handle, near, tip, Cursor::move) || !f.pointer->moved) return;
    Complex wanted = arrows.value(f.pointer->at).rotated(Turn{~turned.fraction + 1});
    const double shrink =
        std::min(1.0, 1.1 * arrows.unit / std::max(wanted.size(), 1e-300));  // near the circle
    const double digit = std::pow(10.0, std::floor(std::log10(arrows.unit)) - 3.0);
    wanted = {std::round(wanted.re * shrink / digit) * digit, std::round(wanted.im * shrink / digit) * digit};
    set_feature_pair(v, tensor, wanted);
}

void draw_shift(View& v, Rect row, const Met& met) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const std::int64_t t = f.scene.shift;
    const std::string_view words = f.text("scores.shift_both");
    const float width = small_width(f, words);
    const bool worded = row.width() > width + 230.0F;
    if (worded) c.text({row.x0, row.centre().y + 4.0F}, words, small(f));
    const std::string_view said =
        worded && !f.hide_hints_that_answer
            ? f.format("plane.shifted", fmt::arg("t", ui::integer(s, t)),
                       fmt::arg("residual", ui::residual(s, met.residual, met.size())))
            : s.format("t = {}", ui::integer(s, t));
    c.text({row.x1, row.centre().y + 4.0F}, said, small_ink(f, Align::right));
    const float room = std::max(small_width(f, said), worded ? 168.0F : 62.0F);
    const Rect track{row.x0 + (worded ? width + 14.0F : 0.0F), row.centre().y - 2.0F, row.x1 - room - 14.0F,
                     row.centre().y + 2.0F};
    if (track.width() < 24.0F || !can_drag(f)) return;
    const canvas::Axis x{0.0, static_cast<double>(kMostShift), track.x0, track.x1};
    const std::int64_t end = kLastPosition - std::max(f.scene.position, f.scene.position + f.scene.offset);
    if (const auto to = plot::slide(f, "shift", x, row.centre().y, static_cast<double>(t)))
        f.edit().shift = std::min<std::int64_t>(std::llround(*to), end);
}

// 1 the features, 2 the query rotated, 3 the key rotated, 4 their product.
int step_of(const Scene& scene) {
    const Json* step = view_value(scene, "rotations", "step");
    return step != nullptr && step->is_number_integer()
               ? static_cast<int>(std::clamp<std::int64_t>(step->get<std::int64_t>(), 1, 4))
               : 4;
}

// Both parts of the real part, each beside a piece of its bar.
void name_parts(Frame& f, Point centre, float room, const Met& met) {
    constexpr float kSize = 14.0F, kMark = 12.0F, kGap = 16.0F;
    ui::Scratch& s = f.scratch;
    const std::array<std::string_view, 2> said = {
        s.format("(q \\cdot k) \\cos = {}", ui::significant(s, met.cosine, 3)),
        s.format("(q \\times k) \\sin = {}", ui::significant(s, met.sine, 3))};
    const std::array<float, 2> width = {ui::lay_out(said[0], kSize, f.canvas).width,
                                        ui::lay_out(said[1], kSize, f.canvas).width};
    const float whole = width[0] + width[1] + 2.0F * (kMark + 5.0F) + kGap;
    if (whole > room) return;
    float x = centre.x - 0.5F * whole;
    for (std::size_t part = 0; part < 2; ++part) {
        f.canvas.line({x, centre.y - 5.0F}, {x + kMark, centre.y - 5.0F},
                      {part == 0 ? f.theme.cosine : f.theme.sine, 3.0F});
        x += kMark + 5.0F;
        f.canvas.formula({x, centre.y}, said[part], kSize, f.theme.ink_soft);
        x += width[part] + kGap;
    }
}

void choose_step(Frame& f, Rect row, int step) {
    static constexpr std::array<std::string_view, 4> marks = {"step_1", "step_2", "step_3", "step_4"},
                                                     texts = {"1", "2", "3", "4"};
    float x = row.x0;
    if (f.pointer != nullptr) {
        if (const auto chosen =
                cells::choices(f, {row.x0, row.y0}, marks, texts, static_cast<std::size_t>(step - 1)))
            set_view_value(f.edit(), "rotations", "step", *chosen == 3 ? Json(nullptr) : Json(*chosen + 1));
        x += cells::choices_width(f, texts) + 12.0F;
    }
    static constexpr std::array<std::string_view, 4> words = {"plane.step_1", "plane.step_2", "plane.step_3",
                                                              "plane.step_4"};
    const std::string_view said = f.text(words[static_cast<std::size_t>(step - 1)]);
    if (x + f.canvas.text_width(said, Face::text, 14.5F) <= row.x1 + 1.0F)
        f.canvas.text({x, row.centre().y + 5.0F}, said, {f.theme.ink_soft, 14.5F, Face::text});
}

}  // namespace

std::string_view product_headline(View& v) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const Met met = meet(v, v.scene());
    return f.format("plane.headline_rotary", fmt::arg("pair", v.pair),
                    fmt::arg("real", ui::significant(s, met.product.re, 4)),
                    fmt::arg("residual", ui::residual(s, met.residual, met.size())));
}

void draw_product(View& v, Rect area) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const ui::Theme& theme = f.theme;
    const Met met = meet(v, v.scene());
    const int step = step_of(v.scene());
    if (area.height() > 150.0F) choose_step(f, area.cut_top(cells::kButtonHeight + 8.0F), step);
    if (area.height() > 130.0F) draw_shift(v, area.cut_bottom(24.0F), met);
    const bool values = area.height() > 190.0F && area.width() > 330.0F, parts = area.height() > 240.0F;
    const std::int64_t n = v.scene().position, m = n + v.scene().offset;
    const std::int64_t t = std::min(v.scene().shift, kLastPosition - std::max(m, n));

    const bool stacked = area.height() > 1.35F * area.width() && area.height() > 330.0F;
    const Rect left = stacked ? area.cut_top(0.5F * area.height()) : area.cut_left(0.5F * area.width());
    const Rect right = area;
    const auto dial_in = [&](Rect half) {
        Dial dial;
        dial.radius =
            std::min(0.5F * half.width() - 22.0F,
                     0.5F * (half.height() - 34.0F - (values ? parts ? 50.0F : 28.0F : 4.0F)) - 6.0F);
        dial.centre = {half.centre().x, half.y0 + 32.0F + dial.radius};
        return dial;
    };
    // A drag does not move the scale that it is measured with.
    const bool held = f.dragging() && f.drag_state->handle.ends_with("features");
    const Met measured = held ? meet(v, f.drag_state->scene) : met;
    const Arrows vectors{f, dial_in(left), unit_of(std::max(measured.q.size(), measured.k.size()))};
    const Arrows products{f, dial_in(right), unit_of(measured.q.size() * measured.k.size())};
    if (vectors.dial.radius < 14.0F || products.dial.radius < 14.0F) return;

    draw_axes(f, vectors.dial,
              step == 1 ? "q = q_1 + i\\,q_2, \\,k = k_1 + i\\,k_2" : "q e^{im\\omega}, \\,k e^{in\\omega}");
    const bool q_turns = step >= 2, k_turns = step >= 3;
    const Turn by_m = q_turns ? v.hand(m + t) : Turn{}, by_n = k_turns ? v.hand(n + t) : Turn{};
    const Complex q = q_turns ? met.q_rotated : met.q, k = k_turns ? met.k_rotated : met.k;
    if (q_turns)
        c.line(vectors.dial.centre, vectors.tip(met.q), {ui::faded(theme.offset, 0.45F), 1.5F, 3.0F});
    if (k_turns) c.line(vectors.dial.centre, vectors.tip(met.k), {ui::faded(theme.ink, 0.45F), 1.5F, 3.0F});
    vectors.draw(k, {theme.ink, 2.5F}, k_turns ? s.format("k_{{{}}}", ui::integer(s, n + t)) : "k", q);
    vectors.draw(q, {theme.offset, 2.5F}, q_turns ? s.format("q_{{{}}}", ui::integer(s, m + t)) : "q", k);
    drag_features(v, vectors, "query_features", Tensor::query, q, by_m);
    drag_features(v, vectors, "key_features", Tensor::key, k, by_n);

    draw_axes(f, products.dial, "q_m k_n^{*} = q k^{*} e^{i(m−n)\\omega}");
    if (step < 4) return;
    // Without the conjugate the product depends on m + n, and moves.
    c.line(products.dial.centre, products.tip(met.unconjugated), {theme.ink_faint, 1.5F, 3.0F});
    c.circle(products.tip(met.unconjugated), 4.0F, {theme.ink_faint, 1.5F});
    const Point tip = products.tip(met.product);
    c.line(tip, {tip.x, products.dial.centre.y}, {theme.ink_soft, 1.0F, 2.5F});
    // The real part: its cosine part from the centre, and from there the other one, a little below.
    const float axis = products.dial.centre.y, half = products.tip({met.cosine, 0.0}).x;
    c.line(products.dial.centre, {half, axis}, {theme.cosine, 3.0F});
    c.line({half, axis + 4.0F}, {tip.x, axis + 4.0F}, {theme.sine, 3.0F});
    products.draw(met.product, {theme.ink, 2.5F}, {}, {});
    if (const auto b = view_of_b(v); b && b->rotary())
        c.circle(products.tip(meet(*b, f.other->scene).product), 8.0F, {theme.ink, 1.5F});
    if (f.pointer != nullptr && length(f.pointer->at - products.tip(met.unconjugated)) < 10.0F) {
        f.tip.formula = "q_m k_n";
        f.tip.details[0] = f.text("plane.unconjugated");
    }
    if (!values) return;
    c.formula({products.dial.centre.x, products.dial.centre.y + products.dial.radius + 28.0F},
              s.format("q_{{{}}} k_{{{}}}^{{*}} = {}", ui::integer(s, m + t), ui::integer(s, n + t),
                       complex_number(s, met.product.re, met.product.im)),
              15.0F, theme.ink, Align::centre);
    if (parts)
        name_parts(f, {products.dial.centre.x, products.dial.centre.y + products.dial.radius + 50.0F},
                   right.width() - 8.0F, met);
    const std::string_view angle = s.format("(m \\,−\\, n)\\,\\omega = {}",
                                            ui::significant(s, static_cast<double>(m - n) * v.omega(), 4));
    // Rotations keep the lengths.
    const std::string_view both = s.format("{}, \\,\\,|q_{{{}}}| = |q| = {}", angle, ui::integer(s, m + t),
                                           ui::significant(s, met.q_rotated.size(), 4));
    c.formula({vectors.dial.centre.x, vectors.dial.centre.y + vectors.dial.radius + 28.0F},
              q_turns && ui::lay_out(both, 15.0F, c).width < left.width() - 16.0F ? both : angle, 15.0F,
              theme.ink_soft, Align::centre);
}

}  // namespace posiscope::figures::rotations
