#include "app/canvas/vector/typeface.hpp"

#include "app/ui/assets.hpp"
#include "app/ui/system_fonts.hpp"
#include "core/formats/file.hpp"
#include "core/scene/words.hpp"

#include <array>
#include <cairo-ft.h>
#include <ft2build.h>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>
#include FT_FREETYPE_H

namespace posiscope::canvas {
namespace {

constexpr std::size_t kFaces = ui::kFaceFiles.size(), kSystem = kFaces + ui::kFallbackFonts.size();

struct Font {
    FT_Face face = nullptr;
    cairo_font_face_t* cairo = nullptr;
    float em = 1.0F;
};

// Cairo caches a font after we release it, and FreeType's face must live as long, so each has its own library.
struct Held {
    FT_Face face = nullptr;
    std::shared_ptr<const ui::Typeface> bytes;  // of a face that is not ours
};
void release(FT_Face face) {
    FT_Library library = face->glyph->library;
    FT_Done_Face(face);
    FT_Done_FreeType(library);
}
void done_with(void* held) {
    release(static_cast<Held*>(held)->face);
    delete static_cast<Held*>(held);
}

Font prepared(FT_Face face, float scale, std::shared_ptr<const ui::Typeface> bytes = nullptr) {
    Font font;
    font.face = face;
    font.cairo = cairo_ft_font_face_create_for_ft_face(font.face, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP);
    static const cairo_user_data_key_t key{};
    cairo_font_face_set_user_data(font.cairo, &key, new Held{face, std::move(bytes)}, done_with);
    // A size is from the ascent to the descent, as on the screen.
    font.em = scale * static_cast<float>(font.face->units_per_EM) /
              static_cast<float>(font.face->ascender - font.face->descender);
    return font;
}

FT_Library library() {
    FT_Library made = nullptr;
    if (FT_Init_FreeType(&made) != 0) throw std::bad_alloc();
    return made;
}

// Null where they are no font.
FT_Face opened(std::string_view bytes) {
    FT_Library made = library();
    FT_Face face = nullptr;
    if (FT_New_Memory_Face(made, reinterpret_cast<const FT_Byte*>(bytes.data()),
                           static_cast<FT_Long>(bytes.size()), 0, &face) == 0)
        return face;
    FT_Done_FreeType(made);
    return nullptr;
}

Font embedded(std::string_view name, float scale) {
    FT_Face face = opened(assets::file(name));
    if (face == nullptr) throw std::logic_error("FreeType refused a font of ours");
    return prepared(face, scale);
}

// From the ascent to the descent, in ems.
float height(FT_Face face) {
    return static_cast<float>(face->ascender - face->descender) / static_cast<float>(face->units_per_EM);
}

// Empty where the file is not a font that can be scaled.
Font of_the_system(const ui::SystemFont& font) {
    FT_Library made = library();
    FT_Face face = nullptr;
    if (FT_New_Face(made, font.file.string().c_str(), font.face, &face) == 0 && face->units_per_EM > 0)
        return prepared(face, ui::beside_latin(face->ascender, face->descender, face->units_per_EM));
    FT_Done_FreeType(made);
    return {};
}

}  // namespace

Result<std::shared_ptr<const ui::Typeface>> read_typeface(const std::string& name) {
    constexpr std::uint64_t kMostBytes = 64U << 20U;
    auto made = std::make_shared<ui::Typeface>();
    if (name == "serif") {
        made->bytes = assets::file(ui::kSerif);
    } else {
        auto bytes = read_file(name, kMostBytes);
        if (!bytes) return tl::unexpected(bytes.error());
        made->bytes = std::move(*bytes);
    }
    FT_Face face = opened(made->bytes);
    bool good =
        face != nullptr && FT_IS_SCALABLE(face) && face->units_per_EM > 0 && face->ascender > face->descender;
    for (const char letter : std::string_view("Aaxz019-."))
        good = good && FT_Get_Char_Index(face, static_cast<FT_ULong>(letter)) != 0;
    const float tall = good ? height(face) : 0.0F;
    if (face != nullptr) release(face);
    if (!good) return refuse("render.font", {{"path", name}});
    FT_Face ours = opened(assets::file(ui::kFaceFiles[0]));
    made->scale = tall / height(ours);
    release(ours);
    return made;
}

struct Typefaces::State {
    std::vector<Font> fonts = std::vector<Font>(kSystem);  // then the system's, once a character needs them
    bool asked_system = false, own = false;
    std::array<std::unordered_map<char32_t, Glyph>, kFaces> glyphs;  // by face

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        for (const Font& font : fonts)
            if (font.cairo != nullptr) cairo_font_face_destroy(font.cairo);
    }
};

Typefaces::Typefaces(std::shared_ptr<const ui::Typeface> own) : state_(std::make_unique<State>()) {
    state_->own = own != nullptr;
    std::size_t at = 0;
    for (const std::string_view name : ui::kFaceFiles) {
        const bool words = name == ui::kFaceFiles[0] || name == ui::kFaceFiles[1];
        state_->fonts[at++] =
            own && words ? prepared(opened(own->bytes), own->scale, own) : embedded(name, 1.0F);
    }
    // All that we have of each, where it is there (in a page).
    constexpr std::array late = {ui::kLateSymbols, ui::kLateChinese};
    static_assert(late.size() == ui::kFallbackFonts.size());
    for (std::size_t i = 0; i < late.size(); ++i)
        state_->fonts[at++] = embedded(assets::find(late[i]) ? late[i] : ui::kFallbackFonts[i].file,
                                       ui::kFallbackFonts[i].scale);
}

Typefaces::~Typefaces() = default;

Typefaces::Glyph Typefaces::glyph(ui::Face face, char32_t character) {
    auto& known = state_->glyphs[static_cast<std::size_t>(face)];
    if (const auto found = known.find(character); found != known.end()) return found->second;
    Glyph glyph{static_cast<int>(face), 0, 0.0F};
    const auto take = [&](std::size_t font, char32_t wanted) {
        if (state_->fonts[font].face == nullptr) return false;
        glyph.index = FT_Get_Char_Index(state_->fonts[font].face, wanted);
        if (glyph.index != 0) glyph.font = static_cast<int>(font);
        return glyph.index != 0;
    };
    const auto take_from_ours = [&](char32_t wanted) {
        bool taken = take(static_cast<std::size_t>(face), wanted);
        if (!taken && state_->own) taken = take(static_cast<std::size_t>(ui::Face::upright), wanted);
        for (std::size_t font = kFaces; font < kSystem && !taken; ++font) taken = take(font, wanted);
        return taken;
    };
    if (!take_from_ours(character)) {
        if (!std::exchange(state_->asked_system, true))
            for (const ui::SystemFont& file : ui::system_fonts())
                state_->fonts.push_back(of_the_system(file));
        bool taken = false;
        for (std::size_t font = kSystem; font < state_->fonts.size() && !taken; ++font)
            taken = take(font, character);
        if (!taken) take_from_ours(ui::kBox);
    }
    const Font& font = state_->fonts[static_cast<std::size_t>(glyph.font)];
    if (FT_Load_Glyph(font.face, static_cast<FT_UInt>(glyph.index), FT_LOAD_NO_SCALE) == 0)
        glyph.advance = font.em * static_cast<float>(font.face->glyph->advance.x) /
                        static_cast<float>(font.face->units_per_EM);
    return known.emplace(character, glyph).first->second;
}

float Typefaces::width(ui::Face face, std::string_view text) {
    float width = 0.0F;
    while (!text.empty()) {
        const std::string_view character = first_character(text);
        width += glyph(face, code_point(character)).advance;
        text.remove_prefix(character.size());
    }
    return width;
}

cairo_font_face_t* Typefaces::cairo_face(int font) const {
    return state_->fonts[static_cast<std::size_t>(font)].cairo;
}

float Typefaces::em(int font) const { return state_->fonts[static_cast<std::size_t>(font)].em; }

}  // namespace posiscope::canvas
