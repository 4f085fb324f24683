// turning.cpp — pairs that do not rotate by p alone: a hand for each axis over a grid of patches, a spiral where lengths change
// with the distance, and typed places or distances, as their Turning has them (core/encodings/turning.hpp).
#include "app/figures/rotations/rotations.hpp"

#include "app/figures/parts/headline.hpp"
#include "core/encodings/turning.hpp"

namespace posiscope::figures::rotations {
namespace {

using canvas::Align;
using ui::Face;

const Turning* turning(Frame& f) {
    const Rotation how = rotation_of(f.scene);
    if (how == Rotation::nothing || how == Rotation::circles) return nullptr;
    const auto& made = *f.derived.part<Memo<SpectrumInput, Result<Turning>>>().get(
        f.scene, [](const SpectrumInput& scene) { return turning_of(scene); });
    return made && made->pairs() > 0 ? &*made : nullptr;
}

// M-RoPE may name an axis that no pair is on.
std::size_t axis_count(const Turning& t) {
    return t.axes.parted ? static_cast<std::size_t>(*std::ranges::max_element(t.axes.axis)) + 1 : 1;
}

// A place or a distance, which mostly is a whole number.
std::string_view place_text(ui::Scratch& s, double value) {
    return value == std::round(value) && std::abs(value) < 1e15 ? ui::integer(s, std::llround(value))
                                                                : ui::significant(s, value, 4);
}

// The pair of an axis that has the place among them that the Scene's pair has among those of its own; none where the axis has
// no pairs.
std::optional<std::size_t> pair_on(const Turning& t, const Scene& scene, std::size_t axis) {
    const auto chosen = std::min(static_cast<std::size_t>(scene.pair), t.pairs() - 1);
    if (!t.axes.parted) return chosen;
    const auto place = std::count(
        t.axes.axis.begin(), t.axes.axis.begin() + static_cast<std::ptrdiff_t>(chosen), t.axes.axis[chosen]);
    std::optional<std::size_t> found;
    for (std::size_t pair = 0, at = 0; pair < t.pairs(); ++pair) {
        if (static_cast<std::size_t>(t.axes.axis[pair]) != axis) continue;
        found = pair;
        if (static_cast<std::ptrdiff_t>(at++) == place) break;
    }
    return found;
}

double turns_of(const PairAngle& angle) { return angle.radians / (2.0 * std::numbers::pi); }

// The product that a query and a key see of pair i, for growing distances: it shrinks while it turns.
void draw_spiral(Frame& f, const Turning& t, std::size_t pair, Point centre, float radius, double unit) {
    constexpr std::size_t kPoints = 257;
    std::array<Point, kPoints> points;
    const double turn = 2.0 * std::numbers::pi / t.spectrum.frequency[pair];
    const double last = std::min(static_cast<double>(f.scene.length - 1), 8.0 * turn);
    for (std::size_t i = 0; i < kPoints; ++i) {
        const double distance = last * static_cast<double>(i) / static_cast<double>(kPoints - 1);
        const double size = std::exp(t.spectrum.growth[pair] * distance) / unit;
        points[i] = on_circle(centre, radius * static_cast<float>(size), distance / turn);
    }
    f.canvas.polyline(points, {f.theme.ink_faint, 1.5F});
}

// One clock: the hands of p and p + k, or where only both together have an angle the one of their product.
void draw_clock(Frame& f, const Turning& t, Rect area, std::size_t axis) {
    const auto pair = pair_on(t, f.scene, axis);
    if (!pair) return;
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const ui::Theme& theme = f.theme;
    const std::int64_t p = f.scene.position, q = p + f.scene.offset;
    const float radius = 0.5F * std::min(area.width(), area.height() - 40.0F) - 12.0F;
    if (radius < 16.0F) return;
    const Point centre = area.centre();
    c.circle(centre, radius, {theme.ink_faint, 1.2F});
    c.line({centre.x - radius, centre.y}, {centre.x + radius, centre.y}, {theme.grid, 1.0F});
    c.line({centre.x, centre.y - radius}, {centre.x, centre.y + radius}, {theme.grid, 1.0F});
    const bool grows = !t.spectrum.growth.empty(), together = grows || !t.of_tokens();
    const double turned = radians_over(t.spectrum, *pair, t.seen(*pair, q, p)) / (2.0 * std::numbers::pi);
    const double size = t.size(*pair, q, p), unit = std::max(1.0, size);
    const double from = together ? 0.0 : turns_of(t.angle(*pair, p));
    c.sector(centre, radius, from, std::clamp(turned, -1.0, 1.0), ui::faded(theme.offset, 0.16F));
    if (grows) draw_spiral(f, t, *pair, centre, radius, unit);
    const auto hand = [&](double turns, double length, ui::Colour colour) {
        const Point tip = on_circle(centre, radius * static_cast<float>(length), turns);
        c.line(centre, tip, {colour, 3.0F});
        c.disc(tip, 5.0F, colour);
    };
    if (!together) hand(from, 1.0, theme.ink);
    hand(together ? turns_of(t.between(*pair, q, p)) : turns_of(t.angle(*pair, q)),
         together ? size / unit : 1.0, theme.offset);
    c.disc(centre, 4.0F, theme.ink);

    const auto number = [&](double value) { return ui::significant(s, value, 4); };
    const std::string_view name = t.axes.parted ? t.axes.names[axis] : std::string_view("p");
    const std::string_view places =
        together ? f.format("rotations.seen", fmt::arg("distance", place_text(s, t.seen(*pair, q, p))))
                 : s.format("{}: {} → {}", name, place_text(s, t.place(*pair, p)),
                            place_text(s, t.place(*pair, q)));
    const auto write = [&](float y, std::string_view words, ui::Colour colour, Face face) {
        c.text({centre.x, y}, words, {colour, ui::kTextSize, face, Align::centre});
    };
    write(centre.y - radius - 10.0F, places, theme.ink, Face::strong);
    const std::string_view angle =
        f.format("rotations.pair_turns", fmt::arg("pair", ui::integer(s, static_cast<std::int64_t>(*pair))),
                 fmt::arg("angle", number(2.0 * std::numbers::pi * turned)));
    const std::string_view sized =
        size == 1.0 ? angle : s.format("{}, × {}", angle, ui::significant(s, size, 3));
    write(centre.y + radius + 22.0F,
          c.text_width(sized, Face::text, ui::kTextSize) < area.width()
              ? sized
              : number(2.0 * std::numbers::pi * turned),
          theme.ink_soft, Face::text);
    if (f.over(area)) f.hovered.frequency = t.spectrum.frequency[*pair];
}

// The plane of patches that p is in: tokens fill it row by row.
struct Patches {
    std::int64_t columns, rows, first;  // first: its first token
};
std::optional<Patches> patches_of(const Turning& t, const Scene& scene) {
    if (!t.axes.parted) return std::nullopt;
    const std::int64_t columns = t.axes.grid.empty() ? t.axes.width : t.axes.grid[2];
    if (columns < 1) return std::nullopt;
    if (t.axes.grid.empty()) {
        const std::int64_t last = std::max({scene.length - 1, scene.position, scene.position + scene.offset});
        return Patches{columns, last / columns + 1, 0};
    }
    const std::int64_t plane = columns * t.axes.grid[1];
    return Patches{columns, t.axes.grid[1], scene.position / plane * plane};
}

constexpr float kSmallestPatch = 3.0F;

void draw_patches(Frame& f, const Patches& of, Rect area) {
    canvas::Canvas& c = f.canvas;
    area.cut_top(22.0F);
    area.cut_left(22.0F);
    const float cell = std::min(
        {48.0F, area.width() / static_cast<float>(of.columns), area.height() / static_cast<float>(of.rows)});
    if (cell < kSmallestPatch) return;
    const Rect plot{area.x0, area.y0, area.x0 + cell * static_cast<float>(of.columns),
                    area.y0 + cell * static_cast<float>(of.rows)};
    const auto patch = [&](std::int64_t token) {
        const auto column = static_cast<float>((token - of.first) % of.columns),
                   row = static_cast<float>((token - of.first) / of.columns);
        return Rect{plot.x0 + cell * column, plot.y0 + cell * row, plot.x0 + cell * (column + 1.0F),
                    plot.y0 + cell * (row + 1.0F)};
    };
    const auto inside = [&](std::int64_t token) {
        return token >= of.first && token < of.first + of.columns * of.rows;
    };
    c.fill(plot, f.theme.control);
    for (std::int64_t column = 0; cell >= 8.0F && column <= of.columns; ++column) {
        const float x = plot.x0 + cell * static_cast<float>(column);
        c.line({x, plot.y0}, {x, plot.y1}, {f.theme.tile, 1.0F});
    }
    for (std::int64_t row = 0; cell >= 8.0F && row <= of.rows; ++row) {
        const float y = plot.y0 + cell * static_cast<float>(row);
        c.line({plot.x0, y}, {plot.x1, y}, {f.theme.tile, 1.0F});
    }
    const std::int64_t p = f.scene.position, q = p + f.scene.offset;
    const Rect at_p = patch(p);
    c.fill({plot.x0, at_p.y0, plot.x1, at_p.y1}, ui::faded(f.theme.ink, 0.10F));
    c.fill({at_p.x0, plot.y0, at_p.x1, plot.y1}, ui::faded(f.theme.ink, 0.10F));
    if (inside(q)) c.fill(patch(q), f.theme.offset);
    c.fill(at_p, f.theme.ink);
    if (!f.drag("position", f.over(plot), at_p.centre()) || (!f.pointer->moved && !f.pointer->released))
        return;
    const Point at = f.pointer->at;
    const auto index = [&](float along, std::int64_t count) {
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(along / cell)), 0, count - 1);
    };
    const std::int64_t token =
        of.first + index(at.y - plot.y0, of.rows) * of.columns + index(at.x - plot.x0, of.columns);
    if (token != p) set_position(f.edit(), token);
}

}  // namespace

bool has_turning(const SpectrumInput& scene) {
    const Rotation how = rotation_of(scene);
    return how != Rotation::nothing && how != Rotation::circles;
}

std::string_view turning_headline(Frame& f) {
    const Turning* t = turning(f);
    if (t == nullptr) return {};
    ui::Scratch& s = f.scratch;
    const std::int64_t p = f.scene.position, q = p + f.scene.offset;
    const auto number = [&](double value) { return ui::significant(s, value, 4); };
    if (t->axes.parted) {
        std::string_view places;
        for (std::size_t axis = 0; axis < axis_count(*t); ++axis)
            if (const auto pair = pair_on(*t, f.scene, axis))
                places = s.format("{}{}{} {}", places, places.empty() ? "" : ", ", t->axes.names[axis],
                                  place_text(s, t->place(*pair, p)));
        return f.format("rotations.headline_axes", fmt::arg("position", ui::integer(s, p)),
                        fmt::arg("places", places));
    }
    const std::size_t pair = *pair_on(*t, f.scene, 0);
    const double angle = radians_over(t->spectrum, pair, t->seen(pair, q, p));
    if (const double size = t->size(pair, q, p); size != 1.0)
        return f.format("rotations.headline_spiral", fmt::arg("distance", ui::integer(s, f.scene.offset)),
                        fmt::arg("pair", pair), fmt::arg("angle", number(angle)),
                        fmt::arg("size", number(size)));
    return f.format("rotations.headline_seen", fmt::arg("distance", ui::integer(s, f.scene.offset)),
                    fmt::arg("seen", place_text(s, t->seen(pair, q, p))), fmt::arg("pair", pair),
                    fmt::arg("angle", number(angle)));
}

bool draw_turning(Frame& f, Rect area) {
    const Turning* t = turning(f);
    if (t == nullptr) return false;
    const std::size_t count = axis_count(*t);
    if (const auto patches = patches_of(*t, f.scene); patches && area.width() > 260.0F) {
        const bool beside = area.width() > area.height();
        draw_patches(f, *patches,
                     beside ? area.cut_right(0.4F * area.width()) : area.cut_bottom(0.4F * area.height()));
    }
    const bool down = area.height() > 1.2F * area.width();
    for (std::size_t axis = 0; axis < count; ++axis) {
        const auto left = static_cast<float>(count - axis);
        draw_clock(f, *t, down ? area.cut_top(area.height() / left) : area.cut_left(area.width() / left),
                   axis);
    }
    return true;
}

}  // namespace posiscope::figures::rotations
