// gl_support.hpp — what the GL tests share: one context for all of them, and a picture computed the slow way.
#pragma once

#include "app/gl/matrix_layer.hpp"
#include "app/window/offscreen.hpp"

#include <gtest/gtest.h>

namespace posiscope::gl {

class GlTest : public testing::Test {
protected:
    static void SetUpTestSuite();
    static void TearDownTestSuite();
    static MatrixLayer& layer();
};

// The value of a pixel of components, straight from its definition: every cell it touches, by the area covered,
// each from core's phase.  Blocks and the seam of narrow halves as MatrixView says.
double brute_component(const MatrixView& view, std::span<const Step> steps, int x, int y);

// The same with the rows of a pixel summed by core's mean_factor: for many rows.
double closed_component(const MatrixView& view, std::span<const Step> steps, int x, int y);

}  // namespace posiscope::gl
