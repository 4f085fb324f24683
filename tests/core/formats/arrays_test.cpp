// Named arrays as JSON, .npy and CSV: the bytes themselves, and that numbers come back as they were.
#include "core/formats/arrays.hpp"
#include "core/formats/tensor.hpp"
#include "core/formats/zip.hpp"
#include "core/json.hpp"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <rapidcheck/gtest.h>

namespace posiscope::arrays_test {
namespace {

template <class Write>
std::string bytes(Write write, const std::vector<Array>& arrays) {
    std::string all;
    (void)write(arrays, [&](std::string_view piece) { all += piece; });
    return all;
}

std::string json(const std::vector<Array>& arrays, std::string_view scene = {}) {
    std::string all;
    write_json(arrays, scene, [&](std::string_view piece) { all += piece; });
    return all;
}
std::string csv(const std::vector<Array>& arrays, std::string_view scene = {}) {
    std::string all;
    write_csv(arrays, scene, [&](std::string_view piece) { all += piece; });
    return all;
}

Array pair() { return {{"a", {2}}, {0.1, -2}}; }
Array number() { return {{"x", {}}, {1e300}}; }
Array blocks() { return {{"m", {2, 2, 2}}, {1, 2, 3, 4, 5, 6, 7, 8}}; }

// What NumPy makes of it is in tests/app/check_files.py.
TEST(Arrays, AsAnArchiveThatOurReaderReads) {
    std::string bytes;
    write_npz(std::vector<Array>{pair(),
                                 blocks(),
                                 {{"i", {1}, "positions"}, {std::numeric_limits<double>::infinity()}}},
              R"({"base": 100})", [&](std::string_view piece) { bytes += piece; });
    const auto fetch = [&](std::uint64_t from, std::span<char> into) {
        if (from > bytes.size() || into.size() > bytes.size() - from) return false;
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(from), into.size(), into.begin());
        return true;
    };
    const auto members = zip_members(bytes.size(), fetch);
    ASSERT_TRUE(members) << to_string(members.error());
    ASSERT_EQ(members->size(), 3U);
    EXPECT_EQ(members->at(1).name, "m.npy");
    for (const ZipMember& member : *members) EXPECT_EQ(member.first % 64, 0U);
    EXPECT_EQ(tensor_in(bytes, "a.npz", "m")->values, blocks().values);
    EXPECT_EQ(tensor_in(bytes, "a.npz", "i")->values.front(), std::numeric_limits<double>::infinity());
    EXPECT_TRUE(bytes.ends_with(R"j({"units": {"i": "positions"}, "scene": {"base": 100}})j"));
}

TEST(Arrays, AsOneNumberALine) {
    std::string text;
    const auto write = [&](const std::vector<Array>& arrays) {
        text.clear();
        return write_long_csv(arrays, "{}", [&](std::string_view piece) { text += piece; });
    };
    Array named{{"a", {2, 2}, "rad", {{"query", 5}, {"key"}}},
                {1, 0.5, -std::numeric_limits<double>::infinity(), 4}};
    Array other = named;
    other.shape.name = "b";
    ASSERT_TRUE(write({named, other, number()}));
    EXPECT_EQ(text,
              "# scene: {}\n# units: a in rad, b in rad\n# x: 1e+300\nquery,key,a,b\n5,0,1,1\n5,1,0.5,0.5\n"
              "6,0,-inf,-inf\n6,1,4,4\n");
    ASSERT_TRUE(write({pair()}));
    EXPECT_EQ(text, "# scene: {}\nindex0,a\n0,0.1\n1,-2\n");
    EXPECT_EQ(to_string(write({pair(), named}).error()), "csv.long (array=a, other=a)");
    EXPECT_EQ(write({number()}).error().key, "csv.single");
}

TEST(Arrays, AsJson) {
    EXPECT_EQ(json({pair(), number(), blocks()}),
              "{\n  \"a\": [0.1, -2],\n  \"x\": 1e+300,\n  \"m\": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]\n}\n");
    EXPECT_EQ(json({{{"a", {2}}, {std::numeric_limits<double>::infinity(), std::nan("")}}}),
              "{\n  \"a\": [null, null]\n}\n");
    EXPECT_EQ(json({{{"a", {0}}, {}}}), "{\n  \"a\": []\n}\n");
}

RC_GTEST_PROP(Arrays, NumbersComeBackFromJson, (std::vector<std::uint64_t> bits)) {
    Array array{{"a", {static_cast<std::int64_t>(bits.size())}}, std::vector<double>(bits.size())};
    for (std::size_t i = 0; i < bits.size(); ++i) {
        std::memcpy(&array.values[i], &bits[i], sizeof(double));
        if (!std::isfinite(array.values[i])) array.values[i] = 0.1;
    }
    const auto read = parse_json(json({array}));
    RC_ASSERT(read.has_value());
    for (std::size_t i = 0; i < bits.size(); ++i)
        RC_ASSERT(read->at("a").at(i).get<double>() == array.values[i]);
}

TEST(Arrays, UnitsAndSceneStandInTheHeader) {
    const std::vector<Array> arrays = {
        {{"w", {1}, "rad/position"}, {0.5}}, {{"x", {1}}, {2}}, {{"l", {1}, "positions"}, {3}}};
    const auto read = parse_json(json(arrays, R"({"base": 100})"));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->at("units"), (Json{{"w", "rad/position"}, {"l", "positions"}}));
    EXPECT_EQ(read->at("scene").at("base"), 100);
    EXPECT_EQ(csv(arrays, R"({"base": 100})"),
              "# scene: {\"base\": 100}\n# units: w in rad/position, l in positions\nw,x,l\n0.5,2,3\n");
}

TEST(Arrays, AsCsv) {
    EXPECT_EQ(csv({pair(), number()}), "a,x\n0.1,1e+300\n-2,\n");
    EXPECT_EQ(csv({blocks()}), "m[0][0],m[0][1],m[1][0],m[1][1]\n1,2,3,4\n5,6,7,8\n");
    EXPECT_EQ(csv({{{"t", {1, 3}}, {1, 2, 3}}, pair()}), "t[0],t[1],t[2],a\n1,2,3,0.1\n,,,-2\n");
}

TEST(Arrays, AsNpy) {
    const std::string one = bytes(write_npy, {blocks()});
    EXPECT_EQ(one.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
    EXPECT_EQ(one.substr(10, 58), "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2, 2");
    EXPECT_EQ(one.size(), 128 + 8 * sizeof(double));
    EXPECT_EQ(one[127], '\n');
    double last = 0;
    std::memcpy(&last, one.data() + one.size() - 8, 8);
    EXPECT_EQ(last, 8.0);
    EXPECT_NE(bytes(write_npy, {pair()}).find("'shape': (2,), }"), std::string::npos);
    EXPECT_NE(bytes(write_npy, {number()}).find("'shape': (), }"), std::string::npos);
    const std::string record = bytes(write_npy, {pair(), number(), blocks()});
    EXPECT_NE(record.find("{'descr': [('a', '<f8', (2,)), ('x', '<f8'), ('m', '<f8', (2, 2, 2))], "
                          "'fortran_order': False, 'shape': (), }"),
              std::string::npos);
    EXPECT_EQ(record.size() % 64, 11 * sizeof(double) % 64) << "the data begins at a multiple of 64";
}

TEST(Arrays, AHeaderPast65535BytesIsVersionTwo) {
    std::vector<Array> many(4000, pair());
    const std::string file = bytes(write_npy, many);
    EXPECT_EQ(file[6], 2);
    std::uint32_t length = 0;
    std::memcpy(&length, file.data() + 8, 4);
    EXPECT_EQ((12 + length) % 64, 0U);
    EXPECT_EQ(file.size(), 12 + length + 4000 * 2 * sizeof(double));
    EXPECT_EQ(file[12 + length - 1], '\n');
}

TEST(Arrays, SizesThatCannotBeCountedAreTheLargest) {
    EXPECT_EQ(count({"", {3, 4, 5}}), 60);
    EXPECT_EQ(count({"", {}}), 1);
    EXPECT_EQ(count({"", {2147483647, 2147483647, 65536}}), std::numeric_limits<std::int64_t>::max());
}

}  // namespace
}  // namespace posiscope::arrays_test
