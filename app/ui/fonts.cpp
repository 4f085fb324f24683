#include "app/ui/fonts.hpp"

#include "app/ui/assets.hpp"

#include "core/scene/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <imgui.h>
#include <imgui_freetype.h>
#include <imgui_internal.h>

namespace posiscope::ui {
namespace {

constexpr ImWchar kChinese = 0x2e80;  // the first of its characters, radicals

// Below so many pixels the strokes of our faces are thinner than one, and their ink is spread too thin to be seen: they get
// the ink of a whole pixel.
constexpr float kWholeStroke = 19.0F;

// Below so many pixels the two strokes of × run into one another: it is drawn as its two diagonals.
constexpr ImWchar kTimes = 0xd7;
constexpr float kWholeTimes = 13.0F;

void cross(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, ImFontGlyph* glyph) {
    const float density = source->RasterizerDensity * baked->RasterizerDensity;
    const float room = glyph->AdvanceX * density;
    const int side = room < 6.0F ? 3 : room < 8.0F ? 5 : 7;
    const ImFontAtlasRectId place = ImFontAtlasPackAddRect(atlas, side, side);
    if (place == ImFontAtlasRectId_Invalid) return;
    std::array<ImU32, 49> pixels;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            pixels[static_cast<std::size_t>(y * side + x)] =
                x == y || x + y == side - 1 ? IM_COL32_WHITE : IM_COL32_WHITE & ~IM_COL32_A_MASK;
    // In the middle of its room, and as high as the font has it; on whole pixels.
    const auto cells = static_cast<float>(side);
    const float middle = 0.5F * (glyph->Y0 + glyph->Y1) - glyph->Y0;
    ImFontAtlasPackDiscardRect(atlas, glyph->PackId);
    glyph->X0 = std::round(0.5F * (room - cells)) / density;
    glyph->Y0 += std::round(middle * density - 0.5F * cells) / density;
    glyph->X1 = glyph->X0 + cells / density;
    glyph->Y1 = glyph->Y0 + cells / density;
    glyph->PackId = place;
    ImFontAtlasBakedSetFontGlyphBitmap(atlas, baked, source, glyph, ImFontAtlasPackGetRect(atlas, place),
                                       reinterpret_cast<const unsigned char*>(pixels.data()),
                                       ImTextureFormat_RGBA32, 4 * side);
}

bool load_glyph(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void* data, ImWchar character,
                ImFontGlyph* glyph, float* advance) {
    const float pixels = baked->Size * baked->RasterizerDensity;
    source->RasterizerMultiply = std::clamp(kWholeStroke / pixels, 1.0F, 2.2F);
    if (!ImGuiFreeType::GetFontLoader()->FontBakedLoadGlyph(atlas, source, baked, data, character, glyph,
                                                            advance))
        return false;
    if (character == kTimes && pixels < kWholeTimes && glyph != nullptr && glyph->Visible)
        cross(atlas, source, baked, glyph);
    return true;
}

const ImFontLoader& font_loader() {
    static const ImFontLoader loader = [] {
        ImFontLoader made = *ImGuiFreeType::GetFontLoader();
        made.FontBakedLoadGlyph = load_glyph;
        return made;
    }();
    return loader;
}

ImFont* add(ImFontAtlas& atlas, std::string_view bytes, bool merge, float scale = 1.0F,
            const ImWchar* without = nullptr) {
    ImFontConfig config;
    config.MergeMode = merge;
    config.GlyphExcludeRanges = without;
    config.FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;
    // ImGui never writes to font data.
    ImFont* const font = atlas.AddFontFromMemoryTTF(
        const_cast<char*>(bytes.data()), static_cast<int>(bytes.size()), kTextSize * scale, &config);
    // The atlas would copy bytes that it does not own, 4 MB for all faces, so it owns them until here.
    font->Sources.back()->FontDataOwnedByAtlas = false;
    return font;
}

void add_fallbacks(ImFontAtlas& atlas, ImFont& font) {
    for (const FallbackFont& fallback : kFallbackFonts)
        add(atlas, assets::file(fallback.file), true, fallback.scale);
    font.FallbackChar = kBox;
}

ImFont* face(ImFontAtlas& atlas, std::string_view name) {
    ImFont* font = add(atlas, assets::file(name), false);
    add_fallbacks(atlas, *font);
    return font;
}

// The system's is the last of a face, where it has been added.
bool has_system_font(const ImFont& font) { return font.Sources.back()->FontNo == kSystemFontIndex; }

// Merges another font into one that may have been used. The atlas owns the bytes where `own` says so.
void merge(ImFont& font, void* bytes, std::size_t size, float scale, int index, bool own) {
    ImFontConfig config;
    config.MergeMode = true;
    config.DstFont = &font;
    config.FontNo = static_cast<ImU32>(index);
    config.FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;
    // The atlas remembers glyphs as missing, so all are drawn again.
    ImFontAtlasFontDiscardBakes(font.ContainerAtlas, &font, 0);
    // Dear ImGui merges into the last font of its list, whatever DstFont says: make ours the last for this call.
    ImVector<ImFont*>& fonts = font.ContainerAtlas->Fonts;
    ImFont** const place = fonts.find(&font);
    std::swap(*place, fonts.back());
    font.ContainerAtlas->AddFontFromMemoryTTF(bytes, static_cast<int>(size), kTextSize * scale, &config);
    std::swap(*place, fonts.back());
    font.Sources.back()->FontDataOwnedByAtlas = own;
}

void add_system_font(ImFont& font) {
    const std::filesystem::path path = system_font();
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const auto size = file ? static_cast<std::streamsize>(file.tellg()) : std::streamsize{0};
    if (size <= 0) return;
    void* const bytes = ImGui::MemAlloc(static_cast<std::size_t>(size));
    file.seekg(0);
    if (bytes == nullptr || !file.read(static_cast<char*>(bytes), size)) {
        ImGui::MemFree(bytes);
        return;
    }
    merge(font, bytes, static_cast<std::size_t>(size), kFallbackFonts.back().scale, kSystemFontIndex, true);
}

}  // namespace

std::filesystem::path system_font() {
    const char* home = std::getenv("HOME");
    const std::string at_home = home != nullptr ? home : "";
    for (const std::string& folder :
         {std::string("/usr/share/fonts/opentype/noto"), std::string("/usr/share/fonts/noto-cjk"),
          std::string("/usr/share/fonts/google-noto-cjk"), std::string("/usr/local/share/fonts"),
          at_home + "/.local/share/fonts", at_home + "/.fonts", at_home + "/Library/Fonts"}) {
        std::error_code ignored;
        if (std::filesystem::path path = std::filesystem::path(folder) / "NotoSansCJK-Regular.ttc";
            std::filesystem::exists(path, ignored))
            return path;
    }
    return {};
}

Fonts add_fonts(ImFontAtlas& atlas) {
    atlas.SetFontLoader(&font_loader());
    return {face(atlas, kFaceFiles[0]), face(atlas, kFaceFiles[1]), face(atlas, kFaceFiles[2]),
            face(atlas, kFaceFiles[3])};
}

void set_in(Fonts& fonts, ImFontAtlas& atlas, const Typeface& typeface) {
    // The first font of a face has its heights: ours, without a character of its own.
    constexpr std::array<ImWchar, 3> kAll{1, IM_UNICODE_CODEPOINT_MAX, 0};
    ImFont* font = add(atlas, assets::file(kFaceFiles[0]), false, 1.0F, kAll.data());
    add(atlas, typeface.bytes, true, typeface.scale);
    add(atlas, assets::file(kSerif), true);
    add_fallbacks(atlas, *font);
    fonts[static_cast<std::size_t>(Face::text)] = fonts[static_cast<std::size_t>(Face::strong)] = font;
}

bool add_late_font(const Fonts& fonts, std::string_view name) {
    const auto bytes = assets::find(name);
    if (!bytes) return false;
    const float scale = (name == kLateChinese ? kFallbackFonts.back() : kFallbackFonts.front()).scale;
    for (ImFont* font : fonts) merge(*font, const_cast<char*>(bytes->data()), bytes->size(), scale, 0, false);
    return true;
}

std::optional<std::string> missing_glyph(const Fonts& fonts, std::string_view text) {
    ImFont& font = *fonts[static_cast<std::size_t>(Face::text)];
    while (!text.empty()) {
        const std::string_view character = first_character(text);
        text.remove_prefix(character.size());
        const auto code = static_cast<ImWchar>(code_point(character));
        if (font.IsGlyphInFont(code)) continue;
        const std::string_view late = code < kChinese ? kLateSymbols : kLateChinese;
        if (assets::need(late) == assets::Late::coming) return std::nullopt;  // soon it is seen
        if (!has_system_font(font)) add_system_font(font);
        if (!font.IsGlyphInFont(code)) return std::string(character);
    }
    return std::nullopt;
}

}  // namespace posiscope::ui
