// An interruption leaves no half-written file and keeps the previous one.
#include "core/formats/file.hpp"

#include <algorithm>
#include <csignal>
#include <functional>
#include <gtest/gtest.h>
#include <new>
#include <sys/wait.h>
#include <unistd.h>

namespace posiscope::unfinished_test {
namespace {

namespace fs = std::filesystem;

TEST(TempFileCleanup, AnInterruptionLeavesTheOldFileAndNothingElse) {
    const fs::path folder = fs::path(::testing::TempDir()) / ("unfinished" + std::to_string(::getpid()));
    fs::create_directories(folder);
    ASSERT_TRUE(write_file(folder / "kept.txt", "before"));
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
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

// Whoever writes the file would write on, or finish it.
TEST(TempFileCleanup, AnInterruptionEndsTheProgramThatWrites) {
    const fs::path folder = fs::path(::testing::TempDir()) / ("writer" + std::to_string(::getpid()));
    fs::create_directories(folder);
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        remove_unfinished_when_interrupted();
        auto draft = AtomicFile::open(folder / "film.mp4");
        const pid_t writer = ::fork();
        if (writer == 0) {
            for (;;) ::pause();
        }
        draft->written_by(writer);
        (void)!::write(ends[1], &writer, sizeof(writer));
        ::kill(::getpid(), SIGTERM);
        ::_exit(0);
    }
    pid_t writer = 0;
    ASSERT_EQ(::read(ends[0], &writer, sizeof(writer)), static_cast<ssize_t>(sizeof(writer)));
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    EXPECT_NE(::kill(writer, 0), 0) << "it still runs";
    EXPECT_TRUE(fs::is_empty(folder));
    fs::remove_all(folder);
    ::close(ends[0]);
    ::close(ends[1]);
}

// Nothing can be caught where nothing may be thrown.
void without_a_catch(const std::function<void()>& run) noexcept { run(); }

TEST(TempFileCleanup, MissingMemoryEndsWithASentenceAndTheOldFile) {
    const fs::path folder = fs::path(::testing::TempDir()) / ("memory" + std::to_string(::getpid()));
    fs::create_directories(folder);
    ASSERT_TRUE(write_file(folder / "kept.txt", "before"));
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDERR_FILENO);
        end_plainly_without_memory();
        auto kept = FileWriter::open(folder / "kept.txt");
        kept->write("after");
        without_a_catch([] { throw std::bad_alloc(); });
    }
    ::close(ends[1]);
    std::string said(4096, '\0');
    said.resize(static_cast<std::size_t>(std::max<::ssize_t>(::read(ends[0], said.data(), said.size()), 0)));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    EXPECT_NE(said.find("not enough memory"), std::string::npos) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    EXPECT_EQ(*read_file(folder / "kept.txt"), "before");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
    fs::remove_all(folder);
}

}  // namespace
}  // namespace posiscope::unfinished_test
