// Tables from .npy files: every type and byte order, and a separate Problem for each error.
#include "core/formats/arrays.hpp"
#include "core/formats/file.hpp"
#include "core/formats/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <rapidcheck/gtest.h>
#include <unistd.h>

namespace posiscope::table_test {
namespace {

// The bytes that NumPy writes: `length` of the header is in two bytes, in four from version 2 on.
std::string npy(const std::string& header, const std::string& data, int version = 1) {
    const std::string line = header + "\n";
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(version);
    bytes += '\0';
    for (std::size_t i = 0; i < (version == 1 ? 2U : 4U); ++i)
        bytes += static_cast<char>((line.size() >> (8 * i)) & 0xffU);
    return bytes + line + data;
}
std::string described(const std::string& type, const std::string& shape, const char* fortran = "False") {
    return "{'descr': " + type + ", 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}
template <class T>
std::string bytes_of(std::initializer_list<T> numbers, bool swapped = false) {
    std::string all;
    for (const T number : numbers) {
        char raw[sizeof(T)];
        std::memcpy(raw, &number, sizeof(T));
        if (swapped) std::reverse(std::begin(raw), std::end(raw));
        all.append(raw, sizeof(T));
    }
    return all;
}
std::string refusal(const std::string& bytes) {
    const auto read = read_table(bytes);
    return read ? "was read" : to_string(read.error());
}
const std::string kSix = bytes_of<float>({1, 2, 3, 4, 5, -6.5F});

TEST(Table, ReadsEveryTypeInEitherByteOrder) {
    const std::string half_bits = bytes_of<std::uint16_t>({0x3c00, 0xc000, 0x0001, 0x7bff, 0x3555, 0x8000});
    const double halves[] = {1.0, -2.0, 0x1p-24, 65504.0, 0.333251953125, -0.0};
    for (const bool swapped : {false, true}) {
        const std::string order = swapped ? ">" : "<";
        const auto f4 = read_table(
            npy(described("'" + order + "f4'", "(2, 3)"), bytes_of<float>({1, 2, 3, 4, 5, -6.5F}, swapped)));
        ASSERT_TRUE(f4) << to_string(f4.error());
        EXPECT_EQ(f4->rows(), 2);
        EXPECT_EQ(f4->columns(), 3);
        EXPECT_EQ(f4->value(0, 2), 3.0);
        EXPECT_EQ(f4->value(1, 2), -6.5);
        EXPECT_EQ(f4->least(), -6.5);
        EXPECT_EQ(f4->most(), 5.0);
        EXPECT_DOUBLE_EQ(f4->deviation(), std::sqrt((1 + 4 + 9 + 16 + 25 + 42.25) / 6));
        const auto f8 = read_table(
            npy(described("'" + order + "f8'", "(1, 2)"), bytes_of<double>({0.1, -1e300}, swapped)));
        ASSERT_TRUE(f8) << to_string(f8.error());
        EXPECT_EQ(f8->value(0, 0), 0.1);
        EXPECT_EQ(f8->value(0, 1), -1e300);
        std::string bits = half_bits;
        if (swapped)
            for (std::size_t i = 0; i < bits.size(); i += 2) std::swap(bits[i], bits[i + 1]);
        const auto f2 = read_table(npy(described("'" + order + "f2'", "(3, 2)"), bits));
        ASSERT_TRUE(f2) << to_string(f2.error());
        for (std::int64_t i = 0; i < 6; ++i) EXPECT_EQ(f2->value(i / 2, i % 2), halves[i]) << i;
    }
}

TEST(Table, AddsPartOfARowTimesAWeight) {
    const auto table = read_table(npy(described("'<f4'", "(2, 3)"), kSix));
    double sums[] = {10.0, 20.0};
    table->add(1, 1, 2.0, sums);
    EXPECT_EQ(sums[0], 20.0);
    EXPECT_EQ(sums[1], 7.0);
}

TEST(Table, ReadsEveryHeaderThatNumPyHasWritten) {
    for (const char* header : {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }         ",
                               "{\"shape\":(2,3),\"descr\":\"<f4\",\"fortran_order\":False}",
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L)}"})
        for (const int version : {1, 2, 3})
            EXPECT_EQ(refusal(npy(header, kSix, version)), "was read") << header;
}

TEST(Table, ReadsWhatThisProgramWrites) {
    std::string bytes;
    const Array array{{"table", {2, 2}}, {0.1, -0.2, 1e-300, 4}};
    ASSERT_TRUE(write_npy({&array, 1}, [&](std::string_view piece) { bytes += piece; }));
    const auto table = read_table(bytes);
    ASSERT_TRUE(table) << to_string(table.error());
    EXPECT_EQ(table->value(1, 0), 1e-300);
}

TEST(Table, EachWayToBeWrongHasItsOwnProblem) {
    EXPECT_EQ(refusal(""), "npy.magic");
    EXPECT_EQ(refusal("{\"position\": 3}"), "npy.magic");
    EXPECT_EQ(refusal("\x93NUMPY"), "npy.cut_header");
    EXPECT_EQ(refusal(npy(described("'<f4'", "(2, 3)"), kSix).substr(0, 40)), "npy.cut_header");
    EXPECT_EQ(refusal(npy(described("'<f4'", "(2, 3)"), kSix, 9)), "npy.version (version=9.0)");
    EXPECT_EQ(refusal(npy(described("'|O'", "(2, 3)"), kSix)), "npy.object");
    EXPECT_EQ(refusal(npy(described("'<i8'", "(2, 3)"), kSix)), "npy.dtype (dtype=<i8)");
    EXPECT_EQ(refusal(npy(described("[('a', '<f4'), ('b', '<f8', (2,))]", "(2, 3)"), kSix)),
              "npy.dtype (dtype=[('a', '<f4'), ('b', '<f8', (2,))])");
    EXPECT_EQ(refusal(npy(described("'<f4'", "(6,)"), kSix)), "was read") << "a line of numbers is one row";
    EXPECT_EQ(refusal(npy(described("'<f4'", "()"), kSix)), "npy.dimensions (shape=())");
    EXPECT_EQ(refusal(npy(described("'<f4'", "(1, 2, 3)"), kSix)), "npy.dimensions (shape=(1, 2, 3))");
    EXPECT_EQ(refusal(npy(described("'<f4'", "(0, 3)"), "")), "npy.empty (rows=0, columns=3)");
    EXPECT_EQ(refusal(npy(described("'<f4'", "(2, 3)", "True"), kSix)), "npy.fortran");
    EXPECT_EQ(refusal(npy(described("'<f4'", "(2, 4)"), kSix)),
              "npy.length (rows=2, columns=4, dtype=<f4, needed=32, bytes=24)");
    EXPECT_EQ(refusal(npy(described("'<f4'", "(2, 3)"), kSix + "x")),
              "npy.length (rows=2, columns=3, dtype=<f4, needed=24, bytes=25)");
    EXPECT_EQ(refusal(npy(described("'<f4'", "(9000000000000000000, 9000000000000000000)"), kSix)),
              "npy.length (rows=9000000000000000000, columns=9000000000000000000, dtype=<f4, needed=2^63, "
              "bytes=24)");
    EXPECT_EQ(refusal(npy(described("'<f4'", "(2, 3)"), bytes_of<float>({1, 2, 3, 4, HUGE_VALF, 6}))),
              "npy.not_finite (row=1, column=1)");
    for (const char* header : {"", "{", "{}", "[]", "{'descr': '<f4'", "{'descr': '<f4', 'shape': (2, 3)}",
                               "{'descr': [, }", "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}",
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3)}",
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 99999999999999999999)}",
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}",
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} and more",
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'x': 1}"})
        EXPECT_EQ(refusal(npy(header, kSix)), "npy.header") << header;
}

RC_GTEST_PROP(Table, ComesBackAsItWasWritten, ()) {
    const auto rows = *rc::gen::inRange<std::int64_t>(1, 6), columns = *rc::gen::inRange<std::int64_t>(1, 6);
    const auto numbers = *rc::gen::container<std::vector<double>>(
        static_cast<std::size_t>(rows * columns),
        rc::gen::map<std::int64_t>([](std::int64_t n) { return static_cast<double>(n) * 0x1p-40; }));
    std::string bytes;
    const Array array{{"table", {rows, columns}}, numbers};
    RC_ASSERT(write_npy({&array, 1}, [&](std::string_view piece) { bytes += piece; }).has_value());
    const auto table = read_table(bytes);
    RC_ASSERT(table.has_value());
    for (std::int64_t i = 0; i < rows * columns; ++i)
        RC_ASSERT(table->value(i / columns, i % columns) == numbers[static_cast<std::size_t>(i)]);
    // Cut anywhere it is refused.
    const auto cut = *rc::gen::inRange<std::size_t>(0, bytes.size());
    RC_ASSERT(!read_table(bytes.substr(0, cut)).has_value());
}

TEST(Table, AFileIsReadOnceUntilItIsForgotten) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("posiscope-table-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    const std::string path = (folder / "table.npy").string();
    for (const std::string& allowed : {path, folder.string(), std::string("/dev/zero")}) allow_table(allowed);
    EXPECT_EQ(table_of(path).error().key, "file.missing");
    ASSERT_TRUE(write_file(path, npy(described("'<f4'", "(2, 3)"), kSix)));
    const auto first = table_of(path);
    ASSERT_TRUE(first) << "a refusal is not kept: " << to_string(first.error());
    fs::remove(path);
    EXPECT_EQ(*table_of(path), *first) << "the same table, and not another copy";
    ASSERT_TRUE(write_file(path, npy(described("'<f4'", "(3, 2)"), kSix)));
    EXPECT_EQ((*table_of(path))->rows(), 2);
    forget_table(path);
    EXPECT_EQ((*table_of(path))->rows(), 3);
    EXPECT_EQ((*first)->rows(), 2) << "who holds it, keeps it";
    EXPECT_EQ(table_of(folder.string()).error().key, "file.folder");
    if (fs::is_character_file("/dev/zero") && fs::path("/dev/zero").is_absolute()) {  // POSIX has it
        EXPECT_EQ(table_of("/dev/zero").error().key, "npy.no_file");
    }
    ASSERT_TRUE(write_file(path, "nothing"));
    forget_table(path);
    EXPECT_EQ(to_string(table_of(path).error()), "npy.magic (in=" + path + ")");
    fs::remove_all(folder);
}

TEST(Table, WhoMustNotWaitIsToldThatALargeOneIsRead) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("posiscope-large-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    const std::string path = (folder / "table.npy").string();
    const auto seen = [&] {
        const Impatient drawing;
        const auto table = table_of(path);
        return table ? std::string("there") : table.error().key;
    };
    const auto read = [&] { (void)table_of(path); };  // by one who may wait
    allow_table(path);
    const std::string zeros(std::size_t{4} * 3000 * 3000, '\0');
    ASSERT_TRUE(write_file(path, npy(described("'<f4'", "(3000, 3000)"), zeros)));
    EXPECT_EQ(seen(), "table.reading");
    EXPECT_EQ(seen(), "table.reading");
    EXPECT_EQ(Impatient::take_wanted(), std::vector{path}) << "once";
    EXPECT_EQ(seen(), "table.reading");
    EXPECT_EQ(Impatient::take_wanted(), std::vector<std::string>{}) << "somebody reads it";
    read();
    EXPECT_EQ(seen(), "there");
    renew_table(path);
    EXPECT_EQ(seen(), "there");
    // Why one cannot be read stays, or each frame would have it read once more.
    ASSERT_TRUE(write_file(path, "nothing"));
    fs::resize_file(path, Impatient::kLarge + 1);
    forget_table(path);
    EXPECT_EQ(seen(), "table.reading");
    EXPECT_EQ(Impatient::take_wanted(), std::vector{path});
    read();
    EXPECT_EQ(seen(), "npy.magic");
    EXPECT_EQ(Impatient::take_wanted(), std::vector<std::string>{});
    forget_table(path);
    EXPECT_EQ(seen(), "table.reading") << "it may have been mended";
    read();
    (void)Impatient::take_wanted();
    fs::remove_all(folder);
}

// A file may name any size, and none of it is read before the header has said that it is right.
TEST(Table, AFileIsReadNoFurtherThanItsHeaderWhereThatDoesNotFit) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("posiscope-sparse-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    const std::string path = (folder / "table.npy").string();
    ASSERT_TRUE(write_file(path, npy(described("'<f4'", "(2, 3)"), kSix)));
    EXPECT_EQ(to_string(table_of(path).error()), "file.not_allowed (path=" + path + ")");
    allow_table(path);
    std::error_code error;
    fs::resize_file(path, std::uintmax_t{sizeof(void*) > 4 ? 3 : 1} << 30, error);  // of holes
    if (!error) {                                                                   // Wine makes none
        EXPECT_EQ(table_of(path).error().key, "npy.length");
    }
    ASSERT_TRUE(write_file(path, ""));
    EXPECT_EQ(to_string(table_of(path).error()), "npy.no_bytes (in=" + path + ")");
    fs::remove_all(folder);
    allow_table("/proc/self/pagemap");  // a file that has no size and no end
    EXPECT_EQ(table_of("/proc/self/pagemap").error().key, "npy.no_bytes");
}

}  // namespace
}  // namespace posiscope::table_test
