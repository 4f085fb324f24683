// tensor.hpp — an array of any shape from a .npy or .safetensors file.
// Reads    float16, bfloat16 (safetensors only), float32, float64;
// little-endian, C order. Memory   at most kMostTensorValues numbers: of a
// larger array its first rows, and `cropped` says so. A safetensors file is
//          opened by its header (at most 16 MiB); the other arrays in it are
//          never read.
// Source   numpy.lib.format; the safetensors format description.
#pragma once

#include "core/problem.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace posiscope {

inline constexpr std::int64_t kMostTensorValues = std::int64_t{1} << 24;

struct Tensor {
    std::string name;   // in the file; of .npy: the file's own
    std::string dtype;  // "float16", "bfloat16", "float32", "float64"
    std::vector<std::int64_t> shape;
    std::vector<double> values;  // row-major; of a cropped array its first rows
    bool cropped = false;

    // Numbers in one step of the first dimension.
    std::int64_t row() const;
};

// `name` selects an array of a .safetensors file; it may be omitted where there
// is only one.
Result<Tensor> read_tensor(const std::string& path, const std::string& name);

// The same from a file's bytes, for tests.
Result<Tensor> tensor_in(std::string_view bytes, bool safetensors, const std::string& name);

}  // namespace posiscope
