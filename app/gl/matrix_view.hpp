// matrix_view.hpp — what a heatmap shows and in which colours, as a value.
#pragma once

#include "core/fields/fields.hpp"

#include <cstdint>

namespace posiscope::gl {

using posiscope::block_layout;
using posiscope::Blocks;
using posiscope::columns_need_blocks;
using posiscope::component_at;
using posiscope::Extent;
using posiscope::extent_of;
using posiscope::Field;
using posiscope::Range;
using posiscope::Toeplitz;

struct MatrixView : FieldView {           // width and height 1 … MatrixLayer::largest_size()
    double range = 1.0;                   // |value| at full colour
    std::uint32_t negative = 0xffe9b456;  // 0xAABBGGRR
    std::uint32_t zero = 0xff201c1a;
    std::uint32_t positive = 0xff009fe6;
    bool borders = true;  // between cells of 12 px and more, in full from 24 px on
    std::uint32_t border = 0x60808080;

    bool operator==(const MatrixView&) const = default;
};

// The colour of an angle (in turns) in the phase field, where the mean unit vector is `magnitude` long: for
// the colour bar.  As the shader computes it, to 1/255.
std::uint32_t phase_colour(double turns, double magnitude, std::uint32_t zero);

// The colour of a sample, as the shaders compute it, to 1/255; 0 where there is none.
std::uint32_t matrix_colour(const MatrixView& view, const FieldSampler::Sample& sample);

// How strongly borders between cells show, 0 … 1, in a view whose cells are so large (px).
double border_strength(const MatrixView& view);

// Where the numbers of heatmaps go before they are drawn; each compares with what it has.
class MatrixData {
public:
    virtual void set_spectrum(std::span<const Step> steps, int which = 0) = 0;
    virtual void set_toeplitz(std::size_t slot, const Toeplitz& toeplitz) = 0;
    virtual void set_samples(std::size_t slot, std::span<const float> values,
                             int width) = 0;  // top row first
    virtual int largest_size() const = 0;     // of samples, px a side

protected:
    ~MatrixData() = default;
};

}  // namespace posiscope::gl
