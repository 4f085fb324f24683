// fonts.hpp — the faces, read from the program itself. Each is followed by the Chinese and the symbol fonts, so
// that every text can hold every character; a glyph is drawn when it is first used, at the size it is used at.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

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

// The first character of a text that none of our fonts has, once the system's Noto Sans CJK (fonts-noto-cjk) was
// asked, which is read when it is first needed. A box is drawn in its place. Only what is drawn from now on, in
// Face::text, is drawn with that font: call it when a frame is complete.
std::optional<std::string> missing_glyph(const Fonts& fonts, std::string_view text);

}  // namespace posiscope::look
