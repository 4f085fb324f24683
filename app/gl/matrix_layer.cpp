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

// Between the blocks there is nothing.
void clear_gap(const MatrixView& view) {
    const Blocks blocks = block_layout(view);
    if (blocks.second <= blocks.width) return;
    glEnable(GL_SCISSOR_TEST);
    glScissor(blocks.width, 0, blocks.second - blocks.width, view.height);
    glClearColor(0.0F, 0.0F, 0.0F, 0.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
}

bool has_pairs(Field field) {
    return field == Field::components || field == Field::phase || field == Field::shift_blocks;
}

}  // namespace

HeatmapProgram* MatrixLayer::program(Programs& programs, HeatmapProgram::Kind kind) {
    HeatmapProgram& kept = programs[static_cast<std::size_t>(kind)];
    if (!kept && !problem_) {
        auto made = HeatmapProgram::create(kind, &programs == &values_);
        if (made) kept = std::move(*made);
        else problem_ = std::move(made.error());
    }
    return kept ? &kept : nullptr;
}

Result<MatrixLayer> MatrixLayer::create() {
    MatrixLayer layer;
    layer.no_vertices_ = VertexArray::create();
    layer.both_blocks_ = FramebufferObject::create();
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
    if (kept.toeplitz.index == toeplitz.index && kept.toeplitz.first == toeplitz.first &&
        std::equal(values.begin(), values.end(), kept.distances.begin(), kept.distances.end()))
        return;
    kept.distances.assign(values.begin(), values.end());
    kept.toeplitz = {toeplitz.index, toeplitz.first, {}};
    kept.toeplitz_version = ++last_version_;
}

void MatrixLayer::set_samples(std::size_t slot, std::span<const float> values, int width) {
    Slot& kept = slot_at(slot);
    if (kept.samples_width == width &&
        std::equal(values.begin(), values.end(), kept.samples.begin(), kept.samples.end()))
        return;
    kept.samples.assign(values.begin(), values.end());
    kept.samples_width = width;
    kept.samples_version = ++last_version_;
    kept.values.set_plane(kept.samples, width);
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
    const std::uint64_t subtracted_version = view.difference ? spectrum(0).version : 0;
    const std::uint64_t data_version = view.field == Field::toeplitz  ? kept.toeplitz_version
                                       : view.field == Field::samples ? kept.samples_version
                                                                      : 0;
    const bool same = kept.drawn && kept.view == view && kept.spectrum_version == spectrum_version &&
                      kept.subtracted_version == subtracted_version && kept.data_version == data_version;
    if (same) return kept.picture.texture().name();
    paint(kept, view, kept.picture, colours_);
    kept.view = view;
    kept.spectrum_version = spectrum_version;
    kept.subtracted_version = subtracted_version;
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
    Framebuffer target(PixelFormat::r32f);
    paint(slot_at(slot), view, target, values_);
    return target.read_floats();
}

void MatrixLayer::upload_turning(Slot& slot, const MatrixView& view, HeatmapProgram& program) {
    const std::vector<Step>& steps = spectrum(view.spectrum).steps;
    fill_row_bins(view, steps.size(), row_bins_);
    fill_steps(steps, row_bins_, texels_);
    fill_columns(view, static_cast<std::int64_t>(steps.size()), covers_);
    slot.rows.set(row_bins_.rows);
    slot.steps.set(texels_);
    slot.columns.set(covers_.texels);
    program.set_layout(steps.size(), view.order == PairOrder::interleaved, view.rotary)
        .set_inner_weights(covers_.covers.inner, 0.0)
        .bind_source(slot.steps.texture());
}

void MatrixLayer::upload_shift(Slot& slot, const MatrixView& view, HeatmapProgram& program) {
    const std::vector<Step>& steps = spectrum(view.spectrum).steps;
    turns_.clear();
    for (const Step& step : steps) {
        const Turn turned = phase(step, view.offset);
        turns_.push_back(static_cast<float>(cos(turned)));
        turns_.push_back(static_cast<float>(sin(turned)));
    }
    const auto dimensions = static_cast<std::int64_t>(2 * steps.size());
    slot.turns.set(turns_);
    fill_covers(view, view.rows, dimensions, view.height, covers_);
    const double inner_row = covers_.covers.inner;
    slot.rows.set(covers_.texels);
    fill_covers(view, view.columns, dimensions, view.width, covers_);
    slot.columns.set(covers_.texels);
    program.set_layout(steps.size(), view.order == PairOrder::interleaved, view.rotary)
        .set_inner_weights(covers_.covers.inner, inner_row)
        .bind_source(slot.turns.texture());
}

void MatrixLayer::upload_toeplitz(Slot& slot, const MatrixView& view, HeatmapProgram& program) {
    slot.toeplitz.values = slot.distances;
    fill_toeplitz(view, slot.toeplitz, toeplitz_);
    slot.rows.set(toeplitz_.rows);
    slot.columns.set(toeplitz_.columns);
    slot.steps.set(toeplitz_.table);
    program.set_first(toeplitz_.columns_after).bind_source(slot.steps.texture());
}

void MatrixLayer::upload_samples(Slot& slot, const MatrixView& view, HeatmapProgram& program) {
    fill_borders(view, view.rows, view.height, texels_);
    slot.rows.set(texels_);
    fill_borders(view, view.columns, view.width, texels_);
    slot.columns.set(texels_);
    program.bind_source(slot.values.texture());
}

// Both blocks in one pass, the second one aside; then it takes its place.
void MatrixLayer::paint_blocks(HeatmapProgram& program, const MatrixView& view, Framebuffer& target) {
    const Blocks blocks = block_layout(view);
    glBindFramebuffer(GL_FRAMEBUFFER, both_blocks_.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.texture().name(), 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D,
                           second_block_.texture().name(), 0);
    constexpr GLenum kBoth[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glDrawBuffers(2, kBoth);
    glViewport(0, 0, blocks.width, view.height);
    draw_triangle(program, no_vertices_);
    target.bind();
    clear_gap(view);
    if (view.width > 1) second_block_.copy_to(target, blocks.second, 0);
}

// The numbers of both sides, then one picture less the other.
void MatrixLayer::paint_difference(Slot& slot, const MatrixView& view, Framebuffer& target,
                                   Programs& programs) {
    MatrixView side = view;
    side.difference = side.borders = false;
    paint(slot, side, of_b_, values_);
    side.spectrum = 0;
    paint(slot, side, of_a_, values_);
    const TargetGuard guard;
    target.resize(view.width, view.height);
    target.bind();
    HeatmapProgram* const shown = program(programs, HeatmapProgram::Kind::difference);
    if (shown == nullptr) return;
    fill_borders(view, view.rows, view.height, texels_);
    slot.rows.set(texels_);
    fill_borders(view, view.columns, view.width, texels_);
    slot.columns.set(texels_);
    shown->bind_source(of_b_.texture()).bind_subtracted(of_a_.texture());
    colour(*shown, slot, view);
    draw_triangle(*shown, no_vertices_);
    if (view.blocks && view.field == Field::components) clear_gap(view);
}

void MatrixLayer::colour(HeatmapProgram& program, const Slot& slot, const MatrixView& view) {
    const auto border_alpha = static_cast<float>(view.border >> 24) / 255.0F;
    program.set_colours(rgb_of(view.negative), rgb_of(view.zero), rgb_of(view.positive))
        .set_range(view.range)
        .set_border(rgb_of(view.border), border_alpha * static_cast<float>(border_strength(view)))
        .bind_columns(slot.columns.texture())
        .bind_rows(slot.rows.texture());
}

void MatrixLayer::paint(Slot& slot, const MatrixView& view, Framebuffer& target, Programs& programs) {
    using Shown = HeatmapProgram::Kind;
    if (view.difference && has_pairs(view.field)) return paint_difference(slot, view, target, programs);
    const TargetGuard guard;
    target.resize(view.width, view.height);
    const bool blocks = view.blocks && view.field == Field::components;
    constexpr Shown kShown[] = {Shown::components, Shown::phase, Shown::toeplitz, Shown::shift_blocks,
                                Shown::samples};
    HeatmapProgram* const shown =
        program(programs, blocks ? Shown::blocks : kShown[static_cast<std::size_t>(view.field)]);
    if (shown == nullptr || (has_pairs(view.field) && spectrum(view.spectrum).steps.empty()) ||
        (view.field == Field::toeplitz && slot.distances.empty()) ||
        (view.field == Field::samples && slot.samples.empty())) {
        target.bind();
        glClearColor(0.0F, 0.0F, 0.0F, 0.0F);
        glClear(GL_COLOR_BUFFER_BIT);
        return;
    }
    if (blocks) {  // before textures are bound for drawing
        if (second_block_.format() != target.format()) second_block_ = Framebuffer(target.format());
        second_block_.resize(block_layout(view).width, view.height);
    }
    if (view.field == Field::shift_blocks) upload_shift(slot, view, *shown);
    else if (view.field == Field::toeplitz) upload_toeplitz(slot, view, *shown);
    else if (view.field == Field::samples) upload_samples(slot, view, *shown);
    else upload_turning(slot, view, *shown);
    colour(*shown, slot, view);
    if (blocks) return paint_blocks(*shown, view, target);
    target.bind();
    draw_triangle(*shown, no_vertices_);
}

}  // namespace posiscope::gl
