#include "tests/reference/reference.hpp"

#include "tests/places.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

namespace posiscope::reference {
namespace {

// What a case carries besides its expected values.
const std::set<std::string> kDescribing = {"name", "inputs", "note", "max_rel_diff_f32_f64"};

void append(const Json& json, std::vector<double>& values) {
    if (json.is_array())
        for (const Json& item : json) append(item, values);
    else values.push_back(json.get<double>());
}

}  // namespace

std::filesystem::path folder() {
    const char* given = std::getenv("POSISCOPE_REFERENCE");
    if (given != nullptr && *given != '\0') return given;
    return std::filesystem::path(test::kTree) / "tests/reference";
}

Json read_json(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    auto json = parse_json(text);
    if (!json) throw std::runtime_error(path.string() + ": " + to_string(json.error()));
    return std::move(*json);
}

std::vector<std::string> fixture_names() {
    std::set<std::string> names;
    const Json manifest = read_json(folder() / "manifest.json");
    for (const Json& fixture : manifest.at("fixtures"))
        names.insert(std::filesystem::path(fixture.at("file").get<std::string>()).stem().string());
    for (const auto& entry : std::filesystem::directory_iterator(folder()))
        if (entry.path().extension() == ".json" && entry.path().stem() != "manifest")
            names.insert(entry.path().stem().string());
    return {names.begin(), names.end()};
}

Fixture load(const std::string& name) {
    Fixture fixture;
    fixture.name = name;
    const Json manifest = read_json(folder() / "manifest.json");
    for (const Json& listed : manifest.at("fixtures"))
        if (listed.at("file") == name + ".json") {
            fixture.counted = listed.at("n_cases").get<std::size_t>();
            fixture.function = listed.at("function").get<std::string>();
            fixture.tolerance = listed.at("tolerance");
        }
    if (fixture.function.empty()) throw std::runtime_error(name + ".json is not in the manifest");
    fixture.cases = read_json(folder() / (name + ".json")).at("cases");
    return fixture;
}

std::vector<double> flat(const Json& json) {
    std::vector<double> values;
    append(json, values);
    return values;
}

std::vector<std::int64_t> whole(const Json& json) {
    std::vector<std::int64_t> values;
    for (const double value : flat(json)) values.push_back(static_cast<std::int64_t>(value));
    return values;
}

std::size_t extent(const Json& json, std::size_t depth) {
    return depth == 0 ? json.size() : extent(json.at(0), depth - 1);
}

void Case::expect(const std::string& key, std::span<const double> got, double largest_angle) {
    compared_.insert(key);
    ASSERT_TRUE(json_.contains(key)) << key;
    const std::vector<double> want = flat(json_.at(key));
    if (key != "float64_disagreements") {
        ASSERT_FALSE(want.empty()) << key << ": an empty expected array";
    }
    ASSERT_EQ(got.size(), want.size()) << key;
    const Json& rule = fixture_.tolerance.contains(key) ? fixture_.tolerance.at(key) : fixture_.tolerance;
    ASSERT_TRUE(rule.contains("abs") || rule.contains("rel")) << key << ": no tolerance";
    const double absolute = std::max(rule.value("abs", 0.0), 8.0 * 0x1p-53 * std::abs(largest_angle));
    for (std::size_t i = 0; i < want.size(); ++i) {
        const double allowed = std::max(absolute, rule.value("rel", 0.0) * std::abs(want[i]));
        ASSERT_LE(std::abs(got[i] - want[i]), allowed)
            << key << "[" << i << "] is " << got[i] << ", expected " << want[i];
    }
}

void Case::finish() const {
    std::size_t expected = 0;
    for (const auto& [key, value] : json_.items()) {
        if (kDescribing.contains(key)) continue;
        ++expected;
        EXPECT_TRUE(compared_.contains(key)) << "nobody compared " << key;
    }
    EXPECT_GT(expected, 0U) << "a case without expected values";
}

const Handler* find_handler(const std::string& name) {
    static const Handlers all = [] {
        Handlers handlers;
        for (const auto& group : {absolute_handlers(), relative_handlers(), scaling_handlers(),
                                  rotary_handlers(), family_handlers(), position_handlers()})
            handlers.insert(handlers.end(), group.begin(), group.end());
        return handlers;
    }();
    for (const auto& [known, handler] : all)
        if (known == name) return &handler;
    return nullptr;
}

class Reference : public testing::TestWithParam<std::string> {};

TEST_P(Reference, EveryCase) {
    const Fixture fixture = load(GetParam());
    const Handler* handler = find_handler(GetParam());
    ASSERT_NE(handler, nullptr) << "no test knows this file";
    EXPECT_EQ(fixture.function.substr(0, fixture.function.find_first_of(" ;,")), handler->function);
    ASSERT_EQ(fixture.cases.size(), fixture.counted);
    ASSERT_GT(fixture.counted, 0U);
    for (std::size_t i = 0; i < fixture.cases.size(); ++i) {
        SCOPED_TRACE("case " + std::to_string(i) + " " + fixture.cases[i].value("name", ""));
        Case one(fixture, fixture.cases[i]);
        handler->run(one);
        one.finish();
    }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, Reference, testing::ValuesIn(fixture_names()),
                         [](const auto& one) { return one.param; });

}  // namespace posiscope::reference
