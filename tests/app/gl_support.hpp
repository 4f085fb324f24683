// gl_support.hpp — shared by the GL tests: one context for all of them, and an image computed the slow way.
#pragma once

#include "app/canvas/screen/heatmap_layer.hpp"
#include "app/platform/offscreen.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace posiscope::canvas {

class GlTest : public testing::Test {
protected:
    static void SetUpTestSuite();
    void SetUp() override;  // another test may have made its own context current
    static HeatmapLayer& layer();
};

// Calls visit(cell, part of the pixel) for all cells of one pixel.
void brute_cells(const Range& range, int pixels, int pixel,
                 const std::function<void(std::int64_t, double)>& visit);

// The value of a pixel of components, straight from its definition: every cell it touches, by the area covered,
// each from core's phase.
double brute_component(const HeatmapView& view, std::span<const Step> steps, int x, int y);

// The same with the rows of a pixel summed by core's mean_factor: for many rows.
double closed_component(const HeatmapView& view, std::span<const Step> steps, int x, int y);

}  // namespace posiscope::canvas
