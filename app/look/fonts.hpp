// fonts.hpp — the faces, read from the program itself. Each is followed by the Chinese and the symbol fonts, so
// that every text can hold every character; a glyph is drawn when it is first used, at the size it is used at.
#pragma once

#include <array>

struct ImFont;
struct ImFontAtlas;

namespace posiscope::look {

enum class Face { text, strong, formula, upright };  // interface, headlines, variables, digits of a formula

using Fonts = std::array<ImFont*, 4>;  // by Face

// Points from the ascent to the descent, as ImGui counts: 1.17 times what a typesetter calls the size.
inline constexpr float kTextSize = 15.5F;
inline constexpr float kSmallSize = 13.5F;
inline constexpr float kFormulaSize = 17.5F;

Fonts add_fonts(ImFontAtlas& atlas);

}  // namespace posiscope::look
