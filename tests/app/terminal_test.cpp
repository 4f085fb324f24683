// The program and the terminal it is started from: where its words go, and the files it may read.
#include "tests/app/program.hpp"

#include <gtest/gtest.h>

namespace posiscope::terminal_test {
namespace {

namespace fs = std::filesystem;
using test::lines_of, test::Program, test::Ran;

TEST_F(Program, HelpThatCannotBeWrittenIsAFailure) {
    for (const char* asked : {"--help", "--version", "render --help", "manual page", "list models"}) {
        const Ran ran = run(std::string(asked) + " > /dev/full; exit $?; true");
        EXPECT_EQ(ran.code, 1) << asked;
    }
}

TEST_F(Program, TwoDashesEndTheOptions) {
    EXPECT_EQ(run("list -- figures").code, 0);
    put("--odd.json", R"({"d_model": 8, "pair": 0})");
    EXPECT_EQ(run("data frequencies -o \"$D/a.json\" -- \"$D/--odd.json\"").code, 0);
}

TEST_F(Program, ADeletedFolderDoesNotStopIt) {
    const Ran ran = run("list figures", "mkdir \"$D/gone\"; cd \"$D/gone\"; rmdir \"$D/gone\"; LC_ALL=C");
    EXPECT_EQ(ran.code, 0) << ran.err;
    const Ran data =
        run("data frequencies", "mkdir \"$D/gone\"; cd \"$D/gone\"; rmdir \"$D/gone\"; LC_ALL=C");
    EXPECT_EQ(data.code, 0) << data.err;
}

TEST_F(Program, ANameCannotSteerTheTerminal) {
    const Ran ran = run("data table -s \"$(printf 'a\\033[2Jb\\302\\2330mc\\342\\200\\256d\\377.json')\"");
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(lines_of(ran.err).size(), 1U) << ran.err;
    EXPECT_NE(ran.err.find("a [2Jb\\u009b0mc\\u202ed\uFFFD.json"), std::string::npos) << ran.err;
}

TEST_F(Program, TheVersionNamesItsLibraries) {
    const Ran ran = run("--version");
    EXPECT_EQ(ran.code, 0);
    for (const char* library :
         {"Dear ImGui 1.", "GLFW 3.", "Cairo 1.", "FreeType 2.", "libpng 1.", "Highway 1."})
        EXPECT_NE(ran.out.find(library), std::string::npos) << ran.out;
}

TEST_F(Program, AFileThatASceneNamesIsReadWhereItMayBe) {
    fs::create_directories(folder_ / "mail");
    ASSERT_EQ(run("data table --set d_model=8 --set length=4 -o \"$D/own.npy\"").code, 0);
    fs::copy_file(folder_ / "own.npy", folder_ / "mail" / "own.npy");
    const auto naming = [&](const std::string& path) {
        return R"({"d_model": 8, "length": 4, "pair": 0, "encoding": {"kind": "learned", "table": ")" + path +
               "\"}}";
    };
    put("mail/outside.json", naming(folder_ / "own.npy"));
    put("mail/beside.json", naming("own.npy"));
    const Ran refused = run("data table -s \"$D/mail/outside.json\"");
    EXPECT_EQ(refused.code, 1);
    for (const char* said : {"own.npy", "--allow-files", "outside.json"})
        EXPECT_NE(refused.err.find(said), std::string::npos) << refused.err;
    EXPECT_EQ(run("data table \"$D/mail/outside.json\"").code, 1);
    EXPECT_EQ(run("data table -s /dev/stdin < \"$D/mail/beside.json\"").code, 1);
    EXPECT_EQ(run("data table --allow-files -s \"$D/mail/outside.json\"").code, 0);
    EXPECT_EQ(run("data table -s \"$D/mail/beside.json\"").code, 0);
    EXPECT_EQ(run("data table --set d_model=8 --set length=4 --set pair=0 --set encoding.kind=learned "
                  "--set encoding.table=\"$D/own.npy\"")
                  .code,
              0);
}

TEST_F(Program, ATypedEncodingIsTrained) {
    const std::string small =
        "experiment --task back --length 8 --tested 16 --steps 5 --seeds 1 --encodings own,none ";
    const Ran made =
        run(small + "--set 'own.bias=-s*log(1+abs(D))' --set own.s=0.5 --set own.learned=s -o \"$D/r.json\"");
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_NE(made.out.find("own: bias = -s*log(1+abs(D)); s = 0.5 -> 0."), std::string::npos) << made.out;
    EXPECT_EQ(run("experiment \"$D/r.json\"").out, made.out);
    const Ran bare = run(small);
    EXPECT_EQ(bare.code, 2);
    EXPECT_NE(bare.err.find("own.bias"), std::string::npos) << bare.err;
    EXPECT_EQ(run("experiment --set own.bias=1 --steps 1").code, 2) << "nobody trains it";
}

// The same of a slot of a typed encoding that is a file.
TEST_F(Program, AFileThatAFormulaNamesIsReadWhereItMayBe) {
    fs::create_directories(folder_ / "mail");
    ASSERT_EQ(run("data frequencies --array inv_freq --set encoding=rope --set d_model=8 --set num_heads=1 "
                  "-o \"$D/freq.npy\"")
                  .code,
              0);
    fs::copy_file(folder_ / "freq.npy", folder_ / "mail" / "freq.npy");
    const auto naming = [&](const std::string& path) {
        return R"({"d_model": 8, "num_heads": 1, "length": 4, "pair": 0, "encoding": {"kind": "own", "frequency": ")" +
               path + "\"}}";
    };
    put("mail/outside.json", naming(folder_ / "freq.npy"));
    put("mail/beside.json", naming("freq.npy"));
    const Ran refused = run("data frequencies -s \"$D/mail/outside.json\"");
    EXPECT_EQ(refused.code, 1);
    for (const char* said : {"freq.npy", "--allow-files", "outside.json"})
        EXPECT_NE(refused.err.find(said), std::string::npos) << refused.err;
    EXPECT_EQ(run("data frequencies --allow-files -s \"$D/mail/outside.json\"").code, 0);
    EXPECT_EQ(run("data frequencies -s \"$D/mail/beside.json\"").code, 0);
    const Ran wrong =
        run("data frequencies --set d_model=16 --set num_heads=1 --set own.frequency=\"$D/freq.npy\"");
    EXPECT_EQ(wrong.code, 2);
    for (const char* said : {"(4,)", "(8,)", "freq.npy"})
        EXPECT_NE(wrong.err.find(said), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace posiscope::terminal_test
