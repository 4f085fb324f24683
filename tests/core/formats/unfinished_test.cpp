// An interruption leaves no half-written file and keeps the previous one.
#include "core/formats/file.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace posiscope {
namespace {

namespace fs = std::filesystem;

TEST(Unfinished, AnInterruptionLeavesTheOldFileAndNothingElse) {
    const fs::path folder = fs::path(::testing::TempDir()) / ("unfinished" + std::to_string(::getpid()));
    fs::create_directories(folder);
    ASSERT_TRUE(write_file(folder / "kept.txt", "before"));
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        SCOPED_TRACE(signal);
        const pid_t child = ::fork();
        if (child == 0) {
            remove_unfinished_when_interrupted();
            auto kept = FileWriter::open(folder / "kept.txt");
            auto other = FileWriter::open(folder / "new.txt");
            kept->write("after");
            other->write(std::string(1 << 20, 'x'));
            ::kill(::getpid(), signal);
            ::_exit(0);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << "it ends as it always did";
        EXPECT_EQ(*read_file(folder / "kept.txt"), "before");
        EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
    }
    fs::remove_all(folder);
}

TEST(Unfinished, FinishedFilesAreForgotten) {
    const fs::path path = fs::path(::testing::TempDir()) / ("finished" + std::to_string(::getpid()));
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(write_file(path, "done"));  // more than there are places
    EXPECT_EQ(*read_file(path), "done");
    fs::remove(path);
}

}  // namespace
}  // namespace posiscope
