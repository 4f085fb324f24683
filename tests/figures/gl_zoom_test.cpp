// A zoom of the Matrix figure from the whole table to one cell and back: every picture is the one that comes of adding
// up every cell of every pixel in float64, to a step of 8 bits.
#include "app/canvas/screen/heatmap_layer.hpp"
#include "app/figures/figure.hpp"
#include "app/platform/offscreen.hpp"
#include "tests/figures/recorder.hpp"
#include "tests/figures/stage.hpp"

#include <gtest/gtest.h>

namespace posiscope::test::gl_zoom_test {
namespace {

constexpr int kViews = 120;
constexpr int kWidth = 96, kHeight = 64;

// What the figure asks to be drawn, in a room that leaves the heatmap 96 × 64 pixels.
canvas::HeatmapView view_of(const Scene& scene) {
    Recorder canvas;
    Stage stage;
    stage.area = {0.0F, 0.0F, 112.0F + kWidth, 46.0F + kHeight};
    stage.draw(canvas, *figures::find_figure("matrix"), scene);
    EXPECT_EQ(canvas.heatmaps.size(), 1U);
    canvas::HeatmapView view = canvas.heatmaps.at(0);
    view.borders = false;
    return view;
}

// The cells of one pixel and the part of it that each covers.
struct Part {
    std::int64_t cell;
    double weight;
};
std::vector<Part> parts(double low, double high) {
    std::vector<Part> all;
    for (double cell = std::floor(low); cell < high; cell += 1.0) {
        const double part = std::min(cell + 1.0, high) - std::max(cell, low);
        if (part > 1e-12) all.push_back({static_cast<std::int64_t>(cell), part / (high - low)});
    }
    return all;
}

// Means of both components, [component][pair · height + y]: every row of a pixel added up.
using Rows = std::array<std::vector<double>, 2>;
Rows row_means(const canvas::HeatmapView& view, const Spectrum& spectrum) {
    Rows means;
    for (auto& one : means) one.assign(spectrum.pairs() * static_cast<std::size_t>(view.height), 0.0);
    const double top = static_cast<double>(view.rows.origin) + view.rows.first;
    const double span = view.rows.length() / view.height;
    for (int y = 0; y < view.height; ++y)
        for (const Part& row : parts(top + span * y, top + span * (y + 1)))
            for (std::size_t pair = 0; pair < spectrum.pairs(); ++pair) {
                const Turn turn = phase(spectrum.step[pair], row.cell);
                const std::size_t at =
                    pair * static_cast<std::size_t>(view.height) + static_cast<std::size_t>(y);
                means[0][at] += row.weight * sin(turn);
                means[1][at] += row.weight * cos(turn);
            }
    return means;
}

// The worst difference in 255ths between the picture and the sum.
int worst_step(const canvas::HeatmapView& view, const Spectrum& spectrum, const Image& image) {
    const Rows means = row_means(view, spectrum);
    const double left = static_cast<double>(view.columns.origin) + view.columns.first;
    const Blocks blocks = block_layout(view);
    int worst = 0;
    for (int x = 0; x < view.width; ++x) {
        if (view.blocks && x >= blocks.width && x < blocks.second) continue;
        const int within = view.blocks && x >= blocks.second ? x - blocks.second : x;
        const double span = view.columns.length() / (view.blocks ? blocks.width : view.width);
        // In blocks a column is a pair, else a dimension.
        const double unit = view.blocks ? 0.5 : 1.0;
        const auto columns = parts(unit * (left + span * within), unit * (left + span * (within + 1)));
        for (int y = 0; y < view.height; ++y) {
            double value = 0.0;
            for (const Part& column : columns) {
                const auto component =
                    static_cast<std::size_t>(view.blocks ? (x >= blocks.second ? 1 : 0) : column.cell % 2);
                const auto pair = static_cast<std::size_t>(view.blocks ? column.cell : column.cell / 2);
                value += column.weight * means[component][pair * static_cast<std::size_t>(view.height) +
                                                          static_cast<std::size_t>(y)];
            }
            for (int channel = 0; channel < 3; ++channel) {
                const auto of = [&](std::uint32_t colour) {
                    return static_cast<double>((colour >> (8 * channel)) & 0xffU);
                };
                const double zero = of(view.zero);
                const double expected = zero + std::abs(value) / view.range *
                                                   (of(value < 0.0 ? view.negative : view.positive) - zero);
                worst = std::max(
                    worst, std::abs(image.pixel(x, y)[channel] - static_cast<int>(std::lround(expected))));
            }
        }
    }
    return worst;
}

TEST(GlZoom, EveryViewOfAZoomToOneCellAndBackIsTheSumOfItsCells) {
    const auto context = platform::Offscreen::create();
    ASSERT_TRUE(context) << to_string(context.error());
    canvas::HeatmapLayer layer(canvas::Target::framebuffer);
    Scene scene = overlay(Scene(), {{"length", 4096}, {"d_model", 512}})->scene;
    figures::set_view_value(scene, "matrix", "apart", false);  // both ways of standing are zoomed through
    const Spectrum spectrum = *spectrum_of(scene);
    const double row = 2718.3, column = 23.4;  // where it zooms to
    std::size_t with_blocks = 0;
    for (int i = 0; i < kViews; ++i) {
        const double part = 1.0 - std::abs(2.0 * i / (kViews - 1) - 1.0);  // 0 … 1 … 0
        const double rows = 4096.0 * std::pow(1.0 / 4096.0, part),
                     columns = 512.0 * std::pow(1.0 / 512.0, part);
        const double from = row * (1.0 - rows / 4096.0), left = column * (1.0 - columns / 512.0);
        figures::set_view_value(scene, "matrix", "rows", Json::array({from, from + rows}));
        figures::set_view_value(scene, "matrix", "columns", Json::array({left, left + columns}));
        const canvas::HeatmapView view = view_of(scene);
        ASSERT_EQ(view.width, kWidth);
        ASSERT_EQ(view.height, kHeight);
        EXPECT_NEAR(view.rows.length(), rows, 1e-6 * rows) << "the figure shows what was asked for";
        with_blocks += view.blocks ? 1 : 0;
        EXPECT_LE(worst_step(view, spectrum, layer.image({view, {.steps = spectrum.step}})), 1)
            << "view " << i << ": " << rows << " rows from " << from << ", " << columns << " columns from "
            << left << " with " << context->renderer();
    }
    EXPECT_GT(with_blocks, 20U);
    EXPECT_LT(with_blocks, 100U);
}

}  // namespace
}  // namespace posiscope::test::gl_zoom_test
