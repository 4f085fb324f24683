// The built program drawing: progress, vector files without OpenGL, a picture opened again, a refused shader.
#include "tests/app/program.hpp"

#include <filesystem>
#include <gtest/gtest.h>

namespace posiscope::render_command_test {
namespace {

namespace fs = std::filesystem;
using test::lines_of, test::Program, test::Ran;

// The window reads progress as values, in whatever language its sentences are.
TEST_F(Program, ProgressIsALineOfJsonForEachPicture) {
    const Ran ran =
        run("render -o $D/a-%04d.png --over offset --from 3 --to 4 --size 320x200 --progress --lang zh");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "{\"count\":2,\"done\":1}\n{\"count\":2,\"done\":2}\n");
}

// Vector files need no OpenGL: with EGL's drivers hidden only the PNG is refused.
TEST_F(Program, PdfAndSvgNeedNoOpenGl) {
    const std::string hidden = "LC_ALL=C __EGL_VENDOR_LIBRARY_DIRS=/nonexistent "
                               "__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent LIBGL_DRIVERS_PATH=/nonexistent";
    EXPECT_EQ(run("render -o $D/a.png --size 320x200", hidden).code, 3);
    for (const char* ending : {"pdf", "svg"}) {
        const std::string name = std::string("a.") + ending;
        for (const char* options :
             {" --page 160x100mm --figure matrix --lang zh", " --size 1200x760 --transparent"}) {
            const Ran ran = run("render -o $D/" + name + options, hidden);
            EXPECT_EQ(ran.code, 0) << ran.err;
            EXPECT_EQ(ran.err + ran.out, "");
            const std::string bytes = *read_file(folder_ / name);
            EXPECT_TRUE(bytes.starts_with(ending == std::string("pdf") ? "%PDF" : "<?xml")) << options;
            run("render -o $D/" + name + options, hidden);
            EXPECT_EQ(bytes, *read_file(folder_ / name)) << "the same bytes again";
        }
    }
    EXPECT_EQ(entries(), 2U);
}

// A size is the same in every unit; px are pixels of a .png, whatever its resolution.
TEST_F(Program, ASizeHasItsUnit) {
    const auto drawn = [&](const std::string& size) {
        const Ran ran = run("render --figure spectrum --bare --set encoding=rope -o -.svg " + size);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return ran.out;
    };
    const std::string points = drawn("--size 384x288");
    for (const char* size : {"--size 4x3in", "--size 101.6x76.2mm", "--size 10.16x7.62cm", "--size 384x288px",
                             "--page 4x3in", "--page 10.16x7.62cm"})
        EXPECT_TRUE(drawn(size) == points) << size;
    const Ran png = run("render --figure spectrum --size 600x400px --dpi 192 -o $D/a.png");
    if (png.code == 3) GTEST_SKIP() << "no OpenGL here";
    const std::string bytes = *read_file(folder_ / "a.png");
    EXPECT_EQ(bytes.substr(16, 8), std::string("\0\0\x02\x58\0\0\x01\x90", 8));
}

// Words and numbers are set in another face, in the size that was asked for; what is no font is refused.
TEST_F(Program, APictureTakesATypefaceAndTheSizeOfItsText) {
    const std::string figure = "render --figure scores --bare --page 3.3x2.4in --set encoding=rope ";
    ASSERT_EQ(run(figure + "--font serif -o $D/a.pdf").code, 0);
    const std::string pdf = *read_file(folder_ / "a.pdf");
    EXPECT_NE(pdf.find("+DejaVuSerif"), std::string::npos);
    EXPECT_EQ(pdf.find("+Roboto"), std::string::npos);
    const fs::path own = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf";
    if (fs::exists(own)) {
        ASSERT_EQ(run(figure + "--font " + own.string() + " -o $D/b.pdf").code, 0);
        EXPECT_NE(read_file(folder_ / "b.pdf")->find("+DejaVuSansMono"), std::string::npos);
    }
    // The largest text of a figure, in points of 1/72 inch; SVG counts in 1/96.
    for (const double points : {7.0, 10.0}) {
        ASSERT_EQ(run(figure + "--letters " + std::to_string(points) + " -o $D/c.svg").code, 0);
        const std::string svg = *read_file(folder_ / "c.svg");
        double largest = 0.0;
        for (std::size_t at = svg.find("font-size=\""); at != std::string::npos;
             at = svg.find("font-size=\"", at + 1))
            largest = std::max(largest, std::stod(svg.substr(at + 11, 8)));
        EXPECT_NEAR(0.75 * largest, points * 13.5 / 15.5, 0.05);
    }
    if (run(figure + "-o $D/e.png").code == 0) {  // pixels too, where OpenGL is
        ASSERT_EQ(run(figure + "--font serif -o $D/f.png").code, 0);
        EXPECT_NE(*read_file(folder_ / "e.png"), *read_file(folder_ / "f.png"));
    }
    write_file(folder_ / "d.ttf", "not a font");
    const Ran refused = run(figure + "--font $D/d.ttf -o $D/d.svg");
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("is not an outline font"), std::string::npos) << refused.err;
    EXPECT_EQ(run(figure + "--letters 2 -o $D/d.svg").code, 2);
}

// The notes, one a line.
// A style holds for every kind of picture, and an option beside it goes before it.
TEST_F(Program, AStyleSaysHowPicturesLook) {
    put("paper.json",
        R"({"size": "3.3x2.4in", "letters": 8, "bare": true, "lines": 2, "theme": "print", "dpi": 192,
        "curves": ["#112233", "445566"], "dashes": [0, 7], "colours": {"grid": "ABCDEF", "background": "FEDCBA"}})");
    const std::string of = "render --style $D/paper.json --figure scores --set encoding=rope "
                           "--curve 'RoPE' --curve 'base 500: base=500' -o ";
    const Ran drawn = run(of + "-.svg");
    ASSERT_EQ(drawn.code, 0) << drawn.err;
    // 0x11 of 255 is 6.67 %; a curve is 2 points wide as it is, dashed or not.
    for (const char* part : {"width=\"316.8\"", "rgb(6.666667%", "rgb(26.666667%", "rgb(67.058824%",
                             "rgb(99.607843%", "stroke-width:4", "stroke-dasharray:7"})
        EXPECT_NE(drawn.out.find(part), std::string::npos) << part;
    EXPECT_NE(run(of + "-.svg --size 2x1in").out.find("width=\"192\""), std::string::npos);
    const Ran test = run("render --style $D/paper.json --figure test -o -.svg");
    EXPECT_NE(test.out.find("rgb(26.666667%"), std::string::npos) << "the second encoding of an experiment";
    EXPECT_EQ(run("render --style $D/paper.json --bench overview -o -.svg").code, 0) << "bare is of figures";
    EXPECT_TRUE(run(of + "-.pdf").out.starts_with("%PDF"));
    for (const auto& [style, says] : std::vector<std::pair<const char*, const char*>>{
             {R"({"colors": {}})", "nearest is colours"},
             {R"({"colours": {"gird": "000000"}})", "nearest is grid"},
             {R"({"curves": ["blue"]})", "six hexadecimal digits"},
             {R"({"curves": [1, 2, 3, 4, 5, 6, 7, 8, 9]})", "at most 8"},
             {R"({"lines": 40})", "lines"},
             {R"({"dashes": [-1]})", "dashes"},
             {R"({"size": "3.3"})", "3.3"},
             {R"([1])", "--style"},
             {R"({"lines": )", "wrong.json"}}) {
        put("wrong.json", style);
        const Ran ran = run("render --style $D/wrong.json --figure scores -o -.svg");
        EXPECT_EQ(ran.code, 2) << style;
        EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
    }
    EXPECT_EQ(run("render --style $D/none.json -o -.svg").code, 1);
    const Ran png = run(of + "$D/a.png");
    if (png.code == 3) GTEST_SKIP() << "no OpenGL here";
    EXPECT_EQ(read_file(folder_ / "a.png")->substr(16, 8), std::string("\0\0\x02\x7a\0\0\x01\xcd", 8));
}

TEST_F(Program, APictureIsOpenedAgain) {
    const Ran drawn = run("render -o $D/a.png --page 100x60mm --dpi 150 --transparent --set position=77");
    if (drawn.code == 3) GTEST_SKIP() << "no OpenGL here";
    EXPECT_EQ(drawn.code, 0) << drawn.err;
    const std::string bytes = *read_file(folder_ / "a.png");
    EXPECT_EQ(bytes.substr(16, 8), std::string("\0\0\x02\x4f\0\0\x01\x62", 8)) << "591 × 354 pixels";
    EXPECT_EQ(run("data shift -s $D/a.png").out, run("data shift --set position=77").out);
    EXPECT_EQ(run("data shift -s $D/a.png --set position=5").out, run("data shift --set position=5").out);
    const Ran none = run("data shift -s $D/b.png");
    EXPECT_EQ(none.code, 1) << none.err;
}

// Mesa can be told to know no more than GLSL 1.30, and then links no program of ours.
TEST_F(Program, AShaderThatTheDriverRefusesIsNamedAndItsSourceKept) {
    const Ran ran =
        run("render -o $D/a.png --size 320x200",
            "LC_ALL=C MESA_GL_VERSION_OVERRIDE=4.5 MESA_GLSL_VERSION_OVERRIDE=130 XDG_STATE_HOME=\"$D\"");
    const fs::path log = folder_ / "posiscope" / "shader.log";
    if (!fs::exists(log)) GTEST_SKIP() << "this driver cannot be told to refuse a shader";
    EXPECT_EQ(ran.code, 3);
    EXPECT_EQ(lines_of(ran.err).size(), 1U) << ran.err;
    EXPECT_NE(ran.err.find("the shader clocks.frag"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find(log.string()), std::string::npos) << ran.err;
    const std::string source = *read_file(log);
    EXPECT_NE(source.find("\n1  #version 330 core\n"), std::string::npos) << source;
    EXPECT_NE(source.find("-- clocks.vert\n"), std::string::npos) << source;
    EXPECT_FALSE(fs::exists(folder_ / "a.png")) << "no picture, and no part of one";
}

}  // namespace
}  // namespace posiscope::render_command_test
