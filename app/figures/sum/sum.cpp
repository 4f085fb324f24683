// sum.cpp — a score as arrows laid head to tail, one per pair: straight at distance 0, curled up farther away.
// Arrow i is q_i k̄_i e^{iΔω_i} (for sinusoidal vectors only e^{iΔω_i}); how far they reach to the right is the score.
#include "app/figures/sum/sum.hpp"

#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/headline.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/stored.hpp"
#include "app/figures/parts/text.hpp"
#include "core/scene/tensors.hpp"

#include <numbers>

namespace posiscope::figures {
namespace sum_figure {
namespace {

using canvas::Align;
using namespace sums;

std::span<const std::string_view> modes(const Scene& scene) {
    static constexpr std::array<std::string_view, 2> list = {"dot", "logit"};
    return std::span(list).first(encoding_of(scene).acts == Acts::query_key ? 2 : 1);
}

std::optional<View> view_of(Frame& f) {
    const Spectrum* spectrum = summed(f.scene, f.derived);
    if (spectrum == nullptr) return std::nullopt;
    const Kept<Scoring>& scoring = f.derived.scoring(f.scene, kind_of(f.mode));
    return View{f, *spectrum, scoring->form, scoring, f.derived.part<Sums>(), known_arcs(f.scene, f.derived)};
}

// B's arrows at the same distance; null where it has none, or they are too long to draw.
const Chain* chain_of_b(const View& v) {
    const Other* other = v.frame.other;
    if (other == nullptr || summed(other->scene, other->derived) == nullptr) return nullptr;
    const Chain& chain =
        chain_of(other->derived.part<Sums>().now, other->derived.scoring(other->scene, kind_of(v.frame.mode)),
                 v.frame.scene.offset);
    return chain.drawable() ? &chain : nullptr;
}

void tell(View& v, const Chain& chain, std::size_t pair, std::int64_t distance) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const double omega = v.spectrum.frequency[pair], turned = static_cast<double>(distance) * omega;
    f.hovered.frequency = omega;
    const std::string_view k = ui::integer(s, distance);
    const double even = v.form.scale * v.form.even[pair], odd = v.form.scale * v.form.odd[pair];
    if (v.difference) f.tip.formula = s.format("B - A \\text{{ }} ({})", pair);
    else if (!v.rotary()) f.tip.formula = s.format("\\cos ({} \\omega_{{{}}})", k, pair);
    else
        f.tip.formula = s.format("{} \\cos ({} \\omega_{{{}}}) {} {} \\sin ({} \\omega_{{{}}})",
                                 ui::significant(s, even, 4), k, pair, odd < 0.0 ? "\u2212" : "+",
                                 ui::significant(s, std::abs(odd), 4), k, pair);
    f.tip.value = s.format("= {}", ui::significant(s, chain.share(pair), 6));
    f.tip.details[0] = words_of_pair(f, pair, omega);
    f.tip.details[1] = words_of_angle(f, turned);
    if (v.past(pair, distance))
        f.tip.details[2] =
            f.format("sum.tip_past",
                     fmt::arg("turns", ui::significant(s, (*v.arcs)[pair] / (2.0 * std::numbers::pi), 3)));
}

// ---- its handles -----------------------------------------------------------------------------------------------

// Dragging an arrow rotates it about its tail and moves the offset, by one for each ω of rotation.
void drag_arrow(View& v, const Chain& chain, std::optional<std::size_t> hit) {
    Frame& f = v.frame;
    if (v.difference || !f.drag("arrow", hit.has_value(), v.end(chain, v.pair()))) return;
    if (f.began()) f.edit().pair = static_cast<std::int64_t>(*hit);
    const std::size_t pair = f.began() ? *hit : v.pair();
    const Point tail = v.begin(v.chain(v.sums.before, f.drag_state->scene.offset), pair);
    const Point from_tail = f.pointer->at - tail;
    const double turns = std::atan2(-from_tail.y, from_tail.x) / (2.0 * std::numbers::pi);
    if (f.began()) f.drag_state->value = turns;
    double stepped = turns - f.drag_state->value;
    stepped -= std::round(stepped);
    f.drag_state->travel += stepped;
    f.drag_state->value = turns;
    const double omega = v.spectrum.frequency[pair];
    if (!f.pointer->moved || omega <= 0.0) return;
    const double by = std::clamp(f.drag_state->travel * 2.0 * std::numbers::pi / omega, -4e9, 4e9);
    f.edit().pair = static_cast<std::int64_t>(pair);
    set_offset(f.edit(), f.drag_state->scene.offset + std::llround(by));
}

void drag_plane(View& v, const Chain& chain) {
    Frame& f = v.frame;
    const Point knob = v.end(chain, v.pairs() - 1);
    const bool near = f.pointer != nullptr && length(f.pointer->at - knob) < 11.0F;
    const bool by_knob = f.drag("offset", near, knob, Cursor::horizontal);
    const bool held =
        by_knob || f.drag("plane", f.over(v.plane), {v.plane.x1 - 12.0F, v.plane.y1 - 6.0F}, Cursor::arrow);
    if (!held || !f.pointer->moved) return;
    f.cursor = Cursor::horizontal;
    const double across = static_cast<double>((f.pointer->at.x - f.drag_state->from.x) / v.plane.width());
    const double range = std::max(32.0, 0.5 * static_cast<double>(f.drag_state->scene.length));
    set_offset(f.edit(), f.drag_state->scene.offset + std::llround(across * range));
}

// ---- every pair's share ----------------------------------------------------------------------------------------

void draw_shares(View& v, const Chain& chain, std::int64_t distance, Rect area) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const ui::Theme& theme = f.theme;
    const Rect title = area.cut_top(22.0F);
    const Rect ticks = area.cut_bottom(18.0F);
    area.x0 += 40.0F;
    double most = 1e-300;
    for (std::size_t i = 0; i < v.pairs(); ++i) most = std::max(most, std::abs(chain.share(i)));
    for (std::size_t i = 0; i < v.pairs(); ++i)
        most = std::max(most, v.form.scale * std::hypot(v.form.even[i], v.form.odd[i]));
    const canvas::Axis y{-most, most, area.y1, area.y0};
    for (const double value : {-most, 0.0, most}) {
        c.line({area.x0, y(value)}, {area.x1, y(value)}, {theme.grid, 1.0F});
        c.text({area.x0 - 7.0F, y(value) + 4.0F}, ui::significant(s, value, 2), small(f, Align::right));
    }
    // A bar a pair, or where they are narrower than half a point the least and the most of those that share one.
    const auto pairs = static_cast<double>(v.pairs());
    const canvas::Axis x{0.0, pairs, area.x0, area.x1};
    const auto columns = std::min(v.pairs(), static_cast<std::size_t>(std::max(1.0F, 2.0F * area.width())));
    c.text({title.x0, title.y0 + 11.0F},
           columns == v.pairs()
               ? f.text("sum.shares")
               : f.format("sum.shares_many", fmt::arg("count", (v.pairs() + columns - 1) / columns)),
           small(f));
    for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t first = column * v.pairs() / columns, next = (column + 1) * v.pairs() / columns;
        double least = 0.0, largest = 0.0;
        bool past = false;
        for (std::size_t i = first; i < next; ++i) {
            least = std::min(least, chain.share(i));
            largest = std::max(largest, chain.share(i));
            past = past || v.past(i, distance);
        }
        const float x0 = x(static_cast<double>(first)), x1 = x(static_cast<double>(next));
        const float gap = x1 - x0 > 3.0F ? 1.0F : 0.0F;
        c.fill({x0, y(largest), x1 - gap, y(least)}, v.colour(first, past));
    }
    const auto point = [&](std::size_t pair, ui::Colour colour, float dash) {
        const float at = x(static_cast<double>(pair) + 0.5);
        c.line({at, area.y0}, {at, area.y1}, {colour, 1.0F, dash});
        c.disc({at, y(chain.share(pair))}, 3.0F, colour);
    };
    if (marked(f)) point(v.pair(), theme.ink, 0.0F);
    if (const auto lit = linked(f, v.spectrum)) point(lit->pair, theme.ink_soft, lit->exact ? 0.0F : 3.0F);
    const std::string_view axis = f.text("sum.axis_pair");
    const float named = 0.5F * small_width(f, axis) + 14.0F;
    const auto steps = canvas::ticks(0.0, std::max(pairs - 1.0, 0.5),
                                     std::clamp(static_cast<int>(area.width() / 48.0F), 2, 8));
    for (const double tick : steps.values()) {
        const float at = x(tick + 0.5);
        if (tick != std::round(tick) || std::abs(at - area.centre().x) < named) continue;
        c.text({at, ticks.y0 + 14.0F}, ui::integer(s, std::llround(tick)), small(f, Align::centre));
    }
    c.text({area.centre().x, ticks.y0 + 14.0F}, axis, small(f, Align::centre));
    if (!f.over(area)) return;
    const auto pair =
        std::min(v.pairs() - 1, static_cast<std::size_t>(std::max(0.0, x.inverse(f.pointer->at.x))));
    tell(v, chain, pair, distance);
    f.cursor = Cursor::hand;
    if (f.clicked(area)) f.edit().pair = static_cast<std::int64_t>(pair);
}

// ---- the figure ------------------------------------------------------------------------------------------------

// The logit that q · k gives, where that is its division by √head_dim.
std::optional<double> divided(const View& v, double product, std::int64_t distance) {
    Frame& f = v.frame;
    if (!v.rotary() || v.form.kind != ScoreKind::dot) return std::nullopt;
    const double logit = f.derived.scoring(f.scene, ScoreKind::logit)->at(distance);
    const double quotient = product / std::sqrt(static_cast<double>(head_dim(f.scene)));
    if (!(std::abs(logit - quotient) <= 1e-9 * std::abs(logit))) return std::nullopt;
    return logit;
}

std::string_view headline(Frame& f) {
    if (stored_absence(f, f.scene, f.derived) != nullptr) return {};
    const auto v = view_of(f);
    if (!v) return {};
    ui::Scratch& s = f.scratch;
    const std::int64_t distance = f.scene.offset;
    const Chain& chain = v->chain(v->sums.now, distance);
    const auto count = static_cast<std::int64_t>(v->pairs());
    const auto score = tidy(s, chain.score()), most = tidy(s, straight(chain));
    if (const Chain* b = chain_of_b(*v)) {
        const std::string_view of_b = tidy(s, b->score());
        return f.format(of_b == score ? "sum.headline_both_same" : "sum.headline_both",
                        fmt::arg("distance", ui::integer(s, distance)), fmt::arg("a", score),
                        fmt::arg("b", of_b), fmt::arg("difference", tidy(s, b->score() - chain.score())));
    }
    // Arrows that all point the same way are straight wherever that is.
    const bool in_line =
        tidy(s, std::hypot(chain.x.back() - chain.x.front(), chain.y.back() - chain.y.front())) == most;
    const std::optional<double> logit = divided(*v, chain.score(), distance);
    const std::string_view key = count == 1                                        ? "sum.headline_one"
                                 : score == most                                   ? "sum.headline_straight"
                                 : in_line                                         ? "sum.headline_in_line"
                                 : logit                                           ? "sum.headline_logit"
                                 : !aligned(v->form) || count < 4 || distance == 0 ? "sum.headline_any"
                                                                                   : "sum.headline";
    const std::string_view said =
        f.format(key, fmt::arg("distance", ui::integer(s, distance)),
                 fmt::arg("count", ui::integer(s, count)), fmt::arg("score", score), fmt::arg("most", most),
                 fmt::arg("width", head_dim(f.scene)), fmt::arg("logit", tidy(s, logit.value_or(0.0))));
    const std::size_t past = v->count_past(distance);
    if (past == 0) return said;
    return f.format("sum.headline_past", fmt::arg("said", longest_form(said)),
                    fmt::arg("distance", ui::integer(s, distance)), fmt::arg("count", ui::counted(s, count)),
                    fmt::arg("score", score), fmt::arg("most", most),
                    fmt::arg("past", ui::counted(s, static_cast<std::int64_t>(past))));
}

// Why there is no sum.
void explain_no_sum(Frame& f, Rect area) {
    const Problem* problem = f.derived.problem(f.scene);
    if (problem != nullptr && f.derived.frequencies(f.scene) == nullptr &&
        problem->key != "encoding.no_spectrum")
        return explain_absence(f, area, *problem);
    explain_no_circles(f, area, "figure.no_sum");
}

// The chain that is drawn large: A's, or A's less B's.
const Chain& main_chain(View& v, const Chain& of_a, const Chain* of_b, Rect area) {
    Frame& f = v.frame;
    const bool subtracts = of_b != nullptr && f.other->difference;
    if (f.other != nullptr && of_b == nullptr) explain_missing_b(f, area, "compare.no_circles");
    else if (subtracts && of_b->arrows() != of_a.arrows()) explain_missing_b(f, area, "compare.other_pairs");
    v.difference = subtracts && of_b->arrows() == of_a.arrows();
    if (!v.difference) return of_a;
    v.arcs = nullptr;
    return v.sums.less.get(
        {v.scoring, f.other->derived.scoring(f.other->scene, kind_of(f.mode)), f.scene.offset},
        [](Chain& less, const Sums::DifferenceKey& key) {
            const auto laid = [&](const Scoring& of) {
                return make_chain(of.form, of.spectrum(), key.distance);
            };
            less = difference(laid(*key.a), laid(*key.b));
        });
}

// The chains of other distances, thin: as it was at mouse-down, and what is under the mouse elsewhere.
void draw_others(View& v, std::int64_t distance) {
    Frame& f = v.frame;
    if (const Scene* before = f.ghost(); before != nullptr && before->offset != distance)
        if (const Chain& ghost = v.chain(v.sums.before, before->offset); ghost.drawable())
            draw_thin(v, ghost, {f.theme.ink_faint, 1.0F});
    if (const std::int64_t other = f.link.distance.value_or(distance); other != distance)
        if (const Chain& lit = v.chain(v.sums.lit, other); lit.drawable())
            draw_thin(v, lit, {f.theme.ink_soft, 1.0F, 3.0F});
}

void draw_plane(View& v, const Chain& chain, const Chain* of_b, std::int64_t distance, Rect area) {
    Frame& f = v.frame;
    const canvas::Clip clip(f.canvas, area);
    const Point origin = v.at(0.0, 0.0);
    f.canvas.line({area.x0, origin.y}, {area.x1, origin.y}, {f.theme.grid, 1.0F});
    if (!v.difference) draw_others(v, distance);
    if (chain.x[0] != 0.0) f.canvas.line(origin, v.at(chain.x[0], 0.0), {f.theme.ink_faint, 2.4F});
    const Rect score = draw_score(v, chain, distance);
    if (marked(f)) mark_pair(v, chain, v.pair(), f.theme.ink, true);
    const auto lit = linked(f, v.spectrum);
    if (lit && lit->pair != v.pair()) mark_pair(v, chain, lit->pair, f.theme.ink_soft, lit->exact);
    draw_arrows(v, chain, distance);
    if (of_b != nullptr && !v.difference) draw_b(v, *of_b, chain);
    if (marked(f)) name_pair(v, chain, v.pair(), score);
    if (lit && lit->pair != v.pair()) name_pair(v, chain, lit->pair, score);
    handle(f, v.end(chain, v.pairs() - 1), 5.0F, f.theme.offset);
}

// Writes the picture's other numbers into its upper corners.
void write_notes(View& v, std::int64_t distance, Rect area) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const canvas::TextStyle soft = small(f);
    if (const std::size_t past = v.count_past(distance); past > 0) {
        const std::string_view words = f.format("sum.past", fmt::arg("past", past));
        const float x = area.x1 - small_width(f, words);
        c.line({x - 30.0F, area.y0 + 8.0F}, {x - 8.0F, area.y0 + 8.0F}, {f.theme.beyond, 2.4F, 2.5F});
        c.text({x, area.y0 + 12.0F}, words, soft);
    } else if (const Problem* problem = arcs_problem(f.scene, f.derived)) {
        c.text({area.x1, area.y0 + 12.0F}, f.strings.sentence_in_window(*problem), small(f, Align::right));
    }
    if (const bool stored = is_stored(f.scene.content);
        v.rotary() && (stored || f.scene.content.kind == "tokens"))
        c.text({area.x0, area.y0 + 12.0F}, stored ? stored_note(f) : f.text("scores.not_words"), soft);
}

void draw(Frame& f, Rect area) {
    if (const Problem* problem = stored_absence(f, f.scene, f.derived))
        return explain_absence(f, area, *problem);
    auto v = view_of(f);
    if (!v) return explain_no_sum(f, area);
    if (area.width() < 120.0F || area.height() < 80.0F) return;
    const std::int64_t distance = f.scene.offset;
    const Chain& of_a = v->chain(v->sums.now, distance);
    if (!of_a.drawable())
        return explain_absence(f, area, "figure.too_large", "distance", f.scratch.format("{}", distance));
    const Chain* of_b = chain_of_b(*v);
    const Chain& chain = main_chain(*v, of_a, of_b, area);

    Rect shares{};
    if (area.height() > 260.0F) {
        // What the arrows do not reach at any distance is for the shares.
        const Rect room = reach(f.scene, f.derived, kind_of(f.mode));
        const float across = area.width() - 20.0F,
                    wanted = room.height() / std::max(room.width(), 1e-6F) * across;
        const bool flat = aligned(v->form) && !v->difference;
        const float spare = flat ? area.height() - wanted - 90.0F : 0.0F, least = 0.24F * area.height();
        shares = area.cut_bottom(
            std::clamp(spare, std::max(88.0F, least), std::max(150.0F, 0.6F * area.height())));
        area.cut_bottom(10.0F);
    }
    v->plane = {area.x0 + 10.0F, area.y0 + 6.0F, area.x1 - 10.0F, area.y1};
    place_plane(*v, chain);
    draw_plane(*v, chain, of_b, distance, area);
    write_notes(*v, distance, area);

    const bool over = f.over(v->plane);
    const auto hit = over ? arrow_at(*v, chain, f.pointer->at) : std::nullopt;
    const Point knob = v->end(chain, v->pairs() - 1);
    const bool at_knob = over && length(f.pointer->at - knob) < 11.0F;
    drag_arrow(*v, chain, at_knob ? std::nullopt : hit);
    drag_plane(*v, chain);
    zoom(*v);
    if (hit) tell(*v, chain, *hit, distance);
    else if (over) f.hovered.distance = distance;
    if (!shares.empty()) draw_shares(*v, chain, distance, shares);
}

// xPos's arrows grow with the distance, but they are arrows.
bool adds_arrows(const SpectrumInput& scene) {
    const Rotation how = rotation_of(scene);
    return how == Rotation::circles || how == Rotation::spirals;
}

}  // namespace
}  // namespace sum_figure

extern const Figure kSum{
    .id = "sum",
    .headline = sum_figure::headline,
    .draw = sum_figure::draw,
    .modes = sum_figure::modes,
    .overlays = true,
    .subtracts = true,
    .numbers = fixed_numbers<"scores", "distance">,
    .applies = sum_figure::adds_arrows,
    .moves = {.position = false},
};

}  // namespace posiscope::figures
