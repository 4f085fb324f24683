// The exports alone: a program that reports its progress as values, is stopped, or fails with a sentence.
#include "app/workbench/share/exports.hpp"

#include "core/formats/file.hpp"
#include "tests/folder.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace posiscope::workbench {
namespace {

class ExportsAloneTest : public test::InFolder {
protected:
    // A program of these lines that stands in for the real one.
    void program(const std::string& lines) {
        const auto path = folder_ / "program";
        std::ofstream(path) << "#!/bin/sh\n" << lines;
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        exports_.use_program(path);
    }
    Result<void> start(bool film = false) {
        Exports::Order order{{"render", "-o", "~"}, Scene(), folder_ / "a-%04d.png"};
        if (film) order.words.insert(order.words.end(), {"--over", "position"});
        return exports_.start(order);
    }
    Exports::Ended ended() {
        for (int i = 0; i < 500; ++i, ::usleep(10000))
            if (auto ended = exports_.follow()) return *ended;
        ADD_FAILURE() << "it did not end";
        return {};
    }

    Exports exports_;
};

TEST_F(ExportsAloneTest, TheOrderBecomesACommandLineAndTheSceneItsInput) {
    program("echo \"$*\" >\"$(dirname \"$0\")/words\"; cat \"$5\" >\"$(dirname \"$0\")/scene\"\n");
    ASSERT_TRUE(start());
    EXPECT_EQ(ended().how, Exports::Ended::How::done);
    EXPECT_EQ(*read_file(folder_ / "words"),
              "render -o " + (folder_ / "a-%04d.png").string() + " -s /dev/stdin --allow-files\n");
    EXPECT_EQ(*read_file(folder_ / "scene"), to_json(Scene()).dump());
    EXPECT_FALSE(exports_.running());
}

TEST_F(ExportsAloneTest, ResultsComeBeforeTheOptions) {
    program(
        "echo \"$1 $3 $4 $5 $6\" >\"$(dirname \"$0\")/words\"; cat \"$2\" >\"$(dirname \"$0\")/results\"\n");
    Exports::Order order{{"render", "-o", "~", "--splits", "0.5,0.5"}, Scene(), folder_ / "a.mp4"};
    order.results = "{}";
    ASSERT_TRUE(exports_.start(order));
    EXPECT_EQ(ended().how, Exports::Ended::How::done);
    EXPECT_EQ(*read_file(folder_ / "words"),
              "render -o " + (folder_ / "a.mp4").string() + " --splits 0.5,0.5\n");
    EXPECT_EQ(*read_file(folder_ / "results"), "{}");
}

// The temporary folder is everybody's: nothing there is written to that somebody else may have put there, or can read.
TEST_F(ExportsAloneTest, WhatIsHandedOverIsNobodyElses) {
    const auto shared = folder_ / "shared";
    std::filesystem::create_directories(shared);
    ASSERT_TRUE(write_file(folder_ / "victim", "mine"));
    std::filesystem::create_symlink(folder_ / "victim",
                                    shared / ("posiscope-results-" + std::to_string(::getpid()) + ".json"));
    const char* const before = std::getenv("TMPDIR");
    const std::string kept = before != nullptr ? before : "";
    ::setenv("TMPDIR", shared.c_str(), 1);
    program("cat \"$2\" >\"$(dirname \"$0\")/results\"\nstat -c %a \"$(dirname \"$2\")\" >\"$(dirname "
            "\"$0\")/mode\"\n");
    Exports::Order order{{"render", "-o", "~"}, Scene(), folder_ / "a.png"};
    order.results = "{}";
    ASSERT_TRUE(exports_.start(order));
    EXPECT_EQ(ended().how, Exports::Ended::How::done);
    before != nullptr ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
    EXPECT_EQ(*read_file(folder_ / "victim"), "mine");
    EXPECT_EQ(*read_file(folder_ / "results"), "{}");
    EXPECT_EQ(*read_file(folder_ / "mode"), "700\n");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(shared), {}), 1) << "and nothing stays";
}

TEST_F(ExportsAloneTest, ProgressIsAValueWhateverElseIsSaid) {
    program("echo 'picture 7 of 8' >&2; echo '{\"done\": 3, \"count\": 128}' >&2; printf '{\"done\": 4' >&2; "
            "exec sleep 60\n");
    ASSERT_TRUE(start(true));
    for (int i = 0; i < 500 && exports_.running()->count == 0; ++i, ::usleep(10000)) (void)exports_.follow();
    EXPECT_EQ(*exports_.running(), (panels::Running{"a-%04d.png", 3, 128})) << "half a line is not read";
    const auto second = start();
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().key, "export.busy");
    exports_.stop();
    EXPECT_EQ(ended().how, Exports::Ended::How::stopped);
}

TEST_F(ExportsAloneTest, AFailureHasItsLastLineForAReason) {
    program("echo '{\"done\": 3, \"count\": 128}' >&2; echo 'The disk is full.' >&2; exit 1\n");
    ASSERT_TRUE(start(true));
    const auto failed = ended();
    EXPECT_EQ(failed.how, Exports::Ended::How::failed);
    EXPECT_EQ(failed.reason, "The disk is full.");
    program("echo '{\"done\": 3, \"count\": 128}' >&2; exit 1\n");
    ASSERT_TRUE(start(true));
    EXPECT_EQ(ended().reason, "") << "progress is no reason";
}

TEST_F(ExportsAloneTest, WhatIsThereIsNotReplacedUnlessThatIsMeant) {
    program("exit 0\n");
    ASSERT_TRUE(write_file(folder_ / "a-0000.png", "mine"));
    const auto refused = start();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().cause, Cause::taken) << "the first of numbered pictures is looked at";
}

TEST_F(ExportsAloneTest, AProgramThatIsNotThereIsAFailure) {
    exports_.use_program(folder_ / "none");
    const auto refused = start();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().cause, Cause::failure);
}

}  // namespace
}  // namespace posiscope::workbench
