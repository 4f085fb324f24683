// fonts.hpp — the faces, read from the program itself. Each is followed by the Chinese and the symbol fonts, so
// that every text can hold every character; a glyph is drawn when it is first used, at the size it is used at.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

struct ImFont;
struct ImFontAtlas;

namespace posiscope::ui {

enum class Face { text, strong, formula, upright };  // interface, headlines, variables, digits of a formula

using Fonts = std::array<ImFont*, 4>;  // by Face

// Points from the ascent to the descent, as ImGui counts: 1.17 times what a typesetter calls the size.
inline constexpr float kTextSize = 15.5F;
inline constexpr float kSmallSize = 13.5F;
inline constexpr float kFormulaSize = 17.5F;

// The files, by Face; and what stands in for a character that a face lacks, in this order. Symbols before Chinese:
// Noto CJK draws ‖ · √ as wide as a Chinese character.
inline constexpr std::array<std::string_view, 4> kFaceFiles = {
    "fonts/text.ttf", "fonts/strong.ttf", "fonts/formula.ttf", "fonts/formula_upright.ttf"};
struct FallbackFont {
    std::string_view file;
    float scale;
};
// A font's ascent and descent together are as large as it was asked for. Noto CJK's are 1.448 of its square,
// Roboto's 1.172: asked for the same, Chinese would come out a fifth too small beside Latin.
inline constexpr std::array<FallbackFont, 2> kFallbackFonts = {
    {{"fonts/symbols.ttf", 1.0F}, {"fonts/cjk.otf", 1.448F / 1.172F}}};

// The system's Noto Sans CJK with every character there is, as large as our own; empty where it is not installed.
std::filesystem::path system_font();
inline constexpr int kSystemFontIndex = 2;  // the collection's simplified face
inline constexpr char32_t kBox = 0x25a1;    // □ for a character that no font has

Fonts add_fonts(ImFontAtlas& atlas);

// The first character of a text that none of our fonts has, once the system's Noto Sans CJK (fonts-noto-cjk) was
// asked, which is read when it is first needed. A box is drawn in its place. Only what is drawn from now on, in
// Face::text, is drawn with that font: call it when a frame is complete.
std::optional<std::string> missing_glyph(const Fonts& fonts, std::string_view text);

}  // namespace posiscope::ui
