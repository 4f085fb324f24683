// A figure uses its tile: no empty rectangle takes half of it.
#include "tests/figures/hand.hpp"

namespace posiscope::test::tile_test {
namespace {

constexpr int kAcross = 24, kDown = 16;
constexpr float kMostEmpty = 0.5F;

using Grid = std::array<std::array<bool, kAcross>, kDown>;

Grid drawn_on(const Recorder& canvas, Rect area) {
    Grid grid{};
    const float wide = area.width() / kAcross, high = area.height() / kDown;
    const auto add = [&](const Rect& box) {
        for (int y = 0; y < kDown; ++y)
            for (int x = 0; x < kAcross; ++x) {
                const Rect cell{
                    area.x0 + wide * static_cast<float>(x), area.y0 + high * static_cast<float>(y),
                    area.x0 + wide * static_cast<float>(x + 1), area.y0 + high * static_cast<float>(y + 1)};
                if (cell.meets(box)) grid[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = true;
            }
    };
    for (const Rect& box : canvas.boxes) add(box);
    for (const Recorder::Placed& fill : canvas.fills) add(fill.area);
    for (const Recorder::Placed& data : canvas.data) add(data.area);
    for (const Recorder::Curve& curve : canvas.curves)
        for (const Point at : curve.points) add({at.x - 1.0F, at.y - 1.0F, at.x + 1.0F, at.y + 1.0F});
    return grid;
}

// Of the largest rectangle of cells without anything.
float largest_empty_share(const Grid& grid) {
    int most = 0;
    std::array<int, kAcross> empty{};  // cells above this row, in each column
    for (const auto& row : grid) {
        for (std::size_t x = 0; x < kAcross; ++x) empty[x] = row[x] ? 0 : empty[x] + 1;
        for (std::size_t x = 0; x < kAcross; ++x)
            for (int least = empty[x], end = static_cast<int>(x); end < kAcross; ++end) {
                least = std::min(least, empty[static_cast<std::size_t>(end)]);
                most = std::max(most, least * (end - static_cast<int>(x) + 1));
            }
    }
    return static_cast<float>(most) / (kAcross * kDown);
}

TEST(Tiles, AreUsedByTheirFigures) {
    canvas::Typefaces faces;
    for (const char* id : {"attention", "terms", "positions", "verdict", "sum", "rotations"})
        for (const Point size : {Point{640.0F, 420.0F}, Point{560.0F, 620.0F}, Point{1280.0F, 800.0F}}) {
            Recorder canvas;
            canvas.faces = &faces;
            Stage stage;
            stage.area = {0.0F, 0.0F, size.x, size.y};
            stage.draw(canvas, *figures::find_figure(id),
                       scene_of({{"view", {{"ids", {{"kind", "left_padding"}, {"slip", "arange"}}}}}}));
            const float share = largest_empty_share(drawn_on(canvas, stage.area));
            EXPECT_LE(share, kMostEmpty) << id << " at " << size.x << " × " << size.y;
        }
}

}  // namespace
}  // namespace posiscope::test::tile_test
