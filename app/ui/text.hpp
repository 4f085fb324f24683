// text.hpp — text on a draw list. ImGui would draw letters of one size as those of the nearest whole size, made smaller, and begin
// them between two pixels: a sign one pixel high could fall between two rows.
#pragma once

#include "app/ui/geometry.hpp"

#include <cstdint>
#include <string_view>

struct ImDrawList;
struct ImFont;

namespace posiscope::ui {

struct TextStart {
    Point baseline;  // its left end
    float size;      // points
    std::uint32_t colour;
    float pixels_per_point;
};

// Each letter as it was rasterised, on whole pixels.
void draw_text(ImDrawList& list, ImFont& font, const TextStart& start, std::string_view text);
// In points.
float text_width(ImFont& font, float size, std::string_view text);

}  // namespace posiscope::ui
