// gguf.hpp — the header of a .gguf file: its settings and where its tensors are.
// Bounds   a header of 256 MiB, 2^20 settings, 65536 tensors of at most 4 dimensions; lists of more than 4096 numbers and
//          all texts of lists (a vocabulary) are passed over; of the rest 64 MiB are kept, or the file is refused.
// Source   ggml's description of GGUF, versions 2 and 3.
#pragma once

#include "core/formats/zip.hpp"
#include "core/json.hpp"

namespace posiscope {

struct GgufTensor {
    std::string name;
    std::vector<std::int64_t> shape;  // row-major: the last dimension is contiguous
    std::uint32_t type = 0;
    std::uint64_t first = 0;  // where its numbers begin
};

struct Gguf {
    Json settings;  // {"llama.rope.freq_base": 500000.0, …}
    std::vector<GgufTensor> tensors;
};

Result<Gguf> read_gguf(std::uint64_t size, const FetchBytes& fetch);

// The word for a tensor type that is no plain array of numbers, "Q4_K".
std::string gguf_type(std::uint32_t type);

}  // namespace posiscope
