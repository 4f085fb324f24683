#include "tests/figures/likeness.hpp"

#include <png.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace posiscope::test {
namespace {

int off_by(const std::uint8_t* p, const std::uint8_t* q) {
    int most = 0;
    for (int channel = 0; channel < 4; ++channel) most = std::max(most, std::abs(p[channel] - q[channel]));
    return most;
}

bool same_size(const Image& one, const Image& other) {
    return one.width == other.width && one.height == other.height;
}

}  // namespace

Likeness likeness(const Image& one, const Image& other) {
    if (!same_size(one, other)) return {one.rgba.size() / 4, 255, false};
    Likeness found;
    for (int y = 0; y < one.height; ++y)
        for (int x = 0; x < one.width; ++x) {
            const int off = off_by(one.pixel(x, y), other.pixel(x, y));
            found.most = std::max(found.most, off);
            if (off > kLevels) ++found.strays;
        }
    found.alike = found.strays * 1000000 <= kStraysPerMillion * (one.rgba.size() / 4);
    return found;
}

Image difference(const Image& one, const Image& other) {
    Image made = one;
    if (!same_size(one, other)) return made;
    for (std::size_t at = 0; at < made.rgba.size(); at += 4) {
        const bool stray = off_by(&one.rgba[at], &other.rgba[at]) > kLevels;
        for (std::size_t channel = 0; channel < 3; ++channel)
            made.rgba[at + channel] = stray ? (channel == 0 ? 255 : 0)
                                            : static_cast<std::uint8_t>(170 + made.rgba[at + channel] / 3);
    }
    return made;
}

std::optional<Image> read_picture(const std::filesystem::path& path) {
    if (!std::filesystem::exists(path)) return {};
    png_image head{};
    head.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&head, path.c_str()) == 0)
        throw std::runtime_error(path.string() + ": " + head.message);
    head.format = PNG_FORMAT_RGBA;
    Image image{static_cast<int>(head.width), static_cast<int>(head.height), {}};
    image.rgba.resize(PNG_IMAGE_SIZE(head));
    if (png_image_finish_read(&head, nullptr, image.rgba.data(), 0, nullptr) == 0)
        throw std::runtime_error(path.string() + ": " + head.message);
    return image;
}

}  // namespace posiscope::test
