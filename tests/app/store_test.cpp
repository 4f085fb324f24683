// The session and the preferences: read back unchanged; damaged files are set aside, never overwritten.
#include "app/platform/paths.hpp"
#include "app/ui/strings.hpp"
#include "app/workbench/document/store.hpp"
#include "core/formats/file.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <rapidcheck/gtest.h>
#include <unistd.h>

namespace posiscope::workbench::store_test {
namespace {

namespace fs = std::filesystem;

class Store : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("posiscope-store-" + std::to_string(::getpid()));
    }
    void TearDown() override { fs::remove_all(folder_); }

    void put(const char* name, std::string_view bytes) const {
        fs::create_directories(folder_);
        ASSERT_TRUE(write_file(folder_ / name, bytes));
    }
    bool there(const char* name) const { return fs::exists(folder_ / name); }

    fs::path folder_;
};

Scene changed() {
    const Json partial = {{"encoding", "rope"},
                          {"position", 77},
                          {"view", {{"matrix", {{"mode", "phase"}}}}},
                          {"compare", {{"base", 5e5}}}};
    return overlay(Scene(), partial)->scene;
}

TEST_F(Store, NothingThereIsTheDefaultWithoutAWord) {
    EXPECT_EQ(load_session(folder_).value, opening_scene()) << "the first start";
    EXPECT_FALSE(load_session(folder_).problem);
    EXPECT_EQ(load_preferences(folder_).value, Preferences());
    EXPECT_FALSE(load_preferences(folder_).problem);
    EXPECT_FALSE(load_session({}).problem);
    EXPECT_FALSE(fs::exists(folder_)) << "reading makes no folders";
}

TEST_F(Store, TheSessionIsFoundAgain) {
    const fs::path deep = folder_ / "state" / "posiscope";
    ASSERT_TRUE(save_session(deep, changed()));
    const auto loaded = load_session(deep);
    EXPECT_EQ(loaded.value, changed());
    EXPECT_FALSE(loaded.problem);
}

TEST_F(Store, ASessionThatEndedTheProgramIsSetAside) {
    EXPECT_FALSE(set_session_aside(folder_).problem) << "there was none";
    ASSERT_TRUE(save_session(folder_, changed()));
    const auto opened = set_session_aside(folder_);
    EXPECT_EQ(opened.value, Scene());
    ASSERT_TRUE(opened.problem);
    EXPECT_EQ(opened.problem->key, "session_undrawn.damaged");
    EXPECT_FALSE(there("session.json"));
    fs::rename(folder_ / "session-damaged-1.json", folder_ / "session.json");
    EXPECT_EQ(load_session(folder_).value, changed()) << "all of it is kept";
}

TEST_F(Store, ASessionCutAnywhereIsSetAside) {
    const std::string whole = to_json(changed()).dump(2) + "\n";
    for (std::size_t length = 0; length < whole.size() - 1; ++length) {
        put("session.json", std::string_view(whole).substr(0, length));
        const auto loaded = load_session(folder_);
        ASSERT_TRUE(loaded.problem) << length;
        ASSERT_EQ(loaded.problem->key, "session.damaged") << length;
        ASSERT_EQ(loaded.value, Scene()) << length;
        ASSERT_FALSE(there("session.json")) << length;
        ASSERT_EQ(*read_file(*value_of(*loaded.problem, "aside")), whole.substr(0, length));
        fs::remove(*value_of(*loaded.problem, "aside"));
        if (length > 60 && length + 60 < whole.size())
            length += 6;  // each byte at the ends, every seventh between
    }
}

TEST_F(Store, WrongSessionsAreSetAsideUnderNamesOfTheirOwn) {
    const char* wrong[] = {
        "[]",   R"({"d_model": 511})", R"({"version": 2})", R"({"position": 1, "position": 2})",
        "\xff", R"({"bose": 1})"};
    int n = 0;
    for (const char* text : wrong) {
        put("session.json", text);
        const auto loaded = load_session(folder_);
        ASSERT_TRUE(loaded.problem) << text;
        EXPECT_EQ(*value_of(*loaded.problem, "aside"),
                  (folder_ / ("session-damaged-" + std::to_string(++n) + ".json")).string());
        EXPECT_EQ(*read_file(*value_of(*loaded.problem, "aside")), text);
        const std::string sentence =
            Strings(Language::english, Strings::Missing::throws).sentence(*loaded.problem);
        EXPECT_NE(sentence.find("session-damaged-" + std::to_string(n)), std::string::npos);
    }
}

TEST_F(Store, AFolderThatCannotBeWrittenIsSaidAndNothingIsLost) {
    ASSERT_TRUE(save_session(folder_, changed()));
    fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
    const bool root = ::geteuid() == 0;
    if (root) {
        ASSERT_EQ(::chown(folder_.c_str(), 65534, 65534), 0);
        ASSERT_EQ(::seteuid(65534), 0);
    }
    const auto saved = save_session(folder_, Scene());
    const auto loaded = load_session(folder_);
    ASSERT_TRUE(!root || ::seteuid(0) == 0);
    fs::permissions(folder_, fs::perms::owner_all);
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().key, "file.create");
    EXPECT_EQ(loaded.value, changed());

    put("in_the_way", "");
    EXPECT_EQ(save_session(folder_ / "in_the_way" / "posiscope", Scene()).error().key, "file.create");
    EXPECT_EQ(save_session({}, Scene()).error().key, "store.no_folder");
}

TEST_F(Store, ASessionThatIsAFolderIsLeftAlone) {
    fs::create_directories(folder_ / "session.json");
    EXPECT_EQ(load_session(folder_).problem->key, "file.folder");
    EXPECT_TRUE(there("session.json"));
}

TEST_F(Store, PreferencesAreFoundAgain) {
    Preferences p;
    p.theme = "print";
    p.language = "zh";
    p.scale = 1.25;
    p.width = 1920;
    p.x = -40;
    p.maximised = true;
    p.speed = 8.0;
    p.loop = false;
    p.smooth = false;
    p.picture_scale = 4;
    p.drag_hint_seen = true;
    p.splits = {{"overview", {0.47, 0.56}}, {"shift", {}}};
    p.recent = {"/home/a/wpe.npy", "/tmp/位置.json"};
    ASSERT_TRUE(save_preferences(folder_, Preferences(), p));
    EXPECT_EQ(load_preferences(folder_).value, p);
    EXPECT_EQ(preferences_from(to_json(Preferences())), Preferences());
}

// Two windows began with the same file; each writes its own choice.
TEST_F(Store, OfPreferencesOnlyWhatChangedIsWritten) {
    Preferences start;
    start.recent = {"/tmp/a.json"};
    start.splits = {{"overview", {0.4}}, {"shift", {0.5}}};
    start.lessons = {{"/tmp/old.json", "Old"}};
    ASSERT_TRUE(save_preferences(folder_, Preferences(), start));
    Preferences one = start, other = start;
    one.theme = "print";
    one.width = 900;
    one.recent = {"/tmp/one.json", "/tmp/a.json"};
    one.splits.erase("shift");
    one.lessons.insert(one.lessons.begin(), {"/tmp/first.json", "First"});
    ASSERT_TRUE(save_preferences(folder_, start, one));
    other.language = "zh";
    other.height = 700;
    other.recent = {"/tmp/other.json", "/tmp/a.json"};
    other.splits["overview"] = {0.6};
    other.lessons.insert(other.lessons.begin(), {"/tmp/second.json", "Second"});
    ASSERT_TRUE(save_preferences(folder_, start, other));
    const Preferences both = load_preferences(folder_).value;
    EXPECT_EQ(both.theme, "print");
    EXPECT_EQ(both.language, "zh");
    EXPECT_EQ(both.width, 900);
    EXPECT_EQ(both.height, 700);
    EXPECT_EQ(both.recent, (std::vector<std::string>{"/tmp/other.json", "/tmp/one.json", "/tmp/a.json"}));
    EXPECT_EQ(both.splits, (std::map<std::string, std::vector<double>>{{"overview", {0.6}}}));
    const std::vector<panels::OwnLesson> lessons{
        {"/tmp/second.json", "Second"}, {"/tmp/first.json", "First"}, {"/tmp/old.json", "Old"}};
    EXPECT_EQ(both.lessons, lessons);
}

// Two windows teach the same person: what either has heard stays, and what one began anew is gone.
TEST_F(Store, OfProgressOnlyWhatChangedIsWritten) {
    const Json start = Json::parse(
        R"({"version": 1, "lessons": {"why": {"1": {"answer": 2, "done": true}}}, "places": {}})");
    put("lessons.json",
        R"({"version": 1, "lessons": {"why": {"1": {"answer": 2, "done": true}}, "later": {"1": {"done": true}}},
                            "places": {}})");
    Json one = start, other = start;
    one["lessons"]["clocks"]["3"] = {{"done", true}};
    one["lessons"].erase("why");
    ASSERT_TRUE(save_progress(folder_, start, one));
    other["lessons"]["rope"]["2"] = {{"tries", 1}};
    other["places"]["rope"] = "2";
    ASSERT_TRUE(save_progress(folder_, start, other));
    EXPECT_EQ(load_progress(folder_).value, Json::parse(R"({"version": 1, "places": {"rope": "2"},
                              "lessons": {"clocks": {"3": {"done": true}}, "rope": {"2": {"tries": 1}},
                                          "later": {"1": {"done": true}}}})"))
        << "a lesson that this program does not know stays, too";
}

TEST_F(Store, PreferencesThatWereDamagedMeanwhileAreSetAside) {
    put("preferences.json", "{\"theme\": ");
    Preferences now;
    now.theme = "light";
    ASSERT_TRUE(save_preferences(folder_, Preferences(), now));
    EXPECT_EQ(load_preferences(folder_).value, now);
    EXPECT_TRUE(there("preferences-damaged-1.json"));
}

TEST_F(Store, PreferencesOutOfBoundsAreBroughtIntoThem) {
    const Preferences p = preferences_from(Json::parse(R"({
        "theme": "pink", "language": "tlh", "scale": 99, "speed": -1, "loop": "yes", "picture_scale": 2.4,
        "window": {"width": 0, "height": 1e300, "x": 1e9, "y": "left", "maximised": 1}, "unheard": [1],
        "splits": {"overview": [0, 2], "shift": ["a"], "debug": 3}})"));
    EXPECT_EQ(p.theme, "dark");
    EXPECT_EQ(p.language, "");
    EXPECT_EQ(p.scale, 3.0);
    EXPECT_GT(p.speed, 0.0);
    EXPECT_TRUE(p.loop);
    EXPECT_EQ(p.picture_scale, 2);
    EXPECT_EQ(p.width, 320);
    EXPECT_EQ(p.height, 16384);
    EXPECT_EQ(p.x, 32767);
    EXPECT_EQ(p.y, -1);
    EXPECT_FALSE(p.maximised);
    EXPECT_EQ(p.splits, (std::map<std::string, std::vector<double>>{{"overview", {0.1, 0.9}}}));
    for (const char* text : {"[]", "3", "null"})
        EXPECT_EQ(preferences_from(Json::parse(text)), Preferences());
}

TEST_F(Store, DamagedPreferencesAreSetAside) {
    put("preferences.json", "{\"theme\": ");
    const auto loaded = load_preferences(folder_);
    EXPECT_EQ(loaded.value, Preferences());
    ASSERT_TRUE(loaded.problem);
    EXPECT_EQ(loaded.problem->key, "preferences.damaged");
    EXPECT_TRUE(there("preferences-damaged-1.json"));
}

TEST(StoreFolders, FollowTheEnvironment) {
    const auto with = [](const char* state, const char* config, const char* home) {
        for (const auto& [name, value] :
             {std::pair{"XDG_STATE_HOME", state}, {"XDG_CONFIG_HOME", config}, {"HOME", home}})
            value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
        return platform::user_folders();
    };
    const char* own_home = std::getenv("HOME");
    const std::string home = own_home == nullptr ? "/" : own_home;
    const platform::Folders named = with("/s", "/c", "/h");
    const platform::Folders usual = with(nullptr, "relative", "/h");
    const platform::Folders none = with(nullptr, nullptr, nullptr);
    ::setenv("HOME", home.c_str(), 1);
    EXPECT_EQ(named.state, "/s/posiscope");
    EXPECT_EQ(named.config, "/c/posiscope");
    EXPECT_EQ(usual.state, "/h/.local/state/posiscope");
    EXPECT_EQ(usual.config, "/h/.config/posiscope");
    EXPECT_TRUE(none.state.empty());
    EXPECT_TRUE(none.config.empty());
}

}  // namespace
}  // namespace posiscope::workbench::store_test
