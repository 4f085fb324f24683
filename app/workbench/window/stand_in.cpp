#include "app/workbench/window/stand_in.hpp"

#include "core/encodings/encodings.hpp"

#include <algorithm>
#include <array>

namespace posiscope::workbench {
namespace {

// Every encoding has these; the first that the bench does not show yet stands in.
constexpr std::array<std::string_view, 4> kForAll = {"matrix", "attention", "terms", "scores"};

// Figures over all positions, or of words; tests/figures draws them at other positions and offsets.
constexpr std::array<std::string_view, 5> kWithout = {"attention", "terms", "spectrum", "turns", "check"};
// Of a distance, wherever it begins.
constexpr std::array<std::string_view, 2> kOfDistance = {"scores", "sum"};

bool is_in(std::span<const std::string_view> list, std::string_view figure) {
    return std::ranges::find(list, figure) != list.end();
}

bool is_shown(const Layout& layout, std::string_view figure) {
    return std::ranges::find(layout.tiles(), figure, &Tile::figure) != layout.tiles().end();
}

bool shows(const Part& part, std::string_view figure) {
    if (part.first == nullptr) return part.figure == figure;
    return shows(*part.first, figure) || shows(*part.second, figure);
}

Moves moves_in(std::string_view figure) {
    const bool without = is_in(kWithout, figure);
    return {!without && !is_in(kOfDistance, figure), !without};
}

Moves moves_in(const Part& part, const Part& whole, const SpectrumInput& scene) {
    if (part.first != nullptr) {
        const Moves a = moves_in(*part.first, whole, scene), b = moves_in(*part.second, whole, scene);
        return {a.position || b.position, a.offset || b.offset};
    }
    if (has_picture(part.figure, scene)) return moves_in(part.figure);
    return moves_in(shows(whole, kForAll[0]) ? kForAll[1] : kForAll[0]);
}

}  // namespace

Moves moves_in(const Bench& bench, std::string_view alone, const SpectrumInput& scene) {
    return alone.empty() ? moves_in(*bench.layout, *bench.layout, scene) : moves_in(alone);
}

bool has_picture(std::string_view figure, const SpectrumInput& scene) {
    if (figure == "rotations" || figure == "shift" || figure == "waves") return on_unit_circles(scene);
    // xPos's arrows grow with the distance, but they are arrows.
    if (figure == "sum") return on_unit_circles(scene) || scene.encoding.kind == "xpos";
    if (figure == "spectrum" || figure == "turns" || figure == "check")
        return encoding_of(scene).pairs != no_pairs;
    return true;
}

void stand_in(Layout& layout, const SpectrumInput& scene) {
    for (std::size_t i = 0; i < layout.tiles().size(); ++i) {
        if (has_picture(layout.tiles()[i].figure, scene)) continue;
        for (const std::string_view other : kForAll)
            if (!is_shown(layout, other)) {
                layout.show_in(i, other);
                break;
            }
    }
}

}  // namespace posiscope::workbench
