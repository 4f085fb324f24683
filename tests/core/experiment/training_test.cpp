// Runs: the same bits on one thread and on two, every set of instructions agrees, and what the runs are made of.
#include "core/experiment/training.hpp"

#include "core/encodings/encodings.hpp"
#include "tests/core/experiment/targets.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <system_error>
#include <thread>

namespace posiscope::experiment::training_test {
namespace {

Settings settings_of(const Json& json) { return *settings_from(json); }

std::vector<float> numbers_after(const Settings& settings, const std::string& encoding, std::uint64_t seed,
                                 int steps) {
    auto training = *Training<float>::of(settings, encoding, seed);
    for (int i = 0; i < steps; ++i) training.step();
    const std::span<float> numbers = training.numbers().span();
    return {numbers.begin(), numbers.end()};
}

TEST(ExperimentTraining, HasTheSameBitsOnOneThreadAndOnTwo) {
    const Settings settings = settings_of({{"task", "needle"}});
    for (const char* encoding : {"rope", "shaw", "t5", "fire", "transformer_xl"}) {
        const std::vector<float> first = numbers_after(settings, encoding, 1, 4);
        const std::vector<float> second = numbers_after(settings, encoding, 2, 4);
        EXPECT_NE(first, second);
        std::vector<float> both[2];
        try {
            std::jthread one([&] { both[0] = numbers_after(settings, encoding, 1, 4); });
            std::jthread two([&] { both[1] = numbers_after(settings, encoding, 2, 4); });
        } catch (const std::system_error&) {
            GTEST_SKIP() << "the system gives no threads";
        }
        EXPECT_EQ(both[0], first) << encoding;
        EXPECT_EQ(both[1], second) << encoding;
    }
}

// Other vector widths add in another order; over a few steps that is rounding.
TEST(ExperimentTraining, AgreesOnEverySetOfInstructions) {
    const Settings settings = settings_of({{"task", "language"}});
    const std::vector<float> best = numbers_after(settings, "shaw", 3, 3);
    for_each_target([&] {
        const std::vector<float> here = numbers_after(settings, "shaw", 3, 3);
        for (std::size_t at = 0; at < best.size(); ++at) ASSERT_NEAR(here[at], best[at], 2e-4) << at;
    });
}

TEST(ExperimentTraining, HasTheModelThatIsPromised) {
    const auto training = *Training<float>::of(settings_of({}), "rope", 1);
    EXPECT_EQ(training.plan().parameters(), 17760U);
    EXPECT_EQ(Training<float>::of(settings_of({}), "learned", 1)->plan().parameters(), 17760U + 32 * 32);
    EXPECT_EQ(Training<float>::of(settings_of({}), "t5", 1)->plan().parameters(), 17760U + 16 * 4);
}

TEST(ExperimentTraining, StartsAtChance) {
    for (const auto& [task, loss] : {std::pair("back", std::log(16.0)), std::pair("order", std::log(2.0))}) {
        auto training = *Training<float>::of(settings_of({{"task", task}}), "none", 1);
        EXPECT_NEAR(training.step(), loss, 0.9) << task;
    }
}

TEST(ExperimentTraining, WarmsUpAndCoolsDown) {
    EXPECT_DOUBLE_EQ(rate_at(1.0, 0, 500), 0.02);
    EXPECT_DOUBLE_EQ(rate_at(1.0, 49, 500), 1.0) << "the cosine begins where the warm-up ends";
    EXPECT_DOUBLE_EQ(rate_at(1.0, 50, 500), 1.0);
    EXPECT_NEAR(rate_at(1.0, 275, 500), 0.5, 1e-12) << "half way";
    EXPECT_DOUBLE_EQ(rate_at(1.0, 11, 12), 0.24) << "a run shorter than the warm-up";
    EXPECT_DOUBLE_EQ(rate_at(1.0, 499, 500), 0.02) << "never under 2 %";
}

TEST(ExperimentTraining, EndsWhereALearnedTableDoes) {
    const auto training = *Training<float>::of(settings_of({{"tested", 64}}), "learned", 1);
    EXPECT_EQ(training.test(Scaling::none, 2).tested.sums.size(), 32U);
    EXPECT_EQ(training.test(Scaling::linear, 2).tested.sums.size(), 64U) << "its interpolation goes on";
    EXPECT_TRUE(std::isnan(training.test(Scaling::none, 2).tested.mean(32, 64)));
}

TEST(ExperimentTraining, TestsTheSameSequencesWhateverTheEncoding) {
    const Settings settings = settings_of({{"task", "needle"}});
    const Scores rope = Training<float>::of(settings, "rope", 4)->test(Scaling::yarn, 3);
    const Scores shaw = Training<float>::of(settings, "shaw", 4)->test(Scaling::none, 3);
    EXPECT_EQ(rope.tested.counts, shaw.tested.counts);
    EXPECT_EQ(rope.by_distance.counts, shaw.by_distance.counts);
}

// Each row of attention weights is a distribution over what its query sees.
TEST(ExperimentTraining, ShowsAttention) {
    const Settings settings = settings_of({{"tested", 40}});
    const auto training = *Training<float>::of(settings, "shaw", 4);
    Random random(1, 1);
    const Sequences one = draw(task_of(settings), 3, 1, 40, random);
    const std::vector<float> weights = training.attention(one, Scaling::none);
    ASSERT_EQ(weights.size(), 2U * 4 * 40 * 40);
    for (std::size_t row = 0; row < 2 * 4 * 40; ++row) {
        double sum = 0.0;
        for (std::size_t j = 0; j < 40; ++j) {
            sum += static_cast<double>(weights[row * 40 + j]);
            EXPECT_TRUE(j <= row % 40 || weights[row * 40 + j] == 0.0F);
        }
        EXPECT_NEAR(sum, 1.0, 1e-5);
    }
}

TEST(ExperimentSettings, RefuseWhatCannotBeDone) {
    const auto key = [](const Json& json) {
        const auto made = settings_from(json);
        return made ? std::string() : made.error().key;
    };
    EXPECT_EQ(key({{"length", 1000000}}), "value.range");
    EXPECT_EQ(key({{"seeds", 0}}), "value.range");
    EXPECT_EQ(key({{"task", "sorting"}}), "value.choice");
    EXPECT_EQ(key({{"task", "back"}, {"k", 32}}), "value.range");
    EXPECT_EQ(key({{"length", 64}, {"tested", 32}}), "value.range");
    EXPECT_EQ(key({{"heads", 3}}), "value.choice");
    EXPECT_EQ(key({{"encodings", Json::array()}}), "experiment.no_encodings");
    EXPECT_EQ(key({{"encodings", {"rope", "rope"}}}), "experiment.repeated");
    EXPECT_EQ(key({{"encodings", {"rope_2d"}}}), "experiment.two_axes");
    EXPECT_EQ(key({{"encodings", {"swirl"}}}), "value.choice");
    EXPECT_EQ(key({{"encodings", {3}}}), "value.kind");
    EXPECT_EQ(key({{"speed", 3}}), "key.unknown");
    EXPECT_EQ(key({{"base", 1.0}}), "value.above_range");
    EXPECT_EQ(key({}), "");
}

TEST(ExperimentSettings, ComeBackFromJson) {
    for (const Preset& preset : presets())
        EXPECT_EQ(*settings_from(to_json(preset.settings)), preset.settings);
    EXPECT_EQ(settings_of({{"task", "needle"}}).steps, 700) << "the task's own";
}

// Every encoding that core knows trains, or says why not; a new one needs nothing here.
TEST(ExperimentSettings, KnowEveryEncoding) {
    std::size_t trained = 0;
    for (const std::string_view kind : encoding_kinds()) {
        const auto problem = not_trained(kind);
        if (problem) {
            EXPECT_TRUE(problem->key.starts_with("experiment.")) << kind;
            continue;
        }
        ++trained;
        for (const std::int64_t heads : {1, 2, 4, 8})
            for (const bool causal : {true, false}) {
                auto training = Training<float>::of(settings_of({{"heads", heads},
                                                                 {"causal", causal},
                                                                 {"length", 8},
                                                                 {"tested", 20},
                                                                 {"encodings", {kind}}}),
                                                    std::string(kind), 1);
                ASSERT_TRUE(training) << kind;
                EXPECT_TRUE(std::isfinite(training->step())) << kind;
                for (const Scaling scaling : scalings_of(kind))
                    EXPECT_GT(training->test(scaling, 2).trained.counts[5], 0) << kind;
            }
    }
    EXPECT_GE(trained, 12U);
}

std::string refused(const Json& typed, const Json& more = Json::object()) {
    Json json = {{"encodings", {typed}}};
    json.update(more);
    const auto settings = settings_from(json);
    return settings ? "" : settings.error().key;
}

// The same scores as the built-in kind with the same numbers, to what float32 leaves of 1e-12 in the angles.
TEST(ExperimentTyped, TrainsAsTheBuiltInKindDoes) {
    const Json pairs[] = {
        {"rope", {{"kind", "own"}, {"frequency", "b^(-2*i/d)"}}},
        {"alibi", {{"kind", "own"}, {"bias", "-2^(-8*(h+1)/H)*abs(D)"}}},
        {"sinusoidal", {{"kind", "own"}, {"add", "mod(j,2) < 1 ? sin(p*b^(-j/d)) : cos(p*b^(-(j-1)/d))"}}},
        {"none", {{"kind", "own"}, {"scale", "1"}}},
    };
    for (const Json& pair : pairs) {
        const Settings settings =
            settings_of({{"length", 16}, {"tested", 40}, {"encodings", {pair[0], pair[1]}}});
        std::vector<double> losses[2];
        for (const std::size_t which : {std::size_t{0}, std::size_t{1}}) {
            auto training = *Training<double>::of(settings, settings.encodings[which], 3);
            for (int step = 0; step < 5; ++step) losses[which].push_back(training.step());
        }
        for (std::size_t step = 0; step < 5; ++step)
            EXPECT_NEAR(losses[0][step], losses[1][step], 1e-9) << pair[0] << step;
    }
}

TEST(ExperimentTyped, SaysWhatCannotBeTrained) {
    const auto own = [](Json typed) {
        typed["kind"] = "own";
        return typed;
    };
    EXPECT_EQ(refused(own({{"bias", "-abs(D)"}})), "");
    EXPECT_EQ(refused("own"), "experiment.typed");
    EXPECT_EQ(refused({{"kind", "rope"}}), "experiment.entry");
    EXPECT_EQ(refused(own({{"bias", "-abs(D"}})), "formula.open");
    EXPECT_EQ(refused(own({{"frequency", "1"}, {"distance", "min(D, 8)"}})), "experiment.typed_slot");
    EXPECT_EQ(refused(own({{"frequency", "1"}, {"amplitude", "0.5"}})), "experiment.typed_slot");
    // At places that a Scene is not tried at.
    EXPECT_EQ(refused(own({{"bias", "1/(D-5)"}})), "formula.not_finite");
    EXPECT_EQ(refused(own({{"bias", "1/(D+5)"}})), "") << "no query sees a later key";
    EXPECT_EQ(refused(own({{"bias", "1/(D+5)"}}), {{"causal", false}}), "formula.not_finite");
    EXPECT_EQ(refused(own({{"bias", "1/(D-50)"}})), "") << "past the trained length";
    EXPECT_EQ(refused(own({{"bias", "D > 3 ? -1e9 : 0"}})), "") << "a window";
    EXPECT_EQ(refused(own({{"scale", "1e9"}})), "experiment.typed_large");
    EXPECT_EQ(refused(own({{"bias", "-sum(m, 1, 9999, abs(D)/m)"}}), {{"length", 256}, {"tested", 256}}),
              "experiment.typed_slow");
    EXPECT_EQ(
        refused(own({{"bias", "c[0]"}, {"values", {{"c", std::vector<double>(65)}}}, {"learned", {"c"}}})),
        "experiment.typed_learned");
    Json many = Json::array();
    for (int n = 0; n < 5; ++n) many.push_back(own({{"bias", std::to_string(n)}}));
    EXPECT_EQ(refused({}, {{"encodings", many}}), "experiment.typed_many");
    EXPECT_EQ(refused({}, {{"encodings", {many[0], many[0]}}}), "experiment.repeated");
}

// A test ends where the formula has no value, as it ends where a learned table has no row.
TEST(ExperimentTyped, IsTestedAsFarAsItsFormulasGo) {
    const Settings settings = settings_of(
        {{"length", 8}, {"tested", 40}, {"encodings", {{{"kind", "own"}, {"bias", "-log(20-D)"}}}}});
    const auto training = *Training<float>::of(settings, settings.encodings[0], 1);
    EXPECT_EQ(training.test(Scaling::none, 2).tested.sums.size(), 20U);
}

// sqrt(a) ends at a = 0: training against it stays where there is a value.
TEST(ExperimentTyped, StaysWhereItsFormulasHaveAValue) {
    const Json typed = {
        {"kind", "own"}, {"bias", "sqrt(a)*abs(D)"}, {"values", {{"a", 0.001}}}, {"learned", {"a"}}};
    const Settings settings =
        settings_of({{"length", 8}, {"tested", 8}, {"steps", 60}, {"rate", 0.1}, {"encodings", {typed}}});
    auto training = *Training<float>::of(settings, settings.encodings[0], 1);
    while (!training.finished()) ASSERT_TRUE(std::isfinite(training.step()));
    ASSERT_EQ(training.learned().size(), 1U);
    EXPECT_GE(training.learned()[0].numbers[0], 0.0);
}

}  // namespace
}  // namespace posiscope::experiment::training_test
