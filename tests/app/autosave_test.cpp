// Saving beside the window: a little after the last change, nothing lost, and each new failure told. Gates force the order.
#include "app/workbench/document/late_writes.hpp"
#include "tests/gate.hpp"

#include <gtest/gtest.h>
#include <string>
#include <thread>

namespace posiscope::workbench::autosave_test {
namespace {

using namespace std::chrono_literals;
using test::Gate;

constexpr LateWriteWaits kNever{.quiet = 1h, .longest = 1h, .again = 1h}, kAtOnce{0ms, 0ms, 0ms};

// What is in a "file", and writes of it.
struct Disk {
    std::mutex mutex;
    std::string text;
    bool full = false;

    LateWrites::Write put(std::string next) {
        return [this, next = std::move(next)]() -> Result<void> {
            const std::lock_guard lock(mutex);
            if (full) return failure("file.write");
            text += next;
            return {};
        };
    }
    std::string now() {
        const std::lock_guard lock(mutex);
        return text;
    }
};

TEST(Autosave, OfManyChangesTheLastOneIsWritten) {
    Disk disk;
    LateWrites writes(
        true, [] {}, kNever);
    for (const char* state : {"a", "b", "c"}) writes.put("session", disk.put(state));
    EXPECT_EQ(disk.now(), "") << "not while they follow each other";
    writes.finish();
    EXPECT_EQ(disk.now(), "c");
}

TEST(Autosave, WhatWaitsIsWrittenAtTheEnd) {
    Disk disk;
    {
        LateWrites(
            true, [] {}, kNever)
            .put("session", disk.put("a"));
    }
    EXPECT_EQ(disk.now(), "a");
}

// A change that comes while the one before is being written is not lost.
TEST(Autosave, AChangeDuringAWriteIsWrittenAfterIt) {
    Disk disk;
    Gate writing, more;
    LateWrites writes(
        true, [] {}, kAtOnce);
    writes.put("session", [&]() -> Result<void> {
        writing.open();
        more.wait();
        return disk.put("a")();
    });
    writing.wait();
    writes.put("session", disk.put("b"));
    more.open();
    writes.finish();
    EXPECT_EQ(disk.now(), "ab");
}

// ... and when that one fails, the older is not put over the newer.
TEST(Autosave, AFailedWriteDoesNotReplaceANewerOne) {
    Disk disk;
    Gate writing, more;
    LateWrites writes(
        true, [] {}, kAtOnce);
    writes.put("session", [&]() -> Result<void> {
        writing.open();
        more.wait();
        return failure("file.write");
    });
    writing.wait();
    writes.put("session", disk.put("b"));
    more.open();
    writes.finish();
    EXPECT_EQ(disk.now(), "b");
}

TEST(Autosave, WhatCouldNotBeWrittenIsKeptAndTriedAgain) {
    Disk disk;
    disk.full = true;
    LateWrites writes(
        true, [] {}, kNever);
    writes.put("results", disk.put("all of it"));
    writes.finish();
    EXPECT_EQ(disk.now(), "");
    disk.full = false;
    writes.finish();
    EXPECT_EQ(disk.now(), "all of it");
}

TEST(Autosave, EveryNewFailureIsToldOnce) {
    for (const bool threads : {true, false}) {
        Disk disk;
        std::atomic<int> woken = 0;
        LateWrites writes(
            threads, [&] { ++woken; }, kNever);
        const auto save = [&](const char* what, bool full) {
            disk.full = full;
            writes.put("session", disk.put(what));
            writes.finish();
            return writes.take_failures().size();
        };
        EXPECT_EQ(save("a", true), 1U);
        EXPECT_EQ(save("b", true), 0U) << "it is known";
        EXPECT_EQ(save("c", false), 0U);
        EXPECT_EQ(save("d", true), 1U) << "it has newly failed";
        EXPECT_EQ(woken, 2);
        EXPECT_EQ(disk.now(), "c");
    }
}

TEST(Autosave, WithoutThreadsIsAtOnce) {
    Disk disk;
    LateWrites writes(
        false, [] {}, kNever);
    writes.put("session", disk.put("a"));
    EXPECT_EQ(disk.now(), "a");
}

// The window goes on while a disk is slow.
TEST(Autosave, PuttingWaitsForNoWrite) {
    Gate writing, more;
    std::thread::id writer;
    LateWrites writes(
        true, [] {}, kAtOnce);
    writes.put("session", [&]() -> Result<void> {
        writer = std::this_thread::get_id();
        writing.open();
        more.wait();
        return {};
    });
    writing.wait();
    writes.put("session", [] { return Result<void>(); });  // would hang if it waited
    EXPECT_TRUE(writes.take_failures().empty());
    more.open();
    writes.finish();
    EXPECT_NE(writer, std::this_thread::get_id());
}

}  // namespace
}  // namespace posiscope::workbench::autosave_test
