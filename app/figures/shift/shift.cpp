// shift.cpp — PE(p + k) = M_k PE(p): the vectors at p and at p + k, between them the map, which does not depend on p.
// M_k is a rotation by kω in every pair, so it contains only cos kω and sin kω of all pairs.
#include "app/figures/shift/shift.hpp"

#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/range.hpp"
#include "app/figures/parts/text.hpp"
#include "app/plot/plot.hpp"

#include "core/attention/identities.hpp"

namespace posiscope::figures {
namespace shifts {
namespace {

constexpr std::int64_t kSecond = 5;  // the second offset, until somebody drags it

}  // namespace

double Check::error(int component, std::size_t pair) const {
    const auto c = static_cast<std::size_t>(component);
    return std::abs(actual[c][pair] - computed[c][pair]);
}

const Map& map_of(const Scene& scene, Derived& derived, Memo<Shifts::MapKey, Map>& memo,
                  std::int64_t offset) {
    return *memo.get({derived.rates(scene), offset}, [](const Shifts::MapKey& key) {
        Map map;
        for (const Step step : (**key.rates).step) {
            const Turn turn = phase(step, key.offset);
            map.cosine.push_back(cos(turn));
            map.sine.push_back(sin(turn));
        }
        return map;
    });
}

const Check& check_of(const Scene& scene, Derived& derived) {
    const Shifts::CheckKey wanted{derived.rates(scene), &encoding_of(scene), scene.position, scene.offset};
    return *derived.part<Shifts>().check.get(wanted, [](const Shifts::CheckKey& key) {
        Check check;
        for (const Step step : (**key.rates).step) {
            const ShiftCheck one = check_shift(*key.encoding, step, key.position, key.offset);
            const auto keep = [](auto& lists, PairPoint point) {
                lists[0].push_back(point.first);
                lists[1].push_back(point.second);
            };
            keep(check.before, one.before);
            keep(check.actual, one.actual);
            keep(check.computed, one.computed);
            const std::size_t pair = check.before[0].size() - 1;
            for (const int component : {0, 1})
                if (const double error = check.error(component, pair); error > check.worst) {
                    check.worst = error;
                    check.worst_pair = pair;
                }
        }
        return check;
    });
}

void tell_pair(View& v, std::size_t pair) {
    Frame& f = v.frame;
    ui::Scratch& s = f.scratch;
    const double omega = v.spectrum.frequency[pair];
    const Turn turn = phase(v.spectrum.step[pair], v.offset());
    f.hovered.frequency = omega;
    const std::string_view k = ui::integer(s, v.offset());
    f.tip.formula = s.format("\\cos {0}\\omega_{{{1}}}, \\sin {0}\\omega_{{{1}}}", k, pair);
    f.tip.value = s.format("= {}, {}", ui::fixed(s, cos(turn), 6), ui::fixed(s, sin(turn), 6));
    f.tip.details[0] = words_of_pair(f, pair, omega);
    f.tip.details[1] = f.format("shift.tip_vectors", fmt::arg("name", v.vector()),
                                fmt::arg("from", ui::integer(s, v.position())),
                                fmt::arg("to", ui::integer(s, v.position() + v.offset())),
                                fmt::arg("a", ui::fixed(s, v.check.before[0][pair], 4)),
                                fmt::arg("b", ui::fixed(s, v.check.before[1][pair], 4)),
                                fmt::arg("c", ui::fixed(s, v.check.actual[0][pair], 4)),
                                fmt::arg("d", ui::fixed(s, v.check.actual[1][pair], 4)));
    f.tip.details[2] = f.format(
        "shift.tip_error",
        fmt::arg("error", ui::residual(s, std::max(v.check.error(0, pair), v.check.error(1, pair)))));
}

std::int64_t second_offset(const Scene& scene) {
    const Json* chosen = view_value(scene, "shift", "second");
    return chosen != nullptr && chosen->is_number_integer()
               ? std::clamp<std::int64_t>(chosen->get<std::int64_t>(), -kMostSecond, kMostSecond)
               : kSecond;
}

}  // namespace shifts

namespace shift_figure {
namespace {

using canvas::Align;
using namespace shifts;

constexpr std::size_t kSquarePairs = 16;  // 32 dimensions: more are too many numbers for a square
// ---- where p and p + k are -------------------------------------------------------------------------------------

void draw_ruler(View& v, Rect row) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const ui::Theme& theme = f.theme;
    const std::int64_t p = v.position(), q = p + v.offset();
    // The range of mouse-down holds while a knob is dragged.
    const Scene& scene = f.dragging() ? f.drag_state->scene : f.scene;
    const std::int64_t last =
        std::max({scene.length - 1, scene.position, scene.position + scene.offset, std::int64_t{1}});
    const float y = row.y1 - 10.0F;
    const canvas::Axis x{0.0, static_cast<double>(last), row.x0 + kGutter, row.x1 - 12.0F};
    const auto place = [&](std::int64_t position) {
        return Point{x(std::clamp(static_cast<double>(position), 0.0, x.to)), y};
    };
    c.fill({x.at_from, y - 1.5F, x.at_to, y + 1.5F}, theme.track, 1.5F);
    if (const Scene* before = f.ghost()) {
        c.circle(place(before->position), 5.0F, {ui::faded(theme.ink, 0.4F), 1.0F});
        c.circle(place(before->position + before->offset), 5.0F, {ui::faded(theme.offset, 0.5F), 1.0F});
    }
    const Point at_p = place(p), at_q = place(q);
    c.line(at_p, at_q, {theme.offset, 2.0F});
    handle(f, at_p, 6.0F, theme.ink);
    handle(f, at_q, 6.0F, theme.offset);
    name_positions(f, at_p.x, at_q.x, row.x0, row.x1, y - 13.0F);

    const auto near = [&](Point at) { return f.pointer != nullptr && length(f.pointer->at - at) < 11.0F; };
    const auto wanted = [&] { return std::llround(std::clamp(x.inverse(f.pointer->at.x), 0.0, x.to)); };
    if (f.drag("offset", near(at_q) && length(f.pointer->at - at_q) <= length(f.pointer->at - at_p), at_q,
               Cursor::horizontal) &&
        f.pointer->moved)
        set_offset(f.edit(), wanted() - f.drag_state->scene.position);
    if (f.drag("position", near(at_p), at_p, Cursor::horizontal) && f.pointer->moved) {
        set_position(f.edit(), wanted());
        set_offset(f.edit(), f.drag_state->scene.offset);
    }
    if (f.over(row) && f.drag_state != nullptr && !f.drag_state->active()) f.hovered.position = wanted();
}

// ---- two offsets -----------------------------------------------------------------------------------------------

void draw_composition(View& v, Rect row) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const ui::Theme& theme = f.theme;
    const std::int64_t a = v.offset(), b = second_offset(f.scene);
    const double residual = *v.kept.composition.get(
        {f.derived.rates(f.scene), &v.encoding, a, b}, [](const Shifts::CompositionKey& key) {
            return composition_residual(*key.encoding, **key.rates, key.a, key.b);
        });
    const float y = row.centre().y;
    const std::string_view m = v.map_name();
    const auto equation = s.format("{0}_{{{1}}} {0}_{{{2}}} = {0}_{{{3}}}", m, ui::integer(s, a),
                                   ui::integer(s, b), ui::integer(s, a + b));
    float x = row.x0;
    x += c.formula({x, y + 5.0F}, equation, 16.0F, theme.ink) + 14.0F;
    const std::string_view words =
        f.format("shift.composition", fmt::arg("residual", ui::residual(s, residual)));
    // Room for the longest: the track must not move while its knob is dragged.
    const Rect track{std::max(row.x0 + 0.5F * row.width(), row.x1 - 320.0F) + 40.0F, y - 2.0F, row.x1 - 12.0F,
                     y + 2.0F};
    const float name = ui::lay_out(s.format("k′ = {}", ui::integer(s, -kMostSecond)), 15.0F, c).width + 22.0F;
    const bool has_track = can_drag(f) && track.width() >= 40.0F && x <= track.x0 - name;
    if (!has_track || x + small_width(f, words) <= track.x0 - name) c.text({x, y + 4.0F}, words, small(f));
    if (!has_track) return;
    const canvas::Axis along{-static_cast<double>(kMostSecond), static_cast<double>(kMostSecond), track.x0,
                             track.x1};
    c.formula({track.x0 - 10.0F, y + 5.0F}, s.format("k′ = {}", ui::integer(s, b)), 15.0F, theme.ink_soft,
              Align::right);
    if (const auto to = plot::slide(f, "second", along, y, static_cast<double>(b)))
        set_view_value(f.edit(), "shift", "second", std::llround(*to));
}

// ---- the figure ------------------------------------------------------------------------------------------------

std::string_view headline(Frame& f) {
    const Spectrum* spectrum = circles(f);
    if (spectrum == nullptr) return {};
    const Check& check = check_of(f.scene, f.derived);
    ui::Scratch& s = f.scratch;
    const bool rotary = encoding_of(f.scene).acts == Acts::query_key;
    return f.format(f.scene.offset == 0 ? (rotary ? "shift.headline_rotary_none" : "shift.headline_none")
                    : rotary            ? "shift.headline_rotary"
                                        : "shift.headline",
                    fmt::arg("k", ui::subscript(s, f.scene.offset)),
                    fmt::arg("p", ui::integer(s, f.scene.position)),
                    fmt::arg("q", ui::integer(s, f.scene.position + f.scene.offset)),
                    fmt::arg("dimensions", ui::integer(s, 2 * static_cast<std::int64_t>(spectrum->pairs()))),
                    fmt::arg("error", ui::residual(s, check.worst)));
}

void draw(Frame& f, Rect area) {
    const Spectrum* spectrum = circles(f);
    if (spectrum == nullptr) return explain_no_circles(f, area, "figure.no_shift");
    if (area.width() < 160.0F || area.height() < 120.0F) return;
    explain_missing_circles(f, area);
    View v{f, encoding_of(f.scene), *spectrum, f.derived.part<Shifts>(), check_of(f.scene, f.derived)};
    if (const Spectrum* of_b = f.other != nullptr ? circles(*f.other) : nullptr; of_b != nullptr) {
        if (of_b->pairs() != v.pairs()) explain_missing_b(f, area, "compare.other_pairs");
        else if (v.pairs() <= kSquarePairs) explain_missing_b(f, area, "compare.square");
    }
    if (marked(f)) {
        draw_ruler(v, area.cut_top(42.0F));
        area.cut_top(8.0F);
    }
    draw_composition(v, area.cut_bottom(22.0F));
    area.cut_bottom(8.0F);
    if (v.pairs() <= kSquarePairs) draw_square(v, area);
    else draw_along_pairs(v, area);
}

}  // namespace
}  // namespace shift_figure

extern const Figure kShift{
    .id = "shift",
    .headline = shift_figure::headline,
    .draw = shift_figure::draw,
    .modes = nullptr,
    .overlays = true,
    .numbers = fixed_numbers<"shift">,
    .applies = on_unit_circles,
};

}  // namespace posiscope::figures
