// .npz, .pt, .gguf and text: their arrays, and one sentence for whatever is damaged. What NumPy writes is read in
// tests/app/check_files.py.
#include "core/formats/pickled.hpp"
#include "core/formats/tensor.hpp"
#include "core/formats/text_numbers.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace posiscope {
namespace {

using namespace std::string_literals;

std::string refusal(std::string_view bytes, const char* path, const char* name = "") {
    const auto made = tensor_in(bytes, path, name);
    return made ? "" : to_string(made.error());
}

std::string little(std::uint64_t value, int width) {
    std::string made;
    for (int i = 0; i < width; ++i) made += static_cast<char>((value >> (8 * i)) & 0xff);
    return made;
}

// One stored member.
std::string zip(const std::string& name, const std::string& data) {
    const std::string size = little(data.size(), 4), length = little(name.size(), 2);
    const std::string local = "PK\x03\x04"s + little(20, 2) + std::string(16, '\0').substr(0, 12) + size +
                              size + length + little(0, 2) + name;
    const std::string entry = "PK\x01\x02"s + little(20, 2) + little(20, 2) + std::string(12, '\0') + size +
                              size + length + std::string(12, '\0') + little(0, 4) + name;
    return local + data + entry + "PK\x05\x06"s + little(0, 4) + little(1, 2) + little(1, 2) +
           little(entry.size(), 4) + little(local.size() + data.size(), 4) + little(0, 2);
}

std::string npy(const std::string& type, const std::string& shape, const std::string& data,
                bool fortran = false) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
                         ", 'shape': " + shape + "}\n";
    return "\x93NUMPY\1\0"s + little(header.size(), 2) + header + data;
}

const std::string kSix = "\1\2\3\4\5\6";

TEST(Archives, NumbersComeInRowsWhateverTheirOrder) {
    EXPECT_EQ(tensor_in(npy("|u1", "(2, 3)", kSix), "", "")->values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(tensor_in(npy("|u1", "(2, 3)", kSix, true), "", "")->values,
              (std::vector<double>{1, 3, 5, 2, 4, 6}));
    EXPECT_EQ(tensor_in(npy(">i2", "(3,)", kSix), "", "")->values, (std::vector<double>{258, 772, 1286}));
    const auto complex = tensor_in(npy("<c8", "(1,)", "\0\0\x80\x3f\0\0\0\xc0"s), "", "");
    EXPECT_EQ(complex->shape, (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(complex->values, (std::vector<double>{1, -2}));
    EXPECT_EQ(refusal(npy("|O", "(2,)", kSix), ""), "npy.object");
    EXPECT_EQ(refusal(npy("<U3", "(2,)", kSix), ""), "npy.type (dtype=<U3)");
}

TEST(Archives, AZipOfArrays) {
    const std::string whole = zip("a.npy", npy("|u1", "(2, 3)", kSix));
    ASSERT_EQ(refusal(whole, ""), "");
    EXPECT_EQ(tensor_in(whole, "", "a")->values.size(), 6U);
    EXPECT_EQ(refusal(whole, "", "b"), "tensor.name (name=b, names=a)");
    for (std::size_t size = 4; size < whole.size(); ++size)
        EXPECT_FALSE(tensor_in(std::string_view(whole).substr(0, size), "", "")) << size;
    EXPECT_EQ(refusal(zip("a.txt", kSix), ""), "zip.none");
}

TEST(Archives, APickleIsReadAndNeverRun) {
    const auto problem = [](const std::string& pickle) {
        const auto made = pickled_tensors(pickle);
        return made ? "" : to_string(made.error());
    };
    EXPECT_EQ(problem("cos\nsystem\n(X\4\0\0\0truetR."s), "pickle.needs (name=os.system)");
    EXPECT_EQ(problem("\x80\4\x8c\2os\x8c\6system\x93."s), "pickle.needs (name=os.system)");
    EXPECT_EQ(problem("i"), "pickle.needs (name=opcode 105)");
    EXPECT_EQ(problem(""), "pickle.broken");
    EXPECT_EQ(problem("]q\0h\0a."s), "pickle.broken") << "a list that holds itself";
    EXPECT_EQ(problem("("s + std::string(100, 't')), "pickle.broken");
    EXPECT_EQ(problem("]."), "");
}

TEST(Archives, Text) {
    const auto read = text_numbers("\xef\xbb\xbf# a note\nsin;cos\n 1.25; -5e-1\n+2,3.125\r\n");
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(read->shape, (std::vector<std::int64_t>{2, 2}));
    EXPECT_EQ(read->values, (std::vector<double>{1.25, -0.5, 2, 3.125}));
    EXPECT_EQ(text_numbers("0.25\n0.125\n")->decimals, 2);
    EXPECT_EQ(text_numbers("1.50e-3 0.0\n")->decimals, 5);
    EXPECT_EQ(to_string(text_numbers("1 2\n3\n").error()), "text.columns (line=2, count=1, wanted=2)");
    EXPECT_EQ(to_string(text_numbers("1\nx\n").error()), "text.number (line=2, word=x)");
    EXPECT_EQ(text_numbers("a\nb\n").error().key, "text.number");
    EXPECT_EQ(text_numbers("\n# 1\n").error().key, "text.none");
}

RC_GTEST_PROP(Archives, DamagedBytesNeverCrash, (std::uint8_t byte)) {
    std::string gguf = "GGUF"s + little(3, 4) + little(1, 8) + little(1, 8) + little(1, 8) + "k" +
                       little(4, 4) + little(7, 4) + little(1, 8) + "a" + little(1, 4) + little(2, 8) +
                       little(24, 4) + little(0, 8);
    gguf.resize((gguf.size() + 31) / 32 * 32);
    gguf += "\5\6";
    RC_ASSERT(tensor_in(gguf, "", "")->values == (std::vector<double>{5, 6}));
    for (std::string bytes : {gguf, zip("a.npy", npy("<f2", "(3,)", kSix)), zip("x/data.pkl", "]q\0."s)}) {
        bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = static_cast<char>(byte);
        for (const char* path : {"", ".csv"}) (void)tensor_in(bytes, path, "");
    }
}

}  // namespace
}  // namespace posiscope
