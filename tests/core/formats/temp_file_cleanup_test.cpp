#include "core/formats/file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace posiscope::unfinished_test {
namespace {

namespace fs = std::filesystem;

TEST(TempFileCleanup, FinishedFilesAreForgotten) {
    const fs::path path = fs::path(::testing::TempDir()) / ("finished" + std::to_string(::getpid()));
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(write_file(path, "done"));  // more than there are places
    EXPECT_EQ(*read_file(path), "done");
    fs::remove(path);
}

}  // namespace
}  // namespace posiscope::unfinished_test
