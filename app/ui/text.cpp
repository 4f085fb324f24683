#include "app/ui/text.hpp"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <imgui_internal.h>

namespace posiscope::ui {

void draw_text(ImDrawList& list, ImFont& font, const TextStart& start, std::string_view text) {
    const char* const end = text.data() + text.size();
    const auto each = [&](auto&& take) {
        for (const char* at = text.data(); at < end;) {
            unsigned character = 0;
            at += std::max(1, ImTextCharFromUtf8(&character, at, end));
            take(static_cast<ImWchar>(character));
        }
    };
    // The widths of the nearest whole size, as ImGui measures; the letters of the size itself.
    ImFontBaked& widths = *font.GetFontBaked(start.size);
    ImFontBaked& baked = *font.GetFontBaked(start.size, start.size / widths.Size * widths.RasterizerDensity);
    // First all of them: one that is not in the atlas yet may make it larger, and move those that are.
    int count = 0;
    each([&](ImWchar character) {
        (void)widths.GetCharAdvance(character);
        count += baked.FindGlyph(character)->Visible ? 1 : 0;
    });
    if (count == 0) return;

    const float scale = start.pixels_per_point, density = baked.RasterizerDensity;
    const float advance = start.size / widths.Size * scale;
    const float base = std::round(start.baseline.y * scale);
    const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
    list.PrimReserve(6 * count, 4 * count);
    // A word begins rather too far right than too far left, and its letters the other way: the space keeps its width.
    constexpr float kWord = 0.75F, kLetter = 0.35F;
    int drawn = 0;
    float pen = std::round(start.baseline.x * scale);
    bool in_word = false;
    each([&](ImWchar character) {
        const ImFontGlyph& glyph = *baked.FindGlyph(character);
        const float left = std::floor(pen + (in_word ? kLetter : kWord)) + std::round(glyph.X0 * density),
                    top = base + std::round((glyph.Y0 - baked.Ascent) * density);
        pen += widths.GetCharAdvance(character) * advance;
        in_word = glyph.Visible;
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
