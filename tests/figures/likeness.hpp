// likeness.hpp — whether two pictures show the same: what a rasteriser's next version may do passes, what a person could
// see does not. A channel may be off by kLevels of 255 everywhere, and so many pixels a million by more: strays on edges.
#pragma once

#include "app/ui/image.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>

namespace posiscope::test {

inline constexpr int kLevels = 3;                      // 1.2 %: a colour that is 2 % off is off by 5
inline constexpr std::size_t kStraysPerMillion = 150;  // of 480 × 360 pixels 25; a letter has more

struct Likeness {
    std::size_t strays = 0;  // pixels off by more than kLevels
    int most = 0;            // levels
    bool alike = false;
};
Likeness likeness(const Image& one, const Image& other);

// What differs, as a person finds it: the picture faded, the strays in red.
Image difference(const Image& one, const Image& other);

// Nothing where there is no such file; throws where it is no PNG.
std::optional<Image> read_picture(const std::filesystem::path& path);

}  // namespace posiscope::test
