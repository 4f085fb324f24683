#include "app/ui/text.hpp"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <imgui_internal.h>

namespace posiscope::ui {

namespace {

// The letters of a size that need not be whole, as they are rasterised: of the size itself, where ImGui would take those of the
// nearest whole one and make them smaller. Their advances are whole pixels, so that the room between two of them is the same
// wherever they stand.
ImFontBaked& letters_of(ImFont& font, float size) {
    return *font.GetFontBaked(size, size / ImGui::GetRoundedFontSize(size) * font.CurrentRasterizerDensity);
}

void each_character(std::string_view text, auto&& take) {
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at < end;) {
        unsigned character = 0;
        at += std::max(1, ImTextCharFromUtf8(&character, at, end));
        take(static_cast<ImWchar>(character));
    }
}

}  // namespace

float text_width(ImFont& font, float size, std::string_view text) {
    ImFontBaked& letters = letters_of(font, size);
    float pixels = 0.0F;
    each_character(text, [&](ImWchar character) {
        pixels += std::round(letters.GetCharAdvance(character) * letters.RasterizerDensity);
    });
    return pixels / font.CurrentRasterizerDensity;
}

void draw_text(ImDrawList& list, ImFont& font, const TextStart& start, std::string_view text) {
    ImFontBaked& letters = letters_of(font, start.size);
    // First all of them: one that is not in the atlas yet may make it larger, and move those that are.
    int count = 0;
    each_character(text, [&](ImWchar character) { count += letters.FindGlyph(character)->Visible ? 1 : 0; });
    if (count == 0) return;

    const float scale = start.pixels_per_point, density = letters.RasterizerDensity;
    const float base = std::round(start.baseline.y * scale);
    const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
    list.PrimReserve(6 * count, 4 * count);
    int drawn = 0;
    float pen = std::round(start.baseline.x * scale);
    each_character(text, [&](ImWchar character) {
        const ImFontGlyph& glyph = *letters.FindGlyph(character);
        const float left = pen + std::round(glyph.X0 * density),
                    top = base + std::round((glyph.Y0 - letters.Ascent) * density);
        pen += std::round(glyph.AdvanceX * density);
        if (!glyph.Visible) return;
        const ImVec2 a{left / scale, top / scale},
            b{(left + std::round((glyph.X1 - glyph.X0) * density)) / scale,
              (top + std::round((glyph.Y1 - glyph.Y0) * density)) / scale};
        if (b.x <= low.x || a.x >= high.x || b.y <= low.y || a.y >= high.y) return;
        list.PrimRectUV(a, b, {glyph.U0, glyph.V0}, {glyph.U1, glyph.V1}, start.colour);
        ++drawn;
    });
    list.PrimUnreserve(6 * (count - drawn), 4 * (count - drawn));
}

}  // namespace posiscope::ui
