// Links: short, whole, and refused with a sentence where they are not.
#include "core/scene/link.hpp"

#include "tests/core/random_scenes.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace posiscope::link_test {
namespace {

Result<Scene> opened(std::string_view text) {
    const auto link = link_in(text);
    if (!link) return refuse("no link");
    auto json = scene_of(*link);
    if (!json) return tl::unexpected(json.error());
    auto laid = overlay(Scene(), *json);
    if (!laid) return tl::unexpected(laid.error());
    return std::move(laid->scene);
}

std::string refusal(std::string_view text) {
    const auto scene = opened(text);
    return scene ? "opened" : scene.error().key;
}

TEST(Link, TheDefaultSceneIsOnlyItsVersion) {
    EXPECT_EQ(link_of(Scene()), "#scene=%7B%22version%22:1%7D");
    EXPECT_EQ(opened(link_of(Scene())), Scene());
}

TEST(Link, WordsOfAnyLanguageTravel) {
    const auto laid =
        overlay(Scene(), {{"content", {{"kind", "tokens"}, {"text", {"狗", "咬 \"人\"", "100 % #1"}}}}});
    ASSERT_TRUE(laid);
    const std::string link = link_of(laid->scene);
    EXPECT_EQ(link.find_first_of("\"<>`{}[] \n"), std::string::npos) << "a mail would end the address there";
    EXPECT_EQ(opened("https://example.org/a?b=c" + link), laid->scene);
}

TEST(Link, TheAddressBeforeItIsKnown) {
    const auto link = link_in("  https://example.org/p/#scene=%7B%7D\n");
    ASSERT_TRUE(link);
    EXPECT_EQ(link->page, "https://example.org/p/");
    EXPECT_EQ(link->scene, "%7B%7D");
    EXPECT_FALSE(link_in("{\"position\": 3}"));
    EXPECT_FALSE(link_in("two words #scene=%7B%7D")) << "an address has no spaces";
}

TEST(Link, AFigureMayFollow) {
    Scene scene;
    scene.position = 33;
    const std::string text = "https://example.org/p/" + link_of(scene, "matrix");
    const auto link = link_in(text);
    ASSERT_TRUE(link);
    EXPECT_EQ(link->figure, "matrix");
    EXPECT_EQ(opened(text), scene);
    EXPECT_EQ(link_in(link_of(scene))->figure, "");
}

// Where a page keeps what was dropped on it is nobody else's business, and the name is found in any other's folder.
TEST(Link, FilesOfTheWorkingDirectoryAreNamedWithoutIt) {
    const auto named = [](const std::string& path) {
        const auto laid = overlay(Scene(), {{"encoding", {{"kind", "learned"}, {"table", path}}}});
        EXPECT_TRUE(laid);
        return opened(link_of(laid->scene))->encoding.parameters.at("table").get<std::string>();
    };
    EXPECT_EQ(named((std::filesystem::current_path() / "t.npy").string()), "t.npy");
    EXPECT_EQ(named("/elsewhere/t.npy"), "/elsewhere/t.npy");
    EXPECT_EQ(named("sub/t.npy"), "sub/t.npy");
}

TEST(Link, ADamagedOneIsRefused) {
    EXPECT_EQ(refusal("#scene="), "link.damaged");
    EXPECT_EQ(refusal("#scene=%7B%22position%22:1"), "link.damaged") << "cut off";
    EXPECT_EQ(refusal("#scene=%7B%2"), "link.damaged");
    EXPECT_EQ(refusal("#scene=%7B%GG%7D"), "link.damaged");
    EXPECT_EQ(refusal("#scene=%7B%22a%22:%22%FF%22%7D"), "link.damaged") << "not UTF-8";
    EXPECT_EQ(refusal("#scene=" + std::string(1100000, 'a')), "link.long");
    EXPECT_EQ(refusal("#scene=%7B%22version%22:99%7D"), "version.newer");
    EXPECT_NE(refusal("#scene=%7B%22position%22:1%22%7D"), "opened");
    EXPECT_NE(refusal("#scene=%7B%22posiotion%22:1%7D"), "opened");
}

// POSISCOPE_LINKS names a file that gets them and their scenes, for the page in a browser (tests/web).
TEST(Link, EverySceneComesBack) {
    RandomScenes scenes(15);
    const char* const kept = std::getenv("POSISCOPE_LINKS");
    std::ofstream file(kept != nullptr ? kept : "");
    for (int i = 0; i < 200; ++i) {
        const Scene scene = scenes.next();
        file << link_of(scene) << '\t' << to_json(scene).dump() << '\n';
        const auto back = opened(link_of(scene));
        ASSERT_TRUE(back) << to_string(back.error()) << " in " << link_of(scene);
        EXPECT_EQ(*back, scene) << link_of(scene);
    }
}

}  // namespace
}  // namespace posiscope::link_test
