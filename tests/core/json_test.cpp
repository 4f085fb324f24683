// JSON: strict, bounded, with errors that name their place.
#include "core/json.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace posiscope::json_test {
namespace {

std::string refusal(std::string_view text) {
    const auto json = parse_json(text);
    return json ? "accepted" : to_string(json.error());
}

TEST(Json, ReadsWhatTheLibraryReads) {
    const char* text = R"( {"a": [1, -2, 3.5, true, null, {"b": "\u4e2d"}], "c": {}} )";
    EXPECT_EQ(*parse_json(text), Json::parse(text));
    EXPECT_EQ(*parse_json("3"), 3);
    EXPECT_EQ(*parse_json("\"x\""), "x");
}

TEST(Json, SaysWhereASyntaxErrorIs) {
    EXPECT_EQ(refusal(""), "json.syntax (line=1, column=1)");
    EXPECT_EQ(refusal("{\n  \"a\": 1,\n  b\n}"), "json.syntax (line=3, column=3)");
    EXPECT_EQ(refusal("{\"a\": 1} x"), "json.syntax (line=1, column=10)");
    EXPECT_EQ(refusal("{\"a\": NaN}").substr(0, 11), "json.syntax");
    EXPECT_EQ(refusal("{\"a\": \"\xff\"}").substr(0, 11), "json.syntax");
    EXPECT_EQ(refusal("{\"a\": 1,}").substr(0, 11), "json.syntax");
    EXPECT_EQ(refusal("[1e400]").substr(0, 11), "json.number");
}

TEST(Json, NamesARepeatedKeyByItsPath) {
    EXPECT_EQ(refusal(R"({"a": 1, "a": 2})"), "json.repeated (path=a)");
    EXPECT_EQ(refusal(R"({"encoding": {"kind": "rope", "x": {"b": 1, "b": 1}}})"),
              "json.repeated (path=encoding.x.b)");
    EXPECT_EQ(refusal(R"([{"a": 1}, {"b": 1, "b": 2}])"), "json.repeated (path=b)");
    EXPECT_EQ(refusal(R"({"a": {"x": 1}, "b": {"x": 1}})"), "accepted");
}

TEST(Json, StopsAtSixtyFourBrackets) {
    const auto nested = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
    EXPECT_EQ(refusal(nested(64)), "accepted");
    EXPECT_EQ(refusal(nested(65)), "json.depth (limit=64)");
    EXPECT_EQ(refusal(nested(2000000)), "json.depth (limit=64)");
    EXPECT_EQ(refusal(std::string(2000000, '[')), "json.depth (limit=64)");
    std::string objects;
    for (int i = 0; i < 2000000; ++i) objects += "{\"a\":";
    EXPECT_EQ(refusal(objects), "json.depth (limit=64)");
}

// A file of 64 MiB would need gigabytes.
TEST(Json, StopsBeforeItTakesMuchMemory) {
    const auto repeated = [](std::string_view piece, std::size_t times) {
        std::string all;
        for (std::size_t i = 0; i < times; ++i) all += piece;
        return all;
    };
    EXPECT_EQ(refusal("[" + repeated("0,", 1'000'000) + "0]"), "accepted");
    EXPECT_EQ(refusal("[" + repeated("0,", 4'000'000) + "0]"), "json.memory (limit=128)");
    EXPECT_EQ(refusal("[" + repeated("[],", 2'000'000) + "0]"), "json.memory (limit=128)");
    // An empty text takes memory of its own: 734 MiB for 8.1 MB of them, when only the places in the list were counted.
    EXPECT_EQ(refusal("[" + repeated("\"\",", 1'000'000) + "0]"), "accepted");
    EXPECT_EQ(refusal("[" + repeated("\"\",", 1'500'000) + "0]"), "json.memory (limit=128)");
    EXPECT_EQ(refusal("[" + repeated("{\"a\":1},", 1'000'000) + "0]"), "json.memory (limit=128)");
    EXPECT_EQ(refusal("[" + repeated("\"" + std::string(1'000'000, 'a') + "\",", 140) + "0]"),
              "json.memory (limit=128)");
}

RC_GTEST_PROP(Json, NeverCrashesOnAnyBytes, (const std::string& bytes)) {
    const auto json = parse_json(bytes);
    if (json) RC_ASSERT(*parse_json(json->dump()) == *json);
}

TEST(Json, Utf8IsToldApart) {
    EXPECT_TRUE(is_utf8("中文 abc"));
    EXPECT_TRUE(is_utf8(""));
    EXPECT_FALSE(is_utf8("\xff"));
    EXPECT_FALSE(is_utf8("\xe4\xb8"));
}

}  // namespace
}  // namespace posiscope::json_test
