// posiscope experiment: what it writes, what it says of a bad line or a damaged file.
#include "app/export/png.hpp"
#include "core/experiment/results.hpp"
#include "core/formats/file.hpp"
#include "tests/folder.hpp"
#include "tests/places.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>

namespace posiscope::experiment_command_test {
namespace {

struct Ran {
    int code;
    std::string out, err;
};

class ExperimentCommand : public test::InFolder {
protected:
    // `arguments` are the shell's; the folder is its $D.
    Ran run(const std::string& arguments, const std::string& environment = "LC_ALL=C") const {
        const std::string command = "D='" + folder_.string() + "'; " + environment + " '" + test::kProgram +
                                    "' experiment " + arguments + " >\"$D/out\" 2>\"$D/err\"";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, *read_file(folder_ / "out"),
                *read_file(folder_ / "err")};
    }
};

constexpr const char* kSmall = "--length 8 --tested 16 --steps 20 --seeds 2 --encodings rope,none ";

TEST_F(ExperimentCommand, WritesTheSameResultsHoweverManyRunAtATime) {
    const Ran one = run(std::string(kSmall) + "--jobs 1");
    EXPECT_EQ(one.code, 0) << one.err;
    EXPECT_EQ(one.err, "") << "progress is for terminals";
    EXPECT_EQ(run(std::string(kSmall) + "--jobs 2").out, one.out);
    const auto results = experiment::results_from(one.out);
    ASSERT_TRUE(results);
    EXPECT_EQ(results->runs.size(), 4U);
    EXPECT_EQ(results->settings.task, "back");
}

TEST_F(ExperimentCommand, TellsWhatItMeasuredAndReadsItAgain) {
    const Ran made = run(std::string(kSmall) + "--progress -o $D/r.json");
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_NE(made.err.find("4 of 4 runs"), std::string::npos) << made.err;
    for (const char* words :
         {"in this model", "trained at length 8", "chance is 0.0625", "rope+yarn", "8–15"})
        EXPECT_NE(made.out.find(words), std::string::npos) << words << "\n" << made.out;
    EXPECT_EQ(made.out.find("±"), std::string::npos) << "two seeds have no mean";
    EXPECT_NE(made.out.find("least…most"), std::string::npos);
    const Ran read = run("$D/r.json");
    EXPECT_EQ(read.code, 0) << read.err;
    EXPECT_EQ(read.out, made.out);
}

TEST_F(ExperimentCommand, ReadsTheResultsInAnImage) {
    const Ran made = run(kSmall);
    ASSERT_EQ(made.code, 0) << made.err;
    const Image pixel{1, 1, {0, 0, 0, 255}};
    std::ofstream(folder_ / "with.png", std::ios::binary)
        << exporting::png(pixel, {.scene = "{}", .results = made.out});
    std::ofstream(folder_ / "without.png", std::ios::binary) << exporting::png(pixel, {.scene = "{}"});
    const Ran read = run("$D/with.png -o $D/again.json");
    EXPECT_EQ(read.code, 0) << read.err;
    EXPECT_EQ(*read_file(folder_ / "again.json"), made.out);
    const Ran none = run("$D/without.png");
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.err.find("without.png: This is not a file of experiment results"), std::string::npos)
        << none.err;
}

TEST_F(ExperimentCommand, ConvertsResults) {
    ASSERT_EQ(run(std::string(kSmall) + "-o $D/r.json").code, 0);
    ASSERT_EQ(run("$D/r.json -o $D/r.csv").code, 0);
    ASSERT_EQ(run("$D/r.json -o $D/r.npy").code, 0);
    const std::string csv = *read_file(folder_ / "r.csv");
    for (const char* words :
         {"\"instructions\"", "encoding,scaling,seed,curve,at,value,count\n", "\nrope,yarn,2,tested,15,",
          "\nrope,none,1,loss,20,", "\nnone,none,1,trained,7,"})
        EXPECT_NE(csv.find(words), std::string::npos) << words;
    EXPECT_EQ(csv.find("tested,2,"), std::string::npos) << "the task asks nothing of positions below 3";
    EXPECT_EQ(run("$D/r.json -o -.csv").out, csv);
    EXPECT_TRUE(read_file(folder_ / "r.npy")->starts_with("\x93NUMPY"));
}

TEST_F(ExperimentCommand, ShardsMergeIntoWhatOneMachineMakes) {
    ASSERT_EQ(run(std::string(kSmall) + "-o $D/whole.json").code, 0);
    for (const char* shard : {"1", "2", "3"}) {
        const std::string number = shard;
        const Ran made = run(std::string(kSmall) + "--shard " + number + "/3 -o $D/" + number + ".json");
        EXPECT_EQ(made.code, 0) << made.err;
        const auto results = experiment::results_from(*read_file(folder_ / (number + ".json")));
        ASSERT_TRUE(results);
        EXPECT_EQ(results->runs.size(), number == "1" ? 2U : 1U);
    }
    // In any order, one of them twice.
    const Ran all = run("merge $D/3.json $D/1.json $D/2.json $D/1.json -o $D/all.json");
    EXPECT_EQ(all.code, 0) << all.err;
    EXPECT_EQ(*read_file(folder_ / "all.json"), *read_file(folder_ / "whole.json"));
    EXPECT_EQ(all.out, run("$D/whole.json").out) << "the table";
    const Ran part = run("merge $D/3.json $D/1.json -o $D/part.json");
    EXPECT_EQ(part.code, 1);
    EXPECT_NE(part.err.find("3 of 4 runs"), std::string::npos) << part.err;
    EXPECT_EQ(run("--resume $D/part.json").code, 0);
    EXPECT_EQ(*read_file(folder_ / "part.json"), *read_file(folder_ / "whole.json"));
    // What was trained otherwise does not belong to it, nor a run with other numbers.
    ASSERT_EQ(run("--length 8 --tested 16 --steps 30 --seeds 2 --encodings rope -o $D/longer.json").code, 0);
    const Ran other = run("merge $D/1.json $D/longer.json");
    EXPECT_EQ(other.code, 2);
    EXPECT_NE(other.err.find("longer.json: These runs were trained with steps 30"), std::string::npos)
        << other.err;
    std::string text = *read_file(folder_ / "1.json");
    const auto loss = text.find("\"loss\":[") + 8;
    ASSERT_TRUE(write_file(folder_ / "changed.json", text.replace(loss, 0, "9.5,")));
    const Ran changed = run("merge $D/1.json $D/changed.json");
    EXPECT_EQ(changed.code, 2);
    EXPECT_NE(changed.err.find("rope with seed 1"), std::string::npos) << changed.err;
}

// Typed encodings come from scene files, with the names that they have there.
TEST_F(ExperimentCommand, TakesTypedEncodingsFromFiles) {
    const auto put = [&](const char* name, const char* text) { std::ofstream(folder_ / name) << text; };
    put("a.json",
        R"j({"encoding": {"kind": "own", "label": "steep, b = 1", "bias": "-s*abs(D)", "values": {"s": 1}}})j");
    put("log bias.json", R"j({"encoding": {"kind": "own", "bias": "-s*log(1+abs(D))", "learned": ["s"]}})j");
    const std::string small = "--length 8 --tested 16 --steps 20 --seeds 2 --encodings "
                              "\"rope,own:$D/a.json,own:$D/log bias.json\" ";
    ASSERT_EQ(run(small + "-o $D/r.json").code, 0);
    const Ran csv = run(small + "-o -.csv");
    ASSERT_EQ(csv.code, 0) << csv.err;
    for (const char* words : {"\nrope,none,1,trained,7,", "\n\"steep, b = 1\",none,2,tested,15,",
                              "\nlog bias,none,1,learned s,0,"})
        EXPECT_NE(csv.out.find(words), std::string::npos) << words;
    // What was trained is in the results: another machine needs no file.
    ASSERT_EQ(run(small + "--shard 1/2 -o $D/1.json").code, 0);
    ASSERT_EQ(run(small + "--shard 2/2 -o $D/2.json").code, 0);
    std::filesystem::remove(folder_ / "a.json");
    EXPECT_EQ(run("merge $D/1.json $D/2.json -o $D/all.json").code, 0);
    EXPECT_EQ(*read_file(folder_ / "all.json"), *read_file(folder_ / "r.json"));
    EXPECT_EQ(run("--resume $D/1.json -o $D/again.json").code, 0);
    EXPECT_EQ(*read_file(folder_ / "again.json"), *read_file(folder_ / "r.json"));
    EXPECT_NE(run("$D/r.json").out.find("steep, b = 1: bias = -s*abs(D)"), std::string::npos);
    put("rope.json", R"j({"encoding": "rope"})j");
    put("wrong.json", R"j({"encoding": {"kind": "own", "bias": "-s*"}})j");
    put("label.json", R"j({"encoding": {"kind": "own", "bias": "-abs(D)", "label": "a\"b"}})j");
    for (const auto& [file, code, says] :
         std::vector<std::tuple<const char*, int, const char*>>{{"rope.json", 2, "has the encoding"},
                                                                {"wrong.json", 2, "wrong.json"},
                                                                {"label.json", 2, "at most 40 characters"},
                                                                {"a.json", 1, "does not exist"}}) {
        const Ran ran = run(std::string("--encodings own:$D/") + file);
        EXPECT_EQ(ran.code, code) << file;
        EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
    }
}

// As Ctrl C does, which a shell keeps from what it runs in the background.
TEST_F(ExperimentCommand, WhenInterruptedKeepsWhatIsFinishedAndGoesOn) {
    const auto interrupted = [&](const std::string& arguments) {
        const std::string script =
            "cd '" + folder_.string() + "'; rm -f err; LC_ALL=C '" + test::kProgram + "' experiment " +
            arguments +
            " --progress >out 2>err & pid=$!; until tr '\\r' '\\n' 2>/dev/null <err | grep -q "
            "'[1-9][0-9]* of 30 runs'; do"
            " sleep 0.02; done; kill -TERM $pid; wait $pid";
        const int status = std::system(script.c_str());
        return Ran{WIFEXITED(status) ? WEXITSTATUS(status) : -1, *read_file(folder_ / "out"),
                   *read_file(folder_ / "err")};
    };
    const std::string small = "--length 8 --tested 16 --steps 50 --seeds 30 --encodings rope ";
    const Ran stopped = interrupted(small + "--jobs 1 -o r.json");
    EXPECT_EQ(stopped.code, 130);
    EXPECT_EQ(stopped.out, "");
    EXPECT_NE(stopped.err.find("posiscope experiment --resume r.json\n"), std::string::npos) << stopped.err;
    const auto part = experiment::results_from(*read_file(folder_ / "r.json"));
    ASSERT_TRUE(part) << to_string(part.error());
    EXPECT_GE(part->runs.size(), 1U);
    EXPECT_LT(part->runs.size(), 30U);
    const Ran resumed = run("--resume $D/r.json");
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    ASSERT_EQ(run(small + "-o $D/whole.json").code, 0);
    EXPECT_EQ(*read_file(folder_ / "r.json"), *read_file(folder_ / "whole.json")) << "as if nothing had been";
    // Numbers alone could not be gone on with.
    const Ran numbers = interrupted(small + "--jobs 1 -o r.csv");
    EXPECT_NE(numbers.err.find("--resume r.csv.json -o r.csv\n"), std::string::npos) << numbers.err;
    EXPECT_EQ(run("--resume $D/r.csv.json -o $D/again.json").code, 0);
    EXPECT_EQ(*read_file(folder_ / "again.json"), *read_file(folder_ / "whole.json"));
    EXPECT_EQ(run("--resume $D/r.csv.json -o $D/r.csv").code, 0);
    ASSERT_EQ(run(small + "-o $D/whole.csv").code, 0);
    EXPECT_EQ(*read_file(folder_ / "r.csv"), *read_file(folder_ / "whole.csv"));
    const Ran out = interrupted(small + "--jobs 1");
    EXPECT_TRUE(experiment::results_from(out.out)) << "on standard output too";
}

// Until `file` holds results of at least one run; then `then`, in the shell.
std::string begun(const std::string& folder, const std::string& command, const std::string& file,
                  const std::string& then) {
    return "cd '" + folder + "'; export LC_ALL=C XDG_STATE_HOME=\"$PWD/state\"; '" + test::kProgram +
           "' experiment " + command + " & pid=$!; for n in $(seq 3000); do grep -q '\"scores\"' " + file +
           " 2>/dev/null && break; sleep 0.02; done; " + then;
}

// A process that is killed, and the end of whoever reads its progress, lose no finished run.
TEST_F(ExperimentCommand, KeepsFinishedRunsWhileOthersAreMade) {
    const std::string slow = "--length 8 --tested 16 --steps 400 --seeds 30 --encodings rope --jobs 1 ";
    for (const char* output : {"r.json", "r.csv"}) {
        const std::string file = std::string(output) == "r.csv" ? "r.csv.json" : output;
        ASSERT_EQ(std::system(begun(folder_.string(), slow + "-o " + output + " >out 2>err", file,
                                    "kill -KILL $pid; wait $pid 2>/dev/null; true")
                                  .c_str()),
                  0);
        const auto kept = experiment::results_from(*read_file(folder_ / file));
        ASSERT_TRUE(kept) << to_string(kept.error());
        EXPECT_GE(kept->runs.size(), 1U);
        EXPECT_LT(kept->runs.size(), 30U);
    }
    const std::string told =
        "cd '" + folder_.string() + "'; { '" + test::kProgram + "' experiment " + kSmall +
        "--progress -o told.json 2>&1 >/dev/null; echo $? >code; } | true; cat code | grep -q 0";
    EXPECT_EQ(std::system(told.c_str()), 0);
    EXPECT_TRUE(experiment::results_from(*read_file(folder_ / "told.json")));
    ASSERT_EQ(run(std::string(kSmall) + "-o $D/n.csv").code, 0);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "n.csv.json")) << "the numbers are all there";
}

TEST_F(ExperimentCommand, KeepsResultsElsewhereWhenTheirFolderIsGone) {
    std::filesystem::create_directory(folder_ / "gone");
    const std::string script =
        begun(folder_.string(),
              "--length 8 --tested 16 --steps 400 --seeds 12 --encodings rope --jobs 1 "
              "-o gone/r.json >out 2>err",
              "gone/r.json", "mv gone taken; wait $pid");
    const int status = std::system(script.c_str());
    const std::string said = *read_file(folder_ / "err");
    EXPECT_EQ(WEXITSTATUS(status), 1);
    const auto kept =
        experiment::results_from(*read_file(folder_ / "state" / "posiscope" / "experiment-1.json"));
    ASSERT_TRUE(kept) << said;
    EXPECT_EQ(kept->runs.size(), 12U);
    EXPECT_NE(said.find("experiment-1.json"), std::string::npos) << said;
}

// Two that go on with one file: each keeps what the other has made.
TEST_F(ExperimentCommand, TwoGoOnWithOneFile) {
    const std::string small = "--length 8 --tested 16 --steps 50 --seeds 6 --encodings rope,none ";
    ASSERT_EQ(run(small + "-o $D/whole.json").code, 0);
    ASSERT_EQ(run(small + "--shard 1/6 -o $D/r.json").code, 0);
    const std::string at = folder_.string() + "/r.json";
    const std::string script = std::string("export LC_ALL=C; p='") + test::kProgram +
                               "'; $p experiment --resume " + at + " --shard 2/3 >/dev/null & " +
                               "$p experiment --resume " + at + " --shard 3/3 >/dev/null & wait; " +
                               "$p experiment --resume " + at + " --shard 1/3 >/dev/null";
    EXPECT_EQ(std::system(script.c_str()), 0);
    EXPECT_EQ(*read_file(folder_ / "r.json"), *read_file(folder_ / "whole.json"));
}

TEST_F(ExperimentCommand, SaysWhatIsWrongInOneSentence) {
    ASSERT_TRUE(write_file(folder_ / "scene.json", R"({"d_model": 64})"));
    ASSERT_TRUE(write_file(folder_ / "cut.json", R"({"experiment": 1, "settings")"));
    ASSERT_TRUE(write_file(folder_ / "torn.json", R"({"experiment": 1, "settings": {}})"));
    struct Row {
        const char* arguments;
        int code;
        std::vector<const char*> says;
    };
    const std::vector<Row> rows = {
        {"--length 1000000", 2, {"length", "1000000", "256"}},
        {"--seeds 0", 2, {"seeds", "1", "100"}},
        {"--seeds many", 2, {"seeds", "many"}},
        {"--task sorting", 2, {"task", "sorting", "needle"}},
        {"--encodings swirl", 2, {"swirl", "rope"}},
        {"--encodings rope_2d", 2, {"2-D RoPE"}},
        {"--encodings rope,rope", 2, {"rope"}},
        {"--encodings ,", 2, {"rope,t5"}},
        {"--preset bak", 2, {"bak", "back"}},
        {"--jobs 0", 2, {"--jobs"}},
        {"--set d_model=64", 2, {"d_model=64", "experiment --help"}},
        {"--model gpt2", 2, {"gpt2", "experiment --help"}},
        {"--length 64 --tested 32", 2, {"tested", "64"}},
        {"--resume $D/missing.json", 1, {"missing.json"}},
        {"--resume $D/scene.json", 2, {"scene.json"}},
        {"--resume $D/r.json --seeds 3", 2, {"--seeds", "--resume"}},
        {"-o $D/a.txt", 2, {"a.txt", ".json, .csv, .npy"}},
        {"--shard 3", 2, {"--shard", "3/20"}},
        {"--shard 3/x", 2, {"--shard", "3/x"}},
        {"--shard 0/2 --seeds 1 --encodings rope,none", 2, {"--shard", "0/2", "2 runs"}},
        {"--shard 3/3 --seeds 1 --encodings rope,none", 2, {"--shard", "3/3", "2 runs"}},
        {"$D/torn.json --shard 1/2", 2, {"--shard", "torn.json"}},
        {"$D/torn.json $D/cut.json", 2, {"cut.json", "posiscope experiment"}},
        {"merge", 2, {"RESULTS"}},
        {"merge $D/torn.json --seeds 2", 2, {"--seeds", "merge"}},
        {"merge $D/torn.json", 2, {"torn.json", "instructions"}},
        {"-o $D/none/a.json", 1, {"none/a.json"}},
        {"$D/missing.json", 1, {"missing.json"}},
        {"$D/scene.json", 2, {"scene.json"}},
        {"$D/cut.json", 2, {"cut.json", "line 1"}},
        {"$D/torn.json", 2, {"torn.json", "instructions"}},
    };
    for (const Row& row : rows)
        for (const char* language : {"C", "zh_CN.UTF-8"}) {
            const Ran ran = run(row.arguments, std::string("LC_ALL=") + language);
            SCOPED_TRACE(std::string(row.arguments) + " → " + ran.err);
            EXPECT_EQ(ran.code, row.code);
            EXPECT_EQ(ran.out, "");
            EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1);
            if (language != std::string("C")) continue;
            for (const char* words : row.says)
                EXPECT_NE(ran.err.find(words), std::string::npos) << words << " is missing";
        }
}

}  // namespace
}  // namespace posiscope::experiment_command_test
