// layout.cpp — the two layouts of RoPE's pairs, and what happens where a query of one meets a key of the other.
// Above: the features of a head of 8, and lines to the pairs that each layout makes of them. Below: the score of p + k and
// p while both move on: with one layout it stays, mixed it drifts, and after permuting the rows of W_q and W_k the layout
// of halves gives the score of neighbours (sign.cpp has the other mode). For an encoding that has no layout this is about RoPE with 8 features.
#include "app/figures/layout/layout.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/stored.hpp"
#include "app/figures/parts/text.hpp"
#include "app/plot/plot.hpp"
#include "core/attention/expansion.hpp"
#include "core/encodings/rotation.hpp"

namespace posiscope::figures {
namespace layout_figure {
namespace {

using canvas::Align;
using ui::Face;
using namespace layouts;

constexpr std::int64_t kPositions = 256;  // along the curves, at most

struct Curves {
    Result<MixedAlong> made = MixedAlong{};
    double least = 0.0, most = 0.0;  // of the mixed one
    double mended = 0.0;             // largest |permuted − interleaved|
    double size = 0.0;               // largest |interleaved|
    std::int64_t rotating = 0;       // features
};
struct CurvesKey {
    Kept<ScoreInput> input;
    std::int64_t offset;
    bool operator==(const CurvesKey&) const = default;
};
struct StandIn {
    Memo<ScoreInput, ScoreInput> made;
};
struct Layouts {
    Slow<CurvesKey, Curves> curves;
};

// The wider the head, the fewer.
std::int64_t positions(const ScoreInput& scene) {
    const std::int64_t most =
        std::clamp<std::int64_t>((std::int64_t{1} << 21) / head_dim(scene), 2, kPositions);
    return std::clamp<std::int64_t>(scene.length, 2, most);
}

Curves make_curves(const CurvesKey& of) {
    Curves curves;
    curves.rotating = 2 * encoding_of(*of.input).pairs(*of.input);
    curves.made = mixed_along(*of.input, std::max<std::int64_t>(of.offset, 0),
                              std::max<std::int64_t>(-of.offset, 0), positions(*of.input));
    if (!curves.made) return curves;
    const auto [least, most] = std::ranges::minmax_element(curves.made->mixed);
    curves.least = *least, curves.most = *most;
    for (std::size_t t = 0; t < curves.made->permuted.size(); ++t) {
        curves.mended =
            std::max(curves.mended, std::abs(curves.made->permuted[t] - curves.made->interleaved[t]));
        curves.size = std::max(curves.size, std::abs(curves.made->interleaved[t]));
    }
    return curves;
}

// Null while they are computed.
Kept<Curves> curves_of(Frame& f, const Scene& scene, Derived& derived) {
    return derived.part<Layouts>().curves.get(f.derived.background(),
                                              {input_of(scene, derived), scene.offset},
                                              [](const CurvesKey& of) { return make_curves(of); });
}

// ---- features and pairs ----------------------------------------------------------------------------------------

struct Diagram {
    Frame& frame;
    Rect area;
    std::int64_t features, pairs;
    float side;  // of a feature's square
    float top, middle, bottom;

    float feature_x(std::int64_t feature) const {
        return area.x0 + area.width() * (static_cast<float>(feature) + 0.5F) / static_cast<float>(features);
    }
    float pair_x(std::int64_t pair) const {
        return area.x0 + area.width() * (static_cast<float>(pair) + 0.5F) / static_cast<float>(pairs);
    }
    ui::Colour colour(std::int64_t pair) const {
        return ui::pair_colour(frame.theme,
                               pairs > 1 ? static_cast<double>(pair) / static_cast<double>(pairs - 1) : 0.0);
    }
};

// A row of features, and lines from each to its pair.
void draw_features(Diagram& d, PairLayout order, float y, bool lines) {
    Frame& f = d.frame;
    const float half = 0.5F * d.side;
    for (std::int64_t feature = 0; feature < d.features; ++feature) {
        const std::int64_t pair = pair_component(order, d.pairs, feature).pair;
        const float x = d.feature_x(feature);
        if (lines) {
            const float edge = y < d.middle ? y + half : y - half;
            f.canvas.line({x, edge}, {d.pair_x(pair), d.middle}, {d.colour(pair), 1.8F});
            continue;
        }
        const Rect cell{x - half, y - half, x + half, y + half};
        f.canvas.fill(cell, d.colour(pair), 3.0F);
        if (d.side >= 14.0F)
            f.canvas.text(
                {x, y + 4.5F}, ui::integer(f.scratch, feature),
                {cells::ink_on(f.theme, d.colour(pair)), ui::kSmallSize, Face::text, Align::centre});
        if (!f.over(cell)) continue;
        f.tip.formula = f.scratch.format("x_{{{}}}", feature);
        f.tip.value = f.format("layout.tip_pair", fmt::arg("pair", pair));
        if (order == PairLayout::halves)  // to_halves
            f.tip.details[0] = f.format("layout.tip_row",
                                        fmt::arg("row", dimension(PairLayout::interleaved, d.pairs,
                                                                  pair_component(order, d.pairs, feature))));
    }
}

void draw_diagram(Frame& f, Rect area, std::int64_t width) {
    const std::int64_t features = std::min(kFeatures, width);
    const float names =
        std::max(small_width(f, f.text("layout.neighbours")), small_width(f, f.text("layout.halves"))) +
        12.0F;
    const bool named = area.width() > names + 150.0F;
    Rect room = area;
    if (named) room.cut_left(names);
    const float side = std::clamp(0.17F * area.height(), 8.0F, 22.0F);
    Diagram d{f,
              room,
              features,
              std::max<std::int64_t>(features / 2, 1),
              side,
              area.y0 + 0.5F * side,
              area.centre().y,
              area.y1 - 0.5F * side};
    for (const bool lines : {true, false}) {
        draw_features(d, PairLayout::interleaved, d.top, lines);
        draw_features(d, PairLayout::halves, d.bottom, lines);
    }
    const float radius = 0.5F * side + 1.0F;
    for (std::int64_t pair = 0; pair < d.pairs; ++pair) {
        const Point at{d.pair_x(pair), d.middle};
        f.canvas.knob(at, radius, d.colour(pair), f.theme.tile);
        if (side >= 12.0F)
            f.canvas.text(
                {at.x, at.y + 4.5F}, ui::integer(f.scratch, pair),
                {cells::ink_on(f.theme, d.colour(pair)), ui::kSmallSize, Face::strong, Align::centre});
    }
    if (!named) return;
    const canvas::TextStyle style = small(f);
    f.canvas.text({area.x0, d.top + 4.5F}, f.text("layout.neighbours"), style);
    f.canvas.text({area.x0, d.middle + 4.5F}, f.text("layout.pairs"), style);
    f.canvas.text({area.x0, d.bottom + 4.5F}, f.text("layout.halves"), style);
}

// ---- scores ----------------------------------------------------------------------------------------------------

void tip(const plot::Plot& p, const Curves& curves) {
    Frame& f = p.frame;
    const MixedAlong& made = *curves.made;
    const auto position = std::llround(p.pointed_x());
    const auto index = static_cast<std::size_t>(static_cast<double>(position) - p.x.from);
    ui::Scratch& s = f.scratch;
    f.hovered.position = position;
    f.hovered.distance = f.scene.offset;
    f.tip.formula = s.format("q_{{{}}} \\cdot k_{{{}}}", position + f.scene.offset, position);
    f.tip.value = f.format("layout.tip_mixed", fmt::arg("score", ui::significant(s, made.mixed[index], 5)));
    f.tip.details[0] =
        f.format("layout.tip_both", fmt::arg("interleaved", ui::significant(s, made.interleaved[index], 5)),
                 fmt::arg("half", ui::significant(s, made.half[index], 5)));
    f.tip.details[1] =
        f.format("layout.tip_permuted", fmt::arg("permuted", ui::significant(s, made.permuted[index], 5)),
                 fmt::arg("residual", ui::residual(s, curves.mended, curves.size)));
}

void drag_position(const plot::Plot& p) {
    Frame& f = p.frame;
    const auto to = p.drag_x({.name = "position",
                              .at = static_cast<double>(f.scene.position),
                              .before = plot::position_before(f),
                              .rule = {f.theme.ink, 1.2F, 4.0F},
                              .numbered_end = true,
                              .anywhere = true});
    if (to) plot::move_position(f, std::llround(*to));
}

void draw_scores(Frame& f, Rect area, const Curves& curves, const Curves* of_b) {
    const MixedAlong& made = *curves.made;
    double least = curves.least, most = curves.most;
    const auto widen = [&](std::span<const double> values) {
        for (const double value : values) least = std::min(least, value), most = std::max(most, value);
    };
    for (const auto* values : {&made.interleaved, &made.half}) widen(*values);
    const bool both = of_b != nullptr && of_b->made && of_b->made->mixed.size() == made.mixed.size();
    if (const Other* side = f.on_axes())
        if (const auto its = curves_of(f, side->scene, side->derived); its != nullptr && its->made)
            for (const auto* values : {&its->made->mixed, &its->made->interleaved, &its->made->half})
                widen(*values);
    const double room = std::max(0.08 * (most - least), 1e-6 * std::max(1.0, std::abs(most)));
    const auto first = static_cast<double>(std::max<std::int64_t>(-f.scene.offset, 0));
    // The line that it mends is as wide: both are seen.
    const std::array<plot::Key, 4> legend = {
        plot::Key{f.text("layout.mixed"), {f.theme.beyond, 1.8F}},
        plot::Key{f.text("layout.both_neighbours"), {f.theme.ink, 1.8F}},
        plot::Key{f.text("layout.both_halves"), {f.theme.ink_soft, 1.8F, 6.0F}},
        plot::Key{f.text("layout.permuted"), {ui::faded(f.theme.ink, 0.28F), 8.0F}}};
    const plot::Plot p(
        f, area,
        {plot::Kind::whole, first, first + static_cast<double>(made.mixed.size()) - 1.0, f.text("layout.x")},
        {plot::Kind::linear, least - room, most + room}, legend);
    if (!p.has_room()) return;
    if (both) p.curve(of_b->made->mixed, {f.theme.ink_faint, 1.2F}, first);
    p.curve(made.permuted, legend[3].stroke, first);
    p.curve(made.mixed, legend[0].stroke, first);
    p.curve(made.interleaved, legend[1].stroke, first);
    p.curve(made.half, legend[2].stroke, first);
    drag_position(p);
    if (p.over()) tip(p, curves);
}

// ---- the figure ------------------------------------------------------------------------------------------------

// Null where it is of a head of its own, or q and k are there.
const Problem* absence(Frame& f) {
    return rotates(f.scene, f.derived) ? stored_absence(f, f.scene, f.derived) : nullptr;
}

std::string_view headline(Frame& f) {
    if (absence(f) != nullptr) return {};
    if (f.mode == "sign") return sign_headline(f);
    const auto curves = curves_of(f, f.scene, f.derived);
    if (curves == nullptr || !curves->made) return {};
    ui::Scratch& s = f.scratch;
    // With one pair the two layouts are the same.
    const std::string_view least = ui::significant(s, curves->least, 3),
                           most = ui::significant(s, curves->most, 3);
    if (least == most)
        return f.format("layout.headline_same",
                        fmt::arg("score", ui::significant(s, curves->made->mixed.front(), 4)));
    return f.format(rotates(f.scene, f.derived) ? "layout.headline" : "layout.headline_rope",
                    fmt::arg("least", least), fmt::arg("most", most));
}

void draw(Frame& f, Rect area) {
    if (const Problem* problem = absence(f)) return explain_absence(f, area, *problem);
    if (f.mode == "sign") return draw_sign(f, area);
    const auto curves = curves_of(f, f.scene, f.derived);
    if (curves == nullptr) return explain_absence(f, area, being_made());
    if (!curves->made) return explain_absence(f, area, curves->made.error());
    if (area.width() < 140.0F || area.height() < 70.0F) return;
    if (area.height() > 190.0F) {
        Rect rows = area.cut_top(std::clamp(0.38F * area.height(), 74.0F, 170.0F));
        draw_diagram(f, {rows.x0, rows.y0 + 2.0F, rows.x1 - 14.0F, rows.y1 - 8.0F}, curves->rotating);
    }
    const Kept<Curves> of_b = f.other != nullptr ? curves_of(f, f.other->scene, f.other->derived) : nullptr;
    draw_scores(f, area, *curves, of_b.get());
}

std::span<const std::string_view> numbers(std::string_view mode) {
    static constexpr std::array<std::string_view, 2> names = {"mixed", "distance"};
    return std::span(names).subspan(mode == "sign" ? 1 : 0, 1);
}

}  // namespace
}  // namespace layout_figure

namespace layouts {

// Else 8 features of RoPE stand in.
bool turns_pairs(const Scene& scene) {
    const Rotation how = rotation_of(scene);
    return encoding_of(scene).acts == Acts::query_key && (is_steady(how) || how == Rotation::grid);
}

bool rotates(const Scene& scene, Derived& derived) {
    const Spectrum* spectrum = turns_pairs(scene) ? derived.frequencies(scene) : nullptr;
    return spectrum != nullptr && spectrum->pairs() > 0;
}

const Kept<ScoreInput>& input_of(const Scene& scene, Derived& derived) {
    if (rotates(scene, derived)) return derived.input<ScoreInput>(scene);
    return derived.part<layout_figure::StandIn>().made.get(scene, [](const ScoreInput& of) {
        const auto laid = overlay(Scene(), {{"encoding", "rope"},
                                            {"content", "seeded"},
                                            {"d_model", kFeatures},
                                            {"pair", 0},
                                            {"base", of.base},
                                            {"length", of.length}});
        const ScoreInput& head = laid->scene;
        return head;
    });
}

}  // namespace layouts

extern const Figure kLayout{.id = "layout",
                            .headline = layout_figure::headline,
                            .draw = layout_figure::draw,
                            .modes = fixed_modes<"mixed", "sign">,
                            .overlays = true,
                            .numbers = layout_figure::numbers,
                            .draws_own = layouts::turns_pairs};

}  // namespace posiscope::figures
