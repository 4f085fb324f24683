// fonts.hpp — the faces, embedded in the program. Each falls back to the symbol and Chinese fonts, so that every text
// can contain every character. A glyph is rasterised at its first use, at the size in use.
// FreeType rasterises with light hinting, which keeps the weight of small Latin and Chinese text.
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

// Points from the ascent to the descent, as ImGui counts: 1.17 times the em.
inline constexpr float kTextSize = 15.5F;
inline constexpr float kSmallSize = 13.5F;
inline constexpr float kFormulaSize = 17.5F;

// The files, by Face, and the fallbacks for characters that a face lacks, in this order. Symbols before Chinese:
// Noto CJK draws ‖ · √ as wide as a Chinese character.
inline constexpr std::array<std::string_view, 4> kFaceFiles = {
    "fonts/text.ttf", "fonts/strong.ttf", "fonts/formula.ttf", "fonts/formula_upright.ttf"};
inline constexpr std::string_view kSerif = kFaceFiles[3];
struct FallbackFont {
    std::string_view file;
    float scale;
};
// ImGui scales a font so that ascent plus descent is the requested size. That sum is 1.448 em in Noto CJK and 1.172 em
// in Roboto: at the same size, Chinese would be a fifth too small next to Latin.
inline constexpr std::array<FallbackFont, 2> kFallbackFonts = {
    {{"fonts/symbols.ttf", 1.0F}, {"fonts/cjk.otf", 1.448F / 1.172F}}};

// The system's Noto Sans CJK with all its characters; empty if it is not installed.
std::filesystem::path system_font();
inline constexpr int kSystemFontIndex = 2;  // the collection's simplified face
// All that we have of each, where the program itself has only the characters that it writes in English (a page).
inline constexpr std::string_view kLateChinese = "fonts/chinese.otf", kLateSymbols = "fonts/all_symbols.ttf";
inline constexpr char32_t kChinese = 0x2e80;  // the first of its characters, radicals
inline constexpr char32_t kBox = 0x25a1;      // □ for a character that no font has

// A letter may begin on each quarter of a pixel. ImGui keeps letters apart by size and density: those of a quarter have this
// density, which differs from the one asked for, and from the screen's, in bits that change no pixel. Their advances are the
// face's own; and so are those of ImGui's words where a point has no whole number of pixels: a space of whole points is too narrow
// there.
inline constexpr std::size_t kQuarters = 4;
float density_of_quarter(const ImFont& font, float density, std::size_t quarter);
// By whose advances, in whole points, our own words are measured.
float density_of_measure(const ImFont& font);

Fonts add_fonts(ImFontAtlas& atlas);

// A face of the user's for words and numbers, at the size that ours has; formulas keep theirs.
struct Typeface {
    std::string bytes;   // of a TrueType or OpenType file
    float scale = 1.0F;  // that makes its em as large as ours
};
// Before the first frame; the face must outlive the atlas.
void set_in(Fonts& fonts, ImFontAtlas& atlas, const Typeface& typeface);

// Gives every face one of the late fonts, between two frames. False: it is not there yet (assets.hpp).
bool add_late_font(const Fonts& fonts, std::string_view name);

// The first character of a text that no font has, not even the system's Noto Sans CJK (fonts-noto-cjk), which is read at
// its first use. A box is drawn instead. The system font only affects later drawing in Face::text: call this when a frame
// is complete.
std::optional<std::string> missing_glyph(const Fonts& fonts, std::string_view text);

}  // namespace posiscope::ui
