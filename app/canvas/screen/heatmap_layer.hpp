// heatmap_layer.hpp — heatmaps, exact at every zoom: each drawn into a texture of its own.
// A pixel shows the mean of core's values over its area: error ≤ 1e-6 of a value for every
// row below 2^31, for every base; sin and cos are never averaged with each other.  The cost depends on the size in
// px alone, and on the number of pairs once a pixel covers several.
// Textures are kept: dragging a position moves two lines, not a million pixels. B − A is a third pass over two images of
// means, so that one small program serves every field.
#pragma once

#include "app/canvas/heatmap.hpp"
#include "app/canvas/screen/heatmap_bins.hpp"
#include "app/canvas/screen/heatmap_programs.hpp"
#include "app/gl/data_texture.hpp"
#include "app/gl/framebuffer.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace posiscope::canvas {

// A heatmap of values that depend only on row − column, exact at every zoom.
// A pixel's mean is bilinear in where its edges cut the first row (f) and the first column (g) they touch:
// α + β f + γ g + δ f g.  The four depend only on the distance of those two cells and on how many rows and columns the
// pixel touches, of which a view has two counts each.  So a shader needs only a table of them, computed here in double.
inline constexpr std::int64_t kLargestToeplitz = 1 << 18;  // distances in view, to go by distance

// The input of shaders/toeplitz.frag: the table, and for each pixel row and column its place in the table, its f or g, and
// whether a border runs there.
struct ToeplitzTable {
    std::vector<gl::Texel> rows;
    std::vector<gl::Texel> columns;
    std::vector<gl::Texel> table;
    int columns_after = 0;  // added to row − column, so that no index is negative
};
// Throws std::invalid_argument when a view is too large to go by distance.
void fill_toeplitz(const HeatmapView& view, const Toeplitz& toeplitz, ToeplitzTable& out);

// Frames are drawn into the window itself or into a framebuffer of ours.
enum class Target { window, framebuffer };

class HeatmapLayer {
public:
    // Pictures are kept as the framebuffer that they are for keeps its pixels, so that they can be copied into it row by
    // row: a window has its top row first in memory and `window` pixels, any other framebuffer its bottom row.
    explicit HeatmapLayer(Target target);

    // The picture kept under a key (a small number; keys are made as they are named), of view.width × view.height px,
    // no larger than the driver allows; opaque but for the gap between blocks.  Nothing is drawn when neither the view
    // nor the numbers it reads have changed: then its version stays too.
    struct Picture {
        const gl::Framebuffer* pixels;
        std::uint64_t version;
    };
    Picture draw(std::size_t key, const Heatmap& heatmap);
    const gl::Framebuffer& picture(std::size_t key) const { return slots_[key].picture; }
    Target target() const { return target_; }

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
        int wide = 0, high = 0, above = 0, below = 0;

        bool is(const Heatmap& heatmap) const;
        void keep(const Heatmap& heatmap);
    };
    struct Slot {
        std::optional<Drawn> drawn;
        gl::DataTexture rows, columns, steps, turns, values;
        gl::Framebuffer picture;
        std::uint64_t version = 0;
    };

    using Programs = std::array<HeatmapProgram, HeatmapProgram::kKinds>;

    HeatmapProgram* program(Programs& programs, HeatmapProgram::Kind kind);
    // The place it is painted in, and the order of its rows in memory.
    struct Sheet {
        gl::Framebuffer& target;
        gl::FirstRow first = gl::FirstRow::top;
    };
    void paint(Slot& slot, const Heatmap& heatmap, Sheet sheet, Programs& programs);
    void paint_difference(Slot& slot, const Heatmap& heatmap, Sheet sheet, Programs& programs);
    static void colour(HeatmapProgram& program, const Slot& slot, const HeatmapView& view);
    void paint_blocks(HeatmapProgram& program, const HeatmapView& view, gl::Framebuffer& target);
    void upload_turning(Slot& slot, const Heatmap& heatmap, HeatmapProgram& program);
    void upload_shift(Slot& slot, const Heatmap& heatmap, HeatmapProgram& program);
    void upload_toeplitz(Slot& slot, const Heatmap& heatmap, HeatmapProgram& program);
    void upload_samples(Slot& slot, const Heatmap& heatmap, HeatmapProgram& program);

    Target target_;
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
