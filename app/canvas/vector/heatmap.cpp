// heatmap.cpp — heatmaps in a vector file: core's samples as an image, the borders of large cells as lines.
#include "app/canvas/vector/vector.hpp"
#include "core/fields/fields.hpp"

#include <cairo.h>

namespace posiscope::canvas {
namespace {

double d(float v) { return static_cast<double>(v); }

// One direction of the image: pixels, how many stand for one sample, and what part of the view they reach over
// (in parts of the view's length: beyond 0 and 1 where cut cells are sampled whole).
struct Side {
    int samples = 1;
    int repeat = 1;
    double from = 0.0, to = 1.0;
};

// Whole cells where each is `least` px or more: their edges then lie between pixels, exactly.
Side whole_cells(Range& range, int pixels, double cell, double least) {
    const double px = pixels * cell / range.length();
    if (px < least) return {pixels};
    const double origin = static_cast<double>(range.origin);
    const double first = std::floor((origin + range.first) / cell) * cell - origin,
                 last = std::ceil((origin + range.last) / cell) * cell - origin;
    const Side side{static_cast<int>(std::lround((last - first) / cell)),
                    std::max(1, static_cast<int>(std::lround(px))), (first - range.first) / range.length(),
                    (last - range.first) / range.length()};
    range.first = first;
    range.last = last;
    return side;
}

}  // namespace

void Vector::heatmap(int, Rect rect, const Heatmap& heatmap) {
    HeatmapView view = heatmap.view;
    const FieldData& data = heatmap.data;
    if (view.field != Field::samples) {
        view.width = std::max(1, static_cast<int>(std::lround(rect.width() * scale_)));
        view.height = std::max(1, static_cast<int>(std::lround(rect.height() * scale_)));
    }
    HeatmapView sampled = view;
    Side across{view.width}, down{view.height};
    const bool by_pixel =
        view.field == Field::samples ||
        (view.field == Field::toeplitz && data.toeplitz.index == Toeplitz::Index::by_diagonal);
    if (!by_pixel) {
        down = whole_cells(sampled.rows, view.height, 1.0, 1.0);
        // Components under 2 px per column are laid out by the pixel.
        if (view.field == Field::phase) across = whole_cells(sampled.columns, view.width, 2.0, 1.0);
        else if (!view.blocks)
            across =
                whole_cells(sampled.columns, view.width, 1.0, view.field == Field::components ? 2.0 : 1.0);
    }
    sampled.width = across.samples;
    sampled.height = down.samples;

    const int width = across.samples * across.repeat, height = down.samples * down.repeat;
    cairo_surface_t* image =
        cairo_image_surface_create(view.blocks ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, width, height);
    cairo_surface_flush(image);
    unsigned char* bytes = cairo_image_surface_get_data(image);
    if (bytes == nullptr) throw std::bad_alloc();
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(image));
    const auto row_at = [&](int y) { return bytes + stride * static_cast<std::size_t>(y); };
    FieldSampler sampler(sampled, data);
    std::vector<FieldSampler::Sample> row(static_cast<std::size_t>(sampled.width));
    for (int y = 0; y < sampled.height; ++y) {
        sampler.row(y, row);
        auto* pixel = reinterpret_cast<std::uint32_t*>(row_at(y * down.repeat));
        for (const FieldSampler::Sample& sample : row) {
            const Colour c = heatmap_colour(view, sample);  // 0xAABBGGRR; Cairo's is 0xAARRGGBB
            const std::uint32_t swapped = (c & 0xff00ff00U) | ((c & 0xffU) << 16U) | ((c >> 16U) & 0xffU);
            pixel = std::fill_n(pixel, across.repeat, swapped);
        }
        for (int again = 1; again < down.repeat; ++again)
            std::copy_n(row_at(y * down.repeat), stride, row_at(y * down.repeat + again));
    }
    cairo_surface_mark_dirty(image);

    push_clip(rect);
    const double left = d(rect.x0) + across.from * d(rect.width()),
                 top = d(rect.y0) + down.from * d(rect.height());
    cairo_translate(cairo_, left, top);
    cairo_scale(cairo_, (across.to - across.from) * d(rect.width()) / width,
                (down.to - down.from) * d(rect.height()) / height);
    cairo_set_source_surface(cairo_, image, 0.0, 0.0);
    cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_NEAREST);
    cairo_paint(cairo_);
    pop_clip();
    cairo_surface_destroy(image);
    borders(rect, view);
}

// Between cells of 12 points and more, as the shaders draw them at 1×.
void Vector::borders(Rect rect, const HeatmapView& view) {
    HeatmapView at_1x = view;
    at_1x.width = std::max(1, static_cast<int>(std::lround(rect.width())));
    at_1x.height = std::max(1, static_cast<int>(std::lround(rect.height())));
    const auto strength = static_cast<float>(border_strength(at_1x));
    if (strength <= 0.0F) return;
    const Stroke stroke{ui::faded(view.border, strength * static_cast<float>(view.border >> 24U) / 255.0F),
                        0.75F};
    const auto each = [](const Range& range, double cell, auto draw) {
        const double origin = static_cast<double>(range.origin);
        for (double at = (std::floor((origin + range.first) / cell) + 1.0) * cell - origin;
             at < range.last - 1e-9; at += cell)
            draw(static_cast<float>((at - range.first) / range.length()));
    };
    each(view.rows, 1.0, [&](float part) {
        const float y = rect.y0 + part * rect.height();
        line({rect.x0, y}, {rect.x1, y}, stroke);
    });
    each(view.columns, view.field == Field::phase ? 2.0 : 1.0, [&](float part) {
        const float x = rect.x0 + part * rect.width();
        line({x, rect.y0}, {x, rect.y1}, stroke);
    });
}

}  // namespace posiscope::canvas
