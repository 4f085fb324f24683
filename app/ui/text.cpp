#include "app/ui/text.hpp"

#include "app/ui/fonts.hpp"
#include "app/ui/parts/imgui_internals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <imgui.h>

namespace posiscope::ui {
namespace {

// ImGui cuts the height of letters to 1/64 of a pixel: a product such as 648 is never 647.9999, and one height for all quarters.
constexpr float kNotCut = 1.00001F;

template <class Take>
void each(std::string_view text, Take&& take) {
    for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
        unsigned character = static_cast<unsigned char>(*at);
        at += character < 0x80 ? 1 : decode_utf8(character, at, end);
        take(static_cast<ImWchar>(character));
    }
}

}  // namespace

float text_width(ImFont& font, float size, std::string_view text) {
    ImFontBaked& measured = *font.GetFontBaked(size, density_of_measure(font));
    const float scale = size / measured.Size;
    float width = 0.0F;
    each(text, [&](ImWchar character) { width += measured.GetCharAdvance(character) * scale; });
    return width;
}

void draw_text(ImDrawList& list, ImFont& font, const TextStart& start, std::string_view text) {
    // The whole is as wide as it is measured, in the nearest whole size. Letters of the size itself stand as far apart as their face
    // has them; the rest of the width goes between words.
    ImFontBaked& measured = *font.GetFontBaked(start.size, density_of_measure(font));
    const float density = start.size / measured.Size * measured.RasterizerDensity * kNotCut;
    std::array<ImFontBaked*, kQuarters> of_quarter;
    for (std::size_t i = 0; i < of_quarter.size(); ++i)
        of_quarter[i] = font.GetFontBaked(start.size, density_of_quarter(font, density, i));
    float width = 0.0F, own = 0.0F, spaces = 0.0F;
    each(text, [&](ImWchar character) {
        width += measured.GetCharAdvance(character);
        own += of_quarter[0]->GetCharAdvance(character);
        spaces += character == ' ' ? 1.0F : 0.0F;
    });
    if (own == 0.0F) return;
    const float most = 0.5F * of_quarter[0]->GetCharAdvance(' '),
                between =
                    std::clamp((width - own) / std::max(spaces, 1.0F), 0.0F, spaces > 0.0F ? most : 0.0F),
                spread = (width - between * spaces) / own;
    const float scale = start.pixels_per_point, pixels = start.size / measured.Size * scale;
    const auto each_letter = [&](auto&& take) {
        float pen = std::round(start.baseline.x * scale);
        each(text, [&](ImWchar character) {
            // Chinese is wide enough for whole pixels, and has many characters.
            const float step = character < kChinese ? 1.0F / kQuarters : 1.0F;
            const float left = std::round(pen / step) * step, whole = std::floor(left);
            take(whole,
                 *of_quarter[static_cast<std::size_t>((left - whole) * kQuarters)]->FindGlyph(character));
            const float advance = of_quarter[0]->GetCharAdvance(character) * spread;
            pen += (character == ' ' ? advance + between : advance) * pixels;
        });
    };
    // First all of them: one that is not in the atlas yet may make it larger, and move those that are.
    int count = 0;
    each_letter([&](float, const ImFontGlyph& glyph) { count += glyph.Visible ? 1 : 0; });
    if (count == 0) return;

    const float base = std::round(start.baseline.y * scale);
    const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
    list.PrimReserve(6 * count, 4 * count);
    int drawn = 0;
    each_letter([&](float pen, const ImFontGlyph& glyph) {
        const float left = pen + std::round(glyph.X0 * density),
                    top = base + std::round((glyph.Y0 - of_quarter[0]->Ascent) * density);
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
