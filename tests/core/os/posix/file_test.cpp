// Files where descriptors, rights, sizes and links are limited as POSIX knows them.
#include "core/formats/file.hpp"
#include "tests/core/formats/file_fixture.hpp"
#include "tests/sanitized.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace posiscope::file_test {
namespace {

namespace fs = std::filesystem;
using test::File;

TEST_F(File, WhatHasNoSizeIsCounted) { EXPECT_EQ(read_file("/dev/zero", 1000).error().key, "file.large"); }

TEST_F(File, NoDescriptorIsLeft) {
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

TEST_F(File, AFolderWithoutPermissionIsNamed) {
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
}  // namespace posiscope::file_test
