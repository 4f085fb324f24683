#include "app/export/png.hpp"

#include <cmath>
#include <csetjmp>
#include <memory>
#include <png.h>
#include <stdexcept>
#include <vector>

namespace posiscope::exporting {
namespace {

struct Writer {
    png_structp png = nullptr;
    png_infop info = nullptr;
    ~Writer() { png_destroy_write_struct(&png, &info); }
};

void append(png_structp png, png_bytep data, std::size_t size) {
    static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(data), size);
}

}  // namespace

std::string png(const gl::Image& image, double pixels_per_point) {
    std::string bytes;
    Writer w;
    w.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    w.info = png_create_info_struct(w.png);
    // libpng's errors jump here. Into memory and with our own sizes there are none but bugs.
    if (setjmp(png_jmpbuf(w.png)) != 0) throw std::logic_error("libpng refused a picture");
    png_set_write_fn(w.png, &bytes, append, nullptr);
    png_set_IHDR(w.png, w.info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height),
                 8, PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(w.png, w.info, PNG_sRGB_INTENT_PERCEPTUAL);
    const auto per_metre = static_cast<png_uint_32>(std::lround(96.0 * pixels_per_point / 0.0254));
    png_set_pHYs(w.png, w.info, per_metre, per_metre, PNG_RESOLUTION_METER);
    // Flat surfaces and thin lines: the fastest level packs them as well as the slow ones do.
    png_set_compression_level(w.png, 3);
    png_set_filter(w.png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
    png_write_info(w.png, w.info);
    for (int y = 0; y < image.height; ++y) png_write_row(w.png, image.pixel(0, y));
    png_write_end(w.png, w.info);
    return bytes;
}

}  // namespace posiscope::exporting
