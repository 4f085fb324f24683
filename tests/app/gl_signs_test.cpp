// Signs and strokes at every scale: read back from the pixels, since a minus that is not seen makes another number.
#include "app/canvas/screen/screen.hpp"
#include "app/gl/framebuffer.hpp"
#include "app/platform/gui.hpp"
#include "app/ui/theme.hpp"
#include "app/workbench/workbench.hpp"
#include "tests/app/gl_support.hpp"

#include <array>
#include <cmath>
#include <imgui.h>
#include <imgui_internal.h>

namespace posiscope::test::gl_signs_test {
namespace {

constexpr std::array kScales = {0.55F, 0.57F, 0.63F, 0.71F, 0.806F, 0.8446F, 0.93F, 1.07F, 1.25F, 1.6F};

// How much of a pixel is ink, 0 … 1.
struct Ink {
    const Image& image;
    ui::Colour ink, ground;

    float operator()(int x, int y) const {
        if (x < 0 || y < 0 || x >= image.width || y >= image.height) return 0.0F;
        int most = 0;
        float found = 0.0F;
        for (int channel = 0; channel < 3; ++channel) {
            const int from = static_cast<int>((ground >> (8 * channel)) & 0xffU),
                      to = static_cast<int>((ink >> (8 * channel)) & 0xffU);
            if (std::abs(to - from) <= most) continue;
            most = std::abs(to - from);
            found = static_cast<float>(image.pixel(x, y)[channel] - from) / static_cast<float>(to - from);
        }
        return found;
    }
};

// The strokes that a line across them meets: runs of ink, each with all that it has and the most of a pixel.
struct Stroke {
    float ink = 0.0F, most = 0.0F;
};
template <class At>
std::vector<Stroke> strokes(int from, int to, const At& at) {
    constexpr float kBetween = 0.25F;
    std::vector<Stroke> found;
    bool on = false;
    for (int i = from; i < to; ++i) {
        const float ink = at(i);
        if (ink > kBetween && !on) found.push_back({});
        on = ink > kBetween;
        if (!on) continue;
        found.back().ink += ink;
        found.back().most = std::max(found.back().most, ink);
    }
    return found;
}
bool whole(const std::vector<Stroke>& found, std::size_t count) {
    return found.size() == count && std::ranges::all_of(found, [](const Stroke& stroke) {
               return stroke.ink > 0.85F && stroke.most > 0.5F;
           });
}

class GlSigns : public canvas::GlTest {
protected:
    static constexpr int kWidth = 600, kHeight = 400;

    // One picture of what `draw` draws, on the ground of a theme.
    template <class Draw>
    static Image drawn(const ui::Theme& theme, float scale, const Draw& draw) {
        platform::Gui gui;
        const ui::Fonts fonts = ui::add_fonts(*ImGui::GetIO().Fonts);
        canvas::Screen screen(fonts, nullptr);
        gl::Framebuffer pixels(gl::PixelFormat::rgba8);
        pixels.resize(kWidth, kHeight);
        gui.begin(kWidth, kHeight, scale, 1.0F / 60.0F);
        for (ImFont* font : fonts) font->CurrentRasterizerDensity = scale;
        screen.begin(*ImGui::GetBackgroundDrawList(), scale);
        screen.fill({0.0F, 0.0F, kWidth / scale, kHeight / scale}, theme.tile, 0.0F);
        draw(screen);
        pixels.bind();
        gui.end();
        return pixels.read();
    }
};

TEST_F(GlSigns, EveryOneIsReadBackAtEveryScale) {
    struct Sign {
        const char* text;
        bool flat;            // its strokes are met from above
        std::size_t strokes;  // by a line through its middle
    };
    constexpr std::array kSigns = {Sign{"−", true, 1},  Sign{"=", true, 2},  Sign{"+", true, 1},
                                   Sign{"(", false, 1}, Sign{")", false, 1}, Sign{"[", false, 1},
                                   Sign{"]", false, 1}, Sign{"|", false, 1}};
    struct Type {
        ui::Face face;
        float size;
    };
    constexpr std::array kTypes = {Type{ui::Face::text, ui::kTextSize}, Type{ui::Face::text, ui::kSmallSize},
                                   Type{ui::Face::strong, ui::kTextSize},
                                   Type{ui::Face::upright, ui::kFormulaSize},
                                   Type{ui::Face::upright, 0.72F * ui::kFormulaSize}};
    constexpr std::array kParts = {0.0F, 0.13F, 0.31F, 0.5F, 0.67F, 0.89F};  // of a point
    for (const char* name : {"dark", "light"})
        for (const float scale : kScales) {
            const ui::Theme& theme = ui::theme(name);
            const auto place = [&](std::size_t type, std::size_t sign, std::size_t part) {
                return Point{20.0F + 22.0F * static_cast<float>(sign) + kParts[part],
                             30.0F + 30.0F * (static_cast<float>(type) * 6.0F / 5.0F) + kParts[part]};
            };
            for (std::size_t part = 0; part < kParts.size(); ++part) {
                std::array<std::array<Rect, kSigns.size()>, kTypes.size()> areas;
                const Image image = drawn(theme, scale, [&](canvas::Screen& screen) {
                    for (std::size_t t = 0; t < kTypes.size(); ++t)
                        for (std::size_t s = 0; s < kSigns.size(); ++s) {
                            const Point at = place(t, s, part);
                            screen.text(at, kSigns[s].text, {theme.ink, kTypes[t].size, kTypes[t].face});
                            areas[t][s] = {
                                at.x, at.y - kTypes[t].size,
                                at.x + screen.text_width(kSigns[s].text, kTypes[t].face, kTypes[t].size),
                                at.y + 0.3F * kTypes[t].size};
                        }
                });
                const Ink ink{image, theme.ink, theme.tile};
                for (std::size_t t = 0; t < kTypes.size(); ++t)
                    for (std::size_t s = 0; s < kSigns.size(); ++s) {
                        if (t + 1 == kTypes.size() && kSigns[s].strokes > 1) continue;  // no index has one
                        const Rect& r = areas[t][s];
                        const auto px = [&](float points) {
                            return static_cast<int>(std::lround(points * scale));
                        };
                        // Of several lines next to the middle one has to meet whole strokes: + has an upright one too.
                        bool read = false;
                        std::string seen;
                        const bool flat = kSigns[s].flat;
                        const int from = flat ? px(r.x0) : px(r.y0), to = flat ? px(r.x1) : px(r.y1);
                        for (int i = from; i < to && !read; ++i) {
                            const auto found =
                                flat ? strokes(px(r.y0) - 1, px(r.y1) + 1, [&](int y) { return ink(i, y); })
                                     : strokes(px(r.x0) - 1, px(r.x1) + 1, [&](int x) { return ink(x, i); });
                            read = whole(found, kSigns[s].strokes);
                            for (const Stroke& stroke : found)
                                seen += fmt::format(" {:.2f}/{:.2f}", stroke.ink, stroke.most);
                            seen += ";";
                        }
                        EXPECT_TRUE(read) << kSigns[s].text << " face " << static_cast<int>(kTypes[t].face)
                                          << " size " << kTypes[t].size << " at " << scale << " + "
                                          << kParts[part] << " " << name << ":" << seen;
                    }
            }
        }
}

// Two strokes above and below its middle, where they meet: anything else is a blot, or another letter.
TEST_F(GlSigns, TimesIsReadBackAtEveryScale) {
    struct Type {
        ui::Face face;
        float size;
    };
    constexpr std::array kTypes = {Type{ui::Face::text, ui::kTextSize}, Type{ui::Face::text, ui::kSmallSize},
                                   Type{ui::Face::strong, ui::kTextSize},
                                   Type{ui::Face::upright, ui::kFormulaSize},
                                   Type{ui::Face::formula, ui::kFormulaSize}};
    for (const char* name : {"dark", "light"})
        for (const float scale : kScales)
            for (const float part : {0.0F, 0.31F, 0.67F}) {
                const ui::Theme& theme = ui::theme(name);
                const auto place = [&](std::size_t type) {
                    return Point{20.0F + part, 30.0F + 40.0F * static_cast<float>(type) + part};
                };
                std::array<float, kTypes.size()> width{};
                const Image image = drawn(theme, scale, [&](canvas::Screen& screen) {
                    for (std::size_t t = 0; t < kTypes.size(); ++t) {
                        screen.text(place(t), "×", {theme.ink, kTypes[t].size, kTypes[t].face});
                        width[t] = screen.text_width("×", kTypes[t].face, kTypes[t].size);
                    }
                });
                const Ink ink{image, theme.ink, theme.tile};
                for (std::size_t t = 0; t < kTypes.size(); ++t) {
                    const auto px = [&](float points) {
                        return static_cast<int>(std::lround(points * scale));
                    };
                    const Point at = place(t);
                    std::string rows;  // how many strokes each row has, from the top
                    for (int y = px(at.y - kTypes[t].size); y < px(at.y + 0.3F * kTypes[t].size); ++y)
                        if (const auto found = strokes(px(at.x) - 1, px(at.x + width[t]) + 1,
                                                       [&](int x) { return ink(x, y); });
                            !found.empty())
                            rows += std::to_string(found.size());
                    const auto meet = rows.find("21"), apart = rows.find("12", meet);
                    const bool read =
                        meet != std::string::npos && apart != std::string::npos &&
                        rows.substr(meet + 1, apart - meet).find_first_not_of('1') == std::string::npos;
                    EXPECT_TRUE(read)
                        << "face " << static_cast<int>(kTypes[t].face) << " size " << kTypes[t].size << " at "
                        << scale << " + " << part << " " << name << ": " << rows;
                }
            }
}

// The cross of × and what formulas are ruled with, which are areas and no letters.
TEST_F(GlSigns, BarsAndBracketsOfFormulasAreWholePixels) {
    for (const char* name : {"dark", "light"})
        for (const float scale : kScales)
            for (const float part : {0.0F, 0.13F, 0.31F, 0.5F, 0.67F, 0.89F}) {
                SCOPED_TRACE(fmt::format("{} at {} + {}", name, scale, part));
                const ui::Theme& theme = ui::theme(name);
                const Point fraction{20.0F + part, 40.0F + part}, matrix{80.0F + part, 40.0F + part};
                float fraction_width = 0.0F, matrix_width = 0.0F;
                constexpr float kSize = ui::kFormulaSize;
                const Image image = drawn(theme, scale, [&](canvas::Screen& screen) {
                    fraction_width = screen.formula(fraction, "\\frac{a}{b}", kSize, theme.ink);
                    matrix_width = screen.formula(matrix, "\\matrix{1 \\\\ 0}", kSize, theme.ink);
                });
                const Ink ink{image, theme.ink, theme.tile};
                const auto px = [&](float points) { return static_cast<int>(std::floor(points * scale)); };
                const auto bar = [&](float x0, float x1) {  // a row that is ink from end to end
                    for (int y = px(20.0F); y < px(60.0F); ++y) {
                        bool whole_row = true;
                        for (int x = px(x0) + 1; x < px(x1) - 1; ++x)
                            whole_row = whole_row && ink(x, y) > 0.98F;
                        if (whole_row) return true;
                    }
                    return false;
                };
                EXPECT_TRUE(bar(fraction.x + 2.0F, fraction.x + fraction_width - 2.0F)) << "fraction";
                const auto stroke = [&](float x) {  // a column that is ink along both rows
                    for (int at = px(x) - 2; at <= px(x) + 2; ++at) {
                        bool all = true;
                        for (int y = px(matrix.y - 1.2F * kSize); y < px(matrix.y + 0.6F * kSize); ++y)
                            all = all && ink(at, y) > 0.98F;
                        if (all) return true;
                    }
                    return false;
                };
                EXPECT_TRUE(stroke(matrix.x + 0.5F)) << "left bracket";
                EXPECT_TRUE(stroke(matrix.x + matrix_width - 0.2F * kSize - 0.5F)) << "right bracket";
            }
}

// The same letter at any place is the same pixels: nothing stands between two.
TEST_F(GlSigns, ATextIsTheSamePixelsWhereverItBegins) {
    const ui::Theme& theme = ui::theme("light");
    for (const float scale : kScales) {
        const auto at = [&](float x, float y) {
            return drawn(theme, scale, [&](canvas::Screen& screen) {
                screen.text({x, y}, "cos(−0.866 × 10) = [1.5]", {theme.ink, ui::kSmallSize});
            });
        };
        const Image first = at(20.0F, 40.0F);
        for (const Point moved : {Point{0.21F, 0.37F}, {0.5F, 0.5F}, {0.77F, 0.93F}}) {
            const Image second = at(20.0F + moved.x, 40.0F + moved.y);
            const auto shift = [&](float from, float by) {
                return static_cast<int>(std::round((from + by) * scale) - std::round(from * scale));
            };
            const int dx = shift(20.0F, moved.x), dy = shift(40.0F, moved.y);
            int differing = 0;
            for (int y = 2; y < kHeight - 2; ++y)
                for (int x = 2; x < kWidth - 2; ++x)
                    differing += std::abs(first.pixel(x - dx, y - dy)[1] - second.pixel(x, y)[1]) > 2 ? 1 : 0;
            EXPECT_EQ(differing, 0) << scale << " " << moved.x;
        }
    }
}

// What ImGui writes itself, in menus and fields, is between no pixels either: all letters of the opening bench.
TEST_F(GlSigns, EveryLetterAndRuleOfTheBenchStandsOnWholePixels) {
    for (const float scale : kScales) {
        const int width = static_cast<int>(1240.0F * scale) + 1,
                  height = static_cast<int>(740.0F * scale) + 1;
        platform::Gui gui;
        workbench::Preferences preferences;
        preferences.language = "en";
        auto layers = canvas::Layers::create(canvas::Target::framebuffer);
        ASSERT_TRUE(layers);
        workbench::Workbench bench(Scene(), preferences, &*layers);
        gl::Framebuffer pixels(gl::PixelFormat::rgba8);
        pixels.resize(width, height);
        for (int frame = 0; frame < 3; ++frame) {
            gui.begin(width, height, scale, 1.0F / 60.0F);
            ImGui::GetForegroundDrawList()->AddText({20.3F, 31.7F}, 0xff000000U, "p = −0.866 × [1]");
            bench.frame(0.0F, scale);
            pixels.bind();
            gui.end();
        }
        const ImTextureData& atlas = *ImGui::GetIO().Fonts->TexData;
        int letters = 0, astray = 0;
        for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists)
            for (const ImDrawCmd& command : list->CmdBuffer) {
                if (command.UserCallback != nullptr || command.TexRef._TexData != &atlas) continue;
                const ImDrawIdx* index = list->IdxBuffer.Data + command.IdxOffset;
                for (unsigned i = 0; i + 6 <= command.ElemCount; i += 3) {
                    const ImDrawVert* v = list->VtxBuffer.Data + command.VtxOffset + index[i];
                    if (index[i + 4] != index[i] + 2 || index[i + 5] != index[i] + 3 ||
                        index[i + 3] != index[i])
                        continue;
                    if (v[0].uv.x == v[2].uv.x || v[0].pos.y != v[1].pos.y || v[0].uv.y != v[1].uv.y)
                        continue;
                    ++letters;
                    const auto off = [&](float points) {
                        return std::abs(points * scale - std::round(points * scale)) > 0.01F;
                    };
                    const float texels = (v[2].uv.y - v[0].uv.y) * static_cast<float>(atlas.Height),
                                high = (v[2].pos.y - v[0].pos.y) * scale;
                    if (off(v[0].pos.x) || off(v[0].pos.y) || std::abs(texels - high) > 0.01F) ++astray;
                }
            }
        EXPECT_GT(letters, 500) << scale;
        EXPECT_EQ(astray, 0) << scale;
    }
}

}  // namespace
}  // namespace posiscope::test::gl_signs_test
