// PDF and SVG against the PNG of the same figure, rendered by other programs (poppler's and librsvg's), if installed.
#include "app/figures/figure.hpp"
#include "app/platform/offscreen.hpp"
#include "app/ui/strings.hpp"
#include "app/workbench/share/picture.hpp"
#include "app/workbench/teach/handout.hpp"
#include "core/formats/file.hpp"
#include "tests/folder.hpp"

#include <gtest/gtest.h>
#include <png.h>
#include <unistd.h>

namespace posiscope::test::vector_test {
namespace {

namespace fs = std::filesystem;
using exporting::VectorFormat;

bool there_is(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

Image read_png(const fs::path& path) {
    png_image head{};
    head.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_file(&head, path.c_str()), 0) << path;
    head.format = PNG_FORMAT_RGBA;
    Image image{static_cast<int>(head.width), static_cast<int>(head.height), {}};
    image.rgba.resize(PNG_IMAGE_SIZE(head));
    EXPECT_NE(png_image_finish_read(&head, nullptr, image.rgba.data(), 0, nullptr), 0) << path;
    return image;
}

struct Case {
    std::string_view figure = {};
    std::string_view theme = "print";
    std::string_view language = "en";
    double width = 700.0, height = 480.0, scale = 1.0;
    Scene scene = {};

    workbench::Preferences preferences() const {
        workbench::Preferences p;
        p.theme = theme;
        p.language = language;
        p.drag_hint_seen = true;
        return p;
    }
    workbench::PictureOptions options() const {
        workbench::PictureOptions o;
        o.width = width, o.height = height, o.scale = scale, o.figure = figure;
        return o;
    }
    std::string vector(VectorFormat format) const {
        return workbench::vector_picture(scene, preferences(), options(), format);
    }
};

class VectorPictures : public test::InFolder {
protected:
    // What a program says of a file of ours.
    std::string said(const std::string& program, std::string_view bytes,
                     const std::string& after = "") const {
        EXPECT_TRUE(write_file(folder_ / "in", bytes));
        const std::string command =
            "cd '" + folder_.string() + "' && " + program + " in " + after + " >said 2>&1";
        EXPECT_EQ(std::system(command.c_str()), 0) << command << "\n" << *read_file(folder_ / "said");
        return *read_file(folder_ / "said");
    }
    Image rasterised(VectorFormat format, std::string_view bytes, int dpi) const {
        if (format == VectorFormat::pdf)
            said("pdftoppm -r " + std::to_string(dpi) + " -png -singlefile", bytes, "out");
        else said("rsvg-convert --zoom=" + std::to_string(dpi / 96.0) + " -o out.png", bytes);
        return read_png(folder_ / "out.png");
    }
};

// How far two pictures are apart, in steps of 8 bits: on average, and at worst over squares of 8 × 8 pixels, since
// letters and edges are smoothed in different ways.
struct Apart {
    double mean = 0.0, worst = 0.0;
};
Apart apart(const Image& a, const Image& b) {
    Apart result;
    constexpr int kSide = 8;
    int squares = 0;
    for (int y = 0; y + kSide <= a.height; y += kSide)
        for (int x = 0; x + kSide <= a.width; x += kSide) {
            double difference[3] = {};
            for (int i = 0; i < kSide * kSide; ++i)
                for (int c = 0; c < 3; ++c)
                    difference[c] += (a.pixel(x + i % kSide, y + i / kSide)[c] -
                                      b.pixel(x + i % kSide, y + i / kSide)[c]) /
                                     static_cast<double>(kSide * kSide);
            for (const double d : difference) {
                result.mean += std::abs(d) / 3.0;
                result.worst = std::max(result.worst, std::abs(d));
            }
            ++squares;
        }
    result.mean /= squares;
    return result;
}

// Measured with llvmpipe, poppler 22.12 and librsvg 2.54: 3.4 and 109 at most, the latter in headlines; 3.4 are the seams that librsvg leaves
// between the bars of Turns, the others stay below 2.4. The 84 are the last letter of a line of 240 points (Attention's
// "as typed"): in a PNG letters step by whole pixels, so it stands five pixels further right than in the PDF.
TEST_F(VectorPictures, EveryFigureLooksLikeItsPng) {
    if (!there_is("pdftoppm") || !there_is("rsvg-convert")) GTEST_SKIP() << "poppler-utils, librsvg2-bin";
    const auto context = platform::Offscreen::create();
    ASSERT_TRUE(context) << to_string(context.error());
    std::vector<std::string_view> shown = {""};
    for (const figures::Figure* figure : figures::figures()) shown.push_back(figure->id);
    for (const std::string_view figure : shown)
        for (const auto& [theme, language] : {std::pair("print", "en"), std::pair("dark", "zh")}) {
            Case one{figure, theme, language};
            if (figure.empty()) one.width = 1200.0, one.height = 760.0;
            const auto drawn = workbench::picture(one.scene, one.preferences(), one.options());
            ASSERT_TRUE(drawn) << to_string(drawn.error());
            for (const VectorFormat format : {VectorFormat::pdf, VectorFormat::svg}) {
                const Image image = rasterised(format, one.vector(format), 96);
                ASSERT_EQ(image.width, drawn->width);
                ASSERT_EQ(image.height, drawn->height);
                const Apart distance = apart(*drawn, image);
                RecordProperty("mean", std::to_string(distance.mean));
                EXPECT_LE(distance.mean, 4.0)
                    << figure << " " << theme << (format == VectorFormat::pdf ? " pdf" : " svg");
                EXPECT_LE(distance.worst, 115.0)
                    << figure << " " << theme << (format == VectorFormat::pdf ? " pdf" : " svg");
            }
        }
}

// A cell is one colour up to its edges, at any resolution.
TEST_F(VectorPictures, CellsHaveTheColourOfTheirValue) {
    if (!there_is("pdftoppm") || !there_is("rsvg-convert")) GTEST_SKIP() << "poppler-utils, librsvg2-bin";
    Case one{"matrix", "light"};
    one.scale = 300.0 / 96.0;
    one.scene =
        overlay(Scene(), {{"d_model", 6}, {"length", 7}, {"position", 100}, {"offset", 1}, {"pair", 2}})
            ->scene;
    const ui::Theme& theme = ui::theme("light");
    const Spectrum spectrum = *spectrum_of(one.scene);
    for (const VectorFormat format : {VectorFormat::pdf, VectorFormat::svg}) {
        const Image image = rasterised(format, one.vector(format), 192);
        for (std::int64_t position = 0; position < one.scene.length; ++position)
            for (std::int64_t column = 0; column < 4; ++column) {  // pair 2 is framed
                const double value = table_value(spectrum, PairLayout::interleaved, position, column);
                const ui::Colour wanted = ui::mixed(theme.neutral, value > 0.0 ? theme.plus : theme.minus,
                                                    static_cast<float>(std::abs(value)));
                std::size_t pixels = 0;
                for (int y = 0; y < image.height; ++y)
                    for (int x = 0; x < image.width; ++x) {
                        bool same = true;
                        for (int c = 0; c < 3; ++c)
                            same = same && std::abs(image.pixel(x, y)[c] -
                                                    static_cast<int>((wanted >> (8 * c)) & 0xffU)) <= 1;
                        pixels += same ? 1 : 0;
                    }
                // A cell is about 190 × 110 pixels here, less a border.
                EXPECT_GT(pixels, 17000U) << "PE(" << position << ", " << column << ") = " << value
                                          << (format == VectorFormat::pdf ? " pdf" : " svg");
            }
    }
}

// Bars that touch at no pixel's edge: viewers smooth edges, and nothing of the page may shine through between two.
TEST_F(VectorPictures, NoSeamShowsBetweenBars) {
    if (!there_is("pdftoppm") || !there_is("rsvg-convert")) GTEST_SKIP() << "poppler-utils, librsvg2-bin";
    constexpr int kBars = 40;
    constexpr float kWidth = 1.37F;
    const ui::Colour one = ui::rgb(0x202000), other = ui::rgb(0x600000);
    for (const VectorFormat format : {VectorFormat::pdf, VectorFormat::svg})
        for (const bool alternating : {false, true}) {
            exporting::VectorPage page({.format = format,
                                        .width = 80.0,
                                        .height = 40.0,
                                        .scale = 1.0,
                                        .dpi = 300.0,
                                        .title = "bars"});
            page.canvas().fill({0.0F, 0.0F, 80.0F, 40.0F}, ui::rgb(0xffffff));
            const auto edge = [&](int i) { return 10.0F + kWidth * static_cast<float>(i); };
            for (int i = 0; i < kBars; ++i)
                page.canvas().fill({edge(i), 10.0F, edge(i + 1), 30.0F},
                                   alternating && i % 2 == 1 ? other : one);
            const Image image = rasterised(format, page.finish(), 131);
            const double pixels = 131.0 / 96.0;
            int brightest = 0;
            for (int x = static_cast<int>(11.0 * pixels) + 1;
                 x < static_cast<int>((edge(kBars) - 1.0F) * 131.0F / 96.0F); ++x)
                brightest = std::max<int>(brightest, image.pixel(x, static_cast<int>(20.0 * pixels))[2]);
            EXPECT_LE(brightest, 2) << (alternating ? "two colours, " : "one colour, ")
                                    << (format == VectorFormat::pdf ? "pdf" : "svg")
                                    << ": no bar has any blue, the page has";
        }
}

TEST_F(VectorPictures, TheWordsOfAPdfAreText) {
    if (!there_is("pdftotext") || !there_is("pdffonts")) GTEST_SKIP() << "poppler-utils";
    for (const char* language : {"en", "zh"}) {
        const Case one{"", "print", language, 1200.0, 760.0};
        const std::string pdf = one.vector(VectorFormat::pdf), text = said("pdftotext -layout", pdf, "-");
        const Strings strings(language_of(language));
        for (const figures::Figure* figure : figures::figures()) {
            const bool on_bench =
                figure->id == "rotations" || figure->id == "matrix" || figure->id == "scores";
            const std::string_view name = strings.text(fmt::format("figure.{}.name", figure->id));
            EXPECT_TRUE(!on_bench || text.find(name) != std::string::npos) << name << " in\n" << text;
        }
        EXPECT_NE(text.find("d_model 512"), std::string::npos) << text;
        EXPECT_NE(text.find("0.346"), std::string::npos) << "PE(13, 20): " << text;

        // name, type, encoding, then whether it is embedded, cut and readable
        const std::string fonts = said("pdffonts", pdf);
        std::istringstream lines(fonts);
        std::string line;
        std::size_t count = 0;
        for (int i = 0; std::getline(lines, line); ++i) {
            if (i < 2) continue;
            ++count;
            EXPECT_NE(line.find("yes yes yes"), std::string::npos) << fonts;
        }
        EXPECT_GE(count, 4U) << fonts;
        EXPECT_EQ(fonts.find("NotoSansCJK") != std::string::npos, language == std::string("zh")) << fonts;
        EXPECT_LT(pdf.size(), 2000000U) << "the whole Chinese font alone is larger than this";
    }
}

// A text of any length on a page, and everything after it.
TEST_F(VectorPictures, ALongTextLeavesNothingBlank) {
    if (!there_is("pdftotext")) GTEST_SKIP() << "poppler-utils";
    std::string longest = "a", title;
    for (int i = 0; i < 400; ++i) longest += "字";
    for (int i = 0; i < 256; ++i) title += "😀";
    const auto lesson = lessons::parse_lesson(fmt::format(
        R"({{"lesson": 1, "title": {{"en": "{}"}}, "steps": [{{"figure": "sum", "text": {{"en": "{}"}}}},
            {{"figure": "sum", "text": {{"en": "The second step is here"}}}}]}})",
        title, longest));
    ASSERT_TRUE(lesson);
    const std::string text = said("pdftotext -raw", workbench::handout(*lesson, {}, {}), "-");
    EXPECT_NE(text.find("The second step is here"), std::string::npos) << text;
    std::size_t characters = 0;
    for (std::size_t at = text.find("字"); at != std::string::npos; at = text.find("字", at + 1))
        ++characters;
    EXPECT_EQ(characters, 400U);
}

// A zoom can move the end of a line a billion points away; its dashes are those that are seen.
TEST_F(VectorPictures, ALineThatGoesFarCostsNoMore) {
    for (const auto format : {VectorFormat::pdf, VectorFormat::svg}) {
        const auto drawn = [&](float to) {
            exporting::VectorPage page({.format = format, .width = 200.0, .height = 100.0, .title = "t"});
            page.canvas().line({-to, 50.0F}, {to, 50.0F}, {ui::rgb(0xff0000), 2.0F, 3.0F});
            return page.finish();
        };
        EXPECT_LT(drawn(1e9F).size(), drawn(1e3F).size() + 200);
    }
}

// The name of a file may hold any bytes.
TEST_F(VectorPictures, TextThatIsNoUtf8IsDrawnAllTheSame) {
    for (const auto format : {VectorFormat::pdf, VectorFormat::svg}) {
        const auto drawn = [&](std::string_view text) {
            exporting::VectorPage page({.format = format, .width = 200.0, .height = 100.0, .title = "t"});
            page.canvas().text({10.0F, 20.0F}, text, {});
            page.canvas().text({10.0F, 60.0F}, "after it", {});
            return page.finish();
        };
        EXPECT_EQ(drawn("caf\xe9 \xe5\xad"), drawn("caf\uFFFD \uFFFD"));
    }
}

TEST_F(VectorPictures, TheWordsOfAnSvgAreTextOverTheirOutlines) {
    const std::string svg = Case{"rotations", "print", "zh"}.vector(VectorFormat::svg);
    const Strings strings(Language::chinese);
    const std::string_view name = strings.text("figure.rotations.name");
    EXPECT_NE(svg.find(fmt::format("<title>{}</title>", name)), std::string::npos);
    const std::size_t from = svg.find("<g font-family=\"sans-serif\" fill-opacity=\"0\">\n<text x=");
    ASSERT_NE(from, std::string::npos);
    const std::string texts = svg.substr(from);
    EXPECT_NE(texts.find("0.346"), std::string::npos) << texts;
    EXPECT_NE(texts.find(fmt::format(">{}</text>", name)), std::string::npos) << texts;
    EXPECT_EQ(svg.substr(0, from).find("<text"), std::string::npos) << "outlines";
    // Half as large a page: everything on it is.
    const std::string small = Case{"rotations", "print", "zh", 220.0, 160.0}.vector(VectorFormat::svg),
                      large = Case{"rotations", "print", "zh", 440.0, 320.0}.vector(VectorFormat::svg);
    const auto first = [](const std::string& text, const char* key) {
        const std::size_t at = text.find(key, text.find("<text"));
        return std::atof(text.c_str() + at + std::string_view(key).size());
    };
    for (const char* key : {" x=\"", " y=\"", " font-size=\"", " textLength=\""})
        EXPECT_NEAR(2.0 * first(small, key), first(large, key), 0.02) << key;
}

TEST_F(VectorPictures, TheSameSceneGivesTheSameBytes) {
    for (const VectorFormat format : {VectorFormat::pdf, VectorFormat::svg}) {
        const Case one{"", "print", "zh", 1200.0, 760.0}, other{"matrix"};
        const std::string first = one.vector(format);
        const std::string between = other.vector(format);
        EXPECT_EQ(first, one.vector(format));
        EXPECT_EQ(between, other.vector(format));
    }
}

TEST_F(VectorPictures, EveryFigureIsDrawnInEveryThemeLanguageAndMode) {
    for (const figures::Figure* figure : figures::figures())
        for (const ui::Theme& theme : ui::themes())
            for (const char* language : {"en", "zh"})
                for (const auto mode : figure->modes != nullptr ? figure->modes(Scene())
                                                                : std::span<const std::string_view>()) {
                    Case one{figure->id, theme.name, language, 420.0, 260.0};
                    figures::set_view_value(one.scene, figure->id, "mode", std::string(mode));
                    EXPECT_GT(one.vector(VectorFormat::svg).size(), 5000U) << figure->id << " " << mode;
                }
}

}  // namespace
}  // namespace posiscope::test::vector_test
