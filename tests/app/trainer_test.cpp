// Training beside the window: the same bits as the command, pausing and stopping within a step, and nothing lost.
#include "app/workbench/document/store.hpp"
#include "app/workbench/train/trainer.hpp"
#include "tests/folder.hpp"

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <gtest/gtest.h>
#include <mutex>

namespace posiscope::workbench {
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

TEST(Trainer, ShippedResultsComeBackWhenItIsStopped) {
    Watched w;
    const Json preset = Json::object();
    w.trainer.follow(preset);
    ASSERT_NE(w.trainer.bank(), nullptr);
    EXPECT_EQ(w.trainer.bank()->finished(), 45U);
    EXPECT_EQ(w.trainer.bank()->runs[0].origin, experiment::Origin::shipped);
    w.trainer.run();
    EXPECT_EQ(w.trainer.bank()->finished(), 0U) << "run anew";
    EXPECT_EQ(w.trainer.total(), 45U);
    w.trainer.stop();
    EXPECT_EQ(w.trainer.bank()->finished(), 45U);
}

class TrainerInFolder : public test::InFolder {};

TEST_F(TrainerInFolder, WhatIsFinishedIsKeptBesideTheSession) {
    std::string name;
    {
        Watched w;
        w.trainer.follow(view());
        w.trainer.run();
        ASSERT_TRUE(w.to_the_end(view()));
        ASSERT_TRUE(w.trainer.has_unsaved());
        const auto unsaved = w.trainer.take_unsaved();
        ASSERT_TRUE(unsaved);
        EXPECT_FALSE(w.trainer.has_unsaved());
        name = unsaved->name;
        ASSERT_TRUE(save_results(folder_, name, unsaved->results));
    }
    Watched again;
    again.trainer.set_memory([&](const std::string& asked) { return load_results(folder_, asked).value; });
    again.trainer.follow(view());
    ASSERT_NE(again.trainer.bank(), nullptr);
    EXPECT_EQ(again.trainer.bank()->finished(), 4U);
    // A damaged file is moved aside, and the program goes on.
    std::ofstream(folder_ / "experiments" / (name + ".json")) << "{\"experiment\": 1, ";
    const auto damaged = load_results(folder_, name);
    EXPECT_FALSE(damaged.value);
    EXPECT_EQ(damaged.problem->key, "results.damaged");
    EXPECT_FALSE(load_results(folder_, name).problem) << "it is out of the way";
}

}  // namespace
}  // namespace posiscope::workbench
