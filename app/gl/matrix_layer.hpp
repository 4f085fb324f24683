// matrix_layer.hpp — heatmaps, exact at every zoom: each drawn into a texture of its own.
// What is drawn is the mean over the area of each pixel, of core's values: error ≤ 1e-6 of a value for every
// row below 2^31, for every base; sin and cos are never averaged with each other.  The cost depends on the size in
// px alone, and on the number of pairs once a pixel covers several.
#pragma once

#include "app/gl/data_texture.hpp"
#include "app/gl/framebuffer.hpp"
#include "app/gl/matrix_bins.hpp"
#include "app/gl/matrix_programs.hpp"
#include "app/gl/matrix_view.hpp"
#include "app/gl/toeplitz.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace posiscope::gl {

class MatrixLayer final : public MatrixData {
public:
    static Result<MatrixLayer> create();

    // Each compares with what it has and does nothing when that is the same.
    void set_spectrum(std::span<const Step> steps, int which = 0) override;
    void set_toeplitz(std::size_t slot, const Toeplitz& toeplitz) override;
    void set_samples(std::size_t slot, std::span<const float> values, int width) override;

    // The texture of a slot (slots are made as they are named) with this view in it, of view.width × view.height
    // px, no larger than the driver allows. Its texel row 0 is the top: shown by ImGui::Image as it is, opaque but
    // for the gap between blocks.  Nothing is drawn when neither the view nor its data have changed.
    GLuint draw(std::size_t slot, const MatrixView& view);

    // The same picture as bytes, and as numbers (phase in radians), top row first. Both draw anew.
    Image image(const MatrixView& view, std::size_t slot = 0);
    std::vector<float> values(const MatrixView& view, std::size_t slot = 0);

    // Why the driver would not have a program that was needed; what needed it is left empty.  Programs are made when
    // they are first drawn with: a program that starts needs two of the fourteen.
    const std::optional<Problem>& problem() const { return problem_; }

    // How many times `draw` has drawn: tests and benchmarks ask.
    std::uint64_t draws() const { return draws_; }
    int largest_size() const override { return largest_size_; }
    void limit_size(int size) { largest_size_ = std::min(largest_size_, size); }  // as a lesser driver would

private:
    struct Spectrum {
        std::vector<Step> steps;
        std::uint64_t version = 0;
    };
    struct Slot {
        MatrixView view;
        std::uint64_t spectrum_version = 0;
        std::uint64_t subtracted_version = 0;
        std::uint64_t data_version = 0;
        bool drawn = false;
        std::vector<float> samples;
        int samples_width = 0;
        std::vector<float> distances;
        Toeplitz toeplitz;  // its values are `distances`
        std::uint64_t samples_version = 0;
        std::uint64_t toeplitz_version = 0;
        DataTexture rows, columns, steps, turns, values;
        Framebuffer picture{PixelFormat::rgba8};
    };

    using Programs = std::array<HeatmapProgram, HeatmapProgram::kKinds>;

    MatrixLayer() = default;
    HeatmapProgram* program(Programs& programs, HeatmapProgram::Kind kind);
    Slot& slot_at(std::size_t slot);
    const Spectrum& spectrum(int which);
    void paint(Slot& slot, const MatrixView& view, Framebuffer& target, Programs& programs);
    void paint_difference(Slot& slot, const MatrixView& view, Framebuffer& target, Programs& programs);
    void colour(HeatmapProgram& program, const Slot& slot, const MatrixView& view);
    void paint_blocks(HeatmapProgram& program, const MatrixView& view, Framebuffer& target);
    void upload_turning(Slot& slot, const MatrixView& view, HeatmapProgram& program);
    void upload_shift(Slot& slot, const MatrixView& view, HeatmapProgram& program);
    void upload_toeplitz(Slot& slot, const MatrixView& view, HeatmapProgram& program);
    void upload_samples(Slot& slot, const MatrixView& view, HeatmapProgram& program);

    Programs colours_;
    Programs values_;
    std::optional<Problem> problem_;
    VertexArray no_vertices_;
    Framebuffer second_block_;
    Framebuffer of_a_{PixelFormat::r32f}, of_b_{PixelFormat::r32f};  // of a difference
    FramebufferObject both_blocks_;
    std::vector<Spectrum> spectra_;
    std::vector<Slot> slots_;
    std::uint64_t last_version_ = 0;
    std::uint64_t draws_ = 0;
    int largest_size_ = 0;

    // Kept from one draw to the next, so that nothing is allocated once they are large enough.
    RowBins row_bins_;
    CoverTexels covers_;
    ToeplitzTable toeplitz_;
    std::vector<Texel> texels_;
    std::vector<float> turns_;
};

}  // namespace posiscope::gl
