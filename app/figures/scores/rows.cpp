// rows.cpp — below the curve of scores: the contribution of one pair, and the slider that shifts both positions.
#include "app/figures/parts/handles.hpp"
#include "app/figures/parts/text.hpp"
#include "app/figures/scores/scores.hpp"

namespace posiscope::figures::scores {
namespace {

using canvas::Align;
using ui::Face;

constexpr std::int64_t kMostShift = 1000;

}  // namespace

void draw_share(View& v, Rect strip, std::size_t pair, bool exact) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const double even = v.form->even[pair] * v.form->scale, odd = v.form->odd[pair] * v.form->scale;
    const double amplitude = std::hypot(even, odd);
    const float middle = strip.centre().y;
    c.line({strip.x0, middle}, {strip.x1, middle}, {f.theme.grid, 1.0F});
    const auto count = static_cast<std::size_t>(std::max(2.0F, strip.width() * c.pixels_per_point() / 2.0F));
    const double omega = v.spectrum->frequency[pair],
                 spacing = (v.x.to - v.x.from) / static_cast<double>(count - 1);
    const ui::Colour colour =
        ui::pair_colour(f.theme, v.spectrum->pairs() > 1 ? static_cast<double>(pair) /
                                                               static_cast<double>(v.spectrum->pairs() - 1)
                                                         : 0.0);
    if (amplitude > 0.0 && omega * spacing < 1.2) {
        std::vector<Point>& points = f.derived.points();
        points.clear();
        for (std::size_t i = 0; i < count; ++i) {
            const double delta = v.x.from + spacing * static_cast<double>(i);
            const double value = (even * std::cos(delta * omega) + odd * std::sin(delta * omega)) / amplitude;
            points.push_back({v.x(delta), middle - 0.42F * strip.height() * static_cast<float>(value)});
        }
        c.polyline(points, {colour, 1.5F});
    } else {  // faster than the pixels: the band it fills
        c.fill({strip.x0, middle - 0.42F * strip.height(), strip.x1, middle + 0.42F * strip.height()},
               ui::faded(colour, 0.25F));
    }
    const Turn turn = phase(v.spectrum->step[pair], f.scene.offset);
    const double share = even * cos(turn) + odd * sin(turn);
    const auto d = static_cast<double>(f.scene.offset);
    if (amplitude > 0.0 && d >= v.x.from && d <= v.x.to)
        c.disc({v.x(d), middle - 0.42F * strip.height() * static_cast<float>(share / amplitude)}, 3.5F,
               f.theme.offset);
    const std::string_view said =
        f.format(exact ? "scores.share" : "scores.share_near", fmt::arg("pair", pair),
                 fmt::arg("value", ui::significant(s, share, 3)));
    // In a small tile it begins before the plot does.
    const float room = strip.x1 + 12.0F - small_width(f, said);
    c.text({std::clamp(room, strip.x0 - 54.0F, strip.x0), strip.y0 - 3.0F}, said, small(f));
}

void draw_shift(View& v, Rect row) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const ui::Theme& theme = f.theme;
    const float y = row.centre().y;
    const float words = small_width(f, f.text("scores.shift_both"));
    c.text({row.x0, y + 4.0F}, f.text("scores.shift_both"), small(f));
    c.text({row.x0 + words + 6.0F, y + 4.0F}, "t", {theme.ink_soft, 14.0F, Face::formula});
    const std::int64_t t = f.scene.shift;
    const double before =
        score_between(*v.form, *v.spectrum, f.scene.position + f.scene.offset, f.scene.position);
    const std::int64_t room = kLastPosition - std::max(f.scene.position, f.scene.position + f.scene.offset);
    const double moved =
        score_between(*v.form, *v.spectrum, f.scene.position + f.scene.offset + std::min(t, room),
                      f.scene.position + std::min(t, room));
    const double size = f.derived.shift_residual(f.scene, v.form->kind).size;
    std::string_view said =
        f.hide_hints_that_answer
            ? s.format("t = {}", ui::integer(s, t))
            : f.format("scores.shifted", fmt::arg("t", ui::integer(s, t)),
                       fmt::arg("score", ui::significant(s, moved, 6)),
                       fmt::arg("residual", ui::residual(s, std::abs(moved - before), size)));
    // Room for the longest: the track must not change while its knob is dragged.
    const auto width_of = [&](std::string_view text) { return small_width(f, text); };
    float said_width = std::max(width_of(said), width_of("t = 1000: −2000.00, moved by ≤ 10⁻¹³"));
    if (row.width() < words + 40.0F + said_width + 60.0F) {  // the headline says that nothing moves
        said = ui::integer(s, t);
        said_width = width_of("1000");
    }
    const Rect track{row.x0 + words + 24.0F, y - 2.0F, row.x1 - said_width - 16.0F, y + 2.0F};
    c.text({row.x1, y + 4.0F}, said, small_ink(f, Align::right));
    if (track.width() < 30.0F || !can_drag(f)) return;
    const canvas::Axis x{0.0, static_cast<double>(kMostShift), track.x0, track.x1};
    if (const auto to = plot::slide(f, "shift", x, y, static_cast<double>(t)))
        f.edit().shift = std::min<std::int64_t>(std::llround(*to), room);
}

}  // namespace posiscope::figures::scores
