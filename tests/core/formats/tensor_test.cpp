// Arrays of .npy and .safetensors files: exact values, and a sentence for whatever does not fit.
#include "core/formats/tensor.hpp"
#include "core/json.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace posiscope::tensor_test {
namespace {

std::string safetensors(const std::string& header, std::string_view data) {
    std::string bytes(8, '\0');
    for (std::size_t i = 0; i < 8; ++i)
        bytes[i] = static_cast<char>((std::uint64_t{header.size()} >> (8 * i)) & 0xff);
    return bytes + header + std::string(data);
}

const std::string kHeader =
    R"({"__metadata__": {"format": "pt"}, "cos": {"dtype": "BF16", "shape": [2, 2], "data_offsets": [0, 8]},
    "sin": {"dtype": "F16", "shape": [2], "data_offsets": [8, 12]}})";
const std::string kData("\x80\x3f\x00\x3f\x00\x00\x80\xbf\x00\x3c\x00\xb8", 12);

TEST(Tensor, SafetensorsByName) {
    const auto cos = tensor_in(safetensors(kHeader, kData), true, "cos");
    ASSERT_TRUE(cos) << to_string(cos.error());
    EXPECT_EQ(cos->dtype, "bfloat16");
    EXPECT_EQ(cos->shape, (std::vector<std::int64_t>{2, 2}));
    EXPECT_EQ(cos->values, (std::vector<double>{1.0, 0.5, 0.0, -1.0}));
    EXPECT_EQ(tensor_in(safetensors(kHeader, kData), true, "sin")->values, (std::vector<double>{1.0, -0.5}));
    EXPECT_EQ(to_string(tensor_in(safetensors(kHeader, kData), true, "tan").error()),
              "tensor.name (name=tan, names=cos, sin)");
    EXPECT_EQ(tensor_in(safetensors(kHeader, kData), true, "").error().key, "tensor.which");
}

TEST(Tensor, WhatDoesNotFitIsASentence) {
    const auto problem = [](const std::string& bytes, const char* name = "a") {
        const auto made = tensor_in(bytes, true, name);
        return made ? "" : made.error().key;
    };
    const auto one = [](std::string_view rest) {
        return safetensors(R"({"a": {"dtype": )" + std::string(rest) + "}}", "12345678");
    };
    EXPECT_EQ(problem(""), "safetensors.header");
    EXPECT_EQ(problem(std::string(8, '\xff')), "safetensors.header");
    EXPECT_EQ(problem(safetensors("[]", "")), "safetensors.header");
    EXPECT_EQ(problem(one(R"("F32", "shape": [2], "data_offsets": [0, 8])")), "");
    EXPECT_EQ(problem(one(R"("F32", "shape": [3], "data_offsets": [0, 8])")), "safetensors.header");
    EXPECT_EQ(problem(one(R"("F32", "shape": [4], "data_offsets": [0, 16])")), "safetensors.header");
    EXPECT_EQ(problem(one(R"("F32", "shape": [2], "data_offsets": [8, 0])")), "safetensors.header");
    EXPECT_EQ(problem(one(R"("F32", "shape": [-2], "data_offsets": [0, 8])")), "safetensors.header");
    EXPECT_EQ(problem(one(R"("F32", "shape": [4611686018427387904, 4], "data_offsets": [0, 8])")),
              "safetensors.header");
    EXPECT_EQ(problem(one(R"("I64", "shape": [1], "data_offsets": [0, 8])")), "");
    EXPECT_EQ(problem(one(R"("F8_E4M3", "shape": [8], "data_offsets": [0, 8])")), "tensor.dtype");
    EXPECT_EQ(problem(one(R"("F32", "shape": [0], "data_offsets": [0, 0])")), "tensor.empty");
}

RC_GTEST_PROP(Tensor, DamagedBytesNeverCrash, (std::uint8_t byte)) {
    std::string damaged = safetensors(kHeader, kData);
    damaged[*rc::gen::inRange<std::size_t>(0, damaged.size())] = static_cast<char>(byte);
    for (const char* name : {"cos", "sin", ""}) (void)tensor_in(damaged, true, name);
    (void)tensor_in(damaged, false, "");
}

}  // namespace
}  // namespace posiscope::tensor_test
