// typeface.hpp — the embedded fonts in FreeType and Cairo, for text in files: the font, glyph and width of a character.
// Sizes mean the same as on the screen (fonts.hpp).
// `render --font` names a file of the user's, since papers have many families; `serif` is the upright face of our formulas.
#pragma once

#include "app/ui/fonts.hpp"
#include "core/problem.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

struct _cairo_font_face;  // NOLINT(bugprone-reserved-identifier): Cairo's name
using cairo_font_face_t = _cairo_font_face;

namespace posiscope::canvas {

// "serif", ours, or a file: refused unless FreeType reads it and it has Latin letters and digits.
Result<std::shared_ptr<const ui::Typeface>> read_typeface(const std::string& name);

class Typefaces {
public:
    // `own` in place of the faces for words and numbers.
    explicit Typefaces(std::shared_ptr<const ui::Typeface> own = nullptr);
    ~Typefaces();
    Typefaces(const Typefaces&) = delete;
    Typefaces& operator=(const Typefaces&) = delete;

    struct Glyph {
        int font = 0;  // which of the fonts; a run of text in one font is set at once
        unsigned long index = 0;
        float advance = 0.0F;  // at size 1
    };
    // From the face's own font if that has the character, else the symbols', the Chinese one, the system's; else a box.
    Glyph glyph(ui::Face face, char32_t character);
    float width(ui::Face face, std::string_view text);  // at size 1

    cairo_font_face_t* cairo_face(int font) const;
    float em(int font) const;  // the typesetter's size at size 1

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace posiscope::canvas
