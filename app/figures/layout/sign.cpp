#include "app/figures/layout/layout.hpp"
#include "app/figures/parts/handles.hpp"
#include "app/plot/plot.hpp"

namespace posiscope::figures::layouts {
namespace {

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
    const auto reach = static_cast<double>(mirror.plus.size() / 2);
    double least = mirror.least, most = mirror.most;
    if (const Other* side = f.on_axes())
        if (const Mirror& its = mirror_of(side->scene, side->derived); !its.problem)
            least = std::min(least, its.least), most = std::max(most, its.most);
    const double room = std::max(0.08 * (most - least), 1e-6 * std::max(1.0, std::abs(most)));
    const std::array<plot::Key, 2> legend = {plot::Key{f.text("layout.plus"), {f.theme.ink, 1.8F}},
                                             plot::Key{f.text("layout.minus"), {f.theme.beyond, 1.8F}}};
    const plot::Plot p(f, area, {plot::Kind::distance, -reach, reach, f.text("layout.distance")},
                       {plot::Kind::linear, least - room, most + room}, legend);
    if (!p.has_room()) return;
    p.rule(0.0, {f.theme.grid, 1.0F});
    if (f.other != nullptr)
        if (const Mirror& of_b = mirror_of(f.other->scene, f.other->derived);
            of_b.plus.size() == mirror.plus.size())
            p.curve(of_b.plus, {f.theme.ink_faint, 1.2F}, -reach);
    p.curve(mirror.plus, legend[0].stroke, -reach);
    p.curve(mirror.minus, legend[1].stroke, -reach);
    const std::size_t at = place(mirror, f.scene.offset);
    const double across = static_cast<double>(at) - reach;
    const Point right = p.at(across, mirror.plus[at]), wrong = p.at(across, mirror.minus[at]);
    f.canvas.line(right, wrong, {f.theme.offset, 1.4F, 3.0F});
    handle(f, wrong, 4.0F, f.theme.beyond);
    handle(f, right, 5.0F, f.theme.offset);
    if (f.drag("offset", p.over(), right, Cursor::horizontal) && f.pointer->moved)
        set_offset(f.edit(), std::llround(p.pointed_x()));
    if (!p.over()) return;
    const auto distance = std::llround(p.pointed_x());
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
