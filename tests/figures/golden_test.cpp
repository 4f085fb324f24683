// A dozen pictures as they were last looked at (tests/pictures). tests/pictures/renew draws them anew; look at them
// before committing. They are of Mesa's llvmpipe, the rasteriser everybody has; another driver's edges are others.
#include "app/export/png.hpp"
#include "app/figures/figure.hpp"
#include "app/platform/offscreen.hpp"
#include "app/ui/theme.hpp"
#include "app/workbench/share/picture.hpp"
#include "core/formats/file.hpp"
#include "tests/figures/likeness.hpp"
#include "tests/places.hpp"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

namespace posiscope::test::golden_test {
namespace {

namespace fs = std::filesystem;

struct Golden {
    const char* figure;  // empty: the opening bench
    const char* theme;
    const char* language;
    const char* scene;

    std::string name() const {
        return fmt::format("{}-{}-{}", *figure == '\0' ? "overview" : figure, theme, language);
    }
};

constexpr const char* kFactor =
    R"({"encoding": {"kind": "rope", "max_position_embeddings": 131072, "rope_scaling": {"rope_type": "yarn",
        "factor": 8, "original_max_position_embeddings": 16384}}, "layout": "half", "d_model": 128,
        "view": {"dump": {"example": "factor"}}})";

// Every figure but those whose picture shows digits of rounding, which another processor's sines change; each theme in
// both languages.
const std::vector<Golden>& goldens() {
    static const std::vector<Golden> list = {
        {"matrix", "dark", "en", "{}"},
        {"matrix", "light", "zh", R"({"encoding": "rope", "d_model": 128, "num_heads": 2, "pair": 4})"},
        {"scores", "dark", "zh", R"({"encoding": "rope", "d_model": 128, "num_heads": 2, "pair": 4})"},
        {"scores", "print", "en", "{}"},
        {"scores", "light", "en", R"({"encoding": "alibi", "num_heads": 8})"},
        {"sum", "light", "en", "{}"},
        {"waves", "print", "zh", "{}"},
        {"waves", "dark", "en", "{}"},
        {"spectrum", "light", "zh", R"({"encoding": "rope", "d_model": 128, "num_heads": 1, "pair": 4})"},
        {"turns", "print", "en", R"({"encoding": "rope", "d_model": 128, "num_heads": 1, "pair": 4})"},
        {"turns", "dark", "zh", "{}"},
        {"terms", "light", "en", "{}"},
        {"measured", "light", "en", kFactor},
        {"rows", "dark", "zh",
         R"({"encoding": "rope", "d_model": 128, "view": {"dump": {"example": "stuck"}}})"},
        {"partners", "print", "en",
         R"({"encoding": "rope", "d_model": 64, "view": {"dump": {"example": "heads"}}})"},
        {"findings", "dark", "en", kFactor},
    };
    return list;
}

fs::path file_of(const Golden& golden) {
    return fs::path(test::kTree) / "tests/pictures" / (golden.name() + ".png");
}

Image drawn(const Golden& golden, std::string_view renderer) {
    workbench::Preferences preferences;
    preferences.theme = golden.theme;
    preferences.language = golden.language;
    preferences.drag_hint_seen = true;
    workbench::PictureOptions options;
    options.width = 480;
    options.height = 360;
    options.figure = golden.figure;
    const auto scene = overlay(Scene(), Json::parse(golden.scene));
    EXPECT_TRUE(scene) << to_string(scene.error());
    const auto made = workbench::picture(scene->scene, preferences, options);
    EXPECT_TRUE(made) << to_string(made.error()) << " with " << renderer;
    return made.value_or(Image{});
}

TEST(PicturesGolden, LookAsTheyDidWhenSomebodyLooked) {
    const bool renewed = std::getenv("POSISCOPE_RENEW_PICTURES") != nullptr;
    const auto context = platform::Offscreen::create();
    ASSERT_TRUE(context) << to_string(context.error());
    if (context->renderer().find("llvmpipe") == std::string::npos)
        GTEST_SKIP() << "the pictures are llvmpipe's, and this is " << context->renderer();
    if (!renewed && !std::any_of(goldens().begin(), goldens().end(),
                                 [](const Golden& golden) { return fs::exists(file_of(golden)); }))
        GTEST_SKIP() << "there are no pictures yet: tests/pictures/renew draws them";
    for (const Golden& golden : goldens()) {
        SCOPED_TRACE(golden.name());
        const Image now = drawn(golden, context->renderer());
        if (renewed) {
            ASSERT_TRUE(write_file(file_of(golden), exporting::png(now, {})));
            continue;
        }
        const auto before = read_picture(file_of(golden));
        ASSERT_TRUE(before) << "there is none yet: tests/pictures/renew draws it";
        const Likeness found = likeness(*before, now);
        if (found.alike) continue;
        const fs::path folder = fs::path(test::kTree) / "build/pictures";
        fs::create_directories(folder);
        ASSERT_TRUE(write_file(folder / (golden.name() + ".png"), exporting::png(now, {})));
        ASSERT_TRUE(write_file(folder / (golden.name() + "-difference.png"),
                               exporting::png(difference(*before, now), {})));
        ADD_FAILURE() << found.strays << " pixels differ, by up to " << found.most << " of 255: see "
                      << (folder / golden.name()).string() << "*.png; tests/pictures/renew takes them over";
    }
}

// Where a label's rectangle begins.
struct Place {
    int x = 0, y = 0;
};
constexpr int kLabelWidth = 36, kLabelHeight = 12;

int contrast(const Image& image, int x, int y, int to_x, int to_y) {
    const std::uint8_t *p = image.pixel(x, y), *q = image.pixel(to_x, to_y);
    return std::abs(p[0] - q[0]) + std::abs(p[1] - q[1]) + std::abs(p[2] - q[2]);
}

// A line of letters: edges both ways, and nothing above or below. (A bar or a row of cells looks the same a little
// further.)
bool holds_a_label(const Image& image, Place at) {
    int across = 0, down = 0;
    for (int x = at.x; x < at.x + kLabelWidth; ++x) {
        if (contrast(image, x, at.y - 1, x + 1, at.y - 1) > 30) return false;
        if (contrast(image, x, at.y + kLabelHeight, x + 1, at.y + kLabelHeight) > 30) return false;
        for (int y = at.y; y < at.y + kLabelHeight; ++y) {
            across += contrast(image, x, y, x + 1, y) > 60 ? 1 : 0;
            down += contrast(image, x, y, x, y + 1) > 60 ? 1 : 0;
        }
    }
    return across >= 40 && down >= 40;
}

Image with_label_moved(const Image& image, Place at, int by_x, int by_y) {
    Image made = image;
    for (int y = 0; y < kLabelHeight; ++y)
        for (int x = 0; x < kLabelWidth; ++x)
            std::copy_n(
                image.pixel(at.x + x, at.y + y), 4,
                &made.rgba[4 * static_cast<std::size_t>((at.y + y + by_y) * image.width + at.x + x + by_x)]);
    return made;
}

// A white picture to be filled by rectangles.
struct Sheet {
    Image image{480, 360, std::vector<std::uint8_t>(480 * 360 * 4, 255)};
    void fill(int x0, int y0, int x1, int y1, ui::Colour colour) {
        for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x)
                for (std::size_t channel = 0; channel < 3; ++channel)
                    image.rgba[4 * static_cast<std::size_t>(y * image.width + x) + channel] =
                        static_cast<std::uint8_t>(colour >> (8 * channel));
    }
};

// Every golden picture with one label moved by 2 px, any way, is another picture.
TEST(Likeness, ALabelTwoPixelsAwayIsSeen) {
    for (const Golden& golden : goldens()) {
        const auto picture = read_picture(file_of(golden));
        if (!picture) continue;  // the test above says so
        SCOPED_TRACE(golden.name());
        std::size_t labels = 0;
        for (int y = 4; y + kLabelHeight + 4 < picture->height; ++y)
            for (int x = 4; x + kLabelWidth + 4 < picture->width && labels < 12; x += kLabelWidth) {
                if (!holds_a_label(*picture, {x, y})) continue;
                ++labels;
                for (const auto& [by_x, by_y] : {std::pair{2, 0}, {-2, 0}, {0, 2}, {0, -2}})
                    EXPECT_FALSE(likeness(*picture, with_label_moved(*picture, {x, y}, by_x, by_y)).alike)
                        << "at " << x << ", " << y << " by " << by_x << ", " << by_y;
            }
        EXPECT_GE(labels, 4U) << "no labels were found to be moved";
    }
}

// Colours of every theme on an area of 6 × 6 pixels, 2 % off in one channel.
TEST(Likeness, AColourTwoPercentOffIsSeen) {
    for (const ui::Theme& theme : ui::themes())
        for (const ui::Colour colour : {theme.ink, theme.ink_faint, theme.sine, theme.cosine, theme.offset,
                                        theme.tile, theme.ground, theme.neutral, theme.control, theme.track})
            for (const unsigned channel : {0U, 8U, 16U}) {
                Sheet before, after;
                const unsigned level = (colour >> channel) & 0xffU;
                const unsigned off = level < 128 ? level + 5 : level - 5;
                before.fill(100, 100, 106, 106, colour);
                after.fill(100, 100, 106, 106, (colour & ~(0xffU << channel)) | (off << channel));
                EXPECT_FALSE(likeness(before.image, after.image).alike) << theme.name << " " << colour;
            }
}

TEST(Likeness, WhatARasteriserMayDoIsNot) {
    Sheet before;
    before.fill(50, 50, 300, 200, 0x804020U);
    Sheet after = before;
    for (std::uint8_t& level : after.image.rgba) level = level > 128 ? level - 3 : level + 3;
    for (int i = 0; i < 20; ++i) after.fill(50 + i, 50, 51 + i, 51, 0xffffffU);  // strays along an edge
    EXPECT_TRUE(likeness(before.image, after.image).alike);
    EXPECT_FALSE(likeness(before.image, Image{1, 1, {0, 0, 0, 0}}).alike);
}

}  // namespace
}  // namespace posiscope::test::golden_test
