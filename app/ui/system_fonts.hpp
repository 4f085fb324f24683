// system_fonts.hpp — the system's own fonts, for characters that ours lack: where they lie, and how large they have to be.
// The system's Noto Sans CJK is read only when a character needs it: our subset has the 3755 most common ones, the full
// font is 19 MB.
#pragma once

#include <filesystem>
#include <vector>

namespace posiscope::ui {

struct SystemFont {
    std::filesystem::path file;
    int face = 0;  // of a collection
};

// The system's fonts that are there, in the order in which they are asked.
std::vector<SystemFont> system_fonts();

// The factor of its size beside Roboto, whose height from the descent to the ascent is 1.172 em (fonts.hpp).
constexpr float beside_latin(int ascent, int descent, int em) {
    return static_cast<float>(ascent - descent) / static_cast<float>(em) / 1.172F;
}

}  // namespace posiscope::ui
