// Animations: the encoder's output, and that an unfinished one leaves no file.
#include "app/export/film.hpp"

#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>

namespace posiscope::exporting::film_test {
namespace {

namespace fs = std::filesystem;

class Film_ : public ::testing::Test {
protected:
    void SetUp() override {
        folder = fs::path(::testing::TempDir()) /
                 ("film" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
                  ::testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::create_directories(folder);
    }
    void TearDown() override { fs::remove_all(folder); }

    static Image picture(std::uint8_t grey) {
        Image image{32, 24, std::vector<std::uint8_t>(32 * 24 * 4, grey)};
        for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
        return image;
    }
    std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }
    // The film's pictures again, as grey values of their first pixels.
    std::vector<int> played(const fs::path& path) const {
        const std::string command =
            "ffmpeg -v error -i '" + path.string() + "' -f rawvideo -pix_fmt gray pipe:1";
        std::vector<int> first_pixels;
        std::FILE* out = ::popen(command.c_str(), "r");
        std::vector<unsigned char> frame(32 * 24);
        while (std::fread(frame.data(), 1, frame.size(), out) == frame.size())
            first_pixels.push_back(frame[0]);
        ::pclose(out);
        return first_pixels;
    }

    fs::path folder;
};

TEST_F(Film_, PlaysThePicturesInTheirOrder) {
    for (const std::string_view ending : {".mp4", ".gif"}) {
        SCOPED_TRACE(ending);
        const fs::path path = folder / ("film" + std::string(ending));
        auto film = Film::open(path, {32, 24, 10.0});
        ASSERT_TRUE(film) << to_string(film.error());
        for (const int grey : {20, 90, 160, 230})
            ASSERT_TRUE(film->add(picture(static_cast<std::uint8_t>(grey))));
        const auto finished = film->finish();
        ASSERT_TRUE(finished) << to_string(finished.error());
        const auto seen = played(path);
        ASSERT_EQ(seen.size(), 4U);
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_NEAR(seen[i], 20 + 70 * static_cast<int>(i), 4) << "picture " << i;
    }
    EXPECT_EQ(files(), 2U) << "nothing but the films";
}

TEST_F(Film_, AWebpHasEveryPicture) {
    const fs::path path = folder / "film.webp";
    auto film = Film::open(path, {32, 24, 10.0});
    ASSERT_TRUE(film) << to_string(film.error());
    for (const int grey : {20, 90, 160}) ASSERT_TRUE(film->add(picture(static_cast<std::uint8_t>(grey))));
    ASSERT_TRUE(film->finish());
    std::string bytes(static_cast<std::size_t>(fs::file_size(path)), '\0');
    std::FILE* in = std::fopen(path.c_str(), "rb");
    ASSERT_EQ(std::fread(bytes.data(), 1, bytes.size(), in), bytes.size());
    std::fclose(in);
    EXPECT_EQ(bytes.substr(8, 4), "WEBP");
    std::size_t pictures = 0;
    for (auto at = bytes.find("ANMF"); at != std::string::npos; at = bytes.find("ANMF", at + 4)) ++pictures;
    EXPECT_EQ(pictures, 3U);
}

// As every other file is written.
TEST_F(Film_, ALinkIsFollowedAModeKeptAndAColonIsNoProtocol) {
    const fs::path real = folder / "real.gif", link = folder / "link.gif", colon = folder / "data:film.gif";
    std::FILE* old = std::fopen(real.c_str(), "w");
    std::fputs("old", old);
    std::fclose(old);
    fs::permissions(real, fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("real.gif", link);
    for (const fs::path& path : {link, colon}) {
        auto film = Film::open(path, {32, 24, 10.0});
        ASSERT_TRUE(film) << to_string(film.error());
        ASSERT_TRUE(film->add(picture(100)));
        const auto finished = film->finish();
        ASSERT_TRUE(finished) << to_string(finished.error());
    }
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(fs::status(real).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(played(real).size(), 1U);
    EXPECT_GT(fs::file_size(colon), 100U);
    EXPECT_EQ(files(), 3U);
}

TEST_F(Film_, WhatIsNotFinishedLeavesNothing) {
    {
        auto film = Film::open(folder / "film.mp4", {32, 24, 10.0});
        ASSERT_TRUE(film);
        ASSERT_TRUE(film->add(picture(100)));
    }
    EXPECT_EQ(files(), 0U);
}

TEST_F(Film_, WithoutTheEncoderItIsNamed) {
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", folder.c_str(), 1);
    const auto film = Film::open(folder / "film.mp4", {32, 24, 10.0});
    ::setenv("PATH", path.c_str(), 1);
    ASSERT_FALSE(film);
    EXPECT_EQ(film.error().key, "film.no_encoder");
    EXPECT_EQ(files(), 0U);
}

// As ffmpeg does it: it says that the disk is full, leaves half a file and ends as if all were well.
TEST_F(Film_, OnAFullDiskNothingHalfWrittenStays) {
    const fs::path programs = folder / "bin";
    fs::create_directories(programs);
    std::FILE* script = std::fopen((programs / "ffmpeg").c_str(), "w");
    std::fputs("#!/bin/sh\nfor last; do :; done\necho half >\"$last\"\nwhile read -r line; do :; done\n"
               "echo \"Error writing trailer of $last: No space left on device\" >&2\n",
               script);
    std::fclose(script);
    fs::permissions(programs / "ffmpeg", fs::perms::owner_all);
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", programs.c_str(), 1);
    {
        auto film = Film::open(folder / "film.gif", {32, 24, 10.0});
        ::setenv("PATH", path.c_str(), 1);
        ASSERT_TRUE(film) << to_string(film.error());
        ASSERT_TRUE(film->add(picture(100)));
        const auto finished = film->finish();
        ASSERT_FALSE(finished) << "half a film was put in its place";
        EXPECT_EQ(to_string(finished.error()),
                  to_string(Problem{"file.write",
                                    {{"path", (folder / "film.gif").string()}, {"reason", "space"}}}));
        EXPECT_EQ(finished.error().cause, Cause::failure);
    }
    EXPECT_EQ(files(), 1U) << "only the folder of the program is left";
}

TEST_F(Film_, APlaceThatCannotBeWrittenIsSaidBeforeAnythingIsDrawn) {
    const auto film = Film::open(folder / "no" / "film.mp4", {32, 24, 10.0});
    ASSERT_FALSE(film);
    EXPECT_EQ(film.error().key.substr(0, 5), "file.") << to_string(film.error());
}

}  // namespace
}  // namespace posiscope::exporting::film_test
