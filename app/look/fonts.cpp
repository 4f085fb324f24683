#include "app/look/fonts.hpp"

#include "app/look/assets.hpp"

#include <imgui.h>
#include <imgui_freetype.h>
#include <string_view>

namespace posiscope::look {
namespace {

// ImGui makes a font's ascent and descent together as large as it was asked for. Noto CJK's are 1.448 of its
// square, Roboto's 1.172: asked for the same, Chinese would come out a fifth too small beside Latin.
constexpr float kChineseScale = 1.448F / 1.172F;

ImFont* add(ImFontAtlas& atlas, std::string_view name, bool merge, float scale = 1.0F) {
    const std::string_view bytes = assets::file(name);
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.MergeMode = merge;
    config.FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;
    // ImGui never writes to font data it does not own.
    return atlas.AddFontFromMemoryTTF(const_cast<char*>(bytes.data()), static_cast<int>(bytes.size()),
                                      kTextSize * scale, &config);
}

ImFont* face(ImFontAtlas& atlas, std::string_view name) {
    ImFont* font = add(atlas, name, false);
    // Symbols before Chinese: Noto CJK draws ‖ · √ as wide as a Chinese character.
    add(atlas, "fonts/symbols.ttf", true);
    add(atlas, "fonts/cjk.otf", true, kChineseScale);
    return font;
}

}  // namespace

Fonts add_fonts(ImFontAtlas& atlas) {
    return {face(atlas, "fonts/text.ttf"), face(atlas, "fonts/strong.ttf"), face(atlas, "fonts/formula.ttf"),
            face(atlas, "fonts/formula_upright.ttf")};
}

}  // namespace posiscope::look
