// pickled.hpp — the tensors that a .pt file's data.pkl describes: a tensor, or lists and dictionaries of them. The pickle is
// read as data; nothing in it is ever called or imported. What needs more than tensors, numbers and names is refused by its
// name.
// Bounds   2^20 values, 16 levels of names, 512 bytes of a name, 8 dimensions; longer texts are passed over.
// Source   pickle's opcodes as torch.save writes them (protocols 2 to 4).
// Our own readers of zip, pickle and GGUF: each takes few lines, and a library would be in every package and in the page.
#pragma once

#include "core/problem.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope {

struct PickledTensor {
    std::string name;     // "layers.0.weight"; empty: the file is one tensor
    std::string storage;  // "FloatStorage"
    std::string key;      // of its numbers: the member data/KEY
    std::int64_t offset = 0;
    std::vector<std::int64_t> shape, strides;
};

Result<std::vector<PickledTensor>> pickled_tensors(std::string_view pickle);

}  // namespace posiscope
