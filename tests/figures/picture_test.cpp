// Whole images through OpenGL, without a window: every figure and the bench, in every theme and language. A failure
// names the driver.
#include "app/export/png.hpp"
#include "app/figures/figure.hpp"
#include "app/platform/gui.hpp"
#include "app/platform/offscreen.hpp"
#include "app/workbench/share/picture.hpp"
#include "app/workbench/workbench.hpp"

#include <gtest/gtest.h>
#include <map>

namespace posiscope::test::picture_test {
namespace {

class Pictures : public testing::Test {
protected:
    static void SetUpTestSuite() {
        auto made = platform::Offscreen::create();
        ASSERT_TRUE(made) << to_string(made.error());
        context_ = std::make_unique<platform::Offscreen>(std::move(*made));
    }
    static void TearDownTestSuite() { context_.reset(); }

    static Image picture(const Scene& scene, std::string_view figure, std::string_view theme = "dark",
                         std::string_view language = "en", int width = 700, int height = 480,
                         double scale = 1.0) {
        workbench::Preferences preferences;
        preferences.theme = theme;
        preferences.language = language;
        preferences.drag_hint_seen = true;
        workbench::PictureOptions options;
        options.width = width;
        options.height = height;
        options.scale = scale;
        options.figure = figure;
        const auto drawn = workbench::picture(scene, preferences, options);
        EXPECT_TRUE(drawn) << to_string(drawn.error()) << " with " << context_->renderer();
        return drawn.value_or(Image{});
    }

    static std::map<std::uint32_t, std::size_t> colours(const Image& image) {
        std::map<std::uint32_t, std::size_t> count;
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x) {
                const std::uint8_t* const p = image.pixel(x, y);
                ++count[p[0] | (std::uint32_t{p[1]} << 8U) | (std::uint32_t{p[2]} << 16U)];
            }
        return count;
    }

    static inline std::unique_ptr<platform::Offscreen> context_;
};

TEST_F(Pictures, EveryFigureAndTheBenchInEveryThemeAndLanguage) {
    std::vector<std::string_view> shown = {""};
    for (const figures::Figure* figure : figures::figures()) shown.push_back(figure->id);
    for (const std::string_view figure : shown)
        for (const ui::Theme& theme : ui::themes()) {
            std::map<std::string_view, Image> by_language;
            for (const char* language : {"en", "zh"}) {
                SCOPED_TRACE(fmt::format("{} {} {}", figure, theme.name, language));
                const Image image = picture(Scene(), figure, theme.name, language);
                ASSERT_EQ(image.width, 700);
                const auto count = colours(image);
                EXPECT_GT(count.size(), 50U) << "nothing was drawn";
                const ui::Colour ground = figure.empty() ? theme.ground : theme.tile;
                EXPECT_TRUE(count.contains(ground & 0xffffffU)) << "the ground has the theme's colour";
                for (int y = 0; y < image.height; y += 7) EXPECT_EQ(image.pixel(3, y)[3], 255) << "opaque";
                by_language[language] = image;
            }
            EXPECT_NE(by_language["en"].rgba, by_language["zh"].rgba)
                << figure << ": both languages give the same picture";
        }
}

TEST_F(Pictures, AWindowThatPresentsIsSavedOnItsOwnGround) {
    workbench::Preferences preferences;
    preferences.theme = "dark";
    preferences.presenting_theme = "light";
    const platform::Gui gui(false);
    workbench::Workbench bench(Scene(), preferences, nullptr);
    (void)bench.lecture.presenting.begin(bench.teaching.guide(), {});
    workbench::PictureOptions options;
    options.width = 640;
    options.height = 400;
    options.controls = true;
    options.like = &bench;
    const auto drawn = workbench::picture(Scene(), preferences, options);
    ASSERT_TRUE(drawn) << to_string(drawn.error());
    const std::uint8_t* const p = drawn->pixel(1, 1);
    EXPECT_EQ(p[0] | (p[1] << 8) | (p[2] << 16), static_cast<int>(ui::theme("light").ground & 0xffffffU));
}

// The heatmap's colours are core's values: every cell's colour covers the pixels of a cell.
TEST_F(Pictures, MatrixCellsHaveTheColourOfTheirValue) {
    const Scene scene =
        overlay(Scene(), {{"d_model", 6}, {"length", 7}, {"position", 100}, {"offset", 1}, {"pair", 2}})
            ->scene;
    const ui::Theme& theme = ui::theme("light");
    const auto count = colours(picture(scene, "matrix", "light"));
    const Spectrum spectrum = *spectrum_of(scene);
    for (std::int64_t position = 0; position < scene.length; ++position)
        for (std::int64_t column = 0; column < 4; ++column) {  // pair 2 is framed
            const double value = table_value(spectrum, PairLayout::interleaved, position, column);
            std::size_t pixels = 0;
            // The shader works in float32 and the screen in 8 bits: one step either way.
            for (const auto& [colour, n] : count) {
                const ui::Colour wanted = ui::mixed(theme.neutral, value > 0.0 ? theme.plus : theme.minus,
                                                    static_cast<float>(std::abs(value)));
                bool same = true;
                for (int shift = 0; shift < 24; shift += 8)
                    same = same && std::abs(static_cast<int>((colour >> shift) & 0xffU) -
                                            static_cast<int>((wanted >> shift) & 0xffU)) <= 1;
                if (same) pixels += n;
            }
            EXPECT_GT(pixels, 1500U) << "PE(" << position << ", " << column << ") = " << value << " with "
                                     << context_->renderer();
        }
}

TEST_F(Pictures, TheSameSceneGivesTheSameBytes) {
    EXPECT_EQ(exporting::png(picture(Scene(), ""), {}), exporting::png(picture(Scene(), ""), {}));
}

TEST_F(Pictures, ScaleMultipliesThePixelsAndNothingElse) {
    const Image one = picture(Scene(), "scores", "print", "en", 480, 360, 1.0),
                three = picture(Scene(), "scores", "print", "en", 480, 360, 3.0);
    EXPECT_EQ(three.width, 1440);
    EXPECT_EQ(three.height, 1080);
    // Averaged back, the large one is the small one but for the smoothing of edges.
    double difference = 0.0;
    for (int y = 0; y < one.height; ++y)
        for (int x = 0; x < one.width; ++x) {
            int sum = 0;
            for (int dy = 0; dy < 3; ++dy)
                for (int dx = 0; dx < 3; ++dx) sum += three.pixel(3 * x + dx, 3 * y + dy)[1];
            difference += std::abs(sum / 9.0 - one.pixel(x, y)[1]);
        }
    EXPECT_LT(difference / (one.width * one.height), 4.0);
}

// Large pictures are drawn in bands, and nobody sees where one ends.
TEST_F(Pictures, BandsMakeTheSamePicture) {
    for (const std::string_view figure : {"", "matrix", "rotations"})
        for (const char* mode : {"value", "gram", "residual"}) {
            Scene scene = *overlay(Scene(), {{"view", {{"matrix", {{"mode", mode}}}}}}).map([](auto laid) {
                return laid.scene;
            });
            workbench::Preferences preferences;
            preferences.language = "en";
            workbench::PictureOptions options;
            options.width = 700.0, options.height = 480.0, options.scale = 1.5, options.figure = figure;
            const Image whole = *workbench::picture(scene, preferences, options);
            options.most_pixels = 1050 * 97;
            const Image bands = *workbench::picture(scene, preferences, options);
            ASSERT_EQ(bands.rgba.size(), whole.rgba.size());
            int worst = 0, differing = 0;
            for (std::size_t i = 0; i < whole.rgba.size(); ++i) {
                const int difference = std::abs(whole.rgba[i] - bands.rgba[i]);
                worst = std::max(worst, difference);
                differing += difference > 1 ? 1 : 0;
            }
            EXPECT_LE(differing, 2) << figure << " " << mode << ": up to " << worst << " with "
                                    << context_->renderer();
        }
}

// Laid over the theme's ground, a transparent picture is the opaque one.
TEST_F(Pictures, ATransparentPictureIsTheOpaqueOneWithoutItsGround) {
    for (const ui::Theme& theme : ui::themes())
        for (const std::string_view figure : {"rotations", "matrix", "scores"}) {
            workbench::Preferences preferences;
            preferences.theme = theme.name;
            preferences.language = "en";
            workbench::PictureOptions options;
            options.width = 600.0, options.height = 420.0, options.figure = figure;
            const Image opaque = *workbench::picture(Scene(), preferences, options);
            options.transparent = true;
            const Image clear = *workbench::picture(Scene(), preferences, options);
            EXPECT_EQ(clear.pixel(2, 2)[3], 0) << "the ground is clear";
            int worst = 0;
            for (int y = 0; y < opaque.height; ++y)
                for (int x = 0; x < opaque.width; ++x)
                    for (int channel = 0; channel < 3; ++channel) {
                        const int alpha = clear.pixel(x, y)[3];
                        const int ground = static_cast<int>((theme.tile >> (8 * channel)) & 0xffU);
                        const int over =
                            (clear.pixel(x, y)[channel] * alpha + ground * (255 - alpha) + 127) / 255;
                        worst = std::max(worst, std::abs(over - opaque.pixel(x, y)[channel]));
                    }
            EXPECT_LE(worst, 4) << theme.name << " " << figure << " with " << context_->renderer();
        }
}

TEST_F(Pictures, AContextThatWasCurrentForImGuiStaysSo) {
    EXPECT_EQ(picture(Scene(), "rotations").width, 700);
    EXPECT_EQ(picture(Scene(), "rotations").width, 700);
}

}  // namespace
}  // namespace posiscope::test::picture_test
