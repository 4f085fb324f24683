// tensor.cpp — any bytes as a .safetensors, .npy, .npz, .pt or .gguf file or as text: an array of exactly as many numbers as its
// shape says, or a sentence.
#include "core/formats/tensor.hpp"

#include <cstdlib>

using namespace posiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    for (const char* path : {".safetensors", "", ".csv"}) {
        auto tensor = tensor_in(bytes, path, "");
        if (!tensor) tensor = tensor_in(bytes, path, "a");
        if (!tensor) continue;
        std::int64_t count = 1;
        for (const std::int64_t one : tensor->shape) count *= one;
        if (!tensor->cropped && count != static_cast<std::int64_t>(tensor->values.size())) std::abort();
    }
    return 0;
}
