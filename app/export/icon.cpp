#include "app/export/icon.hpp"

#include "app/export/vector.hpp"
#include "app/ui/theme.hpp"

#include <algorithm>
#include <array>
#include <cairo.h>
#include <new>

namespace posiscope::exporting {
namespace {

// Drawn this small, the strokes of a clock are as wide as an icon of 16 pixels needs them.
constexpr float kSide = 24.0F;

void draw(canvas::Canvas& canvas) {
    const ui::Theme& theme = ui::theme("dark");
    canvas.fill({0.5F, 0.5F, kSide - 0.5F, kSide - 0.5F}, theme.tile, 5.0F);
    // ω = 1 at p = 1 and k = 1: one radian each.
    constexpr float radian = 0.15915494F;
    const std::array clocks = {canvas::Clock{.x = kSide / 2.0F,
                                             .y = kSide / 2.0F,
                                             .radius = 9.2F,
                                             .angle_p = radian,
                                             .turned_k = radian,
                                             .ring_colour = ui::pair_colour(theme, 0.5)}};
    canvas.clocks(clocks, {.ink = theme.ink, .offset = theme.offset, .mark = theme.ink});
}

}  // namespace

std::string icon_svg() {
    constexpr double shown = 128.0;
    VectorPage page({.format = VectorFormat::svg,
                     .width = shown,
                     .height = shown,
                     .scale = shown / static_cast<double>(kSide),
                     .title = "Posiscope"});
    draw(page.canvas());
    return page.finish();
}

Image icon(int pixels) {
    cairo_surface_t* const surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, pixels, pixels);
    cairo_t* const cairo = cairo_create(surface);
    const double scale = static_cast<double>(pixels) / static_cast<double>(kSide);
    cairo_scale(cairo, scale, scale);
    {
        canvas::Typefaces typefaces;
        canvas::Vector canvas(cairo, typefaces, static_cast<float>(scale));
        draw(canvas);
        canvas.flush();
    }
    cairo_surface_flush(surface);
    const bool drawn = cairo_status(cairo) == CAIRO_STATUS_SUCCESS;
    Image image{pixels, pixels, {}};
    if (drawn) {
        const auto side = static_cast<std::size_t>(pixels);
        const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface));
        const unsigned char* const from = cairo_image_surface_get_data(surface);
        image.rgba.resize(4 * side * side);
        for (std::size_t y = 0; y < side; ++y)
            for (std::size_t x = 0; x < side; ++x) {
                std::uint32_t argb = 0;
                std::copy_n(from + y * stride + 4 * x, 4, reinterpret_cast<unsigned char*>(&argb));
                const std::uint32_t alpha = argb >> 24U;
                std::uint8_t* const to = image.rgba.data() + 4 * (y * side + x);
                for (const unsigned shift : {16U, 8U, 0U})  // Cairo's are premultiplied
                    to[2U - shift / 8U] = static_cast<std::uint8_t>(
                        alpha == 0 ? 0
                                   : std::min(255U, (((argb >> shift) & 255U) * 255U + alpha / 2U) / alpha));
                to[3] = static_cast<std::uint8_t>(alpha);
            }
    }
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    if (!drawn) throw std::bad_alloc();
    return image;
}

}  // namespace posiscope::exporting
