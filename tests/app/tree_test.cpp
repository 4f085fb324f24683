// The rules of the tree: floors, top-level names, strings for everything, glyphs for every string.
#include "app/commands/command.hpp"
#include "app/figures/figure.hpp"
#include "app/figures/view_keys.hpp"
#include "app/platform/gui.hpp"
#include "app/ui/known.hpp"
#include "app/ui/manual.hpp"
#include "app/ui/strings.hpp"
#include "app/workbench/window/benches.hpp"
#include "core/encodings/encodings.hpp"
#include "core/experiment/frame.hpp"
#include "core/positions/positions.hpp"
#include "core/scene/content.hpp"
#include "tests/app/desk.hpp"
#include "tests/places.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <imgui.h>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace posiscope::test::tree_test {
namespace {

namespace fs = std::filesystem;
const fs::path kRoot = test::kTree;

std::string contents(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> sources(std::string_view folder) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
        if (const auto ending = entry.path().extension(); ending == ".cpp" || ending == ".hpp")
            found.push_back(entry.path());
    return found;
}

int floor_of(const std::string& path) {
    constexpr std::pair<std::string_view, int> floors[] = {
        {"app/main.cpp", 7}, {"app/commands/", 6}, {"app/web/", 6},      {"app/workbench/", 5},
        {"app/figures/", 4}, {"app/plot/", 4},     {"app/export/", 4},   {"app/canvas/", 3},
        {"app/gl/", 2},      {"app/panels/", 2},   {"app/platform/", 1}, {"app/ui/", 1},
        {"core/", 0},
    };
    for (const auto& [prefix, floor] : floors)
        if (path.starts_with(prefix)) return floor;
    return -1;
}

// The workbench's rooms have an order too. Over all of them are the frame, which lies directly in it, and whoever draws a
// whole workbench: pictures, handouts, what is kept of it.
int rank_in_workbench(const fs::path& path) {
    constexpr std::string_view rooms[] = {"document", "window", "train", "teach", "share"};
    const auto found = std::ranges::find(rooms, path.parent_path().filename().string());
    fs::path source = kRoot / path;
    const bool whole =
        contents(source.replace_extension(".cpp")).find("workbench/workbench.hpp") != std::string::npos ||
        contents(source.replace_extension(".hpp")).find("workbench/workbench.hpp") != std::string::npos;
    const auto top = static_cast<int>(std::size(rooms));
    return whole ? top : static_cast<int>(found - std::begin(rooms));
}

// On its own floor a file may use its own room, what lies directly on the floor, and parts/, which several share. A
// table of contents, directly on the floor, names every room.
bool may_visit(const fs::path& from, const fs::path& to) {
    const auto both_in = [&](std::string_view folder) {
        return from.generic_string().starts_with(folder) && to.generic_string().starts_with(folder);
    };
    if (both_in("core/")) return true;
    if (both_in("app/workbench/")) return rank_in_workbench(to) <= rank_in_workbench(from);
    // Every figure has plots, and a plot is given a figure's frame.
    const auto of_plots = [](const fs::path& path) { return path.parent_path() == "app/plot"; };
    if (of_plots(to) || (of_plots(from) && to == "app/figures/figure.hpp")) return true;
    const fs::path room = from.parent_path(), other = to.parent_path();
    const auto within = [](const fs::path& folder, const fs::path& around) {
        return folder.generic_string().starts_with(around.generic_string());
    };
    return within(room, other) || within(other, room) || other.filename() == "parts";
}

TEST(Tree, NoIncludePointsUpAFloor) {
    const std::regex include(R"re(^\s*#include "((app|core)/[^"]+)")re");
    std::size_t seen = 0;
    for (const char* folder : {"core", "app"})
        for (const fs::path& path : sources(folder)) {
            const std::string name = fs::relative(path, kRoot).generic_string();
            ASSERT_GE(floor_of(name), 0) << name << " stands on no floor";
            std::ifstream in(path);
            for (std::string line; std::getline(in, line);) {
                std::smatch match;
                if (!std::regex_search(line, match, include)) continue;
                ++seen;
                const std::string target = match[1];
                EXPECT_TRUE(fs::exists(kRoot / target)) << name << " includes " << target;
                const int from = floor_of(name), to = floor_of(target);
                EXPECT_TRUE(to < from || (to == from && may_visit(name, target)))
                    << name << " (floor " << from << ") includes " << target << " (floor " << to << ")";
            }
        }
    EXPECT_GT(seen, 100U) << "the test found too few includes to mean anything";
}

TEST(Tree, CoreKnowsNoWindowAndNoGl) {
    const std::regex foreign(R"re(#include [<"](imgui|glad|GLFW|EGL|png))re");
    for (const fs::path& path : sources("core"))
        EXPECT_FALSE(std::regex_search(contents(path), foreign)) << path;
}

// Drawing is said in values; canvas/screen alone turns them into OpenGL.
TEST(Tree, OnlyTheScreenKnowsOpenGl) {
    const std::regex gl(R"re(#include [<"](app/gl/|app/canvas/screen/|glad|GLES|GL/))re");
    std::size_t seen = 0;
    for (const char* folder : {"app/figures", "app/plot", "app/panels", "app/ui", "app/export", "app/canvas"})
        for (const fs::path& path : sources(folder)) {
            const std::string name = fs::relative(path, kRoot).generic_string();
            if (name.starts_with("app/canvas/screen/")) continue;
            ++seen;
            EXPECT_FALSE(std::regex_search(contents(path), gl)) << name;
        }
    EXPECT_GT(seen, 80U);
}

// Dear ImGui changes its internals with every version: one file uses them, and imgui_internals_test.cpp says for what.
TEST(Tree, OneFileKnowsTheInternalsOfImGui) {
    std::vector<std::string> found;
    for (const fs::path& path : sources("app"))
        if (const std::string code = contents(path);
            code.find("imgui_internal.h>") != std::string::npos || code.find("GImGui") != std::string::npos)
            found.push_back(fs::relative(path, kRoot).generic_string());
    EXPECT_EQ(found, std::vector<std::string>{"app/ui/parts/imgui_internals.cpp"});
}

// What its list does not have is nowhere, and nothing else would say why.
TEST(Tree, ListsHaveEveryRecord) {
    const auto all_of = [](const char* folder, const std::regex& record, const char* list) {
        const std::string listed = contents(kRoot / list);
        std::size_t seen = 0;
        for (const fs::path& path : sources(folder)) {
            const std::string code = contents(path);
            for (std::sregex_iterator at(code.begin(), code.end(), record), end; at != end; ++at, ++seen)
                EXPECT_NE(listed.find("&" + at->str(1)), std::string::npos)
                    << path.filename() << " has " << at->str(1) << ", which " << list << " does not list";
        }
        EXPECT_GT(seen, 10U) << list;
    };
    all_of("core/encodings", std::regex(R"re(const Encoding& (\w+\(\)) \{)re"),
           "core/encodings/encodings.cpp");
    all_of("app/figures", std::regex(R"re(const Figure (k[A-Z]\w*)\s*[{=])re"), "app/figures/figures.cpp");
    all_of("app/commands", std::regex(R"re(const Command (k[A-Z]\w*)\s*[{=])re"),
           "app/commands/commands.cpp");
    for (const workbench::Bench& bench : workbench::benches())
        for (const std::string_view figure : workbench::figures_of(bench))
            EXPECT_NE(figures::find_figure(figure), nullptr) << bench.id << " has a figure " << figure;
}

// A button of its own kind would have another look, and might have neither a name nor a place of Tab's.
TEST(Tree, WidgetsAreOneSet) {
    std::vector<std::string> found;
    for (const fs::path& path : sources("app"))
        if (contents(path).find("ImGuiButtonFlags_EnableNav") != std::string::npos)
            found.push_back(path.filename().string());
    std::ranges::sort(found);
    EXPECT_EQ(found, (std::vector<std::string>{"slider.cpp", "widgets.cpp"}));
}

// The exit code follows a Problem's cause. Keys of these groups tell of what could not be done, never of a wrong word.
TEST(Tree, AFailureIsNotRefusedAsAWrongWord) {
    const std::regex wrong(
        R"re(\brefuse\("(batch|code|file|film|gl|memory|npy|png|program|quantity|window)\.)re");
    for (const char* folder : {"core", "app"})
        for (const fs::path& path : sources(folder))
            EXPECT_FALSE(std::regex_search(contents(path), wrong)) << path << ": failure() or no_display()";
}

// What a browser's library lacks: bits_as (core/numeric/bits.hpp) stands for it.
TEST(Tree, NobodyCastsBitsByTheLibrary) {
    for (const char* folder : {"core", "app"})
        for (const fs::path& path : sources(folder))
            EXPECT_TRUE(path.filename() == "bits.hpp" ||
                        contents(path).find("std::bit_cast") == std::string::npos)
                << path;
}

// GCC 12 frees a thread's variables on Windows before it destroys them: of_this_thread (core/jobs) makes those with destructors.
TEST(Tree, NothingWithADestructorIsThreadLocal) {
    const std::regex variable(R"re(thread_local (?!bool|Account account;))re");
    for (const char* folder : {"core", "app"})
        for (const fs::path& path : sources(folder))
            EXPECT_TRUE(path.filename() == "of_this_thread.hpp" ||
                        !std::regex_search(contents(path), variable))
                << path;
}

// A frequency times a position is an angle only where the encoding is steady (core/encodings/turning.hpp): others ask there.
TEST(Tree, OnlyTheTurningMultipliesAFrequencyByAPosition) {
    const std::regex product(R"(frequency\[[^\]]*\](\)| )*\*|\*(\(| )*[\w.>()\-]*frequency\[)");
    for (const char* made : {"p * s.frequency[i]", "frequency[index(i)] * p", "real(k) * *v->frequency[i]"})
        EXPECT_TRUE(std::regex_search(made, product)) << made;
    for (const char* folder : {"core", "app"})
        for (const fs::path& path : sources(folder)) {
            const std::string folder_of = path.parent_path().filename().string();
            if (folder_of == "encodings" || folder_of == "measure")
                continue;  // an array is measured by itself
            std::istringstream lines(contents(path));
            for (std::string line; std::getline(lines, line);)
                EXPECT_FALSE(std::regex_search(line, product) && line.find("kChanged") == std::string::npos)
                    << path << ": " << line;
        }
}

// To g++ Json{x} of a Json x is a list of it, to clang a copy: Json::array({x}), or Json(x).
TEST(Tree, BracesAroundOneJsonAreNamed) {
    const std::regex braces(
        R"(\bJson( \w+)? ?=? ?\{(?!true|false|nullptr|[-\d.])([\w*:.>\[\]\-]|\([^{};]*\))+\})");
    for (const char* made : {"Json list = {json_of(*entry)};", "Json one{other};", "f(Json{a.at(0)})"})
        EXPECT_TRUE(std::regex_search(made, braces)) << made;
    for (const char* made :
         {"Json none{};", "Json list = {a, b};", "Json one{{\"a\", 1}};", "Json{true}", "Json{1.0}"})
        EXPECT_FALSE(std::regex_search(made, braces)) << made;
    for (const char* folder : {"core", "app", "tests"})
        for (const fs::path& path : sources(folder)) {
            if (path.filename() == "tree_test.cpp") continue;
            const std::string text = contents(path);
            std::smatch found;
            EXPECT_FALSE(std::regex_search(text, found, braces)) << path << ": " << found.str();
        }
}

// The system is behind app/platform/*.hpp and core/os/*.hpp: other folders do not include its headers, and app does not test
// for it.
TEST(Tree, OnlyThePlatformKnowsTheSystem) {
    const std::regex header(
        R"re(#include <(unistd|spawn|fcntl|io|dlfcn|csignal|signal|poll|sys/[a-z]+|windows|EGL/[a-z]+|GLFW/[a-z0-9]+)(\.h)?>)re"),
        condition(R"re(#\s*if(n?def)?\b)re"),
        behind(R"re(app/platform/(desktop|windows)/|core/os/(posix|windows)/)re");
    std::size_t seen = 0;
    for (const char* folder : {"core", "app"})
        for (const fs::path& path : sources(folder)) {
            const std::string name = fs::relative(path, kRoot).generic_string(), code = contents(path);
            if (std::regex_search(name, behind)) continue;
            ++seen;
            std::smatch found;
            EXPECT_FALSE(std::regex_search(code, found, header)) << name << ": " << found.str();
            if (name.starts_with("core/")) continue;  // Highway's passes are compiled once for each processor
            EXPECT_FALSE(std::regex_search(code, found, condition)) << name << ": " << found.str();
        }
    EXPECT_GT(seen, 300U);
}

// An encoding's record says everything that is asked of its kind: a comparison elsewhere would be wrong for the next one.
TEST(Tree, OnlyTheRecordsKnowWhichKindIsWhich) {
    // Encodings as data: scenes and settings that are made, and the words of other people's files. "none" and "learned"
    // are also words of other lists.
    const std::set<std::string> data = {
        "app/figures/attention/joined.cpp",  // all encodings in one, beside the mask alone
        "app/figures/layout/layout.cpp",
        "app/figures/matrix/beside.cpp",
        "app/figures/matrix/panels.cpp",
        "app/figures/view_keys.cpp",           // "none": no norm
        "app/panels/formulas.cpp",             // "learned": the numbers of formulas that training finds
        "app/panels/sidebar.cpp",              // the kinds with a button of their own
        "app/workbench/document/opening.cpp",  // a .npy is a learned table
        "app/workbench/teach/comparison_tables.cpp",
        "app/workbench/tiles.cpp",  // a button that fills an empty figure
        "app/workbench/train/training.cpp",
        "core/claims/measuring.cpp",
        "core/claims/scores.cpp",
        "core/experiment/entry.cpp",
        "core/experiment/frame.cpp",
        "core/experiment/results.cpp",
        "core/experiment/settings.cpp",
        "core/scene/content.cpp",
        "core/scene/scene.cpp",
    };
    std::string kinds;
    for (const std::string_view kind : encoding_kinds())
        kinds += (kinds.empty() ? "" : "|") + std::string(kind);
    const std::regex quoted("\"(" + kinds + ")\""),
        compared("([!=]= *\"(" + kinds + ")\")|(\"(" + kinds + ")\" *[!=]=)" +
                 R"re(|[!=]= *(\w+_encoding\(\)|find_encoding\()|_encoding\(\)\.kind *[!=]=)re"),
        comment(R"re(//.*)re");
    std::set<std::string> seen;
    for (const char* folder : {"core", "app"})
        for (const fs::path& path : sources(folder)) {
            const std::string name = fs::relative(path, kRoot).generic_string();
            if (name.starts_with("core/encodings/") || name.starts_with("core/models/")) continue;
            const std::string code = std::regex_replace(contents(path), comment, "");
            std::smatch found;
            EXPECT_FALSE(std::regex_search(code, found, compared)) << name << ": " << found.str();
            if (!std::regex_search(code, found, quoted)) continue;
            EXPECT_TRUE(data.contains(name)) << name << " names the kind " << found.str();
            seen.insert(name);
        }
    EXPECT_EQ(seen, data) << "a file of the list names no kind any more";
}

// A kind is asked of its record there too; what is compared are the words of a config.
TEST(Tree, ModelsCompareWordsOfConfigs) {
    const std::regex compared(R"re((kind|"kind", ""\)) *[!=]= *")re");
    for (const fs::path& path : sources("core/models"))
        EXPECT_FALSE(std::regex_search(contents(path), compared)) << path;
}

// What a figure reads or writes of its view is a key that `list settings` lists; what is listed is read somewhere.
TEST(Tree, FiguresReadTheViewKeysThatAreListed) {
    const std::regex used(R"re(view_value\(\s*[^;"]*?(?:"(\w+)"|[.\w]*figure),\s*"(\w+)")re");
    std::set<std::string> literals;
    int found = 0;
    for (const fs::path& path : sources("app/figures")) {
        if (path.stem() == "view_keys") continue;
        const std::string code = contents(path);
        for (std::sregex_iterator it(code.begin(), code.end(), used), end; it != end; ++it, ++found) {
            const std::string figure = (*it)[1], key = (*it)[2];
            const auto listed = std::ranges::any_of(figures::view_keys(), [&](const figures::ViewKey& one) {
                return one.parameter.key == key && (figure.empty() || one.figure == figure);
            });
            EXPECT_TRUE(listed || key == "mode" || figure == "experiment")
                << path << ": " << figure << "." << key;
        }
        const std::regex quoted(R"re("(\w+)")re");
        for (std::sregex_iterator it(code.begin(), code.end(), quoted), end; it != end; ++it)
            literals.insert((*it)[1]);
    }
    EXPECT_GT(found, 25);
    for (const figures::ViewKey& one : figures::view_keys()) {
        EXPECT_TRUE(one.figure == "marks" || one.figure == "dump" ||
                    figures::find_figure(one.figure) != nullptr)
            << one.figure;
        EXPECT_TRUE(literals.contains(std::string(one.parameter.key)))
            << one.figure << "." << one.parameter.key;
    }
}

TEST(Tree, TopLevelHoldsTheAgreedNames) {
    const std::set<std::string> agreed = {
        "app",       "core",    "shaders",           "assets",          "tests",        "CMakeLists.txt",
        "README.md", "LICENSE", "CMakePresets.json", "CONTRIBUTING.md", "CITATION.cff", "CHANGELOG.md",
        "build"};
    for (const auto& entry : fs::directory_iterator(kRoot)) {
        const std::string name = entry.path().filename().string();
        EXPECT_TRUE(name.starts_with('.') || agreed.contains(name)) << name;
    }
}

// Nothing is missing on the maps of core and app, and nothing on them is gone.
TEST(Tree, ReadmesDrawTheFoldersThatThereAre) {
    const std::regex drawn(R"(^([a-z]+)/ )");
    for (const char* inner : {"core", "app"}) {
        std::istringstream lines(contents(kRoot / inner / "README.md"));
        std::set<std::string> folders, there;
        std::smatch match;
        for (std::string line; std::getline(lines, line);)
            if (std::regex_search(line, match, drawn)) folders.insert(match[1]);
        for (const auto& entry : fs::directory_iterator(kRoot / inner))
            if (entry.is_directory()) there.insert(entry.path().filename().string());
        EXPECT_EQ(folders, there) << inner;
    }
}

// Papers that nobody finishes help nobody: a folder's own matters are in its README, reasons beside the code.
TEST(Tree, PapersStayShort) {
    constexpr std::pair<std::string_view, std::size_t> most[] = {
        {"CONTRIBUTING.md", 10000}, {"CHANGELOG.md", 12000},     {"core/README.md", 6000},
        {"app/README.md", 6000},    {"app/web/README.md", 6000}, {"app/package/README.md", 6000},
        {"tests/README.md", 6000}};
    for (const auto& [name, bytes] : most) {
        const std::size_t size = contents(kRoot / name).size();
        EXPECT_TRUE(size > 0 && size <= bytes) << name << " has " << size << " bytes of " << bytes;
    }
}

// A file, a folder or a link that a paper names is there.
TEST(Tree, PapersNameFilesThatThereAre) {
    const std::regex link(R"(\]\(([a-z][\w/.\-]*)\))");
    for (const char* paper : {"README.md", "CONTRIBUTING.md"}) {
        const std::string text = contents(kRoot / paper);
        for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it)
            EXPECT_TRUE(fs::exists(kRoot / (*it)[1].str())) << paper << ": " << (*it)[1];
    }
    const std::regex named(
        R"(\b((?:core|app|assets|tests|shaders)/[\w/\-]+\.(?:[ch]pp|sh|py|json|md|cmake))\b)");
    for (const char* paper : {"CONTRIBUTING.md", "core/README.md", "app/README.md", "app/web/README.md",
                              "app/package/README.md", "tests/README.md"}) {
        const std::string text = contents(kRoot / paper);
        for (std::sregex_iterator it(text.begin(), text.end(), named), end; it != end; ++it)
            EXPECT_TRUE((*it)[1].str().find("NAME") != std::string::npos ||
                        fs::exists(kRoot / (*it)[1].str()))
                << paper << ": " << (*it)[1];
    }
}

// Comments say why in a plain sentence. One that begins so is half a sentence, and most of them restate a signature.
TEST(Tree, CommentsBeginWithNoRelativeWord) {
    std::vector<std::string> found;
    for (const char* folder : {"core", "app"})
        for (const fs::path& path : sources(folder)) {
            std::ifstream in(path);
            for (std::string line; std::getline(in, line);) {
                const std::size_t at = line.find("// ");
                if (at == std::string::npos) continue;
                for (const char* word : {"What ", "Of ", "Whether ", "Where ", "As ", "Which ", "Those "})
                    if (line.compare(at + 3, std::strlen(word), word) == 0)
                        found.push_back(path.filename().string() + ": " + line.substr(at));
            }
        }
    EXPECT_LE(found.size(), 60U) << "say why, with a subject and a verb: " << testing::PrintToString(found);
}

TEST(Words, EverythingThatIsShownHasWordsInBothLanguages) {
    Desk desk;
    for (const Language language : {Language::english, Language::chinese}) {
        const Strings strings(language);
        const auto need = [&](const std::string& key) {
            EXPECT_TRUE(strings.contains(key)) << key << " in " << code(language);
        };
        // Its help may be one for all kinds that have it, or one for each.
        const auto parameters = [&](std::string_view owner, std::span<const Parameter> list,
                                    std::string_view kind = {}) {
            for (const Parameter& parameter : list) {
                if (parameter.kind == Parameter::Kind::dictionary ||
                    parameter.kind == Parameter::Kind::list || parameter.kind == Parameter::Kind::text)
                    continue;
                const std::string key = fmt::format("{}.{}", owner, parameter.key);
                need("parameter." + key + ".name");
                const std::string own = fmt::format("parameter.{}.{}.{}.help", owner, kind, parameter.key);
                if (kind.empty() || !strings.contains(own)) need("parameter." + key + ".help");
                for (const std::string_view choice : parameter.choices) {
                    need(fmt::format("option.{}.{}.name", key, choice));
                    need(fmt::format("option.{}.{}.help", key, choice));
                }
            }
        };
        for (const Encoding* encoding : encodings()) {
            need(fmt::format("option.encoding.{}.name", encoding->kind));
            need(fmt::format("option.encoding.{}.help", encoding->kind));
            if (encoding->family != Family::own) need(fmt::format("word.kind.{}", encoding->kind));
            if (!experiment::not_trained(encoding->kind))
                need(fmt::format("experiment.encoding.{}", encoding->kind));
            parameters("encoding", encoding->parameters, encoding->kind);
        }
        for (const std::string_view kind : content_kinds()) {
            need(fmt::format("option.content.{}.name", kind));
            parameters("content", content_parameters(kind));
        }
        for (const Policy& policy : policies()) {
            need(fmt::format("option.view.ids.{}.name", policy.kind));
            need(fmt::format("option.view.ids.{}.help", policy.kind));
            need(fmt::format("positions.right.{}", policy.kind));
            parameters("view.ids", policy.parameters);
            for (const Parameter& parameter : policy.parameters)
                for (const std::string_view slip : parameter.choices)
                    for (const char* prefix : {"slip", "fix"})
                        if (slip != kNoSlip)
                            need(fmt::format("positions.{}.{}.{}", prefix, policy.kind, slip));
        }
        for (const char* key : {"position", "offset", "d_model", "num_heads", "length", "base", "pair",
                                "layout", "encoding", "content", "view.ids"}) {
            need(fmt::format("parameter.{}.name", key));
            need(fmt::format("parameter.{}.help", key));
        }
        for (const figures::Figure* figure : figures::figures()) {
            need(fmt::format("figure.{}.name", figure->id));
            need(fmt::format("figure.{}.explain", figure->id));
            if (figure->modes == nullptr) continue;
            for (const Encoding* encoding : encodings()) {
                Scene scene;
                scene.encoding = {std::string(encoding->kind),
                                  *checked_all(encoding->parameters, Json::object(), "encoding")};
                for (const std::string_view mode : figure->modes(scene))
                    need(fmt::format("figure.{}.mode.{}", figure->id, mode));
            }
        }
        for (const workbench::Bench& bench : workbench::benches())
            need(fmt::format("bench.{}.name", bench.id));
        for (const panels::Action& action : desk.bench.actions().list())
            need(fmt::format("action.{}", action.id));
        for (const ui::Theme& theme : ui::themes()) need(fmt::format("theme.{}", theme.name));
        for (const commands::Command* command : commands::commands())
            if (!command->name.empty()) need(fmt::format("command.{}.help", command->name));
    }
}

// Keys that stand in the code as literals must be in the tables: text("…"), format("…"), say("…").
TEST(Words, EveryKeyInTheCodeIsInTheTables) {
    const Strings strings(Language::english);
    const std::regex use(R"re((?:\btext|\bformat)\((?:exact \? )?"([a-z_]+\.[a-z_.]+)")re");
    std::size_t seen = 0;
    for (const fs::path& path : sources("app")) {
        const std::string code = contents(path);
        for (auto match = std::sregex_iterator(code.begin(), code.end(), use);
             match != std::sregex_iterator(); ++match, ++seen)
            EXPECT_TRUE(strings.contains((*match)[1].str())) << path << ": " << (*match)[1];
    }
    EXPECT_GT(seen, 50U);
}

TEST(Words, EveryCharacterHasAGlyphInEveryFace) {
    platform::Gui gui(false);
    const ui::Fonts fonts = ui::add_fonts(*ImGui::GetIO().Fonts);
    for (const Language language : {Language::english, Language::chinese}) {
        const Strings strings(language);
        std::set<unsigned> characters;
        std::vector<std::string> texts;
        for (const std::string_view key : strings.keys()) texts.emplace_back(strings.text(key));
        for (const Claim& claim : ui::known_claims())
            for (const Words* words : {&claim.says, &claim.breaks})
                texts.emplace_back(ui::words(*words, language));
        for (const Claim& claim : ui::known_claims())
            for (const auto& [form, mend] : claim.mends) texts.emplace_back(ui::words(mend, language));
        for (const Section& section : ui::known_sections())
            texts.emplace_back(ui::words(section.title, language));
        for (const ui::ManualPage& page : ui::manual(language)) {
            texts.push_back(page.title);
            for (const ui::ManualPart& part : page.parts) texts.push_back(part.text + part.more);
        }
        for (const std::string& text : texts) {
            for (const char* at = text.c_str(); *at != '\0';) {
                const auto lead = static_cast<unsigned char>(*at);
                const int size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
                unsigned c = size == 1 ? lead : lead & (0xffU >> (size + 1));
                for (int i = 1; i < size; ++i) c = (c << 6) | (static_cast<unsigned char>(at[i]) & 0x3fU);
                characters.insert(c);
                at += size;
            }
        }
        // What the code itself sets: numbers, formulas, marks.
        for (const char32_t c :
             std::u32string_view(U"0123456789−·⁰¹²³⁴⁵⁶⁷⁸⁹⁻₀₁₂₃₄₅₆₇₈₉₋\u2009+×ωφΔπλθβΣ√≈≤→‖∞–▾›↶↷◐•"))
            characters.insert(c);
        for (const unsigned c : characters) {
            if (c < 0x20) continue;
            for (ImFont* font : fonts)
                EXPECT_TRUE(font->IsGlyphInFont(static_cast<ImWchar>(c)))
                    << "U+" << std::hex << c << " in " << code(language);
        }
    }
}

TEST(Look, TextAndMarksStandOutInEveryTheme) {
    for (const ui::Theme& theme : ui::themes()) {
        for (const ui::Colour ground : {theme.tile, theme.rail, theme.popup, theme.control}) {
            EXPECT_GE(ui::contrast(theme.ink, ground), 4.5F) << theme.name;
            EXPECT_GE(ui::contrast(theme.ink_soft, ground), 4.5F) << theme.name;
        }
        for (const ui::Colour mark : {theme.sine, theme.cosine, theme.offset, theme.seen, theme.beyond,
                                      theme.ink_faint, theme.slider})
            EXPECT_GE(ui::contrast(mark, theme.tile), 3.0F) << theme.name << " " << std::hex << mark;
        for (int i = 0; i <= 16; ++i)
            EXPECT_GE(ui::contrast(ui::pair_colour(theme, i / 16.0), theme.tile), 3.0F)
                << theme.name << " pair colour " << i;
        // Those of curves; one that no theme has is refused.
        for (const Encoding* encoding : encodings())
            EXPECT_GE(ui::contrast(ui::encoding_colour(theme, encoding->kind), theme.tile), 3.0F)
                << theme.name << " " << encoding->kind;
    }
}

}  // namespace
}  // namespace posiscope::test::tree_test
