// The built program on good and bad command lines: exit codes, one sentence on standard error, its output.
#include "app/commands/batch.hpp"
#include "app/figures/view_keys.hpp"
#include "app/ui/strings.hpp"
#include "core/encodings/encodings.hpp"
#include "core/formats/file.hpp"
#include "core/json.hpp"
#include "core/nearest.hpp"
#include "core/scene/content.hpp"
#include "core/scene/link.hpp"
#include "tests/app/program.hpp"
#include "tests/places.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/wait.h>

namespace posiscope::commands_test {
namespace {

namespace fs = std::filesystem;
using test::lines_of, test::Program, test::Ran;

struct Row {
    const char* arguments;
    int code;
    std::vector<const char*> says;  // the thing, the bound, the mend
};

const std::vector<Row>& bad_lines() {
    static const std::vector<Row> rows = {
        {"dta table", 2, {"dta", "data", "list"}},
        {"dta", 2, {"dta", "data", "list"}},
        {"$D/odd.json data table", 2, {"odd.json", "posiscope data"}},
        {"rendr -o $D/a.png", 2, {"rendr", "render"}},
        {"--sett d_model=64", 2, {"--sett", "--set", "--help"}},
        {"data", 2, {"QUANTITY", "frequencies", "scores"}},
        {"data tabel", 2, {"tabel", "table", "gram"}},
        {"data table extra", 1, {"extra"}},
        {"data table --ouput x.npy", 2, {"--ouput", "--output", "posiscope data --help"}},
        {"render -o $D/a.png --scale abc", 2, {"--scale", "abc", "render --help"}},
        {"render -o $D/a.gif --over position --to 1.5", 2, {"--to", "1.5"}},
        {"render -o $D/a.png --jobs 99999999999", 2, {"--jobs", "99999999999"}},
        {"data table --jobs x", 2, {"--jobs", "x", "data --help"}},
        {"manual pag", 2, {"pag", "page", "icon"}},
        {"manual icon --pixels 3", 2, {"--pixels", "3", "8", "1024"}},
        {"data table -o", 2, {"--output", "posiscope data --help"}},
        {"data table --set", 2, {"--set", "posiscope data --help"}},
        {"data table -s", 2, {"--scene", "--help"}},
        {"data table --lang de", 2, {"--lang", "de", "en, zh"}},
        {"data table --model", 2, {"--model", "--help"}},
        {"data frequencies --model Meta-Llama-3.1-8b",
         2,
         {"Meta-Llama-3.1-8b", "meta-llama/Meta-Llama-3.1-8B", "posiscope list models"}},
        {"data frequencies --model $D/none.json", 1, {"none.json"}},
        {"data frequencies --model $D", 1, {"/posiscope-test-"}},
        {"data frequencies --model $D/cut.json", 2, {"cut.json", "1", "14"}},
        {"data frequencies --model $D/heads.json", 2, {"heads.json", "num_attention_heads", "-4", "1"}},
        {"data frequencies --model $D/list.json", 2, {"list.json", "config.json"}},
        {"data table --set d_model=511", 2, {"d_model", "511", "510", "512"}},
        {"data table --set position=-1", 2, {"position", "-1", "0", "2147483647"}},
        {"data table --set base=0.5", 2, {"base", "0.5", "1", "1e18"}},
        {"data table --set base=1e400", 2, {"1.797e308"}},
        {"data table --set d_modle=64", 2, {"d_modle", "d_model"}},
        {"data table --set d_model", 2, {"d_model", "--set"}},
        {"data table --set encoding=rape", 2, {"encoding.kind", "rape", "rope", "none"}},
        {"data table --set encoding.variant=papers", 2, {"encoding.variant", "papers", "paper"}},
        {"data table --set offset=-11", 2, {"offset", "-11", "-10", "10"}},
        {"data table --set version=2", 2, {"2", "1"}},
        {"data table --set \"$(printf 'd\\nm=1')\"", 2, {"d m"}},
        {"data table --set \"$(printf 'layout=\\377')\"", 2, {"UTF-8"}},
        {"data table -s $D/none.json", 1, {"none.json"}},
        {"data table -s $D", 1, {"/posiscope-test-"}},
        {"data table -s $D/cut.json", 2, {"cut.json", "1", "14"}},
        {"data table -s $D/odd.json", 2, {"odd.json", "511", "510", "512"}},
        {"data table -s $D/twice.json", 2, {"twice.json", "encoding.kind"}},
        {"data table -s $D/unknown.json", 2, {"unknown.json", "encoding.varient", "variant"}},
        {"data table -s $D/newer.json", 2, {"newer.json", "2", "1"}},
        {"data table -s $D/brackets.json", 2, {"brackets.json", "64"}},
        {"data table -s $D/list.json", 2, {"list.json", "{\"position\": 10}"}},
        {"data table -s /dev/zero", 1, {"/dev/zero", "67108864"}},
        {"data table -o $D/out.txt", 2, {"out.txt", ".json", ".npz", ".npy", ".csv"}},
        {"data table -o $D", 1, {"/posiscope-test-"}},
        {"data table -o $D/folder.json", 1, {"folder.json"}},
        {"data table -o $D/self", 2, {"self", ".json, .npz, .npy, .csv"}},
        {"render -o $D/self", 2, {"self", ".png, .pdf, .svg"}},
        {"data table -s $D/self", 1, {"self"}},
        {"data table -o $D/none/a.json", 1, {"none/a.json"}},
        {"data table -o /dev/full", 1, {"/dev/full"}},
        {"data table --set encoding=rope", 1, {"rope", "table"}},
        {"data scores", 1, {"sinusoidal", "scores"}},
        {"data bias", 1, {"sinusoidal", "bias"}},
        {"data attention --set length=2147483647", 1, {"attention", "length"}},
        {"data attention --set num_heads=256 --set length=1000", 1, {"419430400", "--large"}},
        {"data turns --set trained='{\"length\":8,\"scene\":{\"d_model\":256}}'",
         2,
         {"256", "128", "trained.scene"}},
        {"data table --set length=2147483647 --set d_model=65536",
         1,
         {"1125899906318336", "length", "d_model"}},
        {"data table --set length=2147483647 --set d_model=65536 -o $D/a.npy",
         1,
         {"1125899906318336", "length", "d_model"}},
        {"data cache --array tan", 2, {"--array", "tan", "cos, sin"}},
        {"render", 2, {"-o OUT.png", ".pdf"}},
        {"render -o $D/a.jpg", 2, {"a.jpg", ".png, .pdf, .svg, .mp4"}},
        {"render -o $D/a.png --size 100", 2, {"--size", "1280x800", "100"}},
        {"render -o $D/a.pdf --page 160x100", 2, {"--page", "160x100mm"}},
        {"render -o $D/a.pdf --page 160x100mm --size 20x20", 2, {"--size", "--page"}},
        {"render -o $D/a.pdf --page 16000x100mm", 2, {"16000x100mm", "16384"}},
        {"render -o $D/a.png --size 0x20", 2, {"0x20", "16384"}},
        {"render -o $D/a.png --size nanx20", 2, {"nanx20"}},
        {"render -o $D/a.png --splits 0.5,0.5 $D/missing.json", 1, {"missing.json"}},
        {"render -o $D/a.png --dpi 5", 2, {"--dpi", "5", "24", "1536"}},
        {"render -o $D/a.png --dpi nan", 2, {"--dpi", "nan", "render --help"}},
        {"render -o $D/a.png --scale ''", 2, {"--scale", "render --help"}},
        {"render -o $D/a.png --scale 16", 2, {"1280x800", "16384"}},
        {"render -o $D/a.png --fps 30", 2, {"--fps", "a.png"}},
        {"render -o $D/a-%d.png --to 1 --fps 30", 2, {"--fps", "a-%d.png"}},
        {"render -o $D/a.gif --to 99999999999999999999", 2, {"--to", "99999999999999999999"}},
        {"render -o $D/a.pdf --lesson why --splits 0.5,0.5", 2, {"--splits", "--lesson"}},
        {"render -o $D/a.png --figure rotations --splits 0.5", 2, {"--splits", "--figure"}},
        {"render -o $D/a-%d.png --lesson why --from 2", 2, {"--from", "--lesson"}},
        {"render -o $D/a.png --jobs -1 $D/odd.json", 2, {"--jobs", "-1", "0", "1024"}},
        {"data table --jobs -1", 2, {"--jobs", "-1", "0", "1024"}},
        {"manual page --pixels 64", 2, {"--pixels", "page"}},
        {"experiment --steps 5 $D/list.json", 2, {"--steps", "list.json"}},
        {"experiment --jobs 2 $D/list.json", 2, {"--jobs", "list.json"}},
        {"experiment --steps ''", 2, {"--steps", "experiment --help"}},
        {"render -o $D/a.svg --scale 2", 2, {"--scale", "a.svg", ".png"}},
        {"render -o $D/a.pdf --controls", 2, {"--controls", "a.pdf", ".png"}},
        {"render -o $D/a.pdf --figure clocks", 2, {"--figure", "clocks", "rotations"}},
        {"render -o $D/a.png --over position", 2, {"a.png", "--over", "frame-%04d.png"}},
        {"render -o $D/a.gif --over pair", 2, {"--over", "pair", "position, offset"}},
        {"render -o $D/a.gif --fps 0", 2, {"--fps", "0", "0.1", "240"}},
        {"render -o $D/a.gif --from -1", 2, {"position", "-1", "0"}},
        {"render -o $D/a.gif --to 900000", 2, {"900001", "100000"}},
        {"render -o $D/none/a.gif --to 1", 1, {"none/a.gif"}},
        {"render -o $D/none/a.pdf", 1, {"none/a.pdf"}},
        {"render -o /dev/full", 2, {"/dev/full", ".png, .pdf, .svg"}},
        {"data table -s $D/cut.png", 1, {"cut.png"}},
        {"list", 2, {"KIND", "encodings", "quantities"}},
        {"render -o $D/a.pdf --over d_model=64,128 --figure spectrum", 2, {"d_model=64,128", "%s"}},
        {"render -o $D/%s.pdf --over d_model=64,64 --figure spectrum", 2, {"64.pdf"}},
        {"render -o $D/a.pdf --bare", 2, {"--bare", "--figure"}},
        {"render -o $D/a.pdf --plain", 2, {"--plain", "--figure"}},
        {"render -o $D/a.pdf --page 3x3ft", 2, {"--page", "3.3x2.4in"}},
        {"render -o $D/a.pdf --size 3x3ft", 2, {"--size", "3x3ft", "8x6cm", "px"}},
        {"help rendr", 2, {"rendr", "render"}},
        {"list figures --encoding rope", 2, {"--encoding", "figures", "settings"}},
        {"list settings --encoding rop", 2, {"rop", "rope"}},
        {"data scores --over d_model -o $D/%s.csv", 2, {"--over", "d_model=64,128,256"}},
        {"check $D/none.npy $D/odd.json", 3, {"none.npy"}},
        {"diff", 2, {"0"}},
        {"diff $D/odd.json $D/odd.json $D/odd.json", 2, {"3"}},
        {"diff $D/odd.json $D/odd.json --set position=1", 2, {"--set", "odd.json"}},
        {"diff $D/odd.json", 2, {"odd.json", "511"}},
        {"diff - - </dev/null", 2, {"-"}},
        {"data table - -s - </dev/null", 2, {"-"}},
        {"data table -s - </dev/null", 2, {"-", "1"}},
        {"data table -s '#scene=%7B%22position'", 2, {}},
        {"render -o -.mp4 --to 3", 2, {"-.mp4", ".png, .pdf, .svg"}},
        {"data table -o -.txt", 2, {"-.txt", ".json, .npz, .npy, .csv"}},
        {"data table -o '%s.csv' - $D/odd.json", 2, {"-"}},
        {"list figure", 2, {"figure", "figures"}},
        {"list model", 2, {"model", "models"}},
        {"list claims --note 005", 2, {"--note", "005", "004"}},
        {"list claims --verdict wrong", 2, {"--verdict", "wrong", "conditional"}},
        {"list models --verdict false", 2, {"--verdict", "models", "claims"}},
        {"render -o $D/a.pdf --claim B99", 2, {"--claim", "B99", "C-PERM"}},
        {"render -o $D/a.pdf --claim B16 $D/odd.json", 2, {"B16", "odd.json", "-s"}},
        {"data dft --set d_model=65536 --set length=4096", 1, {"dft", "length"}},
    };
    return rows;
}

TEST_F(Program, BadLinesGetOneSentenceInEitherLanguage) {
    put("cut.json", R"({"d_model": 5)");
    put("odd.json", R"({"d_model": 511})");
    put("twice.json", R"({"encoding": {"kind": "rope", "kind": "rope"}})");
    put("unknown.json", R"({"encoding": {"kind": "sinusoidal", "varient": "paper"}})");
    put("newer.json", R"({"version": 2})");
    put("brackets.json", std::string(2000000, '['));
    put("list.json", "[]");
    put("cut.png", "\x89PNG\r\n\x1a\n");
    put("heads.json", R"({"model_type": "llama", "num_attention_heads": -4})");
    fs::create_directory(folder_ / "folder.json");
    fs::create_symlink("self", folder_ / "self");
    const std::size_t before = entries();
    for (const Row& row : bad_lines()) {
        for (const char* language : {"en", "zh"}) {
            const Ran ran = run(row.arguments, std::string("LC_ALL=") +
                                                   (language == std::string("zh") ? "zh_CN.UTF-8" : "C"));
            SCOPED_TRACE(std::string(row.arguments) + " → " + ran.err);
            EXPECT_EQ(ran.code, row.code);
            EXPECT_EQ(ran.out, "");
            EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1);
            EXPECT_TRUE(ran.err.ends_with('\n'));
            EXPECT_EQ(ran.err.find("problem."), std::string::npos);
            EXPECT_EQ(ran.err.find("terminate"), std::string::npos);
            for (const char* part : row.says) EXPECT_NE(ran.err.find(part), std::string::npos) << part;
            const bool chinese = ran.err.find("。") != std::string::npos;
            EXPECT_EQ(chinese, language == std::string("zh"));
        }
    }
    EXPECT_EQ(entries(), before) << "nothing half-written";
}

// A fraction and too many digits are numbers too.
// A table whose path no scene can hold is refused with its mend; a scene beside it that names none is drawn.
TEST_F(Program, AFolderThatIsNoUtf8IsNoInternalError) {
    std::filesystem::create_directories(folder_ / "caf\xe9");
    put("caf\xe9/t.npy", "");
    put("caf\xe9/named.json", R"({"encoding": {"kind": "learned", "table": "t.npy"}})");
    put("caf\xe9/plain.json", R"({"position": 3})");
    for (const char* command : {"data frequencies", "render --figure matrix -o \"$D/a.svg\"", "code numpy"}) {
        const Ran named = run(std::string(command) + " -s \"$D/caf\xe9/named.json\"");
        EXPECT_EQ(named.code, 2) << command << named.err;
        EXPECT_NE(named.err.find("rename"), std::string::npos) << named.err;
        EXPECT_EQ(named.err.find("internal"), std::string::npos) << named.err;
    }
    const Ran plain = run("render --figure matrix -o \"$D/caf\xe9/a.svg\" -s \"$D/caf\xe9/plain.json\"");
    EXPECT_EQ(plain.code, 0) << plain.err;
}

TEST_F(Program, WholeNumbersAreAskedForAsSuch) {
    const auto said = [&](const std::string& option) {
        return run("render -o $D/a.gif --over position " + option, "LC_ALL=C").err;
    };
    for (const char* option : {"--to 1.5", "--to 1e30", "--jobs 99999999999"})
        EXPECT_NE(said(option).find("must be a whole number"), std::string::npos) << said(option);
    for (const char* option : {"--to abc", "--scale 1x", "--fps ,"})
        EXPECT_NE(said(option).find("must be a number"), std::string::npos) << said(option);
}

// What is no number of any use is refused before anything is read or drawn, whether or not it would have been used.
TEST_F(Program, EveryNumberMustBeFinite) {
    const std::size_t before = entries();
    for (const char* command :
         {"render -o $D/a.png --scale", "render -o $D/a.png --dpi", "render -o $D/a.png --fps",
          "render -o $D/a.png --splits", "render -o $D/a.gif --from", "render -o $D/a.gif --to",
          "render -o $D/a.png --jobs", "data table --jobs", "manual icon --pixels", "experiment --jobs"})
        for (const char* value : {"nan", "inf", "-inf", "1e999", "''"}) {
            const Ran ran = run(fmt::format("{} {}", command, value), "LC_ALL=C");
            EXPECT_EQ(ran.code, 2) << command << " " << value << ": " << ran.err;
            EXPECT_EQ(ran.out, "") << command << " " << value;
            EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
        }
    EXPECT_EQ(entries(), before);
}

TEST_F(Program, TheLanguageComesFromTheFlagThenTheEnvironment) {
    const auto chinese = [&](const char* arguments, const char* environment) {
        return run(arguments, environment).err.find("。") != std::string::npos;
    };
    EXPECT_TRUE(chinese("data --lang zh", "LC_ALL=C"));
    EXPECT_TRUE(chinese("--lang=zh data", "LC_ALL=C"));
    EXPECT_FALSE(chinese("data --lang en", "LC_ALL=zh_CN.UTF-8"));
    EXPECT_TRUE(chinese("data", "env -u LC_ALL -u LC_MESSAGES LANG=zh_CN.UTF-8"));
    EXPECT_FALSE(chinese("data", "LC_ALL=C LANG=zh_CN.UTF-8"));
    EXPECT_FALSE(chinese("data", "env -i"));
}

// Position ids as a list and as files of each form: the same answer; what nothing explains fails.
TEST_F(Program, ChecksPositionIds) {
    const Ran typed = run("check --lang en --ids '1 1 1 0 1 2 3 4'");
    EXPECT_EQ(typed.code, 0) << typed.err;
    EXPECT_EQ(typed.out, "Padding is left out of the count: 3 pads, and the first token has id 0.\n");
    put("ids.json", "[[1, 1, 1, 0, 1, 2, 3, 4]]");
    EXPECT_EQ(run("check --lang en --ids \"$D/ids.json\"").out, typed.out);
    std::string npy = "\x93NUMPY";
    npy += std::string("\x01\x00", 2);
    std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (1, 8), }";
    header += std::string(118 - 1 - header.size(), ' ') + "\n";
    npy += std::string("\x76\x00", 2) + header;
    for (const int id : {1, 1, 1, 0, 1, 2, 3, 4}) npy += std::string{static_cast<char>(id), '\0', '\0', '\0'};
    put("ids.npy", npy);
    EXPECT_EQ(run("check --lang en --ids \"$D/ids.npy\"").out, typed.out);
    // Whole numbers that are no table are ids by themselves.
    for (const char* given : {"\"$D/ids.npy\"", "\"$D/ids.json\"", "'1 1 1 0 1 2 3 4'",
                              "\"$D/ids.npy\" --mask '0 0 0 1 1 1 1 1'"})
        EXPECT_EQ(run(std::string("check --lang en ") + given).out, typed.out) << given;
    put("cut.npy", npy.substr(0, npy.size() - 3));
    EXPECT_EQ(run("check --ids \"$D/cut.npy\"").code, 3);  // as of any damaged table
    const Ran slip = run("check --lang en --ids '0 1 2 3' --mask '0 0 1 1'");
    EXPECT_EQ(slip.code, 4) << slip.err;
    EXPECT_NE(slip.out.find("Pads are counted: 2"), std::string::npos);
    EXPECT_NE(run("check --json --ids '0 1 2 3' --mask '0 0 1 1'").out.find(R"("name":"slip.arange")"),
              std::string::npos);
    put("config.json", R"({"model_type": "roberta", "pad_token_id": 1})");
    EXPECT_NE(
        run("check --lang en --ids '0 1 2 3' --config \"$D/config.json\"").out.find("offset is missing"),
        std::string::npos);
    EXPECT_EQ(run("check --ids '5 9 2'").code, 1);
    EXPECT_EQ(run("check --ids '0 1 x'").code, 3);  // there is no such file
    EXPECT_EQ(run("check --ids '0 1' --mask '1'").code, 2);
    // A row of a batch each, also where three rows begin alike as axes do.
    const Ran batch = run("check --lang en --ids '[[0, 1, 2], [1, 0, 1]]'");
    EXPECT_EQ(std::count(batch.out.begin(), batch.out.end(), '\n'), 2) << batch.out;
    const Ran three = run("check --lang en --ids '[[0, 1, 2, 3, 4], [0, 0, 0, 1, 2], [0, 0, 0, 0, 1]]'");
    EXPECT_EQ(three.code, 0) << three.err;
    EXPECT_NE(three.out.find("Row 2: Padding is left out of the count: 3 pads"), std::string::npos)
        << three.out;
    // Axes first, then the rows of a batch: one with an image, one of text alone.
    const Ran axes =
        run("check --lang en --ids '[[[0, 1, 1, 3], [0, 1, 2, 3]], [[0, 1, 1, 3], [0, 1, 2, 3]], "
            "[[0, 1, 2, 3], [0, 1, 2, 3]]]'");
    EXPECT_EQ(axes.out,
              "Row 0: Images in text on three axes (M-RoPE): 1 of them; text goes on after the largest id, "
              "rope_delta 0.\nRow 1: Plain ids: each token’s id is its row, up to 3.\n")
        << axes.err;
    // OPT adds its offset inside the table; a window that is switched off is none.
    put("config.json", R"({"model_type": "opt"})");
    EXPECT_EQ(run("check --ids '0 1 2 3' --config \"$D/config.json\"").code, 0);
    const std::string mask = "'[[1,0,0,0],[1,1,0,0],[1,1,1,0],[0,1,1,1]]'";
    for (const auto& [config, code] : std::vector<std::pair<std::string, int>>{
             {R"({"sliding_window": 2})", 4},
             {R"({"text_config": {"sliding_window": 2}})", 4},
             {R"({"local_attention": 2})", 4},
             {R"({"sliding_window": 3})", 0},
             {R"({"sliding_window": 2, "use_sliding_window": false})", 0}}) {
        put("config.json", config);
        EXPECT_EQ(run("check --ids '0 1 2 3' --mask " + mask + " --config \"$D/config.json\"").code, code)
            << config;
    }
}

// A config says where its table ends: RoBERTa's ids have the offset in them, OPT adds it. A scaling reaches further than
// max_position_embeddings.
TEST_F(Program, IdsEndWithTheConfigsTable) {
    const auto code = [&](std::int64_t first, std::int64_t last, const std::string& config) {
        std::string ids;
        for (std::int64_t id = first; id <= last; ++id) ids += std::to_string(id) + " ";
        put("ids.txt", ids);
        put("config.json", config);
        return run("check --ids \"$D/ids.txt\" --config \"$D/config.json\"").code;
    };
    const std::string roberta =
        R"({"model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 1, "hidden_size": 768, "num_attention_heads": 12})";
    EXPECT_EQ(code(2, 513, roberta), 0);
    EXPECT_EQ(code(2, 514, roberta), 4);
    const std::string opt =
        R"({"model_type": "opt", "max_position_embeddings": 2048, "hidden_size": 768, "num_attention_heads": 12})";
    EXPECT_EQ(code(0, 2047, opt), 0);
    EXPECT_EQ(code(0, 2052, opt), 4);
    EXPECT_EQ(code(-1, 5, opt), 0);  // −1 is its pads' id
    EXPECT_EQ(code(-3, 5, opt), 4);
    const std::string llama =
        R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "max_position_embeddings": 64)";
    EXPECT_EQ(code(0, 63, llama + "}"), 0);
    EXPECT_EQ(code(0, 64, llama + "}"), 4);
    EXPECT_EQ(code(-1, 5, llama + "}"), 4);
    const std::string yarn =
        R"(, "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64}})";
    EXPECT_EQ(code(0, 255, llama + yarn), 0);
    EXPECT_EQ(code(0, 256, llama + yarn), 4);
}

// Two keys of two pairs, rotated on by 2 positions; a table beside them is no step of theirs.
TEST_F(Program, ComparesKeysOfTwoSteps) {
    put("before.csv", "1.000000,1.000000,0.000000,0.000000\n0.000000,1.000000,2.000000,0.000000\n");
    put("after.csv", "-0.416147,0.999800,0.909297,0.019999\n-1.818595,0.999800,-0.832294,0.019999\n");
    const Ran turned = run("check --lang en \"$D/before.csv\" \"$D/after.csv\"");
    EXPECT_EQ(turned.code, 0) << turned.err;
    EXPECT_NE(turned.out.find("Rows 0 to 1 are as before, rotated by +2 positions."), std::string::npos)
        << turned.out;
    EXPECT_NE(run("check --json \"$D/before.csv\" \"$D/after.csv\"").out.find(R"("by":"+2")"),
              std::string::npos);
    put("other.csv", "5.000000,7.000000,0.000000,0.000000\n3.000000,1.000000,9.000000,0.000000\n");
    EXPECT_EQ(run("check \"$D/before.csv\" \"$D/other.csv\"").code, 1);
    EXPECT_EQ(run("check \"$D/before.csv\" \"$D/none.csv\"").code, 3);
}

// Every key that a content may have, with the kinds that have it and what it means.
TEST_F(Program, ListsTheKeysOfAContent) {
    const std::string listed = run("list settings").out;
    for (const std::string_view kind : content_kinds())
        for (const Parameter& parameter : content_parameters(kind)) {
            const auto line = listed.find("\ncontent." + std::string(parameter.key) + " ");
            EXPECT_NE(line, std::string::npos) << parameter.key;
        }
    EXPECT_NE(listed.find("checkpoint: rms | rms_plus_one | layer | none"), std::string::npos) << listed;
    for (const char* key : {"parameter.", ".help", ".name"})
        EXPECT_EQ(listed.find(key), std::string::npos) << "a key of the string table";
}

TEST_F(Program, ListsTheKeysOfEveryEncodingAndTheModesOfEveryFigure) {
    const std::string listed = run("list settings").out;
    for (const Encoding* encoding : encodings())
        for (const Parameter& parameter : encoding->parameters)
            EXPECT_NE(listed.find("\nencoding." + std::string(parameter.key) + " "), std::string::npos)
                << parameter.key;
    EXPECT_NE(listed.find("\nview.rotations.mode"), std::string::npos);
    EXPECT_NE(listed.find("clocks | definition | single | plane"), std::string::npos);
    for (const figures::ViewKey& key : figures::view_keys())
        EXPECT_NE(listed.find(fmt::format("\nview.{}.{} ", key.figure, key.parameter.key)), std::string::npos)
            << key.figure << " " << key.parameter.key;
}

// A key of a view that no figure reads is refused; what a file holds of another version's is not.
TEST_F(Program, AnUnknownKeyOfAViewIsRefusedByItsNearest) {
    const auto said = [&](const std::string& settings) {
        const Ran ran = run("data frequencies --lang en " + settings);
        return ran.code == 2 ? ran.err : ran.code == 0 ? "accepted" : "failed " + ran.err;
    };
    EXPECT_NE(said("--set view.rotations.bar=x").find("view.rotations"), std::string::npos);
    EXPECT_NE(said("--set view.matrix.row=[1,2]").find("rows"), std::string::npos) << "the nearest";
    EXPECT_NE(said("--set 'view={\"matrix\": {\"bar\": 1}}'").find("view.matrix"), std::string::npos);
    EXPECT_NE(said("--set view.check.first=x").find("view.check.first"), std::string::npos);
    EXPECT_NE(said("--set view.terms.norm=lay").find("layer"), std::string::npos);
    EXPECT_NE(said("--set view.rotations.mode=x").find("view.rotations.mode"), std::string::npos);
    for (const char* good : {"view.matrix.rows=[0,9]", "view.matrix.rows=null", "view.terms.norm=rms",
                             "view.scores.mode=dot", "view.compare=over", "view.ids.kind=packed"})
        EXPECT_EQ(said("--set " + std::string(good)), "accepted") << good;
    put("later.json", R"({"view": {"matrix": {"later": 1}}, "bench": "later"})");
    EXPECT_EQ(said("-s \"$D/later.json\" --set view.matrix.apart=false"), "accepted");
    EXPECT_NE(said("--set bench=mesured").find("nearest is measured"), std::string::npos);
    EXPECT_EQ(said("--set bench=null"), "accepted");
    EXPECT_NE(said("--set content.seed=4").find("content, as it is set, has no keys"), std::string::npos);
    put("config.json", R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 1})");
    for (const std::string unread : {"--set base=500", "--model llama-2", "--as table", "--axes nd",
                                     "--layer 0", "--tensor x", "--tolerance 0.1"})
        EXPECT_NE(run("check \"$D/config.json\" --lang en " + unread).err.find(" has no effect with "),
                  std::string::npos)
            << unread;
    EXPECT_NE(run("check none.json --lang en --part visio").err.find("nearest is vision"), std::string::npos);
}

TEST_F(Program, HostileIdsAreRefusedOrPassedOver) {
    put("large.json",
        R"({"model_type": "roberta", "pad_token_id": 9223372036854775807, "sliding_window": -1})");
    EXPECT_EQ(run("check --lang en --ids '0 1 2 3' --config \"$D/large.json\"").out.find("9223372036854775"),
              std::string::npos)
        << "no table has such a first id";
    const auto npy = [&](const std::string& shape, const std::string& data) {
        const std::string header = "{'descr': '<i8', 'fortran_order': False, 'shape': " + shape + ", }\n";
        put("ids.npy",
            std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header + data);
        return run("check --lang en --ids \"$D/ids.npy\"").err;
    };
    const std::string most(8, '\x7f'), least = std::string(7, '\0') + '\x80';
    EXPECT_NE(npy("(2,)", most + least).find("whole numbers"), std::string::npos);
    EXPECT_NE(npy("(0,)", "").find("holds no numbers"), std::string::npos);
    EXPECT_NE(run("check --lang en --ids '0 1 2' --mask '[[1, 0, 0], [1, 1, 0]]'").err.find("2 masks"),
              std::string::npos);
}

// What a file calls its array, or a lesson its step, cannot steer the terminal.
TEST_F(Program, NamesInFilesAreEscaped) {
    const std::string header =
        R"({"w\u001b[31mred": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})";
    put("name.safetensors",
        static_cast<char>(header.size()) + std::string(7, '\0') + header + std::string(4, '\0'));
    const Ran table = run("check --lang en \"$D/name.safetensors\"");
    EXPECT_NE(table.out.find("w\\x1b[31mred: shape 1"), std::string::npos) << table.out;
    put("lesson.json",
        R"({"lesson": 1, "id": "x", "steps": [{"id": "a\u001b[31m", "text": {"en": "x"}, "ask": {"text": {"en": "q"},
        "choices": [{"text": {"en": "a"}, "right": true}, {"text": {"en": "b"}}]}}]})");
    const Ran lesson = run("lesson check \"$D/lesson.json\" \"$D/none.json\" --lang en");
    EXPECT_NE(lesson.out.find("a\\x1b[31m"), std::string::npos)
        << "said although the next file is missing: " << lesson.out;
    EXPECT_EQ((table.out + lesson.out).find('\x1b'), std::string::npos);
    EXPECT_EQ(lesson.code, 1);
}

// All are applied, then judged.
TEST_F(Program, SettingsMayBeGivenInAnyOrder) {
    const std::string first = "--set encoding.partial_rotary_factor=0.3", second = "--set d_model=40",
                      kind = "--set encoding=rope";
    const Ran one = run("data frequencies " + kind + " " + first + " " + second);
    EXPECT_EQ(one.code, 0) << one.err;
    EXPECT_EQ(run("data frequencies " + second + " " + first + " " + kind).out, one.out);
    const Ran unknown = run("data frequencies --set view.foo.bar=1");
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find("rotations"), std::string::npos) << unknown.err;
    const Ran row =
        run("data positions --set length=4 --set view.ids.kind=left_padding --set view.ids.pads=2");
    EXPECT_EQ(row.code, 0) << row.err;
}

TEST_F(Program, SaysItsVersionHelpAndLists) {
    EXPECT_TRUE(run("--version").out.starts_with("posiscope " POSISCOPE_VERSION));
    for (const char* arguments : {"--help", "-h", "data --help", "list --help", "data table --help"}) {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, 0);
        EXPECT_EQ(ran.err, "");
        EXPECT_NE(ran.out.find("Usage: posiscope"), std::string::npos) << ran.out;
        EXPECT_NE(ran.out.find("--set"), std::string::npos);
    }
    EXPECT_NE(run("data --help --lang zh").out.find("用法"), std::string::npos);
    EXPECT_NE(run("list encodings").out.find("sinusoidal"), std::string::npos);
    EXPECT_NE(run("list scalings").out.find("linear"), std::string::npos);
    EXPECT_NE(run("list quantities").out.find("frequencies"), std::string::npos);
    EXPECT_NE(run("list figures").out.find("rotations"), std::string::npos);
    EXPECT_NE(run("list benches").out.find("overview"), std::string::npos);
    const int status =
        std::system((std::string("'") + test::kProgram + "' list quantities >/dev/full 2>/dev/null").c_str());
    EXPECT_EQ(WEXITSTATUS(status), 1) << "a full disk behind standard output";
}

TEST_F(Program, HelpIsACommandToo) {
    EXPECT_EQ(run("help").out, run("--help").out);
    EXPECT_EQ(run("help render").out, run("render --help").out);
    for (const char* code : {"\n  0 ", "\n  1 ", "\n  2 ", "\n  3 ", "\n  4 ", "\n  130 "})
        EXPECT_NE(run("help").out.find(code), std::string::npos) << code;
    EXPECT_EQ(run("help render").out.find("130"), std::string::npos) << "they are stated once";
}

TEST_F(Program, AMistypedKeyOrValueIsToldItsNearest) {
    for (const auto& [setting, near] :
         std::vector<std::pair<const char*, const char*>>{{"d_modle=64", "d_model"},
                                                          {"encoding.varient=paper", "variant"},
                                                          {"encoding=rop", "rope"},
                                                          {"layout=halv", "half"},
                                                          {"trained.lenght=8", "length"}})
        EXPECT_NE(run(std::string("data table --set ") + setting)
                      .err.find(std::string("the nearest is ") + near + "."),
                  std::string::npos)
            << setting;
    EXPECT_EQ(run("data table --set qqqq=1").err.find("nearest"), std::string::npos);
}

// --json names what the text names, in the same order.
TEST_F(Program, EveryListIsThereAsJson) {
    const Ran none = run("list");
    const auto from = none.err.find("one of: ") + 8;
    std::string kinds = none.err.substr(from, none.err.rfind('.') - from);
    std::erase(kinds, ',');
    std::istringstream words(kinds);
    int count = 0;
    for (std::string kind; words >> kind; ++count) {
        const auto entries = parse_json(run("list --json " + kind).out);
        ASSERT_TRUE(entries) << kind;
        const auto lines = lines_of(run("list " + kind).out);
        ASSERT_EQ(entries->size(), lines.size()) << kind;
        for (std::size_t i = 0; i < lines.size(); ++i)
            EXPECT_TRUE(lines[i].starts_with(entries->at(i).at("id").get<std::string>())) << lines[i];
    }
    EXPECT_GE(count, 12);
    const auto settings = parse_json(run("list settings --json").out);
    const auto found =
        std::ranges::find_if(*settings, [](const Json& one) { return one.at("id") == "layout"; });
    ASSERT_NE(found, settings->end());
    EXPECT_EQ(found->at("choices"), Json({"interleaved", "half"}));
    EXPECT_EQ(found->at("default"), "interleaved");
}

TEST_F(Program, SettingsAreListedOfOneEncoding) {
    const std::string rope = run("list settings --encoding rope").out;
    EXPECT_NE(rope.find("\nencoding.partial_rotary_factor "), std::string::npos);
    EXPECT_EQ(rope.find("\nencoding.num_buckets "), std::string::npos);
    EXPECT_NE(rope.find("\nd_model "), std::string::npos);
}

TEST_F(Program, QuietSaysErrorsAlone) {
    put("a.json", R"({"d_model": 8, "pair": 3})");
    put("b.json", R"({"d_model": 4})");
    EXPECT_NE(run("data frequencies -s $D/a.json -s $D/b.json").err, "");
    for (const char* quiet : {"-q", "--quiet"}) {
        EXPECT_EQ(run(std::string("data frequencies -s $D/a.json -s $D/b.json ") + quiet).err, "");
        EXPECT_NE(run(std::string("data tabel ") + quiet).err, "");
        EXPECT_EQ(run(std::string("data frequencies --over d_model=8,16 -o $D/%s.csv ") + quiet).err, "");
    }
}

// A comma inside brackets belongs to the value.
TEST_F(Program, ValuesOfAFormulaKeepTheirCommas) {
    const Ran ran = run("data bias --set encoding=own --set num_heads=2 --set length=4 "
                        "--over 'own.bias=-abs(D),-min(abs(D),2)' -o \"$D/%s.csv\"");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(fs::exists(folder_ / "-abs(D).csv"));
    EXPECT_TRUE(fs::exists(folder_ / "-min(abs(D),2).csv"));
}

// What bash offers for the last of some words, as readline breaks them.
TEST_F(Program, ShellsCompleteTheKeysAndValuesOfSettings) {
    put("complete", run("manual bash").out);
    const auto offered = [&](const std::string& words) {
        const std::string command =
            "LC_ALL=C bash -c '. \"$0/complete\"; COMP_WORDS=(posiscope \"$@\"); COMP_CWORD=$#; "
            "_posiscope; printf \"%s\\n\" \"${COMPREPLY[@]}\"' '" +
            folder_.string() + "' " + words + " >'" + (folder_ / "offered").string() + "'";
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
        return *read_file(folder_ / "offered");
    };
    EXPECT_EQ(offered("data table --set d_m"), "d_model=\n");
    EXPECT_EQ(offered("data table --set layout = ha"), "half\n");
    EXPECT_EQ(offered("data table --set layout ="), "interleaved\nhalf\n");
    EXPECT_EQ(offered("data table --set encoding.kind = ro"), "\n");
    EXPECT_EQ(offered("data table --set encoding = rop"), "rope\nrope_2d\n");
    EXPECT_EQ(offered("render --theme = pr"), "print\n");
    EXPECT_EQ(offered("help ren"), "render\n");
}

// Each request is answered as the command itself answers, and a bad one leaves the next.
TEST_F(Program, ServesCommandsForAsLongAsItIsAsked) {
    const std::string one = run("data shift").out, other = run("data frequencies -o -.npz").out,
                      wrong = run("data tabel").err;
    put("asked", R"j({"words": ["data", "shift"]}
{"words": ["data", "tabel"]}
[1]
{"words": ["data", "frequencies", "-o", "-.npz"], "folder": "/"}
{"words": ["check", "-"]}
{"words": ["data", "shift"], "folder": "/nowhere/at/all"}
)j");
    const Ran ran = run("serve <\"$D/asked\"");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    std::string_view rest = ran.out;
    const auto next = [&] {
        const auto end = rest.find('\n');
        const auto head = parse_json(rest.substr(0, end));
        Ran reply{head->at("exit").get<int>(), "", ""};
        rest.remove_prefix(end + 1);
        for (const auto& [key, text] : {std::pair("out", &reply.out), std::pair("err", &reply.err)}) {
            *text = rest.substr(0, head->at(key).get<std::size_t>());
            rest.remove_prefix(text->size());
        }
        return reply;
    };
    EXPECT_EQ(next().out, one);
    const Ran refused = next(), malformed = next(), archive = next(), empty = next(), nowhere = next();
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.err, wrong);
    EXPECT_EQ(malformed.code, 2);
    EXPECT_NE(malformed.err.find("words"), std::string::npos) << malformed.err;
    EXPECT_TRUE(archive.out == other);
    EXPECT_NE(empty.code, 0) << "there is no table on standard input";
    EXPECT_EQ(nowhere.code, 1);
    EXPECT_EQ(rest, "");
}

TEST_F(Program, DataGoesToStandardOutputAsJson) {
    const Ran ran = run("data shift");
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.err, "");
    const auto json = parse_json(ran.out);
    ASSERT_TRUE(json);
    EXPECT_NEAR(json->at("actual").at(20).get<double>(), 0.345696, 5e-7);
    EXPECT_EQ(json->size(), 4U) << "three arrays and the scene that they are of";
}

TEST_F(Program, ClaimsAreListedMeasuredAndDrawn) {
    const Ran all = run("list claims");
    EXPECT_EQ(all.code, 0);
    EXPECT_EQ(std::count(all.out.begin(), all.out.end(), '\n'), 72);
    const std::string wrong = run("list claims --note 001 --verdict false").out;
    EXPECT_NE(wrong.find("B16  false, note 001 “Fourier view of sinusoids” (6.1.4): The vectors"),
              std::string::npos)
        << wrong;
    EXPECT_EQ(wrong.find("A4"), std::string::npos);
    EXPECT_NE(run("list claims --verdict true --lang zh").out.find("A1   正确，笔记 000"), std::string::npos);
    const auto data = parse_json(run("data claims --set d_model=4 --set length=5 --set pair=0").out);
    ASSERT_TRUE(data);
    EXPECT_EQ(data->at("B16"), Json({1.0, 0.0, 0.0, 0.0})) << "value, least, most, within";
    EXPECT_EQ(data->at("B5"), Json({nullptr, nullptr, nullptr, nullptr})) << "no number decides it";
    EXPECT_EQ(data->at("A1")[3], 1.0);
    EXPECT_EQ(run("data claims -o $D/a.csv").code, 0);
    EXPECT_NE(read_file(folder_ / "a.csv")->find("A1,A2,A3"), std::string::npos);
    const Ran drawn = run("render --claim B16 -o $D/a.svg");
    EXPECT_EQ(drawn.code, 0) << drawn.err;
    EXPECT_NE(read_file(folder_ / "a.svg")->find("d_model 4"), std::string::npos);
    EXPECT_NE(*read_file(folder_ / "a.svg"),
              (run("render --claim B16 --set length=4 -o $D/b.svg"), *read_file(folder_ / "b.svg")));
}

// Twelve minutes of work: it says so before it begins, and does not wait for it.
TEST_F(Program, HowLongDataTakesIsSaidFirst) {
    const Ran ran =
        run("data attention --set d_model=65536 --set num_heads=1 --set length=16 --set encoding=rope"
            " --set content.kind=seeded --set content.weights=seeded -o \"$D/a.npy\"",
            "LC_ALL=C timeout 4");
    EXPECT_EQ(ran.code, 124);
    EXPECT_NE(ran.err.find("This takes about 90 s"), std::string::npos) << ran.err;
}

TEST_F(Program, DataGoesToFiles) {
    for (const char* name : {"a.json", "a.npy", "a.csv"}) {
        const Ran ran = run(std::string("data frequencies --set pair=0 --set d_model=8 -o $D/") + name);
        EXPECT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(ran.out + ran.err, "");
    }
    EXPECT_EQ(
        *read_file(folder_ / "a.csv"),
        "# scene: {\"d_model\":8,\"pair\":0}\n# units: inv_freq in rad/position, wavelength in positions\n"
        "inv_freq,wavelength,attention_factor\n1,6.283185307179586,1\n0.1,62.83185307179586,\n"
        "0.01,628.3185307179587,\n0.001,6283.185307179586,\n");
    EXPECT_EQ(read_file(folder_ / "a.npy")->substr(1, 5), "NUMPY");
    EXPECT_EQ(parse_json(*read_file(folder_ / "a.json"))->at("inv_freq"), Json({1.0, 0.1, 0.01, 0.001}));
    EXPECT_EQ(run("data table --set length=2 -o /dev/stdout").out, run("data table --set length=2").out);
    EXPECT_EQ(run("data cache --array sin --set length=1 --set pair=0 --set d_model=2").out,
              "{\n  \"sin\": [[0]],\n  \"scene\": {\"d_model\":2,\"length\":1,\"pair\":0}\n}\n");
}

// What is sent on equals what goes through a file.
TEST_F(Program, PipesTakeAndGiveWhatFilesDo) {
    put("rope.json", R"({"encoding": "rope", "d_model": 64, "position": 7})");
    const std::string file = run("data frequencies -s $D/rope.json").out;
    EXPECT_EQ(run("data frequencies -s - <$D/rope.json").out, file);
    EXPECT_EQ(run("data frequencies - <$D/rope.json").out, file);
    EXPECT_EQ(run("data frequencies -s $D/rope.json -o -").out, file);
    const auto scene = overlay(Scene(), {{"encoding", "rope"}, {"d_model", 64}, {"position", 7}});
    ASSERT_TRUE(scene);
    const std::string link = "'https://example.org/posiscope/" + link_of(scene->scene, "spectrum") + "'";
    EXPECT_EQ(run("data frequencies " + link).out, file);
    EXPECT_EQ(run("data frequencies -s " + link).out, file);
    for (const char* ending : {".npy", ".csv"}) {
        ASSERT_EQ(run(std::string("data frequencies -s $D/rope.json -o $D/f") + ending).code, 0);
        EXPECT_EQ(run(std::string("data frequencies -s $D/rope.json -o -") + ending).out,
                  *read_file(folder_ / (std::string("f") + ending)));
    }
    ASSERT_EQ(run("render $D/rope.json --figure spectrum -o $D/f.svg").code, 0);
    EXPECT_EQ(run("render - --figure spectrum -o -.svg <$D/rope.json").out, *read_file(folder_ / "f.svg"));
    EXPECT_EQ(run("render -o -.svg " + link).out, *read_file(folder_ / "f.svg")) << "the link's figure alone";
    EXPECT_EQ(run("code numpy -s $D/rope.json -o -").out, run("code numpy -s $D/rope.json").out);
    EXPECT_EQ(run("manual bash -o -").out, run("manual bash").out);
    EXPECT_TRUE(run("render --lesson why -o -.pdf").out.starts_with("%PDF"));
    const Ran drawn = run("render -o - -s $D/rope.json");
    EXPECT_TRUE(drawn.code == 3 || drawn.out.starts_with("\x89PNG")) << drawn.err;
    // A file that has such a name is a file.
    put("-.json", R"({"encoding": "rope", "d_model": 64, "position": 7})");
    EXPECT_EQ(run("data frequencies -s $D/-.json").out, file);
}

TEST_F(Program, ASweepWritesAFileForEachValue) {
    const Ran swept = run("data frequencies --set encoding=rope --over d_model=32,64 -o $D/f-%s.csv");
    EXPECT_EQ(swept.code, 0) << swept.err;
    for (const char* width : {"32", "64"})
        EXPECT_EQ(
            *read_file(folder_ / fmt::format("f-{}.csv", width)),
            run(fmt::format("data frequencies --set encoding=rope --set d_model={} -o -.csv", width)).out);
    put("a.json", R"({"encoding": "rope"})");
    put("b.json", R"({"encoding": "rope", "base": 500})");
    const Ran both =
        run("render --figure spectrum --over d_model=32,64 -o $D/%s.svg $D/a.json $D/b.json --jobs 2");
    EXPECT_EQ(both.code, 0) << both.err;
    for (const char* name : {"a-32.svg", "a-64.svg", "b-32.svg", "b-64.svg"})
        EXPECT_TRUE(fs::exists(folder_ / name)) << name;
}

// A page in inches; without the marks of what is selected.
TEST_F(Program, ABareFigureIsForPrint) {
    const std::string of = "render --figure scores --set encoding=rope --page 3.3x2.4in -o -.svg ";
    const std::string bare = run(of + "--bare").out, plain = run(of + "--plain").out;
    EXPECT_NE(bare.find("width=\"316.8\" height=\"230.4\""), std::string::npos) << bare.substr(0, 300);
    EXPECT_NE(plain.find(">shift both</text>"), std::string::npos);
    EXPECT_EQ(bare.find(">shift both</text>"), std::string::npos);
    EXPECT_NE(bare.find(">distance query − key</text>"), std::string::npos);
    const Ran picture = run("render --figure scores --bare -o $D/bare.png");
    if (picture.code == 3) GTEST_SKIP() << "no OpenGL here";
    EXPECT_EQ(run("diff $D/bare.png").out, "") << "the Scene in a picture has nothing of it";
}

// Several values of a key in one picture.
TEST_F(Program, SeveralValuesAreCurvesOfOnePicture) {
    const std::string of = "render --figure scores --set encoding=rope -o -.svg --together ";
    const Ran three = run(of + "--over d_model=64,128,256");
    EXPECT_EQ(three.code, 0) << three.err;
    for (const char* name : {">d_model=64</text>", ">d_model=128</text>", ">d_model=256</text>"})
        EXPECT_NE(three.out.find(name), std::string::npos) << name;
    EXPECT_EQ(run(of + "--over d_model=64,banana").code, 2);
    EXPECT_EQ(run(of).code, 2);
    EXPECT_EQ(run("render --figure matrix -o -.svg --together --over d_model=64,128").code, 2);
    EXPECT_EQ(run(of + "--over d_model=8,10,12,14,16,18,20,22,24").code, 2) << "more than eight";
}

// Each curve has its own settings alone, and its label; the Scene is the first.
TEST_F(Program, CurvesHaveLabelsAndSettings) {
    const std::string of = "render --figure scores --set encoding=rope -o -.svg ";
    const Ran two = run(of + "--curve 'RoPE' --curve 'Half, b = 500: d_model=64 base=500'");
    EXPECT_EQ(two.code, 0) << two.err;
    for (const char* name : {">RoPE</text>", ">Half, b = 500</text>"})
        EXPECT_NE(two.out.find(name), std::string::npos) << name;
    const std::string first = "'Small base: base=100 layout=half'", second = "'Narrow: d_model=64'";
    const Ran apart = run("render --figure spectrum --set encoding=rope -o $D/a.png --size 320x240 --curve " +
                          first + " --curve " + second);
    if (apart.code == 3) GTEST_SKIP() << "no OpenGL here";
    ASSERT_EQ(apart.code, 0) << apart.err;
    const auto scene = parse_json(run("data frequencies -s $D/a.png").out)->at("scene");
    EXPECT_EQ(scene.at("base"), 100);
    const Json listed = scene.at("view").at("spectrum").at("beside");
    EXPECT_EQ(listed.at(1).at("set").back(), "d_model=64");
    EXPECT_EQ(listed.at(1).at("set").at(0), "base=10000.0") << "the first one's base is not the second one's";
    for (const auto& [wrong, says] : std::vector<std::pair<const char*, const char*>>{
             {"--curve 'A: zzz=1'", "zzz"},
             {"--curve 'A: d_modle=8'", "nearest is d_model"},
             {"--curve 'A: view.scores.mode=dot'", "view.scores.mode"},
             {"--set 'view.scores.beside=[\"zzz=1\"]'", "zzz"},
             {"--set 'view.scores.beside=[{\"set\": 3}]'", "label"}}) {
        const Ran ran = run(of + wrong);
        EXPECT_EQ(ran.code, 2) << wrong;
        EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
    }
    EXPECT_EQ(run("render --figure matrix -o -.svg --curve 'A: base=3'").code, 2);
}

TEST(Settings, FollowALabelOfAnyWords) {
    using Parts = std::pair<std::string, std::string>;
    const auto parts = [](const char* words) { return commands::label_and_settings(words); };
    EXPECT_EQ(parts("RoPE: b = 500: base=500 d_model=64"), Parts("RoPE: b = 500", "base=500 d_model=64"));
    EXPECT_EQ(parts("own: encoding={\"kind\": \"own\", \"bias\": \"-D\"}"),
              Parts("own", "encoding={\"kind\": \"own\", \"bias\": \"-D\"}"));
    EXPECT_EQ(parts("RoPE"), Parts("RoPE", ""));
    EXPECT_EQ(parts("d_model=64"), Parts("d_model=64", "d_model=64"));
    EXPECT_EQ(parts("A: nothing here"), Parts("A", "nothing here"));
}

TEST(Settings, BeginWithTheirKeys) {
    const auto in = [](const char* words) { return commands::settings_in(words); };
    EXPECT_EQ(in("a=1 b.c=[2, 3]"), (std::vector<std::string>{"a=1", "b.c=[2, 3]"}));
    EXPECT_EQ(in("own.bias=-abs(D) * s + max(D, 1) own.values={\"s\": 1}"),
              (std::vector<std::string>{"own.bias=-abs(D) * s + max(D, 1)", "own.values={\"s\": 1}"}));
    EXPECT_EQ(in("own.bias=D if D == 3"), (std::vector<std::string>{"own.bias=D if D == 3"}));
}

TEST_F(Program, DiffNamesTheKeysInWhichScenesDiffer) {
    put("a.json", R"({"encoding": "rope", "d_model": 64, "position": 7})");
    put("b.json",
        R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "linear", "factor": 2}}, "d_model": 128, "position": 7})");
    const Ran same = run("diff $D/a.json $D/a.json");
    EXPECT_EQ(same.code, 0) << same.err;
    EXPECT_EQ(same.out, "");
    const Ran other = run("diff $D/a.json $D/b.json");
    EXPECT_EQ(other.code, 4);
    EXPECT_NE(other.out.find("d_model: 64 → 128\n"), std::string::npos) << other.out;
    EXPECT_NE(other.out.find("factor"), std::string::npos) << other.out;
    EXPECT_EQ(other.out.find("position"), std::string::npos) << other.out;
    const Ran json = run("diff $D/a.json - --json <$D/b.json");
    EXPECT_EQ(json.code, 4);
    const auto list = parse_json(json.out);
    ASSERT_TRUE(list);
    EXPECT_EQ(static_cast<std::size_t>(std::count(other.out.begin(), other.out.end(), '\n')), list->size());
    EXPECT_TRUE(std::any_of(list->begin(), list->end(), [](const Json& one) {
        return one == Json{{"key", "d_model"}, {"a", 64}, {"b", 128}};
    }));
    EXPECT_EQ(run("diff $D/a.json -s $D/a.json").code, 0) << "one alone: against the options";
    EXPECT_NE(run("diff $D/a.json --set position=8 -s $D/a.json").out.find("position: 7 → 8"),
              std::string::npos);
}

TEST_F(Program, ScenesAndSettingsAreLaidOverOneAnotherAndAdjustmentsAreSaid) {
    put("a.json", R"({"d_model": 8, "pair": 3})");
    put("b.json", R"({"d_model": 4})");
    const Ran ran = run("data frequencies -s $D/a.json -s $D/b.json");
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(parse_json(ran.out)->at("inv_freq").size(), 2U);
    EXPECT_NE(ran.err.find("b.json: The pair was changed from 3 to 1"), std::string::npos) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'),
              1 + (ran.err.find("a.json") != std::string::npos));
    EXPECT_EQ(run("-s $D/a.json data frequencies --set base=100").out,
              run("data frequencies --set base=100 -s $D/a.json").out)
        << "options stand before or after the command";
}

TEST_F(Program, WhatAttentionDoesNotSeeIsNull) {
    const Ran ran = run("data logits --set encoding=alibi --set num_heads=2 --set d_model=4 --set length=2");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(parse_json(ran.out)->at("logits")[1][0][1], nullptr);
    EXPECT_EQ(parse_json(run("data bias --set encoding=alibi --set num_heads=8 --set length=2").out)
                  ->at("bias")[0][1],
              Json({-0.5, 0.0}));
}

TEST_F(Program, AFullDiskIsSaidAndLeavesNothing) {
    put("big.npy", "old");
    const Ran ran = run("data table --set length=4096 -o $D/big.npy", "ulimit -f 100; LC_ALL=C");
    EXPECT_EQ(ran.code, 1);
    EXPECT_NE(ran.err.find("big.npy"), std::string::npos) << ran.err;
    EXPECT_EQ(*read_file(folder_ / "big.npy"), "old");
    EXPECT_EQ(entries(), 1U);
}

// Nothing is said of files where standard output is a device.
TEST_F(Program, AFullDeviceIsNoFile) {
    for (const char* command : {"--version", "--help", "data table --set length=8", "list figures"}) {
        const Ran ran = run(command, "full() { LC_ALL=C \"$@\" >/dev/full; }; full");
        EXPECT_EQ(ran.code, 1) << command;
        EXPECT_NE(ran.err.find("stdout"), std::string::npos) << ran.err;
        EXPECT_EQ(ran.err.find("file"), std::string::npos) << ran.err;
    }
}

TEST(Nearest, IsTheNameWithTheFewestChanges) {
    constexpr std::array<std::string_view, 3> names = {"data", "list", "render"};
    EXPECT_EQ(nearest("dta", names), "data");
    EXPECT_EQ(nearest("rendr", names), "render");
    EXPECT_EQ(nearest("LIST", std::span(names).first(0)), "");
    EXPECT_EQ(nearest(std::string(100000, 'x'), names), "") << "none is near";
    EXPECT_EQ(nearest("foo", names), "");
}

}  // namespace
}  // namespace posiscope::commands_test
