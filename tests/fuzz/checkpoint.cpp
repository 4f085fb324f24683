// checkpoint.cpp — any bytes as a checkpoint: q and k of its heads, as wide as they say and finite, or a sentence. The first
// byte chooses head_dim and the norm.
#include "core/formats/table.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace posiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static const std::string path =
        (std::filesystem::temp_directory_path() / ("fuzz-" + std::to_string(::getpid()) + ".safetensors"))
            .string();
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(data) + 1, static_cast<std::streamsize>(size - 1));
    allow_table(path);
    forget_stored(path);
    static constexpr const char* kNorms[] = {"rms", "rms_plus_one", "layer", "none"};
    Json parameters{{"file", path}, {"norm", kNorms[data[0] % 4]}};
    if (data[0] >= 128) parameters["head_dim"] = 2 + 2 * (data[0] / 4 % 8);
    const Choice content{"checkpoint", *checked_all(content_parameters("checkpoint"), parameters, "content")};
    const auto heads = stored_heads(content);
    if (!heads) return 0;
    if (heads->heads < 1 || heads->key_heads < 1 || heads->heads % heads->key_heads != 0) std::abort();
    for (const Tensor side : {Tensor::query, Tensor::key}) {
        const auto rows = stored_rows(content, side, heads->heads - 1, 3);
        if (!rows) continue;
        if (std::ssize(**rows) != 3 * heads->head_dim) std::abort();
        for (const double value : **rows)
            if (!std::isfinite(value)) std::abort();
    }
    return 0;
}
