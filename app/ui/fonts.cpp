#include "app/ui/fonts.hpp"

#include "app/ui/assets.hpp"
#include "app/ui/parts/imgui_internals.hpp"
#include "app/ui/system_fonts.hpp"

#include "core/numeric/bits.hpp"
#include "core/scene/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ft2build.h>
#include <imgui.h>
#include <imgui_freetype.h>
#include <memory>
#include <utility>
#include FT_FREETYPE_H

namespace posiscope::ui {
namespace {

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
    std::array<ImU32, 49> pixels;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            pixels[static_cast<std::size_t>(y * side + x)] =
                x == y || x + y == side - 1 ? IM_COL32_WHITE : IM_COL32_WHITE & ~IM_COL32_A_MASK;
    if (!set_bitmap(*atlas, *source, *baked, *glyph, pixels.data(), side)) return;
    // In the middle of its room, and as high as the font has it; on whole pixels.
    const auto cells = static_cast<float>(side);
    const float middle = 0.5F * (glyph->Y0 + glyph->Y1) - glyph->Y0;
    glyph->X0 = std::round(0.5F * (room - cells)) / density;
    glyph->Y0 += std::round(middle * density - 0.5F * cells) / density;
    glyph->X1 = glyph->X0 + cells / density;
    glyph->Y1 = glyph->Y0 + cells / density;
}

// The last bits of a density say on which quarter of a pixel letters begin, or that they are measured.
constexpr std::size_t kMeasured = kQuarters, kKinds = 2 * kQuarters;

// None for letters that ImGui places itself.
std::optional<std::size_t> kind_of(const ImFontBaked& baked) {
    if (baked.RasterizerDensity == baked.ContainerFont->CurrentRasterizerDensity) return std::nullopt;
    return bits_as<std::uint32_t>(baked.RasterizerDensity) % kKinds;
}

bool whole(float density) { return density == std::round(density); }

float density_of_kind(const ImFont& font, float density, std::size_t kind) {
    constexpr std::uint32_t kBits = 2 * kKinds - 1;
    const auto of = [&](std::size_t more) {
        return bits_as<float>((bits_as<std::uint32_t>(density) & ~kBits) | static_cast<std::uint32_t>(more));
    };
    return of(kind) != font.CurrentRasterizerDensity ? of(kind) : of(kind + kKinds);
}

bool load_glyph(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void* data, ImWchar character,
                ImFontGlyph* glyph, float* advance) {
    const float pixels = baked->Size * baked->RasterizerDensity;
    source->RasterizerMultiply = std::clamp(kWholeStroke / pixels, 1.0F, 2.2F);
    // ImGui's loader has its face first in what it keeps of a font.
    FT_Face face = *static_cast<FT_Face*>(source->FontLoaderData);
    const auto kind = kind_of(*baked);
    const bool fractional = !whole(baked->ContainerFont->CurrentRasterizerDensity);
    const bool spaced = kind ? *kind < kQuarters : fractional;
    // ImGui would make whole points of them, which are no whole pixels then.
    source->PixelSnapH = !(spaced && fractional);
    FT_Vector begin{static_cast<FT_Pos>(64 / kQuarters * (kind.value_or(0) % kQuarters)), 0};
    FT_Set_Transform(face, nullptr, &begin);
    if (!load_freetype_glyph(atlas, source, baked, data, character, glyph, advance)) return false;
    if (spaced)
        (advance != nullptr ? *advance : glyph->AdvanceX) =
            static_cast<float>(face->glyph->linearHoriAdvance) / 65536.0F / baked->RasterizerDensity;
    if (character == kTimes && pixels < kWholeTimes && glyph != nullptr && glyph->Visible)
        cross(atlas, source, baked, glyph);
    return true;
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

// Merges another font into one that may have been used. The atlas owns the bytes where `own` says so.
void merge(ImFont& font, void* bytes, std::size_t size, float scale, int index, bool own) {
    ImFontConfig config;
    config.MergeMode = true;
    config.DstFont = &font;
    config.FontNo = static_cast<ImU32>(index);
    config.FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;
    // The atlas remembers glyphs as missing, so all are drawn again.
    forget_glyphs(font);
    // Dear ImGui merges into the last font of its list, whatever DstFont says: make ours the last for this call.
    ImVector<ImFont*>& fonts = font.ContainerAtlas->Fonts;
    ImFont** const place = fonts.find(&font);
    std::swap(*place, fonts.back());
    font.ContainerAtlas->AddFontFromMemoryTTF(bytes, static_cast<int>(size), kTextSize * scale, &config);
    std::swap(*place, fonts.back());
    font.Sources.back()->FontDataOwnedByAtlas = own;
}

// How large a font has to be asked for to suit ours, if it has the character.
std::optional<float> scale_if_it_has(const SystemFont& font, ImWchar character) {
    FT_Library library = nullptr;
    FT_Face face = nullptr;
    if (FT_Init_FreeType(&library) != 0) return std::nullopt;
    std::optional<float> scale;
    if (FT_New_Face(library, font.file.string().c_str(), font.face, &face) == 0 &&
        FT_Get_Char_Index(face, character) != 0 && face->units_per_EM > 0)
        scale = beside_latin(face->ascender, face->descender, face->units_per_EM);
    FT_Done_FreeType(library);  // and its faces
    return scale;
}

void add_system_font(ImFont& font, const SystemFont& from, float scale) {
    std::ifstream file(from.file, std::ios::binary | std::ios::ate);
    const auto size = file ? static_cast<std::streamsize>(file.tellg()) : std::streamsize{0};
    if (size <= 0) return;
    void* const bytes = ImGui::MemAlloc(static_cast<std::size_t>(size));
    file.seekg(0);
    if (bytes == nullptr || !file.read(static_cast<char*>(bytes), size)) {
        ImGui::MemFree(bytes);
        return;
    }
    merge(font, bytes, static_cast<std::size_t>(size), scale, from.face, true);
}

// Each is read at most once: what it has is no longer asked for.
bool add_what_has(ImFont& font, ImWchar character) {
    for (const SystemFont& one : system_fonts())
        if (const auto scale = scale_if_it_has(one, character)) {
            add_system_font(font, one, *scale);
            return font.IsGlyphInFont(character);
        }
    return false;
}

// A folder below that of an environment variable.
std::filesystem::path below(const char* variable, const char* folder) {
    const char* const from = std::getenv(variable);
    return from != nullptr && *from != '\0' ? std::filesystem::path(from) / folder : std::filesystem::path();
}

// The first folder that has it.
std::filesystem::path find_font(const char* name) {
    for (const std::filesystem::path& folder :
         {std::filesystem::path("/usr/share/fonts/opentype/noto"),
          std::filesystem::path("/usr/share/fonts/noto-cjk"),
          std::filesystem::path("/usr/share/fonts/google-noto-cjk"),
          std::filesystem::path("/usr/local/share/fonts"), below("HOME", ".local/share/fonts"),
          below("HOME", ".fonts"), below("HOME", "Library/Fonts"), below("WINDIR", "Fonts"),
          below("LOCALAPPDATA", "Microsoft/Windows/Fonts")})
        if (std::error_code ignored; !folder.empty() && std::filesystem::exists(folder / name, ignored))
            return folder / name;
    return {};
}

}  // namespace

std::filesystem::path system_font() { return find_font("NotoSansCJK-Regular.ttc"); }

// Windows 10 has YaHei, SimSun and its extension for Chinese, JhengHei for Hong Kong's, Yu Gothic and MS Gothic for Japanese,
// Malgun Gothic for Korean, Segoe for other scripts and for signs.
std::vector<SystemFont> system_fonts() {
    std::vector<SystemFont> found;
    if (auto noto = system_font(); !noto.empty()) found.push_back({std::move(noto), kSystemFontIndex});
    for (const char* name : {"msyh.ttc", "simsun.ttc", "simsunb.ttf", "msjh.ttc", "YuGothR.ttc",
                             "msgothic.ttc", "malgun.ttf", "segoeui.ttf", "seguisym.ttf"})
        if (auto file = find_font(name); !file.empty()) found.push_back({std::move(file), 0});
    return found;
}

float density_of_quarter(const ImFont& font, float density, std::size_t quarter) {
    return density_of_kind(font, density, quarter);
}

float density_of_measure(const ImFont& font) {
    const float density = font.CurrentRasterizerDensity;
    return whole(density) ? density : density_of_kind(font, density, kMeasured);
}

Fonts add_fonts(ImFontAtlas& atlas) {
    static const std::shared_ptr<const ImFontLoader> loader = freetype_loader(load_glyph);
    atlas.SetFontLoader(loader.get());
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
        if (!add_what_has(font, code)) return std::string(character);
    }
    return std::nullopt;
}

}  // namespace posiscope::ui
