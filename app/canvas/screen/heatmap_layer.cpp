#include "app/canvas/screen/heatmap_layer.hpp"

#include <algorithm>

namespace posiscope::canvas {
namespace {

Rgb rgb_of(std::uint32_t colour) {
    const auto channel = [&](int shift) { return static_cast<float>((colour >> shift) & 0xffU) / 255.0F; };
    return {channel(0), channel(8), channel(16)};
}

void draw_triangle(const gl::ShaderProgram& program, const gl::VertexArray& no_vertices) {
    program.use();
    glBindVertexArray(no_vertices.name());
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

// Between the blocks there is nothing.
void clear_gap(const HeatmapView& view) {
    const Blocks blocks = block_layout(view);
    if (blocks.second <= blocks.width) return;
    glEnable(GL_SCISSOR_TEST);
    glScissor(blocks.width, 0, blocks.second - blocks.width, view.height);
    glClearColor(0.0F, 0.0F, 0.0F, 0.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
}

struct Pixels {
    int width, height;
};
Pixels pixels_of(const Heatmap& heatmap) {
    const HeatmapView& view = heatmap.view;
    const bool own = view.field != Field::samples || heatmap.wide <= 0 || heatmap.high <= 0;
    return own ? Pixels{view.width, view.height} : Pixels{heatmap.wide, heatmap.high};
}

bool has_pairs(Field field) {
    return field == Field::components || field == Field::phase || field == Field::shift_blocks;
}

}  // namespace

HeatmapProgram* HeatmapLayer::program(Programs& programs, HeatmapProgram::Kind kind) {
    HeatmapProgram& kept = programs[static_cast<std::size_t>(kind)];
    if (!kept && !problem_) {
        auto made = HeatmapProgram::create(kind, &programs == &values_);
        if (made) kept = std::move(*made);
        else problem_ = std::move(made.error());
    }
    return kept ? &kept : nullptr;
}

HeatmapLayer::HeatmapLayer(Target target)
    : target_(target),
      no_vertices_(gl::VertexArray::create()),
      both_blocks_(gl::FramebufferObject::create()) {
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest_size_);
}

bool HeatmapLayer::Drawn::is(const Heatmap& heatmap) const {
    const FieldData& data = heatmap.data;
    const auto same = [](const auto& kept, const auto& asked) {
        return std::equal(kept.begin(), kept.end(), asked.begin(), asked.end());
    };
    if (!(view == heatmap.view)) return false;
    if (view.field == Field::samples)
        return samples_key == heatmap.samples_key && samples == data.samples.size() && wide == heatmap.wide &&
               high == heatmap.high && above == heatmap.above && below == heatmap.below;
    if (view.field == Field::toeplitz)
        return toeplitz.index == data.toeplitz.index && toeplitz.first == data.toeplitz.first &&
               same(distances, data.toeplitz.values);
    return same(steps, data.steps) && (!view.difference || same(subtracted, data.subtracted));
}

void HeatmapLayer::Drawn::keep(const Heatmap& heatmap) {
    const FieldData& data = heatmap.data;
    view = heatmap.view;
    steps.assign(data.steps.begin(), data.steps.end());
    subtracted.assign(data.subtracted.begin(), data.subtracted.end());
    distances.assign(data.toeplitz.values.begin(), data.toeplitz.values.end());
    toeplitz = {data.toeplitz.index, data.toeplitz.first, {}};
    samples_key = heatmap.samples_key;
    samples = data.samples.size();
    wide = heatmap.wide, high = heatmap.high, above = heatmap.above, below = heatmap.below;
}

HeatmapLayer::Picture HeatmapLayer::draw(std::size_t key, const Heatmap& asked) {
    Heatmap heatmap = asked;
    heatmap.view.width = std::clamp(asked.view.width, 1, largest_size_);
    heatmap.view.height = std::clamp(asked.view.height, 1, largest_size_);
    heatmap.wide = std::min(asked.wide, largest_size_);
    heatmap.high = std::min(asked.high, largest_size_);
    while (slots_.size() <= key)
        slots_.emplace_back().picture =
            gl::Framebuffer(target_ == Target::window ? gl::PixelFormat::window : gl::PixelFormat::rgba8);
    Slot& slot = slots_[key];
    if (!slot.drawn || !slot.drawn->is(heatmap)) {
        const auto first = target_ == Target::window ? gl::FirstRow::top : gl::FirstRow::bottom;
        paint(slot, heatmap, {slot.picture, first}, colours_);
        if (!slot.drawn)
            slot.drawn.emplace(Drawn{});  // clang 14 finds no default constructor of a nested class
        slot.drawn->keep(heatmap);
        slot.version = ++draws_;
    }
    return {&slot.picture, slot.version};
}

Image HeatmapLayer::image(const Heatmap& heatmap) {
    Slot slot;
    gl::Framebuffer target(gl::PixelFormat::rgba8);
    paint(slot, heatmap, {target}, colours_);
    return target.read(gl::FirstRow::top);
}

std::vector<float> HeatmapLayer::values(const Heatmap& heatmap) {
    Slot slot;
    gl::Framebuffer target(gl::PixelFormat::r32f);
    paint(slot, heatmap, {target}, values_);
    return target.read_floats();
}

void HeatmapLayer::upload_turning(Slot& slot, const Heatmap& heatmap, HeatmapProgram& program) {
    const HeatmapView& view = heatmap.view;
    const std::span<const Step> steps = heatmap.data.steps;
    fill_row_bins(view, steps.size(), row_bins_);
    fill_steps(steps, row_bins_, texels_);
    fill_columns(view, static_cast<std::int64_t>(steps.size()), covers_);
    slot.rows.set(row_bins_.rows);
    slot.steps.set(texels_);
    slot.columns.set(covers_.texels);
    program.set_layout(steps.size(), view.layout == PairLayout::interleaved, view.rotary)
        .set_inner_weights(covers_.covers.inner, 0.0)
        .bind_source(slot.steps.texture());
}

void HeatmapLayer::upload_shift(Slot& slot, const Heatmap& heatmap, HeatmapProgram& program) {
    const HeatmapView& view = heatmap.view;
    const std::span<const Step> steps = heatmap.data.steps;
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
    program.set_layout(steps.size(), view.layout == PairLayout::interleaved, view.rotary)
        .set_inner_weights(covers_.covers.inner, inner_row)
        .bind_source(slot.turns.texture());
}

void HeatmapLayer::upload_toeplitz(Slot& slot, const Heatmap& heatmap, HeatmapProgram& program) {
    fill_toeplitz(heatmap.view, heatmap.data.toeplitz, toeplitz_);
    slot.rows.set(toeplitz_.rows);
    slot.columns.set(toeplitz_.columns);
    slot.steps.set(toeplitz_.table);
    program.set_first(toeplitz_.columns_after).bind_source(slot.steps.texture());
}

void HeatmapLayer::upload_samples(Slot& slot, const Heatmap& heatmap, HeatmapProgram& program) {
    const HeatmapView& view = heatmap.view;
    slot.values.set_plane(heatmap.data.samples, view.width);
    const Pixels pixels = pixels_of(heatmap);
    fill_samples(view, view.rows, view.height,
                 {heatmap.above, pixels.height, heatmap.above + pixels.height + heatmap.below}, texels_);
    slot.rows.set(texels_);
    fill_samples(view, view.columns, view.width, {0, pixels.width, pixels.width}, texels_);
    slot.columns.set(texels_);
    program.bind_source(slot.values.texture());
}

// Both blocks in one pass, the second one aside; then it takes its place.
void HeatmapLayer::paint_blocks(HeatmapProgram& program, const HeatmapView& view, gl::Framebuffer& target) {
    const Blocks blocks = block_layout(view);
    glBindFramebuffer(GL_FRAMEBUFFER, both_blocks_.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.texture().name(), 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D,
                           second_block_.texture().name(), 0);
    constexpr GLenum kBoth[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glDrawBuffers(2, kBoth);
    if (blocks.second >
        blocks.width) {  // the gap; cleared with a scissor, it would need a program of the driver's
        glClearColor(0.0F, 0.0F, 0.0F, 0.0F);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    glViewport(0, 0, blocks.width, view.height);
    draw_triangle(program, no_vertices_);
    target.bind();
    if (view.width > 1) second_block_.copy_to(target, blocks.width, blocks.second, 0);
}

// The numbers of both sides, then one picture less the other.
void HeatmapLayer::paint_difference(Slot& slot, const Heatmap& heatmap, Sheet sheet, Programs& programs) {
    const HeatmapView& view = heatmap.view;
    Heatmap side = heatmap;
    side.view.difference = side.view.borders = false;
    paint(slot, side, {of_b_}, values_);
    side.data.steps = heatmap.data.subtracted;
    paint(slot, side, {of_a_}, values_);
    const gl::TargetGuard guard;
    gl::Framebuffer& target = sheet.target;
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
    shown->set_rows(view.height, sheet.first);
    draw_triangle(*shown, no_vertices_);
    if (view.blocks && view.field == Field::components) clear_gap(view);
}

void HeatmapLayer::colour(HeatmapProgram& program, const Slot& slot, const HeatmapView& view) {
    const auto border_alpha = static_cast<float>(view.border >> 24) / 255.0F;
    program.set_colours(rgb_of(view.negative), rgb_of(view.zero), rgb_of(view.positive))
        .set_range(view.range)
        .set_border(rgb_of(view.border), border_alpha * static_cast<float>(border_strength(view)))
        .bind_columns(slot.columns.texture())
        .bind_rows(slot.rows.texture());
}

void HeatmapLayer::paint(Slot& slot, const Heatmap& heatmap, Sheet sheet, Programs& programs) {
    using Shown = HeatmapProgram::Kind;
    const HeatmapView& view = heatmap.view;
    const FieldData& data = heatmap.data;
    if (view.difference && has_pairs(view.field)) return paint_difference(slot, heatmap, sheet, programs);
    const gl::TargetGuard guard;
    gl::Framebuffer& target = sheet.target;
    const Pixels pixels = pixels_of(heatmap);
    target.resize(pixels.width, pixels.height);
    const bool blocks = view.blocks && view.field == Field::components;
    constexpr Shown kShown[] = {Shown::components, Shown::phase, Shown::toeplitz, Shown::shift_blocks,
                                Shown::samples};
    HeatmapProgram* const shown =
        program(programs, blocks ? Shown::blocks : kShown[static_cast<std::size_t>(view.field)]);
    if (shown == nullptr || (has_pairs(view.field) && data.steps.empty()) ||
        (view.field == Field::toeplitz && data.toeplitz.values.empty()) ||
        (view.field == Field::samples && data.samples.empty())) {
        target.bind();
        glClearColor(0.0F, 0.0F, 0.0F, 0.0F);
        glClear(GL_COLOR_BUFFER_BIT);
        return;
    }
    if (blocks) {  // before textures are bound for drawing
        if (second_block_.format() != target.format()) second_block_ = gl::Framebuffer(target.format());
        second_block_.resize(view.width, view.height);  // WebGL: all attachments of one size
    }
    if (view.field == Field::shift_blocks) upload_shift(slot, heatmap, *shown);
    else if (view.field == Field::toeplitz) upload_toeplitz(slot, heatmap, *shown);
    else if (view.field == Field::samples) upload_samples(slot, heatmap, *shown);
    else upload_turning(slot, heatmap, *shown);
    colour(*shown, slot, view);
    shown->set_rows(pixels.height, sheet.first);
    if (blocks) return paint_blocks(*shown, view, target);
    target.bind();
    draw_triangle(*shown, no_vertices_);
}

}  // namespace posiscope::canvas
