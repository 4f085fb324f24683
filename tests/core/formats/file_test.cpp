// Files appear whole or not at all, whatever fails on the way.
#include "core/formats/file.hpp"
#include "tests/core/formats/file_fixture.hpp"
#include "tests/hosted.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace posiscope::file_test {
namespace {

namespace fs = std::filesystem;

using test::File;

TEST_F(File, WhatIsWrittenIsRead) {
    std::string bytes(3000000, 'x');
    bytes[1234567] = '\0';
    EXPECT_EQ(refusal(at("a"), bytes), "written");
    EXPECT_EQ(*read_file(at("a")), bytes);
    EXPECT_EQ(refusal(at("a"), ""), "written");
    EXPECT_EQ(*read_file(at("a")), "");
    EXPECT_EQ(entries(), 1U);
    EXPECT_EQ(refusal(at(std::string(255, 'n').c_str())), "written") << "the longest name a folder takes";
}

// A process that is killed cannot clean up: the next one does. Numbers of processes go up to 2^22.
TEST_F(File, WhatAKilledProcessLeftIsRemoved) {
    if (!test::kHosted) GTEST_SKIP() << "no other processes here";
    const fs::path own = at("own");  // looked through once by each process
    fs::create_directory(own);
    const std::string gone = ".posiscope-99999999-0";
    const std::vector<std::string> others = {".posiscope-" + std::to_string(::getpid()) + "-999999",
                                             ".posiscope-0-0", ".posiscope-99999999", ".posiscope-x-1",
                                             "posiscope-99999999-0"};
    std::ofstream(own / gone) << "half";
    for (const std::string& other : others) std::ofstream(own / other) << "kept";
    fs::create_directory(own / ".posiscope-99999998-0");
    std::error_code no_links;
    fs::create_symlink(own / others[0], own / ".posiscope-99999997-0", no_links);
    EXPECT_EQ(refusal(own / "a"), "written");
    EXPECT_FALSE(fs::exists(own / gone));
    EXPECT_EQ(std::distance(fs::directory_iterator(own), fs::directory_iterator()),
              static_cast<std::ptrdiff_t>(others.size()) + (no_links ? 2 : 3));
}

// In a container every program may be process 1: a former one's drafts are in nobody's way, and go once they are old.
TEST_F(File, AFormerProcessOfTheSameNumberIsInNobodysWay) {
    if (!test::kHosted) GTEST_SKIP() << "no other processes here";
    const fs::path own = at("container");
    fs::create_directory(own);
    const std::string mine = ".posiscope-" + std::to_string(::getpid()) + "-";
    for (int n = 0; n < 64; ++n) std::ofstream(own / (mine + std::to_string(n))) << "half";
    fs::last_write_time(own / (mine + "0"), fs::file_time_type::clock::now() - std::chrono::hours(2));
    EXPECT_EQ(refusal(own / "a"), "written");
    EXPECT_FALSE(fs::exists(own / (mine + "0")));
    EXPECT_TRUE(fs::exists(own / (mine + "1"))) << "another container's, which writes it now";
}

TEST_F(File, ReadingIsRefusedWithAReason) {
    EXPECT_EQ(to_string(read_file(at("none")).error()),
              "file.missing (path=" + at("none").string() + ", reason=no_folder)");
    EXPECT_EQ(to_string(read_file(folder_).error()), "file.folder (path=" + folder_.string() + ")");
    ASSERT_TRUE(write_file(at("a"), "12345"));
    EXPECT_TRUE(read_file(at("a"), 5));
    EXPECT_EQ(to_string(read_file(at("a"), 4).error()),
              "file.large (path=" + at("a").string() + ", limit=4)");
}

TEST_F(File, AFolderInTheWayIsNamed) {
    fs::create_directory(at("d"));
    EXPECT_EQ(refusal(at("d")), "file.folder (path=" + at("d").string() + ")");
    EXPECT_EQ(refusal(folder_ / "new" / ""), "file.folder (path=" + (folder_ / "new" / "").string() + ")");
    EXPECT_EQ(refusal(folder_ / "none" / "a"),
              "file.create (path=" + (folder_ / "none" / "a").string() + ", reason=no_folder)");
    ASSERT_TRUE(write_file(at("a"), "x"));
    EXPECT_EQ(refusal(folder_ / "a" / "b"),
              "file.create (path=" + (folder_ / "a" / "b").string() + ", reason=not_a_folder)");
    EXPECT_EQ(refusal(at(std::string(256, 'n').c_str())).substr(0, 11), "file.rename");
    EXPECT_EQ(entries(), 2U);
}

TEST_F(File, ARenameThatFailsLeavesNothing) {
    auto writer = FileWriter::open(at("a"));
    ASSERT_TRUE(writer);
    writer->write("new");
    fs::create_directory(at("a"));
    const auto committed = writer->commit();
    ASSERT_FALSE(committed);
    EXPECT_EQ(to_string(committed.error()),
              "file.rename (path=" + at("a").string() + ", reason=is_a_folder)");
    EXPECT_EQ(entries(), 1U);
}

TEST_F(File, WhatIsNotCommittedLeavesNothing) {
    {
        auto writer = FileWriter::open(at("a"));
        writer->write(std::string(2000000, 'x'));
        FileWriter moved = std::move(*writer);
        moved.write("y");
        EXPECT_EQ(entries(), 1U);
    }
    EXPECT_EQ(entries(), 0U);
}

}  // namespace
}  // namespace posiscope::file_test
