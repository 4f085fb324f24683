// tensor.cpp — any bytes as a .safetensors or .npy file: an array of exactly as many numbers as its shape says, or a sentence.
#include "core/formats/tensor.hpp"

#include <cstdlib>

using namespace posiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    for (const bool safetensors : {true, false}) {
        const auto tensor = tensor_in(bytes, safetensors, "");
        if (!tensor) continue;
        std::int64_t count = 1;
        for (const std::int64_t one : tensor->shape) count *= one;
        if (!tensor->cropped && count != static_cast<std::int64_t>(tensor->values.size())) std::abort();
    }
    return 0;
}
