// Results: the same however many runs go side by side, as files and back, and what is no such file refused.
#include "core/experiment/results.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace posiscope::experiment::results_test {
namespace {

Settings small(const Json& more = Json::object()) {
    Json json = {{"task", "needle"}, {"length", 8}, {"tested", 20},
                 {"steps", 12},      {"seeds", 2},  {"encodings", {"rope", "learned"}}};
    json.update(more);
    return *settings_from(json);
}

std::string key_of(const std::string& text) {
    const auto read = results_from(text);
    return read ? std::string() : read.error().key;
}

TEST(ExperimentResults, AreTheSameOnOneThreadAndOnTwo) {
    const Results one = run_all(small(), 1, {});
    EXPECT_EQ(run_all(small(), 2, {}), one);
    ASSERT_EQ(one.runs.size(), 4U);
    EXPECT_EQ(one.runs[0].encoding, "rope");
    EXPECT_EQ(one.runs[1].encoding, "learned") << "seed 1 of every encoding first";
    EXPECT_EQ(one.runs[2].seed, 2U);
    EXPECT_EQ(one.runs[0].loss.size(), 2U) << "12 steps are a block of 10 and a rest";
    EXPECT_EQ(one.runs[0].scores.size(), 4U) << "as trained, PI, NTK, YaRN";
}

TEST(ExperimentResults, ComeBackFromTheirFile) {
    for (const char* task : {"needle", "language"}) {
        const std::string text = to_text(run_all(small({{"task", task}}), 2, {}));
        const auto read = results_from(text);
        ASSERT_TRUE(read) << to_string(read.error());
        EXPECT_EQ(to_text(*read), text);
        EXPECT_EQ(read->settings, small({{"task", task}}));
    }
}

TEST(ExperimentResults, EndWhenToldTo) {
    std::atomic<std::size_t> finished = 0;
    std::atomic<int> told = 0;
    const auto tell = [&](const RunProgress& at) {
        ++told;
        finished = at.finished;
    };
    // A thousand seeds would take minutes: that it returns at all shows that the others were not begun.
    const Results results = run_all(small({{"steps", 60}, {"seeds", 100}}), 2,
                                    {.told = tell, .ended = [&] { return finished > 0; }});
    EXPECT_GE(results.runs.size(), 1U);
    EXPECT_LT(results.runs.size(), 200U);
    EXPECT_GE(told, 3);
    for (const auto& run : results.runs) EXPECT_FALSE(run.scores.empty());
}

// What was finished is not made again, and the file is the one that there would have been.
TEST(ExperimentResults, GoOnWhereTheyWereStopped) {
    const Settings settings = small();
    const Results whole = run_all(settings, 2);
    Results part = whole;
    part.runs.erase(part.runs.begin() + 1, part.runs.begin() + 3);
    std::set<std::pair<std::string, std::uint64_t>> made;
    const auto tell = [&](const RunProgress& at) { made.emplace(at.encoding, at.seed); };
    auto read = results_from(to_text(part));
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(read->settings, settings) << "the runs that are missing, too";
    const Results resumed = run_all(read->settings, 2, {.told = tell}, *read);
    EXPECT_EQ(to_text(resumed), to_text(whole));
    EXPECT_EQ(made, (std::set<std::pair<std::string, std::uint64_t>>{
                        {whole.runs[1].encoding, whole.runs[1].seed},
                        {whole.runs[2].encoding, whole.runs[2].seed}}));
    Results others = part;
    others.instructions = "Z80";
    EXPECT_EQ(run_all(settings, 2, {}, others).instructions, "Z80, " + whole.instructions);
    others.runs = whole.runs;
    EXPECT_EQ(run_all(settings, 2, {}, others).instructions, "Z80") << "nothing was made here";
}

// Between two pieces a run can be stopped, and a page draws a frame: none of them is a large part of the scores.
TEST(ExperimentResults, AreMadeInSmallPieces) {
    RunInPieces run(small({{"tested", 512}, {"steps", 25}}), "t5", 1);
    std::size_t pieces = 1;
    while (run.advance()) ++pieces;
    EXPECT_GT(pieces, 60U) << "a step each, and the scores in many";
}

TEST(ExperimentResults, KeepHowSeedOneCameAbout) {
    const Settings settings = small({{"steps", 60}, {"layers", 1}});
    const Results results = run_all(settings, 2, {});
    for (const experiment::Run& run : results.runs) {
        if (run.seed > 1) {
            EXPECT_TRUE(run.moments.empty());
            continue;
        }
        ASSERT_EQ(run.moments.size(), 4U) << "25, 30, 42, 60";
        EXPECT_EQ(run.moments.front().step, 25);
        EXPECT_EQ(run.moments.back().step, 60);
        const Heads& heads = run.moments.back().heads;
        EXPECT_TRUE(heads.valid());
        for (std::size_t head = 0; head < heads.heads; ++head)
            for (std::size_t query = 0; query < heads.length; ++query) {
                double sum = 0.0;
                for (std::size_t key = 0; key < heads.length; ++key) sum += heads.weight(0, head, query, key);
                EXPECT_NEAR(sum, 1.0, 0.05) << "a query's weights, each to 0.017";
            }
        EXPECT_DOUBLE_EQ(heads.weight(0, 0, 2, 3), 0.0) << "the causal mask";
    }
    EXPECT_EQ(moments_of(500), (std::vector<std::int64_t>{25, 50, 100, 150, 200, 250, 350, 500}));
    EXPECT_EQ(moments_of(1), std::vector<std::int64_t>{1});
}

TEST(ExperimentResults, RefuseADamagedFile) {
    const std::string text = to_text(run_all(small({{"seeds", 1}, {"encodings", {"rope"}}}), 1, {}));
    EXPECT_EQ(key_of(text.substr(0, text.size() / 2)), "json.syntax");
    EXPECT_EQ(key_of("[]"), "experiment.not_results");
    EXPECT_EQ(key_of("{\"encoding\": {}}"), "experiment.not_results");
    const auto changed = [&](const std::function<void(Json&)>& change) {
        Json json = Json::parse(text);
        change(json);
        return key_of(json.dump());
    };
    EXPECT_EQ(changed([](Json&) {}), "");
    EXPECT_EQ(changed([](Json& json) { json["experiment"] = 9; }), "experiment.version");
    EXPECT_EQ(changed([](Json& json) { json["settings"]["length"] = 1000000; }), "value.range");
    EXPECT_EQ(changed([](Json& json) { json.erase("settings"); }), "experiment.damaged");
    EXPECT_EQ(changed([](Json& json) { json["runs"] = 3; }), "experiment.damaged");
    for (const char* key : {"instructions", "compiler"})  // kept by every run
        EXPECT_EQ(changed([&](Json& json) { json[key] = std::string(50'000'000, 'x'); }),
                  "experiment.damaged");
    EXPECT_EQ(changed([](Json& json) { json["runs"].push_back(json["runs"][0]); }), "experiment.damaged");
    EXPECT_EQ(changed([](Json& json) { json["runs"][0]["encoding"] = "t5"; }), "experiment.damaged");
    EXPECT_EQ(changed([](Json& json) { json["runs"][0]["seed"] = 7; }), "experiment.damaged");
    EXPECT_EQ(changed([](Json& json) { json["runs"][0]["loss"][0] = "low"; }), "experiment.damaged");
    for (const char* key : {"scaling", "trained", "tested", "by_distance"})
        EXPECT_EQ(changed([&](Json& all) { all["runs"][0]["scores"][1][key] = nullptr; }),
                  "experiment.damaged")
            << key;
    EXPECT_EQ(changed([](Json& all) { all["runs"][0]["scores"][0]["tested"]["asked"][2] = -1; }),
              "experiment.damaged");
    EXPECT_EQ(changed([](Json& all) { all["runs"][0]["scores"][0]["tested"]["sum"].push_back(1); }),
              "experiment.damaged");
}

TEST(ExperimentResults, AreSummedUpOverSeeds) {
    Results results;
    results.settings = small();
    for (const double right : {1.0, 3.0}) {
        Scores scores;
        scores.trained = {{0.0, right}, {0, 4}};
        scores.tested.sums.assign(20, right);
        scores.tested.counts.assign(20, 4);
        Scores yarn = scores;
        yarn.scaling = Scaling::yarn;
        yarn.tested.sums.assign(4, 0.0);
        yarn.tested.sums.resize(20, 4.0);
        results.runs.push_back({"rope", right < 2.0 ? 1U : 2U, {0.5}, {scores, yarn}, {}, {}});
    }
    const Spread all = spread(results, "rope", Scaling::none, 0);
    EXPECT_EQ(all.seeds, 2U);
    EXPECT_DOUBLE_EQ(all.mean, 0.5);
    EXPECT_DOUBLE_EQ(all.least, 0.25);
    EXPECT_DOUBLE_EQ(all.most, 0.75);
    EXPECT_NEAR(all.deviation, std::sqrt(0.125), 1e-15);
    EXPECT_DOUBLE_EQ(spread(results, "rope", Scaling::yarn, 0).mean, 1.0)
        << "the second half of the trained length";
    EXPECT_EQ(spread(results, "learned", Scaling::none, 0).seeds, 0U);
    EXPECT_EQ(column_count(results.settings), 3U);
}

// A typed encoding with a learned number, and a second one: told apart in files and by what they are called.
TEST(ExperimentResults, TellTypedEncodingsApart) {
    const Json one = {{"kind", "own"},
                      {"bias", "-s*log(1+abs(D))"},
                      {"values", {{"s", 1}}},
                      {"learned", {"s"}}},
               two = {{"kind", "own"}, {"frequency", "b^(-2*i/d)"}};
    const Settings settings = small({{"steps", 30}, {"encodings", {one, "rope", two}}});
    EXPECT_EQ(*settings_from(to_json(settings)), settings);
    const Results results = run_all(settings, 2, {});
    ASSERT_EQ(results.runs.size(), 6U);
    const std::string text = to_text(results);
    const auto read = results_from(text);
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(read->settings, settings);
    EXPECT_EQ(to_text(*read), text);
    const std::string& typed = settings.encodings[0];
    const Spread learned = learned_spread(*read, typed, "s");
    EXPECT_EQ(learned.seeds, 2U);
    EXPECT_GT(std::abs(learned.mean - 1.0), 0.01) << "it moved";
    EXPECT_EQ(learned_spread(*read, settings.encodings[2], "s").seeds, 0U);
    std::vector<std::string> names;
    (void)arrays_of(*read, names);
    for (const char* name : {"own", "own_loss", "own.s", "rope", "own_2", "own_2_trained"})
        EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
    EXPECT_NE(text.find(R"("learned":{"s":[)"), std::string::npos);
}

TEST(ExperimentResults, BecomeArrays) {
    const Results results = run_all(small(), 2, {});
    std::vector<std::string> names;
    const std::vector<Array> arrays = arrays_of(results, names);
    const auto find = [&](std::string_view name) {
        for (const Array& array : arrays)
            if (array.shape.name == name) return array;
        return Array{};
    };
    EXPECT_EQ(find("rope_yarn").shape.sizes, (std::vector<std::int64_t>{20, 2}));
    EXPECT_EQ(find("learned").shape.sizes, (std::vector<std::int64_t>{8, 2})) << "no row past its end";
    EXPECT_EQ(find("rope_loss").shape.sizes, (std::vector<std::int64_t>{2, 2}));
    EXPECT_DOUBLE_EQ(find("rope").values[2 * 7 + 1], results.runs[2].scores[0].tested.mean(7, 8));
}

}  // namespace
}  // namespace posiscope::experiment::results_test
