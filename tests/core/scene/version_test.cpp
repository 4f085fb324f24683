// The steps between versions of a Scene, with versions that exist only here.
#include "core/scene/version.hpp"

#include "core/scene/keys.hpp"

#include <array>
#include <gtest/gtest.h>

namespace posiscope::version_test {
namespace {

// From 1 to 2 `width` is called d_model; from 2 to 3 the default position is no longer 10.
constexpr std::array<Migration, 2> kSteps = {
    [](Json& partial, bool) {
        if (const auto old = partial.find("width"); old != partial.end()) {
            partial["d_model"] = *old;
            partial.erase("width");
        }
    },
    [](Json& partial, bool whole) {
        if (whole && !partial.contains("position")) partial["position"] = 10;
    },
};

TEST(SceneVersion, EachStepIsTakenFromTheVersionOnThatIsWritten) {
    EXPECT_EQ(migrated({{"version", 1}, {"width", 64}}, kSteps), (Json{{"d_model", 64}, {"position", 10}}));
    EXPECT_EQ(migrated({{"version", 2}, {"d_model", 64}}, kSteps), (Json{{"d_model", 64}, {"position", 10}}));
    EXPECT_EQ(migrated({{"version", 3}, {"d_model", 64}}, kSteps), (Json{{"d_model", 64}}));
}

TEST(SceneVersion, WithoutAVersionItIsThePresentOne) {
    EXPECT_EQ(migrated({{"width", 64}}, kSteps), (Json{{"width", 64}}));
    EXPECT_EQ(migrated({{"version", nullptr}, {"base", 5}}, kSteps), (Json{{"base", 5}}));
}

TEST(SceneVersion, ScenesInsideAreMigratedToo) {
    EXPECT_EQ(migrated({{"version", 1},
                        {"position", 3},
                        {"compare", {{"width", 8}}},
                        {"trained", {{"length", 5}, {"scene", {{"width", 4}}}}}},
                       kSteps),
              (Json{{"position", 3},
                    {"compare", {{"d_model", 8}}},
                    {"trained", {{"length", 5}, {"scene", {{"d_model", 4}}}}}}));
}

TEST(SceneVersion, ANewerOneIsRefused) {
    EXPECT_EQ(to_string(migrated({{"version", 4}}, kSteps).error()), "version.newer (value=4, known=3)");
    EXPECT_EQ(to_string(migrated({{"version", kSceneVersion + 1}}).error()).substr(0, 13), "version.newer");
    EXPECT_EQ(to_string(migrated({{"version", 0}}, kSteps).error()), "version.older (value=0, known=3)");
}

TEST(SceneVersion, ThePresentOneIsReadUnchanged) {
    Json whole = to_json(Scene());
    EXPECT_EQ(whole.at("version"), kSceneVersion);
    const Json read = *migrated(whole);
    whole.erase("version");
    EXPECT_EQ(read, whole);
    EXPECT_EQ(migrations().size() + 1, static_cast<std::size_t>(kSceneVersion));
}

// Every member is in the table: a changed Scene differs in a key, and a key brings exactly its own value.
TEST(SceneKeys, AValueGoesThroughJsonByItsRowAlone) {
    const Json other = {{"encoding", "rope"},
                        {"base", 500.0},
                        {"layout", "half"},
                        {"d_model", 64},
                        {"num_heads", 4},
                        {"head_dim", 16},
                        {"content", "seeded"},
                        {"causal", false},
                        {"length", 99},
                        {"position", 7},
                        {"offset", -2},
                        {"pair", 1},
                        {"shift", 5},
                        {"bench", "shift"},
                        {"trained", {{"length", 50}}},
                        {"compare", {{"base", 2.0}}},
                        {"view", {{"matrix", {{"field", "phase"}}}}}};
    const Scene from = overlay(Scene(), other)->scene;
    Scene onto;
    for (const SceneKey& one : scene_keys()) {
        EXPECT_TRUE(other.contains(one.parameter.key)) << one.parameter.key;
        EXPECT_FALSE(one.equal(onto, from)) << one.parameter.key;
        one.set(onto, one.get(from));
        EXPECT_TRUE(one.equal(onto, from)) << one.parameter.key;
    }
    EXPECT_EQ(onto, from);
    EXPECT_EQ(other.size(), scene_keys().size());
}

}  // namespace
}  // namespace posiscope::version_test
