#include "app/figures/layout/layout.hpp"
#include "app/figures/parts/handles.hpp"

namespace posiscope::figures::layouts {
namespace {

using canvas::Align;
using ui::Face;

constexpr std::int64_t kMostDistance = 128;

// Scores at −reach … reach, as RoPE rotates and with the wrong sign.
struct Mirror {
    std::vector<double> plus, minus;
    double least = 0.0, most = 0.0;
    std::optional<Problem> problem;
};
struct MirrorKey {
    Kept<ScoreInput> input;
    std::int64_t reach;
    bool operator==(const MirrorKey&) const = default;
};
struct Mirrors {
    Memo<MirrorKey, Mirror> curves;
};

// Far enough for the Scene's offset.
std::int64_t reach_of(const Scene& scene) {
    const std::int64_t wanted = std::max<std::int64_t>(std::min(scene.length - 1, kMostDistance), 2);
    return std::clamp<std::int64_t>(std::abs(scene.offset), wanted, kMostDistance);
}

const Mirror& mirror_of(const Scene& scene, Derived& derived) {
    return *derived.part<Mirrors>().curves.get(
        {input_of(scene, derived), reach_of(scene)}, [](const MirrorKey& of) {
            Mirror made;
            const auto spectrum = spectrum_of(*of.input);
            if (!spectrum) {
                made.problem = spectrum.error();
                return made;
            }
            made.plus.resize(static_cast<std::size_t>(2 * of.reach + 1));
            score_curve(score_form(*of.input, *spectrum, ScoreKind::dot), *spectrum, -of.reach, 1, made.plus);
            made.minus.assign(made.plus.rbegin(), made.plus.rend());
            const auto [least, most] = std::ranges::minmax_element(made.plus);
            made.least = *least, made.most = *most;
            return made;
        });
}

// The place of a distance in the curves, the last one beyond.
std::size_t place(const Mirror& mirror, std::int64_t distance) {
    const auto reach = static_cast<std::int64_t>(mirror.plus.size() / 2);
    return static_cast<std::size_t>(std::clamp(distance, -reach, reach) + reach);
}

}  // namespace

std::string_view sign_headline(Frame& f) {
    const Mirror& mirror = mirror_of(f.scene, f.derived);
    if (mirror.problem) return {};
    ui::Scratch& s = f.scratch;
    const std::size_t at = place(mirror, f.scene.offset);
    const auto distance = static_cast<std::int64_t>(at) - static_cast<std::int64_t>(mirror.plus.size() / 2);
    const std::string_view minus = ui::significant(s, mirror.minus[at], 4),
                           plus = ui::significant(s, mirror.plus[at], 4);
    return f.format(minus == plus ? "layout.headline_sign_same" : "layout.headline_sign",
                    fmt::arg("offset", ui::signed_integer(s, distance)), fmt::arg("minus", minus),
                    fmt::arg("plus", plus));
}

void draw_sign(Frame& f, Rect area) {
    const Mirror& mirror = mirror_of(f.scene, f.derived);
    if (mirror.problem) return explain_absence(f, area, *mirror.problem);
    const Rect plot{area.x0 + 54.0F, area.y0 + 26.0F, area.x1 - 14.0F, area.y1 - 40.0F};
    if (plot.width() < 40.0F || plot.height() < 24.0F) return;
    const auto reach = static_cast<double>(mirror.plus.size() / 2);
    const double room =
        std::max(0.08 * (mirror.most - mirror.least), 1e-6 * std::max(1.0, std::abs(mirror.most)));
    const canvas::Axis x{-reach, reach, plot.x0, plot.x1},
        y{mirror.least - room, mirror.most + room, plot.y1, plot.y0};
    canvas::frame_plot(f.canvas, f.theme, f.scratch, plot, x, y, f.text("layout.distance"), {}, true);
    f.canvas.line({x(0.0), plot.y0}, {x(0.0), plot.y1}, {f.theme.grid, 1.0F});
    const std::array<Line, 2> lines = {Line{"layout.plus", mirror.plus, {f.theme.ink, 1.8F}},
                                       Line{"layout.minus", mirror.minus, {f.theme.beyond, 1.8F}}};
    if (f.other != nullptr)
        if (const Mirror& of_b = mirror_of(f.other->scene, f.other->derived);
            of_b.plus.size() == mirror.plus.size()) {
            const std::array<Line, 1> of_other = {Line{"", of_b.plus, {f.theme.ink_faint, 1.2F}}};
            draw_lines(f, plot, of_other, x, y);
        }
    draw_lines(f, plot, lines, x, y);
    draw_names(f, {area.x0, plot.y0, plot.x1, plot.y1}, lines);
    const std::size_t at = place(mirror, f.scene.offset);
    const float across = x(static_cast<double>(at) - reach);
    const Point right{across, y(mirror.plus[at])}, wrong{across, y(mirror.minus[at])};
    f.canvas.line(right, wrong, {f.theme.offset, 1.4F, 3.0F});
    handle(f, wrong, 4.0F, f.theme.beyond);
    handle(f, right, 5.0F, f.theme.offset);
    if (f.drag("offset", f.over(plot), right, Cursor::horizontal) && f.pointer->moved)
        set_offset(f.edit(), std::llround(std::clamp(x.inverse(f.pointer->at.x), -reach, reach)));
    if (!f.over(plot)) return;
    const auto distance = std::llround(std::clamp(x.inverse(f.pointer->at.x), -reach, reach));
    const std::size_t here = place(mirror, distance);
    ui::Scratch& s = f.scratch;
    f.hovered.distance = distance;
    f.tip.formula = s.format("\\Delta = {}", ui::signed_integer(s, distance));
    f.tip.value = f.format("layout.tip_plus", fmt::arg("score", ui::significant(s, mirror.plus[here], 5)));
    f.tip.details[0] =
        f.format("layout.tip_minus", fmt::arg("score", ui::significant(s, mirror.minus[here], 5)),
                 fmt::arg("distance", ui::signed_integer(s, -distance)));
}

}  // namespace posiscope::figures::layouts
