// gguf.hpp — where the tensors of a .gguf file are. Its settings are passed over, but for the tensors' alignment.
// Bounds   a header of 256 MiB, 2^20 settings, 65536 tensors of at most 4 dimensions, names of 1024 bytes.
// Source   ggml's description of GGUF, versions 2 and 3.
#pragma once

#include "core/formats/zip.hpp"

namespace posiscope {

struct GgufTensor {
    std::string name;
    std::vector<std::int64_t> shape;  // row-major: the last dimension is contiguous
    std::uint32_t type = 0;
    std::uint64_t first = 0;  // where its numbers begin
};

Result<std::vector<GgufTensor>> read_gguf(std::uint64_t size, const FetchBytes& fetch);

// The word for a tensor type that is no plain array of numbers, "Q4_K".
std::string gguf_type(std::uint32_t type);

}  // namespace posiscope
