#include "app/gl/matrix_layer.hpp"

#include <algorithm>

namespace posiscope::gl {
namespace {

Rgb rgb_of(std::uint32_t colour) {
    const auto channel = [&](int shift) { return static_cast<float>((colour >> shift) & 0xffU) / 255.0F; };
    return {channel(0), channel(8), channel(16)};
}

void draw_triangle(const Program& program, const VertexArray& no_vertices) {
    program.use();
    glBindVertexArray(no_vertices.name());
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

bool has_pairs(Field field) { return field == Field::components || field == Field::phase || field == Field::shift_blocks; }
bool has_data(Field field) { return field == Field::toeplitz || field == Field::samples; }

}  // namespace

Result<std::array<HeatmapProgram, 5>> MatrixLayer::programs(bool values) {
    std::array<HeatmapProgram, 5> made;
    const char* const files[] = {"components.frag", "phase.frag", "toeplitz.frag", "shift_blocks.frag", "samples.frag"};
    for (std::size_t i = 0; i < made.size(); ++i) {
        auto program = HeatmapProgram::create(files[i], values);
        if (!program) return tl::unexpected(std::move(program.error()));
        made[i] = std::move(*program);
    }
    return made;
}

Result<MatrixLayer> MatrixLayer::create() {
    MatrixLayer layer;
    auto means = MeansProgram::create();
    if (!means) return tl::unexpected(std::move(means.error()));
    auto colours = programs(false);
    if (!colours) return tl::unexpected(std::move(colours.error()));
    layer.means_ = std::move(*means);
    layer.colours_ = std::move(*colours);
    layer.no_vertices_ = VertexArray::create();
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &layer.largest_size_);
    return layer;
}

void MatrixLayer::set_spectrum(std::span<const Step> steps, int which) {
    const auto at = static_cast<std::size_t>(which);
    if (spectra_.size() <= at) spectra_.resize(at + 1);
    Spectrum& kept = spectra_[at];
    if (std::equal(steps.begin(), steps.end(), kept.steps.begin(), kept.steps.end())) return;
    kept.steps.assign(steps.begin(), steps.end());
    kept.version = ++last_version_;
}

void MatrixLayer::set_toeplitz(std::size_t slot, const Toeplitz& toeplitz) {
    Slot& kept = slot_at(slot);
    const auto& values = toeplitz.values;
    if (kept.index == toeplitz.index && kept.data_first == toeplitz.first && kept.data_width == 0 &&
        std::equal(values.begin(), values.end(), kept.data.begin(), kept.data.end()))
        return;
    kept.data.assign(values.begin(), values.end());
    kept.index = toeplitz.index;
    kept.data_first = toeplitz.first;
    kept.data_width = 0;
    kept.version = ++last_version_;
    kept.values.set(kept.data);
}

void MatrixLayer::set_samples(std::size_t slot, std::span<const float> values, int width) {
    Slot& kept = slot_at(slot);
    if (kept.data_width == width && std::equal(values.begin(), values.end(), kept.data.begin(), kept.data.end())) return;
    kept.data.assign(values.begin(), values.end());
    kept.data_width = width;
    kept.version = ++last_version_;
    kept.values.set_plane(kept.data, width);
}

MatrixLayer::Slot& MatrixLayer::slot_at(std::size_t slot) {
    if (slots_.size() <= slot) slots_.resize(slot + 1);
    return slots_[slot];
}

const MatrixLayer::Spectrum& MatrixLayer::spectrum(int which) {
    const auto at = static_cast<std::size_t>(which);
    if (spectra_.size() <= at) spectra_.resize(at + 1);
    return spectra_[at];
}

GLuint MatrixLayer::draw(std::size_t slot, const MatrixView& asked) {
    MatrixView view = asked;
    view.width = std::clamp(view.width, 1, largest_size_);
    view.height = std::clamp(view.height, 1, largest_size_);
    Slot& kept = slot_at(slot);
    const std::uint64_t spectrum_version = has_pairs(view.field) ? spectrum(view.spectrum).version : 0;
    const std::uint64_t data_version = has_data(view.field) ? kept.version : 0;
    const bool same = kept.drawn && kept.view == view && kept.spectrum_version == spectrum_version &&
                      kept.data_version == data_version;
    if (same) return kept.picture.texture().name();
    paint(kept, view, kept.picture, colours_);
    kept.view = view;
    kept.spectrum_version = spectrum_version;
    kept.data_version = data_version;
    kept.drawn = true;
    ++draws_;
    return kept.picture.texture().name();
}

Image MatrixLayer::image(const MatrixView& view, std::size_t slot) {
    Framebuffer target(PixelFormat::rgba8);
    paint(slot_at(slot), view, target, colours_);
    return target.read(FirstRow::top);
}

std::vector<float> MatrixLayer::values(const MatrixView& view, std::size_t slot) {
    if (!values_[0]) {
        auto made = programs(true);
        if (!made) return {};
        values_ = std::move(*made);
    }
    Framebuffer target(PixelFormat::r32f);
    paint(slot_at(slot), view, target, values_);
    return target.read_floats();
}

// The mean unit vectors, into slot.means; the tables that this and the colours need.
void MatrixLayer::paint_means(Slot& slot, const MatrixView& view) {
    const std::vector<Step>& steps = spectrum(view.spectrum).steps;
    const std::size_t pairs = steps.size();
    fill_row_bins(view, pairs, row_bins_);
    fill_steps(steps, row_bins_, texels_);
    fill_column_bins(view, static_cast<std::int64_t>(pairs), column_bins_);
    slot.rows.set(row_bins_.rows);
    slot.steps.set(texels_);
    slot.bins.set(column_bins_.bins);
    slot.columns.set(column_bins_.columns);
    slot.means.resize(static_cast<int>(column_bins_.bins.size()), view.height);
    slot.means.bind();
    means_.bind_rows(slot.rows.texture())
        .bind_bins(slot.bins.texture())
        .bind_steps(slot.steps.texture())
        .set_inner_weight(column_bins_.inner_weight);
    draw_triangle(means_, no_vertices_);
}

HeatmapProgram& MatrixLayer::prepare(Slot& slot, const MatrixView& view, std::array<HeatmapProgram, 5>& programs) {
    HeatmapProgram& program = programs[static_cast<std::size_t>(view.field)];
    if (view.field == Field::components || view.field == Field::phase) {
        paint_means(slot, view);
        program.bind_source(slot.means.texture());
        return program;
    }
    if (view.field == Field::shift_blocks) {
        const std::vector<Step>& steps = spectrum(view.spectrum).steps;
        turns_.clear();
        for (const Step& step : steps) {
            const Turn turned = phase(step, view.offset);
            turns_.push_back(static_cast<float>(cos(turned)));
            turns_.push_back(static_cast<float>(sin(turned)));
        }
        slot.steps = {};
        slot.bins.set(turns_);
        fill_covers(view, view.rows, view.height, texels_);
        slot.rows.set(texels_);
        fill_covers(view, view.columns, view.width, texels_);
        slot.columns.set(texels_);
        program
            .set_blocks(static_cast<int>(steps.size()), view.order == PairOrder::interleaved, view.rotary,
                        view.width / view.columns.length(), view.height / view.rows.length())
            .bind_source(slot.bins.texture());
        return program;
    }
    const bool per_pixel = view.field == Field::samples || slot.index == Toeplitz::Index::by_diagonal;
    fill_cells(view, view.rows, view.height, per_pixel, texels_);
    slot.rows.set(texels_);
    fill_cells(view, view.columns, view.width, per_pixel, texels_);
    slot.columns.set(texels_);
    program.set_first(per_pixel ? 1 - view.width : static_cast<int>(slot.data_first)).bind_source(slot.values.texture());
    return program;
}

void MatrixLayer::paint(Slot& slot, const MatrixView& view, Framebuffer& target, std::array<HeatmapProgram, 5>& programs) {
    const TargetGuard guard;
    target.resize(view.width, view.height);
    if ((has_pairs(view.field) && spectrum(view.spectrum).steps.empty()) || (has_data(view.field) && slot.data.empty())) {
        target.bind();
        glClearColor(0.0F, 0.0F, 0.0F, 0.0F);
        glClear(GL_COLOR_BUFFER_BIT);
        return;
    }
    HeatmapProgram& program = prepare(slot, view, programs);
    target.bind();
    const auto border_alpha = static_cast<float>(view.border >> 24) / 255.0F;
    program.set_colours(rgb_of(view.negative), rgb_of(view.zero), rgb_of(view.positive))
        .set_range(view.range)
        .set_border(rgb_of(view.border), border_alpha * static_cast<float>(border_strength(view)))
        .bind_columns(slot.columns.texture())
        .bind_rows(slot.rows.texture());
    draw_triangle(program, no_vertices_);
}

}  // namespace posiscope::gl
