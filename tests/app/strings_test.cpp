// The tables: equal in both languages, complete for every Problem that the sources name, cheap to use.
#include "app/ui/strings.hpp"
#include "core/formats/file.hpp"
#include "core/json.hpp"
#include "core/mathematics.hpp"
#include "tests/places.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace posiscope::strings_test {
namespace {

Strings table(Language language) { return Strings(language, Strings::Missing::throws); }

std::set<std::string> arguments_of(std::string_view text) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '{') continue;
        if (i + 1 < text.size() && text[i + 1] == '{') {
            ++i;
            continue;
        }
        const auto end = text.find_first_of(":}", i);
        names.emplace(text.substr(i + 1, end - i - 1));
    }
    return names;
}

struct Named {
    std::set<std::string> arguments;
    std::string file;
};

// Every Problem in the sources: its key, and the names of its values where they are written out.
std::map<std::string, Named> problems_in_the_sources() {
    std::map<std::string, Named> found;
    const std::regex problem(
        R"re((?:Problem\s*(?:\w+\s*)?\{|refuse\(|push_back\(\{)\s*(?:\w+ \? )?"([a-z_]+\.[a-z_0-9]+)"(?: : "([a-z_]+\.[a-z_0-9]+)")?)re");
    const std::regex value(R"re(\{"([a-z_]+)",)re");
    for (const char* folder : {"/core", "/app"})
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(std::string(test::kTree) + folder)) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
            std::stringstream stream;
            stream << std::ifstream(entry.path()).rdbuf();
            const std::string text = stream.str();
            for (std::sregex_iterator at(text.begin(), text.end(), problem), end; at != end; ++at) {
                Named named{{}, entry.path().filename()};
                const auto begin = static_cast<std::size_t>(at->position());
                const std::string statement = text.substr(begin, text.find(';', begin) - begin);
                for (std::sregex_iterator v(statement.begin(), statement.end(), value); v != end; ++v)
                    named.arguments.insert((*v)[1]);
                found[(*at)[1]] = named;
                if ((*at)[2].matched) found[(*at)[2]] = named;
            }
        }
    return found;
}

TEST(Strings, BothLanguagesHaveTheSameKeysAndArguments) {
    const Strings en = table(Language::english), zh = table(Language::chinese);
    EXPECT_EQ(en.keys().size(), zh.keys().size());
    for (const auto key : en.keys()) {
        ASSERT_TRUE(zh.contains(key)) << key;
        EXPECT_EQ(arguments_of(en.text(key)), arguments_of(zh.text(key))) << key;
        EXPECT_FALSE(en.text(key).empty()) << key;
        EXPECT_FALSE(zh.text(key).empty()) << key;
    }
}

using Both = std::array<std::string, 2>;

// Each text of the tables, lessons, claims and sections in both languages, with its key or its file.
template <class Visit>
void texts_as_written(Visit visit) {
    const std::string assets = std::string(test::kTree) + "/assets/";
    const auto read = [](const std::string& path) { return *parse_json(*read_file(path, kLargestTextFile)); };
    const Json en = read(assets + "strings/en.json"), zh = read(assets + "strings/zh.json");
    for (const auto& [key, text] : en.items()) visit(key, Both{text, zh.at(key)});
    std::function<void(const std::string&, const Json&)> each = [&](const std::string& path,
                                                                    const Json& json) {
        if (json.is_object() && json.value("en", Json()).is_string() && json.contains("zh"))
            return visit(path, Both{json.at("en"), json.at("zh")});
        if (json.is_structured())
            for (const auto& item : json.items()) each(path + "/" + item.key(), item.value());
    };
    each("sections", read(assets + "sections.json"));
    for (const char* folder : {"lessons", "claims"})
        for (const auto& entry : std::filesystem::directory_iterator(assets + folder))
            each(entry.path().filename(), read(entry.path()));
}

// The text between two $, and the rest. In a lesson {$k} is a place.
struct Marked {
    std::string inside, outside;
    bool closed = true;
};
Marked marked(std::string text) {
    Marked made;
    text = std::regex_replace(text, std::regex(R"(\{\$)"), "{");
    for (const char c : text)
        if (c == '$') made.closed = !made.closed;
        else (made.closed ? made.outside : made.inside) += c;
    return made;
}

// A letter with an index or a power that is not marked is drawn as it is typed. So are problems and the names of values, which
// terminals show, formulas by themselves, labels, and what somebody is to type.
TEST(Strings, MathematicsIsMarkedInBothLanguages) {
    const std::set<std::string> labels = {"layout.tip_row", "parameter.content.key_file.name"};
    const std::regex plain(
        R"(problem\..*|value\..*|terms\..*|trace\.formula\..*|parameter\.encoding\.(add|frequency)\.help|)"
        R"(16-own\.json/steps/[12]/text)");
    const std::regex unmarked(R"((^|[^A-Za-z0-9_])([A-Za-z]|[^ -~])_(\{|[A-Za-z0-9]($|[^A-Za-z0-9_]))|\^)");
    std::size_t formulas = 0;
    texts_as_written([&](const std::string& key, const Both& both) {
        SCOPED_TRACE(key);
        std::array<std::ptrdiff_t, 2> scripts{};
        for (const std::size_t i : {0U, 1U}) {
            const Marked found = marked(both[i]);
            EXPECT_TRUE(found.closed) << both[i];
            scripts[i] = std::ranges::count_if(found.inside, [](char c) { return c == '_' || c == '^'; });
            const bool as_typed = labels.contains(key) || std::regex_match(key, plain);
            EXPECT_FALSE(!as_typed && std::regex_search(found.outside, unmarked)) << both[i];
            EXPECT_TRUE(found.inside.empty() || !as_typed || key.starts_with("16-")) << both[i];
        }
        EXPECT_EQ(scripts[0], scripts[1]) << both[0] << "\n" << both[1];
        formulas += scripts[0] > 0 ? 1 : 0;
    });
    EXPECT_GT(formulas, 100U) << "the texts were not found";
}

TEST(Strings, ATerminalShowsNoMarks) {
    for (const Language language : {Language::english, Language::chinese}) {
        const Strings terminal = table(language),
                      window(language, Strings::Missing::throws, Strings::For::window);
        for (const auto key : terminal.keys()) {
            EXPECT_EQ(terminal.text(key), mathematics::plain(window.text(key))) << key;
            EXPECT_EQ(terminal.text(key).find_first_of("$\x01\x02\x03\x04"), std::string_view::npos) << key;
        }
    }
}

TEST(Strings, EveryProblemHasASentenceThatUsesItsValues) {
    const auto problems = problems_in_the_sources();
    EXPECT_GT(problems.size(), 20U) << "the sources were not found";
    const Strings en = table(Language::english);
    for (const auto& [key, named] : problems) {
        const std::string text_key = "problem." + key;
        if (!en.contains(text_key)) {
            ADD_FAILURE() << "no sentence for " << key << " in " << named.file;
            continue;
        }
        if (named.arguments.empty()) continue;  // built elsewhere than in one statement
        for (const auto& argument : arguments_of(en.text(text_key)))
            EXPECT_TRUE(named.arguments.contains(argument))
                << key << " in " << named.file << " lacks " << argument;
    }
}

TEST(Strings, TablesAreSortedOneKeyALine) {
    for (const char* language : {"en", "zh"}) {
        std::ifstream file(std::string(test::kTree) + "/assets/strings/" + language + ".json");
        std::string line, previous;
        std::size_t lines = 0;
        while (std::getline(file, line)) {
            if (line.size() < 5) continue;
            const std::string key = line.substr(5, line.find('"', 5) - 5);
            EXPECT_LT(previous, key);
            previous = key;
            ++lines;
        }
        EXPECT_EQ(lines, table(language_of(language)).keys().size());
    }
}

TEST(Strings, SentencesNameTheThingTheBoundAndTheMend) {
    const Problem odd{"d_model.odd", {{"value", "511"}, {"lower", "510"}, {"upper", "512"}}};
    EXPECT_EQ(table(Language::english).sentence(odd),
              "d_model must be even: 511 has a dimension without a partner. Use 510 or 512.");
    EXPECT_EQ(table(Language::chinese).sentence(odd),
              "d_model 必须是偶数：511 会有一个维度无法配对。请改用 510 或 512。");
    const Problem kind{"value.kind", {{"path", "d_model"}, {"kind", "integer"}, {"value", "\"x\""}}};
    EXPECT_EQ(table(Language::english).sentence(kind),
              "d_model must be a whole number, but is \"x\". Write it as a whole number.");
    EXPECT_EQ(table(Language::chinese).sentence(kind), "d_model 必须是整数，而 \"x\" 不是。请写成整数。");
}

TEST(Strings, AWindowNamesControlsAndSetsNumbersApart) {
    const Strings en = table(Language::english), zh = table(Language::chinese);
    const Problem range{
        "value.range",
        {{"path", "content.head_dim"}, {"minimum", "-10"}, {"maximum", "2147483637"}, {"value", "x"}}};
    EXPECT_EQ(en.sentence_in_window(range),
              "“Width of a head in W” must be from −10 to 2\u2009147\u2009483\u2009637, but is x. Use a "
              "value in between.");
    EXPECT_EQ(en.sentence(range),
              "content.head_dim must be from -10 to 2147483637, but is x. Use a value in between.");
    for (const Strings* strings : {&en, &zh})
        for (const std::string_view key : strings->keys()) {
            if (!key.starts_with("problem.") || strings->text(key).find('{') != std::string_view::npos)
                continue;
            const Problem problem{std::string(key.substr(8)), {}};
            const std::string said = strings->sentence_in_window(problem);
            for (const char* raw : {"trained.length", "trained.scene", "content.weights", "content.kind"})
                EXPECT_EQ(said.find(raw), std::string::npos) << key << ": " << said;
        }
}

TEST(Strings, AWindowSpeaksOfNoCommandLine) {
    for (const Language language : {Language::english, Language::chinese}) {
        const Strings strings = table(language);
        std::size_t own = 0;
        for (const std::string_view key : strings.keys()) {
            if (!key.starts_with("problem.") || !strings.contains(std::string(key) + ".window")) continue;
            const std::string_view said = strings.text(std::string(key) + ".window");
            for (const char* raw : {"--", "posiscope "})
                EXPECT_EQ(said.find(raw), std::string_view::npos) << key;
            ++own;
        }
        EXPECT_GT(own, 10U);
        const Problem refused{"file.not_allowed", {{"path", "a.npy"}}};
        EXPECT_NE(strings.sentence(refused).find("--allow-files"), std::string::npos);
        EXPECT_EQ(strings.sentence_in_window(refused).find("--"), std::string::npos);
    }
}

TEST(Strings, ASentenceIsOneLineWhateverItsValues) {
    const Problem problem{"key.unknown", {{"path", "a\nb\x1b[31m" + std::string(1000, 'x')}, {"known", "c"}}};
    const std::string sentence = table(Language::english).sentence(problem);
    EXPECT_EQ(sentence.find_first_of("\n\x1b"), std::string::npos);
    EXPECT_LT(sentence.size(), 500U);
}

TEST(Strings, AMissingKeyShowsItselfOrThrows) {
    EXPECT_THROW(table(Language::english).text("no.such.key"), std::logic_error);
    EXPECT_THROW(table(Language::english).sentence({"d_model.odd", {}}), std::logic_error);
    const Strings app(Language::english);
    EXPECT_EQ(app.text("no.such.key"), "no.such.key");
    EXPECT_EQ(app.sentence({"no.such", {}}), "problem.no.such");
}

TEST(Strings, ABufferIsFilledWithoutCuttingACharacter) {
    const Strings zh = table(Language::chinese);
    const std::string_view whole = zh.text("word.kind.dictionary");  // three bytes a character
    std::array<char, 64> buffer{};
    EXPECT_EQ(zh.format_to(buffer, "word.kind.dictionary"), whole);
    for (std::size_t room = 0; room < whole.size(); ++room) {
        const auto written = zh.format_to(std::span(buffer).first(room), "word.kind.dictionary");
        EXPECT_EQ(written, whole.substr(0, room / 3 * 3));
    }
    const Strings en = table(Language::english);
    EXPECT_EQ(en.format_to(buffer, "problem.value.kind", fmt::arg("path", "p"), fmt::arg("kind", 1),
                           fmt::arg("value", 2)),
              "p must be 1, but is 2. Write it as 1.");
}

TEST(Strings, TheLanguageFollowsTheLocale) {
    for (const char* name : {"zh", "zh_CN.UTF-8", "zh-Hans", "zh.UTF-8"})
        EXPECT_EQ(language_of(name), Language::chinese);
    for (const char* name : {"", "C", "POSIX", "en_GB", "zha", "de"})
        EXPECT_EQ(language_of(name), Language::english);
}

}  // namespace
}  // namespace posiscope::strings_test
