// What ends the program is known at the next start, also while another one is under way.
#include "app/platform/attempt.hpp"
#include "tests/folder.hpp"

#include <filesystem>
#include <sys/wait.h>

namespace posiscope::test::attempt_test {
namespace {

using platform::Attempt;

class Attempts : public InFolder {
protected:
    std::filesystem::path file() const { return folder_ / "deep" / "opening"; }
};

TEST_F(Attempts, OneThatEndsTheProgramHasFailed) {
    EXPECT_FALSE(Attempt(file()).last_failed());
    const auto child = [&](bool succeeds) {
        const ::pid_t process = ::fork();
        if (process == 0) {
            Attempt attempt(file());
            attempt.begin();
            if (succeeds) attempt.succeed();
            ::_exit(0);
        }
        ::waitpid(process, nullptr, 0);
    };
    child(true);
    EXPECT_FALSE(Attempt(file()).last_failed());
    child(false);
    EXPECT_TRUE(Attempt(file()).last_failed());
    EXPECT_FALSE(Attempt(file()).last_failed()) << "once";
}

TEST_F(Attempts, AnErrorIsNoSuccessAndNoAttemptIsNoFailure) {
    { Attempt unused(file()); }
    EXPECT_FALSE(Attempt(file()).last_failed());
    {
        Attempt attempt(file());
        attempt.begin();
        EXPECT_TRUE(attempt.under_way());
    }
    EXPECT_TRUE(Attempt(file()).last_failed());
}

TEST_F(Attempts, OneOfAnotherWindowCountsForNothing) {
    Attempt first(file());
    first.begin();
    Attempt second(file());
    EXPECT_FALSE(second.last_failed());
    second.begin();
    EXPECT_FALSE(second.under_way());
    second.succeed();
    EXPECT_EQ(std::filesystem::file_size(file()), 2U) << "the first goes on";
    first.succeed();
    EXPECT_EQ(std::filesystem::file_size(file()), 0U);
}

TEST_F(Attempts, NothingIsWrittenThroughALink) {
    std::filesystem::create_directories(folder_ / "deep");
    std::filesystem::create_symlink(folder_ / "victim", file());
    Attempt attempt(file());
    attempt.begin();
    EXPECT_FALSE(attempt.under_way());
    EXPECT_FALSE(std::filesystem::exists(folder_ / "victim"));
    Attempt nowhere("");
    nowhere.begin();
    EXPECT_FALSE(nowhere.under_way());
}

}  // namespace
}  // namespace posiscope::test::attempt_test
