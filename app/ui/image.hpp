// image.hpp — a picture in memory: red, green, blue, alpha, 8 bits each, the top row first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace posiscope {

struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;

    bool operator==(const Image&) const = default;
    const std::uint8_t* pixel(int x, int y) const {
        return rgba.data() + 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                  static_cast<std::size_t>(x));
    }
};

}  // namespace posiscope
