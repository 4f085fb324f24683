// Training beside the window: the same bits as the command, pausing and stopping within a step, and nothing lost.
#include "app/workbench/document/store.hpp"
#include "app/workbench/train/trainer.hpp"
#include "tests/folder.hpp"
#include "tests/gate.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>

namespace posiscope::workbench::trainer_test {
namespace {

Json view(const Json& more = Json::object()) {
    Json settings = {{"length", 8},
                     {"tested", 16},
                     {"k", 2},
                     {"layers", 1},
                     {"steps", 40},
                     {"seeds", 2},
                     {"encodings", {"rope", "t5"}}};
    settings.update(more);
    return {{"experiment", settings}};
}

// A trainer, and a clock that waits for it to wake us.
struct Watched {
    std::mutex mutex;
    std::condition_variable woken;
    Trainer trainer;

    Watched() {
        trainer.set_wake([this] { woken.notify_all(); });
    }
    template <class Condition>
    bool until(const Json& shown, Condition condition) {
        for (int n = 0; n < 60000; ++n) {  // for a hang: a busy machine is slow, not wrong
            trainer.follow(shown);
            if (condition()) return true;
            std::unique_lock lock(mutex);
            woken.wait_for(lock, std::chrono::milliseconds(10));
        }
        return false;
    }
    bool to_the_end(const Json& shown) {
        return until(shown, [&] { return !trainer.running(); });
    }
};

TEST(Trainer, GivesTheBitsOfTheCommand) {
    Watched w;
    w.trainer.follow(view());
    EXPECT_EQ(w.trainer.bank(), nullptr) << "no preset, so nothing is shipped";
    w.trainer.run();
    EXPECT_TRUE(w.trainer.running());
    ASSERT_TRUE(w.to_the_end(view()));
    const experiment::Results expected = experiment::run_all(experiment::shown_in(view())->settings, 1, {});
    ASSERT_EQ(w.trainer.bank()->finished(), 4U);
    for (const auto& run : expected.runs)
        EXPECT_EQ(*w.trainer.bank()->find(run.encoding, run.seed)->run, run) << run.encoding << run.seed;
}

TEST(Trainer, ShowsTheFirstCurveBeforeTheRunIsOver) {
    Watched w;
    const Json shown = view({{"steps", 20000}});
    w.trainer.follow(shown);
    w.trainer.run();
    ASSERT_TRUE(w.until(shown, [&] {
        return w.trainer.bank() && !w.trainer.bank()->runs.empty() &&
               !w.trainer.bank()->runs[0].run->moments.empty();
    }));
    EXPECT_FALSE(w.trainer.bank()->runs[0].finished());
    w.trainer.pause();
    EXPECT_TRUE(w.trainer.paused());
    EXPECT_TRUE(w.trainer.running());
    w.trainer.run();
    EXPECT_FALSE(w.trainer.paused());
    w.trainer.stop();
    EXPECT_FALSE(w.trainer.running());
    EXPECT_EQ(w.trainer.bank()->finished(), 0U);
    EXPECT_TRUE(w.trainer.bank()->runs.empty()) << "what was under way is begun anew another time";
}  // and closing in the middle ends the threads

TEST(Trainer, KeepsResultsByTheirSettingsAndMarksThemOld) {
    Watched w;
    w.trainer.follow(view());
    w.trainer.run();
    ASSERT_TRUE(w.to_the_end(view()));
    const auto first = w.trainer.bank();
    w.trainer.follow(view({{"k", 3}}));
    EXPECT_TRUE(w.trainer.old());
    EXPECT_EQ(w.trainer.bank(), first) << "the old ones stay until there are new ones";
    w.trainer.follow(view());
    EXPECT_FALSE(w.trainer.old());
    w.trainer.follow(view({{"seeds", 3}}));
    EXPECT_FALSE(w.trainer.old()) << "one more seed is no other setting";
    w.trainer.run();
    EXPECT_EQ(w.trainer.total(), 2U) << "only what is missing";
    ASSERT_TRUE(w.to_the_end(view({{"seeds", 3}})));
    EXPECT_EQ(w.trainer.bank()->finished(), 6U);
}

TEST(Trainer, ShippedResultsStayAndComeBackWhenAllIsMadeAnew) {
    Watched w;
    const Json preset = Json::object();
    w.trainer.follow(preset);
    ASSERT_NE(w.trainer.bank(), nullptr);
    EXPECT_EQ(w.trainer.bank()->finished(), 45U);
    EXPECT_EQ(w.trainer.bank()->runs[0].origin, experiment::Origin::shipped);
    w.trainer.run();
    EXPECT_EQ(w.trainer.bank()->finished(), 45U);
    EXPECT_FALSE(w.trainer.running()) << "nothing is missing";
    w.trainer.restart();
    EXPECT_EQ(w.trainer.bank()->finished(), 0U);
    EXPECT_EQ(w.trainer.total(), 45U);
    w.trainer.stop();
    EXPECT_EQ(w.trainer.bank()->finished(), 45U);
}

// A page has no threads, and a system may give none.
TEST(Trainer, TrainsAFewMillisecondsAFrameWithoutThreads) {
    Trainer trainer(false);
    trainer.follow(view());
    trainer.run();
    EXPECT_TRUE(trainer.runs_inline());
    int frames = 0;
    for (; trainer.running(); ++frames) trainer.follow(view());
    EXPECT_GT(frames, 1);
    EXPECT_FALSE(trainer.runs_inline());
    const experiment::Results expected = experiment::run_all(experiment::shown_in(view())->settings, 1);
    ASSERT_EQ(trainer.bank()->finished(), 4U);
    for (const auto& run : expected.runs)
        EXPECT_EQ(*trainer.bank()->find(run.encoding, run.seed)->run, run) << run.encoding << run.seed;
    trainer.restart();
    trainer.pause();
    trainer.follow(view());
    EXPECT_FALSE(trainer.runs_inline());
    EXPECT_TRUE(trainer.under_way().empty());
    trainer.stop();
    EXPECT_FALSE(trainer.running());
}

// One run is known to be under way, of the other nothing has come yet when the list grows: neither is begun again.
TEST(Trainer, ARunThatHasBegunIsNotCountedTwice) {
    test::Gate first, second, more;
    std::atomic<int> woken = 0;
    Trainer trainer;
    trainer.set_wake([&] {
        const int now = ++woken;
        if (now == 1) first.open();
        if (now < 2) return;
        second.open();
        more.wait();
    });
    trainer.follow(view());
    trainer.run();
    first.wait();
    trainer.follow(view());
    second.wait();
    trainer.follow(view({{"seeds", 3}}));
    EXPECT_EQ(trainer.total(), 6U) << "all of them, once";
    more.open();
    std::size_t done = 0;
    while (trainer.running()) {
        trainer.follow(view({{"seeds", 3}}));
        if (trainer.running()) done = trainer.done();
        ASSERT_LE(done, trainer.running() ? trainer.total() : 6U);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(trainer.bank()->finished(), 6U) << "it ends when the last one does";
}

// A run finishes and nobody has looked yet when it is stopped: it is kept, and to be saved.
TEST(Trainer, WhatWasFinishedBeforeItWasStoppedIsNotLost) {
    test::Gate finished, more;
    std::atomic<std::size_t> ended = 0;
    Trainer trainer;
    const Json one = view({{"seeds", 1}, {"encodings", {"rope"}}, {"steps", 1}});
    trainer.set_wake([&] {
        // The first step, the look after it, the scores.
        if (++ended == 3) finished.open();
        if (ended >= 3) more.wait();
    });
    trainer.follow(one);
    trainer.run();
    finished.wait();
    trainer.stop();
    more.open();
    ASSERT_TRUE(trainer.bank());
    EXPECT_EQ(trainer.bank()->finished(), 1U);
    EXPECT_TRUE(trainer.take_unsaved());
}

// What the first queue still sends comes after the second has begun.
TEST(Trainer, NothingOfAnEarlierQueueIsTakenForTheNext) {
    test::Gate sending, more;
    std::atomic<bool> held = true;
    Trainer trainer;
    trainer.set_wake([&] {
        if (!held) return;
        sending.open();
        more.wait();
    });
    const Json slow = view({{"steps", 20000}, {"seeds", 1}});
    trainer.follow(slow);
    trainer.run();
    sending.wait();
    trainer.stop();
    EXPECT_TRUE(trainer.bank()->runs.empty());
    held = false;
    more.open();
    for (int n = 0; n < 20; ++n) {
        trainer.follow(slow);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(trainer.bank()->runs.empty());
    EXPECT_TRUE(trainer.under_way().empty());
    EXPECT_EQ(trainer.done(), 0U);
}

class TrainerInFolder : public test::InFolder {};

TEST_F(TrainerInFolder, WhatIsFinishedIsKeptBesideTheSession) {
    std::string name;
    {
        Watched w;
        w.trainer.follow(view());
        w.trainer.run();
        ASSERT_TRUE(w.to_the_end(view()));
        const auto unsaved = w.trainer.take_unsaved();
        ASSERT_TRUE(unsaved);
        EXPECT_FALSE(w.trainer.take_unsaved()) << "once";
        name = unsaved->name;
        ASSERT_TRUE(save_results(folder_, name, unsaved->results));
    }
    Watched again;
    again.trainer.set_memory([&](const std::string& asked) { return load_results(folder_, asked).value; });
    again.trainer.follow(view());
    ASSERT_NE(again.trainer.bank(), nullptr);
    EXPECT_EQ(again.trainer.bank()->finished(), 4U);
    // Another window has one run of the same training: it takes none of the others away.
    experiment::Results fewer = *load_results(folder_, name).value;
    fewer.runs.resize(1);
    ASSERT_TRUE(save_results(folder_, name, fewer));
    EXPECT_EQ(load_results(folder_, name).value->runs.size(), 4U);
    // A damaged file is moved aside, and the program goes on.
    std::ofstream(folder_ / "experiments" / (name + ".json")) << "{\"experiment\": 1, ";
    const auto damaged = load_results(folder_, name);
    EXPECT_FALSE(damaged.value);
    EXPECT_EQ(damaged.problem->key, "results.damaged");
    EXPECT_FALSE(load_results(folder_, name).problem) << "it is out of the way";
}

}  // namespace
}  // namespace posiscope::workbench::trainer_test
