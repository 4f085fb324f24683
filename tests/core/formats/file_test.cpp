// Files appear whole or not at all, whatever fails on the way.
#include "core/formats/file.hpp"
#include "tests/folder.hpp"
#include "tests/hosted.hpp"
#include "tests/sanitized.hpp"

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace posiscope {
namespace {

namespace fs = std::filesystem;

class File : public test::InFolder {
protected:
    fs::path at(const char* name) const { return folder_ / name; }
    std::size_t entries() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }
    std::string refusal(const fs::path& path, std::string_view bytes = "new") const {
        const auto written = write_file(path, bytes);
        return written ? "written" : to_string(written.error());
    }
};

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
    fs::create_symlink(own / others[0], own / ".posiscope-99999997-0");
    EXPECT_EQ(refusal(own / "a"), "written");
    EXPECT_FALSE(fs::exists(own / gone));
    EXPECT_EQ(std::distance(fs::directory_iterator(own), fs::directory_iterator()),
              static_cast<std::ptrdiff_t>(others.size()) + 3);
}

TEST_F(File, NoDescriptorIsLeft) {
    if (!test::kHosted) GTEST_SKIP() << "no limits of a process here";
    if (test::kSanitized)
        GTEST_SKIP() << "the sanitizer asks the system about memory, for which it needs a descriptor";
    ASSERT_TRUE(write_file(at("a"), "old"));
    struct rlimit before {};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const struct rlimit none { 0, before.rlim_max };
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    const std::string written = refusal(at("a")), read = to_string(read_file(at("a")).error());
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_EQ(written, "file.create (path=" + at("a").string() + ", reason=descriptors)");
    EXPECT_EQ(read, "file.read (path=" + at("a").string() + ", reason=descriptors)");
    EXPECT_EQ(*read_file(at("a")), "old");
}

TEST_F(File, ReadingIsRefusedWithAReason) {
    EXPECT_EQ(to_string(read_file(at("none")).error()),
              "file.missing (path=" + at("none").string() + ", reason=no_folder)");
    EXPECT_EQ(to_string(read_file(folder_).error()), "file.folder (path=" + folder_.string() + ")");
    ASSERT_TRUE(write_file(at("a"), "12345"));
    EXPECT_TRUE(read_file(at("a"), 5));
    EXPECT_EQ(to_string(read_file(at("a"), 4).error()),
              "file.large (path=" + at("a").string() + ", limit=4)");
    EXPECT_EQ(read_file("/dev/zero", 1000).error().key, "file.large") << "what has no size is counted";
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

TEST_F(File, AFolderWithoutPermissionIsNamed) {
    if (!test::kHosted) GTEST_SKIP() << "no users here";
    const bool root = ::geteuid() == 0;
    ::chmod(folder_.c_str(), 0555);
    ASSERT_TRUE(!root || ::seteuid(65534) == 0);
    const std::string said = refusal(at("a"));
    ASSERT_TRUE(!root || ::seteuid(0) == 0);
    ::chmod(folder_.c_str(), 0755);
    EXPECT_EQ(said, "file.create (path=" + at("a").string() + ", reason=permission)");
    EXPECT_EQ(entries(), 0U);
}

TEST_F(File, AFullDiskLeavesTheOldFile) {
    if (!test::kHosted) GTEST_SKIP() << "no limits of a process here";
    ASSERT_TRUE(write_file(at("a"), "old"));
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 4096;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string said = refusal(at("a"), std::string(10000, 'x'));
    const std::string large = refusal(at("b"), std::string(3000000, 'x'));
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(said, "file.write (path=" + at("a").string() + ", reason=too_large)");
    EXPECT_EQ(large, "file.write (path=" + at("b").string() + ", reason=too_large)");
    EXPECT_EQ(*read_file(at("a")), "old");
    EXPECT_EQ(entries(), 1U);
    EXPECT_EQ(refusal("/dev/full"), "file.stream (path=/dev/full, reason=space)");
    EXPECT_TRUE(fs::is_character_file("/dev/full")) << "a device is written to, never replaced";
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

TEST_F(File, ALinkToItselfIsRefused) {
    fs::create_symlink("round.txt", folder_ / "round.txt");
    const auto written = write_file(folder_ / "round.txt", "text");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().key, "file.create");
    EXPECT_TRUE(fs::is_symlink(folder_ / "round.txt")) << "the link was replaced";
}

TEST_F(File, LinksAreFollowedAndModesKept) {
    ASSERT_TRUE(write_file(at("a"), "old"));
    fs::permissions(at("a"), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("a", at("link"));
    EXPECT_EQ(refusal(at("link")), "written");
    EXPECT_TRUE(fs::is_symlink(at("link")));
    EXPECT_EQ(*read_file(at("a")), "new");
    EXPECT_EQ(fs::status(at("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace
}  // namespace posiscope
