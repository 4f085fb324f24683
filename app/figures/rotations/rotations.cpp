// rotations.cpp — every pair is a clock: one large clock with its arithmetic, and small ones of all pairs.
// Sinusoidal points are (sin φ, cos φ), first component to the right and second up, so their hands rotate
// clockwise; rotary points are (cos φ, sin φ) and rotate counter-clockwise. The axes are named on the dial.
#include "app/figures/rotations/rotations.hpp"

#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/stored.hpp"
#include "core/encodings/turning.hpp"

namespace posiscope::figures {
namespace {

using rotations::View;

std::span<const std::string_view> modes(const Scene& scene) {
    static constexpr std::array<std::string_view, 4> all = {"clocks", "definition", "single", "plane"};
    if (on_unit_circles(scene)) return all;
    return rotations::has_turning(scene) ? std::span(all).first(2) : std::span(all).subspan(1, 1);
}

std::int64_t selected_pair(const Frame& f, const Spectrum& spectrum) {
    return std::min<std::int64_t>(f.scene.pair, static_cast<std::int64_t>(spectrum.pairs()) - 1);
}

// The clock under the mouse in the wall, of which the formula speaks too; else the selected one.
std::int64_t shown_pair(const Frame& f, const Spectrum& spectrum) {
    const bool over = f.mode == "clocks" && f.pointer != nullptr && f.pointer->inside && !f.pointer->down &&
                      !f.link.position;
    if (const auto lit = linked(f, spectrum); over && lit && lit->exact)
        return static_cast<std::int64_t>(lit->pair);
    return selected_pair(f, spectrum);
}

std::string_view headline(Frame& f) {
    const Spectrum* spectrum = circles(f);
    if (spectrum == nullptr && f.mode == "clocks") return rotations::turning_headline(f);
    if (f.mode == "definition" || spectrum == nullptr) return rotations::definition_headline(f);
    const auto pair = static_cast<std::size_t>(shown_pair(f, *spectrum));
    if (f.mode == "plane") {
        if (stored_absence(f, f.scene, f.derived) != nullptr) return {};
        View v{f, encoding_of(f.scene), *spectrum, static_cast<std::int64_t>(pair)};
        return rotations::plane_headline(v);
    }
    const auto apart = static_cast<double>(f.scene.offset);
    const double turned = radians_over(*spectrum, pair, apart);
    ui::Scratch& s = f.scratch;
    if (f.scene.offset == 0) return f.text("rotations.headline_still");
    const Spectrum* of_b = f.other != nullptr ? circles(*f.other) : nullptr;
    if (of_b != nullptr && pair < of_b->pairs()) {
        const std::string_view a = ui::significant(s, turned, 4),
                               b = ui::significant(s, radians_over(*of_b, pair, apart), 4);
        return f.format(a == b ? "rotations.headline_both_same" : "rotations.headline_both",
                        fmt::arg("from", ui::integer(s, f.scene.position)),
                        fmt::arg("to", ui::integer(s, f.scene.position + f.scene.offset)),
                        fmt::arg("pair", pair), fmt::arg("a", a), fmt::arg("b", b));
    }
    return f.format("rotations.headline", fmt::arg("from", ui::integer(s, f.scene.position)),
                    fmt::arg("to", ui::integer(s, f.scene.position + f.scene.offset)),
                    fmt::arg("offset", ui::integer(s, f.scene.offset)), fmt::arg("pair", pair),
                    fmt::arg("angle", ui::significant(s, turned, 4)));
}

// Why there are none: nothing that turns, or pairs that turn in some other way.
void explain_no_clocks(Frame& f, Rect area) {
    if (f.derived.frequencies(f.scene) == nullptr)
        return explain_absence(f, area, "figure.no_angles", "kind", f.scene.encoding.kind);
    explain_no_circles(f, area, "figure.no_circles");
}

void draw(Frame& f, Rect area) {
    if (area.width() < 60.0F) return;
    const Spectrum* spectrum = circles(f);
    if (spectrum == nullptr && f.mode == "clocks" && rotations::draw_turning(f, area)) return;
    if (spectrum == nullptr) {  // the formula, and why there are no clocks
        Rect formula = area;
        if (rotations::has_turning(f.scene)) formula.y1 = area.y0 + 0.55F * area.height();
        area.cut_top(8.0F + rotations::draw_definition(f, formula, false));
        if (rotations::draw_turning(f, area)) return;
        return explain_no_clocks(f, area);
    }
    if (f.mode == "definition") {
        rotations::draw_definition(f, area, true);
        return;
    }
    View v{f, encoding_of(f.scene), *spectrum, shown_pair(f, *spectrum)};
    if (f.mode == "plane") {
        if (const Problem* problem = stored_absence(f, f.scene, f.derived))
            return explain_absence(f, area, *problem);
        return rotations::draw_plane(v, area);
    }
    explain_missing_circles(f, area);
    v.single = f.mode == "single";
    const rotations::Places places = rotations::places(area, v.single);
    View wall{f, v.encoding, *spectrum, selected_pair(f, *spectrum), places.zoom};
    v.zoom = places.zoom;
    rotations::draw_dial(v, places.dial, places.clock);
    if (v.single) return rotations::draw_equation(v, places.words);
    if (places.words.height() > 36.0F && places.words.width() > 90.0F)
        rotations::draw_arithmetic(v, places.words);
    rotations::draw_wall(wall, places.small);
}

bool rotates(const SpectrumInput& scene) { return on_unit_circles(scene) || rotations::has_turning(scene); }

std::span<const std::string_view> numbers(std::string_view mode) {
    static constexpr std::array<std::string_view, 1> clocks = {"rotation"};
    static constexpr std::array<std::string_view, 3> formula = {"rotation", "table", "bias"};
    static constexpr std::array<std::string_view, 2> plane = {"chord", "rotation"};
    if (mode == "clocks" || mode == "single") return clocks;
    return mode == "plane" ? std::span<const std::string_view>(plane) : formula;
}

}  // namespace

std::string_view rotations::invitation(Frame& f) {
    const Spectrum* spectrum = circles(f);
    if (spectrum == nullptr || f.mode != "clocks" || !f.scene.compare.is_null()) return {};
    ui::Scratch& s = f.scratch;
    return f.format(encoding_of(f.scene).acts == Acts::query_key ? "rotations.headline_first_rotary"
                                                                 : "rotations.headline_first",
                    fmt::arg("position", ui::integer(s, f.scene.position)),
                    fmt::arg("offset", ui::integer(s, f.scene.offset)),
                    fmt::arg("pairs", ui::counted(s, static_cast<std::int64_t>(spectrum->pairs()))));
}

std::optional<View> rotations::view_of_b(const View& v) {
    const Other* other = v.frame.other;
    const Spectrum* spectrum = other != nullptr ? circles(*other) : nullptr;
    if (spectrum == nullptr || v.pair >= static_cast<std::int64_t>(spectrum->pairs())) return std::nullopt;
    return View{v.frame, encoding_of(other->scene), *spectrum, v.pair};
}

void rotations::drag_hand(Frame& f, const Turned& hand, std::string_view handle, Point tip) {
    const bool near = f.pointer != nullptr && length(f.pointer->at - tip) < 12.0F;
    if (!f.drag(handle, near, tip)) return;
    const Point from_centre = f.pointer->at - hand.centre;
    const double angle = std::atan2(-from_centre.y, from_centre.x) / (2.0 * std::numbers::pi);
    if (f.began()) f.drag_state->value = angle;
    double stepped = angle - f.drag_state->value;
    stepped -= std::round(stepped);
    f.drag_state->travel += hand.sense * stepped;
    f.drag_state->value = angle;
    if (!f.pointer->moved || hand.omega <= 0.0) return;
    const auto by = static_cast<std::int64_t>(
        std::llround(std::clamp(f.drag_state->travel * 2.0 * std::numbers::pi / hand.omega, -4e9, 4e9)));
    if (handle.starts_with("position")) set_position(f.edit(), f.drag_state->scene.position + by);
    else set_offset(f.edit(), f.drag_state->scene.offset + by);
}

extern const Figure kRotations{
    .id = "rotations",
    .headline = headline,
    .draw = draw,
    .modes = modes,
    .overlays = true,
    .numbers = numbers,
    .applies = rotates,
};

}  // namespace posiscope::figures
