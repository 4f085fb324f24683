// The Scene in a PNG: read back unchanged, or one Problem, whatever the file is.
#include "app/export/png.hpp"
#include "tests/core/any_scene.hpp"
#include "tests/folder.hpp"

#include <gtest/gtest.h>
#include <png.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

namespace posiscope::exporting::png_test {
namespace {

namespace fs = std::filesystem;

class PngScene : public test::InFolder {
protected:
    // What scene_in_png says of these bytes: the JSON, or the Problem's key.
    std::string said_of(std::string_view bytes) const {
        const fs::path path = folder_ / "picture.png";
        EXPECT_TRUE(write_file(path, bytes));
        const auto json = scene_in_png(path);
        return json ? json->dump() : json.error().key;
    }
};

std::string picture_with(std::string_view scene, bool transparent = false) {
    const Image image{2, 2, {1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255, 10, 11, 12, 255}};
    return png(image, {.dpi = 300.0, .transparent = transparent, .scene = scene});
}

RC_GTEST_FIXTURE_PROP(PngScene, ComesBackAsItWas, ()) {
    SetUp();
    for (int i = 0; i < 2; ++i) {  // 2 × 100 cases
        const Scene scene = any_scene();
        RC_ASSERT(write_file(folder_ / "a.png", picture_with(*scene_text(scene))).has_value());
        const auto json = scene_in_png(folder_ / "a.png");
        RC_ASSERT(json.has_value());
        const auto laid = overlay(Scene(), *json);
        RC_ASSERT(laid.has_value());
        RC_ASSERT(laid->scene == scene);
        RC_ASSERT(laid->adjusted.empty());
    }
}

TEST_F(PngScene, APictureCutAnywhereGivesTheWholeSceneOrOneProblem) {
    const std::string text = *scene_text(Scene()), whole = picture_with(text);
    const std::size_t pixels = whole.find("IDAT");
    ASSERT_NE(pixels, std::string::npos);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const std::string said = said_of(std::string_view(whole).substr(0, length));
        EXPECT_EQ(said, length < 8            ? "png.not_png"
                        : length < pixels + 4 ? "png.damaged"
                                              : text)
            << "cut after " << length << " of " << whole.size() << " bytes";
    }
}

RC_GTEST_FIXTURE_PROP(PngScene, ADamagedPictureNeverGivesAnotherScene, (std::uint8_t byte)) {
    SetUp();
    const std::string text = *scene_text(Scene());
    std::string bytes = picture_with(text);
    bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = static_cast<char>(byte);
    const std::string said = said_of(bytes);
    RC_ASSERT(said == text || said == "png.not_png" || said == "png.damaged" || said == "png.no_scene");
}

TEST_F(PngScene, HostileScenesAreRefused) {
    EXPECT_EQ(said_of(picture_with("")), "png.no_scene");
    EXPECT_EQ(said_of(picture_with("{\"position\": 1, \"position\": 2}")), "json.repeated");
    EXPECT_EQ(said_of(picture_with(std::string(2000000, '['))), "json.depth");
    EXPECT_EQ(said_of(picture_with("{\"position\": 1")), "json.syntax");
    EXPECT_EQ(said_of(picture_with(std::string(kLargestSceneText + 2000, ' '))), "png.damaged")
        << "more than is read";
    EXPECT_EQ(overlay(Scene(), *parse_json(said_of(picture_with("{\"version\": 2}")))).error().key,
              "version.newer");
}

// A text of a few KB that unpacks to 64 MiB.
// A picture of one pixel with texts before it.
std::string with_texts(std::size_t count, std::size_t size) {
    std::string bytes, keyword = "note", last = kSceneKeyword, empty, text(size, ' ');
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &bytes,
        [](png_structp to, png_bytep data, std::size_t added) {
            static_cast<std::string*>(png_get_io_ptr(to))->append(reinterpret_cast<char*>(data), added);
        },
        nullptr);
    png_set_IHDR(png, info, 1, 1, 8, PNG_COLOR_TYPE_GRAY, 0, 0, 0);
    for (std::size_t i = 0; i < count; ++i) {
        png_text chunk{};
        chunk.compression = PNG_ITXT_COMPRESSION_zTXt;
        chunk.key = i + 1 == count ? last.data() : keyword.data();
        chunk.text = text.data();
        chunk.lang = chunk.lang_key = empty.data();
        png_set_text(png, info, &chunk, 1);
    }
    png_write_info(png, info);
    const png_byte row = 0;
    png_write_row(png, &row);
    png_write_end(png, nullptr);
    png_destroy_write_struct(&png, &info);
    return bytes;
}

TEST_F(PngScene, ACompressedBombIsRefused) {
    const std::string bytes = with_texts(1, std::size_t{64} << 20);
    ASSERT_LT(bytes.size(), 100000U);
    EXPECT_EQ(said_of(bytes), "png.damaged");
}

// Each is within the bound of one text; together they are a gigabyte.
TEST_F(PngScene, ManyTextsDoNotFillTheMemory) {
    const std::string bytes = with_texts(300, std::size_t{4} << 20);
    ASSERT_LT(bytes.size(), std::size_t{2} << 20);
    EXPECT_EQ(said_of(bytes), "png.damaged");
}

// A chunk that claims to have a gigabyte; that no room is made for it is what the fuzzer watches.
TEST_F(PngScene, AChunkThatClaimsToBeHugeIsRefused) {
    std::string bytes = picture_with(*scene_text(Scene()));
    const std::size_t chunk = bytes.find("iTXt") - 4;
    bytes[chunk] = 0x40;
    EXPECT_EQ(said_of(bytes), "png.damaged");
    bytes.replace(chunk + 4, 4, "zTXt");
    EXPECT_EQ(said_of(bytes), "png.damaged");
}

TEST_F(PngScene, WhatIsNoPictureIsSaid) {
    EXPECT_EQ(said_of("{\"position\": 10}"), "png.not_png");
    EXPECT_EQ(said_of(""), "png.not_png");
    EXPECT_EQ(scene_in_png(folder_).error().key, "file.folder");
    EXPECT_EQ(scene_in_png(folder_ / "none.png").error().key, "file.missing");
}

TEST_F(PngScene, ASceneTooLargeToReadAgainIsNotWritten) {
    Scene scene;
    scene.view["note"] = std::string(kLargestSceneText, 'x');
    EXPECT_EQ(scene_text(scene).error().key, "png.scene_large");
}

// Read back by libpng itself: resolution, colour space, and pixels with and without alpha.
TEST_F(PngScene, ThePictureIsMarkedAsSrgbWithItsResolution) {
    for (const bool transparent : {false, true}) {
        ASSERT_TRUE(write_file(folder_ / "a.png", picture_with("{}", transparent)));
        FILE* file = std::fopen((folder_ / "a.png").c_str(), "rb");
        png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
        png_infop info = png_create_info_struct(png);
        png_init_io(png, file);
        png_read_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
        EXPECT_EQ(png_get_x_pixels_per_meter(png, info), 11811U) << "300 dpi";
        int intent = -1;
        EXPECT_NE(png_get_sRGB(png, info, &intent), 0U);
        EXPECT_EQ(png_get_channels(png, info), transparent ? 4 : 3);
        EXPECT_EQ(png_get_rows(png, info)[1][transparent ? 4 : 3], 10);
        png_destroy_read_struct(&png, &info, nullptr);
        std::fclose(file);
    }
}

}  // namespace
}  // namespace posiscope::exporting::png_test
