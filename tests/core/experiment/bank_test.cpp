// The bank of runs: which of two accounts of a run it keeps, and what settings belong together; and the Scene's part.
#include "core/experiment/bank.hpp"
#include "core/experiment/shown.hpp"
#include "core/scene/scene.hpp"

#include <gtest/gtest.h>

namespace posiscope::experiment::bank_test {
namespace {

Known known(std::uint64_t seed, Origin origin, bool finished = true, std::int64_t step = 500) {
    auto run = std::make_shared<Run>();
    run->encoding = "rope";
    run->seed = seed;
    if (finished) run->scores.push_back({});
    return {run, step, origin, origin == Origin::own ? "AVX2" : "AVX3", "GCC"};
}

TEST(ExperimentBank, PrefersOwnAndFinishedRuns) {
    Bank bank;
    bank.add(known(1, Origin::own, false, 25));
    bank.add(known(1, Origin::own, false, 50));
    EXPECT_EQ(bank.find("rope", 1)->step, 50);
    bank.add(known(1, Origin::shipped));
    EXPECT_TRUE(bank.find("rope", 1)->finished());
    bank.add(known(1, Origin::own));
    EXPECT_EQ(bank.find("rope", 1)->origin, Origin::own);
    bank.add(known(1, Origin::shipped));
    EXPECT_EQ(bank.find("rope", 1)->origin, Origin::own) << "shipped until run anew, not the other way";
    EXPECT_EQ(bank.runs.size(), 1U);
    EXPECT_EQ(bank.find("rope", 2), nullptr);
    bank.add(known(2, Origin::shipped));
    const Results results = results_of(bank);
    EXPECT_EQ(results.instructions, "AVX2, AVX3");
    EXPECT_EQ(results.settings.seeds, 2);
    EXPECT_EQ(results.settings.encodings, std::vector<std::string>{"rope"});
}

TEST(ExperimentBank, KnowsWhichSettingsBelongTogether) {
    const Settings back = find_preset("back")->settings;
    Settings other = back;
    other.seeds = 1;
    other.encodings = {"rope"};
    EXPECT_TRUE(same_training(back, other));
    EXPECT_EQ(name_of(back, "AVX2"), name_of(other, "AVX2"));
    EXPECT_NE(name_of(back, "AVX2"), name_of(back, "AVX3"));
    other.k = 4;
    EXPECT_FALSE(same_training(back, other));
    EXPECT_NE(name_of(back, "AVX2"), name_of(other, "AVX2"));
    Settings first = find_preset("first")->settings, same = first;
    same.k = 9;
    EXPECT_TRUE(same_training(first, same)) << "only Back reads k";
    EXPECT_EQ(name_of(first, "AVX2"), name_of(same, "AVX2"));
}

TEST(ExperimentShown, IsReadFromTheScene) {
    const Shown usual = *shown_in(Json::object());
    EXPECT_EQ(usual.settings, find_preset("back")->settings);
    EXPECT_EQ(usual.learner, "rope");
    EXPECT_EQ(usual.scalings.size(), 2U);
    const auto with = [](const Json& experiment) { return shown_in({{"experiment", experiment}}); };
    for (const Preset& preset : presets())
        EXPECT_EQ(with(view_of(preset.settings))->settings, preset.settings) << preset.name;
    EXPECT_EQ(view_of(find_preset("back")->settings), Json::object());
    EXPECT_EQ(with({{"encodings", {"t5"}}})->learner, "t5");
    EXPECT_EQ(with({{"step", 500}})->step, std::nullopt) << "the end";
    EXPECT_EQ(with({{"step", 100}, {"head", 7}, {"layer", 3}})->head, 3) << "of four";
    EXPECT_EQ(with({{"layer", 3}})->layer, 1) << "of two";
}

TEST(ExperimentShown, IsRefusedWithItsSentence) {
    const auto key_of = [](const Json& experiment) {
        const auto laid = overlay(Scene(), {{"view", {{"experiment", experiment}}}});
        return laid ? std::string() : laid.error().key;
    };
    EXPECT_EQ(key_of({{"length", 1000000}}), "value.range");
    EXPECT_EQ(key_of({{"seeds", 0}}), "value.range");
    EXPECT_EQ(key_of({{"encodings", {"rope_2d"}}}), "experiment.two_axes");
    EXPECT_EQ(key_of({{"encodings", Json::array()}}), "experiment.no_encodings");
    EXPECT_EQ(key_of({{"scalings", {"dynamic"}}}), "value.choice");
    EXPECT_EQ(key_of({{"tsk", "back"}}), "key.unknown");
    EXPECT_EQ(key_of(3), "value.kind");
    EXPECT_EQ(key_of({{"k", nullptr}}), "");
}

}  // namespace
}  // namespace posiscope::experiment::bank_test
