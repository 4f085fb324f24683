// heatmap_layer.hpp — heatmaps, exact at every zoom: each drawn into a texture of its own.
// A pixel shows the mean of core's values over its area: error ≤ 1e-6 of a value for every
// row below 2^31, for every base; sin and cos are never averaged with each other.  The cost depends on the size in
// px alone, and on the number of pairs once a pixel covers several.
#pragma once

#include "app/canvas/heatmap.hpp"
#include "app/canvas/screen/heatmap_bins.hpp"
#include "app/canvas/screen/heatmap_programs.hpp"
#include "app/canvas/screen/toeplitz.hpp"
#include "app/gl/data_texture.hpp"
#include "app/gl/framebuffer.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace posiscope::canvas {

class HeatmapLayer {
public:
    static Result<HeatmapLayer> create();

    // The picture kept under a key (a small number; keys are made as they are named), of view.width × view.height px,
    // no larger than the driver allows. Its texel row 0 is the top: shown by ImGui::Image as it is, opaque but for the
    // gap between blocks.  Nothing is drawn when neither the view nor the numbers it reads have changed.
    GLuint draw(std::size_t key, const Heatmap& heatmap);

    // The same picture as bytes, and as numbers (phase in radians), top row first. Both draw anew.
    Image image(const Heatmap& heatmap);
    std::vector<float> values(const Heatmap& heatmap);

    // Why the driver would not have a program that was needed; what needed it is left empty.  Programs are made when
    // they are first drawn with: a program that starts needs two of the fourteen.
    const std::optional<Problem>& problem() const { return problem_; }

    // The number of times `draw` has drawn, for tests and benchmarks.
    std::uint64_t draws() const { return draws_; }
    int largest_size() const { return largest_size_; }
    void limit_size(int size) { largest_size_ = std::min(largest_size_, size); }  // as a lesser driver would

private:
    // The inputs of an image, to detect whether it is still current.
    struct Drawn {
        HeatmapView view;
        std::vector<Step> steps, subtracted;
        std::vector<float> distances;
        Toeplitz toeplitz;  // without its values, which are `distances`
        std::uint64_t samples_key = 0;
        std::size_t samples = 0;

        bool is(const Heatmap& heatmap) const;
        void keep(const Heatmap& heatmap);
    };
    struct Slot {
        std::optional<Drawn> drawn;
        gl::DataTexture rows, columns, steps, turns, values;
        gl::Framebuffer picture{gl::PixelFormat::rgba8};
    };

    using Programs = std::array<HeatmapProgram, HeatmapProgram::kKinds>;

    HeatmapLayer() = default;
    HeatmapProgram* program(Programs& programs, HeatmapProgram::Kind kind);
    void paint(Slot& slot, const Heatmap& heatmap, gl::Framebuffer& target, Programs& programs);
    void paint_difference(Slot& slot, const Heatmap& heatmap, gl::Framebuffer& target, Programs& programs);
    void colour(HeatmapProgram& program, const Slot& slot, const HeatmapView& view);
    void paint_blocks(HeatmapProgram& program, const HeatmapView& view, gl::Framebuffer& target);
    void upload_turning(Slot& slot, const Heatmap& heatmap, HeatmapProgram& program);
    void upload_shift(Slot& slot, const Heatmap& heatmap, HeatmapProgram& program);
    void upload_toeplitz(Slot& slot, const Heatmap& heatmap, HeatmapProgram& program);
    void upload_samples(Slot& slot, const Heatmap& heatmap, HeatmapProgram& program);

    Programs colours_;
    Programs values_;
    std::optional<Problem> problem_;
    gl::VertexArray no_vertices_;
    gl::Framebuffer second_block_;
    gl::Framebuffer of_a_{gl::PixelFormat::r32f}, of_b_{gl::PixelFormat::r32f};  // of a difference
    gl::FramebufferObject both_blocks_;
    std::vector<Slot> slots_;
    std::uint64_t draws_ = 0;
    int largest_size_ = 0;

    // Reused between draws, so that nothing is allocated once they are large enough.
    RowBins row_bins_;
    CoverTexels covers_;
    ToeplitzTable toeplitz_;
    std::vector<gl::Texel> texels_;
    std::vector<float> turns_;
};

}  // namespace posiscope::canvas
