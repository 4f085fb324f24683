// checkpoint.cpp — any bytes as a checkpoint: q and k of its heads, as wide as they say and finite, or a sentence. The first
// byte chooses head_dim and the norm.
#include "core/formats/table.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <sys/mman.h>
#include <unistd.h>

using namespace posiscope;

namespace {

// A file in memory, under a name that ends as a checkpoint's.
class Checkpoint {
public:
    Checkpoint()
        : file_(::memfd_create("checkpoint", 0)),
          path_((std::filesystem::temp_directory_path() /
                 ("fuzz-" + std::to_string(::getpid()) + ".safetensors"))
                    .string()) {
        std::filesystem::remove(path_);
        std::filesystem::create_symlink("/proc/self/fd/" + std::to_string(file_), path_);
        allow_table(path_);
    }
    ~Checkpoint() {
        std::error_code error;
        std::filesystem::remove(path_, error);
    }
    Checkpoint(const Checkpoint&) = delete;
    Checkpoint& operator=(const Checkpoint&) = delete;

    void fill(std::span<const std::uint8_t> bytes) const {
        const auto size = static_cast<::off_t>(bytes.size());
        if (::ftruncate(file_, size) != 0 || ::pwrite(file_, bytes.data(), bytes.size(), 0) != size)
            std::abort();
        forget_stored(path_);
    }

    // The content whose head_dim and norm a byte chooses, checked once: that takes as long as reading the file.
    const Choice& content(std::uint8_t settings) {
        std::optional<Choice>& made = contents_[settings];
        if (made) return *made;
        static constexpr const char* kNorms[] = {"rms", "rms_plus_one", "layer", "none"};
        Json parameters{{"file", path_}, {"norm", kNorms[settings % 4]}};
        if (settings >= 128) parameters["head_dim"] = 2 + 2 * (settings / 4 % 8);
        return made.emplace(
            Choice{"checkpoint", *checked_all(content_parameters("checkpoint"), parameters, "content")});
    }

private:
    int file_;
    std::string path_;
    std::array<std::optional<Choice>, 256> contents_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static Checkpoint checkpoint;
    checkpoint.fill({data + 1, size - 1});
    const Choice& content = checkpoint.content(data[0]);
    const auto heads = stored_heads(content);
    if (!heads) return 0;
    if (heads->heads < 1 || heads->key_heads < 1 || heads->heads % heads->key_heads != 0) std::abort();
    Scene scene;
    scene.encoding = {"none", Json::object()};
    scene.content = content;
    scene.num_heads = heads->heads;
    scene.head_dim = heads->head_dim;
    for (const Tensor side : {Tensor::query, Tensor::key}) {
        const auto rows = stored_rows(scene, side, heads->heads - 1, 3);
        if (!rows) continue;
        if (std::ssize(**rows) != 3 * heads->head_dim) std::abort();
        for (const double value : **rows)
            if (!std::isfinite(value)) std::abort();
    }
    return 0;
}
